"""Reading from memory: what a reconciler and the map of a watch see of the kinds that their controller declares.

Whatever is read is at least as new as what this operator has written, and the reader's own copy. A kind is given as its
class, or as an endpoint: then objects are read as that endpoint's class, as a view (`endpoint_of(Pod).view(PodPhase)`),
or as plain documents.
"""

import inspect
from collections.abc import Callable, Iterable
from typing import Any, Protocol, TypeAlias, TypeVar, cast

from kubewright.cache import Cached, Informer, Key
from kubewright.client.endpoint import Endpoint, endpoint_of
from kubewright.client.options import Labels, read_labels
from kubewright.controller.source import sign
from kubewright.controller.wants import View, Wants
from kubewright.errors import KubewrightError, called
from kubewright.model.resource import Resource

__all__ = ["By", "ContextError", "Memory", "Reader", "read_cached"]

T = TypeVar("T")
#: `list` is a method here.
Listed = list
#: A function that says of an object under which values it is found, or under which one; and the value that is wanted.
By: TypeAlias = tuple[Callable[[T], Iterable[str] | str | None], str]


class ContextError(KubewrightError):
    """A reconciler asked for what its controller does not declare."""


class Memory(Protocol):
    """The caches of one controller."""

    controller: str
    informers: dict[Endpoint[Any], Informer]
    wants: Wants
    #: The kinds it may read, and which of their objects, where a cache holds more.
    views: dict[Endpoint[Any], View]


class Reader:
    """The kinds that a controller declares, as they are in memory."""

    def __init__(self, memory: Memory, namespace: str, *, sure: bool = True) -> None:
        """`sure`: whether to refuse what an own write may have changed, as long as nobody knows."""
        self._memory = memory
        self._namespace = namespace
        self._sure = sure

    def get(self, kind: type[T] | Endpoint[T], name: str, namespace: str | None = None) -> T | None:
        """An object, the caller's own copy; None if there is none. By default of the object's namespace."""
        informer = self._informer(kind)
        if not isinstance(name, str) or not name:
            raise ContextError(f"{name!r:.60} is no name of a {informer.endpoint.kind}: give it as a text.")
        place = (namespace if namespace is not None else self._namespace) if informer.endpoint.namespaced else ""
        if not place and informer.endpoint.namespaced:
            raise ContextError(f"{informer.endpoint.kind} {name!r:.60} is in a namespace: say which, with namespace=….")
        self._check_held(informer.endpoint, place)
        found = informer.get(Key(place, name), sure=self._sure)
        sees = self._memory.views[informer.endpoint]
        return None if found is None or (sees is not None and not sees(found)) else cast("T", read_cached(found, kind))

    def list(
        self,
        kind: type[T] | Endpoint[T],
        *,
        namespace: str | None = None,
        labels: Labels | None = None,
        owner: Resource | str | None = None,
        orphans: bool = False,
        index: By[T] | None = None,
    ) -> Listed[T]:
        """Objects of a namespace (by default the object's own; "" is all), with labels.

        `owner`: only those that it owns, an object or its uid. `orphans`: only those that nobody controls.
        `index=(secrets_of, "tls")`: only those of which that function says `"tls"`; it is asked once for each version
        of an object, and not at every look.
        """
        informer = self._informer(kind)
        place = (namespace if namespace is not None else self._namespace) or None
        if not informer.endpoint.namespaced:
            place = None
        if place is not None:
            self._check_held(informer.endpoint, place)
        by: list[tuple[str, str]] = []
        if owner is not None:
            by.append(("owner", owner.metadata.uid if isinstance(owner, Resource) else owner))
        if orphans:
            by.append(("orphan", ""))
        if index is not None:
            by.append(_index(informer, kind, index))
        if len(by) > 1:
            raise ContextError(
                "of an owner, orphans and an index one can be asked for: list the ones, then the others."
            )
        found = informer.list(
            place, None if labels is None else read_labels(labels), by[0] if by else None, sure=self._sure
        )
        sees = self._memory.views[informer.endpoint]
        return [cast("T", read_cached(each, kind)) for each in found if sees is None or sees(each)]

    def _check_held(self, endpoint: Endpoint[Any], namespace: str) -> None:
        """Refuse a namespace of which nothing is in memory: that would look as if nothing were there."""
        wanted = self._memory.wants.read[endpoint]
        if wanted.namespaces and namespace not in wanted.namespaces:
            raise ContextError(
                f"of {endpoint.kind} controller {self._memory.controller!r} has in memory what is in "
                f"{', '.join(wanted.namespaces)}, and nothing of {namespace!r:.70}: add that to its namespaces, or ask "
                "the server with ctx.live."
            )

    def _informer(self, kind: Any) -> Informer:
        endpoint = endpoint_of(kind)
        memory = self._memory
        informer = memory.informers.get(endpoint)
        if informer is None:
            raise ContextError(
                f"controller {memory.controller!r} does not declare {endpoint.kind}, so it is not in memory: add "
                f"reads=[{endpoint.kind}], or ask the server with ctx.live."
            )
        if endpoint not in memory.views:
            raise ContextError(
                f"controller {memory.controller!r} only watches {endpoint.kind}, so only its metadata is in "
                f"memory: add reads=[{endpoint.kind}], or ask the server with ctx.live."
            )
        return informer


def _index(informer: Informer, kind: Any, by: By[Any]) -> tuple[str, str]:
    """The name of the index of a function, made when it is first asked for; and the value."""
    if not isinstance(by, tuple) or len(by) != 2 or not callable(by[0]) or not isinstance(by[1], str):
        raise ContextError(f'an index is a function and the text to find, index=(secrets_of, "tls"), not {by!r:.60}.')
    function, value = by
    if inspect.iscoroutinefunction(function) or inspect.isasyncgenfunction(function):
        raise ContextError(f"index=({called(function)}, …): it answers at once, from memory; write a plain function.")

    def values(cached: Cached) -> Iterable[str]:
        given = function(read_cached(cached, kind))
        return (given,) if isinstance(given, str) else given or ()

    try:
        return informer.index((kind, sign(function)), values), value
    except TypeError:  # unhashable
        raise ContextError(f"index=({called(function)}, …): it is not known again; give a plain function.") from None


def read_cached(cached: Cached, kind: Any) -> Any:
    """An object as the kind, a class or an endpoint, says."""
    model = kind.model if isinstance(kind, Endpoint) else kind
    return cached.document() if model is None else cached.object(model)
