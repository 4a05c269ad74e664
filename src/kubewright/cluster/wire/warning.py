"""Warnings to the client, as headers: `Warning: 299 - "unknown field \"spec.zzz\""`.

    warning_headers(texts: Iterable[str]) -> list[tuple[bytes, bytes]]

Each text is told once. Together they may have 4,096 characters: with more, each is cut at 256, and no more are told
once those are 4,096. A text with a control character would break out of its line and is not told at all.
"""

import unicodedata
from collections.abc import Iterable
from typing import Final

__all__ = ["warning_headers"]

_ALL: Final = 4096
_EACH: Final = 256


def warning_headers(texts: Iterable[str]) -> list[tuple[bytes, bytes]]:
    """The headers for these texts, in order."""
    told = [text for text in dict.fromkeys(texts) if text and _is_line(text)]
    if sum(map(len, told)) > _ALL:
        told = _shortened(told)
    return [(b"Warning", b'299 - "%b"' % _escaped(text).encode("utf-8", "replace")) for text in told]


def _shortened(texts: list[str]) -> list[str]:
    """As many as are added before the limit is met; those up to the first that went beyond it are all told."""
    kept: list[str] = []
    whole = 0
    cut = 0
    for text in texts:
        if whole > _ALL and cut >= _ALL:
            break
        kept.append(text[:_EACH])
        whole += len(text)
        cut += len(kept[-1])
    return kept


def _is_line(text: str) -> bool:
    """Whether a text has no control characters; most are known at once to have none."""
    return text.isprintable() or all(unicodedata.category(char) != "Cc" for char in text)


def _escaped(text: str) -> str:
    return text.replace("\\", "\\\\").replace('"', '\\"')
