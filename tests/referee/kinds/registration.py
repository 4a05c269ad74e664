"""Webhooks and policies, none of which is about anything that is there; and servers of groups that nobody serves."""

from tests.referee.kinds.kind import Kind, kind

__all__ = ["KINDS"]

_PATH = "/apis/admissionregistration.k8s.io/v1"
_API = "admissionregistration.k8s.io/v1"
_RULE = {
    "operations": ["CREATE", "UPDATE"],
    "apiGroups": ["nobody.example.com"],
    "apiVersions": ["v1"],
    "resources": ["things", "others/status"],
    "scope": "Namespaced",
}
_SELECTOR = {"matchLabels": {"a": "b"}, "matchExpressions": [{"key": "k", "operator": "In", "values": ["v"]}]}
_SERVICE = {"namespace": "n", "name": "s", "path": "/p/q", "port": 8443}
_HOOK = {
    "name": "a.b.example.com",
    "clientConfig": {"service": _SERVICE, "caBundle": "AAE="},
    "rules": [_RULE],
    "failurePolicy": "Ignore",
    "matchPolicy": "Exact",
    "namespaceSelector": _SELECTOR,
    "objectSelector": {"matchLabels": {"a": "b"}},
    "sideEffects": "None",
    "timeoutSeconds": 5,
    "admissionReviewVersions": ["v1", "v1beta1"],
    "matchConditions": [{"name": "c", "expression": "true"}],
}
_LEAST = {
    "name": "a.b.example.com",
    "clientConfig": {"url": "https://example.com/p"},
    "sideEffects": "None",
    "admissionReviewVersions": ["v1"],
}
_RESOURCES = {
    "namespaceSelector": _SELECTOR,
    "objectSelector": {},
    "matchPolicy": "Exact",
    "resourceRules": [{**_RULE, "resourceNames": ["x"]}],
    "excludeResourceRules": [_RULE],
}
_ONLY = {"resourceRules": [_RULE]}
_VALIDATING = {
    "failurePolicy": "Ignore",
    "paramKind": {"apiVersion": "v1", "kind": "ConfigMap"},
    "matchConstraints": _RESOURCES,
    "matchConditions": [{"name": "c", "expression": "true"}],
    "variables": [{"name": "x", "expression": "1"}],
    "validations": [{"expression": "true", "message": "m", "messageExpression": "'m'", "reason": "Invalid"}],
    "auditAnnotations": [{"key": "k", "valueExpression": "'v'"}],
}
_MUTATING = {
    "failurePolicy": "Ignore",
    "paramKind": {"apiVersion": "v1", "kind": "ConfigMap"},
    "matchConstraints": _RESOURCES,
    "matchConditions": [{"name": "c", "expression": "true"}],
    "variables": [{"name": "x", "expression": "1"}],
    "reinvocationPolicy": "Never",
    "mutations": [
        {"patchType": "ApplyConfiguration", "applyConfiguration": {"expression": "Object{}"}},
        {"patchType": "JSONPatch", "jsonPatch": {"expression": "[JSONPatch{op: 'add', path: '/x', value: 1}]"}},
    ],
}
_BINDING = {
    "policyName": "p",
    "paramRef": {"name": "c", "namespace": "n", "parameterNotFoundAction": "Deny"},
    "matchResources": _RESOURCES,
}
_SELECTED = {"policyName": "p", "paramRef": {"selector": _SELECTOR, "parameterNotFoundAction": "Allow"}}

KINDS: dict[str, Kind] = {
    "ValidatingWebhookConfiguration": kind(
        f"{_PATH}/validatingwebhookconfigurations",
        _API,
        "ValidatingWebhookConfiguration",
        variants=({"webhooks": [_LEAST]}, {}),
        cluster=True,
        webhooks=[_HOOK],
    ),
    "MutatingWebhookConfiguration": kind(
        f"{_PATH}/mutatingwebhookconfigurations",
        _API,
        "MutatingWebhookConfiguration",
        variants=({"webhooks": [_LEAST]}, {}),
        cluster=True,
        webhooks=[{**_HOOK, "reinvocationPolicy": "IfNeeded"}],
    ),
    "ValidatingAdmissionPolicy": kind(
        f"{_PATH}/validatingadmissionpolicies",
        _API,
        "ValidatingAdmissionPolicy",
        variants=({"spec": {"matchConstraints": _ONLY, "validations": [{"expression": "true"}]}},),
        cluster=True,
        spec=_VALIDATING,
    ),
    "ValidatingAdmissionPolicyBinding": kind(
        f"{_PATH}/validatingadmissionpolicybindings",
        _API,
        "ValidatingAdmissionPolicyBinding",
        variants=(
            {"spec": {"policyName": "p", "validationActions": ["Audit", "Warn"]}},
            {"spec": {**_SELECTED, "validationActions": ["Deny"]}},
        ),
        cluster=True,
        spec={**_BINDING, "validationActions": ["Deny"]},
    ),
    "MutatingAdmissionPolicy": kind(
        f"{_PATH}/mutatingadmissionpolicies",
        _API,
        "MutatingAdmissionPolicy",
        variants=({"spec": {**_MUTATING, "matchConstraints": _ONLY, "paramKind": None, "variables": []}},),
        cluster=True,
        spec=_MUTATING,
    ),
    "MutatingAdmissionPolicyBinding": kind(
        f"{_PATH}/mutatingadmissionpolicybindings",
        _API,
        "MutatingAdmissionPolicyBinding",
        variants=({"spec": {"policyName": "p"}}, {"spec": _SELECTED}),
        cluster=True,
        spec=_BINDING,
    ),
    "APIService": kind(
        "/apis/apiregistration.k8s.io/v1/apiservices",
        "apiregistration.k8s.io/v1",
        "APIService",
        variants=(
            {
                "spec": {
                    "group": "new-{own}",
                    "version": "v1",
                    "groupPriorityMinimum": 10,
                    "versionPriority": 5,
                    "service": {"namespace": "n", "name": "s"},
                    "insecureSkipTLSVerify": True,
                }
            },
        ),
        cluster=True,
        spec={
            "group": "{own}.example.com",
            "version": "v1",
            "groupPriorityMinimum": 1000,
            "versionPriority": 15,
            "service": {"namespace": "n", "name": "s", "port": 8443},
            "caBundle": "AAE=",
            "insecureSkipTLSVerify": False,
        },
    ),
}
