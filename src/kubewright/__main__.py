"""`python -m kubewright` is `kubewright`, and this is where both begin.

A command takes its time to load, and whoever thinks better of it in that time wants no traceback: nothing is imported
before that is seen to.
"""

import os
import sys

__all__ = ["run"]


def run() -> int:
    """Run the command line; returns the exit code."""
    try:
        _fill_streams()
        from kubewright.cli.main import main

        return main()
    except KeyboardInterrupt:
        return 130


def _fill_streams() -> None:
    """Have something behind each standard stream: a socket that gets its number ends the process (libuv insists)."""
    for number, name in enumerate(("stdin", "stdout", "stderr")):
        try:
            os.fstat(number)
        except OSError:
            os.open(os.devnull, os.O_RDWR)  # gets the lowest number that is free, which is this one
            setattr(sys, name, os.fdopen(number, "w" if number else "r", encoding="utf-8"))


if __name__ == "__main__":
    sys.exit(run())
