"""The root of every error this project raises on purpose.

A `KubewrightError` is written for the person who reads it: one sentence that says what is wrong, where, and what to
do. The command line prints it as it is, with no traceback; anything that is not one is a bug of ours.
"""

__all__ = ["KubewrightError"]


class KubewrightError(Exception):
    """Something a user can put right: bad input, a contradictory definition, a missing part."""
