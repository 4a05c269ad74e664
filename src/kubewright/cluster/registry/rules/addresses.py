"""IP addresses in fields that once took them sloppily: leading zeros, IPv4 mapped into IPv6."""

import re
from collections.abc import Container, Iterator
from ipaddress import IPv4Address, IPv6Address, ip_address
from typing import Final

from kubewright.schema.walk.errors import FieldError, invalid
from kubewright.schema.walk.golang import quote

__all__ = ["PLAIN", "address_warnings", "canonical_address", "check_address", "sloppy_address"]

#: How nearly every address is written; nothing more needs to be known of it. There may be thousands in one object.
PLAIN: Final = r"(?:25[0-5]|2[0-4][0-9]|1[0-9]{2}|[1-9]?[0-9])(?:\.(?:25[0-5]|2[0-4][0-9]|1[0-9]{2}|[1-9]?[0-9])){3}"
_plain: Final = re.compile(PLAIN).fullmatch
_zeros: Final = re.compile(r"(?<![0-9A-Fa-f:.])0+(?=[0-9])|(?<=\.)0+(?=[0-9])")


def sloppy_address(text: str) -> IPv4Address | IPv6Address | None:
    """An address as old versions read it; an IPv4 address mapped into IPv6 is an IPv4 address."""
    if _plain(text):
        return IPv4Address(int.from_bytes(map(int, text.split("."))))  # a tenth of what it takes to read a text
    if "%" in text:
        return None
    try:
        found = ip_address(_zeros.sub("", text) if "." in text else text)
    except ValueError:
        return None
    return found.ipv4_mapped or found if isinstance(found, IPv6Address) else found


def _strict_address(text: str) -> IPv4Address | IPv6Address | None:
    try:
        return ip_address(text)
    except ValueError:
        return None


def check_address(text: str, path: str, kept: Container[str] = ()) -> Iterator[FieldError]:
    """What is wrong with an address; those that were there before are `kept`."""
    if text not in kept and (complaint := _complaint(text)):
        yield invalid(path, text, complaint)


def canonical_address(text: str) -> list[str]:
    """What is said against an address where there is one way alone to write it."""
    complaint = _complaint(text)
    if not complaint and (found := str(sloppy_address(text))) != text:
        complaint = f"must be in canonical form ({quote(found)})"
    return [complaint] if complaint else []


def _complaint(text: str) -> str:
    if _plain(text):
        return ""
    if sloppy_address(text) is None:
        return "must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)"
    strict = _strict_address(text)
    if strict is None:
        return "must not have leading 0s"
    mapped = isinstance(strict, IPv6Address) and strict.ipv4_mapped is not None
    return "must not be an IPv4-mapped IPv6 address" if mapped else ""


def address_warnings(text: str, path: str) -> Iterator[str]:
    """What is odd about an address that is valid, as far as old fields go."""
    sloppy = None if _plain(text) else sloppy_address(text)
    if sloppy is None:
        return
    strict = _strict_address(text)
    if strict is None or (isinstance(strict, IPv6Address) and strict.ipv4_mapped is not None):
        yield f"{path}: non-standard IP address {quote(text)} is invalid: use {quote(str(sloppy))}"
    elif isinstance(strict, IPv6Address) and str(strict) != text:
        yield f"{path}: IPv6 address {quote(text)} should be in RFC 5952 canonical format ({quote(str(strict))})"
