"""Folds as loops: what a macro meant, written as the Python loop one would write by hand.

A fold reaches the compiler expanded, into a step and a condition for each element; only where no macro is recognised
is it run that way. `all` and `exists` go on after an error, since a later element may still decide; every other fold
ends with the first.

A loop's range yields what the loop's variables are to be: one value, or a pair with two variables. `places` are the
variables' places in the frame.
"""

from collections.abc import Callable
from typing import Any

from kubewright.cel.code import Frame, Run
from kubewright.cel.values import EvaluationError, Native, no_such_overload, type_name

__all__ = ["every", "exactly_one", "fold", "insert", "insert_all", "kept", "mapped", "mapping", "some"]


def every(over: Run, place: int, holds: Run) -> Run:
    """`over.all(x, holds)`."""

    def run(frame: Frame) -> bool:
        failed: EvaluationError | None = None
        for item in over(frame):
            frame[place] = item
            try:
                if not holds(frame):
                    return False
            except EvaluationError as error:
                failed = failed or error
        if failed is not None:
            raise failed
        return True

    return run


def some(over: Run, place: int, holds: Run) -> Run:
    """`over.exists(x, holds)`."""

    def run(frame: Frame) -> bool:
        failed: EvaluationError | None = None
        for item in over(frame):
            frame[place] = item
            try:
                if holds(frame):
                    return True
            except EvaluationError as error:
                failed = failed or error
        if failed is not None:
            raise failed
        return False

    return run


def exactly_one(over: Run, place: int, holds: Run) -> Run:
    """`over.exists_one(x, holds)`."""

    def run(frame: Frame) -> bool:
        found = 0
        for item in over(frame):
            frame[place] = item
            if holds(frame):
                found += 1
        return found == 1

    return run


def mapped(over: Run, place: int, holds: Run | None, element: Run) -> Run:
    """`over.map(x, element)`, or `over.map(x, holds, element)`."""

    def run(frame: Frame) -> list[Native]:
        made: list[Native] = []
        for item in over(frame):
            frame[place] = item
            if holds is None or holds(frame):
                made.append(element(frame))
        return made

    return run


def kept(over: Run, place: int, holds: Run) -> Run:
    """`over.filter(x, holds)`."""

    def run(frame: Frame) -> list[Native]:
        made: list[Native] = []
        for item in over(frame):
            frame[place] = item
            if holds(frame):
                made.append(item)
        return made

    return run


def insert(mapping: dict[Native, Native], key: Native, value: Native) -> None:
    """Put an entry into a map that has none by that key."""
    if key in mapping:
        text = ("true" if key else "false") if isinstance(key, bool) else key
        raise EvaluationError(f"insert failed: key {text} already exists")
    mapping[key] = value


def insert_all(mapping: dict[Native, Native], entries: Native) -> None:
    """Put the entries of another map into a map; of what is no map there are none to put."""
    if not isinstance(entries, dict):
        raise no_such_overload(f"cel.@mapInsert(map, {type_name(entries)})")
    for key, value in entries.items():
        insert(mapping, key, value)


def mapping(over: Run, place: int, holds: Run | None, add: Callable[[Frame, dict[Any, Any]], None]) -> Run:
    """`over.transformMap(k, v, …)` and `transformMapEntry`: `add` puts what one element gives."""

    def run(frame: Frame) -> dict[Native, Native]:
        made: dict[Native, Native] = {}
        for item in over(frame):
            frame[place] = item
            if holds is None or holds(frame):
                add(frame, made)
        return made

    return run


def fold(over: Run, place: int, accumulator: int, init: Run, condition: Run, step: Run, result: Run) -> Run:
    """The fold as it was expanded."""

    def run(frame: Frame) -> Native:
        frame[accumulator] = init(frame)
        for item in over(frame):
            frame[place] = item
            if not condition(frame):
                break
            frame[accumulator] = step(frame)
        return result(frame)

    return run
