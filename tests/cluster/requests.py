"""Requests that anybody might send: hypothesis draws them, near what is valid and far from it."""

import copy
from typing import Any, NamedTuple
from urllib.parse import quote

import msgspec
import yaml
from hypothesis import strategies as st

__all__ = ["CRD", "OBJECTS", "Asked", "requests"]

Document = dict[str, Any]


class Asked(NamedTuple):
    """A request before it is one."""

    method: str
    target: str
    headers: dict[str, str]
    body: bytes


#: A definition that uses much of what a definition can say.
CRD: Document = {
    "apiVersion": "apiextensions.k8s.io/v1",
    "kind": "CustomResourceDefinition",
    "metadata": {"name": "widgets.example.com"},
    "spec": {
        "group": "example.com",
        "scope": "Namespaced",
        "names": {"plural": "widgets", "singular": "widget", "kind": "Widget", "listKind": "WidgetList"},
        "versions": [
            {
                "name": name,
                "served": True,
                "storage": name == "v1",
                "subresources": {
                    "status": {},
                    "scale": {
                        "specReplicasPath": ".spec.replicas",
                        "statusReplicasPath": ".status.replicas",
                        "labelSelectorPath": ".status.selector",
                    },
                },
                "selectableFields": [{"jsonPath": ".spec.mode"}],
                "additionalPrinterColumns": [
                    {"name": "Mode", "type": "string", "jsonPath": ".spec.mode"},
                    {"name": "First", "type": "string", "jsonPath": ".spec.ports[0].name"},
                    {"name": "Since", "type": "date", "jsonPath": ".metadata.creationTimestamp"},
                    {"name": "Many", "type": "integer", "jsonPath": ".spec.ports[*].port"},
                ],
                "schema": {
                    "openAPIV3Schema": {
                        "type": "object",
                        "properties": {
                            "spec": {
                                "type": "object",
                                "required": ["mode"],
                                "x-kubernetes-validations": [
                                    {"rule": "!has(self.replicas) || self.replicas < 100", "message": "too many"},
                                    {"rule": "self.mode == oldSelf.mode", "messageExpression": "'was ' + oldSelf.mode"},
                                ],
                                "properties": {
                                    "mode": {"type": "string", "enum": ["A", "B"], "default": "A"},
                                    "replicas": {"type": "integer", "minimum": 0, "format": "int32"},
                                    "ratio": {"type": "number", "multipleOf": 0.5, "nullable": True},
                                    "either": {"x-kubernetes-int-or-string": True},
                                    "when": {"type": "string", "format": "date-time"},
                                    "tags": {
                                        "type": "array",
                                        "items": {"type": "string", "pattern": "^[a-z]+$"},
                                        "x-kubernetes-list-type": "set",
                                    },
                                    "ports": {
                                        "type": "array",
                                        "maxItems": 4,
                                        "items": {
                                            "type": "object",
                                            "required": ["name"],
                                            "properties": {
                                                "name": {"type": "string", "maxLength": 8},
                                                "port": {"type": "integer", "default": 80},
                                            },
                                        },
                                        "x-kubernetes-list-type": "map",
                                        "x-kubernetes-list-map-keys": ["name"],
                                    },
                                    "values": {"type": "object", "additionalProperties": {"type": "integer"}},
                                    "free": {"x-kubernetes-preserve-unknown-fields": True},
                                    "template": {
                                        "type": "object",
                                        "x-kubernetes-embedded-resource": True,
                                        "x-kubernetes-preserve-unknown-fields": True,
                                    },
                                },
                            },
                            "status": {
                                "type": "object",
                                "x-kubernetes-preserve-unknown-fields": True,
                                "properties": {"replicas": {"type": "integer"}, "selector": {"type": "string"}},
                            },
                        },
                    }
                },
            }
            for name in ("v1", "v2")
        ],
    },
}

_META: Document = {
    "name": "a",
    "labels": {"app": "web"},
    "annotations": {"note": "x"},
    "finalizers": ["example.com/hold"],
    "ownerReferences": [{"apiVersion": "v1", "kind": "ConfigMap", "name": "a", "uid": "1"}],
}
#: An object of each resource that is asked for, by its collection.
OBJECTS: dict[str, Document] = {
    "/api/v1/namespaces/default/configmaps": {
        "apiVersion": "v1",
        "kind": "ConfigMap",
        "metadata": _META,
        "data": {"k": "v"},
        "binaryData": {"b": "AA=="},
        "immutable": False,
    },
    "/api/v1/namespaces/default/secrets": {
        "apiVersion": "v1",
        "kind": "Secret",
        "metadata": _META,
        "type": "Opaque",
        "data": {"k": "dg=="},
        "stringData": {"s": "t"},
    },
    "/api/v1/namespaces": {
        "apiVersion": "v1",
        "kind": "Namespace",
        "metadata": _META,
        "spec": {"finalizers": ["kubernetes"]},
        "status": {"phase": "Active"},
    },
    "/api/v1/namespaces/default/pods": {
        "apiVersion": "v1",
        "kind": "Pod",
        "metadata": _META,
        "spec": {"containers": [{"name": "c", "image": "i", "ports": [{"containerPort": 80}], "env": [{"name": "E"}]}]},
        "status": {"phase": "Running", "conditions": [{"type": "Ready", "status": "True"}]},
    },
    "/apis/apps/v1/namespaces/default/deployments": {
        "apiVersion": "apps/v1",
        "kind": "Deployment",
        "metadata": _META,
        "spec": {
            "replicas": 1,
            "selector": {"matchLabels": {"app": "web"}},
            "template": {
                "metadata": {"labels": {"app": "web"}},
                "spec": {"containers": [{"name": "c", "image": "i"}], "nodeSelector": {"a": "b"}},
            },
            "strategy": {"rollingUpdate": {"maxSurge": "25%"}},
        },
        "status": {"replicas": 1},
    },
    "/apis/coordination.k8s.io/v1/namespaces/default/leases": {
        "apiVersion": "coordination.k8s.io/v1",
        "kind": "Lease",
        "metadata": _META,
        "spec": {"holderIdentity": "me", "leaseDurationSeconds": 15, "renewTime": "2024-01-02T03:04:05.000006Z"},
    },
    "/api/v1/namespaces/default/events": {
        "apiVersion": "v1",
        "kind": "Event",
        "metadata": _META,
        "involvedObject": {"kind": "Pod", "namespace": "default", "name": "p"},
        "reason": "Made",
        "count": 1,
        "firstTimestamp": "2024-01-02T03:04:05Z",
    },
    "/api/v1/nodes": {"apiVersion": "v1", "kind": "Node", "metadata": _META, "spec": {"podCIDR": "10.0.0.0/24"}},
    "/apis/rbac.authorization.k8s.io/v1/clusterroles": {
        "apiVersion": "rbac.authorization.k8s.io/v1",
        "kind": "ClusterRole",
        "metadata": _META,
        "rules": [{"apiGroups": [""], "resources": ["pods"], "verbs": ["get"]}],
    },
    "/apis/apiextensions.k8s.io/v1/customresourcedefinitions": CRD,
    **{
        f"/apis/example.com/{version}/namespaces/default/widgets": {
            "apiVersion": f"example.com/{version}",
            "kind": "Widget",
            "metadata": _META,
            "spec": {
                "mode": "B",
                "replicas": 2,
                "ratio": 1.5,
                "either": "10%",
                "when": "2024-01-02T03:04:05Z",
                "tags": ["x", "y"],
                "ports": [{"name": "http", "port": 80}],
                "values": {"a": 1},
                "free": {"x": [1, {"y": None}]},
                "template": {"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "p"}},
            },
            "status": {"replicas": 2, "selector": "app=web"},
        }
        for version in ("v1", "v2")
    },
}

_texts = st.one_of(
    st.sampled_from(
        ["", "a", "b", "0", "1", "-1", "9" * 25, "true", "null", "A b", "é☃", "\x00", "../x", "a" * 300, "1.5", "a=b"]
    ),
    st.text(max_size=12),
)
_scalars = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-(2**70), 2**70),
    st.floats(allow_nan=False, allow_infinity=False),
    _texts,
)
_values = st.recursive(
    _scalars,
    lambda inner: st.one_of(st.lists(inner, max_size=3), st.dictionaries(_texts, inner, max_size=3)),
    max_leaves=6,
)

_names = st.sampled_from(
    [
        "a",
        "b",
        "default",
        "kube-system",
        "widgets.example.com",
        "A",
        "a.b",
        "-a",
        "a_b",
        "é",
        "%",
        "a%2Fb",
        "..",
        "a\x00b",
        "a" * 254,
        "a b",
        "?",
        "system:node",
    ]
)
_parameters: dict[str, st.SearchStrategy[str]] = {
    "labelSelector": st.sampled_from(["app=web", "app!=x,!y", "app in (a,b)", "app in (", "=", "a>1", "é", "a b"]),
    "fieldSelector": st.sampled_from(
        [
            "metadata.name=a",
            "metadata.namespace!=b",
            "spec.mode=A",
            "status.phase=Active",
            "type=Opaque",
            "x",
            "=",
            "a=\\",
        ]
    ),
    "resourceVersion": st.sampled_from(["", "0", "1", "10", "999999999", "-1", "x", "1.5", "9" * 30, " 1", "٣"]),
    "resourceVersionMatch": st.sampled_from(["Exact", "NotOlderThan", "", "Nope"]),
    "continue": st.sampled_from(
        ["", "x", "!!", "e30", "eyJ2IjoibWV0YS5rOHMuaW8vdjEiLCJydiI6NSwic3RhcnQiOiJhXHUwMDAwIn0"]
    ),
    "limit": st.sampled_from(["0", "1", "2", "-1", "x", "9" * 30]),
    "watch": st.sampled_from(["1", "true", "0", "false", "", "maybe"]),
    "allowWatchBookmarks": st.sampled_from(["true", "x"]),
    "sendInitialEvents": st.sampled_from(["true", "false", ""]),
    "timeoutSeconds": st.sampled_from(["0", "1", "-5", "x"]),
    "dryRun": st.sampled_from(["All", "", "None"]),
    "fieldManager": st.sampled_from(["me", "", "x" * 200, "\x01"]),
    "fieldValidation": st.sampled_from(["Strict", "Warn", "Ignore", "", "Loud"]),
    "force": st.sampled_from(["true", "x"]),
    "propagationPolicy": st.sampled_from(["Orphan", "Foreground", "Background", "Sideways"]),
    "gracePeriodSeconds": st.sampled_from(["0", "5", "-1", "x"]),
    "orphanDependents": st.sampled_from(["true", "0", "x"]),
    "ignoreStoreReadErrorWithClusterBreakingPotential": st.sampled_from(["true", "false"]),
    "pretty": st.sampled_from(["true", "0", ""]),
    "includeObject": st.sampled_from(["None", "Object", "Metadata", "x"]),
}
_PATCHES = (
    "application/json-patch+json",
    "application/merge-patch+json",
    "application/strategic-merge-patch+json",
    "application/apply-patch+yaml",
)
#: Who asks, or says so.
_CLAIMS: tuple[dict[str, str], ...] = (
    {"authorization": "Bearer x"},
    {"authorization": "Bearer e30.e30."},
    {"authorization": "Bearer eyJhbGciOiJub25lIn0.eyJpc3MiOiJrdWJlcm5ldGVzL3NlcnZpY2VhY2NvdW50In0.AA"},
    {"authorization": "Basic eDp5"},
    {"impersonate-user": "jane"},
    {"impersonate-user": "system:serviceaccount:default:a", "impersonate-extra-%2f": "x"},
    {"impersonate-group": "system:masters"},
    {"impersonate-uid": "\x7f"},
)
_media = st.sampled_from(
    [
        "application/json",
        "application/json; charset=utf-8",
        "application/yaml",
        "text/plain",
        "",
        "a",
        "*/*",
        ";",
        "é/☃",
        "application/vnd.kubernetes.protobuf",
        "application/cbor",
        *_PATCHES,
    ]
)
_accepted = st.sampled_from(
    [
        "application/json",
        "*/*",
        "",
        "text/html",
        "application/yaml",
        "application/json;as=Table;g=meta.k8s.io;v=v1",
        "application/json;as=PartialObjectMetadata;g=meta.k8s.io;v=v1",
        "application/json;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1,application/json",
        "application/json;as=Table;g=meta.k8s.io;v=v9",
        "application/vnd.kubernetes.protobuf,application/json;q=0.5",
        ";;;,,,q=x",
    ]
)


@st.composite
def _mutated(draw: st.DrawFn, valid: Document) -> Any:
    """A document with some of its places changed, taken away, or filled with what belongs elsewhere."""
    document = copy.deepcopy(valid)
    for _ in range(draw(st.integers(0, 3))):
        place: Any = document
        while True:
            keys = list(place) if isinstance(place, dict) else list(range(len(place)))
            if not keys:
                break
            key = draw(st.sampled_from(keys))
            if isinstance(place[key], (dict, list)) and place[key] and draw(st.booleans()):
                place = place[key]
                continue
            how = draw(st.integers(0, 5))
            if how == 0:
                del place[key]
            elif how == 1 and isinstance(place, dict):
                place[draw(_texts)] = place[key]
            elif how == 1 or (how == 2 and isinstance(place, list)):
                place.append(place[key])
            elif how == 2:
                place[draw(st.sampled_from(["$patch", "$retainKeys", "uid", "resourceVersion", "generateName"]))] = (
                    draw(_values)
                )
            else:
                place[key] = draw(_values)
            break
    return document


def _pointers(document: Any, path: str = "") -> list[str]:
    found = [path]
    items = (
        document.items() if isinstance(document, dict) else enumerate(document) if isinstance(document, list) else ()
    )
    for key, value in items:
        found += _pointers(value, f"{path}/{str(key).replace('~', '~0').replace('/', '~1')}")
    return found


@st.composite
def _operations(draw: st.DrawFn, valid: Document) -> Any:
    pointer = st.one_of(
        st.sampled_from(_pointers(valid)), st.sampled_from(["/x", "/metadata/labels/-", "a", "/~2", "//"])
    )
    operation = st.fixed_dictionaries(
        {"op": st.sampled_from(["add", "remove", "replace", "move", "copy", "test", "jump"]), "path": pointer},
        optional={"from": pointer, "value": _values},
    )
    return draw(st.lists(operation, max_size=4))


def _written(value: Any, media: str) -> bytes:
    try:
        if "yaml" in media:
            return yaml.safe_dump(value, allow_unicode=True).encode()
        return msgspec.json.encode(value)
    except (UnicodeEncodeError, OverflowError, yaml.YAMLError, msgspec.MsgspecError):
        return repr(value).encode(errors="replace")


@st.composite
def requests(draw: st.DrawFn) -> Asked:
    """One request."""
    collection = draw(st.sampled_from(list(OBJECTS)))
    valid = OBJECTS[collection]
    method = draw(st.sampled_from(["POST", "POST", "PUT", "PATCH", "PATCH", "GET", "DELETE", "HEAD", "OPTIONS"]))
    parts = [collection]
    if draw(st.integers(0, 9)) == 0:
        parts = [collection.replace("/namespaces/default", "")]
    if method != "POST" and draw(st.integers(0, 4)):
        own = valid["metadata"]["name"]
        parts.append(quote(draw(st.one_of(st.just(own), st.just(own), _names)), safe="%"))
        if draw(st.integers(0, 3)) == 0:
            parts.append(draw(st.sampled_from(["status", "scale", "finalize", "log", "nope", "", "status/x"])))
    names = draw(st.lists(st.sampled_from(sorted(_parameters)), max_size=3))
    pairs = [(name, draw(st.one_of(_parameters[name], _parameters[name], _texts))) for name in names]
    query = "&".join(f"{name}={quote(value.encode(errors='replace'))}" for name, value in pairs)
    media = draw(st.one_of(st.sampled_from(_PATCHES), _media) if method == "PATCH" else _media)
    if draw(st.integers(0, 2)):
        media = draw(st.sampled_from(_PATCHES)) if method == "PATCH" else "application/json"
    shape = draw(st.integers(0, 9))
    if shape == 0:
        body = draw(
            st.one_of(st.binary(max_size=40), st.text(max_size=40).map(lambda text: text.encode(errors="replace")))
        )
    elif shape == 1:
        body = _written(draw(_values), media)
    elif media == _PATCHES[0]:
        body = _written(draw(_operations(valid)), media)
    elif method == "DELETE":
        options = {"kind": "DeleteOptions", "apiVersion": "v1", "preconditions": {"uid": "x"}, "gracePeriodSeconds": 0}
        body = draw(st.one_of(st.just(b""), _mutated(options).map(lambda value: _written(value, media))))
    else:
        body = _written(draw(_mutated(valid)), media)
    headers = {"content-type": media, "accept": draw(st.one_of(st.just("application/json"), _accepted))}
    if draw(st.integers(0, 9)) == 0:
        headers |= draw(st.sampled_from(_CLAIMS))
    return Asked(method, "/".join(parts) + (f"?{query}" if query else ""), headers, body)
