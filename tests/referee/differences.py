"""Where the embedded server is meant to differ, and why a user would agree."""

from typing import NamedTuple

from tests.referee.compare import Difference

__all__ = ["INTENDED", "UNSHOWN", "Intended", "reason_for"]


class Intended(NamedTuple):
    """A place of a script's transcript and everything below it; `step` 0 is every step."""

    script: str
    step: int
    path: str
    reason: str


_PROTOBUF = "who takes JSON as well as protobuf gets JSON, which is what is stored and costs nothing to write"
_BUILDER = "the server says honestly who built it"
_STRANGER = "a body of another kind is refused for its kind before its fields are read"
_DEEP = (
    "nesting is refused beyond 400 levels; the real server takes 10,000, and from some thousands on works on one such "
    "object for many seconds, or stores what it cannot read again: no object of any use is that deep"
)

INTENDED: tuple[Intended, ...] = (
    Intended("pods/the log of a pod that runs nowhere", 14, ".body", "another form is refused in other words"),
    Intended("pods/warnings to who makes a pod", 5, ".headers", "who is refused is told no more than why"),
    Intended("protobuf/answers in protobuf", 4, "", _PROTOBUF),
    Intended("negotiation/tables of other versions and groups", 17, ".body", _BUILDER),
    Intended(
        "negotiation/a body in YAML",
        0,
        ".body.message",
        "YAML that cannot be JSON is refused in our own words, which say where and what to write instead",
    ),
    Intended(
        "negotiation/unknown and duplicate fields, in three ways",
        0,
        "",
        "of a field that stands twice it is told before what stood twice in its first value",
    ),
    Intended("discovery/health, in words", 0, ".text", "the checks are those of this server"),
    Intended("discovery/the root lists paths", 0, ".body.paths", "the paths are those of this server"),
    Intended("errors/a body that is too deep", 3, ".body.message", _DEEP),
    *(Intended("errors/bodies deeper than ours may be", step, "", _DEEP) for step in range(3, 9)),
    Intended("patch/a patch cannot change who the object is", 6, "", _STRANGER),
    Intended("update/another kind is refused", 2, ".body.message", _STRANGER),
)

#: What is meant to differ where no script can show it: what happens, on the real server, here, and why.
UNSHOWN: tuple[tuple[str, str, str, str], ...] = (
    (
        "a client shows a certificate that has expired, or is of an authority that the server does not know",
        "401, or, with a token that is good, its user",
        "the handshake fails",
        "with Python's `ssl`, who asks for a certificate lets OpenSSL end the handshake if it cannot verify it",
    ),
    (
        "an APIService names a service that is there and ready",
        "requests of the group go to it, and fail with 503 while it is not available",
        "the condition `Available` says that it is not asked; its group is not found",
        "no requests are handed to other servers yet",
    ),
    (
        "a cluster starts",
        "the Service `kubernetes` has Endpoints and an EndpointSlice with the API's address, if it is no loopback one",
        "it has none",
        "an endpoint may not be a loopback address, and that is where the API is served",
    ),
    (
        "a cluster has been idle for some minutes, without a node that runs pods, and a list is gone on with",
        "410: its revision is forgotten by then",
        "the rest of the list",
        "what is still so need not be forgotten",
    ),
    (
        "a user of the group `system:nodes` is refused",
        "the authorizer of nodes says why: `No Object name found`",
        "the same refusal without that",
        "there is no authorizer of nodes: roles alone decide",
    ),
    (
        "a Job counts by index and has a success policy, but no completions",
        "it panics, and the connection breaks",
        "422, which says what is missing",
        "nobody waits for that",
    ),
    (
        "a strategic merge patch names a container by an object or a list",
        "it panics, and the connection breaks",
        "500, which says what cannot be compared",
        "nobody waits for that",
    ),
    (
        "a metric of a HorizontalPodAutoscaler has an unknown type and more than one source",
        "the sources are told in a random order",
        "in that of the fields",
        "a test should not have to be lucky",
    ),
)


def reason_for(key: str, found: Difference) -> Intended | None:
    """Why a difference is meant, if it is."""
    for intended in INTENDED:
        if (
            intended.script == key
            and intended.step in (0, found.step)
            and found.path.startswith(intended.path)
            and found.path[len(intended.path) : len(intended.path) + 1] in ("", ".", "[")
        ):
            return intended
    return None
