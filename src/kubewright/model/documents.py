"""Documents from outside: JSON and YAML, read with one error that says where."""

import msgspec

from kubewright.errors import KubewrightError

__all__ = ["DocumentError", "load_json"]


class DocumentError(KubewrightError, ValueError):
    """Text that is not the JSON or YAML it should be; says where."""


def load_json(data: bytes | str, source: str = "document") -> object:
    """The value of a JSON text."""
    try:
        value: object = msgspec.json.decode(data)
    except (msgspec.DecodeError, RecursionError, UnicodeDecodeError) as error:
        raise DocumentError(f"{source}: not JSON: {error}") from error
    return value
