"""The table: everything is measured here, one after the other, and printed as it is found."""

import json
import statistics
import subprocess
import sys

import uvloop

from bench.operator.calls import writes
from bench.operator.drive import Driver
from bench.operator.instructions import instructions
from bench.operator.latency import latencies
from bench.operator.peers import COMMANDS
from bench.operator.phases import SINGLES, Found, measure, turns
from bench.operator.sync import fill, rates
from bench.operator.table import Table
from kubewright.client import Client, load_kubeconfig
from kubewright.testing.real import RealCluster

__all__ = ["report"]

_SYNCED = 5_000


def report(count: int) -> None:
    """Print the table."""
    table = Table(tuple(name for name in COMMANDS if name != "kubewright"))
    _inside(table)
    _count(table)
    _start(table)
    _phases(table, measure(list(COMMANDS), count), count)
    print(f"\nmissed: {', '.join(table.missed) or 'nothing'}")


def _inside(table: Table) -> None:
    command = [sys.executable, "-m", "bench.operator.inside"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        raise SystemExit(done.stderr)
    found = json.loads(done.stdout)
    table.head("A reconcile that sends nothing, CPU time")
    table.row("a reconciler that returns at once", found["dispatch"] * 1e6, "µs", "<= 60")
    table.row("two applies and a status, all unchanged", found["suppressed"] * 1e6, "µs", "<= 400")
    table.row("  the first time after a restart", found["suppressed after a restart"] * 1e6, "µs", "<= 400")


def _count(table: Table) -> None:
    found = {peer: instructions(peer) for peer in COMMANDS if peer != "controller-runtime"}
    table.head("Millions of instructions for an object, beside the embedded server")
    for phase, title in (("create", "that is created"), ("update", "that is changed")):
        counted = {peer: each[phase] / 1e6 for peer, each in found.items() if each is not None}
        if counted:
            _row(table, title, "", counted)


def _start(table: Table) -> None:
    with RealCluster.start(controllers=False) as cluster:

        async def prepare() -> tuple[float, float]:
            async with Client.connect(load_kubeconfig(cluster.kubeconfig)) as client:
                driver = Driver(client)
                await driver.define()
                await driver.create(["watched"])
                found = await latencies(client, cluster.kubeconfig, "watched")
                await driver.delete(["watched"])
                await fill(client, _SYNCED)
                return found

        heard, called = uvloop.run(prepare())
        table.head(f"A start with {_SYNCED:,} objects of a kind, by second of CPU time")
        for kind, *aims in (("webservers", ">= 3 x controller-runtime"), ("pods",)):
            _row(table, kind, "/s", rates(cluster.kubeconfig, kind, _SYNCED), *aims)
    table.head("From a change to the reconciler, nothing else going on, p50")
    table.row("until a bare watch has it", heard * 1e3, "ms")
    table.row("until the reconciler is called, beyond that", (called - heard) * 1e3, "ms", "<= 1")


def _phases(table: Table, found: dict[str, Found], count: int) -> None:
    objects = count * turns(count)
    titles = {
        "create": f"{count:,} objects created at once",
        "update": f"{count:,} objects changed at once",
        "single": f"{min(SINGLES, objects)} objects changed one after the other",
        "restart": f"A restart with {objects:,} objects and nothing changed",
        "delete": f"{count:,} objects deleted at once",
    }
    cheap = ("<= 0.6 x controller-runtime", "<= 0.25 x kopf")
    few = {"create": "== 3", "update": "<= 3", "single": "<= 3", "restart": "== 0", "delete": "== 0"}
    for phase, title in titles.items():
        done = {peer: each.phases[phase] for peer, each in found.items()}
        table.head(f"{title}; each")
        aims = cheap if phase in ("create", "update") else ()
        _row(table, "CPU time", "ms", {peer: each.cpu * 1e3 for peer, each in done.items()}, *aims)
        _row(table, "writes", "", {peer: writes(each.calls) / each.objects for peer, each in done.items()}, few[phase])
        for call in sorted({call for each in done.values() for call in each.calls}):
            asked = {peer: each.calls[call] / each.objects for peer, each in done.items()}
            _row(table, f"  {call[0]} {call[1]}", "", asked)
        _row(table, "wall clock of all", "s", {peer: each.wall for peer, each in done.items()})
        if phase == "single":
            latency = {peer: statistics.median(each.latencies) * 1e3 for peer, each in found.items()}
            _row(table, "from a change to its status seen, p50", "ms", latency)
    table.head(f"The operator's process, {objects:,} objects")
    least = "<= 1 x controller-runtime"
    _row(table, "memory after all this", "MB", {peer: each.worked for peer, each in found.items()}, least)
    _row(table, "memory after a restart", "MB", {peer: each.restarted for peer, each in found.items()}, least)
    _row(table, "CPU time of an empty start", "ms", {peer: each.start * 1e3 for peer, each in found.items()})


def _row(table: Table, name: str, unit: str, figures: dict[str, float], *aims: str) -> None:
    beside = {peer: figure for peer, figure in figures.items() if peer != "kubewright"}
    table.row(name, figures["kubewright"], unit, *aims, beside=beside)
