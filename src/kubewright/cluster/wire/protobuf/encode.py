"""Objects of Go types become messages: the way back of `decode`.

What is not in the object is not in the message. The server writes more than that, every field that is no pointer, even
if it is zero; who reads it cannot tell.
"""

from binascii import a2b_base64
from collections.abc import Callable, Generator
from functools import cache
from struct import pack
from typing import Any, Final

import msgspec

from kubewright.cluster.wire.protobuf.decode import WRAPPED
from kubewright.cluster.wire.protobuf.scan import FIXED64, LENGTH, VARINT
from kubewright.cluster.wire.protobuf.special import AS_JSON, PACK
from kubewright.cluster.wire.protobuf.write import message, number, sized, tag
from kubewright.cluster.wire.types import Slot, Table, Type, UnknownType, table
from kubewright.model.ordered import encode_in_steps as json_in_steps
from kubewright.model.parts import MOST, is_light, parts

__all__ = ["Encoders", "encoders"]

#: The bytes of a value, without its length.
Encode = Callable[[Any], bytes]
#: The bytes of a field, tag included.
Write = Callable[[Any], bytes]

_EITHER: Final = "apiextensions/v1.JSONSchemaPropsOr"


class Encoders:
    """The encoders of all types, made as they are needed."""

    def __init__(self, types: Table) -> None:
        self._types = types
        self._made: dict[str, Encode] = {}

    def of(self, target: Type) -> Encode:
        """The encoder of a struct."""
        found = self._made.get(target.name)
        if found is None:
            found = self._made[target.name] = self._struct(target)
        return found

    def encode_in_steps(self, target: Type, obj: dict[str, Any], most: int = MOST) -> Generator[None, None, bytes]:
        """The message of a large struct."""
        encode = self.of(target)
        if is_light(obj, most):
            return encode(obj)
        slots = {slot.field.name: slot for slot in self._types.slots(target.name) if slot.field is not None}
        pieces: list[bytes] = []
        for name, value in obj.items():
            if name not in slots:
                continue
            if is_light(value, most):
                pieces.append(encode({name: value}))
            else:
                yield  # to weigh it took its time
                yield from self._write_in_steps(encode, slots[name], value, pieces, most)
        # What is inlined stands behind all else.
        pieces.append(encode({name: value for name, value in obj.items() if name not in slots}))
        yield
        return b"".join(pieces)

    def _write_in_steps(
        self, encode: Encode, slot: Slot, value: Any, pieces: list[bytes], most: int
    ) -> Generator[None, None, None]:
        """Add what a field with much in it is in the message of its struct, which is what `encode` makes."""
        assert slot.field is not None, "what is inlined has no name"
        name, target = slot.field.name, slot.type.item if slot.type.kind == "ptr" else slot.type
        assert target is not None
        head = tag(slot.number, LENGTH)
        if self._is_plain(target):
            pieces += [head, sized((yield from self.encode_in_steps(target, value, most)))]
        elif target.name in AS_JSON:
            text = yield from json_in_steps(value, msgspec.json.encode, ordered=False)
            pieces += [head, sized(message(text))]
        elif target.item is not None and not target.special and target.name not in WRAPPED:
            is_map = target.kind == "map"
            for part, key, _ in parts(dict(sorted(value.items())) if is_map else value, most):
                if key is None:
                    pieces.append(encode({name: part}))
                elif is_map or not self._is_plain(target.item):
                    pieces.append(encode({name: {key: part} if is_map else [part]}))
                else:
                    pieces += [head, sized((yield from self.encode_in_steps(target.item, part, most)))]
                yield
        else:
            pieces.append(encode({name: value}))
        yield

    def _is_plain(self, target: Type) -> bool:
        """Whether a type is a struct with nothing particular about it."""
        odd = target.special or target.name in PACK or target.name.startswith(_EITHER)
        return target.kind == "struct" and not odd

    def _struct(self, target: Type) -> Encode:
        writes: dict[str, Write] = {}
        inlined: list[tuple[bytes, Encode]] = []

        def prepare() -> None:
            for slot in self._types.slots(target.name):
                if slot.field is None:
                    inlined.append((tag(slot.number, LENGTH), self.of(slot.type)))
                else:
                    writes[slot.field.name] = self._field(slot)

        def encode(obj: dict[str, Any]) -> bytes:
            if not writes and not inlined:
                prepare()
            parts = [write(value) for name, value in obj.items() if (write := writes.get(name)) is not None]
            parts += (head + sized(inner) for head, each in inlined if (inner := each(obj)))
            return b"".join(parts)

        return encode

    def _field(self, slot: Slot) -> Write:
        target = slot.type if slot.type.kind != "ptr" else slot.type.item
        assert target is not None
        if target.special:
            # Null is a value of these: the time zero.
            head, special = tag(slot.number, LENGTH), self._value(target)
            absent = b"" if slot.type.kind != "ptr" else head + b"\0"
            return lambda value: absent if value is None else head + sized(special(value))
        if target.kind == "map":
            return self._map(slot.number, target)
        if target.kind == "slice" and target.name not in WRAPPED and target.go != "[]uint8":
            return self._list(slot.number, target)
        one = self._single(slot.number, target)
        return lambda value: b"" if value is None else one(value)

    def _single(self, place: int, target: Type) -> Write:
        """A field that holds one value."""
        match target.kind:
            case "bool" | "int" | "int32" | "int64":
                head = tag(place, VARINT)
                return lambda value: head + number(value)
            case "float64":
                head = tag(place, FIXED64)
                return lambda value: head + pack("<d", value)
        head, encode = tag(place, LENGTH), self._value(target)
        return lambda value: head + sized(encode(value))

    def _list(self, place: int, target: Type) -> Write:
        assert target.item is not None
        one = self._single(place, target.item)
        return lambda value: b"".join(map(one, value or ()))

    def _map(self, place: int, target: Type) -> Write:
        assert target.item is not None
        head, item = tag(place, LENGTH), self._value(target.item)

        def write(value: dict[str, Any] | None) -> bytes:
            entries = ((key.encode(), b"" if one is None else item(one)) for key, one in sorted((value or {}).items()))
            return b"".join(head + sized(message(*entry)) for entry in entries)

        return write

    def _value(self, target: Type) -> Encode:
        if (special := PACK.get(target.name)) is not None:
            return special
        if target.name.startswith(_EITHER):
            return self._either(target)
        if target.kind == "string":
            return str.encode
        if target.go == "[]uint8":
            return a2b_base64
        if target.kind == "struct":
            return self.of(target)
        if target.name in WRAPPED:
            assert target.item is not None
            one = self._single(1, target.item)
            return lambda value: b"".join(map(one, value))
        raise UnknownType(f"protobuf has no {target.go}")

    def _either(self, target: Type) -> Encode:
        struct = self._struct(target)
        many = "Property" if target.go.endswith("StringArray") else "JSONSchemas"

        def encode(value: Any) -> bytes:
            if isinstance(value, bool):
                return struct({"Allows": value})
            if isinstance(value, list):
                return struct({many: value})
            # Whoever has a schema allows what fits it.
            return struct({"Allows": True, "Schema": value})

        return encode


@cache
def encoders() -> Encoders:
    """The encoders of the table's types."""
    return Encoders(table())
