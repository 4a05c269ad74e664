"""Label keys and values: the limits, in bytes."""

import pytest

from kubewright.model.selectors import label_key, label_value


@pytest.mark.parametrize("text", ["a", "A.b_c-1", "x" * 63, "example.com/x", "d" * 253 + "/x"])
def test_a_good_key_has_no_complaints(text: str) -> None:
    assert label_key(text) == []


@pytest.mark.parametrize("text", ["", "-", "a-", "a b", "x" * 64, "/x", "x/", "A/x", "a/b/c", "d" * 254 + "/x", "a\n"])
def test_a_bad_key_has_complaints(text: str) -> None:
    assert label_key(text)


@pytest.mark.parametrize("text", ["", "a", "A.b_c-1", "x" * 63])
def test_a_good_value_has_no_complaints(text: str) -> None:
    assert label_value(text) == []


@pytest.mark.parametrize("text", ["-", "a-", "a b", "a/b", "x" * 64, "a\n"])
def test_a_bad_value_has_complaints(text: str) -> None:
    assert label_value(text)


def test_length_is_counted_in_bytes() -> None:
    assert "must be no more than 63 bytes" in label_value("é" * 32)
    assert "must be no more than 63 bytes" not in label_value("é" * 31)
