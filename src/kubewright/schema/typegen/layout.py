"""Python expressions and docstrings, laid out over lines as a formatter would."""

import json
import re
import textwrap
from typing import Any

import msgspec

from kubewright.schema.docstrings import flow

__all__ = ["WIDTH", "Group", "Node", "docstring", "flat", "is_prose", "lay", "literal", "text"]

WIDTH = 120


class Group(msgspec.Struct):
    """An expression in brackets, which may be laid out over several lines."""

    open: str
    parts: "list[Node]"
    close: str


Node = str | Group


def literal(value: Any) -> Node:
    """A JSON value as Python writes it."""
    if isinstance(value, dict):
        return Group("{", [Group(f"{text(key)}: ", [literal(each)], "") for key, each in value.items()], "}")
    if isinstance(value, list):
        return Group("[", [literal(each) for each in value], "]")
    return text(value) if isinstance(value, str) else repr(value)


def text(value: str) -> str:
    """A string literal in double quotes; raw where that saves the reader backslashes."""
    if "\\" in value and '"' not in value and not value.endswith("\\") and value.isprintable():
        return f'r"{value}"'
    said = json.dumps(value, ensure_ascii=False) if value.isprintable() and "\\" not in value else ""
    if said and value.count('"') > value.count("'"):
        said = ""
    if not said:
        said = repr(value)
        if said.startswith("'") and '"' not in value:
            said = f'"{said[1:-1]}"'
    return said


def flat(node: Node) -> str:
    """The expression on one line."""
    if isinstance(node, str):
        return node
    return node.open + ", ".join(flat(part) for part in node.parts) + node.close


def lay(node: Node, indent: int, before: int = 0, after: int = 0, *, spread: bool = False) -> str:
    """The expression on one line if it fits between what stands before and after it, else over several.

    As a formatter does it: what is in the brackets goes to a line of its own if it fits there, else each part does;
    with `spread`, each part does in any case.
    """
    line = flat(node)
    if indent + before + len(line) + after <= WIDTH or isinstance(node, str) or not node.parts:
        return line
    if not node.open.endswith(("(", "[", "{")):  # a name, then its value
        return node.open + lay(node.parts[0], indent, before + len(node.open), after)
    inner = indent + 4
    pad, end = " " * inner, " " * indent
    if node.close.endswith(" | None"):
        bare = Group(node.open, node.parts, node.close.removesuffix(" | None"))
        return f"(\n{pad}{lay(bare, inner)}\n{pad}| None\n{end})"
    joined = ", ".join(flat(part) for part in node.parts)
    if not spread and inner + len(joined) <= WIDTH:
        return f"{node.open}\n{pad}{joined}\n{end}{node.close}"
    body = "".join(f"{pad}{lay(part, inner, after=1)},\n" for part in node.parts)
    return f"{node.open}\n{body}{end}{node.close}"


def is_prose(words: str) -> bool:
    """Whether a docstring can hold these words: printable, and flowing back to themselves."""
    return flow(words) == words and words.replace("\n", "").isprintable()


def docstring(words: str, indent: int) -> str:
    """A docstring that flows back to the words."""
    safe = words.replace("\\", "\\\\").replace('"""', '\\"\\"\\"')
    safe = re.sub(r'"$', '\\"', safe)
    if len(safe) + indent + 6 <= WIDTH and "\n" not in safe:
        return f'"""{safe}"""'
    fill = textwrap.TextWrapper(WIDTH - indent, break_long_words=False, break_on_hyphens=False)
    first, *rest = safe.split("\n\n")
    fill.initial_indent = '"""'
    paragraphs = [fill.fill(first)]
    fill.initial_indent = ""
    paragraphs += [fill.fill(paragraph) for paragraph in rest]
    return "\n\n".join(paragraphs) + '\n"""'
