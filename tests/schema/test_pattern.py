import pytest
import re2
from hypothesis import given
from hypothesis import strategies as st

from kubewright.schema.pattern import PatternError, compile_pattern


def test_a_pattern_is_found_anywhere() -> None:
    assert compile_pattern("b")("abc")
    assert not compile_pattern("^b")("abc")


def test_a_dollar_does_not_overlook_a_line_break() -> None:
    assert not compile_pattern("^a$")("a\n")


@pytest.mark.parametrize(("pattern", "text"), [(r"^\d$", "٣"), (r"^\w$", "é"), (r"^\s$", "\v"), (r"^\s$", "\u00a0")])
def test_perl_classes_know_only_ascii(pattern: str, text: str) -> None:
    assert not compile_pattern(pattern)(text)


def test_unicode_classes_know_all() -> None:
    assert compile_pattern(r"^\p{L}+$")("日本é")


def test_half_a_surrogate_pair_reads_as_the_replacement_character() -> None:
    assert compile_pattern("^\ufffd$")("\ud800")
    assert compile_pattern("^.$")("\ud83d\ude00")


@pytest.mark.parametrize("pattern", ["(", "a(?=b)", r"(a)\1", "a{1001}", "[z-a]", r"a\C"])
def test_what_go_would_refuse_is_refused_with_a_reason(pattern: str) -> None:
    with pytest.raises(PatternError, match="is no RE2 expression"):
        compile_pattern(pattern)


def test_what_looks_like_a_byte_but_is_quoted_is_text() -> None:
    assert compile_pattern(r"^\Q\C\E$")(r"\C")
    assert compile_pattern(r"^\\C$")(r"\C")


def test_a_pattern_that_backtracking_cannot_bear_is_answered_at_once() -> None:
    assert not compile_pattern("^(a+)+$")("a" * 50_000 + "b")


@given(st.sampled_from(["a|b+", "^[a-c]{2,3}$", "(?i)É", r"\bx", "", r"^\PL*$"]), st.text(max_size=6))
def test_the_short_way_into_re2_gives_its_verdict(pattern: str, text: str) -> None:
    assert compile_pattern(pattern)(text) == (re2.compile(pattern).search(text) is not None)
