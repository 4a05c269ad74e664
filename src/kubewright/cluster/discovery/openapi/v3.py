"""OpenAPI v3: one document for each group version, and one for each thing the server tells of itself.

A document is made in pieces, none of which takes long; put together they are JSON. Descriptions are left out, apart
from those of custom kinds and the few words that the format demands.
"""

from collections.abc import Iterable, Iterator
from typing import Any, Final

import msgspec

from kubewright.cluster.discovery.openapi.operations import (
    Operation,
    Path,
    resource_paths,
    version_path,
)
from kubewright.cluster.discovery.openapi.parameters import in_order, v3_parameter
from kubewright.cluster.discovery.openapi.published import published, published_list, reference
from kubewright.cluster.registry.resource import Resource
from kubewright.cluster.wire.schemas import META, builtin_schemas, model_name
from kubewright.version import KUBERNETES

__all__ = ["RESPONSES", "hoisted", "path_document", "version_document"]

Document = dict[str, Any]

RESPONSES: Final = {"200": "OK", "201": "Created", "202": "Accepted", "401": "Unauthorized"}
_TOKEN: Final = {"BearerToken": {"type": "apiKey", "name": "authorization", "in": "header"}}
_TITLE: Final = {"title": "Kubernetes", "version": KUBERNETES.rpartition(".")[0]}
_CUSTOM_TITLE: Final = {"title": "Kubernetes CRD Swagger", "version": "v0.1.0"}
_encode: Final = msgspec.json.Encoder().encode


def path_document(path: Path) -> Iterator[bytes]:
    """The document of a single path, which has nothing to do with resources."""
    schemas = [schema for operation in path.operations if (schema := operation.responses["200"])]
    yield _head(_TITLE)
    yield b"%b:%b" % (_encode(path.path), _encode(_item(path)))
    yield from _tail(schemas, (), {}, builtin=True)


def version_document(resources: tuple[Resource, ...]) -> Iterator[bytes]:
    """The document of a group version."""
    group, version = resources[0].group, resources[0].version
    builtin = not all(resource.custom for resource in resources)
    yield _head(_TITLE if builtin else _CUSTOM_TITLE)
    used: set[str] = set()
    paths = [version_path(group, version)] if builtin else []
    separator = b""
    for resource in resources:
        paths += resource_paths(resource)
        used |= _used(paths)
        yield separator + _encode({path.path: _item(path) for path in paths})[1:-1]
        paths, separator = [], b","
    custom: dict[str, bytes] = {}
    for resource in resources:
        if resource.custom:
            yield from _publish(resource, custom)
    used |= {f"{META}.{name}" for name in ("ListMeta", "ObjectMeta") if custom}
    versions = (
        [("", "v1"), *([(group, version)] if group else [])] if builtin else builtin_schemas().everywhere["custom"]
    )
    yield from _tail(used, versions, custom, builtin=builtin)


def _publish(resource: Resource, custom: dict[str, bytes]) -> Iterator[bytes]:
    """Add the schemas of a custom kind; what is yielded is nothing but a pause."""
    kind = resource.kind
    name = model_name(kind, custom=True)
    walk = published(resource, "v3")
    while True:
        try:
            next(walk)
        except StopIteration as done:
            custom[name] = _encode(done.value)
            break
        yield b""
    listed = model_name(kind._replace(kind=resource.names.list_kind), custom=True)
    custom[listed] = _encode(published_list(resource, name, "v3"))
    yield b""


def _head(info: Document) -> bytes:
    return b'{"openapi":"3.0.0","info":%b,"paths":{' % _encode(info)


def _tail(
    used: Iterable[str], versions: Iterable[tuple[str, str]], custom: dict[str, bytes], *, builtin: bool
) -> Iterator[bytes]:
    """The schemas, and how to say who one is."""
    schemas = builtin_schemas()
    versions = list(versions)
    pieces = {name: schemas.piece(name, versions) for name in schemas.closure(used)} | custom
    members = b",".join(b'"%b":%b' % (name.encode(), pieces[name]) for name in sorted(pieces))
    parts = [b'"schemas":{%b}' % members] if pieces else []
    parts += [b'"securitySchemes":%b' % _encode(_TOKEN)] if builtin else []
    yield b'},"components":{%b}}' % b",".join(parts)


def _used(paths: Iterable[Path]) -> set[str]:
    operations = [operation for path in paths for operation in path.operations]
    return {name for each in operations for name in (*each.responses.values(), each.body)}


def hoisted(path: Path) -> list[str]:
    """The parameters that every operation of a path takes: they are told once, for the path."""
    first, *others = (operation.parameters for operation in path.operations)
    return in_order(set(first).intersection(*others))


def _item(path: Path) -> Document:
    shared = hoisted(path)
    item: Document = {each.method: _operation(each, path.tag, shared) for each in path.operations}
    if shared:
        item["parameters"] = [v3_parameter(name) for name in shared]
    return item


def _operation(operation: Operation, tag: str, shared: list[str]) -> Document:
    made: Document = {"tags": [tag], "operationId": operation.id}
    if own := in_order(set(operation.parameters).difference(shared)):
        made["parameters"] = [v3_parameter(name) for name in own]
    if operation.body:
        content = {media: {"schema": reference(operation.body, "v3")} for media in operation.consumes}
        made["requestBody"] = {"content": content} | ({"required": True} if operation.body_required else {})
    made["responses"] = {
        code: {"description": RESPONSES[code], "content": _content(operation, schema)}
        for code, schema in operation.responses.items()
    }
    made["responses"]["401"] = {"description": RESPONSES["401"]}
    if operation.kind is not None:
        made["x-kubernetes-action"] = operation.action
        made["x-kubernetes-group-version-kind"] = operation.kind._asdict()
    return made


def _content(operation: Operation, schema: str) -> Document:
    told = reference(schema, "v3") if schema else {"type": "string"}
    return {media: {"schema": told} for media in operation.produces}
