from typing import Any

import pytest

from kubewright.cluster.registry.custom.scale import PathScale
from kubewright.cluster.registry.scale import Sizes

SCALE = PathScale(
    {"specReplicasPath": ".spec.size.wanted", "statusReplicasPath": ".status.size", "labelSelectorPath": ".status.sel"}
)
MAP = "map[string]interface{}"


def test_sizes_are_read_where_the_paths_lead() -> None:
    obj = {"spec": {"size": {"wanted": 3}}, "status": {"size": 2, "sel": "a=b"}}
    assert SCALE.read(obj) == Sizes(3, 2, "a=b")


def test_what_an_object_does_not_say_is_none_or_nothing() -> None:
    assert SCALE.read({}) == Sizes(None, 0, "")


def test_a_size_is_written_and_the_way_to_it_made() -> None:
    obj: dict[str, Any] = {}
    SCALE.write(obj, 4)
    assert obj == {"spec": {"size": {"wanted": 4}}}


def test_no_size_is_written_into_what_is_no_object() -> None:
    with pytest.raises(ValueError, match=r"^value cannot be set because \.spec\.size is not a map"):
        SCALE.write({"spec": {"size": 3}}, 4)


@pytest.mark.parametrize(
    ("spec", "message"),
    [
        ({"size": {"wanted": -1}}, "Invalid value: -1: should be a non-negative integer"),
        ({"size": {"wanted": 2**31}}, "Invalid value: 2147483648: should be less than or equal to 2147483647"),
        (
            {"size": {"wanted": "x"}},
            "Invalid value: 0: .spec.size.wanted accessor error: x is of the type string, expected int64",
        ),
        (
            {"size": 5},
            f"Invalid value: 0: .spec.size.wanted accessor error: 5 is of the type int64, expected {MAP}",
        ),
        (
            {"size": {"wanted": None}},
            "Invalid value: 0: .spec.size.wanted accessor error: <nil> is of the type <nil>, expected int64",
        ),
    ],
)
def test_what_is_no_size_is_told_in_the_servers_words(spec: dict[str, Any], message: str) -> None:
    [error] = SCALE.check_spec({"spec": spec})
    assert (error.field, error.message) == (".spec.size.wanted", message)


def test_a_selector_that_is_no_text_is_told() -> None:
    [error] = SCALE.check_status({"status": {"sel": 1}})
    assert str(error) == (
        '.status.sel: Invalid value: "": .status.sel accessor error: 1 is of the type int64, expected string'
    )
