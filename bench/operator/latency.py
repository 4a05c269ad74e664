"""How long after the server has told of a change the reconciler is called, nothing else going on.

The operator runs in a process of its own and says when its reconciler is called; the driver's bare watch says when the
news comes to whoever only listens. Both clocks are the machine's one monotonic clock.
"""

import asyncio
import json
import statistics
import sys
import time
from collections.abc import AsyncGenerator
from pathlib import Path

import kubewright as kw
from bench.operator.kind import WEBSERVERS, WebServer
from kubewright.client import Client
from kubewright.client.watch import Frames
from kubewright.http import Response

__all__ = ["app", "latencies"]

_CHANGES = 200


@kw.controller(WebServer, name="at-once")
async def at_once(web: WebServer, ctx: kw.Context) -> None:
    """Say when it is called."""
    print("called", time.monotonic(), flush=True)


app = kw.Operator("latency", [at_once])


async def latencies(client: Client, kubeconfig: Path, name: str) -> tuple[float, float]:
    """Seconds from a change until a bare watch has it, and until the reconciler is called: the medians.

    `name` is the only WebServer there is.
    """
    command = [sys.executable, "-m", "kubewright", "run", "bench.operator.latency:app"]
    process = await asyncio.create_subprocess_exec(
        *command, f"--kubeconfig={kubeconfig}", "--log-level=error", stdout=asyncio.subprocess.PIPE
    )
    assert process.stdout is not None
    heard: list[float] = []
    called: list[float] = []
    try:
        await _called(process.stdout)
        async with await client.open("GET", WEBSERVERS, {"watch": True}) as response:
            told = _told(response)
            await anext(told)  # what is there
            for change in range(_CHANGES):
                began = time.monotonic()
                news = asyncio.ensure_future(anext(told))
                await client.patch(f"{WEBSERVERS}/{name}", "merge", {"spec": {"replicas": 2 + change % 2}})
                heard.append(await news - began)
                called.append(await _called(process.stdout) - began)
                await asyncio.sleep(0.01)
    finally:
        process.terminate()
        await process.wait()
    return statistics.median(heard), statistics.median(called)


async def _told(response: Response) -> AsyncGenerator[float, None]:
    """When each generation was first told of; its status is told of too."""
    frames, last = Frames(), 0
    async for piece in response:
        now = time.monotonic()
        for line in frames.feed(piece):
            generation = json.loads(line)["object"]["metadata"]["generation"]
            if generation != last:
                last = generation
                yield now


async def _called(said: asyncio.StreamReader) -> float:
    """When the reconciler was called next."""
    while line := (await said.readline()).split():
        if line[0] == b"called":
            return float(line[1])
    raise SystemExit("the operator has ended")
