"""How large an object may be: as large as etcd takes, so that nothing works here that fails there.

kube-apiserver asks etcd in one message to put the object if its key is still at a revision. Its client sends none that
is longer than two MiB, and etcd takes none that is longer than one and a half. What is counted is the object as it is
stored: JSON for custom resources, their definitions and APIServices. Of all other kinds that is protobuf, shorter than
what is stored here; they are not weighed.
"""

from typing import Final

__all__ = ["FITS", "overweight"]

_MESSAGE: Final = 2 * 1024 * 1024  # bytes, of the client
_REQUEST: Final = 3 * 512 * 1024  # bytes, of etcd
_PREFIX: Final = len("/registry")
#: What etcd puts around a message: the number of a request, and how long the message is.
_HEADER: Final = 17
#: An object of so many bytes fits, whatever it is called.
FITS: Final = _REQUEST - 4096


def overweight(key: str, expected: int, size: int) -> str:
    """What is said of an object of `size` bytes that is to replace the one of a revision; nothing if it fits."""
    length = _PREFIX + len(key.encode())
    compare = _field(2 + _field(length) + 1 + _varint(expected))  # it has a target, a key and a revision
    put = _field(length) + _field(size)
    read = _field(_field(_field(length))) if expected else 0  # what is there, should it be another revision
    message = compare + _field(_field(put)) + read
    if message > _MESSAGE:
        why = f"trying to send message larger than max ({message} vs. {_MESSAGE})"
        return f"rpc error: code = ResourceExhausted desc = {why}"
    return "etcdserver: request is too large" if message + _HEADER > _REQUEST else ""


def _varint(number: int) -> int:
    """How many bytes a number takes."""
    return max(1, (number.bit_length() + 6) // 7)


def _field(size: int) -> int:
    """How many bytes a field of so many bytes takes, its number and its length included."""
    return 1 + _varint(size) + size
