"""Server-side apply over the wire; its every answer is compared by the referee, here stands what must not break."""

from typing import Any

from tests.cluster.stage import CONFIGMAPS, Stage, play

YAML = {"content-type": "application/apply-patch+yaml"}
DEPLOYMENTS = "/apis/apps/v1/namespaces/default/deployments"

Document = dict[str, Any]


def _configmap(name: str = "a", **data: str) -> Document:
    return {"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": name}, "data": data}


async def _apply(stage: Stage, body: Any, manager: str = "a", query: str = "", place: str = CONFIGMAPS) -> Any:
    return await stage.ask("PATCH", f"{place}/a?fieldManager={manager}{query}", body, YAML)


def test_an_apply_creates_and_then_updates() -> None:
    async def story(stage: Stage) -> None:
        assert (await _apply(stage, _configmap(k="1")))[0] == 201
        code, obj = await _apply(stage, _configmap(k="2"))
        assert (code, obj["data"]) == (200, {"k": "2"})

    play(story)


def test_a_second_apply_of_the_same_writes_nothing() -> None:
    async def story(stage: Stage) -> None:
        _, first = await _apply(stage, _configmap(k="1"))
        _, second = await _apply(stage, _configmap(k="1"))
        assert second == first

    play(story)


def test_a_conflict_tells_every_path() -> None:
    async def story(stage: Stage) -> None:
        await _apply(stage, _configmap(x="1", y="1"))
        code, status = await _apply(stage, _configmap(x="2", y="2"), "b")
        assert code == 409
        assert status["message"] == 'Apply failed with 2 conflicts: conflicts with "a":\n- .data.x\n- .data.y'
        assert [cause["field"] for cause in status["details"]["causes"]] == [".data.x", ".data.y"]
        assert (await _apply(stage, _configmap(x="2", y="2"), "b", "&force=true"))[0] == 200

    play(story)


def test_yaml_is_read_too() -> None:
    async def story(stage: Stage) -> None:
        body = b"apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\ndata: {k: 'yes'}\n"
        code, obj = await _apply(stage, body)
        assert (code, obj["data"]) == (201, {"k": "yes"})

    play(story)


def test_a_manager_must_be_named() -> None:
    async def story(stage: Stage) -> None:
        code, status = await stage.ask("PATCH", f"{CONFIGMAPS}/a", _configmap(), YAML)
        assert code == 422
        assert "fieldManager: Required value: is required for apply patch" in status["message"]

    play(story)


def test_defaults_are_filled_in_and_owned_by_nobody() -> None:
    labels = {"app": "a"}
    config = {
        "apiVersion": "apps/v1",
        "kind": "Deployment",
        "metadata": {"name": "a"},
        "spec": {
            "selector": {"matchLabels": labels},
            "template": {"metadata": {"labels": labels}, "spec": {"containers": [{"name": "c", "image": "i"}]}},
        },
    }

    async def story(stage: Stage) -> None:
        code, obj = await _apply(stage, config, place=DEPLOYMENTS)
        assert (code, obj["spec"]["replicas"]) == (201, 1)
        [entry] = obj["metadata"]["managedFields"]
        assert {*entry["fieldsV1"]["f:spec"]} == {"f:selector", "f:template"}

    play(story)


def test_a_dry_run_stores_nothing() -> None:
    async def story(stage: Stage) -> None:
        assert (await _apply(stage, _configmap(k="1"), query="&dryRun=All"))[0] == 201
        assert (await stage.ask("GET", f"{CONFIGMAPS}/a"))[0] == 404

    play(story)


def test_what_an_applier_lets_go_of_goes() -> None:
    async def story(stage: Stage) -> None:
        await _apply(stage, _configmap(x="1", y="1"))
        await _apply(stage, _configmap(y="1"), "b")
        _, obj = await _apply(stage, _configmap(z="1"))
        assert obj["data"] == {"y": "1", "z": "1"}

    play(story)


def test_bodies_of_any_shape_are_answered() -> None:
    async def story(stage: Stage) -> None:
        for body in (b"", b"[]", b"1", b"null", b"{", b"\xff", b"a: [", b"&a [*a]", b'{"apiVersion": 1, "kind": []}'):
            code, status = await _apply(stage, body)
            assert (code, status["status"]) == (400, "Failure")
        odd: list[Any] = [None, 1, [], {"name": 1}, {"labels": {"a": 1}}, {"name": "a", "managedFields": 1}]
        for meta in odd:
            code, status = await _apply(stage, {**_configmap(), "metadata": meta})
            assert code in (400, 422, 500)
            assert "the server made a mistake" not in status["message"]

    play(story)
