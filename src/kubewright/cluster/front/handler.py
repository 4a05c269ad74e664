"""The front: what HTTP delivers goes to the verb it means, and comes back as an answer or a refusal.

    request ──► who asks ──► what for ──► may he ──► discovery │ resource ──► in which form ──► verb ──► answer

The same handler serves sockets and the transport in this process. A verb that can answer at once does so, with no task.
"""

import logging
from collections.abc import Callable, Coroutine
from typing import Any

from kubewright.cluster.auth.access import Access
from kubewright.cluster.auth.intent import Intent, read_intent
from kubewright.cluster.auth.user import User
from kubewright.cluster.call import Api, Call
from kubewright.cluster.discovery.answer import Discovery
from kubewright.cluster.front.metrics import Metrics
from kubewright.cluster.front.neighbour import check_neighbour
from kubewright.cluster.front.query import read_query
from kubewright.cluster.front.timeout import in_time, read_timeout
from kubewright.cluster.front.upgrade import upgrade
from kubewright.cluster.registry.resource import Resource, Subresource
from kubewright.cluster.registry.view import ConversionFailed
from kubewright.cluster.store import Unkept
from kubewright.cluster.verbs.answer import answer_failure, answer_long_failure
from kubewright.cluster.verbs.create import create
from kubewright.cluster.verbs.delete import delete
from kubewright.cluster.verbs.deletecollection import deletecollection
from kubewright.cluster.verbs.get import get
from kubewright.cluster.verbs.list import list_
from kubewright.cluster.verbs.particular import find_verb
from kubewright.cluster.verbs.patch import patch
from kubewright.cluster.verbs.scale import SCALE_VERBS
from kubewright.cluster.verbs.turn import LARGE, let_go
from kubewright.cluster.verbs.update import update
from kubewright.cluster.verbs.watch import watch
from kubewright.cluster.wire.media import SUPPORTED
from kubewright.cluster.wire.negotiate import (
    Output,
    negotiate,
    negotiate_error,
    negotiate_stream,
    wants_pretty,
    with_include,
)
from kubewright.cluster.wire.status import (
    Failure,
    Target,
    bad_request,
    broken,
    internal,
    method_not_allowed,
    not_acceptable,
    not_found,
    not_served,
    unknown_resource,
    unsupported_verb,
)
from kubewright.cluster.wire.warning import warning_headers
from kubewright.http import Headers, Request, Response
from kubewright.http.compress import THRESHOLD, compressed
from kubewright.schema.walk.golang import quote
from kubewright.schema.walk.names import path_segment

__all__ = ["Front"]

logger = logging.getLogger(__name__)

Answer = Response | Coroutine[Any, Any, Response]
Verb = Callable[[Call], Answer]

_VERBS: dict[str, Verb] = {
    "get": get,
    "list": list_,
    "watch": watch,
    "create": create,
    "update": update,
    "patch": patch,
    "delete": delete,
    "deletecollection": deletecollection,
}
#: Of what is asked and never kept.
_REVIEWED = ("create",)
_TEXT = Headers(
    [(b"Cache-Control", b"no-cache, private"), (b"Content-Type", b"text/plain; version=0.0.4; charset=utf-8")]
)
#: Below these there is a Status where there is nothing, not a page.
_STRICT = ("/api/", "/version/")
_PAGE = Headers(
    [
        (b"Cache-Control", b"no-cache, private"),
        (b"Content-Type", b"text/plain; charset=utf-8"),
        (b"X-Content-Type-Options", b"nosniff"),
    ]
)


class Front:
    """The handler of a cluster."""

    def __init__(self, api: Api, discovery: Discovery, access: Access) -> None:
        self._api = api
        self._discovery = discovery
        self._access = access
        self._metrics = Metrics(api.store, api.registry)

    def __call__(self, request: Request) -> Answer:
        """Answer a request."""
        asked = _Asked(request)
        try:
            return self._route(asked)
        except Failure as failure:
            return self._refuse(asked, failure)
        except (ConversionFailed, Unkept) as failed:
            return self._refuse(asked, broken(str(failed)))
        except Exception as error:  # noqa: BLE001 - the client is told, and the log
            return self._fail(asked, error)

    def _route(self, asked: "_Asked") -> Answer:
        request = asked.request
        if request.link is not None:
            check_neighbour(request)
        query = read_query(request.query)
        path = request.path
        asked.intent = intent = read_intent(request.method, path, query)
        seconds = read_timeout(intent, query["timeout"][0]) if "timeout" in query else None
        user = self._access.admit(request, intent, asked.warnings)
        if path.startswith("//"):
            return self._deliver(asked, not_a_page())
        if not intent.is_resource:
            if path == "/metrics":
                return self._deliver(asked, Response(200, _TEXT, self._metrics.text()))
            told = self._discovery.answer(request, path)
            if told is None and path.startswith(_STRICT):
                raise unknown_resource()
            return self._deliver(asked, told or not_a_page())
        resource = self._api.registry.find(intent.group, intent.version, intent.resource)
        if resource is None:
            # A group that only CRDs define is another server's, which knows nothing of pages that it lacks.
            if self._api.registry.is_builtin(intent.group):
                raise unknown_resource()
            return self._deliver(asked, not_a_page())
        if resource.custom and not _in_scope(resource, intent):
            return self._deliver(asked, not_a_page())
        if not resource.custom and (request.method == "HEAD" or (intent.old_watch and request.method != "GET")):
            raise method_not_allowed()
        call = self._call(asked, user, intent, resource, query)
        answer = _verb(call, intent)(call)
        if seconds is not None and not isinstance(answer, Response):
            answer = in_time(answer, seconds)
        if request.upgrade and intent.verb == "watch" and isinstance(answer, Response):
            answer = upgrade(request, answer)
        return self._deliver(asked, answer)

    def _deliver(self, asked: "_Asked", answer: Answer) -> Answer:
        if not isinstance(answer, Response):
            return self._finish(asked, answer)
        response = self._sign(asked, answer)
        large = isinstance(response.body, bytes) and len(response.body) > THRESHOLD
        return compressed(asked.request.headers, response) if large else response

    def _call(
        self, asked: "_Asked", user: User, intent: Intent, resource: Resource, query: dict[str, list[str]]
    ) -> Call:
        request = asked.request
        subresource = _subresource(resource, intent)
        accept = request.headers.get(b"accept")
        if intent.verb == "watch":
            output = negotiate_stream(accept, custom=resource.custom)
        else:
            pretty = wants_pretty(query.get("pretty", [None])[0], request.headers.get(b"user-agent"))
            output = negotiate(accept, custom=resource.custom, watchable=intent.verb == "list", pretty=pretty)
        if output.form and resource.verbs == _REVIEWED:
            raise not_acceptable(SUPPORTED)
        if output.form:
            output = with_include(output, query.get("includeObject", [None])[0])
        namespace = intent.namespace if resource.namespaced else ""
        # A new object has the name that it says it has, whatever the path; a part of one belongs to the one named.
        name = intent.name if intent.verb != "create" or subresource is not None else ""
        asked.warnings += resource.warnings
        call = Call(self._api, request, resource, namespace, name, subresource, query, output, asked.warnings, user)
        asked.spent = call.spent
        return call

    async def _finish(self, asked: "_Asked", coming: Coroutine[Any, Any, Response]) -> Response:
        try:
            response = await coming
        except Failure as failure:
            if len(failure.document.get("message", "")) <= LARGE:
                return self._refuse(asked, failure)
            return self._sign(asked, await answer_long_failure(failure, _error_output(asked.request)))
        except (ConversionFailed, Unkept) as failed:
            return self._refuse(asked, broken(str(failed)))
        except Exception as error:  # noqa: BLE001 - the client is told, and the log
            return self._fail(asked, error)
        finally:
            if asked.spent:
                let_go(asked.spent)
        return await compressed(asked.request.headers, self._sign(asked, response))

    def _sign(self, asked: "_Asked", response: Response) -> Response:
        """Put on what every answer carries, and count it."""
        self._metrics.count(asked.intent, response.status)
        pairs = [(b"Audit-Id", self._audit(asked.request))]
        if asked.warnings:
            pairs += warning_headers(asked.warnings)
        response.headers = response.headers.plus(*pairs)
        return response

    def _audit(self, request: Request) -> bytes:
        given = request.headers.get(b"audit-id")
        return given if given is not None else self._api.chance.uid().encode()

    def _refuse(self, asked: "_Asked", failure: Failure) -> Response:
        return self._sign(asked, answer_failure(failure, _error_output(asked.request)))

    def _fail(self, asked: "_Asked", error: Exception) -> Response:
        """A mistake of ours: the client hears that there is one, the log which."""
        logger.error("%s %s failed", asked.request.method, asked.request.target, exc_info=error)
        return self._refuse(asked, internal("the server made a mistake; its log tells which"))


class _Asked:
    """A request on its way: what it is about, once that is known, and what its sender will be warned of."""

    __slots__ = ("intent", "request", "spent", "warnings")

    def __init__(self, request: Request) -> None:
        self.request = request
        self.intent: Intent | None = None
        self.warnings: list[str] = []
        #: See `Call`.
        self.spent: list[dict[str, Any]] = []


def not_a_page() -> Response:
    """There is nothing at this path."""
    return Response(404, _PAGE, b"404 page not found\n")


def _error_output(request: Request) -> Output:
    pretty = None
    if "pretty=" in request.query:
        pretty = read_query(request.query).get("pretty", [None])[0]
    return negotiate_error(
        request.headers.get(b"accept"), pretty=wants_pretty(pretty, request.headers.get(b"user-agent"))
    )


def _in_scope(resource: Resource, intent: Intent) -> bool:
    """Whether a resource is asked for in a namespace if it is in one, or as a whole."""
    scoped = bool(intent.namespace) and not (intent.resource == "namespaces" and intent.name == intent.namespace)
    across = resource.namespaced and not intent.name and (intent.verb in ("list", "watch") or not resource.custom)
    return resource.namespaced == scoped or across


def _subresource(resource: Resource, intent: Intent) -> Subresource | None:
    """The subresource that is asked for; refused if there is none, or not with this verb, or not in this scope."""
    if resource.custom:
        return _custom_subresource(resource, intent)
    if not _in_scope(resource, intent):
        raise unknown_resource()
    if intent.name and (complaints := path_segment(intent.name)):
        raise bad_request(f"Name parameter invalid: {quote(intent.name)}: {'; '.join(complaints)}")
    verbs = resource.verbs
    subresource = None
    if intent.subresource:
        subresource = resource.subresource(intent.subresource)
        if subresource is None:
            raise unknown_resource()
        verbs = subresource.verbs
    if resource.verbs == _REVIEWED and (intent.name or (resource.namespaced and not intent.namespace)):
        raise unknown_resource()
    if intent.verb == "watch" and "watch" not in verbs and "list" in verbs:
        # Who lists is asked to watch, and has a word of his own for it.
        if intent.old_watch:
            raise unknown_resource()
        return subresource
    collective = intent.verb in ("create", "list", "deletecollection")
    if resource.namespaced and not intent.namespace and intent.verb not in ("list", "watch"):
        raise method_not_allowed()
    if intent.verb not in verbs or (subresource is None and intent.verb != "watch" and collective == bool(intent.name)):
        raise method_not_allowed()
    return subresource


def _verb(call: Call, intent: Intent) -> Verb:
    """What answers: a verb of the resource's own, or the one that all have."""
    resource, subresource = call.resource, call.subresource
    if subresource is not None and subresource.scale is not None:
        return SCALE_VERBS[intent.verb]
    place = f"{resource.qualified}/{subresource.name}" if subresource is not None else resource.qualified
    if not resource.custom and (own := find_verb(place, intent.verb)) is not None:
        return own
    if (subresource is not None and subresource.make_strategy is None) or resource.verbs == _REVIEWED:
        raise not_served(place.replace(f".{resource.group}", "", 1))
    return _VERBS[intent.verb]


def _custom_subresource(resource: Resource, intent: Intent) -> Subresource | None:
    """The same for a CRD's: these are routed by no table of paths, so that other things are said of what is wrong."""
    target = Target(resource.group, resource.names.plural, resource.names.kind, intent.name)
    subresource = resource.subresource(intent.subresource) if intent.subresource else None
    if intent.subresource and subresource is None:
        raise not_found(target)
    if intent.verb not in (subresource.verbs if subresource is not None else resource.verbs):
        raise unsupported_verb(target, intent.verb if intent.verb in _VERBS else "")
    # Of a patch it is said later: first it has to be one.
    if intent.verb == "update" and not intent.name:
        raise bad_request("name must be provided")
    return subresource
