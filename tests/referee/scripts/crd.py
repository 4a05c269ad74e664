"""Definitions themselves: what they become, what is refused, how they change and go."""

from typing import Any

from tests.referee.language import delete, edited, events, get, patch, post, put, script, until, watch
from tests.referee.objects import Document, defined, definition, thing, version

CRD = "{crds}/things.{group}"
ESTABLISHED = {"status": {"conditions": [{"type": "Established", "status": "True"}]}}
TABLE = "application/json;as=Table;v=v1;g=meta.k8s.io"


def with_spec(**fields: Any) -> Document:
    """A definition with some of its spec replaced; None leaves a field out."""
    made = definition()
    spec = {**made["spec"], **fields}
    return {**made, "spec": {key: value for key, value in spec.items() if value is not None}}


def with_names(**fields: Any) -> Document:
    return with_spec(names={"plural": "things", "kind": "Thing", **fields})


def schema(root: Any) -> Document:
    return definition({**version(), "schema": {"openAPIV3Schema": root}})


def prop(inner: Any, **root: Any) -> Document:
    return schema({"type": "object", "properties": {"spec": inner}, **root})


def refused(*documents: Any) -> tuple[Any, ...]:
    return tuple(post("{crds}?dryRun=All", document, unordered="details causes") for document in documents)


SCRIPTS = (
    script(
        "a definition gets its defaults and conditions",
        "CRD-1 CRD-2",
        post("{crds}", definition()),
        until(get(CRD), has=ESTABLISHED),
        get(f"{CRD}/status"),
        get(CRD, accept=TABLE),
        get("{crds}?fieldSelector=metadata.name%3Dthings.{group}", only=("kind", "items * metadata name")),
    ),
    script(
        "the events of a definition",
        "CRD-2 WATCH-1",
        watch("w", "{crds}?watch=1&fieldSelector=metadata.name%3Dthings.{group}"),
        post("{crds}", definition(), only="kind"),
        events("w", 3),
        until(get("/apis/{group}/v1/things", only="kind")),
        delete(CRD),
        events("w", stop="DELETED"),
    ),
    script(
        "what is given is kept",
        "CRD-1",
        post(
            "{crds}",
            definition(
                version(
                    properties={"spec": {"type": "object", "description": "x"}},
                    subresources={"status": {}},
                    additionalPrinterColumns=[{"name": "A", "type": "string", "jsonPath": ".spec.a"}],
                    deprecated=True,
                    deprecationWarning="old",
                ),
                version("v2", storage=False),
                names={
                    "plural": "things",
                    "singular": "thg",
                    "kind": "Thing",
                    "listKind": "Things",
                    "shortNames": ["t"],
                    "categories": ["all"],
                },
                preserveUnknownFields=False,
                conversion={"strategy": "None"},
            ),
        ),
        until(get(CRD), has=ESTABLISHED),
    ),
    script(
        "names that are none",
        "CRD-1 ERR-1",
        *refused(
            {**definition(), "metadata": {"name": "other.{group}"}},
            {**definition(), "metadata": {"name": "things"}},
            {**definition(), "metadata": {"generateName": "things."}},
            {**definition(), "metadata": {}},
            with_spec(group=""),
            with_spec(group="example"),
            with_spec(group="Example.com"),
            with_spec(scope="Nope"),
            with_spec(scope=None),
            with_spec(names=None),
            with_spec(names={}),
            with_names(plural="Things"),
            with_names(plural=""),
            with_names(kind="thing"),
            with_names(kind="Thing_"),
            with_names(kind=""),
            with_names(kind="T" * 64),
            with_names(singular="A"),
            with_names(listKind="Thing"),
            with_names(listKind="_"),
            with_names(shortNames=["A", "a b", ""]),
            with_names(categories=["A", "a b"]),
        ),
    ),
    script(
        "versions that are none",
        "CRD-1 ERR-1",
        *refused(
            with_spec(versions=[]),
            with_spec(versions=None),
            with_spec(versions=[version(storage=False)]),
            with_spec(versions=[version(), version("v2")]),
            with_spec(versions=[version(), version(storage=False)]),
            with_spec(versions=[version("V1")]),
            with_spec(versions=[version("")]),
            with_spec(versions=[version("v1.1")]),
            with_spec(versions=[version(served=False)]),
            with_spec(versions=[{"name": "v1", "served": True, "storage": True}]),
            with_spec(versions=[version(schema={})]),
            with_spec(versions=[version(deprecationWarning="x")]),
            with_spec(versions=[version(deprecated=True, deprecationWarning="x" * 257)]),
            with_spec(versions=[version(deprecated=True, deprecationWarning="a\nb")]),
            with_spec(versions=[version(nope=1)]),
            with_spec(versions={}),
            with_spec(preserveUnknownFields=True),
            with_spec(conversion={"strategy": "Nope"}),
            with_spec(conversion={"strategy": "Webhook"}),
            with_spec(conversion={}),
            with_spec(conversion={"strategy": "None", "webhook": {"conversionReviewVersions": ["v1"]}}),
            with_spec(
                conversion={"strategy": "Webhook", "webhook": {"clientConfig": {}, "conversionReviewVersions": ["v1"]}}
            ),
            with_spec(
                conversion={
                    "strategy": "Webhook",
                    "webhook": {"clientConfig": {"url": "http://x"}, "conversionReviewVersions": []},
                }
            ),
            with_spec(
                conversion={
                    "strategy": "Webhook",
                    "webhook": {
                        "clientConfig": {"url": "https://x/a", "service": {"namespace": "a", "name": "b"}},
                        "conversionReviewVersions": ["v2"],
                    },
                }
            ),
        ),
    ),
    script(
        "protected groups need an approval",
        "CRD-1 ERR-1",
        post("{crds}", {**with_spec(group="{own}.k8s.io"), "metadata": {"name": "things.{own}.k8s.io"}}),
        post(
            "{crds}",
            {
                **with_spec(group="{own}.k8s.io"),
                "metadata": {"name": "things.{own}.k8s.io", "annotations": {"api-approved.kubernetes.io": "x"}},
            },
        ),
        post(
            "{crds}",
            {
                **with_spec(group="{own}.k8s.io"),
                "metadata": {
                    "name": "things.{own}.k8s.io",
                    "annotations": {"api-approved.kubernetes.io": "unapproved, experimental-only"},
                },
            },
        ),
        until(
            get("{crds}/things.{own}.k8s.io", unordered="status conditions"),
            has={
                "status": {
                    "conditions": [
                        {"type": "Established", "status": "True"},
                        {"type": "KubernetesAPIApprovalPolicyConformant"},
                    ]
                }
            },
        ),
        post(
            "{crds}",
            {
                **with_spec(group="{own}.kubernetes.io"),
                "metadata": {
                    "name": "things.{own}.kubernetes.io",
                    "annotations": {"api-approved.kubernetes.io": "https://github.com/x/y/pull/1"},
                },
            },
        ),
        until(
            get("{crds}/things.{own}.kubernetes.io", unordered="status conditions"),
            has={
                "status": {
                    "conditions": [
                        {"type": "Established", "status": "True"},
                        {"type": "KubernetesAPIApprovalPolicyConformant", "status": "True"},
                    ]
                }
            },
        ),
    ),
    script(
        "names that are taken",
        "CRD-2",
        *defined(definition(names={"plural": "things", "kind": "Thing", "shortNames": ["th"]})),
        post(
            "{crds}",
            {
                **definition(names={"plural": "others", "kind": "Thing"}),
                "metadata": {"name": "others.{group}"},
            },
        ),
        until(
            get("{crds}/others.{group}"),
            has={"status": {"conditions": [{"type": "NamesAccepted", "status": "False"}, {"type": "Established"}]}},
        ),
        get("/apis/{group}/v1/others"),
        post(
            "{crds}",
            {
                **definition(names={"plural": "thirds", "kind": "Third", "shortNames": ["th"]}),
                "metadata": {"name": "thirds.{group}"},
            },
            only="kind",
        ),
        until(
            get("{crds}/thirds.{group}"),
            has={"status": {"conditions": [{"type": "NamesAccepted", "status": "False"}, {"type": "Established"}]}},
        ),
        delete(CRD, only="kind"),
        until(get("{crds}/others.{group}", masked="metadata resourceVersion"), has=ESTABLISHED),
        until(get("/apis/{group}/v1/others")),
        until(get("{crds}/thirds.{group}", masked="metadata resourceVersion"), has=ESTABLISHED),
    ),
    script(
        "a definition goes with its objects",
        "CRD-3",
        *defined(definition()),
        post("{things}", thing("a")),
        post("{things}", thing("b")),
        delete(CRD),
        until(get(CRD), code=404),
        until(get("{things}"), code=404),
        delete(CRD),
        *defined(definition()),
        get("{things}"),
    ),
    script(
        "a definition waits for the finalizers of its objects",
        "CRD-3",
        *defined(definition()),
        post("{things}", thing("a", finalizers=["example.com/x"]), only="kind"),
        delete(CRD),
        until(
            get(CRD),
            has={
                "status": {
                    "conditions": [{"type": "Terminating", "status": "True", "reason": "InstanceDeletionInProgress"}]
                }
            },
        ),
        until(get("{things}/a"), has={"metadata": {"deletionTimestamp": None}}),
        until(post("{things}", thing("b")), code=403),
        patch("{things}/a", "merge", {"metadata": {"finalizers": None}}, only="kind"),
        until(get(CRD), code=404),
    ),
    script(
        "versions that are stored are remembered",
        "CRD-4 CRD-11",
        *defined(definition(version(), version("v2", storage=False))),
        post("{things}", thing("a", {"x": 1}), only="kind"),
        get(CRD),
        patch(
            CRD,
            "json",
            [
                {"op": "replace", "path": "/spec/versions/0/storage", "value": False},
                {"op": "replace", "path": "/spec/versions/1/storage", "value": True},
            ],
        ),
        patch(CRD, "json", [{"op": "remove", "path": "/spec/versions/0"}]),
        patch(f"{CRD}/status", "merge", {"status": {"storedVersions": []}}),
        patch(f"{CRD}/status", "merge", {"status": {"storedVersions": ["v1"]}}),
        patch(f"{CRD}/status", "merge", {"status": {"storedVersions": ["v2"]}}),
        patch(CRD, "json", [{"op": "remove", "path": "/spec/versions/0"}], only=("spec versions * name", "status")),
        until(get("/apis/{group}/v1/namespaces/{ns}/things/a"), code=404),
        get("/apis/{group}/v2/namespaces/{ns}/things/a"),
    ),
    script(
        "what of a definition may change",
        "CRD-4 ERR-1",
        *defined(definition(names={"plural": "things", "kind": "Thing", "shortNames": ["th"]})),
        get(CRD, keep="a"),
        put(CRD, edited("a", {"metadata": {"resourceVersion": None}})),
        put(CRD, edited("a", {"spec": {"scope": "Cluster"}})),
        put(CRD, edited("a", {"spec": {"group": "other.example.com"}})),
        put(CRD, edited("a", {"spec": {"names": {"plural": "others"}}})),
        put(CRD, edited("a", {"spec": {"names": {"kind": "Other"}}})),
        put(CRD, edited("a", {"spec": {"names": {"listKind": "Other"}}}), only="spec names"),
        until(get(CRD, keep="c"), has={"status": {"acceptedNames": {"listKind": "Other"}}}),
        put(CRD, edited("c", {"spec": {"names": {"shortNames": ["tt"], "singular": "one"}}}), only="spec names"),
        until(get(CRD, keep="d"), has={"status": {"acceptedNames": {"shortNames": ["tt"], "singular": "one"}}}),
        put(CRD, edited("d", {"metadata": {"labels": {"x": "y"}}}), keep="e", only="metadata"),
        put(CRD, edited("e"), only="metadata"),
        put(CRD, edited("e", {"status": {"storedVersions": ["nope"]}}), only="status"),
        put(f"{CRD}/status", edited("e", {"spec": {"scope": "Cluster"}, "status": {"storedVersions": ["nope"]}})),
    ),
    script(
        "a schema that is not structural is refused",
        "CRD-5 ERR-1",
        *refused(
            schema({}),
            schema({"type": "string"}),
            schema({"properties": {"spec": {"type": "object"}}}),
            prop({}),
            prop({"properties": {"a": {"type": "string"}}}),
            prop({"type": "array"}),
            prop({"type": "array", "items": {}}),
            prop({"type": "array", "items": [{"type": "string"}]}),
            prop({"type": "nope"}),
            prop({"type": "null"}),
            prop(
                {"type": "object", "properties": {"a": {"type": "string"}}, "additionalProperties": {"type": "string"}}
            ),
            prop({"type": "object", "additionalProperties": False}),
            prop({"type": "object", "additionalProperties": True}),
            prop({"$ref": "#/definitions/x"}),
            prop({"type": "array", "uniqueItems": True, "items": {"type": "string"}}),
            prop({"type": "object", "patternProperties": {"a": {"type": "string"}}}),
            prop({"type": "object", "definitions": {"a": {"type": "string"}}}),
            prop({"type": "object", "dependencies": {"a": ["b"]}}),
            prop({"type": "object", "id": "x"}),
            prop({"type": "array", "items": {"type": "string"}, "additionalItems": False}),
            prop({"type": "object", "anyOf": [{"type": "string"}]}),
            prop({"type": "object", "allOf": [{"properties": {"a": {"type": "string"}}}]}),
            prop({"type": "object", "oneOf": [{"properties": {"a": {"default": 1}}}]}),
            prop({"type": "object", "not": {"properties": {"a": {"nullable": True}}}}),
            prop({"type": "object", "anyOf": [{"description": "x"}]}),
            prop({"x-kubernetes-int-or-string": True, "type": "integer"}),
            prop({"x-kubernetes-int-or-string": True, "anyOf": [{"type": "integer"}, {"type": "string"}]}),
            prop({"x-kubernetes-preserve-unknown-fields": False, "type": "object"}),
            prop({"type": "string", "x-kubernetes-preserve-unknown-fields": True}),
            prop({"type": "string", "x-kubernetes-embedded-resource": True}),
            prop({"type": "object", "x-kubernetes-embedded-resource": True}),
        ),
    ),
    script(
        "values in a schema that are none",
        "CRD-5 CRD-7 ERR-1",
        *refused(
            prop({"type": "string", "pattern": "["}),
            prop({"type": "string", "pattern": "(?=x)"}),
            prop({"type": "string", "pattern": "a\\C"}),
            prop({"type": "string", "pattern": "\\Q\\C\\E|["}),
            prop({"type": "string", "minLength": -1}),
            prop({"type": "string", "format": "nope"}),
            prop({"type": "integer", "minimum": "x"}),
            prop({"type": "integer", "multipleOf": 0}),
            prop({"type": "string", "enum": []}),
            prop({"type": "string", "enum": ["a", "a"]}),
            prop({"type": "string", "enum": [1]}),
            prop({"type": "object", "required": [""]}),
            prop({"type": "object", "required": ["a", "a"]}),
            prop({"type": "string", "nullable": True, "enum": ["a"]}),
            prop({"type": "array", "x-kubernetes-list-type": "nope", "items": {"type": "string"}}),
            prop({"type": "array", "x-kubernetes-list-type": "map", "items": {"type": "object"}}),
            prop(
                {
                    "type": "array",
                    "x-kubernetes-list-type": "map",
                    "x-kubernetes-list-map-keys": ["a"],
                    "items": {"type": "string"},
                }
            ),
            prop(
                {
                    "type": "array",
                    "x-kubernetes-list-type": "map",
                    "x-kubernetes-list-map-keys": ["a"],
                    "items": {"type": "object", "properties": {"a": {"type": "string"}}},
                }
            ),
            prop(
                {
                    "type": "array",
                    "x-kubernetes-list-type": "map",
                    "x-kubernetes-list-map-keys": ["a", "a", "b"],
                    "items": {"type": "object", "required": ["a"], "properties": {"a": {"type": "object"}}},
                }
            ),
            prop({"type": "array", "x-kubernetes-list-type": "set", "items": {"type": "object"}}),
            prop({"type": "array", "x-kubernetes-list-map-keys": ["a"], "items": {"type": "string"}}),
            prop({"type": "object", "x-kubernetes-list-type": "set"}),
            prop({"type": "string", "x-kubernetes-map-type": "atomic"}),
            prop({"type": "object", "x-kubernetes-map-type": "nope"}),
            prop({"type": "object", "nope": 1}),
            prop({"type": ["object"]}),
            prop({"type": "string", "maxLength": "x"}),
            schema(
                {
                    "type": "object",
                    "properties": {"metadata": {"type": "object", "properties": {"labels": {"type": "object"}}}},
                }
            ),
            schema(
                {
                    "type": "object",
                    "properties": {
                        "metadata": {"type": "object", "properties": {"name": {"type": "string", "maxLength": 5}}}
                    },
                }
            ),
            schema({"type": "object", "properties": {"metadata": {"type": "string"}}}),
            schema({"type": "object", "properties": {"apiVersion": {"type": "integer"}, "kind": {"type": "object"}}}),
            schema({"type": "object", "nullable": True}),
            schema({"type": "object", "default": {}}),
        ),
    ),
    script(
        "defaults in a schema that are none",
        "CRD-6 ERR-1",
        *refused(
            prop({"type": "string", "default": 1}),
            prop({"type": "string", "default": None}),
            prop({"type": "string", "default": None, "nullable": True}),
            prop({"type": "string", "default": "x", "enum": ["a"]}),
            prop({"type": "object", "default": {"a": 1}}),
            prop({"type": "object", "default": {"a": 1}, "properties": {"a": {"type": "integer"}}}),
            prop({"type": "object", "default": {"b": 1}, "properties": {"a": {"type": "integer"}}}),
            prop({"type": "object", "default": {}, "required": ["a"], "properties": {"a": {"type": "integer"}}}),
            prop(
                {
                    "type": "object",
                    "default": {},
                    "required": ["a"],
                    "properties": {"a": {"type": "integer", "default": 1}},
                }
            ),
            prop({"type": "integer", "default": 200, "maximum": 100}),
            schema({"type": "object", "properties": {"metadata": {"type": "object", "default": {}}}}),
            schema({"type": "object", "properties": {"kind": {"type": "string", "default": "x"}}}),
        ),
    ),
    script(
        "subresources, columns and fields that are none",
        "CRD-9 CRD-12 ERR-1",
        *refused(
            definition(version(subresources={"nope": {}})),
            definition(version(subresources={"scale": {}})),
            definition(version(subresources={"scale": {"specReplicasPath": "x", "statusReplicasPath": ".spec.x"}})),
            definition(
                version(subresources={"scale": {"specReplicasPath": ".spec.x[0]", "statusReplicasPath": ".status.x"}})
            ),
            definition(
                version(
                    subresources={
                        "scale": {
                            "specReplicasPath": ".spec.x",
                            "statusReplicasPath": ".status.x",
                            "labelSelectorPath": ".x",
                        }
                    }
                )
            ),
            definition(version(additionalPrinterColumns=[{}])),
            definition(version(additionalPrinterColumns=[{"name": "A", "type": "nope", "jsonPath": ".x"}])),
            definition(version(additionalPrinterColumns=[{"name": "A", "type": "string", "jsonPath": "x"}])),
            definition(version(additionalPrinterColumns=[{"name": "A", "type": "string", "jsonPath": ".x[?(@.a]"}])),
            definition(
                version(additionalPrinterColumns=[{"name": "A", "type": "string", "format": "nope", "jsonPath": ".x"}])
            ),
            definition(version(additionalPrinterColumns=[{"name": "", "type": "string", "jsonPath": ".x"}])),
            definition(version(selectableFields=[{"jsonPath": ".spec.x"}])),
            definition(version(selectableFields=[{"jsonPath": ""}])),
            definition(version(properties={"a": {"type": "object"}}, selectableFields=[{"jsonPath": ".a"}])),
            definition(version(properties={"a": {"type": "number"}}, selectableFields=[{"jsonPath": ".a"}])),
            definition(
                version(properties={"a": {"type": "string"}}, selectableFields=[{"jsonPath": ".metadata.name"}])
            ),
            definition(
                version(properties={"a": {"type": "string"}}, selectableFields=[{"jsonPath": ".a"}, {"jsonPath": ".a"}])
            ),
            definition(
                version(
                    properties={f"a{at}": {"type": "string"} for at in range(9)},
                    selectableFields=[{"jsonPath": f".a{at}"} for at in range(9)],
                )
            ),
        ),
    ),
    script(
        "a definition of the wrong form",
        "CRD-1 ERR-1",
        *refused(
            {},
            {"metadata": {"name": "things.{group}"}},
            {**definition(), "spec": 1},
            {**definition(), "spec": None},
            {**definition(), "kind": "Nope"},
            {**definition(), "apiVersion": "apiextensions.k8s.io/v1beta1"},
            {**definition(), "nope": 1},
            {
                **definition(),
                "status": {"storedVersions": ["x"], "conditions": [{"type": "Established", "status": "True"}]},
            },
            {**definition(), "metadata": {"name": "things.{group}", "finalizers": ["x"]}},
            b"{",
        ),
        get(CRD),
        post("{crds}?dryRun=All&fieldValidation=Strict", {**definition(), "nope": 1}),
    ),
    script(
        "a definition is taken once",
        "CRD-1 ERR-1",
        *defined(definition()),
        post("{crds}", definition()),
        post("{crds}?dryRun=All", definition()),
        patch(CRD, "strategic", {"spec": {"names": {"shortNames": ["x"]}}}, only="spec names"),
        patch(CRD, "merge", {"spec": {"versions": []}}),
        put(f"{CRD}/nope", {}),
        get(f"{CRD}/scale"),
    ),
    script(
        "deleting a definition twice",
        "CRD-3 DEL-1",
        *defined(definition()),
        delete(f"{CRD}?dryRun=All"),
        delete(CRD, {"preconditions": {"uid": "00000000-0000-4000-8000-000000000001"}}),
        delete(CRD, {"propagationPolicy": "Foreground"}),
        delete("{crds}?labelSelector=no%3Done"),
    ),
)
