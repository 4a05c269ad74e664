"""Documents of any built-in kind, drawn from its Go type: each field may be there, with a value of its type."""

from typing import Any

from hypothesis import strategies as st

from kubewright.cluster.wire.types import Type, kind_type, table
from kubewright.model.resource import GroupVersionKind

__all__ = ["kinds", "objects"]

_TEXT = st.text(st.characters(codec="utf-8"), max_size=6)
_JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**53), 2**53) | _TEXT,
    lambda inner: st.lists(inner, max_size=2) | st.dictionaries(_TEXT, inner, max_size=2),
    max_leaves=4,
)
_SPECIAL: dict[str, st.SearchStrategy[Any]] = {
    "meta/v1.Time": st.datetimes().map(lambda moment: moment.replace(microsecond=0).isoformat() + "Z") | st.none(),
    "meta/v1.MicroTime": st.datetimes().map(lambda moment: moment.isoformat(timespec="microseconds") + "Z"),
    "resource.Quantity": st.sampled_from(["0", "1", "100m", "1.5Gi", "12e3", "-1k", "12E99999"]),
    "intstr.IntOrString": st.integers(-(2**31), 2**31 - 1) | _TEXT,
    "meta/v1.FieldsV1": _JSON,
    "runtime.RawExtension": _JSON,
    "apiextensions/v1.JSON": _JSON,
}
_SCHEMAS = st.fixed_dictionaries({}, optional={"type": _TEXT, "minLength": st.integers(0, 9)})
_EITHER = {
    "OrBool": st.booleans() | _SCHEMAS,
    "OrArray": _SCHEMAS | st.lists(_SCHEMAS, min_size=1, max_size=2),
    "OrStringArray": _SCHEMAS | st.lists(_TEXT, min_size=1, max_size=2),
}
_BITS = {"int": 63, "int32": 31, "int64": 63, "uint8": 7}


def kinds() -> st.SearchStrategy[GroupVersionKind]:
    """Any kind that protobuf has."""
    found = [
        GroupVersionKind(api.rpartition("/")[0], api.rpartition("/")[2], kind)
        for api, kind in table().kinds
        if "Table" not in kind
    ]
    return st.sampled_from(found)


def objects(kind: GroupVersionKind) -> st.SearchStrategy[tuple[GroupVersionKind, Any]]:
    """A document of a kind, beside that kind."""
    return _struct(kind_type(kind.api_version, kind.kind), 7).map(lambda document: (kind, document))


def _struct(target: Type, depth: int) -> st.SearchStrategy[dict[str, Any]]:
    fields = {name: field for name, field in table().fields(target.name).items() if field.within != ("TypeMeta",)}

    @st.composite
    def draw(draw: st.DrawFn) -> dict[str, Any]:
        chosen = draw(st.lists(st.sampled_from([*fields]), max_size=5, unique=True)) if fields and depth else []
        return {name: draw(_value(fields[name].type, depth - 1)) for name in chosen}

    return draw()


def _value(target: Type, depth: int) -> st.SearchStrategy[Any]:
    if target.name in _SPECIAL:
        return _SPECIAL[target.name]
    if target.special:
        return _EITHER[target.name.partition("JSONSchemaProps")[2]]
    match target.kind:
        case "struct":
            return _struct(target, depth)
        case "ptr":
            assert target.item is not None
            return _value(target.item, depth)
        case "slice" if target.go == "[]uint8":
            return st.sampled_from(["", "AA==", "AAEC"])
        case "slice":
            assert target.item is not None
            return st.lists(_value(target.item, depth), max_size=2)
        case "map":
            assert target.item is not None
            return st.dictionaries(_TEXT, _value(target.item, depth), max_size=2)
        case "string":
            return _TEXT
        case "bool":
            return st.booleans()
        case "float64":
            return st.floats(allow_nan=False, allow_infinity=False)
    top = 2 ** _BITS[target.kind]
    return st.integers(0 if target.kind == "uint8" else -top, top - 1)
