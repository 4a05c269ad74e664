"""The shapes of failure: every refusal is a metav1 Status, in the API server's words.

A verb raises `Failure`; the front writes its `document`. There is one function for each row of the contract, named for
what happened, so that a message stands in one place. `resource` is the plural with its group (`widgets.example.com`),
as messages have it.
"""

from collections.abc import Generator, Iterable, Sequence
from typing import Any, NamedTuple

from kubewright.schema.walk.errors import FieldError, invalid_status, invalid_status_in_steps
from kubewright.schema.walk.golang import quote

__all__ = [
    "Failure",
    "Target",
    "already_exists",
    "apply_conflict",
    "bad_request",
    "broken",
    "conflict",
    "done",
    "expired",
    "forbidden",
    "forbidden_path",
    "internal",
    "invalid",
    "invalid_in_steps",
    "method_not_allowed",
    "modified",
    "no_unique_name",
    "no_version",
    "not_acceptable",
    "not_found",
    "not_served",
    "over_budget",
    "page_expired",
    "success",
    "timeout",
    "too_large",
    "too_large_version",
    "too_many_operations",
    "unauthorized",
    "unknown_patch",
    "unknown_resource",
    "unpatchable",
    "unsupported_media_type",
    "unsupported_verb",
]

Document = dict[str, Any]


class Failure(Exception):
    """A request that is refused, with the Status that says so."""

    def __init__(self, document: Document, *, retry_after: int | None = None, nosniff: bool = False) -> None:
        super().__init__(document.get("message", ""))
        self.document = document
        self.code: int = document["code"]
        #: Seconds for the header of that name.
        self.retry_after = retry_after
        #: Whether browsers are told to take the answer for what it says it is: it may hold what the client sent.
        self.nosniff = nosniff


class Target(NamedTuple):
    """What a request is about, as far as a Status tells."""

    group: str
    resource: str
    kind: str
    name: str = ""

    @property
    def qualified(self) -> str:
        """The plural with its group."""
        return f"{self.resource}.{self.group}" if self.group else self.resource


def _status(code: int, reason: str, message: str, details: Document | None = None) -> Document:
    document: Document = {"kind": "Status", "apiVersion": "v1", "metadata": {}, "status": "Failure"}
    if message:
        document["message"] = message
    if reason:
        document["reason"] = reason
    if details is not None:
        document["details"] = details
    return document | {"code": code}


def _details(target: Target, **more: Any) -> Document:
    """Who is meant. `kind` is the plural here: the server's own habit."""
    found = {"name": target.name, "group": target.group, "kind": target.resource}
    return {key: value for key, value in (found | more).items() if value}


def success(target: Target, uid: str) -> Document:
    """An object is gone."""
    document: Document = {"kind": "Status", "apiVersion": "v1", "metadata": {}, "status": "Success"}
    return document | {"details": _details(target, uid=uid)}


def done(code: int) -> Document:
    """What was asked for was done, and there is nothing to show for it."""
    return {"kind": "Status", "apiVersion": "v1", "metadata": {}, "status": "Success", "code": code}


def not_found(target: Target) -> Failure:
    """There is no such object."""
    return Failure(_status(404, "NotFound", f"{target.qualified} {quote(target.name)} not found", _details(target)))


def unknown_resource() -> Failure:
    """There is no such resource in a group and version that exist."""
    return Failure(_status(404, "NotFound", "the server could not find the requested resource", {}))


def already_exists(target: Target, *, going: bool = False) -> Failure:
    """There is such an object already; perhaps it is being deleted."""
    message = f"{target.qualified} {quote(target.name)} already exists"
    message = f"object is being deleted: {message}" if going else message
    return Failure(_status(409, "AlreadyExists", message, _details(target)))


def no_unique_name(target: Target) -> Failure:
    """Every name that was generated is taken."""
    message = (
        f"{target.qualified} {quote(target.name)} already exists, the server was not able to generate a unique name "
        "for the object"
    )
    return Failure(_status(409, "AlreadyExists", message, _details(target, retryAfterSeconds=1)), retry_after=1)


def conflict(target: Target, why: str) -> Failure:
    """The object is not as the writer thinks it is."""
    message = f"Operation cannot be fulfilled on {target.qualified} {quote(target.name)}: {why}"
    return Failure(_status(409, "Conflict", message, _details(target)))


def apply_conflict(message: str, causes: list[Document]) -> Failure:
    """Others own what a configuration would change."""
    return Failure(_status(409, "Conflict", message, {"causes": causes}))


def modified(target: Target) -> Failure:
    """Somebody else wrote in between."""
    return conflict(
        target, "the object has been modified; please apply your changes to the latest version and try again"
    )


def forbidden(target: Target, why: str, causes: Iterable[Document] = (), *, nosniff: bool = False) -> Failure:
    """Not for this user, or not now."""
    what = f"{target.qualified} {quote(target.name)}" if target.name else target.qualified
    document = _status(403, "Forbidden", f"{what} is forbidden: {why}", _details(target, causes=list(causes)))
    return Failure(document, nosniff=nosniff)


def unauthorized() -> Failure:
    """Credentials were given, and are not good."""
    return Failure(_status(401, "Unauthorized", "Unauthorized"))


def bad_request(message: str, *, nosniff: bool = False) -> Failure:
    """The request makes no sense."""
    return Failure(_status(400, "BadRequest", message), nosniff=nosniff)


def invalid(target: Target, errors: Iterable[FieldError]) -> Failure:
    """The object is not valid; every reason is told. Here, `details.kind` is the kind."""
    return Failure(invalid_status(target.kind, target.group, target.name, errors))


def invalid_in_steps(target: Target, errors: Sequence[FieldError]) -> Generator[None, None, Failure]:
    """The same of a large object, in steps."""
    return Failure((yield from invalid_status_in_steps(target.kind, target.group, target.name, errors)))


def unpatchable() -> Failure:
    """A JSON patch that cannot be applied; the server tells no more."""
    message = "the server rejected our request due to an error in our request"
    return Failure(_status(422, "Invalid", message, {}))


def method_not_allowed() -> Failure:
    """The resource has no such verb."""
    message = "the server does not allow this method on the requested resource"
    return Failure(_status(405, "MethodNotAllowed", message, {}))


def unsupported_verb(target: Target, verb: str) -> Failure:
    """The same of a resource that itself was asked, and no table of paths."""
    message = f"{verb} is not supported on resources of kind {quote(target.qualified)}"
    return Failure(_status(405, "MethodNotAllowed", message, _details(target._replace(name=""))))


def not_acceptable(accepted: Iterable[str]) -> Failure:
    """No media type that the client takes can be written."""
    message = f"only the following media types are accepted: {', '.join(accepted)}"
    return Failure(_status(406, "NotAcceptable", message))


def unsupported_media_type(accepted: Iterable[str]) -> Failure:
    """The body's media type cannot be read."""
    message = "the body of the request was in an unknown format - accepted media types include: " + ", ".join(accepted)
    return Failure(_status(415, "UnsupportedMediaType", message))


def unknown_patch() -> Failure:
    """A patch in a language that no built-in resource takes: refused before anything is looked at."""
    return Failure(_status(415, "UnsupportedMediaType", "415: Unsupported Media Type", {}))


def not_served(what: str) -> Failure:
    """A part of Kubernetes that the embedded cluster does not have yet."""
    message = f"the embedded cluster does not serve {what} yet; kube-apiserver does"
    return Failure(_status(501, "NotImplemented", message))


def over_budget(why: str, seconds: int | None = None) -> Failure:
    """An eviction that a budget does not allow now; it may be tried again after so many seconds."""
    message = "Cannot evict pod as it would violate the pod's disruption budget."
    details: Document = {"causes": [{"reason": "DisruptionBudget", "message": why}]}
    if seconds:
        details["retryAfterSeconds"] = seconds
    return Failure(_status(429, "TooManyRequests", message, details), retry_after=seconds)


def too_large(limit: int) -> Failure:
    """The body is longer than the server takes."""
    message = f"Request entity too large: limit is {limit}"
    return Failure(_status(413, "RequestEntityTooLarge", message))


def too_many_operations(message: str) -> Failure:
    """A patch with more in it than the server takes."""
    return Failure(_status(413, "RequestEntityTooLarge", message))


def too_large_version(wanted: int, current: int) -> Failure:
    """A resourceVersion that does not exist yet, and did not come while waiting."""
    cause = {"reason": "ResourceVersionTooLarge", "message": "Too large resource version"}
    message = f"Timeout: Too large resource version: {wanted}, current: {current}"
    details = {"causes": [cause], "retryAfterSeconds": 1}
    return Failure(_status(504, "Timeout", message, details), retry_after=1)


def timeout(message: str) -> Failure:
    """It took too long."""
    return Failure(_status(504, "Timeout", f"Timeout: {message}"))


def expired(message: str) -> Failure:
    """What was asked for is forgotten."""
    return Failure(_status(410, "Expired", message))


def no_version() -> Failure:
    """A new object that says which version it has. The server calls it an error of its own, without a reason."""
    return Failure(_status(500, "", "resourceVersion should not be set on objects to be created"))


def broken(message: str) -> Failure:
    """Something went wrong for which the server has no name."""
    return Failure(_status(500, "", message))


def internal(message: str) -> Failure:
    """Something is broken that the client cannot put right."""
    details = {"causes": [{"message": message}]}
    return Failure(_status(500, "InternalError", f"Internal error occurred: {message}", details))


def page_expired(token: str) -> Failure:
    """The list that a page belongs to is forgotten; `token` goes on from there with what is there now."""
    message = (
        "The provided continue parameter is too old to display a consistent list result. You can start a new list "
        "without the continue parameter, or use the continue token in this response to retrieve the remainder of the "
        "results. Continuing with the provided token results in an inconsistent list - objects that were created, "
        "modified, or deleted between the time the first chunk was returned and now may show up in the list."
    )
    document = _status(410, "Expired", message)
    return Failure(document | {"metadata": {"continue": token}})


def forbidden_path(why: str) -> Failure:
    """Not for this user, and no resource."""
    return Failure(_status(403, "Forbidden", f"forbidden: {why}", {}), nosniff=True)
