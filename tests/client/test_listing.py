"""Lists whose pages expire while they are read, on the embedded cluster and on a server that says less."""

from collections.abc import Callable
from typing import Any

import msgspec
import pytest
from tests.cluster.stage import Stage, play

from kubewright.client.api import Api
from kubewright.client.endpoint import EndpointError, endpoint_of
from kubewright.client.errors import Expired, error_of
from kubewright.client.listing import Listing, read_page
from kubewright.k8s.core.v1 import ConfigMap

EXPIRED = {"kind": "Status", "code": 410, "reason": "Expired", "message": "too old"}


def scripted(*answers: Any) -> tuple[Listing[ConfigMap], list[tuple[int, str]]]:
    """A list whose pages are those answers, and what was asked."""
    asked: list[tuple[int, str]] = []
    coming = iter(answers)

    async def ask(limit: int, token: str) -> bytes:
        asked.append((limit, token))
        answer = next(coming)
        if answer.get("kind") == "Status":
            raise error_of(answer)
        return msgspec.json.encode(answer)

    return Listing(endpoint_of(ConfigMap), ask, 2), asked


def page(*names: str, go_on: str = "", version: str = "5") -> dict[str, Any]:
    items = [{"metadata": {"name": name}} for name in names]
    return {"kind": "ConfigMapList", "metadata": {"resourceVersion": version, "continue": go_on}, "items": items}


def names_of(items: list[ConfigMap]) -> list[str]:
    return [each.metadata.name for each in items]


def run(story: Callable[[], Any]) -> Any:
    async def staged(_: Stage) -> Any:
        return await story()

    return play(staged)


def test_everything_is_read_anew_in_one_piece_when_pages_expire() -> None:
    listing, asked = scripted(page("a", "b", go_on="t"), EXPIRED, page("b", "c", version="9"))

    async def story() -> None:
        whole = await listing
        assert (names_of(whole.items), whole.resource_version) == (["b", "c"], "9")

    run(story)
    assert asked == [(2, ""), (2, "t"), (0, "")]


def test_an_iteration_goes_on_with_the_token_of_the_refusal() -> None:
    expired = {**EXPIRED, "metadata": {"continue": "u"}}
    listing, asked = scripted(page("a", "b", go_on="t"), expired, page("c", "d", version="9"))

    async def story() -> None:
        assert [each.metadata.name async for each in listing] == ["a", "b", "c", "d"]

    run(story)
    assert asked == [(2, ""), (2, "t"), (2, "u")]


def test_pages_say_that_they_are_of_two_moments() -> None:
    expired = {**EXPIRED, "metadata": {"continue": "u"}}
    listing, _ = scripted(page("a", go_on="t"), expired, page("b", version="9"))

    async def story() -> list[bool]:
        return [each.mixed async for each in listing.pages()]

    assert run(story) == [False, True]


@pytest.mark.parametrize("answers", [[EXPIRED], [page("a", go_on="t"), EXPIRED]])
def test_a_version_that_is_forgotten_from_the_beginning_or_without_a_token_is_told(answers: list[Any]) -> None:
    listing, _ = scripted(*answers)

    async def story() -> None:
        with pytest.raises(Expired):
            [each async for each in listing]

    run(story)


def test_on_a_server_that_forgets_nothing_is_missed() -> None:
    async def story(stage: Stage) -> None:
        await stage.put_configmaps(7)
        api = Api(stage.client)
        seen = []
        async for each in api.list(ConfigMap, namespace="default", limit=3):
            seen.append(each.metadata.name)
            if each.metadata.name == "c0001":
                await api.delete(ConfigMap, "c0006")
                stage.cluster.compact()
        assert [name for name in seen if name.startswith("c0")] == [f"c{number:04}" for number in range(6)]

    play(story)


def test_awaited_on_a_server_that_forgets_it_is_of_one_moment() -> None:
    async def story(stage: Stage) -> None:
        await stage.put_configmaps(7)
        api = Api(stage.client)
        ask = stage.client.ask
        asked = 0

        async def forgetful(*args: Any, **options: Any) -> bytes:
            nonlocal asked
            asked += 1
            if asked == 2:
                await stage.put_configmaps(0)
                await stage.client.delete("/api/v1/namespaces/default/configmaps/c0000")
                stage.cluster.compact()
            return await ask(*args, **options)

        api.raw.ask = forgetful  # type: ignore[method-assign]
        whole = await api.list(ConfigMap, namespace="default", limit=3)
        names = [name for name in names_of(whole.items) if name.startswith("c0")]
        assert names == [f"c{number:04}" for number in range(1, 7)]

    play(story)


@pytest.mark.parametrize(
    "data", [b"", b"[]", b'{"items": 3}', b'{"items": {}}', b"<html>", b'{"items": ["\xff"', b"\xff"]
)
def test_what_is_no_list_is_told(data: bytes) -> None:
    with pytest.raises(EndpointError, match="a list of pods is no list"):
        read_page(data, "a list of pods")


def test_a_list_without_items_is_empty() -> None:
    assert read_page(b'{"items": null}', "").items is None


def test_a_list_that_leads_back_to_an_earlier_page_is_given_up() -> None:
    def endless() -> Listing[ConfigMap]:
        return scripted(page("a", go_on="t"), page(go_on="u"), page("b", go_on="t"))[0]

    async def story() -> None:
        with pytest.raises(EndpointError, match="a list of configmaps has no end"):
            await endless()
        with pytest.raises(EndpointError, match="a list of configmaps has no end"):
            _ = [each async for each in endless()]

    run(story)
