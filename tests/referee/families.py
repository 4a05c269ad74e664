"""All scripts, by family: each module of `tests.referee.scripts` is one."""

import importlib
from functools import cache
from pathlib import Path
from typing import NamedTuple

from tests.referee.language import Script

__all__ = ["FOLDER", "Family", "families", "family", "scripts"]

FOLDER = Path(__file__).parent


class Family(NamedTuple):
    """Scripts that belong together.

    With `controllers`, on a server beside which the controllers run; with `sockets`, in real time.
    """

    name: str
    scripts: dict[str, Script]
    controllers: bool
    sockets: bool


@cache
def family(name: str) -> Family:
    """The family of that name."""
    module = importlib.import_module(f"tests.referee.scripts.{name}")
    found: dict[str, Script] = {}
    for script in module.SCRIPTS:
        if script.name in found:
            raise ValueError(f"{name} has two scripts called {script.name!r}")
        found[script.name] = script
    return Family(name, found, getattr(module, "CONTROLLERS", False), getattr(module, "SOCKETS", False))


def families() -> list[Family]:
    """All of them, by name."""
    return [family(path.stem) for path in sorted((FOLDER / "scripts").glob("*.py"))]


def scripts(chosen: str = "", *, controllers: bool | None = None, sockets: bool | None = None) -> dict[str, Script]:
    """The scripts of `family` or `family/part of a name`, or all, by `family/name`."""
    wanted, _, part = chosen.partition("/")
    return {
        f"{found.name}/{name}": script
        for found in families()
        if wanted in ("", found.name) and controllers in (None, found.controllers) and sockets in (None, found.sockets)
        for name, script in found.scripts.items()
        if part in name
    }
