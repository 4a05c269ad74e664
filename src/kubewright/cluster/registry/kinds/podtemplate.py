"""PodTemplates: a template by itself, which nothing uses."""

from typing import Any

from kubewright.cluster.registry.kinds.plain import PlainStrategy
from kubewright.cluster.registry.kinds.pod.template import check_template, default_template, template_warnings
from kubewright.schema.walk.errors import FieldError

__all__ = ["PodTemplateStrategy"]

Document = dict[str, Any]


class PodTemplateStrategy(PlainStrategy):
    """What is particular to PodTemplates."""

    def default(self, obj: Document) -> None:
        default_template(obj["template"])

    def check(self, obj: Document) -> list[FieldError]:
        return [*check_template(obj["template"], "template")]

    def validate_update(self, obj: Document, old: Document) -> list[FieldError]:
        return [*self.check_meta_update(obj, old), *check_template(obj["template"], "template", old["template"])]

    def warnings(self, obj: Document, old: Document | None) -> list[str]:
        if old is not None and obj["metadata"]["generation"] == old["metadata"]["generation"]:
            return []
        return template_warnings(obj["template"], "template", old["template"] if old else None)
