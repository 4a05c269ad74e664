"""The operators that are compared, each a process of its own, and what it has used.

What a process costs is its CPU time; the machine may be shared, and then the wall clock tells of others. A piece of
work is over when the process rests: no status tells that an operator has had its last thought about an object.
"""

import contextlib
import hashlib
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path

from bench.server.peers import LOAD, cpu_of, installed, memory_of, pinned

__all__ = ["COMMANDS", "Operator", "go_program", "running"]

_HERE = Path(__file__).parent
_GO = _HERE.parents[1] / "real" / "operator"
#: A process rests if it uses less than this part of a second in one.
_REST = 0.01
_LONGEST = 600.0


@cache
def go_program() -> Path:
    """`real/operator`, built when it is first wanted; that takes minutes, once."""
    sources = b"".join((_GO / name).read_bytes() for name in ("main.go", "go.mod", "go.sum"))
    program = (
        Path(tempfile.gettempdir())
        / f"kubewright-bench-operator-{os.getuid()}-{hashlib.sha256(sources).hexdigest()[:16]}"
    )
    if not program.exists():
        draft = program.with_suffix(f".{os.getpid()}")
        subprocess.run(["go", "build", "-o", draft, "."], cwd=_GO, check=True)
        draft.replace(program)
    return program


def _ours(kubeconfig: Path) -> list[str]:
    app = "bench.operator.ours:app"
    # That it stood still, as it does while the others are measured, is a warning.
    return [sys.executable, "-m", "kubewright", "run", app, f"--kubeconfig={kubeconfig}", "--log-level=error"]


def _kopf(kubeconfig: Path, *flags: str) -> list[str]:
    run = ["run", "--all-namespaces", "--standalone", "--quiet", f"{_HERE}/by_kopf.py"]
    return [sys.executable, f"{_HERE}/bare_kopf.py", *flags, *run]


def _kopf_with_uvloop(kubeconfig: Path) -> list[str]:
    return _kopf(kubeconfig, "--uvloop")


def _controller_runtime(kubeconfig: Path) -> list[str]:
    return [str(go_program()), str(kubeconfig)]


#: How each is started.
COMMANDS: dict[str, Callable[[Path], list[str]]] = {
    "kubewright": _ours,
    "controller-runtime": _controller_runtime,
    "kopf": _kopf,
    "kopf with uvloop": _kopf_with_uvloop,
}


class Operator:
    """One that runs."""

    def __init__(self, process: "subprocess.Popen[bytes]") -> None:
        self._process = process
        self.pid = process.pid

    def cpu(self) -> float:
        """The seconds of CPU time that it has used."""
        if self._process.poll() is not None:
            raise SystemExit(f"the operator ended with status {self._process.returncode}")
        return cpu_of(self.pid)

    def memory(self) -> float:
        """How many megabytes it holds."""
        return memory_of(self.pid)

    def rest(self) -> None:
        """Wait until it has nothing to do any more."""
        until = time.monotonic() + _LONGEST
        spent, quiet = self.cpu(), 0
        while quiet < 2:
            time.sleep(0.5)
            now = self.cpu()
            quiet = quiet + 1 if now - spent < _REST / 2 else 0
            spent = now
            if time.monotonic() > until:
                raise SystemExit("the operator does not come to rest")


@contextlib.contextmanager
def running(name: str, kubeconfig: Path) -> Iterator[Operator]:
    """An operator, from its start to its end."""
    environment = installed() | {"KUBECONFIG": str(kubeconfig)}
    command = COMMANDS[name](kubeconfig)
    with pinned(LOAD):
        process = subprocess.Popen(command, env=environment, cwd=_HERE.parents[1], stdout=subprocess.DEVNULL)
    try:
        yield Operator(process)
    finally:
        process.terminate()
        try:
            process.wait(60)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
