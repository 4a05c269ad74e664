"""Verbs that only one resource has: a pod is bound, a token is asked for, a review is made and never kept.

Each is a function of a `Call`, as the general verbs are, named here by its module and imported when it is first asked
for. A name with a slash is a subresource.
"""

from collections.abc import Callable
from importlib import import_module
from typing import Any, Final

__all__ = ["find_verb"]

_VERBS: Final[dict[str, dict[str, str]]] = {
    "localsubjectaccessreviews.authorization.k8s.io": {"create": "review.review_local_access"},
    "bindings": {"create": "binding.bind_named"},
    "componentstatuses": {
        "get": "components.get_component",
        "list": "components.list_components",
        "watch": "components.watch_components",
    },
    "pods/attach": {"create": "connect.stream", "get": "connect.stream"},
    "pods/binding": {"create": "binding.bind"},
    "pods/eviction": {"create": "eviction.evict"},
    "pods/exec": {"create": "connect.stream", "get": "connect.stream"},
    "pods/log": {"get": "connect.log"},
    "pods/portforward": {"create": "connect.forward", "get": "connect.forward"},
    "pods/proxy": dict.fromkeys(("create", "delete", "get", "patch", "update"), "connect.proxy"),
    "selfsubjectaccessreviews.authorization.k8s.io": {"create": "review.review_own_access"},
    "selfsubjectreviews.authentication.k8s.io": {"create": "identity.review_self"},
    "selfsubjectrulesreviews.authorization.k8s.io": {"create": "review.review_own_rules"},
    "serviceaccounts/token": {"create": "token.create_token"},
    "services/proxy": dict.fromkeys(("create", "delete", "get", "patch", "update"), "proxy.reach_service"),
    "subjectaccessreviews.authorization.k8s.io": {"create": "review.review_access"},
    "tokenreviews.authentication.k8s.io": {"create": "identity.review_token"},
}


def find_verb(qualified: str, verb: str) -> Callable[..., Any] | None:
    """The function that answers a verb at a resource or subresource, if it has one of its own."""
    place = _VERBS.get(qualified, {}).get(verb)
    if place is None:
        return None
    module, _, name = place.rpartition(".")
    found: Callable[..., Any] = getattr(import_module(f"{__package__}.{module}"), name)
    return found
