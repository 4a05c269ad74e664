"""Every marker of controller-gen in our spelling, and what it gives: the proof of the table in `docs/markers.md`."""

import re
from enum import Enum
from pathlib import Path
from typing import Annotated, Any, Literal

import pytest

import kubewright as kw
from kubewright.model.meta import ModelMeta
from kubewright.model.resource import ResourceMeta
from kubewright.schema.crd import crd_of
from kubewright.schema.types import QUANTITY_PATTERN, schema_of


class Color(Enum):
    RED = "red"
    BLUE = "blue"


class Item(kw.Model):
    name: str
    size: int = 1


class Inner(kw.Model):
    a: str | None = None
    b: str | None = None


class Spec(kw.Model):
    replicas: int = 1
    color: str = ""


class State(kw.Status):
    replicas: int = 0
    selector: str = ""


def field(annotation: Any, default: Any = ..., name: str = "x") -> dict[str, Any]:
    """The schema of a field with that annotation."""
    body: dict[str, Any] = {"__annotations__": {name: annotation}, "__module__": __name__}
    if default is not ...:
        body[name] = default
    schema = schema_of(ModelMeta("M", (kw.Model,), body))
    found: dict[str, Any] = schema["properties"][name]
    return found | {"required": name in schema.get("required", [])}


def struct(*markers: Any) -> dict[str, Any]:
    """The schema of a class with those markers."""
    cls = ModelMeta("M", (Inner,), {"__annotations__": {}, "__module__": __name__}, markers=markers)
    return schema_of(cls)


def resource(body: dict[str, Any], **line: Any) -> Any:
    """A kind with that class line."""
    return ResourceMeta("Web", (kw.Resource,), {"__module__": __name__, **body}, **line)


def kind(**line: Any) -> dict[str, Any]:
    """The CRD of such a kind, with a spec and a status."""
    body = {
        "__annotations__": {"spec": Spec, "status": State},
        "status": kw.field(default_factory=State),
    }
    return crd_of(resource(body, **{"group": "web.example.com", "version": "v1", **line}))


def version(**line: Any) -> dict[str, Any]:
    """The one version of that CRD."""
    found: dict[str, Any] = kind(**line)["spec"]["versions"][0]
    return found


def rule(schema: dict[str, Any]) -> str:
    """The CEL of a schema's only rule."""
    (only,) = schema["x-kubernetes-validations"]
    text: str = only["rule"]
    return text


INT_OR_STRING = {"anyOf": [{"type": "integer"}, {"type": "string"}], "x-kubernetes-int-or-string": True}

#: Marker → (what we made of it, what it must contain).
ROWS: dict[str, tuple[Any, Any]] = {
    "groupName": (kind(group="a.example.com")["spec"], {"group": "a.example.com"}),
    "versionName": (version(version="v1beta1"), {"name": "v1beta1"}),
    "kubebuilder:resource:path": (kind(plural="webz")["spec"]["names"], {"plural": "webz"}),
    "kubebuilder:resource:singular": (kind(singular="wob")["spec"]["names"], {"singular": "wob"}),
    "kubebuilder:resource:shortName": (kind(short_names=["ws"])["spec"]["names"], {"shortNames": ["ws"]}),
    "kubebuilder:resource:categories": (kind(categories=["all"])["spec"]["names"], {"categories": ["all"]}),
    "kubebuilder:resource:scope": (kind(scope="Cluster")["spec"], {"scope": "Cluster"}),
    "kubebuilder:storageversion": (version(storage=True), {"storage": True}),
    "kubebuilder:unservedversion": (
        crd_of(
            resource({}, group="a.b", version="v1", storage=True),
            resource({}, group="a.b", version="v2", served=False),
        )["spec"]["versions"][1],
        {"name": "v2", "served": False, "storage": False},
    ),
    "kubebuilder:deprecatedversion": (version(deprecated=True), {"deprecated": True}),
    "kubebuilder:deprecatedversion:warning": (
        version(deprecated="use v2"),
        {"deprecated": True, "deprecationWarning": "use v2"},
    ),
    "kubebuilder:subresource:status": (version(), {"subresources": {"status": {}}}),
    "kubebuilder:subresource:scale": (
        version(scale=kw.Scale(".spec.replicas", ".status.replicas", ".status.selector"))["subresources"],
        {
            "scale": {
                "specReplicasPath": ".spec.replicas",
                "statusReplicasPath": ".status.replicas",
                "labelSelectorPath": ".status.selector",
            }
        },
    ),
    "kubebuilder:printcolumn": (
        version(columns=[kw.Column("Replicas", ".spec.replicas", description="How many.", format="int32", priority=1)]),
        {
            "additionalPrinterColumns": [
                {
                    "name": "Replicas",
                    "type": "integer",
                    "jsonPath": ".spec.replicas",
                    "description": "How many.",
                    "format": "int32",
                    "priority": 1,
                }
            ]
        },
    ),
    "kubebuilder:selectablefield": (
        version(selectable_fields=[".spec.color"]),
        {"selectableFields": [{"jsonPath": ".spec.color"}]},
    ),
    "kubebuilder:metadata:labels": (kind(labels={"a": "b"})["metadata"], {"labels": {"a": "b"}}),
    "kubebuilder:metadata:annotations": (kind(annotations={"a": "b"})["metadata"], {"annotations": {"a": "b"}}),
    "kubebuilder:externalDocs": (
        field(Annotated[str, kw.ExternalDocs("https://example.com", "More.")]),
        {"externalDocs": {"url": "https://example.com", "description": "More."}},
    ),
    "kubebuilder:validation:Maximum": (field(Annotated[int, kw.Maximum(5)]), {"maximum": 5}),
    "kubebuilder:validation:Minimum": (field(Annotated[int, kw.Minimum(5)]), {"minimum": 5}),
    "kubebuilder:validation:ExclusiveMaximum": (
        field(Annotated[int, kw.Maximum(5, exclusive=True)]),
        {"maximum": 5, "exclusiveMaximum": True},
    ),
    "kubebuilder:validation:ExclusiveMinimum": (
        field(Annotated[int, kw.Minimum(5, exclusive=True)]),
        {"minimum": 5, "exclusiveMinimum": True},
    ),
    "kubebuilder:validation:MultipleOf": (field(Annotated[int, kw.MultipleOf(5)]), {"multipleOf": 5}),
    "kubebuilder:validation:MinProperties": (
        field(Annotated[dict[str, str], kw.MinProperties(1)]),
        {"minProperties": 1},
    ),
    "kubebuilder:validation:MaxProperties": (
        field(Annotated[dict[str, str], kw.MaxProperties(2)]),
        {"maxProperties": 2},
    ),
    "kubebuilder:validation:MinLength": (field(Annotated[str, kw.MinLength(1)]), {"minLength": 1}),
    "kubebuilder:validation:MaxLength": (field(Annotated[str, kw.MaxLength(2)]), {"maxLength": 2}),
    "kubebuilder:validation:Pattern": (field(Annotated[str, kw.Pattern("^a$")]), {"pattern": "^a$"}),
    "kubebuilder:validation:MinItems": (field(Annotated[list[str], kw.MinItems(1)]), {"minItems": 1}),
    "kubebuilder:validation:MaxItems": (field(Annotated[list[str], kw.MaxItems(2)]), {"maxItems": 2}),
    # The server refuses `uniqueItems`; a set is how a list says that nothing stands in it twice.
    "kubebuilder:validation:UniqueItems": (
        field(Annotated[list[str], kw.ListSet()]),
        {"x-kubernetes-list-type": "set"},
    ),
    "kubebuilder:validation:Enum": (field(Literal["a", "b"]), {"type": "string", "enum": ["a", "b"]}),
    "k8s:enum": (field(Color), {"type": "string", "enum": ["red", "blue"]}),
    "kubebuilder:validation:Format": (field(Annotated[str, kw.Format("ipv4")]), {"format": "ipv4"}),
    "kubebuilder:validation:Type": (
        field(Annotated[Any, kw.Schemaless(), kw.SchemaType("string")]),
        {"type": "string"},
    ),
    "kubebuilder:validation:XPreserveUnknownFields": (
        field(Annotated[Inner, kw.PreserveUnknown()]),
        {"type": "object", "x-kubernetes-preserve-unknown-fields": True},
    ),
    "kubebuilder:pruning:PreserveUnknownFields": (
        struct(kw.PreserveUnknown()),
        {"x-kubernetes-preserve-unknown-fields": True},
    ),
    "kubebuilder:validation:XEmbeddedResource": (
        field(Annotated[dict[str, Any], kw.EmbeddedResource()]),
        {"type": "object", "x-kubernetes-embedded-resource": True, "x-kubernetes-preserve-unknown-fields": True},
    ),
    "kubebuilder:validation:EmbeddedResource": (
        field(Annotated[Any, kw.EmbeddedResource()]),
        {"type": "object", "x-kubernetes-embedded-resource": True, "x-kubernetes-preserve-unknown-fields": True},
    ),
    "kubebuilder:validation:XIntOrString": (field(kw.IntOrString), INT_OR_STRING),
    "kubebuilder:validation:XValidation": (
        field(
            Annotated[
                int,
                kw.CEL(
                    "self > 0",
                    "no",
                    message_expression="'n'",
                    reason="FieldValueForbidden",
                    field_path=".a",
                    optional_old_self=True,
                ),
            ]
        ),
        {
            "x-kubernetes-validations": [
                {
                    "rule": "self > 0",
                    "message": "no",
                    "messageExpression": "'n'",
                    "reason": "FieldValueForbidden",
                    "fieldPath": ".a",
                    "optionalOldSelf": True,
                }
            ]
        },
    ),
    "kubebuilder:validation:items": (
        field(list[Annotated[str, kw.MinLength(1)]])["items"],
        {"type": "string", "minLength": 1},
    ),
    "kubebuilder:validation:AtMostOneOf": (
        rule(struct(kw.AtMostOneOf("a", "b"))),
        "(has(self.a) ? 1 : 0) + (has(self.b) ? 1 : 0) <= 1",
    ),
    "kubebuilder:validation:ExactlyOneOf": (
        rule(struct(kw.ExactlyOneOf("a", "b"))),
        "(has(self.a) ? 1 : 0) + (has(self.b) ? 1 : 0) == 1",
    ),
    "kubebuilder:validation:AtLeastOneOf": (rule(struct(kw.AtLeastOneOf("a", "b"))), "has(self.a) || has(self.b)"),
    "required": (field(str), {"required": True}),
    "optional": (field(str | None, None), {"required": False}),
    "nullable": (field(Annotated[str | None, kw.Nullable()]), {"nullable": True}),
    "default": (field(int, 3), {"default": 3, "required": False}),
    "kubebuilder:default": (field(Annotated[int | None, kw.Default(3)], None), {"default": 3, "required": False}),
    "kubebuilder:example": (field(Annotated[int, kw.Example(3)]), {"example": 3}),
    "kubebuilder:title": (field(Annotated[int, kw.Title("Size")]), {"title": "Size"}),
    "kubebuilder:validation:Schemaless": (
        field(Annotated[Inner, kw.Schemaless(), kw.PreserveUnknown()]),
        {"x-kubernetes-preserve-unknown-fields": True},
    ),
    "k8s:immutable": (rule(field(Annotated[str, kw.Immutable()])), "self == oldSelf"),
    "listType=map": (
        field(Annotated[list[Item], kw.ListMap("name")]),
        {"x-kubernetes-list-type": "map", "x-kubernetes-list-map-keys": ["name"]},
    ),
    "listType=set": (field(Annotated[list[str], kw.ListSet()]), {"x-kubernetes-list-type": "set"}),
    "listType=atomic": (field(Annotated[list[str], kw.Atomic()]), {"x-kubernetes-list-type": "atomic"}),
    "mapType=granular": (field(Annotated[dict[str, str], kw.Granular()]), {"x-kubernetes-map-type": "granular"}),
    "mapType=atomic": (field(Annotated[dict[str, str], kw.Atomic()]), {"x-kubernetes-map-type": "atomic"}),
    "structType=granular": (struct(kw.Granular()), {"x-kubernetes-map-type": "granular"}),
    "structType=atomic": (struct(kw.Atomic()), {"x-kubernetes-map-type": "atomic"}),
    "type Quantity": (field(kw.Quantity), {**INT_OR_STRING, "pattern": QUANTITY_PATTERN}),
    "type Duration": (field(kw.Duration), {"type": "string"}),
    "type Time": (field(kw.Time), {"type": "string", "format": "date-time"}),
    "type RawExtension": (
        field(dict[str, Any]),
        {"type": "object", "x-kubernetes-preserve-unknown-fields": True},
    ),
    "type JSON": (field(Any), {"x-kubernetes-preserve-unknown-fields": True}),
    "type []byte": (field(bytes), {"type": "string", "format": "byte"}),
    "type int32": (field(kw.Int32), {"type": "integer", "format": "int32"}),
    "type float64": (field(kw.Number), {"type": "number"}),
    "type map": (
        field(dict[str, int]),
        {"type": "object", "additionalProperties": {"type": "integer", "format": "int64"}},
    ),
}


@pytest.mark.parametrize("marker", ROWS)
def test_row(marker: str) -> None:
    made, wanted = ROWS[marker]
    if isinstance(wanted, str):
        assert made == wanted
    else:
        assert {key: made.get(key) for key in wanted} == wanted


def test_the_table_in_the_docs_has_these_rows_and_no_others() -> None:
    text = (Path(__file__).parents[2] / "docs" / "markers.md").read_text()
    rows = re.findall(r"^\| `([^`]+)` \| .+ \| `test_row\[\1\]` \|$", text, re.MULTILINE)
    assert rows == list(ROWS)
