"""Work that sleeps until there is something to do.

Loading the framework takes as long as starting everything else, so nothing of it happens before it is wanted: the first
object of a kind that concerns somebody wakes him. A cluster with nothing but custom resources never pays for
Deployments.
"""

import asyncio
import logging
from collections.abc import Callable, Coroutine, Iterable
from typing import Any, Final

from kubewright.cluster.call import Api
from kubewright.cluster.store.record import Record

__all__ = ["Kind", "Sleeper"]

logger = logging.getLogger(__name__)

#: A group and a plural; and a name, if it is one object of a kind that has no namespaces.
Kind = tuple[str, str] | tuple[str, str, str]
#: The Service of the API server itself selects no pods, so it is nobody's work.
_OWN: Final = "/services/default/kubernetes"


class Sleeper:
    """Calls `work` once an object of `kinds` is there, from `start` to `stop`."""

    def __init__(
        self, name: str, api: Api, kinds: Iterable[Kind], work: Callable[[], Coroutine[Any, Any, None]]
    ) -> None:
        self._name = name
        self._api = api
        self._kinds = tuple(dict.fromkeys(kinds))
        self._work = work
        self._ends: list[Callable[[], None]] = []
        self._task: asyncio.Task[None] | None = None

    def start(self) -> None:
        """Sleep, unless there is something already."""
        store = self._api.store
        for group, plural, *name in self._kinds:
            resource = self._api.registry.find(group, "v1", plural)
            assert resource is not None
            prefix = resource.key("", *name)
            self._ends.append(store.listen(prefix, self._note))
            for record in store.list(prefix).records:
                self._note(record)

    async def stop(self) -> None:
        """End; what is under way is cancelled, for the cluster ends with it."""
        self._wake()
        if self._task is not None:
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)

    def _note(self, record: Record) -> None:
        if self._task is None and record.value is not None and record.key != _OWN:
            self._wake()
            self._task = asyncio.create_task(self._run(), name=self._name)

    def _wake(self) -> None:
        for end in self._ends:
            end()
        self._ends.clear()

    async def _run(self) -> None:
        try:
            await self._work()
        except Exception:
            logger.exception("%s has ended, which it should not: what it looks after stays as it is.", self._name)
