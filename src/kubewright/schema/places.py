"""The `fieldPath` of a rule: `.spec.items['a.b']`, from where the rule stands."""

import re
from typing import Final

from kubewright.schema.expression import expression
from kubewright.schema.raw import Schema, has, properties, values_of

__all__ = ["place"]

_STEP: Final = expression(r"\.([^.\[\]]+|'(?:\\.|[^'])*')|\['((?:\\.|[^'\\])*)'\]")


def place(text: str, schema: Schema) -> str | None:
    """The path as field errors tell it, such as `spec.items[a.b]`; None if it leads nowhere in the schema."""
    node: Schema | None = schema
    told = ""
    at = 0
    while at < len(text):
        step = _STEP.match(text, at)
        if step is None or node is None:
            return None
        name = step[1] if step[2] is None else re.sub(r"\\(.)", r"\1", step[2])
        if node.get("properties"):
            node = dict(properties(node)).get(name)
            if node is None:
                return None
            told += f".{name}"
        elif has(node, "additionalProperties"):
            node = values_of(node)
            told += f"[{name}]"
        else:
            return None
        at = step.end()
    return told.removeprefix(".")
