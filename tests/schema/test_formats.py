"""The formats by themselves; `walk/test_answers.py` holds each against a real server."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kubewright.schema.formats import format_check, known_format

NAMES = [
    *("bsonobjectid", "byte", "cidr", "creditcard", "date", "date-time", "duration", "email", "hexcolor", "hostname"),
    *("ipv4", "ipv6", "isbn", "isbn10", "isbn13", "k8s-long-name", "k8s-short-name", "mac", "password", "rgbcolor"),
    *("ssn", "uri", "uuid", "uuid3", "uuid4", "uuid5"),
]


def fits(name: str, text: str) -> bool:
    check = format_check(name)
    assert check is not None
    return check(text)


@pytest.mark.parametrize("name", NAMES)
def test_the_server_heeds_the_format(name: str) -> None:
    assert known_format(name, "string") == known_format(name, "") == name


@pytest.mark.parametrize(("name", "type_"), [("int32", "integer"), ("int64", "integer"), ("double", "number")])
def test_numeric_formats_are_heeded_on_their_type_alone(name: str, type_: str) -> None:
    assert known_format(name, type_) == name
    assert known_format(name, "string") == known_format(name, "") == known_format(name, "object") == ""


@pytest.mark.parametrize("name", ["json-pointer", "regex", "time", "int-or-string", ""])
def test_other_formats_are_ignored(name: str) -> None:
    assert known_format(name, "string") == ""
    assert format_check(name) is None


def test_dashes_in_names_do_not_count() -> None:
    assert known_format("datetime", "string") == "datetime"
    assert fits("datetime", "2024-01-01T00:00:00Z")


@given(st.sampled_from(NAMES), st.text() | st.from_regex(r"[-0-9a-f:.@%/ \[\]()hmsT]*"))
def test_a_format_has_a_verdict_on_every_text(name: str, text: str) -> None:
    assert fits(name, text) in (True, False)


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("text", ["a" * 100_000, "1" * 100_000, "1." * 50_000, ":" * 100_000, "(" * 100_000, "\ud800"])
def test_a_format_bears_long_and_broken_texts(name: str, text: str) -> None:
    assert fits(name, text) in (True, False)


def test_a_uri_may_be_a_path_but_not_relative() -> None:
    assert fits("uri", "/a")
    assert not fits("uri", "a/b")


def test_an_ipv4_address_may_have_leading_zeros() -> None:
    assert fits("ipv4", "010.001.0.1")


def test_an_ipv6_address_has_no_zone() -> None:
    assert fits("ipv6", "fe80::1")
    assert not fits("ipv6", "fe80::1%eth0")


def test_a_date_must_exist() -> None:
    assert fits("date", "2024-02-29")
    assert not fits("date", "2023-02-29")


def test_year_zero_is_a_leap_year() -> None:
    assert fits("date", "0000-02-29")


def test_a_duration_may_be_worded() -> None:
    assert fits("duration", "3 weeks")
    assert not fits("duration", "3 fortnights")


def test_a_duration_has_at_most_292_years() -> None:
    assert fits("duration", "2562047h")
    assert fits("duration", "-9223372036854775808ns")
    assert not fits("duration", "9223372036854775808ns")


def test_an_email_may_have_a_display_name_and_comments() -> None:
    assert fits("email", 'Bob "the builder" <bob@example.com> (at work)')


def test_names_of_kubernetes_have_no_capitals() -> None:
    assert fits("k8s-short-name", "a-1")
    assert not fits("k8s-short-name", "A-1")
    assert not fits("k8s-short-name", "a.b")
    assert fits("k8s-long-name", "a.b")
