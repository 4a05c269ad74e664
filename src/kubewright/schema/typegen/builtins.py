"""Kubernetes' own kinds become `kubewright.k8s`: a package a group, a module a version.

They are made from the OpenAPI v3 and discovery documents of one release. Names, types, required fields, defaults, list
and map types are facts and carry over; the texts of descriptions are somebody else's and do not.
"""

from collections.abc import Iterable, Mapping
from typing import Any

from kubewright.model.metadata import ListMeta, ManagedFieldsEntry, ObjectMeta, OwnerReference, PartialObjectMetadata
from kubewright.model.status import Condition
from kubewright.schema.typegen.openapi import builtin_module, discovered, outline_modules, without_lists
from kubewright.schema.typegen.outline import Module
from kubewright.schema.typegen.write import write
from kubewright.schema.types import Schema

__all__ = ["builtin_sources"]

_PACKAGE = "kubewright.k8s"
#: Types of the machinery that are written by hand and can be imported from where one looks for them.
_BY_HAND = (Condition, ListMeta, ManagedFieldsEntry, ObjectMeta, OwnerReference, PartialObjectMetadata)


def builtin_sources(
    openapi: Iterable[Mapping[str, Any]], discovery: Iterable[Mapping[str, Any]], origin: str
) -> dict[str, str]:
    """Path below `kubewright/k8s` → source, from a release's OpenAPI v3 documents and APIResourceLists."""
    schemas: dict[str, Schema] = {}
    for document in openapi:
        schemas |= (document.get("components") or {}).get("schemas") or {}
    homes = {name: home for name in schemas if (home := builtin_module(name))}
    named = without_lists({name: schemas[name] for name in homes})
    modules = outline_modules(named, homes, discovered(discovery), partial=True)
    sources: dict[str, str] = {}
    for module in modules:
        group, version = module.name.removeprefix(f"{_PACKAGE}.").split(".")
        _introduce(module, f"{group}/{version}", origin)
        if (group, version) == ("meta", "v1"):
            module.offers = _BY_HAND
        sources[f"{group}/{version}.py"] = write(module)
        sources[f"{group}/__init__.py"] = f'"""The {group} group, a module a version."""\n'
    return dict(sorted(sources.items()))


def _introduce(module: Module, name: str, origin: str) -> None:
    kinds = [outline.name for outline in module.outlines if outline.parent == "Resource"]
    what = f"The kinds of {name} and their parts: {', '.join(kinds)}." if kinds else f"The types of {name}."
    module.description = f"{what}\n\nMade from {origin} by `make generate`: do not edit."
