"""What Go calls a JSON value where it may be anything: messages name types so."""

from typing import Final

__all__ = ["go_type"]

_NAMES: Final[dict[type, str]] = {
    bool: "bool",
    dict: "map[string]interface {}",
    float: "float64",
    int: "int64",
    list: "[]interface {}",
    str: "string",
    type(None): "<nil>",
}


def go_type(value: object) -> str:
    """`%T` of a JSON value."""
    return _NAMES[type(value)]
