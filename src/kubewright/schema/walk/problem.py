"""What the schema check finds, before it is a field error.

The server's check collects problems under their text and drops a second one with the same text; it also remembers how
many checks passed, to choose which alternative of an `anyOf` came nearest. Only at the end do problems become field
errors, below the path of the whole (nothing, or `status` for the status subresource).
"""

from dataclasses import dataclass, field
from typing import NamedTuple

from kubewright.schema.walk import errors
from kubewright.schema.walk.errors import FieldError
from kubewright.schema.walk.golang import marshal, quote, sprint

__all__ = [
    "Outcome",
    "Problem",
    "composite",
    "invalid",
    "missing",
    "mistyped",
    "too_long",
    "too_many",
    "unsupported",
]


class Problem(NamedTuple):
    """One finding: its text in the check's own words, and the field error that will be told, at `path`.

    A path of None is the object as a whole: problems of `anyOf` and its kin name their place only in the text.
    """

    text: str
    path: str | None
    error: FieldError

    def at(self, base: str) -> FieldError:
        """The field error, below `base`."""
        # Required and additional properties of the root are named with a leading dot.
        path = (self.path or "").removeprefix(".")
        place = f"{base}.{path}" if base and path else base or path or "<nil>"
        return FieldError(self.error.reason, place, self.error.message)


def composite(text: str) -> Problem:
    """A finding about several checks taken together."""
    return Problem(text, None, errors.invalid("", "", text))


def invalid(path: str, value: object, text: str) -> Problem:
    """A value that breaks a bound or a pattern."""
    return Problem(text, path, errors.invalid("", value, text))


def mistyped(path: str, wanted: str, got: str) -> Problem:
    """A value of the wrong type, or a string of the wrong format."""
    text = f"{path} in body must be of type {wanted}: {quote(got)}"
    return Problem(text, path, errors.type_invalid("", got, text))


def missing(path: str) -> Problem:
    """A required property that is absent."""
    return Problem(f"{path} in body is required", path, errors.required(""))


def too_long(path: str, limit: int) -> Problem:
    """A string with too many characters."""
    return Problem(f"{path} in body should be at most {limit} chars long", path, errors.too_long("", limit))


def too_many(path: str, actual: int, limit: int, what: str) -> Problem:
    """Too many items or properties."""
    return Problem(f"{path} in body should have at most {limit} {what}", path, errors.too_many("", actual, limit))


def unsupported(path: str, value: object, choices: tuple[object, ...]) -> Problem:
    """A value outside its enumeration."""
    texts = [choice if isinstance(choice, str) else marshal(choice) for choice in choices]
    text = f"{path} in body should be one of {sprint(list(choices))}"
    return Problem(text, path, errors.not_supported("", value, texts))


@dataclass(slots=True)
class Outcome:
    """What one check found, and how many of its parts passed."""

    problems: dict[str, Problem] = field(default_factory=dict)
    matches: int = 0

    def add(self, problem: Problem) -> None:
        """Take a problem, unless one with the same text is there."""
        self.problems.setdefault(problem.text, problem)

    def merge(self, other: "Outcome") -> None:
        """Take what another check found."""
        known = self.problems
        known |= {text: problem for text, problem in other.problems.items() if text not in known}
        self.matches += other.matches
