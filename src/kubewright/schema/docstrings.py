"""Descriptions: the docstring of a class, and the string that stands under a field.

    class WebServerSpec(kw.Model):
        replicas: int = 1
        \"\"\"How many pods serve.\"\"\"

Python keeps the first and throws the second away, so it is read from the source. Where there is no source (an image
with only compiled files) there are no field descriptions, and everything else works.
"""

import ast
import contextlib
import inspect
import sys
from functools import lru_cache
from itertools import pairwise

from kubewright.schema.syntax import parse

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
        lines, _ = inspect.findsource(sys.modules[cls.__module__])
    except (OSError, TypeError, KeyError):
        return {}
    return _described("".join(lines)).get(cls.__qualname__, {})


@lru_cache(8)  # a module of hundreds of classes is parsed once, not once a class
def _described(source: str) -> dict[str, dict[str, str]]:
    """Class, by its qualified name → field → text, for a module."""
    found: dict[str, dict[str, str]] = {}

    def visit(node: ast.AST, prefix: str) -> None:
        for child in ast.iter_child_nodes(node):
            if isinstance(child, ast.ClassDef):
                found.setdefault(f"{prefix}{child.name}", _strings(child.body))
                visit(child, f"{prefix}{child.name}.")
            elif isinstance(child, ast.FunctionDef | ast.AsyncFunctionDef):
                visit(child, f"{prefix}{child.name}.<locals>.")
            else:
                visit(child, prefix)

    with contextlib.suppress(SyntaxError):
        visit(parse(source), "")
    return found


def _strings(body: list[ast.stmt]) -> dict[str, str]:
    """Field → the string under it."""
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
