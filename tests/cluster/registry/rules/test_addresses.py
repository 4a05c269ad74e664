import pytest

from kubewright.cluster.registry.rules.addresses import address_warnings, check_address, sloppy_address


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("10.0.0.1", ""),
        ("fd00::1", ""),
        ("010.0.0.1", "must not have leading 0s"),
        ("10.00.0.1", "must not have leading 0s"),
        ("::ffff:1.2.3.4", "must not be an IPv4-mapped IPv6 address"),
        ("x", "must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)"),
        ("", "must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)"),
        ("fe80::1%eth0", "must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)"),
        ("10.0.0.0/8", "must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)"),
    ],
)
def test_an_address(text: str, complaint: str) -> None:
    told = [str(error) for error in check_address(text, "a")]
    assert told == ([f'a: Invalid value: "{text}": {complaint}'] if complaint else [])


def test_what_was_there_before_stays() -> None:
    assert [*check_address("x", "a", ("x",))] == []


def test_an_address_that_is_mapped_is_of_the_old_kind() -> None:
    assert str(sloppy_address("::ffff:1.2.3.4")) == "1.2.3.4"
    assert str(sloppy_address("001.02.3.4")) == "1.2.3.4"


@pytest.mark.parametrize(
    ("text", "warning"),
    [
        ("10.0.0.1", ""),
        ("fd00::1", ""),
        ("x", ""),
        ("FD00::1", 'IPv6 address "FD00::1" should be in RFC 5952 canonical format ("fd00::1")'),
        ("010.0.0.1", 'non-standard IP address "010.0.0.1" is invalid: use "10.0.0.1"'),
    ],
)
def test_what_is_odd_about_an_address(text: str, warning: str) -> None:
    assert [*address_warnings(text, "a")] == ([f"a: {warning}"] if warning else [])
