"""Reading objects for a table: what is deep inside, labels and selectors in one line, the names of containers."""

from datetime import datetime
from typing import Any

from kubewright.cluster.registry.age import age
from kubewright.cluster.registry.columns import Cells, Document, Printer, column

__all__ = ["at", "created", "format_labels", "format_selector", "is_true", "layout", "more", "selector_text", "table"]


def at(obj: Any, *path: str, default: Any = None) -> Any:
    """The value at a path of fields; the default if it, or something on the way, is missing or null."""
    for name in path:
        if not isinstance(obj, dict):
            return default
        obj = obj.get(name)
    return default if obj is None else obj


def created(obj: Document, now: datetime) -> str:
    """How old an object is."""
    return age(at(obj, "metadata", "creationTimestamp"), now)


def format_labels(labels: dict[str, str]) -> str:
    """Labels in one line."""
    return ",".join(f"{name}={labels[name]}" for name in sorted(labels)) or "<none>"


def format_selector(selector: Document | None) -> str:
    """A label selector in one line, in words if it selects nothing in particular."""
    return selector_text(selector) or "<none>"


def selector_text(selector: Document | None) -> str:
    """A label selector in one line."""
    if not selector:
        return ""
    parts = [(name, f"{name}={value}") for name, value in (selector.get("matchLabels") or {}).items()]
    for each in selector.get("matchExpressions") or ():
        name, values = each["key"], ",".join(sorted(each.get("values") or ()))
        words = {"In": f"{name} in ({values})", "NotIn": f"{name} notin ({values})", "Exists": name}
        parts.append((name, words.get(each["operator"], f"!{name}")))
    return ",".join(text for _, text in sorted(parts, key=lambda part: part[0]))


def layout(containers: list[Document] | None) -> list[str]:
    """The names of containers, and their images."""
    found = containers or []
    return [",".join(each.get("name", "") for each in found), ",".join(each.get("image", "") for each in found)]


def is_true(conditions: list[Document] | None, kind: str) -> bool:
    """Whether the condition of that type holds."""
    return next((each.get("status") == "True" for each in conditions or () if each.get("type") == kind), False)


def more(texts: list[str], limit: int, *, nothing: str = "<unset>", separator: str = ",") -> str:
    """The first few of some texts, and how many there are besides."""
    shown = separator.join(texts[:limit])
    if len(texts) > limit:
        return f"{shown} + {len(texts) - limit} more..."
    return shown or nothing


def table(columns: str, fill: Cells, *, own_name: bool = False) -> Printer:
    """Columns as in `Ready, Desired:integer, Age, +Node`: type and format behind colons, `+` for wide tables only.

    The name of the object comes first, unless `own_name` says that `columns` and `fill` see to it.
    """
    definitions = []
    for word in (columns if own_name else f"Name, {columns}").split(", "):
        name, kind, form = (*word.lstrip("+").split(":"), "", "")[:3]
        form = "name" if name == "Name" else form
        definitions.append(column(name, kind or "string", form, int(word.startswith("+")), f"{name} of the object."))
    if own_name:
        return Printer(tuple(definitions), fill)

    def named(obj: Document, now: datetime) -> list[Any]:
        return [at(obj, "metadata", "name", default=""), *fill(obj, now)]

    return Printer(tuple(definitions), named)
