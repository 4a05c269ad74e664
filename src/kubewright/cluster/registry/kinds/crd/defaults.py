"""Do the defaults of a schema fit the schema?

A default must have no fields that pruning would drop and must be valid by itself. One inside the metadata of an
embedded resource is judged as part of an object that has nothing else.
"""

from collections.abc import Callable, Generator, Iterator, Mapping
from dataclasses import replace
from itertools import chain
from typing import Any

from kubewright.model.steps import finish, gathered, thinned
from kubewright.schema.raw import has, has_anywhere, inside
from kubewright.schema.walk.embedded import MalformedError, compile_coerce, compile_embedded
from kubewright.schema.walk.errors import FieldError, invalid
from kubewright.schema.walk.explain import compile_explain
from kubewright.schema.walk.prune import META_FIELDS, compile_prune
from kubewright.schema.walk.structure import Node, SchemaError, read
from kubewright.schema.walk.values import copy, same

__all__ = ["check_defaults"]

#: What puts a value where it stands in the resource around it.
Surround = Callable[[object], object]


def check_defaults(schema: Mapping[str, Any], path: str) -> Generator[None, None, list[FieldError]]:
    """What is wrong with the defaults of a schema that is structural; in steps."""
    if not (yield from thinned(has_anywhere(schema, lambda each: has(each, "default")))):
        return []
    if (yield from thinned(has_anywhere(schema, lambda each: each.get("uniqueItems") is True, inside))):
        schema = _readable(schema)
    try:
        root = read(schema, lazily=True)
        yield from thinned(_read_all(root))
    except SchemaError:
        return []  # what cannot be read is told of where keywords are
    return (yield from gathered(_walk(replace(root, embedded=True), path, None, None)))


def _read_all(node: Node) -> Generator[None, None, None]:
    """Read what has not been read yet of a large schema; with pauses."""
    yield
    junctors = (*node.all_of, *node.any_of, *node.one_of, node.negated)
    for child in chain(node.properties.values(), (node.items, node.additional, *junctors)):
        if isinstance(child, Node):
            yield from _read_all(child)


def _readable(schema: Any) -> Any:
    """The schema without the one keyword that keeps it from being read, though it is structural."""
    if isinstance(schema, Mapping):
        return {name: _readable(value) for name, value in schema.items() if name != "uniqueItems" or value is not True}
    return [_readable(each) for each in schema] if isinstance(schema, list) else schema


def _walk(node: Node, path: str, root: Node | None, surround: Surround | None) -> Iterator[FieldError | None]:
    """`root` and `surround` are those of the embedded resource in whose metadata we are."""
    yield None
    if node.embedded:
        root, surround = None, None
    if node.default is not None:
        if root is None or surround is None:
            yield from _own(node, f"{path}.default")
        else:
            yield from _within(node, f"{path}.default", root, surround)
    if node.items is not None:
        yield from _walk(node.items, f"{path}.items", root, _listed(surround))
    for name in sorted(node.properties):
        child = node.properties[name]
        place = f"{path}.properties[{name}]"
        if node.embedded and name in META_FIELDS:
            yield from _walk(child, place, node, _member(_object, name))
        else:
            yield from _walk(child, place, root, _member(surround, name) if surround is not None else None)


def _own(node: Node, path: str) -> Iterator[FieldError]:
    prune = compile_prune(node, resource=node.embedded)
    pruned = copy(node.default)
    if prune is not None:
        prune(pruned)
    if not same(pruned, node.default):
        yield invalid(path, node.default, "must not have unknown fields")
    coerce, embedded = compile_coerce(node), compile_embedded(node)
    value = copy(node.default)
    try:
        if coerce is not None:
            coerce(value, path)
    except MalformedError as error:
        yield _told(error)
        return
    yield from (embedded(value, path) if embedded is not None else []) or _fit(node, value, path)


def _within(node: Node, path: str, root: Node, surround: Surround) -> Iterator[FieldError]:
    whole = surround(copy(node.default))
    coerce, embedded = compile_coerce(root), compile_embedded(root)
    problem = ""
    try:
        if coerce is not None:
            coerce(whole, "")
    except MalformedError as error:
        problem = str(error)
    if not problem and embedded is not None and (errors := list(dict.fromkeys(map(str, embedded(whole, ""))))):
        problem = errors[0] if len(errors) == 1 else f"[{', '.join(errors)}]"
    if problem:
        yield invalid(path, node.default, f"must result in valid metadata: {problem}")
    else:
        yield from _fit(node, node.default, path)


def _fit(node: Node, value: object, path: str) -> list[FieldError]:
    return [problem.at(path) for problem in finish(compile_explain(node)(value, "", None)).problems.values()]


def _told(error: MalformedError) -> FieldError:
    """A malformed part, which is told as one text of place and complaint."""
    place, _, rest = str(error).partition(": ")
    return FieldError("FieldValueInvalid", place, rest)


def _object(value: object) -> object:
    assert isinstance(value, dict)
    return {"kind": "Validation", "apiVersion": "validation/v1", **value}


def _member(surround: Surround, name: str) -> Surround:
    return lambda value: surround({name: value})


def _listed(surround: Surround | None) -> Surround | None:
    return None if surround is None else lambda value: surround([value])
