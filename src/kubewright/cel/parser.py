"""Tokens to a tree: a recursive descent over the grammar of CEL, with macros written out on the way.

There are never more than 250 levels of nesting. A text that does not fit the grammar is handed to `syntax`, which says
in the words of the server what was expected where; what does fit may still be wrong in other ways (a reserved word, a
number too large, a macro misused), and all of that is reported at once.
"""

from kubewright.cel.ast import (
    Ast,
    Call,
    Expr,
    Ident,
    ListLiteral,
    Literal,
    Macro,
    MapEntry,
    MapLiteral,
    Select,
    StructField,
    StructLiteral,
)
from kubewright.cel.errors import ExpressionError, Issue, Unplaced
from kubewright.cel.lexer import END, tokenize
from kubewright.cel.literals import LITERALS, BadLiteral, read_literal
from kubewright.cel.macros import MACROS, Expansion, Misuse
from kubewright.cel.names import RESERVED
from kubewright.cel.nesting import deeply
from kubewright.cel.syntax import explain

__all__ = ["parse"]

_MOST_CODE_POINTS = 100_000
_MOST_NESTING = 250
# `optMap` repeats its target, so a chain of them doubles with every link; a text of the greatest length that repeats
# nothing makes fewer nodes than this.
_MOST_NODES = 150_000

_RELATIONS = {
    "==": "_==_",
    "!=": "_!=_",
    "<": "_<_",
    "<=": "_<=_",
    ">": "_>_",
    ">=": "_>=_",
    "in": "@in",
}
# Name and how tightly it binds.
_ARITHMETIC = {
    "*": ("_*_", 2),
    "/": ("_/_", 2),
    "%": ("_%_", 2),
    "+": ("_+_", 1),
    "-": ("_-_", 1),
}


class _DoesNotFit(Exception):
    """The tokens are not of the grammar."""


class _TooDeep(Exception):
    """Nested beyond the limit."""


def parse(text: str) -> Ast:
    """The tree of `text`; `ExpressionError` with everything that is wrong with it."""
    if len(text) > _MOST_CODE_POINTS:
        message = f"expression code point size exceeds limit: size: {len(text)}, limit {_MOST_CODE_POINTS}"
        raise ExpressionError([Issue(Unplaced, message)], text)
    try:
        return deeply(_parse, text)
    except _DoesNotFit:
        raise ExpressionError(explain(text), text) from None


def _parse(text: str) -> Ast:
    parser = _Parser(text)
    try:
        expr = parser.whole()
    except _TooDeep:
        parser.issues.append(Issue(Unplaced, f"expression recursion limit exceeded: {_MOST_NESTING}"))
    if parser.height > _MOST_NESTING:
        parser.issues.append(Issue(Unplaced, "max recursion depth exceeded"))
    if parser.issues:
        raise ExpressionError(parser.issues, text)
    return Ast(expr, text, parser.offsets)


class _Parser:
    """Reads one text. `height` is how deep operators, selections and calls lie in what was read last."""

    __slots__ = (
        "_calculations",
        "_expressions",
        "_kinds",
        "_next",
        "_place",
        "_relations",
        "_starts",
        "_texts",
        "height",
        "issues",
        "offsets",
    )

    def __init__(self, text: str) -> None:
        tokens = tokenize(text)
        if tokens.bad:
            raise _DoesNotFit
        self._kinds = tokens.kinds
        self._texts = tokens.texts
        self._starts = tokens.starts
        self._place = 0
        self._next = 1
        self._expressions = self._relations = self._calculations = 0
        self.height = 0
        self.offsets: dict[int, int] = {}
        self.issues: list[Issue] = []

    def whole(self) -> Expr:
        expr = self._expression(choice=True)
        if self._kinds[self._place] != END:
            raise _DoesNotFit
        return expr

    def _id(self, offset: int) -> int:
        number = self._next
        if number > _MOST_NODES:
            raise _TooDeep
        self._next = number + 1
        self.offsets[number] = offset
        return number

    def _wrong(self, offset: int, message: str) -> Expr:
        self.issues.append(Issue(offset, message))
        return Literal(self._id(offset), None)

    def _take(self, kind: str) -> int:
        place = self._place
        if self._kinds[place] != kind:
            raise _DoesNotFit
        self._place = place + 1
        return self._starts[place]

    def _expression(self, *, choice: bool) -> Expr:
        """A disjunction, and with `choice` also `a ? b : c`."""
        kinds, starts = self._kinds, self._starts
        if choice:
            self._expressions += 1
            if self._expressions > _MOST_NESTING:
                raise _TooDeep
        self._relations += 1
        if self._relations > _MOST_NESTING:
            raise _TooDeep
        expr = self._relation()
        height = self.height
        kind = kinds[self._place]
        if kind == "&&" or kind == "||":
            expr = self._disjunction(expr)
            height = self.height
        self._relations -= 1
        if choice:
            if kinds[self._place] == "?":
                number = self._id(starts[self._place])
                self._place += 1
                yes = self._expression(choice=False)
                height = max(height, self.height)
                self._take(":")
                no = self._expression(choice=True)
                height = max(height, self.height) + 1
                expr = Call(number, "_?_:_", None, (expr, yes, no))
            self._expressions -= 1
        self.height = height
        return expr

    def _relation(self) -> Expr:
        kinds = self._kinds
        term = self._calculation(1)
        while (operator := _RELATIONS.get(kinds[self._place])) is not None:
            height = self.height
            number = self._id(self._starts[self._place])
            self._place += 1
            self._relations += 1
            if self._relations > _MOST_NESTING:
                raise _TooDeep
            term = Call(number, operator, None, (term, self._calculation(1)))
            self._relations -= 1
            self.height = max(height, self.height) + 1
        return term

    def _disjunction(self, term: Expr) -> Expr:
        """The rest of a chain of `&&` and `||` that begins with `term`."""
        kinds, starts = self._kinds, self._starts
        height = self.height
        either: list[Expr] = []
        either_ids: list[int] = []
        while True:
            both, both_ids = [term], []
            while kinds[self._place] == "&&":
                both_ids.append(self._id(starts[self._place]))
                self._place += 1
                both.append(self._relation())
                height = max(height, self.height)
            either.append(_balanced("_&&_", both, both_ids, 0, len(both_ids) - 1) if both_ids else term)
            if kinds[self._place] != "||":
                break
            either_ids.append(self._id(starts[self._place]))
            self._place += 1
            term = self._relation()
            height = max(height, self.height)
        self.height = height
        return _balanced("_||_", either, either_ids, 0, len(either_ids) - 1) if either_ids else either[0]

    def _calculation(self, binding: int) -> Expr:
        """Operators that bind at least as tightly as `binding`, from the left."""
        kinds = self._kinds
        self._calculations += 1
        if self._calculations > _MOST_NESTING:
            raise _TooDeep
        left = self._operand()
        height = self.height
        while (operator := _ARITHMETIC.get(kinds[self._place])) is not None and operator[1] >= binding:
            number = self._id(self._starts[self._place])
            self._place += 1
            left = Call(number, operator[0], None, (left, self._calculation(operator[1] + 1)))
            height = max(height, self.height) + 1
        self.height = height
        self._calculations -= 1
        return left

    def _operand(self) -> Expr:
        """`!` or `-`, a value, and what is selected from it."""
        kinds, starts = self._kinds, self._starts
        prefix = kinds[self._place]
        number = 0
        if prefix == "!" or prefix == "-":
            first = self._place
            while kinds[self._place] == prefix:
                self._place += 1
            if prefix == "-" and self._place == first + 1 and kinds[self._place] in ("NUM_INT", "NUM_FLOAT"):
                self._place = first  # a sign, part of the number
            elif (self._place - first) % 2:
                number = self._id(starts[first])
        expr = self._primary()
        height = self.height
        while True:
            kind = kinds[self._place]
            if kind == ".":
                dot = starts[self._place]
                self._place += 1
                optional = kinds[self._place] == "?"
                if optional:
                    self._place += 1
                name, at = self._field()
                if optional:
                    select = self._id(dot)
                    expr = Call(select, "_?._", None, (expr, Literal(self._id(at), name)))
                elif kinds[self._place] == "(" and kinds[self._place - 1] == "IDENTIFIER":
                    call = self._id(starts[self._place])
                    args = self._arguments()
                    height = max(height, self.height)
                    expr = self._call(call, name, expr, args)
                else:
                    expr = Select(self._id(dot), expr, name)
            elif kind == "[":
                index = self._id(starts[self._place])
                self._place += 1
                function = "_[_]"
                if kinds[self._place] == "?":
                    self._place += 1
                    function = "_[?_]"
                expr = Call(index, function, None, (expr, self._expression(choice=True)))
                height = max(height, self.height)
                self._take("]")
            else:
                break
            height += 1
        self.height = height
        if number:
            return Call(number, "!_" if prefix == "!" else "-_", None, (expr,))
        return expr

    def _field(self) -> tuple[str, int]:
        """The name of a field and its place."""
        place = self._place
        name, at = self._texts[place], self._starts[place]
        if self._kinds[place] == "ESC_IDENTIFIER":
            self.issues.append(Issue(at, "unsupported syntax: '`'"))
        elif self._kinds[place] != "IDENTIFIER":
            raise _DoesNotFit
        self._place = place + 1
        return name, at

    def _primary(self) -> Expr:
        kinds = self._kinds
        place = self._place
        kind = kinds[place]
        self.height = 0
        if kind == "IDENTIFIER" or kind == ".":
            return self._name()
        if kind in LITERALS or kind == "-":
            return self._literal()
        if kind == "(":
            self._place += 1
            expr = self._expression(choice=True)
            self._take(")")
            return expr
        if kind == "[":
            return self._list()
        if kind == "{":
            return self._map()
        raise _DoesNotFit

    def _name(self) -> Expr:
        """A variable, a call or a message: they all begin with a name."""
        kinds, texts = self._kinds, self._texts
        start = self._starts[self._place]
        lead = ""
        if kinds[self._place] == ".":
            lead = "."
            self._place += 1
            if kinds[self._place] != "IDENTIFIER":
                raise _DoesNotFit
        place = self._place
        end = place + 1
        while kinds[end] == "." and kinds[end + 1] == "IDENTIFIER":
            end += 2
        if kinds[end] == "{":
            self._place = end
            return self._message(lead + ".".join(texts[place:end:2]))
        name = texts[place]
        self._place += 1
        if kinds[self._place] == "(":
            if name in RESERVED:
                self._arguments()
                return self._wrong(start, f"reserved identifier: {name}")
            number = self._id(self._starts[self._place])
            return self._call(number, lead + name, None, self._arguments())
        if name in RESERVED:
            return self._wrong(start, f"reserved identifier: {name}")
        return Ident(self._id(self._starts[place]), lead + name)

    def _arguments(self) -> list[Expr]:
        """What stands between parentheses; `height` is that of the highest."""
        kinds = self._kinds
        self._take("(")
        args: list[Expr] = []
        height = 0
        if kinds[self._place] != ")":
            while True:
                args.append(self._expression(choice=True))
                height = max(height, self.height)
                if kinds[self._place] != ",":
                    break
                self._place += 1
        self._take(")")
        self.height = height
        return args

    def _call(self, number: int, name: str, target: Expr | None, args: list[Expr]) -> Expr:
        expand = MACROS.get((name, len(args), target is not None))
        if expand is None:
            return Call(number, name, target, tuple(args))
        expansion = Expansion(self._id, self.offsets, self.offsets[number], Macro(name, target, tuple(args)))
        try:
            # Only `has` has no target, and it asks for none.
            return expand(expansion, target if target is not None else args[0], args)
        except Misuse as misuse:
            return self._wrong(self.offsets[misuse.id], misuse.message)

    def _optional_mark(self) -> bool:
        if self._kinds[self._place] != "?":
            return False
        self._place += 1
        return True

    def _list(self) -> Expr:
        kinds = self._kinds
        number = self._id(self._take("["))
        elements: list[Expr] = []
        optional: list[int] = []
        height = 0
        # A comma may follow the last element, and may stand alone.
        while kinds[self._place] != "]" and not (kinds[self._place] == "," and not elements):
            if self._optional_mark():
                optional.append(len(elements))
            elements.append(self._expression(choice=True))
            height = max(height, self.height)
            if kinds[self._place] != ",":
                break
            self._place += 1
        else:
            if kinds[self._place] == ",":
                self._place += 1
        self._take("]")
        self.height = height
        return ListLiteral(number, tuple(elements), tuple(optional))

    def _map(self) -> Expr:
        kinds = self._kinds
        number = self._id(self._take("{"))
        entries: list[MapEntry] = []
        height = 0
        while kinds[self._place] != "}" and not (kinds[self._place] == "," and not entries):
            optional = self._optional_mark()
            key = self._expression(choice=True)
            height = max(height, self.height)
            entry = self._id(self._take(":"))
            entries.append(MapEntry(entry, key, self._expression(choice=True), optional))
            height = max(height, self.height)
            if kinds[self._place] != ",":
                break
            self._place += 1
        else:
            if kinds[self._place] == ",":
                self._place += 1
        self._take("}")
        self.height = height
        return MapLiteral(number, tuple(entries))

    def _message(self, name: str) -> Expr:
        kinds = self._kinds
        number = self._id(self._take("{"))
        fields: list[StructField] = []
        height = 0
        while kinds[self._place] != "}" and not (kinds[self._place] == "," and not fields):
            optional = self._optional_mark()
            field, _ = self._field()
            entry = self._id(self._take(":"))
            fields.append(StructField(entry, field, self._expression(choice=True), optional))
            height = max(height, self.height)
            if kinds[self._place] != ",":
                break
            self._place += 1
        else:
            if kinds[self._place] == ",":
                self._place += 1
        self._take("}")
        self.height = height
        return StructLiteral(number, name, tuple(fields))

    def _literal(self) -> Expr:
        place = self._place
        start = self._starts[place]
        kind, word = self._kinds[place], self._texts[place]
        if kind == "-":
            place += 1
            kind, word = self._kinds[place], "-" + self._texts[place]
            if kind not in ("NUM_INT", "NUM_FLOAT"):
                raise _DoesNotFit
        self._place = place + 1
        try:
            return Literal(self._id(start), read_literal(kind, word))
        except BadLiteral as bad:
            return self._wrong(start, str(bad))


def _balanced(function: str, terms: list[Expr], ids: list[int], low: int, high: int) -> Expr:
    """A chain of one operator as a tree of small depth: the order of its terms does not matter."""
    middle = (low + high + 1) // 2
    left = terms[middle] if middle == low else _balanced(function, terms, ids, low, middle - 1)
    right = terms[middle + 1] if middle == high else _balanced(function, terms, ids, middle + 1, high)
    return Call(ids[middle], function, None, (left, right))
