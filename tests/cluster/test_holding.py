"""No request holds the loop for long, whatever stands in it.

What is counted are lines of Python, which are the same on every machine: so many for each byte of a request and so many
to begin with. A body may take some for every value in it; what takes them for every pair of values is a mistake, and
that is what is looked for here.
"""

import asyncio
import json
import sys
from base64 import b64encode
from collections.abc import Iterator
from types import FrameType
from typing import Any

import pytest
from tests.cluster.requests import CRD
from tests.cluster.stage import CONFIGMAPS, Stage, play
from tests.referee.objects import version

from kubewright.cluster.fields.tracking import LAST_APPLIED
from kubewright.cluster.wire.protobuf.envelope import write_object

#: Lines, for a byte and for a request: what the dearest takes, and a little more.
PER_BYTE, PER_REQUEST = 40, 20_000
#: Lines in one step of the work on a large object: some for each member of its widest list, and none for what is in it.
MOST_LINES = 70_000
WIDGETS = "/apis/example.com/v1/namespaces/default/widgets"
YAML = "application/yaml"
MERGE, STRATEGIC = "application/merge-patch+json", "application/strategic-merge-patch+json"
OPERATIONS = "application/json-patch+json"


async def held(stage: Stage, method: str, target: str, body: Any = b"", media: str = "application/json") -> int:
    """The most lines that were run while nobody else had a turn."""
    loop = asyncio.get_running_loop()
    lines, longest, over = 0, 0, False

    def counted(frame: FrameType, event: str, _: Any) -> Any:
        nonlocal lines
        lines += event == "line"
        return counted

    def beat() -> None:
        nonlocal lines, longest
        lines, longest = 0, max(longest, lines)
        if not over:
            loop.call_soon(beat)

    data = body if isinstance(body, bytes) else json.dumps(body).encode()
    before = sys.gettrace()
    sys.settrace(counted)
    try:
        loop.call_soon(beat)
        await asyncio.sleep(0)
        response = await stage.send(method, target, data, {"content-type": media})
        told = await response.read()
        over = True
        await asyncio.sleep(0)
    finally:
        sys.settrace(before)
    assert response.status < 500 or b"duplicate entries" in told
    return max(longest, lines)


def widget(**spec: Any) -> dict[str, Any]:
    return {"apiVersion": "example.com/v1", "kind": "Widget", "metadata": {"name": "w"}, "spec": spec}


def meta(**more: Any) -> dict[str, Any]:
    return {"metadata": {"name": "m", **more}}


DEEP = b'{"metadata":{"name":"d"},"x":' + b'{"a":' * 10_000 + b"1" + b"}" * 10_000 + b"}"
BOMB = b"a: &a [x, x, x, x, x, x, x, x, x, x]\n" + b"".join(
    b"%c: &%c [%s]\n" % (98 + level, 98 + level, b",".join([b"*%c" % (97 + level)] * 10)) for level in range(9)
)
OWNERS = [{"apiVersion": "v1", "kind": "Pod", "name": "p", "uid": str(number)} for number in range(1000)]
REQUESTS: dict[str, tuple[Any, ...]] = {
    "deep JSON": ("POST", CONFIGMAPS, DEEP),
    "deep JSON as YAML": ("POST", CONFIGMAPS, DEEP, YAML),
    "deep YAML": ("POST", WIDGETS, b"x: " + b"{a: " * 10_000 + b"1" + b"}" * 10_000, YAML),
    "deep lists never closed": ("POST", WIDGETS, b"[" * 50_000, YAML),
    "deep merge patch": ("PATCH", f"{CONFIGMAPS}/a", DEEP, MERGE),
    "deep strategic patch": ("PATCH", f"{CONFIGMAPS}/a", DEEP, STRATEGIC),
    "deep operation": ("PATCH", f"{WIDGETS}/a", b'[{"op":"add","path":"/spec/free","value":%s}]' % DEEP, OPERATIONS),
    "deep DeleteOptions": ("DELETE", f"{CONFIGMAPS}/a", DEEP),
    "aliases of aliases": ("POST", CONFIGMAPS, BOMB, YAML),
    "one key many times": ("POST", CONFIGMAPS, b'{"data":{' + b'"a":"b",' * 10_000 + b'"c":"d"}}'),
    "one YAML key many times": ("POST", CONFIGMAPS, b"data:\n" + b"  a: b\n" * 10_000, YAML),
    "labels": ("POST", CONFIGMAPS, meta(labels={f"l{number}": "v" * 50 for number in range(1500)})),
    "bad labels": ("POST", CONFIGMAPS, meta(labels={f"l {number}": "v v" for number in range(4000)})),
    "finalizers": ("POST", CONFIGMAPS, meta(finalizers=[f"a.b/{number}" for number in range(8000)])),
    "owners": ("POST", CONFIGMAPS, meta(ownerReferences=OWNERS)),
    "set": ("POST", WIDGETS, widget(tags=["a" * (number % 60 + 1) for number in range(2000)])),
    "map keys": ("POST", WIDGETS, widget(ports=[{"name": f"n{number % 500}"} for number in range(4000)])),
    "broken values": ("POST", WIDGETS, widget(values={f"k{number}": "x" for number in range(7000)})),
    "a copy of a copy": (
        "PATCH",
        f"{WIDGETS}/a",
        [{"op": "copy", "from": "/spec", "path": "/spec/free"}] * 1000,
        OPERATIONS,
    ),
    "growing lists": (
        "PATCH",
        f"{CONFIGMAPS}/a",
        [{"op": "add", "path": "/metadata/finalizers/0", "value": "a.b/c"}] * 1500,
        OPERATIONS,
    ),
    "ordered lists": (
        "PATCH",
        f"{CONFIGMAPS}/a",
        {"metadata": {"$setElementOrder/finalizers": [f"a.b/{number}" for number in range(8000)]}},
        STRATEGIC,
    ),
    "long number": ("POST", WIDGETS, b'{"spec":' + b"1" * 100_000 + b"}"),
    "long resourceVersion": ("GET", f"{CONFIGMAPS}?resourceVersion={'1' * 200_000}"),
    "long limit": ("GET", f"{CONFIGMAPS}?limit={'1' * 200_000}"),
    "long token": ("GET", f"{CONFIGMAPS}?continue={'A' * 200_000}"),
    "long name": ("GET", f"{CONFIGMAPS}/{'%41' * 60_000}"),
    "odd name": ("GET", f"{WIDGETS}/%E2%98%83%00%2F%2e%2e%ff"),
    "selector of spaces": ("GET", f"{CONFIGMAPS}?labelSelector=a{'+' * 200_000}"),
    "selector of values": ("GET", f"{CONFIGMAPS}?labelSelector=a+in+({'x,' * 100_000}x)"),
    "selector of terms": ("GET", f"{CONFIGMAPS}?labelSelector={'a!%3Db,' * 25_000}a"),
    "selector of escapes": ("GET", f"{CONFIGMAPS}?fieldSelector=metadata.name%3D{'%5C' * 60_000}"),
    "parameters": ("GET", f"{CONFIGMAPS}?{'a=b&' * 50_000}"),
}


@pytest.mark.parametrize("what", REQUESTS)
def test_a_request_holds_the_loop_for_no_longer_than_its_length_explains(what: str) -> None:
    async def story(stage: Stage) -> int:
        await stage.ask("POST", "/apis/apiextensions.k8s.io/v1/customresourcedefinitions", CRD)
        await asyncio.sleep(6)
        await stage.ask("POST", CONFIGMAPS, {"metadata": {"name": "a", "finalizers": ["a.b/c"]}})
        await stage.ask("POST", WIDGETS, {**widget(), "metadata": {"name": "a"}})
        return await held(stage, *REQUESTS[what])

    _, target, *rest = REQUESTS[what]
    body = rest[0] if rest else b""
    length = len(target) + len(body if isinstance(body, bytes) else json.dumps(body))
    assert play(story) < PER_REQUEST + PER_BYTE * length


APPLY = "application/apply-patch+yaml"
ITEM: dict[str, Any] = {
    "type": "object",
    "required": ["name"],
    "properties": {"name": {"type": "string"}, "port": {"type": "integer"}, "on": {"type": "boolean", "default": True}},
}
LIST = {"x-kubernetes-list-type": "map", "x-kubernetes-list-map-keys": ["name"], "type": "array", "items": ITEM}
SPEC = {"type": "object", "properties": {"table": {"type": "object", "additionalProperties": ITEM}, "list": LIST}}
STATUS = {"type": "object", "properties": {"phase": {"type": "string"}}}
SERVED = version(properties={"spec": SPEC, "status": STATUS}, subresources={"status": {}})
NAMES = {"plural": "stores", "kind": "Store"}
STORE: dict[str, Any] = {
    "metadata": {"name": "stores.example.com"},
    "spec": {"group": "example.com", "scope": "Namespaced", "names": NAMES, "versions": [SERVED]},
}
SECRETS = "/api/v1/namespaces/default/secrets"
STORES = "/apis/example.com/v1/namespaces/default/stores"


def store(count: int, port: int) -> dict[str, Any]:
    items = [{"name": f"n{number:05}", "port": port} for number in range(count)]
    spec = {"list": items, "table": {item["name"]: item for item in items}}
    return {"apiVersion": "example.com/v1", "kind": "Store", "metadata": {"name": "s"}, "spec": spec}


async def writes(stage: Stage, count: int) -> dict[str, int]:
    """What every way to write an object takes of the loop at once."""
    await stage.ask("POST", "/apis/apiextensions.k8s.io/v1/customresourcedefinitions", STORE)
    await asyncio.sleep(6)
    one, small = f"{STORES}/s", {"metadata": {"labels": {"a": "b"}}}
    made = {"create": await held(stage, "POST", STORES, store(count, 1))}
    _, found = await stage.ask("GET", one)
    found["spec"] = store(count, 2)["spec"]
    made["update"] = await held(stage, "PUT", one, found)
    made["label"] = await held(stage, "PATCH", one, small, MERGE)
    made["patch"] = await held(stage, "PATCH", one, {"spec": store(count, 3)["spec"]}, MERGE)
    made["status"] = await held(stage, "PATCH", f"{one}/status", {"status": {"phase": "a"}}, MERGE)
    made["apply"] = await held(stage, "PATCH", f"{one}?fieldManager=m&force=true", store(count, 4), APPLY)
    made["delete"] = await held(stage, "DELETE", one)
    return made


def test_a_large_object_is_written_in_short_steps() -> None:
    async def story(stage: Stage) -> dict[str, int]:
        return await writes(stage, 1500)

    found = play(story)
    assert max(found.values()) < MOST_LINES, found


def docker(text: str) -> dict[str, Any]:
    data = {".dockerconfigjson": b64encode(text.encode()).decode()}
    return {"metadata": {"name": "s"}, "type": "kubernetes.io/dockerconfigjson", "data": data}


def odd_bodies(count: int) -> Iterator[tuple[Any, ...]]:
    """Writes that have something odd about them."""
    text, one = json.dumps(store(count, 1)).encode(), f"{STORES}/s"
    alike, backwards = store(count, 1), store(count, 1)
    alike["spec"]["list"] += alike["spec"]["list"]
    backwards["spec"]["list"].reverse()
    data = {f"k{number}": "v" for number in range(4 * count)}
    packed = write_object({"kind": "ConfigMap", "apiVersion": "v1", "metadata": {"name": "c"}, "data": data})
    yield "twice", "POST", STORES, text.replace(b'"port": 1', b'"port": 1, "port": 1', 99)
    yield "no JSON", "PUT", one, text[:-1]
    yield "no patch", "PATCH", one, text[:-1], MERGE
    yield "patch", "PATCH", one, text.replace(b"{", b'{"x": 1, "x": 1, ', 1), MERGE
    yield "alike", "PATCH", f"{one}?fieldManager=m", alike, APPLY
    yield "conflicts", "PATCH", f"{one}?fieldManager=m", store(count, 2), APPLY
    yield "backwards", "PATCH", f"{one}?fieldManager=m&force=true", backwards, APPLY
    yield "protobuf", "POST", CONFIGMAPS, packed, "application/vnd.kubernetes.protobuf"
    there = f"{CONFIGMAPS}/c"
    yield "unknown", "PATCH", there, {"data": data, "zzz": 1}, STRATEGIC
    yield "unknown, strictly", "PATCH", f"{there}?fieldValidation=Strict", {"data": data, "zzz": 1}, STRATEGIC
    yield "misfit", "PATCH", there, {"data": data, "immutable": "a"}, STRATEGIC
    config = {"kind": "ConfigMap", "apiVersion": "v1", "metadata": {"name": "c"}, "data": data}
    yield "note", "PATCH", there, {"metadata": {"annotations": {LAST_APPLIED: json.dumps(config)}}}, MERGE
    changed = {**config, "data": dict.fromkeys(data, "w")}
    yield "taken over", "PATCH", f"{there}?fieldManager=kubectl", changed, APPLY
    hosts = json.dumps({f"h{number}": {"auth": "x" * 40} for number in range(4 * count)})
    yield "docker", "POST", SECRETS, docker(hosts)
    yield "no docker", "PUT", f"{SECRETS}/s", docker(hosts[:-1])
    yield "delete a third", "DELETE", f"{SECRETS}/s"
    yield "delete", "DELETE", one
    yield "delete another", "DELETE", f"{CONFIGMAPS}/c"


def test_a_large_body_with_something_odd_about_it_is_read_in_short_steps() -> None:
    async def story(stage: Stage) -> dict[str, int]:
        await stage.ask("POST", "/apis/apiextensions.k8s.io/v1/customresourcedefinitions", STORE)
        await asyncio.sleep(6)
        for _, *small in odd_bodies(3):  # loads what is needed
            await held(stage, *small)
        return {what: await held(stage, *large) for what, *large in odd_bodies(1500)}

    found = play(story)
    assert max(found.values()) < MOST_LINES, found
