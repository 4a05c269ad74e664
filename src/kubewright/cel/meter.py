"""The meter of an evaluation, and the closures that charge it: calls and the loops of macros.

What a macro costs follows from its expansion, which nobody walks here: an element of `all` costs two units for the
condition (the accumulator and a call) and one for the accumulator in the step, whatever the predicate costs. The
numbers below are those sums.
"""

from collections.abc import Callable, Sequence
from typing import Any, Final

from kubewright.cel.access import iterate, iterate_pairs
from kubewright.cel.charges import LIST
from kubewright.cel.code import Frame, Run
from kubewright.cel.values import BudgetExceeded, EvaluationError, Native, no_such_overload

__all__ = ["Failed", "Meter", "every", "exactly_one", "fixed", "kept", "paid", "ranged", "some"]

#: Elements moved or compared that no unit pays for: a second's worth.
_MOST_WORK: Final = 20_000_000


class Meter:
    """What an evaluation has cost; place 0 of its frame."""

    __slots__ = ("cost", "limit", "work")

    def __init__(self, limit: int) -> None:
        self.limit = limit
        self.cost = 0
        self.work = 0

    def charge(self, units: int) -> None:
        """Pay, or end here. Where a few units are due and no loop is near they are just added; the end will tell."""
        self.cost += units
        if self.cost > self.limit:
            raise BudgetExceeded

    def labour(self, args: Sequence[Native]) -> None:
        """Work on these arguments that units do not pay for."""
        self.work += sum([len(arg) for arg in args if isinstance(arg, list | dict)])
        if self.work > _MOST_WORK:
            raise BudgetExceeded


class Failed:
    """A value that could not be computed, kept for whoever may do without it."""

    __slots__ = ("error",)

    def __init__(self, error: EvaluationError) -> None:
        self.error = error


# -- calls


def fixed(call: Callable[..., Native], runs: list[Run], units: int) -> Run:
    """A call of one or two arguments whose price is known beforehand."""
    if len(runs) == 1:
        (only,) = runs

        def unary(frame: Frame) -> Native:
            frame[0].cost += units
            return call(only(frame))

        return unary
    first, second = runs

    def binary(frame: Frame) -> Native:
        frame[0].cost += units
        try:
            one = first(frame)
        except EvaluationError as error:
            # The second argument is evaluated, and paid for, all the same.
            _ignored(second, frame)
            raise error
        return call(one, second(frame))

    return binary


def _ignored(run: Run, frame: Frame) -> None:
    try:
        run(frame)
    except EvaluationError:
        return


def paid(
    call: Callable[..., Native], cost: Callable[[Sequence[Native], Native], int], runs: list[Run], *, stops: bool
) -> Run:
    """A call that is paid for once all its arguments are there; one that `stops` does so at the first error."""

    def run(frame: Frame) -> Native:
        args: list[Native] = []
        failed: EvaluationError | None = None
        for arg in runs:
            try:
                args.append(arg(frame))
            except EvaluationError as error:
                if stops and len(args) + 1 < len(runs):
                    raise
                failed = failed or error
                args.append(Failed(error))
        meter: Meter = frame[0]
        if failed is not None:
            meter.charge(cost(args, failed))
            raise failed
        meter.labour(args)
        try:
            result = call(*args)
        except EvaluationError as error:
            meter.charge(cost(args, error))
            raise
        meter.charge(cost(args, result))
        return result

    return run


# -- loops


def ranged(over: Run, place: int, second: int) -> Callable[[Frame], Any]:
    """The range of a loop, which sets its variables and ends an evaluation that has used up its budget."""

    def each(frame: Frame) -> Any:
        meter: Meter = frame[0]
        if second:
            for first, other in iterate_pairs(over(frame)):
                if meter.cost > meter.limit:
                    raise BudgetExceeded
                frame[place], frame[second] = first, other
                yield
        else:
            for item in iterate(over(frame)):
                if meter.cost > meter.limit:
                    raise BudgetExceeded
                frame[place] = item
                yield

    return each


def every(over: Callable[[Frame], Any], holds: Run) -> Run:
    """`all`."""
    return _decided(over, holds, decisive=False, condition=2)


def some(over: Callable[[Frame], Any], holds: Run) -> Run:
    """`exists`; its condition has a negation more."""
    return _decided(over, holds, decisive=True, condition=3)


def _decided(over: Callable[[Frame], Any], holds: Run, *, decisive: bool, condition: int) -> Run:
    def run(frame: Frame) -> bool:
        meter: Meter = frame[0]
        failed: EvaluationError | None = None
        decided = False
        for _ in over(frame):
            meter.cost += condition
            if decided:
                break
            meter.cost += 1
            try:
                value = holds(frame)
                if value is decisive:
                    decided = True
                elif value is not (not decisive):
                    failed = failed or no_such_overload()
            except EvaluationError as error:
                failed = failed or error
        meter.cost += 1
        if decided:
            return decisive
        if failed is not None:
            raise failed
        return not decisive

    return run


def exactly_one(over: Callable[[Frame], Any], holds: Run) -> Run:
    """`exists_one`: two units for each element that is counted, two for the comparison at the end."""

    def run(frame: Frame) -> bool:
        meter: Meter = frame[0]
        failed: EvaluationError | None = None
        found = 0
        for _ in over(frame):
            try:
                value = holds(frame)
                if value is True:
                    meter.cost += 2
                    found += 1
                elif value is not False:
                    failed = no_such_overload()
            except EvaluationError as error:
                failed = error
        meter.cost += 2
        if failed is not None:
            raise failed
        return found == 1

    return run


def kept(over: Callable[[Frame], Any], holds: Run | None, element: Run, *, constant: bool) -> Run:
    """`map`, `filter`, `transformList`: the accumulator, a list around the element unless it is a constant, the sum."""
    units = 2 if constant else 2 + LIST

    def run(frame: Frame) -> list[Native]:
        meter: Meter = frame[0]
        failed: EvaluationError | None = None
        made: list[Native] = []
        for _ in over(frame):
            if holds is not None:
                try:
                    value = holds(frame)
                    if value is False:
                        continue
                    if value is not True:
                        failed = no_such_overload()
                        continue
                except EvaluationError as error:
                    failed = error
                    continue
            meter.cost += units
            try:
                made.append(element(frame))
            except EvaluationError as error:
                failed = failed or error
        meter.cost += 1
        if failed is not None:
            raise failed
        return made

    return run
