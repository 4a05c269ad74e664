"""YAML in a request, read and refused as the server does: YAML 1.1 by way of JSON.

    decode_yaml(body: bytes) -> tuple[value, repeated]        # in steps; Unreadable

The first document counts, whatever follows. `repeated` has one line for each key that is set twice, in the words of the
server's reader; the last value wins.
"""

import re
from collections.abc import Generator
from typing import Any, Final

import yaml

from kubewright.cluster.wire.unreadable import Unreadable
from kubewright.model.documents import MAX_DEPTH, DocumentError
from kubewright.model.yaml import load_first_yaml
from kubewright.schema.walk.golang import show

__all__ = ["decode_yaml"]

#: So many events are looked at in one step.
_FEW: Final = 500
_MEANINGLESS: Final = {
    re.compile("aliases expand to"): "document contains excessive aliasing",
    re.compile("the value of anchor ('.*') contains itself"): r"anchor \1 value contains itself",
    re.compile("no anchor named ('.*') comes before"): r"unknown anchor \1 referenced",
    re.compile("a merge key takes a mapping"): "map merge requires map or sequence of maps as the value",
}


def decode_yaml(body: bytes) -> Generator[None, None, tuple[Any, list[str]]]:
    """The value of the first document, None if there is none, and what is set twice in it; in steps."""
    try:
        value, repeated = yield from load_first_yaml(body, "yaml")
    except DocumentError as error:
        raise Unreadable((yield from _complaint(body)) or _meaningless(str(error))) from None
    return value, [f"line {line}: key {show(key)} already set in map" for line, key in repeated]


def _meaningless(told: str) -> str:
    """What the server says of a text that is YAML and means nothing for all that; ours where it has no such case."""
    for ours, theirs in _MEANINGLESS.items():
        if found := ours.search(told):
            return "yaml: " + found.expand(theirs)
    return told.replace(",", ":", 1)


def _complaint(body: bytes) -> Generator[None, None, str | None]:
    """What is wrong with the text itself, by the server's rules for when a line is told."""
    depth = 0
    try:
        for count, event in enumerate(yaml.parse(body, Loader=yaml.CLoader), 1):
            if count % _FEW == 0:
                yield
            depth += isinstance(event, yaml.CollectionStartEvent) - isinstance(event, yaml.CollectionEndEvent)
            # Deeper, it is refused for that, and the reader's time would grow with the square of the depth.
            if isinstance(event, yaml.DocumentEndEvent) or depth > MAX_DEPTH:
                break
    except yaml.MarkedYAMLError as error:
        line = error.problem_mark.line if error.problem_mark else 0
        if line and isinstance(error, yaml.scanner.ScannerError):
            line += 1
        elif not line and error.context_mark:
            line = error.context_mark.line
        return f"yaml: line {line}: {error.problem}" if line else f"yaml: {error.problem}"
    except yaml.reader.ReaderError as error:
        return f"yaml: {error.reason}"
    return None
