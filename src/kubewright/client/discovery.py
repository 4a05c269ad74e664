"""Which kinds a server has, and where: asked once, and again when somebody names one that is not known yet.

Who wants to know of all kinds, as those who work on every object of a cluster do, calls `refresh` and reads `served`.

Two requests tell everything (aggregated discovery, which servers have since Kubernetes 1.27); servers that do not have
it are asked for each version of each group. Of names that several groups have the first in the server's order is meant,
and of a group its preferred version, as kubectl does it.
"""

import asyncio
import logging
from collections.abc import Callable, Iterator, Mapping
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

import msgspec

from kubewright.client.endpoint import Document, Endpoint, EndpointError
from kubewright.client.errors import ApiError
from kubewright.model.kind import GroupVersionKind

if TYPE_CHECKING:
    from kubewright.client.client import Client

T = TypeVar("T")

__all__ = ["Discovery", "Served", "UnaskedKind", "UnknownKind"]

_log = logging.getLogger(__name__)

_ACCEPT = (
    b"application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList,"
    b"application/json;g=apidiscovery.k8s.io;v=v2beta1;as=APIGroupDiscoveryList,application/json"
)
#: How a server says that it does not know what a server behind it has now.
_STALE = "Stale"
#: So many versions of groups are asked for at once.
_AT_ONCE = 8


class UnknownKind(EndpointError):
    """A kind that the server does not have."""


class UnaskedKind(EndpointError):
    """A kind of which the server cannot tell now: its group could not be asked. It may well be there."""


class Served(NamedTuple):
    """A resource in one version, and what may be done with it: `get`, `list`, `watch` …"""

    endpoint: Endpoint[Document]
    verbs: frozenset[str]


class _Kind(msgspec.Struct):
    kind: str = ""


class _Resource(msgspec.Struct):
    resource: str
    scope: str = "Namespaced"
    responseKind: _Kind | None = None  # noqa: N815 - the wire's name
    singularResource: str = ""  # noqa: N815
    shortNames: list[str] | None = None  # noqa: N815
    verbs: list[str] = []


class _Version(msgspec.Struct):
    version: str
    resources: list[_Resource] | None = None
    freshness: str = ""


class _Meta(msgspec.Struct):
    name: str = ""


class _Group(msgspec.Struct):
    metadata: _Meta = msgspec.field(default_factory=_Meta)
    versions: list[_Version] | None = None


class _OldVersion(msgspec.Struct):
    version: str


class _OldGroup(msgspec.Struct):
    name: str
    versions: list[_OldVersion]
    preferredVersion: _OldVersion | None = None  # noqa: N815


class _Groups(msgspec.Struct):
    """What servers may answer: an APIGroupDiscoveryList has items, APIVersions versions, an APIGroupList groups."""

    kind: str
    items: list[_Group] | None = None
    versions: list[str] | None = None
    groups: list[_OldGroup] | None = None


class _OldResource(msgspec.Struct):
    name: str
    kind: str
    namespaced: bool = False
    singularName: str = ""  # noqa: N815
    shortNames: list[str] | None = None  # noqa: N815
    verbs: list[str] = []


class _OldResources(msgspec.Struct):
    resources: list[_OldResource] | None = None


_read = msgspec.json.Decoder(_Groups).decode
_read_old = msgspec.json.Decoder(_OldResources).decode


class Discovery:
    """What a server has. Used by one loop."""

    def __init__(self, client: "Client") -> None:
        self._client = client
        #: All there is, as it was when it was last asked for: group by group, the preferred version first.
        self.served: tuple[Served, ...] = ()
        #: The versions of groups, as in `apiVersion`, of which the server could not tell then: they may have more.
        self.uncertain: frozenset[str] = frozenset()
        #: Why, where the server said so.
        self._reasons: dict[str, str] = {}
        self._named: dict[str, Endpoint[Document]] = {}
        self._answers: dict[str, bytes] = {}
        self._asking = asyncio.Lock()
        self._turn = 0

    async def find(self, kind: str | GroupVersionKind) -> Endpoint[Document]:
        """The endpoint of a kind, however it is spelled.

        `UnknownKind` if the server does not have it now, `UnaskedKind` if it could not tell of the kind's group.
        """
        names = _names(kind)
        turn = self._turn
        if (found := self._look(names)) is not None:
            return found
        async with self._asking:
            if turn == self._turn:  # nobody has asked while we waited
                await self.refresh()
        if (found := self._look(names)) is not None:
            return found
        if (version := self._unasked(names[0])) is not None:
            why = self._reasons.get(version, "the server behind it does not answer")
            raise UnaskedKind(f"whether the server has {names[0]} is not known: {version} could not be asked: {why}")
        raise UnknownKind(f"the server has no {names[0]}; is its CRD installed, and the name spelled right?")

    async def of_document(self, document: Mapping[str, Any]) -> Endpoint[Document]:
        """The endpoint of an object that says what it is."""
        api_version, kind = document.get("apiVersion"), document.get("kind")
        if not isinstance(api_version, str) or not isinstance(kind, str) or not kind:
            raise EndpointError(f"an object without a class needs apiVersion and kind; this has {[*document]!r:.60}.")
        group, _, version = api_version.rpartition("/")
        return await self.find(GroupVersionKind(group, version, kind))

    async def refresh(self) -> None:
        """Ask the server for everything it has."""
        named: dict[str, Endpoint[Document]] = {}
        served: list[Served] = []
        uncertain: set[str] = set()
        self._reasons.clear()
        answers = {path: await self._client.ask("GET", path, accept=_ACCEPT) for path in ("/api", "/apis")}
        if answers == self._answers:
            self._turn += 1
            return
        aggregated = True
        for path, answer in answers.items():
            groups = _decoded(_read, answer, path)
            aggregated = aggregated and groups.kind == "APIGroupDiscoveryList"
            told = groups.items or () if groups.kind == "APIGroupDiscoveryList" else await self._ask_each(groups, path)
            for group in told:
                for version in group.versions or ():
                    if version.freshness == _STALE:
                        uncertain.add("/".join(filter(None, (group.metadata.name, version.version))))
                    for each in version.resources or ():
                        if each.responseKind is not None:
                            endpoint = _endpoint(group.metadata.name, version.version, each, each.responseKind.kind)
                            served.append(Served(endpoint, frozenset(each.verbs)))
                            for name in _spellings(endpoint, each):
                                named.setdefault(name, endpoint)
        self._named, self.served, self.uncertain = named, tuple(served), frozenset(uncertain)
        # Aggregated, they tell everything: nothing has changed while they are the same.
        self._answers = answers if aggregated else {}
        self._turn += 1

    async def _ask_each(self, groups: _Groups, path: str) -> list[_Group]:
        """What a server has that tells of each version of a group by itself."""
        if groups.versions is None and groups.groups is None:
            raise EndpointError(f"the answer to GET {path} tells no kinds: it is of the kind {groups.kind!r:.60}.")
        known = [("", [*groups.versions])] if groups.versions is not None else []
        for group in groups.groups or ():
            first = [group.preferredVersion.version] if group.preferredVersion is not None else []
            known.append((group.name, list(dict.fromkeys([*first, *(each.version for each in group.versions)]))))
        places = ["/".join(filter(None, (path, name, each))) for name, versions in known for each in versions]
        limit = asyncio.Semaphore(_AT_ONCE)
        answers = iter(await asyncio.gather(*(self._ask_one(place, limit) for place in places)))
        return [
            _Group(_Meta(name), [_told(version, next(answers)) for version in versions]) for name, versions in known
        ]

    async def _ask_one(self, place: str, limit: asyncio.Semaphore) -> list[_Resource] | None:
        async with limit:
            try:
                data = await self._client.ask("GET", place)
            except ApiError as error:
                # A server behind the server is down, or the group has just gone: the others are there all the same.
                _log.warning("The kinds of %s are not known: %s", place, error)
                self._reasons[place.removeprefix("/apis/").removeprefix("/api/")] = str(error)
                return None
        return [
            _Resource(
                each.name,
                "Namespaced" if each.namespaced else "Cluster",
                _Kind(each.kind),
                each.singularName,
                each.shortNames,
                each.verbs,
            )
            for each in _decoded(_read_old, data, place).resources or ()
            if "/" not in each.name
        ]

    def _unasked(self, name: str) -> str | None:
        """The version of the group that a name is of, if the server could not tell of it. A bare word is of none."""
        _, dot, place = name.lower().partition(".")
        for version in sorted(self.uncertain):
            group, _, number = version.rpartition("/")
            if name.startswith(f"{version}/") or (dot and place in (group, f"{number}.{group}")):
                return version
        return None

    def _look(self, names: list[str]) -> Endpoint[Document] | None:
        return next((found for name in names if (found := self._named.get(name)) is not None), None)


def _decoded(read: Callable[[bytes], T], data: bytes, path: str) -> T:
    try:
        return read(data)
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise EndpointError(f"the answer to GET {path} tells no kinds: {error}; it begins {data[:40]!r}.") from error


def _told(version: str, resources: list[_Resource] | None) -> _Version:
    return _Version(version, resources, "" if resources is not None else _STALE)


def _endpoint(group: str, version: str, each: _Resource, kind: str) -> Endpoint[Document]:
    return Endpoint(group, version, each.resource, kind, each.scope == "Namespaced")


def _spellings(endpoint: Endpoint[Document], each: _Resource) -> Iterator[str]:
    """All names of a resource."""
    group, version, kind = endpoint.group, endpoint.version, endpoint.kind
    yield f"{endpoint.api_version}/{kind}"
    for word in (each.resource, each.singularResource, kind.lower(), *(each.shortNames or ())):
        if word:
            yield word
            yield f"{word}.{group}"
            yield f"{word}.{version}.{group}"


def _names(kind: str | GroupVersionKind) -> list[str]:
    """How the index may spell it: as written; words without regard to case."""
    if isinstance(kind, GroupVersionKind):
        return [f"{kind.api_version}/{kind.kind}"]
    if not isinstance(kind, str) or not kind.strip():
        raise EndpointError(f"{kind!r:.60} names no kind: say it as in 'deployments.apps' or 'apps/v1/Deployment'.")
    return [kind] if "/" in kind else [kind, kind.lower()]
