"""PodTemplates: a template by itself, which nothing uses."""

from collections.abc import Iterator
from typing import Any

from kubewright.cluster.registry.kinds.plain import PlainStrategy
from kubewright.cluster.registry.kinds.pod.template import check_template, default_template, template_warnings
from kubewright.cluster.registry.rules.pause import Pausing
from kubewright.schema.walk.errors import FieldError

__all__ = ["PodTemplateStrategy"]

Document = dict[str, Any]


class PodTemplateStrategy(Pausing, PlainStrategy):
    """What is particular to PodTemplates."""

    def default(self, obj: Document) -> None:
        default_template(obj["template"])

    def rules(self, obj: Document, old: Document | None) -> Iterator[FieldError]:
        yield from self.check_meta(obj) if old is None else self.check_meta_update(obj, old)
        yield from check_template(obj["template"], "template", old["template"] if old else None)

    def warnings(self, obj: Document, old: Document | None) -> list[str]:
        if old is not None and obj["metadata"]["generation"] == old["metadata"]["generation"]:
            return []
        return template_warnings(obj["template"], "template", old["template"] if old else None)
