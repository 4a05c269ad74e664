"""JSON with the keys of every map in order: what is the same is the same text.

msgspec orders them itself, but in time that grows with the square of their number where they are nearly in order, as
those of a map are to which somebody adds a key: 0.8 s for 20,000. So wide maps are put in order first; only texts that
are long enough to have one are looked through.
"""

from operator import itemgetter
from typing import Any, Final

import msgspec

__all__ = ["encode_ordered"]

_plain: Final = msgspec.json.Encoder().encode
_ordered: Final = msgspec.json.Encoder(order="deterministic").encode
#: A map with so many keys is wide; one takes at least so many bytes.
_WIDE: Final = 500
_LONG: Final = 8 * _WIDE
_HOLDS: Final = frozenset({dict, list})


def encode_ordered(value: Any) -> bytes:
    """The text of a value."""
    return _ordered(value if len(_plain(value)) < _LONG else _in_order(value))


def _in_order(value: Any) -> Any:
    """The same value, its wide maps in order."""
    kind = type(value)
    if kind is dict:
        items = sorted(value.items(), key=itemgetter(0)) if len(value) >= _WIDE else value.items()
        return {name: _in_order(member) if type(member) in _HOLDS else member for name, member in items}
    return [_in_order(item) if type(item) in _HOLDS else item for item in value] if kind is list else value
