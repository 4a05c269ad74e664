"""Annotations that once said what fields say now, and must not contradict them."""

from collections.abc import Iterator
from typing import Any, Final

from kubewright.cluster.registry.kinds.pod.scheduling import check_tolerations
from kubewright.cluster.registry.rules.paths import check_descending
from kubewright.schema.walk.errors import FieldError, forbidden, invalid
from kubewright.schema.walk.golang import quote

__all__ = [
    "APPARMOR",
    "MIRROR",
    "SECCOMP",
    "SECCOMP_OF",
    "check_annotation_changes",
    "check_annotations",
    "check_match",
]

Document = dict[str, Any]
Annotations = dict[str, str]

MIRROR: Final = "kubernetes.io/config.mirror"
APPARMOR: Final = "container.apparmor.security.beta.kubernetes.io/"
SECCOMP: Final = "seccomp.security.alpha.kubernetes.io/pod"
SECCOMP_OF: Final = "container.seccomp.security.alpha.kubernetes.io/"
_COST: Final = "controller.kubernetes.io/pod-deletion-cost"
_TOLERATIONS: Final = "scheduler.alpha.kubernetes.io/tolerations"
_KINDS: Final = ("initContainers", "containers", "ephemeralContainers")


def check_annotations(annotations: Annotations, spec: Document, path: str) -> Iterator[FieldError]:
    """What is wrong with annotations of a pod that mean something to Kubernetes."""
    if MIRROR in annotations and not spec.get("nodeName"):
        why = "must set spec.nodeName if mirror pod annotation is set"
        yield invalid(f"{path}[{MIRROR}]", annotations[MIRROR], why)
    if annotations.get(_TOLERATIONS):
        yield from _tolerations(annotations[_TOLERATIONS], path)
    if _COST in annotations and not _is_cost(annotations[_COST]):
        yield invalid(f"{path}[{_COST}]", annotations[_COST], "must be a 32bit integer")
    if SECCOMP in annotations:
        yield from _seccomp(annotations[SECCOMP], f"{path}.{SECCOMP}")
    for key in sorted(annotations):
        if key.startswith(SECCOMP_OF):
            yield from _seccomp(annotations[key], f"{path}.{key}")
    for key in sorted(annotations):
        if key.startswith(APPARMOR):
            yield from _apparmor(key, annotations[key], spec, path)


def _tolerations(text: str, path: str) -> Iterator[FieldError]:
    import msgspec

    from kubewright.cluster.patches.syntax import syntax_error

    if why := syntax_error(text.encode(errors="replace")):
        yield invalid(path, _TOLERATIONS, why)
        return
    found = msgspec.json.decode(text)
    if isinstance(found, list) and all(isinstance(each, dict) for each in found):
        yield from check_tolerations(found, f"{path}.{_TOLERATIONS}")


def _is_cost(text: str) -> bool:
    # "+1" and "01" are not taken, as numbers are elsewhere.
    if not text.removeprefix("-").isascii() or not text.removeprefix("-").isdigit():
        return False
    if text.startswith(("0", "+", "-0")) and text != "0":
        return False
    return -(2**31) <= int(text[:20]) < 2**31


def _seccomp(profile: str, path: str) -> Iterator[FieldError]:
    if profile in ("runtime/default", "docker/default", "unconfined"):
        return
    if profile.startswith("localhost/"):
        yield from check_descending(profile.removeprefix("localhost/"), path)
    else:
        yield invalid(path, profile, "must be a valid seccomp profile")


def _apparmor(key: str, profile: str, spec: Document, path: str) -> Iterator[FieldError]:
    name = key.removeprefix(APPARMOR)
    if not any(container["name"] == name for kind in _KINDS for container in spec.get(kind) or ()):
        yield invalid(f"{path}[{key}]", name, "container not found")
    if profile not in ("", "runtime/default", "unconfined") and not profile.startswith("localhost/"):
        yield invalid(f"{path}[{key}]", profile, f"invalid AppArmor profile name: {quote(profile)}")


def check_annotation_changes(new: Annotations, old: Annotations, path: str) -> Iterator[FieldError]:
    """What is wrong with annotations that changed: some may not."""
    for changed, verb in ((sorted(old), "remove or update"), (sorted(new), "add")):
        for key in changed:
            if old.get(key) == new.get(key) if verb != "add" else key in old:
                continue
            if key.startswith(APPARMOR):
                yield forbidden(f"{path}[{key}]", f"may not {verb} AppArmor annotations")
            elif key == MIRROR:
                yield forbidden(f"{path}[{key}]", f"may not {verb} mirror pod annotation")


def check_match(annotations: Annotations, spec: Document, path: str) -> Iterator[FieldError]:
    """What is wrong where annotations and fields both say which profiles to use: they must say the same."""
    whole = spec["securityContext"]
    if not any(key.startswith((SECCOMP, SECCOMP_OF, APPARMOR)) for key in annotations):
        return
    if "seccompProfile" in whole and SECCOMP in annotations:
        place = f"{path}.securityContext.seccompProfile"
        yield from _same(annotations[SECCOMP], whole["seccompProfile"], place, "seccomp")
    containers = [
        (container, f"{path}.{kind}[{index}].securityContext")
        for kind in _KINDS
        for index, container in enumerate(spec.get(kind) or ())
    ]
    for container, place in containers:
        profile = (container.get("securityContext") or {}).get("seccompProfile")
        given = annotations.get(SECCOMP_OF + container["name"])
        if profile is not None and given is not None:
            yield from _same(given, profile, f"{place}.seccompProfile", "seccomp")
    if (spec.get("os") or {}).get("name") == "windows":
        return
    for container, place in containers:
        profile = (container.get("securityContext") or {}).get("appArmorProfile", whole.get("appArmorProfile"))
        given = annotations.get(APPARMOR + container["name"])
        if profile is not None and given is not None:
            yield from _same(given, profile, f"{place}.appArmorProfile", "apparmor")


def _same(given: str, profile: Document, path: str, what: str) -> Iterator[FieldError]:
    accepted = {"Unconfined": ("unconfined",), "RuntimeDefault": ("runtime/default", "docker/default")}
    if profile["type"] == "Localhost":
        if not given.startswith("localhost/"):
            yield forbidden(f"{path}.type", f"{what} type in annotation and field must match")
        elif given.removeprefix("localhost/") != profile.get("localhostProfile"):
            yield forbidden(f"{path}.localhostProfile", f"{what} profile in annotation and field must match")
    elif profile["type"] in accepted:
        choices = accepted[profile["type"]][: 1 if what == "apparmor" else 2]
        if given not in choices:
            yield forbidden(f"{path}.type", f"{what} type in annotation and field must match")
