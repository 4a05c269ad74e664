"""Header fields: pairs of bytes, in order, looked up without regard to case.

Three needs meet here. A parser makes one for every message and most are asked for a few names only: so the index is
made on the first lookup, and lines that were recognised as a whole are read then, too. A server sends the same fields
with thousands of answers: so the encoded block is kept, and a `Headers` never changes; `plus` makes another and extends
the block. Nothing may be smuggled in through a value: so a name that is no token or a value with a control character is
refused when the block is written.
"""

import re
from collections.abc import Iterable, Iterator
from functools import lru_cache

__all__ = ["EMPTY", "Headers"]

TOKEN = re.compile(rb"[!#$%&'*+.^_`|~0-9A-Za-z-]+")
FORBIDDEN = re.compile(rb"[\x00-\x08\x0a-\x1f\x7f]")

#: How a message ends is for the connection to say; what a caller says of it is not sent.
FRAMING = frozenset((b"connection", b"content-length", b"keep-alive", b"transfer-encoding"))


class Headers:
    """The header fields of one message."""

    __slots__ = ("_block", "_index", "_lines", "_pairs")

    def __init__(self, pairs: Iterable[tuple[bytes, bytes]] = ()) -> None:
        self._pairs: list[tuple[bytes, bytes]] | None = pairs if isinstance(pairs, list) else list(pairs)
        self._lines = b""
        self._index: dict[bytes, bytes] | None = None
        self._block: bytes | None = None

    @classmethod
    def parsed(cls, pairs: list[tuple[bytes, bytes]]) -> "Headers":
        """What a parser found: names in lower case already."""
        headers = cls(pairs)
        index = dict(pairs)
        headers._index = index if len(index) == len(pairs) else dict(reversed(pairs))
        return headers

    @classmethod
    def unread(cls, lines: bytes) -> "Headers":
        """Lines that are known to be in order, each `\\r\\nName:value`; they are read when somebody asks."""
        headers = cls.__new__(cls)
        headers._pairs, headers._lines, headers._index, headers._block = None, lines, None, None
        return headers

    @property
    def pairs(self) -> list[tuple[bytes, bytes]]:
        """Names and values, in order."""
        pairs = self._pairs
        if pairs is None:
            fields = [line.partition(b":") for line in self._lines.split(b"\r\n")[1:]]
            pairs = self._pairs = [(name.lower(), value.strip()) for name, _, value in fields]
        return pairs

    @property
    def index(self) -> dict[bytes, bytes]:
        """The first value of each name, by the name in lower case."""
        index = self._index
        if index is None:
            index = self._index = {name.lower(): value for name, value in reversed(self.pairs)}
        return index

    def get(self, name: bytes) -> bytes | None:
        """The first value of `name`, which is given in lower case."""
        return self.index.get(name)

    def all(self, name: bytes) -> list[bytes]:
        """Every value of `name`, which is given in lower case, one for each line."""
        return [value for found, value in self.pairs if found.lower() == name]

    def tokens(self, name: bytes) -> list[bytes]:
        """The members of a comma-separated field, in lower case, over all of its lines."""
        return [token for value in self.all(name) for part in value.split(b",") if (token := part.strip().lower())]

    def plus(self, *pairs: tuple[bytes, bytes]) -> "Headers":
        """These fields, and more."""
        more = Headers([*self.pairs, *pairs])
        more._block = self.block + encode(pairs)
        return more

    @property
    def block(self) -> bytes:
        """The lines as they are sent, each with its line end; those that frame the message are left out."""
        block = self._block
        if block is None:
            block = self._block = encode(self.pairs)
        return block

    def __contains__(self, name: bytes) -> bool:
        if self._pairs is None and self._lines.lower().find(name) < 0:
            return False
        return name in self.index

    def __iter__(self) -> Iterator[tuple[bytes, bytes]]:
        return iter(self.pairs)

    def __len__(self) -> int:
        return len(self.pairs)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Headers) and self.pairs == other.pairs

    def __hash__(self) -> int:
        return hash(tuple(self.pairs))

    def __repr__(self) -> str:
        return f"Headers({self.pairs!r})"


def encode(pairs: Iterable[tuple[bytes, bytes]]) -> bytes:
    """Write lines; a `ValueError` for a field that would break out of its line."""
    lines = []
    for name, value in pairs:
        framing = _is_framing(name)
        if FORBIDDEN.search(value) is not None:
            raise ValueError(f"the value of header {name.decode()} holds a control character: {value!r}")
        if not framing:
            lines.append(b"%b: %b\r\n" % (name, value))
    return b"".join(lines)


@lru_cache(256)
def _is_framing(name: bytes) -> bool:
    """Whether a name is for the connection to say; a `ValueError` if it is none. The same few come again and again."""
    if TOKEN.fullmatch(name) is None:
        raise ValueError(f"{name!r} is no header name: use letters, digits and -")
    return name.lower() in FRAMING


EMPTY = Headers()
