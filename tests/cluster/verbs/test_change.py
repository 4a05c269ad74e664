import asyncio
from typing import Any

import pytest
from tests.cluster.stage import CONFIGMAPS, Stage, play

from kubewright.cluster.registry.view import View

MERGE = {"content-type": "application/merge-patch+json"}


class Slow(View):
    """Lets others run between reading an object and writing it."""

    async def stored(self, obj: dict[str, Any]) -> dict[str, Any]:
        await asyncio.sleep(0)
        return obj


def slow_down(stage: Stage) -> None:
    resource = stage.cluster.api.registry.find("", "v1", "configmaps")
    object.__setattr__(resource, "view", Slow())


def test_patches_that_meet_are_all_applied() -> None:
    async def story(stage: Stage) -> dict[str, str]:
        await stage.client.create(CONFIGMAPS, {"metadata": {"name": "a"}})
        slow_down(stage)
        patches = [stage.ask("PATCH", f"{CONFIGMAPS}/a", {"data": {f"k{n}": "1"}}, MERGE) for n in range(20)]
        answers = await asyncio.gather(*patches)
        assert {code for code, _ in answers} == {200}
        found: dict[str, str] = (await stage.client.get(f"{CONFIGMAPS}/a"))["data"]
        return found

    assert len(play(story)) == 20


def test_of_updates_of_the_same_version_one_wins_and_the_others_hear_of_it() -> None:
    async def story(stage: Stage) -> list[int]:
        obj = await stage.client.create(CONFIGMAPS, {"metadata": {"name": "a"}})
        slow_down(stage)
        puts = [stage.ask("PUT", f"{CONFIGMAPS}/a", obj | {"data": {"n": str(n)}}) for n in range(5)]
        return sorted([code for code, _ in await asyncio.gather(*puts)])

    assert play(story) == [200, 409, 409, 409, 409]


def test_a_patch_that_names_a_version_is_not_repeated() -> None:
    async def story(stage: Stage) -> list[int]:
        obj = await stage.client.create(CONFIGMAPS, {"metadata": {"name": "a"}})
        slow_down(stage)
        meta = {"resourceVersion": obj["metadata"]["resourceVersion"]}
        patches = [
            stage.ask("PATCH", f"{CONFIGMAPS}/a", {"metadata": meta, "data": {"n": str(n)}}, MERGE) for n in range(3)
        ]
        return sorted([code for code, _ in await asyncio.gather(*patches)])

    assert play(story) == [200, 409, 409]


def test_what_changes_nothing_is_no_change() -> None:
    async def story(stage: Stage) -> tuple[int, int]:
        obj = await stage.client.create(CONFIGMAPS, {"metadata": {"name": "a"}, "data": {"k": "1"}})
        before = stage.cluster.store.revision
        async with stage.watching(resourceVersion=before) as seen:
            await stage.client.update(f"{CONFIGMAPS}/a", obj)
            await stage.client.patch(f"{CONFIGMAPS}/a", "merge", {"data": {"k": "1"}})
            await asyncio.sleep(1)
            return stage.cluster.store.revision - before, len(seen.events)

    assert play(story) == (0, 0)


CRDS = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions"
CRATES = "/apis/x.example.com/v1/crates"
ANYTHING = {"type": "object", "x-kubernetes-preserve-unknown-fields": True}


async def define_crates(stage: Stage) -> None:
    names = {"plural": "crates", "singular": "crate", "kind": "Crate", "listKind": "CrateList"}
    schema = {"openAPIV3Schema": {"type": "object", "properties": {"spec": ANYTHING, "status": ANYTHING}}}
    version = {"name": "v1", "served": True, "storage": True, "schema": schema, "subresources": {"status": {}}}
    spec = {"group": "x.example.com", "scope": "Cluster", "names": names, "versions": [version]}
    await stage.client.create(CRDS, {"metadata": {"name": "crates.x.example.com"}, "spec": spec})
    async with asyncio.timeout(60):
        while (await stage.ask("GET", CRATES))[0] != 200:  # noqa: ASYNC110 - it can only be asked, in simulated time
            await asyncio.sleep(1)


@pytest.mark.parametrize("length", [1, 40_000])
@pytest.mark.parametrize(
    ("before", "after", "renewed"),
    [(False, 0, True), (1, True, True), ({"a": [0]}, {"a": [False]}, True), (1, 1.0, False)],
)
def test_who_changes_what_python_calls_equal_has_written_it_then(
    before: Any, after: Any, renewed: bool, length: int
) -> None:
    async def story(stage: Stage) -> tuple[list[str], list[str]]:
        await define_crates(stage)
        crate = {"apiVersion": "x.example.com/v1", "kind": "Crate", "metadata": {"name": "a", "labels": {"a": "b"}}}
        await stage.client.create(CRATES, crate | {"spec": {"text": "x" * length}})
        times = []
        for value in (before, after):
            await asyncio.sleep(2)
            made = await stage.client.patch(f"{CRATES}/a/status", "merge", {"status": {"it": value}})
            times.append([entry["time"] for entry in made["metadata"]["managedFields"]])
        first, second = times
        return first, second

    first, second = play(story)
    assert (first != second) is renewed


def test_the_last_finalizer_takes_the_object_with_it() -> None:
    async def story(stage: Stage) -> list[int]:
        await stage.client.create(CONFIGMAPS, {"metadata": {"name": "a", "finalizers": ["x.io/a", "x.io/b"]}})
        codes = []
        path = f"{CONFIGMAPS}/a"
        for method, body in (
            ("DELETE", None),
            ("GET", None),
            ("PATCH", {"metadata": {"finalizers": ["x.io/b"]}}),
            ("GET", None),
            ("PATCH", {"metadata": {"finalizers": ["x.io/b", "x.io/c"]}}),
            ("PATCH", {"metadata": {"finalizers": None}}),
            ("GET", None),
        ):
            code, _ = await stage.ask(method, path, body, MERGE)
            codes.append(code)
        return codes

    assert play(story) == [200, 200, 200, 200, 422, 200, 404]
