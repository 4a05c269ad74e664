"""Who owns which field, and server-side apply. Clauses are the sections of the contract's chapter on it."""

from typing import Any

from tests.referee.fill import GROUP
from tests.referee.language import Ask, ask, delete, edited, get, patch, post, put, script, until
from tests.referee.objects import configmap, defined, definition, gadget, secret, thing, version, widget

Document = dict[str, Any]

LAST_APPLIED = "kubectl.kubernetes.io/last-applied-configuration"


def applied(path: str, body: Any, manager: str = "a", query: str = "", **options: Any) -> Ask:
    """An apply."""
    return patch(f"{path}?fieldManager={manager}{query}", "apply", body, **options)


def forced(path: str, body: Any, manager: str = "a", **options: Any) -> Ask:
    """An apply that takes what others own."""
    return applied(path, body, manager, "&force=true", **options)


def by(manager: str, step: Ask) -> Ask:
    """A request under a manager's name."""
    joint = "&" if "?" in step.path else "?"
    return Ask(
        method=step.method,
        path=f"{step.path}{joint}fieldManager={manager}",
        body=step.body,
        headers=step.headers,
        keep=step.keep,
        note=step.note,
        look=step.look,
    )


def deployment(name: str, image: str = "nginx:1", *, replicas: int | None = None, **spec: Any) -> Document:
    """A Deployment with one container."""
    labels = {"app": name}
    return {
        "apiVersion": "apps/v1",
        "kind": "Deployment",
        "metadata": {"name": name, "labels": labels},
        "spec": {
            **({} if replicas is None else {"replicas": replicas}),
            "selector": {"matchLabels": labels},
            "template": {
                "metadata": {"labels": labels},
                "spec": {"containers": [{"name": "main", "image": image, "ports": [{"containerPort": 80}]}]},
            },
            **spec,
        },
    }


def service(name: str, *ports: Document, **spec: Any) -> Document:
    """A Service with a fixed address range of its own: headless."""
    return {
        "apiVersion": "v1",
        "kind": "Service",
        "metadata": {"name": name},
        "spec": {"clusterIP": "None", "selector": {"app": name}, "ports": list(ports) or [{"port": 80}], **spec},
    }


_ITEM: Document = {
    "type": "object",
    "required": ["name"],
    "properties": {
        "name": {"type": "string"},
        "port": {"type": "integer", "default": 80},
        "value": {"type": "string"},
        "inner": {"type": "object", "additionalProperties": {"type": "string"}},
    },
}
SHAPES: Document = {
    "spec": {
        "type": "object",
        "properties": {
            "text": {"type": "string"},
            "number": {"type": "integer"},
            "on": {"type": "boolean"},
            "any": {"x-kubernetes-int-or-string": True},
            "time": {"type": "string", "format": "date-time"},
            "struct": {"type": "object", "properties": {"a": {"type": "string"}, "b": {"type": "string"}}},
            "whole": {
                "type": "object",
                "x-kubernetes-map-type": "atomic",
                "properties": {"a": {"type": "string"}, "b": {"type": "string"}},
            },
            "map": {"type": "object", "additionalProperties": {"type": "string"}},
            "maps": {
                "type": "object",
                "additionalProperties": {"type": "object", "additionalProperties": {"type": "string"}},
            },
            "atomic": {"type": "array", "items": {"type": "string"}},
            "set": {"type": "array", "x-kubernetes-list-type": "set", "items": {"type": "string"}},
            "numbers": {"type": "array", "x-kubernetes-list-type": "set", "items": {"type": "integer"}},
            "keyed": {
                "type": "array",
                "x-kubernetes-list-type": "map",
                "x-kubernetes-list-map-keys": ["name"],
                "items": _ITEM,
            },
            "twice": {
                "type": "array",
                "x-kubernetes-list-type": "map",
                "x-kubernetes-list-map-keys": ["name", "port"],
                "items": _ITEM,
            },
            "free": {"type": "object", "x-kubernetes-preserve-unknown-fields": True},
            "empty": {"type": "object"},
            "null": {"type": "string", "nullable": True},
            "object": {
                "type": "object",
                "x-kubernetes-embedded-resource": True,
                "x-kubernetes-preserve-unknown-fields": True,
            },
            "default": {"type": "string", "default": "d"},
        },
    },
    "status": {"type": "object", "x-kubernetes-preserve-unknown-fields": True},
}
_PROPERTIES = "/spec/versions/0/schema/openAPIV3Schema/properties/spec/properties"
_STATUS: Document = {"subresources": {"status": {}}}
_SETUP = defined(definition(version("v1", SHAPES, **_STATUS)))
_MISWRITTEN: tuple[Document, ...] = (
    {},
    {"fieldsType": ""},
    {"fieldsType": "FieldsV2"},
    {"apiVersion": ""},
    {"operation": "x"},
    {"manager": ""},
    {"fieldsV1": {}},
    {"fieldsV1": None},
    {"fieldsV1": {"x": {}}},
    {"fieldsV1": {"f:data": {"z:q": {}}}},
    {"fieldsV1": {"f:data": {"k:x": {}}}},
    {"fieldsV1": {"f:data": "x"}},
    {"apiVersion": "v7"},
    {"subresource": "status"},
    {"time": "2020-01-01T01:00:00+01:00"},
)
_ENTRY: list[Document] = [
    {
        "manager": "x",
        "operation": "Update",
        "apiVersion": "{group}/v1",
        "time": "2020-01-01T00:00:00Z",
        "fieldsType": "FieldsV1",
        "fieldsV1": {"f:spec": {"f:number": {}}},
    }
]
_FULL: Document = {
    "text": "t",
    "number": 1,
    "on": True,
    "any": "50%",
    "time": "2020-01-01T00:00:00Z",
    "struct": {"a": "1", "b": "2"},
    "whole": {"a": "1"},
    "map": {"x": "1", "y/z": "2"},
    "maps": {"x": {"y": "1"}, "e": {}},
    "atomic": ["a", "b"],
    "set": ["b", "a<b>&c", 'q"q'],
    "numbers": [10, 9, -1],
    "keyed": [{"name": "b", "inner": {"k": "v"}}, {"name": "a", "value": "1"}],
    "twice": [{"name": "b", "port": 443}, {"name": "b"}, {"name": "a", "port": 9}],
    "free": {"list": [1, {"a": 2}], "map": {"a": {"b": 1}}, "scalar": 1.5},
    "empty": {},
    "object": {"apiVersion": "v1", "kind": "X", "metadata": {"name": "n", "labels": {"a": "b"}}, "rest": {"a": 1}},
}


def limited(limits: Document) -> Document:
    """A Deployment whose container has limits."""
    made = deployment("a")
    made["spec"]["template"]["spec"]["containers"][0]["resources"] = {"limits": limits}
    return made


def account(**fields: Any) -> Document:
    """A ServiceAccount."""
    return {"apiVersion": "v1", "kind": "ServiceAccount", "metadata": {"name": "a"}, **fields}


#: What may stand as managedFields, and what may not.
ENTRIES: tuple[Any, ...] = (
    None,
    [],
    [None],
    [None, {"manager": "x"}],
    [{"manager": "x"}, None],
    ["x"],
    [[]],
    [{}],
    [{"manager": 7}],
    [{"time": "x"}],
    [{"fieldsV1": "x"}],
    [{"nope": 1}],
    [{"manager": "x"}],
    {},
    "x",
    7,
)

SCRIPTS = (
    script(
        "an apply of what cannot be read",
        "APPLY-1 APPLY-5",
        *(
            applied(f"{path}/a", body)
            for path, body in (
                ("{deployments}", limited({"cpu": "x"})),
                ("{deployments}", limited({"cpu": ""})),
                ("{deployments}", limited({"cpu": "1", "memory": "1.5.5"})),
                ("{deployments}", limited({"cpu": 1.5})),
                ("{pods}", {"apiVersion": "v1", "kind": "Pod", **limited({"cpu": "x"})["spec"]["template"]}),
                ("{configmaps}", configmap("a", creationTimestamp="x")),
                ("{configmaps}", configmap("a", ownerReferences=[{"uid": "x", "controller": "yes"}])),
                ("{secrets}", secret("a", data={"k": "not base64"})),
            )
        ),
        applied("{deployments}/a", deployment("a")),
        applied("{deployments}/a", limited({"cpu": "x"})),
        applied("{deployments}/a/status", {**deployment("a"), "status": {"replicas": "x"}}),
    ),
    script(
        "an apply to what nobody could own",
        "APPLY-1 APPLY-5",
        post("{serviceaccounts}", account(secrets=[{"name": "s"}, {}])),
        applied("{serviceaccounts}/a", account(secrets=[{"name": "s"}])),
        forced("{serviceaccounts}/a", account(secrets=[{"name": "s"}, {}])),
        applied("{serviceaccounts}/a", account()),
        put("{serviceaccounts}/a", account(secrets=[{"name": "s"}])),
        applied("{serviceaccounts}/a", account(secrets=[{"name": "s"}])),
    ),
    script(
        "an apply that speaks of owners of fields",
        "APPLY-1",
        *(
            applied(f"{path}/a", {**made, "metadata": {"name": "a", "managedFields": entries}})
            for entries in ENTRIES
            for path, made in (("{configmaps}", configmap("a")), ("{widgets}", widget("a")))
        ),
    ),
    script(
        "a creator owns all that it made",
        "APPLY-4 CREATE-1",
        by("one", post("{configmaps}", configmap("a", {"k": "1"}, labels={"x": "1"}, annotations={"y": "2"}))),
        by("one", post("{configmaps}", configmap("b", {}, labels={}, finalizers=["example.com/f"]))),
        by("one", post("{configmaps}", {"metadata": {"generateName": "g-"}, "binaryData": {"b": "YQ=="}})),
        by("one", post("{secrets}", secret("a", stringData={"p": "x"}, data={"q": "eA=="}))),
        by("one", post("{widgets}", widget("a", {"size": 1, "tags": ["a"], "parts": [{"name": "p"}]}))),
        by("one", post("{widgets}", widget("b", status={"phase": "x"}, labels={"a": "b"}))),
        by("one", post("{gadgets}", gadget("{own}", a={"b": {"c": 1}}, l=[1, 2], e={}, n=None, s="x"))),
        by("one", post("{namespaces}", {"metadata": {"name": "{own}-made", "labels": {"a": "b"}}})),
        get("{namespaces}/{own}-made"),
    ),
    script(
        "every shape of a field has its own path",
        "APPLY-1 APPLY-3",
        by("one", post("{things}", thing("a", _FULL), exact=True)),
        applied("{things}/b", thing("b", _FULL), exact=True),
        applied("{things}/c", thing("c", {"null": None, "map": None, "keyed": None, "struct": {}, "text": None})),
        applied("{things}/d", thing("d", {"map": {}, "keyed": [], "set": [], "atomic": [], "whole": {}, "free": {}})),
        setup=_SETUP,
    ),
    script(
        "managers are named by the request or by the program",
        "APPLY-1",
        post("{configmaps}", configmap("a"), headers={"User-Agent": "prog/v1.2 (linux)"}),
        post("{configmaps}", configmap("b"), headers={"User-Agent": "no slash"}),
        post("{configmaps}", configmap("c"), headers={"User-Agent": "/x"}),
        post("{configmaps}", configmap("d"), headers={"User-Agent": "x" * 200}),
        post("{configmaps}?fieldManager=given", configmap("e"), headers={"User-Agent": "prog/v1"}),
        post("{configmaps}?fieldManager=" + "y" * 129, configmap("f")),
        post("{configmaps}?fieldManager=", configmap("g"), headers={"User-Agent": "prog/v1"}),
        post("{configmaps}?fieldManager=%0A", configmap("h")),
    ),
    script(
        "an update takes what it changes",
        "APPLY-4 UPD-2",
        by("one", post("{configmaps}", configmap("a", {"x": "1", "y": "1"}, labels={"l": "1"}), keep="a")),
        by("two", put("{configmaps}/a", configmap("a", {"x": "2", "y": "1"}, labels={"l": "1"}))),
        by("two", put("{configmaps}/a", configmap("a", {"x": "2", "y": "1", "z": "1"}, labels={"l": "1"}))),
        by("three", put("{configmaps}/a", configmap("a", {"x": "2"}))),
        by("three", put("{configmaps}/a", configmap("a", {}))),
        by("one", post("{widgets}", widget("a", {"size": 1, "tags": ["a", "b"], "labels": {"m": "1"}}), keep="w")),
        by("two", put("{widgets}/a", edited("w", {"spec": {"tags": ["b", "c"], "labels": {"m": "2"}}}), keep="w")),
        by("two", put("{widgets}/a", edited("w", {"spec": {"parts": [{"name": "p", "count": 2}]}}), keep="w")),
        by("one", put("{widgets}/a", edited("w", {"spec": {"parts": [{"name": "p"}], "labels": None}}), keep="w")),
        by("one", put("{widgets}/a", edited("w"))),
        by("four", put("{widgets}/a", edited("w", {"spec": {"size": 1}}))),
    ),
    script(
        "a patch takes what it changes",
        "APPLY-4",
        by("one", post("{configmaps}", configmap("a", {"x": "1", "y": "1"}))),
        by("two", patch("{configmaps}/a", "merge", {"data": {"x": "2"}})),
        by("three", patch("{configmaps}/a", "json", [{"op": "replace", "path": "/data/x", "value": "3"}])),
        by("four", patch("{configmaps}/a", "strategic", {"data": {"z": "1", "y": None}})),
        by("five", patch("{configmaps}/a", "merge", {"data": None})),
        by("five", patch("{configmaps}/a", "merge", {"metadata": {"labels": {"a": "b"}}})),
        by("one", post("{widgets}", widget("a", {"size": 1, "parts": [{"name": "p"}, {"name": "q"}]}))),
        by("two", patch("{widgets}/a", "json", [{"op": "replace", "path": "/spec/parts/1/count", "value": 5}])),
        by("two", patch("{widgets}/a", "json", [{"op": "remove", "path": "/spec/parts/0"}])),
        by("two", patch("{widgets}/a", "merge", {"spec": {"size": 1}})),
    ),
    script(
        "an apply creates what is not there",
        "PATCH-4 APPLY-5",
        applied("{configmaps}/a", configmap("a")),
        applied("{configmaps}/b", configmap("b", resourceVersion="5")),
        applied("{configmaps}/c", configmap("c", uid="00000000-0000-4000-8000-000000000001")),
        applied("{configmaps}/d", configmap("d"), query="&dryRun=All"),
        get("{configmaps}/d"),
        applied("{configmaps}/e", configmap("other")),
        applied("{configmaps}/e", configmap(None)),
        applied("{configmaps}/e", configmap("e", namespace="other")),
        applied("{configmaps}/e", configmap("e", namespace="{ns}")),
        applied("{widgets}/a", widget("a")),
        applied("{widgets}/b", widget("b", {"size": 1000})),
        applied("{widgets}/c", widget("c", {})),
        applied("{widgets}/d", widget("d", resourceVersion="5")),
        applied("/api/v1/namespaces/no-such-namespace/configmaps/a", configmap("a")),
        applied("{gadgets}/{own}", gadget("{own}", x={"y": [1]})),
    ),
    script(
        "applying twice changes nothing",
        "APPLY-5 APPLY-8",
        applied("{configmaps}/a", configmap("a", labels={"l": "1"})),
        applied("{configmaps}/a", configmap("a", labels={"l": "1"})),
        applied("{widgets}/a", widget("a", {"size": 1, "tags": ["b", "a"], "parts": [{"name": "p"}]})),
        applied("{widgets}/a", widget("a", {"size": 1, "tags": ["b", "a"], "parts": [{"name": "p"}]})),
        applied("{widgets}/a", widget("a", {"size": 1.0, "tags": ["b", "a"], "parts": [{"name": "p"}]})),
        applied("{things}/a", thing("a", _FULL)),
        applied("{things}/a", thing("a", _FULL)),
        setup=_SETUP,
    ),
    script(
        "who applies the same shares it",
        "APPLY-5",
        applied("{configmaps}/a", configmap("a", {"x": "1", "y": "1"})),
        applied("{configmaps}/a", configmap("a", {"x": "1"}), "b"),
        applied("{configmaps}/a", configmap("a", {"x": "1", "z": "1"}), "b"),
        applied("{configmaps}/a", configmap("a", {"y": "1"})),
        applied("{configmaps}/a", configmap("a", {"z": "1"}), "b"),
        by("c", put("{configmaps}/a", configmap("a", {"y": "1", "z": "1", "w": "1"}))),
        applied("{configmaps}/a", configmap("a", {"w": "1"}), "b"),
    ),
    script(
        "what another owns is a conflict",
        "APPLY-5 PATCH-4",
        applied("{configmaps}/a", configmap("a", {"x": "1", "y": "1"}, labels={"l": "1"})),
        applied("{configmaps}/a", configmap("a", {"x": "2"}), "b"),
        applied("{configmaps}/a", configmap("a", {"x": "2", "y": "2"}, labels={"l": "2"}), "b"),
        by("c", patch("{configmaps}/a", "merge", {"data": {"z": "1"}})),
        applied("{configmaps}/a", configmap("a", {"z": "2"}), "b"),
        applied("{configmaps}/a", configmap("a", {"z": "2", "x": "2"}), "b", unordered="details causes"),
        get("{configmaps}/a"),
        forced("{configmaps}/a", configmap("a", {"z": "2", "x": "2"}), "b"),
        applied("{configmaps}/a", configmap("a", {"z": "2"}), "b", "&force=false"),
        applied("{widgets}/a", widget("a", {"size": 1, "parts": [{"name": 'p"', "count": 1}], "tags": ["a"]})),
        applied("{widgets}/a", widget("a", {"size": 2, "parts": [{"name": 'p"', "count": 2}]}), "b"),
        applied("{things}/a", thing("a", {"set": ["x"], "twice": [{"name": "n", "value": "1"}], "atomic": ["a"]})),
        applied("{things}/a", thing("a", {"twice": [{"name": "n", "value": "2"}], "atomic": ["b"]}), "b"),
        setup=_SETUP,
    ),
    script(
        "what nobody owns any more goes",
        "APPLY-5",
        applied("{things}/a", thing("a", _FULL)),
        applied("{things}/a", thing("a", {**_FULL, "struct": {"a": "1"}, "map": {"x": "1"}, "set": ["b"]})),
        applied("{things}/a", thing("a", {"keyed": [{"name": "a"}], "twice": [{"name": "b"}], "default": "e"})),
        applied("{things}/a", thing("a", {"text": "t"})),
        applied("{things}/a", thing("a")),
        applied("{configmaps}/a", configmap("a", {"x": "1"}, labels={"a": "b"}, finalizers=["example.com/f"])),
        applied("{configmaps}/a", {"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "a"}}),
        setup=_SETUP,
    ),
    script(
        "what others put into a list stays",
        "APPLY-5 APPLY-3",
        applied("{things}/a", thing("a", {"keyed": [{"name": "b"}, {"name": "d"}], "set": ["b", "d"]}), keep="t"),
        by("two", patch("{things}/a", "merge", {"spec": {"set": ["a", "b", "c", "d", "e"]}})),
        by(
            "two",
            patch("{things}/a", "merge", {"spec": {"keyed": [{"name": n, "value": n} for n in ("a", "b", "c", "d")]}}),
        ),
        applied("{things}/a", thing("a", {"keyed": [{"name": "d"}, {"name": "b"}], "set": ["d", "b"]})),
        applied("{things}/a", thing("a", {"keyed": [{"name": "x"}, {"name": "d"}], "set": ["x", "d"]})),
        applied("{things}/a", thing("a", {"keyed": [{"name": "d", "value": "v"}]})),
        forced("{things}/a", thing("a", {"keyed": [{"name": "d", "value": "v"}]})),
        applied("{things}/a", thing("a", {})),
        setup=_SETUP,
    ),
    script(
        "a configuration must fit the schema",
        "PATCH-5",
        applied("{configmaps}/a", {**configmap("a"), "nope": 1}),
        applied("{configmaps}/a", configmap("a", {"x": 1})),
        applied("{configmaps}/a", configmap("a", {"x": {"y": 1}})),
        applied("{configmaps}/a", {**configmap("a"), "data": ["x"]}),
        applied("{configmaps}/a", {**configmap("a"), "immutable": "yes"}),
        applied("{configmaps}/a", {**configmap("a"), "metadata": "x"}),
        applied("{widgets}/a", widget("a", {"size": "x"})),
        applied("{widgets}/a", widget("a", {"size": 1, "nope": 1})),
        applied("{widgets}/a", widget("a", {"size": 1, "tags": ["a", "a"]})),
        applied("{widgets}/a", widget("a", {"size": 1, "tags": [None]})),
        applied("{widgets}/a", widget("a", {"size": 1, "parts": [{"count": 1}]})),
        applied("{widgets}/a", widget("a", {"size": 1, "parts": ["x"]})),
        applied("{widgets}/a", widget("a", {"size": 1, "parts": [{"name": "a"}, {"name": "b"}, {"name": "a"}]})),
        applied("{widgets}/a", widget("a", {"size": 1, "labels": {"x": 1}})),
        applied("{widgets}/a", widget("a", {"size": 1, "on": "true"})),
        applied("{things}/a", thing("a", {"twice": [{"name": "a"}, {"name": "a", "port": 80}]})),
        applied("{things}/a", thing("a", {"any": True})),
        applied("{things}/a", thing("a", {"any": [1]})),
        applied("{things}/a", thing("a", {"time": 5})),
        setup=_SETUP,
    ),
    script(
        "a configuration must be one",
        "PATCH-4",
        patch("{configmaps}/a", "apply", configmap("a")),
        patch("{configmaps}/a?force=true", "apply", configmap("a")),
        applied("{configmaps}/a", ""),
        applied("{configmaps}/a", "[]"),
        applied("{configmaps}/a", "{"),
        applied("{configmaps}/a", "a: b: c"),
        applied("{configmaps}/a", "{}"),
        applied("{configmaps}/a", {"apiVersion": "v1", "metadata": {"name": "a"}}),
        applied("{configmaps}/a", {"kind": "ConfigMap", "metadata": {"name": "a"}}),
        applied("{configmaps}/a", {**configmap("a"), "apiVersion": "v2"}),
        applied("{configmaps}/a", {**configmap("a"), "kind": "Secret"}),
        applied("{configmaps}/a", {"apiVersion": "apps/v1", "kind": "Deployment", "metadata": {"name": "a"}}),
        applied("{configmaps}/a", configmap("a", managedFields=[])),
        applied("{configmaps}/a", configmap("a", managedFields=[{"manager": "x"}])),
        applied("{configmaps}/a", configmap("a", managedFields=None)),
        applied("{configmaps}/a", "apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: a\ndata:\n  x: '1'\n  x: '2'\n"),
        applied(
            "{configmaps}/a",
            "apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: a\ndata:\n  x: '1'\n  x: '2'\n",
            query="&fieldValidation=Strict",
        ),
        applied("{widgets}/a", widget("a", managedFields=[])),
        applied("{widgets}/a", {**widget("a"), "apiVersion": f"{GROUP}/v2"}),
        applied("{configmaps}", configmap("a")),
        patch("{configmaps}/a?fieldManager=a&force=true", "merge", {}),
    ),
    script(
        "an apply to an object that another wrote",
        "APPLY-5",
        by("one", post("{configmaps}", configmap("a", {"x": "1"}))),
        applied("{configmaps}/a", configmap("a", {"x": "1", "y": "1"})),
        applied("{configmaps}/a", configmap("a", {"x": "2", "y": "1"})),
        forced("{configmaps}/a", configmap("a", {"x": "2", "y": "1"})),
        by("one", put("{configmaps}/a", configmap("a", {"x": "2", "y": "2"}))),
        applied("{configmaps}/a", configmap("a", {"x": "2"})),
        by("one", put("{configmaps}/a", configmap("a", {"y": "2"}))),
        applied("{configmaps}/a", configmap("a", {"x": "2"})),
    ),
    script(
        "an apply names the version it is for",
        "APPLY-5 PATCH-3",
        applied("{configmaps}/a", configmap("a"), keep="a"),
        applied("{configmaps}/a", configmap("a", {"k": "2"}, resourceVersion="{a.metadata.resourceVersion}")),
        applied("{configmaps}/a", configmap("a", {"k": "3"}, resourceVersion="{a.metadata.resourceVersion}")),
        applied("{configmaps}/a", configmap("a", {"k": "3"}, uid="{a.metadata.uid}")),
        applied("{configmaps}/a", configmap("a", {"k": "3"}, uid="00000000-0000-4000-8000-000000000001")),
        applied("{widgets}/a", widget("a"), keep="w"),
        applied("{widgets}/a", widget("a", {"size": 2}, resourceVersion="{w.metadata.resourceVersion}")),
        applied("{widgets}/a", widget("a", {"size": 3}, resourceVersion="{w.metadata.resourceVersion}")),
    ),
    script(
        "managedFields in a request",
        "APPLY-4",
        by("one", post("{configmaps}", configmap("a", managedFields=[{"manager": "x"}]))),
        by("one", put("{configmaps}/a", configmap("a", managedFields=[]))),
        by("two", put("{configmaps}/a", configmap("a", {"k": "2"}))),
        applied("{configmaps}/a", configmap("a", {"k": "2"})),
        applied("{configmaps}/a", configmap("a", {"k": "3"})),
        forced("{configmaps}/a", configmap("a", {"k": "3"})),
        by("one", put("{configmaps}/a", configmap("a", managedFields=[{}]))),
        by("one", patch("{configmaps}/a", "merge", {"metadata": {"managedFields": [{"operation": "Nope"}]}})),
        by(
            "one",
            patch(
                "{configmaps}/a",
                "merge",
                {
                    "metadata": {
                        "managedFields": [
                            {
                                "manager": "other",
                                "operation": "Apply",
                                "apiVersion": "v1",
                                "time": "2020-01-01T00:00:00Z",
                                "fieldsType": "FieldsV1",
                                "fieldsV1": {"f:data": {"f:k": {}, "f:gone": {}}},
                            }
                        ]
                    }
                },
            ),
        ),
        applied("{configmaps}/a", configmap("a", {"j": "3"}), "other"),
        by("one", patch("{configmaps}/a", "json", [{"op": "remove", "path": "/metadata/managedFields"}])),
        by("one", patch("{configmaps}/a", "json", [{"op": "replace", "path": "/metadata/managedFields", "value": []}])),
        by("one", post("{widgets}", widget("a"), keep="w")),
        by("two", put("{widgets}/a", edited("w", {"metadata": {"managedFields": None}, "spec": {"size": 2}}))),
        by("two", patch("{widgets}/a", "merge", {"metadata": {"managedFields": [{}]}, "spec": {"size": 3}})),
        by("two", patch("{widgets}/a", "merge", {"spec": {"size": 4}})),
        applied("{widgets}/a", widget("a", {"size": 4})),
    ),
    script(
        "fields of managers that cannot be read",
        "APPLY-4",
        by("one", post("{configmaps}", configmap("a"))),
        *(
            by(
                "one",
                patch(
                    "{configmaps}/a",
                    "merge",
                    {
                        "data": {"n": str(number)},
                        "metadata": {
                            "managedFields": [
                                {
                                    "manager": "m",
                                    "operation": "Update",
                                    "apiVersion": "v1",
                                    "fieldsType": "FieldsV1",
                                    "fieldsV1": {"f:data": {"f:k": {}}},
                                    **change,
                                }
                            ]
                        },
                    },
                ),
            )
            for number, change in enumerate(_MISWRITTEN)
        ),
    ),
    script(
        "the status has its own owners",
        "APPLY-6 UPD-6",
        by("one", post("{widgets}", widget("a", {"size": 1}, {"phase": "x"}), keep="w")),
        by("two", put("{widgets}/a/status", edited("w", {"status": {"phase": "y"}, "spec": {"size": 7}}), keep="w")),
        by("two", put("{widgets}/a/status", edited("w", {"status": {"phase": "y"}}))),
        by("three", patch("{widgets}/a/status", "merge", {"status": {"seen": 1}, "metadata": {"labels": {"a": "b"}}})),
        applied("{widgets}/a/status", {**widget("a", {"size": 3}), "status": {"phase": "z"}}, "four"),
        forced("{widgets}/a/status", {**widget("a", {"size": 3}), "status": {"phase": "z"}}, "four"),
        applied("{widgets}/a", {**widget("a", {"size": 1}), "status": {"phase": "q"}}, "five"),
        applied("{widgets}/a/status", {**widget("a"), "status": {"seen": 5}}, "four"),
        by("two", put("{widgets}/a", edited("w", {"status": {"phase": "n"}, "spec": {"size": 2}}))),
        applied("{widgets}/none/status", {**widget("none"), "status": {"phase": "z"}}),
        by("one", patch("{namespace}/status", "merge", {"status": {"phase": "Active"}})),
        by(
            "one",
            patch(
                "{namespace}/status",
                "merge",
                {
                    "metadata": {"labels": {"x": "y"}},
                    "status": {"conditions": [{"type": "T", "status": "True", "lastTransitionTime": None}]},
                },
            ),
        ),
        applied(
            "{namespace}/status",
            {
                "apiVersion": "v1",
                "kind": "Namespace",
                "metadata": {"name": "{ns}"},
                "status": {"conditions": [{"type": "U", "status": "False"}]},
            },
        ),
    ),
    script(
        "scaling takes the number of replicas",
        "APPLY-7 UPD-7",
        by("one", post("{widgets}", widget("a", {"size": 1, "replicas": 1}))),
        by("two", patch("{widgets}/a/scale", "merge", {"spec": {"replicas": 2}})),
        get("{widgets}/a"),
        by("two", patch("{widgets}/a/scale", "merge", {"spec": {"replicas": 2}})),
        get("{widgets}/a"),
        get("{widgets}/a/scale", keep="s"),
        by("three", put("{widgets}/a/scale", edited("s", {"spec": {"replicas": 3}}))),
        get("{widgets}/a"),
        applied(
            "{widgets}/a/scale",
            {
                "apiVersion": "autoscaling/v1",
                "kind": "Scale",
                "metadata": {"name": "a", "namespace": "{ns}"},
                "spec": {"replicas": 4},
            },
            "four",
        ),
        forced(
            "{widgets}/a/scale",
            {
                "apiVersion": "autoscaling/v1",
                "kind": "Scale",
                "metadata": {"name": "a", "namespace": "{ns}"},
                "spec": {"replicas": 4},
            },
            "four",
        ),
        get("{widgets}/a"),
        applied("{widgets}/a", widget("a", {"size": 1, "replicas": 4}), "five"),
        applied("{widgets}/a", widget("a", {"size": 1, "replicas": 5}), "five"),
        by("two", patch("{widgets}/a", "merge", {"spec": {"replicas": 6}})),
        applied("{widgets}/none/scale", {"apiVersion": "autoscaling/v1", "kind": "Scale", "spec": {"replicas": 4}}),
    ),
    script(
        "only ten updaters are told apart",
        "APPLY-4",
        by("m00", post("{configmaps}", configmap("a", {}))),
        *(
            by(f"m{number:02}", patch("{configmaps}/a", "merge", {"data": {f"k{number:02}": "1"}}))
            for number in range(1, 13)
        ),
        applied("{configmaps}/a", configmap("a", {"k01": "1"}), "z"),
    ),
    script(
        "kubectl takes over what it applied on the client's side",
        "APPLY-5",
        by(
            "kubectl-client-side-apply",
            post(
                "{configmaps}",
                configmap(
                    "a",
                    {"k": "1", "j": "1"},
                    annotations={
                        LAST_APPLIED: '{"apiVersion":"v1","kind":"ConfigMap","metadata":{"annotations":{},"name":"a"},'
                        '"data":{"k":"1","j":"1"}}\n'
                    },
                ),
            ),
        ),
        applied("{configmaps}/a", configmap("a", {"k": "2", "j": "1"}), "other"),
        applied("{configmaps}/a", configmap("a", {"k": "2", "j": "1"}), "kubectl"),
        applied("{configmaps}/a", configmap("a", {"k": "2", "j": "1"}), "kubectl"),
        by("else", patch("{configmaps}/a", "merge", {"data": {"j": "9"}})),
        applied("{configmaps}/a", configmap("a", {"k": "3", "j": "3"}), "kubectl"),
        applied("{configmaps}/a", configmap("a", {"k": "3"}, annotations={"x": "<&>"}), "kubectl"),
        by(
            "csa",
            post("{widgets}", widget("a", annotations={LAST_APPLIED: "{not json"})),
        ),
        applied("{widgets}/a", widget("a", {"size": 2}), "kubectl"),
    ),
    script(
        "a deletion takes nothing",
        "APPLY-8 DEL-1",
        applied("{configmaps}/a", configmap("a", finalizers=["example.com/f"])),
        delete("{configmaps}/a"),
        applied("{configmaps}/a", configmap("a", {"k": "2"}, finalizers=["example.com/f"])),
        by("two", patch("{configmaps}/a", "merge", {"metadata": {"finalizers": None}})),
        get("{configmaps}/a"),
        applied("{widgets}/a", widget("a", finalizers=["example.com/f"])),
        delete("{widgets}/a?propagationPolicy=Foreground"),
        applied("{widgets}/a", widget("a")),
        get("{widgets}/a"),
    ),
    script(
        "an update that changes nothing leaves the owners",
        "APPLY-8 UPD-2",
        by("one", post("{configmaps}", configmap("a"), keep="a")),
        by("two", put("{configmaps}/a", configmap("a"))),
        by("two", patch("{configmaps}/a", "merge", {"data": {"k": "1"}})),
        by("two", patch("{configmaps}/a?dryRun=All", "merge", {"data": {"k": "2"}})),
        get("{configmaps}/a"),
        applied("{configmaps}/a", configmap("a", {"k": "1"}), query="&dryRun=All"),
        get("{configmaps}/a"),
    ),
    script(
        "items that cannot be told apart",
        "APPLY-3",
        by(
            "one",
            post("{services}", service("a", {"port": 80, "name": "x"}, {"port": 80, "protocol": "UDP", "name": "y"})),
        ),
        applied("{services}/a", service("a", {"port": 80, "name": "x"})),
        forced("{services}/a", service("a", {"port": 81, "name": "z"})),
        applied("{services}/a", service("a", {"port": 81, "name": "z"}, {"port": 81, "protocol": "TCP"})),
        applied("{services}/b", service("b", {"port": 1}, {"port": 2, "name": "x"})),
    ),
    script(
        "versions of a definition",
        "APPLY-4 APPLY-5",
        applied("/apis/{group}/v1/namespaces/{ns}/things/a", thing("a", {"x": "1", "y": "1"}), "one"),
        applied("/apis/{group}/v2/namespaces/{ns}/things/a", thing("a", {"x": "2", "z": "1"}, "v2"), "two"),
        applied("/apis/{group}/v2/namespaces/{ns}/things/a", thing("a", {"x": "1", "z": "1"}, "v2"), "two"),
        applied("/apis/{group}/v2/namespaces/{ns}/things/a", thing("a", {"x": "3"}, "v2"), "one"),
        forced("/apis/{group}/v2/namespaces/{ns}/things/a", thing("a", {"x": "3"}, "v2"), "one"),
        applied("/apis/{group}/v1/namespaces/{ns}/things/a", thing("a", {"y": "1"}), "one"),
        by("three", patch("/apis/{group}/v1/namespaces/{ns}/things/a", "merge", {"spec": {"x": "9"}})),
        by("three", patch("/apis/{group}/v2/namespaces/{ns}/things/a", "merge", {"spec": {"z": "9"}})),
        get("/apis/{group}/v1/namespaces/{ns}/things/a"),
        setup=defined(
            definition(
                version(
                    "v1",
                    {"spec": {"type": "object", "properties": {"x": {"type": "string"}, "y": {"type": "string"}}}},
                ),
                version(
                    "v2",
                    {"spec": {"type": "object", "properties": {"x": {"type": "string"}, "z": {"type": "string"}}}},
                    storage=False,
                ),
            )
        ),
    ),
    script(
        "a field that became atomic",
        "APPLY-2 APPLY-4",
        applied("{things}/a", thing("a", {"map": {"x": "1", "y": "1"}, "set": ["a"]}), "one"),
        by("two", patch("{things}/a", "merge", {"spec": {"map": {"z": "1"}}})),
        get("{crds}/things.{group}", keep="crd", only="kind"),
        patch(
            "{crds}/things.{group}",
            "json",
            [
                {
                    "op": "add",
                    "path": f"{_PROPERTIES}/map/x-kubernetes-map-type",
                    "value": "atomic",
                },
                {
                    "op": "replace",
                    "path": f"{_PROPERTIES}/set/x-kubernetes-list-type",
                    "value": "atomic",
                },
            ],
            only="kind",
        ),
        # An atomic list may hold a value twice, a set may not.
        until(applied("{things}/probe", thing("probe", {"set": ["x", "x"]}), query="&dryRun=All"), code=201),
        by("three", patch("{things}/a", "merge", {"spec": {"text": "t"}})),
        applied("{things}/a", thing("a", {"map": {"x": "2"}}), "one"),
        forced("{things}/a", thing("a", {"map": {"x": "2"}}), "one"),
        setup=_SETUP,
    ),
    script(
        "a value that fits no more",
        "APPLY-2 APPLY-4 APPLY-5",
        *(
            each
            for name in "abcde"
            for each in (
                applied(f"{{things}}/{name}", thing(name, {"text": "t", "set": ["a"]}), "one"),
                by("two", patch(f"{{things}}/{name}", "merge", {"spec": {"number": 1}})),
            )
        ),
        by("one", post("{things}", thing("fit", {"number": 1}))),
        patch(
            "{crds}/things.{group}",
            "json",
            [{"op": "replace", "path": f"{_PROPERTIES}/text/type", "value": "integer"}],
            only="kind",
        ),
        until(applied("{things}/probe", thing("probe", {"text": 1}), query="&dryRun=All"), code=201),
        by("three", patch("{things}/fit", "merge", {"spec": {"number": 2}})),
        by("three", patch("{things}/a", "merge", {"spec": {"number": 2}})),
        by("three", patch("{things}/a", "merge", {"spec": {"number": 3}})),
        applied("{things}/a", thing("a", {"number": 3}), "four"),
        by("three", patch("{things}/a", "merge", {"spec": {"text": 1}})),
        applied("{things}/a", thing("a", {"number": 3}), "four"),
        applied("{things}/b", thing("b", {"number": "x"}), "two"),
        applied("{things}/b", thing("b", {"number": 1}), "two"),
        forced("{things}/b", thing("b", {"text": 1}), "one"),
        get("{things}/b"),
        by("three", patch("{things}/b", "merge", {"spec": {"text": 1}})),
        by("three", patch("{things}/c", "merge", {"metadata": {"labels": {"x": "y"}}})),
        by("three", patch("{things}/d/status", "merge", {"status": {"x": 1}})),
        get("{things}/e", keep="e"),
        by("three", patch("{things}/e", "merge", {"spec": {"number": 1}})),
        by("three", patch("{things}/e?dryRun=All", "merge", {"spec": {"set": ["b"]}})),
        by("three", put("{things}/e", edited("e", {"spec": {"set": ["c"]}}), keep="e")),
        by("four", put("{things}/e", edited("e", {"metadata": {"managedFields": _ENTRY}}))),
        setup=_SETUP,
    ),
    script(
        "a deployment",
        "APPLY-4 APPLY-5 PATCH-5",
        by("one", post("{deployments}", deployment("a"))),
        applied("{deployments}/b", deployment("b", replicas=2)),
        applied("{deployments}/b", deployment("b", "nginx:2")),
        applied("{deployments}/b", deployment("b", "nginx:2")),
        applied("{deployments}/b", deployment("b", "nginx:3", replicas=3), "two"),
        forced("{deployments}/b", deployment("b", "nginx:3", replicas=3), "two"),
        by("three", patch("{deployments}/b/scale", "merge", {"spec": {"replicas": 5}})),
        get("{deployments}/b"),
        applied("{deployments}/b", deployment("b", "nginx:3", replicas=5)),
        applied("{deployments}/b", deployment("b", zz=1)),
        applied(
            "{deployments}/b",
            deployment(
                "b", template={"spec": {"containers": [{"name": "a", "image": "x"}, {"name": "a", "image": "y"}]}}
            ),
        ),
        by("three", patch("{deployments}/b/status", "merge", {"status": {"replicas": 5, "observedGeneration": 1}})),
        by(
            "three",
            patch(
                "{deployments}/b",
                "strategic",
                {"spec": {"template": {"spec": {"containers": [{"name": "main", "image": "nginx:9"}]}}}},
            ),
        ),
    ),
    script(
        "a body that is yaml",
        "PATCH-1",
        applied(
            "{configmaps}/a",
            "apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: a\ndata:\n  x: |\n    text\n  'y': \"1\"\n",
        ),
        ask(
            "PATCH",
            "{configmaps}/a?fieldManager=a",
            "apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: a\n",
            content_type="application/apply-patch+yaml; charset=utf-8",
        ),
        ask("PATCH", "{configmaps}/a?fieldManager=a", configmap("a"), content_type="application/apply-patch+json"),
        ask("PATCH", "{widgets}/a?fieldManager=a", widget("a"), content_type="application/apply-patch+json"),
    ),
)
