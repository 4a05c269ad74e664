"""`kubewright run`: an operator as a program, on a cluster that is there or on one of its own."""

import asyncio
import os
import re
import signal
import socket
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path

import pytest

from kubewright.cli.main import main
from kubewright.client import Client, load_kubeconfig
from kubewright.client.errors import NotFound
from kubewright.testing.sandbox import Sandbox

pytestmark = pytest.mark.usefixtures("kubectl")

PROGRAM = """
import kubewright as kw
from kubewright.k8s.core.v1 import ConfigMap

class Greeting(kw.Resource, group="run.example.com", version="v1"): ...

@kw.controller(Greeting, owns=[ConfigMap])
async def greeting(greeting: Greeting, ctx: kw.Context) -> None:
    await ctx.apply(ConfigMap(metadata=kw.ObjectMeta(name=greeting.metadata.name), data={"hello": "world"}))

app = kw.Operator("greeter", [greeting])
"""
HELLO = {"apiVersion": "run.example.com/v1", "kind": "Greeting", "metadata": {"name": "hello"}}
SECONDS = 30


@pytest.fixture
def program(tmp_path: Path) -> str:
    path = tmp_path / "greeter.py"
    path.write_text(PROGRAM, encoding="utf-8")
    return str(path)


@asynccontextmanager
async def started(*words: str) -> AsyncIterator[asyncio.subprocess.Process]:
    """The command, as a process of its own."""
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "kubewright", "run", *words),
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
        env={**os.environ, "KUBECONFIG": "/nowhere"},
    )
    try:
        async with asyncio.timeout(SECONDS):
            yield process
    finally:
        if process.returncode is None:
            process.kill()
            await process.wait()


async def line(process: asyncio.subprocess.Process) -> str:
    assert process.stdout is not None
    return (await process.stdout.readline()).decode().rstrip("\n")


async def ended(process: asyncio.subprocess.Process) -> tuple[int | None, str]:
    process.send_signal(signal.SIGINT)
    _, said = await process.communicate()
    return process.returncode, said.decode()


async def made(client: Client, namespace: str) -> None:
    """Wait until the greeting is there."""
    while True:
        try:
            await client.get(f"/api/v1/namespaces/{namespace}/configmaps/hello")
        except NotFound:
            await asyncio.sleep(0.02)
        else:
            return


def as_account(cluster: Sandbox, name: str, folder: Path) -> Path:
    """A kubeconfig of a service account."""
    cluster.kubectl("create", "serviceaccount", name)
    return with_token(cluster, cluster.kubectl("create", "token", name).stdout.strip(), folder)


def with_token(cluster: Sandbox, token: str, folder: Path) -> Path:
    """A kubeconfig of whoever has that token."""
    path = folder / "other-kubeconfig"
    path.write_text(cluster.kubeconfig.read_text())
    other = replace(cluster, kubeconfig=path)
    other.kubectl("config", "set-credentials", "other", f"--token={token}")
    other.kubectl("config", "set-context", "--current", "--user=other")
    return path


def test_it_brings_a_cluster_of_its_own(program: str) -> None:
    async def story() -> tuple[int | None, str, Path]:
        async with started(program, "--embedded") as process:
            assert re.fullmatch(r"context kubewright, server https://127\.0\.0\.1:\d+", await line(process))
            kubeconfig = Path((await line(process)).removeprefix("  export KUBECONFIG="))
            assert await line(process) == "greetings.run.example.com created"
            assert await line(process) == "greeter runs until Ctrl-C."
            async with Client.connect(load_kubeconfig(kubeconfig)) as client:
                await client.create("/apis/run.example.com/v1/namespaces/default/greetings", HELLO)
                await made(client, "default")
            return *await ended(process), kubeconfig

    code, said, kubeconfig = asyncio.run(story())
    assert (code, kubeconfig.exists()) == (0, False)
    assert "SIGINT: stopping" in said
    assert "Traceback" not in said


def test_it_runs_on_the_cluster_of_a_kubeconfig(cluster: Sandbox, program: str) -> None:
    async def story() -> tuple[int | None, str]:
        async with started(program, "--install-crds", f"--kubeconfig={cluster.kubeconfig}") as process:
            assert (await line(process)).endswith(f", server {cluster.server}")
            assert await line(process) == "greetings.run.example.com created"
            assert await line(process) == "greeter runs until Ctrl-C."
            async with cluster.client() as client:
                await client.create(f"/apis/run.example.com/v1/namespaces/{cluster.namespace}/greetings", HELLO)
                await made(client, cluster.namespace)
            return await ended(process)

    assert asyncio.run(story())[0] == 0


def test_it_looks_only_where_it_is_told_to(cluster: Sandbox, program: str, tmp_path: Path) -> None:
    """With an account that may read nowhere else, and is not told of what is elsewhere."""
    assert main(["install", program, f"--kubeconfig={cluster.kubeconfig}"]) == 0
    cluster.kubectl("create", "role", "r", "--verb=*", "--resource=configmaps,greetings.run.example.com")
    cluster.kubectl("create", "rolebinding", "r", "--role=r", f"--serviceaccount={cluster.namespace}:some")
    path = as_account(cluster, "some", tmp_path)

    async def story() -> None:
        async with started(program, f"--namespace={cluster.namespace}", f"--kubeconfig={path}") as process:
            await line(process)
            assert await line(process) == "greeter runs until Ctrl-C."
            async with cluster.client() as client:
                await client.create(f"/apis/run.example.com/v1/namespaces/{cluster.namespace}/greetings", HELLO)
                await made(client, cluster.namespace)

    asyncio.run(story())


def test_a_kind_that_is_not_served_is_told_and_waited_for(cluster: Sandbox, program: str) -> None:
    async def story() -> None:
        async with started(program, f"--kubeconfig={cluster.kubeconfig}") as process:
            await line(process)
            assert (await line(process)).startswith("greetings.run.example.com is not served yet: what needs it waits")
            assert await line(process) == "greeter runs until Ctrl-C."

    asyncio.run(story())


def test_an_operator_that_may_not_read_its_kinds_ends_with_a_sentence(
    cluster: Sandbox, program: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["run", program, f"--kubeconfig={as_account(cluster, 'nobody', tmp_path)}"]) == 2
    said = capsys.readouterr().err
    assert re.match(
        r"kubewright: context '.*' may not do this: (configmaps|greetings\.run\.example\.com) is forb", said
    )
    assert said.count("\n") == 1


def test_a_change_that_breaks_is_refused_and_how_it_is_forced_is_told(
    cluster: Sandbox, program: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    before = tmp_path / "before.py"
    before.write_text(PROGRAM.replace("...", "spec: dict[str, str]"), encoding="utf-8")
    assert main(["install", str(before), f"--kubeconfig={cluster.kubeconfig}"]) == 0
    assert main(["run", program, "--install-crds", f"--kubeconfig={cluster.kubeconfig}"]) == 2
    assert f"install them all the same with `kubewright install {program} --force`." in capsys.readouterr().err


def test_credentials_that_are_not_good_are_told(
    cluster: Sandbox, program: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["run", program, f"--kubeconfig={with_token(cluster, 'nonsense', tmp_path)}"]) == 2
    assert capsys.readouterr().err.endswith("(Unauthorized): renew its credentials.\n")


@pytest.mark.parametrize(
    ("option", "told"),
    [
        ("--namespace=Bad Name", "'Bad Name' is no namespace: give lower-case letters, digits and -"),
        ("--metrics-address=foo", "'foo' is no address to listen at: write ':8080'"),
        ("--health-address=:99999", "':99999' is no address to listen at: write ':8080'"),
    ],
)
def test_what_an_option_cannot_be_is_told_before_anything_is_done(
    option: str, told: str, program: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit, match="2"):
        main(["run", program, "--kubeconfig=/nowhere", option])
    assert told in capsys.readouterr().err


def test_it_does_not_say_that_it_runs_before_it_does(program: str, capsys: pytest.CaptureFixture[str]) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        assert main(["run", program, "--embedded", f"--health-address=127.0.0.1:{taken.getsockname()[1]}"]) == 2
    said = capsys.readouterr()
    assert "cannot listen at 127.0.0.1:" in said.err
    assert "runs until" not in said.out


def test_a_server_with_a_certificate_of_another_authority_is_told(
    cluster: Sandbox, program: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "other"
    path.write_text(cluster.kubeconfig.read_text())
    other = replace(cluster, kubeconfig=path)
    name = other.kubectl("config", "view", "-o", "jsonpath={.clusters[0].name}").stdout
    other.kubectl("config", "unset", f"clusters.{name}.certificate-authority-data")
    other.kubectl("config", "unset", f"clusters.{name}.certificate-authority")
    assert main(["run", program, f"--kubeconfig={path}"]) == 2
    assert capsys.readouterr().err.endswith("; get a kubeconfig with the authority of this very cluster.\n")


def test_a_cluster_of_its_own_is_no_other(program: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["run", program, "--embedded", "--context=other"]) == 2
    assert "leave out --kubeconfig and --context" in capsys.readouterr().err
