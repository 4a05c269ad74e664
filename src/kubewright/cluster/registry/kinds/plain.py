"""What these tables know of built-in kinds, on which those with defaults and rules of their own build.

Structure is checked when they are read; here it is seen to that the status is written through its own path alone, and
that the generation counts changes of what is wished for.
"""

from collections.abc import Callable
from operator import eq
from typing import Any

from kubewright.cluster.registry.rules.equality import same
from kubewright.cluster.registry.strategy import Strategy
from kubewright.schema.walk.errors import FieldError
from kubewright.schema.walk.names import path_segment

__all__ = ["PlainStatus", "PlainStrategy", "StatusAlone", "plain_strategy"]

Document = dict[str, Any]

#: PUT without a resourceVersion is refused.
_CONDITIONAL = frozenset(
    {
        "apiservices.apiregistration.k8s.io",
        "clustertrustbundles.certificates.k8s.io",
        "csidrivers.storage.k8s.io",
        "csinodes.storage.k8s.io",
        "csistoragecapacities.storage.k8s.io",
        "customresourcedefinitions.apiextensions.k8s.io",
        "leases.coordination.k8s.io",
        "mutatingadmissionpolicies.admissionregistration.k8s.io",
        "mutatingadmissionpolicybindings.admissionregistration.k8s.io",
        "mutatingwebhookconfigurations.admissionregistration.k8s.io",
        "poddisruptionbudgets.policy",
        "runtimeclasses.node.k8s.io",
        "storageversions.internal.apiserver.k8s.io",
        "validatingadmissionpolicies.admissionregistration.k8s.io",
        "validatingadmissionpolicybindings.admissionregistration.k8s.io",
        "validatingwebhookconfigurations.admissionregistration.k8s.io",
        "volumeattachments.storage.k8s.io",
    }
)
#: PUT makes what is not there.
_CREATED = frozenset(
    {
        "clusterrolebindings.rbac.authorization.k8s.io",
        "clusterroles.rbac.authorization.k8s.io",
        "endpoints",
        "events",
        "events.events.k8s.io",
        "leases.coordination.k8s.io",
        "limitranges",
        "rolebindings.rbac.authorization.k8s.io",
        "roles.rbac.authorization.k8s.io",
        "runtimeclasses.node.k8s.io",
        "services",
    }
)
#: DELETE answers with the object.
_RETURNED = frozenset(
    {
        "csidrivers.storage.k8s.io",
        "csinodes.storage.k8s.io",
        "deviceclasses.resource.k8s.io",
        "persistentvolumeclaims",
        "persistentvolumes",
        "pods",
        "podtemplates",
        "resourceclaims.resource.k8s.io",
        "resourceclaimtemplates.resource.k8s.io",
        "resourcequotas",
        "resourceslices.resource.k8s.io",
        "serviceaccounts",
        "services",
        "storageclasses.storage.k8s.io",
        "volumeattachments.storage.k8s.io",
        "volumeattributesclasses.storage.k8s.io",
    }
)
#: Dependents stay, unless the client says otherwise.
_ORPHANING = frozenset({"jobs.batch", "replicationcontrollers"})
#: Dependents are nobody's business.
_UNRELATED = frozenset({"events", "events.events.k8s.io"})
#: Any name will do that can stand in a path.
_FREELY_NAMED = frozenset(
    {
        "clusterrolebindings.rbac.authorization.k8s.io",
        "clusterroles.rbac.authorization.k8s.io",
        "events",
        "rolebindings.rbac.authorization.k8s.io",
        "roles.rbac.authorization.k8s.io",
    }
)
#: An update is judged as a new object is, once more.
_JUDGED_AGAIN = _FREELY_NAMED | {"serviceaccounts"}
#: The generation counts.
_COUNTED = frozenset(
    {
        "cronjobs.batch",
        "customresourcedefinitions.apiextensions.k8s.io",
        "daemonsets.apps",
        "deployments.apps",
        "deviceclasses.resource.k8s.io",
        "endpointslices.discovery.k8s.io",
        "flowschemas.flowcontrol.apiserver.k8s.io",
        "ingressclasses.networking.k8s.io",
        "ingresses.networking.k8s.io",
        "jobs.batch",
        "mutatingadmissionpolicies.admissionregistration.k8s.io",
        "mutatingadmissionpolicybindings.admissionregistration.k8s.io",
        "mutatingwebhookconfigurations.admissionregistration.k8s.io",
        "networkpolicies.networking.k8s.io",
        "poddisruptionbudgets.policy",
        "pods",
        "podtemplates",
        "priorityclasses.scheduling.k8s.io",
        "prioritylevelconfigurations.flowcontrol.apiserver.k8s.io",
        "replicasets.apps",
        "replicationcontrollers",
        "resourceslices.resource.k8s.io",
        "statefulsets.apps",
        "validatingadmissionpolicies.admissionregistration.k8s.io",
        "validatingadmissionpolicybindings.admissionregistration.k8s.io",
        "validatingwebhookconfigurations.admissionregistration.k8s.io",
    }
)


#: Of these an empty list or map is another wish than none, so that it is a new one each time.
_TO_THE_LETTER = frozenset(
    {
        "mutatingwebhookconfigurations.admissionregistration.k8s.io",
        "networkpolicies.networking.k8s.io",
        "validatingwebhookconfigurations.admissionregistration.k8s.io",
    }
)


class PlainStrategy(Strategy):
    """A built-in kind; one that differs, or knows more, overrides what does."""

    judged_again = False
    #: Whether a wish is as it was.
    alike: Callable[[Any, Any], bool] = staticmethod(same)

    def __init__(self, *, namespaced: bool, counted: bool, empty_status: Callable[[], Any] | None) -> None:
        super().__init__(namespaced=namespaced)
        self._counted = counted
        #: What the status of a new object is; None where it has no path of its own.
        self._empty_status = empty_status

    def prepare_create(self, obj: Document) -> None:
        if self._counted:
            obj["metadata"]["generation"] = 1
        else:
            obj["metadata"].pop("generation", None)
        if self._empty_status is not None and "status" in obj:
            obj["status"] = self._empty_status()

    def prepare_update(self, obj: Document, old: Document) -> None:
        if self._empty_status is not None and "status" in old:
            obj["status"] = old["status"]
        if self._counted and not self.alike(_wish(obj), _wish(old)):
            obj["metadata"]["generation"] = old["metadata"].get("generation", 0) + 1

    def validate_update(self, obj: Document, old: Document) -> list[FieldError]:
        errors = super().validate_update(obj, old)
        return errors + self.validate(obj) if self.judged_again else errors


class PlainStatus(Strategy):
    """The status of such a kind: all else stays as it was."""

    def prepare_update(self, obj: Document, old: Document) -> None:
        for name in [*obj]:
            if name not in ("metadata", "status", "kind", "apiVersion"):
                del obj[name]
        for name, value in old.items():
            if name not in ("metadata", "status"):
                obj[name] = value


class StatusAlone(PlainStatus):
    """The status of a kind of which the metadata stays as it was, too."""

    def prepare_update(self, obj: Document, old: Document) -> None:
        super().prepare_update(obj, old)
        meta, before = obj["metadata"], old["metadata"]
        for name in ("labels", "annotations", "finalizers", "ownerReferences"):
            meta.pop(name, None)
            if name in before:
                meta[name] = before[name]


def _wish(obj: Document) -> Document:
    return {name: value for name, value in obj.items() if name not in ("metadata", "status")}


def plain_strategy(
    qualified: str,
    *,
    namespaced: bool,
    empty_status: Callable[[], Any] | None,
    kind: type[PlainStrategy] = PlainStrategy,
) -> PlainStrategy:
    """The strategy of a resource, by the tables; of a class of its own if it has one."""
    strategy = kind(namespaced=namespaced, counted=qualified in _COUNTED, empty_status=empty_status)
    strategy.unconditional_update = qualified not in _CONDITIONAL
    strategy.create_on_update = qualified in _CREATED
    strategy.returns_deleted = qualified in _RETURNED
    strategy.judged_again = qualified in _JUDGED_AGAIN
    if qualified in _TO_THE_LETTER:
        strategy.alike = eq
    if qualified in _FREELY_NAMED:
        strategy.name_rule = path_segment
    if qualified in _ORPHANING:
        strategy.default_propagation = "Orphan"
    elif qualified in _UNRELATED:
        strategy.default_propagation = "Unsupported"
    return strategy
