"""Columns of what says who may do what, and when: roles, admission, budgets, leases, priorities, certificates."""

from datetime import datetime
from typing import Any, Final

from kubewright.cluster.registry.age import duration
from kubewright.cluster.registry.columns import Columns, Document
from kubewright.cluster.registry.printers.lookup import at, created, table

__all__ = ["PRINTERS"]


def _budget(obj: Document, now: datetime) -> list[Any]:
    return [
        str(at(obj, "spec", "minAvailable", default="N/A")),
        str(at(obj, "spec", "maxUnavailable", default="N/A")),
        at(obj, "status", "disruptionsAllowed", default=0),
        created(obj, now),
    ]


def _binding(obj: Document, now: datetime) -> list[Any]:
    role, subjects = obj.get("roleRef") or {}, obj.get("subjects") or ()

    def named(kind: str) -> list[str]:
        return [each.get("name", "") for each in subjects if each.get("kind") == kind]

    accounts = [
        f"{each.get('namespace', '')}/{each.get('name', '')}".lstrip("/")
        for each in subjects
        if each.get("kind") == "ServiceAccount"
    ]
    people = [", ".join(names) for names in (named("User"), named("Group"), accounts)]
    return [f"{role.get('kind', '')}/{role.get('name', '')}", created(obj, now), *people]


def _webhooks(obj: Document, now: datetime) -> list[Any]:
    return [len(obj.get("webhooks") or ()), created(obj, now)]


def _param_kind(obj: Document) -> str:
    kind = at(obj, "spec", "paramKind")
    return "<unset>" if kind is None else f"{kind.get('apiVersion', '')}/{kind.get('kind', '')}"


def _validating_policy(obj: Document, now: datetime) -> list[Any]:
    return [len(at(obj, "spec", "validations", default=[])), _param_kind(obj), created(obj, now)]


def _mutating_policy(obj: Document, now: datetime) -> list[Any]:
    return [len(at(obj, "spec", "mutations", default=[])), _param_kind(obj), created(obj, now)]


def _policy_binding(obj: Document, now: datetime) -> list[Any]:
    params = at(obj, "spec", "paramRef")
    shown = "<unset>"
    if params is not None and params.get("name"):
        shown = f"{params.get('namespace') or '*'}/{params['name']}"
    elif params is not None and params.get("selector") is not None:
        shown = _go_selector(params["selector"])
    return [at(obj, "spec", "policyName", default=""), shown, created(obj, now)]


def _go_selector(selector: Document) -> str:
    """A selector as Go prints the struct."""
    labels = selector.get("matchLabels") or {}
    pairs = "".join(f"{name}: {labels[name]}," for name in sorted(labels))
    rules = "".join(
        "LabelSelectorRequirement{"
        f"Key:{each['key']},Operator:{each['operator']},Values:[{' '.join(each.get('values') or ())}],}},"
        for each in selector.get("matchExpressions") or ()
    )
    expressions = f"MatchExpressions:[]LabelSelectorRequirement{{{rules}}},"
    return f"&LabelSelector{{MatchLabels:map[string]string{{{pairs}}},{expressions}}}"


def _lease(obj: Document, now: datetime) -> list[Any]:
    return [at(obj, "spec", "holderIdentity", default=""), created(obj, now)]


def _priority_class(obj: Document, now: datetime) -> list[Any]:
    return [
        obj.get("value", 0),
        bool(obj.get("globalDefault")),
        created(obj, now),
        at(obj, "preemptionPolicy", default=""),
    ]


def _runtime_class(obj: Document, now: datetime) -> list[Any]:
    return [obj.get("handler", ""), created(obj, now)]


def _signing_request(obj: Document, now: datetime) -> list[Any]:
    kinds = {each.get("type") for each in at(obj, "status", "conditions", default=[])}
    state = "Denied" if "Denied" in kinds else "Approved" if "Approved" in kinds else "Pending"
    state += ",Failed" if "Failed" in kinds else ""
    state += ",Issued" if at(obj, "status", "certificate") else ""
    seconds = at(obj, "spec", "expirationSeconds")
    return [
        created(obj, now),
        at(obj, "spec", "signerName", default="") or "<none>",
        at(obj, "spec", "username", default=""),
        "<none>" if seconds is None else duration(seconds),
        state,
    ]


def _flow_schema(obj: Document, now: datetime) -> list[Any]:
    conditions = at(obj, "status", "conditions", default=[])
    dangling = next((each.get("status", "") for each in conditions if each.get("type") == "Dangling"), "?")
    return [
        at(obj, "spec", "priorityLevelConfiguration", "name", default=""),
        at(obj, "spec", "matchingPrecedence", default=0),
        at(obj, "spec", "distinguisherMethod", "type", default="<none>"),
        created(obj, now),
        dangling,
    ]


def _priority_level(obj: Document, now: datetime) -> list[Any]:
    limited = at(obj, "spec", "limited")
    queuing = at(limited, "limitResponse", "queuing")
    shares = "<none>" if limited is None else at(limited, "nominalConcurrencyShares", default=0)
    queues = [
        "<none>" if queuing is None else queuing.get(name, 0) for name in ("queues", "handSize", "queueLengthLimit")
    ]
    return [at(obj, "spec", "type", default=""), shares, *queues, created(obj, now)]


def _api_service(obj: Document, now: datetime) -> list[Any]:
    service = at(obj, "spec", "service")
    conditions = at(obj, "status", "conditions", default=[])
    available = next((each for each in conditions if each.get("type") == "Available"), None)
    shown = "Unknown"
    if available is not None:
        why = f" ({available.get('reason', '')})" if available.get("status") != "True" else ""
        shown = available.get("status", "") + why
    place = "Local" if service is None else f"{service.get('namespace', '')}/{service.get('name', '')}"
    return [place, shown, created(obj, now)]


def _resource_claim(obj: Document, now: datetime) -> list[Any]:
    gone, allocation = at(obj, "metadata", "deletionTimestamp"), at(obj, "status", "allocation")
    states = ["deleted"] if gone else []
    if allocation is not None:
        states += ["allocated", "reserved"] if at(obj, "status", "reservedFor") else ["allocated"]
    elif not gone:
        states.append("pending")
    return [",".join(states), created(obj, now)]


def _resource_slice(obj: Document, now: datetime) -> list[Any]:
    return [
        at(obj, "spec", "nodeName", default=""),
        at(obj, "spec", "driver", default=""),
        at(obj, "spec", "pool", "name", default=""),
        created(obj, now),
    ]


_ADMISSION: Final = "admissionregistration.k8s.io"
_RBAC: Final = "rbac.authorization.k8s.io"
_FLOW: Final = "flowcontrol.apiserver.k8s.io"
_BINDING: Final = table("Role, Age, +Users, +Groups, +ServiceAccounts", _binding)
_WEBHOOKS: Final = table("Webhooks:integer, Age", _webhooks)
_POLICY_BINDING: Final = table("PolicyName, ParamRef, Age", _policy_binding)
PRINTERS: Final[dict[tuple[str, str], Columns]] = {
    (_ADMISSION, "MutatingAdmissionPolicy"): table("Mutations:integer, ParamKind, Age", _mutating_policy),
    (_ADMISSION, "MutatingAdmissionPolicyBinding"): _POLICY_BINDING,
    (_ADMISSION, "MutatingWebhookConfiguration"): _WEBHOOKS,
    (_ADMISSION, "ValidatingAdmissionPolicy"): table("Validations:integer, ParamKind, Age", _validating_policy),
    (_ADMISSION, "ValidatingAdmissionPolicyBinding"): _POLICY_BINDING,
    (_ADMISSION, "ValidatingWebhookConfiguration"): _WEBHOOKS,
    ("apiregistration.k8s.io", "APIService"): table("Service, Available, Age", _api_service),
    ("certificates.k8s.io", "CertificateSigningRequest"): table(
        "Age, SignerName, Requestor, RequestedDuration, Condition", _signing_request
    ),
    ("coordination.k8s.io", "Lease"): table("Holder, Age", _lease),
    (_FLOW, "FlowSchema"): table(
        "PriorityLevel, MatchingPrecedence, DistinguisherMethod, Age, MissingPL", _flow_schema
    ),
    (_FLOW, "PriorityLevelConfiguration"): table(
        "Type, NominalConcurrencyShares, Queues, HandSize, QueueLengthLimit, Age", _priority_level
    ),
    ("node.k8s.io", "RuntimeClass"): table("Handler, Age", _runtime_class),
    ("policy", "PodDisruptionBudget"): table(
        "Min Available, Max Unavailable, Allowed Disruptions:integer, Age", _budget
    ),
    (_RBAC, "ClusterRoleBinding"): _BINDING,
    (_RBAC, "RoleBinding"): _BINDING,
    ("resource.k8s.io", "ResourceClaim"): table("State, Age", _resource_claim),
    ("resource.k8s.io", "ResourceSlice"): table("Node, Driver, Pool, Age", _resource_slice),
    ("scheduling.k8s.io", "PriorityClass"): table(
        "Value:integer, Global-Default:boolean, Age, PreemptionPolicy", _priority_class
    ),
}
