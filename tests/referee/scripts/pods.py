"""Pods: bound, evicted, looked into, resized, reported on, ended; what may change of them and what may not."""

from typing import Any

from tests.referee import language
from tests.referee.language import Script, Step, ask, delete, edited, events, get, patch, post, put, watch
from tests.referee.objects import Document

TABLE = "application/json;as=Table;v=v1;g=meta.k8s.io"
BUDGETS = "/apis/policy/v1/namespaces/{ns}/poddisruptionbudgets"


def script(name: str, clauses: str, *steps: Step) -> Script:
    """A script in a namespace that has the account which every pod acts for."""
    account = post("{serviceaccounts}", {"metadata": {"name": "default"}})
    return language.script(name, clauses, *steps, setup=(account,))


def pod(name: str = "p", *, meta: Document | None = None, **spec: Any) -> Document:
    spec = {"automountServiceAccountToken": False, "containers": [{"name": "c", "image": "i"}], **spec}
    return {"metadata": {"name": name, **(meta or {})}, "spec": spec}


def binding(node: str = "n", name: str = "p", **meta: Any) -> Document:
    return {"metadata": {"name": name, **meta}, "target": {"kind": "Node", "name": node}}


def eviction(name: str = "p", **options: Any) -> Document:
    found: Document = {"apiVersion": "policy/v1", "kind": "Eviction", "metadata": {"name": name}}
    return {**found, "deleteOptions": options} if options else found


def reported(**status: Any) -> Step:
    return patch("{pods}/p/status", "merge", {"status": status})


def ready(truth: str = "True") -> Step:
    return reported(phase="Running", conditions=[{"type": "Ready", "status": truth}])


def budget(name: str = "b", **status: Any) -> tuple[Step, ...]:
    spec = {"minAvailable": 1, "selector": {"matchLabels": {"a": "b"}}}
    made = post(BUDGETS, {"metadata": {"name": name}, "spec": spec})
    status = {"observedGeneration": 1, "expectedPods": 1, "currentHealthy": 1, "desiredHealthy": 1, **status}
    return made, patch(f"{BUDGETS}/{name}/status", "merge", {"status": {"disruptionsAllowed": 0, **status}})


def container(name: str = "c", **status: Any) -> Document:
    """What is told of a container."""
    return {"name": name, "image": "i", "imageID": "", "ready": False, "restartCount": 0, **status}


def shown(*containers: Document, init: tuple[Document, ...] = (), **status: Any) -> tuple[Step, Step]:
    """The pod in a table, when this is told of it."""
    status = {"phase": "Pending", "reason": None, "conditions": None, **status}
    told = reported(containerStatuses=[*containers], initContainerStatuses=[*init], **status)
    return told, get("{pods}/p", accept=TABLE)


LABELLED = pod(meta={"labels": {"a": "b"}}, nodeName="n")

SCRIPTS = (
    script(
        "a pod is bound once",
        "SUB-1",
        post("{pods}", pod()),
        post("{pods}/p/binding?dryRun=All", binding()),
        get("{pods}/p"),
        post("{pods}/p/binding", binding(annotations={"x": "y"}, labels={"l": "m"})),
        get("{pods}/p"),
        post("{pods}/p/binding", binding("other")),
        get("{pods}?fieldSelector=spec.nodeName%3Dn"),
        get("{pods}?fieldSelector=spec.nodeName%3D", only="items * metadata name"),
    ),
    script(
        "a binding that is refused",
        "SUB-1 ERR-1",
        post("{pods}", pod(), keep="p"),
        post("{pods}", pod("gated", schedulingGates=[{"name": "example.com/g"}])),
        post("{pods}/p/binding", binding(name="q")),
        post("{pods}/p/binding", {"metadata": {"name": "p"}, "target": {"kind": "Pod", "name": "n"}}),
        post("{pods}/p/binding", {"metadata": {"name": "p"}, "target": {"kind": "Node"}}),
        post("{pods}/p/binding", {"metadata": {"name": "p"}, "target": {"kind": "Pod"}}),
        post("{pods}/p/binding", {"target": {"name": "n"}}),
        post("{pods}/p/binding", binding(namespace="elsewhere")),
        post("{pods}/q/binding", binding(name="q")),
        post("{pods}/gated/binding", binding(name="gated")),
        post("{pods}/p/binding", {"kind": "Pod", "apiVersion": "v1", **binding()}),
        post("{pods}/p/binding", binding(uid="00000000-0000-4000-8000-000000000001")),
        post("{pods}/p/binding", {**binding(), "nope": 1}),
        post("{pods}/p/binding?fieldValidation=Strict", {**binding(), "nope": 1}),
        get("{pods}/p/binding"),
        put("{pods}/p/binding", binding()),
        post("{pods}/p/binding", binding(uid="{p.metadata.uid}", resourceVersion="{p.metadata.resourceVersion}")),
    ),
    script(
        "a binding of its own",
        "SUB-1",
        post("{pods}", pod()),
        post("{namespace}/bindings", binding()),
        get("{pods}/p", only="spec nodeName"),
        post("{namespace}/bindings", binding()),
        post("{namespace}/bindings", binding(name="q")),
        get("{namespace}/bindings"),
    ),
    script(
        "a pod that is going is not bound",
        "SUB-1",
        post("{pods}", pod(meta={"finalizers": ["example.com/f"]})),
        delete("{pods}/p"),
        post("{pods}/p/binding", binding()),
    ),
    script(
        "a pod without a budget is evicted",
        "SUB-1",
        post("{pods}", pod()),
        post("{pods}", pod("q", nodeName="n")),
        watch("w", "{pods}?watch=1&fieldSelector=metadata.name%3Dp"),
        events("w", 1),
        post("{pods}/p/eviction?dryRun=All", eviction()),
        post("{pods}/p/eviction", eviction(dryRun=["All"])),
        post("{pods}/p/eviction?dryRun=All", eviction(dryRun=[])),
        post("{pods}/p/eviction?dryRun=All", eviction(dryRun=None)),
        post("{pods}/p/eviction?dryRun=All", eviction(dryRun=["All"])),
        post("{pods}/p/eviction?dryRun=All", eviction(dryRun=["All", "All"])),
        post("{pods}/p/eviction?dryRun=All", eviction(dryRun=["x"])),
        post("{pods}/p/eviction", eviction()),
        events("w", 2),
        get("{pods}/p"),
        post("{pods}/p/eviction", eviction()),
        post("{pods}/q/eviction", eviction("q", gracePeriodSeconds=7)),
        get("{pods}/q"),
        post("{pods}/q/eviction", eviction("q", gracePeriodSeconds=3)),
        get("{pods}/q"),
        post("{pods}/q/eviction", eviction("q", gracePeriodSeconds=0)),
        get("{pods}/q"),
    ),
    script(
        "an eviction that is refused",
        "SUB-1 ERR-1",
        post("{pods}", pod()),
        post("{pods}/p/eviction", eviction("q")),
        post("{pods}/p/eviction", {"metadata": {"name": "p"}}),
        post("{pods}/p/eviction", {"kind": "Eviction", "apiVersion": "v1", "metadata": {"name": "p"}}),
        post("{pods}/p/eviction", {**eviction(), "apiVersion": "policy/v1beta1"}),
        post("{pods}/p/eviction", {**eviction(), "nope": 1}),
        post("{pods}/p/eviction", b""),
        post("{pods}/p/eviction", b"{}"),
        post("{pods}/q/eviction", eviction("q")),
        get("{pods}/p/eviction"),
        post("{pods}", pod("r")),
        post("{pods}/r/eviction", eviction("r", preconditions={"uid": "00000000-0000-4000-8000-000000000001"})),
        post("{pods}/r/eviction", eviction("r", preconditions={"resourceVersion": "1"})),
        post("{pods}/r/eviction", eviction("r", propagationPolicy="Nope")),
        post("{pods}/r/eviction?dryRun=Nope", eviction("r")),
        get("{pods}/r"),
    ),
    script(
        "a budget forbids an eviction",
        "SUB-1",
        post("{pods}", LABELLED),
        ready(),
        *budget(),
        post("{pods}/p/eviction", eviction()),
        post("{pods}/p/eviction?dryRun=All", eviction()),
        get("{pods}/p", only="metadata"),
        ready("False"),
        post("{pods}/p/eviction", eviction()),
        get("{pods}/p", only=("metadata deletionGracePeriodSeconds", "status conditions")),
    ),
    script(
        "a budget says why",
        "SUB-1",
        post("{pods}", LABELLED),
        ready(),
        *budget(currentHealthy=2),
        post("{pods}/p/eviction", eviction()),
        patch(
            f"{BUDGETS}/b/status",
            "merge",
            {
                "status": {
                    "conditions": [
                        {
                            "type": "DisruptionAllowed",
                            "status": "False",
                            "reason": "InsufficientPods",
                            "message": "too few",
                            "lastTransitionTime": "2020-01-01T00:00:00Z",
                        }
                    ]
                }
            },
        ),
        post("{pods}/p/eviction", eviction()),
        patch(
            f"{BUDGETS}/b/status",
            "merge",
            {
                "status": {
                    "conditions": [
                        {
                            "type": "DisruptionAllowed",
                            "status": "False",
                            "reason": "SyncFailed",
                            "message": "no",
                            "lastTransitionTime": "2020-01-01T00:00:00Z",
                        }
                    ]
                }
            },
        ),
        post("{pods}/p/eviction", eviction()),
    ),
    script(
        "a budget allows one eviction",
        "SUB-1",
        post("{pods}", LABELLED),
        ready(),
        *budget(disruptionsAllowed=1, currentHealthy=2),
        post("{pods}/p/eviction?dryRun=All", eviction()),
        get(f"{BUDGETS}/b"),
        post("{pods}/p/eviction", eviction()),
        get(f"{BUDGETS}/b"),
        get("{pods}/p"),
    ),
    script(
        "a budget that is not yet seen to",
        "SUB-1",
        post("{pods}", LABELLED),
        ready(),
        *budget(observedGeneration=0),
        post("{pods}/p/eviction", eviction()),
        patch(f"{BUDGETS}/b/status", "merge", {"status": {"observedGeneration": 1, "disruptionsAllowed": 0}}),
        ready("False"),
        patch(f"{BUDGETS}/b/status", "merge", {"status": {"currentHealthy": 0}}),
        post("{pods}/p/eviction", eviction()),
        patch(f"{BUDGETS}/b", "merge", {"spec": {"unhealthyPodEvictionPolicy": "AlwaysAllow"}}),
        post("{pods}/p/eviction", eviction()),
    ),
    script(
        "two budgets are one too many",
        "SUB-1",
        post("{pods}", LABELLED),
        ready(),
        *budget(),
        *budget("c"),
        post("{pods}/p/eviction", eviction()),
        reported(phase="Succeeded"),
        post("{pods}/p/eviction", eviction()),
        get("{pods}/p"),
    ),
    script(
        "containers are added to look around",
        "SUB-1",
        post("{pods}", pod(), keep="p"),
        get("{pods}/p/ephemeralcontainers"),
        patch(
            "{pods}/p/ephemeralcontainers",
            "strategic",
            {"spec": {"ephemeralContainers": [{"name": "e", "image": "j", "targetContainerName": "c"}]}},
        ),
        patch("{pods}/p/ephemeralcontainers", "merge", {"spec": {"ephemeralContainers": []}}),
        patch(
            "{pods}/p/ephemeralcontainers",
            "strategic",
            {"spec": {"ephemeralContainers": [{"name": "e", "image": "k"}]}},
        ),
        patch(
            "{pods}/p/ephemeralcontainers",
            "strategic",
            {"spec": {"ephemeralContainers": [{"name": "c", "image": "k"}]}},
        ),
        patch(
            "{pods}/p/ephemeralcontainers",
            "strategic",
            {
                "spec": {
                    "ephemeralContainers": [{"name": "f", "targetContainerName": "z", "ports": [{"containerPort": 1}]}]
                }
            },
        ),
        patch(
            "{pods}/p/ephemeralcontainers",
            "merge",
            {"metadata": {"labels": {"x": "y"}}, "spec": {"containers": [], "hostNetwork": True}},
        ),
        patch(
            "{pods}/p",
            "strategic",
            {"spec": {"ephemeralContainers": [{"name": "g", "image": "k"}]}},
        ),
        put("{pods}/p/ephemeralcontainers", edited("p", {"metadata": {"resourceVersion": None}})),
        post("{pods}", pod("q", ephemeralContainers=[{"name": "e", "image": "j"}])),
    ),
    script(
        "a pod is resized",
        "SUB-1",
        post(
            "{pods}", pod(containers=[{"name": "c", "image": "i", "resources": {"requests": {"cpu": "1"}}}]), keep="p"
        ),
        get("{pods}/p/resize"),
        patch(
            "{pods}/p/resize",
            "strategic",
            {"spec": {"containers": [{"name": "c", "resources": {"requests": {"cpu": "2"}}}]}},
        ),
        patch(
            "{pods}/p/resize",
            "strategic",
            {"spec": {"containers": [{"name": "c", "image": "j", "resources": {"limits": {"cpu": "2"}}}]}},
        ),
        patch(
            "{pods}/p/resize",
            "strategic",
            {"spec": {"containers": [{"name": "c", "resources": {"requests": {"cpu": None}}}]}},
        ),
        patch(
            "{pods}/p/resize",
            "strategic",
            {"spec": {"containers": [{"name": "c", "resources": {"requests": {"ephemeral-storage": "1"}}}]}},
        ),
        patch("{pods}/p/resize", "strategic", {"spec": {"containers": [{"name": "d", "image": "i"}]}}),
        patch("{pods}/p/resize", "merge", {"spec": {"containers": [{"name": "d", "image": "i"}]}}),
        patch("{pods}/p/resize", "merge", {"spec": {"containers": []}}),
        patch("{pods}/p/resize", "merge", {"spec": {"hostname": "h"}, "metadata": {"labels": {"x": "y"}}}),
        patch(
            "{pods}/p/resize",
            "merge",
            {
                "spec": {
                    "containers": [
                        {"name": "c", "image": "i", "resources": {"requests": {"cpu": "3", "memory": "1Gi"}}}
                    ]
                }
            },
        ),
        patch(
            "{pods}/p/resize",
            "strategic",
            {
                "spec": {
                    "containers": [
                        {"name": "c", "resizePolicy": [{"resourceName": "cpu", "restartPolicy": "NotRequired"}]}
                    ]
                }
            },
        ),
        patch("{pods}/p/resize", "merge", {"spec": {"resources": {"requests": {"cpu": "9", "memory": "2Gi"}}}}),
        put("{pods}/p/resize", edited("p", {"metadata": {"resourceVersion": None}})),
    ),
    script(
        "a pod that cannot be resized",
        "SUB-1",
        post("{pods}", pod("w", os={"name": "windows"})),
        patch("{pods}/w/resize", "merge", {"spec": {}}),
        post(
            "{pods}",
            pod("b", initContainers=[{"name": "i", "image": "i", "resources": {"requests": {"cpu": "1"}}}]),
        ),
        patch(
            "{pods}/b/resize",
            "strategic",
            {"spec": {"initContainers": [{"name": "i", "resources": {"requests": {"cpu": "2"}}}]}},
        ),
        post("{pods}", pod("e")),
        patch(
            "{pods}/e/resize",
            "strategic",
            {"spec": {"containers": [{"name": "c", "resources": {"requests": {"cpu": "2"}}}]}},
        ),
    ),
    script(
        "the status of a pod",
        "UPD-4",
        post("{pods}", pod(restartPolicy="Never"), keep="p"),
        reported(phase="Running", podIP="10.1.2.3", hostIP="10.1.2.4", startTime="2020-01-01T00:00:00Z"),
        reported(podIPs=[{"ip": "10.1.2.5"}]),
        reported(podIP="10.1.2.6", podIPs=[{"ip": "10.1.2.6"}, {"ip": "fd00::1"}]),
        reported(podIP="10.1.2.6", podIPs=[{"ip": "10.1.2.6"}, {"ip": "10.1.2.7"}]),
        reported(podIP="x", podIPs=[{"ip": "x"}]),
        reported(hostIPs=[{"ip": "10.1.2.9"}]),
        reported(qosClass="Guaranteed"),
        reported(qosClass=None),
        reported(conditions=[{"type": "Ready", "status": "True", "observedGeneration": 1}]),
        reported(conditions=[{"type": "Ready", "status": "False"}]),
        reported(conditions=[{"type": "a b", "status": "True", "observedGeneration": -1}]),
        reported(observedGeneration=1),
        reported(observedGeneration=-1),
        reported(nominatedNodeName="a b"),
        reported(nominatedNodeName="n"),
        reported(phase="Nope"),
        reported(
            containerStatuses=[
                {
                    "name": "c",
                    "image": "i",
                    "imageID": "",
                    "ready": False,
                    "restartCount": 0,
                    "state": {"terminated": {"exitCode": 1}},
                }
            ]
        ),
        reported(
            containerStatuses=[
                {
                    "name": "c",
                    "image": "i",
                    "imageID": "",
                    "ready": True,
                    "restartCount": 1,
                    "state": {"running": {"startedAt": "2020-01-01T00:00:00Z"}},
                }
            ]
        ),
        patch("{pods}/p/status", "merge", {"spec": {"nodeName": "n"}, "metadata": {"labels": {"x": "y"}}}),
        patch("{pods}/p/status", "merge", {"metadata": {"ownerReferences": [], "annotations": {"n": "1"}}}),
        put("{pods}/p/status", edited("p", {"metadata": {"resourceVersion": None}, "status": {"phase": "Failed"}})),
        get("{pods}/p", accept=TABLE),
    ),
    script(
        "what may change of a pod",
        "UPD-8",
        post("{pods}", pod(tolerations=[{"key": "k", "operator": "Exists"}]), keep="p"),
        patch("{pods}/p", "strategic", {"spec": {"containers": [{"name": "c", "image": "j"}]}}),
        patch("{pods}/p", "merge", {"spec": {"activeDeadlineSeconds": 100}}),
        patch("{pods}/p", "merge", {"spec": {"activeDeadlineSeconds": 50}}),
        patch("{pods}/p", "merge", {"spec": {"activeDeadlineSeconds": 60}}),
        patch("{pods}/p", "merge", {"spec": {"activeDeadlineSeconds": None}}),
        patch("{pods}/p", "merge", {"spec": {"activeDeadlineSeconds": -1}}),
        patch("{pods}/p", "merge", {"spec": {"activeDeadlineSeconds": 0}}),
        patch("{pods}/p", "merge", {"metadata": {"labels": {"x": "y"}, "annotations": {"n": "1"}}}),
        patch(
            "{pods}/p",
            "json",
            [{"op": "add", "path": "/spec/tolerations/-", "value": {"key": "l", "operator": "Exists"}}],
        ),
        patch("{pods}/p", "json", [{"op": "remove", "path": "/spec/tolerations/0"}]),
        patch("{pods}/p", "json", [{"op": "add", "path": "/spec/tolerations/-", "value": {"operator": "Nope"}}]),
        patch("{pods}/p", "merge", {"spec": {"terminationGracePeriodSeconds": 1}}),
        patch("{pods}/p", "merge", {"spec": {"terminationGracePeriodSeconds": -1}}),
        get("{pods}/p"),
    ),
    script(
        "what may not change of a pod",
        "UPD-8",
        post("{pods}", pod(), keep="p"),
        patch("{pods}/p", "merge", {"spec": {"nodeName": "n"}}),
        patch("{pods}/p", "merge", {"spec": {"hostNetwork": True}}),
        patch("{pods}/p", "merge", {"spec": {"serviceAccountName": "x"}}),
        patch("{pods}/p", "merge", {"spec": {"priority": 5}}),
        patch("{pods}/p", "merge", {"spec": {"schedulingGates": [{"name": "example.com/g"}]}}),
        patch("{pods}/p", "merge", {"spec": {"nodeSelector": {"a": "b"}}}),
        patch("{pods}/p", "merge", {"spec": {"containers": []}}),
        patch("{pods}/p", "strategic", {"spec": {"containers": [{"name": "d", "image": "j"}]}}),
        patch("{pods}/p", "strategic", {"spec": {"initContainers": [{"name": "d", "image": "j"}]}}),
        patch("{pods}/p", "strategic", {"spec": {"containers": [{"name": "c", "image": ""}]}}),
        patch("{pods}/p", "strategic", {"spec": {"containers": [{"name": "c", "image": " j"}]}}),
        patch(
            "{pods}/p",
            "strategic",
            {"spec": {"containers": [{"name": "c", "env": [{"name": "A", "value": "<&>\u2028é\u0001"}]}]}},
        ),
        patch("{pods}/p", "merge", {"metadata": {"annotations": {"kubernetes.io/config.mirror": "x"}}}),
        patch(
            "{pods}/p",
            "merge",
            {"metadata": {"annotations": {"container.apparmor.security.beta.kubernetes.io/c": "unconfined"}}},
        ),
        patch("{pods}/p", "merge", {"metadata": {"annotations": {"controller.kubernetes.io/pod-deletion-cost": "x"}}}),
    ),
    script(
        "a pod that is held back",
        "UPD-8",
        post(
            "{pods}",
            pod(
                schedulingGates=[{"name": "example.com/g"}, {"name": "example.com/h"}],
                nodeSelector={"a": "b"},
                affinity={
                    "nodeAffinity": {
                        "requiredDuringSchedulingIgnoredDuringExecution": {
                            "nodeSelectorTerms": [{"matchExpressions": [{"key": "k", "operator": "Exists"}]}]
                        }
                    }
                },
            ),
        ),
        patch("{pods}/p", "merge", {"spec": {"nodeSelector": {"c": "d"}}}),
        patch("{pods}/p", "merge", {"spec": {"nodeSelector": {"a": "x"}}}),
        patch("{pods}/p", "merge", {"spec": {"nodeSelector": {"a": None, "c": None}}}),
        patch(
            "{pods}/p",
            "json",
            [
                {
                    "op": "add",
                    "path": "/spec/affinity/nodeAffinity/requiredDuringSchedulingIgnoredDuringExecution"
                    "/nodeSelectorTerms/0/matchExpressions/-",
                    "value": {"key": "l", "operator": "Exists"},
                }
            ],
        ),
        patch(
            "{pods}/p",
            "json",
            [
                {
                    "op": "remove",
                    "path": "/spec/affinity/nodeAffinity/requiredDuringSchedulingIgnoredDuringExecution"
                    "/nodeSelectorTerms/0/matchExpressions/0",
                }
            ],
        ),
        patch("{pods}/p", "merge", {"spec": {"affinity": None}}),
        patch("{pods}/p", "merge", {"spec": {"affinity": {"podAffinity": {}}}}),
        patch("{pods}/p", "merge", {"spec": {"schedulingGates": [{"name": "example.com/i"}]}}),
        patch("{pods}/p", "merge", {"spec": {"schedulingGates": [{"name": "example.com/h"}]}}),
        patch("{pods}/p", "merge", {"spec": {"schedulingGates": None}}),
        patch("{pods}/p", "merge", {"spec": {"nodeSelector": {"e": "f"}}}),
        get("{pods}/p", accept=TABLE),
    ),
    script(
        "a pod ends in its time",
        "DEL-4",
        post("{pods}", pod(nodeName="n", terminationGracePeriodSeconds=20)),
        watch("w", "{pods}?watch=1&fieldSelector=metadata.name%3Dp"),
        events("w", 1),
        delete("{pods}/p?dryRun=All"),
        delete("{pods}/p"),
        delete("{pods}/p"),
        delete("{pods}/p?gracePeriodSeconds=30"),
        delete("{pods}/p?gracePeriodSeconds=10"),
        patch("{pods}/p", "merge", {"metadata": {"labels": {"x": "y"}}}),
        get("{pods}/p", accept=TABLE),
        delete("{pods}/p?gracePeriodSeconds=0"),
        get("{pods}/p"),
        events("w", 4),
    ),
    script(
        "a pod ends at once",
        "DEL-4",
        post("{pods}", pod()),
        delete("{pods}/p"),
        post("{pods}", pod(nodeName="n")),
        delete("{pods}/p?gracePeriodSeconds=0"),
        post("{pods}", pod(nodeName="n", terminationGracePeriodSeconds=0)),
        delete("{pods}/p"),
        post("{pods}", pod(nodeName="n")),
        reported(phase="Succeeded"),
        delete("{pods}/p"),
        post("{pods}", pod(nodeName="n")),
        delete("{pods}/p?gracePeriodSeconds=-5"),
        post("{pods}", pod("q", meta={"finalizers": ["example.com/f"]})),
        delete("{pods}/q"),
        delete("{pods}/q"),
        patch("{pods}/q", "merge", {"metadata": {"finalizers": None}}),
    ),
    script(
        "a pod with a finalizer has its time, too",
        "DEL-4",
        post("{pods}", pod(meta={"finalizers": ["example.com/f"]}, nodeName="n")),
        delete("{pods}/p"),
        patch("{pods}/p", "merge", {"metadata": {"finalizers": None}}),
        get("{pods}/p", only="metadata"),
        delete("{pods}/p?gracePeriodSeconds=0"),
        post("{pods}", pod("q", meta={"finalizers": ["example.com/f"]}, nodeName="n")),
        delete("{pods}/q"),
        delete("{pods}/q?gracePeriodSeconds=0"),
        patch("{pods}/q", "merge", {"metadata": {"finalizers": None}}),
        get("{pods}/q"),
    ),
    script(
        "the log of a pod that runs nowhere",
        "SUB-1",
        post("{pods}", pod()),
        post("{pods}", pod("q", containers=[{"name": "c", "image": "i"}, {"name": "d", "image": "i"}])),
        get("{pods}/p/log"),
        get("{pods}/p/log?container=c"),
        get("{pods}/p/log?container=x"),
        get("{pods}/q/log"),
        get("{pods}/nope/log"),
        get("{pods}/p/log?tailLines=-1"),
        get("{pods}/p/log?tailLines=x"),
        get("{pods}/p/log?limitBytes=0"),
        get("{pods}/p/log?sinceSeconds=0"),
        get("{pods}/p/log?sinceSeconds=1&sinceTime=2020-01-01T00:00:00Z"),
        get("{pods}/p/log?stream=Stdout"),
        get("{pods}/p/log", accept="text/plain"),
        post("{pods}/p/log", {}),
    ),
    script(
        "a pod that runs nowhere has nobody to talk to",
        "SUB-1",
        post("{pods}", pod()),
        post("{pods}", pod("q", containers=[{"name": "c", "image": "i"}, {"name": "d", "image": "i"}])),
        get("{pods}/p/exec?command=ls"),
        post("{pods}/p/exec?command=ls"),
        get("{pods}/p/exec?command=ls&container=x"),
        get("{pods}/q/exec?command=ls"),
        get("{pods}/nope/exec?command=ls"),
        post("{pods}/p/attach"),
        get("{pods}/p/attach?container=x"),
        post("{pods}/p/portforward"),
        get("{pods}/nope/portforward"),
        get("{pods}/p/proxy"),
        get("{pods}/p/proxy/x/y"),
        get("{pods}/p:80/proxy"),
        get("{pods}/https:p:80/proxy"),
        get("{pods}/nope/proxy"),
        put("{pods}/p/proxy", {}),
        delete("{pods}/p/proxy"),
    ),
    script(
        "warnings to who makes a pod",
        "WARN-1",
        post("{pods}", pod("a.b")),
        post("{pods}", pod(nodeSelector={"beta.kubernetes.io/os": "linux"})),
        post(
            "{pods}",
            pod(
                "q",
                containers=[
                    {
                        "name": "c",
                        "image": "i",
                        "resources": {"limits": {"memory": "1500m"}},
                        "env": [{"name": "A", "value": "1"}, {"name": "A", "value": "2"}],
                    }
                ],
                hostAliases=[{"ip": "FD00::0001", "hostnames": ["h"]}],
            ),
        ),
        post(
            "{pods}", pod("r", meta={"annotations": {"container.apparmor.security.beta.kubernetes.io/c": "unconfined"}})
        ),
        post("{pods}", pod("s", meta={"annotations": {"container.apparmor.security.beta.kubernetes.io/c": "nope"}})),
        post("{pods}", pod("t", meta={"annotations": {"seccomp.security.alpha.kubernetes.io/pod": "unconfined"}})),
        post("{pods}", pod("u", meta={"annotations": {"scheduler.alpha.kubernetes.io/critical-pod": ""}})),
        post("{pods}", pod("v", meta={"annotations": {"scheduler.alpha.kubernetes.io/tolerations": "nope"}})),
        post("{pods}", pod("w", terminationGracePeriodSeconds=-3)),
        post("{pods}", pod("x", meta={"annotations": {"pod.beta.kubernetes.io/init-containers": "[]"}})),
        post(
            "{pods}",
            pod(
                "y",
                volumes=[
                    {
                        "name": "v",
                        "configMap": {
                            "name": "m",
                            "items": [
                                {"key": "a", "path": "x"},
                                {"key": "b", "path": "x/y"},
                                {"key": "c", "path": "x/"},
                            ],
                        },
                    },
                    {"name": "w", "projected": {"sources": [{}]}},
                ],
            ),
        ),
    ),
    script(
        "a pod in a table",
        "TBL-1",
        post("{pods}", pod()),
        get("{pods}/p", accept=TABLE),
        ask("POST", "{pods}/p/binding", binding()),
        get("{pods}/p", accept=TABLE),
        reported(
            phase="Running",
            podIP="10.1.2.3",
            conditions=[{"type": "Ready", "status": "True"}],
            containerStatuses=[
                {
                    "name": "c",
                    "image": "i",
                    "imageID": "",
                    "ready": True,
                    "restartCount": 2,
                    "state": {"running": {"startedAt": "2020-01-01T00:00:00Z"}},
                    "lastState": {"terminated": {"exitCode": 1}},
                }
            ],
        ),
        get("{pods}/p", accept=TABLE),
        reported(
            containerStatuses=[
                {
                    "name": "c",
                    "image": "i",
                    "imageID": "",
                    "ready": False,
                    "restartCount": 2,
                    "state": {"waiting": {"reason": "CrashLoopBackOff"}},
                }
            ]
        ),
        get("{pods}/p", accept=TABLE),
        delete("{pods}/p"),
        get("{pods}/p", accept=TABLE),
    ),
    script(
        "a pod in tables, in many states",
        "TBL-1",
        post(
            "{pods}",
            pod(
                nodeName="n",
                readinessGates=[{"conditionType": "example.com/g"}, {"conditionType": "example.com/h"}],
                initContainers=[{"name": "i", "image": "i"}, {"name": "s", "image": "i", "restartPolicy": "Always"}],
                containers=[{"name": "c", "image": "i"}, {"name": "d", "image": "i"}],
            ),
        ),
        *shown(reason="Evicted"),
        *shown(phase="Failed", reason="NodeLost"),
        *shown(init=(container("i", state={"waiting": {"reason": "ImagePullBackOff"}}),)),
        *shown(init=(container("i", state={"waiting": {"reason": "PodInitializing"}}),)),
        *shown(init=(container("i", state={"running": {}}),)),
        *shown(init=(container("i", state={"terminated": {"exitCode": 2}}),)),
        *shown(init=(container("i", state={"terminated": {"exitCode": 0, "signal": 9}}),)),
        *shown(init=(container("i", state={"terminated": {"exitCode": 3, "reason": "Error"}}),)),
        *shown(
            init=(
                container("i", state={"terminated": {"exitCode": 0}}, restartCount=4),
                container("s", state={"running": {}}, started=True, ready=True, restartCount=1),
            ),
            podIP="10.1.2.3",
        ),
        *shown(
            container(state={"waiting": {"reason": "ContainerCreating"}}),
            container("d", state={"running": {}}, ready=True),
            conditions=[{"type": "Initialized", "status": "True"}],
        ),
        *shown(
            container(state={"terminated": {"exitCode": 0, "reason": "Completed"}}),
            container("d", state={"running": {}}, ready=True),
            phase="Running",
            conditions=[
                {"type": "Initialized", "status": "True"},
                {"type": "Ready", "status": "True"},
                {"type": "example.com/g", "status": "True"},
            ],
        ),
        *shown(
            container(state={"terminated": {"exitCode": 0, "reason": "Completed"}}),
            container("d", state={"running": {}}, ready=True),
            phase="Running",
            conditions=[{"type": "Initialized", "status": "True"}, {"type": "Ready", "status": "False"}],
        ),
        *shown(
            container(state={"terminated": {"exitCode": 0, "reason": "Completed"}}),
            container("d", state={"terminated": {"exitCode": 1, "signal": 15}}),
            phase="Succeeded",
            nominatedNodeName="m",
        ),
        *shown(
            container(
                state={"running": {}},
                restartCount=3,
                lastState={"terminated": {"exitCode": 1}},
            ),
            phase="Running",
        ),
        *shown(phase="Unknown", reason="NodeLost"),
        delete("{pods}/p"),
        get("{pods}/p", accept=TABLE),
    ),
    script(
        "a pod on a node that cannot be asked",
        "SUB-1",
        post("/api/v1/nodes", {"metadata": {"name": "{own}"}}),
        post("{pods}", pod(nodeName="{own}-nowhere")),
        post("{pods}", pod("q", nodeName="{own}")),
        get("{pods}/p/log"),
        get("{pods}/p/exec?command=ls"),
        post("{pods}/p/attach"),
        post("{pods}/p/portforward"),
        get("{pods}/q/log"),
        get("{pods}/q/exec?command=ls"),
        get("{pods}/q/portforward"),
        delete("/api/v1/nodes/{own}"),
    ),
    script(
        "what a node may report",
        "UPD-4",
        post(
            "{pods}",
            pod(
                resourceClaims=[{"name": "r", "resourceClaimName": "c"}],
                containers=[
                    {
                        "name": "c",
                        "image": "i",
                        "resources": {
                            "limits": {"example.com/gpu": "1"},
                            "claims": [{"name": "r", "request": "q"}],
                        },
                    }
                ],
            ),
        ),
        reported(
            containerStatuses=[
                container(
                    allocatedResources={"cpu": "1n"},
                    resources={"requests": {"cpu": "1500u"}},
                    user={"linux": {"uid": 1, "gid": -1, "supplementalGroups": [-1]}},
                    volumeMounts=[{"name": "v", "mountPath": "/v", "volumeStatus": {"image": {"imageRef": ""}}}],
                )
            ]
        ),
        reported(
            containerStatuses=[
                container(
                    allocatedResources={"cpu": "1n"},
                    resources={"requests": {"cpu": "1500u"}},
                    user={"linux": {"uid": 1, "gid": 1}},
                    volumeMounts=[{"name": "v", "mountPath": "/v", "volumeStatus": {"image": {"imageRef": ""}}}],
                )
            ]
        ),
        reported(
            containerStatuses=[
                container(
                    allocatedResourcesStatus=[
                        {"name": "example.com/gpu", "resources": [{"resourceID": "1", "health": "Healthy"}] * 2},
                        {"name": "example.com/tpu", "resources": [{"resourceID": "1", "health": "x", "message": ""}]},
                        {"name": "claim:r/q"},
                        {"name": "claim:r"},
                    ]
                )
            ]
        ),
        reported(ephemeralContainerStatuses=[container("e", allocatedResourcesStatus=[{"name": "x"}])]),
        reported(resourceClaimStatuses=[{"name": "r", "resourceClaimName": "A"}, {"name": "r"}, {"name": "s"}]),
        reported(
            extendedResourceClaimStatus={
                "resourceClaimName": "",
                "requestMappings": [
                    {"containerName": "c", "resourceName": "example.com/gpu", "requestName": "q"},
                    {"containerName": "c", "resourceName": "example.com/gpu", "requestName": "q"},
                    {"containerName": "c", "resourceName": "example.com/tpu", "requestName": "A"},
                    {"containerName": "d", "resourceName": "x", "requestName": "q"},
                ],
            }
        ),
        reported(extendedResourceClaimStatus={"resourceClaimName": "A", "requestMappings": []}),
        reported(nodeAllocatableResourceClaimStatuses=[{"resourceClaimName": "c"}]),
        reported(hostIP="10.1.2.3", hostIPs=[{"ip": "10.1.2.3"}, {"ip": "010.1.2.4"}, {"ip": "fd00::1"}]),
        reported(podIP="FD00::1", podIPs=[{"ip": "FD00::1"}]),
        reported(resources={"requests": {"cpu": "1n"}}, allocatedResources={"cpu": "1"}, startTime="x"),
        reported(resources={"requests": {"cpu": "1n"}}, allocatedResources={"cpu": "1"}),
    ),
    script(
        "pods of several kinds end what they began",
        "UPD-4",
        post(
            "{pods}",
            pod(
                restartPolicy="OnFailure",
                initContainers=[
                    {"name": "i", "image": "i"},
                    {"name": "s", "image": "i", "restartPolicy": "Always"},
                ],
                containers=[
                    {"name": "c", "image": "i"},
                    {
                        "name": "d",
                        "image": "i",
                        "restartPolicy": "Never",
                        "restartPolicyRules": [{"action": "Restart", "exitCodes": {"operator": "In", "values": [42]}}],
                    },
                ],
            ),
        ),
        reported(
            initContainerStatuses=[
                container("i", state={"terminated": {"exitCode": 0}}),
                container("s", state={"terminated": {"exitCode": 0}}),
            ],
            containerStatuses=[
                container("c", state={"terminated": {"exitCode": 0}}),
                container("d", state={"terminated": {"exitCode": 42}}),
            ],
        ),
        reported(initContainerStatuses=[container("i", state={"running": {}})]),
        reported(initContainerStatuses=[container("s", state={"running": {}})]),
        reported(containerStatuses=[container("c", state={"running": {}}), container("d", state={"running": {}})]),
        reported(containerStatuses=[container("d", state={"running": {}})]),
    ),
)
