"""POST of a TokenReview or a SelfSubjectReview: whose is this token, and who am I. Nothing is kept of either."""

from typing import Any

from kubewright.cluster.auth.token import AUDIENCES, BadToken
from kubewright.cluster.auth.user import user_info
from kubewright.cluster.call import Call, timestamp
from kubewright.cluster.verbs.answer import answer_data
from kubewright.cluster.verbs.create import settle_namespace, wipe
from kubewright.cluster.verbs.decode import read_object
from kubewright.cluster.verbs.track import track
from kubewright.cluster.wire.status import bad_request
from kubewright.http import Response

__all__ = ["review_self", "review_token"]


async def review_self(call: Call) -> Response:
    """Who asks."""
    obj, _ = await read_object(call, "create")
    made = {
        "kind": obj["kind"],
        "apiVersion": obj["apiVersion"],
        "metadata": {"creationTimestamp": timestamp()},
        "status": {"userInfo": user_info(call.user)},
    }
    return await answer_data(call, call.resource.codec.write(made), 201)


async def review_token(call: Call) -> Response:
    """Whose a token is, and whether it is good for somebody."""
    obj, options = await read_object(call, "create")
    wipe(obj["metadata"])
    settle_namespace(call, obj["metadata"])
    await track(call, None, obj, options)
    spec = obj["spec"]
    if not spec.get("token"):
        raise bad_request("token is required for TokenReview in authentication")
    access = call.api.access
    assert access is not None, "who asks was let in"
    wanted = spec.get("audiences") or AUDIENCES
    status: dict[str, Any] = {"user": {}}
    try:
        user, audiences = access.authenticator.review(spec["token"], wanted)
        status = {"authenticated": True, "user": user_info(user), "audiences": [*audiences]}
    except BadToken as error:
        status["error"] = str(error)
    return await answer_data(call, call.resource.codec.write(obj | {"status": status}), 201)
