"""`autoscaling/v1` knows one metric, the processor's use; what else `v2` has stands in annotations there, as JSON.

    to_stored(obj) -> Document        # of v1, as v2 has it
    from_stored(obj) -> Document

An annotation that cannot be read is dropped without a word. The metrics in it are those of `v1`, with fields of their
own; how an autoscaler behaves is written with the names of Go, for nobody gave that part of the inner type any others.
"""

from collections.abc import Callable
from typing import Any, Final

import msgspec

from kubewright.cluster.registry.rules.inner import inner_text
from kubewright.cluster.wire.codec import Undecodable
from kubewright.cluster.wire.findings import Findings
from kubewright.cluster.wire.literal import Literal
from kubewright.cluster.wire.reading import readers
from kubewright.cluster.wire.types import table
from kubewright.cluster.wire.writing import encode, writers
from kubewright.model.quantity import Quantity

__all__ = ["DEFAULT_METRIC", "from_stored", "to_stored"]

Document = dict[str, Any]

_PREFIX: Final = "autoscaling.alpha.kubernetes.io/"
_METRICS, _CURRENT = f"{_PREFIX}metrics", f"{_PREFIX}current-metrics"
_CONDITIONS, _BEHAVIOR = f"{_PREFIX}conditions", f"{_PREFIX}behavior"
#: All that conversion writes, or once wrote.
_OURS: Final = frozenset(
    {_METRICS, _CURRENT, _CONDITIONS, _BEHAVIOR, f"{_PREFIX}scale-down-tolerance", f"{_PREFIX}scale-up-tolerance"}
)
_BEHAVIOR_TYPE: Final = "autoscaling/v2.HorizontalPodAutoscalerBehavior"
_PERCENT: Final = "averageUtilization"

_decode: Final = msgspec.json.Decoder(float_hook=Literal).decode


def _cpu(percent: int) -> Document:
    return {"type": "Resource", "resource": {"name": "cpu", "target": {"type": "Utilization", _PERCENT: percent}}}


#: What an autoscaler goes by that does not say.
DEFAULT_METRIC: Final = _cpu(80)


def to_stored(obj: Document) -> Document:
    """An autoscaler of v1 as v2 has it."""
    spec, status = {**obj["spec"]}, {**(obj.get("status") or {})}
    told = obj["metadata"].get("annotations") or {}
    percent = spec.pop("targetCPUUtilizationPercentage", None)
    metrics = [_source(each) for each in _read(told, _METRICS, "[]autoscaling/v1.MetricSpec") or ()]
    metrics += [] if percent is None else [_cpu(percent)]
    spec["metrics"] = metrics or [_cpu(80)]
    if behavior := _read(told, _BEHAVIOR, _BEHAVIOR_TYPE, _small):
        spec["behavior"] = behavior
    used = status.pop("currentCPUUtilizationPercentage", None)
    if used is not None:
        status["currentMetrics"] = [{"type": "Resource", "resource": {"name": "cpu", "current": {_PERCENT: used}}}]
    if (current := _read(told, _CURRENT, "[]autoscaling/v1.MetricStatus")) is not None:
        status["currentMetrics"] = [_measured(each) for each in current]
    if conditions := _read(told, _CONDITIONS, "[]autoscaling/v1.HorizontalPodAutoscalerCondition"):
        status["conditions"] = conditions
    meta = _annotated(obj["metadata"], {})
    return obj | {"apiVersion": "autoscaling/v2", "metadata": meta, "spec": spec, "status": status}


def from_stored(obj: Document) -> Document:
    """An autoscaler of v2 as v1 has it."""
    spec, status = {**obj["spec"]}, {**(obj.get("status") or {})}
    metrics, current = spec.pop("metrics", None) or [], status.pop("currentMetrics", None) or []
    conditions, behavior = status.pop("conditions", None) or [], spec.pop("behavior", None)
    percents = [each["resource"]["target"][_PERCENT] for each in metrics if _is_percent(each)]
    if percents:
        spec["targetCPUUtilizationPercentage"] = percents[0]
    others = [_source_of_v1(each) for each in metrics if not _is_percent(each)]
    for each in current:
        resource = each.get("resource") or {}
        if each.get("type") == "Resource" and resource.get("name") == "cpu" and _PERCENT in resource["current"]:
            status["currentCPUUtilizationPercentage"] = resource["current"][_PERCENT]
    said = {}
    if others:
        said[_METRICS] = _written(others, "[]autoscaling/v1.MetricSpec")
    if current:
        said[_CURRENT] = _written([_measured_of_v1(each) for each in current], "[]autoscaling/v1.MetricStatus")
    if behavior is not None:
        said[_BEHAVIOR] = inner_text(behavior, _BEHAVIOR_TYPE)
    if conditions:
        said[_CONDITIONS] = _written(conditions, "[]autoscaling/v1.HorizontalPodAutoscalerCondition")
    meta = _annotated(obj["metadata"], said)
    return obj | {"apiVersion": "autoscaling/v1", "metadata": meta, "spec": spec, "status": status}


def _is_percent(metric: Document) -> bool:
    resource = metric.get("resource")
    return (
        metric.get("type") == "Resource"
        and resource is not None
        and resource.get("name") == "cpu"
        and resource["target"].get(_PERCENT) is not None
    )


def _annotated(meta: Document, said: dict[str, str]) -> Document:
    """Metadata with what conversion has to say, and nothing of what it said before."""
    before = meta.get("annotations") or {}
    kept = {name: text for name, text in before.items() if name not in _OURS} | said
    if kept == before:
        return meta
    rest = {name: value for name, value in meta.items() if name != "annotations"}
    return rest | {"annotations": kept} if kept else rest


def _read(told: dict[str, str], name: str, kind: str, adapt: Callable[[Any], Any] | None = None) -> Any:
    """What an annotation says; None if it is not there, or not what it should be."""
    if name not in told:
        return None
    found = Findings()
    try:
        value = _decode(told[name].encode())
        value = adapt(value) if adapt is not None else value
        made = readers().of(table().type(kind)).read(value, None, found)
    except (msgspec.DecodeError, UnicodeEncodeError, RecursionError, Undecodable):
        return None
    return None if found.error is not None else made


def _written(value: Any, kind: str) -> str:
    arrange = writers(keep_empty=True).of(table().type(kind))
    assert arrange is not None, "these are lists of structs"
    return encode(arrange(value)).decode()


def _small(value: Any) -> Any:
    """Names of Go as JSON has them."""
    if isinstance(value, dict):
        return {name[:1].lower() + name[1:]: _small(part) for name, part in value.items()}
    return [_small(part) for part in value] if isinstance(value, list) else value


def _some(**members: Any) -> Document:
    return {name: value for name, value in members.items() if value is not None}


def _source(metric: Document) -> Document:
    """A metric of v1 as v2 has it."""
    made: Document = {"type": metric["type"]}
    if (each := metric.get("object")) is not None:
        average, value = each.get("averageValue"), each["targetValue"]
        # v1 cannot leave the value out; beside an average, zero means that there is none.
        value = value if average is None or Quantity(value) != Quantity("0") else None
        target = _some(type="Value" if average is None else "AverageValue", value=value, averageValue=average)
        made["object"] = {"describedObject": each["target"], "target": target, "metric": _metric(each)}
    if (each := metric.get("pods")) is not None:
        target = {"type": "AverageValue", "averageValue": each["targetAverageValue"]}
        made["pods"] = {"metric": _metric(each), "target": target}
    for name in ("resource", "containerResource"):
        if (each := metric.get(name)) is not None:
            percent, average = each.get("targetAverageUtilization"), each.get("targetAverageValue")
            kind = "AverageValue" if percent is None else "Utilization"
            target = _some(type=kind, averageValue=average, averageUtilization=percent)
            made[name] = _some(name=each["name"], target=target, container=each.get("container"))
    if (each := metric.get("external")) is not None:
        value, average = each.get("targetValue"), each.get("targetAverageValue")
        target = _some(type="AverageValue" if value is None else "Value", value=value, averageValue=average)
        made["external"] = {"metric": _metric(each, "metricSelector"), "target": target}
    return made


def _source_of_v1(metric: Document) -> Document:
    """The way back."""
    made: Document = {"type": metric["type"]}
    if (each := metric.get("object")) is not None:
        target = each["target"]
        named = _named(each["metric"])
        value = target.get("value", "0")
        made["object"] = named | _some(
            target=each["describedObject"], targetValue=value, averageValue=target.get("averageValue")
        )
    if (each := metric.get("pods")) is not None:
        made["pods"] = _named(each["metric"]) | {"targetAverageValue": each["target"].get("averageValue", "0")}
    for name in ("resource", "containerResource"):
        if (each := metric.get(name)) is not None:
            target = each["target"]
            made[name] = _some(
                name=each["name"],
                targetAverageUtilization=target.get(_PERCENT),
                targetAverageValue=target.get("averageValue"),
                container=each.get("container"),
            )
    if (each := metric.get("external")) is not None:
        target = each["target"]
        made["external"] = _named(each["metric"], "metricSelector") | _some(
            targetValue=target.get("value"), targetAverageValue=target.get("averageValue")
        )
    return made


def _measured(metric: Document) -> Document:
    """What was measured, told by v1, as v2 has it."""
    made: Document = {"type": metric["type"]}
    if (each := metric.get("object")) is not None:
        current = _some(value=each["currentValue"], averageValue=each.get("averageValue"))
        made["object"] = {"describedObject": each["target"], "current": current, "metric": _metric(each)}
    if (each := metric.get("pods")) is not None:
        made["pods"] = {"metric": _metric(each), "current": {"averageValue": each["currentAverageValue"]}}
    for name in ("resource", "containerResource"):
        if (each := metric.get(name)) is not None:
            current = _some(
                averageValue=each["currentAverageValue"], averageUtilization=each.get("currentAverageUtilization")
            )
            made[name] = _some(name=each["name"], current=current, container=each.get("container"))
    if (each := metric.get("external")) is not None:
        current = _some(value=each["currentValue"], averageValue=each.get("currentAverageValue"))
        made["external"] = {"metric": _metric(each, "metricSelector"), "current": current}
    return made


def _measured_of_v1(metric: Document) -> Document:
    """The way back."""
    made: Document = {"type": metric["type"]}
    if (each := metric.get("object")) is not None:
        current = each["current"]
        made["object"] = _named(each["metric"]) | _some(
            target=each["describedObject"],
            currentValue=current.get("value", "0"),
            averageValue=current.get("averageValue"),
        )
    if (each := metric.get("pods")) is not None:
        made["pods"] = _named(each["metric"]) | {"currentAverageValue": each["current"].get("averageValue", "0")}
    for name in ("resource", "containerResource"):
        if (each := metric.get(name)) is not None:
            current = each["current"]
            made[name] = _some(
                name=each["name"],
                currentAverageUtilization=current.get(_PERCENT),
                currentAverageValue=current.get("averageValue", "0"),
                container=each.get("container"),
            )
    if (each := metric.get("external")) is not None:
        current = each["current"]
        made["external"] = _named(each["metric"], "metricSelector") | _some(
            currentValue=current.get("value", "0"), currentAverageValue=current.get("averageValue")
        )
    return made


def _metric(each: Document, selector: str = "selector") -> Document:
    return _some(name=each["metricName"], selector=each.get(selector))


def _named(metric: Document, selector: str = "selector") -> Document:
    return _some(metricName=metric["name"], **{selector: metric.get("selector")})
