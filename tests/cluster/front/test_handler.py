import logging
from typing import Any

import pytest
from tests.cluster.stage import CONFIGMAPS, Stage, play

from kubewright.cluster.store import Unkept
from kubewright.cluster.verbs.decode import BODY_LIMIT


def status(stage_answer: tuple[int, Any]) -> tuple[int, str]:
    code, document = stage_answer
    assert document["kind"] == "Status"
    return code, document["reason"]


@pytest.mark.parametrize(
    ("method", "path", "answer"),
    [
        ("GET", "/api/v1/nonsense", (404, "NotFound")),
        ("GET", "/api/v2/pods", (404, "NotFound")),
        ("GET", "/apis/apps/v9/deployments", (404, "NotFound")),
        ("DELETE", "/api/v1/configmaps", (405, "MethodNotAllowed")),
        ("GET", "/api/v1/namespaces/default/namespaces", (404, "NotFound")),
        ("GET", "/api/v1/namespaces/default/nodes", (404, "NotFound")),
        ("GET", "/api/v1/configmaps/a", (404, "NotFound")),
        ("POST", "/api/v1/namespaces/default/configmaps/a", (405, "MethodNotAllowed")),
        ("PUT", "/api/v1/namespaces/default/configmaps", (405, "MethodNotAllowed")),
        ("GET", "/api/v1/namespaces/default/configmaps/a/b", (404, "NotFound")),
    ],
)
def test_what_is_not_there_is_told_as_a_status(method: str, path: str, answer: tuple[int, str]) -> None:
    async def story(stage: Stage) -> tuple[int, str]:
        return status(await stage.ask(method, path, {}))

    assert play(story) == answer


@pytest.mark.parametrize(
    ("method", "path"),
    [("GET", "/api/v1/nodes/a/proxy"), ("POST", "/api/v1/nodes/a/proxy")],
)
def test_what_is_listed_and_not_there_yet_says_so(method: str, path: str) -> None:
    async def story(stage: Stage) -> tuple[int, str]:
        return status(await stage.ask(method, path, {}))

    assert play(story) == (501, "NotImplemented")


@pytest.mark.parametrize("path", ["/nope", "/apis/nope.io/v1/things"])
def test_a_path_of_nobody_is_a_page_that_says_so(path: str) -> None:
    async def story(stage: Stage) -> tuple[int, Any]:
        return await stage.ask("GET", path)

    assert play(story) == (404, "404 page not found\n")


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"{",
        b"[]",
        b"null",
        b'"text"',
        b"\xff\xfe",
        b"{" * 10_000,
        b"[" * 10_000 + b"]" * 10_000,
        b'{"metadata":' * 10_000 + b"1" + b"}" * 10_000,
        b'{"metadata":{"name":1}}',
        b'{"metadata":[]}',
        b'{"kind":7}',
        b'{"data":{"k":"\\ud800"}}',
        b'{"metadata":{"name":"' + b"x" * 100_000 + b'"}}',
    ],
)
@pytest.mark.parametrize("media", ["application/json", "application/yaml"])
def test_a_body_that_is_no_object_is_refused_and_nothing_is_written(body: bytes, media: str) -> None:
    async def story(stage: Stage) -> tuple[int, int]:
        before = stage.cluster.store.revision
        code, _ = await stage.ask("POST", CONFIGMAPS, body, {"content-type": media})
        return code, stage.cluster.store.revision - before

    code, written = play(story)
    assert code in (400, 422)
    assert written == 0


def test_a_body_that_is_too_long_is_refused() -> None:
    async def story(stage: Stage) -> tuple[int, str]:
        return status(await stage.ask("POST", CONFIGMAPS, b" " * (BODY_LIMIT + 1)))

    assert play(story) == (413, "RequestEntityTooLarge")


def test_a_mistake_of_ours_is_told_without_its_trace(caplog: pytest.LogCaptureFixture) -> None:
    async def story(stage: Stage) -> tuple[int, Any]:
        resource = stage.cluster.api.registry.find("", "v1", "configmaps")
        object.__setattr__(resource, "codec", None)
        return await stage.ask("POST", CONFIGMAPS, {"metadata": {"name": "a"}})

    with caplog.at_level(logging.ERROR):
        code, document = play(story)
    assert (code, document["reason"]) == (500, "InternalError")
    assert "Traceback" not in str(document)
    assert "AttributeError" in caplog.text


def test_a_change_for_which_there_is_no_room_is_refused_with_the_reason(monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: object) -> None:
        raise Unkept("no room")

    async def story(stage: Stage) -> tuple[int, Any]:
        monkeypatch.setattr(stage.cluster.store, "commit", full)
        code, said = await stage.ask("POST", CONFIGMAPS, {"metadata": {"name": "a"}})
        monkeypatch.undo()
        return code, said["message"]

    assert play(story) == (500, "no room")


def test_every_answer_has_an_audit_id_and_a_given_one_is_kept() -> None:
    async def story(stage: Stage) -> list[bytes | None]:
        answers = [
            await stage.send("GET", "/version"),
            await stage.send("GET", CONFIGMAPS),
            await stage.send("GET", f"{CONFIGMAPS}/nope"),
            await stage.send("GET", CONFIGMAPS, headers={"audit-id": "mine"}),
        ]
        return [answer.headers.get(b"audit-id") for answer in answers]

    *made, kept = play(story)
    assert all(made)
    assert kept == b"mine"


@pytest.mark.parametrize(
    ("body", "why"),
    [
        (
            "a: &a [x, x, x, x]\n"
            + "".join(f"{n}: &{n} [{', '.join([f'*{m}'] * 40)}]\n" for m, n in zip("abcd", "bcde", strict=True)),
            "yaml: document contains excessive aliasing",
        ),
        ("metadata: &a {name: x, labels: *a}\n", "yaml: anchor 'a' value contains itself"),
        ("a: *b\n", "yaml: unknown anchor 'b' referenced"),
        ("<<: 1\n", "yaml: map merge requires map or sequence of maps as the value"),
    ],
)
def test_yaml_without_a_meaning_is_refused_in_the_words_of_the_server(body: str, why: str) -> None:
    async def story(stage: Stage) -> tuple[int, Any]:
        return await stage.ask("POST", CONFIGMAPS, body.encode(), {"content-type": "application/yaml"})

    code, document = play(story)
    assert code == 400
    assert document["message"].startswith(f"the object provided is unrecognized (must be of type ConfigMap): {why} (")
