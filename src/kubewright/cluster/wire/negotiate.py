"""What to write: the `Accept` header and its companions become an `Output`.

    negotiate(accept, *, custom, watchable=False, pretty=False) -> Output    # Failure 406
    negotiate_stream(accept, *, custom) -> Output                     # for a watch; Failure 406
    negotiate_error(accept, *, pretty=False) -> Output                # for a Status; never fails
    wants_pretty(query: str | None, agent: bytes | None) -> bool      # ?pretty=, and browsers
    with_include(output, include: str | None) -> Output               # ?includeObject=; Failure 400
    clauses(accept) -> tuple[Clause, ...]                             # for endpoints with transforms of their own

An `Output` is a small value with equality: watches that ask for the same one share what is encoded for it. `accept` is
the value of the first `Accept` line, as bytes; what was made of it is kept, since clients send a handful of them.

Clauses are tried in the server's order, which is by `q` and by how definite they are; a clause whose parameters cannot
be met is passed over. Protobuf is for those who take nothing else: JSON is what is stored, and costs nothing to write.
Lists of metadata are for those who would rather have it, too: JSON is no shorter way there, and clients would see of
what kind their items are, which protobuf does not tell. A custom resource has no message in protobuf, nor has a Table;
metadata has.
"""

from functools import lru_cache
from typing import Any, Final, NamedTuple

from kubewright.cluster.wire.media import JSON, PROTOBUF, SUPPORTED, YAML
from kubewright.cluster.wire.status import Failure, bad_request, not_acceptable
from kubewright.schema.walk.golang import quote

__all__ = [
    "Clause",
    "Output",
    "clauses",
    "negotiate",
    "negotiate_error",
    "negotiate_stream",
    "wants_pretty",
    "with_include",
]

_GROUP: Final = "meta.k8s.io"
_VERSIONS: Final = ("v1", "v1beta1")
_LIST: Final = "PartialObjectMetadataList"
_FORMS: Final = ("Table", "PartialObjectMetadata", _LIST)
_INCLUDES: Final = ("None", "Metadata", "Object")
_TRUE: Final = frozenset({"1", "t", "T", "true", "TRUE", "True"})
_STREAMS: Final = tuple(f"{media};stream=watch" for media in (JSON, PROTOBUF))
_BROWSERS: Final = (b"curl", b"Wget", b"Mozilla/5.0")


class Clause(NamedTuple):
    """One member of an `Accept` header."""

    type: str
    subtype: str
    q: float
    parameters: dict[str, str]


class Output(NamedTuple):
    """How an answer is written. Hashable: what is encoded for one may be kept under it."""

    media: str = JSON
    pretty: bool = False
    #: What is made of the object: Table, PartialObjectMetadata, PartialObjectMetadataList; or it stays as it is.
    form: str = ""
    #: The version of meta.k8s.io in which `form` is written.
    version: str = "v1"
    #: What the rows of a Table hold besides cells: None, Metadata or Object.
    include: str = "Metadata"

    @property
    def content_type(self) -> bytes:
        """The value of the header of that name."""
        return self.media.encode()

    @property
    def api_version(self) -> str:
        """The apiVersion of what `form` is written as."""
        return f"{_GROUP}/{self.version}"


def negotiate(accept: bytes | None, *, custom: bool, watchable: bool = False, pretty: bool = False) -> Output:
    """How to answer with an object or a list.

    Before a built-in resource stands a router with rules of its own, which custom resources have not; what it says
    depends on whether the endpoint is `watchable`, which is said of lists.
    """
    if accept and not custom:
        _pass_router(accept, watchable)
    output = _choose(accept or b"", custom)
    if output is None:
        raise not_acceptable(SUPPORTED)
    return output._replace(pretty=True) if pretty and output.media == JSON else output


def negotiate_stream(accept: bytes | None, *, custom: bool) -> Output:
    """How to write the events of a watch: never YAML, never pretty."""
    if accept and not custom:
        _pass_router(accept, watchable=True)
    output = _choose(accept or b"", custom)
    if output is None:
        raise not_acceptable(SUPPORTED)
    if output.media == YAML:
        raise not_acceptable(_STREAMS)
    return output._replace(pretty=False)


def _pass_router(accept: bytes, watchable: bool) -> None:
    """The router wants one of the types by name, or `*/*`; of order and parameters it knows nothing."""
    if not _is_routed(accept):
        types = ", ".join(SUPPORTED + _STREAMS if watchable else SUPPORTED)
        document: dict[str, Any] = {"kind": "Status", "apiVersion": "v1", "metadata": {}, "status": "Failure"}
        document["message"] = f"406: Not Acceptable\n\nAvailable representations: {types}"
        raise Failure(document | {"reason": "NotAcceptable", "details": {}, "code": 406})


@lru_cache(512)
def _is_routed(accept: bytes) -> bool:
    types = (part.partition(";")[0].strip(" ") for part in accept.decode("latin-1").split(","))
    return any(each == "*/*" or each in SUPPORTED for each in types)


def negotiate_error(accept: bytes | None, *, pretty: bool = False) -> Output:
    """How to write a Status: as the client asked, and as indented JSON where that cannot be."""
    output = _choose(accept or b"", False, status=True)
    if output is None:
        return Output(pretty=True)
    return output._replace(pretty=True) if pretty and output.media == JSON else output


def wants_pretty(query: str | None, agent: bytes | None) -> bool:
    """Whether a person reads the answer: `query` is the parameter `pretty`, if there is one; else the client tells."""
    if query:
        return query in _TRUE
    return agent is not None and agent.startswith(_BROWSERS)


def with_include(output: Output, include: str | None) -> Output:
    """The output with what `includeObject` says of a Table's rows; a `Failure` for a word that it does not know."""
    if output.form != "Table" or not include:
        return output
    if include in _INCLUDES:
        return output._replace(include=include)
    why = f"includeObject: Invalid value: {quote(include)}: must be 'Metadata', 'Object', 'None', or empty"
    raise bad_request(f"Unable to convert to Table as requested: {why}")


@lru_cache(512)
def _choose(accept: bytes, custom: bool, status: bool = False) -> Output | None:
    """What the first clause that can be met asks for; for a Status, nothing may be made of the object."""
    if not accept:
        return Output()
    otherwise: Output | None = None
    for clause in clauses(accept):
        for media in SUPPORTED:
            if not _covers(clause, media) or (output := _meet(clause, media)) is None:
                continue
            if status and (output.form or clause.parameters.get("sv")):
                continue
            if media != PROTOBUF or output.form == _LIST:
                return output
            if output.form != "Table" and (output.form or not custom):
                otherwise = otherwise or output
    return otherwise


def _covers(clause: Clause, media: str) -> bool:
    kind, _, subtype = media.partition("/")
    if clause.type == "*":
        return clause.subtype == "*"
    return clause.type == kind and clause.subtype in (subtype, "*")


def _meet(clause: Clause, media: str) -> Output | None:
    """What a clause asks for, if it can be had in this media type."""
    ask = clause.parameters
    stream = ask.get("stream", "")
    if stream and (stream != "watch" or media == YAML):
        return None
    if ask.get("sv", "v1") not in ("", "v1"):
        return None
    pretty = ask.get("pretty") == "1" and media == JSON
    if not ask.keys() & {"as", "g", "v"}:
        return Output(media, pretty)
    form, version = ask.get("as", ""), ask.get("v", "")
    if ask.get("g", "") != _GROUP or version not in _VERSIONS:
        return None
    return Output(media, pretty, form, version) if form in _FORMS else None


@lru_cache(512)
def clauses(accept: bytes) -> tuple[Clause, ...]:
    """The members of an `Accept` header in the order in which they are to be tried."""
    found: list[Clause] = []
    for part in accept.decode("latin-1").split(","):
        clause = _clause(part)
        if clause is None:
            continue
        # The server's comparison is no order (`*/*` and `a/b;q=0.5` each come before the other), so that its method of
        # sorting decides: every clause moves forward past those that it precedes.
        at = len(found)
        found.append(clause)
        while at and _precedes(clause, found[at - 1]):
            found[at], found[at - 1] = found[at - 1], clause
            at -= 1
    return tuple(found)


def _precedes(one: Clause, other: Clause) -> bool:
    if one.q > other.q:
        return True
    return (one.type != "*" and other.type == "*") or (one.subtype != "*" and other.subtype == "*")


def _clause(part: str) -> Clause | None:
    head, *rest = part.strip(" ").split(";")
    kind, _, after = head.partition("/")
    subtype, _, surplus = after.partition("/")
    kind = kind.strip(" ")
    if surplus:
        return None
    if not after:
        if kind != "*":
            return None
        subtype = "*"
    q = 1.0
    parameters: dict[str, str] = {}
    for member in rest:
        name, _, after = member.partition("=")
        value, _, surplus = after.partition("=")
        if not after or surplus:
            continue
        name = name.strip(" ")
        if name == "q":
            q = _quality(value)
        else:
            parameters[name] = value.strip(" ")
    return Clause(kind, subtype.strip(" "), q, parameters)


def _quality(text: str) -> float:
    """A number as the server reads one; what is none counts nothing."""
    if text != text.strip() or "_" in text:
        return 0.0
    try:
        return float(text)
    except ValueError:
        return 0.0
