"""How a kind is scaled: where it says how many there are to be, how many there are, and which they are.

What is spoken at `/scale` is an `autoscaling/v1` Scale; a shape makes one of an object and writes one back into it.
"""

from typing import Any, Final, NamedTuple, Protocol

from kubewright.schema.walk.errors import FieldError

__all__ = ["META", "ScaleShape", "Sizes", "scale_document"]

Document = dict[str, Any]

#: What a Scale tells of the metadata of its object.
META: Final = ("name", "namespace", "uid", "resourceVersion", "creationTimestamp")


class Sizes(NamedTuple):
    """How many replicas are wanted, None if the object does not say; how many there are; the selector as a text."""

    wanted: int | None
    found: int
    selector: str


class ScaleShape(Protocol):
    """The scale of one kind."""

    def read(self, obj: Document) -> Sizes:
        """The sizes of an object; ValueError says, in the server's words, why it has none."""

    def write(self, obj: Document, wanted: int) -> None:
        """Say in an object, in place, how many replicas are wanted."""

    def check(self, scale: Document) -> list[FieldError]:
        """What is wrong with a Scale, before it is written into an object."""

    #: How messages call what says how many are wanted.
    place: str


def scale_document(obj: Document, sizes: Sizes) -> Document:
    """The Scale of an object."""
    status: Document = {"replicas": sizes.found}
    if sizes.selector:
        status["selector"] = sizes.selector
    meta = {name: obj["metadata"][name] for name in META if name in obj["metadata"]}
    return {
        "kind": "Scale",
        "apiVersion": "autoscaling/v1",
        "metadata": meta,
        "spec": {"replicas": sizes.wanted or 0},
        "status": status,
    }
