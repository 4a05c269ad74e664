"""Namespaces, with the controllers that end them and furnish new ones."""

from tests.referee.language import delete, events, get, patch, post, put, script, until, watch
from tests.referee.objects import configmap, widget

CONTROLLERS = True

NS = "{namespaces}/x-{own}"
INSIDE = "/api/v1/namespaces/x-{own}"
MADE = (
    post("{namespaces}", {"metadata": {"name": "x-{own}"}}),
    until(get(f"{INSIDE}/serviceaccounts/default")),
    until(get(f"{INSIDE}/configmaps/kube-root-ca.crt")),
)
HELD = {
    "status": {
        "phase": "Terminating",
        "conditions": [
            {"type": "NamespaceFinalizersRemaining", "status": "True"},
            {"type": "NamespaceContentRemaining", "status": "True"},
        ],
    }
}

SCRIPTS = (
    script(
        "what a fresh cluster has",
        "NS-2",
        get("{namespaces}/default"),
        get("{namespaces}/kube-system"),
        get("{namespaces}/kube-public"),
        get("{namespaces}/kube-node-lease"),
        get(
            "/api/v1/namespaces/default/services/kubernetes",
            masked="spec ports * targetPort",
            without="metadata resourceVersion",
        ),
        get(
            "/apis/scheduling.k8s.io/v1/priorityclasses",
            only=("items * metadata name", "items * value", "items * globalDefault"),
        ),
        get(
            "/api/v1/namespaces/kube-system/configmaps/extension-apiserver-authentication",
            only=("kind", "metadata name"),
        ),
        alone=True,
    ),
    script(
        "a new namespace is furnished",
        "NS-2",
        get(f"{INSIDE}/serviceaccounts/default", without="metadata resourceVersion"),
        get(f"{INSIDE}/configmaps/kube-root-ca.crt", masked="data ca.crt", without="metadata resourceVersion"),
        setup=MADE,
    ),
    script(
        "what a namespace must have comes again",
        "NS-2",
        delete(f"{INSIDE}/serviceaccounts/default", only="kind"),
        delete(f"{INSIDE}/configmaps/kube-root-ca.crt", only="kind"),
        until(get(f"{INSIDE}/serviceaccounts/default", only="kind")),
        until(get(f"{INSIDE}/configmaps/kube-root-ca.crt", only="kind")),
        patch(f"{INSIDE}/configmaps/kube-root-ca.crt", "merge", {"data": {"ca.crt": "x", "more": "y"}}, only="kind"),
        until(
            get(f"{INSIDE}/configmaps/kube-root-ca.crt", only="kind"),
            has={"metadata": {"annotations": None}},
        ),
        setup=MADE,
    ),
    script(
        "a namespace goes with all that is in it",
        "NS-1",
        post(f"{INSIDE}/configmaps", configmap("a"), only="kind"),
        post("/apis/referee.example.com/v1/namespaces/x-{own}/widgets", widget("a"), only="kind"),
        delete(NS),
        until(get(NS), code=404),
        get(f"{INSIDE}/configmaps"),
        get("/apis/referee.example.com/v1/namespaces/x-{own}/widgets", only="items"),
        delete(NS),
        post("{namespaces}", {"metadata": {"name": "x-{own}"}}, only="kind"),
        setup=MADE,
    ),
    script(
        "a namespace waits for finalizers in it",
        "NS-1 ERR-1",
        post(f"{INSIDE}/configmaps", configmap("a", finalizers=["example.com/x"]), only="kind"),
        delete(NS),
        until(get(NS, without="metadata resourceVersion"), has=HELD),
        until(get(f"{INSIDE}/configmaps/a", only="kind"), has={"metadata": {"deletionTimestamp": None}}),
        post(f"{INSIDE}/configmaps", configmap("b")),
        post(f"{INSIDE}/configmaps?dryRun=All", configmap("b")),
        post("/apis/referee.example.com/v1/namespaces/x-{own}/widgets", widget("b")),
        delete(NS, without="metadata resourceVersion"),
        put(f"{INSIDE}/configmaps/a", configmap("a", {"k": "2"}, finalizers=["example.com/x"]), only="data"),
        post("{namespaces}", {"metadata": {"name": "x-{own}"}}),
        patch(f"{INSIDE}/configmaps/a", "merge", {"metadata": {"finalizers": None}}, only="kind"),
        until(get(NS), code=404),
        setup=MADE,
    ),
    script(
        "a namespace with a finalizer of its own",
        "NS-1",
        post("{namespaces}", {"metadata": {"name": "x-{own}"}, "spec": {"finalizers": ["example.com/x"]}}),
        delete(NS, only="status"),
        until(
            get(NS, only=("spec", "status phase")),
            has={"spec": {"finalizers": ("example.com/x",)}, "status": {"phase": "Terminating"}},
        ),
        put(f"{NS}/finalize", {"metadata": {"name": "x-{own}"}, "spec": {"finalizers": []}}, only=("kind", "spec")),
        until(get(NS), code=404),
    ),
    script(
        "a namespace with a finalizer in its metadata",
        "NS-1",
        patch(NS, "merge", {"metadata": {"finalizers": ["example.com/x"]}}, only="metadata finalizers"),
        delete(NS, only="status"),
        until(get(NS, only="status phase"), has={"status": {"phase": "Terminating"}}),
        patch(NS, "merge", {"metadata": {"finalizers": None}}, only="kind"),
        until(get(NS), code=404),
        setup=MADE,
    ),
    script(
        "the end of a namespace is told",
        "NS-1 WATCH-3",
        watch("w", "{namespaces}?watch=1&fieldSelector=metadata.name%3Dx-{own}"),
        events("w", 1),
        delete(NS, only="kind"),
        events("w", 1),
        until(get(NS), code=404),
        setup=MADE,
    ),
    script(
        "a dry run of a deletion",
        "NS-1 CREATE-6",
        delete(f"{NS}?dryRun=All"),
        get(NS),
        delete(NS, {"preconditions": {"uid": "00000000-0000-4000-8000-000000000001"}}),
        setup=MADE,
    ),
    script(
        "namespaces that are protected",
        "DEL-6",
        delete("{namespaces}/default"),
        delete("{namespaces}/kube-node-lease?dryRun=All", only="kind"),
    ),
)
