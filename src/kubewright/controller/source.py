"""What makes a controller look at its objects, besides their own changes.

    watches=[
        kw.watch(Secret, map=webs_of_secret),     # other objects: which of ours are concerned is the map's to say
        kw.every(300),                            # all of ours, every five minutes
        kw.stream(tickets),                       # keys from anywhere: an async iterator
    ]

A map is called with the object as it was and as it is now, so that ours which it names no more look again too. One that
takes a second argument gets a `Reader`, to look for ours in memory: `map=lambda secret, reader: …`. Of a
kind that is only watched the cache keeps metadata alone, and that is what a map gets; `reads=[Secret]` has it whole.
Not all objects of a kind need be followed: `kw.only(Secret, labels="app=web")` stands for a kind in `owns`, `reads` and
`kw.watch`; in the last two it may say `fields="metadata.name=web"` as well.
"""

import inspect
import re
from collections.abc import AsyncIterator, Callable, Hashable, Iterable, Sequence
from dataclasses import dataclass, field
from types import FunctionType
from typing import Any, Final, TypeAlias

from kubewright.cache import Key
from kubewright.client.endpoint import Endpoint, endpoint_of
from kubewright.client.options import Fields, Labels, read_fields, read_labels
from kubewright.controller.predicate import Predicate, read_predicates
from kubewright.errors import KubewrightError, called
from kubewright.model.resource import Resource
from kubewright.model.selectors import FieldSelector, LabelSelector

__all__ = [
    "DNS_LABEL",
    "Every",
    "Kind",
    "Only",
    "SourceError",
    "Stream",
    "Watch",
    "every",
    "only",
    "read_keys",
    "read_namespaces",
    "sign",
    "stream",
    "watch",
]

#: What a namespace may be called, and a controller.
DNS_LABEL: Final = re.compile(r"[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?")

Kind: TypeAlias = type[Resource] | Endpoint[Any]
#: A key, or a name in the namespace of the object that was mapped.
Target: TypeAlias = Key | tuple[str, str] | str


class SourceError(KubewrightError):
    """A source that cannot be, or that gave what is no key."""


@dataclass(frozen=True)
class Only:
    """Some objects of a kind; without namespaces of its own, in those of its controller."""

    kind: Kind
    labels: LabelSelector = field(default_factory=LabelSelector)
    namespaces: tuple[str, ...] = ()
    fields: FieldSelector = field(default_factory=FieldSelector)


@dataclass(frozen=True)
class Watch:
    """Objects of another kind."""

    kind: Kind
    map: Callable[..., Iterable[Target]]
    predicates: tuple[Predicate, ...] = ()
    #: Whether the map wants to look around.
    looks: bool = False
    only: Only | None = None


@dataclass(frozen=True)
class Every:
    """A timer."""

    seconds: float


@dataclass(frozen=True)
class Stream:
    """Keys from an async iterator; one that ends or fails is begun anew, after a while."""

    open: Callable[[], AsyncIterator[Target]]


def only(
    kind: Kind,
    *,
    labels: Labels = "",
    namespaces: Sequence[str] = (),
    fields: Fields = "",
) -> Only:
    """Of a kind those objects that have these labels and fields, in these namespaces: no others are followed or kept.

    Which fields may select, besides `metadata.name`, the server says for each kind.
    """
    try:
        places, selector, wanted = read_namespaces(namespaces), read_labels(labels), read_fields(fields)
    except KubewrightError as error:
        raise SourceError(f"kw.only({called(kind)}): {error}") from None
    if places and not endpoint_of(kind).namespaced:
        raise SourceError(f"kw.only({called(kind)}, namespaces=…): it is in no namespace, so that says nothing.")
    if selector.empty and wanted.empty and not places:
        raise SourceError(
            f"kw.only({called(kind)}) leaves nothing out: say which labels or namespaces, or give the kind."
        )
    return Only(kind, selector, places, wanted)


def watch(
    kind: Kind | Only,
    *,
    map: Callable[..., Iterable[Target]],  # noqa: A002
    predicates: Sequence[Predicate] = (),
) -> Watch:
    """Look again at the objects that `map` names for a changed object of that kind: keys, or names in its namespace.

    It is called with the object; if it takes two arguments, with a `Reader` too.
    """
    if not callable(map):
        raise SourceError(
            f"kw.watch({called(kind)}, map={called(map)}): map is a function from an object to keys of yours."
        )
    if inspect.iscoroutinefunction(map) or inspect.isasyncgenfunction(map):
        raise SourceError(
            f"kw.watch({called(kind)}, map={called(map)}): a map answers at once, from memory; write it as a plain "
            "function."
        )
    looks, wanted = _looks(map), read_predicates(predicates)
    if isinstance(kind, Only):
        return Watch(kind.kind, map, wanted, looks, kind)
    return Watch(kind, map, wanted, looks)


def every(seconds: float) -> Every:
    """Look again at all objects every so many seconds."""
    if isinstance(seconds, bool) or not isinstance(seconds, int | float) or not seconds > 0:
        raise SourceError(f"kw.every({seconds!r}): the seconds between two looks are a number above 0.")
    return Every(float(seconds))


def stream(open: Callable[[], AsyncIterator[Target]]) -> Stream:  # noqa: A002
    """Look again at what the async iterators of `open` name."""
    if not callable(open):
        raise SourceError(f"kw.stream({called(open)}): give the function that makes the async iterator, not called.")
    if inspect.iscoroutinefunction(open) or inspect.isgeneratorfunction(open):
        raise SourceError(
            f"kw.stream({called(open)}): the function makes an async iterator; write it with both `async def` and "
            "`yield`."
        )
    return Stream(open)


def sign(function: Callable[..., Any]) -> Hashable:
    """By what a function is known again: a lambda in a reconciler is another each time, and of the same code."""
    if not isinstance(function, FunctionType) or function.__closure__:
        return function
    if function.__defaults__ or function.__kwdefaults__:
        return function
    # Equal code means something else in another module.
    return function.__code__, id(function.__globals__)


def read_namespaces(given: object) -> tuple[str, ...]:
    """The namespaces that are meant; what can be the name of none is refused, for it would mean all, or nothing."""
    if isinstance(given, str):
        raise SourceError(f'namespaces is a list, as in namespaces=["{given}"].')
    if not isinstance(given, Iterable):
        raise SourceError(f"namespaces is a list of names, not {given!r:.60}; leave it out for all.")
    names = tuple(given)
    if not names and given != ():
        raise SourceError(f"namespaces={given!r} is none; for all namespaces leave it out.")
    for name in names:
        if not isinstance(name, str) or not DNS_LABEL.fullmatch(name):
            raise SourceError(
                f"namespaces has {name!r:.80}, which can be no namespace's name: that is lower-case letters, digits "
                "and dashes, 63 at most. For all namespaces leave it out."
            )
    return names


def _looks(function: Callable[..., object]) -> bool:
    """Whether a function takes a second argument that must be given."""
    try:
        signature = inspect.signature(function)
    except ValueError:  # a built-in one that does not say
        return False
    for count in (1, 2):
        try:
            signature.bind(*[object()] * count)
        except TypeError:
            continue
        return count == 2
    raise SourceError(f"a map is called with an object, or with an object and a reader; {function!r} is not.")


def read_keys(given: object, namespace: str, namespaced: bool, where: str) -> list[Key]:
    """The keys that a map or a stream gave; a bare name is in `namespace`."""
    if given is None:
        return []
    if isinstance(given, str) or not isinstance(given, Iterable) or isinstance(given, Key):
        given = (given,)
    return [read_key(each, namespace, namespaced, where) for each in given]


def read_key(given: object, namespace: str, namespaced: bool, where: str) -> Key:
    """One key."""
    if isinstance(given, Resource):
        given = (given.metadata.namespace, given.metadata.name)
    if isinstance(given, str) and given:
        given = (namespace if namespaced else "", given)
    if isinstance(given, tuple) and len(given) == 2 and all(isinstance(part, str) for part in given) and given[1]:
        if bool(given[0]) is namespaced:
            return Key(*given)
        place = "is in a namespace: name it" if namespaced else "is in no namespace: leave it empty"
        raise SourceError(f"{where} gave the key {given!r}, but the controller's kind {place}.")
    raise SourceError(f"{where} gave {given!r:.60}, which is no key: give kw.Key(namespace, name), or a name.")
