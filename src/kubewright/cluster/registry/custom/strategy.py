"""How custom resources are prepared and judged when they are written.

The order is that of the server: what the object says it is, its metadata, its schema, its scale; then rules, if
nothing that was found keeps them from being run.
"""

from collections.abc import Generator, Sequence
from typing import Any, Final

from kubewright.cluster.registry.custom.codec import CustomCodec
from kubewright.cluster.registry.custom.definition import Definition
from kubewright.cluster.registry.custom.scale import PathScale
from kubewright.cluster.registry.strategy import STANDARD_FINALIZERS, Strategy
from kubewright.model.ordered import same_in_steps
from kubewright.model.steps import finish
from kubewright.schema.walk.errors import (
    NOT_SUPPORTED,
    REQUIRED,
    TOO_LONG,
    TOO_MANY,
    TYPE_INVALID,
    FieldError,
    invalid,
)
from kubewright.schema.walk.golang import quote
from kubewright.schema.walk.names import label_key

__all__ = ["CustomStatus", "CustomStrategy"]

Document = dict[str, Any]

#: Findings after which rules are not run: the values they would look at may not be there, or be of another type.
_BLOCKING: Final = frozenset({NOT_SUPPORTED, REQUIRED, TOO_LONG, TOO_MANY, TYPE_INVALID})
_UNCHECKED: Final = (
    "some validation rules were not checked because the object was invalid; correct the existing errors to complete "
    "validation"
)


class CustomStrategy(Strategy):
    """The objects of one version of a CRD."""

    any_finalizer = True

    unconditional_update = False

    def __init__(
        self, definition: Definition, kind: str, codec: CustomCodec, *, has_status: bool, scale: PathScale | None
    ) -> None:
        super().__init__(namespaced=definition.crd.scope == "Namespaced")
        self._definition = definition
        self._kind = kind
        self._codec = codec
        self._has_status = has_status
        self._scale = scale

    @property
    def closed(self) -> str:
        return (
            "create not allowed while custom resource definition is terminating" if self._definition.terminating else ""
        )

    def prepare_create(self, obj: Document) -> None:
        if self._has_status:
            obj.pop("status", None)
        obj["metadata"]["generation"] = 1

    def prepare_update(self, obj: Document, old: Document) -> None:
        finish(self.prepare_in_steps(obj, old))

    def prepare_in_steps(self, obj: Document, old: Document) -> Generator[None, None, None]:
        if self._has_status:
            if "status" in old:
                obj["status"] = old["status"]
            else:
                obj.pop("status", None)
        if not (yield from same_in_steps(obj | {"metadata": None}, old | {"metadata": None})):
            obj["metadata"]["generation"] = old["metadata"].get("generation", 0) + 1

    def validate(self, obj: Document) -> list[FieldError]:
        return self._check_type(obj) or self._judged(obj, None, self._codec.walk.validate(obj))

    def validate_update(self, obj: Document, old: Document) -> list[FieldError]:
        return self._check_type(obj) or self._judged(obj, old, self._codec.walk.validate(obj, old))

    def judge_in_steps(self, obj: Document, old: Document | None) -> Generator[None, None, list[FieldError]]:
        if errors := self._check_type(obj):
            return errors
        found = yield from self._look_in_steps(obj, old)
        known = yield from self._know_meta(obj, old)
        errors = [*(known.errors if old is None else known.changes), *found, *self._check_scale(obj)]
        yield
        return (yield from self._then_rules_in_steps(errors, obj, old))

    def _look_in_steps(self, obj: Document, old: Document | None) -> Generator[None, None, list[FieldError]]:
        """What the schema has to say."""
        return self._codec.walk.validate_in_steps(obj, old)

    def _judged(self, obj: Document, old: Document | None, found: list[FieldError]) -> list[FieldError]:
        """What is wrong with an object in whose content that was found."""
        errors = self.check_meta(obj) if old is None else self.check_meta_update(obj, old)
        return self._then_rules([*errors, *found, *self._check_scale(obj)], obj, old)

    def warnings(self, obj: Document, old: Document | None) -> list[str]:
        given: Sequence[str] = obj["metadata"].get("finalizers") or ()
        before: Sequence[str] = (old["metadata"].get("finalizers") or ()) if old is not None else ()
        return [text for name in sorted({*given} - {*before}) for text in _odd_finalizer(name)]

    def tolerated(self, obj: Document, old: Document) -> list[str]:
        rules = self._codec.rules
        return rules.run(obj, old).warnings if rules is not None else []

    def tolerated_in_steps(self, obj: Document, old: Document) -> Generator[None, None, list[str]]:
        rules = yield from self._codec.rules_in_steps()
        return (yield from rules.run_in_steps(obj, old)).warnings if rules is not None else []

    def _check_type(self, obj: Document) -> list[FieldError]:
        wanted = (("kind", self._kind), ("apiVersion", self._codec.api_version))
        return [invalid(name, obj.get(name) or "", f"must be {text}") for name, text in wanted if obj.get(name) != text]

    def _check_scale(self, obj: Document) -> list[FieldError]:
        scale = self._scale
        return [*scale.check_spec(obj), *scale.check_status(obj)] if scale is not None else []

    def _then_rules(self, errors: list[FieldError], obj: Document, old: Document | None = None) -> list[FieldError]:
        """What the rules of the schema add, if what was found does not keep them from being run."""
        rules = self._codec.rules
        if rules is None:
            return errors
        return _unchecked(errors) or errors + rules.run(obj, old).errors

    def _then_rules_in_steps(
        self, errors: list[FieldError], obj: Document, old: Document | None
    ) -> Generator[None, None, list[FieldError]]:
        """The same for a large object, or a large schema."""
        rules = yield from self._codec.rules_in_steps()
        if rules is None:
            return errors
        return _unchecked(errors) or errors + (yield from rules.run_in_steps(obj, old)).errors


class CustomStatus(CustomStrategy):
    """The status: all else stays as it was, and is not looked at."""

    prepare_in_steps = Strategy.prepare_in_steps

    def prepare_update(self, obj: Document, old: Document) -> None:
        absent = object()
        status, managers = obj.get("status", absent), obj["metadata"].get("managedFields")
        meta = obj["metadata"]
        # What is not changed from here on is shared: of the metadata only what stands in it directly is. It itself
        # stays in place: whoever called holds on to it.
        obj.clear()
        obj |= old
        meta.clear()
        meta |= old["metadata"]
        obj["metadata"] = meta
        if managers is None:
            meta.pop("managedFields", None)
        else:
            meta["managedFields"] = managers
        if status is absent:
            obj.pop("status", None)
        else:
            obj["status"] = status

    def validate_update(self, obj: Document, old: Document) -> list[FieldError]:
        if errors := self._check_type(obj):
            return errors
        return self._judged(obj, old, self._codec.walk.validate_status(obj, old))

    def _look_in_steps(self, obj: Document, old: Document | None) -> Generator[None, None, list[FieldError]]:
        assert old is not None, "a status is written where there is an object"
        return self._codec.walk.validate_status_in_steps(obj, old)

    def _check_scale(self, obj: Document) -> list[FieldError]:
        return self._scale.check_status(obj) if self._scale is not None else []

    def warnings(self, obj: Document, old: Document | None) -> list[str]:
        return []


def _unchecked(errors: list[FieldError]) -> list[FieldError]:
    """What is wrong, and that rules are not run because of it; nothing if they are."""
    blocked = any(error.reason in _BLOCKING for error in errors)
    return [*errors, invalid("<nil>", None, _UNCHECKED)] if blocked else []


def _odd_finalizer(name: str) -> list[str]:
    place = f"metadata.finalizers: {quote(name)}"
    found = [f"{place}: {complaint}" for complaint in label_key(name)]
    if "/" not in name and name not in STANDARD_FINALIZERS:
        path = " including a path (/)" if "." in name else ""
        found.append(
            f"{place}: prefer a domain-qualified finalizer name{path} to avoid accidental conflicts with other "
            "finalizer writers"
        )
    return found
