import pytest

from kubewright.cel.checker import check
from kubewright.cel.environment import Environment
from kubewright.cel.errors import ExpressionError
from kubewright.cel.parser import parse
from kubewright.cel.types import STRING

ENVIRONMENT = Environment({"s": STRING})


def issues(text: str) -> list[tuple[int, str]]:
    try:
        check(parse(text), ENVIRONMENT)
    except ExpressionError as error:
        return [(issue.offset, issue.message) for issue in error.issues]
    return []


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("duration('1 day')", [(9, "invalid duration argument")]),
        ("duration('1h')", []),
        ("duration(5)", [(9, "invalid duration argument")]),
        ("timestamp(5)", []),
        ("timestamp('today')", [(10, "invalid timestamp argument")]),
        ("timestamp('2020-01-01T00:00:00Z')", []),
        ("s.matches('[')", [(10, "invalid matches argument")]),
        ("s.matches('[a]')", []),
        # Of the function the first argument is looked at, although the second is the pattern.
        ("matches('[', s)", [(8, "invalid matches argument")]),
        ("matches(s, '[')", []),
    ],
)
def test_literals_that_can_never_work_are_refused(text: str, found: list[tuple[int, str]]) -> None:
    assert issues(text) == found


@pytest.mark.parametrize(
    "text", ["[1, 2]", "[?optional.of(1), 2]", "[[], [1]] == [[1], [1]]", "{'a': 1, ?'b': optional.of(2)}"]
)
def test_literals_of_one_type_are_fine(text: str) -> None:
    assert [message for _, message in issues(text) if "list(dyn)" not in message] == []


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("[1, 'a', 2.0]", [(4, "expected type 'int' but found 'string'")]),
        ("[dyn(1), 2]", [(9, "expected type 'dyn' but found 'int'")]),
        (
            "{1: 1, 'a': 'b'}",
            [(7, "expected type 'int' but found 'string'"), (12, "expected type 'int' but found 'string'")],
        ),
        ("[?optional.of('a'), 1]", [(20, "expected type 'string' but found 'int'")]),
        ("[1].all(x, [x, 'a'] == [])", [(15, "expected type 'int' but found 'string'")]),
    ],
)
def test_mixed_literals_are_refused_wherever_they_stand(text: str, found: list[tuple[int, str]]) -> None:
    assert issues(text) == found


def test_what_is_formatted_may_be_mixed() -> None:
    assert issues("'%s %d'.format(['a', [1, 'b'].size()])") == []


def test_types_come_before_literals() -> None:
    assert [message for _, message in issues("duration('x') == nope")] == [
        "undeclared reference to 'nope' (in container '')"
    ]
