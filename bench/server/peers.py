"""The two servers that are compared, each a process of its own on one core; and what a process has used.

The load runs on the other core. Bytecode is kept apart from the sources, so that a start is one of an installed package
whatever the environment says.
"""

import contextlib
import os
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from bench.measure import stopped
from kubewright.client import load_kubeconfig
from kubewright.testing.real import RealCluster

__all__ = ["LOAD", "SERVER", "Peer", "access", "cpu_of", "embedded", "installed", "memory_of", "pinned", "real"]
__all__ += ["children", "resting"]

_CORES = sorted(os.sched_getaffinity(0))
#: Where the servers run, and where the load does; the same core if there is but one.
SERVER, LOAD = {_CORES[0]}, {_CORES[-1]}


@dataclass(frozen=True)
class Peer:
    """A server that answers."""

    server: str
    #: How the load shows who it is.
    credentials: tuple[str, ...]
    pids: tuple[int, ...]
    #: From the start of the process until it answered.
    ready: float
    #: The same in CPU time.
    ready_cpu: float
    #: How much of it the process spent waiting for its core.
    ready_waited: float = 0.0
    plain: str = ""

    def cpu(self) -> float:
        """The seconds of CPU time that it has used."""
        return sum(cpu_of(pid) for pid in self.pids)

    def waited(self) -> float:
        """The seconds that it was ready to run while its core was another's."""
        return sum(_schedule(pid, 1) for pid in self.pids)

    def memory(self) -> float:
        """How many megabytes it holds."""
        return sum(memory_of(pid) for pid in self.pids)


@contextlib.contextmanager
def resting(*peers: Peer) -> Iterator[None]:
    """They do nothing meanwhile: even an idle server wants its core now and then."""
    with stopped([pid for peer in peers for pid in peer.pids]):
        yield


@contextlib.contextmanager
def pinned(cores: set[int]) -> Iterator[None]:
    """What is started here runs on these cores."""
    before = os.sched_getaffinity(0)
    os.sched_setaffinity(0, cores)
    try:
        yield
    finally:
        os.sched_setaffinity(0, before)


@contextlib.contextmanager
def embedded(*arguments: str) -> Iterator[Peer]:
    """`kubewright cluster up`."""
    with tempfile.TemporaryDirectory(prefix="kubewright-bench-") as folder:
        environment = installed() | {"KUBEWRIGHT_HOME": folder}
        command = [sys.executable, "-m", "kubewright", "cluster", "up", *arguments]
        started = time.perf_counter()
        with pinned(SERVER):
            process = subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, text=True)
        try:
            assert process.stdout is not None
            said = process.stdout.readline()
            took, cpu, waited = time.perf_counter() - started, cpu_of(process.pid), _schedule(process.pid, 1)
            if "is ready" not in said:
                raise SystemExit(f"the cluster did not come up: {said}")
            plain = process.stdout.readline().split()[-1] if "--plain-port" in arguments else ""
            server, credentials = access(Path(folder) / "clusters" / "default" / "kubeconfig", Path(folder))
            yield Peer(server, credentials, (process.pid,), took, cpu, waited, plain)
        finally:
            process.send_signal(signal.SIGTERM)
            process.wait(20)


@contextlib.contextmanager
def real() -> Iterator[Peer]:
    """etcd and kube-apiserver."""
    with tempfile.TemporaryDirectory(prefix="kubewright-bench-") as folder, contextlib.ExitStack() as stack:
        started = time.perf_counter()
        with pinned(SERVER):
            cluster = stack.enter_context(RealCluster.start(controllers=False))
        took = time.perf_counter() - started
        pids = tuple(children("etcd", "kube-apiserver"))
        server, credentials = access(cluster.kubeconfig, Path(folder))
        yield Peer(server, credentials, pids, took, sum(map(cpu_of, pids)))


def installed() -> dict[str, str]:
    """An environment in which Python programs start as installed ones do, with bytecode; it is kept apart."""
    folder = Path(tempfile.gettempdir()) / f"kubewright-bench-bytecode-{os.getuid()}"
    folder.mkdir(mode=0o700, exist_ok=True)
    environment = os.environ | {"PYTHONPYCACHEPREFIX": str(folder)}
    environment.pop("PYTHONDONTWRITEBYTECODE", None)
    return environment


def access(kubeconfig: Path, folder: Path) -> tuple[str, tuple[str, ...]]:
    """The server of a kubeconfig, and as what the load knows it: files, put into the folder, and a token."""
    given = load_kubeconfig(kubeconfig)
    flags: tuple[str, ...] = ("-token", given.token) if given.token else ()
    for name, content in {"ca": given.authority, "cert": given.certificate, "key": given.key}.items():
        if content is not None:
            path = folder / f"{name}.pem"
            path.touch(mode=0o600)
            path.write_bytes(content)
            flags = (*flags, f"-{name}", str(path))
    return given.server, flags


def children(*names: str) -> Iterator[int]:
    """Processes of ours, by their names."""
    for entry in Path("/proc").iterdir():
        with contextlib.suppress(OSError, ValueError):
            _, name, rest = _stat(int(entry.name))
            if name in names and int(rest[1]) == os.getpid():
                yield int(entry.name)


def _stat(pid: int) -> tuple[int, str, list[str]]:
    text = Path(f"/proc/{pid}/stat").read_text()
    name = text[text.index("(") + 1 : text.rindex(")")]
    return pid, name, text[text.rindex(")") + 1 :].split()


def cpu_of(pid: int) -> float:
    """The seconds of CPU time that a process has used."""
    return _schedule(pid, 0)


def _schedule(pid: int, field: int) -> float:
    """To the nanosecond: what `stat` tells are hundredths of a second."""
    spent = 0
    for task in Path(f"/proc/{pid}/task").iterdir():
        with contextlib.suppress(OSError):
            spent += int((task / "schedstat").read_text().split()[field])
    return spent / 1e9


def memory_of(pid: int) -> float:
    """How many megabytes a process holds."""
    text = Path(f"/proc/{pid}/status").read_text()
    return int(text.partition("VmRSS:")[2].split()[0]) / 1024
