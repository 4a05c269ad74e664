"""What the real server answered, kept: one file a family, one line a step, so that a change reads as one."""

import json
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

from tests.referee.families import FOLDER
from tests.referee.language import Script
from tests.referee.run import Transcript

__all__ = ["Stale", "recorded", "write"]

RECORDED = FOLDER / "recorded"


class Stale(Exception):
    """There is no recording of this script as it is now."""


def recorded(key: str, script: Script) -> Transcript:
    """What the real server answered to a script."""
    family, _, name = key.partition("/")
    kept = _load(RECORDED / f"{family}.json").get(name)
    if kept is None or kept["script"] != script.digest:
        how = f"run `python -m tools.referee record {family}` where there are real servers"
        raise Stale(f"{key} {'has changed since it was recorded' if kept else 'was never recorded'}: {how}")
    steps: Transcript = kept["steps"]
    return steps


def write(family: str, answers: Mapping[str, tuple[Script, Transcript]], all_names: set[str]) -> None:
    """Keep the answers to scripts of a family; what it no longer has is dropped."""
    path = RECORDED / f"{family}.json"
    kept = {name: value for name, value in _load(path).items() if name in all_names}
    for name, (script, steps) in answers.items():
        kept[name] = {"script": script.digest, "steps": steps}
    parts = []
    for name in sorted(kept):
        lines = ",\n".join(f"    {_line(step)}" for step in kept[name]["steps"])
        parts.append(
            f'  {_line(name)}: {{\n   "script": {_line(kept[name]["script"])},\n   "steps": [\n{lines}\n   ]\n  }}'
        )
    path.write_text("{\n" + ",\n".join(parts) + "\n}\n")
    _load.cache_clear()


@cache
def _load(path: Path) -> dict[str, Any]:
    return dict(json.loads(path.read_text())) if path.exists() else {}


def _line(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))
