"""What sentences call things."""

import pytest

from kubewright.errors import called


class Shop:
    """Something with a name."""

    def open(self) -> None:
        """So has this."""


@pytest.mark.parametrize(
    ("value", "name"),
    [(Shop, "Shop"), (Shop().open, "open"), (len, "len"), (5, "5"), ("a" * 99, f"'{'a' * 59}…")],
)
def test_a_sentence_calls_things_by_their_names_and_shows_the_begin_of_others(value: object, name: str) -> None:
    assert called(value) == name
