"""A CRD's spec in the form in which the server judges it.

Inside, the server has one schema, one set of subresources, of columns and of selectable fields for all versions where
they are equal, and one for each version where they are not. A CRD with one version always has the former, so that its
schema is told of as `spec.validation`, though nobody wrote that.
"""

from dataclasses import dataclass
from typing import Any, Final

from kubewright.schema.raw import in_go
from kubewright.schema.walk.golang import marshal

__all__ = ["Form", "Settings", "versions_in_go"]

Document = dict[str, Any]

_LISTS: Final = ("additionalPrinterColumns", "selectableFields")
_SHARED: Final = ("schema", "subresources", *_LISTS)


@dataclass(frozen=True, slots=True)
class Settings:
    """What is said of one version, or of all of them together."""

    schema: Document | None
    subresources: Document | None
    columns: list[Document]
    selectable: list[Document]

    @property
    def openapi(self) -> Document | None:
        """The schema itself."""
        return self.schema.get("openAPIV3Schema") if self.schema is not None else None

    @property
    def has_status(self) -> bool:
        """Whether the status has a path of its own."""
        return self.subresources is not None and self.subresources.get("status") is not None


class Form:
    """A spec, taken apart."""

    def __init__(self, spec: Document) -> None:
        self.spec = spec
        self.versions: list[Document] = spec.get("versions") or []
        self._shared = {name for name in _SHARED if self.versions and self._equal(name)}
        first = self.versions[0] if self.versions else {}
        #: What is said of all versions.
        self.common = _settings({name: first.get(name) for name in self._shared})
        #: What is said of each besides.
        self.own = [
            _settings({name: each.get(name) for name in _SHARED if name not in self._shared}) for each in self.versions
        ]

    def _equal(self, name: str) -> bool:
        values = [each.get(name) for each in self.versions]
        if name in _LISTS:
            values = [value or None for value in values]
        return all(value == values[0] for value in values)

    def status_of(self, index: int) -> bool:
        """Whether a version has a status with a path of its own."""
        if not any(own.subresources is not None for own in self.own):
            return self.common.has_status
        name = self.versions[index].get("name")
        # The server asks by name, and takes the first.
        return next(own.has_status for own, each in zip(self.own, self.versions, strict=True) if each["name"] == name)

    @property
    def any_status(self) -> bool:
        """Whether any version has one."""
        return self.common.has_status or any(own.has_status for own in self.own)


def _settings(version: Document) -> Settings:
    return Settings(
        version.get("schema"),
        version.get("subresources"),
        version.get("additionalPrinterColumns") or [],
        version.get("selectableFields") or [],
    )


def versions_in_go(form: Form) -> str:
    """The versions as the server prints its own form of them: every field, set or not."""
    if form.spec.get("versions") is None:
        return "null"
    return f"[{','.join(_version(each, own) for each, own in zip(form.versions, form.own, strict=True))}]"


def _version(version: Document, own: Settings) -> str:
    schema = "null"
    if own.schema is not None:
        schema = f'{{"OpenAPIV3Schema":{in_go(own.openapi) if own.openapi is not None else "null"}}}'
    fields = {
        "Name": marshal(version.get("name", "")),
        "Served": marshal(bool(version.get("served"))),
        "Storage": marshal(bool(version.get("storage"))),
        "Deprecated": marshal(bool(version.get("deprecated"))),
        "DeprecationWarning": marshal(version.get("deprecationWarning")),
        "Schema": schema,
        "Subresources": _subresources(own.subresources),
        "AdditionalPrinterColumns": _list([_column(each) for each in own.columns]),
        "SelectableFields": _list([f'{{"JSONPath":{marshal(each.get("jsonPath", ""))}}}' for each in own.selectable]),
    }
    return _object(fields)


def _object(fields: dict[str, str]) -> str:
    return "{" + ",".join(f'"{name}":{value}' for name, value in fields.items()) + "}"


def _list(items: list[str]) -> str:
    return f"[{','.join(items)}]" if items else "null"


def _subresources(subresources: Document | None) -> str:
    if subresources is None:
        return "null"
    scale = subresources.get("scale")
    shown = "null"
    if scale is not None:
        shown = _object(
            {
                "SpecReplicasPath": marshal(scale.get("specReplicasPath", "")),
                "StatusReplicasPath": marshal(scale.get("statusReplicasPath", "")),
                "LabelSelectorPath": marshal(scale.get("labelSelectorPath")),
            }
        )
    return _object({"Status": "null" if subresources.get("status") is None else "{}", "Scale": shown})


def _column(column: Document) -> str:
    texts = {name.title(): marshal(column.get(name, "")) for name in ("name", "type", "format", "description")}
    priority, path = marshal(column.get("priority", 0)), marshal(column.get("jsonPath", ""))
    return _object({**texts, "Priority": priority, "JSONPath": path})
