"""A cluster that is killed has kept every write that it answered."""

import asyncio
import itertools
import os
import re
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from kubewright.client import Access, ApiError, Client, HttpTransport
from kubewright.http import HttpError

pytestmark = pytest.mark.deep

WRITES = 1000
MAPS = "/api/v1/namespaces/default/configmaps"


def start(directory: Path) -> tuple[subprocess.Popen[str], str]:
    command = [sys.executable, "-m", "kubewright", "cluster", "up", f"--data={directory / 'data'}", "--plain-port=0"]
    environment = {**os.environ, "KUBEWRIGHT_HOME": str(directory)}
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, env=environment)
    assert process.stdout is not None
    for line in process.stdout:
        if found := re.search(r"without TLS: (\S+)", line):
            return process, found[1]
    raise AssertionError("the cluster did not start")


async def write(server: str, process: subprocess.Popen[str], numbers: Iterator[int], kept: dict[str, str]) -> None:
    """Write as fast as it goes, some at once, and kill the server while at it."""
    enough = asyncio.Event()
    target = len(kept) + 97

    async def one(client: Client) -> None:
        while True:
            name = f"c{next(numbers)}"
            made = await client.create(MAPS, {"metadata": {"name": name}, "data": {"k": name}})
            kept[name] = made["metadata"]["resourceVersion"]
            if len(kept) >= target:
                enough.set()

    async with Client(HttpTransport(Access(server=server))) as client:
        writers = [asyncio.create_task(one(client)) for _ in range(8)]
        await enough.wait()
        process.send_signal(signal.SIGKILL)
        for result in await asyncio.gather(*writers, return_exceptions=True):
            assert isinstance(result, HttpError | ApiError | OSError), result


async def read(server: str) -> dict[str, str]:
    async with Client(HttpTransport(Access(server=server))) as client:
        items = (await client.get(MAPS))["items"]
    return {item["metadata"]["name"]: item["metadata"]["resourceVersion"] for item in items}


def test_a_thousand_writes_and_a_kill_every_hundred_lose_none(tmp_path: Path) -> None:
    numbers, kept = itertools.count(), dict[str, str]()
    process, server = start(tmp_path)
    try:
        while len(kept) < WRITES:
            asyncio.run(write(server, process, numbers, kept))
            process.communicate()
            process, server = start(tmp_path)
            found = asyncio.run(read(server))
            assert kept.items() <= found.items()
    finally:
        process.kill()
        process.communicate()
