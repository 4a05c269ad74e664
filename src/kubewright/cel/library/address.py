"""IP addresses in texts, as Go's netip reads and writes them, with its words for what it refuses.

An address is a version and a number; the zone of an IPv6 address is kept so that whoever wants none can say so.
"""

import re
from typing import Final, NamedTuple

from kubewright.cel.values import EvaluationError
from kubewright.model.selectors.names import quote

__all__ = ["Address", "AddressError", "parse_address", "write_address"]


class AddressError(EvaluationError):
    """A text that is no IP address."""


class Address(NamedTuple):
    """An IP address."""

    version: int
    number: int
    zone: str = ""

    @property
    def bits(self) -> int:
        """How many bits addresses of this version have."""
        return 32 if self.version == 4 else 128


_OCTET: Final = "(0|[1-9][0-9]{0,2})"
_quad: Final = re.compile(rf"{_OCTET}\.{_OCTET}\.{_OCTET}\.{_OCTET}").fullmatch


def parse_address(text: str) -> Address:
    """Read an address of either version."""
    if match := _quad(text):
        one, two, three, four = map(int, match.groups())
        if one <= 255 and two <= 255 and three <= 255 and four <= 255:
            return Address(4, one << 24 | two << 16 | three << 8 | four)
    for char in text:
        if char == ".":
            return Address(4, _dotted(text, text))
        if char == ":":
            return _colons(text)
        if char == "%":
            raise _refused(text, "missing IPv6 address")
    raise _refused(text, "unable to parse IP")


def _refused(text: str, reason: str, at: str = "") -> AddressError:
    place = f" (at {quote(at)})" if at else ""
    return AddressError(f"ParseAddr({quote(text)}): {reason}{place}")


def _dotted(text: str, part: str) -> int:
    """The number of the four octets in `part` of a text."""
    number, octets, value, digits = 0, 0, 0, 0
    for place, char in enumerate(part):
        if "0" <= char <= "9":
            if digits == 1 and value == 0:
                raise _refused(text, "IPv4 field has octet with leading zero")
            value, digits = value * 10 + int(char), digits + 1
            if value > 255:
                raise _refused(text, "IPv4 field has value >255")
        elif char == ".":
            if place in (0, len(part) - 1) or part[place - 1] == ".":
                raise _refused(text, "IPv4 field must have at least one digit", part[place:])
            if octets == 3:
                raise _refused(text, "IPv4 address too long")
            number, octets, value, digits = number << 8 | value, octets + 1, 0, 0
        else:
            raise _refused(text, "unexpected character", part[place:])
    if octets < 3:
        raise _refused(text, "IPv4 address too short")
    return number << 8 | value


_digits: Final = re.compile("[0-9a-fA-F]*").match


def _colons(text: str) -> Address:
    rest, mark, zone = text.partition("%")
    if mark and not zone:
        raise _refused(text, "zone must be a non-empty string")
    groups: list[int] = []
    gap = -1  # how many groups stand before the "::"
    if rest.startswith("::"):
        gap, rest = 0, rest[2:]
        if not rest:
            return Address(6, 0, zone)
    while len(groups) < 8:
        match = _digits(rest)
        size = match.end() if match else 0
        if size > 4:
            raise _refused(text, "each group must have 4 or less digits", rest)
        if size == 0:
            raise _refused(text, "each colon-separated field must have at least one digit", rest)
        if rest[size : size + 1] == ".":
            if gap < 0 and len(groups) != 6:
                raise _refused(text, "embedded IPv4 address must replace the final 2 fields of the address", rest)
            if len(groups) > 6:
                raise _refused(text, "too many hex fields to fit an embedded IPv4 at the end of the address", rest)
            groups += divmod(_dotted(text, rest), 1 << 16)
            rest = ""
            break
        groups.append(int(rest[:size], 16))
        rest = rest[size:]
        if not rest:
            break
        if rest[0] != ":":
            raise _refused(text, "unexpected character, want colon", rest)
        if len(rest) == 1:
            raise _refused(text, "colon must be followed by more characters", rest)
        rest = rest[1:]
        if rest[0] == ":":
            if gap >= 0:
                raise _refused(text, "multiple :: in address", rest)
            gap, rest = len(groups), rest[1:]
            if not rest:
                break
    if rest:
        raise _refused(text, "trailing garbage after address", rest)
    if len(groups) < 8:
        if gap < 0:
            raise _refused(text, "address string too short")
        groups[gap:gap] = [0] * (8 - len(groups))
    elif gap >= 0:
        raise _refused(text, "the :: must expand to at least one field of zeros")
    number = 0
    for group in groups:
        number = number << 16 | group
    return Address(6, number, zone)


def write_address(address: Address) -> str:
    """The canonical text: the longest run of zeros, if longer than one, is left out."""
    number = address.number
    if address.version == 4:
        return ".".join(str(number >> shift & 255) for shift in (24, 16, 8, 0))
    groups = [number >> shift & 0xFFFF for shift in range(112, -1, -16)]
    start, length = 0, 0
    for first in range(8):
        run = 0
        while first + run < 8 and groups[first + run] == 0:
            run += 1
        if run > length:
            start, length = first, run
    words = [f"{group:x}" for group in groups]
    if length < 2:
        return ":".join(words)
    return ":".join(words[:start]) + "::" + ":".join(words[start + length :])
