"""How many instructions an object costs: a count, which is the same whatever else the machine does.

An operator runs under valgrind's callgrind beside the embedded server; what it executes is counted while objects are
created, and while they are changed. What the kernel does for it is not, nor how long an instruction takes: code that
does many different things takes longer over each. Go's programs do not run under valgrind.
"""

import asyncio
import shutil
import subprocess
import tempfile
from pathlib import Path

import uvloop

from bench.operator.drive import Driver, driving
from bench.operator.peers import COMMANDS
from bench.server.peers import installed
from kubewright.client import Client, load_kubeconfig
from kubewright.cluster import Cluster

__all__ = ["instructions"]

_OBJECTS = 100
_WARM = 70  # more than are worked on at once: each of those has a connection, which is greeted once
#: Until an operator that is fifty times slower than usual has had its last thought.
_REST = 4.0


def instructions(name: str) -> dict[str, float] | None:
    """For each phase, those for one object; None where there is no valgrind."""
    if shutil.which("valgrind") is None:
        return None
    with tempfile.TemporaryDirectory(prefix="kubewright-bench-") as folder:
        return uvloop.run(_count(name, Path(folder)))


async def _count(name: str, folder: Path) -> dict[str, float]:
    kubeconfig = folder / "kubeconfig"
    async with (
        Cluster(kubeconfig=kubeconfig, controllers="none"),
        Client.connect(load_kubeconfig(kubeconfig)) as client,
        driving(client) as driver,
    ):
        valgrind = ["valgrind", "--tool=callgrind", "--instr-atstart=no", f"--callgrind-out-file={folder}/out"]
        environment = installed() | {"KUBECONFIG": str(kubeconfig)}
        process = await asyncio.create_subprocess_exec(
            *valgrind,
            *COMMANDS[name](kubeconfig),
            env=environment,
            cwd=Path(__file__).parents[2],
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        try:
            await _work(driver, [f"warm-{number}" for number in range(_WARM)], 1)
            await _work(driver, [f"warm-{number}" for number in range(_WARM)], 2)
            await _control(process.pid, "--instr=on")
            names = [f"web-{number}" for number in range(_OBJECTS)]
            found: dict[str, float] = {}
            for generation, phase in ((1, "create"), (2, "update")):
                await _work(driver, names, generation)
                found[phase] = await _dump(process.pid, folder) / len(names)
            return found
        finally:
            process.terminate()
            await process.wait()


async def _work(driver: Driver, names: list[str], generation: int) -> None:
    """Create the objects, or change them, and wait until nothing is left to do."""
    await (driver.create(names) if generation == 1 else driver.update(names, replicas=2))
    await driver.converged(names, generation)
    await asyncio.sleep(_REST)


async def _dump(pid: int, folder: Path) -> float:
    """How many since the last time."""
    await _control(pid, "--dump")
    return _read(folder)


def _read(folder: Path) -> float:
    newest = max(folder.glob("out.*"), key=lambda file: file.stat().st_mtime)
    totals = next(line for line in newest.read_text().splitlines() if line.startswith(("totals:", "summary:")))
    return float(totals.split()[1])


async def _control(pid: int, word: str) -> None:
    done = await asyncio.create_subprocess_exec(
        "callgrind_control", word, str(pid), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )
    if await done.wait():
        raise SystemExit(f"callgrind_control {word} failed")
