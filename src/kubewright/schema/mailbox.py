"""E-mail addresses as Kubernetes reads them: what Go's `net/mail` takes for one address.

That is more than `user@host`: a display name with the address in angle brackets, comments in parentheses, a quoted
local part, an IP address in square brackets, even a group with one member. It is read here by a cursor that follows the
same grammar, with the same leniencies.
"""

import re

from kubewright.schema.address import is_ip
from kubewright.schema.expression import expression, whole

__all__ = ["is_mailbox"]

_atom = expression(r"[^\x00-\x20\x7f()<>\[\]:;@\\,\"]+")
_quoted = expression(r'"((?:[^\x00-\x08\x0a-\x1f\x7f"\\]|\\[^\x00-\x08\x0a-\x1f\x7f])*)"')
_domain_literal = expression(r"\[([^\x00-\x20\x7f\[\]\\]*)\]")
_spaces = expression(r"[ \t]*")
_encoded_word = expression(r"=\?([^?]+)\?([bBqQ])\?([^?]*)\?=")
_q_encoded = whole(r"([\x20-<>-~\n\r\t]|=[0-9a-fA-F]{2})*")
_b_encoded = whole("([A-Za-z0-9+/]{4})*([A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?")
_known_charset = whole(r"(?si:=\?(utf-8|iso-8859-1|us-ascii)\?.*)")


def is_mailbox(text: str) -> bool:
    """Say whether Go's `mail.ParseAddress` takes the text for one address."""
    mailbox = _Mailbox(text)
    try:
        count = mailbox.address(group=True)
        mailbox.skip_comments()
    except _AddressError:
        return False
    return count == 1 and mailbox.at == len(text)


class _AddressError(Exception):
    """The text cannot be read on as an address."""


class _Mailbox:
    """A cursor over an address."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.at = 0

    def take(self, pattern: re.Pattern[str]) -> str | None:
        match = pattern.match(self.text, self.at)
        if match is None:
            return None
        self.at = match.end()
        return match[0]

    def skip(self, char: str) -> bool:
        if self.text.startswith(char, self.at):
            self.at += 1
            return True
        return False

    def skip_comments(self) -> None:
        self.take(_spaces)
        while self.skip("("):
            self.comment()
            self.take(_spaces)

    def comment(self) -> str:
        inside, depth = [], 1
        while depth:
            if self.at >= len(self.text):
                raise _AddressError
            char = self.text[self.at]
            if char == "\\" and self.at + 1 < len(self.text):
                self.at += 1
                char = self.text[self.at]
            elif char in "()":
                depth += 1 if char == "(" else -1
            inside.append(char)
            self.at += 1
        return "".join(inside[:-1])

    def spec(self) -> bool:
        """Take local-part@domain, or nothing."""
        start = self.at
        self.take(_spaces)
        local = self.take(_quoted) if self.text.startswith('"', self.at) else self.dotted()
        if local and local != '""' and self.skip("@"):
            self.take(_spaces)
            if self.text.startswith("[", self.at):
                literal = self.take(_domain_literal)
                found = literal is not None and is_ip(literal[1:-1])
            else:
                found = self.dotted() is not None
            if found:
                return True
        self.at = start
        return False

    def dotted(self) -> str | None:
        atom = self.take(_atom)
        if atom is None or atom.startswith(".") or atom.endswith(".") or ".." in atom:
            return None
        return atom

    def phrase(self) -> None:
        """Take a display name: one word at least, and as many as can be read."""
        plain, encoded = 0, ""
        while True:
            if plain:
                self.skip_comments()
            self.take(_spaces)
            if self.at >= len(self.text):
                return
            word = self.take(_quoted if self.text.startswith('"', self.at) else _atom)
            if word is None or _unknown_charset(word):
                break
            if (content := _encoded_content(word)) is None:
                plain += 1
            else:
                encoded += content
        if not plain and not encoded:
            raise _AddressError

    def address(self, *, group: bool) -> int:
        """Take one address, or a group if one may stand here; return how many addresses that was."""
        self.take(_spaces)
        if self.at >= len(self.text):
            raise _AddressError
        if self.spec():
            self.take(_spaces)
            if self.skip("(") and any(map(_unknown_charset, re.split("[ \t]+", self.comment()))):
                raise _AddressError
            return 1
        if not self.text.startswith("<", self.at):
            self.phrase()
        self.take(_spaces)
        if group and self.skip(":"):
            return self.members()
        if not (self.skip("<") and self.spec() and self.skip(">")):
            raise _AddressError
        return 1

    def members(self) -> int:
        self.take(_spaces)
        if self.skip(";"):
            self.skip_comments()
            return 0
        count = 0
        while True:
            self.take(_spaces)
            count += self.address(group=False)
            self.skip_comments()
            if self.skip(";"):
                self.skip_comments()
                return count
            if not self.skip(","):
                raise _AddressError


def _encoded_content(word: str) -> str | None:
    """The text of a well-formed encoded word (RFC 2047), still encoded, or None: anything else is plain text."""
    match = _encoded_word.fullmatch(word)
    if match is None:
        return None
    if match[2] in "qQ":
        return match[3] if _q_encoded(match[3]) else None
    text = match[3].replace("\r", "").replace("\n", "")
    return text if _b_encoded(text) else None


def _unknown_charset(word: str) -> bool:
    """Say whether an encoded word is in a charset Go does not know, the one thing it refuses."""
    return _encoded_content(word) is not None and not _known_charset(word)
