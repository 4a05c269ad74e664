from typing import Any

import pytest
from tests.cel.evaluation import error, evaluate

_PARSE = "network address parse error during conversion from string: " * 2


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("string(cidr('192.168.1.5/24').masked())", "192.168.1.0/24"),
        ("string(cidr('2001:db8:ffff::/33').masked())", "2001:db8:8000::/33"),
        ("cidr('10.0.0.0/8').prefixLength()", 8),
        ("string(cidr('10.1.0.0/8').ip())", "10.1.0.0"),
        ("cidr('10.0.0.0/8').containsIP('10.1.2.3')", True),
        ("cidr('10.0.0.0/8').containsIP(ip('11.1.2.3'))", False),
        ("cidr('10.0.0.0/8').containsIP('::1')", False),
        ("cidr('0.0.0.0/0').containsIP('1.1.1.1')", True),
        ("cidr('10.0.0.0/8').containsCIDR('10.1.0.0/16')", True),
        ("cidr('10.0.0.0/16').containsCIDR(cidr('10.0.0.0/8'))", False),
        ("isCIDR('::/0') && !isCIDR('10.0.0.0')", True),
    ],
)
def test_what_functions_of_networks_give(text: str, value: Any) -> None:
    assert evaluate(text) == value


@pytest.mark.parametrize(
    ("network", "reason"),
    [
        ("1.2.3.4", "no '/'"),
        ("1.2.3.4/99", "prefix length out of range"),
        ("::1/", 'bad bits after slash: ""'),
        ("::1/01", 'bad bits after slash: "01"'),
        ("::1%a/1", "IPv6 zones cannot be present in a prefix"),
    ],
)
def test_why_a_text_is_no_network(network: str, reason: str) -> None:
    assert error(f"cidr('{network}')") == f'{_PARSE}netip.ParsePrefix("{network}"): {reason}'


def test_a_bad_address_loses_its_reason() -> None:
    assert error("cidr('10.0.0.0/8').containsIP('x')") == "no such overload"
