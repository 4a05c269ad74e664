import asyncio
from base64 import b64encode
from collections.abc import Callable
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.cluster.auth.world import BOB, PEM, World

from kubewright.cluster.auth.accounts import Bound, split_account
from kubewright.cluster.auth.jwt import Key
from kubewright.cluster.auth.token import ISSUER, BadToken, Identity
from kubewright.entropy import Entropy
from kubewright.trials.loop import run

PLACE = "/serviceaccounts/web/bob"
POD = Bound("p", "u-p")


def meta(name: str, uid: str, **more: Any) -> dict[str, Any]:
    return {"metadata": {"name": name, "namespace": "web", "uid": uid, **more}}


def identify(world: World, token: str, *audiences: str) -> Identity:
    found = world.accounts.identify(token, audiences or (ISSUER,))
    assert found is not None
    return found


def refusal(world: World, token: str, *audiences: str) -> str:
    with pytest.raises(BadToken) as caught:
        world.accounts.identify(token, audiences or (ISSUER,))
    return str(caught.value)


def test_a_token_is_of_its_account() -> None:
    world = World()
    user, audiences = identify(world, world.token())
    assert (user.name, user.uid) == ("system:serviceaccount:web:bob", "u-bob")
    assert user.groups == ("system:serviceaccounts", "system:serviceaccounts:web", "system:authenticated")
    assert user.extra == (("authentication.kubernetes.io/credential-id", ("JTI=j-1",)),)
    assert audiences == (ISSUER,)


def test_the_pod_and_its_node_are_told() -> None:
    world = World()
    world.put("/pods/web/p", meta("p", "u-p"))
    user = identify(world, world.token(bound={"pod": POD, "node": Bound("n", "")})).user
    assert dict(user.extra) == {
        "authentication.kubernetes.io/credential-id": ("JTI=j-1",),
        "authentication.kubernetes.io/node-name": ("n",),
        "authentication.kubernetes.io/pod-name": ("p",),
        "authentication.kubernetes.io/pod-uid": ("u-p",),
    }


@pytest.mark.parametrize("text", ["", "nope", "a.b.c", Key(lambda: PEM).sign({"iss": "somebody else"})])
def test_what_is_none_of_ours_is_for_others_to_say(text: str) -> None:
    assert World().accounts.identify(text, (ISSUER,)) is None


def test_who_else_signed_it_does_not_count() -> None:
    other = Key(Entropy(7).private_key)
    assert refusal(World(), other.sign({"iss": ISSUER})) == "invalid signature, no keys found"


def test_a_changed_token_is_refused() -> None:
    world = World()
    head, claims, signature = world.token().split(".")
    changed = f"{head}.{claims}.{'A' * len(signature)}"
    assert refusal(world, changed) == "go-jose/go-jose: error in cryptographic primitive"


def test_a_token_for_others_is_refused() -> None:
    world = World()
    token = world.token(audiences=("a", "b"))
    assert refusal(world, token) == (f'token audiences ["a" "b"] is invalid for the target audiences ["{ISSUER}"]')
    assert identify(world, token, "b", "c").audiences == ("b",)


def test_a_token_ends_with_its_account_and_another_of_the_name_has_it_not() -> None:
    world = World()
    token = world.token()
    identify(world, token)
    world.put(PLACE, None)
    assert refusal(world, token) == 'serviceaccounts "bob" not found'
    world.put(PLACE, meta("bob", "u-new"))
    assert refusal(world, token) == "service account UID (u-new) does not match claim (u-bob)"
    world.put(PLACE, meta("bob", BOB.uid, labels={"a": "b"}))
    identify(world, token)


@pytest.mark.parametrize(
    ("kind", "place"), [("pod", "/pods/web/p"), ("secret", "/secrets/web/p"), ("node", "/nodes/p")]
)
def test_a_token_ends_with_what_it_is_bound_to(kind: str, place: str) -> None:
    world = World()
    token = world.token(bound={kind: POD})
    assert refusal(world, token) == "service account token has been invalidated"
    world.put(place, meta("p", "u-p"))
    identify(world, token)
    world.put(place, meta("p", "u-q"))
    assert refusal(world, token) == f"{kind} UID (u-q) does not match service account {kind} ref claim (u-p)"


def in_time(story: Callable[[World], Any]) -> None:
    async def main() -> None:
        await story(World())

    run(main())


def test_a_token_is_good_until_it_ends_and_a_minute_more() -> None:
    async def story(world: World) -> None:
        token = world.token(600)
        await asyncio.sleep(655)
        identify(world, token)
        await asyncio.sleep(10)
        for _ in range(2):
            assert refusal(world, token) == "service account token has expired"

    in_time(story)


def test_an_account_that_is_being_deleted_has_a_minute() -> None:
    async def story(world: World) -> None:
        token = world.token()
        world.put(PLACE, meta("bob", BOB.uid, deletionTimestamp="2000-01-01T00:00:00Z"))
        await asyncio.sleep(50)
        identify(world, token)
        await asyncio.sleep(20)
        assert refusal(world, token) == "service account web/bob has been deleted"

    in_time(story)


def test_a_token_that_was_signed_by_us_in_another_form_is_refused() -> None:
    key = Key(lambda: PEM)
    for claims in ({}, {"aud": ISSUER}, {"aud": [ISSUER], "kubernetes.io": 1}, {"aud": 1, "kubernetes.io": {}}):
        assert refusal(World(), key.sign({"iss": ISSUER, **claims}))


def test_a_token_in_a_secret_is_good_as_long_as_it_is_there() -> None:
    world = World()
    token = world.accounts.issue_legacy("web", BOB, "s")
    assert refusal(world, token) == "Token has been invalidated"
    world.put("/secrets/web/s", meta("s", "u-s") | {"data": {"token": b64encode(token.encode()).decode()}})
    assert identify(world, token).user.extra == ()
    world.put("/secrets/web/s", meta("s", "u-s") | {"data": {"token": b64encode(b"other").decode()}})
    assert refusal(world, token) == "Token does not match server's copy"


def test_when_a_token_in_a_secret_was_used_is_written_on_it_once_a_day() -> None:
    async def story(world: World) -> None:
        token = world.accounts.issue_legacy("web", BOB, "s")
        world.put("/secrets/web/s", meta("s", "u-s") | {"data": {"token": b64encode(token.encode()).decode()}})
        at = world.store.revision
        for _ in range(2):
            identify(world, token)
        [record] = world.store.changes("/", at)
        labels = msgspec.json.decode(record.value or b"")["metadata"]["labels"]
        assert labels == {"kubernetes.io/legacy-token-last-used": "2000-01-01"}

    in_time(story)


def test_a_token_in_a_secret_that_is_marked_is_refused() -> None:
    world = World()
    token = world.accounts.issue_legacy("web", BOB, "s")
    labels = {"kubernetes.io/legacy-token-invalid-since": "2000-01-01"}
    data = {"token": b64encode(token.encode()).decode()}
    world.put("/secrets/web/s", meta("s", "u-s", labels=labels) | {"data": data})
    assert "the token in secret web/s for service account web/bob has been marked invalid" in refusal(world, token)


def test_what_nobody_asks_for_any_more_is_not_listened_for() -> None:
    world = World()
    tokens = [world.accounts.issue("web", BOB, (ISSUER,), 600, f"j-{number}", {}) for number in range(3)]
    for token in tokens:
        identify(world, token)
    world.put(PLACE, meta("bob", "u-new"))
    assert PLACE not in world.store._listeners


@given(st.text(max_size=60))
def test_any_text_is_somebody_or_nobody(text: str) -> None:
    assert World().accounts.identify(text, (ISSUER,)) is None


@pytest.mark.parametrize(
    ("name", "found"),
    [
        ("system:serviceaccount:web:bob", ("web", "bob")),
        ("system:serviceaccount:web:a.b", ("web", "a.b")),
        ("system:serviceaccount:web", None),
        ("system:serviceaccount:web:", None),
        ("system:serviceaccount:a.b:bob", None),
        ("system:serviceaccount:web:bob:x", None),
        ("bob", None),
    ],
)
def test_a_name_means_an_account_or_not(name: str, found: tuple[str, str] | None) -> None:
    assert split_account(name) == found
