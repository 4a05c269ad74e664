"""What is kept of an object: that which controllers decide about it, without times, versions and addresses. Pure."""

import re
from typing import Any, Final

__all__ = ["news_of", "view_of"]

Document = dict[str, Any]
_REVISIONS: Final = "deployment.kubernetes.io/"
_TIMES: Final = ("startTime", "completionTime")
_ADDRESS: Final = re.compile(r"\d+\.\d+\.\d+\.\d+")


def view_of(plural: str, document: Document) -> Document:
    """What controllers decide of an object of this kind."""
    return {
        "deployments": _replicas,
        "replicasets": _replicas,
        "jobs": _job,
        "pods": _pod,
        "endpointslices": _slice,
        "endpoints": _endpoints,
    }[plural](document)


def _replicas(document: Document) -> Document:
    meta, spec, status = document["metadata"], document["spec"], _status(document)
    annotations = (meta.get("annotations") or {}).items()
    return {
        "replicas": spec["replicas"],
        "paused": spec.get("paused", False),
        "image": spec["template"]["spec"]["containers"][0]["image"],
        "annotations": {key[len(_REVISIONS) :]: value for key, value in annotations if key.startswith(_REVISIONS)},
        "behind": meta["generation"] - status.pop("observedGeneration", 0),
        "status": status,
    }


def _job(document: Document) -> Document:
    spec, status = document["spec"], _status(document)
    uncounted = status.get("uncountedTerminatedPods") or {}
    status["uncountedTerminatedPods"] = {key: len(uids) for key, uids in uncounted.items()}
    status |= {key: "*" for key in _TIMES if key in status}
    return {"suspend": spec.get("suspend", False), "status": status, **_hold(document["metadata"])}


def _pod(document: Document) -> Document:
    meta = document["metadata"]
    phase = (document.get("status") or {}).get("phase", "")
    return {"app": (meta.get("labels") or {}).get("app", ""), "owners": _owners(meta), "phase": phase, **_hold(meta)}


def _slice(document: Document) -> Document:
    meta, endpoints = document["metadata"], [_masked(each) for each in document["endpoints"] or ()]
    return {
        "endpoints": sorted(endpoints, key=repr),
        "ports": document["ports"] or [],
        "labels": meta["labels"],
        "owners": _owners(meta),
    }


def _endpoints(document: Document) -> Document:
    meta = document["metadata"]
    subsets = [
        {key: sorted(map(_masked, parts), key=repr) for key, parts in each.items()}
        for each in document.get("subsets") or ()
    ]
    return {
        "subsets": subsets,
        "labels": meta.get("labels") or {},
    }


def _status(document: Document) -> Document:
    """The status, its conditions in the order of their types."""
    status = dict(document.get("status") or {})
    conditions = status.get("conditions", [])
    status["conditions"] = sorted(
        [each["type"], each["status"], each.get("reason", ""), each.get("message", "")] for each in conditions
    )
    return status


def _hold(meta: Document) -> Document:
    return {"deleting": "deletionTimestamp" in meta, "finalizers": meta.get("finalizers") or []}


def _owners(meta: Document) -> list[str]:
    owners = meta.get("ownerReferences") or []
    return [f"{each['kind']} {each['name']}{'!' if each.get('controller') else ''}" for each in owners]


def _masked(endpoint: Document) -> Document:
    """An address or a port without what differs from run to run: who is there, the target tells."""
    shown: Document = {
        key: _ADDRESS.sub("*", value) if isinstance(value, str) else value for key, value in endpoint.items()
    }
    if "addresses" in shown:
        shown["addresses"] = [_ADDRESS.sub("*", each) for each in shown["addresses"]]
    if "targetRef" in shown:
        shown["targetRef"] = f"{shown['targetRef']['kind']} {shown['targetRef']['name']}"
    return shown


def news_of(plural: str, before: Document | None, after: Document) -> list[str]:
    """What is new by which one follows a story: conditions, or how many pods are there or ready."""
    old = _signs(plural, before) if before is not None else []
    return [each[0] for each in _signs(plural, after) if each not in old]


def _signs(plural: str, view: Document) -> list[tuple[str, str]]:
    """Signs of how far the story is, and what is said with them: with other words it is news, too."""
    if plural == "endpointslices":
        return [(f"ready={sum(each['conditions']['ready'] for each in view['endpoints'])}", "")]
    status = view["status"]
    if plural == "replicasets":
        return [(f"ready={status.get('readyReplicas', 0)}", "")]
    counts = [(f"active={status.get('active', 0)}", "")] if plural == "jobs" else []
    return counts + [(f"{kind}={value}/{reason}", message) for kind, value, reason, message in status["conditions"]]
