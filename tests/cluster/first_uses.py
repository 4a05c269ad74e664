"""What the first uses of everything load: a program of its own, for in a process with tests all of it is there already.

    python -m tests.cluster.first_uses after    # what is loaded by uses after the preload
    python -m tests.cluster.first_uses crew     # how many modules at once, when a crew of controllers is woken
    python -m tests.cluster.first_uses seeded   # whether a seeded run is the same, whatever is loaded

It prints one line of JSON.
"""

import asyncio
import json
import sys
from collections.abc import Iterator
from typing import Any

from tests.cluster.stage import Stage

from kubewright.cluster import Cluster
from kubewright.cluster.preload import preload
from kubewright.trials.loop import run

POD: dict[str, Any] = {"containers": [{"name": "c", "image": "i"}]}
TEMPLATE: dict[str, Any] = {"metadata": {"labels": {"a": "b"}}, "spec": POD}
WORKLOAD: dict[str, Any] = {"selector": {"matchLabels": {"a": "b"}}, "template": TEMPLATE}
ONCE = {"spec": {"restartPolicy": "Never", **POD}}
SCHEMA = {
    "type": "object",
    "properties": {
        "spec": {"type": "object", "x-kubernetes-validations": [{"rule": "self.a.matches('^[a-z]+$')"}]}
        | {"properties": {"a": {"type": "string", "pattern": "^a+$"}}, "required": ["a"]}
    },
}
NAMES = {"plural": "firsts", "singular": "first", "kind": "First", "listKind": "FirstList"}
VERSION = {"name": "v1", "served": True, "storage": True, "schema": {"openAPIV3Schema": SCHEMA}}
DEFINITION = {"group": "a.example", "scope": "Namespaced", "names": NAMES, "versions": [VERSION]}
#: Group version, plural, object: what is made in earnest, and works.
MADE: tuple[tuple[str, str, dict[str, Any]], ...] = (
    ("api/v1", "pods", {"spec": POD}),
    ("api/v1", "services", {"spec": {"ports": [{"port": 80}], "selector": {"a": "b"}}}),
    ("apis/apps/v1", "deployments", {"spec": WORKLOAD}),
    ("apis/batch/v1", "jobs", {"spec": {"template": ONCE}}),
    ("apis/a.example/v1", "firsts", {"apiVersion": "a.example/v1", "kind": "First", "spec": {"a": "aa"}}),
)
ACCEPTED = (
    "application/json;as=Table;v=v1;g=meta.k8s.io",
    "application/json;as=PartialObjectMetadataList;v=v1;g=meta.k8s.io",
    "application/vnd.kubernetes.protobuf",
    "application/yaml",
)
TOLD = ("/api", "/apis", "/openapi/v2", "/openapi/v3", "/openapi/v3/apis/apps/v1", "/metrics", "/version", "/readyz")
APPLY, STRATEGIC = "application/apply-patch+yaml", "application/strategic-merge-patch+json"


async def after() -> list[str]:
    """The modules that are loaded by the first uses of everything after the preload."""
    async with Cluster(port=None) as cluster:
        stage = Stage(cluster)
        await preload()
        before = set(sys.modules)
        await stage.client.create("/api/v1/namespaces", {"metadata": {"name": "first"}})
        crd = {"metadata": {"name": "firsts.a.example"}, "spec": DEFINITION}
        await stage.client.create("/apis/apiextensions.k8s.io/v1/customresourcedefinitions", crd)
        await asyncio.sleep(5)
        for version, plural, parts in MADE:
            await stage.client.create(f"/{version}/namespaces/first/{plural}", {"metadata": {"name": "a"}, **parts})
        await asyncio.sleep(60)
        for path in _collections(cluster):
            await _answered(stage, "POST", path, {"metadata": {"name": "first"}})
            for accepted in ACCEPTED:
                await _answered(stage, "GET", path, accept=accepted)
        for path in TOLD:
            await _answered(stage, "GET", path)
        deployment = "/apis/apps/v1/namespaces/first/deployments/a"
        await _answered(stage, "PATCH", deployment, {"spec": {"replicas": 2}}, media=STRATEGIC)
        applied = b"apiVersion: apps/v1\nkind: Deployment\nspec: {paused: true}\n"
        await _answered(stage, "PATCH", f"{deployment}?fieldManager=m", applied, media=APPLY)
        await _answered(stage, "GET", f"{deployment}/scale")
        await _answered(stage, "GET", "/api/v1/namespaces/first/pods/a/log")
        await _answered(stage, "POST", "/api/v1/namespaces/first/serviceaccounts/default/token", {"spec": {}})
        await _answered(stage, "POST", "/api/v1/namespaces/first/pods/a/eviction", {"metadata": {"name": "a"}})
        await _answered(stage, "DELETE", deployment)
        await _answered(stage, "DELETE", "/api/v1/namespaces/first")
        await asyncio.sleep(60)
        return sorted(set(sys.modules) - before)


def _collections(cluster: Cluster) -> Iterator[str]:
    registry = cluster.api.registry
    for group, version in registry.versions():
        for resource in registry.resources(group, version):
            place = "/namespaces/first" if resource.namespaced else ""
            yield f"{f'/apis/{group}' if group else '/api'}/{version}{place}/{resource.names.plural}"


async def _answered(
    stage: Stage, method: str, target: str, body: Any = None, *, accept: str = "*/*", media: str = ""
) -> None:
    headers = {"accept": accept, "content-type": media or "application/json"}
    response = await stage.send(method, target, body, headers)
    await response.read()  # many are refused, which takes as much as to be taken


async def crew() -> int:
    """How many modules were loaded within one turn of the loop, at most, from a namespace's creation to its account."""
    async with Cluster(port=None) as cluster:
        client = cluster.client()
        path = "/api/v1/namespaces"
        await client.create(path, {"metadata": {"name": "first"}}, dryRun="All")  # what the request itself needs
        most, known = 0, len(sys.modules)
        await client.create(path, {"metadata": {"name": "first"}})
        async with asyncio.timeout(30):
            while (await client.request("GET", f"{path}/first/serviceaccounts/default")).status != 200:
                await asyncio.sleep(0)
                most, known = max(most, len(sys.modules) - known), len(sys.modules)
        assert "kubewright.operator" in sys.modules
        return most


def seeded() -> bool:
    """Whether a seeded run gives the same bytes when nothing is loaded, and when everything is."""
    first = run(_story(ahead=False))
    return first == run(_story(ahead=True))


async def _story(*, ahead: bool) -> bytes:
    async with Cluster(port=None, seed=1) as cluster:
        if ahead:
            await preload()
        client = cluster.client()
        await client.create("/api/v1/namespaces", {"metadata": {"name": "first"}})
        path = "/apis/apps/v1/namespaces/first/deployments"
        await client.create(path, {"metadata": {"name": "a"}, "spec": {"replicas": 2, **WORKLOAD}})
        await asyncio.sleep(60)
        assert (await client.get(f"{path}/a"))["status"]["availableReplicas"] == 2
        return cluster.snapshot()


if __name__ == "__main__":
    match sys.argv[1]:
        case "after":
            print(json.dumps(run(after())))
        case "crew":
            print(json.dumps(asyncio.run(crew())))
        case "seeded":
            print(json.dumps(seeded()))
