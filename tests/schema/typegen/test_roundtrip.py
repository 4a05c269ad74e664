"""There and back: types made from a schema give that schema again."""

import json
from collections.abc import Callable, Iterator
from enum import Enum
from types import ModuleType
from typing import Annotated, Any, Literal, Optional

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

import kubewright as kw
from kubewright.model.resource import ResourceMeta
from kubewright.schema.crd import crd_of
from kubewright.schema.typegen import types_from_crd
from kubewright.schema.types import QUANTITY_PATTERN, schema_of

Load = Callable[[str], ModuleType]
Schema = dict[str, Any]


def crd_with(schema: Schema) -> dict[str, Any]:
    """A CRD whose only version has that schema."""
    return {
        "apiVersion": "apiextensions.k8s.io/v1",
        "kind": "CustomResourceDefinition",
        "metadata": {"name": "things.test.example.com"},
        "spec": {
            "group": "test.example.com",
            "names": {"kind": "Thing", "listKind": "ThingList", "plural": "things", "singular": "thing"},
            "scope": "Namespaced",
            "versions": [
                {"name": "v1", "served": True, "storage": True, "schema": {"openAPIV3Schema": schema}},
            ],
        },
    }


ENVELOPE: Schema = {"apiVersion": {"type": "string"}, "kind": {"type": "string"}, "metadata": {"type": "object"}}


def differences(made: Any, wanted: Any, path: str = "") -> Iterator[str]:
    """Where two schemas differ, but for the order of keywords, of required names and of choices."""
    if isinstance(made, dict) and isinstance(wanted, dict):
        for key in sorted(made.keys() | wanted.keys()):
            if key not in made or key not in wanted:
                yield f"{path}/{key} is only in the {'original' if key in wanted else 'copy'}"
            else:
                yield from differences(made[key], wanted[key], f"{path}/{key}")
    elif isinstance(made, list) and isinstance(wanted, list) and path.endswith("/versions"):
        yield from differences({each["name"]: each for each in made}, {each["name"]: each for each in wanted}, path)
    elif path.endswith(("/required", "/enum")):
        if sorted(map(repr, made)) != sorted(map(repr, wanted)):
            yield f"{path}: {made!r} was {wanted!r}"
    elif json.dumps(made, sort_keys=True) != json.dumps(wanted, sort_keys=True):
        yield f"{path}: {made!r} was {wanted!r}"


# -- random schemas: whatever a CRD can say

NAMES = st.one_of(
    st.sampled_from(
        ["a", "fooBar", "foo_bar", "foo-bar", "hostIP", "podIPs", "class", "from", "list", "int", "kw", "field", "str",
         "model", "self", "cls", "name", "type", "kind", "apiVersion", "metadata", "spec", "status", "conditions",
         "condition", "set", "openAPIV3Schema", "$ref", "x-y", "1st", "Größe", "日本", "A", "aB", "AB", "_raw", "~raw",
         "Any", "Literal", "datetime", "__init__", "None", "True"]
    ),
    st.text(min_size=1, max_size=6),
)  # fmt: skip
TEXTS = st.one_of(
    st.sampled_from(["Plain words.", "Two\n\nparagraphs", 'a "quoted" \\ text"', ' """ ', "tab\there", "x" * 130]),
    st.text(min_size=1, max_size=30),
)
JSON = st.recursive(
    st.one_of(st.none(), st.booleans(), st.integers(-5, 5), st.text(max_size=5)),
    lambda inner: st.one_of(st.lists(inner, max_size=3), st.dictionaries(st.text(max_size=4), inner, max_size=3)),
    max_leaves=4,
)
COUNT = st.integers(0, 9)
NUMBER = st.one_of(st.integers(-9, 9), st.floats(-9, 9, allow_nan=False))
PLACE: dict[str, st.SearchStrategy[Any]] = {
    "description": TEXTS,
    "title": TEXTS,
    "nullable": st.just(True),
    "example": JSON,
    "externalDocs": st.fixed_dictionaries({"url": TEXTS}, optional={"description": TEXTS}),
    "x-kubernetes-validations": st.lists(
        st.fixed_dictionaries(
            {"rule": TEXTS},
            optional={
                "message": TEXTS,
                "messageExpression": TEXTS,
                "reason": st.just("FieldValueInvalid"),
                "fieldPath": TEXTS,
                "optionalOldSelf": st.booleans(),
            },
        ),
        min_size=1,
        max_size=2,
    ),
    "not": st.just({"enum": [1]}),
    "anyOf": st.just([{"minimum": 3}, {"pattern": "^x"}]),
    "allOf": st.just([{"maximum": 3}]),
    "oneOf": st.just([{"required": ["a"]}, {"required": ["b"]}]),
}


def node(kind: dict[str, Any], **optional: st.SearchStrategy[Any]) -> st.SearchStrategy[Schema]:
    return st.fixed_dictionaries({key: st.just(value) for key, value in kind.items()}, optional={**PLACE, **optional})


def ordered_bounds(schema: Schema) -> Schema:
    """Bounds that leave something between them: others are refused when the class is defined."""
    for low, high in (("minimum", "maximum"), *((f"min{of}", f"max{of}") for of in ("Length", "Items", "Properties"))):
        if low in schema and high in schema and schema[low] > schema[high]:
            schema[low], schema[high] = schema[high], schema[low]
    return schema


NUMERIC: dict[str, st.SearchStrategy[Any]] = {
    "minimum": NUMBER,
    "maximum": NUMBER,
    "exclusiveMinimum": st.booleans(),
    "exclusiveMaximum": st.booleans(),
    "multipleOf": st.integers(1, 5),
    "format": st.sampled_from(["int32", "int64", "float", "double"]),
}
SCALARS = st.one_of(
    node(
        {"type": "string"},
        minLength=COUNT,
        maxLength=COUNT,
        pattern=st.sampled_from(["^a$", r"^\d+$", 'a"b', "a\\"]),
        format=st.sampled_from(["date-time", "byte", "ipv4", "password"]),
        enum=st.lists(st.text(max_size=3), min_size=1, max_size=3, unique=True),
        default=JSON,
    ),
    node({"type": "integer"}, enum=st.lists(st.integers(0, 5), min_size=1, unique=True), default=JSON, **NUMERIC),
    node({"type": "number"}, enum=st.lists(NUMBER, min_size=1), default=JSON, **NUMERIC),
    node({"type": "boolean"}, default=JSON, enum=st.just([True])),
    node({"x-kubernetes-preserve-unknown-fields": True}, default=JSON),
    node(
        {"type": "object", "x-kubernetes-preserve-unknown-fields": True},
        default=JSON,
        **{"x-kubernetes-embedded-resource": st.just(True)},
    ),
    node({"type": "object", "additionalProperties": True}, default=JSON),
    node({"x-kubernetes-int-or-string": True}, default=JSON),
    st.fixed_dictionaries(
        {
            "x-kubernetes-int-or-string": st.just(True),
            "anyOf": st.just([{"type": "integer"}, {"type": "string"}]),
        },
        optional={
            "pattern": st.just(QUANTITY_PATTERN),
            "default": st.sampled_from(["1Gi", "01", 1, "no", None, "0.5"]),
        },
    ),
    st.just(schema_of(kw.Condition)),
)


def objects(inner: st.SearchStrategy[Schema]) -> st.SearchStrategy[Schema]:
    return st.fixed_dictionaries(
        {"type": st.just("object"), "properties": st.dictionaries(NAMES, inner, min_size=1, max_size=4)},
        optional={
            **PLACE,
            "default": JSON,
            "required": st.lists(NAMES, min_size=1, max_size=3, unique=True),
            "minProperties": COUNT,
            "x-kubernetes-map-type": st.sampled_from(["atomic", "granular"]),
            "x-kubernetes-preserve-unknown-fields": st.just(True),
            "x-kubernetes-embedded-resource": st.just(True),
        },
    ).map(keep_some_required)


def keep_some_required(schema: Schema) -> Schema:
    """Mostly names that exist, so that requiring is tried."""
    if "required" in schema:
        schema["required"] = sorted({*schema["required"], next(iter(schema["properties"]))})
    return schema


def containers(inner: st.SearchStrategy[Schema]) -> st.SearchStrategy[Schema]:
    keyed = objects(inner).map(
        lambda schema: {
            **schema,
            "properties": {**schema["properties"], "name": {"type": "string"}, "hostIP": {"type": "integer"}},
        }
    )
    return st.one_of(
        st.fixed_dictionaries(
            {"type": st.just("array"), "items": inner},
            optional={
                **PLACE,
                "default": JSON,
                "minItems": COUNT,
                "maxItems": COUNT,
                "x-kubernetes-list-type": st.sampled_from(["atomic", "set"]),
            },
        ),
        st.fixed_dictionaries(
            {
                "type": st.just("array"),
                "items": keyed,
                "x-kubernetes-list-type": st.just("map"),
                "x-kubernetes-list-map-keys": st.sampled_from([["name"], ["hostIP", "name"]]),
            }
        ),
        st.fixed_dictionaries(
            {"type": st.just("object"), "additionalProperties": inner},
            optional={**PLACE, "default": JSON, "maxProperties": COUNT, "x-kubernetes-map-type": st.just("atomic")},
        ),
        objects(inner),
    ).map(ordered_bounds)


NODES = st.recursive(SCALARS.map(ordered_bounds), containers, max_leaves=8)
STATUSES = st.dictionaries(NAMES, SCALARS.map(ordered_bounds), max_size=3).map(
    lambda more: {"type": "object", "properties": {**more, **schema_of(kw.Status)["properties"]}}
)


@given(
    properties=st.dictionaries(st.sampled_from(["spec", "data", "status", "default", "kinds"]), NODES, max_size=3),
    status=st.one_of(st.none(), STATUSES),
    description=st.one_of(st.none(), TEXTS),
)
def test_types_made_from_any_schema_give_that_schema_back(
    properties: dict[str, Schema], status: Schema | None, description: str | None, load: Load
) -> None:
    schema: Schema = {"type": "object", "properties": {**ENVELOPE, **properties}}
    if status:
        schema["properties"]["status"] = status
    if description:
        schema["description"] = description
    source = types_from_crd(crd_with(schema))["v1"]
    assert list(differences(schema_of(load(source).Thing), schema)) == []


# -- random models: whatever a type can say


class Color(Enum):
    RED = "red"
    BLUE = "blue"


def marked(annotation: Any, *markers: Any) -> st.SearchStrategy[Any]:
    """The type alone, or with some of the markers."""
    return st.lists(st.sampled_from(markers), unique_by=type, max_size=3).map(
        lambda chosen: Annotated[annotation, *chosen] if chosen else annotation
    )


ANYWHERE = (
    kw.Title("T"),
    kw.Description("Words."),
    kw.Example("x"),
    kw.Immutable(),
    kw.CEL("self == self", message="m"),
)
TYPES = st.one_of(
    marked(str, kw.MinLength(1), kw.MaxLength(9), kw.Pattern(r"^\w+$"), kw.Format("ipv4"), *ANYWHERE),
    marked(int, kw.Range(0, 9), kw.MultipleOf(3), *ANYWHERE),
    marked(int, kw.Minimum(0, exclusive=True), kw.Maximum(9), kw.Format("")),
    marked(kw.Int32, kw.Maximum(9, exclusive=True)),
    marked(kw.Number, kw.Minimum(0.5), kw.Format("double")),
    marked(bool, *ANYWHERE),
    *map(st.just, (kw.Time, kw.MicroTime, bytes, kw.Quantity, kw.Duration, kw.IntOrString, Any, dict[str, Any])),
    *map(st.just, (Color, Literal["a", "b"], Literal[1, 2], kw.ObjectMeta, list[kw.Condition])),
    st.just(Annotated[dict[str, Any], kw.EmbeddedResource()]),
    st.just(Annotated[Any, kw.Schemaless(), kw.Fragment({"type": "string", "not": {"enum": ["x"]}})]),
)
FIELD_NAMES = st.sampled_from(["a", "foo_bar", "class_", "name", "pod_ip", "list_", "x2", "condition"])


@st.composite
def models(draw: st.DrawFn, inner: st.SearchStrategy[Any], base: Any = kw.Model) -> Any:
    """A Model class with a few fields of the inner types: required, optional, empty unless set, or nullable."""
    annotations: dict[str, Any] = {}
    body: dict[str, Any] = {"__module__": __name__, "__annotations__": annotations}
    if draw(st.booleans()):
        body["__doc__"] = "A class, described."
    for name in draw(st.lists(FIELD_NAMES, unique=True, max_size=4)):
        annotation = draw(inner)
        match draw(st.sampled_from(["required", "optional", "nullable", "required nullable"])):
            case "required":
                annotations[name] = annotation
            case "optional":
                annotations[name], body[name] = annotation | None if annotation is not Any else Any, None
            case "nullable":
                annotations[name], body[name] = Annotated[Optional[annotation], kw.Nullable()], None  # noqa: UP045
            case _:
                annotations[name] = Annotated[Optional[annotation], kw.Nullable()]  # noqa: UP045
    return type(base)("Part", (base,), body)


def richer(inner: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    return st.one_of(
        inner.map(lambda each: list[each]),  # type: ignore[valid-type]
        inner.map(lambda each: Annotated[list[each], kw.Atomic(), kw.MaxItems(4)]),  # type: ignore[valid-type]
        inner.map(lambda each: dict[str, each]),  # type: ignore[valid-type]
        models(inner),
    )


@pytest.mark.filterwarnings("ignore::kubewright.RuleCostWarning")
@given(
    spec=models(st.recursive(TYPES, richer, max_leaves=6)),
    status=models(TYPES, base=kw.Status),
    options=st.fixed_dictionaries(
        {},
        optional={
            "scope": st.just("Cluster"),
            "plural": st.just("thingies"),
            "short_names": st.just(["th"]),
            "categories": st.just(["all", "tests"]),
            "served": st.just(True),
            "deprecated": st.sampled_from([True, "use something else"]),
            "status_subresource": st.booleans(),
            "labels": st.just({"a": "b"}),
            "annotations": st.just({"example.com/note": 'with "quotes"'}),
        },
    ),
)
def test_types_made_from_the_crd_of_any_type_give_that_crd_back(
    spec: Any, status: Any, options: dict[str, Any], load: Load
) -> None:
    body = {"__module__": __name__, "__annotations__": {"spec": spec, "status": status}}
    body["status"] = kw.field(default_factory=status)
    kind: Any = ResourceMeta("Thing", (kw.Resource,), body, group="test.example.com", version="v1", **options)
    try:
        crd = crd_of(kind)
    except kw.DefinitionError as error:
        assume("looks at the old value" not in str(error))  # an immutable item of a list that is no map
        raise
    made = load(types_from_crd(crd)["v1"])
    assert list(differences(crd_of(made.Thing), crd)) == []
