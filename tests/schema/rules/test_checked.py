"""The Python side of a rule raises where CEL errs, and nowhere else."""

import traceback
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

import kubewright as kw

MOST = 2**63 - 1


class Checked(kw.Model):
    a: int = 0
    b: int = 0
    ratio: kw.Number = 1.0
    ports: list[int] = kw.field(default_factory=list)
    weights: dict[str, int] = kw.field(default_factory=dict)
    timeout: kw.Duration | None = None
    cpu: kw.Quantity | None = None
    start: datetime | None = None

    @kw.rule("sum")
    def plus(self) -> bool:
        return self.a + self.b > 0

    @kw.rule("difference by assignment")
    def minus(self) -> bool:
        c = self.a
        c -= self.b
        return c > 0

    @kw.rule("minus")
    def negative(self) -> bool:
        return -self.a > 0

    @kw.rule("absolute")
    def absolute(self) -> bool:
        return abs(self.a) > 0

    @kw.rule("remainder")
    def modulo(self) -> bool:
        return self.a % self.b == 0

    @kw.rule("sum of a list")
    def total(self) -> bool:
        return sum(self.ports) > 0

    @kw.rule("sum of a dict")
    def weight(self) -> bool:
        return sum(self.weights.values()) > 0

    @kw.rule("one of them")
    def some(self) -> bool:
        return any(p + 1 > 0 for p in self.ports if p != 5)

    @kw.rule("all of them")
    def every(self) -> bool:
        return all(p + q > 0 for p in self.ports for q in self.ports)

    @kw.rule("not a number")
    def nan(self) -> bool:
        return self.ratio * 10 - self.ratio * 10 > 0

    @kw.rule("in time")
    def in_time(self) -> bool:
        return self.timeout is None or self.timeout == kw.Duration("5s")

    @kw.rule("in amount")
    def in_amount(self) -> bool:
        return self.cpu is None or self.cpu != kw.Quantity("1")

    @kw.rule("late")
    def late(self) -> bool:
        return self.start is None or self.start - datetime(2020, 1, 1, tzinfo=UTC) > timedelta(0)


@pytest.mark.parametrize(
    ("rule", "values"),
    [
        ("plus", {"a": MOST, "b": 1}),
        ("minus", {"a": -MOST, "b": 2}),
        ("negative", {"a": -MOST - 1}),
        ("absolute", {"a": -MOST - 1}),
        ("modulo", {"a": -MOST - 1, "b": -1}),
        ("total", {"ports": [MOST, 1, -1]}),
        ("weight", {"weights": {"a": MOST, "b": -5, "c": 1}}),
        ("some", {"ports": [-3, MOST]}),
        ("every", {"ports": [MOST]}),
    ],
)
def test_an_int_beyond_64_bits_raises(rule: str, values: dict[str, Any]) -> None:
    with pytest.raises(OverflowError):
        getattr(Checked(**values), rule)()


def test_an_int_within_64_bits_is_what_it_is() -> None:
    assert Checked(a=MOST, b=-1).plus() is True
    assert Checked(ports=[MOST, -1, 1]).total() is True


def test_division_by_zero_raises() -> None:
    with pytest.raises(ZeroDivisionError):
        Checked(a=1).modulo()


def test_an_error_in_one_item_is_forgotten_if_another_decides() -> None:
    assert Checked(ports=[MOST, 3]).some() is True
    assert Checked(ports=[MOST, -3]).every() is False
    assert Checked(ports=[5]).some() is False


def test_nan_raises() -> None:
    with pytest.raises(ArithmeticError):
        Checked(ratio=1e308).nan()


def test_a_misspelled_value_raises_where_it_is_compared_but_not_where_it_is_asked_for() -> None:
    for rule, document in (("in_time", {"timeout": "soon"}), ("in_amount", {"cpu": "much"})):
        with pytest.raises(TypeError, match="cannot be read"):
            getattr(kw.from_dict(document, Checked), rule)()
    assert kw.from_dict({}, Checked).in_time() is True


def test_a_time_without_a_zone_is_taken_for_utc() -> None:
    assert kw.from_dict({"start": "2020-01-02T00:00:00"}, Checked).late() is True


def test_a_span_longer_than_cel_has_raises() -> None:
    with pytest.raises(OverflowError):
        kw.from_dict({"start": "2500-01-01T00:00:00Z"}, Checked).late()


def test_a_traceback_points_into_the_users_file() -> None:
    with pytest.raises(OverflowError) as caught:
        Checked(a=MOST, b=1).plus()
    frames = traceback.extract_tb(caught.value.__traceback__)
    assert any(frame.filename == __file__ and frame.line == "return self.a + self.b > 0" for frame in frames)
