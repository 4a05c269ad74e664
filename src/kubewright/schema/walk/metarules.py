"""The rules for object metadata of any kind, on metadata that was decoded.

Which names are allowed differs between kinds and is the caller's to say; all else is the same everywhere. The server
goes through labels and annotations in no order; here it is that of their names.

Large metadata is judged in steps, some labels, annotations or owners at a time.
"""

from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from typing import Final, TypeVar

from kubewright.schema.walk.errors import FieldError, forbidden, invalid, required, too_long
from kubewright.schema.walk.golang import marshal, quote
from kubewright.schema.walk.names import label_key, label_value, namespace_name

__all__ = ["check_meta", "check_meta_in_steps", "check_meta_update", "check_meta_update_in_steps"]

_ANNOTATIONS_LIMIT = 256 * 1024
_MANAGER_LIMIT = 128
_SUBRESOURCE_LIMIT = 256

#: What no update may change, each with how its absence is shown.
_IMMUTABLE: tuple[tuple[str, object], ...] = (
    ("name", ""),
    ("namespace", ""),
    ("uid", ""),
    ("creationTimestamp", None),
    ("deletionTimestamp", None),
    ("deletionGracePeriodSeconds", None),
)

Names = Callable[[str], list[str]]
Steps = Generator[None, None, list[FieldError]]
T = TypeVar("T")

#: So many labels, annotations, owners or finalizers are judged at once.
_FEW: Final = 500


def check_meta(
    meta: dict[str, object], path: str, *, name: Names, name_prefix: Names, namespaced: bool
) -> list[FieldError]:
    """Return what is wrong with the metadata at `path`; `name` and `name_prefix` complain about names of the kind."""
    errors = _names(meta, path, name, name_prefix)
    errors += _namespace(meta, path, namespaced)
    errors += _generation(meta, path)
    errors += _shared(meta, path)
    if meta.get("finalizers"):
        errors += _finalizers(meta, f"{path}.finalizers")
    errors += _managers(meta, path)
    return errors


def check_meta_in_steps(
    meta: dict[str, object], path: str, *, name: Names, name_prefix: Names, namespaced: bool
) -> Steps:
    """The same in steps."""
    errors = [*_names(meta, path, name, name_prefix), *_namespace(meta, path, namespaced), *_generation(meta, path)]
    errors += yield from _shared_in_steps(meta, path)
    if meta.get("finalizers"):
        place, names = f"{path}.finalizers", _finalizer_names(meta)
        for some in _some(names):
            errors += _odd_finalizers(some, place)
            yield
        errors += _torn_finalizers(names, place)
    errors += _managers(meta, path)
    return errors


def check_meta_update(meta: dict[str, object], old: dict[str, object], path: str) -> list[FieldError]:
    """Return what is wrong with metadata at `path` that is to replace `old`."""
    return [
        *(_new_finalizers(meta, old, f"{path}.finalizers") if old.get("deletionTimestamp") else ()),
        *_kept(meta, old, path),
        *_shared(meta, path),
        *_managers(meta, path),
    ]


def check_meta_update_in_steps(meta: dict[str, object], old: dict[str, object], path: str) -> Steps:
    """The same in steps."""
    return [
        *(_new_finalizers(meta, old, f"{path}.finalizers") if old.get("deletionTimestamp") else ()),
        *_kept(meta, old, path),
        *(yield from _shared_in_steps(meta, path)),
        *_managers(meta, path),
    ]


def _shared(meta: dict[str, object], path: str) -> list[FieldError]:
    """What new and changed metadata are judged by. Most has labels and nothing else of it."""
    errors: list[FieldError] = []
    if labels := _texts(meta, "labels"):
        errors += _labels(labels, f"{path}.labels")
    if annotations := _texts(meta, "annotations"):
        errors += _annotations(annotations, f"{path}.annotations")
    if owners := _parts(meta, "ownerReferences"):
        errors += _owners(owners, f"{path}.ownerReferences", owners, [])
    return errors


def _shared_in_steps(meta: dict[str, object], path: str) -> Steps:
    errors: list[FieldError] = []
    labels, annotations = _texts(meta, "labels"), _texts(meta, "annotations")
    for keys in _some(sorted(labels)):
        errors += _labels({key: labels[key] for key in keys}, f"{path}.labels")
        yield
    size = 0
    for keys in _some(sorted(annotations)):
        errors += _annotation_keys(keys, f"{path}.annotations")
        size += _annotation_size({key: annotations[key] for key in keys})
        yield
    errors += _long_annotations(size, f"{path}.annotations")
    owners = _parts(meta, "ownerReferences")
    controller: list[str] = []
    for some in _some(owners):
        errors += _owners(some, f"{path}.ownerReferences", owners, controller)
        yield
    return errors


def _some(many: list[T]) -> Iterator[list[T]]:
    return (many[start : start + _FEW] for start in range(0, len(many), _FEW))


def _managers(meta: dict[str, object], path: str) -> Iterable[FieldError]:
    entries = _parts(meta, "managedFields")
    return _managed_fields(entries, f"{path}.managedFields") if entries else ()


def _new_finalizers(meta: dict[str, object], old: dict[str, object], path: str) -> Iterator[FieldError]:
    """What is being deleted loses finalizers and gets none."""
    given, before = (value if isinstance(value := each.get("finalizers"), list) else [] for each in (meta, old))
    if new := sorted(set(given) - set(before)):
        listed = ", ".join(map(quote, new))
        why = "no new finalizers can be added if the object is being deleted, "
        yield forbidden(path, f"{why}found new finalizers []string{{{listed}}}")


def _kept(meta: dict[str, object], old: dict[str, object], path: str) -> Iterator[FieldError]:
    if not _text(meta, "resourceVersion"):
        yield invalid(f"{path}.resourceVersion", "", "must be specified for an update")
    generation, before = (value if isinstance(value := each.get("generation"), int) else 0 for each in (meta, old))
    if generation < before:
        yield invalid(f"{path}.generation", generation, "must not be decremented")
    for name, absent in _IMMUTABLE:
        if meta.get(name) != old.get(name):
            yield invalid(f"{path}.{name}", meta.get(name, absent), "field is immutable")


def _text(structure: dict[str, object], name: str) -> str:
    value = structure.get(name)
    return value if isinstance(value, str) else ""


def _texts(meta: dict[str, object], name: str) -> dict[str, str]:
    value = meta.get(name)
    return value if isinstance(value, dict) else {}


def _parts(meta: dict[str, object], name: str) -> list[dict[str, object]]:
    value = meta.get(name)
    return value if isinstance(value, list) else []


def _size(text: str) -> int:
    return len(text) if text.isascii() else len(text.encode(errors="replace"))


def _names(meta: dict[str, object], path: str, name: Names, prefix: Names) -> list[FieldError]:
    generate, own = _text(meta, "generateName"), _text(meta, "name")
    complaints = prefix(generate) if generate else ()
    errors = [invalid(f"{path}.generateName", generate, complaint) for complaint in complaints]
    if not own:
        return [*errors, required(f"{path}.name", "name or generateName is required")]
    return errors + [invalid(f"{path}.name", own, complaint) for complaint in name(own)]


def _namespace(meta: dict[str, object], path: str, namespaced: bool) -> Sequence[FieldError]:
    namespace = _text(meta, "namespace")
    if not namespaced:
        return [forbidden(f"{path}.namespace", "not allowed on this type")] if namespace else ()
    if not namespace:
        return [required(f"{path}.namespace")]
    if complaints := namespace_name(namespace):
        return [invalid(f"{path}.namespace", namespace, complaint) for complaint in complaints]
    return ()


def _generation(meta: dict[str, object], path: str) -> Sequence[FieldError]:
    generation = meta.get("generation")
    if not isinstance(generation, int) or generation >= 0:
        return ()
    return [invalid(f"{path}.generation", generation, "must be greater than or equal to 0")]


def _labels(labels: dict[str, str], path: str) -> list[FieldError]:
    errors: list[FieldError] = []
    for key in sorted(labels):
        value = labels[key]
        if complaints := label_key(key):
            errors += [invalid(path, key, complaint) for complaint in complaints]
        if complaints := label_value(value):
            errors += [invalid(path, value, complaint) for complaint in complaints]
    return errors


def _annotations(annotations: dict[str, str], path: str) -> Iterator[FieldError]:
    yield from _annotation_keys(sorted(annotations), path)
    yield from _long_annotations(_annotation_size(annotations), path)


def _annotation_keys(keys: list[str], path: str) -> Iterator[FieldError]:
    for key in keys:
        for complaint in label_key(key.lower()):
            yield invalid(path, key, complaint)


def _annotation_size(annotations: dict[str, str]) -> int:
    return sum(_size(key) + _size(value) for key, value in annotations.items())


def _long_annotations(size: int, path: str) -> Iterator[FieldError]:
    if size > _ANNOTATIONS_LIMIT:
        yield too_long(path, _ANNOTATIONS_LIMIT)


def _owners(
    references: list[dict[str, object]], path: str, all_: list[dict[str, object]], controller: list[str]
) -> Iterator[FieldError]:
    """What is wrong with some owners of all; the controller among those before is noted, and then the one here."""
    for reference in references:
        api_version, kind = _text(reference, "apiVersion"), _text(reference, "kind")
        # An apiVersion with more than one slash has no version at all.
        version = api_version.rpartition("/")[2] if api_version.count("/") < 2 else ""
        if not version:
            yield invalid(f"{path}.apiVersion", api_version, "version must not be empty")
        for name in ("kind", "name", "uid"):
            if not _text(reference, name):
                yield invalid(f"{path}.{name}", "", "must not be empty")
        if (api_version, kind) == ("v1", "Event"):
            yield _odd_value(path, _in_order(reference), "/v1, Kind=Event is disallowed from being an owner")
        if reference.get("controller") is True:
            this = f"{kind}/{_text(reference, 'name')}"
            if controller:
                detail = "Only one reference can have Controller set to true. "
                detail += f'Found "true" in references for {controller[0]} and {this}'
                yield _odd_value(path, [_in_order(each) for each in all_], detail)
            else:
                controller.append(this)


def _in_order(reference: dict[str, object]) -> dict[str, object]:
    names = ("apiVersion", "kind", "name", "uid", "controller", "blockOwnerDeletion")
    return {name: reference[name] for name in names if name in reference}


def _odd_value(path: str, value: object, detail: str) -> FieldError:
    """An invalid structure: it is printed with its fields in the order of their declaration."""
    shown = invalid(path, "", detail)
    return FieldError(shown.reason, path, f"Invalid value: {marshal(value, sort=False)}: {detail}")


def _finalizers(meta: dict[str, object], path: str) -> Iterator[FieldError]:
    names = _finalizer_names(meta)
    yield from _odd_finalizers(names, path)
    yield from _torn_finalizers(names, path)


def _finalizer_names(meta: dict[str, object]) -> list[str]:
    finalizers = meta.get("finalizers")
    return [name for name in finalizers if isinstance(name, str)] if isinstance(finalizers, list) else []


def _odd_finalizers(names: list[str], path: str) -> Iterator[FieldError]:
    for name in names:
        yield from (invalid(path, name, complaint) for complaint in label_key(name))


def _torn_finalizers(names: list[str], path: str) -> Iterator[FieldError]:
    if {"orphan", "foregroundDeletion"} <= set(names):
        yield invalid(path, names, "finalizer orphan and foregroundDeletion cannot be both set")


def _managed_fields(entries: list[dict[str, object]], path: str) -> Iterable[FieldError]:
    return () if all(map(_is_usual, entries)) else _odd_managed_fields(entries, path)


def _odd_managed_fields(entries: list[dict[str, object]], path: str) -> Iterator[FieldError]:
    for index, entry in enumerate(entries):
        place = f"{path}[{index}]"
        if (operation := _text(entry, "operation")) not in ("Apply", "Update"):
            yield _odd_value(f"{place}.operation", operation, "must be `Apply` or `Update`")
        if (fields_type := _text(entry, "fieldsType")) not in ("", "FieldsV1"):
            yield invalid(f"{place}.fieldsType", fields_type, "must be `FieldsV1`")
        yield from _manager(_text(entry, "manager"), f"{place}.manager")
        if _size(_text(entry, "subresource")) > _SUBRESOURCE_LIMIT:
            yield too_long(f"{place}.subresource", _SUBRESOURCE_LIMIT)


def _is_usual(entry: dict[str, object]) -> bool:
    """Whether an entry is like nearly all that there are, and nothing can be wrong with it."""
    manager, part = entry.get("manager"), entry.get("subresource", "")
    return (
        entry.get("operation") in ("Apply", "Update")
        and entry.get("fieldsType") == "FieldsV1"
        and isinstance(manager, str)
        and len(manager) <= _MANAGER_LIMIT
        and manager.isascii()
        and manager.isprintable()
        and (not part or part == "status")
    )


def _manager(name: str, path: str) -> Iterator[FieldError]:
    if _size(name) > _MANAGER_LIMIT:
        yield too_long(path, _MANAGER_LIMIT)
    position = 0
    for char in name:
        if not char.isprintable():
            yield invalid(path, name, f"invalid character U+{ord(char):04X} (at position {position})")
        position += _size(char)
