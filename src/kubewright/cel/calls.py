"""Calls that are written out: what is known of the arguments allows another closure than a call of the library.

Each takes the type that the call has and the code of its arguments, and gives the code of the call, or None: then the
library will do.
"""

from collections.abc import Callable
from functools import partial
from typing import Final

from kubewright.cel import operators
from kubewright.cel.access import index, optional_index, optional_select
from kubewright.cel.code import Code, Frame
from kubewright.cel.dispatch import dispatcher
from kubewright.cel.errors import ConstantError
from kubewright.cel.library.optionals import value_of
from kubewright.cel.library.regex import matcher
from kubewright.cel.reading import element, entry, entry_at, inner_type, inside, shaped
from kubewright.cel.types import Type, optional_of
from kubewright.cel.values import ABSENT, NONE, EvaluationError, Native, Optional

__all__ = ["SPECIAL"]


def _equal(type_: Type, a: Code, b: Code) -> Code:
    return Code(operators.equality(a, b, wanted=True), type_)


def _not_equal(type_: Type, a: Code, b: Code) -> Code:
    return Code(operators.equality(a, b, wanted=False), type_)


def _not(type_: Type, a: Code) -> Code:
    return Code(operators.negation(a), type_)


def _negative(type_: Type, a: Code) -> Code:
    return Code(operators.negative(a), type_)


def _in(type_: Type, a: Code, b: Code) -> Code:
    run = operators.membership(a, b)
    if run is None:
        key = a.value()
        if b.kind == "map" and a.kind == "string":
            mapping = b.run
            run = lambda frame: key(frame) in mapping(frame)  # noqa: E731 - one of three ways to the same name
        else:
            value = b.value()
            test = dispatcher("@in", ())
            run = lambda frame: test(key(frame), value(frame))  # noqa: E731
    return Code(run, type_)


def _size(type_: Type, a: Code) -> Code | None:
    if a.kind not in ("list", "map", "string"):
        return None
    run = a.run
    return Code(lambda frame: len(run(frame)), type_)


def _matches(type_: Type, text: Code, pattern: Code) -> Code | None:
    if not pattern.constant or text.kind != "string" or text.constant:
        return None
    match = _pattern(pattern)
    if match is None:
        return None
    run = text.run
    return Code(lambda frame: match(run(frame)), type_)


def _find(type_: Type, text: Code, pattern: Code, *count: Code) -> Code | None:
    _pattern(pattern)
    return None


def _pattern(pattern: Code) -> Callable[[str], bool] | None:
    """A constant pattern; None if it is none, or is no pattern but only will be found so at run time."""
    if not pattern.constant or type(pattern.known) is not str:
        return None
    try:
        return matcher(pattern.known)
    except EvaluationError as error:
        if pattern.literal:
            raise ConstantError(str(error)) from None
        return None


def _text_test(function: str, type_: Type, text: Code, part: Code) -> Code | None:
    if text.kind != "string" or part.kind != "string":
        return None
    run, other = text.run, part.run
    match function, part.constant:
        case "startsWith", True:
            known = part.known
            return Code(lambda frame: run(frame).startswith(known), type_)
        case "endsWith", True:
            known = part.known
            return Code(lambda frame: run(frame).endswith(known), type_)
        case "contains", True:
            known = part.known
            return Code(lambda frame: known in run(frame), type_)
        case "contains", False:
            # In this order: the first error is the one that is told.
            return Code(lambda frame: _holds(run(frame), other(frame)), type_)
    return None


def _index(type_: Type, operand: Code, key: Code) -> Code:
    raw = operand.raw
    at = key.value()
    if operand.kind == "list" and key.kind == "int":
        found = element(operand.run, at)
        return Code(found, type_) if raw is None else shaped(found, raw.params[0], inner_type(type_))
    if operand.kind == "map" and key.kind == "string":
        run = operand.run
        found = entry(run, key.known) if key.constant else entry_at(run, at)
        return Code(found, type_) if raw is None else shaped(found, raw.params[1], inner_type(type_))
    value = operand.value()
    return Code(lambda frame: index(value(frame), at(frame)), type_)


def _optional_index(type_: Type, operand: Code, key: Code) -> Code:
    value, at = operand.value(), key.value()
    return Code(lambda frame: optional_index(value(frame), at(frame)), type_)


def _optional_select(type_: Type, operand: Code, name: Code) -> Code:
    raw, field = operand.raw, name.known
    chained = raw is not None and raw.kind == "opaque"
    holder = raw.params[0] if raw is not None and chained else raw
    if holder is not None and holder.kind == "struct" and field in (holder.fields or {}):
        declared = (holder.fields or {})[field]
        run, key = operand.run, declared.name
        shape, convert = inside(declared.type)

        def find(frame: Frame) -> Optional:
            found = run(frame)
            if chained:
                found = found.value
            found = found.get(key) if type(found) is dict else None
            if found is None:
                return NONE
            return Optional(found if convert is None else convert(found))

        return Code(find, type_, raw=None if shape is None else optional_of(shape))
    value = operand.value()
    return Code(lambda frame: optional_select(value(frame), field), type_)


def _optional_of(type_: Type, a: Code) -> Code | None:
    if a.raw is None:
        return None
    run = a.run
    return Code(lambda frame: Optional(run(frame)), type_, raw=optional_of(a.raw))


def _value(type_: Type, a: Code) -> Code | None:
    if a.raw is None:
        return None
    run = a.run
    return Code(lambda frame: value_of(run(frame)), type_, raw=a.raw.params[0])


def _or(type_: Type, a: Code, b: Code) -> Code:
    same = a.raw is not None and b.raw is not None and a.raw.params[0] is b.raw.params[0]
    first, second = (a.run, b.run) if same else (a.value(), b.value())

    def run(frame: Frame) -> Native:
        value = first(frame)
        return second(frame) if type(value) is Optional and value.value is ABSENT else value

    return Code(run, type_, raw=a.raw if same else None)


def _or_value(type_: Type, a: Code, b: Code) -> Code:
    same = a.raw is not None and a.raw.params[0] is b.raw
    first, second = (a.run, b.run) if same else (a.value(), b.value())

    def run(frame: Frame) -> Native:
        value = first(frame)
        if type(value) is not Optional:
            return value
        return second(frame) if value.value is ABSENT else value.value

    return Code(run, type_, raw=b.raw if same else None)


def _holds(text: str, part: str) -> bool:
    """`text.contains(part)`."""
    return part in text


#: Calls that need not go through a library, or may not; None from them means that the library will do.
SPECIAL: Final[dict[str, Callable[..., Code | None]]] = {
    "_==_": _equal,
    "_!=_": _not_equal,
    "!_": _not,
    "-_": _negative,
    "@in": _in,
    "_[_]": _index,
    "_[?_]": _optional_index,
    "_?._": _optional_select,
    "size": _size,
    "matches": _matches,
    "find": _find,
    "findAll": _find,
    "startsWith": partial(_text_test, "startsWith"),
    "endsWith": partial(_text_test, "endsWith"),
    "contains": partial(_text_test, "contains"),
    "optional.of": _optional_of,
    "value": _value,
    "or": _or,
    "orValue": _or_value,
}
