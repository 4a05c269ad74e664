"""`metadata.managedFields`, read and written.

Who a manager is depends on what it does: one that applies is the same in every version, one that updates is another in
each; and each is another at a subresource. Entries are written in the order of operation, time and name.
"""

from collections.abc import Generator, Sequence
from typing import Any, NamedTuple

from kubewright.cluster.fields.element import BadElement
from kubewright.cluster.fields.ownership import Owned
from kubewright.cluster.fields.pathset import PathSet, ordered, read_set, read_set_in_steps
from kubewright.schema.walk.golang import marshal, quote

__all__ = [
    "APPLY",
    "UPDATE",
    "BadEntries",
    "Managed",
    "Manager",
    "is_reset",
    "read_entries",
    "read_entries_in_steps",
    "write_entries",
]

Entry = dict[str, Any]

APPLY, UPDATE = "Apply", "Update"


class BadEntries(Exception):
    """What stands in `managedFields` cannot be read; the text is the server's."""


class Manager(NamedTuple):
    """Who wrote. `version` is empty for one that applies."""

    name: str
    operation: str
    version: str
    subresource: str

    @property
    def identity(self) -> str:
        """The text by which the server knows and sorts managers."""
        told = {"manager": self.name, "operation": self.operation, "apiVersion": self.version}
        told["subresource"] = self.subresource
        return marshal({name: text for name, text in told.items() if text}, sort=False)

    def __str__(self) -> str:
        text = quote(self.name)
        if self.subresource:
            text += f" with subresource {quote(self.subresource)}"
        return f"{text} using {self.version}" if self.operation == UPDATE else text


class Managed(NamedTuple):
    """Who owns what, and since when; a manager without a time has none."""

    owned: dict[Manager, Owned]
    times: dict[Manager, str]
    #: The entries that were read, for those that are written as they were.
    read: dict[Manager, Entry]


def is_reset(entries: object) -> bool:
    """Whether a client asks for all to be forgotten: by an empty list, or one with an empty entry."""
    return isinstance(entries, list) and (not entries or (len(entries) == 1 and not entries[0]))


def read_entries(entries: Sequence[Entry], *, trusted: bool, sets: Sequence[PathSet] | None = None) -> Managed:
    """Who owns what; `BadEntries` if that cannot be told. `trusted` entries were written here.

    `sets` are those of the entries, where they have been read before.
    """
    managed = Managed({}, {}, {})
    for index, entry in enumerate(entries):
        if not trusted:
            _check(entry, index)
        operation, version = entry["operation"], entry["apiVersion"]
        applied = operation == APPLY
        manager = Manager(entry.get("manager", ""), operation, "" if applied else version, entry.get("subresource", ""))
        fields = entry.get("fieldsV1")
        if not trusted:
            try:
                fields = read_set(fields) if sets is None else sets[index]
            except (BadElement, RecursionError) as error:
                raise BadEntries(f"error decoding set: {error}") from None
        managed.owned[manager] = Owned(fields or {}, version, applied)
        if trusted:
            managed.read[manager] = entry
        if time := entry.get("time"):
            managed.times[manager] = time
    return managed


def read_entries_in_steps(entries: Sequence[Entry]) -> Generator[None, None, Managed]:
    """The same of large entries that were not written here."""
    sets: list[PathSet] = []
    for entry in entries:
        try:
            found = yield from read_set_in_steps(entry.get("fieldsV1"))
        except (BadElement, RecursionError) as error:
            raise BadEntries(f"error decoding set: {error}") from None
        sets.append(found)
    return read_entries(entries, trusted=False, sets=sets)


def _check(entry: Entry, index: int) -> None:
    if entry.get("operation") not in (APPLY, UPDATE):
        raise BadEntries("operation must be `Apply` or `Update`")
    if not entry.get("apiVersion"):
        raise BadEntries("apiVersion must not be empty")
    kind = entry.get("fieldsType")
    if not kind:
        raise BadEntries(f"missing fieldsType in managed fields entry {index}")
    if kind != "FieldsV1":
        raise BadEntries(f"invalid fieldsType {quote(kind)} in managed fields entry {index}")


def write_entries(managed: Managed, *, sort: bool) -> list[Entry]:
    """The entries. `sort` puts the elements of sets in order, where whoever writes the object does not."""
    made = []
    for manager, (fields, version, _) in managed.owned.items():
        time, earlier = managed.times.get(manager), managed.read.get(manager)
        if (
            earlier is not None
            and earlier.get("time") == time
            and earlier["apiVersion"] == version
            and earlier.get("fieldsV1") == fields
        ):
            made.append(earlier)
            continue
        entry: Entry = {"manager": manager.name} if manager.name else {}
        entry |= {"operation": manager.operation, "apiVersion": version}
        if time is not None:
            entry["time"] = time
        entry |= {"fieldsType": "FieldsV1", "fieldsV1": ordered(fields) if sort else fields}
        if manager.subresource:
            entry["subresource"] = manager.subresource
        made.append(entry)
    if len(made) > 1:
        made.sort(key=_rank)
    return made


def _rank(entry: Entry) -> tuple[str, ...]:
    return (
        entry["operation"],
        entry.get("time", ""),
        entry.get("manager", ""),
        entry["apiVersion"],
        entry.get("subresource", ""),
    )
