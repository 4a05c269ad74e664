import json
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from kubewright.cluster.wire.piecemeal import decode_in_steps
from kubewright.model.steps import counted

values = st.recursive(
    st.one_of(
        st.none(), st.booleans(), st.integers(-9, 9), st.floats(allow_nan=False, allow_infinity=False), st.text()
    ),
    lambda inner: st.one_of(st.lists(inner), st.dictionaries(st.text(), inner)),
)


@given(values, st.integers(1, 20))
def test_pieces_come_to_the_whole(value: Any, piece: int) -> None:
    data = json.dumps(value, separators=(",", ":")).encode()
    assert json.dumps(counted(decode_in_steps(data, piece))[0]) == json.dumps(value)


def test_there_is_a_step_for_every_few_members() -> None:
    data = json.dumps({"a": {f"k{number}": "v" * 10 for number in range(100)}}, separators=(",", ":")).encode()
    assert counted(decode_in_steps(data, 10_000))[1] == 0
    assert counted(decode_in_steps(data, 100))[1] >= 9
