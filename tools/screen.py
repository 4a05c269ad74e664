"""Where a story is told: on a terminal the last lines live, anywhere else everything is printed once, in order."""

import sys
from collections.abc import Sequence
from shutil import get_terminal_size
from typing import TextIO

__all__ = ["Screen"]


class Screen:
    """A terminal, or a file."""

    def __init__(self, out: TextIO | None = None) -> None:
        self._out = out if out is not None else sys.stdout
        #: Whether lines can be drawn again.
        self.live = self._out.isatty()
        self._drawn = 0

    def say(self, text: str = "", *, bold: bool = False) -> None:
        """Print for good; what was drawn stays above."""
        self._drawn = 0
        if self.live and bold:
            text = f"\033[1m{text}\033[0m"
        print(text, file=self._out, flush=True)

    def draw(self, lines: Sequence[str]) -> None:
        """Show lines in place of those drawn before; only a terminal can."""
        if not self.live:
            return
        width, height = get_terminal_size()
        shown = [line[: width - 1] + "…" if len(line) > width else line for line in lines]
        shown = shown[: max(1, height - 2)]
        up = f"\033[{self._drawn}A" if self._drawn else ""
        print(up + "".join(f"\033[2K{line}\n" for line in shown) + "\033[J", end="", file=self._out, flush=True)
        self._drawn = len(shown)

    def settle(self, lines: Sequence[str]) -> None:
        """Show lines for good, in place of those drawn before."""
        self.draw(lines)
        self._drawn = 0
        if not self.live:
            self.say("\n".join(lines))
