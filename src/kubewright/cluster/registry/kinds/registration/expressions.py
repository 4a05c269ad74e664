"""Expressions in CEL about a request: what they may speak of, and whether they compile.

What they come to is found out when a request is admitted, which is not here.
"""

from functools import cache
from typing import Final

from kubewright.cel.checker import check
from kubewright.cel.environment import Environment
from kubewright.cel.errors import ConstantError, ExpressionError
from kubewright.cel.parser import parse
from kubewright.cel.program import Program
from kubewright.cel.types import BOOL, DYN, INT, NULL, STRING, TIMESTAMP, Field, Type, list_of, map_of, object_type
from kubewright.schema.walk.errors import FieldError, invalid

__all__ = ["Variables", "check_condition"]

_STRINGS: Final = list_of(STRING)
_LABELS: Final = map_of(STRING, STRING)
_AUTHORIZER: Final = Type("struct", "kubernetes.authorization.Authorizer")
_RESOURCE_CHECK: Final = Type("struct", "kubernetes.authorization.ResourceCheck")


def _fields(**types: Type) -> dict[str, Field]:
    return {name: Field(name, type_) for name, type_ in types.items()}


@cache
def _request() -> Type:
    kind = object_type("kubernetes.GroupVersionKind", _fields(group=STRING, version=STRING, kind=STRING))
    resource = object_type("kubernetes.GroupVersionResource", _fields(group=STRING, version=STRING, resource=STRING))
    user = _fields(username=STRING, uid=STRING, groups=_STRINGS, extra=map_of(STRING, _STRINGS))
    return object_type(
        "kubernetes.AdmissionRequest",
        _fields(
            kind=kind,
            resource=resource,
            subResource=STRING,
            requestKind=kind,
            requestResource=resource,
            requestSubResource=STRING,
            name=STRING,
            namespace=STRING,
            operation=STRING,
            userInfo=object_type("kubernetes.UserInfo", user),
            dryRun=BOOL,
            options=DYN,
        ),
    )


@cache
def _namespace() -> Type:
    condition = _fields(status=STRING, type=STRING, lastTransitionTime=TIMESTAMP, message=STRING, reason=STRING)
    conditions = list_of(object_type("kubernetes.NamespaceCondition", condition))
    metadata = _fields(
        name=STRING,
        generateName=STRING,
        namespace=STRING,
        labels=_LABELS,
        annotations=_LABELS,
        UID=STRING,
        creationTimestamp=TIMESTAMP,
        deletionGracePeriodSeconds=INT,
        deletionTimestamp=TIMESTAMP,
        generation=INT,
        resourceVersion=STRING,
        finalizers=_STRINGS,
    )
    return object_type(
        "kubernetes.Namespace",
        _fields(
            metadata=object_type("kubernetes.NamespaceMetadata", metadata),
            spec=object_type("kubernetes.NamespaceSpec", _fields(finalizers=_STRINGS)),
            status=object_type("kubernetes.NamespaceStatus", _fields(conditions=conditions, phase=STRING)),
        ),
    )


class Variables:
    """What an expression may speak of: the request, parameters if there are any, and what was computed before."""

    def __init__(self, *, params: bool, composed: bool = False) -> None:
        self._named: dict[str, Type] = {
            "object": DYN,
            "oldObject": DYN,
            "namespaceObject": _namespace(),
            "request": _request(),
            **({"params": DYN} if params else {}),
        }
        self._composed: dict[str, Field] | None = {} if composed else None

    def environment(self, *, authorizer: bool = True, patches: bool = False) -> Environment:
        """The types of all of it."""
        found: dict[str, Type] = {**self._named}
        if authorizer:
            found["authorizer"] = _AUTHORIZER
            found["authorizer.requestResource"] = _RESOURCE_CHECK
        if self._composed is not None:
            found["variables"] = object_type("kubernetes.variables", {**self._composed})
        return Environment(found, patches=patches)

    def add(self, name: str, type_: Type) -> None:
        """Let expressions speak of one more that was computed."""
        if self._composed is not None:
            self._composed[name] = Field(name, type_)


def check_condition(
    text: str, path: str, environment: Environment, *wanted: Type, shown: str | None = None
) -> tuple[list[FieldError], Type]:
    """What is wrong with an expression that is to give one of some types, and the type that it has."""
    told = text if shown is None else shown
    try:
        checked = check(parse(text), environment)
        if wanted and checked.type not in wanted:
            names = [*map(_spelled, wanted)]
            must = names[0] if len(names) == 1 else f"one of [{' '.join(names)}]"
            return [invalid(path, told, f"must evaluate to {must} but got {_spelled(checked.type)}")], DYN
        Program(checked, environment)
    except ExpressionError as error:
        return [invalid(path, told, f"compilation failed: {error}")], DYN
    except ConstantError as error:
        return [invalid(path, told, f"program instantiation failed: {error}")], DYN
    return [], checked.type


def _spelled(type_: Type) -> str:
    return NULL.name if type_ == NULL else type_.text
