"""Garbage collection, with the controller that does it."""

from typing import Any

from tests.referee.language import delete, get, patch, post, script, until
from tests.referee.objects import configmap, gadget, widget

CONTROLLERS = True

OWNER = post("{configmaps}", configmap("owner"), keep="owner")


def owned(name: str, owner: str = "owner", **fields: Any) -> dict[str, Any]:
    reference = {"apiVersion": "v1", "kind": "ConfigMap", "name": owner, "uid": f"{{{owner}.metadata.uid}}", **fields}
    return configmap(name, ownerReferences=[reference])


def by_widget(name: str, **fields: Any) -> dict[str, Any]:
    reference = {
        "apiVersion": "referee.example.com/v1",
        "kind": "Widget",
        "name": "owner",
        "uid": "{owner.metadata.uid}",
        **fields,
    }
    return configmap(name, ownerReferences=[reference])


SCRIPTS = (
    script(
        "in the background: the owner goes at once, then what it owns",
        "GC-1 DEL-3",
        OWNER,
        post("{configmaps}", owned("a")),
        post("{configmaps}", owned("b", blockOwnerDeletion=True, controller=True), only="kind"),
        delete("{configmaps}/owner", {"propagationPolicy": "Background"}),
        until(get("{configmaps}/a"), code=404),
        until(get("{configmaps}/b"), code=404),
    ),
    script(
        "by default the same",
        "GC-1 DEL-3",
        post("{widgets}", widget("owner"), keep="owner"),
        post("{configmaps}", by_widget("a"), only="kind"),
        delete("{widgets}/owner"),
        until(get("{configmaps}/a"), code=404),
    ),
    script(
        "in the foreground: the owner waits for those that block it",
        "GC-1 DEL-3",
        OWNER,
        post("{configmaps}", {**owned("a", blockOwnerDeletion=True)}, only="kind"),
        patch("{configmaps}/a", "merge", {"metadata": {"finalizers": ["example.com/x"]}}, only="kind"),
        post("{configmaps}", owned("b"), only="kind"),
        delete("{configmaps}/owner", {"propagationPolicy": "Foreground"}),
        until(
            get("{configmaps}/a", only=("metadata finalizers",)),
            has={"metadata": {"deletionTimestamp": None}},
        ),
        until(get("{configmaps}/b"), code=404),
        get("{configmaps}/owner", only=("metadata finalizers", "metadata name")),
        patch("{configmaps}/a", "merge", {"metadata": {"finalizers": None}}, only="kind"),
        until(get("{configmaps}/owner"), code=404),
        until(get("{configmaps}/a"), code=404),
    ),
    script(
        "in the foreground a chain goes from its end",
        "GC-1 DEL-3",
        OWNER,
        post("{configmaps}", owned("middle", blockOwnerDeletion=True), keep="middle", only="kind"),
        post("{configmaps}", owned("leaf", "middle", blockOwnerDeletion=True), only="kind"),
        delete("{configmaps}/owner", {"propagationPolicy": "Foreground"}, only="metadata finalizers"),
        until(get("{configmaps}/leaf"), code=404),
        until(get("{configmaps}/middle"), code=404),
        until(get("{configmaps}/owner"), code=404),
    ),
    script(
        "an orphan loses its owner",
        "GC-1 DEL-3",
        OWNER,
        post("{configmaps}", owned("a"), only="kind"),
        delete("{configmaps}/owner", {"propagationPolicy": "Orphan"}),
        until(get("{configmaps}/owner"), code=404),
        get("{configmaps}/a"),
    ),
    script(
        "who has another owner stays",
        "GC-1",
        OWNER,
        post("{configmaps}", configmap("other"), keep="other", only="kind"),
        post(
            "{configmaps}",
            configmap(
                "a",
                ownerReferences=[
                    {"apiVersion": "v1", "kind": "ConfigMap", "name": name, "uid": f"{{{name}.metadata.uid}}"}
                    for name in ("owner", "other")
                ],
            ),
            only="kind",
        ),
        delete("{configmaps}/owner", only="kind"),
        until(
            get("{configmaps}/a", only="metadata ownerReferences"),
            has={"metadata": {"ownerReferences": ({"name": "other"},)}},
        ),
        delete("{configmaps}/other", only="kind"),
        until(get("{configmaps}/a"), code=404),
    ),
    script(
        "an owner that never was",
        "GC-1",
        post(
            "{configmaps}",
            configmap(
                "a",
                ownerReferences=[
                    {
                        "apiVersion": "v1",
                        "kind": "ConfigMap",
                        "name": "ghost",
                        "uid": "00000000-0000-4000-8000-000000000001",
                    }
                ],
            ),
        ),
        until(get("{configmaps}/a"), code=404),
    ),
    script(
        "an owner with another uid is another",
        "GC-1",
        OWNER,
        post(
            "{configmaps}",
            configmap(
                "a",
                ownerReferences=[
                    {
                        "apiVersion": "v1",
                        "kind": "ConfigMap",
                        "name": "owner",
                        "uid": "00000000-0000-4000-8000-000000000001",
                    }
                ],
            ),
            only="kind",
        ),
        until(get("{configmaps}/a"), code=404),
        get("{configmaps}/owner", only="kind"),
    ),
    script(
        "an owner of the cluster owns in a namespace",
        "GC-1",
        post("{gadgets}", gadget("{own}"), keep="owner", only="kind"),
        post(
            "{configmaps}",
            configmap(
                "a",
                ownerReferences=[
                    {
                        "apiVersion": "referee.example.com/v1",
                        "kind": "Gadget",
                        "name": "{own}",
                        "uid": "{owner.metadata.uid}",
                    }
                ],
            ),
            only="kind",
        ),
        delete("{gadgets}/{own}", only="status"),
        until(get("{configmaps}/a"), code=404),
    ),
    script(
        "a deletion of a collection spares nobody owned",
        "GC-1 DEL-5",
        post("{widgets}", widget("owner"), keep="owner", only="kind"),
        post("{configmaps}", by_widget("a"), only="kind"),
        delete("{widgets}?propagationPolicy=Background", only="kind"),
        until(get("{configmaps}/a"), code=404),
    ),
)
