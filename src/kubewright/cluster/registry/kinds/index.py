"""Where the rules of each built-in kind are written: a module of this package and a class in it.

They are imported when first needed, for most servers meet few of the kinds. A name with a slash is a subresource. What
is not listed is served by its structure and the tables of `plain` alone: its values are not validated.
"""

from importlib import import_module
from typing import Final

from kubewright.cluster.registry.strategy import Strategy

__all__ = ["STRATEGIES", "find_strategy"]

STRATEGIES: Final[dict[str, str]] = {
    "apiservices.apiregistration.k8s.io": "apiservice.ApiServiceStrategy",
    "apiservices.apiregistration.k8s.io/status": "apiservice.ApiServiceStatus",
    "clusterrolebindings.rbac.authorization.k8s.io": "rbac.ClusterBindingStrategy",
    "clusterroles.rbac.authorization.k8s.io": "rbac.ClusterRoleStrategy",
    "configmaps": "configmap.ConfigMapStrategy",
    "customresourcedefinitions.apiextensions.k8s.io": "crd.CrdStrategy",
    "customresourcedefinitions.apiextensions.k8s.io/status": "crd.CrdStatus",
    "mutatingadmissionpolicies.admissionregistration.k8s.io": "registration.policies.MutatingPolicyStrategy",
    "mutatingadmissionpolicybindings.admissionregistration.k8s.io": "registration.policies.MutatingBindingStrategy",
    "mutatingwebhookconfigurations.admissionregistration.k8s.io": "registration.webhooks.MutatingStrategy",
    "namespaces": "namespace.NamespaceStrategy",
    "namespaces/finalize": "namespace.NamespaceFinalize",
    "namespaces/status": "namespace.NamespaceStatus",
    "pods": "pod.strategy.PodStrategy",
    "pods/ephemeralcontainers": "pod.strategy.PodEphemeral",
    "pods/resize": "pod.strategy.PodResize",
    "pods/status": "pod.strategy.PodStatus",
    "rolebindings.rbac.authorization.k8s.io": "rbac.BindingStrategy",
    "roles.rbac.authorization.k8s.io": "rbac.RoleStrategy",
    "secrets": "secret.SecretStrategy",
    "validatingadmissionpolicies.admissionregistration.k8s.io": "registration.policies.ValidatingPolicyStrategy",
    "validatingadmissionpolicies.admissionregistration.k8s.io/status": "registration.policies.ValidatingPolicyStatus",
    "validatingadmissionpolicybindings.admissionregistration.k8s.io": "registration.policies.ValidatingBindingStrategy",
    "validatingwebhookconfigurations.admissionregistration.k8s.io": "registration.webhooks.ValidatingStrategy",
}


def find_strategy(qualified: str) -> type[Strategy] | None:
    """The class of a resource's or subresource's strategy, if it has one of its own."""
    place = STRATEGIES.get(qualified)
    if place is None:
        return None
    module, _, name = place.rpartition(".")
    found: type[Strategy] = getattr(import_module(f"{__package__}.{module}"), name)
    return found
