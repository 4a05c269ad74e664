"""ControllerRevisions: what a controller keeps of the past. What is kept never changes."""

from collections.abc import Iterator
from typing import Any

from kubewright.cluster.registry.kinds.plain import PlainStrategy
from kubewright.cluster.registry.rules.numbers import check_not_negative
from kubewright.schema.walk.errors import INVALID, FieldError, required
from kubewright.schema.walk.golang import marshal

__all__ = ["ControllerRevisionStrategy"]

Document = dict[str, Any]


class ControllerRevisionStrategy(PlainStrategy):
    """What is particular to ControllerRevisions."""

    def check(self, obj: Document) -> list[FieldError]:
        return [*check_not_negative(obj["revision"], "revision"), *_check_data(obj.get("data"))]

    def validate_update(self, obj: Document, old: Document) -> list[FieldError]:
        errors = [
            *self.check_meta_update(obj, old),
            *self.check_meta(obj),
            *check_not_negative(obj["revision"], "revision"),
        ]
        # It is kept as it was written: another order is another text.
        data, before = (marshal(each.get("data"), sort=False) for each in (obj, old))
        if data != before:
            errors.append(FieldError(INVALID, "data", f"Invalid value: {data}: field is immutable"))
        return errors


def _check_data(data: object) -> Iterator[FieldError]:
    if data is None:
        yield required("data", "data is mandatory")
    elif not isinstance(data, dict):
        yield required("data", "data must be a valid JSON object")
