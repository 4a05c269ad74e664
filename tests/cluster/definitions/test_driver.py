import asyncio
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from tests.cluster.registry.custom.things import converted, crd, schema, slow_webhook, version
from tests.cluster.stage import Stage, play

from kubewright.cluster.registry.custom.webhook import Webhook
from kubewright.cluster.registry.view import ConversionFailed
from kubewright.cluster.store import Record

Document = dict[str, Any]
CRDS = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions"
CRD = f"{CRDS}/things.example.com"
THINGS = "/apis/example.com/v1/namespaces/default/things"


def thing(name: str, spec: Document | None = None, **meta: Any) -> Document:
    known: Document = {"apiVersion": "example.com/v1", "kind": "Thing", "metadata": {"name": name, **meta}}
    return known | ({"spec": spec} if spec is not None else {})


async def settle() -> None:
    """Let all that was begun be done."""
    await asyncio.sleep(0.01)


async def define(stage: Stage, *versions: Document, **spec: Any) -> None:
    await stage.client.create(CRDS, crd(*versions, **spec))
    await settle()


async def edit(stage: Stage, **spec: Any) -> None:
    merge = {"content-type": "application/merge-patch+json"}
    code, _ = await stage.ask("PATCH", CRD, {"spec": spec}, merge)
    assert code == 200
    await settle()


def terminating(document: Document) -> list[str]:
    return [each["reason"] for each in document["status"]["conditions"] if each["type"] == "Terminating"]


def test_a_definition_is_served_and_gone_with_it() -> None:
    async def story(stage: Stage) -> list[int]:
        codes = [(await stage.ask("GET", THINGS))[0]]
        await define(stage)
        codes.append((await stage.ask("GET", THINGS))[0])
        await stage.client.delete(CRD)
        await settle()
        return [*codes, (await stage.ask("GET", THINGS))[0], (await stage.ask("GET", CRD))[0]]

    assert play(story) == [404, 200, 404, 404]


def test_whoever_watches_definitions_sees_every_step() -> None:
    async def story(stage: Stage) -> list[str]:
        async with stage.watching(CRDS) as seen:
            await define(stage)
            await stage.client.delete(CRD)
            await settle()
            return seen.told

    name = "things.example.com"
    assert play(story) == [f"ADDED {name}", *[f"MODIFIED {name}"] * 4, f"DELETED {name}"]


def test_a_new_schema_holds_from_the_answer_on() -> None:
    async def story(stage: Stage) -> tuple[int, int]:
        await define(stage)
        before, _ = await stage.ask("POST", THINGS, thing("a", {"x": "text"}))
        merge = {"content-type": "application/merge-patch+json"}
        await stage.ask("PATCH", CRD, {"spec": {"versions": [version(openapi=schema(x={"type": "integer"}))]}}, merge)
        after, _ = await stage.ask("POST", THINGS, thing("b", {"x": "text"}))
        return before, after

    assert play(story) == (201, 422)


def test_watches_end_when_the_schema_changes_and_go_on_when_only_the_status_does() -> None:
    async def story(stage: Stage) -> tuple[bool, bool]:
        await define(stage)
        async with stage.watching(THINGS) as seen:
            merge = {"content-type": "application/merge-patch+json"}
            await stage.ask("PATCH", CRD, {"metadata": {"labels": {"a": "b"}}}, merge)
            await settle()
            before = seen.ended
            await edit(stage, versions=[version(openapi=schema())])
            return before, seen.ended

    assert play(story) == (False, True)


def test_what_is_stored_gets_the_defaults_of_a_new_schema() -> None:
    async def story(stage: Stage) -> Any:
        await define(stage, version(openapi=schema(a={"type": "integer"})))
        await stage.client.create(THINGS, thing("a", {"a": 1}))
        await edit(stage, versions=[version(openapi=schema(b={"type": "integer", "default": 2}))])
        return (await stage.ask("GET", f"{THINGS}/a"))[1]["spec"]

    assert play(story) == {"b": 2}


def test_a_write_that_changes_nothing_brings_an_object_up_to_date() -> None:
    async def story(stage: Stage) -> bool:
        await define(stage, version(openapi=schema(a={"type": "integer"})))
        await stage.client.create(THINGS, thing("a", {"a": 1}))
        await edit(stage, versions=[version(openapi=schema(b={"type": "integer", "default": 2}))])
        _, old = await stage.ask("GET", f"{THINGS}/a")
        _, new = await stage.ask("PUT", f"{THINGS}/a", old)
        _, again = await stage.ask("PUT", f"{THINGS}/a", new)
        return bool(old["metadata"]["resourceVersion"] != new["metadata"]["resourceVersion"] and new == again)

    assert play(story)


def test_a_definition_waits_for_the_finalizers_of_its_objects() -> None:
    async def story(stage: Stage) -> None:
        await define(stage)
        await stage.client.create(THINGS, thing("a", finalizers=["x.io/y"]))
        await stage.client.create(THINGS, thing("b"))
        await stage.client.delete(CRD)
        await settle()
        assert [each["metadata"]["name"] for each in (await stage.ask("GET", THINGS))[1]["items"]] == ["a"]
        assert terminating((await stage.ask("GET", CRD))[1]) == ["InstanceDeletionInProgress"]
        code, refusal = await stage.ask("POST", THINGS, thing("c"))
        assert (code, refusal["reason"]) == (403, "Forbidden")
        merge = {"content-type": "application/merge-patch+json"}
        await stage.ask("PATCH", f"{THINGS}/a", {"metadata": {"finalizers": None}}, merge)
        await settle()
        assert (await stage.ask("GET", CRD))[0] == 404

    play(story)


def test_discovery_offers_less_of_a_definition_that_is_going() -> None:
    async def story(stage: Stage) -> Any:
        await define(stage)
        await stage.client.create(THINGS, thing("a", finalizers=["x.io/y"]))
        await stage.ask("GET", "/apis/example.com/v1")
        await stage.client.delete(CRD)
        await settle()
        [resource] = (await stage.ask("GET", "/apis/example.com/v1"))[1]["resources"]
        return resource["verbs"]

    assert play(story) == ["delete", "deletecollection", "get", "list", "watch"]


def test_after_a_minute_it_is_told_that_objects_are_left() -> None:
    async def story(stage: Stage) -> list[str]:
        await define(stage)
        await stage.client.create(THINGS, thing("a", finalizers=["x.io/y"]))
        async with stage.watching(CRDS) as seen:
            await stage.client.delete(CRD)
            await asyncio.sleep(61)
            return [terminating(event["object"])[0] for event in seen.events if terminating(event["object"])]

    assert play(story) == [
        "InstanceDeletionPending",
        "InstanceDeletionInProgress",
        "InstanceDeletionCheck",
        "InstanceDeletionInProgress",
    ]


def test_a_finalizer_of_somebody_else_keeps_a_definition_without_objects() -> None:
    async def story(stage: Stage) -> tuple[list[str], list[str]]:
        document = crd()
        document["metadata"]["finalizers"] = ["x.io/y"]
        await stage.client.create(CRDS, document)
        await settle()
        await stage.client.delete(CRD)
        await settle()
        _, left = await stage.ask("GET", CRD)
        return left["metadata"]["finalizers"], terminating(left)

    assert play(story) == (["x.io/y"], ["InstanceDeletionCompleted"])


def test_a_definition_can_be_made_again() -> None:
    async def story(stage: Stage) -> list[str]:
        for name in ("a", "b"):
            await define(stage)
            await stage.client.create(THINGS, thing(name))
            _, found = await stage.ask("GET", THINGS)
            await stage.client.delete(CRD)
            await settle()
        return [each["metadata"]["name"] for each in found["items"]]

    assert play(story) == ["b"]


def test_names_are_taken_over_when_they_become_free() -> None:
    async def story(stage: Stage) -> tuple[int, int]:
        await define(stage)
        other = crd(plural="others")
        other["spec"]["names"]["kind"] = "Thing"
        await stage.client.create(CRDS, other)
        await settle()
        before, _ = await stage.ask("GET", "/apis/example.com/v1/others")
        await stage.client.delete(CRD)
        await settle()
        return before, (await stage.ask("GET", "/apis/example.com/v1/others"))[0]

    assert play(story) == (404, 200)


def test_a_built_in_resource_stays_what_it_is() -> None:
    async def story(stage: Stage) -> str:
        document = crd(version("v1"), plural="leases")
        document["metadata"] = {
            "name": "leases.coordination.k8s.io",
            "annotations": {"api-approved.kubernetes.io": "unapproved, a test"},
        }
        document["spec"]["group"] = "coordination.k8s.io"
        await stage.client.create(CRDS, document)
        await settle()
        resource = stage.cluster.api.registry.find("coordination.k8s.io", "v1", "leases")
        assert resource is not None
        return resource.names.kind if not resource.custom else "custom"

    assert play(story) == "Lease"


def test_definitions_and_their_objects_are_there_after_a_restart(tmp_path: Path) -> None:
    async def first(stage: Stage) -> None:
        await define(stage, version(openapi=schema(a={"type": "integer", "default": 1})))
        await stage.client.create(THINGS, thing("a", {}))

    async def second(stage: Stage) -> Any:
        return (await stage.ask("GET", f"{THINGS}/a"))[1]["spec"]

    play(first, data=tmp_path)
    assert play(second, data=tmp_path) == {"a": 1}


def test_an_end_that_was_begun_is_gone_on_with_after_a_restart(tmp_path: Path) -> None:
    async def first(stage: Stage) -> None:
        await define(stage)
        await stage.client.create(THINGS, thing("a", finalizers=["x.io/y"]))
        await stage.client.delete(CRD)
        await settle()

    async def second(stage: Stage) -> int:
        merge = {"content-type": "application/merge-patch+json"}
        await stage.ask("PATCH", f"{THINGS}/a", {"metadata": {"finalizers": None}}, merge)
        await settle()
        return (await stage.ask("GET", CRD))[0]

    play(first, data=tmp_path)
    assert play(second, data=tmp_path) == 404


def test_many_objects_go_with_their_definition_though_the_past_is_forgotten_meanwhile() -> None:
    async def story(stage: Stage) -> int:
        await define(stage)
        for number in range(250):
            await stage.client.create(THINGS, thing(f"t{number}"))

        def forget(_: Record) -> None:
            asyncio.get_running_loop().call_soon(stage.cluster.compact)

        stage.cluster.store.listen("/things.example.com/", forget)
        await stage.client.delete(CRD)
        await asyncio.sleep(1)
        return (await stage.ask("GET", CRD))[0]

    assert play(story) == 404


def test_a_definition_whose_objects_cannot_be_converted_goes_once_they_can(monkeypatch: pytest.MonkeyPatch) -> None:
    async def refuse(_: Webhook, objects: Sequence[Document], wanted: str) -> list[Document]:
        raise ConversionFailed("the webhook is away")

    async def story(stage: Stage) -> tuple[list[str], int]:
        slow_webhook(monkeypatch, 0.0)
        await stage.client.create(CRDS, converted())
        await settle()
        await stage.client.create(THINGS, thing("a"))
        await edit(stage, versions=[version("v1", storage=False), version("v2")])
        monkeypatch.setattr(Webhook, "convert", refuse)
        await stage.client.delete(CRD)
        await asyncio.sleep(30)
        reasons = terminating((await stage.ask("GET", CRD))[1])
        slow_webhook(monkeypatch, 0.0)
        await asyncio.sleep(60)
        return reasons, (await stage.ask("GET", CRD))[0]

    assert play(story) == (["InstanceDeletionFailed"], 404)


def test_a_spec_that_did_not_change_is_not_read_again() -> None:
    async def story(stage: Stage) -> tuple[bool, bool, bool]:
        await define(stage)
        definitions = stage.cluster._definitions
        first = definitions._crds["things.example.com"]
        await stage.client.patch(CRD, "merge", {"metadata": {"labels": {"a": "b"}}})
        await settle()
        second = definitions._crds["things.example.com"]
        await edit(stage, names={"shortNames": ["th"]})
        third = definitions._crds["things.example.com"]
        stored = await stage.client.get(CRD)
        return second["spec"] is first["spec"], third["spec"] is first["spec"], third == stored

    assert play(story) == (True, False, True)
