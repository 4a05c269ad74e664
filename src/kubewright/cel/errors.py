"""Errors in an expression, told as kube-apiserver tells them: a line each, the source line, and a caret below it.

    ERROR: <input>:1:5: undefined field 'zz'
     | self.zz
     | ....^

The words and the layout are a contract: they come back in the refusal of a CustomResourceDefinition.
"""

from bisect import bisect_right
from collections.abc import Iterable

import msgspec

from kubewright.errors import KubewrightError

__all__ = ["ConstantError", "ExpressionError", "Issue", "Missing", "Unplaced", "render"]

# A place outside the text: of errors that concern the whole of it.
Unplaced = -1
# The place of what should be in the text and is not.
Missing = -2
_MOST_ISSUES = 100
# Lines longer than this (in bytes) are not shown.
_LONGEST_LINE = 16384


class Issue(msgspec.Struct, frozen=True, gc=False):
    """One thing that is wrong; `offset` counts code points, or is `Unplaced`."""

    offset: int
    message: str


class ExpressionError(KubewrightError):
    """The expression does not parse or does not type-check; as a string, every issue with its caret."""

    def __init__(self, issues: Iterable[Issue], text: str) -> None:
        self.issues = tuple(issues)
        self.text = text
        super().__init__(render(self.issues, text))


class ConstantError(KubewrightError):
    """A conversion of a constant that cannot succeed, in the server's words: no program can be made of it."""


def render(issues: Iterable[Issue], text: str) -> str:
    """The issues in the order of their places, at most a hundred of them."""
    # The offset of each line's first character: a line ends at a line feed and nothing else.
    starts = [0]
    position = text.find("\n")
    while position >= 0:
        starts.append(position + 1)
        position = text.find("\n", position + 1)
    reported = list(issues)
    placed = [(*_place(issue.offset, starts), issue.message) for issue in reported[:_MOST_ISSUES]]
    placed.sort(key=lambda one: one[:2])
    shown = [_show(line, column, message, text, starts) for line, column, message in placed]
    if len(reported) > _MOST_ISSUES:
        shown.append(f"{len(reported) - _MOST_ISSUES} more errors were truncated")
    return "\n".join(shown)


def _place(offset: int, starts: list[int]) -> tuple[int, int]:
    """Line (from 1) and column (from 0)."""
    if offset < 0:
        return (-1, -1) if offset == Unplaced else (1, -1)
    line = bisect_right(starts, offset)
    return line, offset - starts[line - 1]


def _show(line: int, column: int, message: str, text: str, starts: list[int]) -> str:
    head = f"ERROR: <input>:{line}:{column + 1}: {message}"
    if line < 1 or not text:
        return head
    end = starts[line] - 1 if line < len(starts) else len(text)
    source = text[starts[line - 1] : end]
    if len(source) * 4 > _LONGEST_LINE and len(source.encode(errors="surrogatepass")) > _LONGEST_LINE:
        return head
    source = source.replace("\t", " ")
    # Whatever is not ASCII is taken to be two columns wide, so it gets a full-width mark.
    marks = "".join(["." if char < "\x80" else "\uff0e" for char in source[: max(column, 0)]])
    column = max(column, 0)
    caret = "\uff3e" if column < len(source) and source[column] >= "\x80" else "^"
    return f"{head}\n | {source}\n | {marks}{caret}"
