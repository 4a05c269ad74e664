"""POST of a TokenRequest to `serviceaccounts/<name>/token`: a token of the account, bound to an object if wanted."""

from datetime import timedelta
from typing import Any, Final

from kubewright import clock
from kubewright.cluster.admission.lifecycle import admit_content
from kubewright.cluster.auth.accounts import Bound
from kubewright.cluster.auth.token import AUDIENCES
from kubewright.cluster.call import Call, Document, timestamp
from kubewright.cluster.registry.tracking import part_tracking
from kubewright.cluster.verbs.answer import answer_data
from kubewright.cluster.verbs.create import settle_namespace
from kubewright.cluster.verbs.decode import decode_object, read_bytes
from kubewright.cluster.verbs.options import read_write_options
from kubewright.cluster.verbs.track import field_manager
from kubewright.cluster.wire.builtin import builtin_codec
from kubewright.cluster.wire.media import request_media
from kubewright.cluster.wire.status import Failure, Target, bad_request, conflict, invalid, not_found
from kubewright.http import Response
from kubewright.model.kind import GroupVersionKind
from kubewright.schema.walk.errors import FieldError
from kubewright.schema.walk.errors import invalid as invalid_field
from kubewright.schema.walk.golang import quote

__all__ = ["create_token"]

_KIND: Final = GroupVersionKind("authentication.k8s.io", "v1", "TokenRequest")
_HOUR: Final = 3600
_SHORTEST: Final = 600
_LONGEST: Final = 2**32
#: A token for a pod that asks for this long is good for a year, and says from when on it should not be used any more:
#: old clients read theirs but once.
_EXTENDED: Final = 3607
_YEAR: Final = 365 * 24 * 3600


async def create_token(call: Call) -> Response:
    """Give a token."""
    media = request_media(call.request.headers.get(b"content-type"))
    body = await read_bytes(call)
    options = read_write_options("create", call.query)
    asked = await decode_object(call, builtin_codec(*_KIND), _KIND, body, media, options, custom=False)
    meta, spec = asked["metadata"], asked["spec"]
    if spec.get("expirationSeconds") is None:
        spec["expirationSeconds"] = _HOUR
    settle_namespace(call, meta)
    part_tracking(_KIND, "token").track(None, asked, field_manager(call, options), timestamp())
    admit_content(call, "create", call.name)
    if meta.get("name", call.name) != call.name:
        why = "must match the service account name if specified"
        raise _invalid(call.name, [invalid_field("metadata.name", meta["name"], why)])
    account = _find(call, "serviceaccounts", call.namespace, call.name)
    _settle(asked, account)
    errors = _check(spec["expirationSeconds"])
    if errors:
        raise _invalid("", errors)
    bound = _bind(call, spec["boundObjectRef"]) if spec.get("boundObjectRef") is not None else {}
    seconds, warn_after = spec["expirationSeconds"], 0
    if "pod" in bound and seconds == _EXTENDED and set(spec["audiences"]) <= set(AUDIENCES):
        seconds, warn_after = _YEAR, seconds
    access = call.api.access
    assert access is not None, "who asks for a token was let in"
    own = Bound(call.name, account["metadata"]["uid"])
    identifier = call.api.chance.uid()
    token = access.accounts.issue(call.namespace, own, spec["audiences"], seconds, identifier, bound, warn_after)
    end = clock.now() + timedelta(seconds=spec["expirationSeconds"])
    asked["status"] = {"token": token, "expirationTimestamp": end.strftime("%Y-%m-%dT%H:%M:%SZ")}
    return await answer_data(call, builtin_codec(*_KIND).write(asked), 201)


def _settle(asked: Document, account: Document) -> None:
    """Fill in what the client left to the server."""
    meta, spec, own = asked["metadata"], asked["spec"], account["metadata"]
    if meta.get("uid", own["uid"]) != own["uid"]:
        why = (
            f"the UID in the token request ({meta['uid']}) does not match the UID of the service account ({own['uid']})"
        )
        raise conflict(Target(_KIND.group, _KIND.kind, "", own["name"]), why)
    meta |= {"name": own["name"], "uid": own["uid"], "creationTimestamp": timestamp()}
    spec["audiences"] = spec.get("audiences") or [*AUDIENCES]


def _check(seconds: int) -> list[FieldError]:
    path = "spec.expirationSeconds"
    if seconds < _SHORTEST:
        return [invalid_field(path, seconds, "may not specify a duration less than 10 minutes")]
    if seconds > _LONGEST:
        return [invalid_field(path, seconds, "may not specify a duration larger than 2^32 seconds")]
    return []


def _bind(call: Call, ref: dict[str, Any]) -> dict[str, Bound]:
    """The objects with which a token ends, by what it calls them."""
    group, _, version = ref.get("apiVersion", "").rpartition("/")
    kind, name = ref.get("kind", ""), ref.get("name", "")
    if group or kind not in ("Pod", "Node", "Secret"):
        raise bad_request(f"cannot bind token to object of type {group}/{version}, Kind={kind}")
    namespace = "" if kind == "Node" else call.namespace
    found = _find(call, f"{kind.lower()}s", namespace, name)
    if kind == "Pod" and found["spec"].get("serviceAccountName", "") != call.name:
        why = "to pod running with different serviceaccount name."
        raise bad_request(f"cannot bind token for serviceaccount {quote(call.name)} {why}")
    uid = found["metadata"]["uid"]
    if ref.get("uid", uid) != uid:
        why = f"the UID in the bound object reference ({ref['uid']}) does not match the UID in record."
        raise conflict(Target("", kind, "", name), f"{why} The object might have been deleted and then recreated")
    bound = {kind.lower(): Bound(name, uid)}
    if kind == "Pod" and (node := found["spec"].get("nodeName")):
        try:
            bound["node"] = Bound(node, _find(call, "nodes", "", node)["metadata"]["uid"])
        except Failure:  # the node is gone; its name is told all the same
            bound["node"] = Bound(node, "")
    return bound


def _find(call: Call, plural: str, namespace: str, name: str) -> Document:
    resource = call.api.registry.find("", "v1", plural)
    assert resource is not None, "these are always served"
    record = call.api.store.get(resource.key(namespace, name))
    if record is None:
        raise not_found(Target("", plural, resource.names.kind, name))
    return resource.view.document(record)


def _invalid(name: str, errors: list[FieldError]) -> Failure:
    return invalid(Target(_KIND.group, "", _KIND.kind, name), errors)
