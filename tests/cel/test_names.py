import pytest
from hypothesis import given
from hypothesis import strategies as st

from kubewright.cel.names import escape


@pytest.mark.parametrize(
    ("name", "spelling"),
    [
        ("plain", "plain"),
        ("a.b-c/d", "a__dot__b__dash__c__slash__d"),
        ("__a__", "__underscores__a__underscores__"),
        ("a_b", "a_b"),
        ("in", "__in__"),
        ("namespace", "__namespace__"),
        ("1a", None),
        ("", None),
        ("a b", None),
        ("é", None),
        ("$ref", None),
    ],
)
def test_names_are_escaped_where_they_can_be(name: str, spelling: str | None) -> None:
    assert escape(name) == spelling


@given(st.text("abin_./-1", min_size=1, max_size=12))
def test_no_two_names_are_spelled_alike(name: str) -> None:
    spelling = escape(name)
    if spelling is None:
        return
    plain = spelling
    for escaped, char in (("__dot__", "."), ("__dash__", "-"), ("__slash__", "/"), ("__in__", "in")):
        plain = plain.replace(escaped, char) if escaped != "__in__" or spelling == escaped else plain
    assert plain.replace("__underscores__", "__") == name
