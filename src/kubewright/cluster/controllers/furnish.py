"""What every namespace has: a ServiceAccount `default`, a ConfigMap with the certificate of the cluster's authority.

Here is what they are, and when somebody has to see to them (`account_wakers`, `certificate_wakers`). The namespaces of
a fresh cluster get theirs from `furnish`, so that nobody needs to wake up for them.
"""

from collections.abc import Iterable
from typing import Final

import msgspec

from kubewright.cluster.call import Document
from kubewright.cluster.controllers.internal import Internal
from kubewright.cluster.controllers.sleeper import Waker
from kubewright.cluster.controllers.terminate import is_ending
from kubewright.cluster.store import Record, Store

__all__ = [
    "ACCOUNT",
    "CERTIFICATE",
    "account",
    "account_wakers",
    "certificate_map",
    "certificate_wakers",
    "furnish",
    "put_right",
]

#: The name of the ServiceAccount, and that of the ConfigMap.
ACCOUNT: Final = "default"
CERTIFICATE: Final = "kube-root-ca.crt"
_DESCRIPTION: Final = "kubernetes.io/description"
_TEXT: Final = (
    "Contains a CA bundle that can be used to verify the kube-apiserver when using internal endpoints such as the "
    "internal service IP or kubernetes.default.svc. No other usage is guaranteed across distributions of Kubernetes "
    "clusters."
)


def account() -> Document:
    """The account that pods act for if they name none."""
    return {"apiVersion": "v1", "kind": "ServiceAccount", "metadata": {"name": ACCOUNT}}


def certificate_map(certificate: str) -> Document:
    """What makes the certificate known."""
    return {
        "apiVersion": "v1",
        "kind": "ConfigMap",
        "metadata": {"name": CERTIFICATE, "annotations": {_DESCRIPTION: _TEXT}},
        "data": {"ca.crt": certificate},
    }


def put_right(found: Document, certificate: str) -> Document | None:
    """What the map is to be changed to; None if it is well as it is."""
    data = {"ca.crt": certificate}
    annotations = found["metadata"].get("annotations") or {}
    if found.get("data") == data and annotations.get(_DESCRIPTION):
        return None
    metadata = found["metadata"] | {"annotations": annotations | {_DESCRIPTION: _TEXT}}
    return found | {"metadata": metadata, "data": data}


async def furnish(client: Internal, namespaces: Iterable[str], documents: Iterable[Document]) -> None:
    """Make what some namespaces lack of these objects."""
    objects = [(client.resource(f"{document['kind'].lower()}s"), document) for document in documents]
    for namespace in namespaces:
        for resource, document in objects:
            if client.document(resource, namespace, document["metadata"]["name"]) is None:
                await client.create(resource, namespace, document)


# -- who has to wake up


def account_wakers(store: Store) -> tuple[Waker, ...]:
    """A namespace without its account, or the end of an account."""
    return (
        Waker("/namespaces/", lambda record: _lacks(store, record, "serviceaccounts", ACCOUNT)),
        Waker("/serviceaccounts/", lambda record: _is_missed(store, record, ACCOUNT)),
    )


def certificate_wakers(store: Store, certificate: str) -> tuple[Waker, ...]:
    """A namespace without its map, the end of a map, or one that says something else."""

    def differs(record: Record) -> bool:
        if not record.key.endswith(f"/{CERTIFICATE}"):
            return False
        if record.value is None:
            return _is_missed(store, record, CERTIFICATE)
        return put_right(msgspec.json.decode(record.value), certificate) is not None

    return (
        Waker("/namespaces/", lambda record: _lacks(store, record, "configmaps", CERTIFICATE)),
        Waker("/configmaps/", differs),
    )


def _lacks(store: Store, record: Record, plural: str, name: str) -> bool:
    """Whether a namespace is there to stay and has no such object."""
    namespace = record.key.rpartition("/")[2]
    return _stays(record) and store.get(f"/{plural}/{namespace}/{name}") is None


def _is_missed(store: Store, record: Record, name: str) -> bool:
    """Whether an object of that name is gone from a namespace that is there to stay."""
    _, _, namespace, own = record.key.split("/", 3)
    return own == name and record.value is None and _stays(store.get(f"/namespaces/{namespace}"))


def _stays(namespace: Record | None) -> bool:
    return namespace is not None and namespace.value is not None and not is_ending(namespace)
