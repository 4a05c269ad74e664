"""To empty a namespace through a client, one resource at a time: delete all there is, and tell what is left of it."""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Final, NamedTuple

import msgspec

from kubewright import clock
from kubewright.client.api import Api
from kubewright.client.discovery import Served
from kubewright.client.endpoint import Document, Endpoint
from kubewright.client.errors import ApiError, Expired, MethodNotAllowed, NotFound
from kubewright.client.listing import PAGE, read_page
from kubewright.cluster.controllers.terminate import Remains, estimate_pods

__all__ = ["Left", "Survey", "empty"]

#: Gives the kinds of which a namespace has objects; spares questions where somebody knows.
Survey = Callable[[str], Sequence[Served]]
_BACKGROUND: Final = msgspec.json.encode({"propagationPolicy": "Background"})


class Left(NamedTuple):
    """Objects that are still there, as of a resourceVersion."""

    endpoint: Endpoint[Document]
    namespace: str
    names: frozenset[str]
    resource_version: str


class _Meta(msgspec.Struct):
    name: str
    finalizers: list[str] | None = None


class _Head(msgspec.Struct):
    metadata: _Meta


async def empty(
    api: Api, kinds: Iterable[Served], namespace: str, deleted: str, survey: Survey | None = None
) -> tuple[list[Remains], list[Left]]:
    """Delete the objects of some kinds in a namespace that was deleted then.

    Of each kind of which there was something: how it stands; and what is still there.
    """
    found, left = [], []
    tried: list[tuple[Served, int]] = []
    for served in kinds:
        grace = 0
        try:
            grace = await _grace(api, served.endpoint, namespace, deleted)
            if await _delete(api, served, namespace):
                tried.append((served, grace))
        except (NotFound, MethodNotAllowed):
            continue  # a kind that is gone by now, or whose objects nobody can delete
        except ApiError as error:
            found.append(_remains(served, grace=grace, error=str(error)))
    rest = survey(namespace) if survey is not None else None
    for served, grace in tried:
        if rest is not None and served not in rest:
            continue
        try:
            there, held = await _look(api, served.endpoint, namespace)
        except ApiError as error:
            found.append(_remains(served, grace=grace, error=str(error)))
            continue
        if there.names:
            left.append(there)
            found.append(_remains(served, len(there.names), held, grace))
    return found, left


def _remains(
    served: Served, count: int = 0, held: Mapping[str, int] | None = None, grace: int = 0, error: str = ""
) -> Remains:
    endpoint = served.endpoint
    return Remains(endpoint.group, endpoint.version, endpoint.plural, count, held or {}, grace, error)


async def _grace(api: Api, endpoint: Endpoint[Document], namespace: str, deleted: str) -> int:
    """How many seconds the objects of a resource may take to end themselves."""
    if (endpoint.group, endpoint.plural) != ("", "pods"):
        return 0
    return estimate_pods([pod async for pod in api.list(endpoint, namespace=namespace)], deleted, clock.now())


async def _delete(api: Api, served: Served, namespace: str) -> bool:
    """Delete the objects of a resource; whether there were any."""
    endpoint = served.endpoint
    if "deletecollection" not in served.verbs:
        names = [each.metadata.name async for each in api.list(endpoint.view(_Head), namespace=namespace)]
        for name in names:
            try:
                await api.delete(endpoint, name, namespace, propagation="Background")
            except NotFound:
                continue
        return bool(names)
    path, token, any_found = endpoint.path(namespace), "", False
    # Page by page: the answer tells all that was found, and there may be very many.
    while True:
        query: dict[str, str | int | bool | None] = {"limit": PAGE, "continue": token or None}
        try:
            page = read_page(await api.raw.ask("DELETE", path, query, _BACKGROUND), path)
        except Expired:
            token = ""
            continue
        any_found = any_found or bool(page.items)
        token = page.metadata.go_on
        if not token:
            return any_found


async def _look(api: Api, endpoint: Endpoint[Document], namespace: str) -> tuple[Left, Counter[str]]:
    """What is there of a resource, and how many objects each finalizer holds."""
    names: list[str] = []
    held: Counter[str] = Counter()
    version = ""
    async for page in api.list(endpoint.view(_Head), namespace=namespace).pages():
        version = page.resource_version
        for each in page.items:
            names.append(each.metadata.name)
            held.update(each.metadata.finalizers or ())
    return Left(endpoint, namespace, frozenset(names), version), held
