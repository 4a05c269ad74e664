"""StorageClasses: who makes volumes, and how. What a class says of that never changes."""

from collections.abc import Iterator
from typing import Any, Final

from kubewright.cluster.registry.kinds.plain import PlainStrategy
from kubewright.cluster.registry.kinds.pod.warnings import OLD_LABELS
from kubewright.cluster.registry.rules.labels import check_key
from kubewright.schema.walk.errors import FieldError, duplicate, invalid, not_supported, required, too_long

__all__ = ["StorageClassStrategy"]

Document = dict[str, Any]

_POLICIES: Final = ("Delete", "Retain")
_MODES: Final = ("Immediate", "WaitForFirstConsumer")
_PARAMETERS: Final = 512
_PARAMETERS_SIZE: Final = 256 * 1024


class StorageClassStrategy(PlainStrategy):
    """What is particular to classes of storage."""

    def default(self, obj: Document) -> None:
        obj.setdefault("reclaimPolicy", "Delete")
        obj.setdefault("volumeBindingMode", "Immediate")

    def check(self, obj: Document) -> list[FieldError]:
        return [*_check(obj)]

    def validate_update(self, obj: Document, old: Document) -> list[FieldError]:
        fixed = ("parameters", "provisioner", "reclaimPolicy", "volumeBindingMode")
        changed = [name for name in fixed if (obj.get(name) or None) != (old.get(name) or None)]
        return [
            *self.validate(obj),
            *self.check_meta_update(obj, old),
            *(invalid(name, obj.get(name), "field is immutable") for name in changed),
        ]

    def warnings(self, obj: Document, old: Document | None) -> list[str]:
        return [
            f"allowedTopologies[{index}].matchLabelExpressions[{at}].key: {OLD_LABELS[each['key']]}"
            for index, term in enumerate(obj.get("allowedTopologies") or ())
            for at, each in enumerate(term.get("matchLabelExpressions") or ())
            if each["key"] in OLD_LABELS
        ]


def _check(obj: Document) -> Iterator[FieldError]:
    if obj["provisioner"]:
        yield from check_key(obj["provisioner"].lower(), "provisioner")
    else:
        yield required("provisioner")
    yield from _parameters(obj.get("parameters") or {})
    if obj["reclaimPolicy"] and obj["reclaimPolicy"] not in _POLICIES:
        yield not_supported("reclaimPolicy", obj["reclaimPolicy"], _POLICIES)
    if obj["volumeBindingMode"] not in _MODES:
        yield not_supported("volumeBindingMode", obj["volumeBindingMode"], _MODES)
    terms: list[Document] = obj.get("allowedTopologies") or []
    # The server begins with as many empty ones as there are terms, so that a term that says nothing repeats each.
    seen: list[dict[str, set[str]]] = [{} for _ in terms]
    for index, term in enumerate(terms):
        path, places = f"allowedTopologies[{index}]", dict[str, set[str]]()
        for at, each in enumerate(term.get("matchLabelExpressions") or ()):
            yield from _requirement(each, f"{path}.matchLabelExpressions[{at}]")
            if each["key"] in places:
                yield duplicate(f"{path}.matchLabelExpressions[{at}].key", each["key"])
            places[each["key"]] = {*(each["values"] or ())}
        yield from (duplicate(f"{path}.matchLabelExpressions", "") for other in seen if other == places)
        seen.append(places)


def _parameters(parameters: dict[str, str]) -> Iterator[FieldError]:
    if len(parameters) > _PARAMETERS:
        yield too_long("parameters", _PARAMETERS)
        return
    if "" in parameters:
        yield invalid("parameters", "", "field can not be empty.")
    if sum(len(text.encode(errors="replace")) for pair in parameters.items() for text in pair) > _PARAMETERS_SIZE:
        yield too_long("parameters", _PARAMETERS_SIZE)


def _requirement(each: Document, path: str) -> Iterator[FieldError]:
    values: list[str] = each["values"] or []
    if not values:
        yield required(f"{path}.values")
    for index, value in enumerate(values):
        if value in values[:index]:
            yield duplicate(f"{path}.values[{index}]", value)
    yield from check_key(each["key"], f"{path}.key")
