import pytest
from hypothesis import given
from hypothesis import strategies as st

from kubewright.cel.literals import BadLiteral, read_bytes, read_literal, read_string


@pytest.mark.parametrize(
    ("quoted", "text"),
    [
        ("'a'", "a"),
        ('"""a"b"""', 'a"b'),
        ("''", ""),
        ("''''''", ""),
        (r"'\a\b\f\n\r\t\v\\\'\"\?\`'", "\a\b\f\n\r\t\v\\'\"?`"),
        (r"'\x41\X41\101\u00e9\U0001F600'", "AAAé😀"),
        (r"'\xff'", "ÿ"),
        (r"r'\n'", r"\n"),
        ("'''a\r\nb\rc'''", "a\nb\nc"),
    ],
)
def test_a_string_is_what_stands_between_its_quotes(quoted: str, text: str) -> None:
    assert read_string(quoted) == text


def test_escapes_in_bytes_are_bytes_and_characters_are_utf8() -> None:
    assert read_bytes(r"'\xff\377é\n'") == b"\xff\xff\xc3\xa9\n"
    assert read_bytes(r"r'\xff'") == rb"\xff"


@pytest.mark.parametrize("quoted", [r"'\ud800'", r"'\U00110000'"])
def test_a_string_has_no_half_characters(quoted: str) -> None:
    with pytest.raises(BadLiteral, match="invalid unicode code point"):
        read_string(quoted)


def test_bytes_know_no_characters() -> None:
    with pytest.raises(BadLiteral, match="unable to unescape string"):
        read_bytes(r"'\u0041'")


@given(st.text(st.characters(codec="utf-8", exclude_characters="\r")))
def test_what_is_escaped_comes_back(text: str) -> None:
    assert read_string("'" + "".join(f"\\U{ord(char):08x}" for char in text) + "'") == text
    assert read_bytes("'" + "".join(f"\\x{byte:02x}" for byte in text.encode()) + "'") == text.encode()


@pytest.mark.parametrize(
    ("kind", "word", "value"),
    [
        ("NUM_INT", "-0x10", -16),
        ("NUM_UINT", "18446744073709551615u", 2**64 - 1),
        ("NUM_FLOAT", "-.5e1", -5.0),
        ("BYTES", r"b'\x00'", b"\0"),
        ("null", "null", None),
    ],
)
def test_a_literal_is_read_by_its_kind(kind: str, word: str, value: object) -> None:
    assert read_literal(kind, word) == value


@pytest.mark.parametrize(
    ("kind", "word"),
    [("NUM_INT", "9223372036854775808"), ("NUM_UINT", "18446744073709551616u"), ("NUM_FLOAT", "1e400")],
)
def test_a_number_out_of_range_is_no_literal(kind: str, word: str) -> None:
    with pytest.raises(BadLiteral, match=r"invalid (int|uint|double) literal"):
        read_literal(kind, word)
