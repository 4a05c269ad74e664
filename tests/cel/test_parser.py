import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kubewright.cel.ast import (
    Ast,
    Call,
    Comprehension,
    Expr,
    Ident,
    ListLiteral,
    Literal,
    MapLiteral,
    Select,
    StructLiteral,
    Uint,
)
from kubewright.cel.errors import ExpressionError
from kubewright.cel.parser import parse


def spelled(node: Expr) -> str:
    """A tree in prefix form."""
    match node:
        case Literal(value=value):
            return repr(value)
        case Ident(name=name):
            return name
        case Select(operand=operand, field=field, test_only=test):
            return f"({'has' if test else '.'} {spelled(operand)} {field})"
        case Call(function=function, target=target, args=args):
            parts = [function, *([spelled(target)] if target else []), *map(spelled, args)]
            return f"({' '.join(parts)})"
        case ListLiteral(elements=elements, optional_indices=optional):
            return "[" + " ".join(("?" if i in optional else "") + spelled(e) for i, e in enumerate(elements)) + "]"
        case MapLiteral(entries=entries):
            return "{" + " ".join(f"{'?' * e.optional}{spelled(e.key)}:{spelled(e.value)}" for e in entries) + "}"
        case StructLiteral(name=name, fields=fields):
            return name + "{" + " ".join(f"{'?' * f.optional}{f.name}:{spelled(f.value)}" for f in fields) + "}"
        case Comprehension():
            return "(fold)"


@pytest.mark.parametrize(
    ("text", "tree"),
    [
        ("1 + 2 * 3 - 4", "(_-_ (_+_ 1 (_*_ 2 3)) 4)"),
        ("a < b == c", "(_==_ (_<_ a b) c)"),
        ("a || b && c", "(_||_ a (_&&_ b c))"),
        ("a && b && c", "(_&&_ (_&&_ a b) c)"),
        ("a && b && c && d", "(_&&_ (_&&_ a b) (_&&_ c d))"),
        ("a ? b : c ? d : e", "(_?_:_ a b (_?_:_ c d e))"),
        ("x in [1, 2]", "(@in x [1 2])"),
        ("-1", "-1"),
        ("- 1.5", "-1.5"),
        ("--1", "1"),
        ("---1", "(-_ 1)"),
        ("-a.b", "(-_ (. a b))"),
        ("1--1", "(_-_ 1 -1)"),
        ("!a", "(!_ a)"),
        ("!!a", "a"),
        ("!-1", "(!_ -1)"),
        ("a.b.c", "(. (. a b) c)"),
        ("a.b(c)", "(b a c)"),
        ("a[0].b", "(. (_[_] a 0) b)"),
        ("a.?b[?c]", "(_[?_] (_?._ a 'b') c)"),
        (".a.b()", "(b .a)"),
        ("f(1, 'x')", "(f 1 'x')"),
        ("[?a, b,]", "[?a b]"),
        ("[,]", "[]"),
        ("{,}", "{}"),
        ("{'a': 1, ?b: c}", "{'a':1 ?b:c}"),
        ("{a ? b : c : d}", "{(_?_:_ a b c):d}"),
        ("a.B{c: 1, ?d: e,}", "a.B{c:1 ?d:e}"),
        (".A{}", ".A{}"),
        ("(a)", "a"),
        ("b'\\xff'", "b'\\xff'"),
        ("0x10u", "16u"),
        ("-9223372036854775808", "-9223372036854775808"),
        ("has(a.b)", "(has a b)"),
    ],
)
def test_a_text_has_one_tree(text: str, tree: str) -> None:
    assert spelled(parse(text).expr) == tree


def test_literals_have_the_type_of_what_they_say() -> None:
    values = [parse(text).expr for text in ("1", "1u", "1.0", "true", "null", "'a'", "b'a'")]
    assert [type(value.value) for value in values if isinstance(value, Literal)] == [
        *(int, Uint, float, bool, type(None), str, bytes)
    ]


def test_nodes_stand_where_messages_point_to() -> None:
    ast = parse("a.b + f(c[0])")
    plus = ast.expr
    assert isinstance(plus, Call)
    select, call = plus.args
    assert [ast.offsets[node.id] for node in (plus, select, call)] == [4, 1, 7]


@pytest.mark.parametrize(
    ("text", "place", "message"),
    [
        ("1 + while", 4, "reserved identifier: while"),
        (".as()", 0, "reserved identifier: as"),
        ("9223372036854775808", 0, "invalid int literal"),
        ("1" + "0" * 5000, 0, "invalid int literal"),
        ("0x8000000000000000", 0, "invalid int literal"),
        ("18446744073709551616u", 0, "invalid uint literal"),
        ("1e400", 0, "invalid double literal"),
        ("a.`b`", 2, "unsupported syntax: '`'"),
        (r"'\ud800'", 0, "invalid unicode code point"),
        ("[].all(1, true)", 7, "argument must be a simple name"),
    ],
)
def test_what_fits_the_grammar_may_still_be_wrong(text: str, place: int, message: str) -> None:
    with pytest.raises(ExpressionError) as raised:
        parse(text)
    assert [(issue.offset, issue.message) for issue in raised.value.issues] == [(place, message)]


def test_all_mistakes_are_reported_at_once() -> None:
    with pytest.raises(ExpressionError) as raised:
        parse("has(a) && while && 1e999 > 1.0")
    assert len(raised.value.issues) == 3


def test_numbers_may_have_any_leading_zeros() -> None:
    assert spelled(parse("0" * 5000 + "7").expr) == "7"
    assert spelled(parse("-0x" + "0" * 5000 + "7").expr) == "-7"
    assert spelled(parse("00").expr) == "0"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("(" * 250 + "1" + ")" * 250, "expression recursion limit exceeded: 250"),
        ("[" * 300 + "]" * 300, "expression recursion limit exceeded: 250"),
        ("1+(" * 125 + "1" + ")" * 125, "expression recursion limit exceeded: 250"),
        ("a?b:" * 250 + "c", "expression recursion limit exceeded: 250"),
        ("a" + ".b" * 251, "max recursion depth exceeded"),
        ("1" + "+1" * 251, "max recursion depth exceeded"),
        ("(" * 20_000, "expression recursion limit exceeded: 250"),
        ("a" * 100_001, "expression code point size exceeds limit: size: 100001, limit 100000"),
    ],
)
def test_limits_are_told_without_a_place(text: str, message: str) -> None:
    with pytest.raises(ExpressionError) as raised:
        parse(text)
    assert [(issue.offset, issue.message) for issue in raised.value.issues] == [(-1, message)]


@pytest.mark.parametrize(
    "text",
    [
        "(" * 249 + "1" + ")" * 249,
        "a" + ".b" * 250,
        "1" + "+1" * 250,
        "a" + " && a" * 15_000,
        "[" + "1," * 30_000 + "]",
        "!" * 99_999 + "a",
    ],
)
def test_what_is_within_the_limits_is_read(text: str) -> None:
    assert isinstance(parse(text), Ast)


def test_a_macro_that_repeats_its_target_cannot_fill_the_memory() -> None:
    with pytest.raises(ExpressionError, match="recursion limit"):
        parse("a" + ".optMap(x, x)" * 200)


PIECES = st.sampled_from(
    [
        *"()[]{}.,?:+-*/%!<>&|=`'\"\\ \n\t@#é世1a",
        *(
            "&&",
            "||",
            "==",
            "!=",
            "in",
            "true",
            "null",
            "1u",
            "1.5",
            "'a'",
            "b'",
            "r'",
            '"""',
            "has(",
            ".all(x,",
            "self",
        ),
        *(".?", "[?", "{a:", "//", "0x", "as", "\u0301", "\ud800", "\r"),
    ]
)


@given(st.lists(PIECES, max_size=40).map("".join))
def test_any_text_is_read_or_refused(text: str) -> None:
    try:
        outcome = str(parse(text).expr)
    except ExpressionError as error:
        outcome = str(error)
    assert outcome.startswith(
        ("ERROR: <input>:", "Literal", "Ident", "Select", "Call", "List", "Map", "Struct", "Comp")
    )


@pytest.mark.parametrize(
    "piece", ["(", ")", "[a,", "a.", "a b ", "-", "!", "{a:", "'", "a ? ", "é", "f(", "@", "a&", "]"]
)
def test_a_long_broken_text_takes_no_long_time(piece: str) -> None:
    started = time.process_time()
    with pytest.raises(ExpressionError):
        parse((piece * 100_000)[:99_999])
    assert time.process_time() - started < 5
