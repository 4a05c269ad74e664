"""Leader election among real processes on a real connection: killed, stopped, and told to end."""

import asyncio
import contextlib
import signal
import sys
from collections.abc import AsyncIterator
from pathlib import Path

import msgspec
from tests.integration.candidate import DURATIONS

from kubewright.testing.sandbox import Sandbox

#: From a kill to the next leader; and as much again for a machine that has other things to do.
BOUND = 2 * (DURATIONS.lease + 2.2 * DURATIONS.retry)


class Candidate:
    """A process that stands for election."""

    def __init__(self, name: str, process: asyncio.subprocess.Process) -> None:
        self.name, self.process = name, process

    async def says(self, word: str, within: float = 30.0) -> None:
        assert self.process.stdout is not None
        async with asyncio.timeout(within):
            while (line := (await self.process.stdout.readline()).decode().strip()) != word:
                assert line, f"{self.name} ended before it was {word}"


@contextlib.asynccontextmanager
async def candidate(cluster: Sandbox, name: str) -> AsyncIterator[Candidate]:
    script = str(Path(__file__).with_name("candidate.py"))
    process = await asyncio.create_subprocess_exec(
        sys.executable, script, str(cluster.kubeconfig), name, stdout=asyncio.subprocess.PIPE
    )
    try:
        yield Candidate(name, process)
    finally:
        with contextlib.suppress(ProcessLookupError):
            process.kill()
        await process.wait()


async def writes(cluster: Sandbox) -> list[str]:
    """Who made the ConfigMaps, in the order in which the server took them."""
    async with cluster.client() as client:
        path = f"/api/v1/namespaces/{cluster.namespace}/configmaps"
        made = (await client.get(path, labelSelector="by"))["items"]
    made.sort(key=lambda item: int(item["metadata"]["resourceVersion"]))
    return [item["metadata"]["labels"]["by"] for item in made]


def test_a_leader_killed_by_signal_nine_is_followed_within_the_bound(cluster: Sandbox) -> None:
    async def story() -> None:
        async with candidate(cluster, "first") as first:
            await first.says("leading")
            async with candidate(cluster, "second") as second:
                await first_writes(cluster, "first")
                first.process.kill()
                await second.says("leading", BOUND)
                await first_writes(cluster, "second")
        async with cluster.client() as client:
            lease = await client.get(f"/apis/coordination.k8s.io/v1/namespaces/{cluster.namespace}/leases/op")
        assert lease["spec"]["holderIdentity"].startswith("second_")
        assert lease["spec"]["leaseTransitions"] == 1

    asyncio.run(story())


def test_a_leader_stopped_and_continued_after_another_took_over_sends_nothing(cluster: Sandbox) -> None:
    async def story() -> None:
        async with candidate(cluster, "first") as first:
            await first.says("leading")
            await first_writes(cluster, "first")
            async with candidate(cluster, "second") as second:
                first.process.send_signal(signal.SIGSTOP)
                # It waits a whole lease since it first saw it: it has just started.
                await second.says("leading", BOUND)
                await first_writes(cluster, "second")
                first.process.send_signal(signal.SIGCONT)
                await first.says("lost")
        order = await writes(cluster)
        assert order == sorted(order), "a write of the first leader came after one of the second"

    asyncio.run(story())


def test_a_lease_deleted_by_hand_does_not_change_the_leader(cluster: Sandbox) -> None:
    async def story() -> None:
        path = f"/apis/coordination.k8s.io/v1/namespaces/{cluster.namespace}/leases/op"
        async with candidate(cluster, "first") as first, cluster.client() as client:
            await first.says("leading")
            old = await client.get(path)
            async with asyncio.timeout(30), client.watch(path.removesuffix("/op")) as watch:
                await client.delete(path)
                async for event in watch:
                    made = msgspec.json.decode(event.object)
                    if event.type == "ADDED" and made["metadata"]["uid"] != old["metadata"]["uid"]:
                        break
        for field in ("holderIdentity", "acquireTime", "leaseTransitions"):
            assert made["spec"][field] == old["spec"][field]

    asyncio.run(story())


async def first_writes(cluster: Sandbox, name: str) -> None:
    """Wait for a write of that candidate."""
    async with asyncio.timeout(30), cluster.client() as client:
        path = f"/api/v1/namespaces/{cluster.namespace}/configmaps"
        async with client.watch(path, labelSelector=f"by={name}") as watch:
            async for event in watch:
                assert event.type == "ADDED"
                return
