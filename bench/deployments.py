"""Workloads on the embedded cluster: Deployments until they are Available, the demo's memory, the way to a reconcile.

    python -m bench deployments [COUNT]

Server, controllers, scheduler and kubelet share one process and one core. By CPU time, and by the wall clock beside it.
"""

import asyncio
import json
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from bench.server.table import Table

__all__ = ["main"]

ROOT = Path(__file__).resolve().parents[1]
COUNT = 1000
REPLICAS = 3
PATH = "/apis/apps/v1/namespaces/default/deployments"
#: An operator whose reconciler says that it was called, and its object.
OPERATOR = """
import kubewright as kw

class Spec(kw.Model):
    size: int = 0

class Thing(kw.Resource, group="bench.example.com", version="v1"):
    spec: Spec = kw.field(default_factory=Spec)

@kw.controller(Thing)
async def thing(thing: Thing, ctx: kw.Context) -> None:
    print("reconciled", flush=True)

app = kw.Operator("bench", [thing])
"""
THING = {
    "apiVersion": "bench.example.com/v1",
    "kind": "Thing",
    "metadata": {"name": "a", "namespace": "default"},
    "spec": {},
}


def main() -> None:
    """Print the table."""
    count = next((int(word) for word in sys.argv[1:] if word.isdigit()), COUNT)
    table = Table()
    table.head(f"Deployments of {REPLICAS} pods until they are Available, on one core")
    few, many = _grown(count // 4), _grown(count)
    table.row(f"{count:,}: CPU time", many["cpu"], "s", f"<= {60 * count // COUNT}")
    table.row("by the wall clock", many["wall"], "s")
    table.row("of each, CPU time", many["cpu"] / count * 1e3, "ms")
    table.row(f"of each of {count // 4:,}", few["cpu"] / (count // 4) * 1e3, "ms")
    table.row("writes of each", many["writes"] / count, "")
    table.row("memory at the end", many["memory"], "MB")
    table.head("The demo, and an operator's start")
    table.row("memory of the demo's cluster and operator", _demo(), "MB", "<= 150")
    wall, cpu = _start()
    table.row("kubewright run to the first reconcile", wall * 1e3, "ms", "<= 1000")
    table.row("in CPU time", cpu * 1e3, "ms")


def _grown(count: int) -> dict[str, float]:
    """What it takes, measured in a process of its own, on one core."""
    code = f"from bench.deployments import grow; grow({count})"
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True)
    found: dict[str, float] = json.loads(done.stdout.splitlines()[-1])
    return found


def grow(count: int) -> None:
    """Make Deployments, and print what it took until all are Available."""
    os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})
    asyncio.run(_grow(count))


async def _grow(count: int) -> None:
    import gc
    import resource

    from kubewright.cluster import Cluster

    async with Cluster(port=None, seed=1) as cluster:
        # As `kubewright cluster up` does.
        gc.freeze()
        gc.set_threshold(5_000, 10, 5_000)
        client = cluster.client()
        wall, cpu, revision = time.monotonic(), time.process_time(), cluster.store.revision
        available: set[str] = set()
        over = asyncio.Event()

        def note(record: Any) -> None:
            if record.value is not None and b'"availableReplicas":%d' % REPLICAS in record.value:
                available.add(record.key)
                if len(available) == count:
                    over.set()

        cluster.store.listen("/deployments.apps/", note)
        for number in range(count):
            await client.create(PATH, _deployment(f"web-{number}"))
        await over.wait()
        found = {
            "cpu": time.process_time() - cpu,
            "wall": time.monotonic() - wall,
            "writes": cluster.store.revision - revision,
            "memory": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024,
        }
        print(json.dumps(found))


def _deployment(name: str) -> dict[str, Any]:
    labels = {"app": name}
    container = {"name": "web", "image": "nginx:1.29", "ports": [{"containerPort": 80}]}
    return {
        "apiVersion": "apps/v1",
        "kind": "Deployment",
        "metadata": {"name": name, "labels": labels},
        "spec": {
            "replicas": REPLICAS,
            "selector": {"matchLabels": labels},
            "template": {"metadata": {"labels": labels}, "spec": {"containers": [container]}},
        },
    }


def _demo() -> float:
    """The most memory that the demo has, in megabytes."""
    child = subprocess.Popen([sys.executable, "-m", "tools.demo"], cwd=ROOT, stdout=subprocess.DEVNULL)
    _, status, used = os.wait4(child.pid, 0)
    child.returncode = os.waitstatus_to_exitcode(status)
    assert child.returncode == 0
    return used.ru_maxrss / 1024


def _start() -> tuple[float, float]:
    """Seconds from the start of `kubewright run` until a reconciler is called: by the wall clock, and of CPU time."""
    from kubewright.client import SyncApi
    from kubewright.cluster import Cluster
    from kubewright.testing.beside import beside

    with tempfile.TemporaryDirectory() as directory, beside(Cluster()) as cluster:
        program = Path(directory) / "things.py"
        program.write_text(OPERATOR)
        kubewright = [sys.executable, "-m", "kubewright"]
        environment = {**os.environ, "KUBECONFIG": str(cluster.kubeconfig)}
        subprocess.run([*kubewright, "install", str(program)], env=environment, check=True, stdout=subprocess.DEVNULL)
        with SyncApi.connect(kubeconfig=cluster.kubeconfig) as api:
            api.create(THING)
        began = time.monotonic()
        child = subprocess.Popen([*kubewright, "run", str(program)], env=environment, stdout=subprocess.PIPE, text=True)
        assert child.stdout is not None
        next(line for line in child.stdout if line.startswith("reconciled"))
        wall = time.monotonic() - began
        child.terminate()
        _, status, used = os.wait4(child.pid, 0)
        child.returncode = os.waitstatus_to_exitcode(status)
        return wall, used.ru_utime + used.ru_stime
