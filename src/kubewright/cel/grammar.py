"""The grammar of CEL as a graph: what may follow where.

Reading needs no graph (`parser` is written by hand); telling a reader what was expected does. A rule is a graph of
states. Between states stand tokens, other rules, or nothing; a state with several ways on is a decision, and the sort
of decision says how an unexpected token is dealt with there.
"""

from collections.abc import Sequence
from functools import cache
from typing import Literal, TypeAlias

from kubewright.cel.lexer import END

__all__ = ["NOTHING", "ORDER", "RELATIONS", "Decision", "Edge", "State", "next_tokens", "rules"]

# In sets of tokens: the rule may end here.
NOTHING = "<EPSILON>"

# How sets of tokens are listed in messages.
ORDER = (
    END, "==", "!=", "in", "<", "<=", ">=", ">", "&&", "||", "[", "]", "{", "}", "(", ")", ".", ",", "-", "!", "?", ":",
    "+", "*", "/", "%", "true", "false", "null", "NUM_FLOAT", "NUM_INT", "NUM_UINT", "STRING", "BYTES", "IDENTIFIER",
    "ESC_IDENTIFIER",
)  # fmt: skip
RELATIONS = ("<", "<=", ">=", ">", "==", "!=", "in")

Decision: TypeAlias = Literal["", "block", "loop", "again"]


class Edge:
    """A way on: a set of tokens, a rule (with the precedence it is entered with), or neither."""

    __slots__ = ("precedence", "rule", "target", "tokens")

    def __init__(
        self, target: "State", tokens: frozenset[str] = frozenset(), rule: str = "", precedence: int = 0
    ) -> None:
        self.target = target
        self.tokens = tokens
        self.rule = rule
        self.precedence = precedence


class State:
    """A place in a rule. `name` is set on decisions that need more than a look at the next token.

    A decision is a `block` (of alternatives, or of something that may be left out), the `loop` that is gone through at
    least once, or `again`, the end of a round. If it is `optional` the last way on is the one around it.
    """

    __slots__ = ("decision", "edges", "name", "optional")

    def __init__(self, decision: Decision = "", name: str = "", *, optional: bool = False) -> None:
        self.decision: Decision = decision
        self.name = name
        self.optional = optional
        self.edges: list[Edge] = []


_Part: TypeAlias = "tuple[str, *tuple[object, ...]]"


def _tok(*kinds: str) -> _Part:
    return "token", frozenset(kinds)


def _rule(name: str, precedence: int = 0) -> _Part:
    return "rule", name, precedence


def _opt(*parts: _Part) -> _Part:
    return "optional", parts


def _star(*parts: _Part, name: str = "") -> _Part:
    return "star", parts, name


def _plus(*parts: _Part, name: str = "") -> _Part:
    return "plus", parts, name


def _alt(*alternatives: Sequence[_Part], name: str = "") -> _Part:
    return "choice", alternatives, name


_IDENT = _tok("IDENTIFIER")
_DOTTED = _opt(_tok("."))

_RULES: dict[str, tuple[_Part, ...]] = {
    "start": (_rule("expr"), _tok(END)),
    "expr": (
        _rule("conditionalOr"),
        _opt(_tok("?"), _rule("conditionalOr"), _tok(":"), _rule("expr")),
    ),
    "conditionalOr": (_rule("conditionalAnd"), _star(_tok("||"), _rule("conditionalAnd"))),
    "conditionalAnd": (_rule("relation"), _star(_tok("&&"), _rule("relation"))),
    "relation": (_rule("calc"), _star(_tok(*RELATIONS), _rule("relation", 2), name="relations")),
    "calc": (
        _rule("unary"),
        _star(
            _alt((_tok("*", "/", "%"), _rule("calc", 3)), (_tok("+", "-"), _rule("calc", 2))),
            name="calculations",
        ),
    ),
    "unary": (
        _alt(
            (_rule("member"),),
            (_plus(_tok("!")), _rule("member")),
            (_plus(_tok("-"), name="minuses"), _rule("member")),
            name="unary",
        ),
    ),
    "member": (
        _rule("primary"),
        _star(
            _alt(
                (_tok("."), _opt(_tok("?")), _rule("escapeIdent")),
                (_tok("."), _IDENT, _tok("("), _opt(_rule("exprList")), _tok(")")),
                (_tok("["), _opt(_tok("?")), _rule("expr"), _tok("]")),
                name="member",
            )
        ),
    ),
    "primary": (
        _alt(
            (_DOTTED, _IDENT),
            (_DOTTED, _IDENT, _tok("("), _opt(_rule("exprList")), _tok(")")),
            (_tok("("), _rule("expr"), _tok(")")),
            (_tok("["), _opt(_rule("listInit")), _opt(_tok(",")), _tok("]")),
            (_tok("{"), _opt(_rule("mapInitializerList")), _opt(_tok(",")), _tok("}")),
            (
                _DOTTED,
                _IDENT,
                _star(_tok("."), _IDENT),
                _tok("{"),
                _opt(_rule("fieldInitializerList")),
                _opt(_tok(",")),
                _tok("}"),
            ),
            (_rule("literal"),),
            name="primary",
        ),
    ),
    "exprList": (_rule("expr"), _star(_tok(","), _rule("expr"))),
    "listInit": (_rule("optExpr"), _star(_tok(","), _rule("optExpr"), name="commas")),
    "fieldInitializerList": (
        _rule("optField"),
        _tok(":"),
        _rule("expr"),
        _star(_tok(","), _rule("optField"), _tok(":"), _rule("expr"), name="commas"),
    ),
    "optField": (_opt(_tok("?")), _rule("escapeIdent")),
    "mapInitializerList": (
        _rule("optExpr"),
        _tok(":"),
        _rule("expr"),
        _star(_tok(","), _rule("optExpr"), _tok(":"), _rule("expr"), name="commas"),
    ),
    "escapeIdent": (_alt((_IDENT,), (_tok("ESC_IDENTIFIER"),)),),
    "optExpr": (_opt(_tok("?")), _rule("expr")),
    "literal": (
        _alt(
            (_opt(_tok("-")), _tok("NUM_INT")),
            (_tok("NUM_UINT"),),
            (_opt(_tok("-")), _tok("NUM_FLOAT")),
            (_tok("STRING"),),
            (_tok("BYTES"),),
            (_tok("true"),),
            (_tok("false"),),
            (_tok("null"),),
            name="literal",
        ),
    ),
}


@cache
def rules() -> dict[str, State]:
    """The first state of each rule; the last has no way on."""
    starts: dict[str, State] = {}
    for name, parts in _RULES.items():
        starts[name] = State()
        _sequence(parts, starts[name], State())
    return starts


def _sequence(parts: Sequence[_Part], start: State, end: State) -> None:
    """The graph of parts one after the other, between two states."""
    for index, part in enumerate(parts):
        last = index == len(parts) - 1
        after = end if last else State()
        _graph(part, start, after)
        start = after


def _graph(part: _Part, start: State, end: State) -> None:
    match part:
        case "token", frozenset() as tokens:
            start.edges.append(Edge(end, tokens=tokens))
        case "rule", str() as rule, int() as precedence:
            start.edges.append(Edge(end, rule=rule, precedence=precedence))
        case "optional", tuple() as parts:
            block = State("block", optional=True)
            start.edges.append(Edge(block))
            _branch(block, parts, end)
            block.edges.append(Edge(end))
        case "choice", tuple() as alternatives, str() as name:
            block = State("block", name)
            start.edges.append(Edge(block))
            for alternative in alternatives:
                _branch(block, alternative, end)
        case "star", tuple() as parts, str() as name:
            entry, again = State("block", name, optional=True), State("again", name, optional=True)
            start.edges.append(Edge(entry))
            _branch(entry, parts, again)
            entry.edges.append(Edge(end))
            again.edges = entry.edges
        case "plus", tuple() as parts, str() as name:
            entry, again = State("loop"), State("again", name, optional=True)
            start.edges.append(Edge(entry))
            _branch(entry, parts, again)
            again.edges = [*entry.edges, Edge(end)]


def _branch(block: State, parts: Sequence[_Part], end: State) -> None:
    first = State()
    block.edges.append(Edge(first))
    _sequence(parts, first, end)


@cache
def next_tokens(state: State) -> frozenset[str]:
    """What may come next within the rule; `NOTHING` when the rule may end."""
    found: set[str] = set()
    seen: set[State] = set()
    waiting = [state]
    while waiting:
        at = waiting.pop()
        if at in seen:
            continue
        seen.add(at)
        if not at.edges:
            found.add(NOTHING)
        for edge in at.edges:
            if edge.tokens:
                found |= edge.tokens
            elif edge.rule:
                inside = next_tokens(rules()[edge.rule])
                found |= inside - {NOTHING}
                if NOTHING in inside:
                    waiting.append(edge.target)
            else:
                waiting.append(edge.target)
    return frozenset(found)
