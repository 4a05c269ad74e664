"""The schemas of an OpenAPI v3 document become modules, one a group and version.

Kubernetes names a schema after the package it comes from: `io.k8s.api.apps.v1.Deployment`, or, for a CRD, the domain
backwards: `com.example.web.v1.WebServer`. All but the last part is the module, the last part the class. What belongs
to Kubernetes itself is not made again but imported from `kubewright.k8s`.

Which of the classes are kinds, the schemas say (`x-kubernetes-group-version-kind`); their plurals and scopes are read
from the document's paths, or come from the server's discovery documents.
"""

import re
from collections.abc import Iterable, Mapping
from typing import Any

import msgspec

from kubewright.model.duration import Duration
from kubewright.model.metadata import ListMeta, ManagedFieldsEntry, ObjectMeta, OwnerReference
from kubewright.model.naming import plural as plural_of
from kubewright.model.quantity import Quantity
from kubewright.model.resource import Definition, GroupVersionKind
from kubewright.model.shape import IntOrString, MicroTime, Scalar, Shape, StructOf, Time, shape_of
from kubewright.model.status import Condition
from kubewright.schema.raw import misshapen
from kubewright.schema.typegen.crd import present
from kubewright.schema.typegen.names import class_name
from kubewright.schema.typegen.outline import Module, Outline, TypegenError
from kubewright.schema.typegen.read import Reader
from kubewright.schema.typegen.write import write
from kubewright.schema.types import Schema

__all__ = ["Served", "builtin_module", "discovered", "outline_modules", "types_from_openapi", "without_lists"]

_KIND = "x-kubernetes-group-version-kind"
_META = "io.k8s.apimachinery.pkg.apis.meta.v1."
_ANYTHING = Scalar(python=Any)

#: Schemas of Kubernetes that are types of ours, written by hand.
_OURS: dict[str, Shape] = {
    "io.k8s.apimachinery.pkg.api.resource.Quantity": Scalar(python=Quantity),
    "io.k8s.apimachinery.pkg.util.intstr.IntOrString": Scalar(python=IntOrString),
    "io.k8s.apimachinery.pkg.runtime.RawExtension": _ANYTHING,
    f"{_META}Time": shape_of(Time, "Time"),
    f"{_META}MicroTime": shape_of(MicroTime, "MicroTime"),
    f"{_META}Duration": Scalar(python=Duration),
    f"{_META}FieldsV1": _ANYTHING,
    f"{_META}Patch": _ANYTHING,
    **{
        f"{_META}{model.__name__}": StructOf(annotation=model)
        for model in (ObjectMeta, OwnerReference, ManagedFieldsEntry, ListMeta, Condition)
    },
}

#: Kubernetes' packages: `io.k8s.api.core.v1`, and those of two servers and of the machinery, which lie deeper.
_BUILTIN = re.compile(
    r"io\.k8s\.(?:api|apimachinery\.pkg\.apis|apiextensions-apiserver\.pkg\.apis|kube-aggregator\.pkg\.apis)"
    r"\.([a-z0-9]+)\.(v[a-z0-9]+)"
)
#: Keywords for tools we are not.
_FOREIGN = re.compile(r"x-kubernetes-(patch-.*|unions|group-version-kind|selectable-fields)|x-go-.*")


class Served(msgspec.Struct, frozen=True, kw_only=True):
    """What a server says about a kind beside its schema."""

    plural: str
    scope: str
    short_names: tuple[str, ...] = ()
    categories: tuple[str, ...] = ()
    has_status: bool = True


def types_from_openapi(
    document: Mapping[str, Any], *, package: str = "", source: str = "", command: str = "kubewright types"
) -> dict[str, str]:
    """Module name → source, for the schemas of a document that are not Kubernetes' own.

    The modules import each other as parts of `package`. `source` and `command` say in their first lines where they
    came from.
    """
    origin = source or str(_mapping(document, "info").get("title") or "an OpenAPI document")
    schemas = {name: present(schema) for name, schema in _mapping(_mapping(document, "components"), "schemas").items()}
    if not schemas or not str(document.get("openapi", "")).startswith("3."):
        raise TypegenError(
            f"{origin} is no OpenAPI v3 document with schemas: it needs openapi: 3.… and components.schemas."
        )
    for name, schema in schemas.items():
        if problems := misshapen(schema, f"components.schemas[{name}]"):
            raise TypegenError(f"{origin}: {problems[0]}.")
    own = without_lists({name: schema for name, schema in schemas.items() if builtin_module(name) is None})
    homes = {name: ".".join(filter(None, [package, _module_name(name)])) for name in own}
    modules = outline_modules(own, homes, _served_by_paths(document), partial=False)
    for module in modules:
        module.description = f"Types of {origin}.\n\nMade by `{command}`; make them again rather than edit them."
    return {module.name.removeprefix(f"{package}."): write(module) for module in modules}


def without_lists(schemas: Mapping[str, Schema]) -> dict[str, Schema]:
    """The schemas but for lists of a kind: whoever reads a list reads its items."""
    return {name: schema for name, schema in schemas.items() if not _is_list(schema)}


def builtin_module(name: str) -> str | None:
    """The module of `kubewright.k8s` a schema of Kubernetes belongs to."""
    package, _, _ = name.rpartition(".")
    match = _BUILTIN.fullmatch(package)
    return f"kubewright.k8s.{match[1]}.{match[2]}" if match else None


def outline_modules(
    schemas: Mapping[str, Schema],
    homes: Mapping[str, str],
    served: Mapping[GroupVersionKind, Served],
    *,
    partial: bool,
) -> list[Module]:
    """The modules of some named schemas: `homes` says where each is to live, `partial` that they are built-in kinds."""
    outlines = {
        name: _outline(name, schemas[name], homes[name], served) for name in sorted(schemas) if name not in _OURS
    }
    structs = {name: outline for name, outline in outlines.items() if _is_struct(schemas[name])}
    inlining: list[str] = []

    def resolve(ref: str) -> Shape:
        name = ref.rpartition("/")[2]
        if name in _OURS:
            return _OURS[name]
        if name in structs:
            return StructOf(annotation=structs[name])
        if name in inlining:
            return _ANYTHING  # a list or map of itself, which no annotation can say
        if name in outlines:
            inlining.append(name)
            schema = _cleaned(schemas[name], descriptions=not partial)
            shape = readers[homes[name]].shape(schema, (outlines[name].name,))
            inlining.remove(name)
            return shape
        if home := builtin_module(name):
            return StructOf(annotation=Outline(name=class_name(name.rpartition(".")[2]), module=home))
        raise TypegenError(f"the document refers to {name}, and has no such schema.")

    readers = {home: Reader(resolve, module=home, partial=partial) for home in sorted({*homes.values()})}
    for name, outline in structs.items():
        readers[outline.module].declare(outline, _body(outline, schemas[name]), (outline.name,))
    for name, outline in structs.items():
        schema = _body(outline, _cleaned(schemas[name], descriptions=not partial))
        readers[outline.module].fill(outline, schema, (outline.name,))
    modules = []
    for home, reader in readers.items():
        own = [outline for outline in structs.values() if outline.module == home]
        reader.finish({outline.name for outline in own} | {"Annotated", "Any", "Literal"})
        if own := _ordered([*own, *reader.outlines]):
            modules.append(Module(name=home, description="", outlines=own, partial=partial, lazy=True))
    return modules


def _ordered(outlines: list[Outline]) -> list[Outline]:
    """By name, kinds last; a class that makes objects of another one after that one."""
    ordered: list[Outline] = []

    def place(outline: Outline) -> None:
        if outline in outlines and outline not in ordered:
            for member in outline.members:
                if isinstance(member.factory, Outline) and member.factory is not outline:
                    place(member.factory)
            ordered.append(outline)

    for outline in sorted(outlines, key=lambda each: (each.parent == "Resource", each.name)):
        place(outline)
    return ordered


def discovered(lists: Iterable[Mapping[str, Any]]) -> dict[GroupVersionKind, Served]:
    """What the discovery documents of some groups and versions (APIResourceList) say."""
    found: dict[GroupVersionKind, Served] = {}
    for document in lists:
        group, _, version = document["groupVersion"].rpartition("/")
        entries = document["resources"]
        with_status = {entry["name"].partition("/")[0] for entry in entries if entry["name"].endswith("/status")}
        for entry in entries:
            if "/" not in entry["name"]:
                found[GroupVersionKind(group, version, entry["kind"])] = Served(
                    plural=entry["name"],
                    scope="Namespaced" if entry["namespaced"] else "Cluster",
                    short_names=tuple(entry.get("shortNames", ())),
                    categories=tuple(entry.get("categories", ())),
                    has_status=entry["name"] in with_status,
                )
    return found


def _served_by_paths(document: Mapping[str, Any]) -> dict[GroupVersionKind, Served]:
    """Plurals and scopes, as the paths of a document show them."""
    found: dict[GroupVersionKind, Served] = {}
    paths = _mapping(document, "paths")
    for path in sorted(paths, key=lambda path: "{namespace}" not in path):
        steps = path.strip("/").split("/")
        steps = steps[2:] if steps[0] == "api" else steps[3:]
        namespaced = steps[:2] == ["namespaces", "{namespace}"]
        steps = steps[2:] if namespaced else steps
        if len(steps) != 1:
            continue
        status = f"{path}/{{name}}/status" in paths
        for method in _mapping(paths, path):
            if kind := _kind(_mapping(_mapping(paths, path), method).get(_KIND)):
                scope = "Namespaced" if namespaced else "Cluster"
                found.setdefault(kind, Served(plural=steps[0], scope=scope, has_status=status))
    return found


def _mapping(parent: Mapping[str, Any], name: str) -> Mapping[str, Any]:
    """What stands there, if it is an object."""
    value = parent.get(name)
    return value if isinstance(value, dict) else {}


def _kind(value: Any) -> GroupVersionKind | None:
    """What an `x-kubernetes-group-version-kind` names, if it names one kind."""
    if isinstance(value, list) and len(value) == 1:
        value = value[0]
    parts = [value.get(part) for part in GroupVersionKind._fields] if isinstance(value, dict) else [None]
    return GroupVersionKind(*parts) if all(isinstance(part, str) for part in parts) else None


def _module_name(name: str) -> str:
    """The module of a schema that is not Kubernetes' own: `com.example.web.v1`; `types` if its name has no package."""
    package = name.rpartition(".")[0]
    return ".".join(re.sub(r"\W", "_", part) for part in package.split(".")) if package else "types"


def _outline(name: str, schema: Schema, home: str, served: Mapping[GroupVersionKind, Served]) -> Outline:
    outline = Outline(name=class_name(name.rpartition(".")[2]), module=home)
    kind = _kind(schema.get(_KIND))
    properties = schema.get("properties") or {}
    if kind is None or f"{_META}ObjectMeta" not in str(properties.get("metadata")):
        return outline
    facts = served.get(kind) or Served(plural=plural_of(kind.kind), scope="Namespaced", has_status=False)
    outline.parent = "Resource"
    outline.definition = Definition(
        group=kind.group,
        version=kind.version,
        kind=kind.kind,
        plural=facts.plural,
        singular=kind.kind.lower(),
        list_kind=f"{kind.kind}List",
        scope="Namespaced" if facts.scope == "Namespaced" else "Cluster",
        short_names=facts.short_names,
        categories=facts.categories,
        status_subresource=facts.has_status or "status" not in properties,
    )
    return outline


def _is_list(schema: Schema) -> bool:
    properties = schema.get("properties") or {}
    return _KIND in schema and "items" in properties and f"{_META}ListMeta" in str(properties.get("metadata"))


def _is_struct(schema: Schema) -> bool:
    return bool(schema.get("type") == "object" and not schema.get("additionalProperties"))


def _body(outline: Outline, schema: Schema) -> Schema:
    """The schema of a class without what its base has."""
    if outline.parent != "Resource":
        return schema
    properties = {k: v for k, v in schema["properties"].items() if k not in ("apiVersion", "kind", "metadata")}
    required = [wire for wire in schema.get("required", ()) if wire in properties]
    return {**schema, "properties": properties, "required": required}


def _cleaned(node: Any, *, descriptions: bool, names: bool = False) -> Any:
    """A schema without keywords for other tools, perhaps without descriptions; `names`: the keys are properties."""
    if isinstance(node, list):
        return [_cleaned(each, descriptions=descriptions) for each in node]
    if not isinstance(node, dict):
        return node
    kept = {}
    for key, value in node.items():
        if names or not (_FOREIGN.fullmatch(key) or (key == "description" and not descriptions)):
            kept[key] = _cleaned(value, descriptions=descriptions, names=key == "properties" and not names)
    return kept
