from urllib.parse import parse_qs, urlencode

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kubewright.cluster.front.query import read_query


@pytest.mark.parametrize(
    ("text", "values"),
    [
        ("", {}),
        ("a=1&b=2&a=3", {"a": ["1", "3"], "b": ["2"]}),
        ("watch", {"watch": [""]}),
        ("a=%zz&b=1", {"b": ["1"]}),
        ("a%=1&b=%4&c=%41", {"c": ["A"]}),
        ("a=1;b=2&c=x+y", {"c": ["x y"]}),
        ("a=b=c&&", {"a": ["b=c"]}),
        ("%C3%A9=%E2%9C%93", {"é": ["✓"]}),
    ],
)
def test_what_is_malformed_is_not_there(text: str, values: dict[str, list[str]]) -> None:
    assert read_query(text) == values


@given(
    st.lists(
        st.tuples(st.text(st.characters(exclude_categories=["Cs"])), st.text(st.characters(exclude_categories=["Cs"])))
    )
)
def test_what_was_encoded_comes_back(pairs: list[tuple[str, str]]) -> None:
    text = urlencode(pairs)
    assert read_query(text) == parse_qs(text, keep_blank_values=True)
