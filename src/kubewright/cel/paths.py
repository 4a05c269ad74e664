"""Chains of declared fields, `self.spec.replicas`, read in one closure.

This is what rules do most, so the usual case is one expression with no test in it; whatever goes wrong, Python says so,
and the chain is walked again to find out which field was missing. A field that is null is as good as missing.
"""

from typing import Any

from kubewright.cel.code import Frame, Run
from kubewright.cel.values import EvaluationError, no_such_key

__all__ = ["has_field", "has_path", "read_field", "read_path"]

_WRONG = (KeyError, TypeError, AttributeError)


def _missing(value: Any, names: tuple[str, ...], spelled: tuple[str, ...]) -> EvaluationError:
    for name, spelling in zip(names, spelled, strict=True):
        value = value.get(name) if type(value) is dict else None
        if value is None:
            return no_such_key(spelling)
    raise AssertionError("the chain is whole")


def read_path(place: int, names: tuple[str, ...], spelled: tuple[str, ...]) -> Run:
    """The value at the end of a chain that starts at a place of the frame; `spelled` is how the expression has it."""
    last = spelled[-1]
    match names:
        case (one,):

            def read_one(frame: Frame) -> Any:
                value = frame[place].get(one)
                if value is None:
                    raise no_such_key(last)
                return value

            return read_one
        case (one, two):

            def read_two(frame: Frame) -> Any:
                try:
                    value = frame[place][one][two]
                except _WRONG:
                    raise _missing(frame[place], names, spelled) from None
                if value is None:
                    raise no_such_key(last)
                return value

            return read_two
        case (one, two, three):

            def read_three(frame: Frame) -> Any:
                try:
                    value = frame[place][one][two][three]
                except _WRONG:
                    raise _missing(frame[place], names, spelled) from None
                if value is None:
                    raise no_such_key(last)
                return value

            return read_three

    def read_more(frame: Frame) -> Any:
        value = frame[place]
        try:
            for name in names:
                value = value[name]
        except _WRONG:
            raise _missing(frame[place], names, spelled) from None
        if value is None:
            raise no_such_key(last)
        return value

    return read_more


def has_path(place: int, names: tuple[str, ...], spelled: tuple[str, ...]) -> Run:
    """Whether the last field of a chain is there; those before it must be."""
    match names:
        case (one,):
            return lambda frame: frame[place].get(one) is not None
        case (one, two):

            def has_two(frame: Frame) -> bool:
                try:
                    return frame[place][one].get(two) is not None
                except _WRONG:
                    raise _missing(frame[place], names[:-1], spelled[:-1]) from None

            return has_two
    return has_field(read_path(place, names[:-1], spelled[:-1]), names[-1])


def read_field(run: Run, name: str, spelling: str) -> Run:
    """A field of an object that some other code gives."""

    def read(frame: Frame) -> Any:
        raw = run(frame)
        value = raw.get(name) if type(raw) is dict else None
        if value is None:
            raise no_such_key(spelling)
        return value

    return read


def has_field(run: Run, name: str) -> Run:
    """Whether an object that some other code gives has a field."""

    def has(frame: Frame) -> bool:
        raw = run(frame)
        return type(raw) is dict and raw.get(name) is not None

    return has
