"""A body that is no object: what the server's decoder says, before anybody knows what to make of it.

text_of(body: bytes) -> str        # with U+FFFD for every byte that is no UTF-8, as Go has it
"""

from typing import Any, Final

from kubewright.schema.expression import expression

__all__ = ["Unreadable", "text_of"]

_ESCAPED: Final = expression("[\udc80-\udcff]")


class Unreadable(Exception):
    """The text is what the decoder says. `document` is there if its kind could still be read off it."""

    def __init__(self, why: str, document: dict[str, Any] | None = None) -> None:
        super().__init__(why)
        self.document = document


def text_of(body: bytes) -> str:
    """The text of a body; every single byte that is not UTF-8 is replaced, where Python would take some together."""
    return _ESCAPED.sub("\ufffd", body.decode("utf-8", "surrogateescape"))
