"""Lists and maps that an expression writes out, filled when it runs; an optional part that has no value is left out."""

from collections.abc import Callable, Sequence

from kubewright.cel.code import Frame, Run
from kubewright.cel.values import ABSENT, EvaluationError, Native, Optional

__all__ = ["fill_list", "fill_map"]


def fill_list(parts: Sequence[tuple[Run, bool]]) -> Callable[[Frame], list[Native]]:
    """What makes the list; of each element how it is computed, and whether it is optional."""

    def fill(frame: Frame) -> list[Native]:
        made: list[Native] = []
        for run, maybe in parts:
            value = run(frame)
            if maybe:
                if type(value) is not Optional:
                    raise EvaluationError(f"cannot initialize optional list element from non-optional value {value}")
                value = value.value
            if value is not ABSENT:
                made.append(value)
        return made

    return fill


def fill_map(parts: Sequence[tuple[Run, Run, bool]]) -> Callable[[Frame], dict[Native, Native]]:
    """What makes the map; of each entry how key and value are computed, and whether it is optional."""

    def fill(frame: Frame) -> dict[Native, Native]:
        made: dict[Native, Native] = {}
        for key, run, maybe in parts:
            name, value = key(frame), run(frame)
            if maybe:
                if type(value) is not Optional:
                    raise EvaluationError(f"cannot initialize optional entry '{name}' from non-optional value {value}")
                value = value.value
                if value is ABSENT:
                    continue
            try:
                made[name] = value
            except TypeError:
                raise EvaluationError(f"unsupported key type: {type(name).__name__}") from None
        return made

    return fill
