"""Documents in, documents out: the way between JSON and a Model, in which nothing is lost.

**In.** `decode` gives msgspec a lenient reading of the types: every field may be absent or null, a `Literal` is any
string. What still does not fit (an unknown Enum member, a number where a string was) is read a second, slower time in
which that value alone stays as it came. The document's bytes stay with the object.

**Out.** `to_dict` writes what is set. For an object that was read, the changes made since are laid onto the document it
was read from (`merge`), so that fields our types do not know survive at every depth, and what was not touched keeps its
spelling to the letter.

Linking: msgspec reads a class's `__annotations__` once, when it first needs the class. `_link` shows it the lenient
types at that moment and puts the user's own back.
"""

import base64
import re
import sys
import threading
import typing
from collections.abc import Callable, Iterator, Mapping
from datetime import UTC, datetime
from enum import Enum
from functools import lru_cache
from typing import Any, Final, TypeVar, overload

import msgspec
from msgspec import UNSET, UnsetType

from kubewright.model.annotations import annotations_of, shown
from kubewright.model.documents import DocumentError, dump_json, is_deep, load_json
from kubewright.model.duration import Duration
from kubewright.model.fields import Field
from kubewright.model.markers import Nullable
from kubewright.model.merge import merge
from kubewright.model.meta import HIDDEN, blank, default_of, field_of, fields_of, info_of, nested, open_shapes, pick
from kubewright.model.misfit import describe_misfit
from kubewright.model.model import Model
from kubewright.model.quantity import Quantity
from kubewright.model.shape import Choice, ListOf, MapOf, Scalar, Shape, StructOf, UnionOf
from kubewright.model.unread import split, whole

__all__ = [
    "decode",
    "document_of",
    "encode",
    "from_dict",
    "image",
    "parts_of",
    "plain",
    "prepare",
    "prepare_in_steps",
    "to_dict",
    "unread",
]

T = TypeVar("T", bound=Model)
S = TypeVar("S", bound=msgspec.Struct)

Dump = Callable[[Any], Any]

#: Until Python 3.11 decoding ends by itself at a depth that walks through a document can bear; to look costs more.
_ENDLESS: Final = sys.version_info >= (3, 12)


@overload
def decode(
    data: bytes | str, model: type[T], source: object = "JSON", misfit: Callable[[str], None] | None = None
) -> T: ...
@overload
def decode(
    data: bytes | str, model: type[S], source: object = "JSON", misfit: Callable[[str], None] | None = None
) -> S: ...
def decode(data: bytes | str, model: type[Any], source: object = "JSON", misfit: Any = None) -> Any:
    """Read a JSON document as a Model. Raises `DocumentError`, with the position, when it is not a JSON object.

    If something in it does not fit its type, `misfit` is told what and where. A plain msgspec Struct is a view: what it
    does not name is skipped, and what does not fit it is an error.
    """
    if not issubclass(model, Model):
        if not issubclass(model, msgspec.Struct):
            raise TypeError(f"{model!r} is no kw.Model class.")
        return _view(data, model, source)
    raw = data if type(data) is bytes else data.encode() if isinstance(data, str) else bytes(data)
    codec = info_of(model).codec or _link(model)
    if _ENDLESS and is_deep(raw):
        load_json(raw, source)  # says where
    try:
        if not raw.isascii():
            raw.decode()  # msgspec does not look into the strings it skips
        obj: Any = codec.decode(raw)
    except msgspec.ValidationError as error:
        if misfit is not None:
            misfit(describe_misfit(str(error)))
        obj = _tolerate(load_json(raw, source), StructOf(annotation=model))
        if not isinstance(obj, Model):
            raise DocumentError(source, f"a {model.__name__} is a JSON object, this is {obj!r:.40}", offset=0) from None
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        load_json(raw, source)  # says where
        raise
    obj._raw = raw
    return obj


def unread(raw: bytes, model: type[T], source: object = "JSON") -> T:
    """The same as `decode`, but what nobody looks at is not read; for JSON that is known to be an object."""
    if not raw.isascii() or (_ENDLESS and is_deep(raw)):
        return decode(raw, model, source)  # which has a closer look
    if info_of(model).codec is None:
        _link(model)
    obj: T = blank(model)
    obj._raw, obj._lent = raw, None  # type: ignore[misc]  # slots of every object
    return obj


def _part(model: Any, name: str) -> Callable[[msgspec.Raw], Any]:
    """How one field of a class is read by itself, of its part of the document."""
    shape = field_of(model, name).shape
    with _linking:
        decoder = msgspec.json.Decoder(_lenient(shape), dec_hook=_from_json)

    def read(part: msgspec.Raw) -> Any:
        try:
            return decoder.decode(part)
        except msgspec.ValidationError:
            value = _tolerate(load_json(bytes(part)), shape)
        # What always reads as an object is an empty one then, and stays in the document as it is.
        return UNSET if name in model.__kw_always__ and not isinstance(value, Model) else value

    return read


def _view(data: bytes | str, model: type[S], source: object) -> S:
    try:
        seen: S = _viewer(model).decode(data)
        return seen
    except msgspec.ValidationError as error:
        raise DocumentError(source, f"it does not fit {model.__name__}: {error}", offset=0) from error
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        load_json(data, source)  # says where
        raise


@lru_cache(256)
def _viewer(model: type[S]) -> msgspec.json.Decoder[S]:
    return msgspec.json.Decoder(model)


def from_dict(value: Mapping[str, Any], model: type[T]) -> T:
    """Read a Model from plain JSON values."""
    return decode(msgspec.json.encode(value), model)


def prepare(model: type[Model]) -> None:
    """Do now what is done once for a class when it is first read or written; of a large one, tens of milliseconds."""
    for _ in prepare_in_steps(model):
        pass


def prepare_in_steps(model: type[Model]) -> Iterator[None]:
    """The same in steps: each class that the model leads to is read, and made when those are that it is made of."""
    begun: set[Any] = set()

    def step(each: Any) -> Iterator[None]:
        if each in begun or info_of(each).codec is not None:
            return
        begun.add(each)
        parts = [struct.annotation for field in fields_of(each) for struct in nested(field.shape)]
        yield
        for part in parts:
            yield from step(part)
        if info_of(each).codec is None:
            _link(each)
        yield

    return step(model)


def encode(obj: Model) -> bytes:
    """The JSON document of an object; of one that was read and not changed, the very bytes."""
    raw: Any = obj._raw
    if raw is not UNSET and _image(obj) == _image(decode(raw, type(obj))):
        return bytes(raw)
    return dump_json(to_dict(obj))


def to_dict(obj: Model) -> dict[str, Any]:
    """The plain JSON values of an object: what was set, and what it was read with that our types do not know."""
    after = _written(obj)
    if obj._raw is UNSET:
        return after
    document = load_json(obj._raw)
    before = _written(decode(obj._raw, type(obj)))
    merged: dict[str, Any] = merge(document, before, after, StructOf(annotation=type(obj)))
    return merged


class _Codec(msgspec.Struct, frozen=True):
    """What is compiled once per class."""

    decode: Callable[[bytes], Any]
    constants: dict[str, Any]
    #: For each slot in turn: the field's name, its name on the wire, how it is written, whether null is.
    plan: tuple[tuple[str, str, Dump | None, bool], ...]
    #: Whether msgspec, left alone, writes objects of this class as we do.
    by_msgspec: bool
    #: How a field is read by itself, of those that ever were.
    parts: dict[str, Callable[[msgspec.Raw], Any]] = {}

    def part(self, model: Any, name: str) -> Callable[[msgspec.Raw], Any]:
        """How a field is read by itself, of its part of the document."""
        found = self.parts.get(name)
        if found is None:
            found = self.parts[name] = _part(model, name)
        return found


# Times that msgspec would write in another way than Kubernetes: with a fraction, in a zone, or in none.
_ODD_TIME = re.compile(rb'T[0-9]{2}:[0-9]{2}:[0-9]{2}["+.-]')


def _written(obj: Any) -> dict[str, Any]:
    """What is set of an object, without the document it came from: by msgspec where it can, else by `_dump`."""
    text = image(obj)
    found = document_of(text, type(obj)) if text is not None else None
    return _dump(obj) if found is None else found


def document_of(text: bytes, model: Any) -> dict[str, Any] | None:
    """The plain JSON values of an object that was made, by its image; None if that does not tell them."""
    info = info_of(model)
    codec = info.codec or _link(model)
    # Nulls, defaults lent to parts, and documents of objects put into this one need a closer look.
    if text.find(b"null") >= 0 or _ODD_TIME.search(text):
        return None
    found: dict[str, Any] = {**codec.constants, **msgspec.json.decode(text)}
    if text.find(b'"~') < 0:
        return found
    if text.find(b'"~raw"') >= 0:
        return None
    if (lent := text.count(b'"~lent"')) == 0:
        return found
    names = found.pop("~lent", ())
    if lent > 1 or not names or any(info.declarations[name].default_factory not in (list, dict) for name in names):
        return None
    for name in names:
        if not found[info.wire_names[name]]:  # as empty as it was lent
            del found[info.wire_names[name]]
    return found


def parts_of(text: bytes, model: Any) -> dict[str, Any] | None:
    """The same, with what was written as the text that it is (`msgspec.Raw`); None where it needs a closer look."""
    if text.find(b"null") >= 0 or text.find(b'"~') >= 0 or _ODD_TIME.search(text):
        return None
    return {**(info_of(model).codec or _link(model)).constants, **split(text)}


def image(obj: Any) -> bytes | None:
    """All that is set of an object, as msgspec writes it; None if that does not tell all there is to write.

    Two objects of one class that have the same image have the same document, unless one was read from another.
    """
    model = type(obj)
    if not (model.__kw__.codec or _link(model)).by_msgspec:
        return None
    if obj._lent is not UNSET or obj._raw is not UNSET:
        return _image(obj)
    try:
        return _encode(obj)  # it was made here, as nearly all are that are written
    except (TypeError, ValueError, RecursionError):
        return None


def _image(obj: Any) -> bytes | None:
    """The same whatever the class: it may hide which kinds the objects inside are of."""
    if obj._lent is not UNSET:
        whole(obj)
    raw, obj._raw = obj._raw, UNSET
    try:
        return _encode(obj)
    except (TypeError, ValueError, RecursionError):
        return None
    finally:
        obj._raw = raw


def _to_json(value: Any) -> Any:
    if isinstance(value, Quantity | Duration):
        return value.wire
    raise TypeError(f"{type(value).__name__} has no form in JSON")


_encode: Final = msgspec.json.Encoder(enc_hook=_to_json).encode


def _dump(obj: Any) -> dict[str, Any]:
    """What is set of an object, field by field."""
    whole(obj)
    codec = info_of(type(obj)).codec or _link(type(obj))
    out = dict(codec.constants)
    lent = obj._lent
    slots = msgspec.structs.astuple(obj)[len(HIDDEN) :]
    for value, (name, wire, dump, nullable) in zip(slots, codec.plan, strict=True):
        if value is UNSET:
            continue
        if value is None:
            if nullable:
                out[wire] = None
            continue
        written = dump(value) if dump else value
        if lent is not UNSET and name in lent:
            untouched = default_of(obj, name)
            if written == (dump(untouched) if dump else untouched):
                continue
        out[wire] = written
    return out


def _dump_model(value: Any) -> Any:
    return _dump(value) if isinstance(value, Model) else plain(value)


def plain(value: Any) -> Any:
    """The JSON of a value whose type says nothing: models, times and numbers with units may be inside."""
    if isinstance(value, Model):
        return _dump(value)
    if isinstance(value, dict):
        return {key: plain(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [plain(item) for item in value]
    if isinstance(value, datetime):
        return _dump_time(value)
    if isinstance(value, Quantity | Duration):
        return value.wire
    if isinstance(value, bytes):
        return base64.b64encode(value).decode()
    if isinstance(value, msgspec.Raw):
        return msgspec.json.decode(value)
    return value.value if isinstance(value, Enum) else value


def _dump_time(value: Any) -> Any:
    if not isinstance(value, datetime):
        return plain(value)
    return _utc(value).strftime("%Y-%m-%dT%H:%M:%SZ")


def _dump_micro_time(value: Any) -> Any:
    if not isinstance(value, datetime):
        return plain(value)
    return _utc(value).strftime("%Y-%m-%dT%H:%M:%S.%fZ")


def _utc(value: datetime) -> datetime:
    return value.astimezone(UTC) if value.tzinfo else value.replace(tzinfo=UTC)


def _dumper(shape: Shape) -> Dump | None:
    """How values of a shape are written; None where JSON takes them as they are."""
    if isinstance(shape, StructOf | UnionOf):
        return _dump_model
    if isinstance(shape, ListOf):
        item = _dumper(shape.item)
        return (lambda value: [item(each) for each in value]) if item else list
    if isinstance(shape, MapOf):
        of = _dumper(shape.value)
        return (lambda value: {key: of(each) for key, each in value.items()}) if of else dict
    if isinstance(shape, Scalar) and shape.python is datetime:
        return _dump_micro_time if shape.micro else _dump_time
    if isinstance(shape, Scalar) and shape.python in (str, int, bool, float):
        return None
    return None if isinstance(shape, Choice) and shape.enum is None else plain


def _guarded(dump: Dump, sort: type) -> Dump:
    """For containers: a value of another sort, kept by the tolerant reading, is written as it came."""
    return lambda value: dump(value) if isinstance(value, sort) else plain(value)


def _plan(field: Field) -> tuple[str, str, Dump | None, bool]:
    dump = _dumper(field.shape)
    if dump and isinstance(field.shape, ListOf | MapOf):
        dump = _guarded(dump, list if isinstance(field.shape, ListOf) else dict)
    return field.name, field.wire, dump, field.shape.marker(Nullable) is not None


def _as_msgspec(shape: Shape) -> bool:
    """Whether msgspec writes such values as we do: not where anything may stand, inner kinds, or microseconds."""
    if isinstance(shape, StructOf | UnionOf):
        return not any(hasattr(struct.model, "__kw_constants__") for struct in nested(shape))
    if isinstance(shape, ListOf):
        return _as_msgspec(shape.item)
    if isinstance(shape, MapOf):
        return _as_msgspec(shape.value)
    return not isinstance(shape, Scalar) or shape.python is msgspec.Raw or not (shape.micro or shape.sort == "any")


#: Meanwhile classes have other annotations, and msgspec does not bear two threads that read one class at once.
_linking = threading.RLock()


def _link(model: Any) -> _Codec:
    """Compile a class and every class it leads to that was not compiled yet."""
    with _linking:
        return info_of(model).codec or _compile(model)


def _compile(model: Any) -> _Codec:
    reach = _reach(model)
    # A generic class with arguments is decoded by its bare class's annotations, type variables and all.
    classes = {base for each in reach for base in (typing.get_origin(each) or each).__mro__ if "__kw__" in vars(base)}
    lenient = {
        cls: {**annotations_of(cls), **{name: _lenient(shape) for name, shape in open_shapes(cls).items()}}
        for cls in classes
    }
    with shown(lenient):
        decoders = {each: msgspec.json.Decoder(each, dec_hook=_from_json) for each in reach}
    plain_ones = _by_msgspec(reach)
    for each, fields in reach.items():
        info = info_of(each)
        if info.codec is None and not typing.get_args(each):
            by_name = {field.name: _plan(field) for field in fields}
            # The hidden slots are the base class's, and so the first.
            plan = tuple(by_name[name] for name in each.__struct_fields__[len(HIDDEN) :])
            info.codec = _Codec(decoders[each].decode, getattr(each, "__kw_constants__", {}), plan, each in plain_ones)
    return typing.cast("_Codec", info_of(model).codec)


def _by_msgspec(reach: dict[Any, tuple[Field, ...]]) -> set[Any]:
    """The classes of which msgspec writes everything as we do, down to the last part."""
    found = {each for each, fields in reach.items() if all(_as_msgspec(field.shape) for field in fields)}

    def is_one(part: Any) -> bool:
        return part in found if part in reach else bool(info_of(part).codec.by_msgspec)

    while True:
        parts = {each: [struct.annotation for field in reach[each] for struct in nested(field.shape)] for each in found}
        held = {each for each in found if all(map(is_one, parts[each]))}
        if held == found:
            return found
        found = held


def _reach(model: Any) -> dict[Any, tuple[Field, ...]]:
    """A class and every class it leads to, with their fields; not those beyond a class that is compiled already."""
    reach: dict[Any, tuple[Field, ...]] = {}
    waiting = [model]
    while waiting:
        each = waiting.pop()
        if each not in reach and (each is model or typing.get_args(each) or info_of(each).codec is None):
            reach[each] = fields_of(each)
            waiting += [struct.annotation for field in reach[each] for struct in nested(field.shape)]
    return reach


def _lenient(shape: Shape) -> Any:
    """What msgspec is told of a field: its type, or null, or nothing."""
    if isinstance(shape, Scalar) and shape.python is msgspec.Raw:
        return typing.Union[msgspec.Raw, UnsetType]  # noqa: UP007  (null is raw too, and a union with it is refused)
    return typing.Union[_wire(shape), None, UnsetType]  # noqa: UP007  (a type variable takes no `|` of this kind)


def _wire(shape: Shape) -> Any:
    """The type msgspec reads a shape's values as."""
    if isinstance(shape, StructOf):
        return shape.annotation
    if isinstance(shape, ListOf):
        return list[_wire(shape.item)]  # type: ignore[misc]  # computed
    if isinstance(shape, MapOf):
        return dict[str, _wire(shape.value)]  # type: ignore[misc]  # computed
    if isinstance(shape, UnionOf):
        return type("Union", (_Union,), {"shape": shape})
    if isinstance(shape, Choice):
        return shape.enum or type(shape.values[0])
    assert isinstance(shape, Scalar)
    return shape.python


class _Union:
    """What msgspec is told of a union of models: a type of ours, for it decides by tags alone."""

    shape: UnionOf


# The same few quantities stand in every object of a cluster, and parsing one costs more than looking it up.
_quantity = lru_cache(4096, typed=True)(Quantity)
_duration = lru_cache(512, typed=True)(Duration)


def _from_json(wanted: Any, value: Any) -> Any:
    """Values of the types that are not JSON's own."""
    if wanted is Quantity:
        return _quantity(value)
    if wanted is Duration:
        return _duration(value)
    if isinstance(wanted, type) and issubclass(wanted, _Union):
        return msgspec.convert(value, pick(wanted.shape, value).annotation, dec_hook=_from_json)
    raise ValueError("is a name of ours")  # the hidden slots: no document sets them


def _tolerate(value: Any, shape: Shape) -> Any:
    """A value read as far as it fits its shape; what does not fit stays as it came."""
    if value is None:
        return None
    if isinstance(shape, UnionOf) and isinstance(value, dict):
        try:
            shape = pick(shape, value)
        except ValueError:
            return value
    if isinstance(shape, StructOf) and isinstance(value, dict):
        fields = fields_of(shape.annotation)
        known = {each.name: _tolerate(value[each.wire], each.shape) for each in fields if each.wire in value}
        for name in shape.model.__kw_always__ & known.keys():
            if not isinstance(known[name], Model):
                del known[name]  # reads as an empty object, and stays in the document as it is
        return blank(shape.model, **known)
    if isinstance(shape, ListOf) and isinstance(value, list):
        return [_tolerate(each, shape.item) for each in value]
    if isinstance(shape, MapOf) and isinstance(value, dict):
        return {key: _tolerate(each, shape.value) for key, each in value.items()}
    if not isinstance(shape, Scalar | Choice):
        return value
    try:
        return msgspec.convert(value, _wire(shape), dec_hook=_from_json)
    except msgspec.ValidationError:
        return value
