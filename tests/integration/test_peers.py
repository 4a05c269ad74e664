"""What was found broken in operators written with others must work here, on the embedded and on the real cluster.

| defect                                       | shown by                                              |
|----------------------------------------------|-------------------------------------------------------|
| bounded workers wait with objects that fail  | `test_bounded_workers_with_failing_objects`           |
| a gap of the watch leaves ghosts             | `test_a_410_gap_with_deletions`                       |
| a 410 makes a client hammer the server       | `test_a_410_without_end_does_not_hammer_the_server`   |
| a deleted child stays so                     | `test_a_deleted_child`                                |
| a restart writes everything again            | `test_a_restart_with_nothing_changed`                 |
| a leader that is killed is missed            | `test_a_leader_killed_with_signal_nine`               |
| a leader that stood still goes on writing    | `test_a_leader_frozen_for_twenty_seconds`             |
| a frozen connection is never found           | `test_a_frozen_connection`                            |
| a list of pages is read in part              | `test_a_paged_list_of_1200`                           |
| a list read anew while objects go            | `test_relisting_while_objects_are_deleted`            |
"""

import asyncio
import contextlib
import signal
import sys
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from dataclasses import replace
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import msgspec
import pytest
from tests.integration.ground import Ground, on
from tests.integration.relay import Relay
from tests.operator.web import WebServer, make

import kubewright as kw
from kubewright.cache import reflector
from kubewright.cache.machine import Machine, Phase
from kubewright.client import Client, HttpTransport, load_kubeconfig
from kubewright.client.errors import NotFound
from kubewright.k8s.core.v1 import ConfigMap
from kubewright.testing.sandbox import Sandbox

LEASES = "/apis/coordination.k8s.io/v1/namespaces/{}/leases/program"


async def many(count: int, one: Callable[[int], Awaitable[Any]]) -> None:
    for start in range(0, count, 50):
        await asyncio.gather(*(one(number) for number in range(start, min(start + 50, count))))


def config(name: str, **data: str) -> ConfigMap:
    return ConfigMap(metadata=kw.ObjectMeta(name=name), data=data)


def test_bounded_workers_with_failing_objects(cluster: Sandbox) -> None:
    """Two workers, forty objects that always fail and forty that are well: none waits for a worker that sleeps."""
    failures: list[str] = []

    @kw.controller(WebServer, concurrency=2)
    async def half(web: WebServer, ctx: kw.Context) -> None:
        if web.metadata.name.startswith("bad"):
            failures.append(web.metadata.name)
            raise RuntimeError("never")
        web.status.ready_replicas = 1

    async def story(ground: Ground) -> float:
        await many(40, lambda number: make(ground.client, f"bad-{number}", ground.namespace))
        async with ground.running(half) as running:
            await ground.until(lambda: _is(len(failures) >= 80))
            began = time.monotonic()
            await many(40, lambda number: make(ground.client, f"good-{number}", ground.namespace))
            for number in range(40):
                await ground.observed(f"good-{number}")
            assert running.runners["half"].queue.waiting > 0
            return time.monotonic() - began

    assert on(cluster, story) < 10
    counts = [failures.count(f"bad-{number}") for number in range(40)]
    assert max(counts) < 20  # twice as long each time, from 5 ms: 12 attempts take 20 seconds
    assert min(counts) >= 2


def test_a_410_gap_with_deletions(cluster: Sandbox) -> None:
    """While nobody watches an object and a child go, and the server forgets that it was so."""

    @kw.controller(WebServer, owns=[ConfigMap])
    async def makes(web: WebServer, ctx: kw.Context) -> None:
        await ctx.apply(config(web.metadata.name, a="1"))
        web.status.ready_replicas = 1

    async def story(ground: Ground) -> tuple[list[str], list[str]]:
        async with ground.running(makes) as running:
            for name in ("goes", "stays"):
                await make(ground.client, name, ground.namespace)
                await ground.observed(name)
            await running.idle()
            leash = ground.leash
            leash.forgotten = True
            leash.flows.clear()
            old = await ground.client.get(ground.path("configmaps", "stays"))
            await ground.client.delete(f"{ground.webs}/goes")
            await ground.client.delete(ground.path("configmaps", "stays"))
            await ground.until(lambda: _gone(ground.client, f"{ground.webs}/goes"))
            leash.cut.set()
            await asyncio.sleep(0)
            await asyncio.sleep(0)
            leash.flows.set()
            leash.cut.clear()

            async def made_anew() -> bool:
                found = await ground.client.get(ground.path("configmaps", "stays"))
                return bool(found["metadata"]["uid"] != old["metadata"]["uid"])

            await ground.until(made_anew)
            leash.forgotten = False
            informers = {each.endpoint.kind: each for each in running.informers}
            await ground.until(lambda: _is(informers["WebServer"].objects == 1))
            await running.idle()
            children = [each.key.name for each in informers["ConfigMap"].list(ground.namespace)]
            return [each.key.name for each in informers["WebServer"].list()], children

    webs, children = on(cluster, story)
    assert webs == ["stays"]
    assert "stays" in children


def test_a_410_without_end_does_not_hammer_the_server(cluster: Sandbox) -> None:
    @kw.controller(WebServer)
    async def nothing(web: WebServer, ctx: kw.Context) -> None:
        """Nothing."""

    async def story(ground: Ground) -> tuple[int, bool]:
        async with ground.running(nothing) as running:
            await running.synced()
            ground.leash.forgotten = True
            ground.leash.asked.clear()
            ground.leash.cut.set()
            await asyncio.sleep(5)
            asked = len(ground.leash.asked)
            ground.leash.forgotten = False
            ground.leash.cut.clear()
            await ground.until(lambda: _is(not running.health.problems()))
            return asked, bool(asked)

    asked, tried = on(cluster, story)
    assert tried
    assert asked < 15


def test_a_deleted_child(cluster: Sandbox) -> None:
    @kw.controller(WebServer, owns=[ConfigMap])
    async def makes(web: WebServer, ctx: kw.Context) -> None:
        await ctx.apply(config("made", a="1"))
        web.status.ready_replicas = 1

    async def story(ground: Ground) -> Any:
        path = ground.path("configmaps", "made")
        async with ground.running(makes):
            await make(ground.client, "shop", ground.namespace)
            await ground.observed()
            for _ in range(5):
                old = await ground.client.get(path)
                await ground.client.delete(path)

                async def anew(uid: str = old["metadata"]["uid"]) -> bool:
                    return bool((await ground.client.get(path))["metadata"]["uid"] != uid)

                await ground.until(anew)

    on(cluster, story)


def test_a_restart_with_nothing_changed(cluster: Sandbox) -> None:
    @kw.controller(WebServer, owns=[ConfigMap])
    async def makes(web: WebServer, ctx: kw.Context) -> None:
        await ctx.apply(config(web.metadata.name, a="1"))
        web.status.ready_replicas = 1

    @makes.finalizer
    async def clean_up(web: WebServer, ctx: kw.Context) -> None:
        """Nothing is left to do."""

    async def story(ground: Ground) -> list[str]:
        async with ground.running(makes) as running:
            await many(30, lambda number: make(ground.client, f"shop-{number}", ground.namespace))
            for number in range(30):
                await ground.observed(f"shop-{number}")
            await running.idle()
        ground.writes.clear()
        async with ground.running(makes) as running:
            await running.idle()
            await asyncio.sleep(1)
            await running.idle()
        found = list(ground.writes)
        async with ground.running(makes):  # so that they can go
            for number in range(30):
                await ground.client.delete(f"{ground.webs}/shop-{number}")
            await ground.until(lambda: _empty(ground.client, ground.webs))
        return found

    assert on(cluster, story) == []


@contextlib.asynccontextmanager
async def program(cluster: Sandbox, name: str, lease: int) -> AsyncIterator[asyncio.subprocess.Process]:
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "tests.integration.program", str(cluster.kubeconfig), name, str(lease)),
        cwd=Path(__file__).parents[2],
        stderr=asyncio.subprocess.DEVNULL,
    )
    try:
        yield process
    finally:
        with contextlib.suppress(ProcessLookupError):
            process.send_signal(signal.SIGCONT)
            process.kill()
        await process.wait()


def test_a_leader_killed_with_signal_nine(cluster: Sandbox) -> None:
    """Two operators of one name, each a process; the second stands by, and works as soon as the lease has run out."""

    async def story(ground: Ground) -> tuple[float, int]:
        await make(ground.client, "shop", ground.namespace)
        async with program(cluster, "first", 3) as first:
            await ground.until(lambda: ground.client.get(ground.path("configmaps", "shop-first")))
            async with program(cluster, "second", 3):
                await asyncio.sleep(2)
                assert await _gone(ground.client, ground.path("configmaps", "shop-second"))
                first.kill()
                await first.wait()
                died = time.monotonic()
                await ground.until(lambda: ground.client.get(ground.path("configmaps", "shop-second")))
                took = time.monotonic() - died
        lease = await ground.client.get(LEASES.format(ground.namespace))
        return took, lease["spec"]["leaseTransitions"]

    took, transitions = on(cluster, story)
    assert took < 15
    assert transitions == 1


@pytest.mark.deep
def test_a_leader_frozen_for_twenty_seconds(cluster: Sandbox) -> None:
    """Nobody else wants the lease; and yet nothing is written before it is renewed."""

    async def story(ground: Ground) -> tuple[int, int]:
        await make(ground.client, "shop", ground.namespace)
        path, leases = ground.path("configmaps", "shop-frozen"), LEASES.format(ground.namespace)
        async with program(cluster, "frozen", 15) as process:
            await ground.until(lambda: ground.client.get(path))
            process.send_signal(signal.SIGSTOP)
            await asyncio.sleep(20)
            # What was under way has arrived by now, however busy the server is.
            made, held = await ground.client.get(path), await ground.client.get(leases)
            async with (
                ground.client.watch(path.rpartition("/")[0], resourceVersion=_version(made)) as writes,
                ground.client.watch(leases.rpartition("/")[0], resourceVersion=_version(held)) as renewals,
            ):
                process.send_signal(signal.SIGCONT)
                async with asyncio.timeout(30):
                    renewal, write = await asyncio.gather(_first(renewals, "program"), _first(writes, "shop-frozen"))
            return renewal, write

    renewal, write = on(cluster, story)
    assert renewal < write


def test_a_frozen_connection(cluster: Sandbox, monkeypatch: pytest.MonkeyPatch) -> None:
    """It stays open and says nothing: what happens meanwhile is seen when the silence has lasted too long."""
    monkeypatch.setattr(reflector, "SILENCE", 3.0)
    monkeypatch.setattr(reflector, "_ARM", 0.1)
    seen: list[str] = []

    @kw.controller(WebServer, status=False)
    async def sees(web: WebServer, ctx: kw.Context) -> None:
        seen.append(web.metadata.name)

    async def story(ground: Ground) -> tuple[int, float]:
        access = load_kubeconfig(cluster.kubeconfig)
        address = urlsplit(access.server)
        assert address.hostname is not None
        assert address.port is not None
        async with Relay(address.hostname, address.port) as relay:
            name = access.server_name or address.hostname
            through = replace(access, server=f"https://127.0.0.1:{relay.port}", server_name=name)
            async with Client(HttpTransport(through)) as client:
                app = kw.Operator("web-operator", [sees])
                async with app.running(client) as running:
                    await make(ground.client, "before", ground.namespace)
                    await ground.until(lambda: _is("before" in seen))
                    await running.idle()
                    frozen = relay.freeze()
                    began = time.monotonic()
                    await make(ground.client, "meanwhile", ground.namespace)
                    await ground.until(lambda: _is("meanwhile" in seen))
                    return frozen, time.monotonic() - began

    frozen, took = on(cluster, story)
    assert frozen >= 1
    assert took < 15


def test_a_paged_list_of_1200(cluster: Sandbox) -> None:
    """Read from memory by a reconciler: every object of every page is there."""
    counts: list[int] = []

    @kw.controller(WebServer, reads=[kw.only(ConfigMap, labels="ours")])
    async def counting(web: WebServer, ctx: kw.Context) -> None:
        counts.append(len(ctx.list(ConfigMap)))

    async def story(ground: Ground) -> int:
        path = ground.path("configmaps", "")[:-1]
        await many(
            1200,
            lambda number: ground.client.create(path, {"metadata": {"name": f"c{number:04}", "labels": {"ours": ""}}}),
        )
        await make(ground.client, "shop", ground.namespace)
        async with ground.running(counting) as running:
            for informer in running.informers:
                for each in informer._reflectors.values():
                    each.machine = Machine(Phase.LISTING)
            await ground.observed()
        return sum("configmaps" in each and "limit=500" in each for each in ground.leash.asked)

    assert on(cluster, story) == 3
    assert set(counts) == {1200}


def test_relisting_while_objects_are_deleted(cluster: Sandbox) -> None:
    """The list is read anew again and again while objects go: each is told as gone once, and none comes back."""
    told: list[str] = []

    async def story(ground: Ground) -> list[str]:
        path = ground.path("configmaps", "")[:-1]

        @kw.controller(WebServer, reads=[kw.only(ConfigMap, labels="ours", namespaces=[ground.namespace])])
        async def nothing(web: WebServer, ctx: kw.Context) -> None:
            """Nothing."""

        await many(
            200,
            lambda number: ground.client.create(path, {"metadata": {"name": f"c{number:04}", "labels": {"ours": ""}}}),
        )
        async with ground.running(nothing) as running:
            await running.synced()
            informer = next(each for each in running.informers if each.endpoint.kind == "ConfigMap")
            informer.subscribe(lambda change: told.append(f"{change.kind} {change.key.name}"))
            told.clear()

            async def delete(number: int) -> None:
                if number % 20 == 0:
                    for each in informer._reflectors.values():
                        each.renew()
                if number % 2:
                    await ground.client.delete(f"{path}/c{number:04}")

            await many(200, delete)
            await ground.until(lambda: _is(informer.objects == 100))
            return sorted(each.key.name for each in informer.list())

    assert on(cluster, story) == [f"c{number:04}" for number in range(0, 200, 2)]
    assert sorted(told) == [f"deleted c{number:04}" for number in range(1, 200, 2)]


async def _is(value: Any) -> Any:
    return value


async def _gone(client: Client, path: str) -> bool:
    try:
        await client.get(path)
    except NotFound:
        return True
    return False


async def _empty(client: Client, path: str) -> bool:
    return not (await client.get(path))["items"]


def _version(document: Any) -> str:
    return str(document["metadata"]["resourceVersion"])


async def _first(watch: Any, name: str) -> int:
    """The version of the first change of an object."""
    async for event in watch:
        found = msgspec.json.decode(event.object)
        if found["metadata"]["name"] == name:
            return int(_version(found))
    raise AssertionError(f"the watch ended without a word of {name}")
