"""The parameters that requests take, by name; one that stands in the path is written in braces."""

from collections.abc import Iterable
from typing import Any, Final

__all__ = [
    "DELETE",
    "DELETE_COLLECTION",
    "LIST",
    "OPTIONS",
    "PATCH",
    "WRITE",
    "in_order",
    "v2_parameter",
    "v3_parameter",
]

Document = dict[str, Any]

WRITE: Final = ("dryRun", "fieldManager", "fieldValidation")
PATCH: Final = (*WRITE, "force")
_SELECT: Final = (
    *("continue", "fieldSelector", "labelSelector", "limit", "resourceVersion", "resourceVersionMatch"),
    *("sendInitialEvents", "shardSelector", "timeoutSeconds"),
)
LIST: Final = (*_SELECT, "allowWatchBookmarks", "watch")
DELETE: Final = (
    *("dryRun", "gracePeriodSeconds", "ignoreStoreReadErrorWithClusterBreakingPotential", "orphanDependents"),
    "propagationPolicy",
)
DELETE_COLLECTION: Final = (*_SELECT, *DELETE)

_STREAMS: Final = ("container", "stderr", "stdin", "stdout", "tty")
#: What a connection to a pod, a node or a service is told, by the kind of the options.
OPTIONS: Final = {
    "NodeProxyOptions": ("path",),
    "PodAttachOptions": _STREAMS,
    "PodExecOptions": ("command", *_STREAMS),
    "PodLogOptions": (
        *("container", "follow", "insecureSkipTLSVerifyBackend", "limitBytes", "previous", "sinceSeconds", "stream"),
        *("tailLines", "timestamps"),
    ),
    "PodPortForwardOptions": ("ports",),
    "PodProxyOptions": ("path",),
    "ServiceProxyOptions": ("path",),
}

_INTEGERS: Final = frozenset(
    {"gracePeriodSeconds", "limit", "limitBytes", "ports", "sinceSeconds", "tailLines", "timeoutSeconds"}
)
_BOOLEANS: Final = frozenset(
    {
        *("allowWatchBookmarks", "follow", "force", "ignoreStoreReadErrorWithClusterBreakingPotential"),
        *("insecureSkipTLSVerifyBackend", "orphanDependents", "previous", "sendInitialEvents", "stderr", "stdin"),
        *("stdout", "timestamps", "tty", "watch"),
    }
)


def in_order(names: Iterable[str]) -> list[str]:
    """Parameters as documents list them: by name, one in the path before one in the query."""
    return sorted(names, key=lambda name: (name.strip("{}"), not name.startswith("{")))


def _type(name: str) -> str:
    if name in _INTEGERS:
        return "integer"
    return "boolean" if name in _BOOLEANS else "string"


def _place(name: str) -> Document:
    if name.startswith("{"):
        return {"name": name.strip("{}"), "in": "path", "required": True}
    return {"name": name, "in": "query"}


def v3_parameter(name: str) -> Document:
    """A parameter in OpenAPI v3."""
    return {**_place(name), "schema": {"type": _type(name), "uniqueItems": True}}


def v2_parameter(name: str) -> Document:
    """A parameter in OpenAPI v2."""
    return {"uniqueItems": True, "type": _type(name), **_place(name)}
