"""Shapes for the tests, and values that fit them."""

from typing import Any

from hypothesis import strategies as st

from kubewright.cluster.fields.openapi import custom_shape
from kubewright.cluster.fields.shape import Shape
from kubewright.cluster.registry.tracking import builtin_shapes

__all__ = ["SCHEMA", "configs", "filled", "names", "no_types", "thing"]

Document = dict[str, Any]


def no_types(name: str) -> bytes:
    """For schemas that refer to nothing but the metadata of objects."""
    assert name.endswith("ObjectMeta")
    return b'{"type":"object","properties":{"name":{"type":"string"}}}'


_ITEM: Document = {
    "type": "object",
    "properties": {
        "name": {"type": "string"},
        "port": {"type": "integer", "default": 80},
        "value": {"type": "string"},
        "inner": {"type": "object", "additionalProperties": {"type": "string"}},
    },
}
SCHEMA: Document = {
    "type": "object",
    "properties": {
        "text": {"type": "string"},
        "number": {"type": "integer"},
        "on": {"type": "boolean"},
        "struct": {"type": "object", "properties": {"a": {"type": "string"}, "b": {"type": "string"}}},
        "whole": {"type": "object", "x-kubernetes-map-type": "atomic", "additionalProperties": {"type": "string"}},
        "map": {"type": "object", "additionalProperties": {"type": "string"}},
        "list": {"type": "array", "items": {"type": "string"}},
        "set": {"type": "array", "x-kubernetes-list-type": "set", "items": {"type": "string"}},
        "keyed": {
            "type": "array",
            "x-kubernetes-list-type": "map",
            "x-kubernetes-list-map-keys": ["name"],
            "items": _ITEM,
        },
        "twice": {
            "type": "array",
            "x-kubernetes-list-type": "map",
            "x-kubernetes-list-map-keys": ["port", "name"],
            "items": _ITEM,
        },
        "free": {"type": "object", "x-kubernetes-preserve-unknown-fields": True},
    },
}


def thing() -> Shape:
    """The shape of an object with a `spec` of that schema."""
    return custom_shape({"type": "object", "properties": {"spec": SCHEMA}}, builtin_shapes())


names = st.sampled_from(["a", "b", "c", "d"])
_texts = st.sampled_from(["1", "2", "<&>", 'q"'])
_free = st.recursive(
    st.one_of(st.booleans(), st.integers(0, 2), _texts),
    lambda inner: st.one_of(
        st.lists(inner, min_size=1, max_size=2), st.dictionaries(names, inner, min_size=1, max_size=2)
    ),
    max_leaves=5,
)


def _specs(least: int) -> st.SearchStrategy[Document]:
    """Valid specs, whose containers hold at least so much."""
    inner = st.dictionaries(names, _texts, min_size=least, max_size=2)
    items = st.fixed_dictionaries({"name": names}, optional={"value": _texts, "inner": inner})
    struct: st.SearchStrategy[Document] = st.fixed_dictionaries({}, optional={"a": _texts, "b": _texts})
    return st.fixed_dictionaries(
        {},
        optional={
            "text": _texts,
            "number": st.integers(0, 2),
            "on": st.booleans(),
            "struct": struct.filter(lambda value: len(value) >= least),
            "whole": inner,
            "map": st.dictionaries(names, _texts, min_size=least, max_size=3),
            "list": st.lists(_texts, min_size=least, max_size=2),
            "set": st.lists(names, unique=True, min_size=least, max_size=3),
            "keyed": st.lists(items, unique_by=lambda item: str(item["name"]), min_size=least, max_size=3),
            "free": st.dictionaries(names, _free, min_size=least, max_size=2),
        },
    ).filter(lambda spec: len(spec) >= least)


def _object(spec: Document) -> Document:
    return {"apiVersion": "x/v1", "kind": "Thing", "metadata": {"name": "t"}, "spec": spec}


#: Whole objects.
configs = _specs(0).map(_object)
#: The same without anything that is empty: an empty list belongs to nobody, and so it stays when nobody wants it.
filled = _specs(1).map(_object)
