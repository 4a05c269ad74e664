"""The words themselves are in the recorded cases; here is what they are made of."""

import pytest

from kubewright.cel.syntax import explain


def messages(text: str) -> list[str]:
    return [issue.message.removeprefix("Syntax error: ") for issue in explain(text)]


def test_one_token_too_many_is_left_out() -> None:
    assert messages("a b") == ["extraneous input 'b' expecting <EOF>"]


def test_one_token_too_few_is_imagined() -> None:
    assert messages("f(a") == ["missing ')' at '<EOF>'"]


def test_what_cannot_be_mended_is_a_mismatch() -> None:
    assert messages("a b c") == ["mismatched input 'b' expecting <EOF>"]


def test_where_several_ways_end_there_is_no_viable_one() -> None:
    assert messages("a. )") == ["no viable alternative at input '. )'"]


def test_a_keyword_is_no_name_of_a_field() -> None:
    assert messages("a.true") == ["mismatched input 'true' expecting IDENTIFIER"]


def test_white_space_in_messages_is_visible() -> None:
    assert messages("-\n\t)")[0] == r"no viable alternative at input '-\n\t)'"


def test_what_is_no_token_is_told_as_well() -> None:
    assert messages("a # b") == ["token recognition error at: '#'", "extraneous input 'b' expecting <EOF>"]


def test_consequences_of_an_error_are_not_told() -> None:
    assert len(messages("[1 2 3 4 5]")) == 1


def test_reading_is_given_up_after_thirty_attempts() -> None:
    told = messages("a.)" + "+a.)" * 100)
    assert told[-1] == "error recovery attempt limit exceeded: 30"


def test_not_more_than_a_hundred_errors_are_told() -> None:
    told = messages("#" * 200)
    assert len(told) == 101
    assert told[-1] == "More than 100 syntax errors"


def test_not_more_than_256_tokens_are_skipped() -> None:
    assert explain("[" + "a " * 300)[-1].message == "error recovery token lookahead limit exceeded: 256"


@pytest.mark.parametrize("text", ["(" * 300, "[" * 300, "a[" * 300])
def test_deep_nesting_is_given_up(text: str) -> None:
    assert explain(text)[-1].message == "expression recursion limit exceeded: 250"
