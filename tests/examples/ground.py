"""An example's operator at work on a cluster, embedded or real, and kubectl beside it."""

import asyncio
import json
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import kubewright as kw
from kubewright import clock
from kubewright.cli.apps import own_kinds
from kubewright.cli.install import install_crds
from kubewright.client import Api
from kubewright.schema.crd import crds_of
from kubewright.testing.sandbox import Sandbox, wait_for

__all__ = ["EXAMPLES", "Ground", "at_work"]

EXAMPLES = Path(__file__).parents[2] / "examples"
#: A real garbage collector looks for new kinds twice a minute; what had an owner of such a kind goes after that.
_PATIENCE = 90.0


class Ground:
    """What a user of the operator has: kubectl, and eyes."""

    def __init__(self, cluster: Sandbox) -> None:
        self.cluster = cluster
        self.namespace = cluster.namespace

    def kubectl(self, *words: str, text: str | None = None) -> str:
        """What kubectl prints; it succeeds."""
        done = self.cluster.kubectl(*words, input=text)
        assert done.returncode == 0, done.stderr
        return done.stdout

    def refused(self, *words: str, text: str | None = None) -> str:
        """What kubectl says of what it may not do."""
        done = self.cluster.kubectl(*words, input=text)
        assert done.returncode != 0, done.stdout
        return done.stderr

    def get(self, *words: str) -> Any:
        """An object, or None if there is none."""
        found = self.kubectl("get", *words, "-o", "json", "--ignore-not-found")
        return json.loads(found) if found else None

    def until(self, look: Callable[[], Any]) -> Any:
        """What there is to see, once there is."""
        deadline = clock.monotonic() + _PATIENCE
        while not (found := look()):
            assert clock.monotonic() < deadline, f"not seen within {_PATIENCE:g} s"
            threading.Event().wait(0.1)
        return found

    def observed(self, kind: str, name: str) -> Any:
        """An object whose status speaks of its spec as it is."""

        def look() -> Any:
            found = self.get(kind, name)
            seen = found.get("status", {}).get("observedGeneration") == found["metadata"]["generation"]
            return found if seen else None

        return self.until(look)


@contextmanager
def at_work(app: kw.Operator, cluster: Sandbox) -> Iterator[Ground]:
    """The operator runs on the cluster until the end of the block, in a thread of its own: kubectl blocks ours."""

    async def install() -> None:
        async with cluster.client() as client:
            await install_crds(Api(client), crds_of(own_kinds(app)))

    wait_for(install())
    over, failures = threading.Event(), list[BaseException]()

    async def work() -> None:
        async with cluster.client() as client, app.running(client):
            await asyncio.to_thread(over.wait)

    def run() -> None:
        try:
            asyncio.run(work())
        except BaseException as error:  # noqa: BLE001 - raised again where the test can see it
            failures.append(error)

    thread = threading.Thread(target=run, name=app.name)
    thread.start()
    try:
        yield Ground(cluster)
    finally:
        over.set()
        thread.join()
    if failures:
        raise failures[0]
