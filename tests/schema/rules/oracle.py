"""An oracle: rules as CEL, on what the API server would show them.

`admitted` does to a document what the server does before rules run: null is absent unless it is allowed, defaults are
filled in. `answer` evaluates a rule on it with our own engine, which has tests of its own against another's.
"""

import base64
from datetime import datetime
from functools import cache
from typing import Any

from hypothesis import strategies as st

import kubewright as kw
from kubewright.cel.checker import check
from kubewright.cel.environment import rule_environment
from kubewright.cel.parser import parse
from kubewright.cel.program import Program
from kubewright.cel.schema import schema_type
from kubewright.cel.types import Type
from kubewright.model.codec import plain
from kubewright.model.fields import Field
from kubewright.model.meta import fields_of
from kubewright.model.shape import Choice, ListOf, MapOf, Scalar, Shape, StructOf
from kubewright.schema.rules import Rule
from kubewright.schema.types import schema_of

__all__ = ["admitted", "answer", "documents", "outcome"]

INT64 = (-(2**63), 2**63 - 1)


def outcome(rule: Rule, *objects: Any) -> bool | str:
    """What a rule says in Python, or that it raises."""
    try:
        return rule(*objects)
    except (ArithmeticError, LookupError, TypeError, ValueError, AttributeError):
        return "error"


# -- what the server makes of a document


def admitted(document: dict[str, Any], model: Any) -> dict[str, Any]:
    """A document without nulls that are not allowed, and with its defaults."""
    shown: dict[str, Any] = _admit(document, StructOf(annotation=model))
    return shown


def _admit(value: Any, shape: Shape) -> Any:
    if isinstance(shape, StructOf) and isinstance(value, dict):
        out: dict[str, Any] = {}
        for field in fields_of(shape.annotation):
            got = value.get(field.wire)
            if got is None and field.wire in value and field.shape.marker(kw.Nullable):
                out[field.wire] = None
            elif got is not None:
                out[field.wire] = _admit(got, field.shape)
            elif _defaulted(field):
                out[field.wire] = _admit(plain(field.declaration.default), field.shape)
        return out
    if isinstance(shape, ListOf):
        return [_admit(item, shape.item) for item in value]
    if isinstance(shape, MapOf):
        return {key: _admit(item, shape.value) for key, item in value.items()}
    return value


def _defaulted(field: Field) -> bool:
    declared = field.declaration
    return declared.has_default and declared.default_factory is None and declared.default is not None


# -- evaluation


@cache
def _type(model: Any) -> Type:
    found = schema_type(schema_of(model), root=issubclass(model, kw.Resource))
    assert found is not None
    return found


@cache
def _program(text: str, model: Any) -> Program:
    environment = rule_environment(_type(model))
    return Program(check(parse(text), environment), environment)


def answer(text: str, model: Any, document: dict[str, Any], old: dict[str, Any] | None = None) -> Any:
    """What a CEL expression says of a document, or that it errs."""
    found = _program(text, model).measure((document, old))
    return "error" if found.error is not None else found.value


# -- random documents

_LETTERS = st.sampled_from("abcxyz019,.-_ \n'\"\\é日😀\u0301\x7f")
_TEXT = st.one_of(
    st.sampled_from(["", "a", "b", "é", "a,b", "ab\n", "New", "red", "1--True"]), st.text(_LETTERS, max_size=5)
)
_INTS = st.one_of(
    st.integers(-10, 10), st.sampled_from([*INT64, INT64[0] + 1, INT64[1] // 2, -1, 0, 1, 65535]), st.integers(*INT64)
)
_FLOATS = st.one_of(st.sampled_from([0.0, -0.0, 1.0, 2.5, -1.5]), st.floats(-1e100, 1e100))
_QUANTITIES = st.one_of(
    st.integers(-5, 5),
    st.builds("{}{}".format, st.integers(-2000, 2000), st.sampled_from(["", "m", "k", "Mi", "Gi", "e3"])),
    st.just("1e1.5"),  # fits the schema's pattern, is none
)
_DURATIONS = st.one_of(
    st.builds("{}{}".format, st.integers(-9000, 9000), st.sampled_from(["h", "m", "s", "ms"])),
    st.sampled_from(["0", "1h30m", "90m", "soon", "", "2562047h47m16.8s"]),
)
_TIMES = st.datetimes(datetime(1, 1, 2), datetime(9999, 12, 30)).map(lambda time: time.isoformat() + "Z")
_SCALARS: dict[Any, st.SearchStrategy[Any]] = {
    str: _TEXT,
    int: _INTS,
    float: st.one_of(_FLOATS, st.integers(-3, 3)),
    bool: st.booleans(),
    datetime: st.one_of(_TIMES, st.sampled_from(["2020-01-01T00:00:00Z", "2020-01-01T01:00:00+01:00"])),
    # Not empty: the server takes "" for no base64.
    bytes: st.binary(min_size=1, max_size=3).map(lambda data: base64.b64encode(data.replace(b"\0", b"\1")).decode()),
    kw.Quantity: _QUANTITIES,
    kw.Duration: _DURATIONS,
    kw.IntOrString: st.one_of(_INTS, _TEXT, st.just("25%")),
}


def documents(model: Any) -> st.SearchStrategy[dict[str, Any]]:
    """Random documents that the schema of a model accepts: fields absent, null, empty, at the limits."""
    return _values(StructOf(annotation=model))


def _values(shape: Shape) -> st.SearchStrategy[Any]:
    if isinstance(shape, StructOf):
        required = {
            field.wire: st.one_of(_values(field.shape), st.none())
            if field.shape.marker(kw.Nullable)
            else _values(field.shape)
            for field in fields_of(shape.annotation)
            if field.required
        }
        optional = {
            field.wire: st.one_of(_values(field.shape), st.none())
            for field in fields_of(shape.annotation)
            if not field.required and field.name != "metadata"
        }
        return st.fixed_dictionaries(required, optional=optional)
    if isinstance(shape, ListOf):
        if shape.marker(kw.ListSet):
            return st.lists(_values(shape.item), max_size=3, unique=True)
        if shape.marker(kw.ListMap):
            return st.lists(_values(shape.item), max_size=3, unique_by=lambda item: item.get("name", item.get("type")))
        return st.lists(_values(shape.item), max_size=3)
    if isinstance(shape, MapOf):
        return st.dictionaries(st.sampled_from(["a", "b", "é", "cpu", "x.y/z"]), _values(shape.value), max_size=3)
    if isinstance(shape, Choice):
        return st.sampled_from(shape.values)
    assert isinstance(shape, Scalar)
    return _SCALARS[shape.python]
