"""Keys that stand twice, found in steps: the same comes of it as at one go."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.cluster.wire.test_body import NAMES, VALUES, write

from kubewright.cluster.wire.duplicates import _over, _over_in_steps, duplicates_in_steps, find_duplicates
from kubewright.model.steps import counted, finish

PAIRS = st.lists(st.tuples(NAMES, VALUES), max_size=6).map(tuple)
MAPS = st.recursive(
    st.integers(0, 3), lambda inner: st.dictionaries(st.sampled_from("abcde"), inner, max_size=4), max_leaves=12
)


def shown(found: tuple[Any, list[str]]) -> tuple[str, list[str]]:
    """A text in which the order of members can be seen."""
    return repr(found[0]), found[1]


@given(VALUES | PAIRS, st.booleans(), st.booleans(), st.integers(1, 60), st.sampled_from(["", " ", "\n\t"]))
def test_in_steps_the_same_is_found(value: Any, ascii_only: bool, merge: bool, piece: int, space: str) -> None:
    text = (
        write(value, ascii_only=ascii_only).replace(",", f"{space},{space}") if space else write(value, ascii_only=True)
    )
    body = f"{space}{text}{space}".encode()
    assert shown(finish(duplicates_in_steps(body, merge=merge, piece=piece))) == shown(
        find_duplicates(body, merge=merge)
    )


@given(MAPS, MAPS, st.integers(1, 8))
def test_what_is_read_over_another_in_steps_is_the_same(first: Any, second: Any, most: int) -> None:
    again = json.loads(json.dumps(first))
    assert finish(_over_in_steps(first, second, most)) == _over(again, second)


@pytest.mark.parametrize("merge", [True, False])
def test_a_large_text_is_read_in_many_steps(merge: bool) -> None:
    items = ",".join(f'{{"name":"n{number}","value":"v","value":"w"}}' for number in range(10_000))
    deep = ",".join('{"a":{"b":{"c":{"d":1,"d":2}}}}' for _ in range(5_000))
    body = f'{{"items":[{items}],"deep":[{deep}],"items":[{items}]}}'.encode()
    found, steps = counted(duplicates_in_steps(body, merge=merge))
    assert shown(found) == shown(find_duplicates(body, merge=merge))
    assert steps > 50
    assert len(found[1]) == 15_001


def test_a_text_as_deep_as_may_be_is_read_in_steps() -> None:
    body = b'{"a":' * 390 + b"[" + b'"text",' * 5_000 + b"1]" + b"}" * 390
    assert finish(duplicates_in_steps(body, merge=True)) == find_duplicates(body, merge=True)


def test_a_short_text_is_read_at_once() -> None:
    assert counted(duplicates_in_steps(b'{"a":1,"a":2}', merge=False)) == (({"a": 2}, ["a"]), 0)
