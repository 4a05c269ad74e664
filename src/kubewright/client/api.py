"""The typed client: kinds in, objects out.

    async with Api.connect() as api:
        async for pod in api.list(Pod, namespace="kube-system", labels="app=dns"):
            print(pod.metadata.name)
        await api.apply(ConfigMap(metadata=ObjectMeta(name="greeting"), data={"hello": "world"}))

A kind is a class, or what `await api.resource("deployments.apps")` found out about a kind of which there is no class:
then objects are plain documents. Where no namespace is given, one object is looked for in `api.namespace` (that of the
context), a list or watch is of all namespaces. Requests are repeated only where that is safe (`retry`); after a
`DisconnectedError` or `TimedOutError` nobody knows whether a write was done.
"""

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Any, Literal, Self, TypeVar, Unpack, cast, overload

import msgspec

from kubewright.client.answer import check_answer, check_success, kind_of
from kubewright.client.client import PATCHES, Client, Settings
from kubewright.client.config import load_access
from kubewright.client.discovery import Discovery
from kubewright.client.endpoint import Document, Endpoint, EndpointError, check_object, document_bytes, endpoint_of
from kubewright.client.kubeconfig import Access
from kubewright.client.listing import PAGE, Listing
from kubewright.client.logs import Log
from kubewright.client.options import (
    Fields,
    Labels,
    Patch,
    Propagation,
    Strategy,
    Writing,
    deletion,
    patched,
    selected,
    written,
)
from kubewright.client.retry import Retry
from kubewright.client.watch import TypedWatch
from kubewright.k8s.autoscaling.v1 import Scale
from kubewright.model.documents import load_json
from kubewright.model.kind import GroupVersionKind
from kubewright.model.model import is_set
from kubewright.model.resource import Resource

if TYPE_CHECKING:
    from kubewright.client.execute import Done
    from kubewright.client.forward import PortForward

__all__ = ["Api", "Kind"]

T = TypeVar("T")
M = TypeVar("M", bound=Resource)

Kind = type[T] | Endpoint[T]


class Api:
    """Objects of an API, typed. `raw` is the `Client` below, for paths and bytes."""

    def __init__(self, client: Client, *, field_manager: str = "kubewright", retry: Retry | None = None) -> None:
        self.raw = client.but(retry=retry or Retry())
        #: Who owns what is written, unless a call says otherwise.
        self.field_manager = field_manager
        self._discovery = Discovery(self.raw)

    @classmethod
    def connect(
        cls,
        access: Access | None = None,
        *,
        kubeconfig: Path | str | None = None,
        context: str | None = None,
        field_manager: str = "kubewright",
        **settings: Unpack[Settings],
    ) -> Self:
        """The API that `load_access` finds: the file named, `$KUBECONFIG`, the pod's own, or `~/.kube/config`."""
        access = access or load_access(kubeconfig, context=context)
        return cls(Client.connect(access, **settings), field_manager=field_manager, retry=settings.get("retry"))

    def but(self, **settings: Unpack[Settings]) -> Self:
        """The same API with these settings different: `api.but(timeout=5)`. Closing either closes both."""
        other = type(self).__new__(type(self))
        other.raw = self.raw.but(**settings)
        other.field_manager = self.field_manager
        other._discovery = self._discovery
        return other

    def gated(self, gate: Callable[[], None]) -> Self:
        """The same API, but `gate` is asked directly before each write is sent; what it raises keeps it from being."""
        return self.but(gate=gate)

    @property
    def namespace(self) -> str:
        """The namespace that is meant where none is said of one object."""
        return self.raw.namespace

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, kind: type[BaseException] | None, error: object, trace: TracebackType | None) -> None:
        await self.close()

    async def close(self) -> None:
        """Let go of all connections."""
        await self.raw.close()

    # Kinds.

    async def resource(self, kind: str | GroupVersionKind) -> Endpoint[Document]:
        """Where a kind is served, by what the server says; its objects are then plain documents.

        `Deployment`, `deployments`, `deploy`, `deployments.apps`, `deployments.v1.apps` and `apps/v1/Deployment` name
        one. What is not known is looked for once more before `UnknownKind` is raised.
        """
        return await self._discovery.find(kind)

    # Reading.

    async def get(
        self,
        kind: Kind[T],
        name: str,
        namespace: str | None = None,
        *,
        subresource: str | None = None,
        resource_version: str | None = None,
    ) -> T:
        """One object, as it is now; with `resource_version`, not older than that (`"0"`: as old as may be)."""
        endpoint = endpoint_of(kind)
        path = self._object(endpoint, namespace, name, subresource)
        query = {"resourceVersion": resource_version}
        data = await self.raw.ask("GET", path, query)
        answer = f"the answer to GET {path}"
        check_answer(endpoint, data, answer, part=subresource is not None)
        return endpoint.read(data, answer)

    def list(
        self,
        kind: Kind[T],
        *,
        namespace: str | None = None,
        labels: Labels | None = None,
        fields: Fields | None = None,
        limit: int = PAGE,
        resource_version: str | None = None,
        resource_version_match: Literal["Exact", "NotOlderThan"] | None = None,
    ) -> Listing[T]:
        """Objects: `async for` each, or `await` all with their resourceVersion. `limit` is a page's; 0 is one page."""
        endpoint = endpoint_of(kind)
        path = endpoint.path(namespace)
        chosen = selected(labels, fields)

        async def ask(size: int, token: str) -> bytes:
            query: dict[str, str | int | None] = {**chosen, "limit": size or None, "continue": token or None}
            if not token:  # a page that continues another is of the same version
                query["resourceVersion"] = resource_version
                query["resourceVersionMatch"] = resource_version_match
            return await self.raw.ask("GET", path, query)

        return Listing(endpoint, ask, limit)

    def watch(
        self,
        kind: Kind[T],
        *,
        namespace: str | None = None,
        name: str | None = None,
        labels: Labels | None = None,
        fields: Fields | None = None,
        resource_version: str | None = None,
        initial: bool = False,
        bookmarks: bool = False,
        seconds: int | None = None,
    ) -> TypedWatch[T]:
        """Changes since `resource_version`, until the server ends the watch (after `seconds`, or in its own time).

        With no version every object there is comes first. `initial` has the server say where that ends: a BOOKMARK
        with the annotation `k8s.io/initial-events-end`.
        """
        endpoint = endpoint_of(kind)
        if name is not None:
            endpoint.check_name(name)
            if fields is not None:
                raise EndpointError(
                    "a watch is of one name or of what fields select: put metadata.name into the fields."
                )
            fields = {"metadata.name": name}
        query: dict[str, str | int | bool | None] = {
            **selected(labels, fields),
            "resourceVersion": resource_version,
            "timeoutSeconds": seconds,
            "allowWatchBookmarks": True if bookmarks or initial else None,
        }
        if initial:
            query |= {"sendInitialEvents": True, "resourceVersionMatch": "NotOlderThan"}
        return TypedWatch(self.raw.watch(endpoint.path(namespace), query), endpoint)

    # Writing.

    @overload
    async def create(self, obj: M, *, namespace: str | None = None, **writing: Unpack[Writing]) -> M: ...
    @overload
    async def create(self, obj: Document, *, namespace: str | None = None, **writing: Unpack[Writing]) -> Document: ...
    async def create(
        self, obj: Resource | Document, *, namespace: str | None = None, **writing: Unpack[Writing]
    ) -> Resource | Document:
        """Make an object; what the server made of it comes back."""
        query = written(writing, self.field_manager)
        endpoint, _, place = await self._placed(obj, namespace)
        return await self._exchange(endpoint, "POST", endpoint.path(place), query, document_bytes(obj))

    @overload
    async def update(
        self,
        obj: M,
        *,
        namespace: str | None = None,
        subresource: str | None = None,
        **writing: Unpack[Writing],
    ) -> M: ...
    @overload
    async def update(
        self,
        obj: Document,
        *,
        namespace: str | None = None,
        subresource: str | None = None,
        **writing: Unpack[Writing],
    ) -> Document: ...
    async def update(
        self,
        obj: Resource | Document,
        *,
        namespace: str | None = None,
        subresource: str | None = None,
        **writing: Unpack[Writing],
    ) -> Resource | Document:
        """Replace an object; `Conflict` if it has changed since the one given was read."""
        query = written(writing, self.field_manager)
        endpoint, name, place = await self._placed(obj, namespace)
        path = endpoint.path(place, name, subresource)
        part = subresource is not None
        return await self._exchange(endpoint, "PUT", path, query, document_bytes(obj), part=part)

    @overload
    async def apply(
        self,
        obj: M,
        *,
        namespace: str | None = None,
        force: bool = False,
        subresource: str | None = None,
        **writing: Unpack[Writing],
    ) -> M: ...
    @overload
    async def apply(
        self,
        obj: Document,
        *,
        namespace: str | None = None,
        force: bool = False,
        subresource: str | None = None,
        **writing: Unpack[Writing],
    ) -> Document: ...
    async def apply(
        self,
        obj: Resource | Document,
        *,
        namespace: str | None = None,
        force: bool = False,
        subresource: str | None = None,
        **writing: Unpack[Writing],
    ) -> Resource | Document:
        """Server-side apply: what is set in `obj` shall be so, and be ours; what we set before and no more, goes.

        `Conflict` if others own a field with another value, unless `force` takes it from them.
        """
        query = written(writing, self.field_manager)
        endpoint, name, place = await self._placed(obj, namespace)
        if _is_managed(obj):
            raise EndpointError(
                f"{endpoint.kind} {name!r} was read from the API, with every field of every owner: to apply it would "
                "take all of them. Make a new one with the fields that shall be yours."
            )
        if force:
            query["force"] = True
        path, part = endpoint.path(place, name, subresource), subresource is not None
        return await self._exchange(endpoint, "PATCH", path, query, document_bytes(obj), PATCHES["apply"], part=part)

    async def patch(
        self,
        kind: Kind[T],
        name: str,
        patch: Patch,
        namespace: str | None = None,
        *,
        strategy: Strategy | None = None,
        subresource: str | None = None,
        **writing: Unpack[Writing],
    ) -> T:
        """Change an object: a list of operations is a JSON patch, an object a merge patch unless `strategy` says.

        Of a typed object what is set in it is sent, and nothing else.
        """
        endpoint = endpoint_of(kind)
        body, content_type = patched(patch, strategy)
        query = written(writing, self.field_manager)
        path = self._object(endpoint, namespace, name, subresource)
        return await self._exchange(endpoint, "PATCH", path, query, body, content_type, part=subresource is not None)

    async def delete(
        self,
        kind: Kind[T],
        name: str,
        namespace: str | None = None,
        *,
        uid: str | None = None,
        resource_version: str | None = None,
        propagation: Propagation | None = None,
        grace: int | None = None,
        dry_run: bool = False,
    ) -> T | None:
        """Delete an object; with `uid` or `resource_version` only if it is that one still (else `Conflict`).

        The object as it was left, where the server gives it: it may stay until its finalizers or its grace are over.
        """
        endpoint = endpoint_of(kind)
        path = self._object(endpoint, namespace, name, None)
        options = deletion(uid, resource_version, propagation, grace, dry_run)
        data = await self.raw.ask("DELETE", path, None, options)
        answer = f"the answer to DELETE {path}"
        check_answer(endpoint, data, answer, wrote=True)
        done = kind_of(data) == "Status" and endpoint.kind != "Status"
        return None if done else endpoint.read(data, answer)

    async def delete_collection(
        self,
        kind: Kind[T],
        namespace: str | None,
        *,
        labels: Labels | None = None,
        fields: Fields | None = None,
        propagation: Propagation | None = None,
        grace: int | None = None,
        dry_run: bool = False,
    ) -> None:
        """Delete all objects of a namespace that are selected; for kinds in no namespace it is None."""
        endpoint = endpoint_of(kind)
        if endpoint.namespaced and not namespace:
            raise EndpointError(f"{endpoint.resource} are deleted in one namespace at a time; say which.")
        options = deletion(None, None, propagation, grace, dry_run)
        check_success(await self.raw.ask("DELETE", endpoint.path(namespace), selected(labels, fields), options))

    # Subresources that are more than another view of the object.

    @overload
    async def post(
        self,
        kind: Kind[T],
        name: str,
        subresource: str,
        obj: M,
        namespace: str | None = None,
        **writing: Unpack[Writing],
    ) -> M: ...
    @overload
    async def post(
        self,
        kind: Kind[T],
        name: str,
        subresource: str,
        obj: Document,
        namespace: str | None = None,
        **writing: Unpack[Writing],
    ) -> Document: ...
    async def post(
        self,
        kind: Kind[T],
        name: str,
        subresource: str,
        obj: Resource | Document,
        namespace: str | None = None,
        **writing: Unpack[Writing],
    ) -> Resource | Document:
        """Send an object of another kind to a subresource: a TokenRequest to `token`, a Binding to `binding`."""
        path = self._object(endpoint_of(kind), namespace, name, subresource)
        data = await self.raw.ask("POST", path, written(writing, self.field_manager), document_bytes(obj))
        check_success(data)
        if isinstance(obj, Resource):
            return endpoint_of(type(obj)).read(data, f"the answer to POST {path}")
        return cast("Document", load_json(data, f"the answer to POST {path}"))

    async def scale(
        self,
        kind: Kind[T],
        name: str,
        namespace: str | None = None,
        *,
        replicas: int | None = None,
        **writing: Unpack[Writing],
    ) -> Scale:
        """How many replicas there are and shall be; with `replicas`, shall be from now on."""
        query = written(writing, self.field_manager)
        path = f"{self._object(endpoint_of(kind), namespace, name, None)}/scale"
        if replicas is None:
            data = await self.raw.ask("GET", path)
        else:
            body = msgspec.json.encode({"spec": {"replicas": replicas}})
            data = await self.raw.ask("PATCH", path, query, body, PATCHES["merge"])
        scale, answer = endpoint_of(Scale), f"the scale of {name}"
        check_answer(scale, data, answer)
        return scale.read(data, answer)

    async def evict(
        self,
        name: str,
        namespace: str | None = None,
        *,
        uid: str | None = None,
        grace: int | None = None,
        dry_run: bool = False,
    ) -> None:
        """Ask a pod to go; `TooManyRequests` while a disruption budget does not allow it."""
        place = namespace or self.namespace
        eviction: Document = {
            "apiVersion": "policy/v1",
            "kind": "Eviction",
            "metadata": {"name": name, "namespace": place},
        }
        if options := deletion(uid, None, None, grace, dry_run):
            eviction["deleteOptions"] = msgspec.json.decode(options)
        path = _PODS.path(place, name, "eviction")
        check_success(await self.raw.ask("POST", path, None, msgspec.json.encode(eviction)))

    # What a container does.

    def logs(
        self,
        name: str,
        namespace: str | None = None,
        *,
        container: str | None = None,
        follow: bool = False,
        previous: bool = False,
        since: int | None = None,
        tail: int | None = None,
        timestamps: bool = False,
    ) -> Log:
        """The log of a pod's container: `await` it for the text, `async for` its lines, as they come with `follow`.

        `container` must be said where there are several. `previous`: of the one before it was begun anew. `since`: of
        the last seconds alone; `tail`: the last lines alone.
        """
        path = _PODS.path(namespace or self.namespace, name, "log")
        query: dict[str, str | int | bool | None] = {
            "container": container,
            "follow": follow or None,
            "previous": previous or None,
            "sinceSeconds": since,
            "tailLines": tail,
            "timestamps": timestamps or None,
        }
        return Log(lambda: self.raw.open("GET", path, query, accept=b"*/*"))

    async def exec(
        self,
        name: str,
        command: Sequence[str],
        namespace: str | None = None,
        *,
        container: str | None = None,
        stdin: bytes | None = None,
    ) -> "Done":
        """Run a command in a pod's container to its end: its code, and what it printed.

        `stdin` is put in; without, it has nothing to read. `container` must be said where there are several.
        """
        from kubewright.client.execute import PROTOCOLS, ExecError, converse

        if isinstance(command, str) or not command:
            raise ExecError(f'a command is a list of words, as in ["ls", "-l"], not {command!r:.60}.')
        path = _PODS.path(namespace or self.namespace, name, "exec")
        words = [("command", word) for word in command] + [("stdout", "true"), ("stderr", "true")]
        if container is not None:
            words.append(("container", container))
        if stdin is not None:
            words.append(("stdin", "true"))
        return await converse(await self.raw.socket(path, words, PROTOCOLS), stdin, f"{name}: {' '.join(command)}")

    def port_forward(self, name: str, port: int, namespace: str | None = None) -> "PortForward":
        """A way to the port of a pod: `open` a connection, or have it `listening` on a port of this machine."""
        from kubewright.client.forward import PROTOCOLS, PortForward

        path = _PODS.path(namespace or self.namespace, name, "portforward")
        words = [("ports", str(port))]
        return PortForward(lambda: self.raw.socket(path, words, PROTOCOLS), f"port {port} of pod {name}")

    # How a request is put together.

    def _object(self, endpoint: Endpoint[Any], namespace: str | None, name: str, subresource: str | None) -> str:
        if subresource == "scale" and endpoint.model is not None and issubclass(endpoint.model, Resource):
            raise EndpointError(
                f"the scale of {endpoint.resource} is a Scale and no {endpoint.kind}: call "
                f"api.scale({endpoint.model.__name__}, {name!r}), with replicas= to change it."
            )
        place = namespace or (self.namespace if endpoint.namespaced else None)
        return endpoint.path(place, name, subresource)

    async def _placed(self, obj: Resource | Document, namespace: str | None) -> tuple[Endpoint[Any], str, str | None]:
        """Where an object belongs: its endpoint, name and namespace."""
        check_object(obj)
        if isinstance(obj, Resource):
            endpoint: Endpoint[Any] = endpoint_of(type(obj))
            name, own = obj.metadata.name, obj.metadata.namespace
        else:
            meta = obj.get("metadata") or {}
            if not isinstance(meta, Mapping):
                raise EndpointError(f"the metadata of an object is an object; this is {meta!r:.40}.")
            endpoint = await self._discovery.of_document(obj)
            name, own = meta.get("name") or "", meta.get("namespace") or ""
        if namespace and own and namespace != own:
            raise EndpointError(f"{endpoint.kind} {name!r} is in namespace {own!r}, not in {namespace!r}.")
        return endpoint, name, namespace or own or (self.namespace if endpoint.namespaced else None)

    async def _exchange(
        self,
        endpoint: Endpoint[T],
        method: str,
        path: str,
        query: dict[str, str | int | bool | None],
        body: bytes,
        content_type: bytes = b"application/json",
        *,
        part: bool = False,
    ) -> T:
        data = await self.raw.ask(method, path, query, body, content_type)
        answer = f"the answer to {method} {path}"
        check_answer(endpoint, data, answer, wrote=True, part=part)
        return endpoint.read(data, answer)


_PODS: Endpoint[Document] = Endpoint("", "v1", "pods", "Pod", True)


def _is_managed(obj: Resource | Mapping[str, Any]) -> bool:
    if isinstance(obj, Resource):
        return is_set(obj.metadata, "managed_fields")
    return bool((obj.get("metadata") or {}).get("managedFields"))
