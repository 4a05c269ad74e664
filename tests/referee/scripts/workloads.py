"""Workloads: what of them may change, how changes are counted, their status, their scale, and how tables show them.

No controller runs: a status is what the script writes.
"""

from typing import Any

from tests.referee.language import Step, delete, edited, get, patch, post, put, script
from tests.referee.objects import Document

TABLE = "application/json;as=Table;v=v1;g=meta.k8s.io"
META = "application/json;as=PartialObjectMetadata;v=v1;g=meta.k8s.io"
REPLICASETS = "/apis/apps/v1/namespaces/{ns}/replicasets"
STATEFULSETS = "/apis/apps/v1/namespaces/{ns}/statefulsets"
DAEMONSETS = "/apis/apps/v1/namespaces/{ns}/daemonsets"
REVISIONS = "/apis/apps/v1/namespaces/{ns}/controllerrevisions"
JOBS = "/apis/batch/v1/namespaces/{ns}/jobs"
CRONJOBS = "/apis/batch/v1/namespaces/{ns}/cronjobs"
CONTROLLERS_ = "/api/v1/namespaces/{ns}/replicationcontrollers"
TEMPLATES = "/api/v1/namespaces/{ns}/podtemplates"

PODS: Document = {"containers": [{"name": "c", "image": "i:1"}]}
TEMPLATE: Document = {"metadata": {"labels": {"a": "b"}}, "spec": PODS}
ONCE: Document = {"spec": {**PODS, "restartPolicy": "Never"}}
SELECTOR = {"matchLabels": {"a": "b"}}
#: What changes when what is wished for does.
COUNTED = ("metadata generation", "metadata annotations", "spec replicas")


def named(name: str, spec: Document | None = None, **fields: Any) -> Document:
    return {"metadata": {"name": name}, **({} if spec is None else {"spec": spec}), **fields}


def running(name: str, **spec: Any) -> Document:
    """A Deployment, ReplicaSet, StatefulSet or DaemonSet."""
    return named(name, {"selector": SELECTOR, "template": TEMPLATE, **spec})


def job(name: str, **spec: Any) -> Document:
    return named(name, {"template": ONCE, **spec})


def cronjob(name: str, schedule: str = "* * * * *", **spec: Any) -> Document:
    return named(name, {"schedule": schedule, "jobTemplate": {"spec": {"template": ONCE}}, **spec})


def tried(path: str, *changes: Document, only: str | tuple[str, ...] = ()) -> tuple[Step, ...]:
    """Each change by itself, none of which stays."""
    return tuple(patch(f"{path}?dryRun=All", "merge", change, only=only) for change in changes)


def spec(**fields: Any) -> Document:
    return {"spec": fields}


def pods(**fields: Any) -> Document:
    """A change of the pods of a template."""
    return {"spec": {"template": {"spec": fields}}}


def status(**fields: Any) -> Document:
    return {"status": fields}


def condition(kind: str, value: str = "True", **fields: Any) -> Document:
    return {"type": kind, "status": value, "lastTransitionTime": "2020-01-01T00:00:00Z", **fields}


ENDED = "2020-01-01T00:05:00Z"
BEGUN = "2020-01-01T00:00:00Z"
#: Of success, right and wrong.
POLICIES: tuple[list[Document], ...] = (
    [],
    [{}],
    [{"succeededCount": 6}],
    [{"succeededCount": -1}],
    [{"succeededIndexes": "0,2-4", "succeededCount": 5}],
    [{"succeededIndexes": ""}],
    [{"succeededIndexes": "5"}],
    [{"succeededIndexes": "0-5"}],
    [{"succeededIndexes": "3-1"}],
    [{"succeededIndexes": "1-2-3"}],
    [{"succeededIndexes": "2,1"}],
    [{"succeededIndexes": "a"}],
    [{"succeededIndexes": "1-b"}],
    [{"succeededIndexes": "1,"}],
    [{"succeededIndexes": "+1"}],
    [{"succeededCount": 1}] * 21,
)


def scaled(path: str, body: Document) -> tuple[Step, ...]:
    """The scale of one object, asked for and changed in every way."""
    at = f"{path}/{body['metadata']['name']}/scale"
    return (
        post(path, body, only="kind"),
        get(at, keep="s"),
        get(at, accept=TABLE),
        put(at, edited("s", spec(replicas=4))),
        put(at, edited("s", spec(replicas=5))),
        put(at, {**named("a"), "spec": {"replicas": 6}}),
        put(at, {**named("a"), "spec": {}}),
        put(at, {**named("b"), "spec": {"replicas": 6}}),
        put(at, {**named("a"), "spec": {"replicas": -1}}),
        put(f"{at}?dryRun=All", {**named("a"), "spec": {"replicas": 7}}),
        put(at, {"apiVersion": "apps/v1", "kind": "Deployment", **named("a"), "spec": {"replicas": 6}}),
        patch(at, "merge", spec(replicas=8)),
        patch(at, "json", [{"op": "replace", "path": "/spec/replicas", "value": 9}]),
        patch(at, "strategic", spec(replicas=10)),
        patch(at, "merge", spec(replicas=None)),
        patch(at, "merge", spec(replicas=-2)),
        patch(at, "merge", {"metadata": {"labels": {"x": "y"}}}),
        get(f"{path}/{body['metadata']['name']}", only=(*COUNTED, "metadata labels")),
        get(f"{path}/none/scale"),
        put(f"{path}/none/scale", {**named("none"), "spec": {"replicas": 1}}),
    )


SCRIPTS = (
    script(
        "what of a deployment counts as a change",
        "UPD-1 CREATE-1",
        post("{deployments}", running("a", replicas=1), keep="a"),
        patch("{deployments}/a", "merge", {}, only=COUNTED),
        put("{deployments}/a", edited("a"), only=COUNTED),
        patch("{deployments}/a", "merge", spec(replicas=2), only=COUNTED),
        patch("{deployments}/a", "merge", {"metadata": {"labels": {"x": "y"}}}, only=COUNTED),
        patch("{deployments}/a", "merge", {"metadata": {"annotations": {"x": "y"}}}, only=COUNTED),
        patch("{deployments}/a", "merge", {"metadata": {"finalizers": ["example.com/f"]}}, only=COUNTED),
        patch("{deployments}/a", "strategic", pods(containers=[{"name": "c", "image": "i:2"}]), only=COUNTED),
        patch("{deployments}/a", "strategic", pods(containers=[{"name": "c", "imagePullPolicy": None}]), only=COUNTED),
        patch("{deployments}/a", "merge", {"metadata": {"generation": 77}}, only=COUNTED),
        patch("{deployments}/a", "merge", status(replicas=3), only=("metadata generation", "status")),
        patch("{deployments}/a/status", "merge", status(replicas=3), only=("metadata generation", "status")),
        patch("{deployments}/a/scale", "merge", spec(replicas=4), only="spec"),
        delete("{deployments}/a", only=("metadata generation", "metadata deletionTimestamp"), masked="metadata"),
        get("{deployments}/a", only="metadata generation"),
    ),
    script(
        "what of a deployment may change",
        "UPD-1 ERR-1",
        post("{deployments}", running("a"), keep="a"),
        *tried(
            "{deployments}/a",
            spec(replicas=-1),
            spec(selector=None),
            spec(selector={"matchLabels": {"c": "d"}}),
            spec(selector={"matchLabels": {"a": None}}),
            spec(selector={"matchExpressions": [{"key": "a", "operator": "Exists"}]}),
            spec(template={"metadata": {"labels": {"a": "c"}}}),
            spec(template={"metadata": {"labels": {"c": "d"}}}),
            spec(strategy={"type": "Recreate"}),
            spec(strategy={"type": "Recreate", "rollingUpdate": None}),
            spec(strategy={"type": "Odd"}),
            spec(strategy=None),
            spec(strategy={"rollingUpdate": {"maxSurge": 0, "maxUnavailable": 0}}),
            spec(strategy={"rollingUpdate": {"maxSurge": "0%", "maxUnavailable": "0%"}}),
            spec(strategy={"rollingUpdate": {"maxSurge": "200%", "maxUnavailable": "101%"}}),
            spec(strategy={"rollingUpdate": {"maxSurge": "x", "maxUnavailable": "-5"}}),
            spec(strategy={"rollingUpdate": {"maxSurge": None, "maxUnavailable": None}}),
            spec(minReadySeconds=600),
            spec(minReadySeconds=-1, progressDeadlineSeconds=0),
            spec(minReadySeconds=-1, progressDeadlineSeconds=-1),
            spec(revisionHistoryLimit=0),
            spec(revisionHistoryLimit=-1),
            spec(paused=True),
            pods(restartPolicy="Never"),
            pods(restartPolicy="OnFailure", activeDeadlineSeconds=5),
            pods(activeDeadlineSeconds=0),
            pods(containers=[]),
            {"metadata": {"name": "b"}},
            {"metadata": {"annotations": {"deprecated.deployment.rollback.to": "3"}}},
        ),
    ),
    script(
        "the status of a deployment",
        "UPD-4 ERR-1",
        post("{deployments}", running("a"), only="kind"),
        put(
            "{deployments}/a/status",
            {
                "metadata": {"name": "a", "labels": {"x": "y"}, "annotations": {"n": "o"}},
                "spec": {"replicas": 7},
                "status": {
                    "observedGeneration": 1,
                    "replicas": 3,
                    "updatedReplicas": 3,
                    "readyReplicas": 2,
                    "availableReplicas": 1,
                    "unavailableReplicas": 2,
                    "terminatingReplicas": 1,
                    "collisionCount": 2,
                    "conditions": [
                        condition("Progressing", reason="R", message="m", lastUpdateTime=BEGUN),
                        condition("Progressing", "Odd"),
                    ],
                },
            },
        ),
        get("{deployments}/a", accept=TABLE),
        *tried(
            "{deployments}/a/status",
            status(replicas=-1, updatedReplicas=-1, readyReplicas=-1, availableReplicas=-1),
            status(observedGeneration=-1, unavailableReplicas=-1, terminatingReplicas=-1, collisionCount=-1),
            status(replicas=0),
            status(readyReplicas=0),
            status(availableReplicas=3),
            status(collisionCount=1),
            status(collisionCount=None),
            status(conditions=None, terminatingReplicas=None),
            {"status": None},
            spec(replicas=-5),
            {"metadata": {"labels": {"A B": "x"}}},
            {"metadata": {"annotations": {"A B": "x"}}},
            {"metadata": {"finalizers": ["odd"]}},
        ),
        put("{deployments}/a/status", {"metadata": {"name": "a"}}, only="status"),
        get("{deployments}/a", accept=META),
    ),
    script("the scale of deployments", "UPD-7", *scaled("{deployments}", running("a", replicas=3))),
    script("the scale of replica sets", "UPD-7", *scaled(REPLICASETS, running("a", replicas=3))),
    script("the scale of stateful sets", "UPD-7", *scaled(STATEFULSETS, running("a", replicas=3))),
    script(
        "the scale of replication controllers",
        "UPD-7",
        *scaled(CONTROLLERS_, named("a", {"replicas": 3, "selector": {"a": "b"}, "template": TEMPLATE})),
    ),
    script(
        "a scale tells selectors of every kind",
        "UPD-7",
        *(
            post(
                "{deployments}",
                running(name, selector={"matchLabels": {"a": "b"}, "matchExpressions": [expression]}),
                only="kind",
            )
            for name, expression in (
                ("in", {"key": "a", "operator": "In", "values": ["z", "b"]}),
                ("notin", {"key": "x", "operator": "NotIn", "values": ["z", "b"]}),
                ("exists", {"key": "a", "operator": "Exists"}),
                ("absent", {"key": "x", "operator": "DoesNotExist"}),
            )
        ),
        *(get(f"{{deployments}}/{name}/scale", only="status") for name in ("in", "notin", "exists", "absent")),
        *(get(f"{{deployments}}/{name}", accept=TABLE) for name in ("in", "notin", "absent")),
        patch("{deployments}/in/status", "merge", status(replicas=2), only="status"),
        get("{deployments}/in/scale", only="status"),
    ),
    script(
        "a replica set",
        "UPD-1 UPD-4",
        post(REPLICASETS, running("a", replicas=2), keep="a"),
        patch(f"{REPLICASETS}/a", "merge", {"metadata": {"annotations": {"x": "y"}}}, only=COUNTED),
        patch(f"{REPLICASETS}/a", "merge", spec(replicas=3), only=COUNTED),
        *tried(
            f"{REPLICASETS}/a",
            spec(replicas=-1),
            spec(selector={"matchLabels": {"c": "d"}}),
            spec(selector=None),
            spec(minReadySeconds=-1),
            pods(restartPolicy="Never", activeDeadlineSeconds=1),
            pods(containers=[{"name": "c", "image": "i:2"}]),
        ),
        patch(
            f"{REPLICASETS}/a/status",
            "merge",
            {
                "metadata": {"labels": {"x": "y"}},
                "spec": {"replicas": 9},
                "status": {
                    "replicas": 3,
                    "fullyLabeledReplicas": 3,
                    "readyReplicas": 2,
                    "availableReplicas": 1,
                    "observedGeneration": 2,
                    "conditions": [condition("ReplicaFailure", reason="R", message="m")],
                },
            },
        ),
        get(f"{REPLICASETS}/a", accept=TABLE),
        get(f"{REPLICASETS}?fieldSelector=status.replicas%3D3", only="items * metadata name"),
        *tried(
            f"{REPLICASETS}/a/status",
            status(replicas=-1, fullyLabeledReplicas=-1, readyReplicas=-1, availableReplicas=-1, observedGeneration=-1),
            status(replicas=1),
            status(availableReplicas=3),
            status(terminatingReplicas=-1),
            status(terminatingReplicas=1),
            only="status",
        ),
    ),
    script(
        "what of a stateful set may change",
        "UPD-1 ERR-1",
        post(
            STATEFULSETS,
            running(
                "a",
                serviceName="s",
                volumeClaimTemplates=[
                    {
                        "metadata": {"name": "d"},
                        "spec": {"accessModes": ["ReadWriteOnce"], "resources": {"requests": {"storage": "1Gi"}}},
                    }
                ],
            ),
            keep="a",
        ),
        *tried(
            f"{STATEFULSETS}/a",
            spec(replicas=3),
            spec(ordinals={"start": 2}),
            spec(ordinals={"start": -2}),
            spec(minReadySeconds=7),
            spec(revisionHistoryLimit=3),
            spec(revisionHistoryLimit=-3),
            spec(updateStrategy={"type": "OnDelete", "rollingUpdate": None}),
            spec(updateStrategy={"type": "OnDelete"}),
            spec(updateStrategy={"type": "Odd"}),
            spec(updateStrategy={"rollingUpdate": {"partition": -1}}),
            spec(updateStrategy={"rollingUpdate": {"partition": 2, "maxUnavailable": 0}}),
            spec(updateStrategy={"rollingUpdate": None}),
            spec(updateStrategy=None),
            spec(persistentVolumeClaimRetentionPolicy={"whenDeleted": "Delete"}),
            spec(persistentVolumeClaimRetentionPolicy={"whenScaled": "Odd"}),
            spec(persistentVolumeClaimRetentionPolicy=None),
            spec(template={"metadata": {"labels": {"c": "d"}}}),
            pods(containers=[{"name": "c", "image": "i:2", "volumeMounts": [{"name": "d", "mountPath": "/d"}]}]),
            pods(containers=[{"name": "c", "image": "i:2", "volumeMounts": [{"name": "e", "mountPath": "/d"}]}]),
            pods(volumes=[{"name": "d", "emptyDir": {}}]),
            pods(hostname="A B", subdomain="A B"),
            pods(restartPolicy="Never"),
            only=("metadata generation", "spec"),
        ),
        *tried(
            f"{STATEFULSETS}/a",
            spec(serviceName="t"),
            spec(serviceName=None),
            spec(podManagementPolicy="Parallel"),
            spec(podManagementPolicy="Odd"),
            spec(podManagementPolicy=None),
            spec(selector={"matchLabels": {"c": "d"}}),
            spec(selector=None),
            spec(volumeClaimTemplates=None),
            spec(volumeClaimTemplates=[{"metadata": {"name": "d"}}]),
            spec(serviceName="t", replicas=-1),
        ),
        patch(f"{STATEFULSETS}/a", "strategic", spec(volumeClaimTemplates=[{"metadata": {"name": "e"}}])),
        put(f"{STATEFULSETS}/a", edited("a"), only="metadata generation"),
        patch(f"{STATEFULSETS}/a", "merge", {"metadata": {"annotations": {"x": "y"}}}, only="metadata generation"),
        patch(f"{STATEFULSETS}/a", "merge", spec(replicas=2), only="metadata generation"),
    ),
    script(
        "stateful sets that are none",
        "ERR-1 CREATE-1",
        *(
            post(f"{STATEFULSETS}?dryRun=All", body)
            for body in (
                running("a.b"),
                running("a", serviceName="a.b"),
                running("a", serviceName=""),
                running("a", podManagementPolicy=""),
                running("a", updateStrategy={"rollingUpdate": {}}),
                running("a", updateStrategy={"type": "RollingUpdate"}),
                running("a", updateStrategy={"type": "RollingUpdate", "rollingUpdate": {"maxUnavailable": "10%"}}),
                running("a", volumeClaimTemplates=[{}]),
                running("a", volumeClaimTemplates=[{"metadata": {"name": "d"}, "status": {"phase": "Bound"}}]),
                running("a", revisionHistoryLimit=-1),
                running(
                    "a",
                    volumeClaimTemplates=[
                        {
                            "metadata": {"name": "d"},
                            "spec": {"accessModes": ["ReadWriteOnce"], "resources": {"requests": {"storage": "1.5"}}},
                        }
                    ],
                ),
                running("a", selector={"matchLabels": {"a": "A B"}}),
                running("a", selector={"matchExpressions": [{"key": "a", "operator": "In"}]}),
                running("a", template={"metadata": {"labels": {"a": "b", "x": "A B"}}, "spec": PODS}),
            )
        ),
        post(STATEFULSETS, {**running("x"), "metadata": {"generateName": "g-"}}, only="metadata generateName"),
    ),
    script(
        "the status of a stateful set",
        "UPD-4",
        post(STATEFULSETS, running("a", replicas=4), only="status"),
        patch(
            f"{STATEFULSETS}/a/status",
            "merge",
            status(
                observedGeneration=1,
                replicas=4,
                readyReplicas=3,
                currentReplicas=2,
                updatedReplicas=1,
                availableReplicas=3,
                currentRevision="a-1",
                updateRevision="a-2",
                collisionCount=1,
            ),
            only="status",
        ),
        get(f"{STATEFULSETS}/a", accept=TABLE),
        *tried(
            f"{STATEFULSETS}/a/status",
            status(replicas=0),
            status(
                observedGeneration=-1,
                replicas=-1,
                readyReplicas=-1,
                currentReplicas=-1,
                updatedReplicas=-1,
                availableReplicas=-1,
                collisionCount=-1,
            ),
            status(availableReplicas=4),
            status(collisionCount=0),
            status(collisionCount=None),
            spec(serviceName="t"),
            {"metadata": {"labels": {"x": "y"}}},
            only=("status", "metadata labels", "spec serviceName"),
        ),
    ),
    script(
        "a daemon set counts its templates",
        "UPD-1",
        post(DAEMONSETS, running("a"), keep="a", only="metadata"),
        patch(f"{DAEMONSETS}/a", "merge", spec(minReadySeconds=3), only="metadata"),
        patch(f"{DAEMONSETS}/a", "strategic", pods(containers=[{"name": "c", "image": "i:2"}]), only="metadata"),
        patch(f"{DAEMONSETS}/a", "merge", {"metadata": {"annotations": None}}, only="metadata"),
        patch(
            f"{DAEMONSETS}/a",
            "merge",
            {"metadata": {"annotations": {"deprecated.daemonset.template.generation": "9"}}},
            only="metadata",
        ),
        patch(
            f"{DAEMONSETS}/a",
            "merge",
            {"metadata": {"annotations": {"deprecated.daemonset.template.generation": None, "x": "y"}}},
            only="metadata",
        ),
        put(
            f"{DAEMONSETS}/a",
            {**running("a", template={**TEMPLATE, "spec": {**PODS, "hostNetwork": True}})},
            only="metadata",
        ),
        put(f"{DAEMONSETS}/a/status", {**named("a"), "status": {}}, only=("metadata", "status")),
        get(f"{DAEMONSETS}/a", accept=META),
        post(
            DAEMONSETS,
            {
                **running("b"),
                "metadata": {"name": "b", "annotations": {"deprecated.daemonset.template.generation": "5"}},
            },
            only="metadata",
        ),
        post(
            DAEMONSETS,
            {
                **running("c"),
                "metadata": {"name": "c", "annotations": {"deprecated.daemonset.template.generation": "-5"}},
            },
            only="metadata",
        ),
    ),
    script(
        "what of a daemon set may change",
        "UPD-1 UPD-4 ERR-1",
        post(DAEMONSETS, running("a"), only="spec"),
        *tried(
            f"{DAEMONSETS}/a",
            spec(selector={"matchLabels": {"c": "d"}}),
            spec(selector=None),
            spec(updateStrategy={"type": "OnDelete"}),
            spec(updateStrategy={"type": "Odd"}),
            spec(updateStrategy={"rollingUpdate": {"maxSurge": 1}}),
            spec(updateStrategy={"rollingUpdate": {"maxSurge": 1, "maxUnavailable": 0}}),
            spec(updateStrategy={"rollingUpdate": {"maxSurge": 0, "maxUnavailable": 0}}),
            spec(updateStrategy={"rollingUpdate": {"maxSurge": "101%", "maxUnavailable": "0%"}}),
            spec(updateStrategy={"rollingUpdate": {"maxSurge": -1, "maxUnavailable": "101%"}}),
            spec(minReadySeconds=-1, revisionHistoryLimit=-1),
            pods(restartPolicy="Never", activeDeadlineSeconds=3),
            only=("metadata", "spec updateStrategy"),
        ),
        patch(
            f"{DAEMONSETS}/a/status",
            "merge",
            status(
                currentNumberScheduled=5,
                desiredNumberScheduled=6,
                numberMisscheduled=1,
                numberReady=4,
                updatedNumberScheduled=3,
                numberAvailable=2,
                numberUnavailable=4,
                observedGeneration=1,
                collisionCount=1,
            ),
            only="status",
        ),
        get(f"{DAEMONSETS}/a", accept=TABLE),
        *tried(
            f"{DAEMONSETS}/a/status",
            status(
                currentNumberScheduled=-1,
                desiredNumberScheduled=-1,
                numberMisscheduled=-1,
                numberReady=-1,
                updatedNumberScheduled=-1,
                numberAvailable=-1,
                numberUnavailable=-1,
                observedGeneration=-1,
                collisionCount=-1,
            ),
            status(collisionCount=None),
        ),
    ),
    script(
        "a controller revision",
        "UPD-1 ERR-1",
        # Its text is kept: blanks in it would have to stay in every change.
        post(REVISIONS, b'{"metadata":{"name":"a"},"data":{"x":1,"y":[2]},"revision":2}', keep="a"),
        patch(f"{REVISIONS}/a", "merge", {"revision": 3}),
        patch(f"{REVISIONS}/a", "merge", {"revision": 1}),
        patch(f"{REVISIONS}/a", "merge", {"revision": -1}),
        patch(f"{REVISIONS}/a", "merge", {"data": {"x": 2}}),
        patch(f"{REVISIONS}/a", "merge", {"data": None}),
        patch(f"{REVISIONS}/a", "merge", {"metadata": {"labels": {"l": "m"}}}),
        post(REVISIONS, named("b", revision=2)),
        post(REVISIONS, named("b", data="x", revision=2)),
        post(REVISIONS, named("b", data=[], revision=2)),
        post(REVISIONS, named("b", data=None, revision=-2)),
        get(f"{REVISIONS}/a", accept=TABLE),
    ),
    script(
        "a job selects its own pods",
        "CREATE-1 ERR-1",
        post(JOBS, job("a")),
        post(JOBS, job("b", template={"metadata": {"labels": {"l": "m"}}, **ONCE})),
        get(f"{JOBS}/b", only=("metadata labels", "spec selector", "spec template metadata")),
        post(
            JOBS,
            {**job("c", template={"metadata": {"labels": {"l": "m"}}, **ONCE}), "metadata": {"generateName": "g-"}},
            only=("metadata labels", "metadata generateName"),
            masked="metadata labels *",
        ),
        *(
            post(f"{JOBS}?dryRun=All", body)
            for body in (
                job("d", template={"metadata": {"labels": {"job-name": "other"}}, **ONCE}),
                job("d", template={"metadata": {"labels": {"controller-uid": "u"}}, **ONCE}),
                job("d", selector={"matchLabels": {"l": "m"}}),
                job("d", selector={"matchLabels": {"batch.kubernetes.io/controller-uid": "u"}}),
                job("d", selector={"matchExpressions": [{"key": "job-name", "operator": "Exists"}]}),
                job("d", manualSelector=True),
                job("d", manualSelector=True, selector={"matchLabels": {"l": "m"}}),
                job("d", manualSelector=True, selector={}),
                job(
                    "d",
                    manualSelector=True,
                    selector={"matchLabels": {"l": "m"}},
                    template={"metadata": {"labels": {"l": "m"}}, **ONCE},
                ),
                job("d.e"),
                job("x" * 63, completionMode="Indexed", completions=1),
                job("x" * 61, completionMode="Indexed", completions=1),
                job("d", template={"spec": PODS}),
                job("d", template={"spec": {**PODS, "restartPolicy": "OnFailure"}}),
                job("d", backoffLimitPerIndex=1),
                job("d", completionMode="Indexed", completions=4, backoffLimitPerIndex=1),
                job("d", completionMode="Indexed", completions=200_000, parallelism=20_000),
                job(
                    "d",
                    completionMode="Indexed",
                    completions=200_000,
                    parallelism=20_000,
                    backoffLimitPerIndex=1,
                    maxFailedIndexes=20_000,
                ),
                job("d", completionMode="Indexed", completions=200_000, parallelism=200_000, backoffLimitPerIndex=1),
                job("d", completions=5),
                job("d", parallelism=5),
                job("d", managedBy="example.com"),
                job("d", managedBy="A/B C"),
                job("d", managedBy="example.com/" + "x" * 60),
                job("d", managedBy=""),
            )
        ),
    ),
    script(
        "policies of jobs",
        "ERR-1",
        *(
            post(
                f"{JOBS}?dryRun=All",
                job("a", podFailurePolicy={"rules": [rule]}),
                only="spec podFailurePolicy",
            )
            for rule in (
                {},
                {"action": "FailIndex", "onExitCodes": {"operator": "In", "values": [1]}},
                {"action": "Count", "onExitCodes": {"operator": "In", "values": [0, 1, 1]}},
                {"action": "Count", "onExitCodes": {"operator": "NotIn", "values": [3, 0]}},
                {"action": "Count", "onExitCodes": {"operator": "In", "values": [*range(1, 300)]}},
                {"action": "Count", "onExitCodes": {"containerName": "d", "operator": "In", "values": [1]}},
                {"action": "Ignore", "onPodConditions": [{"type": "A"}]},
                {"action": "Ignore", "onPodConditions": [{"type": "A"}] * 21},
                {
                    "action": "Odd",
                    "onExitCodes": {"operator": "Odd"},
                    "onPodConditions": [{"type": "A B", "status": "Odd"}],
                },
            )
        ),
        post(
            f"{JOBS}?dryRun=All",
            job("a", podFailurePolicy={"rules": [{"action": "Ignore", "onPodConditions": [{"type": "A"}]}] * 21}),
        ),
        post(
            f"{JOBS}?dryRun=All",
            job(
                "a",
                podFailurePolicy={"rules": []},
                podReplacementPolicy="TerminatingOrFailed",
                template={"spec": {**PODS, "restartPolicy": "OnFailure"}},
            ),
        ),
        *(
            post(
                f"{JOBS}?dryRun=All",
                job("a", completionMode="Indexed", completions=5, successPolicy={"rules": rules}),
                only="spec successPolicy",
            )
            for rules in POLICIES
        ),
        post(f"{JOBS}?dryRun=All", job("a", successPolicy={"rules": [{"succeededCount": 1}]})),
    ),
    script(
        "what of a job may change",
        "UPD-1 ERR-1",
        post(JOBS, job("a", parallelism=2, completions=4), keep="a", only=("spec", "metadata generation")),
        *tried(
            f"{JOBS}/a",
            spec(parallelism=3),
            spec(parallelism=-1),
            spec(completions=5),
            spec(completions=None),
            spec(suspend=True),
            spec(backoffLimit=9),
            spec(activeDeadlineSeconds=7),
            spec(ttlSecondsAfterFinished=7),
            spec(completionMode="Indexed"),
            spec(backoffLimitPerIndex=1),
            spec(managedBy="example.com/me"),
            spec(podReplacementPolicy="Failed"),
            spec(podFailurePolicy={"rules": [{"action": "Ignore", "onPodConditions": [{"type": "A"}]}]}),
            spec(selector={"matchLabels": {"l": "m"}}),
            spec(manualSelector=True),
            spec(template={"metadata": {"labels": {"l": "m"}}}),
            pods(containers=[{"name": "c", "image": "i:2"}]),
            pods(nodeSelector={"l": "m"}),
            pods(restartPolicy="Always"),
            only=("spec", "metadata generation"),
        ),
    ),
    script(
        "what of a suspended job may change",
        "UPD-1 ERR-1",
        post(JOBS, job("a", suspend=True), only="kind"),
        *tried(
            f"{JOBS}/a",
            spec(suspend=False),
            spec(template={"metadata": {"labels": {"l": "m"}, "annotations": {"l": "m"}}}),
            spec(template={"metadata": {"labels": {"job-name": None}}}),
            pods(containers=[{"name": "c", "image": "i:2"}]),
            pods(containers=[{"name": "c", "image": "i:1", "resources": {"requests": {"cpu": "1"}}}]),
            pods(nodeSelector={"l": "m"}),
            pods(tolerations=[{"key": "k", "operator": "Exists"}]),
            pods(schedulingGates=[{"name": "example.com/g"}]),
            pods(terminationGracePeriodSeconds=3),
            pods(affinity={"nodeAffinity": {}}),
            pods(affinity={"podAffinity": {}}),
            only=("spec", "metadata generation"),
        ),
        patch(f"{JOBS}/a/status", "merge", status(startTime=BEGUN), only="status"),
        *tried(f"{JOBS}/a", pods(nodeSelector={"l": "m"}), only="spec template spec nodeSelector"),
        patch(f"{JOBS}/a/status", "merge", status(conditions=[condition("Suspended")]), only="status"),
        *tried(f"{JOBS}/a", pods(nodeSelector={"l": "m"}), only="spec template spec nodeSelector"),
        patch(f"{JOBS}/a/status", "merge", status(active=1), only="status"),
        *tried(f"{JOBS}/a", pods(nodeSelector={"l": "m"}), only="spec template spec nodeSelector"),
    ),
    script(
        "an indexed job grows and shrinks",
        "UPD-1 UPD-4",
        post(JOBS, job("a", completionMode="Indexed", completions=3, parallelism=3), only="spec completions"),
        *tried(
            f"{JOBS}/a",
            spec(completions=5),
            spec(completions=5, parallelism=5),
            spec(completions=None),
            spec(completions=None, parallelism=None),
            only="spec completions",
        ),
        patch(f"{JOBS}/a/status", "merge", status(succeeded=2, failed=1, completedIndexes="0-1"), only="status"),
        *tried(
            f"{JOBS}/a/status",
            status(succeeded=1),
            status(failed=0),
            status(completedIndexes="0-3"),
            status(completedIndexes="x"),
            status(completedIndexes=None),
            status(failedIndexes="2"),
            only="status",
        ),
    ),
    script(
        "the status of a job",
        "UPD-4 ERR-1",
        post(JOBS, job("a", completions=3, parallelism=2), only="kind"),
        get(f"{JOBS}/a", accept=TABLE),
        *tried(
            f"{JOBS}/a/status",
            status(active=-1, succeeded=-1, failed=-1, ready=-1, terminating=-1),
            status(ready=2, active=1),
            status(completedIndexes="0"),
            status(failedIndexes="0"),
            status(completionTime=ENDED),
            status(conditions=[condition("Complete")]),
            status(conditions=[condition("Complete")], completionTime=ENDED, startTime=BEGUN),
            status(conditions=[condition("Complete"), condition("SuccessCriteriaMet")], completionTime=BEGUN),
            status(
                conditions=[condition("Complete"), condition("SuccessCriteriaMet")],
                completionTime=BEGUN,
                startTime=ENDED,
                active=1,
                terminating=1,
                uncountedTerminatedPods={"succeeded": ["u"]},
            ),
            status(conditions=[condition("Failed")]),
            status(conditions=[condition("Failed"), condition("FailureTarget"), condition("Complete")]),
            status(conditions=[condition("SuccessCriteriaMet"), condition("FailureTarget"), condition("Failed")]),
            status(uncountedTerminatedPods={"succeeded": ["u", "u", ""], "failed": ["u", "v"]}),
            spec(parallelism=7),
            only=("status", "spec parallelism"),
        ),
        patch(f"{JOBS}/a/status", "merge", status(startTime=BEGUN, active=2, ready=1, failed=1), only="status"),
        get(f"{JOBS}/a", accept=TABLE, masked="rows * cells 3"),
        *tried(
            f"{JOBS}/a/status",
            status(failed=0),
            status(startTime=ENDED),
            status(startTime=None),
            only="status",
        ),
        patch(
            f"{JOBS}/a/status",
            "merge",
            status(
                conditions=[condition("SuccessCriteriaMet"), condition("Complete")],
                completionTime=ENDED,
                active=0,
                ready=0,
                succeeded=3,
            ),
            only="status",
        ),
        get(f"{JOBS}/a", accept=TABLE),
        get(f"{JOBS}?fieldSelector=status.successful%3D3", only="items * metadata name"),
        *tried(
            f"{JOBS}/a/status",
            status(completionTime=BEGUN),
            status(completionTime=None),
            status(succeeded=2),
            status(active=1),
            status(terminating=1),
            status(startTime=None),
            status(conditions=[condition("SuccessCriteriaMet")]),
            status(conditions=[condition("Complete")]),
            status(conditions=None),
            status(uncountedTerminatedPods={"failed": ["u"]}),
            only="status",
        ),
        delete(f"{JOBS}/a"),
        post(JOBS, job("b"), only="kind"),
        delete(f"{JOBS}/b?propagationPolicy=Background", only="kind"),
        delete(JOBS, only="kind"),
    ),
    script(
        "a job that failed",
        "UPD-4",
        post(
            JOBS,
            job("a", completionMode="Indexed", completions=3, backoffLimitPerIndex=1, parallelism=3),
            only="kind",
        ),
        patch(
            f"{JOBS}/a/status",
            "merge",
            status(startTime=BEGUN, failedIndexes="1", completedIndexes="0", conditions=[condition("FailureTarget")]),
            only="status",
        ),
        get(f"{JOBS}/a", accept=TABLE, only="rows * cells 1"),
        *tried(
            f"{JOBS}/a/status",
            status(failedIndexes="0-1"),
            status(failedIndexes="3"),
            status(failedIndexes="x", completedIndexes="y"),
            status(failedIndexes=None),
            status(conditions=None),
            only="status",
        ),
        patch(
            f"{JOBS}/a/status",
            "merge",
            status(conditions=[condition("FailureTarget"), condition("Failed")]),
            only="status",
        ),
        get(f"{JOBS}/a", accept=TABLE, only="rows * cells 1"),
        *tried(
            f"{JOBS}/a/status", status(conditions=[condition("Failed")]), status(conditions=[condition("Complete")])
        ),
    ),
    script(
        "schedules that are none",
        "ERR-1",
        *(
            post(f"{CRONJOBS}?dryRun=All", cronjob("a", schedule), only="spec schedule")
            for schedule in (
                "",
                " ",
                "*",
                "* * * *",
                "* * * * * *",
                "60 * * * *",
                "* 24 * * *",
                "* * 0 * *",
                "* * 32 * *",
                "* * * 13 *",
                "* * * * 7",
                "* * * * sun-sat",
                "* * * JAN,Feb MON",
                "* * * jan-foo *",
                "5-1 * * * *",
                "1-2-3 * * * *",
                "*/0 * * * *",
                "*/-1 * * * *",
                "*/x * * * *",
                "1/2/3 * * * *",
                "-1 * * * *",
                "1- * * * *",
                "a * * * *",
                "1,,2 * * * *",
                ", * * * *",
                "? ? ? ? ?",
                "*-5 * * * *",
                "0/15 * * * *",
                "99999999999999999999 * * * *",
                "+5 * * * *",
                "@hourly",
                "@Hourly",
                "@odd",
                "@every 5m",
                "@every 5",
                "@every x",
                "@every 5y",
                "@every",
                "TZ=UTC * * * * *",
                "TZ=0",
                "CRON_TZ=Nowhere/Else * * * * *",
                "CRON_TZ=Europe/Berlin @hourly",
                "\t1\t2 3  4 5 ",
            )
        ),
        *(
            post(f"{CRONJOBS}?dryRun=All", cronjob("a", timeZone=zone), only="spec timeZone")
            for zone in (
                "",
                "UTC",
                "utc",
                "Local",
                "LOCAL",
                "Europe/Berlin",
                "europe/berlin",
                "Etc/GMT+5",
                "America/Argentina/Ushuaia",
                "/UTC",
                "Europe/../UTC",
                "Europe//Berlin",
                "-a",
                "A B",
                "a" * 15,
                "EST5EDT",
            )
        ),
    ),
    script(
        "a cron job",
        "UPD-1 UPD-4 ERR-1",
        post(CRONJOBS, cronjob("a", "*/5 * * * *", timeZone="UTC")),
        *tried(
            f"{CRONJOBS}/a",
            spec(schedule="@daily"),
            spec(schedule="TZ=UTC * * * * *"),
            spec(schedule="x"),
            spec(timeZone=None),
            spec(timeZone="Nowhere"),
            spec(suspend=True),
            spec(concurrencyPolicy="Odd"),
            spec(concurrencyPolicy=None),
            spec(startingDeadlineSeconds=-1, successfulJobsHistoryLimit=-1, failedJobsHistoryLimit=-1),
            spec(jobTemplate={"spec": {"selector": {"matchLabels": {"a": "b"}}, "manualSelector": True}}),
            spec(jobTemplate={"spec": {"completionMode": "Indexed"}}),
            spec(jobTemplate={"spec": {"template": {"spec": {"restartPolicy": "Always"}}}}),
            spec(jobTemplate={"metadata": {"labels": {"A B": "c"}}}),
            only=("spec", "metadata generation"),
        ),
        patch(f"{CRONJOBS}/a", "merge", {"metadata": {"annotations": {"x": "y"}}}, only="metadata generation"),
        patch(
            f"{CRONJOBS}/a/status",
            "merge",
            {
                "spec": {"schedule": "x"},
                **status(
                    active=[{"kind": "Job", "name": "a-1", "namespace": "{ns}"}, {"kind": "Job", "name": "a-2"}],
                    lastScheduleTime=BEGUN,
                    lastSuccessfulTime=ENDED,
                ),
            },
            only=("status", "spec schedule"),
        ),
        get(f"{CRONJOBS}/a", accept=TABLE, masked="rows * cells 5"),
        patch(f"{CRONJOBS}/a/status", "merge", {"status": None}, only="status"),
        *(
            post(f"{CRONJOBS}?dryRun=All", cronjob(name), only="metadata name")
            for name in ("x" * 52, "x" * 53, "a.b", "A")
        ),
    ),
    script(
        "a replication controller",
        "UPD-1 UPD-4 ERR-1",
        post(CONTROLLERS_, named("a", {"template": TEMPLATE})),
        *tried(
            f"{CONTROLLERS_}/a",
            spec(selector={"a": None}),
            spec(selector={"c": "d"}),
            spec(selector=None, template={"metadata": {"labels": {"a": None, "c": "d"}}}),
            spec(replicas=-1, minReadySeconds=-1),
            spec(replicas=None),
            spec(template=None),
            pods(restartPolicy="Never", activeDeadlineSeconds=1),
            only=("spec", "metadata labels", "metadata generation"),
        ),
        patch(
            f"{CONTROLLERS_}/a/status",
            "merge",
            {
                "spec": {"replicas": 9},
                **status(
                    replicas=3, fullyLabeledReplicas=3, readyReplicas=2, availableReplicas=1, observedGeneration=2
                ),
            },
            only=("status", "spec replicas"),
        ),
        get(f"{CONTROLLERS_}/a", accept=TABLE),
        *tried(f"{CONTROLLERS_}/a/status", status(replicas=1), status(readyReplicas=-1), status(availableReplicas=3)),
        delete(f"{CONTROLLERS_}/a"),
        post(CONTROLLERS_, named("b", {})),
        post(CONTROLLERS_, named("b", {"template": {"spec": PODS}})),
        post(CONTROLLERS_, named("b", {"selector": {"x": "y"}, "template": {"spec": PODS}})),
    ),
    script(
        "a pod template",
        "UPD-1",
        post(TEMPLATES, named("a", template=TEMPLATE)),
        patch(f"{TEMPLATES}/a", "strategic", {"template": {"spec": {"containers": [{"name": "d"}]}}}),
        patch(f"{TEMPLATES}/a", "merge", {"template": {"spec": {"restartPolicy": "Odd"}}}),
        patch(f"{TEMPLATES}/a", "merge", {"metadata": {"labels": {"x": "y"}}}, only="metadata generation"),
        get(f"{TEMPLATES}/a", accept=TABLE),
        delete(f"{TEMPLATES}/a", only=("kind", "metadata name")),
    ),
)
