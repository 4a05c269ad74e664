"""What a server would say of an object, without one.

    check(web)                          # a typed object, by the CRD of its class
    check(document, crd)                # a document, by a CRD
    check(web, old=before)              # as an update, with the rules about changes

The object is read as the server reads it (unknown fields go, defaults come), judged by its schema and then by its rules
in CEL. The errors are the causes of the 422 that it would get, in the same words; none if it would be taken. Metadata,
and what other objects there are, is the server's business alone.
"""

from collections.abc import Mapping
from typing import Any

from kubewright.model.codec import to_dict
from kubewright.model.resource import Resource
from kubewright.schema.crd import crd_of
from kubewright.schema.definition import read_crd
from kubewright.schema.raw import has_rules
from kubewright.schema.walk import FieldError, compile_schema
from kubewright.schema.walk.errors import NOT_SUPPORTED, REQUIRED, TOO_LONG, TOO_MANY, TYPE_INVALID
from kubewright.schema.walk.values import copy

__all__ = ["check"]

#: Findings after which rules are not run: the values they would look at may not be there, or be of another type.
_BLOCKING = frozenset({NOT_SUPPORTED, REQUIRED, TOO_LONG, TOO_MANY, TYPE_INVALID})


def check(
    obj: Resource | Mapping[str, Any],
    crd: Mapping[str, Any] | None = None,
    *,
    old: Resource | Mapping[str, Any] | None = None,
) -> list[FieldError]:
    """What is wrong with an object, or with it in place of `old`.

    A document needs the CRD; a typed object brings its own. `ValueError` if the CRD does not serve its version.
    """
    if crd is None:
        if not isinstance(obj, Resource):
            raise ValueError("a document says nothing of its schema; give its CRD, check(document, crd).")
        crd = crd_of(type(obj))
    new, before = _document(obj), _document(old) if old is not None else None
    schema = _schema(crd, str(new.get("apiVersion", "")))
    walk = compile_schema(schema)
    for each in (new, before):
        if each is not None:
            walk.coerce(each)
            walk.default(each)
    errors = walk.validate(new, before)
    if not has_rules(schema) or any(error.reason in _BLOCKING for error in errors):
        return errors
    # Imported here: many schemas have no rules.
    from kubewright.schema.validations import compile_validations

    rules = compile_validations(schema)
    return errors + rules.run(new, before).errors if rules is not None else errors


def _document(obj: Resource | Mapping[str, Any]) -> dict[str, Any]:
    """An object of one's own to change."""
    return to_dict(obj) if isinstance(obj, Resource) else {name: copy(value) for name, value in obj.items()}


def _schema(crd: Mapping[str, Any], api_version: str) -> Mapping[str, Any]:
    definition = read_crd(dict(crd))
    for version in definition.versions:
        if f"{definition.group}/{version.name}" == api_version:
            return version.schema
    served = ", ".join(f"{definition.group}/{version.name}" for version in definition.versions)
    raise ValueError(f"the CRD {definition.name} has no {api_version!r}; it has {served}.")
