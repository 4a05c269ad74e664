"""Patches as a real server applies them: PATCH must give what PUT gives of the object that we patched.

Both are dry runs, so that one object serves all cases; what the server adds on the way (defaults, what it drops from
types) it adds to both.
"""

import contextlib
import http.client
import json
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from typing import Any, NamedTuple

import pytest
from tests.proxy import proxied

from kubewright import clock
from kubewright.cluster.patches import decode, merge, strategic
from kubewright.cluster.patches import json as json_patch
from kubewright.cluster.patches.errors import PanickingPatch, PatchError
from kubewright.cluster.wire.patching import patch_type
from kubewright.model.resource import GroupVersionKind
from kubewright.model.steps import finish
from kubewright.testing.real import RealCluster

NAMESPACE = "patches"
CRD = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions"


class Kind(NamedTuple):
    path: str
    object: dict[str, Any]


CONTAINERS = [
    {"name": "one", "image": "i:1", "args": ["x", "y"], "env": [{"name": "A", "value": "1"}, {"name": "B"}]},
    {"name": "two", "image": "i:2", "ports": [{"containerPort": 80}, {"containerPort": 81, "name": "http"}]},
]
VOLUMES = [{"name": "v", "emptyDir": {}}, {"name": "w", "configMap": {"name": "cm"}}]
KINDS = {
    "ConfigMap": Kind(
        f"/api/v1/namespaces/{NAMESPACE}/configmaps",
        {
            "apiVersion": "v1",
            "kind": "ConfigMap",
            "metadata": {"name": "x", "labels": {"a": "b"}, "finalizers": ["example.com/a", "example.com/b"]},
            "data": {"a": "1", "b": "<&>", "c": "é"},
        },
    ),
    "Deployment": Kind(
        f"/apis/apps/v1/namespaces/{NAMESPACE}/deployments",
        {
            "apiVersion": "apps/v1",
            "kind": "Deployment",
            "metadata": {"name": "x"},
            "spec": {
                "replicas": 0,
                "selector": {"matchLabels": {"app": "x"}},
                "template": {
                    "metadata": {"labels": {"app": "x"}},
                    "spec": {"containers": CONTAINERS, "volumes": VOLUMES, "imagePullSecrets": [{"name": "s"}]},
                },
            },
        },
    ),
    "Thing": Kind(
        f"/apis/patches.example.com/v1/namespaces/{NAMESPACE}/things",
        {
            "apiVersion": "patches.example.com/v1",
            "kind": "Thing",
            "metadata": {"name": "x"},
            "spec": {"n": 1, "f": 1.5, "s": "<", "list": [1, {"a": 2}, None], "map": {"x": {"y": 1}}, "null": None},
        },
    ),
}
DEFINITION = {
    "apiVersion": "apiextensions.k8s.io/v1",
    "kind": "CustomResourceDefinition",
    "metadata": {"name": "things.patches.example.com"},
    "spec": {
        "group": "patches.example.com",
        "scope": "Namespaced",
        "names": {"plural": "things", "singular": "thing", "kind": "Thing", "listKind": "ThingList"},
        "versions": [
            {
                "name": "v1",
                "served": True,
                "storage": True,
                "schema": {"openAPIV3Schema": {"type": "object", "x-kubernetes-preserve-unknown-fields": True}},
            }
        ],
    },
}

JSON = [
    ("ConfigMap", '[{"op":"add","path":"/data/d","value":"2"},{"op":"remove","path":"/data/a"}]'),
    ("ConfigMap", '[{"op":"replace","path":"/data/new","value":"2"}]'),
    ("ConfigMap", '[{"op":"test","path":"/data/b","value":"<&>"}]'),
    ("ConfigMap", '[{"op":"test","path":"/data/b","value":"\\u003c\\u0026\\u003e"},{"op":"remove","path":"/data/b"}]'),
    ("ConfigMap", '[{"op":"test","path":"/data/c","value":"é"},{"op":"move","from":"/data/c","path":"/data/d"}]'),
    ("ConfigMap", '[{"op":"test","path":"/data/c","value":"\\u00e9"}]'),
    ("ConfigMap", '[{"op":"test","path":"/data/zz"},{"op":"add","path":"/data/zz","value":"1"}]'),
    ("ConfigMap", '[{"op":"remove","path":"/data/zz"}]'),
    ("ConfigMap", '[{"op":"add","path":"/zz/a","value":"1"}]'),
    ("ConfigMap", '[{"op":"add","path":"/metadata/finalizers/-1","value":"example.com/c"}]'),
    ("ConfigMap", '[{"op":"copy","from":"/metadata/labels","path":"/metadata/annotations"}]'),
    ("ConfigMap", '[{"op":"copy","from":"/immutable","path":"/data/q"}]'),
    ("ConfigMap", '[{"op":"replace","path":""}]'),
    ("ConfigMap", '[{"op":"frobnicate","path":"/data"}]'),
    ("ConfigMap", "null"),
    ("ConfigMap", "{}"),
    ("ConfigMap", "[1]"),
    ("ConfigMap", '[{"op":1}]'),
    ("ConfigMap", '[{"op":"add"'),
    ("ConfigMap", "[" + ",".join(['{"op":"test","path":"/data/zz"}'] * 10_001) + "]"),
    ("Deployment", '[{"op":"replace","path":"/spec/template/spec/containers/-1/image","value":"new"}]'),
    ("Deployment", '[{"op":"test","path":"/spec/replicas","value":0.0}]'),
    ("Deployment", '[{"op":"add","path":"/spec/template/spec/containers/1","value":{"name":"n","image":"i"}}]'),
    ("Thing", '[{"op":"test","path":"/spec/f","value":1.5},{"op":"add","path":"/spec/list/1/b","value":[null,{}]}]'),
    ("Thing", '[{"op":"test","path":"/spec/n","value":1.0}]'),
    ("Thing", '[{"op":"test","path":"/spec/list","value":[1,{"a":2},null]}]'),
    ("Thing", '[{"op":"copy","from":"/spec/map","path":"/spec/map/x/z"},{"op":"remove","path":"/spec/map/x/y"}]'),
]
MERGE = [
    ("ConfigMap", '{"data":{"a":null,"d":"4"},"metadata":{"labels":null}}'),
    ("ConfigMap", '{"data":null}'),
    ("ConfigMap", "{}"),
    ("ConfigMap", "null"),
    ("ConfigMap", "[]"),
    ("ConfigMap", '{"a":}'),
    ("Deployment", '{"spec":{"template":{"spec":{"containers":[{"name":"only","image":"i"}]}}}}'),
    ("Thing", '{"spec":{"list":[{"a":null,"b":[{"c":null}]}],"map":{"x":null,"y":{"z":null,"w":1}}}}'),
    ("Thing", '{"spec":{"map":[{"a":null}],"n":{"a":null,"b":[null,{"c":null}]},"null":{"a":null}}}'),
    ("Thing", '{"spec":{"list":{"a":1},"s":["x"],"f":null}}'),
]
POD = '{"spec":{"template":{"spec":{%s}}}}'
STRATEGIC = [
    ("ConfigMap", '{"data":{"a":null,"d":"4"}}'),
    ("ConfigMap", '{"data":{"$patch":"replace","d":"4"}}'),
    ("ConfigMap", '{"data":{"$patch":"delete"}}'),
    ("ConfigMap", '{"data":{"$patch":"explode"}}'),
    ("ConfigMap", '{"data":{"$retainKeys":["a"],"a":"5"}}'),
    ("ConfigMap", '{"data":{"$retainKeys":["b"],"a":"5"}}'),
    ("ConfigMap", '{"metadata":{"finalizers":["example.com/c","example.com/a"]}}'),
    ("ConfigMap", '{"metadata":{"$deleteFromPrimitiveList/finalizers":["example.com/a"]}}'),
    ("ConfigMap", '{"metadata":{"$deleteFromPrimitiveList":["example.com/a"]}}'),
    ("ConfigMap", '{"metadata":{"$setElementOrder/finalizers":["example.com/b","example.com/a"]}}'),
    ("ConfigMap", '{"metadata":{"finalizers":[["a"]]}}'),
    ("ConfigMap", '{"metadata":{"finalizers":[{"a":1}]}}'),
    ("ConfigMap", '{"metadata":{"finalizers":[null]}}'),
    ("ConfigMap", "null"),
    ("ConfigMap", "[]"),
    ("ConfigMap", '{"data"}'),
    ("Deployment", POD % '"containers":[{"name":"two","image":"new"}]'),
    ("Deployment", POD % '"containers":[{"name":"new","image":"i"}]'),
    ("Deployment", POD % '"containers":[{"name":"one","env":[{"name":"B","$patch":"delete"},{"name":"C"}]}]'),
    (
        "Deployment",
        POD % '"containers":[{"name":"two","ports":[{"containerPort":80,"name":"w"},{"containerPort":82}]}]',
    ),
    ("Deployment", POD % '"containers":[{"name":"one","$patch":"delete"}]'),
    ("Deployment", POD % '"containers":[{"$patch":"replace"},{"name":"new","image":"i"}]'),
    ("Deployment", POD % '"containers":[{"image":"i"}]'),
    ("Deployment", POD % '"containers":[{"name":"one","args":["z"]}],"nodeSelector":{"a":"b","c":null}'),
    ("Deployment", POD % '"$setElementOrder/containers":[{"name":"two"},{"name":"one"}]'),
    ("Deployment", POD % '"$setElementOrder/containers":[{"name":"one"}],"containers":[{"name":"two","image":"q"}]'),
    ("Deployment", POD % '"volumes":[{"name":"v","$retainKeys":["name","hostPath"],"hostPath":{"path":"/a"}}]'),
    ("Deployment", POD % '"volumes":[{"name":"v","hostPath":{"path":"/a"},"emptyDir":null}]'),
    ("Deployment", POD % '"imagePullSecrets":[{"name":"s2"},{"name":"s"}]'),
    ("Deployment", POD % '"$setElementOrder/containers":[{"name":{"a":1}}],"containers":[{"name":{"a":1}}]'),
    ("Deployment", '{"spec":{"strategy":{"$retainKeys":["type"],"type":"Recreate"}}}'),
    ("Deployment", '{"spec":{"replicas":null,"template":{"metadata":{"annotations":{"a":null,"b":"c"}}}}}'),
]


class Server:
    """A real API behind `kubectl proxy`, which knows how to authenticate."""

    def __init__(self, address: str) -> None:
        self.connection = http.client.HTTPConnection(address, timeout=30)

    def ask(self, method: str, path: str, body: object = None, media: str = "json") -> tuple[int, Any]:
        data = body if isinstance(body, str) else json.dumps(body)
        headers = {"Content-Type": f"application/{media}"}
        self.connection.request(method, path, None if body is None else data.encode(), headers)
        response = self.connection.getresponse()
        text = response.read()
        with contextlib.suppress(ValueError):
            return response.status, json.loads(text)
        return response.status, text.decode()


def until(holds: Callable[[], bool], what: str) -> None:
    deadline = clock.monotonic() + 30
    while not holds():
        assert clock.monotonic() < deadline, f"in 30 s it did not happen that {what}"


@contextmanager
def connect(cluster: RealCluster) -> Iterator[Server]:
    with proxied(cluster) as address:
        server = Server(address)
        with closing(server.connection):
            yield server


@pytest.fixture(scope="module")
def server(real_cluster: RealCluster) -> Iterator[Server]:
    with connect(real_cluster) as server:
        try:
            server.ask("POST", "/api/v1/namespaces", {"metadata": {"name": NAMESPACE}})
            server.ask("POST", CRD, DEFINITION)
            until(lambda: server.ask("GET", KINDS["Thing"].path)[0] == 200, "the CRD is served")
            for kind in KINDS.values():
                code, answer = server.ask("POST", kind.path, kind.object)
                assert code == 201, answer
            yield server
        finally:
            for kind in KINDS.values():
                server.ask("PATCH", f"{kind.path}/x", '{"metadata":{"finalizers":null}}', "merge-patch+json")
                server.ask("DELETE", f"{kind.path}/x")
            server.ask("DELETE", f"{CRD}/things.patches.example.com")
            server.ask("DELETE", f"/api/v1/namespaces/{NAMESPACE}")


def apply_json(document: Any, body: bytes, kind: Kind, server: Server) -> Any:
    return json_patch.apply(document, json_patch.read(body))


def apply_merge(document: Any, body: bytes, kind: Kind, server: Server) -> Any:
    return merge.apply(document, finish(decode.merge_patch(body)))


def apply_strategic(document: Any, body: bytes, kind: Kind, server: Server) -> Any:
    group, _, version = document["apiVersion"].rpartition("/")
    schema = patch_type(GroupVersionKind(group, version, document["kind"]))
    return strategic.apply(document, finish(decode.strategic_patch(body)), schema)


#: When the server panics the stream ends, and the proxy says in its own words that it did.
NO_ANSWER = "no answer"


def refusal(error: PatchError) -> tuple[int, str]:
    """The code and the message with which the server tells of an error."""
    if isinstance(error, PanickingPatch):
        return 500, NO_ANSWER
    unsaid = "the server rejected our request due to an error in our request"
    return error.code, unsaid if error.code == 422 else str(error)


def essence(answer: Any) -> Any:
    """An answer without what differs between any two writes."""
    if isinstance(answer, str):
        return NO_ANSWER
    if isinstance(answer, dict) and answer.get("kind") == "Status":
        return answer.get("message")
    if isinstance(answer, dict):
        answer = dict(answer, metadata=dict(answer["metadata"]))
        answer["metadata"].pop("managedFields", None)
    return answer


def check(apply: Callable[[Any, bytes, Kind, Server], Any], name: str, body: str, media: str, server: Server) -> None:
    kind = KINDS[name]
    _, document = server.ask("GET", f"{kind.path}/x")
    expected: tuple[int, Any]
    try:
        patched = apply(document, body.encode(), kind, server)
    except PatchError as error:
        expected = refusal(error)
    else:
        code, answer = server.ask("PUT", f"{kind.path}/x?dryRun=All", patched)
        expected = code, essence(answer)
    code, answer = server.ask("PATCH", f"{kind.path}/x?dryRun=All", body, media)
    assert (code, essence(answer)) == expected


@pytest.mark.real
@pytest.mark.parametrize(("kind", "body"), JSON, ids=lambda value: value[:60])
def test_a_json_patch_does_what_ours_does(kind: str, body: str, server: Server) -> None:
    check(apply_json, kind, body, "json-patch+json", server)


@pytest.mark.real
@pytest.mark.parametrize(("kind", "body"), MERGE, ids=lambda value: value[:60])
def test_a_merge_patch_does_what_ours_does(kind: str, body: str, server: Server) -> None:
    check(apply_merge, kind, body, "merge-patch+json", server)


@pytest.mark.real
@pytest.mark.parametrize(("kind", "body"), STRATEGIC, ids=lambda value: value[:60])
def test_a_strategic_merge_patch_does_what_ours_does(kind: str, body: str, server: Server) -> None:
    check(apply_strategic, kind, body, "strategic-merge-patch+json", server)
