"""Built-in controllers that are kubewright controllers, run in the cluster as one operator.

Loading them takes as long as starting everything else, so nothing of it happens before there is something for them to
do: the first object of a kind that concerns one of them wakes all. A cluster with nothing but custom resources never
pays for Deployments.
"""

import asyncio
import importlib
import logging
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from kubewright.cluster.call import Api
from kubewright.cluster.store.record import Record
from kubewright.entropy import Entropy

if TYPE_CHECKING:
    from kubewright.client import Client
    from kubewright.controller.declaration import Controller

__all__ = ["MEMBERS", "Manager", "Member"]

logger = logging.getLogger(__name__)

#: The Service of the API server itself: it selects no pods, so it is nobody's work.
_OWN: Final = "/services/default/kubernetes"


class Member(NamedTuple):
    """A controller: where it is declared, and which kinds wake it."""

    place: str
    kinds: tuple[tuple[str, str], ...]

    def load(self) -> "Controller[Any, Any]":
        """The declaration."""
        module, _, name = self.place.partition(":")
        found: Controller[Any, Any] = getattr(importlib.import_module(f"{__package__}.{module}"), name)
        return found


#: By kube-controller-manager's names.
MEMBERS: Final[dict[str, Member]] = {}


class Manager:
    """The operator in the cluster, from `start` to `stop`."""

    def __init__(self, api: Api, client: "Callable[[], Client]", names: Sequence[str], entropy: Entropy) -> None:
        self._api = api
        self._client = client
        self._members = [MEMBERS[name] for name in names]
        self._entropy = entropy
        self._ends: list[Callable[[], None]] = []
        self._task: asyncio.Task[None] | None = None

    def start(self) -> None:
        """Wait for work; what is there already is work."""
        store = self._api.store
        for group, plural in dict.fromkeys(kind for member in self._members for kind in member.kinds):
            resource = self._api.registry.find(group, "v1", plural)
            assert resource is not None
            prefix = resource.key("")
            self._ends.append(store.listen(prefix, self._note))
            for record in store.list(prefix, limit=2).records:
                self._note(record)

    async def stop(self) -> None:
        """End: what is under way is cancelled, for the cluster ends with it."""
        self._sleep()
        if self._task is not None:
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)

    def _note(self, record: Record) -> None:
        if self._task is None and record.value is not None and record.key != _OWN:
            self._sleep()
            self._task = asyncio.create_task(self._run(), name="kube-controller-manager")

    def _sleep(self) -> None:
        for end in self._ends:
            end()
        self._ends.clear()

    async def _run(self) -> None:
        # Loaded when it is wanted: see above.
        from kubewright.controller.news import COUNT
        from kubewright.operator import Operator

        operator = Operator(
            "kube-controller-manager",
            [member.load() for member in self._members],
            field_manager="kube-controller-manager",
            events=COUNT,
            grace=0.0,
            watchdog=False,
        )
        try:
            async with operator.running(self._client(), entropy=self._entropy) as running:
                await running.wait()
        except Exception:
            logger.exception("The built-in controllers have ended: Deployments and the like stay as they are.")
