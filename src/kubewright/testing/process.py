"""Child processes that do not outlive us.

A server started for a test must be gone when the test is, however that ends: by return, exception, `sys.exit`, or a
`kill -9` nobody can catch. So each child leads a process group of its own that is told to stop and then made to, and
on Linux the kernel kills it when its parent dies. (It does so when the *thread* that started the child ends: start
children from a thread that lives as long as they should.)

A child's output goes to a file, whose end is what an error shows.
"""

import contextlib
import ctypes
import os
import signal
import subprocess
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Final

from kubewright import clock
from kubewright.errors import KubewrightError

__all__ = ["Child", "ChildError", "wait_until"]

#: Between two looks at a child that is starting: short beside the 3 s a kube-apiserver takes, long beside a look.
_PAUSE: Final = 0.05

#: How long a child may take to end by itself once told to. What it could save is in a directory about to be removed.
_GRACE: Final = 5.0

_PR_SET_PDEATHSIG: Final = 1
_libc: Final = ctypes.CDLL(None) if sys.platform == "linux" else None


class ChildError(KubewrightError):
    """A process we need did not come up."""


class Child:
    """A running program in a process group of its own; its output is appended to `log`."""

    def __init__(self, program: Path, arguments: Sequence[str], log: Path) -> None:
        self.name = program.name
        self.log = log
        parent = os.getpid()

        def die_with_parent() -> None:
            if _libc is not None:
                _libc.prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
                # The parent may have died before the line above; then no signal will come.
                if os.getppid() != parent:
                    os._exit(1)

        with log.open("ab") as output:
            self.process = subprocess.Popen(
                [program, *arguments],
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=subprocess.STDOUT,
                start_new_session=True,
                # Between fork and exec only async-signal-safe work is allowed: one system call is.
                preexec_fn=die_with_parent,  # noqa: PLW1509
            )

    def tail(self, lines: int = 15) -> str:
        """The end of what it has written."""
        return "\n".join(self.log.read_text(errors="replace").splitlines()[-lines:])

    def stop(self) -> None:
        """Ask the group to end, then end it; returns when the process is gone. Stopping twice is harmless."""
        if self.process.poll() is None:
            os.killpg(self.process.pid, signal.SIGTERM)
            with contextlib.suppress(subprocess.TimeoutExpired):
                self.process.wait(_GRACE)
        # The group can outlive its leader; where it has not, there is nobody to signal.
        with contextlib.suppress(ProcessLookupError):
            os.killpg(self.process.pid, signal.SIGKILL)
        self.process.wait()


def wait_until(ready: Callable[[], bool], children: Sequence[Child], seconds: float) -> None:
    """Wait for the last of `children` to be ready, while all of them live.

    Raises `ChildError`, with the end of the guilty one's log, when one exits or when time is up.
    """
    deadline = clock.monotonic() + seconds
    awaited = children[-1]
    while not ready():
        for child in children:
            if (status := child.process.poll()) is not None:
                raise ChildError(
                    f"{child.name} ended with status {status} before it was ready; its log ends:\n{child.tail()}"
                )
        if clock.monotonic() > deadline:
            raise ChildError(f"{awaited.name} was not ready after {seconds:g} s; its log ends:\n{awaited.tail()}")
        with contextlib.suppress(subprocess.TimeoutExpired):
            awaited.process.wait(_PAUSE)
