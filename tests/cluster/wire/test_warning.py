"""NEG-6: warnings as headers."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kubewright.cluster.wire.warning import warning_headers
from kubewright.http.headers import Headers


def texts(*given: str) -> list[str]:
    return [value.decode()[7:-1] for _, value in warning_headers(given)]


def test_quotes_and_backslashes_are_escaped() -> None:
    assert warning_headers(['unknown field "a\\b"']) == [(b"Warning", b'299 - "unknown field \\"a\\\\b\\""')]


def test_a_text_is_told_once() -> None:
    assert texts("a", "b", "a") == ["a", "b"]


@pytest.mark.parametrize("text", ["", "a\nb", "a\x00", "a\x7f", "a\x85"])
def test_an_empty_text_and_one_with_a_control_character_are_not_told(text: str) -> None:
    assert texts("x", text) == ["x"]


def test_texts_are_whole_while_all_are_short_together() -> None:
    assert texts("a" * 4000, "b" * 96) == ["a" * 4000, "b" * 96]


def test_each_text_is_cut_when_together_they_are_too_long() -> None:
    assert texts("a" * 4000, "b" * 97, "c") == ["a" * 256, "b" * 97, "c"]


def test_no_more_is_told_when_the_cut_ones_are_too_long_as_well() -> None:
    given = [chr(65 + index) * 300 for index in range(20)]
    assert texts(*given) == [text[:256] for text in given[:16]]


@given(st.lists(st.text(max_size=40), max_size=5))
def test_no_text_breaks_out_of_its_header(given: list[str]) -> None:
    block = Headers(warning_headers(given)).block
    assert block.count(b"\r\n") == len(warning_headers(given))
