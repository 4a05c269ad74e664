"""What is wrong with a text that does not fit the grammar, in the words of the server.

The server's parser reads on after an error: it leaves out a token, imagines a missing one, or gives up the rule it is
in and skips to what may follow it; and each time it does so for a new reason it says so. Messages list what was
expected at that place. To give the same messages this reader takes the same steps, on the graph of the `grammar`. It is
slow: it only runs on texts that are known to be wrong.
"""

import re
from typing import NoReturn

from kubewright.cel.errors import Issue, Unplaced
from kubewright.cel.grammar import NOTHING, ORDER, RELATIONS, Edge, State, next_tokens, rules
from kubewright.cel.lexer import END, tokenize
from kubewright.cel.nesting import deeply
from kubewright.cel.salvage import Fragment, Token, salvage

__all__ = ["explain"]

_MOST_NESTING = 250
_MOST_RECOVERIES = 30
_MOST_SKIPPED = 256
_MOST_ISSUES = 100
# `a.true` is said to lack a name, rather than to have no alternative.
_KEYWORD_AS_NAME = re.compile(r"no viable alternative at input '.(true|false|null)'")
_PRECEDENCE = {"*": 2, "/": 2, "%": 2, "+": 1, "-": 1}


def explain(text: str) -> list[Issue]:
    """The issues of a text that does not parse."""
    reader = _Reader(text)
    try:
        reader.read()
    except _GivenUp as end:
        if end.message:
            reader.issues.append(Issue(Unplaced, end.message))
    return reader.issues


class _GivenUp(Exception):
    """A limit is reached; `message` is said in the end."""

    def __init__(self, message: str = "") -> None:
        super().__init__(message)
        self.message = message


class _Unfit(Exception):
    """The rule cannot go on at token number `offending`."""

    def __init__(self, offending: int, message: str) -> None:
        super().__init__(message)
        self.offending = offending
        self.message = message


class _Frame(Fragment):
    """A rule being read: where it stands, the edge that led into it, and how tightly operators must bind in it."""

    __slots__ = ("edge", "precedence", "state")

    def __init__(self, rule: str, start: int, state: State, edge: Edge | None, precedence: int) -> None:
        super().__init__(rule, start)
        self.state = state
        self.edge = edge
        self.precedence = precedence


class _Reader:
    def __init__(self, text: str) -> None:
        tokens = tokenize(text)
        self._text = text
        self._bad = tokens.bad
        self._kinds = tokens.kinds
        self._texts = tokens.texts
        self._starts = tokens.starts
        self._place = 0
        self._frames: list[_Frame] = []
        self._depths: dict[str, int] = dict.fromkeys(rules(), 0)
        # While an error is being dealt with, further ones are its consequences and not told.
        self._recovering = False
        self._recoveries = 0
        self._last_place = -1
        self._last_states: set[State] = set()
        self._state = State()
        self._unread = 0
        self.issues: list[Issue] = []

    def read(self) -> None:
        self._enter("start", None, 0)
        (whole,) = self._frames
        while self._frames:
            frame = self._frames[-1]
            if not frame.state.edges:
                self._leave()
                continue
            self._state = frame.state
            try:
                self._step(frame)
            except _Unfit as unfit:
                self._report(unfit.offending, unfit.message)
                self._recover()
                self._leave()
        self.issues += deeply(salvage, whole)

    def _step(self, frame: _Frame) -> None:
        state = frame.state
        if state.decision:
            self._synchronise(state)
            way = self._decide(frame, state)
            if not state.optional and state.decision == "block":
                frame.parts.append(state.edges.index(way))
            frame.state = way.target
            return
        edge = state.edges[0]
        if edge.rule:
            frame.state = edge.target
            self._enter(edge.rule, edge, edge.precedence)
        else:
            if edge.tokens:
                self._match(edge)
            frame.state = edge.target

    def _enter(self, rule: str, edge: Edge | None, precedence: int) -> None:
        self._depths[rule] += 1
        if self._depths[rule] > _MOST_NESTING:
            raise _GivenUp(f"expression recursion limit exceeded: {_MOST_NESTING}")
        frame = _Frame(rule, self._starts[self._place], rules()[rule], edge, precedence)
        if self._frames:
            self._frames[-1].parts.append(frame)
        self._frames.append(frame)

    def _leave(self) -> None:
        self._depths[self._frames.pop().rule] -= 1

    # Tokens

    def _kind(self, ahead: int = 0) -> str:
        place = min(self._place + ahead, len(self._kinds) - 1)
        # What cannot be read comes to light as tokens are asked for.
        while self._unread < len(self._bad) and self._bad[self._unread][0] <= self._starts[place]:
            start, end = self._bad[self._unread]
            self._unread += 1
            self._say(start, f"token recognition error at: '{self._text[start:end]}'")
        return self._kinds[place]

    def _consume(self) -> None:
        if self._kinds[self._place] != END:
            self._place += 1

    def _accept(self) -> None:
        place = self._place
        self._frames[-1].parts.append(Token(self._kinds[place], self._texts[place], self._starts[place]))
        self._consume()

    def _match(self, edge: Edge) -> None:
        if self._kind() in edge.tokens:
            self._matched()
            self._accept()
            return
        self._count_recovery()
        if self._drop_one():
            self._accept()
        elif self._kind() in self._expected(edge.target):
            # As if it were there.
            self._complain(f"missing {_listed(self._expected(self._state))} at {self._shown()}")
            (kind,) = edge.tokens
            self._frames[-1].parts.append(Token(kind, "<missing>", self._starts[self._place]))
        else:
            self._mismatched()

    def _matched(self) -> None:
        self._recovering = False
        self._last_states.clear()
        self._last_place = -1

    def _shown(self) -> str:
        return _quoted(self._texts[self._place])

    # Decisions

    def _decide(self, frame: _Frame, state: State) -> Edge:
        kind = self._kind()
        edges = state.edges
        match state.name:
            case "relations":
                return edges[0 if kind in RELATIONS and frame.precedence <= 1 else -1]
            case "calculations":
                return edges[0 if _PRECEDENCE.get(kind, 0) >= max(frame.precedence, 1) else -1]
            case "commas":
                # A comma may also be the one that ends a list.
                return edges[0 if kind == "," and self._kind(1) in self._after_comma(edges[0]) else -1]
            case "minuses" if kind == "-":
                return self._minuses(edges)
            case "unary" if kind == "-":
                return self._unary(edges)
            case "member" if kind == ".":
                return self._member(edges)
            case "primary" if kind == "." or kind == "IDENTIFIER":
                return self._primary(edges)
            case "literal" if kind == "-":
                if self._kind(1) not in ("NUM_INT", "NUM_FLOAT"):
                    self._no_alternative(1)
                return edges[0 if self._kind(1) == "NUM_INT" else 2]
        for edge in edges[:-1] if state.optional else edges:
            if kind in next_tokens(edge.target):
                return edge
        if not state.optional and state.decision != "loop":
            self._no_alternative(0)
        return edges[-1]

    def _after_comma(self, edge: Edge) -> frozenset[str]:
        (comma,) = edge.target.edges
        return next_tokens(comma.target)

    def _minuses(self, edges: list[Edge]) -> Edge:
        if self._kind(1) not in next_tokens(edges[0].target.edges[0].target):
            self._no_alternative(1)
        return edges[0]

    def _unary(self, edges: list[Edge]) -> Edge:
        """A sign of a number, or the operator."""
        kind = self._kind(1)
        if kind == "NUM_INT" or kind == "NUM_FLOAT":
            return edges[0]
        if kind != "-" and kind not in next_tokens(rules()["member"]):
            self._no_alternative(1)
        return edges[2]

    def _member(self, edges: list[Edge]) -> Edge:
        """A field, or a call."""
        kind = self._kind(1)
        if kind == "IDENTIFIER":
            return edges[1 if self._kind(2) == "(" else 0]
        if kind != "?" and kind != "ESC_IDENTIFIER":
            self._no_alternative(1)
        return edges[0]

    def _primary(self, edges: list[Edge]) -> Edge:
        """A variable, a call, or a message with a dotted name."""
        ahead = 0
        if self._kind() == ".":
            if self._kind(1) != "IDENTIFIER":
                self._no_alternative(1)
            ahead = 1
        ahead += 1
        if self._kind(ahead) == "(":
            return edges[1]
        while self._kind(ahead) == "." and self._kind(ahead + 1) == "IDENTIFIER":
            ahead += 2
        return edges[5 if self._kind(ahead) == "{" else 0]

    # Errors

    def _say(self, offset: int, message: str) -> None:
        if len(self.issues) >= _MOST_ISSUES:
            self.issues.append(Issue(offset, f"Syntax error: More than {_MOST_ISSUES} syntax errors"))
            raise _GivenUp
        self.issues.append(Issue(offset, f"Syntax error: {message}"))

    def _complain(self, message: str) -> None:
        self._report(self._place, message)

    def _report(self, place: int, message: str) -> None:
        if self._recovering:
            return
        self._recovering = True
        self._say(self._starts[place], message)

    def _no_alternative(self, ahead: int) -> NoReturn:
        """No way on from here; `ahead` tells which token made that clear."""
        offending = min(self._place + ahead, len(self._kinds) - 1)
        start = self._starts[self._place]
        if self._kinds[self._place] == END:
            seen = END
        else:
            end = self._starts[offending]
            if self._kinds[offending] != END:
                end += len(self._texts[offending])
            seen = "".join(
                [self._text[place] for place in range(start, end) if not any(a <= place < b for a, b in self._bad)]
            )
        message = f"no viable alternative at input {_quoted(seen)}"
        raise _Unfit(offending, _KEYWORD_AS_NAME.sub(r"mismatched input '\1' expecting IDENTIFIER", message))

    def _mismatched(self) -> NoReturn:
        message = f"mismatched input {self._shown()} expecting {_listed(self._expected(self._state))}"
        raise _Unfit(self._place, message)

    def _expected(self, state: State) -> frozenset[str]:
        """What may come at a state, with what may follow the rules that may end there."""
        found = next_tokens(state)
        if NOTHING not in found:
            return found
        expected = set(found)
        for frame in reversed(self._frames):
            if frame.edge is None or NOTHING not in found:
                break
            found = next_tokens(frame.edge.target)
            expected |= found
        expected.discard(NOTHING)
        if NOTHING in found:
            expected.add(END)
        return frozenset(expected)

    def _follow(self) -> set[str]:
        """What may come after any of the rules being read: where reading can go on."""
        found: set[str] = set()
        for frame in self._frames:
            if frame.edge is not None:
                found |= next_tokens(frame.edge.target)
        found.discard(NOTHING)
        return found

    def _skip_to(self, kinds: set[str], *, counted: bool) -> None:
        skipped = 0
        while (kind := self._kind()) != END and kind not in kinds:
            if counted and skipped >= _MOST_SKIPPED:
                raise _GivenUp(f"error recovery token lookahead limit exceeded: {_MOST_SKIPPED}")
            skipped += 1
            self._consume()

    def _count_recovery(self) -> None:
        if self._recoveries == _MOST_RECOVERIES:
            self._say(self._starts[self._place], f"error recovery attempt limit exceeded: {_MOST_RECOVERIES}")
            raise _GivenUp
        self._recoveries += 1

    def _recover(self) -> None:
        """Skip to what may follow; past it, when that was tried before and nothing came of it."""
        self._count_recovery()
        if self._last_place == self._place and self._state in self._last_states:
            self._consume()
        self._last_place = self._place
        self._last_states.add(self._state)
        self._skip_to(self._follow(), counted=True)

    def _synchronise(self, state: State) -> None:
        """At a decision: an unexpected token is dealt with at once, unless the rule may end here."""
        if self._recovering:
            return
        expected = next_tokens(state)
        if NOTHING in expected or self._kind() in expected:
            return
        if state.decision == "again":
            self._complain(f"extraneous input {self._shown()} expecting {_listed(self._expected(state))}")
            self._skip_to(self._follow() | self._expected(state), counted=False)
        elif not self._drop_one():
            self._mismatched()

    def _drop_one(self) -> bool:
        """Leave a token out, if the one behind it is what was expected."""
        expected = self._expected(self._state)
        if self._kind(1) not in expected:
            return False
        self._complain(f"extraneous input {self._shown()} expecting {_listed(expected)}")
        self._consume()
        self._matched()
        return True


def _quoted(text: str) -> str:
    return "'" + text.replace("\t", "\\t").replace("\n", "\\n").replace("\r", "\\r") + "'"


def _listed(kinds: frozenset[str]) -> str:
    names = [kind if kind == END or kind.isupper() else f"'{kind}'" for kind in ORDER if kind in kinds]
    return names[0] if len(names) == 1 else "{" + ", ".join(names) + "}"
