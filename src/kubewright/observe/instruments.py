"""Counters, gauges and histograms, and the registry that holds them.

Our own, because counting stands on the hot path: a lock for every increment and a dictionary for every label, as the
usual library has them, cost more than the queue that is being counted. Here a counter is a slot and an addition. A
family (`registry.counter(...)`) has a name, a help text and label names; `family.of("web", "success")` is the child
with these label values, which whoever counts asks for once and keeps.

    registry = Registry()
    retries = registry.counter("workqueue_retries_total", "Keys that …", ("controller",))
    web = retries.of("web")          # there from now on, at 0: a rate needs a start
    web.inc()

Numbers that somebody knows anyway (how deep a queue is, how old a cache) are not kept but asked for when they are read:
`gauge.of("web").reads(queue_depth)`. What is asked may answer None: then there is no sample.

A registry belongs to an operator; nothing here is shared by the process. The increments are one addition to a slot,
between whose bytecodes the interpreter does not switch threads, so synchronous user code may count as well.
"""

import re
from bisect import bisect_left
from collections.abc import Callable, Collection, Iterator, Sequence
from typing import Final, Generic, Literal, TypeVar

from kubewright.errors import KubewrightError

__all__ = ["Counter", "Family", "Gauge", "Histogram", "MetricError", "Registry", "Type", "exponential"]

Type = Literal["counter", "gauge", "histogram"]
Child = TypeVar("Child", "Counter", "Gauge", "Histogram")
Reader = Callable[[], float | None]

_NAME: Final = re.compile(r"[a-zA-Z_:][a-zA-Z0-9_:]*")
_LABEL: Final = re.compile(r"(?!__)[a-zA-Z_][a-zA-Z0-9_]*")


class MetricError(KubewrightError):
    """A metric that cannot be."""


class _Number:
    """A number that is kept here, or read from whoever knows it."""

    __slots__ = ("_reader", "value")

    def __init__(self) -> None:
        self.value: float = 0
        self._reader: Reader | None = None

    def inc(self, amount: float = 1) -> None:
        """It is more by `amount`."""
        self.value += amount

    def reads(self, reader: Reader) -> None:
        """Ask `reader` from now on; it is quick, and None means that there is nothing to say."""
        self._reader = reader

    def read(self) -> float | None:
        """What it is now."""
        return self.value if self._reader is None else self._reader()


class Counter(_Number):
    """A number that only grows."""

    __slots__ = ()

    def inc(self, amount: float = 1) -> None:
        """It is more by `amount`."""
        if not amount >= 0:  # nor by what is no number
            raise MetricError(f"a counter only grows, so it cannot be more by {amount!r}; a gauge goes up and down.")
        self.value += amount


class Gauge(_Number):
    """A number that goes up and down."""

    __slots__ = ()

    def set(self, value: float) -> None:
        """It is this now."""
        self.value = value

    def dec(self, amount: float = 1) -> None:
        """It is less by `amount`."""
        self.value -= amount


class Histogram:
    """How often values fell into each bucket, and their sum."""

    __slots__ = ("bounds", "counts", "sum")

    def __init__(self, bounds: Sequence[float]) -> None:
        self.bounds = bounds
        self.counts = [0] * (len(bounds) + 1)  # the last is for what is above every bound
        self.sum: float = 0

    def observe(self, value: float) -> None:
        """One more value; a bucket holds what is at most its bound."""
        self.counts[bisect_left(self.bounds, value)] += 1
        self.sum += value


class Family(Generic[Child]):
    """All that has one name: a child for each combination of label values."""

    __slots__ = ("_children", "_make", "bounds", "help", "labels", "name", "type")

    def __init__(
        self,
        type_: Type,
        name: str,
        help_: str,
        labels: tuple[str, ...],
        make: Callable[[], Child],
        bounds: tuple[float, ...] = (),
    ) -> None:
        self.type: Type = type_
        self.name = name
        self.help = help_
        self.labels = labels
        self.bounds = bounds
        self._make: Callable[[], Child] = make
        self._children: dict[tuple[str, ...], Child] = {}

    def of(self, *values: str) -> Child:
        """The child with these label values, in the order of the label names; made if it is new."""
        child = self._children.get(values)
        if child is None:
            if len(values) != len(self.labels):
                raise MetricError(f"{self.name} has the labels {list(self.labels)}, but got the values {list(values)}.")
            child = self._children[values] = self._make()
        return child

    def has(self, *values: str) -> bool:
        """Whether there is a child with these label values."""
        return values in self._children

    def remove(self, *values: str) -> None:
        """Forget a child: what it was about is no more."""
        self._children.pop(values, None)

    def clear(self) -> None:
        """Forget them all."""
        self._children.clear()

    def __iter__(self) -> Iterator[tuple[tuple[str, ...], Child]]:
        return iter(sorted(self._children.items()))


class Registry:
    """The families of one operator, by name."""

    def __init__(self) -> None:
        self._families: dict[str, Family[Counter] | Family[Gauge] | Family[Histogram]] = {}
        self._before: list[Callable[[], None]] = []
        self._included: list[Registry] = []
        self._left_out: set[str] = set()

    def include(self, other: "Registry") -> None:
        """Tell what another holds, too: what that has by a name that is taken here is refused, or later not told."""
        for family in other:
            if family.name in self._families:
                raise _taken(family.name)
        self._included.append(other)

    def leave_out(self, names: Collection[str]) -> None:
        """Have nothing by these names, now or ever: whoever includes this tells his own by them."""
        if taken := self._families.keys() & names:
            raise _taken(min(taken))
        self._left_out.update(names)
        for other in self._included:
            other.leave_out(names)

    def before(self, refresh: Callable[[], None]) -> None:
        """Call `refresh` each time before all is read, for gauges whose labels are known only then."""
        self._before.append(refresh)

    def counter(self, name: str, help_: str, labels: Sequence[str] = ()) -> Family[Counter]:
        """A family of counters; the one of that name, if there is one already."""
        _check_name(name)
        if not name.endswith("_total"):
            raise MetricError(f"the counter {name} must be called {name}_total: every reader of metrics expects it.")
        return self._enter(Family("counter", name, help_, tuple(labels), Counter))

    def gauge(self, name: str, help_: str, labels: Sequence[str] = ()) -> Family[Gauge]:
        """A family of gauges; the one of that name, if there is one already."""
        return self._enter(Family("gauge", name, help_, tuple(labels), Gauge))

    def histogram(
        self, name: str, help_: str, bounds: Sequence[float], labels: Sequence[str] = ()
    ) -> Family[Histogram]:
        """A family of histograms with these upper bounds; the one of that name, if there is one already."""
        fixed = tuple(map(float, bounds))
        if not fixed or list(fixed) != sorted(set(fixed)):
            raise MetricError(f"the bounds of the histogram {name} must grow from one to the next: {list(bounds)}.")
        return self._enter(Family("histogram", name, help_, tuple(labels), lambda: Histogram(fixed), fixed))

    def _enter(self, family: Family[Child]) -> Family[Child]:
        known = self._families.get(family.name)
        if known is not None:
            if (known.type, known.labels, known.bounds) != (family.type, family.labels, family.bounds):
                raise MetricError(f"there is another {family.name} already, a {known.type} by {list(known.labels)}.")
            return known  # type: ignore[return-value]  # the type was compared
        if family.name in self._left_out:
            raise _taken(family.name)
        _check_name(family.name)
        for label in family.labels:
            if _LABEL.fullmatch(label) is None or (label == "le" and family.type == "histogram"):
                raise MetricError(f"{label!r} is no name of a label of {family.name}: use letters, digits and _.")
        if not family.labels:
            family.of()
        self._families[family.name] = family
        return family

    def __iter__(self) -> Iterator[Family[Counter] | Family[Gauge] | Family[Histogram]]:
        for refresh in self._before:
            refresh()
        found = {family.name: family for other in self._included for family in other} | self._families
        return iter([found[name] for name in sorted(found)])


def _check_name(name: str) -> None:
    if _NAME.fullmatch(name) is None:
        raise MetricError(f"{name!r} is no name of a metric: use letters, digits and _.")


def _taken(name: str) -> MetricError:
    return MetricError(f"there is another {name} already, which the operator tells; give yours another name.")


def exponential(start: float, factor: float, count: int) -> tuple[float, ...]:
    """Bounds that grow by a factor, multiplied up as Go's client library does it, so that they are equal to the bit."""
    bounds = []
    for _ in range(count):
        bounds.append(start)
        start *= factor
    return tuple(bounds)
