"""What Go's decoder says of a text that is not JSON: `invalid character ']' looking for beginning of value`.

Asked only once something is known to be wrong, to tell what. Runs of values that are not deep are passed over at once,
so that a large body with a mistake at its end takes little time; and all of it is done in steps.
"""

import re
from collections.abc import Generator
from functools import cache
from typing import Final, NoReturn

from kubewright.model.documents import MAX_DEPTH
from kubewright.model.steps import finish
from kubewright.schema.walk.golang import quote

__all__ = ["NUMBER", "STRING", "syntax_error", "syntax_error_in_steps"]

#: So many bytes are looked at in one step, which takes a millisecond or less; a bracket that is not passed over with
#: others takes as long as so many of them.
_MOST: Final = 4096
_BRACKET: Final = 4
_SPACE: Final = rb"[ \t\r\n]*+"
_PLAIN: Final = rb'[^"\\\x00-\x1f]*+'
_TEXT: Final = _PLAIN + rb'(?:\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})' + _PLAIN + rb")*+"
STRING: Final = rb'"' + _TEXT + rb'"'
NUMBER: Final = rb"-?(?:0|[1-9][0-9]*+)(?:\.[0-9]++)?(?:[eE][-+]?[0-9]++)?"
_SCALAR: Final = rb"(?:" + STRING + rb"|" + NUMBER + rb"|true|false|null)"

_SPACES: Final = re.compile(_SPACE)
_CHARACTERS: Final = re.compile(_TEXT)
_DIGITS: Final = re.compile(rb"[0-9]*+")
_HEX: Final = re.compile(rb"[0-9a-fA-F]{0,4}")
_LITERALS: Final = {b"t": b"true", b"f": b"false", b"n": b"null"}


@cache
def _runs() -> tuple[re.Pattern[bytes], re.Pattern[bytes]]:
    """Elements of a list, and pairs of an object, each with the comma behind it; up to two levels deep."""
    value = _SCALAR
    for _ in range(3):
        element = _SPACE + value + _SPACE
        pair = _SPACE + STRING + _SPACE + rb":" + element
        # A comma is not the last thing before the bracket.
        comma, end = rb"(?:,(?!" + _SPACE + rb"[\]}])|(?=[\]}]))", _SPACE
        whole = rb"\[(?:" + element + comma + rb")*+" + end + rb"\]"
        value = rb"(?:" + _SCALAR + rb"|" + whole + rb"|\{(?:" + pair + comma + rb")*+" + end + rb"\})"
    return re.compile(rb"(?:" + element + rb",)*+"), re.compile(rb"(?:" + pair + rb",)*+")


class _Refused(Exception):
    """The first byte that cannot follow was found."""


def syntax_error(body: bytes) -> str | None:
    """The complaint, or None for JSON. Nesting deeper than we bear is one, as beyond 10,000 levels it is for Go."""
    return finish(syntax_error_in_steps(body))


def syntax_error_in_steps(body: bytes, most: int = _MOST) -> Generator[None, None, str | None]:
    """The same in steps of so many bytes each."""
    # At the end Go steps once more, with a space: half a literal is told by that space, half a list is not.
    try:
        yield from _Scanner(body + b" ", most).run()
    except _Refused as refused:
        return str(refused)
    return None


class _Scanner:
    """One walk over a text: the place, and the brackets that are open."""

    def __init__(self, text: bytes, most: int) -> None:
        self.text = text
        self.most = most
        self.at = 0
        self.open: list[bytes] = []
        self.elements, self.pairs = _runs()

    def run(self) -> Generator[None, None, None]:
        fresh = yield from self.value()
        until = self.most
        while self.open:
            until -= _BRACKET
            if self.at > until:
                until = self.at + self.most
                yield
            inside = self.open[-1]
            close = b"]" if inside == b"[" else b"}"
            if fresh:
                self.pass_over(self.elements if inside == b"[" else self.pairs)
                # Behind a comma the list may not end, before one it may.
                empty = self.text[self.at - 1 : self.at] != b"," and self.byte() == close
                if not empty:
                    fresh = yield from self.member()
                    continue
            byte = self.byte()
            if byte == close:
                self.open.pop()
            elif byte != b",":
                self.refuse("after array element" if inside == b"[" else "after object key:value pair")
            self.at += 1
            fresh = False
            if byte == b",":
                self.pass_over(self.elements if inside == b"[" else self.pairs)
                fresh = yield from self.member()
        self.skip(_SPACES)
        if self.at < len(self.text):
            self.refuse("after top-level value")

    def member(self) -> Generator[None, None, bool]:
        """An element of a list, or a pair of an object. Whether it opened a bracket."""
        if self.open[-1] == b"{":
            if self.byte() != b'"':
                self.refuse("looking for beginning of object key string")
            yield from self.string()
            if self.byte() != b":":
                self.refuse("after object key")
            self.at += 1
        return (yield from self.value())

    def value(self) -> Generator[None, None, bool]:
        byte = self.byte()
        if byte in (b"[", b"{"):
            if len(self.open) >= MAX_DEPTH:
                self.refuse("exceeded max depth")
            self.open.append(byte)
            self.at += 1
            return True
        if byte == b'"':
            yield from self.string()
        elif byte in _LITERALS:
            self.literal(_LITERALS[byte])
        elif byte == b"-" or byte.isdigit():
            self.number()
        else:
            self.refuse("looking for beginning of value")
        return False

    def string(self) -> Generator[None, None, None]:
        self.at += 1
        while self.pass_over(_CHARACTERS) > self.most // 2:
            yield
        byte = self.here()
        if not byte:
            raise _Refused("unexpected end of JSON input")
        self.at += 1
        if byte == b"\\":
            if self.here() != b"u":
                self.refuse("in string escape code")
            self.at += 1
            self.skip(_HEX)
            self.refuse(r"in \u hexadecimal character escape")
        elif byte != b'"':
            self.at -= 1
            self.refuse("in string literal")

    def literal(self, word: bytes) -> None:
        for letter in word.decode():
            if self.here() != letter.encode():
                self.refuse(f"in literal {word.decode()} (expecting '{letter}')")
            self.at += 1

    def number(self) -> None:
        if self.here() == b"-":
            self.at += 1
            self.digit("in numeric literal")
        if self.here() == b"0":
            self.at += 1
        else:
            self.skip(_DIGITS)
        if self.here() == b".":
            self.at += 1
            self.digit("after decimal point in numeric literal")
            self.skip(_DIGITS)
        if self.here() in (b"e", b"E"):
            self.at += 1
            if self.here() in (b"+", b"-"):
                self.at += 1
            self.digit("in exponent of numeric literal")
            self.skip(_DIGITS)

    def digit(self, where: str) -> None:
        if not self.here().isdigit():
            self.refuse(where)

    def here(self) -> bytes:
        return self.text[self.at : self.at + 1]

    def byte(self) -> bytes:
        """The next byte that is no white space."""
        self.skip(_SPACES)
        if self.at >= len(self.text):
            raise _Refused("unexpected end of JSON input")
        return self.here()

    def skip(self, pattern: re.Pattern[bytes]) -> None:
        if found := pattern.match(self.text, self.at):
            self.at = found.end()

    def pass_over(self, pattern: re.Pattern[bytes]) -> int:
        """The same with what may be long, of which it takes some; how much."""
        before = self.at
        if found := pattern.match(self.text, before, before + self.most):
            self.at = found.end()
        return self.at - before

    def refuse(self, where: str) -> NoReturn:
        byte = self.here().decode("latin-1")
        shown = {"'": r"\'", '"': '"'}.get(byte) or quote(byte)[1:-1]
        raise _Refused(f"invalid character '{shown}' {where}")
