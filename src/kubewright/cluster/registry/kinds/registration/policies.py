"""Admission policies and their bindings: rules in CEL for writes of any kind, and where they hold."""

import re
from collections.abc import Iterator
from typing import Any, Final

from kubewright.cel.types import BOOL, NULL, OBJECT, PATCH, STRING, list_of
from kubewright.cluster.registry.kinds.plain import PlainStrategy, StatusAlone
from kubewright.cluster.registry.kinds.registration.expressions import Variables, check_condition
from kubewright.cluster.registry.kinds.registration.matching import (
    FAILURES,
    check_conditions,
    check_resources,
    default_resources,
    one_of,
)
from kubewright.cluster.registry.rules.conditions import check_conditions as check_status_conditions
from kubewright.cluster.registry.rules.labels import check_key, check_selector
from kubewright.schema.walk.errors import FieldError, duplicate, forbidden, invalid, not_supported, required
from kubewright.schema.walk.names import path_segment, resource_kind, subdomain

__all__ = [
    "MutatingBindingStrategy",
    "MutatingPolicyStrategy",
    "ValidatingBindingStrategy",
    "ValidatingPolicyStatus",
    "ValidatingPolicyStrategy",
]

Document = dict[str, Any]

_ACTIONS: Final = ("Audit", "Deny", "Warn")
_REASONS: Final = ("Forbidden", "Invalid", "RequestEntityTooLarge")
_CHANGING: Final = ("*", "CONNECT", "CREATE", "UPDATE")
_REINVOCATIONS: Final = ("IfNeeded", "Never")
_PATCHES: Final = {"ApplyConfiguration": "applyConfiguration", "JSONPatch": "jsonPatch"}
_MADE: Final = {"ApplyConfiguration": OBJECT, "JSONPatch": list_of(PATCH)}
_ANNOTATIONS: Final = 20
_LONGEST: Final = 5 * 1024
_IDENTIFIER: Final = re.compile("[_a-zA-Z][_a-zA-Z0-9]*")
_RESERVED: Final = frozenset(
    {
        "true", "false", "null", "in",
        "as", "break", "const", "continue", "else", "for", "function", "if", "import",
        "let", "loop", "package", "namespace", "return", "var", "void", "while",
    }
)  # fmt: skip
_NOTHING_TO_SAY: Final = "validations or auditAnnotations must contain at least one item"


class _PolicyStrategy(PlainStrategy):
    """What the two policies share."""

    def default(self, obj: Document) -> None:
        obj["spec"].setdefault("failurePolicy", "Fail")
        if (resources := obj["spec"].get("matchConstraints")) is not None:
            default_resources(resources)

    def validate_update(self, obj: Document, old: Document) -> list[FieldError]:
        return [*self.check_meta(obj), *self.check(obj)]

    def _check_common(
        self, spec: Document, known: Variables, resources_only: tuple[str, ...] = ()
    ) -> Iterator[FieldError]:
        yield from one_of(spec, "failurePolicy", "spec", FAILURES)
        if (kind := spec.get("paramKind")) is not None:
            yield from _parameter_kind(kind, "spec.paramKind")
        resources = spec.get("matchConstraints")
        if resources is None:
            yield required("spec.matchConstraints")
        else:
            yield from check_resources(resources, "spec.matchConstraints")
            if not resources.get("resourceRules"):
                yield required("spec.matchConstraints.resourceRules")
            if resources_only:
                yield from _operations(resources, "spec.matchConstraints", resources_only)
        params = spec.get("paramKind") is not None
        yield from check_conditions(spec.get("matchConditions") or [], "spec.matchConditions", params=params)
        for index, variable in enumerate(spec.get("variables") or []):
            yield from _variable(variable, f"spec.variables[{index}]", known)


class ValidatingPolicyStrategy(_PolicyStrategy):
    """What is particular to policies that refuse."""

    def check(self, obj: Document) -> list[FieldError]:
        return [*self._check(obj)]

    def _check(self, obj: Document) -> Iterator[FieldError]:
        spec = obj["spec"]
        known = Variables(params=spec.get("paramKind") is not None, composed=bool(spec.get("variables")))
        yield from self._check_common(spec, known)
        validations, annotations = spec.get("validations") or [], spec.get("auditAnnotations") or []
        if not validations and not annotations:
            yield required("spec.validations", _NOTHING_TO_SAY)
            yield required("spec.auditAnnotations", _NOTHING_TO_SAY)
            return
        for index, validation in enumerate(validations):
            yield from _validation(validation, f"spec.validations[{index}]", known)
        if len(annotations) > _ANNOTATIONS:
            why = f"must not have more than {_ANNOTATIONS} auditAnnotations"
            yield invalid("spec.auditAnnotations", annotations, why)
        seen: set[str] = set()
        for index, annotation in enumerate(annotations):
            path, key = f"spec.auditAnnotations[{index}]", annotation.get("key", "")
            yield from _annotation(annotation, obj["metadata"].get("name", ""), path, known)
            if key in seen:
                yield duplicate(f"{path}.key", key)
            seen.add(key)


class ValidatingPolicyStatus(StatusAlone):
    """The status of such a policy: what its expressions would stumble over."""

    unconditional_update = False

    def check(self, obj: Document) -> list[FieldError]:
        status = obj.get("status") or {}
        warnings = (status.get("typeChecking") or {}).get("expressionWarnings") or []
        errors = []
        for index, warning in enumerate(warnings):
            path = f"status.typeChecking.expressionWarnings[{index}]"
            errors += [required(f"{path}.{name}") for name in ("warning", "fieldRef") if not warning.get(name)]
        return [*errors, *check_status_conditions(status.get("conditions") or [], "status.conditions")]


class MutatingPolicyStrategy(_PolicyStrategy):
    """What is particular to policies that change."""

    def check(self, obj: Document) -> list[FieldError]:
        return [*self._check(obj["spec"])]

    def _check(self, spec: Document) -> Iterator[FieldError]:
        known = Variables(params=spec.get("paramKind") is not None, composed=True)
        yield from self._check_common(spec, known, _CHANGING)
        mutations = spec.get("mutations") or []
        if not mutations:
            yield required("spec.mutations", "mutations must contain at least one item")
        for index, mutation in enumerate(mutations):
            yield from _mutation(mutation, f"spec.mutations[{index}]", known)
        if not spec.get("reinvocationPolicy"):
            yield required("spec.reinvocationPolicy")
        else:
            yield from one_of(spec, "reinvocationPolicy", "spec", _REINVOCATIONS)


class MutatingBindingStrategy(PlainStrategy):
    """What is particular to where a policy that changes holds."""

    def default(self, obj: Document) -> None:
        if (resources := obj["spec"].get("matchResources")) is not None:
            default_resources(resources)

    def validate_update(self, obj: Document, old: Document) -> list[FieldError]:
        return [*self.check_meta(obj), *self.check(obj)]

    def check(self, obj: Document) -> list[FieldError]:
        return [*_binding(obj["spec"]), *_operations(obj["spec"].get("matchResources") or {}, "spec.matchResources")]


class ValidatingBindingStrategy(MutatingBindingStrategy):
    """What is particular to where a policy that refuses holds, and how it is told."""

    def check(self, obj: Document) -> list[FieldError]:
        return [*_binding(obj["spec"]), *_actions(obj["spec"].get("validationActions") or [])]


def _binding(spec: Document) -> Iterator[FieldError]:
    name = spec.get("policyName", "")
    if not name:
        yield required("spec.policyName")
    else:
        yield from (invalid("spec.policyName", name, complaint) for complaint in subdomain(name))
    if (reference := spec.get("paramRef")) is not None:
        yield from _parameter_reference(reference, "spec.paramRef")
    if (resources := spec.get("matchResources")) is not None:
        yield from check_resources(resources, "spec.matchResources")


def _actions(actions: list[str]) -> Iterator[FieldError]:
    path = "spec.validationActions"
    for index, action in enumerate(actions):
        if action not in _ACTIONS:
            yield not_supported(f"{path}[{index}]", action, _ACTIONS)
        if action in actions[:index]:
            yield duplicate(f"{path}[{index}]", action)
    if {"Deny", "Warn"} <= {*actions}:
        why = "must not contain both Deny and Warn (repeating the same validation failure information in the API "
        yield invalid(path, actions, f"{why}response and headers serves no purpose)")
    if not actions:
        yield required(path, "at least one validation action is required")


def _operations(resources: Document, path: str, known: tuple[str, ...] = _CHANGING) -> Iterator[FieldError]:
    """Only some operations can be changed."""
    for rule in resources.get("resourceRules") or []:
        for operation in rule.get("operations") or []:
            if operation not in known:
                yield not_supported(f"{path}.resourceRules.operations", operation, known)


def _parameter_kind(kind: Document, path: str) -> Iterator[FieldError]:
    given = kind.get("apiVersion", "")
    group, _, version = given.rpartition("/")
    if not given:
        yield required(f"{path}.apiVersion")
    elif given.count("/") > 1:
        yield invalid(f"{path}.apiVersion", given, f"unexpected GroupVersion string: {given}")
    else:
        if group and (complaints := subdomain(group)):
            yield invalid(f"{path}.apiVersion", group, ",".join(complaints))
        if not version:
            yield invalid(f"{path}.apiVersion", given, "version must be specified")
        elif complaints := resource_kind(version):
            yield invalid(f"{path}.apiVersion", version, ",".join(complaints))
    name = kind.get("kind", "")
    if not name:
        yield required(f"{path}.kind")
    elif complaints := resource_kind(name.lower()):
        why = f"may have mixed case, but should otherwise match: {','.join(complaints)}"
        yield invalid(f"{path}.kind", name, why)


def _parameter_reference(reference: Document, path: str) -> Iterator[FieldError]:
    name, selector = reference.get("name", ""), reference.get("selector")
    if name:
        yield from (invalid(f"{path}.name", name, complaint) for complaint in path_segment(name))
        if selector is not None:
            yield forbidden(f"{path}.name", "name and selector are mutually exclusive")
    if selector is not None:
        yield from check_selector(selector, f"{path}.selector")
        if name:
            yield forbidden(f"{path}.selector", "name and selector are mutually exclusive")
    elif not name:
        yield required(path, "one of name or selector must be specified")
    action = reference.get("parameterNotFoundAction", "")
    if not action:
        yield required(f"{path}.parameterNotFoundAction")
    elif action not in ("Deny", "Allow"):
        yield not_supported(f"{path}.parameterNotFoundAction", action, ("Deny", "Allow"))


def _variable(variable: Document, path: str, known: Variables) -> Iterator[FieldError]:
    name, text = variable.get("name", ""), variable.get("expression", "")
    if not name.strip():
        yield required(f"{path}.name", "name is not specified")
    elif _IDENTIFIER.fullmatch(name) is None or name in _RESERVED:
        yield invalid(f"{path}.name", name, "must be a valid CEL identifier")
    if not text.strip():
        yield required(f"{path}.expression", "expression is not specified")
        return
    errors, found = check_condition(text, f"{path}.expression", known.environment())
    yield from errors
    known.add(name, found)


def _validation(validation: Document, path: str, known: Variables) -> Iterator[FieldError]:
    text = validation.get("expression", "")
    if not text.strip():
        yield required(f"{path}.expression", "expression is not specified")
    else:
        yield from check_condition(text, f"{path}.expression", known.environment(), BOOL)[0]
    for name in ("messageExpression", "message"):
        text = validation.get(name, "")
        if text and not text.strip():
            yield invalid(f"{path}.{name}", text, "must be non-empty if specified")
        elif name == "messageExpression":
            if text:
                place = f"{path}.messageExpression"
                yield from check_condition(text, place, known.environment(authorizer=False), STRING)[0]
        elif {"\n", "\r"} & {*text.strip()}:
            yield invalid(f"{path}.message", text, "must not contain line breaks")
    yield from one_of(validation, "reason", path, _REASONS)


def _annotation(annotation: Document, policy: str, path: str, known: Variables) -> Iterator[FieldError]:
    key, given = annotation.get("key", ""), annotation.get("valueExpression", "")
    text = given.strip()
    if policy:
        yield from check_key(f"{policy}/{key}", f"{path}.key")
    else:
        yield invalid(f"{path}.key", key, "requires metadata.name be non-empty")
    if not text:
        yield required(f"{path}.valueExpression", "valueExpression is not specified")
    elif len(text.encode()) > _LONGEST:
        yield required(f"{path}.valueExpression", f"must not exceed {_LONGEST} bytes in length")
    else:
        place = f"{path}.valueExpression"
        yield from check_condition(text, place, known.environment(), STRING, NULL, shown=given)[0]


def _mutation(mutation: Document, path: str, known: Variables) -> Iterator[FieldError]:
    kind = mutation.get("patchType", "")
    if not kind:
        yield required(f"{path}.patchType")
    elif kind not in _PATCHES:
        yield not_supported(f"{path}.patchType", kind, tuple(sorted(_PATCHES)))
    else:
        mine = _PATCHES[kind]
        (other,) = {*_PATCHES.values()} - {mine}
        if mutation.get(mine) is None:
            yield required(f"{path}.{mine}", f"must be specified when patchType is {kind}")
        elif text := mutation[mine].get("expression", "").strip():
            place, patches = f"{path}.{mine}.expression", known.environment(patches=True)
            yield from check_condition(text, place, patches, _MADE[kind])[0]
        else:
            yield required(f"{path}.{mine}.expression")
        if mutation.get(other) is not None:
            yield invalid(f"{path}.{other}", f"{{{other}}}", f"must not be specified when patchType is {kind}")
