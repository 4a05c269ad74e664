import pytest
from hypothesis import given
from hypothesis import strategies as st

from kubewright.cel.lexer import END, tokenize


def kinds(text: str) -> list[str]:
    tokens = tokenize(text)
    assert not tokens.bad
    assert tokens.kinds[-1] == END
    return tokens.kinds[:-1]


def test_operators_are_their_own_kind_and_names_are_identifiers() -> None:
    assert kinds("a <= b && !c") == ["IDENTIFIER", "<=", "IDENTIFIER", "&&", "!", "IDENTIFIER"]


def test_keywords_are_told_from_names_that_begin_with_them() -> None:
    assert kinds("in inn true trues null nulls") == ["in", "IDENTIFIER", "true", "IDENTIFIER", "null", "IDENTIFIER"]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("1", ["NUM_INT"]),
        ("0x1F", ["NUM_INT"]),
        ("1u", ["NUM_UINT"]),
        ("0xfU", ["NUM_UINT"]),
        ("1.5e-3", ["NUM_FLOAT"]),
        (".5", ["NUM_FLOAT"]),
        ("1e9", ["NUM_FLOAT"]),
        ("1.", ["NUM_INT", "."]),
        ("1e", ["NUM_INT", "IDENTIFIER"]),
        ("0x", ["NUM_INT", "IDENTIFIER"]),
        ("1..2", ["NUM_INT", ".", "NUM_FLOAT"]),
        ("a.5", ["IDENTIFIER", "NUM_FLOAT"]),
    ],
)
def test_of_several_numbers_that_could_begin_the_longest_is_read(text: str, expected: list[str]) -> None:
    assert kinds(text) == expected


@pytest.mark.parametrize(
    "text",
    ["''", '"a\'b"', r"'\''", r"r'\'", '"""a"b\n"""', "'''a''b'''", r"'\x41\u00e9\U0001F600\101'", 'R"""\\"""'],
)
def test_strings_come_in_many_forms(text: str) -> None:
    assert kinds(text) == ["STRING"]


def test_bytes_are_strings_behind_a_b() -> None:
    assert kinds("b'a' B'''b''' br'\\'") == ["BYTES"] * 3


def test_a_triple_quote_that_does_not_end_is_an_empty_string_and_what_follows() -> None:
    assert kinds('"""a"') == ["STRING", "STRING"]


def test_a_prefix_without_a_string_is_a_name() -> None:
    assert kinds("r b rb'x'") == ["IDENTIFIER", "IDENTIFIER", "IDENTIFIER", "STRING"]


def test_comments_and_white_space_are_no_tokens() -> None:
    assert kinds("a // b ' \n\t\f + c //") == ["IDENTIFIER", "+", "IDENTIFIER"]


@pytest.mark.parametrize(
    ("text", "unread"),
    [
        ("a & b", "& "),
        ("a = b", "= "),
        ("a | b", "| "),
        ("a # b", "#"),
        ("'abc", "'abc"),
        ("'a\nb'", "'a\n"),
        (r"'a\qb", "'a\\q"),
        (r"'\x4z'", r"'\x4z"),
        ("`a$`", "`a$"),
        ("é", "é"),
    ],
)
def test_what_is_no_token_is_left_out_as_far_as_it_could_have_been_one(text: str, unread: str) -> None:
    (start, end), *_ = tokenize(text).bad
    assert text[start:end] == unread


@given(st.text(st.characters() | st.sampled_from("\"'\\brx/ \n.0e-`"), max_size=60))
def test_every_character_is_in_a_token_or_unread_or_space_or_comment(text: str) -> None:
    tokens = tokenize(text)
    covered = [
        *((start, start + len(word)) for start, word in zip(tokens.starts[:-1], tokens.texts, strict=False)),
        *tokens.bad,
    ]
    left = list(text)
    for start, end in covered:
        assert text[start:end] == "".join(left[start:end])
        left[start:end] = "\0" * (end - start)
    for line in "".join(left).split("\n"):
        assert line.partition("//")[0].strip("\0 \t\r\f") == ""


def test_a_long_unended_string_takes_no_long_time() -> None:
    assert len(tokenize("'" + "a" * 100_000).bad) == 1
    assert len(tokenize("'a" * 50_000).bad) <= 1
    assert tokenize('"""\\q' * 25_000).bad
