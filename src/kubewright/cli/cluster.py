"""`kubewright cluster`: the embedded control plane on this machine.

`up` serves until it is told to stop; with `--detach` it returns once the cluster is ready. Nothing of the user's own is
written, `~/.kube/config` least of all, unless it is named.
"""

import argparse
import asyncio
import gc
import logging
import os
import signal
import subprocess
import sys
from collections.abc import Coroutine, Sequence
from pathlib import Path
from typing import Any

from kubewright.cli.home import Home, State, homes
from kubewright.version import KUBERNETES

__all__ = ["down", "status", "up"]

_log = logging.getLogger(__name__)

#: Through this descriptor a cluster in the background says that it is ready.
_READY = "KUBEWRIGHT_READY"


def up(words: Sequence[str]) -> int:
    """Start a cluster."""
    given = _arguments(words)
    home = Home(given.name)
    _clean_up(home)
    if given.detach:
        return _detach(home, [word for word in words if word != "--detach"])
    gc.disable()  # until all that is to stay is there: `_tune`
    with home.hold():
        _run(_serve(home, given))
    print(f"cluster {home.name} has stopped.")
    return 0


def down(words: Sequence[str]) -> int:
    """Stop a cluster that `up` started."""
    parser = _parser("down", "Stop a cluster that `kubewright cluster up` started. Exit status 1: none was running.")
    given = parser.parse_args(words)
    home = Home(given.name)
    if not home.running():
        if _clean_up(home):
            print(f"cluster {home.name} had ended without cleaning up; that is done now.")
            return 0
        print(f"cluster {home.name} is not running.")
        return 1
    gently = home.end()
    print(f"cluster {home.name} has {'stopped' if gently else 'been killed: it did not stop when asked'}.")
    return 0


def status(words: Sequence[str]) -> int:
    """Say which clusters run."""
    parser = _parser("status", "Say where a cluster is and who runs it. Exit status 1: it does not run.", name=None)
    given = parser.parse_args(words)
    chosen = [Home(given.name)] if given.name else [home for home in homes() if home.running()]
    found = 0
    for home in chosen:
        if (state := home.state()) is not None:
            found += 1
            print(f"{home.name}  running  pid {state.pid}  {state.server}  kubeconfig {state.kubeconfig}")
        else:
            print(f"{home.name}  {'starting' if home.running() else 'not running'}")
    if not chosen:
        print("no cluster is running.")
    return 0 if found else 1


def _clean_up(home: Home) -> bool:
    """Take out of a kubeconfig what a cluster that was killed left in it; whether there was anything."""
    if (state := home.leftover()) is None:
        return False
    from kubewright.client.context import remove_context

    remove_context(Path(state.kubeconfig), _context(home))
    return True


def _context(home: Home) -> str:
    """What the context of a cluster is called."""
    return "kubewright" if home.name == "default" else f"kubewright-{home.name}"


def _parser(command: str, description: str, name: str | None = "default") -> argparse.ArgumentParser:
    # No abbreviations: `--detach` is taken off the words that the cluster in the background is started with.
    parser = argparse.ArgumentParser(prog=f"kubewright cluster {command}", description=description, allow_abbrev=False)
    what = "every one that runs" if name is None else f"`{name}`"
    parser.add_argument("--name", default=name, help=f"which cluster, by default {what}")
    return parser


def _arguments(words: Sequence[str]) -> argparse.Namespace:
    parser = _parser(
        "up",
        f"Start a Kubernetes API (v{KUBERNETES}) on this machine, with the built-in controllers, and write a "
        "kubeconfig for it.",
    )
    parser.add_argument("--detach", action="store_true", help="return when it is ready, and leave it running")
    parser.add_argument("--port", type=_port, default=0, metavar="N", help="where to serve over TLS; a free port")
    parser.add_argument(
        "--plain-port", type=_port, metavar="N", help="serve without TLS there, too: every client is an administrator"
    )
    parser.add_argument(
        "--kubeconfig", type=Path, metavar="FILE", help="add the context to that file, and make it the current one"
    )
    parser.add_argument(
        "--controllers", default="all", metavar="all|none|A,B", help="which of the built-in controllers run; all"
    )
    parser.add_argument("--nodes", type=_count, metavar="N", help="how many nodes take pods; 1")
    parser.add_argument("--data", type=Path, metavar="DIR", help="keep everything there, and go on from it next time")
    parser.add_argument("--seed", type=int, metavar="N", help="make names, identifiers and keys repeatable")
    return parser.parse_args(words)


def _port(text: str) -> int:
    number = int(text) if text.isascii() and text.isdigit() else -1
    if not 0 <= number < 65536:
        raise argparse.ArgumentTypeError(f"{text!r} is no port: give a number from 0 to 65535")
    return number


def _count(text: str) -> int:
    if not (text.isascii() and text.isdigit()):
        raise argparse.ArgumentTypeError(f"{text!r} is no number of nodes: give one from 0 up")
    return int(text)


def _run(work: Coroutine[Any, Any, None]) -> None:
    try:
        import uvloop
    except ImportError:  # not on every platform
        asyncio.run(work)
    else:
        uvloop.run(work)


async def _serve(home: Home, given: argparse.Namespace) -> None:
    """Be the cluster until a signal comes."""
    # Imported here: `--help`, `down` and `status` need none of it.
    from kubewright.client.context import remove_context
    from kubewright.cluster import Cluster

    over = asyncio.Event()
    loop = asyncio.get_running_loop()
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        loop.add_signal_handler(number, over.set)
    own = given.kubeconfig is None
    kubeconfig = home.kubeconfig if own else given.kubeconfig.absolute()
    name = _context(home)
    if own:
        kubeconfig.unlink(missing_ok=True)  # of one that was killed
    cluster = Cluster(
        port=given.port,
        plain_port=given.plain_port,
        controllers=given.controllers,
        nodes=given.nodes,
        data=given.data,
        seed=given.seed,
        kubeconfig=kubeconfig,
        name=name,
    )
    async with cluster:
        home.write(State(os.getpid(), cluster.server, str(kubeconfig)))
        print(_welcome(home, cluster.server, cluster.plain_server, kubeconfig), flush=True)
        _tell_ready()
        ahead = asyncio.create_task(_load_ahead(), name="preload")
        await over.wait()
        ahead.cancel()
        await asyncio.gather(ahead, return_exceptions=True)
    remove_context(kubeconfig, name)


def _tune() -> None:
    """What is loaded by now stays, and what comes is mostly bytes: the collector need not look at it over and over."""
    gc.freeze()
    gc.set_threshold(2_000, 5, 25_000)  # the young are gone through in a millisecond, the old hardly ever
    gc.enable()


async def _load_ahead() -> None:
    """Load what the first use of anything would load, now that nobody waits for the cluster to be ready."""
    from kubewright.cluster.preload import preload

    try:
        await preload()
    except Exception:  # noqa: BLE001 - logged; the cluster serves all the same
        _log.exception("What first uses need could not be loaded ahead; it is loaded when it is wanted.")
    finally:
        _tune()


def _welcome(home: Home, server: str, plain: str, kubeconfig: Path) -> str:
    named = "" if home.name == "default" else f" --name {home.name}"
    lines = [
        f"cluster {home.name} is ready: {server} (Kubernetes v{KUBERNETES}, pid {os.getpid()})",
        *([f"without TLS: {plain}"] if plain else []),
        f"  export KUBECONFIG={kubeconfig}",
        "  kubectl get namespaces",
        f"{'' if os.environ.get(_READY) else 'Ctrl-C or '}`kubewright cluster down{named}` ends it.",
    ]
    return "\n".join(lines)


def _tell_ready() -> None:
    if descriptor := os.environ.pop(_READY, ""):
        with os.fdopen(int(descriptor), "w") as ready:
            ready.write("ready")


def _detach(home: Home, words: list[str]) -> int:
    """Start the cluster as a process of its own, and wait until it is ready or has failed."""
    home.make()
    if home.running():
        with home.hold():  # says who has it
            pass
    reading, writing = os.pipe()
    home.log.touch(mode=0o600)
    with home.log.open("wb") as log:
        child = subprocess.Popen(
            [sys.executable, "-m", "kubewright", "cluster", "up", *words],
            stdin=subprocess.DEVNULL,
            stdout=log,
            stderr=log,
            env={**os.environ, _READY: str(writing)},
            pass_fds=[writing],
            start_new_session=True,
        )
    os.close(writing)
    with os.fdopen(reading) as ready:
        answer = ready.read()
    said = home.log.read_text(errors="replace").strip()
    if answer != "ready":
        child.wait()
        print(said or f"kubewright: the cluster ended with code {child.returncode}.", file=sys.stderr)
        return 2
    print(said)
    return 0
