"""`Resource`: a kind. Its class line says what a CRD says about the kind, its fields what the CRD's schema says.

    class WebServer(kw.Resource, group="web.example.com", version="v1", short_names=["ws"],
                    columns=[kw.Column("Ready", ".status.readyReplicas")]):
        spec: WebServerSpec
        status: WebServerStatus = kw.field(default_factory=WebServerStatus)

A Resource without a group is abstract: a place for fields that several kinds share. Several versions of a kind are
several classes of the same group and kind; the one with `storage=True` is the one that is stored.
"""

import re
from collections.abc import Iterable, Mapping
from typing import Any, ClassVar, Literal, dataclass_transform

import msgspec

from kubewright.model.fields import field
from kubewright.model.kind import GroupVersionKind
from kubewright.model.meta import ModelMeta
from kubewright.model.metadata import ObjectMeta
from kubewright.model.model import Model
from kubewright.model.naming import plural as plural_of
from kubewright.model.shape import DefinitionError

__all__ = ["Column", "Definition", "GroupVersionKind", "Resource", "Scale", "definition_of"]


class Column(msgspec.Struct, frozen=True):
    """A column of `kubectl get`. The type is taken from the field the path points at, unless it is given."""

    name: str
    json_path: str
    type: Literal["string", "integer", "number", "boolean", "date"] | None = None
    description: str = ""
    format: str = ""
    #: More than 0 shows the column only in `kubectl get -o wide`.
    priority: int = 0


class Scale(msgspec.Struct, frozen=True):
    """Where `kubectl scale` and autoscalers find the replica counts and the label selector."""

    spec_replicas: str
    status_replicas: str
    label_selector: str = ""


class Definition(msgspec.Struct, frozen=True, kw_only=True):
    """What the class line of a Resource says; every option with its default."""

    group: str
    version: str
    kind: str
    plural: str
    singular: str
    list_kind: str
    scope: Literal["Namespaced", "Cluster"] = "Namespaced"
    short_names: tuple[str, ...] = ()
    categories: tuple[str, ...] = ()
    columns: tuple[Column, ...] = ()
    scale: Scale | None = None
    #: Whether `status` is written through its own subresource; only asked when the class has a `status`.
    status_subresource: bool = True
    #: Whether objects are stored in this version. None: if it is the only one.
    storage: bool | None = None
    served: bool = True
    #: True, or the warning clients are shown.
    deprecated: bool | str = False
    #: JSON paths that field selectors may use.
    selectable_fields: tuple[str, ...] = ()
    #: Labels and annotations of the CRD itself.
    labels: Mapping[str, str] = {}
    annotations: Mapping[str, str] = {}

    @property
    def gvk(self) -> GroupVersionKind:
        """Group, version and kind."""
        return GroupVersionKind(self.group, self.version, self.kind)

    @property
    def crd_name(self) -> str:
        """The name of the CRD."""
        return f"{self.plural}.{self.group}"


_DNS_LABEL = re.compile(r"[a-z]([-a-z0-9]{0,61}[a-z0-9])?")
_DNS_NAME = re.compile(r"[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)+")
_KIND = re.compile(r"[A-Z][A-Za-z0-9]{0,62}")


@dataclass_transform(kw_only_default=True, field_specifiers=(field,))
class ResourceMeta(ModelMeta):
    """Reads the class line of a Resource."""

    def __new__(
        meta,
        name: str,
        bases: tuple[type, ...],
        namespace: dict[str, Any],
        *,
        group: str | None = None,
        version: str | None = None,
        kind: str | None = None,
        plural: str | None = None,
        singular: str | None = None,
        list_kind: str | None = None,
        scope: Literal["Namespaced", "Cluster"] = "Namespaced",
        short_names: Iterable[str] = (),
        categories: Iterable[str] = (),
        columns: Iterable[Column] = (),
        scale: Scale | None = None,
        status_subresource: bool = True,
        storage: bool | None = None,
        served: bool = True,
        deprecated: bool | str = False,
        selectable_fields: Iterable[str] = (),
        labels: Mapping[str, str] | None = None,
        annotations: Mapping[str, str] | None = None,
        **rest: Any,
    ) -> Any:
        if (group is None) != (version is None):
            raise DefinitionError(
                f'{name}: a kind has both a group and a version, as in group="web.example.com", version="v1".'
            )
        if group is not None and version is not None:
            kind = kind or name
            definition = Definition(
                group=group,
                version=version,
                kind=kind,
                plural=plural or plural_of(kind),
                singular=singular or kind.lower(),
                list_kind=list_kind or f"{kind}List",
                scope=scope,
                short_names=_strings(name, "short_names", short_names),
                categories=_strings(name, "categories", categories),
                columns=tuple(columns),
                scale=scale,
                status_subresource=status_subresource,
                storage=storage,
                served=served,
                deprecated=deprecated,
                selectable_fields=_strings(name, "selectable_fields", selectable_fields),
                labels=dict(labels or {}),
                annotations=dict(annotations or {}),
            )
            if not namespace["__module__"].startswith("kubewright.k8s."):
                _check(name, definition)
            namespace["__definition__"] = definition
            namespace["__kw_constants__"] = {"apiVersion": definition.gvk.api_version, "kind": kind}
        cls = super().__new__(meta, name, bases, namespace, **rest)
        if constants := namespace.get("__kw_constants__"):
            cls.api_version, cls.kind = constants["apiVersion"], constants["kind"]
        return cls

    def __init__(cls, name: str, bases: tuple[type, ...], namespace: dict[str, Any], **_: Any) -> None:
        super().__init__(name, bases, namespace)


class Resource(Model, metaclass=ResourceMeta):
    """A kind of Kubernetes object; derive from it."""

    __kw_always__ = frozenset({"metadata", "spec", "status"})

    api_version: ClassVar[str]
    kind: ClassVar[str]

    metadata: ObjectMeta = field(default_factory=ObjectMeta)


def definition_of(resource: type[Resource]) -> Definition:
    """What the class line of a Resource says."""
    found = getattr(resource, "__definition__", None)
    if not isinstance(found, Definition):
        raise DefinitionError(
            f"{resource.__name__} is not a kind: its class line has no group and version, as in "
            f'class {resource.__name__}(kw.Resource, group="web.example.com", version="v1").'
        )
    return found


def _strings(name: str, option: str, given: Iterable[str]) -> tuple[str, ...]:
    if isinstance(given, str):
        raise DefinitionError(f'{name}: {option} is a list, as in {option}=["{given}"].')
    return tuple(given)


def _check(name: str, definition: Definition) -> None:
    """What the server would refuse, or what nobody can mean."""
    if not _DNS_NAME.fullmatch(definition.group):
        raise DefinitionError(
            f'{name}: group="{definition.group}" is no DNS name with a dot; use a domain of yours: "web.example.com".'
        )
    protected = definition.group.endswith((".k8s.io", ".kubernetes.io"))
    if protected and "api-approved.kubernetes.io" not in definition.annotations:
        raise DefinitionError(
            f'{name}: the group "{definition.group}" is one of Kubernetes\' own, which a server takes only with the '
            "annotation api-approved.kubernetes.io; use a domain of yours."
        )
    for option in ("labels", "annotations"):
        for key, value in getattr(definition, option).items():
            if not isinstance(key, str) or not isinstance(value, str):
                raise DefinitionError(f"{name}: {option} are strings, {key!r}: {value!r} are not both.")
    for option in ("version", "plural", "singular"):
        value = getattr(definition, option)
        if not _DNS_LABEL.fullmatch(value):
            raise DefinitionError(
                f'{name}: {option}="{value}" must be lower-case letters, digits and dashes, 63 at most.'
            )
    for option in ("kind", "list_kind"):
        value = getattr(definition, option)
        if not _KIND.fullmatch(value):
            raise DefinitionError(f'{name}: {option}="{value}" must be CamelCase letters and digits, 63 at most.')
    for short in (*definition.short_names, *definition.categories):
        if not _DNS_LABEL.fullmatch(short):
            raise DefinitionError(
                f'{name}: the short name or category "{short}" must be lower-case letters and digits.'
            )
    if definition.scope not in ("Namespaced", "Cluster"):
        raise DefinitionError(f'{name}: scope="{definition.scope}" must be "Namespaced" or "Cluster".')
