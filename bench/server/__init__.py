"""The embedded control plane beside kube-apiserver and etcd, in one run.

    python -m bench server

Each server has one core, etcd and all, the load has the other; custom resources of about a kilobyte, TLS with client
certificates (the real server: with a token); in turns, and the median counts. What is compared is what a server does in
a second of CPU time, which is a second of its core when nobody else wants it; what it did by the wall clock stands
below. Latencies know only the wall clock: how long the server waited for its core stands with them, and if that is more
than a little they say nothing.

What profiles taught:

- Starting is importing. Regular expressions, dataclasses and `cryptography.x509` are most of what a module costs; what
  a fresh cluster does not need (YAML, formats, the OpenAPI tables) must not be imported by what it does.
- Python's collector walks everything that lives. It is off until the server is ready, what is there by then is frozen,
  and the young generation is large: objects are stored as bytes, which it does not look at.
- A list of everything is sent as it is put together, in pieces that each hold the loop for a moment; joining or
  encrypting a hundred megabytes in one go takes half a second.
- An apply is a dozen short walks over one object, of which the merge is but one; operators apply the same again and
  again, so what was found to change nothing is remembered with the object it would not change.
- An event is encoded once, and what it costs per watcher is one call of the transport; over TLS that is the encryption.
- A create is six hundred calls and no hot spot. What counts is what is done again: writing a time that was written in
  this second, taking metadata apart that is in order as it is, counting the quotation marks of a text that is encoded
  to itself. `x in data` of bytes raises and forgets an exception before it looks: `find` does not. A class with
  `__getattr__` is slow in every attribute. Clocks tell little of this on a shared machine: valgrind's cachegrind counts
  instructions, and the same twice (start with a few objects and with many, and take the difference).
- No request leaves a cycle behind, only connections do: in three thousand writes the collector comes once or twice, for
  two milliseconds. What held the loop for longer was forgetting fifty thousand changes at once.
"""

import json
import statistics
import subprocess
import sys
import time
from collections.abc import Callable
from typing import Any

from bench.server.firsts import AHEAD, LONGEST
from bench.server.inside import FEW, MANY
from bench.server.load import Load
from bench.server.objects import CRDS, DEFINITION, WIDGETS, body
from bench.server.peers import Peer, embedded, real, resting
from bench.server.table import Table
from bench.server.workloads import ACCOUNT, ACCOUNTS, workloads

__all__ = ["main"]

TURNS = 3
SECONDS = 1.5
STARTS = 5
WATCHERS = 1_000
EVENTS = 15
IDLE = 10_000
EVENT_SIZE = 2048
#: Who waits for his core for a larger part of the time is not to blame for his latencies.
BUSY = 0.03


def main() -> None:
    """Print the table."""
    table = Table()
    _start(table)
    permission = _inside(table)
    _holding(table)
    _firsts(table)
    # The real one has neither controllers nor nodes, which would have work with every Pod.
    bare = ("--plain-port", "0", "--controllers", "none", "--nodes", "0")
    with embedded(*bare) as ours, real() as theirs:
        for peer in (ours, theirs):
            _define(peer)
        rates = _requests(table, ours, theirs, permission)
        with resting(theirs):
            _open(table, Load(ours), rates)
        _workloads(table, ours, theirs)
        _fan_out(table, ours, theirs)
    with embedded("--plain-port", "0") as ours:
        _define(ours)
        _idle(table, ours)
    print(f"\nmissed: {', '.join(table.missed) or 'nothing'}")


def _start(table: Table) -> None:
    """From the start of the process until it says that it is ready."""
    with embedded():
        pass  # the first one writes bytecode
    ours, theirs = [], []
    for turn in range(STARTS):
        with embedded() as peer:
            ours.append((peer.ready, peer.ready_cpu, _settled(peer), peer.ready - peer.ready_waited))
        if turn % 3 == 0:
            with real() as peer:
                theirs.append((peer.ready, peer.ready_cpu, peer.memory(), peer.ready))
    table.head("Start")
    own, other = ([statistics.median(column) for column in zip(*found, strict=True)] for found in (ours, theirs))
    table.row("ready to serve, less what it waited for its core", own[3] * 1e3, "ms", "<= 300")
    table.row("  by the wall clock", own[0] * 1e3, "ms", "", other[0] * 1e3)
    table.row("  in CPU time", own[1] * 1e3, "ms", "", other[1] * 1e3)
    table.row("memory, empty", own[2], "MB", "<= 80", other[2])


def _settled(peer: Peer) -> float:
    """How many megabytes it holds once it does nothing more: what first uses need is loaded when it is ready."""
    spent = -1.0
    while peer.cpu() != spent:
        spent = peer.cpu()
        time.sleep(0.2)
    return peer.memory()


def _define(peer: Peer) -> None:
    """Give a server the CRD, and wait until it serves it."""
    load = Load(peer)
    load.run("closed", method="POST", path=CRDS, body=json.dumps(DEFINITION), connections=1, requests=1)
    for _ in range(200):
        if load.get(WIDGETS) is not None:
            return
        time.sleep(0.05)
    raise SystemExit("the CRD is not served")


def _requests(table: Table, ours: Peer, theirs: Peer, permission: float) -> dict[str, float]:
    """Requests in a closed loop, as fast as they are answered; how fast our writes were.

    `permission` is what a GET costs because it is asked who sends it and whether he may.
    """
    found: dict[tuple[str, str], list[dict[str, Any]]] = {}
    peers = {"ours": Load(ours), "theirs": Load(theirs)}
    for turn in range(TURNS):
        for name, load in peers.items():
            prefix = f"turn{turn}"
            steps: dict[str, dict[str, object]] = {
                "POST": {"method": "POST", "path": WIDGETS, "body": body()},
                "GET": {"method": "GET", "path": f"{WIDGETS}/{prefix}-0-1"},
                "page of 500": {"method": "GET", "path": f"{WIDGETS}?limit=500", "connections": 4},
                # Of the objects that POST has made each connection changes its first.
                "PUT": {"method": "PUT", "path": f"{WIDGETS}/NAME", "body": body(update=True), "suffix": "-1"},
            }
            with resting(theirs if load.peer is ours else ours):
                for step, options in steps.items():
                    done = load.run("closed", seconds=SECONDS, prefix=prefix, **options)
                    found.setdefault((name, step), []).append(done)
    table.head("Custom resources over TLS, 32 connections, by second of CPU time")
    for step, aim in (("GET", ">= 2 x"), ("POST", ">= 1 x"), ("PUT", ">= 1 x"), ("page of 500", "")):
        own, other = (1 / _median(found[name, step], _spent) for name in peers)
        table.row(step, own, "/s", aim, other)
        own, other = (_median(found[name, step], _rate) for name in peers)
        table.row("  by the wall clock", own, "/s", "", other)
    whole = (_median(found["ours", "GET"], _spent) - permission) * 1e6
    table.row("permission for a GET, of who has a role", permission * 1e6, "µs", f"<= {whole / 10:.1f}")
    return {step: _median(found["ours", step], _rate) for step in ("POST", "PUT")}


def _workloads(table: Table, ours: Peer, theirs: Peer) -> None:
    """Built-in kinds, in a closed loop."""
    found: dict[tuple[str, str], list[dict[str, Any]]] = {}
    peers = {"ours": Load(ours), "theirs": Load(theirs)}
    account = json.dumps(ACCOUNT)
    peers["theirs"].run("closed", method="POST", path=ACCOUNTS, body=account, connections=1, requests=1)
    for turn in range(-1, TURNS):
        for name, load in peers.items():
            with resting(theirs if load.peer is ours else ours):
                for step, options in workloads(f"turn{turn + 1}").items():
                    # The first turn is short, and forgotten: what is read when a kind is first met is read once.
                    seconds = 0.3 if turn < 0 else SECONDS
                    done = load.run("closed", seconds=seconds, **options)
                    found.setdefault((name, step), []).append(done)
    table.head("Built-in kinds over TLS, 32 connections, by second of CPU time")
    for step, rate, most in (
        ("apply a Deployment", ">= 0.5 x", "<= 1.2"),
        ("apply it again", "", "<= 0.6"),
        ("create a Pod", ">= 0.8 x", ""),
    ):
        turns = {name: found[name, step][1:] for name in peers}
        own, other = (_median(turns[name], _spent) for name in peers)
        table.row(step, 1 / own, "/s", rate, 1 / other)
        table.row("  CPU time of each", own * 1e3, "ms", most, other * 1e3)
        own, other = (_median(turns[name], _rate) for name in peers)
        table.row("  by the wall clock", own, "/s", "", other)


def _open(table: Table, load: Load, rates: dict[str, float]) -> None:
    """Writes that come when they come, at half the rate that the closed loop reached."""
    table.head("Writes in an open loop, at half the highest rate")
    for method, highest in rates.items():
        rate, turns = highest / 2, []
        for turn in range(3):
            options = {"path": WIDGETS, "body": body(), "prefix": f"open{turn}"}
            if method == "PUT":
                options = {"path": f"{WIDGETS}/NAME", "body": body(update=True), "prefix": "turn0", "suffix": "-1"}
            waited = load.peer.waited()
            turns.append(load.run("open", method=method, rate=rate, seconds=3, **options))
            turns[-1]["waited"] = (load.peer.waited() - waited) / turns[-1]["Seconds"]
        waited = _median(turns, lambda turn: turn["waited"])
        aim = "<= 10" if waited < BUSY else ""
        table.row(f"{method}, {rate:,.0f} a second: p99", _median(turns, lambda turn: turn["P99"]), "ms", aim)
        table.row("  p50", _median(turns, lambda turn: turn["P50"]), "ms")
        table.row(f"  of the time it waited for its core{'' if aim else ': too busy to judge'}", waited * 100, "%")


def _fan_out(table: Table, ours: Peer, theirs: Peer) -> None:
    """One writer, and a thousand who watch."""
    peers = {"plain": Load(ours, plain=True), "TLS": Load(ours), "theirs": Load(theirs)}
    found: dict[str, list[dict[str, Any]]] = {}
    name = "watched"
    for load in (peers["TLS"], peers["theirs"]):
        made = {"method": "POST", "path": WIDGETS, "body": body(size=EVENT_SIZE), "prefix": name}
        load.run("closed", connections=1, requests=1, **made)
    for _ in range(3):
        for kind, load in peers.items():
            with resting(ours if load.peer is theirs else theirs):
                found.setdefault(kind, []).extend(
                    load.fan(
                        path=f"{WIDGETS}?watch=true&resourceVersion={_revision(load)}",
                        watchers=WATCHERS,
                        events=EVENTS,
                        method="PUT",
                        target=f"{WIDGETS}/{name}-0-1",
                        body=body(update=True, size=EVENT_SIZE),
                        prefix=f"{name}-0-1",
                    )
                )
    table.head(f"One event of {EVENT_SIZE} bytes to {WATCHERS:,} watchers")
    for kind, aim in (("plain", ">= 80000"), ("TLS", ">= 45000")):
        own, other = (_median(found[name], lambda done: done["Deliveries"] / done["CPU"]) for name in (kind, "theirs"))
        table.row(f"{kind}, deliveries a second of CPU time", own, "/s", aim, other)
        own, other = (_median(found[name], _deliveries) for name in (kind, "theirs"))
        table.row("  by the wall clock", own, "/s", "", other)


def _idle(table: Table, ours: Peer) -> None:
    """Ten thousand who watch and hear nothing."""
    load = Load(ours, plain=True)
    before = ours.memory()
    holding = load.hold(path=f"{WIDGETS}?watch=true&resourceVersion={_revision(load)}", watchers=IDLE)
    assert holding.stdout is not None
    assert holding.stdin is not None
    began = int(holding.stdout.readline())
    table.head(f"{IDLE:,} idle watches")
    table.row("memory of each", (ours.memory() - before) * 1024 / IDLE, "KB")
    table.row("until all had begun", began, "ms")
    spent = ours.cpu()
    time.sleep(2)
    table.row("CPU time while nothing happens, of a second", (ours.cpu() - spent) / 2 * 1e3, "ms")
    done = Load(ours).run("closed", method="POST", path=f"{WIDGETS}?dryRun=All", body=body(), seconds=SECONDS)
    table.row("writes a second (tried only) meanwhile", _rate(done), "/s")
    done = load.run("closed", method="POST", path=WIDGETS, body=body(), connections=1, requests=5)
    table.row(f"one write, told to {IDLE:,}", done["P50"], "ms")
    holding.stdin.close()
    holding.wait(60)


def _alone(module: str) -> Any:
    """What a module of measurements finds in a process of its own."""
    command = [sys.executable, "-c", f"from bench.server.{module} import main; main()"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        raise SystemExit(done.stderr)
    return json.loads(done.stdout)


def _holding(table: Table) -> None:
    """How long one request for a large object holds the loop."""
    table.head("The longest hold of the loop by one request for a large object, CPU time")
    for kind, found in _alone("holding").items():
        verb = max(found, key=found.__getitem__)
        table.row(f"{kind}: {verb}", found[verb] * 1e3, "ms", "<= 5")


def _firsts(table: Table) -> None:
    """How long the first use of a kind holds the loop."""
    turns = [_alone("firsts") for _ in range(TURNS)]
    found = {name: statistics.median(turn[name] for turn in turns) for name in turns[0]}
    table.head("The longest hold of the loop by the first use in a process, CPU time")
    for name, held in found.items():
        if name not in (AHEAD, LONGEST):
            table.row(name, held * 1e3, "ms", "<= 5")
    table.row("loading ahead what they need, when it is ready", found[AHEAD] * 1e3, "ms")
    table.row("  the longest step of it", found[LONGEST] * 1e3, "ms")


def _inside(table: Table) -> float:
    """What can be measured without a connection; what permission costs a GET."""
    found = _alone("inside")
    table.head("In one process, CPU time")
    table.row("create a custom resource and be told of it", found["create and event"] * 1e6, "µs", "<= 300")
    table.row(f"  of {MANY:,} creations the longest but 1 %", found["creation p99"] * 1e6, "µs")
    table.row("  the longest, with the collector's pauses", found["creation longest"] * 1e3, "ms")
    table.row(f"memory with {MANY:,} custom resources", found[f"memory {MANY}"], "MB", "<= 400")
    for name, what in (("get", "get"), ("page", "page of 500"), ("watch", "begin a watch"), ("write", "merge patch")):
        few, many = found[f"{name} {FEW}"] * 1e6, found[f"{name} {MANY}"] * 1e6
        # A page of a hundred objects is a fifth of one of five hundred.
        share = 500 / FEW if name == "page" else 1
        table.row(f"{what}, {FEW} stored", few, "µs")
        table.row(f"{what}, {MANY:,} stored", many, "µs", f"<= {few * share * 1.5:.0f}")
    table.row(f"longest hold of the loop, list of {MANY:,}", found["lag"] * 1e3, "ms", "<= 5")
    return float(found["permission"])


def _revision(load: Load) -> str:
    document = load.get(f"{WIDGETS}?limit=1")
    assert document is not None
    return str(document["metadata"]["resourceVersion"])


def _median(turns: list[dict[str, Any]], of: Callable[[dict[str, Any]], float]) -> float:
    return statistics.median(map(of, turns))


def _rate(done: dict[str, Any]) -> float:
    return float(done["Count"] / done["Seconds"])


def _spent(done: dict[str, Any]) -> float:
    return float(done["CPU"] / done["Count"])


def _deliveries(done: dict[str, Any]) -> float:
    return float(done["Deliveries"] / done["Seconds"])
