"""What a client may say beside the object: the options of each verb, read off the query.

The rules of reading are the server's: a parameter that is there means true unless it says `false` or `0`, the first of
several values counts, what the verb does not know is ignored. What cannot be read is a 400, what makes no sense a 422.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final, TypeVar

from kubewright.cluster.wire.status import Failure, Target, bad_request, invalid
from kubewright.model.selectors import FieldSelector, LabelSelector, SelectorError
from kubewright.schema.expression import expression
from kubewright.schema.walk.errors import FieldError, forbidden, not_supported, required, too_long
from kubewright.schema.walk.errors import invalid as invalid_field
from kubewright.schema.walk.golang import quote

__all__ = [
    "DeleteOptions",
    "ListOptions",
    "Query",
    "WriteOptions",
    "flag",
    "integer",
    "read_delete_options",
    "read_list_options",
    "read_write_options",
]

Query = Mapping[str, Sequence[str]]
Parsed = TypeVar("Parsed")

_INT64 = expression(r"[+-]?[0-9]+")
_MANAGER_LIMIT = 128


@dataclass(frozen=True, slots=True)
class WriteOptions:
    """Of create, update and patch."""

    dry_run: bool = False
    field_manager: str = ""
    #: Ignore, Warn or Strict.
    field_validation: str = "Warn"
    force: bool | None = None


@dataclass(frozen=True, slots=True)
class DeleteOptions:
    """Of delete and deletecollection. `None`: the client does not say."""

    grace: int | None = None
    uid: str | None = None
    resource_version: str | None = None
    propagation: str | None = None
    orphan: bool | None = None
    dry_run: bool = False


@dataclass(frozen=True, slots=True)
class ListOptions:
    """Of list, watch and deletecollection."""

    labels: LabelSelector
    fields: FieldSelector
    watch: bool = False
    bookmarks: bool = False
    resource_version: str = ""
    match: str = ""
    timeout: int | None = None
    limit: int = 0
    token: str = ""
    initial_events: bool | None = None

    @property
    def everything(self) -> bool:
        """Whether nothing is selected away."""
        return self.labels.empty and self.fields.empty


#: Of whoever says nothing.
_USUAL: Final = WriteOptions()


def read_write_options(verb: str, query: Query, *, applying: bool = False) -> WriteOptions:
    """The options of create, update or patch."""
    if not query and not applying:
        return _USUAL
    manager, validation = _text(query, "fieldManager"), _text(query, "fieldValidation")
    dry_run = query.get("dryRun", ())
    force = flag(query, "force") if verb == "patch" else None
    errors: list[FieldError] = []
    if applying and not manager:
        errors.append(required("fieldManager", "is required for apply patch"))
    if not applying and force is not None:
        errors.append(forbidden("force", "may not be specified for non-apply patch"))
    errors += [*_manager(manager), *_dry_run(dry_run)]
    if validation not in ("", "Ignore", "Warn", "Strict"):
        errors.append(not_supported("fieldValidation", validation, ["", "Ignore", "Strict", "Warn"]))
    if errors:
        raise _refused(f"{verb.capitalize()}Options", errors)
    return WriteOptions(bool(dry_run), manager, validation or "Warn", force)


def read_delete_options(query: Query, body: Mapping[str, Any] | None) -> DeleteOptions:
    """The options of a deletion: of its body if there is one, or else of the query."""
    if body is None:
        options = DeleteOptions(
            grace=integer(query, "gracePeriodSeconds"),
            uid=_text(query, "uid") or None,
            resource_version=_text(query, "resourceVersion") or None,
            propagation=_text(query, "propagationPolicy") if query.get("propagationPolicy") else None,
            orphan=flag(query, "orphanDependents"),
        )
        dry_run: Sequence[str] = query.get("dryRun", ())
    else:
        conditions = body.get("preconditions") or {}
        options = DeleteOptions(
            grace=body.get("gracePeriodSeconds"),
            uid=conditions.get("uid"),
            resource_version=conditions.get("resourceVersion"),
            propagation=body.get("propagationPolicy"),
            orphan=body.get("orphanDependents"),
        )
        dry_run = body.get("dryRun") or ()
    errors: list[FieldError] = []
    if options.orphan is not None and options.propagation is not None:
        why = "orphanDependents and deletionPropagation cannot be both set"
        errors.append(invalid_field("propagationPolicy", options.propagation, why))
    policies = ["Foreground", "Background", "Orphan"]
    if options.propagation is not None and options.propagation not in policies:
        errors.append(not_supported("propagationPolicy", options.propagation, [*policies, "nil"]))
    errors += _dry_run(dry_run)
    if errors:
        raise _refused("DeleteOptions", errors)
    return replace(options, dry_run=bool(dry_run))


def read_list_options(query: Query, *, watching: bool = False) -> ListOptions:
    """The options of list, watch and deletecollection; `watching`: the path says so."""
    options = ListOptions(
        labels=_selector(query, "labelSelector", LabelSelector.parse),
        fields=_selector(query, "fieldSelector", FieldSelector.parse),
        watch=watching or bool(flag(query, "watch")),
        bookmarks=bool(flag(query, "allowWatchBookmarks")),
        resource_version=_text(query, "resourceVersion"),
        match=_text(query, "resourceVersionMatch"),
        timeout=integer(query, "timeoutSeconds"),
        limit=integer(query, "limit") or 0,
        token=_text(query, "continue"),
        initial_events=flag(query, "sendInitialEvents"),
    )
    if options.watch and options.initial_events is None and not options.match and options.resource_version in ("", "0"):
        options = replace(options, initial_events=True, match="NotOlderThan")
    if errors := _watch_errors(options) if options.watch else _list_errors(options):
        raise _refused("ListOptions", errors)
    return options


def _list_errors(options: ListOptions) -> list[FieldError]:
    errors = []
    place = "resourceVersionMatch"
    if match := options.match:
        if not options.resource_version:
            errors.append(forbidden(place, f"{place} is forbidden unless resourceVersion is provided"))
        if options.token:
            errors.append(forbidden(place, f"{place} is forbidden when continue is provided"))
        if match not in ("Exact", "NotOlderThan"):
            errors.append(not_supported(place, match, ["Exact", "NotOlderThan", ""]))
        if match == "Exact" and options.resource_version == "0":
            errors.append(forbidden(place, f'{place} "exact" is forbidden for resourceVersion "0"'))
    if options.initial_events is not None:
        errors.append(forbidden("sendInitialEvents", "sendInitialEvents is forbidden for list"))
    return errors


def _watch_errors(options: ListOptions) -> list[FieldError]:
    errors = []
    place = "resourceVersionMatch"
    if options.initial_events is not None and options.match != "NotOlderThan":
        errors.append(forbidden(place, f"sendInitialEvents requires setting {place} to NotOlderThan"))
    if options.match:
        if options.initial_events is None:
            errors.append(forbidden(place, f"{place} is forbidden for watch unless sendInitialEvents is provided"))
        if options.match != "NotOlderThan":
            errors.append(not_supported(place, options.match, ["NotOlderThan"]))
        if options.token:
            errors.append(forbidden(place, f"{place} is forbidden when continue is provided"))
    return errors


def _refused(kind: str, errors: list[FieldError]) -> Failure:
    return invalid(Target("meta.k8s.io", "", kind), errors)


def _text(query: Query, name: str) -> str:
    values = query.get(name)
    return values[0] if values else ""


def flag(query: Query, name: str) -> bool | None:
    """Whether a parameter is true; None if it is not there."""
    values = query.get(name)
    return values[0] != "0" and values[0].lower() != "false" if values else None


def integer(query: Query, name: str) -> int | None:
    """The number that a parameter says; None if it is not there."""
    values = query.get(name)
    if not values:
        return None
    text = values[0]
    if _INT64.fullmatch(text) is None:
        raise bad_request(f"strconv.ParseInt: parsing {quote(text)}: invalid syntax")
    number = int(text) if len(text) < 21 else 1 << 63
    if not -(1 << 63) <= number < 1 << 63:
        raise bad_request(f"strconv.ParseInt: parsing {quote(text)}: value out of range")
    return number


def _selector(query: Query, name: str, parse: Callable[[str], Parsed]) -> Parsed:
    try:
        return parse(_text(query, name))
    except SelectorError as error:
        raise bad_request(str(error)) from None


def _dry_run(values: Sequence[str]) -> list[FieldError]:
    return [] if all(value == "All" for value in values) else [not_supported("dryRun", list(values), ["All"])]


def _manager(name: str) -> list[FieldError]:
    errors = [too_long("fieldManager", _MANAGER_LIMIT)] if len(name.encode()) > _MANAGER_LIMIT else []
    position = 0
    for char in name:
        if not char.isprintable():
            errors.append(
                invalid_field("fieldManager", name, f"invalid character U+{ord(char):04X} (at position {position})")
            )
        position += len(char.encode())
    return errors
