"""The server's own plugins: what they fill in before an object is judged, and what they refuse."""

from typing import Any

from tests.referee.language import Step, get, patch, post, put, script, until
from tests.referee.objects import Document

CLASSES = "/apis/scheduling.k8s.io/v1/priorityclasses"
RUNTIMES = "/apis/node.k8s.io/v1/runtimeclasses"
PLACE = "/var/run/secrets/kubernetes.io/serviceaccount"


def pod(name: str | None = "p", annotations: Document | None = None, **spec: Any) -> Document:
    metadata: Document = {"generateName": "p-"} if name is None else {"name": name}
    if annotations is not None:
        metadata["annotations"] = annotations
    return {"metadata": metadata, "spec": {"containers": [{"name": "c", "image": "i:1"}], **spec}}


def quiet(name: str, **spec: Any) -> Document:
    """A pod that wants no token."""
    return pod(name, automountServiceAccountToken=False, **spec)


def account(name: str = "default", **fields: Any) -> Step:
    return post("{serviceaccounts}", {"metadata": {"name": name}, **fields})


def named(name: str, **fields: Any) -> Document:
    return {"metadata": {"name": f"{name}-{{own}}"}, **fields}


ENFORCED = {"metadata": {"name": "strict", "annotations": {"kubernetes.io/enforce-mountable-secrets": "true"}}}
SECRET = {"secretKeyRef": {"name": "other", "key": "k"}}

SCRIPTS = (
    script(
        "a pod acts for the account of its namespace",
        "ADM-1",
        account(),
        post("{pods}", pod(), keep="p"),
        get("{pods}/p"),
        put("{pods}/p", "{p}"),
        patch("{pods}/p", "merge", {"metadata": {"labels": {"a": "b"}}}),
        post("{pods}", pod(None)),
        post("{pods}?dryRun=All", pod("q")),
    ),
    script(
        "an account must be there",
        "ADM-1 ERR-1",
        account(),
        post("{pods}", pod(serviceAccountName="nobody")),
        post("{pods}", pod(None, serviceAccountName="nobody")),
        post("{pods}", pod(serviceAccount="nobody")),
        account("somebody"),
        post("{pods}", pod("a", serviceAccountName="somebody")),
        post("{pods}", pod("b", serviceAccount="somebody")),
        post("{pods}", pod("c", serviceAccount="somebody", serviceAccountName="default")),
    ),
    script(
        "whether a token is laid out",
        "ADM-1",
        account(automountServiceAccountToken=False),
        account("open"),
        post("{pods}", pod("a")),
        post("{pods}", pod("b", automountServiceAccountToken=True)),
        post("{pods}", pod("c", serviceAccountName="open", automountServiceAccountToken=False)),
        post(
            "{pods}",
            pod(
                "d",
                serviceAccountName="open",
                initContainers=[{"name": "i", "image": "i:1"}],
                containers=[
                    {"name": "c", "image": "i:1", "volumeMounts": [{"name": "v", "mountPath": PLACE}]},
                    {"name": "d", "image": "i:1", "volumeMounts": [{"name": "v", "mountPath": "/v"}]},
                ],
                volumes=[{"name": "v", "emptyDir": {}}],
            ),
        ),
        post(
            "{pods}",
            pod(
                "e",
                serviceAccountName="open",
                containers=[{"name": "c", "image": "i:1", "volumeMounts": [{"name": "v", "mountPath": PLACE}]}],
                volumes=[{"name": "v", "emptyDir": {}}],
            ),
        ),
        post(
            "{pods}",
            pod("f", serviceAccountName="open", volumes=[{"name": "kube-api-access-mine", "emptyDir": {}}]),
        ),
    ),
    script(
        "secrets for pulling images come from the account",
        "ADM-1",
        account(imagePullSecrets=[{"name": "a"}, {"name": "b"}]),
        post("{pods}", quiet("a")),
        post("{pods}", quiet("b", imagePullSecrets=[{"name": "mine"}])),
    ),
    script(
        "an account may limit the secrets of its pods",
        "ADM-1 ERR-1",
        post("{serviceaccounts}", {**ENFORCED, "secrets": [{"name": "mine"}], "imagePullSecrets": [{"name": "pull"}]}),
        post(
            "{pods}",
            quiet("a", serviceAccountName="strict", volumes=[{"name": "v", "secret": {"secretName": "other"}}]),
        ),
        post(
            "{pods}",
            quiet("b", serviceAccountName="strict", volumes=[{"name": "v", "secret": {"secretName": "mine"}}]),
        ),
        *(
            post(
                "{pods}",
                quiet(
                    "c",
                    serviceAccountName="strict",
                    **{
                        "containers": [{"name": "c", "image": "i:1"}],
                        field: [{"name": "x", "image": "i:1", **environment}],
                    },
                ),
            )
            for field in ("containers", "initContainers")
            for environment in (
                {"env": [{"name": "E", "valueFrom": SECRET}]},
                {"envFrom": [{"secretRef": {"name": "other"}}]},
            )
        ),
        post("{pods}", quiet("d", serviceAccountName="strict", imagePullSecrets=[{"name": "other"}])),
    ),
    script(
        "mirror pods",
        "ADM-1 ERR-1",
        account(),
        post("{pods}", pod("a", {"kubernetes.io/config.mirror": "x"}, nodeName="n")),
        post("{pods}", pod("b", {"kubernetes.io/config.mirror": "x"}, nodeName="n", serviceAccountName="default")),
        post(
            "{pods}",
            pod(
                "c",
                {"kubernetes.io/config.mirror": "x"},
                nodeName="n",
                volumes=[{"name": "v", "secret": {"secretName": "s"}}],
            ),
        ),
        post(
            "{pods}",
            pod(
                "d",
                {"kubernetes.io/config.mirror": "x"},
                nodeName="n",
                volumes=[{"name": "v", "projected": {"sources": [{"serviceAccountToken": {"path": "t"}}]}}],
            ),
        ),
    ),
    script(
        "a pod's priority is its class's",
        "ADM-1 ERR-1",
        account(),
        post(CLASSES, named("high", value=1000)),
        post(CLASSES, named("never", value=10, preemptionPolicy="Never")),
        post("{pods}", quiet("a", priorityClassName="high-{own}"), keep="a"),
        post("{pods}", quiet("b", priorityClassName="never-{own}")),
        post("{pods}", quiet("c", priorityClassName="nope-{own}")),
        post("{pods}", quiet("d", priorityClassName="high-{own}", priority=1000)),
        post("{pods}", quiet("e", priorityClassName="high-{own}", priority=1)),
        post("{pods}", quiet("f", priorityClassName="high-{own}", preemptionPolicy="Never")),
        post("{pods}", quiet("g", priority=0)),
        post("{pods}", quiet("h", priority=7)),
        post("{pods}", quiet("i", preemptionPolicy="Never")),
        post("{pods}", quiet("j", priorityClassName="system-node-critical")),
        put("{pods}/a", {**quiet("a", priorityClassName="high-{own}"), "apiVersion": "v1", "kind": "Pod"}),
        patch("{pods}/a", "merge", {"spec": {"priority": None, "preemptionPolicy": None}}),
    ),
    script(
        "a node that fails is tolerated for a while",
        "ADM-1",
        account(),
        post("{pods}", quiet("a", tolerations=[{"operator": "Exists"}])),
        post("{pods}", quiet("b", tolerations=[{"key": "node.kubernetes.io/not-ready", "operator": "Exists"}])),
        post(
            "{pods}",
            quiet(
                "c",
                tolerations=[{"key": "node.kubernetes.io/unreachable", "operator": "Exists", "effect": "NoSchedule"}],
            ),
        ),
    ),
    script(
        "what a runtime class brings",
        "ADM-1 ERR-1",
        account(),
        post(RUNTIMES, named("plain", handler="h")),
        post(RUNTIMES, named("heavy", handler="h", overhead={"podFixed": {"cpu": "100m"}})),
        post(
            RUNTIMES,
            named(
                "placed",
                handler="h",
                scheduling={
                    "nodeSelector": {"a": "b"},
                    "tolerations": [
                        {"key": "k", "operator": "Exists"},
                        {"key": "l", "operator": "Equal", "value": "v"},
                    ],
                },
            ),
        ),
        post("{pods}", quiet("a", runtimeClassName="nope-{own}")),
        post("{pods}", quiet("b", runtimeClassName="plain-{own}")),
        post("{pods}", quiet("c", runtimeClassName="heavy-{own}")),
        post("{pods}", quiet("d", runtimeClassName="heavy-{own}", overhead={"cpu": "200m"})),
        post("{pods}", quiet("e", overhead={"cpu": "200m"})),
        post("{pods}", quiet("f", runtimeClassName="placed-{own}", nodeSelector={"c": "d"})),
        post("{pods}", quiet("g", runtimeClassName="placed-{own}", nodeSelector={"a": "c"})),
        post(
            "{pods}",
            quiet(
                "h",
                runtimeClassName="placed-{own}",
                tolerations=[{"key": "k", "operator": "Equal", "value": "x"}, {"key": "l", "operator": "Exists"}],
            ),
        ),
    ),
    script(
        "a new node is not ready",
        "ADM-1",
        post("/api/v1/nodes", named("a")),
        post(
            "/api/v1/nodes",
            named("b", spec={"taints": [{"key": "node.kubernetes.io/not-ready", "effect": "NoSchedule"}]}),
        ),
        post("/api/v1/nodes", named("c", spec={"taints": [{"key": "k", "effect": "NoExecute"}]}), keep="c"),
        patch("/api/v1/nodes/c-{own}", "merge", {"spec": {"taints": []}}),
    ),
    script(
        "one priority class is the default",
        "ADM-1 ERR-1",
        post(CLASSES, named("first", value=5, globalDefault=True)),
        # The server hears of the first a moment later, and a second that came in between would be everybody's default.
        until(post(f"{CLASSES}?dryRun=All", named("second", value=6, globalDefault=True)), code=403),
        patch(f"{CLASSES}/first-{{own}}", "merge", {"description": "x"}),
        account(),
        post("{pods}", quiet("a")),
        patch(f"{CLASSES}/first-{{own}}", "merge", {"globalDefault": False}),
        alone=True,
    ),
)
