"""A Deployment as its controller sees it, and its status, which it rewrites as a whole."""

from copy import copy
from typing import Any, Final, Literal

import msgspec

from kubewright.cluster.controllers.views import NOTHING, Meta, Parts

__all__ = ["Condition", "Deployment", "Status", "Strategy", "read_deployment"]

#: Larger than any deadline or limit: there is none.
_ENDLESS: Final = 2**31 - 1


class Condition(msgspec.Struct, rename="camel", omit_defaults=True):
    """A condition; times stay as they are written, and who wrote none has none."""

    type: str
    status: str
    last_update_time: str | None = None
    last_transition_time: str | None = None
    reason: str = ""
    message: str = ""


class Status(msgspec.Struct, rename="camel", omit_defaults=True):
    """The status, as it is read and written: what is 0 is left out."""

    observed_generation: int = 0
    replicas: int = 0
    updated_replicas: int = 0
    ready_replicas: int = 0
    available_replicas: int = 0
    unavailable_replicas: int = 0
    terminating_replicas: int | None = None
    conditions: list[Condition] = []
    collision_count: int | None = None

    def condition(self, kind: str) -> Condition | None:
        """A condition by its type."""
        return next((each for each in self.conditions if each.type == kind), None)

    def set(self, new: Condition) -> None:
        """Have a condition; one with the same status and reason stays as it is."""
        old = self.condition(new.type)
        if old is not None and old.status == new.status:
            if old.reason == new.reason:
                return
            new = copy(new)
            new.last_transition_time = old.last_transition_time
        self.drop(new.type)
        self.conditions.append(new)

    def drop(self, kind: str) -> None:
        """Have no such condition."""
        self.conditions = [each for each in self.conditions if each.type != kind]


class Rolling(msgspec.Struct, rename="camel"):
    """How far a rolling update may go."""

    max_surge: int | str = 0
    max_unavailable: int | str = 0


class Strategy(msgspec.Struct, rename="camel"):
    """How pods are replaced."""

    type: Literal["RollingUpdate", "Recreate"] = "RollingUpdate"
    rolling_update: Rolling = msgspec.field(default_factory=Rolling)


class _Template(msgspec.Struct):
    metadata: msgspec.Raw = NOTHING
    spec: msgspec.Raw = NOTHING


class _Spec(msgspec.Struct, rename="camel"):
    replicas: int = 1
    min_ready_seconds: int = 0
    paused: bool = False
    progress_deadline_seconds: int | None = None
    revision_history_limit: int | None = None
    selector: msgspec.Raw = NOTHING
    strategy: Strategy = msgspec.field(default_factory=Strategy)
    template: _Template = msgspec.field(default_factory=_Template)


class Deployment(msgspec.Struct):
    """A Deployment: what it wants, what its status says, and the parts that it was read from."""

    metadata: Meta
    spec: _Spec
    status: Status
    parts: Parts

    @property
    def deadline(self) -> int | None:
        """So many seconds it may be without progress."""
        seconds = self.spec.progress_deadline_seconds
        return None if seconds == _ENDLESS else seconds

    @property
    def history(self) -> int | None:
        """So many old ReplicaSets are kept."""
        limit = self.spec.revision_history_limit
        return None if limit == _ENDLESS else limit

    def template(self) -> dict[str, Any]:
        """The template as a document."""
        parts = self.spec.template
        return {"metadata": msgspec.json.decode(parts.metadata), "spec": msgspec.json.decode(parts.spec)}


_meta = msgspec.json.Decoder(Meta).decode
_spec = msgspec.json.Decoder(_Spec).decode
_status = msgspec.json.Decoder(Status).decode


def read_deployment(parts: Parts) -> Deployment:
    """A Deployment in view of its parts."""
    return Deployment(_meta(parts.metadata), _spec(parts.spec), _status(parts.status), parts)
