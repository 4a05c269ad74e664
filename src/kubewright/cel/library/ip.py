"""IP addresses as values: `ip("10.0.0.1")` and what can be asked of it.

Neither zones nor IPv4 addresses dressed as IPv6 are taken.
"""

from typing import Final

from kubewright.cel.library.address import Address, AddressError, parse_address, write_address
from kubewright.cel.library.overload import Overload
from kubewright.cel.memory import remembered
from kubewright.cel.values import EvaluationError, Native, Opaque, no_such_overload
from kubewright.model.selectors.names import quote

__all__ = ["IP", "OVERLOADS", "is_mapped", "string_to_ip"]


class IP(Opaque):
    """An IP address."""

    __slots__ = ("address",)

    type_name = "net.IP"

    def __init__(self, address: Address) -> None:
        self.address = address

    def equals(self, other: Native) -> bool:
        if type(other) is not IP:
            raise no_such_overload()
        return self.address == other.address

    def text(self) -> str:
        """The canonical text."""
        return write_address(self.address)

    @property
    def size(self) -> int:
        """Bytes of the address."""
        return self.address.bits // 8


def is_mapped(address: Address) -> bool:
    """Whether it is an IPv4 address in the shape of an IPv6 one."""
    return address.version == 6 and address.number >> 32 == 0xFFFF


def _read(text: str) -> IP:
    try:
        address = parse_address(text)
    except AddressError as error:
        raise EvaluationError(f"IP Address {quote(text)} parse error during conversion from string: {error}") from None
    if address.zone:
        raise EvaluationError(f"IP address {quote(text)} with zone value is not allowed")
    if is_mapped(address):
        raise EvaluationError(f"IPv4-mapped IPv6 address {quote(text)} is not allowed")
    return IP(address)


#: `ip(text)`.
string_to_ip: Final = remembered(_read)


def is_ip(text: str) -> bool:
    """Whether `ip(text)` would succeed."""
    try:
        string_to_ip(text)
    except EvaluationError:
        return False
    return True


def is_canonical(text: str) -> bool:
    """Whether a text is how its address is written."""
    return string_to_ip(text).text() == text


def _is_unspecified(ip: IP) -> bool:
    return ip.address.number == 0


def _is_loopback(ip: IP) -> bool:
    version, number, _ = ip.address
    return number >> 24 == 127 if version == 4 else number == 1


def _is_link_local_multicast(ip: IP) -> bool:
    version, number, _ = ip.address
    return number >> 8 == 0xE00000 if version == 4 else number >> 112 & 0xFF0F == 0xFF02


def _is_link_local_unicast(ip: IP) -> bool:
    version, number, _ = ip.address
    return number >> 16 == 0xA9FE if version == 4 else number >> 118 == 0x3FA


def _is_multicast(ip: IP) -> bool:
    version, number, _ = ip.address
    return number >> 28 == 0xE if version == 4 else number >> 120 == 0xFF


def _is_global_unicast(ip: IP) -> bool:
    if ip.address.version == 4 and ip.address.number == 0xFFFFFFFF:
        return False
    return not (_is_unspecified(ip) or _is_loopback(ip) or _is_multicast(ip) or _is_link_local_unicast(ip))


OVERLOADS: Final = {
    "string_to_ip": Overload("ip", string_to_ip, ("string",)),
    "is_ip": Overload("isIP", is_ip, ("string",)),
    "ip_is_canonical": Overload("ip.isCanonical", is_canonical, ("string",)),
    "ip_family": Overload("family", lambda ip: ip.address.version, ("net.IP",)),
    "ip_is_unspecified": Overload("isUnspecified", _is_unspecified, ("net.IP",)),
    "ip_is_loopback": Overload("isLoopback", _is_loopback, ("net.IP",)),
    "ip_is_link_local_multicast": Overload("isLinkLocalMulticast", _is_link_local_multicast, ("net.IP",)),
    "ip_is_link_local_unicast": Overload("isLinkLocalUnicast", _is_link_local_unicast, ("net.IP",)),
    "ip_is_global_unicast": Overload("isGlobalUnicast", _is_global_unicast, ("net.IP",)),
    "ip_to_string": Overload("string", IP.text, ("net.IP",)),
}
