"""How long one request for a large object holds the loop: the longest step of every verb, on objects of a megabyte.

Run in a process of its own; it prints one line of JSON: by kind and verb, the CPU time of the longest turn of the loop.
"""

import asyncio
import gc
import json
import statistics
import tempfile
from base64 import b64encode
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import uvloop

from bench.measure import Pulse
from bench.server.objects import CRDS
from kubewright.client import Client
from kubewright.cluster import Cluster
from kubewright.cluster.wire.protobuf.envelope import write_object
from kubewright.http import Headers, Request

__all__ = ["main"]

Document = dict[str, Any]

_ROUNDS = 3
_TABLE = "application/json;as=Table;v=v1;g=meta.k8s.io,application/json"
_PROTOBUF = "application/vnd.kubernetes.protobuf"
_JSON, _OPERATIONS = "application/json", "application/json-patch+json"
_MERGE, _APPLY = "application/merge-patch+json", "application/apply-patch+yaml"
_CORE, _APPS, _OWN = (f"{path}/namespaces/default" for path in ("/api/v1", "/apis/apps/v1", "/apis/bench.large/v1"))
_ITEM: Document = {
    "type": "object",
    "properties": {"name": {"type": "string"}, "port": {"type": "integer"}, "on": {"type": "boolean", "default": True}},
    "required": ["name"],
    "x-kubernetes-validations": [{"rule": "self.port < 60000"}],
}
_SPEC: Document = {
    "type": "object",
    "properties": {
        "table": {"type": "object", "additionalProperties": {"type": "string"}},
        "list": {"type": "array", "maxItems": 20_000, "items": _ITEM},
    },
}
_SCHEMA: Document = {"type": "object", "properties": {"spec": _SPEC, "status": {"type": "object"}}}
_DEFINITION: Document = {
    "metadata": {"name": "larges.bench.large"},
    "spec": {
        "group": "bench.large",
        "scope": "Namespaced",
        "names": {"plural": "larges", "singular": "large", "kind": "Large", "listKind": "LargeList"},
        "versions": [{"name": "v1", "served": True, "storage": True, "schema": {"openAPIV3Schema": _SCHEMA}}],
    },
}


_MANY: Document = {
    f"part{number}": {
        "type": "object",
        "description": "One of many parts.",
        "properties": {
            f"field{index}": {"type": "string", "description": "d" * 60, "maxLength": 60, "default": "a"}
            for index in range(40)
        },
        "x-kubernetes-validations": [{"rule": "self.field1 != self.field2 + 'x'", "message": "they differ"}],
    }
    for number in range(100)
}
_WIDE: Document = {
    "group": "bench.large",
    "scope": "Namespaced",
    "names": {"plural": "wides", "singular": "wide", "kind": "Wide", "listKind": "WideList"},
    "versions": [
        {
            "name": "v1",
            "served": True,
            "storage": True,
            "schema": {
                "openAPIV3Schema": {
                    "type": "object",
                    "properties": {"spec": {"type": "object", "properties": _MANY}},
                }
            },
        }
    ],
}


class _Large(NamedTuple):
    path: str
    document: Document

    @property
    def target(self) -> str:
        return f"{self.path}/{self.document['metadata']['name']}"


class _Asked(NamedTuple):
    """A request; `good` if it is to succeed."""

    verb: str
    method: str
    target: str
    body: bytes = b""
    media: str = _JSON
    accept: str = _JSON
    good: bool = True


def main() -> None:
    """Print what was found."""
    print(json.dumps(uvloop.run(_measure())))


def _kinds() -> dict[str, _Large]:
    def of(version: str, kind: str, path: str, **parts: Any) -> _Large:
        return _Large(path, {"apiVersion": version, "kind": kind, "metadata": {"name": "large"}, **parts})

    items = [{"name": f"name-{number:05}", "port": number} for number in range(10_000)]
    pod = {"containers": [{"name": "c", "image": "i", "env": [_variable(number) for number in range(10_000)]}]}
    wide = {f"key-{number:05}": "v" * 60 for number in range(10_000)}
    many = {
        "containers": [
            {"name": f"c{number}", "image": "i", "ports": [{"containerPort": number + 1}], "env": [_variable(number)]}
            for number in range(400)
        ]
    }
    template = {"metadata": {"labels": {"a": "b"}}, "spec": pod}
    workload = {"replicas": 0, "selector": {"matchLabels": {"a": "b"}}, "template": template}
    meta = {"name": "large", "labels": {f"l{number}": "v" for number in range(5_000)}}
    return {
        "a custom resource of 10,000 texts": of("bench.large/v1", "Large", f"{_OWN}/larges", spec={"table": wide}),
        "one of 10,000 items with a rule": of("bench.large/v1", "Large", f"{_OWN}/larges", spec={"list": items}),
        "a ConfigMap of 10,000 keys": of("v1", "ConfigMap", f"{_CORE}/configmaps", data=wide),
        "one of 5,000 labels": of("v1", "ConfigMap", f"{_CORE}/configmaps", metadata=meta),
        "a Secret of a megabyte": of(
            "v1", "Secret", f"{_CORE}/secrets", data={"k": b64encode(b"v" * 750_000).decode()}
        ),
        "a Pod of 10,000 variables": of("v1", "Pod", f"{_CORE}/pods", spec=pod),
        "one of 400 containers": of("v1", "Pod", f"{_CORE}/pods", spec=many),
        "a Deployment of 10,000 variables": of("apps/v1", "Deployment", f"{_APPS}/deployments", spec=workload),
        "a CRD of 4,000 properties": of(
            "apiextensions.k8s.io/v1",
            "CustomResourceDefinition",
            CRDS,
            metadata={"name": "wides.bench.large"},
            spec=_WIDE,
        ),
    }


def _variable(number: int) -> Document:
    return {"name": f"VARIABLE_{number}", "value": "v" * 40}


async def _measure() -> dict[str, dict[str, float]]:
    found: dict[str, dict[str, float]] = {}
    with tempfile.TemporaryDirectory(prefix="kubewright-bench-") as folder:
        async with Cluster(kubeconfig=Path(folder) / "kubeconfig", controllers="none", nodes=0) as cluster:
            client = cluster.client()
            await client.create(CRDS, _DEFINITION)
            await client.create(f"{_CORE}/serviceaccounts", {"metadata": {"name": "default"}})
            async with asyncio.timeout(20):
                while (await client.request("GET", f"{_OWN}/larges")).status != 200:  # noqa: ASYNC110 - nobody tells
                    await asyncio.sleep(0.01)
            gc.freeze()
            gc.set_threshold(2_000, 5, 25_000)
            for kind, large in _kinds().items():
                turns = [await _longest(client, large) for _ in range(_ROUNDS + 1)][
                    1:
                ]  # the first loads what is needed
                found[kind] = {verb: statistics.median(turn[verb] for turn in turns) for verb in turns[0]}
    return found


def _requests(large: _Large, stored: Document) -> Iterator[_Asked]:
    """The verbs on an object that is there."""
    one = large.target
    label = {"metadata": {"annotations": {"a": "b"}}}
    annotate = [{"op": "add", "path": "/metadata/annotations", "value": {"c": "d"}}]
    changed = json.dumps(stored | {"metadata": stored["metadata"] | label["metadata"]}).encode()
    twice = b'{"kind": "%b", %b' % (stored["kind"].encode(), changed[1:])
    yield _Asked("update that is no JSON", "PUT", one, changed[:-1], good=False)
    yield _Asked("update that names a key twice", "PUT", f"{one}?dryRun=All", twice)
    yield _Asked("update", "PUT", one, changed)
    yield _Asked("JSON patch", "PATCH", one, json.dumps(annotate).encode(), _OPERATIONS)
    yield _Asked("merge patch", "PATCH", one, json.dumps(label).encode(), _MERGE)
    yield _Asked("apply", "PATCH", f"{one}?fieldManager=m&force=true", json.dumps(large.document).encode(), _APPLY)
    yield _Asked("get as a Table", "GET", one, accept=_TABLE)
    if large.path == CRDS:
        first = {"apiVersion": "bench.large/v1", "kind": "Wide", "metadata": {"name": "a"}, "spec": {"part1": {}}}
        yield _Asked("the first object of its kind", "POST", f"{_OWN}/wides", json.dumps(first).encode())
    elif not large.path.startswith(_OWN):
        packed = write_object({**stored, "metadata": {**stored["metadata"], "resourceVersion": ""}})
        yield _Asked("update in protobuf", "PUT", one, packed, _PROTOBUF)
        yield _Asked("list in protobuf", "GET", large.path, accept=_PROTOBUF)
    yield _Asked("delete", "DELETE", f"{one}?gracePeriodSeconds=0")


async def _longest(client: Client, large: _Large) -> dict[str, float]:
    """The longest turn of the loop for each verb."""
    body = json.dumps(large.document).encode()
    found = {"create": await _held(client, _Asked("create", "POST", large.path, body))}
    stored = await client.get(large.target)
    for asked in _requests(large, stored):
        found[asked.verb] = await _held(client, asked)
    while (await client.request("GET", large.target)).status != 404:  # noqa: ASYNC110 - nobody tells
        await asyncio.sleep(0.01)
    return found


async def _held(client: Client, asked: _Asked) -> float:
    headers = Headers([(b"accept", asked.accept.encode()), (b"content-type", asked.media.encode())])
    headers = headers.plus((b"user-agent", b"bench/1"))
    await asyncio.sleep(0)
    with Pulse() as pulse:
        response = await client._transport.send(Request(asked.method, asked.target, headers, asked.body))
        data = await response.read()
        if (response.status < 300) != asked.good:
            raise SystemExit(f"{asked.method} {asked.target}: {data[:300].decode()}")
        for _ in range(50):  # until all that was made for it is gone
            await asyncio.sleep(0)
    return pulse.longest
