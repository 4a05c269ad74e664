"""The controller that gives roles the rules they gather; see `aggregate`."""

from typing import Final

from kubewright.cluster.controllers.aggregate import Role, gather
from kubewright.cluster.controllers.internal import Internal
from kubewright.cluster.controllers.queue import Queue
from kubewright.cluster.store import Record
from kubewright.cluster.wire.status import Failure

__all__ = ["RoleAggregator"]

_MERGE: Final = "application/merge-patch+json"


class RoleAggregator:
    """Looks at all roles whenever one changes: there are few, and who gathers whom is nowhere written."""

    def __init__(self, client: Internal) -> None:
        self._client = client
        self._store = client.api.store
        self._roles = client.resource("clusterroles", "rbac.authorization.k8s.io")
        self._queue = Queue("clusterrole-aggregation-controller", self._work)
        #: What was read of a role, and of which record.
        self._read: dict[str, tuple[Record, Role]] = {}

    def start(self) -> None:
        """Follow the store, and look once."""
        self._end = self._store.listen(self._roles.key(""), lambda _: self._queue.add("roles"))
        self._queue.add("roles")
        self._queue.start()

    async def stop(self) -> None:
        """Follow it no more."""
        self._end()
        await self._queue.stop()

    async def _work(self, _: str) -> None:
        roles = self._look()
        for role in roles:
            rules = gather(role, roles)
            if rules is None:
                continue
            try:
                await self._client.patch(self._roles, "", role.name, {"rules": rules}, _MERGE)
            except Failure as failure:
                if failure.code != 404:  # it went meanwhile
                    raise

    def _look(self) -> list[Role]:
        known, self._read = self._read, {}
        for record in self._store.list(self._roles.key("")).records:
            before = known.get(record.key)
            if before is None or before[0] is not record:
                before = record, Role.read(self._roles.view.document(record))
            self._read[record.key] = before
        return [role for _, role in self._read.values()]
