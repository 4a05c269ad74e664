import ipaddress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kubewright.cluster.registry.rules.ranges import (
    check_destination,
    check_range_of_addresses,
    range_warnings,
    sloppy_range,
)


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("10.0.0.0/8", ""),
        ("2001:db8::/32", ""),
        ("0.0.0.0/0", ""),
        ("10.0.0.0", "must be a valid CIDR value, (e.g. 10.9.8.0/24 or 2001:db8::/64)"),
        ("10.0.0.0/33", "must be a valid CIDR value, (e.g. 10.9.8.0/24 or 2001:db8::/64)"),
        ("10.0.0.0/-1", "must be a valid CIDR value, (e.g. 10.9.8.0/24 or 2001:db8::/64)"),
        ("10.0.0.0/", "must be a valid CIDR value, (e.g. 10.9.8.0/24 or 2001:db8::/64)"),
        ("x/8", "must be a valid CIDR value, (e.g. 10.9.8.0/24 or 2001:db8::/64)"),
        ("010.0.0.0/8", "must not have leading 0s in IP or prefix length"),
        ("10.0.0.0/08", "must not have leading 0s in IP or prefix length"),
        ("::ffff:10.0.0.0/104", "must not have an IPv4-mapped IPv6 address"),
        ("10.1.0.0/8", "must not have bits set beyond the prefix length"),
    ],
)
def test_what_is_wrong_with_a_range(text: str, why: str) -> None:
    told = [error.message.partition(": ")[2].partition(": ")[2] for error in check_range_of_addresses(text, "p")]
    assert told == ([why] if why else [])


def test_a_range_that_was_there_before_may_stay() -> None:
    assert [*check_range_of_addresses("10.1.0.0/8", "p", ("10.1.0.0/8",))] == []


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("10.0.0.0/8", []),
        ("10.1.0.0/8", ["is ambiguous in this context (should be"]),
        ("010.0.0.0/8", ['is invalid: use "10.0.0.0/8"']),
        ("2001:DB8::/32", ['should be in RFC 5952 canonical format ("2001:db8::/32")']),
        ("x", []),
    ],
)
def test_what_is_odd_about_a_range(text: str, words: list[str]) -> None:
    told = [*range_warnings(text, "p")]
    assert len(told) == len(words)
    assert all(word in warning for word, warning in zip(words, told, strict=True))


@given(st.one_of(st.ip_addresses(v=4), st.ip_addresses(v=6)), st.integers(0, 128))
def test_ranges_that_are_written_rightly_are_right(
    address: ipaddress.IPv4Address | ipaddress.IPv6Address, length: int
) -> None:
    network = ipaddress.ip_network(f"{address}/{min(length, address.max_prefixlen)}", strict=False)
    mapped = network.version == 6 and network.network_address.ipv4_mapped is not None
    assert sloppy_range(str(network)) == network or mapped
    assert [*check_range_of_addresses(str(network), "p")] == [] or mapped


@pytest.mark.parametrize(
    ("address", "right"),
    [
        ("1.2.3.4", True),
        ("224.1.0.1", True),
        ("2001:db8::1", True),
        ("0.0.0.0", False),
        ("::", False),
        ("127.1.2.3", False),
        ("::1", False),
        ("169.254.1.1", False),
        ("fe80::1", False),
        ("224.0.0.1", False),
        ("ff02::1", False),
        ("x", False),
    ],
)
def test_where_traffic_may_go(address: str, right: bool) -> None:
    assert (not [*check_destination(address, "p")]) is right
