import pytest
from hypothesis import given
from hypothesis import strategies as st

from kubewright.schema.walk.names import (
    config_key,
    label_key,
    label_value,
    namespace_name,
    odd_keys,
    path_segment,
    resource_kind,
)


@pytest.mark.parametrize("text", ["a", "a-1", "1", "a" * 63])
def test_namespaces_are_labels(text: str) -> None:
    assert namespace_name(text) == []


def test_a_namespace_with_dots_is_told_so() -> None:
    assert namespace_name("a.b") == ["must not contain dots"]


def test_a_long_namespace_may_have_two_faults() -> None:
    assert len(namespace_name("A" * 64)) == 2


@pytest.mark.parametrize("text", ["a", "A_b.c", "example.com/a", "0"])
def test_label_keys_may_have_a_prefix(text: str) -> None:
    assert label_key(text) == []


@pytest.mark.parametrize(
    ("text", "beginnings"),
    [
        ("", ["name part must be non-empty", "name part must consist of"]),
        ("a/", ["name part must be non-empty", "name part must consist of"]),
        ("/a", ["prefix part must be non-empty"]),
        ("-A/a", ["prefix part a lowercase RFC 1123 subdomain"]),
        ("a/b/c", ["a valid label key must consist of"]),
        ("a" * 64, ["name part must be no more than 63 bytes"]),
        ("é" * 32, ["name part must be no more than 63 bytes", "name part must consist of"]),
    ],
)
def test_bad_label_keys_are_told_part_by_part(text: str, beginnings: list[str]) -> None:
    found = label_key(text)
    assert len(found) == len(beginnings)
    assert all(complaint.startswith(beginning) for complaint, beginning in zip(found, beginnings, strict=True))


def test_a_label_value_may_be_empty() -> None:
    assert label_value("") == []
    assert label_value("-")


def test_a_kind_starts_with_a_letter() -> None:
    assert resource_kind("pod") == []
    assert resource_kind("1pod")


@pytest.mark.parametrize(("text", "complaints"), [(".", 1), ("..", 1), ("...", 0), ("a/b%", 2), ("", 0)])
def test_path_segments_are_neither_dots_nor_have_slashes(text: str, complaints: int) -> None:
    assert len(path_segment(text)) == complaints


@given(st.text(".-aA/", max_size=4) | st.integers(249, 255).map(lambda length: "a" * length))
def test_a_bad_config_key_is_looked_at(text: str) -> None:
    assert odd_keys([text]) or not config_key(text)


def test_a_usual_config_key_is_not_looked_at() -> None:
    assert odd_keys(["a", ".a", "key_1.txt"]) == []
