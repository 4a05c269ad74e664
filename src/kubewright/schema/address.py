"""IP addresses and networks as Kubernetes reads them.

It has two readers. The strict one is Go's own. The sloppy one, which `ipv4` and `cidr` keep for the sake of what is
already stored, lets numbers have leading zeros. Neither knows zones.
"""

from collections.abc import Callable

from kubewright.schema.expression import whole

__all__ = ["is_cidr", "is_ip", "is_ipv4", "is_ipv6"]

_group, _sloppy_group = whole("[0-9a-fA-F]{1,4}"), whole("0*[0-9a-fA-F]{1,4}")
_octet, _sloppy_octet = whole("0|[1-9][0-9]{0,2}"), whole("0*[0-9]{1,3}")
_prefix_length = whole("0*[0-9]{1,3}")


def is_ip(text: str) -> bool:
    """Say whether the strict reader takes an address, of either version."""
    if "." in text and ":" not in text.partition(".")[0]:
        return _dotted(text, _octet)
    return _colons(text, _group, _octet)


def is_ipv4(text: str) -> bool:
    """The format `ipv4`: sloppy, and an IPv6 address that ends in an IPv4 one will do."""
    return _dotted(text, _sloppy_octet) or ("." in text and _colons(text, _sloppy_group, _sloppy_octet))


def is_ipv6(text: str) -> bool:
    """The format `ipv6`: strict."""
    return ":" in text and is_ip(text)


def is_cidr(text: str) -> bool:
    """The format `cidr`: a sloppy address and the length of its prefix."""
    address, slash, length = text.partition("/")
    if not slash or not _prefix_length(length):
        return False
    bits = 32 if _dotted(address, _sloppy_octet) else 128 if _colons(address, _sloppy_group, _sloppy_octet) else -1
    return _number(length) <= bits


def _number(digits: str) -> int:
    # Python counts zeros among the digits it refuses to read by the thousand.
    return int(digits.lstrip("0") or "0")


def _dotted(text: str, octet: Callable[[str], bool]) -> bool:
    octets = text.split(".")
    return len(octets) == 4 and all(octet(part) and _number(part) <= 255 for part in octets)


def _colons(text: str, group: Callable[[str], bool], octet: Callable[[str], bool]) -> bool:
    head, gap, tail = text.partition("::")
    groups = [part for side in (head, tail) if side for part in side.split(":")]
    size = len(groups)
    if groups and "." in groups[-1]:
        # Only the very last group may be an IPv4 address, and it stands for two.
        if not _dotted(groups[-1], octet) or (gap and not tail):
            return False
        groups.pop()
        size += 1
    # A second gap leaves an empty group, which is none.
    return all(map(group, groups)) and (size <= 7 if gap else size == 8)
