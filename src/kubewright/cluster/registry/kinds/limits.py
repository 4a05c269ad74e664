"""LimitRanges: how much one pod, container or claim may have, and what it has if it does not say."""

from collections.abc import Iterator
from math import inf, nan
from typing import Any, Final

from kubewright.cluster.registry.kinds.plain import PlainStrategy
from kubewright.cluster.registry.kinds.pod.amounts import is_overcommitted
from kubewright.cluster.registry.kinds.pod.defaults import default_resource_list
from kubewright.cluster.registry.kinds.pod.resources import check_container_name, check_resource_name
from kubewright.cluster.registry.rules.quantities import milli, quantity, whole
from kubewright.model.quantity import Quantity
from kubewright.schema.walk.errors import FieldError, duplicate, forbidden, invalid, required
from kubewright.schema.walk.names import label_key

__all__ = ["LimitRangeStrategy"]

Document = dict[str, Any]
Amounts = dict[str, str]

_TYPES: Final = ("Pod", "Container", "PersistentVolumeClaim")
_BOUNDS: Final = ("max", "min")
_DEFAULTS: Final = ("default", "defaultRequest")
_RATIO: Final = "maxLimitRequestRatio"
#: From here on milli-units do not fit 64 bits.
_LARGEST: Final = (2**63 - 1) // 1000


class LimitRangeStrategy(PlainStrategy):
    """What is particular to LimitRanges."""

    def default(self, obj: Document) -> None:
        for limit in obj["spec"]["limits"] or ():
            if limit["type"] == "Container":
                _default(limit)
            for name in (*_BOUNDS, *_DEFAULTS, _RATIO):
                default_resource_list(limit.get(name))

    def prepare_create(self, obj: Document) -> None:
        super().prepare_create(obj)
        meta = obj["metadata"]
        if not meta.get("name"):  # it gets a random one: as random as its uid, and another
            meta["name"] = meta["uid"][:-12] + f"{int(meta['uid'][-12:], 16) ^ 0xFFFFFFFFFFFF:012x}"

    def check(self, obj: Document) -> list[FieldError]:
        return [*_check(obj["spec"]["limits"] or [])]

    def validate_update(self, obj: Document, old: Document) -> list[FieldError]:
        return self.validate(obj)


def _default(limit: Document) -> None:
    """The limit is the largest that may be; what is asked for is the limit, or the least that may be."""
    most, least = limit.get("max") or {}, limit.get("min") or {}
    limits = most | (limit.get("default") or {})
    requests = least | limits | (limit.get("defaultRequest") or {})
    for name, amounts in (("default", limits), ("defaultRequest", requests)):
        if amounts:
            limit[name] = dict(sorted(amounts.items()))


def _check(limits: list[Document]) -> Iterator[FieldError]:
    seen: set[str] = set()
    for index, limit in enumerate(limits):
        path, kind = f"spec.limits[{index}]", limit["type"]
        yield from _check_type(kind, f"{path}.type")
        if kind in seen:
            yield duplicate(f"{path}.type", kind)
        seen.add(kind)
        yield from _check_names(limit, path)
        yield from _check_amounts(limit, path)


def _check_type(kind: str, path: str) -> Iterator[FieldError]:
    if complaints := label_key(kind):
        yield from (invalid(path, kind, complaint) for complaint in complaints)
    elif "/" not in kind and kind not in _TYPES:
        yield invalid(path, kind, "must be a standard limit type or fully qualified")


def _check_names(limit: Document, path: str) -> Iterator[FieldError]:
    kind = limit["type"]
    check = check_container_name if kind in ("Pod", "Container") else check_resource_name
    for part in (*_BOUNDS, *_DEFAULTS):
        if kind == "Pod" and part in _DEFAULTS:
            if limit.get(part):
                yield forbidden(f"{path}.{part}", "may not be specified when `type` is 'Pod'")
        else:
            for name in sorted(limit.get(part) or ()):
                yield from check(name, f"{path}.{part}[{name}]")
    if kind == "PersistentVolumeClaim" and not any("storage" in (limit.get(part) or ()) for part in _BOUNDS):
        why = "either minimum or maximum storage value is required, but neither was provided"
        yield required(f"{path}.limits", why)
    for name in sorted(limit.get(_RATIO) or ()):
        yield from check(name, f"{path}.{_RATIO}[{name}]")


def _check_amounts(limit: Document, path: str) -> Iterator[FieldError]:
    parts = {part: limit.get(part) or {} for part in (*_BOUNDS, *_DEFAULTS, _RATIO)}
    if limit["type"] == "Pod":
        parts |= {part: {} for part in _DEFAULTS}
    for name in sorted({name for part in parts.values() for name in part}):
        yield from _check_amount(name, {part: amounts.get(name) for part, amounts in parts.items()}, path)


def _check_amount(name: str, amounts: dict[str, str | None], path: str) -> Iterator[FieldError]:
    """What is wrong with the amounts of one resource, as they go together."""
    least, most, ratio = amounts["min"], amounts["max"], amounts[_RATIO]
    limit, request = amounts["default"], amounts["defaultRequest"]
    #: What may not be more than what, how both are called, of which it is told and which is shown.
    for low, high, low_name, high_name, part, shown in (
        (least, most, "min", "max", "min", least),
        (least, request, "min", "default request", "defaultRequest", request),
        (request, most, "default request", "max", "defaultRequest", request),
        (request, limit, "default request", "default limit", "defaultRequest", request),
        (least, limit, "min", "default", "default", least),
        (limit, most, "default", "max", "default", most),
    ):
        if low is not None and high is not None and quantity(low) > quantity(high):
            why = f"{low_name} value {low} is greater than {high_name} value {high}"
            yield invalid(f"{path}.{part}[{name}]", shown, why)
    if ratio is not None:
        yield from _check_ratio(ratio, least, most, f"{path}.{_RATIO}[{name}]")
    if not is_overcommitted(name) and limit and request and quantity(limit) != quantity(request):
        why = f"default value {limit} must equal to defaultRequest value {request} in {name}"
        yield invalid(f"{path}.defaultRequest[{name}]", request, why)


def _check_ratio(ratio: str, least: str | None, most: str | None, path: str) -> Iterator[FieldError]:
    if quantity(ratio) < 1:
        yield invalid(path, ratio, f"ratio {ratio} is less than 1")
    if least is not None and most is not None:
        bound = _quotient(quantity(ratio), quantity(most), quantity(least))
        if _exact(quantity(ratio), quantity(most), quantity(least)) > bound:
            yield invalid(path, ratio, f"ratio {ratio} is greater than max/min = {bound:f}")


def _fine(*amounts: Quantity) -> bool:
    return all(whole(amount) < _LARGEST for amount in amounts)


def _exact(ratio: Quantity, most: Quantity, least: Quantity) -> float:
    return milli(ratio) / 1000 if _fine(ratio, most, least) else float(whole(ratio))


def _quotient(ratio: Quantity, most: Quantity, least: Quantity) -> float:
    """How many times the least goes into the most, as floating-point numbers have it."""
    high, low = (milli(most), milli(least)) if _fine(ratio, most, least) else (whole(most), whole(least))
    if low == 0:
        return nan if high == 0 else inf if high > 0 else -inf
    return float(high) / float(low)
