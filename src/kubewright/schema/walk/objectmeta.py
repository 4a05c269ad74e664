"""Object metadata, decoded as the server decodes it.

The server reads metadata into a typed structure and writes it back, so unknown fields go, nulls and empty values
vanish, and times are brought to UTC seconds. `decode` does the same; what cannot be read is told in the words of Go's
decoder, which meets the fields in the order of their names and reports the first it cannot read.
"""

from collections.abc import Callable
from dataclasses import dataclass

from kubewright.schema.walk.golang import INT64_MAX, INT64_MIN, marshal
from kubewright.schema.walk.timestamp import ZERO_TIME, TimestampError, normalise

__all__ = ["DecodeError", "Decoded", "decode"]


class DecodeError(ValueError):
    """Metadata of the wrong shape; the text is the one Go's decoder gives."""


@dataclass(frozen=True, slots=True)
class Decoded:
    """Metadata as the server holds it, and the paths of the fields it does not know."""

    meta: dict[str, object]
    unknown: list[str]


def decode(value: object, *, lenient: bool = False) -> Decoded:
    """Read metadata; `lenient` drops fields that cannot be read instead of raising `DecodeError`."""
    reader = _Reader()
    if not lenient or not isinstance(value, dict):
        return Decoded(reader.structure(value, _META, _Place("", "", "")), reader.unknown)
    meta: dict[str, object] = {}
    for name in sorted(value):
        known = len(reader.unknown)
        try:
            meta |= reader.structure({name: value[name]}, _META, _Place("", "", ""))
        except DecodeError:
            del reader.unknown[known:]
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
    """Reads values and remembers the unknown fields on the way."""

    def __init__(self) -> None:
        self.unknown: list[str] = []

    def structure(self, value: object, structure: _Structure, place: _Place) -> dict[str, object]:
        out: dict[str, object] = dict.fromkeys(structure.always, "")
        if value is None:
            return out
        if not isinstance(value, dict):
            raise _wrong(value, f"v1.{structure.name}", place)
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


def _string(_: _Reader, value: object, place: _Place) -> object:
    if not isinstance(value, str):
        raise _wrong(value, "string", place)
    return value or _ABSENT


def _flag(_: _Reader, value: object, place: _Place) -> object:
    if not isinstance(value, bool):
        raise _wrong(value, "bool", place)
    return value


def _pointed_int(_: _Reader, value: object, place: _Place) -> object:
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    if isinstance(value, bool) or not isinstance(value, int) or not INT64_MIN <= value <= INT64_MAX:
        raise _wrong(value, "int64", place)
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


def _text(value: object, place: _Place) -> str:
    """A string inside a list or map, where null reads as empty."""
    if not isinstance(value, str | None):
        raise _wrong(value, "string", place)
    return value or ""


def _text_map(_: _Reader, value: object, place: _Place) -> object:
    if not isinstance(value, dict):
        raise _wrong(value, "map[string]string", place)
    return {name: _text(value[name], place) for name in sorted(value)} or _ABSENT


def _texts(_: _Reader, value: object, place: _Place) -> object:
    if not isinstance(value, list):
        raise _wrong(value, "[]string", place)
    return [_text(item, place) for item in value] or _ABSENT


def _structures(structure: _Structure) -> _Read:
    def read(reader: _Reader, value: object, place: _Place) -> object:
        if not isinstance(value, list):
            raise _wrong(value, f"[]v1.{structure.name}", place)
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


_OWNER_REFERENCE = _Structure(
    "OwnerReference",
    {
        "apiVersion": _string,
        "blockOwnerDeletion": _flag,
        "controller": _flag,
        "kind": _string,
        "name": _string,
        "uid": _string,
    },
    always=("apiVersion", "kind", "name", "uid"),
)

_MANAGED_FIELDS = _Structure(
    "ManagedFieldsEntry",
    {
        "apiVersion": _string,
        "fieldsType": _string,
        "fieldsV1": _raw,
        "manager": _string,
        "operation": _string,
        "subresource": _string,
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
        "generateName": _string,
        "generation": _int,
        "labels": _text_map,
        "managedFields": _structures(_MANAGED_FIELDS),
        "name": _string,
        "namespace": _string,
        "ownerReferences": _structures(_OWNER_REFERENCE),
        "resourceVersion": _string,
        "selfLink": _string,
        "uid": _string,
    },
)
