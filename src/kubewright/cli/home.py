"""Where clusters that run are written down, so that other commands find them.

Each has a directory under `$KUBEWRIGHT_HOME` (`~/.kubewright` if that is not set): its kubeconfig, its log if it runs
in the background, and `state.json`. Whether it runs is told by a lock that its process holds, never by a number: a
process that was killed leaves its files behind, and its pid may be another's by now.
"""

import contextlib
import fcntl
import json
import os
import re
import signal
import threading
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import IO

from kubewright import clock
from kubewright.errors import KubewrightError

__all__ = ["Home", "HomeError", "State", "homes"]

_NAME = re.compile(r"[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?")
_PAUSE = 0.02
#: How often it is tried to become the cluster.
_LOOKS = 10


class HomeError(KubewrightError):
    """Something about a cluster of this machine is not as the command needs it."""


@dataclass(frozen=True, slots=True)
class State:
    """What a running cluster tells."""

    pid: int
    server: str
    kubeconfig: str


def _root() -> Path:
    if home := os.environ.get("KUBEWRIGHT_HOME"):
        return Path(home).absolute() / "clusters"
    try:
        return Path.home() / ".kubewright" / "clusters"
    except RuntimeError as error:
        raise HomeError("there is no home directory here; set KUBEWRIGHT_HOME to a directory of yours.") from error


def homes() -> "list[Home]":
    """Every cluster that has been here, running or not."""
    root = _root()
    names = sorted(path.name for path in root.iterdir() if path.is_dir()) if root.is_dir() else []
    return [Home(name) for name in names if _NAME.fullmatch(name)]


class Home:
    """The place of one cluster."""

    def __init__(self, name: str) -> None:
        if _NAME.fullmatch(name) is None:
            raise HomeError(f"{name!r} cannot name a cluster: use lower-case letters, digits and -.")
        self.name = name
        self.path = _root() / name

    @property
    def kubeconfig(self) -> Path:
        """Its own kubeconfig."""
        return self.path / "kubeconfig"

    @property
    def log(self) -> Path:
        """What it says when it runs in the background."""
        return self.path / "log"

    @contextlib.contextmanager
    def hold(self) -> Iterator[None]:
        """Be the cluster of this name; `HomeError` if another process is."""
        self.make()
        with self._lock() as lock:
            if not _take(lock):
                state = self.state()
                who = f" (pid {state.pid})" if state else ""
                raise HomeError(
                    f"cluster {self.name} is running already{who}; `kubewright cluster down --name {self.name}` ends "
                    "it, `--name` starts another."
                )
            # Of one that was killed: its pid may be another's by now, and `down` would end that.
            self._state.unlink(missing_ok=True)
            try:
                yield
            finally:
                self._state.unlink(missing_ok=True)

    def make(self) -> None:
        """Make the directory, for its owner alone."""
        for directory in (self.path.parent.parent, self.path.parent, self.path):
            directory.mkdir(mode=0o700, parents=True, exist_ok=True)

    def leftover(self) -> State | None:
        """What a cluster told that was killed and could not clean up; it is forgotten now."""
        if self.running() or not self._state.exists():
            return None
        state = self._read()
        self._state.unlink(missing_ok=True)
        return state

    def write(self, state: State) -> None:
        """Tell the others where the cluster is; in one step, so that nobody reads half of it."""
        draft = self._state.with_suffix(".new")
        draft.touch(mode=0o600)
        draft.write_text(json.dumps(asdict(state)))
        draft.replace(self._state)

    def state(self) -> State | None:
        """What the running cluster tells; None if none runs, or it is not ready yet."""
        return self._read() if self.running() else None

    def _read(self) -> State | None:
        try:
            return State(**json.loads(self._state.read_text()))
        except FileNotFoundError:
            return None
        except (ValueError, TypeError) as error:
            raise HomeError(f"{self._state} cannot be read: {error}. Remove it once the cluster has ended.") from error

    def running(self) -> bool:
        """Whether some process is the cluster."""
        if not self.path.is_dir():
            return False
        with self._lock() as lock:
            try:
                # Shared, so that two who look at once do not take each other for the cluster.
                fcntl.flock(lock, fcntl.LOCK_SH | fcntl.LOCK_NB)
            except OSError:
                return True
        return False

    def end(self, patience: float = 15.0) -> bool:
        """End the running cluster; whether it ended by itself. One that does not is killed."""
        state = self.state()
        if state is None:
            raise HomeError(f"cluster {self.name} is still starting; try again in a moment.")
        with contextlib.suppress(ProcessLookupError):  # ended by itself
            os.kill(state.pid, signal.SIGTERM)
        deadline = clock.monotonic() + patience
        while self.running():
            if clock.monotonic() > deadline:
                with contextlib.suppress(ProcessLookupError):
                    os.kill(state.pid, signal.SIGKILL)
                return False
            threading.Event().wait(_PAUSE)
        return True

    @property
    def _state(self) -> Path:
        return self.path / "state.json"

    def _lock(self) -> IO[str]:
        return open(self.path / "lock", "a", opener=_private)


def _private(path: str, flags: int) -> int:
    return os.open(path, flags, 0o600)


def _take(lock: IO[str]) -> bool:
    """Take a lock for ourselves; whoever only looks whether it is held holds it for a moment, too."""
    for _ in range(_LOOKS):
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            threading.Event().wait(_PAUSE)
        else:
            return True
    return False
