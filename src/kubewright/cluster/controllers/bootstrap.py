"""What is there before anyone has made anything: the objects of NS-2, as a fresh kube-apiserver makes them.

They are made in one order, so that a seed gives them the same identifiers, and only where they are missing: what a
user changed stays as it is over a restart, except that roles and bindings get back what they lack. Not made are flow
schemas and priority levels, for nobody heeds them here, and the endpoints of the API's service: an endpoint may not be
a loopback address, and the API serves on one.
"""

from typing import Final

from kubewright.cluster.auth.bootstrap import ensure_policy
from kubewright.cluster.call import Api, Document, timestamp
from kubewright.cluster.controllers.internal import Internal

__all__ = ["NAMESPACES", "bootstrap"]

_SYSTEM: Final = "kube-system"
#: Those that every cluster has.
NAMESPACES: Final = (_SYSTEM, "kube-public", "default", "kube-node-lease")
#: The first address of the range of services, and the range.
_ADDRESS: Final = "10.0.0.1"
_RANGE: Final = "10.0.0.0/24"
_NETWORK: Final = "networking.k8s.io"
_CLASSES: Final = (
    (
        "system-node-critical",
        2000001000,
        "Used for system critical pods that must not be moved from their current node.",
    ),
    (
        "system-cluster-critical",
        2000000000,
        "Used for system critical pods that must run in the cluster, but can be moved to another node if necessary.",
    ),
)


async def bootstrap(api: Api, *, certificate: str = "", port: int = 6443) -> None:
    """Make what is missing. `certificate` is of the authority of clients, if there is one; `port` is the API's."""
    client = Internal(api, "kube-apiserver")

    async def make(plural: str, namespace: str, document: Document, group: str = "") -> None:
        resource = client.resource(plural, group)
        if client.document(resource, namespace, document["metadata"]["name"]) is None:
            await client.create(resource, namespace, document)

    for name in NAMESPACES:
        await make("namespaces", "", {"metadata": {"name": name}})
    ensure_policy(api.store, api.entropy, timestamp())
    if certificate:
        trust = {
            "metadata": {"name": "extension-apiserver-authentication"},
            "data": {"client-ca-file": certificate},
        }
        await make("configmaps", _SYSTEM, trust)
    tracking = {
        "metadata": {"name": "kube-apiserver-legacy-service-account-token-tracking"},
        "data": {"since": timestamp()[:10]},
    }
    await make("configmaps", _SYSTEM, tracking)
    await make("servicecidrs", "", {"metadata": {"name": "kubernetes"}, "spec": {"cidrs": [_RANGE]}}, _NETWORK)
    await _say_ready(client)
    for name, value, description in _CLASSES:
        document = {
            "metadata": {"name": name},
            "value": value,
            "description": description,
            "preemptionPolicy": "PreemptLowerPriority",
        }
        await make("priorityclasses", "", document, "scheduling.k8s.io")
    await make("services", "default", _service(port))


async def _say_ready(client: Internal) -> None:
    """The range of services can be used; nobody else would say so."""
    ranges = client.resource("servicecidrs", _NETWORK)
    document = client.document(ranges, "", "kubernetes")
    if document is not None and not document["status"].get("conditions"):
        ready = {"type": "Ready", "status": "True", "lastTransitionTime": timestamp(), "reason": ""}
        document["status"] = {"conditions": [ready | {"message": "Kubernetes default Service CIDR is ready"}]}
        await client.update(ranges, "", "kubernetes", document, "status")


def _service(port: int) -> Document:
    """The service under which the API is found."""
    return {
        "metadata": {"name": "kubernetes", "labels": {"component": "apiserver", "provider": "kubernetes"}},
        "spec": {
            "clusterIP": _ADDRESS,
            "internalTrafficPolicy": "Cluster",
            "ipFamilyPolicy": "SingleStack",
            "ports": [{"name": "https", "port": 443, "protocol": "TCP", "targetPort": port}],
            "sessionAffinity": "None",
            "type": "ClusterIP",
        },
    }
