"""Ranges of addresses, as `10.9.8.0/24`, in fields that once took them sloppily; and where traffic may go."""

from collections.abc import Container, Iterator
from functools import lru_cache
from ipaddress import IPv4Network, IPv6Network
from typing import Final

from kubewright.cluster.registry.rules.addresses import PLAIN, sloppy_address
from kubewright.schema.expression import whole
from kubewright.schema.walk.errors import FieldError, invalid
from kubewright.schema.walk.golang import quote

__all__ = ["check_destination", "check_range_of_addresses", "range_warnings", "sloppy_range"]

Network = IPv4Network | IPv6Network

#: Addresses in none of the ranges that are of no use elsewhere.
_far: Final = whole(rf"(?!0\.|127\.|169\.|224\.){PLAIN}")
_digits: Final = whole("[0-9]+")
_strict_length: Final = whole("0|[1-9][0-9]*")
_strict_address: Final = whole(r"(?!.*(?:^|[.:])0[0-9]+\.)(?!.*\.0[0-9]).*")


@lru_cache(64)
def sloppy_range(text: str) -> Network | None:
    """A range as old versions read it: leading zeros and bits behind the prefix are ignored."""
    address, slash, length = text.partition("/")
    found = sloppy_address(address)
    if found is None or not slash or not _digits(length) or int(length[-9:]) > (128 if ":" in address else 32):
        return None
    bits = int(length[-9:])
    if ":" in address and found.version == 4:
        bits -= 96
    network = IPv4Network if found.version == 4 else IPv6Network
    return network((int(found), max(bits, 0)), strict=False)


def check_range_of_addresses(text: str, path: str, kept: Container[str] = ()) -> Iterator[FieldError]:
    """What is wrong with a range; those that were there before are `kept`."""
    if text in kept:
        return
    network = sloppy_range(text)
    if network is None:
        yield invalid(path, text, "must be a valid CIDR value, (e.g. 10.9.8.0/24 or 2001:db8::/64)")
        return
    address, _, length = text.partition("/")
    if not _strict_length(length) or not _strict_address(address):
        yield invalid(path, text, "must not have leading 0s in IP or prefix length")
    elif ":" in address and network.version == 4:
        yield invalid(path, text, "must not have an IPv4-mapped IPv6 address")
    elif sloppy_address(address) != network.network_address:
        yield invalid(path, text, "must not have bits set beyond the prefix length")


def range_warnings(text: str, path: str) -> Iterator[str]:
    """What is odd about a range that is valid, as far as old fields go."""
    network = sloppy_range(text)
    if network is None:
        return
    address, _, length = text.partition("/")
    given = sloppy_address(address)
    ambiguous = given != network.network_address
    if ambiguous:
        choices = f"{quote(str(network))} or {quote(f'{given}/{network.max_prefixlen}')}"
        yield f"{path}: CIDR value {quote(text)} is ambiguous in this context (should be {choices}?)"
    if not _strict_length(length) or not _strict_address(address) or (":" in address and network.version == 4):
        yield f"{path}: non-standard CIDR value {quote(text)} is invalid: use {quote(str(network))}"
    elif not ambiguous and network.version == 6 and str(network) != text:
        yield f"{path}: IPv6 CIDR value {quote(text)} should be in RFC 5952 canonical format ({quote(str(network))})"


def check_destination(text: str, path: str) -> Iterator[FieldError]:
    """What is wrong with an address that traffic is sent to from elsewhere."""
    if _far(text):
        return
    address = sloppy_address(text)
    if address is None:
        yield invalid(path, text, "must be a valid IP address")
        return
    if address.is_unspecified:
        yield invalid(path, text, f"may not be unspecified ({text})")
    if address.is_loopback:
        yield invalid(path, text, "may not be in the loopback range (127.0.0.0/8, ::1/128)")
    if address.is_link_local:
        yield invalid(path, text, "may not be in the link-local range (169.254.0.0/16, fe80::/10)")
    packed = address.packed
    if packed[:3] == b"\xe0\0\0" if address.version == 4 else packed[0] == 0xFF and packed[1] & 0x0F == 2:
        yield invalid(path, text, "may not be in the link-local multicast range (224.0.0.0/24, ff02::/10)")
