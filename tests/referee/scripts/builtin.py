"""Built-in kinds: made, read, listed, changed, watched, deleted, and their particular ways."""

from typing import Any

from tests.referee.language import Step, delete, edited, events, get, patch, post, put, script, watch
from tests.referee.objects import Document, widget

TABLE = "application/json;as=Table;v=v1;g=meta.k8s.io"
PARTIAL = "application/json;as=PartialObjectMetadata;v=v1;g=meta.k8s.io"
PARTIALS = "application/json;as=PartialObjectMetadataList;v=v1;g=meta.k8s.io"
TEMPLATE: Document = {"metadata": {"labels": {"a": "b"}}, "spec": {"containers": [{"name": "c", "image": "i"}]}}
SELECTOR = {"matchLabels": {"a": "b"}}


def lived(path: str, body: Document, change: Document) -> tuple[Step, ...]:
    """The life of an object of one kind."""
    name = body["metadata"]["name"]
    return (
        post(path, body, keep="made"),
        get(f"{path}/{name}"),
        get(f"{path}?fieldSelector=metadata.name%3D{name}"),
        watch("w", f"{path}?watch=1&fieldSelector=metadata.name%3D{name}"),
        events("w", 1),
        put(f"{path}/{name}", edited("made", {"metadata": {"labels": {"x": "y"}}})),
        patch(f"{path}/{name}", "merge", change),
        patch(f"{path}/{name}", "strategic", {"metadata": {"annotations": {"n": "1"}}}),
        get(f"{path}/{name}", accept=TABLE),
        post(path, body),
        delete(f"{path}/{name}"),
        get(f"{path}/{name}"),
        events("w", 4),
    )


def named(name: str, **fields: Any) -> Document:
    return {"metadata": {"name": name}, **fields}


def emptied(path: str, name: str, change: Document, **fields: Any) -> tuple[Step, ...]:
    """An object is written with lists and maps that are empty, again and again, in every way."""
    return (
        post(path, named(name, **fields), keep="made"),
        put(f"{path}/{name}", edited("made", change), keep="made"),
        put(f"{path}/{name}", edited("made", change), keep="made"),
        patch(f"{path}/{name}", "merge", change),
        patch(f"{path}/{name}", "strategic", change),
        put(f"{path}/{name}/status", edited("made", {"status": {"conditions": []}})),
        patch(
            f"{path}/{name}?fieldManager=m&force=true",
            "apply",
            {"apiVersion": "{made.apiVersion}", "kind": "{made.kind}"} | named(name, **change),
        ),
        get(f"{path}/{name}"),
    )


_POLICIES = "/apis/networking.k8s.io/v1/namespaces/{ns}/networkpolicies"
_ROLES = "/apis/rbac.authorization.k8s.io/v1/namespaces/{ns}/roles"
_HOLLOW: Document = {"labels": {}, "annotations": {}, "finalizers": [], "ownerReferences": []}

#: What makes a Scale something else.
STRANGE: tuple[Document, ...] = (
    {"metadata": {"labels": {"a b": "x"}}},
    {"apiVersion": None},
    {"kind": None},
    {"apiVersion": ""},
    {"apiVersion": 7},
    {"apiVersion": {}},
    {"apiVersion": []},
    {"apiVersion": "autoscaling/v2"},
    {"apiVersion": "apps/v1"},
    {"apiVersion": "a/b/c"},
    {"kind": 7},
    {"kind": "Other"},
    {"kind": ""},
)

SCRIPTS = (
    script(
        "nothing in lists and maps of a deployment",
        "UPD-1 CREATE-1",
        *emptied(
            "{deployments}",
            "a",
            {"spec": {"template": {"spec": {"nodeSelector": {}, "volumes": [], "tolerations": []}}}},
            spec={"selector": SELECTOR, "template": TEMPLATE},
        ),
    ),
    script(
        "nothing in lists and maps of a network policy",
        "UPD-1 CREATE-1",
        *emptied(
            _POLICIES,
            "a",
            {"spec": {"ingress": []}},
            spec={"podSelector": {"matchLabels": {}}, "policyTypes": ["Ingress"]},
        ),
    ),
    script(
        "nothing in lists and maps of a role",
        "UPD-1 CREATE-1",
        *emptied(_ROLES, "a", {"rules": []}, rules=[{"apiGroups": [""], "resources": ["pods"], "verbs": ["get"]}]),
    ),
    script(
        "nothing in lists and maps of metadata",
        "UPD-1 CREATE-1",
        post("{configmaps}", {"metadata": {"name": "a", **_HOLLOW}, "data": {}, "binaryData": {}}, keep="made"),
        put("{configmaps}/a", edited("made", {"metadata": _HOLLOW, "data": {}, "immutable": True}), keep="made"),
        put("{configmaps}/a", edited("made", {"data": {}})),
        put("{configmaps}/a", edited("made", {"binaryData": {}})),
        post("{secrets}", {"metadata": {"name": "a"}, "data": {}, "immutable": True}, keep="secret"),
        put("{secrets}/a", edited("secret", {"data": {}})),
        put("{secrets}/a", edited("secret", {"stringData": {}})),
        put("{configmaps}/a", edited("made", {"metadata": {"labels": {}}})),
        patch("{configmaps}/a", "merge", {"metadata": _HOLLOW}),
        patch("{configmaps}/a", "json", [{"op": "add", "path": "/metadata/labels", "value": {}}]),
        get("{configmaps}/a"),
    ),
    script(
        "a lease",
        "UPD-1 CREATE-1",
        *lived(
            "{leases}",
            named(
                "a",
                spec={"holderIdentity": "me", "leaseDurationSeconds": 15, "renewTime": "2020-01-01T00:00:00.000000Z"},
            ),
            {"spec": {"renewTime": "2020-01-01T00:00:01.123456Z", "leaseTransitions": 1}},
        ),
    ),
    script(
        "the times of a lease",
        "CREATE-1 ERR-1",
        post("{leases}", named("a", spec={"renewTime": "2020-01-01T00:00:00.1Z"})),
        post("{leases}", named("b", spec={"renewTime": "2020-01-01T00:00:00.123456789Z"})),
        post("{leases}", named("c", spec={"renewTime": "2020-01-01T02:00:00.000000+02:00"})),
        post("{leases}", named("d", spec={"renewTime": None})),
        post("{leases}", named("e", spec={"leaseDurationSeconds": 0})),
        post("{leases}", named("f", spec={"leaseDurationSeconds": -1, "leaseTransitions": -1})),
        post("{leases}", named("g")),
        post("{leases}", named("h", spec={"holderIdentity": ""})),
        put("{leases}/g", named("g", spec={"holderIdentity": "x"})),
    ),
    script(
        "an event",
        "CREATE-1 SEL-2",
        *lived(
            "{events}",
            named(
                "a",
                involvedObject={"kind": "Pod", "name": "p", "namespace": "{ns}"},
                reason="Because",
                message="It is so.",
                type="Normal",
                firstTimestamp="2020-01-01T00:00:00Z",
                lastTimestamp="2020-01-01T00:00:00Z",
                count=1,
                source={"component": "me"},
            ),
            {"count": 2, "lastTimestamp": "2020-01-01T00:01:00Z"},
        ),
    ),
    script(
        "events that are none",
        "ERR-1",
        post("{events}", named("a")),
        post("{events}", named("a", involvedObject={"namespace": "other"})),
        post("{events}", named("a", involvedObject={"namespace": "{ns}"})),
        post("{events}", named("a", involvedObject={"namespace": "{ns}"}, type="Nope")),
        post("/apis/events.k8s.io/v1/namespaces/{ns}/events", named("b")),
        post(
            "/apis/events.k8s.io/v1/namespaces/{ns}/events",
            named(
                "c",
                eventTime="2020-01-01T00:00:00.000000Z",
                reportingController="x.y/z",
                reportingInstance="i",
                action="Do",
                reason="Because",
                type="Normal",
                regarding={"kind": "Pod", "name": "p", "namespace": "{ns}"},
                note="hello",
            ),
        ),
        get("{events}/c"),
        get("{events}?fieldSelector=involvedObject.name%3Dp,reason%3DBecause", only="items * metadata name"),
        get(
            "/apis/events.k8s.io/v1/namespaces/{ns}/events?fieldSelector=regarding.name%3Dp",
            only="items * metadata name",
        ),
    ),
    script(
        "a service account",
        "CREATE-1 DEL-1",
        *lived(
            "{serviceaccounts}",
            named("a", automountServiceAccountToken=False, secrets=[{"name": "s"}]),
            {"imagePullSecrets": [{"name": "p"}]},
        ),
    ),
    script(
        "a service",
        "CREATE-1 DEL-1",
        *lived(
            "{services}",
            named("a", spec={"selector": {"a": "b"}, "clusterIP": "None", "ports": [{"name": "http", "port": 80}]}),
            {"spec": {"publishNotReadyAddresses": True}},
        ),
    ),
    script(
        "a deployment",
        "CREATE-1",
        *lived(
            "{deployments}",
            named("a", spec={"replicas": 2, "selector": SELECTOR, "template": TEMPLATE}),
            {"spec": {"replicas": 3}},
        ),
    ),
    script(
        "a scale that is no good",
        "UPD-7 PATCH-3",
        post("{deployments}", named("a", spec={"selector": SELECTOR, "template": TEMPLATE}), only="kind"),
        post("{widgets}", widget("w", {"size": 1, "replicas": 1}), only="kind"),
        *(
            step
            for path, name in (("{deployments}/a/scale", "a"), ("{widgets}/w/scale", "w"))
            for step in (
                *(
                    put(path, {"metadata": {"name": name, **meta}, "spec": {"replicas": number}})
                    for meta, number in (
                        ({"labels": {"a b": "x"}}, 2),
                        ({"labels": {"a": "x y"}}, -1),
                        ({"annotations": {"a b": "x"}}, 2),
                        ({"finalizers": ["x y"]}, 2),
                        ({"ownerReferences": [{"name": "x"}]}, 2),
                        ({"generateName": "x_"}, 2),
                        ({"labels": {"a": "x"}}, 2),
                    )
                ),
                *(patch(path, "merge", {**change, "spec": {"replicas": 3}}) for change in STRANGE),
                *(
                    patch(path, "json", [change])
                    for change in (
                        {"op": "remove", "path": "/apiVersion"},
                        {"op": "replace", "path": "/apiVersion", "value": 7},
                        {"op": "remove", "path": "/kind"},
                    )
                ),
                get(path, only="spec"),
            )
        ),
    ),
    script(
        "the scale of a deployment",
        "UPD-7",
        post(
            "{deployments}", named("a", spec={"replicas": 2, "selector": SELECTOR, "template": TEMPLATE}), only="kind"
        ),
        get("{deployments}/a/scale", keep="s"),
        put("{deployments}/a/scale", edited("s", {"spec": {"replicas": 4}})),
        patch("{deployments}/a/scale", "merge", {"spec": {"replicas": 5}}),
        put("{deployments}/a/scale", edited("s", {"spec": {"replicas": 6}})),
        put("{deployments}/a/scale", {"metadata": {"name": "a"}, "spec": {"replicas": -1}}),
        get("{deployments}/a", only=("spec replicas", "metadata generation")),
        put("{deployments}/a/status", {"metadata": {"name": "a"}, "status": {"replicas": 1}}),
        patch(
            "{deployments}/a/status",
            "merge",
            {"status": {"observedGeneration": 1}},
            only=("status", "metadata generation"),
        ),
    ),
    script(
        "a role and a binding",
        "CREATE-1 UPD-1",
        *lived(
            "/apis/rbac.authorization.k8s.io/v1/namespaces/{ns}/roles",
            named("a", rules=[{"apiGroups": [""], "resources": ["pods"], "verbs": ["get"]}]),
            {"rules": []},
        ),
        *lived(
            "/apis/rbac.authorization.k8s.io/v1/namespaces/{ns}/rolebindings",
            named(
                "a",
                roleRef={"apiGroup": "rbac.authorization.k8s.io", "kind": "Role", "name": "a"},
                subjects=[{"kind": "User", "name": "u"}],
            ),
            {"subjects": None},
        ),
    ),
    script(
        "a persistent volume claim",
        "CREATE-1 DEL-1",
        *lived(
            "/api/v1/namespaces/{ns}/persistentvolumeclaims",
            named("a", spec={"accessModes": ["ReadWriteOnce"], "resources": {"requests": {"storage": "1Gi"}}}),
            {"metadata": {"annotations": {"a": "b"}, "finalizers": None}},
        ),
    ),
    script(
        "a job and a cron job",
        "CREATE-1",
        post(
            "/apis/batch/v1/namespaces/{ns}/cronjobs",
            named(
                "c",
                spec={
                    "schedule": "* * * * *",
                    "jobTemplate": {"spec": {"template": {"spec": {**TEMPLATE["spec"], "restartPolicy": "Never"}}}},
                },
            ),
        ),
        get("/apis/batch/v1/namespaces/{ns}/cronjobs/c", accept=TABLE),
        delete("/apis/batch/v1/namespaces/{ns}/cronjobs/c"),
    ),
    script(
        "a configmap and a secret",
        "CREATE-1",
        *lived("{configmaps}", named("a", data={"k": "v"}), {"data": {"k": "w"}}),
        *lived("{secrets}", named("a", stringData={"k": "v"}), {"stringData": {"k": "w"}}),
    ),
    script(
        "kinds of the cluster",
        "CREATE-1",
        *lived(
            "/apis/rbac.authorization.k8s.io/v1/clusterroles",
            named("{own}", rules=[{"nonResourceURLs": ["/x"], "verbs": ["get"]}]),
            {"rules": []},
        ),
        *lived(
            "/apis/scheduling.k8s.io/v1/priorityclasses",
            named("{own}", value=5, description="five"),
            {"description": "still five"},
        ),
        *lived(
            "/apis/storage.k8s.io/v1/storageclasses",
            named("{own}", provisioner="example.com/x"),
            {"allowVolumeExpansion": True},
        ),
        *lived("/api/v1/nodes", named("{own}", spec={"unschedulable": True}), {"spec": {"unschedulable": None}}),
    ),
    script(
        "unknown fields of built-in kinds",
        "NEG-6",
        post(
            "{deployments}?dryRun=All",
            named("a", spec={"selector": SELECTOR, "template": TEMPLATE, "nope": 1}),
            only="kind",
        ),
        post(
            "{deployments}?dryRun=All&fieldValidation=Strict",
            named("a", spec={"selector": SELECTOR, "nope": {"x": 1}}, y=1),
        ),
        post("{leases}?dryRun=All&fieldValidation=Strict", named("a", spec={"nope": 1})),
        post("{services}?dryRun=All&fieldValidation=Strict", named("a", spec={"ports": [{"port": 1, "nope": 1}]})),
        post("{events}?dryRun=All&fieldValidation=Strict", named("a", nope=1, involvedObject={"nope": 1})),
    ),
    script(
        "how the parts of the server fare",
        "HEALTH-1 ERR-1",
        get("/api/v1/componentstatuses/etcd-0"),
        get("/api/v1/componentstatuses/etcd-0", accept=TABLE),
        get("/api/v1/componentstatuses/etcd-0", accept=PARTIAL),
        get("/api/v1/componentstatuses/etcd-0?resourceVersion=x"),
        get("/api/v1/componentstatuses/etcd-0?resourceVersion=99999999999"),
        get("/api/v1/componentstatuses/none"),
        get("/api/v1/componentstatuses", only=("kind", "metadata", "items * metadata name"), unordered="items"),
        *(
            get(f"/api/v1/componentstatuses?{query}")
            for query in (
                "fieldSelector=metadata.name=etcd-0",
                "fieldSelector=metadata.name=etcd-0&limit=1",
                "fieldSelector=metadata.name=etcd-0&resourceVersion=99999999999&resourceVersionMatch=Exact",
                "fieldSelector=metadata.name=none",
                "fieldSelector=metadata.namespace=none",
                "fieldSelector=spec.x=1",
                "labelSelector=a=b",
                "labelSelector=!a&fieldSelector=metadata.name=etcd-0",
                "labelSelector=!a&fieldSelector=metadata.name!=scheduler,metadata.name!=controller-manager",
                "labelSelector==",
                "fieldSelector=metadata.name=etcd-0&resourceVersion=x",
                "fieldSelector=metadata.name=etcd-0&continue=x",
                "limit=x",
                "watch=true",
                "fieldSelector=metadata.name=etcd-0&watch=true",
            )
        ),
        get("/api/v1/componentstatuses?fieldSelector=metadata.name=etcd-0", accept=TABLE),
        get("/api/v1/componentstatuses?fieldSelector=metadata.name=etcd-0", accept=PARTIALS),
        get("/api/v1/watch/componentstatuses"),
        get("/api/v1/componentstatuses/etcd-0?watch=true"),
        post("/api/v1/componentstatuses", named("a")),
        put("/api/v1/componentstatuses/etcd-0", named("etcd-0")),
        delete("/api/v1/componentstatuses/etcd-0"),
        delete("/api/v1/componentstatuses"),
        get("/api/v1/namespaces/default/componentstatuses"),
    ),
    script(
        "kinds that are only asked",
        "CREATE-1",
        post(
            "/apis/authorization.k8s.io/v1/selfsubjectaccessreviews",
            {"spec": {"resourceAttributes": {"verb": "get", "resource": "pods"}}},
        ),
        post("/apis/authentication.k8s.io/v1/selfsubjectreviews", {}, masked="status userInfo extra"),
        get("/apis/authorization.k8s.io/v1/selfsubjectaccessreviews"),
        get("/api/v1/componentstatuses", only="kind"),
        get("/api/v1/bindings"),
    ),
)
