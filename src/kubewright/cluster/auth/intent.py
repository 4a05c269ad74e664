"""What a request is about, read off its method, path and query alone.

    GET /apis/apps/v1/namespaces/web/deployments/front/scale
        verb get, group apps, version v1, namespace web, resource deployments, name front, subresource scale

The rules are the API server's: a namespace is a scope and a resource of its own, `/watch/` in front is the old way to
say `?watch=true`, whatever the method, and a list restricted to one name by its field selector is about that name where
permission goes.
"""

from typing import NamedTuple
from urllib.parse import unquote

from kubewright.model.selectors import FieldSelector, SelectorError
from kubewright.schema.walk.names import path_segment

__all__ = ["Intent", "read_intent"]

_VERBS = {"POST": "create", "GET": "get", "HEAD": "get", "PUT": "update", "PATCH": "patch", "DELETE": "delete"}
#: What may follow `/namespaces/NAME` without being a resource in that namespace.
_NAMESPACE_SUBRESOURCES = frozenset({"status", "finalize"})


class Intent(NamedTuple):
    """A request for a resource; for any other path, only `verb` and `path` say something."""

    verb: str
    path: str
    is_resource: bool = False
    group: str = ""
    version: str = ""
    namespace: str = ""
    resource: str = ""
    subresource: str = ""
    name: str = ""
    #: Asked for in the old way, by a path that begins with `/watch/`.
    old_watch: bool = False
    #: The one name to which a list or watch is restricted by its field selector.
    selected: str = ""


def read_intent(method: str, path: str, query: dict[str, list[str]]) -> Intent:
    """The intent of a request; `path` is still percent-encoded."""
    # Decoded before it is taken apart: a slash is a slash, however it was written.
    path = unquote(path)
    parts = path.strip("/").split("/")
    if parts[0] == "api" and len(parts) > 2:
        group, version, rest = "", parts[1], parts[2:]
    elif parts[0] == "apis" and len(parts) > 3:
        group, version, rest = parts[1], parts[2], parts[3:]
    else:
        return Intent(method.lower(), path)
    verb = _VERBS.get(method, "")
    old = rest[0] == "watch"
    if old:
        if len(rest) == 1:
            return Intent(method.lower(), path)
        rest = rest[1:]
    namespace = ""
    if rest[0] == "namespaces" and len(rest) > 1:
        namespace = rest[1]
        if len(rest) > 2 and rest[2] not in _NAMESPACE_SUBRESOURCES:
            rest = rest[2:]
    resource, name, subresource = (*rest, "", "", "")[:3]
    selected = ""
    if old:
        verb = "watch"
    elif verb == "get" and not name:
        verb = "watch" if _flag(query, "watch") else "list"
        if "fieldSelector" in query:
            selected = _selected(query["fieldSelector"][0])
    elif verb == "delete" and not name:
        verb = "deletecollection"
    return Intent(verb, path, True, group, version, namespace, resource, subresource, name, old, selected)


def _selected(text: str) -> str:
    """The name that a field selector asks for, if it asks for one."""
    try:
        name = FieldSelector.parse(text).exact("metadata.name")
    except SelectorError:
        return ""
    return name if name and not path_segment(name) else ""


def _flag(query: dict[str, list[str]], name: str) -> bool:
    """Whether a parameter is true: whatever it says, unless that is `0` or `false`."""
    values = query.get(name)
    return values is not None and values[0].lower() not in ("0", "false")
