"""From the bytes of an object to what the cache keeps of it: one pass over them, and no more read than the header.

`Header.read` is called for every object of every event and list; what it costs is what a start with a hundred thousand
objects costs. So there is one decoder that skips everything but a few fields of the metadata, and managed fields are
cut out of the text as they stand there, without reading them. A write of ours comes twice, as its answer and by the
watch, in either order and in the very same bytes; it is read once.
"""

from sys import intern

import msgspec

from kubewright.cache.cached import Cached, Managed, Source, key_of
from kubewright.errors import KubewrightError

__all__ = ["Header", "UnreadableError", "revision_of"]

_LABEL = b'"managedFields":'
#: An owner among the fields of an object.
_OWNER = rb'"k:{\"uid\":\"%b\"}"'
#: What stands before the time when somebody last wrote what he owns; inside a string its quotation marks were escaped.
_TIME = b'"time":"'
#: How many different sets of owners and managed fields are remembered, to be shared by the objects that have them.
_SHARED = 4096
#: How many different texts of managed fields are remembered; they are a kilobyte or two each.
_TEXTS = 256
#: How many texts are remembered that are to come a second time: more than there are writes under way at once.
_TWICE = 128
#: Up to how many bytes each: a hundred ConfigMaps of a megabyte are more than what is saved, and hardly any is so long.
_LONG = 65536
#: By what comes after this a text is looked for: each version of an object has a number of its own.
_VERSION = b'"resourceVersion":"'
_LENGTH = len(_VERSION) + 20


class UnreadableError(KubewrightError):
    """An object that cannot be kept: it is JSON, but its metadata is none."""


class _Owner(msgspec.Struct, gc=False):
    uid: str = ""
    controller: bool | None = None


class _Meta(msgspec.Struct, rename="camel", gc=False):
    name: str
    resource_version: str
    namespace: str = ""
    uid: str = ""
    generation: int = 0
    deletion_timestamp: str | None = None
    owner_references: list[_Owner] | None = None
    managed_fields: msgspec.Raw = msgspec.Raw()


class _Object(msgspec.Struct, gc=False):
    metadata: _Meta


class _Entry(msgspec.Struct, rename="camel", gc=False):
    manager: str = ""
    operation: str = ""
    api_version: str = ""
    fields_v1: msgspec.Raw = msgspec.Raw()  # `fieldsV1` on the wire
    subresource: str = ""


#: Texts that were read, each with what is kept of it.
_Recent = dict[bytes, tuple[bytes, Cached]]

_object = msgspec.json.Decoder(_Object).decode
_entries = msgspec.json.Decoder(list[_Entry]).decode


def revision_of(text: str) -> int:
    """A resourceVersion as a number: that they are, and that they can be compared, is Kubernetes' promise."""
    if text.isdecimal() and text.isascii():
        return int(text)
    raise UnreadableError(f"the resourceVersion {text!r:.40} is no number.")


class Header:
    """Reads objects for one cache."""

    def __init__(self, source: Source, manager: str = "") -> None:
        self._source = source
        self._manager = manager
        self._quoted = f'"{manager}'.encode() if manager else b""
        self._shared: dict[tuple[object, ...], tuple[object, ...]] = {}
        self._texts: dict[bytes, tuple[Managed, ...]] = {}
        self._answered = _Recent()
        self._told = _Recent()

    def read_answer(self, raw: bytes) -> Cached:
        """What is kept of an object that answers a write."""
        raw = raw.rstrip(b"\n")
        return _take(self._told, raw) or _remember(self._answered, raw, self.read(raw))

    def read_event(self, raw: bytes) -> Cached:
        """What is kept of an object that a watch tells of."""
        if (known := _take(self._answered, raw)) is not None:
            return known
        cached = self.read(raw)
        return _remember(self._told, raw, cached) if cached.managed else cached

    def read(self, raw: bytes) -> Cached:
        """What is kept of an object.

        Raises `UnreadableError` for JSON that is no object of the API, msgspec's `DecodeError` for what is no JSON.
        """
        try:
            meta = _object(raw).metadata
        except msgspec.ValidationError as error:
            raise UnreadableError(f"an object of {self._source.endpoint.resource} has no metadata: {error}.") from error
        owners: tuple[str, ...] = ()
        controller = ""
        if references := meta.owner_references:
            if len(references) == 1:  # as nearly all have it
                owners = self._share((references[0].uid,))
            else:
                owners = self._share(tuple(dict.fromkeys([owner.uid for owner in references])))
            for owner in references:
                if owner.controller:
                    controller = owners[owners.index(owner.uid)]
        managed: tuple[Managed, ...] = ()
        fields = meta.managed_fields
        if fields:
            cut = bytes(fields)
            if self._quoted and cut.find(self._quoted) >= 0:
                managed = self._ours(cut, owners)
            raw = _without(raw, cut)
        return Cached(
            key_of((intern(meta.namespace), meta.name)),
            meta.uid,
            revision_of(meta.resource_version),
            meta.generation,
            meta.deletion_timestamp is not None,
            owners,
            managed,
            raw,
            self._source,
            controller,
        )

    def _ours(self, fields: bytes, owners: tuple[str, ...]) -> tuple[Managed, ...]:
        for number, uid in enumerate(owners):
            fields = fields.replace(_OWNER % uid.encode(), _OWNER % (b"*%d" % number))
        # Objects built alike are owned alike, but for the time: what one text says need not be read again.
        first, *rest = fields.split(_TIME)
        text = first + b"".join([each[each.find(b'"') :] for each in rest])
        found = self._texts.get(text)
        if found is None:
            if len(self._texts) >= _TEXTS:
                self._texts.clear()
            found = self._texts[text] = self._share(self._read_managed(fields))
        return found

    def _read_managed(self, fields: bytes) -> tuple[Managed, ...]:
        below = f"{self._manager}/"
        try:
            entries = _entries(fields)
        except msgspec.ValidationError as error:
            name = self._source.endpoint.resource
            raise UnreadableError(f"the managed fields of an object of {name} are none: {error}.") from error
        return tuple(
            [
                Managed(each.manager, each.operation, each.api_version, bytes(each.fields_v1), each.subresource)
                for each in entries
                if each.manager == self._manager or each.manager.startswith(below)
            ]
        )

    def _share(self, found: tuple) -> tuple:  # type: ignore[type-arg]  # the same tuple, or one that equals it
        known = self._shared.get(found)
        if known is not None:
            return known
        if len(self._shared) >= _SHARED:
            self._shared.clear()  # what was shared stays so; only who comes later is not compared with it
        self._shared[found] = found
        return found


def _take(recent: _Recent, raw: bytes) -> Cached | None:
    if not recent:
        return None
    at = raw.find(_VERSION)
    known = recent.pop(raw[at : at + _LENGTH], None)
    return known[1] if known is not None and known[0] == raw else None


def _remember(recent: _Recent, raw: bytes, cached: Cached) -> Cached:
    if len(raw) > _LONG:
        return cached
    at = raw.find(_VERSION)
    recent[raw[at : at + _LENGTH]] = raw, cached
    if len(recent) > _TWICE:
        del recent[next(iter(recent))]
    return cached


def _without(raw: bytes, fields: bytes) -> bytes:
    """The document without its managed fields, whose text is `fields`."""
    # Inside a string the quotation marks would be escaped, so what is found is a key; if it is there twice, which one?
    start = raw.find(_LABEL)
    place = start + len(_LABEL)
    end = place + len(fields)
    if not raw.startswith(fields, place) or raw.find(_LABEL, end) != -1:
        # Written with spaces, or in the object too: read it all, which is slow and always right.
        document = msgspec.json.decode(raw)
        del document["metadata"]["managedFields"]
        return msgspec.json.encode(document)
    if raw[end : end + 1] == b",":
        return raw[:start] + raw[end + 1 :]
    return raw[: start - 1 if raw[start - 1 : start] == b"," else start] + raw[end:]
