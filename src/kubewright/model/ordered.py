"""JSON with the keys of every map in order: what is the same is the same text.

msgspec orders them itself, but in time that grows with the square of their number where they are nearly in order, as
those of a map are to which somebody adds a key: 0.8 s for 20,000. So wide maps are put in order first; only texts that
are long enough to have one are looked through.
"""

from collections.abc import Callable, Generator
from operator import itemgetter
from typing import Any, Final

import msgspec

from kubewright.model.parts import DEEPEST, is_light, parts

__all__ = ["encode_in_steps", "encode_ordered", "same_in_steps"]

_plain: Final = msgspec.json.Encoder().encode
_ordered: Final = msgspec.json.Encoder(order="deterministic").encode
#: A map with so many keys is wide; one takes at least so many bytes.
_WIDE: Final = 500
_LONG: Final = 8 * _WIDE


def encode_ordered(value: Any) -> bytes:
    """The text of a value."""
    return _ordered(value if len(_plain(value)) < _LONG else _in_order(value))


def encode_in_steps(
    value: Any, encode: Callable[[Any], bytes] = encode_ordered, *, ordered: bool = True
) -> Generator[None, None, bytes]:
    """The text of a large value, in steps; `encode` gives that of a part. Maps stay as they are if not `ordered`."""
    texts: list[bytes] = []
    yield from _write(value, encode, texts, ordered, 0)
    return b"".join(texts)


def same_in_steps(one: dict[str, Any], other: dict[str, Any]) -> Generator[None, None, bool]:
    """Whether two documents are the same text, that is: equal in type too. To Python 1, 1.0 and true are equal."""
    # It tells soonest that they differ, though. Their texts take longer, and are written where all is equal only.
    if one != other:
        return False
    ours, theirs = (
        {name: value for name, value in each.items() if value is not another.get(name)}
        for each, another in ((one, other), (other, one))
    )
    if _plain(ours) == _plain(theirs):
        return True
    yield
    return (yield from encode_in_steps(ours)) == (yield from encode_in_steps(theirs))


def _write(
    value: Any, encode: Callable[[Any], bytes], texts: list[bytes], ordered: bool, depth: int
) -> Generator[None, None, None]:
    if depth == DEEPEST or is_light(value):
        texts.append(encode(value))
        return
    is_map = type(value) is dict
    before = b"{" if is_map else b"["
    for part, key, _ in parts(dict(sorted(value.items(), key=itemgetter(0))) if is_map and ordered else value):
        if key is None:
            texts.append(before + encode(part)[1:-1])
            yield
        else:
            texts.append(before + encode(key) + b":" if is_map else before)
            yield from _write(part, encode, texts, ordered, depth + 1)
        before = b","
    texts.append(b"}" if is_map else b"]")
    yield


def _in_order(value: Any) -> Any:
    """The same value, its wide maps in order."""
    kind = type(value)
    if kind is dict:
        items = sorted(value.items(), key=itemgetter(0)) if len(value) >= _WIDE else value.items()
        return {name: _in_order(member) if _may_be_wide(member) else member for name, member in items}
    return [_in_order(item) if _may_be_wide(item) else item for item in value] if kind is list else value


def _may_be_wide(value: Any) -> bool:
    return (type(value) is dict or type(value) is list) and (len(value) >= _WIDE or len(_plain(value)) >= _LONG)
