"""The placeholders of `"…%s…".format([…])`, checked against the types of their arguments.

Only a literal text with a literal list can be judged before it runs; both are read as bytes, as the server reads them.
"""

import re
from collections.abc import Iterator

from kubewright.cel.ast import Call, Expr, ListLiteral, Literal, MapLiteral
from kubewright.cel.checked import Checked
from kubewright.cel.errors import Issue

__all__ = ["verify_format"]

_NUMBERS = ("int", "uint")
_ANYTHING = (
    *("list", "map", "int", "uint", "double", "bool", "string"),
    *("timestamp", "bytes", "duration", "type", "null"),
)
_CLAUSES: dict[str, tuple[tuple[str, ...], str]] = {
    "s": (
        _ANYTHING,
        (
            "string clause can only be used on strings, bools, bytes, ints, doubles, maps, lists, types, durations, "
            "and timestamps"
        ),
    ),
    "d": (_NUMBERS, "decimal clause can only be used on integers"),
    # Strings too: "NaN" and "Infinity" are spelled out.
    "f": (("double", "string"), "fixed-point clause can only be used on doubles"),
    "e": (("double", "string"), "scientific clause can only be used on doubles"),
    "b": ((*_NUMBERS, "bool"), "only integers and bools can be formatted as binary"),
    "x": (
        (*_NUMBERS, "string", "bytes"),
        "only integers, byte buffers, and strings can be formatted as hex",
    ),
    "o": (_NUMBERS, "octal clause can only be used on integers"),
}
_CLAUSES["X"] = _CLAUSES["x"]
_PRECISION = re.compile(r"\.([0-9]*)")
_LARGEST_PRECISION = (1 << 63) - 1


class _Bad(Exception):
    """Something is wrong with a placeholder; `id` is the argument's node if it is the argument's fault."""

    def __init__(self, message: str, id: int | None = None) -> None:  # noqa: A002 - it is one
        super().__init__(message)
        self.id = id


def verify_format(node: Call, checked: Checked) -> Iterator[Issue]:
    """What is wrong with a call of `format`, if it can be said already."""
    if not (
        isinstance(node.target, Literal)
        and isinstance(node.target.value, str)
        and len(node.args) == 1
        and isinstance(node.args[0], ListLiteral)
    ):
        return
    args = node.args[0].elements
    try:
        used = _used(node.target.value.encode(errors="surrogatepass").decode("latin-1"), args, checked)
    except _Bad as bad:
        yield Issue(checked.ast.offsets[node.id if bad.id is None else bad.id], str(bad))
        return
    if len(args) > used:
        message = f"too many arguments supplied to string.format (expected {used}, got {len(args)})"
        yield Issue(checked.ast.offsets[node.id], message)


def _used(text: str, args: tuple[Expr, ...], checked: Checked) -> int:
    """How many arguments the placeholders take."""
    used = 0
    place = text.find("%")
    while place >= 0:
        place += 1
        if text[place : place + 1] == "%":
            place = text.find("%", place + 1)
            continue
        if place == len(text):
            raise _Bad("unexpected end of string")
        if used >= len(args):
            raise _Bad(f"index {used} out of range")
        place = _clause(text, place, args[used], checked)
        used += 1
        place = text.find("%", place)
    return used


def _clause(text: str, place: int, argument: Expr, checked: Checked) -> int:
    """Checks one placeholder; where it ends."""
    problem = "could not parse formatting clause: "
    if precision := _PRECISION.match(text, place):
        problem += "error while parsing precision: "
        place = precision.end()
        if place == len(text):
            raise _Bad(f"{problem}could not find end of precision specifier")
        digits = precision[1]
        if not digits:
            raise _Bad(
                f'{problem}error while converting precision to integer: strconv.Atoi: parsing "": invalid syntax'
            )
        if len(digits.lstrip("0")) > 19 or int(digits) > _LARGEST_PRECISION:
            problem += "error while converting precision to integer: "
            raise _Bad(f'{problem}strconv.Atoi: parsing "{digits}": value out of range')
        problem = "could not parse formatting clause: "
    letter = text[place]
    if letter not in _CLAUSES:
        raise _Bad(f'{problem}unrecognized formatting clause "{letter}"')
    kinds, complaint = _CLAUSES[letter]
    wrong = _unfit(argument, kinds, checked, deep=letter == "s")
    if wrong is not None:
        name = checked.types[wrong].name
        raise _Bad(f"error during formatting: {complaint}, was given {name}", wrong)
    return place + 1


def _unfit(argument: Expr, kinds: tuple[str, ...], checked: Checked, *, deep: bool) -> int | None:
    """The node whose type does not fit, looking into literal lists and maps as well when `deep`."""
    if (kind := checked.types[argument.id].kind) != "dyn" and kind not in kinds:
        return argument.id
    inner: list[Expr] = []
    if deep and isinstance(argument, ListLiteral):
        inner += argument.elements
    elif deep and isinstance(argument, MapLiteral):
        for entry in argument.entries:
            inner += (entry.key, entry.value)
    for one in inner:
        if (found := _unfit(one, kinds, checked, deep=True)) is not None:
            return found
    return None
