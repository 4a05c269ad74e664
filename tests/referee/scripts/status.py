"""The status of built-in kinds: what is filled in, what is refused, and what its path leaves alone."""

from tests.referee.language import Step, edited, get, patch, post, put, script
from tests.referee.objects import Document

NODE = "/api/v1/nodes/a-{own}"
POLICIES = "/apis/admissionregistration.k8s.io/v1/validatingadmissionpolicies"
SCHEMAS = "/apis/flowcontrol.apiserver.k8s.io/v1/flowschemas"
ATTACHMENTS = "/apis/storage.k8s.io/v1/volumeattachments"
OWNER = {"apiVersion": "v1", "kind": "Node", "name": "n", "uid": "00000000-0000-4000-8000-000000000001"}
CONDITION = {
    "type": "Ready",
    "status": "True",
    "reason": "Fine",
    "message": "it is",
    "lastTransitionTime": "2024-01-02T03:04:05Z",
}
#: Metadata that the path of a status may or may not take.
OTHERS: tuple[Document, ...] = (
    {"labels": {"z": "y"}},
    {"labels": {"a": None}},
    {"annotations": {"z": "y"}},
    {"finalizers": ["example.com/x"]},
    {"ownerReferences": [OWNER]},
    {"labels": {"bad key": "y"}},
)


def left_alone(path: str, status: Document) -> tuple[Step, ...]:
    """A status that is written together with metadata; the last write stays."""
    return (
        *(patch(f"{path}/status?dryRun=All", "merge", {"metadata": each, "status": status}) for each in OTHERS),
        put(f"{path}/status?dryRun=All", edited("a", {"metadata": {"labels": {"z": "y"}}, "status": status})),
        patch(f"{path}/status", "merge", {"metadata": {"labels": {"z": "y"}}, "spec": {"x": 1}, "status": status}),
    )


def addresses(*given: str, kind: str = "podIP") -> Step:
    status = {kind: given[0], f"{kind}s": [{"ip": each} for each in given]}
    return patch("{pods}/p/status?dryRun=All", "merge", {"status": status}, unordered="details causes")


SCRIPTS = (
    script(
        "a namespace without a phase is active",
        "UPD-6 NS-1",
        patch("{namespace}/status", "merge", {"status": None}),
        patch("{namespace}/status", "merge", {"status": {"phase": None, "conditions": [CONDITION]}}),
        put("{namespace}/status", {"metadata": {"name": "{ns}"}}),
        put("{namespace}/status", {"metadata": {"name": "{ns}"}, "status": {"phase": "Terminating"}}),
        put("{namespace}/finalize", {"metadata": {"name": "{ns}"}, "spec": {"finalizers": ["kubernetes"]}}),
        patch("{namespace}/status?fieldManager=m", "apply", {"apiVersion": "v1", "kind": "Namespace", "status": {}}),
        get("{namespace}"),
    ),
    script(
        "the addresses of a pod are of two families at most",
        "UPD-6 ERR-1",
        addresses("10.1.2.3", ""),
        addresses("10.1.2.3", "x"),
        addresses("x", "y", "10.1.2.3"),
        addresses("fd00::1", "fd00::2"),
        addresses("10.1.2.3", "fd00::1", "10.1.2.4"),
        addresses("10.1.2.3", "nope", kind="hostIP"),
        addresses("10.1.2.3", "::ffff:10.1.2.4"),
        setup=(
            post("{serviceaccounts}", {"metadata": {"name": "default"}}),
            post("{pods}", {"metadata": {"name": "p"}, "spec": {"containers": [{"name": "c", "image": "i"}]}}),
        ),
    ),
    script(
        "a node gives all it has unless it says less",
        "UPD-6",
        patch(f"{NODE}/status", "merge", {"status": {"capacity": {"cpu": "4"}}}),
        patch(f"{NODE}/status", "merge", {"status": {"capacity": {"cpu": "8"}, "allocatable": None}}),
        put(
            f"{NODE}/status", {"metadata": {"name": "a-{own}"}, "status": {"capacity": {"cpu": "2"}, "allocatable": {}}}
        ),
        get(NODE),
        setup=(post("/api/v1/nodes", {"metadata": {"name": "a-{own}"}}),),
    ),
    script(
        "the status of an admission policy leaves its metadata alone",
        "UPD-6 APPLY-6",
        post(
            POLICIES,
            {
                "metadata": {"name": "a-{own}", "labels": {"a": "b"}},
                "spec": {
                    "matchConstraints": {
                        "resourceRules": [
                            {"apiGroups": ["x"], "apiVersions": ["v1"], "resources": ["x"], "operations": ["CREATE"]}
                        ]
                    },
                    "validations": [{"expression": "true"}],
                },
            },
            keep="a",
        ),
        *left_alone(f"{POLICIES}/a-{{own}}", {"observedGeneration": 1, "conditions": [CONDITION]}),
    ),
    script(
        "the status of a flow leaves its metadata alone",
        "UPD-6 APPLY-6",
        post(
            SCHEMAS,
            {
                "metadata": {"name": "a-{own}", "labels": {"a": "b"}},
                "spec": {"priorityLevelConfiguration": {"name": "exempt"}, "matchingPrecedence": 9},
            },
            keep="a",
            only="metadata labels",
        ),
        *(
            patch(f"{SCHEMAS}/a-{{own}}/status?dryRun=All", "merge", {"metadata": each}, only="metadata labels")
            for each in OTHERS
        ),
    ),
    script(
        "the status of an attachment leaves its metadata alone",
        "UPD-6 APPLY-6",
        post(
            ATTACHMENTS,
            {
                "metadata": {"name": "a-{own}", "labels": {"a": "b"}},
                "spec": {"attacher": "x", "nodeName": "n", "source": {"persistentVolumeName": "v"}},
            },
            keep="a",
        ),
        *left_alone(f"{ATTACHMENTS}/a-{{own}}", {"attached": True}),
    ),
)
