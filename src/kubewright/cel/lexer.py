"""Text to tokens, by one compiled pattern.

A token is its kind, its text and its place. Operators and brackets are their own kind; the rest are named as syntax
errors name them (`IDENTIFIER`, `NUM_INT` …). Of several tokens that could begin at a place the longest wins. What can
begin no token is noted and left out, and reading goes on behind it.
"""

import re

__all__ = ["END", "Tokens", "tokenize"]

END = "<EOF>"
_ESCAPE = r"\\(?:[abfnrtv\"'\\?`]|[xX][0-9a-fA-F]{2}|u[0-9a-fA-F]{4}|U[0-9a-fA-F]{8}|[0-3][0-7][0-7])"
_STRING = (
    rf'"""(?:[^\\]|{_ESCAPE})*?"""'
    rf"|'''(?:[^\\]|{_ESCAPE})*?'''"
    rf'|"(?:[^\\"\n\r]++|{_ESCAPE})*+"'
    rf"|'(?:[^\\'\n\r]++|{_ESCAPE})*+'"
    r'|[rR](?:"""[\s\S]*?"""' + r"|'''[\s\S]*?'''" + r'|"[^"\n\r]*"' + r"|'[^'\n\r]*')"
)
_TOKEN = re.compile(
    r"((?:[\t \r\n\f]++|//[^\n]*+)*+)"
    r"(?:"
    rf"(?P<STRING>{_STRING})"
    rf"|(?P<BYTES>[bB](?:{_STRING}))"
    r"|(?P<IDENTIFIER>[A-Za-z_][A-Za-z0-9_]*)"
    r"|(?P<NUM_FLOAT>[0-9]*\.[0-9]+(?:[eE][+-]?[0-9]+)?|[0-9]+[eE][+-]?[0-9]+)"
    r"|(?P<NUM_UINT>(?:0x[0-9a-fA-F]+|[0-9]+)[uU])"
    r"|(?P<NUM_INT>0x[0-9a-fA-F]+|[0-9]+)"
    r"|&&|\|\||[=!<>]=|[-+*/%!<>?:.,()\[\]{}]"
    r"|(?P<ESC_IDENTIFIER>`[A-Za-z0-9_.\-/ ]+`)"
    r"|\Z"
    r"|(?P<bad>[\s\S])"
    r")"
)
# Nobody is told of more; what follows is not read.
_MOST_BAD = 100

# What is its own kind, wherever it stands.
_WORDS = {
    word: word for word in ("in", "true", "false", "null", "&&", "||", "==", "!=", "<=", ">=", *"-+*/%!<>?:.,()[]{}")
}

# How far a token could still have been read where none can: all of that is in the error, with the character that spoilt
# it.
_PARTIAL_ESCAPE = r"(?:\\(?:[xX][0-9a-fA-F]?|u[0-9a-fA-F]{0,3}|U[0-9a-fA-F]{0,7}|[0-3][0-7]?)?)?"
_PARTIAL = re.compile(
    rf'"(?:[^\\"\n\r]++|{_ESCAPE})*+{_PARTIAL_ESCAPE}'
    rf"|'(?:[^\\'\n\r]++|{_ESCAPE})*+{_PARTIAL_ESCAPE}"
    r"|`[A-Za-z0-9_.\-/ ]*"
    r"|[&|=]"
    r"|"
)


class Tokens:
    """The tokens of a text in three columns, the last of them `END`, and from where to where nothing could be read."""

    __slots__ = ("bad", "kinds", "starts", "texts")

    def __init__(self) -> None:
        self.kinds: list[str] = []
        self.texts: list[str] = []
        self.starts: list[int] = []
        self.bad: list[tuple[int, int]] = []


def tokenize(text: str) -> Tokens:
    """All tokens of `text`; never fails."""
    tokens = Tokens()
    kinds, texts, starts = tokens.kinds, tokens.texts, tokens.starts
    position = 0
    while True:
        for match in _TOKEN.finditer(text, position):
            start = match.end(1)
            word = text[start : match.end()]
            kind = _WORDS.get(word)
            if kind is None:
                kind = match.lastgroup or END
                if kind == "bad":
                    partial = _PARTIAL.match(text, start)
                    assert partial is not None
                    position = min(partial.end() + 1, len(text))
                    tokens.bad.append((start, position))
                    if len(tokens.bad) > _MOST_BAD:
                        position = len(text)
                    break
            kinds.append(kind)
            texts.append(word)
            starts.append(start)
            if kind is END:
                texts[-1] = END
                return tokens
