"""What is wrong with a field, in the API server's words.

A `FieldError` is one cause of a 422 answer: `reason` and `message` are what `Status.details.causes` carries, and
`str(error)` is the `field: message` that the answer's own message lists. The builders below know the wording of each
reason; `invalid_status` puts the whole answer together.
"""

from collections.abc import Generator, Iterable, Sequence
from dataclasses import dataclass
from typing import Final

from kubewright.model.steps import finish
from kubewright.schema.walk.golang import quote, show

__all__ = [
    "DUPLICATE",
    "FORBIDDEN",
    "INVALID",
    "NOT_FOUND",
    "NOT_SUPPORTED",
    "REQUIRED",
    "TOO_LONG",
    "TOO_MANY",
    "TYPE_INVALID",
    "FieldError",
    "duplicate",
    "forbidden",
    "invalid",
    "invalid_status",
    "invalid_status_in_steps",
    "not_found",
    "not_supported",
    "required",
    "too_long",
    "too_many",
    "type_invalid",
]

DUPLICATE: Final = "FieldValueDuplicate"
FORBIDDEN: Final = "FieldValueForbidden"
INVALID: Final = "FieldValueInvalid"
NOT_FOUND: Final = "FieldValueNotFound"
NOT_SUPPORTED: Final = "FieldValueNotSupported"
REQUIRED: Final = "FieldValueRequired"
TOO_LONG: Final = "FieldValueTooLong"
TOO_MANY: Final = "FieldValueTooMany"
TYPE_INVALID: Final = "FieldValueTypeInvalid"

#: So many errors are told in one step.
_FEW: Final = 500


@dataclass(frozen=True, slots=True)
class FieldError:
    """One thing wrong with one field. An error of the object as a whole has the field `<nil>`, as in Kubernetes."""

    reason: str
    field: str
    message: str

    def __str__(self) -> str:
        return f"{self.field}: {self.message}"


def invalid(field: str, value: object, detail: str) -> FieldError:
    """A malformed value; `value` is shown in the message."""
    return FieldError(INVALID, field, f"Invalid value: {show(value)}: {detail}")


def type_invalid(field: str, value: object, detail: str) -> FieldError:
    """A value of the wrong type or format."""
    return FieldError(TYPE_INVALID, field, f"Invalid value: {show(value)}: {detail}")


def required(field: str, detail: str = "") -> FieldError:
    """A value that is missing."""
    return FieldError(REQUIRED, field, f"Required value: {detail}" if detail else "Required value")


def forbidden(field: str, detail: str) -> FieldError:
    """A value that may not be there."""
    return FieldError(FORBIDDEN, field, f"Forbidden: {detail}")


def duplicate(field: str, value: object) -> FieldError:
    """A second member of a set, or a second element with the same list-map keys."""
    return FieldError(DUPLICATE, field, f"Duplicate value: {show(value)}")


def not_supported(field: str, value: object, choices: Sequence[str]) -> FieldError:
    """A value outside an enumeration."""
    listed = ", ".join(map(quote, choices))
    return FieldError(NOT_SUPPORTED, field, f"Unsupported value: {show(value)}: supported values: {listed}")


def not_found(field: str, value: object, detail: str = "") -> FieldError:
    """A value that names something that is not there."""
    message = f"Not found: {show(value)}"
    return FieldError(NOT_FOUND, field, f"{message}: {detail}" if detail else message)


def too_long(field: str, limit: int) -> FieldError:
    """A string over its limit. The server counts characters and says bytes; so do we."""
    if limit < 0:
        return FieldError(TOO_LONG, field, "Too long: value is too long")
    return FieldError(TOO_LONG, field, f"Too long: may not be more than {limit} byte{'' if limit == 1 else 's'}")


def too_many(field: str, actual: int, limit: int) -> FieldError:
    """A list with too many items or an object with too many properties."""
    if limit < 0:
        return FieldError(TOO_MANY, field, f"Too many: {actual}: has too many items")
    return FieldError(TOO_MANY, field, f"Too many: {actual}: must have at most {limit} item{'' if limit == 1 else 's'}")


def invalid_status(kind: str, group: str, name: str, errors: Iterable[FieldError]) -> dict[str, object]:
    """The `Status` with which the API server refuses an object (422), `errors` being its causes in order."""
    return finish(invalid_status_in_steps(kind, group, name, list(errors)))


def invalid_status_in_steps(
    kind: str, group: str, name: str, errors: Sequence[FieldError], few: int = _FEW
) -> Generator[None, None, dict[str, object]]:
    """The same of many errors, some of them in each step."""
    known: dict[str, None] = {}
    causes: list[dict[str, str]] = []
    for start in range(0, len(errors), few):
        some = errors[start : start + few]
        known |= dict.fromkeys(map(str, some))
        causes += [{"reason": e.reason, "message": e.message, "field": e.field} for e in some]
        yield
    texts = [*known]
    message = f"{kind}.{group} {quote(name)} is invalid" if group else f"{kind} {quote(name)} is invalid"
    if texts:
        message += f": {texts[0]}" if len(texts) == 1 else f": [{', '.join(texts)}]"
    details: dict[str, object] = {"name": name, "group": group, "kind": kind}
    details["causes"] = causes
    return {
        "kind": "Status",
        "apiVersion": "v1",
        "metadata": {},
        "status": "Failure",
        "message": message,
        "reason": "Invalid",
        "details": {key: value for key, value in details.items() if value},
        "code": 422,
    }
