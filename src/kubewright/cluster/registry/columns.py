"""What a kind shows of its objects in a table: the columns of `kubectl get`.

    DEFAULT: Columns                          # Name and Created At: kinds nobody wrote columns for
    custom_columns(columns) -> Columns        # a CRD's additionalPrinterColumns; without any, Name and Age
    SCALE: Columns                            # the scale of a custom resource
    builtin_columns(group, kind) -> Columns   # those of a built-in kind

A Table is made anew whenever it is asked for, because ages change; `now` is one moment for all rows of an answer.
Names, types, formats and priorities are the server's own. Descriptions of the columns are not: those are texts of
Kubernetes' documentation.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import cached_property
from typing import Any, Final

from kubewright.cluster.registry.age import age
from kubewright.cluster.wire.form import Columns
from kubewright.cluster.wire.jsonpath import PathError, compile_path
from kubewright.schema.walk.golang import as_float, marshal, sprint, to_int64

__all__ = ["DEFAULT", "SCALE", "Cells", "Columns", "Document", "Printer", "builtin_columns", "column", "custom_columns"]

Document = dict[str, Any]
Cells = Callable[[Document, datetime], list[Any]]


def column(name: str, type: str = "string", format: str = "", priority: int = 0, description: str = "") -> Document:  # noqa: A002 - the names of the wire
    """The definition of a column. A priority above 0 shows it in wide tables only."""
    return {"name": name, "type": type, "format": format, "description": description, "priority": priority}


_NAME: Final = column("Name", format="name", description="The name of the object.")


@dataclass(frozen=True, slots=True)
class Printer:
    """Columns, and a function that fills them."""

    definitions: Sequence[Document]
    fill: Cells
    null_when_empty: bool = False
    of_row: Callable[[Document], list[Document]] | None = None

    def cells(self, obj: Document, now: datetime) -> list[Any]:
        """One row."""
        return self.fill(obj, now)

    def conditions(self, obj: Document) -> list[Document]:
        """What is to be told of a row besides its cells."""
        return self.of_row(obj) if self.of_row is not None else []


def _default(obj: Document, now: datetime) -> list[Any]:
    meta = obj["metadata"]
    return [meta.get("name", ""), meta.get("creationTimestamp") or "0001-01-01T00:00:00Z"]


DEFAULT: Final[Columns] = Printer(
    (_NAME, column("Created At", "date", description="When the object was created.")), _default, null_when_empty=True
)


# -- custom resources


def custom_columns(columns: Iterable[Document]) -> Columns:
    """The columns that a CRD gives one of its versions. From one on whose path cannot be read they are left out."""
    given = list(columns) or [
        {
            "name": "Age",
            "type": "date",
            "jsonPath": ".metadata.creationTimestamp",
            "description": "When the object was created.",
        }
    ]
    definitions, readers = [_NAME], []
    for each in given:
        path: str = each["jsonPath"]
        try:
            reader = _reader(each["type"], path)
        except PathError:
            break
        description = each.get("description") or f"Custom resource definition column (in JSONPath format): {path}"
        definitions.append(
            column(each["name"], each["type"], each.get("format", ""), each.get("priority", 0), description)
        )
        readers.append(reader)

    def fill(obj: Document, now: datetime) -> list[Any]:
        return [obj["metadata"].get("name", ""), *[reader(obj, now) for reader in readers]]

    return Printer(tuple(definitions), fill)


def _reader(kind: str, path: str) -> Callable[[Document, datetime], Any]:
    find = compile_path(path)
    if kind == "date":
        return lambda obj, now: _since(find(obj), now)
    show = _SHOWN[kind]

    def read(obj: Document, now: datetime) -> Any:
        found = find(obj)
        return show(found[0]) if found else None

    return read


def _since(found: list[Any], now: datetime) -> str | None:
    return age(found[0], now) if found and isinstance(found[0], str) else None


def _string(value: Any) -> str:
    if value is None:
        return "<no value>"
    return marshal(value) if isinstance(value, (dict, list)) else sprint(value)


def _integer(value: Any) -> int | None:
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        return None
    return value if isinstance(value, int) else to_int64(value)


def _number(value: Any) -> int | float | None:
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        return None
    # A float without a fraction is written as an integer.
    inexact = as_float(value)
    return int(inexact) if inexact.is_integer() and abs(inexact) < 1e21 else inexact


def _boolean(value: Any) -> bool | None:
    return value if isinstance(value, bool) else None


_SHOWN: Final[dict[str, Callable[[Any], Any]]] = {
    "boolean": _boolean,
    "integer": _integer,
    "number": _number,
    "string": _string,
}

SCALE: Final[Columns] = custom_columns(
    [
        {"name": name, "type": type_, "jsonPath": path, "description": description}
        for name, type_, path, description in (
            ("Desired", "integer", ".spec.replicas", "How many replicas are wanted."),
            ("Available", "integer", ".status.replicas", "How many replicas there are."),
            ("Age", "date", ".metadata.creationTimestamp", "When the object was created."),
        )
    ]
)


# -- built-in kinds


class _Builtin:
    """The columns of a built-in kind, looked for when they are needed: a server that starts needs none."""

    def __init__(self, group: str, kind: str) -> None:
        self._group = group
        self._kind = kind

    @cached_property
    def _found(self) -> Columns:
        from kubewright.cluster.registry.printers import find_printer

        return find_printer(self._group, self._kind) or DEFAULT

    @property
    def definitions(self) -> Sequence[Document]:
        return self._found.definitions

    @property
    def null_when_empty(self) -> bool:
        return self._found.null_when_empty

    def cells(self, obj: Document, now: datetime) -> list[Any]:
        return self._found.cells(obj, now)

    def conditions(self, obj: Document) -> list[Document]:
        return self._found.conditions(obj)


def builtin_columns(group: str, kind: str) -> Columns:
    """The columns of a built-in kind, the default ones if it has none of its own."""
    return _Builtin(group, kind)
