"""Networks as values: `cidr("10.0.0.0/8")` and what can be asked of it."""

from typing import Final

from kubewright.cel.library.address import Address, AddressError, parse_address, write_address
from kubewright.cel.library.ip import IP, is_mapped, string_to_ip
from kubewright.cel.library.overload import Overload
from kubewright.cel.memory import remembered
from kubewright.cel.values import EvaluationError, Native, Opaque, no_such_overload
from kubewright.model.selectors.names import quote

__all__ = ["CIDR", "OVERLOADS"]

_PARSE: Final = "network address parse error during conversion from string: "


class CIDR(Opaque):
    """An address and the length of its prefix."""

    __slots__ = ("address", "length")

    type_name = "net.CIDR"

    def __init__(self, address: Address, length: int) -> None:
        self.address = address
        self.length = length

    def equals(self, other: Native) -> bool:
        if type(other) is not CIDR:
            raise no_such_overload()
        return self.address == other.address and self.length == other.length

    def text(self) -> str:
        """The canonical text."""
        return f"{write_address(self.address)}/{self.length}"

    @property
    def size(self) -> int:
        """Bytes of the prefix."""
        return -(-self.length // 8)


def _parse(text: str) -> CIDR:
    address_text, slash, length = text.rpartition("/")
    where = f"netip.ParsePrefix({quote(text)})"
    if not slash:
        raise EvaluationError(f"{_PARSE}{where}: no '/'")
    try:
        address = parse_address(address_text)
    except AddressError as error:
        raise EvaluationError(f"{_PARSE}{where}: {error}") from None
    if address.zone:
        raise EvaluationError(f"{_PARSE}{where}: IPv6 zones cannot be present in a prefix")
    if not (length.isascii() and length.isdigit()) or (len(length) > 1 and length[0] == "0"):
        raise EvaluationError(f"{_PARSE}{where}: bad bits after slash: {quote(length)}")
    if len(length) > 18:
        raise EvaluationError(f"{_PARSE}{where}: bad bits after slash: {quote(length)}")
    if int(length) > address.bits:
        raise EvaluationError(f"{_PARSE}{where}: prefix length out of range")
    if is_mapped(address):
        raise EvaluationError(f"IPv4-mapped IPv6 address {quote(text)} is not allowed")
    return CIDR(address, int(length))


def _read(text: str) -> CIDR:
    try:
        return _parse(text)
    except EvaluationError as error:
        raise EvaluationError(f"{_PARSE}{error}") from None


#: `cidr(text)`.
string_to_cidr: Final = remembered(_read)


def is_cidr(text: str) -> bool:
    """Whether `cidr(text)` would succeed."""
    try:
        string_to_cidr(text)
    except EvaluationError:
        return False
    return True


def contains_ip(cidr: CIDR, ip: IP) -> bool:
    """Whether an address lies in the network."""
    return _covers(cidr, ip.address, cidr.length)


def contains_ip_string(cidr: CIDR, text: str) -> bool:
    """The same of an address in a text."""
    try:
        ip = string_to_ip(text)
    except EvaluationError:
        # The server loses the reason on its way.
        raise no_such_overload() from None
    return contains_ip(cidr, ip)


def contains_cidr(cidr: CIDR, other: CIDR) -> bool:
    """Whether the other network lies in this one."""
    return cidr.length <= other.length and _covers(cidr, other.address, cidr.length)


def contains_cidr_string(cidr: CIDR, text: str) -> bool:
    """The same of a network in a text."""
    return contains_cidr(cidr, string_to_cidr(text))


def _covers(cidr: CIDR, address: Address, length: int) -> bool:
    shift = address.bits - length
    return cidr.address.version == address.version and cidr.address.number >> shift == address.number >> shift


def masked(cidr: CIDR) -> CIDR:
    """The network without the bits after its prefix."""
    version, number, _ = cidr.address
    shift = cidr.address.bits - cidr.length
    return CIDR(Address(version, number >> shift << shift), cidr.length)


OVERLOADS: Final = {
    "string_to_cidr": Overload("cidr", string_to_cidr, ("string",)),
    "is_cidr": Overload("isCIDR", is_cidr, ("string",)),
    "cidr_contains_ip_string": Overload("containsIP", contains_ip_string, ("net.CIDR", "string")),
    "cidr_contains_ip_ip": Overload("containsIP", contains_ip, ("net.CIDR", "net.IP")),
    "cidr_contains_cidr_string": Overload("containsCIDR", contains_cidr_string, ("net.CIDR", "string")),
    "cidr_contains_cidr": Overload("containsCIDR", contains_cidr, ("net.CIDR", "net.CIDR")),
    "cidr_ip": Overload("ip", lambda cidr: IP(cidr.address), ("net.CIDR",)),
    "cidr_prefix_length": Overload("prefixLength", lambda cidr: cidr.length, ("net.CIDR",)),
    "cidr_masked": Overload("masked", masked, ("net.CIDR",)),
    "cidr_to_string": Overload("string", CIDR.text, ("net.CIDR",)),
}
