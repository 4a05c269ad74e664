"""Numbers that remember their text."""

import msgspec

from kubewright.cluster.wire.literal import Literal, forget


def test_a_literal_is_a_number_with_its_text() -> None:
    number = Literal("1e3")
    assert (number, number.text) == (1000.0, "1e3")


def test_forgetting_leaves_plain_numbers_everywhere() -> None:
    value = forget({"a": [Literal("1.50"), 2, {"b": Literal("1e3")}], "c": "x"})
    assert value == {"a": [1.5, 2, {"b": 1000.0}], "c": "x"}
    assert msgspec.json.encode(value) == b'{"a":[1.5,2,{"b":1000.0}],"c":"x"}'
