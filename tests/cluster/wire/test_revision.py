"""Another number in the text of an object."""

import msgspec

from kubewright.cluster.wire.revision import renumbered


def text(**more: object) -> bytes:
    return msgspec.json.encode({"metadata": {"name": "a", "resourceVersion": "7"}, **more})


def test_the_number_of_an_object_is_changed_in_its_text() -> None:
    quoted = {"data": {"k": '"resourceVersion":"7"'}}
    wanted = {"metadata": {"name": "a", "resourceVersion": "12"}, **quoted}
    assert renumbered(text(**quoted), 7, 12) == msgspec.json.encode(wanted)


def test_where_the_same_stands_twice_it_cannot_be_told() -> None:
    assert renumbered(text(spec={"metadata": {"resourceVersion": "7"}}), 7, 8) is None


def test_nor_where_it_does_not_stand() -> None:
    assert renumbered(text(), 6, 8) is None
