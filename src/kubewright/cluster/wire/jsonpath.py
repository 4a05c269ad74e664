"""JSONPath as CRDs use it: `.status.conditions[?(@.type=="Ready")].status`.

    compile_path(text: str) -> Callable[[value], list]        # PathError

The dialect is that of kubectl and of printer columns: fields (`.a`, `['a']`, with `\\.` for a dot), elements (`[0]`,
`[-1]`, `[1:3]`, `[::2]`, `[*]`), unions (`[0,2]`, `['a','b']`), every member (`.*`), descent (`..a`) and filters with
one comparison or none. A path is compiled once. Applied to a value it gives every match in order, members of an object
by name; nothing where a field is missing, and nothing where a path cannot be applied: an element of what is no list, a
comparison of unlike values, a hundred thousand values on the way.
"""

from collections.abc import Callable, Iterator
from itertools import islice
from typing import Any, Final

from kubewright.errors import KubewrightError
from kubewright.schema.expression import expression

__all__ = ["PathError", "compile_path"]

Path = Callable[[Any], list[Any]]
_Step = Callable[[list[Any]], list[Any]]

_FIELD: Final = expression(r"(?s:(?:\\.?|[^\\ \t\r\n.,\[\]$@{}])*)")
_NUMBER: Final = expression(r"[-+]?[0-9.]*")
_WORD: Final = expression(r"[^ \t\r\n.,\[\]$@{}]+")
_SLICE: Final = expression(r"(-?[0-9]{0,18})(:-?[0-9]{0,18})?(:-?[0-9]{0,18})?")
_COMPARISON: Final = expression(r"(?s:([^!<>=]+)([!<>=]+)(.+?))")
_ESCAPE: Final = expression(r"(?s:\\(.))")
#: So many values are looked at on the way: one descent after the other would find more and more of the same.
_MOST: Final = 100_000


class PathError(KubewrightError, ValueError):
    """A text that is no path."""


class _Inapplicable(Exception):
    """The path does not fit the value."""


def compile_path(text: str) -> Path:
    """The path as a function from a value to what it finds there."""
    steps = _parse(text)

    def find(value: Any) -> list[Any]:
        try:
            return _run(steps, [value])
        except _Inapplicable:
            return []

    return find


def _run(steps: list[_Step], values: list[Any]) -> list[Any]:
    seen = 0
    for step in steps:
        values = step(values)
        seen += len(values)
        if seen > _MOST:
            raise _Inapplicable
    return values


# -- reading a path


def _parse(text: str) -> list[_Step]:
    steps: list[_Step] = []
    at = 0
    while at < len(text):
        char = text[at]
        if char in " @$":
            at += 1
        elif text.startswith("[?(", at):
            step, at = _filter(text, at)
            steps.append(step)
        elif text.startswith("..", at):
            steps.append(_descend)
            at += 2
            if at < len(text) and (text[at].isalnum() or text[at] == "_"):
                at = _read_field(text, at, steps)
        elif char == ".":
            at = _read_field(text, at + 1, steps)
        elif char == "[":
            at = _read_brackets(text, at, steps)
        elif char in "\"'":
            literal, at = _quoted(text, at)
            steps.append(_constant(literal))
        elif char in "+-" or char.isdigit():
            found = _NUMBER.match(text, at)
            assert found is not None
            steps.append(_constant(_number(found[0])))
            at = found.end()
        elif char.isalpha() or char == "_":
            found = _WORD.match(text, at)
            assert found is not None
            steps.append(_constant(found[0] == "true") if found[0] in ("true", "false") else _nowhere)
            at = found.end()
        else:
            raise PathError(f"{text!r} is no JSONPath: {char!r} has no meaning there; paths look like .spec.replicas")
    return steps


def _read_field(text: str, at: int, steps: list[_Step]) -> int:
    found = _FIELD.match(text, at)
    assert found is not None
    steps.append(_members if found[0] == "*" else _field(found[0].replace("\\", "")))
    return found.end()


def _read_brackets(text: str, at: int, steps: list[_Step]) -> int:
    end = text.find("]", at)
    if end < 0:
        raise PathError(f"{text!r} is no JSONPath: a [ is not closed")
    inside = text[at + 1 : end]
    parts = inside.split(",")
    if len(parts) > 1:
        steps.append(_union([_parse(f"[{part.strip(' ')}]") for part in parts]))
    elif len(inside) > 1 and inside[0] == inside[-1] == "'" and "'" not in inside[1:-1]:
        steps.extend(_parse(f".{inside[1:-1]}"))
    else:
        steps.append(_slice(":" if inside == "*" else inside, text))
    return end + 1


def _filter(text: str, at: int) -> tuple[_Step, int]:
    start = at = at + 3
    quote, closed = "", False
    while True:
        if at >= len(text) or text[at] == "\n":
            raise PathError(f"{text!r} is no JSONPath: a filter is not closed")
        char = text[at]
        if char in "\"'" and not quote:
            quote = char
        elif quote and char == quote and text[at - 1] != "\\":
            closed = True
        elif char == ")" and bool(quote) == closed:
            break
        at += 1
    if text[at + 1 : at + 2] != "]":
        raise PathError(f"{text!r} is no JSONPath: a filter ends in )]")
    inside = text[start:at]
    found = _COMPARISON.fullmatch(inside)
    if found is None:
        return _where_exists(_parse(inside)), at + 2
    left, right = _parse(found[1]), _parse(found[3])
    compare = _OPERATORS.get(found[2])
    return _nowhere if compare is None else _where(left, compare, right), at + 2


def _quoted(text: str, at: int) -> tuple[str, int]:
    end = at + 1
    while end < len(text) and not (text[end] == text[at] and text[end - 1] != "\\"):
        end += 1
    if end >= len(text):
        raise PathError(f"{text!r} is no JSONPath: a quotation is not closed")
    return _ESCAPE.sub(r"\1", text[at + 1 : end]), end + 1


def _number(text: str) -> int | float:
    try:
        return int(text)
    except ValueError:
        pass
    try:
        return float(text)
    except ValueError:
        raise PathError(f"{text!r} in a JSONPath is no number") from None


# -- following it


def _constant(value: Any) -> _Step:
    return lambda values: [value] * len(values)


def _nowhere(values: list[Any]) -> list[Any]:
    raise _Inapplicable


def _field(name: str) -> _Step:
    def step(values: list[Any]) -> list[Any]:
        return [value[name] for value in values if isinstance(value, dict) and name in value]

    return step


def _parts(value: Any) -> list[Any]:
    if isinstance(value, dict):
        return [value[name] for name in sorted(value)]
    return list(value) if isinstance(value, list) else []


def _members(values: list[Any]) -> list[Any]:
    return [part for value in values for part in _parts(value)]


def _descend(values: list[Any]) -> list[Any]:
    """Everything inside that has parts, from the outside in."""

    def visit(value: Any) -> Iterator[Any]:
        if parts := _parts(value):
            yield value
            for part in parts:
                yield from visit(part)

    return list(islice((found for value in values for found in visit(value)), _MOST + 1))


def _union(paths: list[list[_Step]]) -> _Step:
    return lambda values: [found for steps in paths for found in _run(steps, values)]


def _slice(inside: str, text: str) -> _Step:
    found = _SLICE.fullmatch(inside)
    if found is None or any(part in ("-", ":-") for part in found.groups()):
        raise PathError(f"{text!r} is no JSONPath: [{inside}] is neither an index nor a quoted name")
    start, end, step = (part and part.lstrip(":") for part in found.groups())
    first = int(start) if start else 0

    def choose(values: list[Any]) -> list[Any]:
        chosen: list[Any] = []
        for value in values:
            if value is None:
                continue
            if not isinstance(value, list):
                raise _Inapplicable
            length = len(value)
            low = first + length if first < 0 else first
            if end is None:  # an index alone
                high = first + 1
                if high <= 0:
                    high += length
            else:
                high = int(end) if end else length
                if high < 0:
                    high += length
            if low == high:
                return chosen
            if not (0 <= low < length and low < high <= length) or (step and int(step) <= 0):
                raise _Inapplicable
            chosen += value[low : high : int(step) if step else 1]
        return chosen

    return choose


def _elements(values: list[Any]) -> Iterator[Any]:
    for value in values:
        if not isinstance(value, list):
            raise _Inapplicable
        yield from value


def _where_exists(steps: list[_Step]) -> _Step:
    def exists(value: Any) -> bool:
        try:
            return bool(_run(steps, [value]))
        except _Inapplicable:
            return False

    return lambda values: [value for value in _elements(values) if exists(value)]


def _where(left: list[_Step], compare: Callable[[Any, Any], bool], right: list[_Step]) -> _Step:
    def holds(value: Any) -> bool:
        lefts = _run(left, [value])
        if not lefts:
            return False
        rights = _run(right, [value])
        if len(lefts) > 1 or len(rights) > 1:
            raise _Inapplicable
        return bool(rights) and compare(lefts[0], rights[0])

    return lambda values: [value for value in _elements(values) if holds(value)]


def _alike(compare: Callable[[Any, Any], bool], *, order: bool) -> Callable[[Any, Any], bool]:
    kinds = (int, float, str) if order else (int, float, str, bool)

    def judge(left: Any, right: Any) -> bool:
        if type(left) is not type(right) or type(left) not in kinds:
            raise _Inapplicable
        return compare(left, right)

    return judge


_OPERATORS: Final = {
    "==": _alike(lambda left, right: left == right, order=False),
    "!=": _alike(lambda left, right: left != right, order=False),
    "<": _alike(lambda left, right: left < right, order=True),
    "<=": _alike(lambda left, right: left <= right, order=True),
    ">": _alike(lambda left, right: left > right, order=True),
    ">=": _alike(lambda left, right: left >= right, order=True),
}
