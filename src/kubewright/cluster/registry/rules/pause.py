"""Rules that look at much, and say where others may have their turn.

What is wrong with an object is yielded as it is found. A rule that goes through a long list yields `PAUSE` among that
every now and then. Who judges in steps yields there (`Pausing`); for everybody else it is left out (`found`).

Few rules take long of small objects, too: those pause with `LENGTHY`, and then only who judges in steps may go on.
"""

from collections.abc import Generator, Iterable, Iterator
from typing import Any, Final, TypeVar

from kubewright.cluster.registry.strategy import Lengthy, Strategy
from kubewright.schema.walk.errors import FieldError

__all__ = ["LENGTHY", "PAUSE", "Pausing", "found", "paused"]

Document = dict[str, Any]
T = TypeVar("T")

#: Nothing is wrong, and others may go first.
PAUSE: Final = FieldError("", "", "")
LENGTHY: Final = FieldError("", "", "")


def paused(steps: Generator[None, None, T], pause: FieldError = LENGTHY) -> Generator[FieldError, None, T]:
    """What work gives that comes in steps; if there are several, it takes long, unless the pause says otherwise."""
    while True:
        try:
            next(steps)
        except StopIteration as ended:
            result: T = ended.value
            return result
        yield pause


def found(errors: Iterable[FieldError]) -> list[FieldError]:
    """What is wrong, without pauses; `Lengthy` if that takes long."""
    wrong: list[FieldError] = []
    for error in errors:
        if error is LENGTHY:
            raise Lengthy
        if error is not PAUSE:
            wrong.append(error)
    return wrong


class Pausing(Strategy):
    """A kind whose rules pause: they are `rules`."""

    def rules(self, obj: Document, old: Document | None) -> Iterator[FieldError]:
        """What is wrong with an object that is new, or else replaces `old`; with pauses."""
        raise NotImplementedError

    def validate(self, obj: Document) -> list[FieldError]:
        return found(self.rules(obj, None))

    def validate_update(self, obj: Document, old: Document) -> list[FieldError]:
        return found(self.rules(obj, old))

    def judge_in_steps(self, obj: Document, old: Document | None) -> Generator[None, None, list[FieldError]]:
        judge = yield from self._knowing(obj, old)
        errors: list[FieldError] = []
        for error in judge.rules(obj, old):
            if error is PAUSE or error is LENGTHY:
                yield
            else:
                errors.append(error)
        return errors
