"""`Status`: what a controller reports, with conditions as Kubernetes means them.

A condition is one fact about the object ("Available", "Ready"), true, false or unknown, with a reason for programs and
a message for people. `lastTransitionTime` says since when the fact holds: it moves only when `status` changes,
however often the rest is rewritten.
"""

from datetime import UTC, datetime
from typing import Annotated, Literal

from kubewright.clock import wall
from kubewright.model.fields import field
from kubewright.model.markers import ListMap, MaxLength, Minimum, MinLength, Pattern
from kubewright.model.model import Model

__all__ = ["Condition", "ConditionStatus", "Status"]

ConditionStatus = Literal["True", "False", "Unknown"]
_STATUS: dict[bool | None, ConditionStatus] = {True: "True", False: "False", None: "Unknown"}


class Condition(Model):
    """One fact about an object, as last observed."""

    type: Annotated[
        str,
        MaxLength(316),
        Pattern(r"^([a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*/)?"
                r"(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])$"),
    ]  # fmt: skip
    """Which fact, in CamelCase, or under a domain as in example.com/Ready."""
    status: ConditionStatus
    """Whether it holds."""
    observed_generation: Annotated[int | None, Minimum(0)] = None
    """The generation of the object this was found for."""
    last_transition_time: datetime
    """Since when `status` is what it is."""
    reason: Annotated[str, MinLength(1), MaxLength(1024), Pattern(r"^[A-Za-z]([A-Za-z0-9_,:]*[A-Za-z0-9_])?$")]
    """Why, as one CamelCase word for programs."""
    message: Annotated[str, MaxLength(32768)]
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
        """Say whether a fact holds; `None` is unknown. Keeps `lastTransitionTime` while `status` stays the same."""
        text = status if isinstance(status, str) else _STATUS[status]
        condition = self.condition(type)
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


def _now() -> datetime:
    return datetime.fromtimestamp(int(wall()), UTC)  # as precise as it is sent, or it would change by being sent
