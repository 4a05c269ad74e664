"""Object metadata, decoded as the server decodes it.

The server reads metadata into a typed structure and writes it back, so unknown fields go, nulls and empty values
vanish, and times are brought to UTC seconds. `decode` does the same; what cannot be read is told in the words of Go's
decoder. It meets the fields in the order of their names; a value of the wrong type is remembered and told at the end,
unless a time that is none stops it before.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple

from kubewright.schema.walk.golang import INT64_MAX, INT64_MIN, marshal
from kubewright.schema.walk.timestamp import ZERO_TIME, TimestampError, normalise
from kubewright.schema.walk.values import stored

__all__ = ["DecodeError", "Decoded", "decode"]


class DecodeError(ValueError):
    """Metadata of the wrong shape; the text is the one Go's decoder gives."""


class Decoded(NamedTuple):
    """Metadata as the server holds it, and the paths of the fields it does not know."""

    meta: dict[str, object]
    unknown: list[str]


def decode(value: object, *, lenient: bool = False) -> Decoded:
    """Read metadata; `lenient` drops fields that cannot be read instead of raising `DecodeError`.

    What is in order as it is is given back itself, and no copy of it.
    """
    if type(value) is dict and _is_plain(value):
        return Decoded(value, [])
    if not lenient or not isinstance(value, dict):
        return _decode(value)
    meta: dict[str, object] = {}
    unknown: list[str] = []
    for name in sorted(value):
        try:
            part = _decode({name: value[name]})
        except DecodeError:
            continue
        meta |= part.meta
        unknown += part.unknown
    return Decoded(meta, unknown)


def _is_plain(meta: dict[str, object]) -> bool:
    """Whether metadata is what most new objects have, names and labels, and is written back as it is."""
    for name, value in meta.items():
        if not value:
            return False
        if name in _NAMES:
            if type(value) is not str:
                return False
        elif name not in _MAPS or type(value) is not dict or not _ONLY_TEXTS(map(type, value.values())):
            return False
    return True


def _decode(value: object) -> Decoded:
    reader = _Reader()
    meta = reader.structure(value, _META, _Place("", "", ""))
    if reader.error is not None:
        raise reader.error
    return Decoded(meta, reader.unknown)


@dataclass(frozen=True, slots=True)
class _Place:
    """Where a value stands: as the decoder's error names it, the same without the structure, and with indexes."""

    field: str
    way: str
    path: str


_Read = Callable[["_Reader", object, _Place], object]
_ABSENT = object()
"""What a reader returns for a value that is not written back."""


@dataclass(frozen=True, slots=True)
class _Structure:
    name: str
    fields: dict[str, _Read]
    always: tuple[str, ...] = ()
    """Fields that are written back even when empty."""


class _Reader:
    """Reads values and remembers, on the way, the unknown fields and the first value of a wrong type."""

    def __init__(self) -> None:
        self.unknown: list[str] = []
        self.error: DecodeError | None = None

    def refuse(self, value: object, wanted: str, place: _Place) -> object:
        """Note that a value is not what was wanted."""
        self.error = self.error or _wrong(value, wanted, place)
        return _ABSENT

    def structure(self, value: object, structure: _Structure, place: _Place) -> dict[str, object]:
        out: dict[str, object] = dict.fromkeys(structure.always, "")
        if value is None:
            return out
        if not isinstance(value, dict):
            self.refuse(value, f"v1.{structure.name}", place)
            return out
        for name in sorted(value):
            path = f"{place.path}.{name}" if place.path else name
            if name not in structure.fields:
                self.unknown.append(path)
                continue
            way = f"{place.way}.{name}" if place.way else name
            member = value[name]
            if member is not None:
                member = structure.fields[name](self, member, _Place(f"{structure.name}.{way}", way, path))
                if member is not _ABSENT:
                    out[name] = member
        return out


def _string(type_: str) -> _Read:
    def read(reader: _Reader, value: object, place: _Place) -> object:
        return (value or _ABSENT) if isinstance(value, str) else reader.refuse(value, type_, place)

    return read


def _flag(reader: _Reader, value: object, place: _Place) -> object:
    return value if isinstance(value, bool) else reader.refuse(value, "bool", place)


def _pointed_int(reader: _Reader, value: object, place: _Place) -> object:
    if isinstance(value, float):
        value = stored(value)
    if isinstance(value, bool) or not isinstance(value, int) or not INT64_MIN <= value <= INT64_MAX:
        return reader.refuse(value, "int64", place)
    return value


def _int(reader: _Reader, value: object, place: _Place) -> object:
    return _pointed_int(reader, value, place) or _ABSENT


def _pointed_time(_: _Reader, value: object, place: _Place) -> object:
    if not isinstance(value, str):
        raise _wrong(value, "string", place)
    try:
        time = normalise(value)
    except TimestampError as error:
        raise DecodeError(str(error)) from None
    return None if time == ZERO_TIME else time


def _time(reader: _Reader, value: object, place: _Place) -> object:
    return _pointed_time(reader, value, place) or _ABSENT


def _raw(_: _Reader, value: object, __: _Place) -> object:
    return value


def _text(reader: _Reader, value: object, place: _Place) -> object:
    """A string inside a list or map, where null reads as empty."""
    return value or "" if isinstance(value, str | None) else reader.refuse(value, "string", place)


def _text_map(reader: _Reader, value: object, place: _Place) -> object:
    if not isinstance(value, dict):
        return reader.refuse(value, "map[string]string", place)
    return {name: _text(reader, value[name], place) for name in sorted(value)} or _ABSENT


def _texts(reader: _Reader, value: object, place: _Place) -> object:
    if not isinstance(value, list):
        return reader.refuse(value, "[]string", place)
    return [_text(reader, item, place) for item in value] or _ABSENT


def _structures(structure: _Structure) -> _Read:
    def read(reader: _Reader, value: object, place: _Place) -> object:
        if not isinstance(value, list):
            return reader.refuse(value, f"[]v1.{structure.name}", place)
        places = (_Place(place.field, place.way, f"{place.path}[{index}]") for index in range(len(value)))
        return [reader.structure(item, structure, at) for item, at in zip(value, places, strict=True)] or _ABSENT

    return read


def _wrong(value: object, wanted: str, place: _Place) -> DecodeError:
    words = {str: "string", bool: "bool", int: "number", float: "number", dict: "object", list: "array"}
    got = words.get(type(value), type(value).__name__)
    if got == "number" and wanted == "int64":
        got = f"number {marshal(value)}"
    into = f"Go struct field {place.field} of type {wanted}" if place.field else f"Go value of type {wanted}"
    return DecodeError(f"json: cannot unmarshal {got} into {into}")


_NAMES = frozenset(("generateName", "name", "namespace", "resourceVersion", "uid"))
_MAPS = frozenset(("annotations", "labels"))
_ONLY_TEXTS = frozenset((str,)).issuperset

_OWNER_REFERENCE = _Structure(
    "OwnerReference",
    {
        "apiVersion": _string("string"),
        "blockOwnerDeletion": _flag,
        "controller": _flag,
        "kind": _string("string"),
        "name": _string("string"),
        "uid": _string("types.UID"),
    },
    always=("apiVersion", "kind", "name", "uid"),
)

_MANAGED_FIELDS = _Structure(
    "ManagedFieldsEntry",
    {
        "apiVersion": _string("string"),
        "fieldsType": _string("string"),
        "fieldsV1": _raw,
        "manager": _string("string"),
        "operation": _string("v1.ManagedFieldsOperationType"),
        "subresource": _string("string"),
        "time": _pointed_time,
    },
)

_META = _Structure(
    "ObjectMeta",
    {
        "annotations": _text_map,
        "creationTimestamp": _time,
        "deletionGracePeriodSeconds": _pointed_int,
        "deletionTimestamp": _pointed_time,
        "finalizers": _texts,
        "generateName": _string("string"),
        "generation": _int,
        "labels": _text_map,
        "managedFields": _structures(_MANAGED_FIELDS),
        "name": _string("string"),
        "namespace": _string("string"),
        "ownerReferences": _structures(_OWNER_REFERENCE),
        "resourceVersion": _string("string"),
        "selfLink": _string("string"),
        "uid": _string("types.UID"),
    },
)
