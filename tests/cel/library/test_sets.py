import pytest
from tests.cel.evaluation import evaluate


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("sets.contains([1, 2, 3], [3, 1])", True),
        ("sets.contains([1], [1, 2])", False),
        ("sets.contains([dyn(1)], [dyn(1.0)])", True),
        ("sets.contains([dyn(true)], [dyn(1)])", False),
        ("sets.equivalent(['a', 'b', 'a'], ['b', 'a'])", True),
        ("sets.equivalent(['a'], ['b', 'a'])", False),
        ("sets.intersects([1, 2], [2, 3])", True),
        ("sets.intersects([[1]], [[2]])", False),
        ("sets.intersects([[1]], [[1]])", True),
    ],
)
def test_lists_as_sets(text: str, value: bool) -> None:
    assert evaluate(text) is value
