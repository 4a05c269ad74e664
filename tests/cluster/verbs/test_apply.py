"""Server-side apply over the wire; its every answer is compared by the referee, here stands what must not break."""

import asyncio
from typing import Any

import pytest
from tests.cluster.stage import CONFIGMAPS, Stage, play

from kubewright.cluster.fields.entries import Manager
from kubewright.cluster.fields.ownership import Conflicts
from kubewright.cluster.fields.pathset import PathSet
from kubewright.cluster.fields.tracking import Tracking
from kubewright.cluster.verbs.apply import _conflicts
from kubewright.model.steps import counted

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


def test_nor_does_a_later_one_with_something_empty_that_is_not_kept() -> None:
    async def story(stage: Stage) -> None:
        config = _configmap()
        config["metadata"] |= {"annotations": {}, "labels": {}}
        _, first = await _apply(stage, config)
        await asyncio.sleep(2)
        _, second = await _apply(stage, config)
        assert second == first

    play(story)


def test_what_is_known_to_change_nothing_is_not_merged_until_somebody_writes(monkeypatch: pytest.MonkeyPatch) -> None:
    merged = 0
    apply = Tracking.apply

    def counted(*given: Any, **named: Any) -> Any:
        nonlocal merged
        merged += 1
        return apply(*given, **named)

    monkeypatch.setattr(Tracking, "apply", counted)

    async def story(stage: Stage) -> None:
        made = [await _apply(stage, _configmap(k="1")) for _ in range(4)]
        assert (made[1], merged) == (made[3], 2)
        await _apply(stage, _configmap(k="1"), "b")
        await _apply(stage, _configmap(k="1"))
        assert merged == 4

    play(story)


def test_what_changes_nothing_is_warned_of_every_time() -> None:
    body = b"apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\ndata:\n  k: '1'\n  k: '1'\n"

    async def story(stage: Stage) -> None:
        told = [await stage.send("PATCH", f"{CONFIGMAPS}/a?fieldManager=a", body, YAML) for _ in range(4)]
        assert [b"already set in map" in (each.headers.get(b"warning") or b"") for each in told] == [True] * 4

    play(story)


def test_a_dry_run_is_not_taken_for_what_changes_nothing() -> None:
    async def story(stage: Stage) -> None:
        await _apply(stage, _configmap(k="1"))
        for _ in range(3):
            _, obj = await _apply(stage, _configmap(k="2"), query="&dryRun=All")
            assert obj["data"] == {"k": "2"}

    play(story)


def test_what_changed_nothing_changes_something_once_the_kind_is_defined_anew() -> None:
    names = {"plural": "crates", "singular": "crate", "kind": "Crate", "listKind": "CrateList"}
    crds, crates = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions", "/apis/x.example.com/v1/crates"
    crate = {"apiVersion": "x.example.com/v1", "kind": "Crate", "metadata": {"name": "a"}, "spec": {}}

    def crd(**size: Any) -> Document:
        spec = {"type": "object", "properties": {"size": {"type": "integer", **size}}}
        schema = {"openAPIV3Schema": {"type": "object", "properties": {"spec": spec}}}
        version = {"name": "v1", "served": True, "storage": True, "schema": schema}
        said = {"group": "x.example.com", "scope": "Cluster", "names": names, "versions": [version]}
        return {"metadata": {"name": "crates.x.example.com"}, "spec": said}

    async def story(stage: Stage) -> None:
        await stage.client.create(crds, crd())
        async with asyncio.timeout(60):
            while (await stage.ask("GET", crates))[0] != 200:  # noqa: ASYNC110 - it can only be asked, in simulated time
                await asyncio.sleep(1)
            for _ in range(3):
                _, obj = await _apply(stage, crate, place=crates)
                assert obj["spec"] == {}
            await stage.client.patch(f"{crds}/crates.x.example.com", "merge", crd(default=3))
            while (await _apply(stage, crate, place=crates))[1]["spec"] != {"size": 3}:  # noqa: ASYNC110 - see above
                await asyncio.sleep(1)

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


def test_many_conflicts_are_told_in_steps() -> None:
    mine, theirs = (Manager(name, "Apply", "v1", "") for name in "mn")
    fields: PathSet = {"f:data": {f"f:k{number:05}": {} for number in range(5000)}}
    failure, steps = counted(_conflicts(Conflicts({theirs: {"f:spec": {}}, mine: fields})))
    assert steps >= 20
    causes = failure.document["details"]["causes"]
    assert [cause["field"] for cause in causes] == [*(f".data.k{number:05}" for number in range(5000)), ".spec"]
    assert failure.document["message"].startswith('Apply failed with 5001 conflicts: conflicts with "m"')
    assert failure.document["message"].endswith('conflicts with "n":\n- .spec')
