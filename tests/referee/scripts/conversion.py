"""Versions converted by a webhook."""

from typing import Any

from tests.referee.language import delete, edited, events, get, patch, post, put, script, watch
from tests.referee.objects import defined, definition, thing, version

#: A webhook is called over a socket, so this family runs in real time.
SOCKETS = True

V2 = "/apis/{group}/v2/namespaces/{ns}/things"


def converted(way: str, server: str = "{webhook}", **config: Any) -> tuple[Any, ...]:
    """A definition with two versions, v1 stored, converted in one of the webhook's ways."""
    number = {"spec": {"type": "object", "properties": {"x": {"type": "integer"}}}}
    other = {"spec": {"type": "object", "properties": {"y": {"type": "integer"}}}}
    return defined(
        definition(
            version(properties=number),
            version("v2", other, storage=False),
            conversion={
                "strategy": "Webhook",
                "webhook": {
                    "clientConfig": {"url": f"{server}/{way}", "caBundle": "{ca}", **config},
                    "conversionReviewVersions": ["v1"],
                },
            },
        )
    )


def failing(way: str, **options: Any) -> Any:
    return script(
        f"a webhook that fails: {way}",
        "CRD-10 ERR-1",
        post("{things}", thing("a", {"x": 1}), only="spec"),
        get("{things}/a", only="spec"),
        get(f"{V2}/a"),
        get(V2),
        post(V2, thing("b", {"y": 2}, version="v2")),
        setup=converted(way, **options),
    )


SCRIPTS = (
    script(
        "objects are converted both ways",
        "CRD-10 CRD-11",
        post("{things}", thing("a", {"x": 1}), keep="a"),
        get(f"{V2}/a", keep="b"),
        post(V2, thing("c", {"y": 3}, version="v2")),
        get("{things}/c"),
        get("{things}"),
        get(V2),
        put(f"{V2}/a", edited("b", {"spec": {"y": 5}})),
        get("{things}/a"),
        patch(f"{V2}/a", "merge", {"spec": {"y": 6}}),
        patch("{things}/a", "json", [{"op": "test", "path": "/spec/x", "value": 6}]),
        patch(f"{V2}/a", "json", [{"op": "remove", "path": "/spec/y"}]),
        delete(f"{V2}/c"),
        setup=converted("good"),
    ),
    script(
        "events are converted",
        "CRD-10 WATCH-1",
        watch("w", f"{V2}?watch=1"),
        post("{things}", thing("a", {"x": 1}), only="kind"),
        patch("{things}/a", "merge", {"spec": {"x": 2}}, only="kind"),
        delete("{things}/a", only="kind"),
        events("w", 3),
        setup=converted("good"),
    ),
    script(
        "labels may change, and nothing else of metadata",
        "CRD-10",
        post("{things}", thing("a", {"x": 1}), only="kind"),
        get(f"{V2}/a"),
        setup=converted("labels"),
    ),
    failing("refuses"),
    failing("silent"),
    failing("other-uid"),
    failing("fewer"),
    failing("renames"),
    failing("unconverted"),
    failing("broken"),
    failing("text"),
    failing("unreachable", server="{nobody}"),
)
