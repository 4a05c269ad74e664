"""POST of an Eviction: a pod is deleted if the budgets allow it.

          ended, pending or going already ──────────────────────────────────────────► marked, then deleted
        /
    pod ── no budget, or one that does not mind unhealthy pods ─────────────────────► marked, then deleted
        \\
          one budget ── allows one more: one less from now on ──────────────────────► marked, then deleted
                     └─ does not ──► 429

It is marked with a condition that says why it goes. More than one budget is more than the server can think of.
"""

from dataclasses import replace
from functools import partial
from typing import Any, Final

import msgspec

from kubewright.cluster.admission.lifecycle import admit_content
from kubewright.cluster.call import Call, Document, timestamp
from kubewright.cluster.registry.kinds.pod.conditions import find_condition, set_condition
from kubewright.cluster.registry.rules.matching import read_selector
from kubewright.cluster.verbs.answer import answer_document
from kubewright.cluster.verbs.change import change
from kubewright.cluster.verbs.create import settle_namespace
from kubewright.cluster.verbs.decode import decode_object, read_bytes
from kubewright.cluster.verbs.delete import check_preconditions, delete_object
from kubewright.cluster.verbs.options import DeleteOptions, WriteOptions, read_delete_options, read_write_options
from kubewright.cluster.verbs.track import track
from kubewright.cluster.wire.builtin import builtin_codec
from kubewright.cluster.wire.media import request_media
from kubewright.cluster.wire.status import (
    Failure,
    Target,
    bad_request,
    broken,
    done,
    forbidden,
    invalid,
    not_found,
    over_budget,
)
from kubewright.http import Headers, Request, Response
from kubewright.model.kind import GroupVersionKind
from kubewright.schema.walk.errors import invalid as invalid_field
from kubewright.schema.walk.values import copy

__all__ = ["evict"]

_KIND: Final = GroupVersionKind("policy", "v1", "Eviction")
_EARLIER: Final = b"policy/v1beta1"
#: As whom the server itself writes.
_OURSELVES: Final = Headers([(b"user-agent", b"kube-apiserver/v1")])
_MOST_DISRUPTED: Final = 2000


async def evict(call: Call) -> Response:
    """Evict a pod."""
    media = request_media(call.request.headers.get(b"content-type"))
    body = await read_bytes(call)
    options = read_write_options("create", call.query)
    want = _KIND._replace(version="v1beta1") if _EARLIER in body else _KIND
    eviction = await decode_object(call, builtin_codec(*_KIND), want, body, media, options, custom=False)
    settle_namespace(call, eviction["metadata"])
    admit_content(call, "create", call.name)
    if eviction["metadata"].get("name", "") != call.name:
        raise bad_request("name in URL does not match name in Eviction object")
    asked: Document = eviction.get("deleteOptions") or {}
    option = "ignoreStoreReadErrorWithClusterBreakingPotential"
    if asked.get(option):
        why = "can not be set for pod eviction, try after removing the option"
        error = invalid_field(f"deleteOptions.{option}", True, why)
        raise invalid(Target("policy", "", "Eviction", call.name), [error])
    if options.dry_run:
        if asked.get("dryRun") not in (None, [], ["All"]):
            raise broken(
                f"Non-matching dry-run options in request and content: [All] and [{' '.join(asked['dryRun'])}]"
            )
        asked = {**asked, "dryRun": ["All"]}
    await _evict(call, asked)
    return answer_document(call, done(201), 201)


async def _evict(call: Call, asked: Document) -> None:
    given = (asked.get("preconditions") or {}).get("resourceVersion")
    while True:
        pod = _pod(call)
        version = pod["metadata"]["resourceVersion"]
        phase, going = pod["status"].get("phase"), "deletionTimestamp" in pod["metadata"]
        if not going and phase not in ("Succeeded", "Failed", "Pending"):
            break
        steady = not going and phase == "Pending" and given is None
        try:
            return await _remove(call, asked, version if steady else given)
        except Failure as failure:
            # Somebody wrote in between: look again, unless the client named a version.
            if failure.code != 409 or given is not None or _pod(call)["metadata"]["resourceVersion"] == version:
                raise
    budget = await _consult(call, pod, dry_run=bool(asked.get("dryRun")))
    try:
        await _remove(call, asked, version if budget else given)
    except Failure as failure:
        if failure.code == 409 and budget and given is None:
            raise _unprocessed(budget) from None
        raise


def _pod(call: Call) -> Document:
    record = call.stored()
    if record is None:
        raise not_found(call.target)
    return call.resource.view.document(record)


async def _consult(call: Call, pod: Document, *, dry_run: bool) -> str:
    """Take an eviction from the budget of a pod, if it has one.

    The name of one that lets the pod go because it is not ready, if it still is the same then.
    """
    budgets = _budgets(call, pod)
    if len(budgets) > 1:
        why = "This pod has more than one PodDisruptionBudget, which the eviction subresource does not support."
        raise broken(why)
    if not budgets:
        return ""
    budget = budgets[0]
    name: str = budget["metadata"]["name"]
    if find_condition(pod["status"], "Ready").get("status") != "True":
        status = budget["status"]
        wanted = status.get("desiredHealthy", 0)
        if budget["spec"].get("unhealthyPodEvictionPolicy") == "AlwaysAllow":
            return name
        if status.get("currentHealthy", 0) >= wanted > 0:
            return name
    if dry_run:
        _take(call, budget)
    else:
        await _charge(call, name)
    return ""


def _budgets(call: Call, pod: Document) -> list[Document]:
    resource = call.api.registry.find("policy", "v1", "poddisruptionbudgets")
    assert resource is not None, "budgets are served always"
    labels = pod["metadata"].get("labels") or {}
    found = []
    for record in call.api.store.list(resource.key(call.namespace)).records:
        budget = resource.view.document(record)
        selector = read_selector(budget["spec"].get("selector"))
        if selector is not None and selector.matches(labels):
            found.append(budget)
    return found


async def _charge(call: Call, name: str) -> None:
    """Write into the status of a budget that a pod goes."""
    resource = call.api.registry.find("policy", "v1", "poddisruptionbudgets")
    assert resource is not None, "budgets are served always"
    request = Request("PUT", "/", _OURSELVES)
    part = resource.subresource("status")
    inner = Call(call.api, request, resource, call.namespace, name, part, {}, call.output, call.warnings)

    async def updated(old: Document | None) -> Document:
        if old is None:
            raise not_found(inner.target)
        budget = _take(call, _copied(old))
        await track(inner, old, budget, WriteOptions())
        return budget

    await change(inner, updated, WriteOptions())


def _take(call: Call, budget: Document) -> Document:
    """The budget with one eviction less, changed in place; a refusal if it has none left."""
    meta, status = budget["metadata"], budget["status"]
    allowed = status.get("disruptionsAllowed", 0)
    target = Target("policy", "poddisruptionbudget", "", meta["name"])
    if status.get("observedGeneration", 0) < meta.get("generation", 0):
        raise _unprocessed(meta["name"])
    if allowed < 0:
        raise forbidden(target, "pdb disruptions allowed is negative")
    if len(status.get("disruptedPods") or ()) > _MOST_DISRUPTED:
        why = "DisruptedPods map too big - too many evictions not confirmed by PDB controller"
        raise forbidden(target, why)
    if not allowed:
        raise over_budget(_why(meta["name"], status))
    status["disruptionsAllowed"] = allowed - 1
    if allowed == 1:
        _close(status)
    status["disruptedPods"] = {**(status.get("disruptedPods") or {}), call.name: timestamp()}
    return budget


def _unprocessed(name: str) -> Failure:
    return over_budget(f"The disruption budget {name} is still being processed by the server.", 10)


def _why(name: str, status: Document) -> str:
    """Why a budget allows no eviction."""
    condition = find_condition(status, "DisruptionAllowed")
    told = condition.get("message", "") if condition.get("status") == "False" else ""
    wanted, healthy = status.get("desiredHealthy", 0), status.get("currentHealthy", 0)
    if told and condition["reason"] == "SyncFailed":
        return f"The disruption budget {name} does not allow evicting pods currently because it failed sync: {told}"
    if healthy <= wanted:
        return f"The disruption budget {name} needs {wanted} healthy pods and has {healthy} currently"
    if told:
        return f"The disruption budget {name} does not allow evicting pods currently ({condition['reason']}): {told}"
    return f"The disruption budget {name} does not allow evicting pods currently"


def _close(status: Document) -> None:
    """Say in the status of a budget that it allows no more."""
    conditions: list[dict[str, Any]] = [*(status.get("conditions") or ())]
    old = find_condition(status, "DisruptionAllowed")
    since = old["lastTransitionTime"] if old.get("status") == "False" else timestamp()
    new = {"type": "DisruptionAllowed", "status": "False", "lastTransitionTime": since}
    new |= {"reason": "InsufficientPods", "message": ""}
    if observed := status.get("observedGeneration"):
        new["observedGeneration"] = observed
    status["conditions"] = [new if each is old else each for each in conditions] if old else [*conditions, new]


async def _remove(call: Call, asked: Document, version: str | None) -> None:
    """Say in a pod why it goes, and delete it, if it is of that version."""
    conditions = {**(asked.get("preconditions") or {})}
    if version is not None:
        conditions["resourceVersion"] = version
    if not asked.get("dryRun"):
        wanted = DeleteOptions(uid=conditions.get("uid"), resource_version=conditions.get("resourceVersion"))
        status = call.resource.subresource("status")
        inner = replace(call, subresource=status)
        changed = await change(inner, partial(_marked, call, wanted), WriteOptions())
        if "resourceVersion" in conditions:
            conditions["resourceVersion"] = msgspec.json.decode(changed.data)["metadata"]["resourceVersion"]
    options = read_delete_options({}, {**asked, "preconditions": conditions})
    await delete_object(call, options)


async def _marked(call: Call, wanted: DeleteOptions, old: Document | None) -> Document:
    if old is None:
        raise not_found(call.target)
    check_preconditions(call, old["metadata"], wanted)
    pod = _copied(old)
    set_condition(pod["status"], "DisruptionTarget", "True", "EvictionByEvictionAPI", "Eviction API: evicting")
    return pod


def _copied(obj: Document) -> Document:
    return {name: copy(value) for name, value in obj.items()}
