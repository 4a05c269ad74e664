"""Messages become objects of Go types: one function for each type, made of those of its parts, when it is first needed.

A decoder gives what a reader of JSON (`reading`) gives for the same object: what is empty vanishes where the field says
so, what is always written is there. It goes through the bytes of a message once, `data[at:end]`, and puts what it finds
into a dict that may have something in it already: a message that comes in two parts is the same as one of both.

Behind the last byte of the body stands one more, so that a length or a number which ends too early is noticed by where
it ends. Most fields are texts, whose tag and length are one byte each; what costs time is written for these.
"""

from collections.abc import Callable, Generator, Iterator
from functools import cache
from math import isfinite
from struct import unpack_from
from typing import Any, Final

from kubewright.cluster.wire import base64
from kubewright.cluster.wire.findings import Findings
from kubewright.cluster.wire.protobuf.scan import (
    EOF,
    FIXED64,
    LENGTH,
    VARINT,
    Malformed,
    extent,
    signed,
    skip,
    stray,
    text,
    varint,
)
from kubewright.cluster.wire.protobuf.special import FIELDS, UNPACK, fields_in_steps
from kubewright.cluster.wire.reading import ALWAYS, EMPTY, Readers, omission, readers
from kubewright.cluster.wire.special import number
from kubewright.cluster.wire.types import Slot, Table, Type, UnknownType, table

__all__ = ["WRAPPED", "Decoders", "decoders"]

#: Put what `data[at:end]` says into a dict.
Fill = Callable[[bytes, int, int, dict[str, Any]], None]
#: The value that `data[at:end]` is.
Value = Callable[[bytes, int, int], Any]

#: Lists that are messages of their own.
WRAPPED: Final = frozenset(
    {
        "authentication/v1.ExtraValue",
        "authorization/v1.ExtraValue",
        "certificates/v1.ExtraValue",
        "meta/v1.Verbs",
    }
)
#: So many bytes are read at once: if they are short texts, that takes a millisecond.
_MOST: Final = 8 * 1024
_BITS: Final = {"bool": 1, "int": 64, "int32": 32, "int64": 64}

#: What is to be done with a field: a text, a text that may vanish, a message, one of several messages, bytes of another
#: kind, a number, a number of eight bytes.
_TEXT, _VANISHING, _MESSAGE, _MESSAGES, _PART, _NUMBER, _DOUBLE = range(7)
Action = tuple[int, str, Any]
#: A field that is always written: its name, what it is if nothing is said, and what makes that if it is no constant.
Zero = tuple[str, Any, Callable[..., Any] | None]


class Decoders:
    """The decoders of all types; `zeros` give what is always written."""

    def __init__(self, types: Table, zeros: Readers) -> None:
        self._types = types
        self._zeros = zeros
        self._made: dict[tuple[str, bool], Fill] = {}

    def of(self, target: Type) -> Fill:
        """The decoder of a struct."""
        return self._fill(target, whole=True)

    def fill_in_steps(
        self, target: Type, data: bytes, at: int, end: int, into: dict[str, Any], most: int = _MOST
    ) -> Generator[None, None, None]:
        """What the decoder of a struct does with a long message: some fields in each step, and long ones in their turn.

        The parts of a message are messages of the same type. What is wrong with one is found when it is gone through.
        """
        if end - at <= most:
            self.of(target)(data, at, end, into)
            return
        fill, long = self._fill(target, whole=False), self._long(target)
        done = at
        while at < end and (stop := _after(data, at, end)):
            tag, after = varint(data, at, end) if stop - at > most else (0, at)
            if tag in long:
                fill(data, done, at, into)
                yield
                start, _ = extent(data, after, end)
                name, inner, several = long[tag]
                if inner.special:
                    into[name] = yield from fields_in_steps(data[start:stop])
                elif several:
                    item: dict[str, Any] = {}
                    yield from self.fill_in_steps(inner, data, start, stop, item, most)
                    into.setdefault(name, []).append(item)
                else:
                    yield from self.fill_in_steps(inner, data, start, stop, into.setdefault(name, {}), most)
                done = stop
            elif stop - done > most:
                fill(data, done, stop, into)
                yield
                done = stop
            at = stop
        fill(data, done, end, into)
        self.of(target)(data, end, end, into)  # what is always written

    def _long(self, target: Type) -> dict[int, tuple[str, Type, bool]]:
        """The fields of a struct that may be long, by their tags: each with its name, its type, and if it is in a list.

        They are structs, and managed fields.
        """
        found = {}
        for slot in self._types.slots(target.name):
            base = slot.type.item if slot.type.kind == "ptr" else slot.type
            several = base is not None and base.kind == "slice" and base.name not in WRAPPED
            inner = base.item if several and base is not None else base
            if slot.field is None or inner is None:
                continue
            if inner.name == FIELDS or (inner.kind == "struct" and not inner.special):
                found[slot.number << 3 | LENGTH] = slot.field.name, inner, several
        return found

    def _fill(self, target: Type, *, whole: bool) -> Fill:
        """What goes through the bytes of a struct's message; the `whole` of it has what is always written."""
        if (made := self._made.get((target.name, whole))) is not None:
            return made
        actions: dict[int, Action] = {}
        names: dict[int, str] = {}
        always: list[Zero] = []
        vanishing: set[str] = set()
        message = target.go.rpartition(".")[2]

        def prepare() -> None:
            for slot in self._types.slots(target.name):
                names[slot.number] = slot.go
                for kind, action in self._actions(slot).items():
                    actions[slot.number << 3 | kind] = action
                if slot.field is not None and omission(slot.field) == EMPTY:
                    vanishing.add(slot.field.name)
            always.extend(self._always(target) if whole else ())

        def fill(data: bytes, at: int, end: int, into: dict[str, Any]) -> None:
            if not names:
                prepare()
            while at < end:
                start = at
                tag = data[at]
                at += 1
                if tag > 127:
                    tag, at = varint(data, start, end)
                action = actions.get(tag)
                if action is None:
                    at = stray(data, start, end, message, names)
                    continue
                what, name, arg = action
                if what <= _PART:
                    size = data[at]
                    at += 1
                    if size > 127:
                        at, stop = extent(data, at - 1, end)
                    else:
                        stop = at + size
                        if stop > end:
                            raise Malformed(EOF)
                    if what <= _VANISHING:
                        if size or what == _TEXT:
                            piece = data[at:stop]
                            try:
                                into[name] = piece.decode()
                            except UnicodeDecodeError:
                                into[name] = text(piece)
                        elif name in into:
                            del into[name]
                    elif what == _MESSAGE:
                        inner = into.get(name)
                        if inner is None:
                            inner = into[name] = {}
                        arg(data, at, stop, inner)
                    elif what == _MESSAGES:
                        made: dict[str, Any] = {}
                        arg(data, at, stop, made)
                        found = into.get(name)
                        if found is None:
                            into[name] = [made]
                        else:
                            found.append(made)
                    else:
                        arg(data, at, stop, into)
                    at = stop
                elif what == _NUMBER:
                    value = data[at]
                    at += 1
                    if value > 127:
                        value, at = varint(data, at - 1, end)
                    elif at > end:
                        raise Malformed(EOF)
                    bits, put = arg
                    if bits == 1:
                        value = value != 0
                    elif value > 0x7FFF_FFFF:
                        value = signed(value, bits)
                    if put is not None:
                        put(value, into)
                    elif value or name not in vanishing:
                        into[name] = value
                    elif name in into:
                        del into[name]
                else:
                    arg(data, at, at + 8, into)
                    at += 8
                    if at > end:
                        raise Malformed(EOF)
            for name, value, zero in always:
                if name not in into:
                    into[name] = value if zero is None else zero(None, None, Findings())

        self._made[target.name, whole] = fill
        return fill

    def _always(self, target: Type) -> Iterator[Zero]:
        for field in self._types.fields(target.name).values():
            if omission(field) == ALWAYS:
                zero = self._zeros.of(field.type).read
                value = zero(None, None, Findings())
                yield field.name, value, zero if isinstance(value, dict) else None

    def _actions(self, slot: Slot) -> dict[int, Action]:
        """What is to be done with a field, by how it is written."""
        field = slot.field
        if field is None:
            return {LENGTH: (_PART, "", self._fill(slot.type, whole=False))}
        name, omit = field.name, omission(field)
        base = slot.type if slot.type.kind != "ptr" else slot.type.item
        assert base is not None
        if base.special or base.kind == "map" or base.name in WRAPPED or base.go == "[]uint8":
            part = self._map(name, base) if base.kind == "map" else _set(name, self._value(base), omit == EMPTY)
            return {LENGTH: (_PART, name, part)}
        match base.kind:
            case "string":
                return {LENGTH: (_VANISHING if omit == EMPTY else _TEXT, name, None)}
            case "struct":
                return {LENGTH: (_MESSAGE, name, self.of(base))}
            case "slice":
                assert base.item is not None
                if base.item.kind in _BITS:
                    return _numbers(name, _BITS[base.item.kind])
                if base.item.kind == "struct" and not base.item.special:
                    return {LENGTH: (_MESSAGES, name, self.of(base.item))}
                return {LENGTH: (_PART, name, _append(name, self._value(base.item)))}
            case "float64":
                return {FIXED64: (_DOUBLE, name, _set(name, _double, omit == EMPTY))}
            case _:
                return {VARINT: (_NUMBER, name, (_BITS[base.kind], None))}

    def _value(self, target: Type) -> Value:
        """What makes one value of bytes: an item of a list or a map, or a field that is no struct."""
        if (unpack := UNPACK.get(target.name)) is not None:
            return lambda data, at, end: unpack(data[at:end])
        if target.special:
            return self._either(target)
        if target.kind == "string":
            return lambda data, at, end: text(data[at:end])
        if target.go == "[]uint8":
            return lambda data, at, end: base64.encode(data[at:end])
        if target.kind == "struct":
            return _object(self.of(target))
        if target.name in WRAPPED:
            return self._wrapped(target)
        raise UnknownType(f"protobuf has no {target.go}")

    def _wrapped(self, target: Type) -> Value:
        message = target.go.rpartition(".")[2]
        assert target.item is not None
        item = self._value(target.item)

        def read(data: bytes, at: int, end: int) -> list[Any]:
            items = []
            while at < end:
                if data[at] == 1 << 3 | LENGTH:
                    start, at = extent(data, at + 1, end)
                    items.append(item(data, start, at))
                else:
                    at = stray(data, at, end, message, {1: "Items"})
            return items

        return read

    def _either(self, target: Type) -> Value:
        """A schema, or else a list or a boolean: at least one of two fields."""
        fill = self._fill(target, whole=False)

        def read(data: bytes, at: int, end: int) -> Any:
            found: dict[str, Any] = {}
            fill(data, at, end, found)
            many = found.get("JSONSchemas") or found.get("Property")
            if many is not None:
                return many
            return found.get("Schema", found.get("Allows", False) if target.go.endswith("Bool") else None)

        return read

    def _map(self, name: str, target: Type) -> Fill:
        assert target.item is not None
        item = self._value(target.item)

        def read(data: bytes, at: int, end: int, into: dict[str, Any]) -> None:
            key = ""
            begin = finish = end
            while at < end:
                place, after = data[at] >> 3, at + 1
                if data[at] > 127:
                    tag, after = varint(data, at, end)
                    place = tag >> 3
                # How the two are written is no matter to Go here.
                if place in (1, 2):
                    at = after + data[after] + 1
                    if data[after] > 127:
                        after, at = extent(data, after, end)
                    else:
                        after += 1
                        if at > end:
                            raise Malformed(EOF)
                    if place == 1:
                        key = text(data[after:at])
                    else:
                        begin, finish = after, at
                else:
                    at = skip(data, at, end)
            found = into.get(name)
            if found is None:
                found = into[name] = {}
            found[key] = item(data, begin, finish)

        return read


def _after(data: bytes, at: int, end: int) -> int:
    """Where the field ends that begins here; 0 if it is not as it should be."""
    # As most are: a tag of one byte, and a length of one.
    if data[at] & 0x87 == LENGTH and data[at + 1] < 128:
        stop = at + 2 + data[at + 1]
        return stop if stop <= end else 0
    try:
        return skip(data, at, end)
    except Malformed:
        return 0


def _set(name: str, value: Value, vanishing: bool) -> Fill:
    def read(data: bytes, at: int, end: int, into: dict[str, Any]) -> None:
        made = value(data, at, end)
        if vanishing and not made:
            into.pop(name, None)
        else:
            into[name] = made

    return read


def _append(name: str, value: Value) -> Fill:
    def read(data: bytes, at: int, end: int, into: dict[str, Any]) -> None:
        made = value(data, at, end)
        found = into.get(name)
        if found is None:
            into[name] = [made]
        else:
            found.append(made)

    return read


def _object(decode: Fill) -> Value:
    def read(data: bytes, at: int, end: int) -> dict[str, Any]:
        made: dict[str, Any] = {}
        decode(data, at, end, made)
        return made

    return read


def _numbers(name: str, bits: int) -> dict[int, Action]:
    """A list of numbers may come one by one, or in one piece."""

    def put(value: int, into: dict[str, Any]) -> None:
        found = into.get(name)
        if found is None:
            into[name] = [value]
        else:
            found.append(value)

    def read(data: bytes, at: int, end: int, into: dict[str, Any]) -> None:
        while at < end:
            value, at = varint(data, at, end)
            put(value != 0 if bits == 1 else signed(value, bits), into)

    return {VARINT: (_NUMBER, name, (bits, put)), LENGTH: (_PART, name, read)}


def _double(data: bytes, at: int, end: int) -> int | float:
    if end > len(data):
        raise Malformed(EOF)
    value: float = unpack_from("<d", data, at)[0]
    if not isfinite(value):
        raise Malformed(f"json: unsupported value: {'NaN' if value != value else '+Inf' if value > 0 else '-Inf'}")
    return number(value)


@cache
def decoders() -> Decoders:
    """The decoders of the table's types."""
    return Decoders(table(), readers())
