"""What is wrong in the parts of a text that could be read, although the whole does not fit the grammar.

A misused macro, a reserved word or a number out of range is reported beside the syntax errors, as far as the server's
parser made sense of the text. A `Fragment` is a rule as far as it was read: the tokens and rules in it, and a number
where one of several alternatives was chosen. What the server does not look at (the entries of a map that lacks a value)
is not looked at here either.
"""

from collections.abc import Callable, Sequence
from itertools import pairwise
from typing import NamedTuple, TypeAlias

from kubewright.cel.ast import Call, Expr, Ident, ListLiteral, Literal, Macro, MapLiteral, Select
from kubewright.cel.errors import Issue, Missing
from kubewright.cel.lexer import END
from kubewright.cel.literals import BadLiteral, read_literal
from kubewright.cel.macros import MACROS, Expansion, Misuse
from kubewright.cel.names import RESERVED

__all__ = ["Fragment", "Token", "salvage"]


_OUTERMOST: dict[str, Callable[[int], int]] = {
    "expr": lambda count: 0,
    "conditionalOr": lambda count: count // 2,
    "conditionalAnd": lambda count: count // 2,
    "relation": lambda count: count - 1,
    "calc": lambda count: count - 1,
}


class Token(NamedTuple):
    """A token that was read, or imagined."""

    kind: str
    text: str
    start: int


_Part: TypeAlias = "Fragment | Token | int"


class Fragment:
    """What was read of a rule that began at `start`."""

    __slots__ = ("parts", "rule", "start")

    def __init__(self, rule: str, start: int) -> None:
        self.rule = rule
        self.start = start
        self.parts: list[_Part] = []

    def rules(self) -> "list[Fragment]":
        return [part for part in self.parts if isinstance(part, Fragment)]

    def token(self, *kinds: str) -> Token | None:
        return next((part for part in self.parts if isinstance(part, Token) and part.kind in kinds), None)


def salvage(whole: Fragment) -> list[Issue]:
    """The issues in what was read."""
    visitor = _Visitor()
    visitor.visit(whole)
    return visitor.issues


class _Visitor:
    def __init__(self) -> None:
        self._offsets: dict[int, int] = {}
        self.issues: list[Issue] = []

    def _id(self, offset: int) -> int:
        number = len(self._offsets) + 1
        self._offsets[number] = offset
        return number

    def _nothing(self, offset: int = Missing) -> Expr:
        return Literal(self._id(offset), None)

    def _wrong(self, offset: int, message: str) -> Expr:
        self.issues.append(Issue(offset, message))
        return self._nothing(offset)

    def visit(self, fragment: Fragment | None) -> Expr:
        """The expression a rule was read as."""
        if fragment is None:
            return self._nothing()
        match fragment.rule:
            case "unary":
                return self._unary(fragment)
            case "member":
                return self._member(fragment)
            case "primary":
                return self._primary(fragment)
            case "literal":
                return self._literal(fragment)
        # Operators and what lies between them; most often there is none, and the rule stands for another.
        operators = [part for part in fragment.parts if isinstance(part, Token) and part.kind != END]
        found = [self.visit(one) for one in fragment.rules()] or [self._nothing()]
        if not operators:
            return found[0]
        # The outermost: of a chain from the left the last, of one that is balanced the middle one.
        outermost = operators[_OUTERMOST[fragment.rule](len(operators))]
        return Call(self._id(outermost.start), outermost.text, None, tuple(found))

    def _unary(self, fragment: Fragment) -> Expr:
        if not fragment.parts:
            return Literal(self._id(fragment.start), "")
        inner = self.visit(next(iter(fragment.rules()), None))
        operators = [part for part in fragment.parts if isinstance(part, Token)]
        return inner if len(operators) % 2 == 0 else Call(self._id(operators[0].start), "!_", None, (inner,))

    def _member(self, fragment: Fragment) -> Expr:
        expr = self.visit(next(iter(fragment.rules()), None))
        # The first part is what is selected from; every alternative chosen begins a selection.
        choices = [index for index, part in enumerate(fragment.parts) if isinstance(part, int)]
        for index, end in pairwise([*choices, len(fragment.parts)]):
            suffix = Fragment("suffix", fragment.start)
            suffix.parts = fragment.parts[index + 1 : end]
            match fragment.parts[index]:
                case 0:
                    expr = self._field(suffix, expr)
                case 1:
                    name, opening = suffix.token("IDENTIFIER"), suffix.token("(")
                    if name is None:
                        expr = self._nothing(fragment.start)
                    else:
                        at = Missing if opening is None else opening.start
                        expr = self._call(at, name.text, expr, self._arguments(suffix))
                case _:
                    bracket = suffix.token("[")
                    number = self._id(fragment.start if bracket is None else bracket.start)
                    expr = Call(number, "_[_]", None, (expr, self.visit(next(iter(suffix.rules()), None))))
        return expr

    def _field(self, suffix: Fragment, operand: Expr) -> Expr:
        dot, name = suffix.token("."), next(iter(suffix.rules()), None)
        if dot is None or name is None:
            return self._nothing(suffix.start)
        self._name_of(name, name.start)
        if suffix.token("?") is not None:
            return Call(self._id(dot.start), "_?._", None, (operand,))
        return Select(self._id(dot.start), operand, "")

    def _name_of(self, name: Fragment, offset: int) -> bool:
        """Whether a field has a name that may be used; `offset` is where it is told if not."""
        if name.token("ESC_IDENTIFIER") is not None:
            self.issues.append(Issue(offset, "unsupported syntax: '`'"))
        elif name.token("IDENTIFIER") is None:
            self.issues.append(Issue(offset, "unsupported ident kind"))
        else:
            return True
        return False

    def _arguments(self, fragment: Fragment) -> list[Expr]:
        return [self.visit(one) for arguments in fragment.rules()[:1] for one in arguments.rules()]

    def _call(self, offset: int, name: str, target: Expr | None, args: list[Expr]) -> Expr:
        expand = MACROS.get((name, len(args), target is not None))
        if expand is None:
            return Call(self._id(offset), name, target, tuple(args))
        expansion = Expansion(self._id, self._offsets, offset, Macro(name, target, tuple(args)))
        try:
            return expand(expansion, target if target is not None else args[0], args)
        except Misuse as misuse:
            return self._wrong(self._offsets[misuse.id], misuse.message)

    def _primary(self, fragment: Fragment) -> Expr:
        if not fragment.parts:
            return self._nothing()
        start, rules = fragment.start, fragment.rules()
        match fragment.parts[0]:
            case 0 | 1 as call:
                name = fragment.token("IDENTIFIER")
                if name is None:
                    return self._nothing(start)
                if name.text in RESERVED:
                    return self._wrong(start, f"reserved identifier: {name.text}")
                full = name.text if fragment.token(".") is None else "." + name.text
                if not call:
                    return Ident(self._id(name.start), full)
                opening = fragment.token("(")
                return self._call(Missing if opening is None else opening.start, full, None, self._arguments(fragment))
            case 2 | 6:
                return self.visit(next(iter(rules), None))
            case 3:
                elements = [self._within(one) for listed in rules for one in listed.rules()]
                return ListLiteral(self._id(start), tuple(elements))
            case 4:
                for entries in rules:
                    self._entries(entries)
                return MapLiteral(self._id(start), ())
        for fields in rules:
            self._fields(fields)
        opening = fragment.token("{")
        return MapLiteral(self._id(start if opening is None else opening.start), ())

    def _within(self, optional: Fragment) -> Expr:
        return self.visit(next(iter(optional.rules()), None))

    def _entries(self, entries: Fragment) -> None:
        keys, values = _by_colons(entries)
        for index in range(sum(isinstance(part, Token) and part.kind == ":" for part in entries.parts)):
            if index >= len(values):
                return
            self._within(keys[index])
            self.visit(values[index])

    def _fields(self, fields: Fragment) -> None:
        names, values = _by_colons(fields)
        for index, name in enumerate(names):
            if index >= len(values):
                return
            inner = next(iter(name.rules()), None)
            if inner is None:
                self.issues.append(Issue(fields.start, "unsupported ident kind"))
            elif self._name_of(inner, fields.start):
                self.visit(values[index])

    def _literal(self, fragment: Fragment) -> Expr:
        tokens = [part for part in fragment.parts if isinstance(part, Token)]
        if not tokens or tokens[-1].text == "<missing>":
            return self._nothing(fragment.start)
        kind = tokens[-1].kind
        try:
            value = read_literal(kind, "".join([token.text for token in tokens]))
        except BadLiteral as bad:
            return self._wrong(fragment.start, str(bad))
        return Literal(self._id(fragment.start), value)


def _by_colons(fragment: Fragment) -> tuple[Sequence[Fragment], Sequence[Fragment]]:
    """The keys or names of entries, and their values."""
    keys = [one for one in fragment.rules() if one.rule != "expr"]
    return keys, [one for one in fragment.rules() if one.rule == "expr"]
