import pytest

from kubewright.cel.ast import Ident, Literal
from kubewright.cel.prices import PRICED, PRICED_OVERLOADS, Operand, price
from kubewright.cel.ranges import Range
from kubewright.cel.types import INT, STRING, Type, list_of

NOWHERE = Ident(1, "x")


def text(least: int, most: int) -> Operand:
    return Operand(NOWHERE, STRING, (), (least, most))


def number(value: int) -> Operand:
    return Operand(Literal(2, value), INT, (), (1, 1))


def strings(count: Range) -> Operand:
    return Operand(NOWHERE, list_of(STRING), ("self", "list"), count)


def size_of(path: object) -> Range | None:
    return (0, 40) if path == ("self", "list", "@items") else None


def priced(function: str, overload: str, target: Operand | None, *args: Operand) -> tuple[Range, Range | None]:
    found = price(function, overload, target, args, size_of)
    assert found is not None
    return found.cost, found.size


def test_the_language_prices_its_own() -> None:
    assert price("_+_", "add_int64", None, [number(1), number(2)], size_of) is None
    assert price("_==_", "equals", None, [text(0, 1), text(0, 1)], size_of) is None


def test_a_string_is_gone_through_once() -> None:
    assert priced("lowerAscii", "string_lower_ascii", text(10, 100)) == ((1, 10), (10, 100))
    assert priced("quantity", "string_to_quantity", None, text(0, 100)) == ((0, 10), None)


def test_a_list_is_gone_through_with_its_strings() -> None:
    assert priced("max", "list_string_max_string", strings((0, 6))) == ((0, 6 * 5), None)


def test_a_replacement_may_make_a_string_longer_or_shorter() -> None:
    assert priced("replace", "string_replace_string_string", text(10, 10), text(1, 1), text(3, 3)) == ((2, 2), (10, 30))
    assert priced("replace", "string_replace_string_string", text(10, 10), text(0, 0), text(1, 1))[1] == (21, 21)
    assert priced("replace", "string_replace_string_string", text(10, 10), text(2, 2), text(0, 0))[1] == (0, 10)


def test_a_join_is_as_long_as_elements_and_separators() -> None:
    assert priced("join", "list_join_string", strings((0, 5)), text(2, 2)) == ((0, 21), (0, 5 * 40 + 4 * 2))


def test_a_limit_bounds_a_split() -> None:
    assert priced("split", "string_split_string", text(0, 50), text(1, 1))[1] == (0, 50)
    assert priced("split", "string_split_string_int", text(0, 50), text(1, 1), number(3))[1] == (0, 3)


def test_lists_that_are_made_cost_their_making() -> None:
    assert priced("lists.range", "lists_range", None, number(5)) == ((16, 16), (5, 5))
    assert priced("slice", "list_slice", strings((0, 9)), number(1), number(4)) == ((14, 14), (3, 3))
    assert priced("sort", "list_string_sort", strings((2, 3)))[0] == (11 + 9, 11 + 19)


@pytest.mark.parametrize(("name", "most"), [("net.IP", 1), ("kubernetes.Quantity", 1), ("kubernetes.NamedFormat", 7)])
def test_types_of_kubernetes_compare_at_a_price_of_their_own(name: str, most: int) -> None:
    value = Operand(NOWHERE, Type("struct", name), (), None)
    assert priced("_==_", "equals", None, value, value)[0] == (1, most)


def test_what_has_a_price_is_known_by_name() -> None:
    assert {"ip", "validate", "_==_"} <= PRICED
    assert {"list_slice", "list_bytes_sortByAssociatedKeys"} <= PRICED_OVERLOADS
