"""Which objects of a collection are meant: namespace, label selector, field selector.

Names and namespaces are read off the key, labels off the value's bytes without decoding the rest, and kept with the
record, for the same record is asked about by every watcher. Other fields take the whole object.
"""

import msgspec

from kubewright.cluster.registry.memo import memo
from kubewright.cluster.registry.resource import Resource
from kubewright.cluster.store import Record
from kubewright.cluster.verbs.options import ListOptions
from kubewright.cluster.wire.status import bad_request

__all__ = ["Selection"]


class _Meta(msgspec.Struct):
    labels: dict[str, str] | None = None


class _Head(msgspec.Struct):
    metadata: _Meta


_head = msgspec.json.Decoder(_Head).decode
_NO_LABELS: dict[str, str] = {}
_NAME, _NAMESPACE = "metadata.name", "metadata.namespace"


class Selection:
    """The objects of a resource, of one namespace or all, that a list or watch is about."""

    def __init__(self, resource: Resource, namespace: str, name: str, options: ListOptions) -> None:
        self.resource = resource
        self._labels, self._fields = options.labels, options.fields
        for term in self._fields.terms:
            _check(resource, term.field)
        #: The one name that can match, if there is but one.
        self.name = self._fields.exact(_NAME) or ""
        if name:
            # A watch of one object says its name in the path; a field selector may only say it again.
            if not self._fields.empty and self.name != name:
                raise bad_request("fieldSelector metadata.name doesn't match requested name")
            self.name = name
        if resource.namespaced and not namespace:
            namespace = self._fields.exact(_NAMESPACE) or ""
        #: Everything selected lies under this key.
        self.prefix = resource.key(namespace, self.name if namespace or not resource.namespaced else "")
        #: Whether all that lies there is selected.
        self.everything = options.everything and not name
        self._others = [term for term in self._fields.terms if term.field not in (_NAME, _NAMESPACE)]

    @property
    def looks_inside(self) -> bool:
        """Whether objects must be seen to know whether they are selected."""
        return bool(self._others)

    def matches(self, record: Record) -> bool:
        """Whether the object of a record is selected."""
        if self.everything:
            return True
        *_, namespace, name = record.key.split("/")
        if self.name and name != self.name:
            return False
        if not self._labels.empty and not self._labels.matches(_labels(record)):
            return False
        if self._fields.empty:
            return True
        fields = {_NAME: name, _NAMESPACE: namespace if self.resource.namespaced else ""}
        if self._others:
            document = self.resource.view.document(record)
            fields |= {label: read(document) for label, read in self.resource.fields.items()}
        return self._fields.matches(fields)


def _labels(record: Record) -> dict[str, str]:
    known = memo(record)
    if known.labels is None:
        assert record.value is not None
        known.labels = _head(record.value).metadata.labels or _NO_LABELS
    return known.labels


def _check(resource: Resource, label: str) -> None:
    if label in (_NAME, _NAMESPACE) or label in resource.fields:
        return
    if resource.custom or resource.fields:
        raise bad_request(f"field label not supported: {label}")
    raise bad_request(f'"{label}" is not a known field selector: only "metadata.name", "metadata.namespace"')
