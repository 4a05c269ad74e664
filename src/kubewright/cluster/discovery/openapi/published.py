"""The schema of a custom kind as it is published.

What a CRD says is nearly what clients are told: values that say nothing are left out, integer-or-string is spelled as a
choice, objects and embedded ones get `apiVersion`, `kind` and `metadata`. OpenAPI v2 cannot say all that a CRD can, and
kubectl trips over some of what it could; so there choices, defaults and whatever is nullable or preserves unknown
fields are reduced, as kube-apiserver reduces them.

A schema may have ten thousand nodes. The walk keeps its own stack and yields every few hundred nodes, so that whoever
runs it can let others run.
"""

from collections.abc import Generator
from typing import Any, Final, Literal

from kubewright.cluster.registry.resource import Resource
from kubewright.cluster.wire.schemas import META

__all__ = ["Dialect", "published", "published_list", "reference"]

Document = dict[str, Any]
Dialect = Literal["v2", "v3"]

#: So many nodes take some 2 ms.
_SLICE: Final = 400
_TEXTS: Final = ("description", "title", "type", "format", "pattern", "x-kubernetes-list-type", "x-kubernetes-map-type")
_FLAGS: Final = (
    *("nullable", "exclusiveMinimum", "exclusiveMaximum", "uniqueItems", "x-kubernetes-embedded-resource"),
    *("x-kubernetes-int-or-string", "x-kubernetes-preserve-unknown-fields"),
)
_NUMBERS: Final = ("maximum", "minimum", "multipleOf")
_COUNTS: Final = ("maxItems", "minItems", "maxLength", "minLength", "maxProperties", "minProperties")
_VALUES: Final = ("default", "example", *_COUNTS)
_LISTS: Final = ("enum", "required", "x-kubernetes-list-map-keys")
_CHOICES: Final = ("allOf", "anyOf", "oneOf")
_EITHER: Final = [{"type": "integer"}, {"type": "string"}]
_STRING: Final = {"type": "string"}


def reference(name: str, dialect: Dialect, *, beside: bool = False) -> Document:
    """A reference to a schema; with something beside it v3 needs an `allOf` around."""
    if dialect == "v2":
        return {"$ref": f"#/definitions/{name}"}
    found = {"$ref": f"#/components/schemas/{name}"}
    return {"allOf": [found]} if beside else found


def published(resource: Resource, dialect: Dialect) -> Generator[None, None, Document]:
    """The schema of a custom kind."""
    schema = resource.schema
    open_ended = schema.get("x-kubernetes-preserve-unknown-fields") is True
    if not schema or (dialect == "v2" and open_ended):
        # kubectl would refuse every field that is not listed: so none is.
        made: Document = {"type": "object"}
    else:
        made = yield from _walk(schema, dialect)
        made.setdefault("properties", {}).update(_object_properties(dialect))
    return made | _marks(resource, resource.names.kind)


def published_list(resource: Resource, item: str, dialect: Dialect) -> Document:
    """The schema of its list; `item` is the name of the kind's own."""
    properties = {
        "apiVersion": _STRING,
        "kind": _STRING,
        "metadata": reference(f"{META}.ListMeta", dialect, beside=True),
        "items": {"type": "array", "items": reference(item, dialect)},
    }
    made = {"type": "object", "required": ["items"], "properties": properties}
    return made | _marks(resource, resource.names.list_kind)


def _marks(resource: Resource, kind: str) -> Document:
    gvk = {"group": resource.group, "kind": kind, "version": resource.version}
    marks: Document = {"x-kubernetes-group-version-kind": [gvk]}
    if resource.fields:
        marks["x-kubernetes-selectable-fields"] = [{"fieldPath": path} for path in resource.fields]
    return marks


def _object_properties(dialect: Dialect) -> Document:
    metadata = reference(f"{META}.ObjectMeta", dialect, beside=True)
    return {"apiVersion": _STRING, "kind": _STRING, "metadata": metadata}


def _walk(root: Document, dialect: Dialect) -> Generator[None, None, Document]:
    made: Document = {}
    todo: list[tuple[Document, Document]] = [(root, made)]
    count = 0
    while todo:
        source, target = todo.pop()
        _copy(source, target)
        inside = _Inside(source, target, todo)
        if dialect == "v3":
            inside.choices()
            inside.children()
            _spell_choice(source, target)
        else:
            _reduce(source, target)
            inside.children(closed=source.get("nullable") is True or _preserves(source))
        _embed(target, dialect)
        count += 1
        if count % _SLICE == 0:
            yield
    return made


def _copy(source: Document, target: Document) -> None:
    """What a node says of itself."""
    for key in _TEXTS:
        if value := source.get(key):
            target[key] = value
    for key in _FLAGS:
        if source.get(key) is True:
            target[key] = True
    for key in _NUMBERS:
        if (value := source.get(key)) is not None:
            number = float(value)  # the server holds them as such; a whole number is written as one
            target[key] = int(number) if number.is_integer() and abs(number) < 1e21 else number
    for key in _VALUES:
        if (value := source.get(key)) is not None:
            target[key] = value
    for key in _LISTS:
        if value := source.get(key):
            target[key] = list(value)
    if docs := {key: text for key, text in (source.get("externalDocs") or {}).items() if text}:
        target["externalDocs"] = docs
    if rules := source.get("x-kubernetes-validations"):
        target["x-kubernetes-validations"] = [
            {key: value for key, value in rule.items() if value is not None and value != ""} for rule in rules
        ]


class _Inside:
    """The nodes inside a node: each gets its place in the target now, and its content when its turn comes."""

    def __init__(self, source: Document, target: Document, todo: list[tuple[Document, Document]]) -> None:
        self.source, self.target, self.todo = source, target, todo

    def _later(self, source: Document) -> Document:
        target: Document = {}
        self.todo.append((source, target))
        return target

    def choices(self) -> None:
        """What the value must match besides."""
        for key in _CHOICES:
            if branches := self.source.get(key):
                self.target[key] = [self._later(branch) for branch in branches]
        if (branch := self.source.get("not")) is not None:
            self.target["not"] = self._later(branch)

    def children(self, *, closed: bool = False) -> None:
        """What the value holds; fields and items are left out if `closed`."""
        if not closed and (properties := self.source.get("properties")):
            self.target["properties"] = {name: self._later(each) for name, each in properties.items()}
        if not closed and (items := self.source.get("items")) is not None:
            self.target["items"] = self._later(items)
        extra = self.source.get("additionalProperties")
        if isinstance(extra, dict):
            self.target["additionalProperties"] = self._later(extra)
        elif extra is not None:
            self.target["additionalProperties"] = extra


def _preserves(source: Document) -> bool:
    return source.get("x-kubernetes-preserve-unknown-fields") is True


def _spell_choice(source: Document, target: Document) -> None:
    """Spell integer-or-string as a choice, unless the author did."""
    if "x-kubernetes-int-or-string" not in target:
        return
    if not source.get("anyOf"):
        first: Document = (source.get("allOf") or [{}])[0]
        if first.get("anyOf") != _EITHER:
            target["anyOf"] = _EITHER
    elif source["anyOf"] != _EITHER:
        target["allOf"] = [{"anyOf": _EITHER}, *target.get("allOf", [])]


def _reduce(source: Document, target: Document) -> None:
    """Leave out what OpenAPI v2 cannot say, or kubectl not read in it."""
    target.pop("default", None)
    kind, preserves = source.get("type"), _preserves(source)
    nullable = target.pop("nullable", False)
    if nullable or (preserves and kind == "object") or (kind == "array" and (preserves or source.get("items") is None)):
        target.pop("type", None)
    extra = source.get("additionalProperties")
    if isinstance(extra, dict) and extra.get("nullable") is True:
        target.pop("required", None)
    if nullable or preserves or "required" not in target:
        return
    properties = source.get("properties") or {}
    required = [name for name in target.pop("required") if properties.get(name, {}).get("nullable") is not True]
    if required:
        target["required"] = required


def _embed(target: Document, dialect: Dialect) -> None:
    """Give an embedded object what every object has."""
    if "x-kubernetes-embedded-resource" not in target:
        return
    if dialect == "v2" and "x-kubernetes-preserve-unknown-fields" in target:
        return
    target.setdefault("properties", {}).update(_object_properties(dialect))
    required = target.setdefault("required", [])
    required += [name for name in ("kind", "apiVersion") if name not in required]
