"""What the server tells of itself: discovery, OpenAPI, its version, its health, and the list of all these paths.

| path                                          | answer                                                        |
|-----------------------------------------------|---------------------------------------------------------------|
| `/`                                           | the paths                                                     |
| `/api`, `/apis`, `/apis/<g>`, `/apis/<g>/<v>` | what is served; the first two also in the aggregated form     |
| `/openapi/v3`, `/openapi/v3/<document>`       | paths and schemas, a document for each group version          |
| `/openapi/v2`                                 | the same in the old form, in one document                     |
| `/version`                                    | which release this is                                         |
| `/openid/v1/jwks`, `/.well-known/…`           | who signs the tokens of service accounts, and with which keys |
| `/healthz`, `/livez`, `/readyz`               | whether all is well                                           |

Documents are kept until the registry changes. Most answers are there at once; an OpenAPI document is a coroutine, since
it may have to be made first.
"""

from collections.abc import Callable, Coroutine, Mapping
from typing import TYPE_CHECKING, Any, Final
from urllib.parse import parse_qs

import msgspec

from kubewright import clock
from kubewright.cluster.auth.token import ISSUER
from kubewright.cluster.discovery.aggregated import Aggregate
from kubewright.cluster.discovery.groups import group_document, group_list, groups, legacy_versions, resource_list
from kubewright.cluster.discovery.health import ENDPOINTS, Check, Health
from kubewright.cluster.discovery.negotiation import AGGREGATED, choose_form, choose_openapi, route
from kubewright.cluster.discovery.version import version_document
from kubewright.cluster.preload import load
from kubewright.cluster.registry.kinds.index import strategy_modules
from kubewright.cluster.registry.registry import Registry
from kubewright.cluster.wire.form import encode
from kubewright.cluster.wire.media import JSON
from kubewright.cluster.wire.negotiate import Output, wants_pretty
from kubewright.cluster.wire.status import method_not_allowed, unknown_resource
from kubewright.http import Headers, Request, Response
from kubewright.http.head import written

if TYPE_CHECKING:
    from kubewright.cluster.discovery.openapi.library import Library, Volume

__all__ = ["Discovery"]

Document = dict[str, Any]
Answer = Response | Coroutine[Any, Any, Response]

_NO_CACHE: Final = (b"Cache-Control", b"no-cache, private")
_VARY: Final = (b"Vary", b"Accept")
_VARY_CODING: Final = (b"Vary", b"Accept-Encoding")
#: OpenAPI v2 as protobuf; the second is the old name, under which clients still ask.
_PROTOBUF: Final = (
    "application/com.github.proto-openapi.spec.v2.v1.0+protobuf",
    "application/com.github.proto-openapi.spec.v2@v1.0+protobuf",
)
#: The keys of who signs tokens, and what else a stranger must know to check one.
_KEYS: Final = "/openid/v1/jwks"
_ISSUER: Final = "/.well-known/openid-configuration"
_OPENID: Final = (_KEYS, _ISSUER)
_KEY_SET: Final = "application/jwk-set+json"
_PUBLIC: Final = (b"Cache-Control", b"public, max-age=3600")
_encode: Final = msgspec.json.Encoder().encode


class Discovery:
    """Answers for what a registry holds.

    - `address`: where clients reach this server, `host:port`; told by `/api`. May be set later.
    - `checks`: what health is besides being there, by name; a check returns what is wrong, or None.
    - `readiness`: the same, for `/readyz` alone.
    - `keys`: gives the public keys of whoever signs tokens.
    """

    def __init__(
        self,
        registry: Registry,
        *,
        address: str = "",
        checks: Mapping[str, Check] | None = None,
        readiness: Mapping[str, Check] | None = None,
        keys: Callable[[], bytes] = lambda: b'{"keys":[]}',
    ) -> None:
        self.address = address
        self._keys = keys
        self._registry = registry
        self._aggregate = Aggregate(registry)
        self._opened: Library | None = None
        self._health = Health(checks or {}, readiness or {})
        self._generation = -1
        self._kept: dict[str, Any] = {}

    def answer(self, request: Request, path: str) -> Answer | None:
        """The answer to a request, at once or to be awaited; None if there is nothing at this path."""
        head, *rest = path.removeprefix("/").removesuffix("/").split("/")
        if head in ("api", "apis"):
            return self._tell(request, head, rest)
        if head in ENDPOINTS:
            return self._health.answer(path, request.query)
        if head == "openapi":
            return self._openapi(request, path)
        if path in ("/version", "/version/"):
            _only_get(request)
            route(request.headers.get(b"accept"), (JSON,))
            return Response(200, Headers([_NO_CACHE, (b"Content-Type", JSON.encode())]), version_document())
        if path.startswith(_OPENID):
            return self._openid(request, path.removesuffix("/"))
        if path in ("/", "/index.html"):
            body = msgspec.json.format(_encode({"paths": self._paths()}), indent=2)
            return Response(200, Headers([_NO_CACHE, (b"Content-Type", JSON.encode())]), body)
        return None

    def _paths(self) -> list[str]:
        told = ["/api", "/api/v1", "/apis", "/apis/", *self._health.paths()]
        for group, versions in groups(self._registry).items():
            told += [f"/apis/{group}", *(f"/apis/{group}/{version}" for version in versions)]
        return sorted([*told, *_OPENID, "/openapi/v2", "/openapi/v3", "/openapi/v3/", "/version"])

    def _openid(self, request: Request, path: str) -> Response | None:
        if path not in _OPENID:
            if any(path.startswith(f"{each}/") for each in _OPENID):
                raise unknown_resource()
            return None
        _only_get(request)
        media = _KEY_SET if path == _KEYS else JSON
        route(request.headers.get(b"accept"), (media,))
        if path == _KEYS:
            body = self._keys()
        else:
            told = {
                "issuer": ISSUER,
                "jwks_uri": f"https://{self.address}{_KEYS}",
                "response_types_supported": ["id_token"],
                "subject_types_supported": ["public"],
                "id_token_signing_alg_values_supported": ["ES256"],
            }
            body = _encode(told)
        return Response(200, Headers([_PUBLIC, (b"Content-Type", media.encode())]), body)

    # Discovery

    def _tell(self, request: Request, head: str, rest: list[str]) -> Response | None:
        core = head == "api"
        accept = request.headers.get(b"accept")
        if not rest:
            if core:
                _only_get(request)
                route(accept)
            if choose_form(accept, aggregated=True).aggregated:
                return self._aggregated(request, core=core)
            make = (lambda: legacy_versions(self.address)) if core else (lambda: group_list(self._registry))
            return self._document(request, f"{head} {self.address}", make)
        if core:
            return self._version(request, "", *rest) if len(rest) == 1 else None
        if len(rest) == 1:
            return self._document(request, rest[0], lambda: group_document(self._registry, rest[0]))
        return self._version(request, *rest) if len(rest) == 2 else None

    def _version(self, request: Request, group: str, version: str) -> Response | None:
        resources = self._registry.resources(group, version)
        if not all(resource.custom for resource in resources):
            _only_get(request)
            route(request.headers.get(b"accept"))
        if not resources and (not group or self._is_builtin(group)):
            raise unknown_resource()
        make = lambda: resource_list(self._registry, group, version)  # noqa: E731 - as short as its use
        return self._document(request, f"{group}/{version}", make)

    def _is_builtin(self, group: str) -> bool:
        versions = groups(self._registry).get(group, [])
        return any(not each.custom for version in versions for each in self._registry.resources(group, version))

    def _document(self, request: Request, key: str, make: Callable[[], Document | None]) -> Response | None:
        document = self._keep(key, make)
        if document is None:
            return None
        form = choose_form(request.headers.get(b"accept"))
        pretty = _pretty(request)
        headers = Headers([_NO_CACHE, (b"Content-Type", form.media.encode())])
        if form.media == JSON and not pretty:
            return Response(200, headers, self._keep(f"{key} written", lambda: _encode(document) + b"\n"))
        return Response(200, headers, encode(document, Output(form.media, pretty)))

    def _aggregated(self, request: Request, *, core: bool) -> Response:
        content, tag = self._keep(f"aggregated {core}", self._aggregate.core if core else self._aggregate.named)
        headers = Headers([(b"Cache-Control", b"public"), (b"ETag", tag), _VARY])
        if request.headers.get(b"if-none-match") == tag:
            return Response(304, headers)
        form = choose_form(request.headers.get(b"accept"), aggregated=True)
        headers = headers.plus((b"Content-Type", f"{form.media}{AGGREGATED}".encode()))
        pretty = _pretty(request)
        if form.media == JSON and not pretty:
            return Response(200, headers, content)
        return Response(200, headers, encode(msgspec.json.decode(content), Output(form.media, pretty)))

    def _keep(self, key: str, make: Callable[[], Any]) -> Any:
        """What was made for this state of the registry, or is made now."""
        if self._generation != self._registry.generation:
            self._generation = self._registry.generation
            self._kept.clear()
        if key not in self._kept:
            self._kept[key] = make()
        return self._kept[key]

    # OpenAPI

    async def _library(self) -> "Library":
        if self._opened is None:
            # Loaded now: a server must be ready soon, and OpenAPI is not asked for before that. It tells something of
            # what every kind does.
            await load("kubewright.cluster.discovery.openapi.library", *strategy_modules())
            from kubewright.cluster.discovery.openapi.library import Library

            self._opened = self._opened or Library(self._registry)
        return self._opened

    def _openapi(self, request: Request, path: str) -> Answer | None:
        if path == "/openapi/v3":
            return self._index()
        if path.startswith("/openapi/v3/"):
            return self._volume(request, path.removeprefix("/openapi/v3/"))
        return self._whole(request) if path == "/openapi/v2" else None

    async def _index(self) -> Response:
        content = await (await self._library()).index()
        # As the real server's aggregator answers: it does not say that this is JSON, and it always changed just now. So
        # nobody keeps it; a time in seconds would be too coarse to tell of a CRD that came a moment ago.
        now = written(clock.now()).encode()
        headers = Headers([_NO_CACHE, (b"Content-Type", b"text/plain; charset=utf-8"), (b"Last-Modified", now)])
        return Response(200, headers, content)

    async def _volume(self, request: Request, name: str) -> Response:
        volume = (await self._library()).volume(name)
        if choose_openapi(request.headers.get(b"accept"), (JSON,)) is None:
            return Response(406, Headers([_NO_CACHE, _VARY]))
        if volume is None:
            return Response(404, Headers([_NO_CACHE]))
        headers = Headers([_VARY, (b"Content-Type", JSON.encode()), _tag(volume.hash)])
        asked = parse_qs(request.query).get("hash", [""])[0]
        if asked and asked != volume.hash:
            where = f"/openapi/v3/{volume.name}?hash={volume.hash}"
            return Response(301, headers.plus(_NO_CACHE, (b"Location", where.encode())))
        if asked:
            now = clock.now()
            expires = written(now.replace(year=now.year + 1, day=min(now.day, 28))).replace("GMT", "UTC")
            headers = headers.plus((b"Cache-Control", b"public, immutable"), (b"Expires", expires.encode()))
        else:
            headers = headers.plus(_NO_CACHE)
        return await self._read(request, volume, headers)

    async def _whole(self, request: Request) -> Response:
        media = choose_openapi(request.headers.get(b"accept"), (JSON, *_PROTOBUF))
        if media is None:
            return Response(406, Headers([_NO_CACHE, _VARY_CODING, _VARY]))
        volume = await (await self._library()).whole()
        if media == JSON:
            headers = Headers([_NO_CACHE, _VARY_CODING, _VARY, (b"Content-Type", JSON.encode()), _tag(volume.hash)])
            return await self._read(request, volume, headers)
        # Another tag: what is kept as one form must not be taken for the other.
        kind = (b"Content-Type", _PROTOBUF[0].encode())
        headers = Headers([_NO_CACHE, _VARY_CODING, _VARY, kind, _tag(f"{volume.hash}-protobuf")])
        return await self._read(request, volume, headers, protobuf=True)

    async def _read(self, request: Request, volume: "Volume", headers: Headers, *, protobuf: bool = False) -> Response:
        if _is_known(request, headers):
            return Response(304, Headers([pair for pair in headers.pairs if pair[0] != b"Content-Type"]))
        headers = headers.plus((b"Last-Modified", written(volume.modified).encode()))
        library = await self._library()
        read = library.read_protobuf if protobuf else library.read
        return Response(200, headers, await read(volume))


def _tag(content: str) -> tuple[bytes, bytes]:
    return b"ETag", f'"{content}"'.encode()


def _only_get(request: Request) -> None:
    """Refuse what the router has no way for."""
    if request.method != "GET":
        raise method_not_allowed()


def _pretty(request: Request) -> bool:
    query = parse_qs(request.query).get("pretty", [None])[0] if "pretty=" in request.query else None
    return wants_pretty(query, request.headers.get(b"user-agent"))


def _is_known(request: Request, headers: Headers) -> bool:
    """Whether the client has what is answered with these headers. Times are not looked at: seconds are too coarse."""
    known = request.headers.get(b"if-none-match")
    tags = [each.strip().removeprefix(b"W/") for each in known.split(b",")] if known is not None else []
    return b"*" in tags or headers.get(b"etag") in tags
