"""Which JSON values a schema's `type` and `format` let in.

The rules are the server's and have corners: a float without fraction is an integer, a format on a string lets lists
through the type check, and where a format is given the message names it in place of the type.
"""

from math import inf, isfinite, trunc

__all__ = ["is_integral", "kind_of", "mismatch"]

# What Go calls the decoded values, and the format it infers for numbers.
_NAMES: dict[type, tuple[str, str]] = {
    str: ("string", ""),
    bool: ("boolean", ""),
    int: ("integer", "int64"),
    float: ("number", "float64"),
    list: ("array", ""),
    dict: ("object", ""),
}

_SAFE = float(2**53 - 1)


def kind_of(value: object) -> type:
    """The plain type of a JSON value, also where it is a subclass of one."""
    for kind in _NAMES:
        if isinstance(value, kind):
            return bool if isinstance(value, bool) else kind
    return type(value)


def is_integral(value: float) -> bool:
    """Say whether the server takes a float for an integer: within 53 bits and, relatively, near to a whole number."""
    if not isfinite(value) or abs(value) > _SAFE:
        return False
    whole = trunc(value)
    if value == whole:
        return True
    # The server compares with the unsigned conversion, so the tolerance exists for positive numbers only.
    return value > 1 and (value - whole) / min(value + whole, inf) < 1e-9


def mismatch(types: tuple[str, ...], format_: str, value: object, kind: type) -> tuple[str, str] | None:
    """Return what the schema wanted and what came, if a value that is not null fails the type check."""
    if not types and not format_:
        return None
    name, inferred = _NAMES.get(kind, ("", ""))
    textual = kind is str or kind is list
    numeric = "number" in types or "integer" in types
    fits = (
        name in types
        or (kind is int and "number" in types)
        or (isinstance(value, float) and "integer" in types and is_integral(value))
    )
    if format_ and not textual and not fits and inferred != format_:
        return format_, inferred
    if format_ and textual and not numeric:
        return None
    return None if fits else (",".join(types), name)
