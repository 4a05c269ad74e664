from typing import Any

import pytest
from tests.cel.evaluation import error, evaluate


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("'abc'.matches('b')", True),
        ("'abc'.matches('^b')", False),
        ("matches('abc', '^a.c$')", True),
        ("'abcb'.find('b.')", "bc"),
        ("'abc'.find('x')", ""),
        ("'a1b22'.findAll('[0-9]+')", ["1", "22"]),
        ("'a1b22'.findAll('[0-9]+', 1)", ["1"]),
        ("'aaa'.findAll('^a')", ["a"]),
        ("'äbä'.findAll('x*')", ["", "", "", ""]),
        ("'abab'.findAll('a*')", ["a", "a", ""]),
        (r"'a\\Cb'.find('\\\\C')", r"\C"),
        (r"'a\\Cb'.find('\\Q\\C\\E')", r"\C"),
    ],
)
def test_what_is_found(text: str, value: Any) -> None:
    assert evaluate(text) == value


@pytest.mark.parametrize(
    ("pattern", "reason"),
    [
        ("(", "missing closing ): `(`"),
        ("a)", "unexpected ): `a)`"),
        ("[a", "missing closing ]: `[a`"),
        ("[z-a]", "invalid character class range: `z-a`"),
        ("*", "missing argument to repetition operator: `*`"),
        ("a**", "invalid nested repetition operator: `**`"),
        ("(?=a)", "invalid or unsupported Perl syntax: `(?=`"),
        ("a{1001}", "invalid repeat count: `{1001}`"),
        (r"a\\C", r"invalid escape sequence: `\C`"),
    ],
)
def test_a_bad_pattern_is_reported_in_go_words(pattern: str, reason: str) -> None:
    # Not a constant: the words come when it is evaluated.
    assert error(f"'abc'.matches('{pattern}' + '')") == f"error parsing regexp: {reason}"


def test_a_search_calls_a_bad_pattern_illegal() -> None:
    assert error("'abc'.find('(' + '')") == "Illegal regex: error parsing regexp: missing closing ): `(`"
