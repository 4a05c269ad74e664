"""Patterns: what RE2 finds is what Python finds."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kubewright.schema.pattern import compile_pattern
from kubewright.schema.rules.kinds import Refusal
from kubewright.schema.rules.regex import Way, to_re2

_ATOMS = st.sampled_from(
    ["a", "b", "é", ".", r"\.", "[ab]", "[^a]", "[a-cé]", r"\n", "-", r"\d", r"\w", r"\S", r"[^\s]", r"[\W\d]",
     "(?:a|b)", "(a|)", "😀", r"\b", "^", r"\A", r"\Z", "(?s:.)", "(a)"]
)  # fmt: skip
_REPEATS = st.sampled_from(["", "", "", "*", "+", "?", "{2}", "{1,}", "{0,2}", "*?", "+?"])
_ZERO_WIDTH = (r"\b", "^", r"\A", r"\Z")


@st.composite
def patterns(draw: st.DrawFn) -> str:
    def sequence() -> str:
        parts = [(draw(_ATOMS), draw(_REPEATS)) for _ in range(draw(st.integers(0, 4)))]
        return "".join(atom + ("" if atom in _ZERO_WIDTH else repeat) for atom, repeat in parts)

    ends = draw(st.sampled_from([["", ""], ["$", ""], ["", "$"], [""], ["$"]]))
    return "|".join(sequence() + end for end in ends)


@given(patterns(), st.text("abcé-_. \n\v9٣😀", max_size=6), st.sampled_from(["match", "search", "fullmatch"]))
def test_re2_finds_what_python_finds(pattern: str, text: str, way: Way) -> None:
    found = getattr(re, way)(pattern, text, re.ASCII)
    assert compile_pattern(to_re2(pattern, re.ASCII, way))(text) == (found is not None)


@pytest.mark.parametrize(
    ("pattern", "way", "text"),
    [
        ("[a-z]+", "fullmatch", "^[a-z]+$"),
        ("^[a-z]+$", "match", r"^[a-z]+\n?\z"),
        ("^[a-z]+$", "fullmatch", "^[a-z]+$"),
        ("a|b", "match", "^[ab]"),
        ("ab|cd", "search", "(?:ab|cd)"),
        (r"\.(x)", "search", r"\.(?:x)"),
        ("a.c", "search", r"a[^\n]c"),
        ("", "match", "^"),
        ("(?P<x>a)?", "search", "(?:a)?"),
        ("(?x) a b # c", "search", "ab"),
        ("é\x00", "search", r"é\x{0}"),
    ],
)
def test_a_pattern_is_written_for_a_reader(pattern: str, way: Way, text: str) -> None:
    assert to_re2(pattern, 0, way) == text


@pytest.mark.parametrize(
    ("pattern", "reason"),
    [
        (r"\d", "write the characters, as in [0-9], or add re.ASCII"),
        (r"\w", r"\w is all of Unicode's in Python"),
        (r"\s", r"\s is all of Unicode's in Python"),
        (r"\bx", "add re.ASCII"),
        (r"\Bx", "leave it out"),
        ("a(?=b)", "look-around"),
        ("(?<!a)b", "look-around"),
        (r"(a)\1", "a back-reference"),
        ("(a)?(?(1)b|c)", "a condition on a group"),
        ("(?>a)", "an atomic group"),
        ("a++", "a possessive repeat"),
        ("(?i)a", "sets a flag"),
        ("(?i:a)", "a flag inside this pattern"),
        ("(?m)^a", "sets a flag"),
        ("(a$)*", "`$` inside a pattern"),
        ("a{99999999999}", "is wrong"),
        ("a{1001}", "at most 1000 times"),
        ("((a{100}){100}){100}", "too large for RE2"),
        ("\ud800", "half a surrogate pair"),
        ("[", "is wrong"),
    ],
)
def test_what_means_something_else_in_re2_is_refused(pattern: str, reason: str) -> None:
    with pytest.raises(Refusal, match=re.escape(reason)):
        to_re2(pattern, 0, "search")
