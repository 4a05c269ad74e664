"""An operator as a program: it starts, works, and stops when it is told to."""

import asyncio
import contextlib
import gc
import signal
import sys
import textwrap
import warnings
from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import pytest
from tests.operator.web import WebServer, install, make, web_server

import kubewright as kw
from kubewright.client import Client, load_kubeconfig
from kubewright.client.api import Api
from kubewright.cluster import Cluster
from kubewright.controller.declaration import WiringError
from kubewright.errors import KubewrightError
from kubewright.operator.entry import run_operator

PROGRAM = textwrap.dedent(
    """
    import kubewright as kw
    from tests.operator.web import web_server

    app = kw.Operator("web-operator", [web_server], health_address="127.0.0.1:0")
    """
)


SHOP = "/apis/web.example.com/v1/namespaces/default/webservers/shop"


@contextlib.asynccontextmanager
async def started(folder: Path, program: str) -> AsyncIterator[tuple[asyncio.subprocess.Process, Client]]:
    """A program that `kubewright run` runs on a cluster with one object."""
    (folder / "app.py").write_text(program, encoding="utf-8")
    root = Path(__file__).parents[2]
    async with (
        Cluster(controllers="none") as cluster,
        Client.connect(load_kubeconfig(cluster.kubeconfig)) as client,
    ):
        await install(client)
        await make(client, "shop")
        process = await asyncio.create_subprocess_exec(
            *(sys.executable, "-m", "kubewright", "run", str(folder / "app.py") + ":app"),
            f"--kubeconfig={cluster.kubeconfig}",
            cwd=root,
            env={"PYTHONPATH": f"{root / 'src'}:{root}"},
            stderr=asyncio.subprocess.PIPE,
        )
        try:
            yield process, client
        finally:
            if process.returncode is None:
                process.kill()


@contextlib.asynccontextmanager
async def connected() -> AsyncIterator[Api]:
    """A server with one object, in this process."""
    async with Cluster(port=None, controllers="none") as cluster:
        client = cluster.client()
        await install(client)
        await make(client, "shop")
        yield Api(client)


@pytest.fixture(autouse=True)
def collector() -> Iterator[None]:
    """A program's collector is tuned; this one's is the tests'."""
    thresholds = gc.get_threshold()
    yield
    gc.unfreeze()
    gc.set_threshold(*thresholds)


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_it_works_until_a_signal_comes(tmp_path: Path, number: signal.Signals) -> None:
    async def story() -> tuple[int, str]:
        async with started(tmp_path, PROGRAM) as (process, client):
            async with asyncio.timeout(30):
                while "status" not in await client.get(SHOP):  # noqa: ASYNC110 - the server tells nobody
                    await asyncio.sleep(0.05)
                process.send_signal(number)
                _, told = await process.communicate()
            assert process.returncode is not None
            return process.returncode, told.decode()

    code, told = asyncio.run(story())
    assert code == 0, told
    assert f"{number.name}: stopping" in told
    assert "Traceback" not in told


HANGING = textwrap.dedent(
    """
    import time
    import kubewright as kw
    from tests.operator.web import WebServer

    @kw.controller(WebServer)
    def web_server(web: WebServer, ctx: kw.SyncContext) -> None:
        ctx.wait(ctx.live.patch(WebServer, web.metadata.name, {"metadata": {"labels": {"hangs": "yes"}}}))
        time.sleep(3600)

    app = kw.Operator("web-operator", [web_server])
    """
)


def test_a_second_signal_ends_it_even_if_a_thread_hangs(tmp_path: Path) -> None:
    async def story() -> int | None:
        async with started(tmp_path, HANGING) as (process, client):
            assert process.stderr is not None
            async with asyncio.timeout(30):
                while "labels" not in (await client.get(SHOP))["metadata"]:  # noqa: ASYNC110 - as above
                    await asyncio.sleep(0.05)
                process.send_signal(signal.SIGTERM)
                await process.stderr.readline()
                process.send_signal(signal.SIGTERM)
                return await process.wait()

    assert asyncio.run(story()) == 130


DEAF = textwrap.dedent(
    """
    import asyncio
    import kubewright as kw
    from tests.operator.web import WebServer

    @kw.controller(WebServer)
    async def web_server(web: WebServer, ctx: kw.Context) -> None:
        await ctx.live.patch(WebServer, web.metadata.name, {"metadata": {"labels": {"hangs": "yes"}}})
        while True:
            try:
                await asyncio.sleep(3600)
            except asyncio.CancelledError:
                pass

    app = kw.Operator("web-operator", [web_server])
    """
)


def test_a_third_signal_ends_it_whatever_it_does(tmp_path: Path) -> None:
    async def story() -> int | None:
        async with started(tmp_path, DEAF) as (process, client):
            assert process.stderr is not None
            async with asyncio.timeout(30):
                while "labels" not in (await client.get(SHOP))["metadata"]:  # noqa: ASYNC110 - as above
                    await asyncio.sleep(0.05)
                for said in (b"SIGTERM: stopping; ", b"SIGTERM: stopping at once"):
                    process.send_signal(signal.SIGTERM)
                    while said not in await process.stderr.readline():
                        pass
                process.send_signal(signal.SIGTERM)
                return await process.wait()

    assert asyncio.run(story()) == -signal.SIGTERM


BLOCKED = textwrap.dedent(
    """
    import time
    import kubewright as kw
    from tests.operator.web import WebServer

    @kw.controller(WebServer)
    async def web_server(web: WebServer, ctx: kw.Context) -> None:
        await ctx.live.patch(WebServer, web.metadata.name, {"metadata": {"labels": {"hangs": "yes"}}})
        time.sleep(3600)

    app = kw.Operator("web-operator", [web_server])
    """
)


def test_a_third_signal_ends_it_though_its_loop_is_blocked(tmp_path: Path) -> None:
    async def story() -> int | None:
        async with started(tmp_path, BLOCKED) as (process, client), asyncio.timeout(30):
            while "labels" not in (await client.get(SHOP))["metadata"]:  # noqa: ASYNC110 - as above
                await asyncio.sleep(0.05)
            while process.returncode is None:  # two that come at once are one
                process.send_signal(signal.SIGTERM)
                with contextlib.suppress(TimeoutError):
                    await asyncio.wait_for(process.wait(), 0.1)
            return process.returncode

    assert asyncio.run(story()) == -signal.SIGTERM


def test_what_does_not_heed_its_cancellation_keeps_no_program_from_ending(caplog: pytest.LogCaptureFixture) -> None:
    deaf = True

    async def goes_on() -> None:
        while deaf:
            with contextlib.suppress(asyncio.CancelledError, GeneratorExit):
                await asyncio.sleep(3600)

    @contextlib.asynccontextmanager
    async def connect() -> AsyncIterator[Api]:
        tasks.append(asyncio.create_task(goes_on(), name="the deaf one"))
        await asyncio.sleep(0)
        raise KubewrightError("nobody is there")
        yield

    tasks: list[asyncio.Task[None]] = []
    with pytest.raises(KubewrightError, match="nobody is there"):
        run_operator(kw.Operator("web-operator", [web_server]), connect)
    assert "goes on, and is left behind: the deaf one" in caplog.text
    deaf = False
    loop = tasks[0].get_loop()
    tasks[0].cancel()
    loop.run_until_complete(tasks[0])
    loop.close()


def test_a_second_signal_right_after_the_first_leaves_no_grace(caplog: pytest.LogCaptureFixture) -> None:
    """Both come before anything has begun to stop."""

    @kw.controller(WebServer, status=False)
    async def slow(web: WebServer, ctx: kw.Context) -> None:
        signal.raise_signal(signal.SIGTERM)
        signal.raise_signal(signal.SIGINT)
        await asyncio.sleep(3600)

    with pytest.raises(KeyboardInterrupt):
        run_operator(kw.Operator("web-operator", [slow], grace=5), connected)
    assert "did not end within 0 s" in caplog.text


def test_a_signal_after_everything_has_ended_is_no_surprise(caplog: pytest.LogCaptureFixture) -> None:
    """The loop still closes then, and Python's own handler would raise in the midst of that."""

    @contextlib.asynccontextmanager
    async def connect() -> AsyncIterator[Api]:
        async with connected() as api:
            yield api
        asyncio.get_running_loop().call_soon(late)

    def late() -> None:
        asyncio.get_running_loop().call_soon(signal.raise_signal, signal.SIGINT)

    caplog.set_level("INFO")
    run_operator(kw.Operator("web-operator", [web_server]), connect, lambda: signal.raise_signal(signal.SIGTERM))
    assert "SIGTERM: stopping" in caplog.text


def test_an_interrupt_that_a_reconciler_raises_ends_it_as_one() -> None:
    @kw.controller(WebServer, status=False)
    async def interrupts(web: WebServer, ctx: kw.Context) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        run_operator(kw.Operator("web-operator", [interrupts]), connected)


def test_a_signal_before_it_has_begun_leaves_nothing_behind(monkeypatch: pytest.MonkeyPatch) -> None:
    begun = asyncio.Event()

    def interrupted(runner: object, coming: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("asyncio.Runner.run", interrupted)
    with warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("always")
        with pytest.raises(KeyboardInterrupt):
            run_operator(kw.Operator("web-operator", [web_server]), begun=begun.set)
        gc.collect()
    assert (told, begun.is_set()) == ([], False)


def test_within_a_loop_it_says_what_to_do_instead() -> None:
    async def story() -> None:
        run_operator(kw.Operator("web-operator", [web_server]))

    with pytest.raises(WiringError, match="running"):
        asyncio.run(story())
