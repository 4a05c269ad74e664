import pytest

from kubewright.cel.escapes import takes_bytes


@pytest.mark.parametrize("pattern", [r"\C", r"a\Cb", r"\\\C", r"\Q\E\C"])
def test_a_byte_is_seen(pattern: str) -> None:
    assert takes_bytes(pattern)


@pytest.mark.parametrize("pattern", ["C", r"\\C", r"\Q\C\E", r"\Q\C", r"\c"])
def test_what_only_looks_like_a_byte_is_none(pattern: str) -> None:
    assert not takes_bytes(pattern)
