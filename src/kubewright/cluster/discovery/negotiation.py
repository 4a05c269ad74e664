"""In which form discovery is told: what a client's `Accept` header says of these paths.

The server negotiates twice on some of them: a router that looks at plain media types only, then the rules by which
objects are negotiated everywhere, with the aggregated form as the one thing that may be made of the answer.
"""

from typing import Final, NamedTuple

from kubewright.cluster.wire.media import JSON, SUPPORTED, YAML
from kubewright.cluster.wire.negotiate import Clause, clauses
from kubewright.cluster.wire.status import Failure, not_acceptable

__all__ = ["AGGREGATED", "Form", "choose_form", "choose_openapi", "route"]

#: Behind the media type of an aggregated answer.
AGGREGATED: Final = ";g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList"
_ASKED: Final = {"g": "apidiscovery.k8s.io", "v": "v2", "as": "APIGroupDiscoveryList"}


class Form(NamedTuple):
    """How to answer."""

    media: str = JSON
    aggregated: bool = False


def choose_form(accept: bytes | None, *, aggregated: bool = False) -> Form:
    """The form that the client prefers of those there are; `aggregated`, if that one is among them."""
    if not accept:
        return Form()
    for clause in clauses(accept):
        asked = {key: value for key, value in clause.parameters.items() if key in _ASKED}
        if asked and not (aggregated and asked == _ASKED):
            continue
        for media in (JSON, YAML):
            if _covers(clause, media):
                return Form(media, bool(asked))
    raise not_acceptable(SUPPORTED)


def _covers(clause: Clause, media: str) -> bool:
    kind, _, subtype = media.partition("/")
    return clause.type in ("*", kind) and clause.subtype in ("*", subtype)


def choose_openapi(accept: bytes | None, offered: tuple[str, ...]) -> str | None:
    """The media type that a client prefers of those in which an OpenAPI document is offered, if any."""
    for clause in clauses(accept or b"*/*"):
        for media in offered:
            if _covers(clause, media):
                return media
    return None


def route(accept: bytes | None, offered: tuple[str, ...] = SUPPORTED) -> None:
    """Refuse what the router refuses: it knows `*/*` and whole media types, no parameters and no `application/*`."""
    if not accept:
        return
    wanted = [part.partition(";")[0].strip() for part in accept.decode("latin-1").split(",")]
    if any(part == "*/*" or part in offered for part in wanted):
        return
    message = f"406: Not Acceptable\n\nAvailable representations: {', '.join(offered)}"
    status = {"kind": "Status", "apiVersion": "v1", "metadata": {}, "status": "Failure", "message": message}
    raise Failure(status | {"reason": "NotAcceptable", "details": {}, "code": 406})
