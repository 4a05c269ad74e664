"""What reading a document finds wrong with it, in the words of Go's decoder.

A reader walks the document as Go does, member by member, and hands down the *path* to where it is: a chain of pairs
(path before, step), None at the top. A step is a `Step` into a field, a key of a map, an index of a list, or `APART`.

Three things can be found:

* complaints, which only strict field validation minds: fields nobody knows, and fields that stand twice;
* a value that does not fit its type. The first of these is the error of the document, but Go reads on;
* a text that its type cannot parse, such as a time. That ends the reading at once, and is told even if something else
  did not fit before: `Undecodable` is raised on the spot.
"""

from collections.abc import Collection
from typing import Any, Final, NamedTuple

from kubewright.cluster.patches.decode import kind
from kubewright.cluster.wire.codec import Undecodable
from kubewright.cluster.wire.literal import Literal
from kubewright.schema.walk.golang import quote

__all__ = ["APART", "Findings", "Path", "Step", "refused", "spelled"]

Path = tuple[Any, Any] | None
#: A step into a value that its type gives to another decoder: Go names the struct before it, and the path through it.
APART: Final = object()
_ENOUGH: Final = 100  # complaints; Go tells no more


class Step(NamedTuple):
    """Into a field of a struct."""

    struct: str
    name: str
    within: tuple[str, ...]


class Findings:
    """What one reading found so far."""

    __slots__ = ("complaints", "duplicates", "error", "hollow")

    def __init__(self, duplicates: Collection[str] = ()) -> None:
        self.complaints: dict[str, None] = {}
        self.duplicates = frozenset(duplicates)
        self.error: str | None = None
        #: Whether the object holds lists or maps that are empty and therefore not written.
        self.hollow = False

    def unknown(self, path: Path, name: str) -> None:
        """A struct has no such field."""
        self._complain("unknown field", path, name)

    def repeated(self, path: Path, name: str) -> None:
        """A field or key is read: perhaps it stood twice."""
        if _strict_path(path, name) in self.duplicates:
            self._complain("duplicate field", path, name)

    def _complain(self, what: str, path: Path, name: str) -> None:
        if len(self.complaints) < _ENOUGH:
            self.complaints[f"{what} {quote(_strict_path(path, name))}"] = None

    def misfit(self, path: Path, value: object, go: str, *, exact: bool = False) -> None:
        """A value does not fit the Go type; if `exact`, the number itself is told."""
        if self.error is None:
            self.error = _misfit(path, value, go, exact)

    def broken(self, error: str) -> None:
        """A value of the right type cannot be read, and Go reads on."""
        if self.error is None:
            self.error = error


def refused(path: Path, value: object, go: str, *, exact: bool = False) -> Undecodable:
    """A value does not fit a Go type that is read by a decoder of its own, which ends the reading."""
    return Undecodable(_misfit(path, value, go, exact))


def _misfit(path: Path, value: object, go: str, exact: bool) -> str:
    what = f"{kind(value)} {spelled(value)}" if exact else kind(value)
    struct, names, apart = "", [], False
    for step in _steps(path):
        if step is APART:
            # With nothing before it, it is as good as the top.
            apart = bool(struct)
        elif isinstance(step, Step):
            names += [*step.within, step.name]
            struct = struct if apart else step.struct
    place = f"struct field {struct}.{'.'.join(names)}" if names else "value"
    return f"json: cannot unmarshal {what} into Go {place} of type {go}"


def _steps(path: Path) -> list[Any]:
    steps = []
    while path is not None:
        path, step = path
        steps.append(step)
    steps.reverse()
    return steps


def _strict_path(path: Path, name: str) -> str:
    text = ""
    for step in [*_steps(path), name]:
        if isinstance(step, int):
            text += f"[{step}]"
        elif step is not APART:
            member = step.name if isinstance(step, Step) else step
            text = f"{text}.{member}" if text else member
    return text


def spelled(value: object) -> str:
    """A number as it stood in the text."""
    return value.text if isinstance(value, Literal) else repr(value)
