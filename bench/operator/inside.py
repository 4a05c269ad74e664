"""In one process, on the embedded cluster: what a reconcile costs that has nothing to send.

Run in a process of its own; it prints one line of JSON. All is CPU time of this thread. The server is in this process
too, but is asked nothing while it is measured. The collector is set as `kubewright run` sets it.
"""

import asyncio
import gc
import json
import statistics
import tempfile
import time
from pathlib import Path

import uvloop

import kubewright as kw
from bench.operator.drive import Driver
from bench.operator.kind import WebServer
from bench.operator.ours import app
from kubewright.cache import Key
from kubewright.cluster import Cluster
from kubewright.controller.runner import Runner
from kubewright.controller.workers import Workers
from kubewright.observe import Cause

__all__ = ["main"]

_OBJECTS = 500
_ROUNDS = 15


@kw.controller(WebServer)
async def at_once(web: WebServer, ctx: kw.Context) -> None:
    """Return."""


def main() -> None:
    """Print what was found."""
    print(json.dumps(uvloop.run(_measure())))


async def _measure() -> dict[str, float]:
    found: dict[str, float] = {}
    names = [f"web-{number:05}" for number in range(_OBJECTS)]
    keys = [Key("default", name) for name in names]
    with tempfile.TemporaryDirectory(prefix="kubewright-bench-") as folder:
        async with Cluster(kubeconfig=Path(folder) / "kubeconfig", controllers="none") as cluster:
            driver = Driver(cluster.client())
            await driver.define()
            await driver.create(names)
            async with kw.Operator("idle", [at_once]).running(cluster.client()) as running:
                await running.idle()
                found["dispatch"] = await _rounds(running.runners["at-once"], keys)
            async with app.running(cluster.client()) as running:
                await running.idle()
                await asyncio.sleep(1)  # until the last echo
                await running.idle()
                runner = running.runners["web-server"]
                found["suppressed"] = await _rounds(runner, keys)
                found["suppressed after a restart"] = await _rounds(runner, keys, forget=True)
    return found


async def _rounds(runner: Workers, keys: list[Key], *, forget: bool = False) -> float:
    """The median of what one reconcile takes. With `forget`, the controller remembers nothing of what it has sent."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(5_000, 10, 1_000)
    spent = []
    for _ in range(_ROUNDS):
        if forget:
            assert isinstance(runner, Runner)
            runner._world.applier._known.clear()
        before = time.thread_time()
        for key in keys:
            runner.add(key, Cause("triggered"))
        await runner.idle()
        spent.append((time.thread_time() - before) / len(keys))
    return statistics.median(spent)


if __name__ == "__main__":
    main()
