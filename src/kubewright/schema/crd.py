"""The versions of a kind become a CustomResourceDefinition.

`crd_of(WebServer)` for one version, `crd_of(WebServerV1, WebServerV1Beta1)` for several: classes of one group and kind.
What only shows when they are together — two storage versions, a column that points at no field, a default its own
schema refuses — is told here, by class and field.
"""

import re
import warnings
from collections.abc import Iterable
from typing import Any

from kubewright.model.meta import fields_of
from kubewright.model.resource import Column, Definition, Resource, definition_of
from kubewright.model.shape import DefinitionError
from kubewright.schema.paths import node_at
from kubewright.schema.raw import has_rules
from kubewright.schema.rules.rule import RuleCostWarning
from kubewright.schema.structural import check_structural
from kubewright.schema.types import Schema, schema_of
from kubewright.schema.walk import compile_schema
from kubewright.schema.walk.errors import FORBIDDEN

__all__ = ["crd_of", "crds_of"]

#: What all versions of a kind must agree on, because a CRD says it once.
_SHARED = ("plural", "singular", "list_kind", "scope", "short_names", "categories", "labels", "annotations")


def crds_of(resources: Iterable[type[Resource]], *, max_description: int | None = None) -> list[dict[str, Any]]:
    """One CRD for each kind among these classes, by name."""
    kinds: dict[tuple[str, str], list[type[Resource]]] = {}
    for resource in resources:
        definition = definition_of(resource)
        kinds.setdefault((definition.group, definition.kind), []).append(resource)
    named: dict[str, type[Resource]] = {}
    for first, *_ in kinds.values():
        name = definition_of(first).crd_name
        if named.setdefault(name, first) is not first:
            both = f"{named[name].__name__} and {first.__name__}"
            raise DefinitionError(f"{both} are different kinds and both {name}; give one another plural.")
    crds = [crd_of(*versions, max_description=max_description) for versions in kinds.values()]
    return sorted(crds, key=lambda crd: str(crd["metadata"]["name"]))


def crd_of(*versions: type[Resource], max_description: int | None = None) -> dict[str, Any]:
    """The CRD of a kind, given the class of each version; descriptions cut to `max_description`, 0 for none."""
    found = sorted(((definition_of(version), version) for version in versions), key=lambda pair: pair[0].version)
    if not found:
        raise DefinitionError("crd_of() needs at least one class.")
    definitions = [definition for definition, _ in found]
    storage = _check(found)
    first = definitions[definitions.index(storage)]
    metadata: dict[str, Any] = {"name": first.crd_name}
    if first.labels:
        metadata["labels"] = dict(first.labels)
    if first.annotations:
        metadata["annotations"] = dict(first.annotations)
    return {
        "apiVersion": "apiextensions.k8s.io/v1",
        "kind": "CustomResourceDefinition",
        "metadata": metadata,
        "spec": {
            "group": first.group,
            "names": _names(first),
            "scope": first.scope,
            "versions": [_version(d, cls, d is storage, max_description) for d, cls in found],
        },
    }


def _check(found: list[tuple[Definition, type[Resource]]]) -> Definition:
    """That the versions fit together; returns the one that is stored."""
    first, first_class = found[0]
    for definition, cls in found[1:]:
        if (definition.group, definition.kind) != (first.group, first.kind):
            raise DefinitionError(
                f"{first_class.__name__} and {cls.__name__} are different kinds, not versions of one."
            )
        if different := [option for option in _SHARED if getattr(definition, option) != getattr(first, option)]:
            raise DefinitionError(
                f"{first_class.__name__} and {cls.__name__} are versions of {first.kind} and differ in "
                f"{', '.join(different)}; a CRD says it once, so give both class lines the same."
            )
    names = [definition.version for definition, _ in found]
    if repeated := next((name for name in names if names.count(name) > 1), None):
        classes = " and ".join(cls.__name__ for definition, cls in found if definition.version == repeated)
        raise DefinitionError(f"{classes} are both version {repeated} of {first.kind}; a version has one class.")
    if not any(definition.served for definition, _ in found):
        raise DefinitionError(f"no version of {first.kind} is served; leave out served=False in one of them.")
    stored = [(definition, cls) for definition, cls in found if definition.storage]
    if not stored and len(found) == 1 and first.storage is None:
        return first
    if len(stored) == 1:
        return stored[0][0]
    if stored:
        classes = " and ".join(cls.__name__ for _, cls in stored)
        raise DefinitionError(f"{classes} are both storage versions of {first.kind}; exactly one has storage=True.")
    raise DefinitionError(f"no version of {first.kind} is stored; give one of {', '.join(names)} storage=True.")


def _names(definition: Definition) -> dict[str, Any]:
    names: dict[str, Any] = {}
    if definition.categories:
        names["categories"] = list(definition.categories)
    names |= {"kind": definition.kind, "listKind": definition.list_kind, "plural": definition.plural}
    if definition.short_names:
        names["shortNames"] = list(definition.short_names)
    return names | {"singular": definition.singular}


def _version(definition: Definition, cls: type[Resource], stored: bool, limit: int | None) -> dict[str, Any]:
    schema = schema_of(cls, max_description=limit)
    _check_schema(cls, schema)
    version: dict[str, Any] = {"name": definition.version}
    if definition.columns:
        version["additionalPrinterColumns"] = [_column(cls, schema, column) for column in definition.columns]
    if definition.deprecated:
        version["deprecated"] = True
    if isinstance(definition.deprecated, str):
        version["deprecationWarning"] = definition.deprecated
    version["schema"] = {"openAPIV3Schema": schema}
    if definition.selectable_fields:
        version["selectableFields"] = [{"jsonPath": path} for path in definition.selectable_fields]
        for path in definition.selectable_fields:
            _point(cls, schema, path, "selectable_fields")
    version |= {"served": definition.served, "storage": stored}
    if subresources := _subresources(definition, cls, schema):
        version["subresources"] = subresources
    return version


def _column(cls: type[Resource], schema: Schema, column: Column) -> dict[str, Any]:
    node = _point(cls, schema, column.json_path, f"the column {column.name}")
    out: dict[str, Any] = {"name": column.name, "type": column.type or _column_type(node)}
    if column.format:
        out["format"] = column.format
    if column.description:
        out["description"] = column.description
    if column.priority:
        out["priority"] = column.priority
    return out | {"jsonPath": column.json_path}


def _column_type(node: Schema) -> str:
    if node.get("format") == "date-time":
        return "date"
    kind = node.get("type")
    return kind if kind in ("integer", "number", "boolean") else "string"


def _subresources(definition: Definition, cls: type[Resource], schema: Schema) -> dict[str, Any]:
    out: dict[str, Any] = {}
    if definition.scale:
        scale = definition.scale
        paths = {"specReplicasPath": scale.spec_replicas, "statusReplicasPath": scale.status_replicas}
        if scale.label_selector:
            paths["labelSelectorPath"] = scale.label_selector
        for path in paths.values():
            _point(cls, schema, path, "scale")
        out["scale"] = dict(sorted(paths.items()))
    if definition.status_subresource and any(field.name == "status" for field in fields_of(cls)):
        out["status"] = {}
    return out


def _point(cls: type[Resource], schema: Schema, path: str, who: str) -> Schema:
    node = node_at(schema, path) if path.startswith(".") else None
    if node is None:
        raise DefinitionError(
            f"{cls.__name__}: {who} points at {path}, where there is no field; paths use the names on the wire and "
            "start with a dot, as in .status.readyReplicas."
        )
    return node


def _check_schema(cls: type[Resource], schema: Schema) -> None:
    """What the server would refuse about the schema itself."""
    for problem in check_structural(schema):
        raise DefinitionError(f"{_place(cls, problem.field)}: a server would refuse this: {problem.message}.")
    for path, node, correlated in _nodes(schema, cls.__name__):
        rules = [rule["rule"] for rule in node.get("x-kubernetes-validations", ())]
        if twice := next((rule for rule in rules if rules.count(rule) > 1), None):
            raise DefinitionError(f"{path} has two rules that are the same in CEL, {twice}; take one away.")
        for rule in rules:
            if not correlated and re.search(r"\boldSelf\b", rule):
                raise DefinitionError(
                    f"{path}: a rule looks at the old value, but a server cannot tell which item of a list was which; "
                    "mark the list with kw.ListMap, or put the rule above it."
                )
        if "default" in node:
            for error in compile_schema(node, root=False).validate(node["default"]):
                why = " ".join(error.message.split())
                raise DefinitionError(f"{path}: the default {node['default']!r} does not fit its own type: {why}.")
    if has_rules(schema):
        _check_rules(cls, schema)


def _place(cls: type[Resource], field: str) -> str:
    """A place in a schema as one in the class."""
    return cls.__name__ + "." + re.sub(r"\.?properties\[([^]]*)\]", r".\1", field).lstrip(".")


def _check_rules(cls: type[Resource], schema: Schema) -> None:
    """What the server would refuse about rules; of their cost a warning is enough here, for bounds can still come."""
    # Imported here: many kinds have no rules.
    from kubewright.schema.validations import RULE_LIMIT, check_rules, estimate_costs

    costs = dict(estimate_costs(schema))
    for problem in check_rules(schema):
        path = _place(cls, problem.field)
        if problem.reason != FORBIDDEN:
            raise DefinitionError(f"{path}: a server would refuse this: {problem.message}.")
        if costs.get(problem.field, 0) > RULE_LIMIT:
            warnings.warn(
                f"{path} costs an estimated {costs[problem.field]:,} units, and a server allows {RULE_LIMIT:,}: bound "
                "the lists, maps and texts it walks, and those around it, with MaxItems, MaxProperties and MaxLength.",
                RuleCostWarning,
                stacklevel=2,
            )


def _nodes(schema: Schema, path: str, correlated: bool = True) -> Iterable[tuple[str, Schema, bool]]:
    """Every level of a schema, with its path, and whether an update's old value can be found for it."""
    yield path, schema, correlated
    inside = correlated and schema.get("x-kubernetes-map-type") != "atomic"
    for name, node in schema.get("properties", {}).items():
        yield from _nodes(node, f"{path}.{name}", inside)
    if isinstance(items := schema.get("items"), dict):
        yield from _nodes(items, f"{path}[]", correlated and schema.get("x-kubernetes-list-type") == "map")
    if isinstance(values := schema.get("additionalProperties"), dict):
        yield from _nodes(values, f"{path}{{}}", correlated)
