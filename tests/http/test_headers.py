"""Header fields as a value."""

import pytest

from kubewright.http import Headers

HEADERS = Headers([(b"Accept", b"a"), (b"X-Group", b"one, two"), (b"x-group", b"Three"), (b"Content-Length", b"5")])


def test_a_name_is_found_whatever_its_case() -> None:
    assert HEADERS.get(b"accept") == b"a"
    assert b"accept" in HEADERS
    assert HEADERS.get(b"absent") is None


def test_the_first_of_several_is_found_and_all_can_be() -> None:
    assert HEADERS.get(b"x-group") == b"one, two"
    assert HEADERS.all(b"x-group") == [b"one, two", b"Three"]


def test_the_members_of_a_list_are_found_over_all_lines() -> None:
    assert HEADERS.tokens(b"x-group") == [b"one", b"two", b"three"]


def test_lines_that_frame_the_message_are_left_to_the_connection() -> None:
    assert HEADERS.block == b"Accept: a\r\nX-Group: one, two\r\nx-group: Three\r\n"


def test_more_can_be_added_and_the_first_stays_as_it_was() -> None:
    more = HEADERS.plus((b"Audit-Id", b"1"))
    assert more.block == HEADERS.block + b"Audit-Id: 1\r\n"
    assert more.get(b"audit-id") == b"1"
    assert b"audit-id" not in HEADERS


@pytest.mark.parametrize("name", [b"", b"a b", b"a:", b"a\r\n", b"\xe9", b"a\0"])
def test_a_name_that_is_none_is_refused(name: bytes) -> None:
    with pytest.raises(ValueError, match="is no header name"):
        HEADERS.plus((name, b"x"))


@pytest.mark.parametrize("value", [b"a\rb", b"a\nb", b"a\r\n b", b"\0", b"\x7f", b"\x1b[0m"])
def test_a_value_that_breaks_out_of_its_line_is_refused(value: bytes) -> None:
    with pytest.raises(ValueError, match="header X holds a control character"):
        HEADERS.plus((b"X", value))


def test_equal_fields_are_equal() -> None:
    assert Headers(list(HEADERS)) == HEADERS
    assert hash(Headers(list(HEADERS))) == hash(HEADERS)
    assert Headers() != HEADERS
    assert len(HEADERS) == 4
