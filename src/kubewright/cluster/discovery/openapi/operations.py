"""What can be asked for at which path, before it is written in any form of OpenAPI.

Paths follow from what discovery tells of a resource. Built-in resources and those of CRDs differ in small things (media
types, `/watch/` paths, what an empty read takes), because two programs made them; clients have seen both for years, so
both are told as they are.
"""

import re
from collections.abc import Iterator
from typing import Final, NamedTuple

from kubewright.cluster.discovery.openapi.parameters import DELETE, DELETE_COLLECTION, LIST, OPTIONS, PATCH, WRITE
from kubewright.cluster.registry.resource import Resource, Subresource
from kubewright.cluster.wire.media import JSON, PROTOBUF, YAML
from kubewright.cluster.wire.schemas import META, model_name
from kubewright.model.kind import GroupVersionKind

__all__ = [
    "ANY",
    "Operation",
    "Path",
    "group_path",
    "resource_paths",
    "root_paths",
    "version_path",
]

#: In place of a schema: what is answered is text.
ANY: Final = "*/*"

_BUILTIN: Final = (JSON, YAML, PROTOBUF)
_STREAMED: Final = (*_BUILTIN, f"{JSON};stream=watch", f"{PROTOBUF};stream=watch")
_CUSTOM: Final = (JSON, YAML)
_PATCHES: Final = ("application/json-patch+json", "application/merge-patch+json")
_STRATEGIC: Final = "application/strategic-merge-patch+json"
_APPLY: Final = "application/apply-patch+yaml"
#: The verbs that a proxy has are more methods than that.
_PROXY: Final = ("get", "put", "post", "delete", "options", "head", "patch")


class Operation(NamedTuple):
    """One method on one path."""

    method: str
    id: str
    #: Schemas by status code; an empty name is a text.
    responses: dict[str, str]
    produces: tuple[str, ...]
    consumes: tuple[str, ...] = (ANY,)
    action: str = ""
    kind: GroupVersionKind | None = None
    parameters: tuple[str, ...] = ()
    body: str = ""
    #: Only the options of a deletion may be left out.
    body_required: bool = True


class Path(NamedTuple):
    """A path and what can be done there."""

    path: str
    tag: str
    operations: list[Operation]


def _joined(text: str, *, title: bool = True) -> str:
    """A dotted name as a part of an identifier: `RbacAuthorization`."""
    parts = [part for part in re.split(r"[^A-Za-z0-9]+", text) if part]
    joined = "".join(part[:1].upper() + part[1:] for part in parts)
    return joined if title else joined[:1].lower() + joined[1:]


def _short(group: str) -> str:
    return group.removesuffix(".k8s.io") or "core"


def root_paths() -> dict[str, Path]:
    """What the server tells of itself, each with a document of its own, by the name of the document."""

    def told(path: str, tag: str, name: str, schema: str, media: tuple[str, ...]) -> Path:
        return Path(path, tag, [Operation("get", name, {"200": schema}, media, media if schema else ())])

    return {
        ".well-known/openid-configuration": told(
            "/.well-known/openid-configuration/", "WellKnown", "getServiceAccountIssuerOpenIDConfiguration", "", (JSON,)
        ),
        "api": told("/api/", "core", "getCoreAPIVersions", f"{META}.APIVersions", _BUILTIN),
        "apis": told("/apis/", "apis", "getAPIVersions", f"{META}.APIGroupList", _BUILTIN),
        "openid/v1/jwks": told(
            "/openid/v1/jwks/", "openid", "getServiceAccountIssuerOpenIDKeyset", "", ("application/jwk-set+json",)
        ),
        "version": told("/version/", "version", "getCodeVersion", "io.k8s.apimachinery.pkg.version.Info", (JSON,)),
    }


def group_path(group: str) -> Path:
    """`/apis/<group>/`, for a built-in group."""
    name = f"get{_joined(_short(group))}APIGroup"
    operation = Operation("get", name, {"200": f"{META}.APIGroup"}, _BUILTIN, _BUILTIN)
    return Path(f"/apis/{group}/", _joined(_short(group), title=False), [operation])


def version_path(group: str, version: str) -> Path:
    """`/apis/<group>/<version>/`, for a built-in version."""
    name = f"get{_joined(_short(group))}{_joined(version)}APIResources"
    operation = Operation("get", name, {"200": f"{META}.APIResourceList"}, _BUILTIN, _BUILTIN)
    return Path(f"{_root(group, version)}/", _tag(group, version), [operation])


def _root(group: str, version: str) -> str:
    return f"/apis/{group}/{version}" if group else f"/api/{version}"


def _tag(group: str, version: str) -> str:
    return f"{_joined(_short(group), title=False)}_{_joined(version, title=False)}"


def resource_paths(resource: Resource) -> Iterator[Path]:
    """Every path of a resource and of its subresources."""
    maker = _Maker(resource)
    yield from maker.collection()
    yield from maker.object()
    for sub in resource.subresources:
        yield from maker.sub(sub)
    if not resource.custom and "watch" in resource.verbs:
        yield from maker.watches()


class _Maker:
    """The paths of one resource."""

    def __init__(self, resource: Resource) -> None:
        self.resource = resource
        self.kind = resource.kind
        self.model = model_name(self.kind, custom=resource.custom)
        self.models = model_name(self.kind._replace(kind=resource.names.list_kind), custom=resource.custom)
        self.root = _root(resource.group, resource.version)
        self.tag = _tag(resource.group, resource.version)
        plural = resource.names.plural
        self.scoped = f"/namespaces/{{namespace}}/{plural}" if resource.namespaced else f"/{plural}"
        #: Which parameters stand in the path of the collection.
        self.place = ("{namespace}", "pretty") if resource.namespaced else ("pretty",)
        self.scope = "Namespaced" if resource.namespaced else ""
        self.produces = _CUSTOM if resource.custom else _BUILTIN
        self.consumes = _CUSTOM if resource.custom else (ANY,)

    def _id(self, verb: str, rest: str) -> str:
        return f"{verb}{_joined(_short(self.resource.group))}{_joined(self.resource.version)}{rest}"

    def _path(self, path: str, operations: list[Operation]) -> Iterator[Path]:
        if operations:
            yield Path(self.root + path, self.tag, operations)

    def collection(self) -> Iterator[Path]:
        """All objects, and all of a namespace."""
        verbs, kind = self.resource.verbs, self.resource.names.kind
        if self.resource.namespaced and "list" in verbs:
            operation = self._list(f"{kind}ForAllNamespaces", ("pretty",))
            yield from self._path(f"/{self.resource.names.plural}", [operation])
        operations = []
        if "list" in verbs:
            operations.append(self._list(f"{self.scope}{kind}", self.place))
        if "create" in verbs:
            operations.append(self._create(f"{self.scope}{kind}", self.kind, self.place))
        if "deletecollection" in verbs:
            operations.append(self._delete_collection())
        yield from self._path(self.scoped, operations)

    def object(self) -> Iterator[Path]:
        """One object."""
        verbs, name, place = self.resource.verbs, f"{self.scope}{self.resource.names.kind}", ("{name}", *self.place)
        operations = self._reads_and_writes(verbs, name, self.kind, self.model, place)
        if "delete" in verbs:
            operations.append(self._delete(name, place))
        yield from self._path(f"{self.scoped}/{{name}}", operations)

    def sub(self, sub: Subresource) -> Iterator[Path]:
        """A part of one object."""
        path = f"{self.scoped}/{{name}}/{sub.name}"
        name = f"{self.scope}{self.resource.names.kind}{sub.name[:1].upper()}{sub.name[1:]}"
        place = ("{name}", *self.place)
        if sub.kind.kind in OPTIONS:
            place = tuple(each for each in place if each != "pretty") + OPTIONS[sub.kind.kind]
            yield from self._path(path, self._connect(sub, name, place))
            if sub.name == "proxy":
                yield from self._path(f"{path}/{{path}}", self._connect(sub, f"{name}WithPath", (*place, "{path}")))
            return
        if sub.name == "log":
            operation = self._read(name, self.kind, "", (*place, *OPTIONS["PodLogOptions"]))
            yield from self._path(path, [operation._replace(produces=("text/plain", *_BUILTIN))])
            return
        # A CRD's `scale` says that it is about the custom kind; a built-in one names Scale.
        own = self.resource.custom and (sub.kind.group, sub.kind.version) != self.kind[:2]
        model = model_name(sub.kind, custom=self.resource.custom and not own)
        kind = self.kind if own else sub.kind
        operations = self._reads_and_writes(sub.verbs, name, kind, model, place)
        if "create" in sub.verbs:
            operations.append(self._create(name, sub.kind, place))
        yield from self._path(path, operations)

    def watches(self) -> Iterator[Path]:
        """The old way to watch."""
        kind, plural = self.resource.names.kind, self.resource.names.plural
        if self.resource.namespaced:
            operation = self._watch("watchlist", f"{kind}ListForAllNamespaces", ("pretty",))
            yield from self._path(f"/watch/{plural}", [operation])
        operation = self._watch("watchlist", f"{self.scope}{kind}List", self.place)
        yield from self._path(f"/watch{self.scoped}", [operation])
        operation = self._watch("watch", f"{self.scope}{kind}", ("{name}", *self.place))
        yield from self._path(f"/watch{self.scoped}/{{name}}", [operation])

    def _reads_and_writes(
        self, verbs: tuple[str, ...], name: str, kind: GroupVersionKind, model: str, place: tuple[str, ...]
    ) -> list[Operation]:
        operations = []
        if "get" in verbs:
            operations.append(self._read(name, kind, model, place))
        if "update" in verbs:
            operations.append(
                self._operation(
                    *("put", "put", self._id("replace", name), ("200", "201"), model, kind),
                    *((*place, *WRITE), model),
                )
            )
        if "patch" in verbs:
            strategic = () if self.resource.custom else (_STRATEGIC,)
            codes = ("200",) if self.resource.custom else ("200", "201")
            operation = self._operation(
                *("patch", "patch", self._id("patch", name), codes, model, kind),
                *((*place, *PATCH), f"{META}.Patch"),
            )
            operations.append(operation._replace(consumes=(*_PATCHES, *strategic, _APPLY)))
        return operations

    def _operation(
        self,
        method: str,
        action: str,
        name: str,
        codes: tuple[str, ...],
        model: str,
        kind: GroupVersionKind,
        parameters: tuple[str, ...],
        body: str = "",
    ) -> Operation:
        responses = dict.fromkeys(codes, model)
        return Operation(method, name, responses, self.produces, self.consumes, action, kind, parameters, body)

    def _list(self, name: str, place: tuple[str, ...]) -> Operation:
        operation = self._operation(
            "get", "list", self._id("list", name), ("200",), self.models, self.kind, (*place, *LIST)
        )
        return operation if self.resource.custom else operation._replace(produces=_STREAMED)

    def _watch(self, action: str, name: str, place: tuple[str, ...]) -> Operation:
        model = f"{META}.WatchEvent"
        operation = self._operation("get", action, self._id("watch", name), ("200",), model, self.kind, (*place, *LIST))
        return operation._replace(produces=_STREAMED)

    def _read(self, name: str, kind: GroupVersionKind, model: str, place: tuple[str, ...]) -> Operation:
        parameters = (*place, "resourceVersion") if self.resource.custom else place
        return self._operation("get", "get", self._id("read", name), ("200",), model, kind, parameters)

    def _create(self, name: str, kind: GroupVersionKind, place: tuple[str, ...]) -> Operation:
        model = model_name(kind, custom=self.resource.custom)
        return self._operation(
            *("post", "post", self._id("create", name), ("200", "201", "202"), model, kind),
            *((*place, *WRITE), model),
        )

    def _delete(self, name: str, place: tuple[str, ...]) -> Operation:
        returns = self.resource.strategy.returns_deleted and not self.resource.custom
        model = self.model if returns else f"{META}.Status"
        operation = self._operation(
            *("delete", "delete", self._id("delete", name), ("200", "202"), model, self.kind),
            *((*place, *DELETE), f"{META}.DeleteOptions"),
        )
        return operation._replace(body_required=False)

    def _delete_collection(self) -> Operation:
        name = self._id("delete", f"Collection{self.scope}{self.resource.names.kind}")
        custom = self.resource.custom
        operation = self._operation(
            *("delete", "deletecollection", name, ("200",), f"{META}.Status", self.kind),
            *((*self.place, *(LIST if custom else DELETE_COLLECTION)), "" if custom else f"{META}.DeleteOptions"),
        )
        return operation._replace(body_required=False)

    def _connect(self, sub: Subresource, name: str, place: tuple[str, ...]) -> list[Operation]:
        methods = _PROXY if sub.name == "proxy" else ("get", "post")
        return [
            Operation(
                *(method, self._id("connect", f"{method.capitalize()}{name}"), {"200": ""}, (ANY,), (ANY,)),
                *("connect", sub.kind, place),
            )
            for method in methods
        ]
