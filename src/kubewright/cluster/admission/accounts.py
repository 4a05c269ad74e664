"""A pod acts for a service account, which must be there; a token of it is laid where programs in the pod look for it.

Where nobody makes the accounts that every namespace has, pods need none either: without the controller of service
accounts this is off in namespaces that have no such account. One that has it got it from somebody else's controller.
"""

import asyncio
from collections.abc import Iterator
from typing import Any, Final

import msgspec

from kubewright.cluster.admission.chain import refused
from kubewright.cluster.call import Call

__all__ = ["check_secrets", "give_account"]

Document = dict[str, Any]

_DEFAULT: Final = "default"
_MIRROR: Final = "kubernetes.io/config.mirror"
_ENFORCE: Final = "kubernetes.io/enforce-mountable-secrets"
_TRUE: Final = frozenset({"1", "t", "T", "TRUE", "true", "True"})
_VOLUME: Final = "kube-api-access-"
_PLACE: Final = "/var/run/secrets/kubernetes.io/serviceaccount"
#: The account of a new namespace is made a moment after it: how long is waited for it, by and by.
_PATIENCE: Final = (0.0, 0.0, 0.01, 0.02, 0.05, 0.1, 0.2, 0.3, 0.4, 0.5)


async def give_account(call: Call, pod: Document, old: Document | None) -> None:
    """Give a new pod its account, a token and what the account has for pulling images."""
    if old is not None or not _is_on(call):
        return
    spec = pod["spec"]
    if _MIRROR in (pod["metadata"].get("annotations") or {}):
        _check_mirror(call, pod)
        return
    if not spec.get("serviceAccountName"):
        spec["serviceAccountName"] = spec["serviceAccount"] = _DEFAULT
    account = await _account(call, pod)
    automount = spec.get("automountServiceAccountToken", account.get("automountServiceAccountToken", True))
    if automount:
        _mount(call, spec)
    pulling = [{"name": each["name"]} if "name" in each else {} for each in account.get("imagePullSecrets") or []]
    if not spec.get("imagePullSecrets") and pulling:
        spec["imagePullSecrets"] = pulling
    if _is_enforcing(account) and (why := next(_foreign(account, pod), None)):
        raise refused(call, pod, why)


async def check_secrets(call: Call, pod: Document, old: Document | None) -> None:
    """An ephemeral container may name no secrets that the account may not mount."""
    if not _is_on(call):
        return
    if not pod["spec"].get("serviceAccountName"):
        raise refused(call, pod, f"no service account specified for pod {call.namespace}/{pod['metadata']['name']}")
    account = await _account(call, pod)
    if _is_enforcing(account):
        containers = pod["spec"].get("ephemeralContainers") or []
        if why := next(_foreign_environment(account, "ephemeral container", containers), None):
            raise refused(call, pod, why)


def _is_on(call: Call) -> bool:
    return call.api.accounts or _stored(call, _DEFAULT) is not None


def _stored(call: Call, name: str) -> bytes | None:
    record = call.api.store.get(f"/serviceaccounts/{call.namespace}/{name}")
    return None if record is None else record.value


async def _account(call: Call, pod: Document) -> Document:
    """The account of a pod; that of every namespace is waited for."""
    name = pod["spec"]["serviceAccountName"]
    for delay in _PATIENCE if name == _DEFAULT else (0.0,):
        if (stored := _stored(call, name)) is not None:
            found: Document = msgspec.json.decode(stored)
            return found
        await asyncio.sleep(delay)
    why = f'serviceaccount "{name}" not found'
    raise refused(call, pod, f"error looking up service account {call.namespace}/{name}: {why}")


def _check_mirror(call: Call, pod: Document) -> None:
    """A pod that only mirrors one of a node may name nothing that the node could not know."""
    if pod["spec"].get("serviceAccountName"):
        raise refused(call, pod, "a mirror pod may not reference service accounts")
    if next(_secrets(pod["spec"]), None) is not None:
        raise refused(call, pod, "a mirror pod may not reference secrets")
    for volume in pod["spec"].get("volumes") or []:
        for source in (volume.get("projected") or {}).get("sources") or []:
            if "serviceAccountToken" in source:
                raise refused(call, pod, "a mirror pod may not use ServiceAccountToken volume projections")


def _mount(call: Call, spec: Document) -> None:
    """Mount a token in every container that has nothing at its place."""
    volumes: list[Document] = spec.get("volumes") or []
    there = next((each["name"] for each in volumes if each.get("name", "").startswith(_VOLUME)), None)
    containers = [*(spec.get("initContainers") or []), *(spec.get("containers") or [])]
    bare = [
        each for each in containers if all(one.get("mountPath") != _PLACE for one in each.get("volumeMounts") or [])
    ]
    if not bare:
        return
    name = there or _VOLUME + call.api.entropy.suffix(5)
    for container in bare:
        mount = {"name": name, "readOnly": True, "mountPath": _PLACE}
        container["volumeMounts"] = [*(container.get("volumeMounts") or []), mount]
    if there is None:
        spec["volumes"] = [*volumes, {"name": name, "projected": _token_volume()}]


def _token_volume() -> Document:
    root = {"name": "kube-root-ca.crt", "items": [{"key": "ca.crt", "path": "ca.crt"}]}
    namespace = {"path": "namespace", "fieldRef": {"apiVersion": "v1", "fieldPath": "metadata.namespace"}}
    return {
        "sources": [
            {"serviceAccountToken": {"expirationSeconds": 3607, "path": "token"}},
            {"configMap": root},
            {"downwardAPI": {"items": [namespace]}},
        ],
        "defaultMode": 420,
    }


def _is_enforcing(account: Document) -> bool:
    """Whether an account limits which secrets its pods may name."""
    return (account["metadata"].get("annotations") or {}).get(_ENFORCE) in _TRUE


def _foreign(account: Document, pod: Document) -> Iterator[str]:
    """What a pod names though its account does not."""
    mine, name, spec = _names(account, "secrets"), account["metadata"]["name"], pod["spec"]
    for volume in spec.get("volumes") or []:
        if "secret" in volume and (secret := volume["secret"].get("secretName", "")) not in mine:
            what = f'volume with secret.secretName="{secret}"'
            yield f"{what} is not allowed because service account {name} does not reference that secret"
    yield from _foreign_environment(account, "init container", spec.get("initContainers") or [])
    yield from _foreign_environment(account, "container", spec.get("containers") or [])
    pulling = _names(account, "imagePullSecrets")
    for index, each in enumerate(spec.get("imagePullSecrets") or []):
        if (secret := each.get("name", "")) not in pulling:
            what = f'imagePullSecrets[{index}].name="{secret}"'
            yield f"{what} is not allowed because service account {name} does not reference that imagePullSecret"


def _foreign_environment(account: Document, what: str, containers: list[Document]) -> Iterator[str]:
    mine, name = _names(account, "secrets"), account["metadata"]["name"]
    for container in containers:
        for place, secret in _environment(container):
            if secret not in mine:
                told = f'{what} {container["name"]} with {place} referencing secret.secretName="{secret}"'
                yield f"{told} is not allowed because service account {name} does not reference that secret"


def _environment(container: Document) -> Iterator[tuple[str, str]]:
    """The secrets that a container's environment comes from, and where they are named."""
    for each in container.get("env") or []:
        if (key := (each.get("valueFrom") or {}).get("secretKeyRef")) is not None:
            yield f"envVar {each['name']}", key.get("name", "")
    for each in container.get("envFrom") or []:
        if "secretRef" in each:
            yield "envFrom", each["secretRef"].get("name", "")


def _names(account: Document, field: str) -> set[str]:
    return {each.get("name", "") for each in account.get(field) or []}


def _secrets(spec: Document) -> Iterator[str]:
    """Every secret that a pod names, as far as it can be mounted or read."""
    for each in spec.get("imagePullSecrets") or []:
        yield each.get("name", "")
    for field in ("initContainers", "containers", "ephemeralContainers"):
        for container in spec.get(field) or []:
            for _, secret in _environment(container):
                yield secret
    for volume in spec.get("volumes") or []:
        for kind in ("secret", "azureFile"):
            if kind in volume:
                yield volume[kind].get("secretName", "")
        for source in volume.values():
            for name in ("secretRef", "nodePublishSecretRef"):
                if isinstance(source, dict) and (named := (source.get(name) or {}).get("name")):
                    yield named
        for source in (volume.get("projected") or {}).get("sources") or []:
            if "secret" in source:
                yield source["secret"].get("name", "")
