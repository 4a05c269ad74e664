"""What a container may do, and as whom it runs: for all containers of a pod, or for one."""

import re
from collections.abc import Iterator
from typing import Any, Final

from kubewright.cluster.registry.rules.inner import invalid_inner
from kubewright.cluster.registry.rules.names import check_subdomain
from kubewright.cluster.registry.rules.numbers import check_range
from kubewright.cluster.registry.rules.paths import check_descending
from kubewright.schema.walk.errors import (
    FieldError,
    duplicate,
    forbidden,
    invalid,
    not_supported,
    required,
    too_long,
)

__all__ = ["check_apparmor", "check_container_security", "check_host_process", "check_pod_security", "check_system"]

Document = dict[str, Any]

_PROFILES: Final = ("Localhost", "RuntimeDefault", "Unconfined")
_SYSCTL: Final = r"[a-z0-9]([-_a-z0-9]*[a-z0-9])?"
_SYSCTLS: Final = rf"^({_SYSCTL}[\./])*{_SYSCTL}$"
_is_sysctl: Final = re.compile(rf"(?:{_SYSCTL}[./])*{_SYSCTL}").fullmatch
#: Of these the host has its own when it shares its network, or its memory, with a pod.
_NET: Final = "net."
_IPC: Final = "fs.mqueue."
_KERNEL: Final = frozenset(
    f"kernel.{name}"
    for name in ["sem", "shm", "shmall", "shmmax", "shmmni", "shm_rmid_forced", "msg", "msgmax", "msgmnb", "msgmni"]
)
_LONGEST_PROFILE: Final = 4095
_control: Final = re.compile("[\x00-\x1f\x7f]").search
_is_netbios: Final = re.compile(r'[^\\/:*?"<>|.][^\\/:*?"<>|]{0,14}').fullmatch
_DNS: Final = "[a-zA-Z0-9](?:[a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?"
_is_domain: Final = re.compile(rf"{_DNS}(?:\.{_DNS})*").fullmatch
_bad_user: Final = re.compile(r'["/\\:;|=,+*?<>@\[\]]').search
_SPEC_LIMIT: Final = 64 * 1024


def check_pod_security(spec: Document, path: str, *, any_selinux: bool) -> Iterator[FieldError]:
    """What is wrong with what a pod says for all its containers; `any_selinux` if it had said how to relabel before."""
    context = spec["securityContext"]
    place = f"{path}.securityContext"
    if context:
        for name in ("fsGroup", "runAsUser", "runAsGroup"):
            if name in context:
                yield from check_range(context[name], f"{place}.{name}", 0)
        for index, group in enumerate(context.get("supplementalGroups") or ()):
            yield from check_range(group, f"{place}.supplementalGroups[{index}]", 0)
    if spec.get("shareProcessNamespace") and spec.get("hostPID"):
        why = "ShareProcessNamespace and HostPID cannot both be enabled"
        yield invalid(f"{place}.shareProcessNamespace", True, why)
    if not context:
        return
    yield from _sysctls(spec, f"{place}.sysctls")
    yield from _choice(context, "fsGroupChangePolicy", ("Always", "OnRootMismatch"), place)
    if "seccompProfile" in context:
        yield from _seccomp(context["seccompProfile"], f"{place}.seccompProfile")
    if "windowsOptions" in context:
        yield from _windows(context["windowsOptions"], f"{place}.windowsOptions")
    if "appArmorProfile" in context:
        yield from check_apparmor(context["appArmorProfile"], f"{place}.appArmorProfile")
    yield from _choice(context, "supplementalGroupsPolicy", ("Merge", "Strict"), place)
    selinux = ("MountOption", "Recursive") if any_selinux else ("Recursive",)
    yield from _choice(context, "seLinuxChangePolicy", selinux, place)


def _choice(context: Document, name: str, choices: tuple[str, ...], path: str) -> Iterator[FieldError]:
    value = context.get(name)
    if value is not None and value not in choices:
        yield not_supported(f"{path}.{name}", value, choices)


def _sysctls(spec: Document, path: str) -> Iterator[FieldError]:
    seen: set[str] = set()
    for index, sysctl in enumerate(spec["securityContext"].get("sysctls") or ()):
        name, place = sysctl["name"], f"{path}[{index}].name"
        if not name:
            yield required(place)
        elif len(name) > 253 or not _is_sysctl(name):
            yield invalid(place, name, f"must have at most 253 characters and match regex {_SYSCTLS}")
        elif name in seen:
            yield duplicate(place, name)
        dotted = _dotted(name)
        if spec.get("hostNetwork") and dotted.startswith(_NET):
            yield invalid(place, name, "may not be specified when 'hostNetwork' is true")
        elif spec.get("hostIPC") and (dotted.startswith(_IPC) or dotted in _KERNEL):
            yield invalid(place, name, "may not be specified when 'hostIPC' is true")
        seen.add(name)


def _dotted(name: str) -> str:
    """A name with dots between its parts; if its first separator is a slash, slashes and dots changed places."""
    first = next((char for char in name if char in "./"), ".")
    return name if first == "." else name.translate(str.maketrans("./", "/."))


def check_container_security(context: Document, path: str, *, host_users: bool) -> Iterator[FieldError]:
    """What is wrong with what a container says for itself."""
    for name in ("runAsUser", "runAsGroup"):
        if name in context:
            yield from check_range(context[name], f"{path}.{name}", 0)
    if "procMount" in context:
        yield from _choice(context, "procMount", ("Default", "Unmasked"), path)
        if host_users and context["procMount"] == "Unmasked":
            yield invalid(f"{path}.procMount", "Unmasked", "`hostUsers` must be false to use `Unmasked`")
    if "seccompProfile" in context:
        yield from _seccomp(context["seccompProfile"], f"{path}.seccompProfile")
    if context.get("allowPrivilegeEscalation") is False:
        whole = "*core/v1.SecurityContext"
        why = "cannot set `allowPrivilegeEscalation` to false and "
        if context.get("privileged"):
            yield invalid_inner(path, context, whole, f"{why}`privileged` to true")
        for added in (context.get("capabilities") or {}).get("add") or ():
            if added == "CAP_SYS_ADMIN":
                yield invalid_inner(path, context, whole, f"{why}`capabilities.Add` CAP_SYS_ADMIN")
    if "windowsOptions" in context:
        yield from _windows(context["windowsOptions"], f"{path}.windowsOptions")
    if "appArmorProfile" in context:
        yield from check_apparmor(context["appArmorProfile"], f"{path}.appArmorProfile")


def _seccomp(profile: Document, path: str) -> Iterator[FieldError]:
    if not profile["type"]:
        yield required(f"{path}.type", "type is required when seccompProfile is set")
    elif profile["type"] not in _PROFILES:
        yield not_supported(f"{path}.type", profile["type"], _PROFILES)
    local = profile.get("localhostProfile")
    if profile["type"] == "Localhost":
        if local is None:
            yield required(f"{path}.localhostProfile", "must be set when seccomp type is Localhost")
        else:
            yield from check_descending(local, f"{path}.localhostProfile")
    elif local is not None:
        why = "can only be set when seccomp type is Localhost"
        yield invalid_inner(f"{path}.localhostProfile", profile, "*core/v1.SeccompProfile", why)


def check_apparmor(profile: Document, path: str) -> Iterator[FieldError]:
    """What is wrong with a profile of AppArmor."""
    kind, local = profile["type"], profile.get("localhostProfile")
    if kind == "Localhost":
        unset = required(f"{path}.localhostProfile", "must be set when AppArmor type is Localhost")
        if local is None:
            yield unset
            return
        if local != local.strip():
            yield invalid(f"{path}.localhostProfile", local, "must not be padded with whitespace")
        elif not local:
            yield unset
        if len(local.encode(errors="replace")) > _LONGEST_PROFILE:
            yield too_long(f"{path}.localhostProfile", _LONGEST_PROFILE)
    elif kind in _PROFILES:
        if local is not None:
            yield invalid(f"{path}.localhostProfile", local, "can only be set when AppArmor type is Localhost")
    elif not kind:
        yield required(f"{path}.type", "type is required when appArmorProfile is set")
    else:
        yield not_supported(f"{path}.type", kind, _PROFILES)


def _windows(options: Document, path: str) -> Iterator[FieldError]:
    if "gmsaCredentialSpecName" in options:
        yield from check_subdomain(options["gmsaCredentialSpecName"], f"{path}.gmsaCredentialSpecName")
    spec = options.get("gmsaCredentialSpec")
    if spec == "":
        yield invalid(f"{path}.gmsaCredentialSpec", spec, "gmsaCredentialSpec cannot be an empty string")
    elif spec is not None and len(spec.encode(errors="replace")) > _SPEC_LIMIT:
        yield invalid(f"{path}.gmsaCredentialSpec", spec, "gmsaCredentialSpec size must be under 64 KiB")
    user = options.get("runAsUserName")
    if user is not None:
        yield from (invalid(f"{path}.runAsUserName", user, complaint) for complaint in _user_name(user))


def _user_name(name: str) -> Iterator[str]:
    if not name:
        yield "runAsUserName cannot be an empty string"
        return
    if _control(name):
        yield "runAsUserName cannot contain control characters"
        return
    if name.count("\\") > 1:
        yield "runAsUserName cannot contain more than one backslash"
        return
    domain, has_domain, user = name.rpartition("\\")
    if len(domain.encode(errors="replace")) >= 256:
        yield "runAsUserName's Domain length must be under 256 characters"
    if has_domain and not _is_netbios(domain) and not _is_domain(domain):
        yield "runAsUserName's Domain doesn't match the NetBios nor the DNS format"
    if not user:
        yield "runAsUserName's User cannot be empty"
    elif len(user.encode(errors="replace")) > 104:
        yield "runAsUserName's User length must not be longer than 104 characters"
    if user and not user.strip(". "):
        yield "runAsUserName's User cannot contain only periods or spaces"
    if _bad_user(user):
        yield "runAsUserName's User cannot contain the following characters: \"/\\:;|=,+*?<>@[]"


def check_host_process(spec: Document, path: str) -> Iterator[FieldError]:
    """What is wrong with containers that are processes of a Windows host: all are, or none."""
    whole = (spec["securityContext"].get("windowsOptions") or {}).get("hostProcess")
    count = hosted = 0
    for kind in ("initContainers", "containers", "ephemeralContainers"):
        for index, container in enumerate(spec.get(kind) or ()):
            count += 1
            own = ((container.get("securityContext") or {}).get("windowsOptions") or {}).get("hostProcess")
            if whole is not None and own is not None and whole != own:
                place = f"{path}.{kind}[{index}].securityContext.windowsOptions.hostProcess"
                shown = str(whole).lower()
                yield invalid(place, own, f"pod hostProcess value must be identical if both are specified, was {shown}")
            hosted += bool(whole if own is None else own)
    if not hosted:
        return
    if hosted != count:
        why = "If pod contains any hostProcess containers then all containers must be HostProcess containers"
        yield invalid(path, "", why)
    if not spec.get("hostNetwork"):
        why = "hostNetwork must be true if pod contains any hostProcess containers"
        yield invalid(f"{path}.hostNetwork", False, why)


_OF_PODS: Final = (
    "appArmorProfile",
    "seLinuxOptions",
    "hostUsers",
    "hostPID",
    "hostIPC",
    "seccompProfile",
    "fsGroup",
    "fsGroupChangePolicy",
    "sysctls",
    "shareProcessNamespace",
    "runAsUser",
    "runAsGroup",
    "supplementalGroups",
    "supplementalGroupsPolicy",
    "seLinuxChangePolicy",
)
_OUTSIDE: Final = frozenset({"hostUsers", "hostPID", "hostIPC", "shareProcessNamespace"})
_OF_CONTAINERS: Final = (
    "appArmorProfile",
    "seLinuxOptions",
    "seccompProfile",
    "capabilities",
    "readOnlyRootFilesystem",
    "privileged",
    "allowPrivilegeEscalation",
    "procMount",
    "runAsUser",
    "runAsGroup",
)


def check_system(spec: Document, path: str) -> Iterator[FieldError]:
    """What is wrong with the operating system, and with what is said that it does not know."""
    name = spec["os"]["name"]
    if not name:
        yield required(f"{path}.os.name")
    elif name not in ("linux", "windows"):
        yield not_supported(f"{path}.os", name, ("linux", "windows"))
    elif name == "linux":
        yield from _unknown(
            spec, path, ("windowsOptions",), ("windowsOptions",), "windows options cannot be set for a linux pod"
        )
    else:
        yield from _unknown(spec, path, _OF_PODS, _OF_CONTAINERS, "cannot be set for a windows pod")


def _unknown(
    spec: Document, path: str, of_pods: tuple[str, ...], of_containers: tuple[str, ...], why: str
) -> Iterator[FieldError]:
    for name in of_pods:
        inside = name not in _OUTSIDE
        value = (spec["securityContext"] if inside else spec).get(name)
        # All these are there or not, but for lists and flags of hosts: they count if they are not empty or off.
        if value is not None and value != [] and not (name in ("hostPID", "hostIPC") and not value):
            yield forbidden(f"{path}.{'securityContext.' if inside else ''}{name}", why)
    for kind in ("initContainers", "containers", "ephemeralContainers"):
        for index, container in enumerate(spec.get(kind) or ()):
            for name in of_containers:
                if (container.get("securityContext") or {}).get(name) is not None:
                    yield forbidden(f"{path}.{kind}[{index}].securityContext.{name}", why)
