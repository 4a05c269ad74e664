"""What changed in a part of an object that may not change: a unified diff of what the inner types print."""

import json
from collections.abc import Iterator
from difflib import unified_diff
from itertools import islice
from typing import Any

from kubewright.cluster.registry.rules.inner import inner_text

__all__ = ["inner_difference"]

#: encoding/json keeps its output safe inside HTML and JavaScript.
_UNSAFE = str.maketrans({char: f"\\u{ord(char):04x}" for char in "<>&\u2028\u2029"})


def inner_difference(old: Any, new: Any, kind: str) -> str:
    """What is between two values of type `kind`, with three lines around each change."""
    lines = [*_lines(old, kind)], [*_lines(new, kind)]
    return "".join(islice(unified_diff(*lines), 2, None))  # without the names of files


def _lines(value: Any, kind: str) -> Iterator[str]:
    text = json.dumps(json.loads(inner_text(value, kind)), indent=1, ensure_ascii=False)
    return (f"{line}\n" for line in text.translate(_UNSAFE).split("\n"))
