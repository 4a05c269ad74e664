"""Which object a write means: the uid and the resourceVersion that it names, of an object that is there or once was."""

from typing import Any

from tests.referee.language import Ask, Step, delete, edited, get, patch, post, put, script
from tests.referee.objects import configmap, gadget, widget

Document = dict[str, Any]

_NOBODY = "00000000-0000-4000-8000-000000000001"
_FORMER = "{former.metadata.uid}"
_FORMER_VERSION = "{former.metadata.resourceVersion}"


def applied(path: str, body: Any, query: str = "", **options: Any) -> Ask:
    """An apply."""
    return patch(f"{path}?fieldManager=a{query}", "apply", body, **options)


def stated(status: Document | None = None, **metadata: Any) -> Document:
    """What an apply says of a widget's status."""
    made = widget("a", status=status, **metadata)
    return {name: value for name, value in made.items() if name != "spec"}


def namespace_like(name: str, **metadata: Any) -> Document:
    """A Namespace."""
    return {"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": name, **metadata}}


def deployment(**metadata: Any) -> Document:
    """A Deployment."""
    labels = {"app": "a"}
    return {
        "apiVersion": "apps/v1",
        "kind": "Deployment",
        "metadata": {"name": "a", **metadata},
        "spec": {
            "selector": {"matchLabels": labels},
            "template": {
                "metadata": {"labels": labels},
                "spec": {"containers": [{"name": "c", "image": "i"}]},
            },
        },
    }


def scaled(**metadata: Any) -> Document:
    """A Scale."""
    meta = {"name": "a", **metadata}
    return {"apiVersion": "autoscaling/v1", "kind": "Scale", "metadata": meta, "spec": {"replicas": 2}}


def _made_again(path: str, body: Document) -> tuple[Step, ...]:
    """An object that was deleted, and one of its name."""
    name = body["metadata"]["name"]
    return (post(path, body, keep="former"), delete(f"{path}/{name}"), post(path, body, keep="now"))


_TEMPLATE = {"metadata": {"labels": {"app": "a"}}, "spec": {"containers": [{"name": "c", "image": "i"}]}}
#: Objects whose kinds are kept under different names.
_KEPT: dict[str, Document] = {
    "{configmaps}": configmap("a"),
    "{widgets}": widget("a"),
    "{deployments}": deployment(),
    "{services}": {"metadata": {"name": "a"}, "spec": {"ports": [{"port": 80}]}},
    "{namespace}/endpoints": {"metadata": {"name": "a"}},
    "{namespace}/replicationcontrollers": {
        "metadata": {"name": "a"},
        "spec": {"selector": {"app": "a"}, "template": _TEMPLATE},
    },
    "/apis/networking.k8s.io/v1/namespaces/{ns}/ingresses": {
        "metadata": {"name": "a"},
        "spec": {"defaultBackend": {"service": {"name": "s", "port": {"number": 80}}}},
    },
}


def pod() -> Document:
    """A Pod."""
    return {"metadata": {"name": "p"}, "spec": _TEMPLATE["spec"]}


def bound(uid: str) -> Document:
    """A Binding of a pod to a node."""
    return {"metadata": {"name": "p", "uid": uid}, "target": {"kind": "Node", "name": "n"}}


SCRIPTS = (
    script(
        "an apply on the status of an object that was made anew",
        "APPLY-6 APPLY-5 PATCH-3",
        *_made_again("{widgets}", widget("a")),
        applied("{widgets}/a/status", stated(uid=_FORMER)),
        applied("{widgets}/a/status", stated({"phase": "x"}, uid=_FORMER)),
        applied("{widgets}/a/status", stated({"phase": "x"}, uid=_FORMER), "&force=true"),
        applied("{widgets}/a/status", stated({"phase": "x"}, uid=_FORMER), "&dryRun=All"),
        applied("{widgets}/a/status", stated({"phase": "x"}, uid=_NOBODY)),
        applied("{widgets}/a/status", stated({"phase": "x"}, resourceVersion=_FORMER_VERSION)),
        applied("{widgets}/a/status", stated({"phase": "x"}, uid=_FORMER, resourceVersion=_FORMER_VERSION)),
        applied("{widgets}/a/status", stated({"phase": "x"}, uid="{now.metadata.uid}"), keep="s"),
        applied("{widgets}/a/status", stated(uid="{now.metadata.uid}")),
        applied("{widgets}/a/status", stated({"phase": "y"}, resourceVersion="{s.metadata.resourceVersion}")),
        applied("{widgets}/a/status", stated({"phase": "y"}, uid="x y")),
        applied("{widgets}/a/status", stated({"phase": "y"}, uid="")),
        applied("{widgets}/a/status", stated({"phase": "y"}, uid=7)),
        applied("{widgets}/a/status", stated({"phase": "y"}, uid=None)),
        get("{widgets}/a"),
    ),
    script(
        "an apply to an object that was made anew",
        "APPLY-5 PATCH-3",
        *_made_again("{widgets}", widget("a")),
        applied("{widgets}/a", widget("a", {"size": 2}, uid=_FORMER)),
        applied("{widgets}/a", widget("a", {}, uid=_FORMER)),
        applied("{widgets}/a", widget("a", {"size": 2}, uid=_FORMER, resourceVersion=_FORMER_VERSION)),
        applied("{widgets}/a", widget("a", {"size": 1}, uid="{now.metadata.uid}")),
        applied("{widgets}/a", widget("a", {"size": 1}, uid="{now.metadata.uid}", resourceVersion=_FORMER_VERSION)),
        applied("{widgets}/a", widget("a", {"size": 1}, uid="")),
        applied("{widgets}/a", widget("a", {"size": 1}, uid=7)),
        get("{widgets}/a"),
    ),
    script(
        "an apply to an object of a built-in kind that was made anew",
        "APPLY-5 APPLY-6 PATCH-3",
        *_made_again("{deployments}", deployment()),
        applied("{deployments}/a", deployment(uid=_FORMER)),
        applied("{deployments}/a", deployment(uid=_FORMER), "&force=true"),
        applied("{deployments}/a", deployment(resourceVersion=_FORMER_VERSION)),
        applied("{deployments}/a", deployment(uid="{now.metadata.uid}")),
        applied("{deployments}/a", deployment(uid=7)),
        applied("{deployments}/a/status", {**deployment(uid=_FORMER), "status": {"replicas": 1}}),
        applied(
            "{deployments}/a/status",
            {"apiVersion": "apps/v1", "kind": "Deployment", "metadata": {"name": "a", "uid": _FORMER}},
        ),
        applied(
            "{deployments}/a/status",
            {"apiVersion": "apps/v1", "kind": "Deployment", "metadata": {"name": "a", "uid": "{now.metadata.uid}"}},
        ),
        applied("{deployments}/a/scale", scaled(uid=_FORMER)),
        applied("{deployments}/a/scale", scaled(uid=_FORMER), "&force=true"),
        applied("{deployments}/a/scale", scaled(resourceVersion=_FORMER_VERSION), "&force=true"),
        patch("{deployments}/a/scale", "merge", {"metadata": {"uid": _FORMER}, "spec": {"replicas": 3}}),
        patch("{deployments}/a/scale", "merge", {"metadata": {"uid": _FORMER}, "spec": {"replicas": -1}}),
        patch("{deployments}/a/scale", "merge", {"metadata": {"uid": None}, "spec": {"replicas": 3}}),
        put("{deployments}/a/scale", scaled(uid=_FORMER)),
        get("{deployments}/a", only="metadata spec replicas"),
    ),
    script(
        "an apply to what is not there names a uid or a version",
        "PATCH-4 APPLY-5",
        post("{widgets}", widget("a"), keep="former"),
        delete("{widgets}/a"),
        applied("{widgets}/a", widget("a", uid=_FORMER)),
        applied("{widgets}/a", widget("a", uid=_FORMER), "&dryRun=All"),
        applied("{widgets}/a", widget("a", uid=_FORMER, resourceVersion=_FORMER_VERSION)),
        applied("{widgets}/a", widget("a", resourceVersion=_FORMER_VERSION)),
        applied("{widgets}/a", widget("a", resourceVersion="0")),
        delete("{widgets}/a"),
        applied("{widgets}/a", widget("a", resourceVersion="x")),
        applied("{widgets}/a", widget("a", uid="")),
        delete("{widgets}/a"),
        applied("{widgets}/a", widget("a", {"size": 1000}, uid=_FORMER)),
        applied("{widgets}/a/status", stated({"phase": "x"}, uid=_FORMER)),
        applied("{gadgets}/{own}", gadget("{own}") | {"metadata": {"name": "{own}", "uid": _NOBODY}}),
        applied("{configmaps}/a", configmap("a", resourceVersion="0")),
        delete("{configmaps}/a"),
        applied("{configmaps}/a", configmap("a", resourceVersion="x")),
        applied("{configmaps}/a", configmap("a", uid=_NOBODY, resourceVersion="5")),
        applied("{deployments}/a", deployment(uid=_NOBODY)),
        applied("{namespaces}/{own}-none", namespace_like("{own}-none", uid=_NOBODY)),
    ),
    script(
        "an update and patches of an object that was made anew",
        "UPD-1 PATCH-3 UPD-6",
        *_made_again("{widgets}", widget("a")),
        put("{widgets}/a", edited("now", {"metadata": {"uid": _FORMER}})),
        put("{widgets}/a", edited("former")),
        put("{widgets}/a", edited("former", {"metadata": {"uid": None}})),
        put("{widgets}/a/status", edited("former", {"status": {"phase": "x"}})),
        put("{widgets}/a/status", edited("now", {"metadata": {"uid": _FORMER}, "status": {"phase": "x"}})),
        patch("{widgets}/a", "merge", {"metadata": {"uid": _FORMER}, "spec": {"size": 2}}),
        patch("{widgets}/a", "merge", {"metadata": {"uid": _FORMER}}),
        patch("{widgets}/a/status", "merge", {"metadata": {"uid": _FORMER}, "status": {"phase": "x"}}),
        patch("{widgets}/a/status", "merge", {"metadata": {"uid": _FORMER}}),
        patch("{widgets}/a/scale", "merge", {"metadata": {"uid": _FORMER}, "spec": {"replicas": 3}}),
        put("{widgets}/a/scale", scaled(uid=_FORMER)),
        patch("{widgets}/a", "json", [{"op": "test", "path": "/metadata/uid", "value": _FORMER}]),
        patch("{widgets}/a", "merge", {"metadata": {"uid": None}}),
        patch("{widgets}/a", "merge", {"metadata": {"uid": None}, "spec": {"size": 2}}),
        get("{widgets}/a"),
    ),
    script(
        "where the server keeps what another object is meant for",
        "UPD-1",
        *(
            step
            for path, body in _KEPT.items()
            for step in (
                post(path, body, keep="now", only="kind"),
                put(f"{path}/a", {**body, "metadata": {"name": "a", "uid": _NOBODY}}),
                put(f"{path}/a?dryRun=All", {**body, "metadata": {"name": "a", "uid": _NOBODY}}),
            )
        ),
        delete("{widgets}/a?dryRun=All", {"preconditions": {"uid": _NOBODY}}),
        delete("{configmaps}/a?dryRun=All", {"preconditions": {"uid": _NOBODY}}),
        post("{pods}", pod(), only="kind"),
        post("{pods}/p/binding", bound(_NOBODY)),
        post("{pods}/p/binding?dryRun=All", bound(_NOBODY)),
    ),
)
