"""What a server would refuse in a CRD, and what is legal and yet a mistake.

`lint_crd` asks the rules of three tables: about the definition, about each version, and (in `nodes`)
about each level of a schema; and what the schema's own rules mean and cost (`rules`). Errors are what kube-apiserver
refuses or what can never work; warnings are likely mistakes and costs that come later; infos are conventions.

A path names the place in the definition (`spec.names.plural`) or, within a schema, the field of an object
(`spec.versions[v1].schema.spec.replicas`); what is not structural is told with the server's own path.
"""

import re
from collections.abc import Callable, Iterator
from typing import Any, Final

import msgspec

from kubewright.schema.definition import CRD, Version, read_crd
from kubewright.schema.lint.finding import Finding
from kubewright.schema.lint.nodes import lint_nodes
from kubewright.schema.lint.rules import lint_rules
from kubewright.schema.paths import node_at
from kubewright.schema.structural import check_structural

__all__ = ["DEFINITION_RULES", "VERSION_RULES", "Finding", "lint_crd", "size_findings"]

_ANNOTATION_LIMIT: Final = 262_144  # bytes all annotations of an object may have
_REQUEST_LIMIT: Final = 1_048_576  # bytes; etcd takes 1.5 MiB, with what the server adds
_SELECTABLE_LIMIT: Final = 8  # fields per version


def lint_crd(crd: dict[str, Any]) -> list[Finding]:
    """Everything to be said about a CRD; `NotACRD` where it is none."""
    definition = read_crd(crd)
    found = [finding for rule in DEFINITION_RULES for finding in rule(definition)]
    for index, version in enumerate(definition.versions):
        path = f"spec.versions[{version.name}]"
        structure = list(_structure(definition, version, index))
        found += structure
        found += [finding for rule in VERSION_RULES for finding in rule(version, path)]
        if not structure:
            found += lint_nodes(version.schema, f"{path}.schema")
            found += lint_rules(version.schema, f"spec.versions[{index}].schema.openAPIV3Schema")
    return found


def size_findings(crd: dict[str, Any]) -> list[Finding]:
    """Whether the CRD is too large to be sent, or to be applied with `kubectl apply`."""
    size = len(msgspec.json.encode(crd))
    if size > _REQUEST_LIMIT:
        problem = f"the definition has {size:,} bytes, more than a server may store ({_REQUEST_LIMIT:,})"
        return [Finding("size", "error", "", problem, "cut descriptions, or embed parts with preserve-unknown-fields")]
    if size > _ANNOTATION_LIMIT:
        problem = (
            f"the definition has {size:,} bytes, and `kubectl apply` copies it into an annotation of at most 262,144"
        )
        return [Finding("size", "warning", "", problem, "cut descriptions, or use `kubectl apply --server-side`")]
    return []


# -- the definition

_LABEL: Final = re.compile(r"[a-z](?:[-a-z0-9]{0,61}[a-z0-9])?")
_DOMAIN: Final = re.compile(r"[a-z0-9](?:[-a-z0-9]*[a-z0-9])?(?:\.[a-z0-9](?:[-a-z0-9]*[a-z0-9])?)+")
_KIND: Final = re.compile(r"[A-Z][A-Za-z0-9]*")
_VERSION_NAME: Final = re.compile(r"v[1-9][0-9]*(?:(?:alpha|beta)[1-9][0-9]*)?")


def _name(crd: CRD) -> Iterator[Finding]:
    wanted = f"{crd.names.plural}.{crd.group}"
    if crd.name != wanted:
        yield Finding("name", "error", "metadata.name", f"the name is {crd.name!r}", f"call it {wanted}")


def _group(crd: CRD) -> Iterator[Finding]:
    if not _DOMAIN.fullmatch(crd.group) or len(crd.group) > 253:
        problem = f"{crd.group!r} is no domain name with a dot"
        yield Finding("group", "error", "spec.group", problem, "use a domain you own, such as web.example.com")


def _scope(crd: CRD) -> Iterator[Finding]:
    if crd.scope not in ("Namespaced", "Cluster"):
        yield Finding("scope", "error", "spec.scope", f"the scope is {crd.scope!r}", "say Namespaced or Cluster")


def _names(crd: CRD) -> Iterator[Finding]:
    names = crd.names
    labels = [("plural", names.plural), ("singular", names.singular)]
    labels += [(f"shortNames[{index}]", name) for index, name in enumerate(names.short_names)]
    labels += [(f"categories[{index}]", name) for index, name in enumerate(names.categories)]
    for place, name in labels:
        if not _LABEL.fullmatch(name):
            remedy = "use lowercase letters, digits and dashes"
            yield Finding("lowercase", "error", f"spec.names.{place}", f"{name!r} is no lowercase name", remedy)
    if not _KIND.fullmatch(names.kind):
        remedy = "begin with a capital and use letters and digits, as in WebServer"
        yield Finding("kind-name", "warning", "spec.names.kind", f"{names.kind!r} is not in CamelCase", remedy)
    if names.kind and names.kind == names.list_kind:
        problem = "the kind and the kind of its list are the same"
        yield Finding("list-kind", "error", "spec.names.listKind", problem, f"call it {names.kind}List")


def _version_names(crd: CRD) -> Iterator[Finding]:
    seen: set[str] = set()
    for version in crd.versions:
        path = f"spec.versions[{version.name}].name"
        if version.name in seen:
            yield Finding("version-twice", "error", path, "the version stands there twice", "remove one")
        seen.add(version.name)
        if not _LABEL.fullmatch(version.name):
            remedy = "use lowercase letters, digits and dashes, as in v1beta1"
            yield Finding("lowercase", "error", path, f"{version.name!r} is no lowercase name", remedy)
        elif not _VERSION_NAME.fullmatch(version.name):
            problem = f"{version.name!r} does not sort as a version"
            yield Finding("version-name", "warning", path, problem, "use the form v1, v1beta1 or v1alpha1")


def _storage(crd: CRD) -> Iterator[Finding]:
    stored = [version.name for version in crd.versions if version.storage]
    if len(stored) != 1:
        problem = f"several versions are stored ({', '.join(stored)})" if stored else "no version is stored"
        yield Finding("storage-version", "error", "spec.versions", problem, "mark exactly one with storage: true")


def _served(crd: CRD) -> Iterator[Finding]:
    if not any(version.served for version in crd.versions):
        problem = "no version is served, so nobody can use the kind"
        yield Finding("served", "warning", "spec.versions", problem, "mark one with served: true")


def _size(crd: CRD) -> Iterator[Finding]:
    yield from size_findings(crd.raw)


#: What is asked about the definition.
DEFINITION_RULES: Final[tuple[Callable[[CRD], Iterator[Finding]], ...]] = (
    _name,
    _group,
    _scope,
    _names,
    _version_names,
    _storage,
    _served,
    _size,
)


# -- each version


def _structure(crd: CRD, version: Version, index: int) -> Iterator[Finding]:
    path = f"spec.versions[{index}].schema.openAPIV3Schema"
    if not version.schema:
        yield Finding("no-schema", "error", path, "the version has no schema", "say what an object looks like")
        return
    status = "status" in version.subresources
    for error in check_structural(version.schema, path, status_subresource=status):
        remedy = "the server refuses the definition as it is"
        yield Finding("not-structural", "error", error.field, error.message, remedy)


def _root_preserves(version: Version, path: str) -> Iterator[Finding]:
    if version.schema.get("x-kubernetes-preserve-unknown-fields"):
        problem = "unknown fields are preserved at the root, so no misspelt field is ever noticed"
        remedy = "preserve them only where foreign data stands"
        yield Finding("root-preserves", "warning", f"{path}.schema", problem, remedy)


def _status(version: Version, path: str) -> Iterator[Finding]:
    status = (version.schema.get("properties") or {}).get("status")
    if status is None:
        return
    if "status" not in version.subresources:
        problem = "status is no subresource, so users can write it and controllers raise the generation"
        yield Finding("status-subresource", "warning", f"{path}.subresources", problem, "add subresources.status: {}")
    elif "status" in (version.schema.get("required") or ()):
        problem = "status is required, yet dropped of what is created, so no object can be"
        yield Finding("status-required", "warning", f"{path}.schema.status", problem, "give it a default")
    fields = status.get("properties") or {}
    if "conditions" in fields and "observedGeneration" not in fields:
        problem = "there are conditions without observedGeneration, so nobody can tell whether they are up to date"
        remedy = "add observedGeneration, an integer of format int64"
        yield Finding("observed-generation", "warning", f"{path}.schema.status", problem, remedy)


def _columns(version: Version, path: str) -> Iterator[Finding]:
    for column in version.columns:
        target = column.get("jsonPath") or ""
        if node_at(version.schema, target) is None:
            problem = f"the column shows {target!r}, which points at no field"
            place = f"{path}.additionalPrinterColumns[{column.get('name')}]"
            yield Finding("column-path", "warning", place, problem, "correct the path or add the field")


def _scale(version: Version, path: str) -> Iterator[Finding]:
    scale = version.subresources.get("scale") or {}
    for name in ("specReplicasPath", "statusReplicasPath", "labelSelectorPath"):
        target = scale.get(name)
        if target and node_at(version.schema, target) is None:
            problem = f"{name} is {target!r}, which points at no field"
            yield Finding("scale-path", "error", f"{path}.subresources.scale", problem, "correct it or add the field")


def _selectable(version: Version, path: str) -> Iterator[Finding]:
    place = f"{path}.selectableFields"
    for target in version.selectable_fields:
        node = None if target.startswith(".metadata") else node_at(version.schema, target)
        if node is None:
            problem = f"{target!r} points at no field outside of metadata"
            yield Finding("selectable-field", "error", place, problem, "correct the path or add the field")
        elif node.get("type") not in ("string", "boolean", "integer"):
            problem = f"{target!r} is a field of type {node.get('type') or 'any'}"
            yield Finding("selectable-field", "error", place, problem, "select by a string, boolean or integer")
    if len(set(version.selectable_fields)) > _SELECTABLE_LIMIT:
        problem = f"{len(set(version.selectable_fields))} fields are selectable"
        yield Finding("selectable-field", "error", place, problem, f"keep it to {_SELECTABLE_LIMIT}")


#: What is asked about each version.
VERSION_RULES: Final[tuple[Callable[[Version, str], Iterator[Finding]], ...]] = (
    _root_preserves,
    _status,
    _columns,
    _scale,
    _selectable,
)
