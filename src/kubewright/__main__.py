"""`python -m kubewright` is `kubewright`, and this is where both begin.

A command takes its time to load, and whoever thinks better of it in that time wants no traceback: nothing is imported
before that is seen to.
"""

import sys

__all__ = ["run"]


def run() -> int:
    """Run the command line; returns the exit code."""
    try:
        from kubewright.cli.main import main

        return main()
    except KeyboardInterrupt:
        return 130


if __name__ == "__main__":
    sys.exit(run())
