"""A reader who does what a page says, in a folder and a home of his own, and believes nothing.

Commands are typed into one shell, so that `cd` and `export` last. What never ends by itself is started beside it, as in
another terminal; if the page does not say what it prints, it is ended by Ctrl-C as soon as it prints anything; else the
kubeconfig that it names is used from then on. What shows a cluster is looked at again for a while: a cluster takes its
time. A function of a page that only wants an API or a cluster is called with one.
"""

import ast
import asyncio
import inspect
import os
import re
import shlex
import signal
import subprocess
import sys
import threading
from collections.abc import Callable, Mapping
from pathlib import Path
from types import TracebackType
from typing import Any, Final, Self

from tests.docs.page import Block, Command, matches

from kubewright import clock
from kubewright.client import Api, SyncApi
from kubewright.testing.real import find_kubectl
from kubewright.testing.sandbox import Sandbox

__all__ = ["Reader"]

_PATIENCE: Final = 30.0
#: What is printed after a command, with its exit status.
_MARK: Final = "--done--"
#: Ends by itself, but takes minutes; whether there is such a target tools/docs.py says.
_ELSEWHERE: Final = ("make",)


class Reader:
    """Somebody at a terminal."""

    def __init__(self, home: Path, cluster: Sandbox, stage: Callable[[], Mapping[str, Any]]) -> None:
        self.home, self.folder = home, home / "folder"
        self.folder.mkdir(parents=True, exist_ok=True)
        self.names: dict[str, Any] = {"__name__": "page"}
        self._stage, self._cluster = stage, cluster
        commands = home / "bin"
        commands.mkdir()
        script = f'#!/bin/sh\nexec {shlex.quote(sys.executable)} -m kubewright "$@"\n'
        (commands / "kubewright").write_text(script)
        (commands / "kubewright").chmod(0o755)
        (commands / "kubectl").symlink_to(find_kubectl())
        self._environment = {
            **os.environ,
            "HOME": str(home),
            "KUBECONFIG": str(cluster.kubeconfig),
            "PYTHONPATH": os.pathsep.join(sys.path),  # as this test finds what it imports
            "KUBEWRIGHT_HOME": str(home / ".kubewright"),
            "PATH": f"{commands}{os.pathsep}{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}",
        }
        self._beside: list[subprocess.Popen[bytes]] = []

    def __enter__(self) -> Self:
        self._shell = subprocess.Popen(
            ["bash", "--norc"],
            cwd=self.folder,
            env=self._environment,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            start_new_session=True,
        )
        return self

    def __exit__(self, kind: type[BaseException] | None, error: object, trace: TracebackType | None) -> None:
        for process in self._beside:
            process.terminate()
            process.communicate()
        self._shell.communicate("kubewright cluster down >/dev/null 2>&1\n")

    def follow(self, block: Block) -> None:
        """Do what a block says."""
        if block.file:
            with (Path(self._typed("pwd")[1][0]) / block.file).open("a" if block.appended else "w") as file:
                file.write(block.text)
        if block.language == "python":
            self._run(block)
        elif block.language == "sh":
            code, printed = self._typed(f"bash -e <<'SCRIPT'\n{block.text}\nSCRIPT")
            assert code == 0, "\n".join(printed)
        elif block.language == "console":
            for command in block.commands():
                self._type(command)

    # Python.

    def _run(self, block: Block) -> None:
        # The ports of a page may be somebody's on this machine.
        text = re.sub(r'":\d{4}"', '"127.0.0.1:0"', block.text)
        code = compile("\n" * block.line + text, "page", "exec", flags=ast.PyCF_ALLOW_TOP_LEVEL_AWAIT)
        before, folder = dict(os.environ), Path.cwd()
        os.environ.update(self._environment)
        os.chdir(self.folder)
        try:
            if code.co_flags & inspect.CO_COROUTINE:
                asyncio.run(self._awaited(code))
            else:
                self.names = {**self._stage(), **self.names}
                before_it = dict(self.names)
                exec(code, self.names)
                for name, made in self.names.items():
                    if inspect.isfunction(made) and before_it.get(name) is not made:
                        self._call(made)
        finally:
            os.chdir(folder)
            os.environ.clear()
            os.environ.update(before)

    def _call(self, function: Callable[..., Any]) -> None:
        """Call what wants nothing but an API, or a cluster."""

        async def called() -> None:
            async with asyncio.timeout(_PATIENCE), Api.connect() as api:
                await function(api if wants == ["api"] else self._cluster)

        wants = list(inspect.signature(function).parameters)
        if wants not in (["api"], ["cluster"]):
            return
        if inspect.iscoroutinefunction(function):
            asyncio.run(called())
        elif wants == ["cluster"]:
            function(self._cluster)
        else:
            with SyncApi.connect() as api:
                function(api)

    async def _awaited(self, code: Any) -> None:
        stage = self._stage()  # anew: what is connected belongs to one loop
        self.names = {**self.names, **stage}
        try:
            async with asyncio.timeout(_PATIENCE):
                await eval(code, self.names)
        finally:
            for each in stage.values():
                if isinstance(each, Api):
                    await each.close()

    # The terminal.

    def _type(self, command: Command) -> None:
        text = command.text.replace(".venv/bin/", "").replace("/home/me", str(self.home))
        expected = [line.replace("/home/me", str(self.home)) for line in command.prints]
        if text.startswith(_ELSEWHERE):
            return
        if text.startswith("kubewright run ") or (text.startswith("kubewright cluster up") and "--detach" not in text):
            self._start(text, expected)
            return
        deadline = clock.monotonic() + _PATIENCE
        while True:
            code, printed = self._typed(text)
            if matches(expected, printed) and (code == 0 or expected):
                return
            said = "\n".join([f"$ {text}", *printed, f"exit status {code}", "where the page says", *expected])
            assert text.startswith("kubectl get "), said
            assert clock.monotonic() < deadline, said
            threading.Event().wait(0.2)

    def _typed(self, text: str) -> tuple[int, list[str]]:
        """The exit status of a command, and what it printed."""
        assert self._shell.stdin is not None
        assert self._shell.stdout is not None
        self._shell.stdin.write(f"{text}\nstatus=$?; echo; echo {_MARK} $status\n")
        self._shell.stdin.flush()
        killer = threading.Timer(4 * _PATIENCE, os.killpg, (self._shell.pid, signal.SIGKILL))
        killer.start()
        lines: list[str] = []
        for line in self._shell.stdout:
            if line.startswith(_MARK):
                killer.cancel()
                break
            lines.append(line.rstrip("\n"))
        else:
            raise AssertionError(f"$ {text}\ndoes not end; it printed\n" + "\n".join(lines))
        while lines and not lines[-1]:
            lines.pop()
        return int(line.split()[1]), lines

    def _start(self, text: str, expected: list[str]) -> None:
        """Another terminal, in the same folder and with the same environment."""
        _, (folder, *_) = self._typed("pwd")
        _, variables = self._typed("export -p | grep KUBE")
        words = "\n".join([*variables, f"exec {text} 2>&1"])
        process = subprocess.Popen(["bash", "-c", words], cwd=folder, env=self._environment, stdout=subprocess.PIPE)
        self._beside.append(process)
        assert process.stdout is not None
        killer = threading.Timer(_PATIENCE, process.kill)
        killer.start()
        lines: list[str] = []
        while not (lines and matches(expected, lines)):
            read = process.stdout.readline()
            assert read, f"$ {text}\n" + "\n".join(lines) + "\nwhere the page says\n" + "\n".join(expected)
            lines.append(read.decode().rstrip("\n"))
        for line in map(str.strip, lines):
            if expected and line.startswith("export KUBECONFIG="):
                self._typed(line)
        if not expected:
            self._beside.remove(process)
            process.send_signal(signal.SIGINT)
            said = process.communicate()[0].decode()
            assert process.returncode in (0, 130), "\n".join([f"$ {text}", *lines, said])
        killer.cancel()
