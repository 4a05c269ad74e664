from typing import Any

import pytest
from tests.cel.evaluation import error, evaluate


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("string(ip('::FFFF'))", "::ffff"),
        ("string(ip('1:0:0:2:0:0:0:3'))", "1:0:0:2::3"),
        ("string(ip('1:0:2:3:4:5:6:7'))", "1:0:2:3:4:5:6:7"),
        ("string(ip('::1.2.3.4'))", "::102:304"),
        ("ip('1.2.3.4') == ip('1.2.3.4')", True),
        ("isIP('::1') && !isIP('01.2.3.4')", True),
        ("ip.isCanonical('::1') && !ip.isCanonical('::0001')", True),
        ("[ip('1.1.1.1').family(), ip('::1').family()]", [4, 6]),
        ("ip('0.0.0.0').isUnspecified()", True),
        ("ip('127.1.2.3').isLoopback()", True),
        ("ip('224.0.0.1').isLinkLocalMulticast() && ip('ff02::1').isLinkLocalMulticast()", True),
        ("ip('169.254.1.1').isLinkLocalUnicast() && ip('fe80::1').isLinkLocalUnicast()", True),
        ("ip('8.8.8.8').isGlobalUnicast() && !ip('255.255.255.255').isGlobalUnicast()", True),
    ],
)
def test_what_functions_of_addresses_give(text: str, value: Any) -> None:
    assert evaluate(text) == value


@pytest.mark.parametrize(
    ("address", "reason"),
    [
        ("", "unable to parse IP"),
        ("1.2.3", "IPv4 address too short"),
        ("1.2.3.4.5", "IPv4 address too long"),
        ("01.2.3.4", "IPv4 field has octet with leading zero"),
        ("256.1.1.1", "IPv4 field has value >255"),
        ("1..2.3", 'IPv4 field must have at least one digit (at ".2.3")'),
        ("1.2.3.4 ", 'unexpected character (at " ")'),
        ("::g", 'each colon-separated field must have at least one digit (at "g")'),
        ("::1::", 'multiple :: in address (at ":")'),
        ("1:2:3:4:5:6:7:8:9", 'trailing garbage after address (at "9")'),
        ("12345::", 'each group must have 4 or less digits (at "12345::")'),
        ("1:2:3", "address string too short"),
        ("1:1.2.3.4", 'embedded IPv4 address must replace the final 2 fields of the address (at "1.2.3.4")'),
    ],
)
def test_why_a_text_is_no_address(address: str, reason: str) -> None:
    where = f'IP Address "{address}" parse error during conversion from string: ParseAddr("{address}")'
    assert error(f"ip('{address}')") == f"{where}: {reason}"


def test_zones_and_dressed_up_addresses_are_not_taken() -> None:
    assert error("ip('fe80::1%eth0')") == 'IP address "fe80::1%eth0" with zone value is not allowed'
    assert error("ip('::ffff:1.2.3.4')") == 'IPv4-mapped IPv6 address "::ffff:1.2.3.4" is not allowed'
