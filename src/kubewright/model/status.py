"""`Status`: what a controller reports, with conditions as Kubernetes means them.

A condition is one fact about the object ("Available", "Ready"), true, false or unknown, with a reason for programs and
a message for people. `lastTransitionTime` says since when the fact holds: it moves only when `status` changes,
however often the rest is rewritten.
"""

import re
from datetime import UTC, datetime
from typing import Annotated, Final, Literal

from kubewright.clock import wall
from kubewright.errors import KubewrightError
from kubewright.model.fields import field
from kubewright.model.markers import ListMap, MaxLength, Minimum, MinLength, Pattern
from kubewright.model.model import Model

__all__ = ["Condition", "ConditionError", "ConditionStatus", "Status"]

ConditionStatus = Literal["True", "False", "Unknown"]
_STATUS: dict[bool | None, ConditionStatus] = {True: "True", False: "False", None: "Unknown"}


#: What servers take, as CRDs say it.
_TYPE: Final = (
    r"^([a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*/)?(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])$"
)
_REASON: Final = r"^[A-Za-z]([A-Za-z0-9_,:]*[A-Za-z0-9_])?$"
_LONGEST_TYPE: Final = 316
_LONGEST_REASON: Final = 1024
_LONGEST_MESSAGE: Final = 32768
_is_type, _is_reason = re.compile(_TYPE).fullmatch, re.compile(_REASON).fullmatch


class ConditionError(KubewrightError, ValueError):
    """A condition that no server takes."""


class Condition(Model):
    """One fact about an object, as last observed."""

    type: Annotated[str, MaxLength(_LONGEST_TYPE), Pattern(_TYPE)]
    """Which fact, in CamelCase, or under a domain as in example.com/Ready."""
    status: ConditionStatus
    """Whether it holds."""
    observed_generation: Annotated[int | None, Minimum(0)] = None
    """The generation of the object this was found for."""
    last_transition_time: datetime
    """Since when `status` is what it is."""
    reason: Annotated[str, MinLength(1), MaxLength(_LONGEST_REASON), Pattern(_REASON)]
    """Why, as one CamelCase word for programs."""
    message: Annotated[str, MaxLength(_LONGEST_MESSAGE)]
    """Why, in words for people; may be empty."""


class Status(Model):
    """The status of a resource: derive from it and add your own fields."""

    conditions: Annotated[list[Condition], ListMap("type")] = field(default_factory=list)
    """The facts known about the object."""
    observed_generation: Annotated[int | None, Minimum(0)] = None
    """The generation of the spec this status speaks of."""

    def condition(self, type: str) -> Condition | None:  # noqa: A002  (Kubernetes' own word)
        """The condition of that type, if it was ever set."""
        for each in self.conditions:
            if isinstance(each, Condition) and each.type == type:
                return each
        return None

    def holds(self, type: str) -> bool:  # noqa: A002
        """Whether the condition of that type is there and true."""
        found = self.condition(type)
        return found is not None and found.status == "True"

    def set(
        self,
        type: str,  # noqa: A002
        status: bool | ConditionStatus | None,
        *,
        reason: str,
        message: str = "",
        observed_generation: int | None = None,
    ) -> Condition:
        """Say whether a fact holds; `None` is unknown. Keeps `lastTransitionTime` while `status` stays the same.

        A message that is longer than a server takes is cut.
        """
        if len(message) > _LONGEST_MESSAGE:
            message = f"{message[: _LONGEST_MESSAGE - 1]}…"
        text = status if isinstance(status, str) else _STATUS[status]
        condition = self.condition(type)
        if condition is None or getattr(condition, "reason", None) != reason:  # a condition of others may have none
            _check_words(type, reason)
        if condition is None:
            condition = Condition(type=type, status=text, last_transition_time=_now(), reason=reason, message=message)
            self.conditions.append(condition)
        else:
            if condition.status != text:
                condition.status = text
                condition.last_transition_time = _now()
            condition.reason = reason
            condition.message = message
        if observed_generation is not None:
            condition.observed_generation = observed_generation
        return condition

    def remove(self, type: str) -> None:  # noqa: A002
        """Take a condition away: the fact no longer has a meaning for this object."""
        self.conditions = [condition for condition in self.conditions if condition.type != type]


def _check_words(kind: str, reason: str) -> None:
    """Refuse what no server takes; it would say so at each attempt to write the status."""
    if not (isinstance(kind, str) and len(kind) <= _LONGEST_TYPE and _is_type(kind)):
        raise ConditionError(f"{kind!r:.60} is no type of a condition: give one word, as in 'Available'.")
    if not (isinstance(reason, str) and len(reason) <= _LONGEST_REASON and _is_reason(reason)):
        raise ConditionError(f"{reason!r:.60} is no reason of the condition {kind}: give one word, as in 'NotFound'.")


def _now() -> datetime:
    return datetime.fromtimestamp(int(wall()), UTC)  # as precise as it is sent, or it would change by being sent
