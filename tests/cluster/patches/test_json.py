"""JSON patch, against recorded answers of Go and by law."""

import contextlib
import copy
from collections.abc import Iterator
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.cluster.patches.kinds import answer, same, table

from kubewright.cluster.patches import decode, json
from kubewright.cluster.patches.errors import BadPatch, InapplicablePatch, OversizedPatch, PatchError
from kubewright.model.steps import counted, finish
from kubewright.schema.walk.golang import marshal

SCALARS = st.none() | st.booleans() | st.integers(-9, 9) | st.sampled_from([1.5, "", "a", "<é>"])
KEYS = st.sampled_from(["a", "b", "c", "~", "/", "", "0"])
VALUES = st.recursive(
    SCALARS, lambda inner: st.lists(inner, max_size=4) | st.dictionaries(KEYS, inner, max_size=4), max_leaves=12
)
OBJECTS = st.dictionaries(KEYS, VALUES, max_size=4)
PATHS = st.lists(KEYS | st.sampled_from(["-", "-1", "1", "x"]), max_size=3).map(
    lambda keys: "".join("/" + escape(key) for key in keys)
)
OPERATIONS = st.fixed_dictionaries(
    {},
    optional={
        "op": st.sampled_from(["add", "remove", "replace", "move", "copy", "test", "zz"]) | SCALARS,
        "path": PATHS | SCALARS,
        "from": PATHS | SCALARS,
        "value": VALUES,
        "other": SCALARS,
    },
)


def escape(key: str) -> str:
    return key.replace("~", "~0").replace("/", "~1")


def difference(before: Any, after: Any, path: str = "") -> Iterator[dict[str, Any]]:
    """Operations that lead from one value to another."""
    if isinstance(before, dict) and isinstance(after, dict):
        for key in before:
            if key not in after:
                yield {"op": "remove", "path": f"{path}/{escape(key)}"}
        for key, value in after.items():
            if key in before:
                yield from difference(before[key], value, f"{path}/{escape(key)}")
            else:
                yield {"op": "add", "path": f"{path}/{escape(key)}", "value": value}
    elif isinstance(before, list) and isinstance(after, list):
        for index in range(min(len(before), len(after))):
            yield from difference(before[index], after[index], f"{path}/{index}")
        for value in after[len(before) :]:
            yield {"op": "add", "path": f"{path}/-", "value": value}
        for _ in before[len(after) :]:
            yield {"op": "remove", "path": f"{path}/-1"}
    elif marshal(before) != marshal(after):
        yield {"op": "replace", "path": path, "value": after}


def test_every_patch_is_applied_or_refused_as_by_go() -> None:
    for case in table("json"):
        try:
            ours = {"result": json.apply(case["document"], json.read(case["patch"].encode(), checked=False))}
        except PatchError as error:
            ours = answer(error)
        assert same(ours, case["answers"]), (case.get("name"), case["patch"], ours, case["answers"])


@given(OBJECTS, OBJECTS)
def test_the_difference_of_two_objects_leads_from_one_to_the_other(before: Any, after: Any) -> None:
    patch = list(difference(before, after))
    assert marshal(json.apply(before, json.read(patch))) == marshal(after)
    assert marshal(json.apply(before, json.read(msgspec.json.encode(patch)))) == marshal(after)


@given(OBJECTS, st.lists(OPERATIONS, max_size=6), st.booleans())
def test_nothing_but_a_patch_error_is_raised_and_nothing_given_is_changed(
    document: Any, patch: list[Any], checked: bool
) -> None:
    kept = copy.deepcopy((document, patch))
    for form in (patch, msgspec.json.encode(patch)):
        with contextlib.suppress(PatchError):
            json.apply(document, json.read(form, checked=checked))
    assert (document, patch) == kept


@given(OBJECTS, st.lists(OPERATIONS, max_size=4))
def test_a_list_of_operations_and_its_text_as_go_writes_it_mean_the_same(document: Any, patch: list[Any]) -> None:
    outcomes = []
    for form in (patch, marshal(patch).encode()):
        try:
            outcomes.append(marshal(json.apply(document, json.read(form, checked=False))))
        except PatchError as error:
            outcomes.append(str(error))
    assert outcomes[0] == outcomes[1]


def test_what_is_not_touched_is_shared() -> None:
    document = {"a": {"b": 1}, "c": {"d": [1]}}
    changed: Any = json.apply(document, json.read([{"op": "add", "path": "/a/x", "value": 2}]))
    assert changed["c"] is document["c"]
    assert document == {"a": {"b": 1}, "c": {"d": [1]}}


def test_a_copy_does_not_change_with_its_original() -> None:
    patch = [
        {"op": "add", "path": "/a/x", "value": {}},
        {"op": "copy", "from": "/a", "path": "/b"},
        {"op": "add", "path": "/a/x/y", "value": 1},
    ]
    assert json.apply({"a": {}}, json.read(patch)) == {"a": {"x": {"y": 1}}, "b": {"x": {}}}


def test_ten_thousand_operations_are_allowed_and_one_more_is_not() -> None:
    operation = {"op": "test", "path": "/a"}
    assert json.apply({}, json.read([operation] * 10_000)) == {}
    with pytest.raises(OversizedPatch, match=r"^Request entity too large: The allowed maximum .* is 10000, got 10001$"):
        json.read(msgspec.json.encode([operation] * 10_001))


def test_copies_may_not_add_more_than_three_mebibytes() -> None:
    copies = [{"op": "copy", "from": "/a", "path": f"/b{number}"} for number in range(4)]
    document = {"a": "<" * (1024 * 1024 // 6)}  # each is written as six bytes
    json.apply(document, json.read(copies[:3]))
    message = (
        r"^Unable to complete the copy, the accumulated size increase of copy is \d+, exceeding the limit 3145728$"
    )
    with pytest.raises(InapplicablePatch, match=message):
        json.apply(document, json.read(copies))


@pytest.mark.parametrize("patch", [{}, "[]", 5, [1], [[]], [{"op": 5}]])
def test_what_is_no_list_of_operations_is_a_bad_patch(patch: Any) -> None:
    with pytest.raises(BadPatch, match=r"^error decoding patch: json: cannot unmarshal "):
        json.read(patch)


def test_unknown_members_are_told_by_their_place() -> None:
    patch = [{"op": "add", "path": "/a", "Value": 1}, None, {"x": 1}]
    assert json.unknown_members(patch) == [
        'json patch unknown field "[0].Value"',
        'json patch unknown field "[2].x"',
    ]


def nested(levels: int) -> dict[str, Any]:
    value: dict[str, Any] = {}
    for _ in range(levels):
        value = {"a": value}
    return value


@pytest.mark.parametrize("kind", ["test", "copy"])
def test_values_nested_too_deep_are_our_error(kind: str) -> None:
    deep = nested(10_000)
    operations = [{"op": "add", "path": "/a/b", "value": 1}, {"op": kind, "path": "/c", "from": "/c", "value": deep}]
    with pytest.raises(InapplicablePatch, match="nested more than 400 levels deep"):
        json.apply({"a": {}, "c": deep}, json.read(operations))


def test_a_document_that_is_a_scalar_is_refused() -> None:
    with pytest.raises(InapplicablePatch, match="applies to an object or a list"):
        json.apply("a", json.read([]))


def test_a_long_patch_is_read_and_done_in_many_steps() -> None:
    patch = [{"op": "add", "path": f"/a/{number}", "value": {"x": [number]}} for number in range(5000)]
    body = msgspec.json.encode(patch)
    given, read = counted(json.read_in_steps(body))
    assert given.members == patch
    made, done = counted(json.apply_in_steps({"a": {}}, given.operations))
    assert made == {"a": {str(number): {"x": [number]} for number in range(5000)}}
    assert min(read, done) >= 20


@given(st.lists(st.fixed_dictionaries({"op": st.just("add"), "path": st.just("/a"), "value": st.text() | st.none()})))
def test_operations_are_decoded_the_same_in_steps(patch: list[Any]) -> None:
    body = msgspec.json.encode(patch)
    assert finish(decode.json_patch_in_steps(body, piece=40)) == decode.json_patch(body)


@pytest.mark.parametrize("body", [b"{}", b"[1]", b'[{"op":5}]', b'"' + b"a" * 99 + b'"', b"[{},]", b"[{}", b"[1e999]"])
def test_what_is_odd_about_a_long_patch_is_told_as_of_any(body: bytes) -> None:
    with pytest.raises(BadPatch) as at_once:
        decode.json_patch(body)
    with pytest.raises(BadPatch) as in_steps:
        finish(decode.json_patch_in_steps(body, piece=2))
    assert str(in_steps.value) == str(at_once.value)
