"""Methods of strings.

CEL's strings are counted in code points, as Python's are. What knows letters (`lower`, `isdigit`, `strip`) is left
out: it means all of Unicode in Python and only ASCII, or another idea of white space, in CEL.
"""

import ast
from collections.abc import Callable
from dataclasses import replace
from typing import Any, Final

from kubewright.schema.rules.kinds import BOOL, INT, STRING, ListKind, Refusal, base_of, item_of
from kubewright.schema.rules.literal import list_of, literal
from kubewright.schema.rules.scope import Scope
from kubewright.schema.rules.truth import needed
from kubewright.schema.rules.value import (
    LONGEST,
    UNKNOWN,
    Value,
    apply,
    choose,
    either,
    infix,
    method,
    spread,
)

__all__ = ["character", "put_together", "slice_of", "string_method"]

_LETTERS: Final = "knows all of Unicode in Python and ASCII in CEL; say what you mean with re.fullmatch"
_HINTS: Final = {
    **dict.fromkeys(("lower", "upper", "casefold", "title", "capitalize", "swapcase"), _LETTERS),
    **dict.fromkeys(("isdigit", "isalpha", "isalnum", "isnumeric", "isdecimal"), _LETTERS),
    **dict.fromkeys(("islower", "isupper", "isspace", "isidentifier", "istitle", "isprintable"), _LETTERS),
    **dict.fromkeys(
        ("strip", "lstrip", "rstrip"), "takes other white space away than CEL; refuse it with re.fullmatch"
    ),
    "format": "write an f-string",
    "index": "use find(), which answers -1 where nothing is found",
    "rindex": "use rfind(), which answers -1 where nothing is found",
}


def string_method(scope: Scope, node: ast.Call, receiver: Value, name: str) -> Value:
    """`receiver.name(…)`."""
    if name not in _METHODS:
        hint = _HINTS.get(name, "CEL has no such method")
        raise Refusal(f"str.{name}() cannot be called in a rule: {hint}")
    return _METHODS[name](scope, node, receiver)


def _strings(scope: Scope, node: ast.Call, count: int, *numbers: str) -> tuple[list[Value], int | None]:
    """The string arguments, and a number behind them that must be a constant."""
    name = ast.unparse(node.func).rpartition(".")[2]
    if len(node.args) < count or len(node.args) + len(node.keywords) > count + len(numbers):
        raise Refusal(f"{name}() takes {count} argument{'s' * (count > 1)} in a rule")
    texts = [needed(scope.value(argument), ast.unparse(argument)) for argument in node.args[:count]]
    for text in texts:
        if base_of(text.kind) is not STRING:
            raise Refusal(f"{name}() takes strings, not {text.kind.label}")
    given: list[ast.expr] = [*node.args[count:], *(keyword.value for keyword in node.keywords)]
    if any(keyword.arg not in numbers for keyword in node.keywords):
        raise Refusal(f"{name}({node.keywords[0].arg}=…) has no form in CEL")
    if not given:
        return texts, None
    number = scope.static(given[0])
    if not isinstance(number, int):
        raise Refusal(f"the count for {name}() must be a constant in a rule")
    return texts, number


def _affix(name: str) -> Callable[[Scope, ast.Call, Value], Value]:
    def make(scope: Scope, node: ast.Call, receiver: Value) -> Value:
        if len(node.args) == 1 and isinstance(options := scope.static(node.args[0]), tuple):
            if not options or not all(isinstance(option, str) for option in options) or node.keywords:
                raise Refusal(f"{name} takes a string or a tuple of strings")
            return either(*(method(receiver, name, literal(option), kind=BOOL) for option in options))
        texts, _ = _strings(scope, node, 1)
        return method(receiver, name, *texts, kind=BOOL)

    return make


def _find(name: str) -> Callable[[Scope, ast.Call, Value], Value]:
    def make(scope: Scope, node: ast.Call, receiver: Value) -> Value:
        texts, _ = _strings(scope, node, 1)
        return replace(method(receiver, name, *texts, kind=INT), span=(-1, LONGEST))

    return make


def _separator(text: Value, name: str) -> Value:
    if text.constant is UNKNOWN or text.constant == "":
        raise Refusal(f"{name}() takes a constant that is not empty: an empty one raises in Python and not in CEL")
    return text


def _split(scope: Scope, node: ast.Call, receiver: Value) -> Value:
    if not node.args:
        raise Refusal("split() without a separator splits at other white space than CEL; name the separator")
    (separator,), limit = _strings(scope, node, 1, "maxsplit")
    arguments = [_separator(separator, "split")]
    if limit is not None and limit >= 0:
        arguments.append(literal(limit + 1))
    return method(receiver, "split", *arguments, kind=ListKind(STRING))


def _count(scope: Scope, node: ast.Call, receiver: Value) -> Value:
    (part,), _ = _strings(scope, node, 1)
    pieces = method(receiver, "split", _separator(part, "count"), kind=ListKind(STRING))
    counted = infix(apply("size", pieces, kind=INT), "-", literal(1), INT)
    return replace(counted, span=(0, LONGEST))


def _replace(scope: Scope, node: ast.Call, receiver: Value) -> Value:
    texts, count = _strings(scope, node, 2, "count")
    counts = [] if count is None else [literal(max(count, -1))]
    return method(receiver, "replace", *texts, *counts, kind=STRING)


def _join(scope: Scope, node: ast.Call, receiver: Value) -> Value:
    if len(node.args) != 1 or node.keywords:
        raise Refusal("join() takes one list")
    argument = node.args[0]
    if isinstance(argument, ast.GeneratorExp):
        argument = ast.copy_location(ast.ListComp(argument.elt, argument.generators), argument)
    items = needed(scope.value(argument), ast.unparse(argument))
    kind = items.kind
    if not isinstance(kind, ListKind):
        raise Refusal(f"join() takes a list, not {kind.label}")
    if kind.form == "unordered":
        raise Refusal("a list made from a dict has another order in CEL; it cannot be joined")
    item = item_of(kind)
    if item is not None and base_of(item) is not STRING:
        raise Refusal(f"join() takes strings, not {item.label}")
    return spread(items, lambda side: method(side, "join", receiver, kind=STRING) if side.constant else literal(""))


def _remove(name: str) -> Callable[[Scope, ast.Call, Value], Value]:
    def make(scope: Scope, node: ast.Call, receiver: Value) -> Value:
        (part,), _ = _strings(scope, node, 1)
        length = literal(len(part.constant)) if isinstance(part.constant, str) else apply("size", part, kind=INT)
        if name == "startsWith":
            rest = method(receiver, "substring", length, kind=STRING)
        else:
            end = infix(apply("size", receiver, kind=INT), "-", length, INT)
            rest = method(receiver, "substring", literal(0), end, kind=STRING)
        return choose(method(receiver, name, part, kind=BOOL), rest, receiver)

    return make


def _isascii(scope: Scope, node: ast.Call, receiver: Value) -> Value:
    _strings(scope, node, 0)
    return method(receiver, "matches", Value(r"r'^[\x00-\x7f]*$'", STRING), kind=BOOL)


_METHODS: Final[dict[str, Callable[[Scope, ast.Call, Value], Value]]] = {
    "startswith": _affix("startsWith"),
    "endswith": _affix("endsWith"),
    "find": _find("indexOf"),
    "rfind": _find("lastIndexOf"),
    "split": _split,
    "count": _count,
    "replace": _replace,
    "join": _join,
    "removeprefix": _remove("startsWith"),
    "removesuffix": _remove("endsWith"),
    "isascii": _isascii,
}


def put_together(parts: list[Value]) -> Value:
    """Strings one after the other.

    `+` where the lengths are known. Else `format`, which the server does not charge by the length: appending to
    `string(self.size)` would cost more than any rule may.
    """
    if not any(part.endless for part in parts) or len(parts) == 1:
        result, *rest = parts
        for part in rest:
            result = infix(result, "+", part, STRING)
        return result
    pattern = "".join(part.constant.replace("%", "%%") if isinstance(part.constant, str) else "%s" for part in parts)
    values = list_of([part for part in parts if not isinstance(part.constant, str)])
    return replace(method(literal(pattern), "format", values, kind=STRING), endless=True)


def character(text: Value, index: Any) -> Value:
    """`text[index]`: out of range is an error on both sides."""
    if not isinstance(index, int) or isinstance(index, bool):
        raise Refusal("the index into a string must be a constant in a rule")
    if index >= 0:
        return method(text, "substring", literal(index), literal(index + 1), kind=STRING, fails=True)
    size = apply("size", text, kind=INT)
    start = infix(size, "-", literal(-index), INT)
    if index == -1:
        return method(text, "substring", start, kind=STRING, fails=True)
    end = infix(size, "-", literal(-index - 1), INT)
    return method(text, "substring", start, end, kind=STRING, fails=True)


def slice_of(text: Value, low: Any, high: Any) -> Value:
    """`text[low:high]` with one bound: Python cuts short what CEL refuses, so the length is asked first."""
    bound = low if high is None else high
    if (low is None) == (high is None) or not isinstance(bound, int) or isinstance(bound, bool):
        raise Refusal("a string is cut in a rule as in s[:3], s[3:], s[-3:] or s[:-3], with a constant")
    size = apply("size", text, kind=INT)
    length = literal(abs(bound))
    short = infix(size, "<", length)
    edge = length if bound >= 0 else infix(size, "-", length, INT)
    if high is None:
        cut = method(text, "substring", edge, kind=STRING)
        return choose(short, literal("") if bound >= 0 else text, cut)
    cut = method(text, "substring", literal(0), edge, kind=STRING)
    return choose(short, text if bound >= 0 else literal(""), cut)
