"""OpenAPI v2: everything in one document, for clients that know no better.

It says less than v3: no defaults, no choices. What is built in is written once and kept, since only CRDs come and go.
Parameters that many operations take are told once and referred to by their own names.
"""

from collections.abc import Generator, Iterable, Iterator
from typing import Any, Final

import msgspec

from kubewright.cluster.discovery.openapi.operations import Operation, Path, resource_paths
from kubewright.cluster.discovery.openapi.parameters import in_order, v2_parameter
from kubewright.cluster.discovery.openapi.published import published, published_list, reference
from kubewright.cluster.discovery.openapi.v3 import RESPONSES, hoisted
from kubewright.cluster.registry.resource import Resource
from kubewright.cluster.wire.schemas import META, builtin_schemas, model_name
from kubewright.version import KUBERNETES

__all__ = ["BuiltinPart", "whole_document"]

Document = dict[str, Any]

_INFO: Final = {"title": "Kubernetes", "version": KUBERNETES.rpartition(".")[0]}
_TOKEN: Final = {"BearerToken": {"type": "apiKey", "name": "authorization", "in": "header"}}
_TAIL: Final = {"securityDefinitions": _TOKEN, "security": [{"BearerToken": []}]}
#: Bodies that many operations take, by their schema.
_BODIES: Final = {f"{META}.DeleteOptions": "deleteOptions", f"{META}.Patch": "patch"}
_encode: Final = msgspec.json.Encoder().encode


class BuiltinPart:
    """What does not change: the members of `paths` and of `definitions` that are built in, as JSON."""

    def __init__(self) -> None:
        self.paths = b""
        self.definitions = b""
        self.parameters: dict[str, Document] = {}

    def fill(self, paths: Iterable[Path], resources: Iterable[Resource]) -> Iterator[None]:
        """Make it, in slices."""
        pieces = [_members(paths, self.parameters)]
        yield
        for resource in resources:
            pieces.append(_members(resource_paths(resource), self.parameters))
            yield
        schemas = builtin_schemas()
        definitions = []
        for count, name in enumerate(schemas.names):
            found = _definition(msgspec.json.decode(schemas.piece(name, schemas.everywhere["v2"])))
            definitions.append(b'"%b":%b' % (name.encode(), _encode(found)))
            if count % 64 == 0:
                yield
        self.paths, self.definitions = b",".join(pieces), b",".join(definitions)


def whole_document(builtin: BuiltinPart, custom: Iterable[Resource]) -> Iterator[bytes]:
    """The document, in pieces."""
    yield b'{"swagger":"2.0","info":%b,"paths":{' % _encode(_INFO)
    yield builtin.paths
    parameters = dict(builtin.parameters)
    resources = list(custom)
    for resource in resources:
        yield b"," + _members(resource_paths(resource), parameters)
    yield b'},"definitions":{'
    yield builtin.definitions
    for resource in resources:
        kind = resource.kind
        name = model_name(kind, custom=True)
        definition = yield from _pausing(published(resource, "v2"))
        yield b',"%b":%b' % (name.encode(), _encode(definition))
        listed = model_name(kind._replace(kind=resource.names.list_kind), custom=True)
        yield b',"%b":%b' % (listed.encode(), _encode(published_list(resource, name, "v2")))
    yield b'},"parameters":%b,%b' % (_encode(parameters), _encode(_TAIL)[1:])


def _pausing(walk: Generator[None, None, Document]) -> Generator[bytes, None, Document]:
    """The result of a walk, with an empty piece wherever it pauses."""
    while True:
        try:
            next(walk)
        except StopIteration as done:
            made: Document = done.value
            return made
        yield b""


def _members(paths: Iterable[Path], parameters: dict[str, Document]) -> bytes:
    return _encode({path.path: _item(path, parameters) for path in paths})[1:-1]


def _item(path: Path, parameters: dict[str, Document]) -> Document:
    shared = hoisted(path)
    item: Document = {each.method: _operation(each, path.tag, shared, parameters) for each in path.operations}
    if shared:
        item["parameters"] = [_parameter(name, parameters) for name in shared]
    return item


def _operation(operation: Operation, tag: str, shared: list[str], parameters: dict[str, Document]) -> Document:
    made: Document = {"consumes": operation.consumes} if operation.consumes else {}
    made |= {
        "produces": operation.produces,
        "schemes": ["https"],
        "tags": [tag],
        "operationId": operation.id,
    }
    own = [_parameter(name, parameters) for name in in_order(set(operation.parameters).difference(shared))]
    if operation.body:
        own.insert(0, _body(operation, parameters))
    if own:
        made["parameters"] = own
    made["responses"] = {
        code: {
            "description": RESPONSES[code],
            "schema": reference(schema, "v2") if schema else {"type": "string"},
        }
        for code, schema in operation.responses.items()
    }
    made["responses"]["401"] = {"description": RESPONSES["401"]}
    if operation.kind is not None:
        made["x-kubernetes-action"] = operation.action
        made["x-kubernetes-group-version-kind"] = operation.kind._asdict()
    return made


def _body(operation: Operation, parameters: dict[str, Document]) -> Document:
    body: Document = {"name": "body", "in": "body", "schema": reference(operation.body, "v2")}
    if operation.body_required:
        body["required"] = True
    name = _BODIES.get(operation.body)
    if name is None:
        return body
    parameters[name] = body
    return {"$ref": f"#/parameters/{name}"}


def _parameter(name: str, parameters: dict[str, Document]) -> Document:
    # Two parameters are called `path`; the one in the path keeps its braces out of a reference.
    key = f"in-path-{name.strip('{}')}" if name.startswith("{") else name
    if key not in parameters:
        parameters[key] = v2_parameter(name)
    return {"$ref": f"#/parameters/{key}"}


def _definition(schema: Any) -> Any:
    """A built-in schema, reduced."""
    if isinstance(schema, list):
        return [_definition(each) for each in schema]
    if not isinstance(schema, dict):
        return schema
    made: Document = {}
    for key, value in schema.items():
        if key == "$ref":
            made[key] = value.replace("#/components/schemas/", "#/definitions/")
        elif key == "allOf":
            made |= _definition(value[0])  # only ever around a reference that has a description or default beside it
        elif key == "oneOf":
            made["type"] = "string"  # a quantity, or an integer or a string
        elif key == "properties":
            made[key] = {name: _definition(each) for name, each in value.items()}
        elif key != "default":
            made[key] = _definition(value)
    return made
