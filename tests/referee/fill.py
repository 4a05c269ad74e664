"""References in scripts become what they stand for."""

import re
from collections.abc import Mapping
from typing import Any

from tests.referee.language import Edited

__all__ = ["GROUP", "UnknownReference", "fill", "names", "slug"]

#: The group of the definitions that every server is given first (`tests.referee.objects`).
GROUP = "referee.example.com"

_REFERENCE = re.compile(r"\{([a-z][A-Za-z0-9_]*)((?:\.[A-Za-z0-9_-]+)*)\}")


class UnknownReference(Exception):
    """A script refers to what it has not kept."""


def slug(name: str) -> str:
    """A script's name as a DNS label that stays the same from run to run."""
    return re.sub(r"[^a-z0-9]+", "-", name.lower()).strip("-")[:50].strip("-")


def names(script: str) -> dict[str, Any]:
    """What every script can refer to."""
    own = slug(script)
    core = f"/api/v1/namespaces/{own}"
    return {
        "ns": own,
        "own": own,
        "group": f"{own}.example.com",
        "namespace": core,
        "namespaces": "/api/v1/namespaces",
        "configmaps": f"{core}/configmaps",
        "secrets": f"{core}/secrets",
        "pods": f"{core}/pods",
        "services": f"{core}/services",
        "events": f"{core}/events",
        "serviceaccounts": f"{core}/serviceaccounts",
        "deployments": f"/apis/apps/v1/namespaces/{own}/deployments",
        "leases": f"/apis/coordination.k8s.io/v1/namespaces/{own}/leases",
        "widgets": f"/apis/{GROUP}/v1/namespaces/{own}/widgets",
        "gadgets": f"/apis/{GROUP}/v1/gadgets",
        "crds": "/apis/apiextensions.k8s.io/v1/customresourcedefinitions",
        "things": f"/apis/{own}.example.com/v1/namespaces/{own}/things",
    }


def fill(value: Any, known: Mapping[str, Any]) -> Any:
    """The value with every reference replaced."""
    if isinstance(value, str):
        if whole := _REFERENCE.fullmatch(value):
            return _found(whole, known)
        return _REFERENCE.sub(lambda part: str(_found(part, known)), value)
    if isinstance(value, bytes):
        return fill(value.decode("latin-1"), known).encode("latin-1")
    if isinstance(value, Mapping):
        return {fill(key, known): fill(item, known) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return type(value)(fill(item, known) for item in value)
    if isinstance(value, Edited):
        return _merged(_found_name(value.name, known), fill(value.change, known))
    return value


def _found(reference: re.Match[str], known: Mapping[str, Any]) -> Any:
    value = _found_name(reference[1], known)
    for part in reference[2].split(".")[1:]:
        try:
            value = value[int(part)] if isinstance(value, list) else value[part]
        except (KeyError, IndexError, TypeError, ValueError):
            raise UnknownReference(f"{reference[0]}: there is no {part!r} in what was kept") from None
    return value


def _found_name(name: str, known: Mapping[str, Any]) -> Any:
    if name not in known:
        raise UnknownReference(f"nothing was kept as {name!r}")
    return known[name]


def _merged(value: Any, change: Any) -> Any:
    if not isinstance(change, dict):
        return change
    merged = dict(value) if isinstance(value, dict) else {}
    for key, item in change.items():
        if item is None:
            merged.pop(key, None)
        else:
            merged[key] = _merged(merged.get(key), item)
    return merged
