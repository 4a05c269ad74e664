"""Between two CRDs: every change, and whom it breaks.

`diff_crds` lists what differs from `old` to `new`, sorted by path, each with a kind, a verdict (breaks stored objects,
clients, both or neither) and one sentence why. Versions are compared by name. Nothing is silent: a difference of
which kubewright does not know the meaning is listed as `Unclassified`, and counts as breaking both until someone has
looked. Not compared is what belongs to the server: `status` and its own parts of `metadata`.

The verdicts, in short (`kubewright.schema.diff.change.KINDS` has them all):

| change | stored objects | clients |
|---|---|---|
| group, scope, kind or plural changed; field removed; type changed; bound, pattern, format, enumeration, rule, `required` tightened or added; null no longer allowed; pruning turned on; list becomes set or map | break | break |
| version removed or no longer served; endpoint, short name or selectable field removed; default added, changed or removed; wider type; null or absence newly allowed, enumeration widened; map type changed; transition rule added | - | break |
| version removed that was stored | break | break if served |
| storage moved to a version with another schema, without a conversion webhook | break | - |
| field, version, column, alternative added; bound loosened; pattern, rule, constraint removed; words, order, columns | - | - |
"""  # noqa: E501 - a table's row is one line

from collections.abc import Iterator
from typing import Any, Final

from kubewright.schema.definition import CRD, Version, read_crd
from kubewright.schema.diff.change import BOTH, CLIENTS, NEITHER, STORED_OBJECTS, Change, went
from kubewright.schema.diff.schemas import compare_schemas

__all__ = ["diff_crds"]


def diff_crds(old: dict[str, Any], new: dict[str, Any]) -> list[Change]:
    """Every change from `old` to `new`, sorted by path; `NotACRD` where one of them is no CRD."""
    before, after = read_crd(old), read_crd(new)
    changes = [*_definition(before, after), *_versions(before, after)]
    return sorted(changes, key=lambda change: (change.path, change.kind, change.why))


# -- the definition itself

_SPEC: Final = frozenset(("group", "scope", "names", "versions", "conversion", "preserveUnknownFields"))
_NAMES: Final = frozenset(("plural", "singular", "kind", "listKind", "shortNames", "categories"))
_SERVERS_METADATA: Final = frozenset(
    ("uid", "resourceVersion", "generation", "creationTimestamp", "deletionTimestamp", "managedFields", "selfLink")
)
_TOP: Final = frozenset(("apiVersion", "kind", "metadata", "spec", "status"))


def _definition(old: CRD, new: CRD) -> Iterator[Change]:
    yield from _unclassified(old.raw, new.raw, _TOP, "")
    before, after = (crd.raw.get("metadata") or {} for crd in (old, new))
    for name in sorted((before.keys() | after.keys()) - _SERVERS_METADATA):
        was, now = before.get(name) or None, after.get(name) or None
        if was != now:
            if name == "name":
                yield Change.of("metadata.name", "NamesChanged", went("the name", was, now), was, now, BOTH)
            else:
                yield Change.of(f"metadata.{name}", "MetadataChanged", f"{name} differ", was, now)
    if old.group != new.group:
        yield Change.of("spec.group", "GroupChanged", went("the group", old.group, new.group), old.group, new.group)
    if old.scope != new.scope:
        yield Change.of("spec.scope", "ScopeChanged", went("the scope", old.scope, new.scope), old.scope, new.scope)
    yield from _names(old, new)
    yield from _conversion(old.conversion, new.conversion)
    was, now = (bool(crd.raw["spec"].get("preserveUnknownFields")) for crd in (old, new))
    if was != now:
        breaks, why = (NEITHER, "fields the schemas do not name are kept") if now else (None, "")
        what = went("preserveUnknownFields", was, now)
        yield Change.of("spec.preserveUnknownFields", "PruningChanged", what, was, now, breaks, why)
    yield from _unclassified(old.raw["spec"], new.raw["spec"], _SPEC, "spec.")
    yield from _unclassified(
        old.raw["spec"].get("names") or {}, new.raw["spec"].get("names") or {}, _NAMES, "spec.names."
    )


def _unclassified(old: dict[str, Any], new: dict[str, Any], known: frozenset[str], prefix: str) -> Iterator[Change]:
    for name in sorted((old.keys() | new.keys()) - known):
        if (old.get(name) or None) != (new.get(name) or None):
            yield Change.of(f"{prefix}{name}", "Unclassified", f"{name} differs", old.get(name), new.get(name))


def _names(old: CRD, new: CRD) -> Iterator[Change]:
    why = "the kind becomes another resource: objects stay behind under the old name"
    for name, was, now in (("kind", old.names.kind, new.names.kind), ("plural", old.names.plural, new.names.plural)):
        if was != now:
            yield Change.of(f"spec.names.{name}", "NamesChanged", went(name, was, now), was, now, BOTH, why)
    for name, was, now in (
        ("singular", old.names.singular, new.names.singular),
        ("listKind", old.names.list_kind, new.names.list_kind),
    ):
        if was != now:
            yield Change.of(f"spec.names.{name}", "NamesChanged", went(name, was, now), was, now)
    for name, before, after in (
        ("shortNames", old.names.short_names, new.names.short_names),
        ("categories", old.names.categories, new.names.categories),
    ):
        path = f"spec.names.{name}"
        for member in sorted(set(after) - set(before)):
            why = "a further name takes nothing away"
            yield Change.of(path, "NamesChanged", f"{member} is new", None, member, NEITHER, why)
        for member in sorted(set(before) - set(after)):
            yield Change.of(path, "NamesChanged", f"{member} is gone", member, None)
        if before != after and set(before) == set(after):
            yield Change.of(path, "OrderChanged", f"{name} are listed anew", before, after)


def _conversion(old: dict[str, Any], new: dict[str, Any]) -> Iterator[Change]:
    was, now = old.get("strategy") or "None", new.get("strategy") or "None"
    if was != now:
        yield Change.of("spec.conversion", "ConversionChanged", went("the strategy", was, now), was, now)
    elif old != new:
        why = "where the webhook is called is another matter than what it does"
        yield Change.of("spec.conversion", "ConversionChanged", "the webhook differs", old, new, NEITHER, why)


# -- versions

_VERSION: Final = frozenset(
    (
        *("name", "served", "storage", "schema", "subresources", "additionalPrinterColumns", "selectableFields"),
        *("deprecated", "deprecationWarning"),
    )
)


def _versions(old: CRD, new: CRD) -> Iterator[Change]:
    before, after = ({version.name: version for version in crd.versions} for crd in (old, new))
    for name in sorted(before.keys() | after.keys()):
        path = f"spec.versions[{name}]"
        if name not in after:
            yield _removed_version(old, before[name], path)
        elif name not in before:
            yield Change.of(path, "VersionAdded", "the version is new", None, name)
        else:
            yield from _version(before[name], after[name], path)
    if list(before) != list(after) and before.keys() == after.keys():
        yield Change.of("spec.versions", "OrderChanged", "versions are listed anew", list(before), list(after))
    yield from _storage(before, after, new)


def _removed_version(crd: CRD, version: Version, path: str) -> Change:
    stored = version.storage or version.name in crd.stored_versions
    what = "the version is gone"
    if stored:
        why = "objects are stored in it and cannot be read without it; migrate them first"
        breaks = BOTH if version.served else STORED_OBJECTS
        return Change.of(path, "VersionRemoved", what, version.name, None, breaks, why)
    if not version.served:
        why = "nothing was stored in it and nobody was served"
        return Change.of(path, "VersionRemoved", what, version.name, None, NEITHER, why)
    return Change.of(path, "VersionRemoved", what, version.name, None)


def _storage(before: dict[str, Version], after: dict[str, Version], new: CRD) -> Iterator[Change]:
    was = [name for name, version in before.items() if version.storage]
    now = [name for name, version in after.items() if version.storage]
    if was == now:
        return
    what = went("the storage version", ", ".join(was), ", ".join(now))
    converted = new.conversion.get("strategy") == "Webhook"
    alike = len(was) == len(now) == 1 and was[0] in after and after[was[0]].schema == after[now[0]].schema
    if converted or alike:
        why = "a webhook converts what is stored" if converted else "both versions have the same schema"
        yield Change.of("spec.versions", "StorageVersionChanged", what, was, now, NEITHER, why)
    else:
        yield Change.of("spec.versions", "StorageVersionChanged", what, was, now)


def _version(old: Version, new: Version, path: str) -> Iterator[Change]:
    if old.served != new.served:
        kind = "VersionServed" if new.served else "VersionUnserved"
        yield Change.of(f"{path}.served", kind, went("served", old.served, new.served), old.served, new.served)
    for name in ("deprecated", "deprecationWarning"):
        was, now = old.raw.get(name) or None, new.raw.get(name) or None
        if was != now:
            yield Change.of(f"{path}.{name}", "DeprecationChanged", went(name, was, now), was, now)
    if old.schema and new.schema:
        yield from compare_schemas(old.schema, new.schema, f"{path}.schema")
    elif old.schema or new.schema:
        kind = "SchemaAdded" if new.schema else "SchemaRemoved"
        yield Change.of(f"{path}.schema", kind, "one of both has no schema", None, None)
    yield from _subresources(old.subresources, new.subresources, f"{path}.subresources")
    yield from _columns(old, new, f"{path}.additionalPrinterColumns")
    yield from _selectable(old, new, f"{path}.selectableFields")
    yield from _unclassified(old.raw, new.raw, _VERSION, f"{path}.")


def _subresources(old: dict[str, Any], new: dict[str, Any], path: str) -> Iterator[Change]:
    for name in sorted(old.keys() | new.keys()):
        was, now = old.get(name), new.get(name)
        if was == now:
            continue
        at = f"{path}.{name}"
        if was is None and name == "status":
            why = "status written through the object itself is ignored from now on"
            yield Change.of(at, "SubresourceAdded", "status is an endpoint of its own", was, now, CLIENTS, why)
        elif was is None:
            yield Change.of(at, "SubresourceAdded", f"{name} is new", was, now)
        elif now is None:
            yield Change.of(at, "SubresourceRemoved", f"{name} is gone", was, now)
        else:
            yield Change.of(at, "SubresourceChanged", went(name, was, now), was, now)


def _columns(old: Version, new: Version, path: str) -> Iterator[Change]:
    before, after = ({str(column.get("name")): column for column in version.columns} for version in (old, new))
    for name in sorted(before.keys() | after.keys()):
        was, now = before.get(name), after.get(name)
        if was != now:
            kind = "ColumnAdded" if was is None else "ColumnRemoved" if now is None else "ColumnChanged"
            yield Change.of(f"{path}[{name}]", kind, went(f"column {name}", was, now), was, now)
    if list(before) != list(after) and before.keys() == after.keys():
        yield Change.of(path, "OrderChanged", "columns are listed anew", list(before), list(after))


def _selectable(old: Version, new: Version, path: str) -> Iterator[Change]:
    before, after = old.selectable_fields, new.selectable_fields
    for field in sorted(set(after) - set(before)):
        yield Change.of(path, "SelectableFieldAdded", f"{field} is new", None, field)
    for field in sorted(set(before) - set(after)):
        yield Change.of(path, "SelectableFieldRemoved", f"{field} is gone", field, None)
    if before != after and set(before) == set(after):
        yield Change.of(path, "OrderChanged", "selectable fields are listed anew", before, after)
