"""What requests can be told, as values; and what they become: words of the query, or a body. Pure."""

from collections.abc import Mapping, Sequence
from typing import Any, Literal, TypedDict, get_args

import msgspec

from kubewright.client.client import PATCHES
from kubewright.client.endpoint import EndpointError, document_bytes
from kubewright.client.keywords import check_keywords
from kubewright.model.documents import dump_json
from kubewright.model.resource import Resource
from kubewright.model.selectors import FieldSelector, FieldTerm, LabelSelector, SelectorError

__all__ = ["FieldValidation", "Fields", "Labels", "Patch", "Propagation", "Strategy", "Writing", "deletion"]
__all__ += ["patched", "read_fields", "read_labels", "selected", "written"]

#: Values, the text of a query, or labels that must be equal.
Labels = LabelSelector | Mapping[str, str] | str
Fields = FieldSelector | Mapping[str, str] | str
Propagation = Literal["Background", "Foreground", "Orphan"]
FieldValidation = Literal["Ignore", "Warn", "Strict"]
#: An object of the fields that change, typed or not, or a list of operations.
Patch = Resource | Mapping[str, Any] | Sequence[Mapping[str, Any]]
Strategy = Literal["json", "merge", "strategic"]


class Writing(TypedDict, total=False):
    """What any write can be told."""

    #: Do everything but keep it.
    dry_run: bool
    #: Who owns what is written; the Api's own `field_manager` by default.
    field_manager: str
    #: What becomes of fields that the server does not know; it warns by default.
    field_validation: FieldValidation


def written(writing: Writing, manager: str) -> dict[str, str | int | bool | None]:
    """The query of a write; `manager` is who owns it unless it says. What no write can be told is refused."""
    if writing:
        check_keywords(writing, Writing.__annotations__, "a write")
    return {
        "fieldManager": writing.get("field_manager") or manager,
        "dryRun": "All" if writing.get("dry_run") else None,
        "fieldValidation": writing.get("field_validation"),
    }


def read_labels(labels: Labels) -> LabelSelector:
    """The selector that is meant, however it is given."""
    if isinstance(labels, LabelSelector):
        return labels
    if isinstance(labels, str):
        return LabelSelector.parse(labels)
    if not isinstance(labels, Mapping):
        raise SelectorError(f'labels are a text, as in "app=web", or a dict of labels, not {labels!r:.60}.')
    _check_texts(labels, "label")
    return LabelSelector.from_json({"matchLabels": dict(labels)})


def read_fields(fields: Fields) -> FieldSelector:
    """The selector that is meant, however it is given."""
    if isinstance(fields, FieldSelector):
        return fields
    if isinstance(fields, str):
        return FieldSelector.parse(fields)
    if not isinstance(fields, Mapping):
        raise SelectorError(f'fields are a text, as in "metadata.name=web", or a dict of fields, not {fields!r:.60}.')
    _check_texts(fields, "field")
    return FieldSelector(tuple(FieldTerm(key, True, value) for key, value in fields.items()))


def _check_texts(given: Mapping[str, str], what: str) -> None:
    """What is no text would be compared as what Python shows of it."""
    for key, value in given.items():
        if not isinstance(key, str) or not isinstance(value, str):
            raise SelectorError(f"a {what} and its value are strings, not {key!r:.40} and {value!r:.40}.")


def selected(labels: Labels | None, fields: Fields | None) -> dict[str, str | None]:
    """The query of selectors."""
    query: dict[str, str | None] = {"labelSelector": None, "fieldSelector": None}
    if labels is not None:
        wanted = read_labels(labels)
        if wanted.nothing:
            raise EndpointError("this label selector selects nothing, which no query can say; do not ask.")
        query["labelSelector"] = str(wanted) or None
    if fields is not None:
        query["fieldSelector"] = str(read_fields(fields)) or None
    return query


def patched(patch: Patch, strategy: Strategy | None) -> tuple[bytes, bytes]:
    """The body of a patch, and its content type; of a typed object what is set in it, and nothing else."""
    if strategy is not None and strategy not in get_args(Strategy):
        raise EndpointError(f"a patch is of the strategy json, merge or strategic, not {strategy!r:.40}.")
    fields = isinstance(patch, Resource | Mapping)
    if not fields and (isinstance(patch, str | bytes) or not isinstance(patch, Sequence)):
        raise EndpointError(
            f"a patch is an object of fields or a list of operations, not something of the type {type(patch).__name__}."
        )
    if strategy is not None and fields is (strategy == "json"):
        wanted, given = ("a list of operations", "an object") if fields else ("an object of fields", "a list")
        raise EndpointError(f"a patch of the strategy {strategy} is {wanted}; this is {given}.")
    body = document_bytes(patch) if isinstance(patch, Resource) else dump_json(patch)
    return body, PATCHES[strategy or ("merge" if fields else "json")]


def deletion(
    uid: str | None,
    resource_version: str | None,
    propagation: Propagation | None,
    grace: int | None,
    dry_run: bool,
) -> bytes:
    """The DeleteOptions; nothing where nothing is said."""
    guards = {"uid": uid, "resourceVersion": resource_version}
    options: dict[str, Any] = {
        "preconditions": {key: value for key, value in guards.items() if value is not None} or None,
        "propagationPolicy": propagation,
        "gracePeriodSeconds": grace,
        "dryRun": ["All"] if dry_run else None,
    }
    said = {key: value for key, value in options.items() if value is not None}
    return msgspec.json.encode({"apiVersion": "v1", "kind": "DeleteOptions", **said}) if said else b""
