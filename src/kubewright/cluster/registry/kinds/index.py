"""Where the rules of each built-in kind are written: a module of this package and a class in it.

They are imported when first needed, for most servers meet few of the kinds. A name with a slash is a subresource. What
is not listed is served by its structure and the tables of `plain` alone: its values are not validated.
"""

from importlib import import_module
from typing import Final

from kubewright.cluster.registry.strategy import Strategy

__all__ = ["STRATEGIES", "find_strategy", "strategy_modules"]

STRATEGIES: Final[dict[str, str]] = {
    "apiservices.apiregistration.k8s.io": "apiservice.ApiServiceStrategy",
    "apiservices.apiregistration.k8s.io/status": "apiservice.ApiServiceStatus",
    "clusterrolebindings.rbac.authorization.k8s.io": "rbac.ClusterBindingStrategy",
    "clusterroles.rbac.authorization.k8s.io": "rbac.ClusterRoleStrategy",
    "configmaps": "configmap.ConfigMapStrategy",
    "controllerrevisions.apps": "revision.ControllerRevisionStrategy",
    "cronjobs.batch": "cronjob.CronJobStrategy",
    "cronjobs.batch/status": "cronjob.CronJobStatus",
    "customresourcedefinitions.apiextensions.k8s.io": "crd.CrdStrategy",
    "customresourcedefinitions.apiextensions.k8s.io/status": "crd.CrdStatus",
    "daemonsets.apps": "daemonset.DaemonSetStrategy",
    "daemonsets.apps/status": "daemonset.DaemonSetStatus",
    "deployments.apps": "deployment.DeploymentStrategy",
    "deployments.apps/status": "deployment.DeploymentStatus",
    "endpoints": "endpoints.EndpointsStrategy",
    "endpointslices.discovery.k8s.io": "endpointslice.EndpointSliceStrategy",
    "ingressclasses.networking.k8s.io": "ingress.IngressClassStrategy",
    "ingresses.networking.k8s.io": "ingress.IngressStrategy",
    "ingresses.networking.k8s.io/status": "ingress.IngressStatus",
    "jobs.batch": "job.JobStrategy",
    "jobs.batch/status": "job.JobStatus",
    "limitranges": "limits.LimitRangeStrategy",
    "events": "event.EventStrategy",
    "events.events.k8s.io": "event.NewEventStrategy",
    "flowschemas.flowcontrol.apiserver.k8s.io/status": "plain.StatusAlone",
    "horizontalpodautoscalers.autoscaling": "autoscaler.strategy.AutoscalerStrategy",
    "horizontalpodautoscalers.autoscaling/status": "autoscaler.strategy.AutoscalerStatus",
    "ipaddresses.networking.k8s.io": "ipaddress.IPAddressStrategy",
    "leases.coordination.k8s.io": "lease.LeaseStrategy",
    "mutatingadmissionpolicies.admissionregistration.k8s.io": "registration.policies.MutatingPolicyStrategy",
    "mutatingadmissionpolicybindings.admissionregistration.k8s.io": "registration.policies.MutatingBindingStrategy",
    "mutatingwebhookconfigurations.admissionregistration.k8s.io": "registration.webhooks.MutatingStrategy",
    "namespaces": "namespace.NamespaceStrategy",
    "namespaces/finalize": "namespace.NamespaceFinalize",
    "namespaces/status": "namespace.NamespaceStatus",
    "networkpolicies.networking.k8s.io": "networkpolicy.NetworkPolicyStrategy",
    "nodes": "node.NodeStrategy",
    "nodes/status": "node.NodeStatus",
    "persistentvolumeclaims": "claim.ClaimStrategy",
    "persistentvolumeclaims/status": "claim.ClaimStatus",
    "persistentvolumes": "volume.VolumeStrategy",
    "persistentvolumes/status": "volume.VolumeStatus",
    "poddisruptionbudgets.policy": "budget.BudgetStrategy",
    "poddisruptionbudgets.policy/status": "budget.BudgetStatus",
    "pods": "pod.strategy.PodStrategy",
    "pods/ephemeralcontainers": "pod.strategy.PodEphemeral",
    "pods/resize": "pod.strategy.PodResize",
    "pods/status": "pod.strategy.PodStatus",
    "podtemplates": "podtemplate.PodTemplateStrategy",
    "priorityclasses.scheduling.k8s.io": "priority.PriorityClassStrategy",
    "prioritylevelconfigurations.flowcontrol.apiserver.k8s.io/status": "plain.StatusAlone",
    "replicasets.apps": "replicaset.ReplicaSetStrategy",
    "replicasets.apps/status": "replicaset.ReplicaSetStatus",
    "replicationcontrollers": "replicaset.ReplicationControllerStrategy",
    "replicationcontrollers/status": "replicaset.ReplicationControllerStatus",
    "resourceclaims.resource.k8s.io/status": "plain.StatusAlone",
    "resourcequotas": "quota.QuotaStrategy",
    "resourcequotas/status": "quota.QuotaStatus",
    "rolebindings.rbac.authorization.k8s.io": "rbac.BindingStrategy",
    "roles.rbac.authorization.k8s.io": "rbac.RoleStrategy",
    "secrets": "secret.SecretStrategy",
    "serviceaccounts": "account.AccountStrategy",
    "servicecidrs.networking.k8s.io/status": "plain.StatusAlone",
    "services": "service.ServiceStrategy",
    "services/status": "service.ServiceStatus",
    "statefulsets.apps": "statefulset.StatefulSetStrategy",
    "statefulsets.apps/status": "statefulset.StatefulSetStatus",
    "storageclasses.storage.k8s.io": "storageclass.StorageClassStrategy",
    "validatingadmissionpolicies.admissionregistration.k8s.io": "registration.policies.ValidatingPolicyStrategy",
    "validatingadmissionpolicies.admissionregistration.k8s.io/status": "registration.policies.ValidatingPolicyStatus",
    "validatingadmissionpolicybindings.admissionregistration.k8s.io": "registration.policies.ValidatingBindingStrategy",
    "validatingwebhookconfigurations.admissionregistration.k8s.io": "registration.webhooks.ValidatingStrategy",
    "volumeattachments.storage.k8s.io/status": "plain.StatusAlone",
}


def find_strategy(qualified: str) -> type[Strategy] | None:
    """The class of a resource's or subresource's strategy, if it has one of its own."""
    place = STRATEGIES.get(qualified)
    if place is None:
        return None
    module, _, name = place.rpartition(".")
    found: type[Strategy] = getattr(import_module(f"{__package__}.{module}"), name)
    return found


def strategy_modules() -> list[str]:
    """The modules of all of them, to be loaded together."""
    return list(dict.fromkeys(f"{__package__}.{place.rpartition('.')[0]}" for place in STRATEGIES.values()))
