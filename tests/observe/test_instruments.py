import functools
import operator

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kubewright.observe.instruments import Histogram, MetricError, Registry, exponential


def test_a_child_is_the_same_for_the_same_label_values() -> None:
    family = Registry().counter("asked_total", "Asked.", ("who",))
    family.of("ada").inc()
    family.of("ada").inc(2)
    assert family.of("ada").value == 3
    assert family.of("eve").value == 0


@pytest.mark.parametrize("amount", [-1, float("nan")])
def test_a_counter_only_grows(amount: float) -> None:
    counter = Registry().counter("asked_total", "Asked.").of()
    counter.inc(0)
    with pytest.raises(MetricError, match="a counter only grows"):
        counter.inc(amount)
    assert counter.value == 0


def test_a_gauge_goes_up_and_down_and_can_be_read_from_who_knows() -> None:
    gauge = Registry().gauge("depth", "Depth.").of()
    gauge.set(5)
    gauge.inc()
    gauge.dec(2)
    assert gauge.read() == 4
    gauge.reads(lambda: None)
    assert gauge.read() is None


def test_a_family_asked_for_twice_is_one() -> None:
    registry = Registry()
    assert registry.gauge("depth", "Depth.", ["q"]) is registry.gauge("depth", "Depth.", ["q"])


def test_two_registries_share_nothing() -> None:
    one, other = Registry(), Registry()
    one.counter("asked_total", "Asked.").of().inc()
    assert other.counter("asked_total", "Asked.").of().value == 0


def test_what_a_registry_includes_is_told_with_its_own_in_order() -> None:
    ours, theirs = Registry(), Registry()
    ours.gauge("b", "B.")
    theirs.gauge("c", "C.")
    ours.include(theirs)
    theirs.gauge("a", "A.")
    assert [family.name for family in ours] == ["a", "b", "c"]


def test_no_two_registries_tell_of_one_name() -> None:
    ours, theirs = Registry(), Registry()
    ours.gauge("a", "Ours.")
    theirs.gauge("a", "Theirs.")
    with pytest.raises(MetricError, match="another name"):
        ours.include(theirs)


def test_what_a_registry_must_leave_out_is_refused_before_and_after() -> None:
    ours, theirs = Registry(), Registry()
    ours.include(theirs)
    theirs.gauge("b", "B.")
    with pytest.raises(MetricError, match="another b already"):
        ours.leave_out({"a", "b"})
    ours.leave_out({"a", "c"})
    for registry, name in ((ours, "a"), (theirs, "c")):
        with pytest.raises(MetricError, match=f"another {name} already"):
            registry.gauge(name, "Too late.")
    ours.leave_out({"a"})
    assert [family.name for family in ours] == ["b"]


def test_a_family_that_is_no_more_asked_about_is_removed() -> None:
    family = Registry().gauge("depth", "Depth.", ("q",))
    family.of("a")
    family.remove("a")
    family.remove("never there")
    assert list(family) == []


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (lambda r: r.counter("asked", "x"), "asked_total"),
        (lambda r: r.gauge("a-b", "x"), "no name of a metric"),
        (lambda r: r.counter("a b", "x"), "'a b' is no name of a metric"),
        (lambda r: r.gauge("ab", "x", ["__name"]), "no name of a label"),
        (lambda r: r.histogram("ab", "x", [1], ["le"]), "no name of a label"),
        (lambda r: r.histogram("ab", "x", [2, 1]), "must grow"),
        (lambda r: r.histogram("ab", "x", []), "must grow"),
        (lambda r: r.gauge("there", "x"), "another there already"),
        (lambda r: r.gauge("there", "x", ["b"]), "another there already"),
        (lambda r: r.counter("one_total", "x", ["a"]).of("1", "2"), "has the labels"),
    ],
)
def test_what_cannot_be_is_refused_in_a_sentence(make: "object", words: str) -> None:
    registry = Registry()
    registry.gauge("there", "x", ["a"])
    assert callable(make)
    with pytest.raises(MetricError, match=words):
        make(registry)


@given(st.lists(st.floats(allow_nan=False, allow_infinity=False, width=32)))
def test_a_value_falls_into_the_first_bucket_whose_bound_it_does_not_exceed(values: list[float]) -> None:
    bounds = (-1.0, 0.0, 0.5, 100.0)
    histogram = Histogram(bounds)
    for value in values:
        histogram.observe(value)
    total = 0
    for bound, count in zip(bounds, histogram.counts, strict=False):
        total += count
        assert total == sum(value <= bound for value in values)
    assert sum(histogram.counts) == len(values)
    assert histogram.sum == functools.reduce(operator.add, values, 0.0)  # `sum` makes up for what addition loses


def test_exponential_bounds_are_multiplied_up() -> None:
    bounds = exponential(10e-9, 10, 12)
    assert len(bounds) == 12
    assert bounds[0] == 1e-8
    assert bounds[1] == 1e-8 * 10
    assert bounds[-1] == pytest.approx(1000)
