"""The root of every error this project raises on purpose.

A `KubewrightError` is written for the person who reads it: one sentence that says what is wrong, where, and what to
do. The command line prints it as it is, with no traceback; anything that is not one is a bug of ours.
"""

__all__ = ["KubewrightError", "called"]

#: Of what has no name so much is shown.
_SHOWN = 60


class KubewrightError(Exception):
    """Something a user can put right: bad input, a contradictory definition, a missing part."""


def called(value: object) -> str:
    """What a sentence calls a value: a class or a function by its name, anything else as Python shows it, cut short."""
    name = getattr(value, "__name__", None)
    if callable(value) and isinstance(name, str):
        return name
    text = repr(value)
    return text if len(text) <= _SHOWN else f"{text[:_SHOWN]}…"
