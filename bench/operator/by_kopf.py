"""The operator as a user of kopf writes it, with the settings that cost least; run with `kopf run`, as it would be.

Events, peering and the scan for other kinds are off, and annotations are kept in one form instead of two. What kopf
does for the sake of correctness stays as it is by default. The children are applied through aiohttp, which kopf brings.
"""

import asyncio
import datetime as dt
import json
from typing import Any

import aiohttp
import kopf

__all__: list[str] = []

GROUP, VERSION, PLURAL = "web.example.com", "v1", "webservers"
MANAGER = "web-operator"


@kopf.on.startup()
async def configure(settings: kopf.OperatorSettings, memo: kopf.Memo, **_: Any) -> None:
    """Leave out whatever can be."""
    settings.posting.enabled = False
    settings.peering.standalone = True
    settings.scanning.disabled = True
    settings.persistence.progress_storage = kopf.AnnotationsProgressStorage(prefix=GROUP, v1=False)
    settings.persistence.diffbase_storage = kopf.AnnotationsDiffBaseStorage(prefix=GROUP, v1=False)
    info = kopf.login_with_kubeconfig(settings=settings)
    assert info is not None
    memo.session = aiohttp.ClientSession(
        base_url=info.server,
        connector=aiohttp.TCPConnector(limit=32, ssl=info.as_ssl_context()),
        headers={**info.as_http_headers(), "Content-Type": "application/apply-patch+yaml"},
    )


@kopf.on.cleanup()
async def clean_up(memo: kopf.Memo, **_: Any) -> None:
    """Let go of the connections."""
    await memo.session.close()


@kopf.on.resume(GROUP, VERSION, PLURAL)
@kopf.on.create(GROUP, VERSION, PLURAL)
@kopf.on.update(GROUP, VERSION, PLURAL)
async def web_server(
    body: kopf.Body,
    spec: kopf.Spec,
    status: kopf.Status,
    name: str,
    namespace: str | None,
    patch: kopf.Patch,
    memo: kopf.Memo,
    **_: Any,
) -> None:
    """Have both there."""
    labels = {"app.kubernetes.io/name": name}
    own = {"name": name, "labels": {**labels, "app.kubernetes.io/managed-by": MANAGER}}
    container = {"name": "web", "image": spec["image"], "ports": [{"containerPort": spec["port"]}]}
    deployment: dict[str, Any] = {
        "apiVersion": "apps/v1",
        "kind": "Deployment",
        "metadata": dict(own),
        "spec": {
            "replicas": spec["replicas"],
            "selector": {"matchLabels": labels},
            "template": {"metadata": {"labels": labels}, "spec": {"containers": [container]}},
        },
    }
    service: dict[str, Any] = {
        "apiVersion": "v1",
        "kind": "Service",
        "metadata": dict(own),
        "spec": {
            "selector": labels,
            "clusterIP": "None",
            "ports": [{"name": "http", "port": 80, "targetPort": spec["port"]}],
        },
    }
    kopf.append_owner_reference([deployment, service], owner=body)
    made, _service = await asyncio.gather(
        _apply(memo.session, f"/apis/apps/v1/namespaces/{namespace}/deployments/{name}", deployment),
        _apply(memo.session, f"/api/v1/namespaces/{namespace}/services/{name}", service),
    )
    ready = (made.get("status") or {}).get("readyReplicas") or 0
    patch.status["readyReplicas"] = ready
    patch.status["observedGeneration"] = body["metadata"]["generation"]
    _set_available(status, patch, ready == spec["replicas"])


def _set_available(status: kopf.Status, patch: kopf.Patch, available: bool) -> None:
    said = "True" if available else "False"
    conditions = status.get("conditions") or []
    if not conditions or conditions[0]["status"] != said:
        now = dt.datetime.now(dt.UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
        condition = {"type": "Available", "status": said, "reason": "Rollout", "message": "", "lastTransitionTime": now}
        patch.status["conditions"] = [condition]


async def _apply(session: aiohttp.ClientSession, path: str, document: dict[str, Any]) -> dict[str, Any]:
    query = {"fieldManager": MANAGER, "force": "true"}
    async with session.patch(path, params=query, data=json.dumps(document).encode()) as response:
        response.raise_for_status()
        made: dict[str, Any] = await response.json()
        return made
