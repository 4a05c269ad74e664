"""The load: `bench/load`, a Go program of ours, built when it is first wanted; the real servers need Go as well."""

import hashlib
import json
import os
import subprocess
import tempfile
from functools import cache
from pathlib import Path
from typing import Any

from bench.server.peers import LOAD, Peer, pinned

__all__ = ["Load", "program"]

_SOURCE = Path(__file__).parents[1] / "load"


@cache
def program() -> Path:
    """Where the program is."""
    digest = hashlib.sha256((_SOURCE / "main.go").read_bytes()).hexdigest()[:16]
    program = Path(tempfile.gettempdir()) / f"kubewright-bench-load-{os.getuid()}-{digest}"
    if not program.exists():
        draft = program.with_suffix(f".{os.getpid()}")
        subprocess.run(["go", "build", "-o", draft, "."], cwd=_SOURCE, check=True)
        draft.replace(program)
    return program


class Load:
    """Whoever asks a server."""

    def __init__(self, peer: Peer, *, plain: bool = False) -> None:
        self.peer = peer
        self._address = ("-server", peer.plain) if plain else ("-server", peer.server, *peer.credentials)

    def run(self, how: str, **options: object) -> dict[str, Any]:
        """Put requests on the server; what the program tells."""
        found: dict[str, Any] = self._told(how, options)
        return found

    def fan(self, **options: object) -> list[dict[str, Any]]:
        """Write to many who watch; what the program tells of each round."""
        found: list[dict[str, Any]] = self._told("watch", options)
        return found

    def _told(self, how: str, options: dict[str, object]) -> Any:
        pids = ",".join(map(str, self.peer.pids))
        done = self._run(self._command(how, {"pids": pids, **options}))
        if done.returncode:
            raise SystemExit(f"load {how}: {done.stderr.strip()[-2000:]}")
        return json.loads(done.stdout)

    def get(self, path: str) -> dict[str, Any] | None:
        """A document; None if it is not served."""
        done = self._run(self._command("get", {"path": path}))
        return None if done.returncode else json.loads(done.stdout)

    def hold(self, **options: object) -> "subprocess.Popen[str]":
        """Open watches, and leave them open until the input of the program is closed."""
        with pinned(LOAD):
            command = self._command("idle", options)
            return subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    def _run(self, command: list[str]) -> "subprocess.CompletedProcess[str]":
        with pinned(LOAD):
            return subprocess.run(command, capture_output=True, text=True, check=False)

    def _command(self, how: str, options: dict[str, object]) -> list[str]:
        given = [word for name, value in options.items() for word in (f"-{name}", str(value))]
        return [str(program()), how, *self._address, *given]
