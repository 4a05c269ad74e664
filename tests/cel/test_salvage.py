"""The words themselves are in the recorded cases; here is what is found where."""

import pytest

from kubewright.cel.errors import Missing
from kubewright.cel.salvage import Fragment, Token, salvage
from kubewright.cel.syntax import explain


def found(text: str) -> list[tuple[int, str]]:
    """What is told besides syntax errors."""
    return [(issue.offset, issue.message) for issue in explain(text) if not issue.message.startswith("Syntax error")]


@pytest.mark.parametrize(
    ("text", "issues"),
    [
        ("has(a.)", [(4, "invalid argument to has() macro")]),
        ("has(a", [(4, "invalid argument to has() macro")]),
        ("l.all(x.y, a b)", [(7, "argument must be a simple name")]),
        ("l.map(., x)", [(Missing, "argument is not an identifier")]),
        ("while )", [(0, "reserved identifier: while")]),
        ("1e999 +", [(0, "invalid double literal")]),
        ("{9223372036854775808: 1, 2: }", [(1, "invalid int literal")]),
        ("self.?", [(6, "unsupported ident kind")]),
        ("T{a: while b}", [(5, "reserved identifier: while")]),
        ("a.`b` c", [(2, "unsupported syntax: '`'")]),
        ("l.all(a == b == c, x y)", [(13, "argument must be a simple name")]),
        ("l.all(a && b && c && d, x y)", [(13, "argument must be a simple name")]),
        ("a b", []),
    ],
)
def test_what_could_be_read_is_judged(text: str, issues: list[tuple[int, str]]) -> None:
    assert found(text) == issues


@pytest.mark.parametrize("text", ["{while}", "{'a': 1, while}"])
def test_a_key_without_a_value_is_not_looked_at(text: str) -> None:
    assert found(text) == []


def test_a_rule_of_which_nothing_was_read_is_no_mistake() -> None:
    assert salvage(Fragment("primary", 0)) == []


def test_a_fragment_knows_its_tokens_and_rules() -> None:
    fragment, inner = Fragment("primary", 0), Fragment("expr", 1)
    fragment.parts += [2, Token("(", "(", 0), inner, Token(")", ")", 2)]
    assert fragment.rules() == [inner]
    assert fragment.token(")") == Token(")", ")", 2)
    assert fragment.token("[") is None


def test_deep_fragments_are_gone_through() -> None:
    assert found("(" * 240 + "while" + ")" * 239) == [(240, "reserved identifier: while")]
