import pytest
from tests.cel.evaluation import program

LISTS = {
    "type": "object",
    "properties": {
        "few": {"type": "array", "maxItems": 4, "items": {"type": "string", "maxLength": 10}},
        "many": {"type": "array", "items": {"type": "string"}},
    },
}


def most(text: str, size: int) -> int:
    return program(text, LISTS).most(size)


def test_a_schema_s_bounds_hold_for_the_new_object() -> None:
    assert most("self.few.all(x, x.size() > 1)", 1 << 20) < 200
    assert most("self.many.all(x, x.size() > 1)", 1 << 20) > 1_000_000


def test_but_not_for_the_old_one() -> None:
    assert most("oldSelf.few.all(x, x.size() > 1)", 1 << 20) > 1_000_000


@pytest.mark.parametrize(
    ("text", "power"),
    [
        ("self.many.size() > 0", 0),
        ("self.many.all(x, x == 'a')", 2),
        ("self.many.exists(x, x.contains(self.many[0]))", 3),
        ("self.many.all(x, self.many.exists(y, y.size() == x.size()))", 2),
    ],
)
def test_the_bound_grows_with_the_size_as_the_loops_nest(text: str, power: int) -> None:
    growth = most(text, 1 << 16) / most(text, 1 << 12)
    assert growth <= 1.1 * 16**power


def test_what_depends_on_a_number_has_no_bound() -> None:
    assert most("lists.range(size(self.many)).size() > 0", 10) > 10**18


def test_a_number_that_is_written_down_bounds_a_range() -> None:
    assert most("lists.range(5).all(x, x < 5)", 10) < 200
