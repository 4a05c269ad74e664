"""POST of a review: may I, may he, may he there, and what may I at all. Nothing is kept of any."""

from collections.abc import Callable, Iterator
from typing import Any, Final

from kubewright.cluster.auth.intent import Intent
from kubewright.cluster.auth.user import User
from kubewright.cluster.call import Call, Document
from kubewright.cluster.registry.rules.labels import check_key, check_value
from kubewright.cluster.verbs.answer import answer_data
from kubewright.cluster.verbs.create import settle_namespace, wipe
from kubewright.cluster.verbs.decode import read_object
from kubewright.cluster.verbs.track import track
from kubewright.cluster.wire.status import Target, bad_request, invalid
from kubewright.http import Response
from kubewright.model.selectors import FieldSelector, LabelSelector, SelectorError
from kubewright.schema.walk.errors import INVALID, FieldError, forbidden, required
from kubewright.schema.walk.errors import invalid as invalid_field
from kubewright.schema.walk.golang import marshal

__all__ = ["review_access", "review_local_access", "review_own_access", "review_own_rules"]

_RESOURCE: Final = "spec.resourceAttributes"
_PATH: Final = "spec.nonResourceAttributes"


async def review_own_access(call: Call) -> Response:
    """May I."""
    obj = await _read(call)
    _judge(call, [*_check_spec(obj["spec"]), *_check_meta(obj["metadata"])])
    return await _decide(call, obj, call.user)


async def review_access(call: Call) -> Response:
    """May he."""
    obj = await _read(call)
    _judge(call, [*_check_subject(obj["spec"]), *_check_meta(obj["metadata"])])
    return await _decide(call, obj, _subject(obj["spec"]))


async def review_local_access(call: Call) -> Response:
    """May he in this namespace."""
    obj = await _read(call)
    spec, meta = obj["spec"], obj["metadata"]
    errors = [*_check_subject(spec), *_check_meta(meta, but="namespace")]
    asked = spec.get("resourceAttributes")
    if asked is not None and asked.get("namespace", "") != meta["namespace"]:
        errors.append(
            invalid_field(f"{_RESOURCE}.namespace", asked.get("namespace", ""), "must match metadata.namespace")
        )
    if spec.get("nonResourceAttributes") is not None:
        errors.append(_about_path(spec, "disallowed on this kind of request"))
    _judge(call, errors)
    return await _decide(call, obj, _subject(spec))


async def review_own_rules(call: Call) -> Response:
    """What may I."""
    obj, _ = await read_object(call, "create")
    settle_namespace(call, obj["metadata"])
    namespace = obj["spec"].get("namespace", "")
    if not namespace:
        raise bad_request("no namespace on request")
    access = call.api.access
    assert access is not None, "who asks was let in"
    rules, error = access.authorizer.rules(call.user, namespace)
    on_resources = [
        _without_empty(
            {
                "verbs": rule.verbs,
                "apiGroups": rule.groups,
                "resources": rule.resources,
                "resourceNames": rule.names,
            }
        )
        for rule in rules
        if rule.resources
    ]
    on_paths = [{"verbs": [*rule.verbs], "nonResourceURLs": [*rule.paths]} for rule in rules if rule.paths]
    status: Document = {"resourceRules": on_resources, "nonResourceRules": on_paths, "incomplete": False}
    status |= {"evaluationError": error} if error else {}
    made = {"kind": obj["kind"], "apiVersion": obj["apiVersion"], "metadata": {}, "spec": {}, "status": status}
    return await answer_data(call, call.resource.codec.write(made), 201)


def _without_empty(texts: dict[str, tuple[str, ...]]) -> Document:
    return {name: [*values] for name, values in texts.items() if values}


async def _read(call: Call) -> Document:
    obj, options = await read_object(call, "create")
    wipe(obj["metadata"])
    settle_namespace(call, obj["metadata"])
    await track(call, None, obj, options)
    return obj


def _judge(call: Call, errors: list[FieldError]) -> None:
    if errors:
        raise invalid(Target(call.resource.group, "", ""), errors)


def _subject(spec: Document) -> User:
    extra = tuple((key, tuple(values or ())) for key, values in sorted((spec.get("extra") or {}).items()))
    return User(spec.get("user", ""), tuple(spec.get("groups") or ()), spec.get("uid", ""), extra)


async def _decide(call: Call, obj: Document, user: User) -> Response:
    access = call.api.access
    assert access is not None, "who asks was let in"
    asked = obj["spec"].get("resourceAttributes")
    ignored: list[str] = []
    if asked is not None:
        intent = Intent(
            asked.get("verb", ""),
            "",
            True,
            asked.get("group", ""),
            asked.get("version", ""),
            asked.get("namespace", ""),
            asked.get("resource", ""),
            asked.get("subresource", ""),
            asked.get("name", ""),
        )
        ignored = [*_ignored(asked)]
    else:
        path = obj["spec"]["nonResourceAttributes"]
        intent = Intent(path.get("verb", ""), path.get("path", ""))
    decision = access.authorizer.decide(user, intent)
    status: Document = {"allowed": decision.allowed}
    status |= {"reason": decision.reason} if decision.reason else {}
    status |= {"evaluationError": "; ".join(ignored)} if ignored else {}
    return await answer_data(call, call.resource.codec.write(obj | {"status": status}), 201)


# -- what is wrong with a review


def _check_subject(spec: Document) -> Iterator[FieldError]:
    yield from _check_either(spec)
    if not spec.get("user") and not spec.get("groups"):
        yield invalid_field("spec.user", spec.get("user", ""), "at least one of user or group must be specified")
    yield from _check_selectors(spec)


def _check_spec(spec: Document) -> Iterator[FieldError]:
    yield from _check_either(spec)
    yield from _check_selectors(spec)


def _check_either(spec: Document) -> Iterator[FieldError]:
    asked, path = spec.get("resourceAttributes"), spec.get("nonResourceAttributes")
    if asked is not None and path is not None:
        yield _about_path(spec, "cannot be specified in combination with resourceAttributes")
    if asked is None and path is None:
        why = "exactly one of nonResourceAttributes or resourceAttributes must be specified"
        yield invalid_field(_RESOURCE, None, why)


def _about_path(spec: Document, why: str) -> FieldError:
    """A complaint about a path, which is shown as the server holds it."""
    path = spec["nonResourceAttributes"]
    return invalid_field(_PATH, {"Path": path.get("path", ""), "Verb": path.get("verb", "")}, why)


def _check_meta(meta: Document, but: str = "") -> Iterator[FieldError]:
    """There is nothing to say of an object that nobody keeps."""
    if any(value and name not in ("managedFields", but) for name, value in meta.items()):
        why = "must be empty except for namespace" if but else "must be empty"
        yield FieldError(INVALID, "metadata", f"Invalid value: {marshal(meta, sort=False)}: {why}")


def _check_selectors(spec: Document) -> Iterator[FieldError]:
    asked = spec.get("resourceAttributes") or {}
    for name, check in (("fieldSelector", _check_field), ("labelSelector", _check_label)):
        selector, path = asked.get(name), f"{_RESOURCE}.{name}"
        if selector is None:
            continue
        raw, requirements = selector.get("rawSelector"), selector.get("requirements") or ()
        if raw and requirements:
            yield invalid_field(f"{path}.rawSelector", raw, "may not specified at the same time as requirements")
        if not raw and not requirements:
            why = f"when {path} is specified, requirements or rawSelector is required"
            yield required(f"{path}.requirements", why)
        for index, each in enumerate(requirements):
            yield from check(each, f"{path}.requirements[{index}]")


def _check_field(each: Document, path: str) -> Iterator[FieldError]:
    if not each.get("key"):
        yield required(f"{path}.key", "must be specified")
    yield from _check_values(each, path)


def _check_label(each: Document, path: str) -> Iterator[FieldError]:
    yield from _check_values(each, path)
    yield from check_key(each.get("key", ""), f"{path}.key")
    for index, value in enumerate(each.get("values") or ()):
        yield from check_value(value, f"{path}.values[{index}]")


def _check_values(each: Document, path: str) -> Iterator[FieldError]:
    """An operator that nobody knows may be one of the future: it is ignored, not refused."""
    operator, values = each.get("operator", ""), each.get("values")
    if operator in ("In", "NotIn") and not values:
        yield required(f"{path}.values", "must be specified when `operator` is 'In' or 'NotIn'")
    if operator in ("Exists", "DoesNotExist") and values:
        yield forbidden(f"{path}.values", "may not be specified when `operator` is 'Exists' or 'DoesNotExist'")


def _ignored(asked: Document) -> Iterator[str]:
    """Which selectors are not understood. Roles know nothing of selectors, so that nothing else comes of them."""
    fields: tuple[str, ...] = ("In", "NotIn")
    parsers: dict[str, tuple[Callable[[str], Any], tuple[str, ...], int]] = {
        "fieldSelector": (FieldSelector.parse, fields, 1),
        "labelSelector": (LabelSelector.parse, (*fields, "Exists", "DoesNotExist"), 2**31),
    }
    for name, (parse, operators, most) in parsers.items():
        selector = asked.get(name) or {}
        understood, requirements = 0, selector.get("requirements") or ()
        if raw := selector.get("rawSelector"):
            requirements = (raw,)
            try:
                parse(raw)
                understood = 1
            except SelectorError:
                pass
        else:
            understood = sum(
                each["operator"] in operators and len(each.get("values") or ()) <= most for each in requirements
            )
        if understood < len(requirements):
            yield f"{_RESOURCE}.{name} {'partially ' if understood else ''}ignored due to parse error"
