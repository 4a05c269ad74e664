"""Random expressions that type-check, and values for their variables.

An expression is drawn by the type it is to have; where it needs an operand of some type, one is drawn in turn, until
the depth is used up and only variables and literals are left. Folds add variables of their own.
"""

from collections.abc import Iterator
from string import Formatter
from typing import Any

from hypothesis import strategies as st

from kubewright.cel.types import BOOL, DOUBLE, INT, STRING, Type, list_of, map_of

__all__ = ["KINDS", "VARIABLES", "expressions", "values"]

#: The types of expressions, by short names.
KINDS: dict[str, Type] = {
    "int": INT,
    "bool": BOOL,
    "string": STRING,
    "double": DOUBLE,
    "ints": list_of(INT),
    "strings": list_of(STRING),
    "counts": map_of(STRING, INT),
}

#: The variables that expressions may use, by the short names of their types.
VARIABLES = {
    "i": "int",
    "j": "int",
    "b": "bool",
    "s": "string",
    "t": "string",
    "d": "double",
    "li": "ints",
    "ls": "strings",
    "m": "counts",
}

_LETTERS = "abcAB01-. é日"
_TEXTS = st.text(_LETTERS, max_size=4)
_INTS = st.one_of(st.integers(-3, 5), st.sampled_from([2**63 - 1, -(2**63), 2**53 + 1]))
_DOUBLES = st.sampled_from([0.0, 1.0, -1.5, 2.5, 1e10, 0.1])
_PATTERNS = ("^a", "b+", "[a-c]*$", "^$", "(a|b)c", "\\\\d", "é?")

_VALUES: dict[str, st.SearchStrategy[Any]] = {
    "int": _INTS,
    "bool": st.booleans(),
    "string": _TEXTS,
    "double": _DOUBLES,
    "ints": st.lists(_INTS, max_size=4),
    "strings": st.lists(_TEXTS, max_size=4),
    "counts": st.dictionaries(st.sampled_from(["a", "b", "c"]), st.integers(-3, 3), max_size=3),
}


def values() -> st.SearchStrategy[dict[str, Any]]:
    """A value for each variable."""
    return st.fixed_dictionaries({name: _VALUES[kind] for name, kind in VARIABLES.items()})


# What an expression of a type may be made of: each hole is filled with an expression of the type it names. A name
# before a colon is a variable of that type, new in the hole that follows it.
_FORMS: dict[str, tuple[str, ...]] = {
    "int": (
        "({int} + {int})",
        "({int} - {int})",
        "({int} * {int})",
        "({int} / {int})",
        "({int} % {int})",
        "-({int})",
        "size({string})",
        "{ints}.size()",
        "size({counts})",
        "{ints}[{int}]",
        "{counts}['a']",
        "{counts}.b",
        "({bool} ? {int} : {int})",
        "int({double})",
        "int({string})",
        "{string}.indexOf({string})",
        "{string}.lastIndexOf({string})",
    ),
    "double": (
        "({double} + {double})",
        "({double} * {double})",
        "({double} / {double})",
        "double({int})",
        "({bool} ? {double} : {double})",
    ),
    "bool": (
        "({bool} && {bool})",
        "({bool} || {bool})",
        "!({bool})",
        "({int} < {int})",
        "({int} <= {double})",
        "({double} > {int})",
        "({string} >= {string})",
        "({int} == {int})",
        "({string} != {string})",
        "({ints} == {ints})",
        "({counts} == {counts})",
        "({double} == {double})",
        "({int} in {ints})",
        "({string} in {strings})",
        "({string} in {counts})",
        "({int} in [1, 2, 3])",
        "has({counts}.a)",
        "{string}.startsWith({string})",
        "{string}.endsWith({string})",
        "{string}.contains({string})",
        "{ints}.all({int:bool})",
        "{ints}.exists({int:bool})",
        "{strings}.exists_one({string:bool})",
        "{counts}.all({string:bool})",
        "({bool} ? {bool} : {bool})",
        "(dyn({int}) == dyn({double}))",
        "(dyn({int}) == dyn({string}))",
        "(type({int}) == int)",
    ),
    "string": (
        "({string} + {string})",
        "({bool} ? {string} : {string})",
        "string({int})",
        "string({bool})",
        "{strings}[{int}]",
        "{string}.charAt({int})",
        "{string}.lowerAscii()",
        "{string}.upperAscii()",
        "{string}.replace({string}, {string})",
        "{string}.trim()",
        "{strings}.join({string})",
    ),
    "ints": (
        "[{int}, {int}]",
        "[{int}]",
        "({ints} + {ints})",
        "{ints}.filter({int:bool})",
        "{ints}.map({int:int})",
        "{strings}.map({string:int})",
        "{ints}.map({int:bool,int})",
        "({bool} ? {ints} : {ints})",
    ),
    "strings": (
        "[{string}, {string}]",
        "({strings} + {strings})",
        "{strings}.filter({string:bool})",
        "{ints}.map({int:string})",
        "{string}.split(',')",
        "{counts}.filter({string:bool})",
    ),
    "counts": ("{{'a': {int}, 'b': {int}}}", "{{'c': {int}}}", "({bool} ? {counts} : {counts})"),
}


@st.composite
def expressions(draw: st.DrawFn, kind: str, depth: int = 3, scope: tuple[tuple[str, str], ...] = ()) -> str:
    """The text of an expression of a type."""
    variables = [*VARIABLES.items(), *scope]
    if depth == 0 or draw(st.integers(0, 4)) == 0:
        return draw(_leaves(kind, [name for name, known in variables if known == kind]))
    form = draw(st.sampled_from(_FORMS[kind]))
    if kind == "bool" and draw(st.integers(0, 9)) == 0:
        return f"({draw(expressions('string', depth - 1, scope))}).matches('{draw(st.sampled_from(_PATTERNS))}')"
    written = []
    for hole, part in _parts(form):
        if not hole:
            written.append(part)
            continue
        element, colon, bodies = part.partition(":")
        if not colon:
            written.append(draw(expressions(element, depth - 1, scope)))
            continue
        name = f"x{len(scope)}"
        inner = (*scope, (name, element))
        written.append(", ".join([name, *[draw(expressions(body, depth - 1, inner)) for body in bodies.split(",")]]))
    return "".join(written)


def _parts(form: str) -> Iterator[tuple[bool, str]]:
    """A form at its holes, and whether a part is one; doubled braces are braces."""
    for text, name, body, _ in Formatter().parse(form):
        yield False, text
        if name is not None:
            yield True, f"{name}:{body}" if body else name


def _leaves(kind: str, names: list[str]) -> st.SearchStrategy[str]:
    literals = {
        "int": st.integers(-3, 5).map(str),
        "bool": st.sampled_from(["true", "false"]),
        "string": _TEXTS.map(lambda text: f"'{text}'"),
        "double": st.sampled_from(["0.0", "1.0", "-1.5", "2.5"]),
        "ints": st.sampled_from(["[1]", "[0, 2, 1]"]),
        "strings": st.sampled_from(["['a']", "['', 'b', 'a']"]),
        "counts": st.sampled_from(["{'a': 1}", "{'b': 2, 'c': 0}"]),
    }[kind]
    return st.one_of(st.sampled_from(names), literals) if names else literals
