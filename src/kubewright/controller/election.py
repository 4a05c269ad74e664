"""Leader election by Lease (signatures; see `candidacy` for the rules)."""

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from typing import Any, Protocol

from kubewright.client import Client
from kubewright.controller.fence import Fence
from kubewright.entropy import SYSTEM, Entropy
from kubewright.errors import KubewrightError

__all__ = ["Durations", "Election", "LeadershipLost", "Observer"]


class LeadershipLost(KubewrightError):
    """The lease is another's, or could not be renewed in time; the led work was cancelled."""


@dataclass(frozen=True)
class Durations:
    """Seconds: lease > renew > 1.2 · retry; `lease` is a whole number."""

    lease: int = 15
    renew: float = 10.0
    retry: float = 2.0


class Observer(Protocol):
    """What an election tells."""

    def event(self, lease: Mapping[str, Any], message: str) -> None:
        """`… became leader`, `… stopped leading`: an Event with reason LeaderElection about that Lease."""

    def leading(self, yes: bool) -> None:
        """Whether this process leads: `leader_election_master_status`."""

    def slow_path(self) -> None:
        """A renewal needed a read first: `leader_election_slowpath_total`."""

    def new_leader(self, holder: str) -> None:
        """Another identity holds the lease; empty: none does."""


class Election:
    """A candidate for one Lease."""

    #: The gate for every write of led work: `client.but(gate=election.fence)`, `api.gated(election.fence)`.
    fence: Fence

    def __init__(
        self,
        client: Client,
        name: str,
        namespace: str,
        identity: str,
        durations: Durations | None = None,
        *,
        delivered: Callable[[], Mapping[str, int]] = dict,
        observer: Observer | None = None,
        entropy: Entropy = SYSTEM,
    ) -> None:
        raise NotImplementedError

    @property
    def holder(self) -> str:
        """Who holds the lease, as last seen; empty: nobody."""
        raise NotImplementedError

    @property
    def watermarks(self) -> Mapping[str, int]:
        """By kind, the highest resourceVersion that any leader is known to have seen: refuse an older view."""
        raise NotImplementedError

    def reset_watermark(self, kind: str) -> None:
        """Forget a mark that a consistent list disproved: the server was restored."""
        raise NotImplementedError

    async def lead(self, work: Callable[[], Awaitable[None]]) -> None:
        """Wait for the lease, run `work` while it is ours, release it; `LeadershipLost` if it was taken from us."""
        raise NotImplementedError
