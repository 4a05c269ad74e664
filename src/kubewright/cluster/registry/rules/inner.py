"""Values as Kubernetes' inner types print them.

Rules run on the inner types of kube-apiserver, of which all versions of a kind are made. They have no JSON names: a
part that is refused as a whole is told with the names of Go, and with everything that it does not have. Apart from
that they are as the served types are, but for the few that are listed here.
"""

import json
from collections.abc import Generator, Iterator
from functools import cache
from typing import Any, Final

from kubewright.cluster.registry.rules.equality import same
from kubewright.cluster.wire.findings import Findings
from kubewright.cluster.wire.reading import readers
from kubewright.cluster.wire.types import Type, table
from kubewright.cluster.wire.writing import writers
from kubewright.model.parts import is_light, parts, rebuilt
from kubewright.schema.walk.errors import INVALID, NOT_SUPPORTED, FieldError
from kubewright.schema.walk.golang import marshal, quote

__all__ = ["changed_inner", "inner_text", "inner_value", "invalid_inner", "not_supported_inner"]

Document = dict[str, Any]

#: What inside is told of a pod's security, each with the name of Go.
_HOST: Final = {
    "hostNetwork": "HostNetwork",
    "hostPID": "HostPID",
    "hostIPC": "HostIPC",
    "shareProcessNamespace": "ShareProcessNamespace",
    "hostUsers": "HostUsers",
}
_HOST_FLAGS: Final = ("hostNetwork", "hostPID", "hostIPC")
_POD: Final = "core/v1.PodSpec"
_SECURITY: Final = "core/v1.PodSecurityContext"
#: Members that stand behind another than in the served type: each with the one that it follows.
_MOVED: Final = {
    _POD: {"setHostnameAsFQDN": "subdomain", "overhead": "runtimeClassName", "preemptionPolicy": "priority"},
    _SECURITY: {"fsGroupChangePolicy": "fsGroup"},
    "core/v1.Volume": {"quobyte": "rbd"},
    "batch/v1.JobSpec": {"activeDeadlineSeconds": "successPolicy"},
}
#: Members that inside are no pointers: what they are where nothing is said.
_PLAIN: Final[dict[str, Document]] = {
    "apps/v1.RollingUpdateDeployment": {"maxUnavailable": 0, "maxSurge": 0},
    "apps/v1.RollingUpdateDaemonSet": {"maxUnavailable": 0, "maxSurge": 0},
    "apps/v1.RollingUpdateStatefulSetStrategy": {"partition": 0},
    "core/v1.ServiceAccountTokenProjection": {"expirationSeconds": 0},
}
#: Members of structs that are shown among others.
_WITH_OTHERS: Final = frozenset({"metadata", "securityContext"})
_ZEROS: Final = {"string": "", "bool": False, "int": 0, "int32": 0, "int64": 0, "float64": 0, "uint8": 0}


def invalid_inner(path: str, value: Any, kind: str, detail: str) -> FieldError:
    """A malformed part of type `kind`, such as `*core/v1.PodSpec`."""
    return FieldError(INVALID, path, f"Invalid value: {inner_text(value, kind)}: {detail}")


def not_supported_inner(path: str, value: Any, kind: str, *choices: str) -> FieldError:
    """A part outside an enumeration."""
    listed = ", ".join(map(quote, choices))
    return FieldError(NOT_SUPPORTED, path, f"Unsupported value: {inner_text(value, kind)}: supported values: {listed}")


def changed_inner(path: str, value: Any, old: Any, kind: str) -> list[FieldError]:
    """What is wrong with a part that may not change, if it did."""
    return [] if same(value, old) else [invalid_inner(path, value, kind, "field is immutable")]


def inner_text(value: Any, kind: str) -> str:
    """A value of a served type, as its inner type prints it."""
    return marshal(_inner(value, table().type(kind)), sort=False)


def inner_value(value: Any, kind: str, most: int) -> Generator[None, None, Any]:
    """What that text says, made in steps of so many values each."""
    shown = yield from _inner_in_steps(value, table().type(kind), most)
    return (yield from rebuilt(shown, lambda part, _: json.loads(marshal(part, sort=False)), most=most))


def _inner_in_steps(value: Any, target: Type, most: int) -> Generator[None, None, Any]:
    """What `_inner` makes of a large value."""
    if is_light(value, most) or target.special or target.name.startswith("meta/") or target.go == "[]uint8":
        return _inner(value, target)
    if target.kind == "struct":
        # What is heavy is filled in where it would be if it were not there.
        names, fields = _names(target.name), table().fields(target.name)
        heavy = [name for name in names if name not in _WITH_OTHERS and not is_light(value.get(name), most)]
        made: Any = _members({name: member for name, member in value.items() if name not in heavy}, target)
        for name in heavy:
            yield
            made[names[name]] = yield from _inner_in_steps(value[name], fields[name].type, most)
        return made
    assert target.item is not None, "only what has parts is heavy"
    if target.kind == "ptr":
        return (yield from _inner_in_steps(value, target.item, most))
    is_map = target.kind == "map"
    made = {} if is_map else []
    for part, key, _ in parts({name: value[name] for name in sorted(value)} if is_map else value, most):
        if key is None:
            more = _inner(part, target)
        else:
            member = yield from _inner_in_steps(part, target.item, most)
            more = {key: member} if is_map else [member]
        (made.update if is_map else made.extend)(more)
        yield
    return made


def _inner(value: Any, target: Type) -> Any:
    if target.kind == "ptr":
        assert target.item is not None
        return None if value is None else _inner(value, target.item)
    if target.special or target.name.startswith("meta/"):
        return _written(value, target)
    if target.kind == "struct":
        return _members(value or {}, target)
    if target.item is None:
        return _ZEROS.get(target.kind) if value is None else value
    if value is None:
        return None
    if target.kind == "map":
        return {key: _inner(value[key], target.item) for key in sorted(value)}
    return value if target.go == "[]uint8" else [_inner(item, target.item) for item in value]


def _written(value: Any, target: Type) -> Any:
    """What has JSON names inside, too."""
    if value is None:
        return readers().of(target).read(None, None, Findings())
    arrange = writers(keep_empty=True).of(target)
    return value if arrange is None else arrange(value)


def _members(value: Document, target: Type) -> Document:
    shown: Document = {}
    plain, fields = _PLAIN.get(target.name, {}), table().fields(target.name)
    for name, go in _names(target.name).items():
        member, kind = value.get(name), fields[name].type
        if name == "metadata":  # it is inlined
            shown |= _written(member or {}, kind)
        elif member is None and name in plain:
            shown[go] = plain[name]
        else:
            shown[go] = _inner(member, kind)
    if target.name == _POD:
        host = {go: value.get(name, False if name in _HOST_FLAGS else None) for name, go in _HOST.items()}
        shown["SecurityContext"] = host | _inner(value.get("securityContext") or {}, table().type(_SECURITY))
    return shown


@cache
def _names(kind: str) -> dict[str, str]:
    """The members of an inner type by the names that they are served under, each with the name of Go."""
    names = dict(_slots(kind))
    if kind == _POD:
        names = {name: go for name, go in names.items() if name not in _HOST and name != "serviceAccount"}
    for name, before in _MOVED.get(kind, {}).items():
        go = names.pop(name)
        at = [*names].index(before) + 1
        pairs = [*names.items()]
        names = dict([*pairs[:at], (name, go), *pairs[at:]])
    return names


def _slots(kind: str) -> Iterator[tuple[str, str]]:
    for slot in table().slots(kind):
        if slot.field is None:
            yield from _slots(slot.type.name)
        else:
            yield slot.field.name, slot.go
