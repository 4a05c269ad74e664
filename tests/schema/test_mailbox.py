import pytest

from kubewright.schema.mailbox import is_mailbox


@pytest.mark.parametrize(
    "text",
    [
        "a@b",
        "é@ö.de",
        '"a b"@c',
        r'"a\"b"@c',
        "Bob <a@b.c>",
        '"Bob, the builder" <a@b.c>',
        "Bob (x) Foo <a@b>",
        "a@b (a comment (in a comment))",
        "a@[1.2.3.4]",
        "a@[::1]",
        "friends: a@b;",
        " a@b ",
        "<a@b>",
        "=?utf-8?q?B=C3=B6b?= <a@b>",
        "=?utf-8?q?not well-formed?= <a@b>",
    ],
)
def test_one_address_is_taken(text: str) -> None:
    assert is_mailbox(text)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "a",
        "@b",
        "a@",
        ".a@b",
        "a..b@c",
        "a.@b",
        '""@b',
        '"a@b',
        "a@[1.2.3]",
        "a@[",
        "a b@c",
        "Bob a@b",
        "<a@b",
        "a@b (open",
        "friends:;",
        "friends: a@b, c@d;",
        "friends: a@b",
        "a@b, c@d",
        "=?x-unknown?q?Bob?= <a@b>",
        "a@b (=?x-unknown?b?Qm9i?=)",
        "=?utf-8?q??= <a@b>",
    ],
)
def test_anything_else_is_not(text: str) -> None:
    assert not is_mailbox(text)


@pytest.mark.parametrize(
    "text", ["(" * 50_000, "a" * 50_000, '"' + "\\" * 50_001, "a@b, " * 10_000, "x " * 20_000 + "<a@b>"]
)
def test_long_texts_are_read_in_one_go(text: str) -> None:
    assert is_mailbox(text) == text.endswith(" <a@b>")
