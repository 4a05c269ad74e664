"""What changed in a part that may not change, as the server shows it: lines of its inner type, before and after."""

import json
from difflib import unified_diff
from typing import Any

from kubewright.cluster.registry.rules.inner import inner_text

__all__ = ["difference"]

_ESCAPED = str.maketrans({"<": "\\u003c", ">": "\\u003e", "&": "\\u0026"})


def difference(old: Any, new: Any, kind: str) -> str:
    """The lines in which two values of a type, such as `core/v1.PodSpec`, differ, each with three around it."""
    before, after = (
        json.dumps(json.loads(inner_text(value, kind)), indent=1, ensure_ascii=False).translate(_ESCAPED)
        for value in (old, new)
    )
    lines = [*unified_diff(before.split("\n"), after.split("\n"), lineterm="")]
    return "".join(f"{line}\n" for line in lines[2:])  # the first two would name files
