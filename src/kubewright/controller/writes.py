"""A client that tells the caches what it wrote, so that nobody reads a state older than his own write.

Whatever an operator writes goes through this one: what `ctx.apply` sends, finalizers, status, and what a reconciler
sends by itself with `ctx.live`. Of each write the path says which object it is about and the answer how that is now; of
a write without an answer nobody knows, and that is told too.
"""

import contextlib
from collections.abc import Coroutine
from typing import Any, Self, Unpack
from urllib.parse import unquote

import msgspec

from kubewright.cache import Cached, Caches, Key
from kubewright.client.client import JSON, PATCHES, Client, Query, Settings
from kubewright.client.endpoint import Endpoint
from kubewright.client.errors import ApiError, HeldBack, NotFound
from kubewright.client.plugin import PluginError
from kubewright.http import ConnectError

__all__ = ["Target", "WritingClient", "read_target"]

#: Subresources that are another view of the same object: they are answered with it.
_VIEWS = frozenset(("", "status", "finalize", "approval", "ephemeralcontainers", "resize"))
#: Codes after which the write may have been done: the server did not wait for its end.
_UNSURE = frozenset((0, 500, 502, 503, 504))


class Target(msgspec.Struct, frozen=True, gc=False):
    """What the path of a request is about."""

    prefix: str
    plural: str
    namespace: str
    name: str
    subresource: str


class _Meta(msgspec.Struct, rename="camel"):
    name: str = ""
    namespace: str = ""
    uid: str = ""
    deletion_timestamp: str | None = None
    deletion_grace_period_seconds: int | None = None
    finalizers: list[str] | None = None


class _Details(msgspec.Struct):
    uid: str = ""


class _Answer(msgspec.Struct):
    kind: str = ""
    metadata: _Meta | None = None
    details: _Details | None = None
    spec: msgspec.Raw = msgspec.Raw(b"{}")


class _NamespaceSpec(msgspec.Struct):
    finalizers: list[str] | None = None


class _Options(msgspec.Struct, rename="camel"):
    dry_run: list[str] | None = None


_answer = msgspec.json.Decoder(_Answer).decode
_namespace_spec = msgspec.json.Decoder(_NamespaceSpec).decode
_options = msgspec.json.Decoder(_Options).decode


def read_target(path: str) -> Target | None:
    """What a path is about; None for one that is no object's or collection's."""
    parts = path.partition("?")[0].strip("/").split("/")
    if parts[0] == "apis" and len(parts) > 3:
        prefix, rest = f"/apis/{parts[1]}/{parts[2]}", parts[3:]
    elif parts[0] == "api" and len(parts) > 2:
        prefix, rest = f"/api/{parts[1]}", parts[2:]
    else:
        return None
    namespace = ""
    if len(rest) >= 3 and rest[0] == "namespaces" and (len(rest) > 3 or rest[2] not in ("status", "finalize")):
        namespace, rest = rest[1], rest[2:]
    name = rest[1] if len(rest) > 1 else ""
    if "%" in path:
        namespace, name = unquote(namespace), unquote(name)
    return Target(prefix, rest[0], namespace, name, "/".join(rest[2:]))


class WritingClient(Client):
    """A `Client` whose writes are told to `caches`."""

    _caches: Caches | None = None

    @classmethod
    def of(cls, client: Client, caches: Caches) -> Self:
        """The same client, telling these caches."""
        other = cls(client._transport, **client._settings)
        other._notices = client._notices
        other._caches = caches
        return other

    def but(self, **settings: Unpack[Settings]) -> Self:
        """A client on the same transport, with these settings different, telling the same caches."""
        other = super().but(**settings)
        other._caches = self._caches
        return other

    async def ask(
        self,
        method: str,
        path: str,
        query: Query | None = None,
        body: bytes = b"",
        content_type: bytes = JSON,
        *,
        accept: bytes = JSON,
    ) -> bytes:
        """Any request; the whole answer as it came, if it is a good one."""
        found = None
        if method != "GET" and self._caches is not None and not _is_dry(method, query, body):
            found = self._find(path, body, method)
        if found is None:
            return await super().ask(method, path, query, body, content_type, accept=accept)
        return (await self._write(found[0], found[1], method, path, query, body, content_type, accept))[0]

    def apply_bytes(
        self, endpoint: Endpoint[Any], key: Key, body: bytes, manager: str, subresource: str = ""
    ) -> Coroutine[Any, Any, tuple[bytes, Cached | None]]:
        """Apply a configuration, whosever its fields were: the answer, and what the cache of its kind keeps of it."""
        path = endpoint.path(key.namespace or None, key.name, subresource or None)
        target = Target(endpoint.prefix, endpoint.plural, key.namespace, key.name, subresource)
        query: Query = {"fieldManager": manager, "force": True}
        return self._write(endpoint, target, "PATCH", path, query, body, PATCHES["apply"], JSON)

    async def merge(
        self, endpoint: Endpoint[Any], cached: Cached, patch: dict[str, Any], manager: str, subresource: str = ""
    ) -> bytes:
        """Change an object by a merge patch, if it still is in that version."""
        key = cached.key
        path = endpoint.path(key.namespace or None, key.name, subresource or None)
        guard = {"uid": cached.uid, "resourceVersion": str(cached.revision)}
        body = msgspec.json.encode({**patch, "metadata": {**patch.get("metadata", {}), **guard}})
        return await self.ask("PATCH", path, {"fieldManager": manager}, body, PATCHES["merge"])

    async def _write(
        self,
        endpoint: Endpoint[Any],
        target: Target,
        method: str,
        path: str,
        query: Query | None,
        body: bytes,
        content_type: bytes,
        accept: bytes,
    ) -> tuple[bytes, Cached | None]:
        try:
            answer = (await self._send(method, path, query, body, content_type, accept, whole=True)).body
            assert isinstance(answer, bytes)
            whole = method == "DELETE" and not target.name  # a collection; it is answered as it was before
            caches = self._caches
            assert caches is not None, "who has none finds no endpoint that is kept"
            if whole or target.subresource not in _VIEWS:
                # It was done, so whoever is told so reads what it has done.
                await self._look(endpoint, target)
                return answer, None
            kept = self._tell(method, endpoint, target, answer)
            if caches.is_elsewhere(endpoint):
                name = target.name or (_answer(answer).metadata or _Meta()).name
                await caches.look(endpoint, Key(target.namespace, name), elsewhere=True)
            return answer, kept
        except ApiError as error:
            if error.code in _UNSURE:
                self._unsure(endpoint, target)
            elif method == "DELETE" and not target.subresource and isinstance(error, NotFound) and error.name:
                # It has gone, and not its kind, which the watch may not have told yet.
                await self._look(endpoint, target)
            raise
        except (HeldBack, ConnectError, PluginError):
            raise  # nothing was sent
        except BaseException:  # a lost connection, a time limit, a cancellation, garbage: it may have been done
            self._unsure(endpoint, target)
            raise

    def _find(self, path: str, body: bytes, method: str) -> tuple[Endpoint[Any], Target] | None:
        """The cached kind that a write is about."""
        target = read_target(path)
        if target is None or self._caches is None:
            return None
        endpoint = self._caches.endpoint(target.prefix, target.plural)
        if endpoint is None:
            return None
        if not target.name and method == "POST":
            with contextlib.suppress(msgspec.DecodeError):  # the server will say what it is, or it is YAML
                target = msgspec.structs.replace(target, name=(_answer(body).metadata or _Meta()).name)
        return endpoint, target

    async def _look(self, endpoint: Endpoint[Any], target: Target) -> None:
        if self._caches is not None:
            await self._caches.look(endpoint, Key(target.namespace, target.name))

    def _unsure(self, endpoint: Endpoint[Any], target: Target) -> None:
        """Of a write that names no object it may be any in its namespace."""
        if self._caches is not None:
            self._caches.unsure(endpoint, Key(target.namespace, target.name))

    def _tell(self, method: str, endpoint: Endpoint[Any], target: Target, answer: bytes) -> Cached | None:
        """Tell the caches of an answer that is the object; what is kept of one that was written comes back."""
        caches = self._caches
        assert caches is not None
        if method != "DELETE":
            kept = caches.wrote(endpoint, answer)
            if kept is not None and kept.deleting and not _is_held(_answer(answer), endpoint):
                # With what held it last it has gone, in the version that it had before.
                caches.deleted(endpoint, kept.key, kept.uid)
            return kept
        read = _answer(answer)
        meta = read.metadata or _Meta()
        if read.kind == "Status" and endpoint.kind != "Status":
            uid = read.details.uid if read.details is not None else ""
            caches.deleted(endpoint, Key(target.namespace, target.name), uid)
        elif meta.deletion_timestamp and _is_held(read, endpoint):
            caches.wrote(endpoint, answer)
        else:
            caches.deleted(endpoint, Key(meta.namespace, meta.name), meta.uid)
        return None


def _is_held(read: _Answer, endpoint: Endpoint[Any]) -> bool:
    """Whether an object that is being deleted is still there: something holds it, or its time has not come."""
    meta = read.metadata or _Meta()
    if meta.finalizers or meta.deletion_grace_period_seconds:
        return True
    # A namespace has what holds it elsewhere.
    return endpoint.resource == "namespaces" and bool(_namespace_spec(read.spec).finalizers)


def _is_dry(method: str, query: Query | None, body: bytes) -> bool:
    """Whether nothing of it is kept; a deletion says so in its body."""
    if query and query.get("dryRun"):
        return True
    if method == "DELETE" and b"dryRun" in body:
        with contextlib.suppress(msgspec.DecodeError):  # the server will say what it is
            return bool(_options(body).dry_run)
    return False
