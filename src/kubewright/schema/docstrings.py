"""Descriptions: the docstring of a class, and the string that stands under a field.

    class WebServerSpec(kw.Model):
        replicas: int = 1
        \"\"\"How many pods serve.\"\"\"

Python keeps the first and throws the second away, so it is read from the source. Where there is no source (an image
with only compiled files) there are no field descriptions, and everything else works.
"""

import ast
import inspect
import textwrap
from itertools import pairwise

__all__ = ["class_description", "field_descriptions", "flow", "trim"]


def class_description(cls: type) -> str:
    """The class's own docstring as one flowing text; paragraphs stay apart."""
    return flow(vars(cls).get("__doc__") or "")


def field_descriptions(cls: type) -> dict[str, str]:
    """Field name → the string under it in the class body."""
    if "__field_docs__" not in vars(cls):
        setattr(cls, "__field_docs__", _read(cls))  # noqa: B010  (mypy knows no such attribute)
    found: dict[str, str] = vars(cls)["__field_docs__"]
    return found


def trim(text: str, limit: int | None) -> str:
    """At most `limit` characters, cut after a sentence if one ends in time, else after a word."""
    if limit is None or len(text) <= limit:
        return text
    cut = text[: limit + 1]
    sentence = max(cut.rfind(mark) for mark in (". ", ".\n"))
    if sentence > 0:
        return cut[: sentence + 1]
    word = cut.rfind(" ")
    return cut[:word] if word > 0 else text[:limit]


def _read(cls: type) -> dict[str, str]:
    try:
        tree = ast.parse(textwrap.dedent(inspect.getsource(cls)))
    except (OSError, TypeError, SyntaxError):
        return {}
    body = next((node.body for node in tree.body if isinstance(node, ast.ClassDef)), [])
    found = {}
    for statement, following in pairwise(body):
        if not (isinstance(statement, ast.AnnAssign) and isinstance(statement.target, ast.Name)):
            continue
        if isinstance(following, ast.Expr) and isinstance(following.value, ast.Constant):
            text = following.value.value
            if isinstance(text, str):
                found[statement.target.id] = flow(text)
    return found


def flow(text: str) -> str:
    """A docstring as the text it stands for: lines run on, paragraphs stay apart."""
    paragraphs = inspect.cleandoc(text).split("\n\n")
    return "\n\n".join(" ".join(paragraph.split()) for paragraph in paragraphs).strip()
