"""Where two masked answers differ, as paths. Types count: 1 is not 1.0, and not True."""

import json
from collections.abc import Iterator
from typing import Any, NamedTuple

__all__ = ["Difference", "differences"]


class Difference(NamedTuple):
    """One place at which an answer is not the expected one."""

    step: int
    path: str
    expected: str
    got: str

    def __str__(self) -> str:
        return f"step {self.step} {self.path}: expected {self.expected}, got {self.got}"


def differences(expected: list[dict[str, Any]], got: list[dict[str, Any]]) -> list[Difference]:
    """All places at which two transcripts of one script differ."""
    found: list[Difference] = []
    for step in range(max(len(expected), len(got))):
        one = expected[step] if step < len(expected) else None
        other = got[step] if step < len(got) else None
        found += (Difference(step + 1, path or ".", *shown) for path, *shown in _walk(one, other, ""))
    return found


def _walk(expected: Any, got: Any, path: str) -> Iterator[tuple[str, str, str]]:
    if isinstance(expected, dict) and isinstance(got, dict):
        for key in sorted(expected.keys() | got.keys()):
            place = f"{path}.{key}"
            if key not in got:
                yield place, _shown(expected[key]), "nothing"
            elif key not in expected:
                yield place, "nothing", _shown(got[key])
            else:
                yield from _walk(expected[key], got[key], place)
    elif isinstance(expected, list) and isinstance(got, list):
        for at in range(max(len(expected), len(got))):
            place = f"{path}[{at}]"
            if at >= len(got):
                yield place, _shown(expected[at]), "nothing"
            elif at >= len(expected):
                yield place, "nothing", _shown(got[at])
            else:
                yield from _walk(expected[at], got[at], place)
    elif type(expected) is not type(got) or expected != got:
        begin = _common(expected, got) if isinstance(expected, str) and isinstance(got, str) else 0
        yield path, _shown(expected, begin), _shown(got, begin)


def _common(one: str, other: str) -> int:
    """From where on two long texts are worth showing."""
    if max(len(one), len(other)) < 200:
        return 0
    same = next(
        (at for at, pair in enumerate(zip(one, other, strict=False)) if pair[0] != pair[1]), min(len(one), len(other))
    )
    return max(0, same - 40)


def _shown(value: Any, begin: int = 0) -> str:
    text = json.dumps(f"…{value[begin:]}" if begin else value, ensure_ascii=False, sort_keys=True)
    return text if len(text) <= 400 else f"{text[:300]} … {text[-80:]}"
