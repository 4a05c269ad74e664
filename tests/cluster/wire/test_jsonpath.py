"""The dialect of paths. What printer columns make of them is recorded in tests/cluster/registry."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kubewright.cluster.wire.jsonpath import PathError, compile_path

VALUE: dict[str, Any] = {
    "metadata": {"labels": {"a.b/c": "x"}},
    "spec": {
        "replicas": 3,
        "none": None,
        "list": [{"t": "A", "v": 1}, {"t": "B", "v": 2, "s": ""}],
        "numbers": [5, 6, 7],
    },
}


@pytest.mark.parametrize(
    ("path", "found"),
    [
        (".spec.replicas", [3]),
        (".spec.none", [None]),
        (".spec.missing.deeper", []),
        (".spec.replicas.deeper", []),
        (r".metadata.labels.a\.b/c", ["x"]),
        (r".metadata.labels['a\.b/c']", ["x"]),
        (".spec.list[0].t", ["A"]),
        (".spec.list[-1].t", ["B"]),
        (".spec.list[5].t", []),
        (".spec.list[*].v", [1, 2]),
        (".spec.list.*.v", [1, 2]),
        (".spec.numbers[0,2]", [5, 7]),
        (".spec.numbers[1:]", [6, 7]),
        (".spec.numbers[:-1]", [5, 6]),
        (".spec.numbers[::2]", [5, 7]),
        (".spec.numbers[1:1]", []),
        (".spec.numbers[2:1]", []),
        (".spec.numbers[0:9]", []),
        (".spec.replicas[0]", []),
        (".spec.none[0]", []),
        ('.spec.list[?(@.t=="B")].v', [2]),
        (".spec.list[?(@.t == 'B')].v", [2]),
        (".spec.list[?(@.v>=1)].t", ["A", "B"]),
        (".spec.list[?(@.v!=1)].t", ["B"]),
        (".spec.list[?(@.s)].t", ["B"]),
        (".spec.list[?(@.v==1.0)].t", []),
        (".spec.list[?(@.v==@.t)].t", []),
        (".spec.list[?(true==true)].v", [1, 2]),
        (".spec.list[?(true<true)].v", []),
        (".spec.replicas[?(@.x)]", []),
        (".spec..t", ["A", "B"]),
        (".spec['replicas','missing']", [3]),
        ("$.spec.replicas", [3]),
        (".spec word", []),
        (".", []),
    ],
)
def test_a_path_finds(path: str, found: list[Any]) -> None:
    assert compile_path(path)(VALUE) == found


@pytest.mark.parametrize(
    "path",
    [".a[", '.a["b"]', ".a[x]", ".a[-]", '.a[?(@.b=="c]', ".a[?(@.b)", ".a }", ".a ~", '"a', ".a[?(@.b=~1)]", "1.2.3"],
)
def test_a_text_that_is_no_path_is_refused(path: str) -> None:
    with pytest.raises(PathError, match="JSONPath"):
        compile_path(path)


@pytest.mark.parametrize("path", [f".a[{'1' * 5000}]", f".a[:{'1' * 5000}]", f".a[::{'1' * 5000}]"])
def test_a_number_that_no_list_is_long_enough_for_is_refused(path: str) -> None:
    with pytest.raises(PathError, match="neither an index"):
        compile_path(path)


def test_descending_again_and_again_finds_nothing() -> None:
    assert compile_path("." * 10_000)(VALUE) == []


@given(st.text(alphabet=".[]?()@*'\"=<0123:,ab \\-", max_size=25))
def test_any_text_is_a_path_or_refused(path: str) -> None:
    try:
        find = compile_path(path)
    except PathError:
        return
    assert isinstance(find(VALUE), list)
