import pytest

from kubewright.cel.ast import Ident, Literal, Uint


def test_nodes_cannot_be_changed() -> None:
    with pytest.raises(AttributeError):
        Ident(1, "a").name = "b"  # type: ignore[misc]


def test_nodes_are_equal_by_what_they_say() -> None:
    assert Literal(1, "a") == Literal(1, "a") != Literal(2, "a")


def test_an_unsigned_number_shows_that_it_is_one() -> None:
    assert repr(Uint(5)) == "5u"
    assert type(Literal(1, Uint(5)).value) is Uint
