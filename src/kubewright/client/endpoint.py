"""Where the objects of a kind are served, and as what they are read.

For a class the answer is on its class line (`endpoint_of`); for a kind known by name only the server can give it
(`discovery`). Two endpoints of one resource are equal, whatever their objects are read as: they share caches.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import lru_cache, partial
from typing import Any, Final, Generic, TypeVar, cast
from urllib.parse import quote

import msgspec

from kubewright.errors import KubewrightError, called
from kubewright.model.codec import decode, encode
from kubewright.model.documents import dump_json, load_json
from kubewright.model.resource import GroupVersionKind, Resource, definition_of

__all__ = ["Document", "Endpoint", "EndpointError", "check_object", "document_bytes", "endpoint_of"]

Document = dict[str, Any]
T = TypeVar("T")
V = TypeVar("V", bound=msgspec.Struct)

#: What may stand in a segment of a path as it is; names of RBAC have colons.
_SAFE = ":@!$&'()*+,;=~"
#: Whether that is all there is in a text: in nearly all it is, and quoting costs more than the rest of a path.
_is_plain: Final = re.compile("[A-Za-z0-9][A-Za-z0-9.-]*").fullmatch
#: No name was asked for. It is not None: a variable that happens to be None must not become the whole collection.
_ALL: Final = cast("str", object())


class EndpointError(KubewrightError):
    """An object that is nowhere: no name, a namespace too many, a kind that is none."""


@dataclass(frozen=True, slots=True)
class Endpoint(Generic[T]):
    """A resource of an API: `T` is what its objects are read as, a class, or `Document` where there is none."""

    group: str
    version: str
    plural: str
    kind: str
    namespaced: bool
    #: The class of its objects; None reads plain documents.
    model: type[T] | None = field(default=None, compare=False)
    #: `/apis/apps/v1`, or `/api/v1` for the core group.
    prefix: str = field(init=False, compare=False, repr=False)
    #: `apps/v1`, or `v1` for the core group.
    api_version: str = field(init=False, compare=False, repr=False)
    #: `deployments.apps`, as roles and messages name it; `pods` for the core group.
    resource: str = field(init=False, compare=False, repr=False)
    #: `/apis/apps/v1/deployments`: by this text what belongs to a resource is found faster than by the endpoint.
    address: str = field(init=False, compare=False, repr=False)
    #: How servers begin one of its objects: by this an answer is known without reading it.
    openings: tuple[bytes, bytes] = field(init=False, compare=False, repr=False)
    #: Endpoints are looked up at every step of a reconcile.
    _hash: int = field(init=False, compare=False, repr=False)

    def __post_init__(self) -> None:
        prefix = f"/apis/{self.group}/{self.version}" if self.group else f"/api/{self.version}"
        put = partial(object.__setattr__, self)  # what reconciles ask for again and again
        put("prefix", prefix)
        put("api_version", f"{self.group}/{self.version}" if self.group else self.version)
        put("resource", f"{self.plural}.{self.group}" if self.group else self.plural)
        put("address", f"{prefix}/{self.plural}")
        kind, version = (msgspec.json.encode(each) for each in (self.kind, self.api_version))
        put("openings", (b'{"kind":%b' % kind, b'{"apiVersion":%b,"kind":%b' % (version, kind)))
        put("_hash", hash((self.group, self.version, self.plural, self.kind, self.namespaced)))

    def __hash__(self) -> int:
        return self._hash

    @property
    def gvk(self) -> GroupVersionKind:
        """Group, version and kind."""
        return GroupVersionKind(self.group, self.version, self.kind)

    def path(self, namespace: str | None = None, name: str = _ALL, subresource: str | None = None) -> str:
        """The path of an object, or of the collection if the name is left out: of all namespaces if none is given.

        A name that is given must be one: what is empty, None or no string is refused.
        """
        path = self.prefix
        if namespace:
            if not self.namespaced:
                raise EndpointError(f"{self.resource} are in no namespace; leave out namespace={namespace!r}.")
            if not isinstance(namespace, str):
                raise EndpointError(f"a namespace is named by a string, not by {_sort(namespace)}.")
            path = f"{path}/namespaces/{namespace if _is_plain(namespace) else _segment(namespace)}"
        path = f"{path}/{self.plural}"
        if name is not _ALL:
            if not name or not isinstance(name, str):  # asked here too: paths are built for every reconciled object
                self.check_name(name)
            if self.namespaced and not namespace:
                raise EndpointError(f"{self.resource} {name!r} is in a namespace; say which.")
            path = f"{path}/{name if _is_plain(name) else _segment(name)}"
        return f"{path}/{subresource}" if subresource else path

    def check_name(self, name: object) -> None:
        """Refuse what cannot name one object: in a path it would be the whole collection, and a deletion of it."""
        if not isinstance(name, str):
            raise EndpointError(
                f"an object of {self.resource} is named by a string, not by {_sort(name)}: give its metadata.name."
            )
        if not name:
            raise EndpointError(f"an object of {self.resource} has a name; this one is empty.")

    def view(self, model: type[V]) -> "Endpoint[V]":
        """The same resource, its objects read as `model`: a msgspec Struct that names what is of interest.

        Reading a few fields costs a twentieth of reading all; what is not named is skipped, so a view is for looking.
        """
        return Endpoint(self.group, self.version, self.plural, self.kind, self.namespaced, model)

    def read(self, data: bytes, source: object = "JSON") -> T:
        """One object, from the bytes of its document."""
        model = self.model
        if model is not None:
            read: T = decode(data, model, source)  # type: ignore[type-var]  # it is a class of either sort
            return read
        document = load_json(data, source)
        if not isinstance(document, dict):
            raise EndpointError(f"{source} is no object: {document!r:.40}.")
        # Items of lists of the server's own kinds do not say what they are.
        return cast("T", {"apiVersion": self.api_version, "kind": self.kind, **document})


@lru_cache(1024)
def _endpoint_of(kind: type[Resource]) -> Endpoint[Any]:
    definition = definition_of(kind)
    namespaced = definition.scope == "Namespaced"
    return Endpoint(definition.group, definition.version, definition.plural, definition.kind, namespaced, kind)


def endpoint_of(kind: type[T] | Endpoint[T]) -> Endpoint[T]:
    """Where a class says that its objects are; an endpoint is its own."""
    if isinstance(kind, Endpoint):
        return kind
    if not (isinstance(kind, type) and issubclass(kind, Resource)):
        raise EndpointError(
            f"{called(kind)} is no kind: give a class of kw.Resource, or what `await api.resource(…)` gives."
        )
    return _endpoint_of(kind)


def document_bytes(value: Resource | Mapping[str, Any]) -> bytes:
    """The JSON of an object, typed or not: what is set, and nothing else."""
    check_object(value)
    return encode(value) if isinstance(value, Resource) else dump_json(value)


def check_object(value: object) -> None:
    """Refuse what is no object of the API: neither of a class nor a document."""
    if not isinstance(value, Resource | Mapping):
        raise EndpointError(
            f"{value!r:.60} is no object: give one of a class of kw.Resource, or a dict with apiVersion and kind."
        )


def _sort(value: object) -> str:
    return "None" if value is None else f"something of the type {type(value).__name__}"


def _segment(text: str) -> str:
    if text in (".", "..") or "/" in text:
        raise EndpointError(f"{text!r} cannot be a name: it would lead elsewhere.")
    try:
        return quote(text, safe=_SAFE)
    except UnicodeEncodeError:
        raise EndpointError(f"{text!r} cannot be a name: it has a lone surrogate, which is no character.") from None
