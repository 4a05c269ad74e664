import ipaddress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kubewright.schema.address import is_cidr, is_ip, is_ipv4, is_ipv6


@given(st.ip_addresses())
def test_every_address_is_read_in_its_usual_spelling(address: ipaddress.IPv4Address | ipaddress.IPv6Address) -> None:
    assert is_ip(str(address))
    assert is_ipv4(str(address)) == (address.version == 4 or "." in str(address))
    assert is_ipv6(str(address)) == (address.version == 6)
    assert is_cidr(f"{address}/{address.max_prefixlen}")
    assert not is_cidr(f"{address}/{address.max_prefixlen + 1}")


@given(st.ip_addresses(v=6))
def test_every_ipv6_address_is_read_in_full(address: ipaddress.IPv6Address) -> None:
    assert is_ipv6(address.exploded)


@pytest.mark.parametrize("text", ["01.2.3.4", "1.2.3.4.5", "1.2.3", "1.2.3.256", "1..2.3", "", ".", "1.2.3.4 "])
def test_the_strict_reader_refuses(text: str) -> None:
    assert not is_ip(text)


@pytest.mark.parametrize(
    "text", ["::", "::1", "1::", "1:2:3:4:5:6:7::", "1:2:3:4:5:6:1.2.3.4", "::ffff:1.2.3.4", "AB::cd"]
)
def test_a_gap_stands_for_one_group_at_least(text: str) -> None:
    assert is_ipv6(text)


@pytest.mark.parametrize(
    "text",
    [":", ":::", "1::2::3", "1:2:3:4:5:6:7:8::", "1:2:3:4:5:6:7:1.2.3.4", "1.2.3.4::", ":1", "12345::", "::1%lo"],
)
def test_what_is_no_ipv6_address(text: str) -> None:
    assert not is_ipv6(text)


@pytest.mark.parametrize("zeros", ["0", "0" * 10, "0" * 10_000])
def test_the_sloppy_reader_lets_zeros_lead(zeros: str) -> None:
    assert is_ipv4(f"{zeros}1.2.3.4")
    assert is_cidr(f"{zeros}1.2.3.4/{zeros}8")
    assert is_cidr(f"{zeros}1::/8")
