"""What is wrong with the spec of an autoscaler, as v2 has it."""

from collections.abc import Iterator
from typing import Any, Final, NamedTuple

from kubewright.cluster.registry.rules.names import check_label
from kubewright.model.quantity import Quantity
from kubewright.schema.walk.errors import FieldError, forbidden, invalid, not_supported, required
from kubewright.schema.walk.names import label_key, path_segment

__all__ = ["Leniency", "check_spec", "leniency"]

Document = dict[str, Any]

_LONGEST_PERIOD: Final = 1800
_LONGEST_WINDOW: Final = 3600
_SOURCES: Final = {
    "ContainerResource": "containerResource",
    "External": "external",
    "Object": "object",
    "Pods": "pods",
    "Resource": "resource",
}
_TARGETS: Final = ("Utilization", "Value", "AverageValue")


class Leniency(NamedTuple):
    """What is let pass because it was there before."""

    least: int = 1
    #: Whether the apiVersion of what is scaled may be anything, or of the core group.
    any_target: bool = False
    core_target: bool = False
    #: Whether that of an object that is measured may be anything.
    any_object: bool = False


def leniency(spec: Document, old: Document | None) -> Leniency:
    """What to let pass of an autoscaler that is to replace `old`."""
    target = spec["scaleTargetRef"]
    core = target.get("kind") == "ReplicationController"
    if old is None:
        return Leniency(core_target=core)
    before = old["scaleTargetRef"]
    same = all(before.get(name, "") == target.get(name, "") for name in ("apiVersion", "kind"))
    objects = [each["object"]["describedObject"] for each in old.get("metrics") or () if each.get("object")]
    return Leniency(
        0 if old.get("minReplicas") == 0 else 1,
        same,
        core and not same,
        any(_version_error(each, core=True) for each in objects),
    )


def check_spec(spec: Document, lenient: Leniency) -> Iterator[FieldError]:
    """What is wrong with a spec."""
    least, most = spec.get("minReplicas"), spec.get("maxReplicas", 0)
    if least is not None and least < lenient.least:
        yield invalid("spec.minReplicas", least, f"must be greater than or equal to {lenient.least}")
    if most == 0:
        yield required("spec.maxReplicas", "must be set and greater than 0")
    elif most < 0:
        yield invalid("spec.maxReplicas", most, "must be greater than or equal to 1")
    if least is not None and most < least:
        yield invalid("spec.maxReplicas", most, "must be greater than or equal to `minReplicas`")
    yield from _check_reference(
        spec["scaleTargetRef"], "spec.scaleTargetRef", anything=lenient.any_target, core=lenient.core_target
    )
    metrics = spec.get("metrics") or []
    for index, metric in enumerate(metrics):
        yield from _check_metric(metric, f"spec.metrics[{index}]", anything=lenient.any_object)
    if least == 0 and not {"Object", "External"} & {each.get("type") for each in metrics}:
        yield forbidden(
            "spec.metrics", "must specify at least one Object or External metric to support scaling to zero replicas"
        )
    for name in ("scaleUp", "scaleDown"):
        rules = (spec.get("behavior") or {}).get(name)
        if rules is not None:
            yield from _check_rules(rules, f"spec.behavior.{name}")


def _check_reference(reference: Document, path: str, *, anything: bool, core: bool) -> Iterator[FieldError]:
    for name in ("kind", "name"):
        value = reference.get(name, "")
        if not value:
            yield required(f"{path}.{name}")
        else:
            yield from (invalid(f"{path}.{name}", value, complaint) for complaint in path_segment(value))
    if not anything and (why := _version_error(reference, core=core)):
        yield invalid(f"{path}.apiVersion", reference.get("apiVersion", ""), why)


def _version_error(reference: Document, *, core: bool) -> str:
    text = reference.get("apiVersion", "")
    if text.count("/") > 1:
        return f"unexpected GroupVersion string: {text}"
    group = text.rpartition("/")[0]
    return "" if core or group else "apiVersion must specify API group"


def _check_metric(metric: Document, path: str, *, anything: bool) -> Iterator[FieldError]:
    kind = metric.get("type", "")
    if not kind:
        yield required(f"{path}.type", "must specify a metric source type")
    if kind not in _SOURCES:
        yield not_supported(f"{path}.type", kind, [*_SOURCES])
    present = [name for name in ("object", "external", "pods", "resource", "containerResource") if name in metric]
    if present:
        yield from _check_source(metric[present[0]], present[0], f"{path}.{present[0]}", anything=anything)
    expected = _SOURCES.get(kind)
    if expected is None:
        yield not_supported(f"{path}.type", kind, [*_SOURCES])
    elif expected not in present:
        yield required(f"{path}.{expected}", "must populate information for the given metric source")
    if len(present) != 1:
        for name in present:
            if name != expected:
                yield forbidden(f"{path}.{name}", "must populate the given metric source only")


def _check_source(source: Document, name: str, path: str, *, anything: bool) -> Iterator[FieldError]:
    target, aim = source["target"], f"{path}.target"
    if name == "object":
        yield from _check_reference(source["describedObject"], f"{path}.describedObject", anything=anything, core=True)
    if name in ("object", "external", "pods"):
        yield from _check_name(source["metric"].get("name", ""), f"{path}.metric.name")
    elif not source.get("name"):
        yield required(f"{path}.name", "must specify a resource name")
    elif name == "containerResource":
        yield from _check_resource(source["name"], f"{path}.name")
    if name == "containerResource":
        if not source.get("container"):
            yield required(f"{path}.container", "must specify a container")
        else:
            yield from check_label(source["container"], f"{path}.container")
    yield from _check_target(target, aim)
    yield from _check_choice({key for key in target if target[key] is not None}, name, aim)


def _check_choice(told: set[str], name: str, aim: str) -> Iterator[FieldError]:
    """Which of the numbers are told of a target."""
    if name == "pods":
        if "averageValue" not in told:
            yield required(f"{aim}.averageValue", "must specify a positive target averageValue")
    elif name in ("object", "external"):
        whole = " value or averageValue" if name == "object" else " value for metric or a per-pod target"
        if not told & {"value", "averageValue"}:
            yield required(f"{aim}.averageValue", f"must set either a target{whole}")
        if name == "external" and told >= {"value", "averageValue"}:
            yield forbidden(f"{aim}.value", "may not set both a target value for metric and a per-pod target")
    else:
        if not told & {"averageUtilization", "averageValue"}:
            yield required(f"{aim}.averageUtilization", "must set either a target raw value or a target utilization")
        if told >= {"averageUtilization", "averageValue"}:
            yield forbidden(f"{aim}.averageValue", "may not set both a target raw value and a target utilization")


def _check_name(name: str, path: str) -> Iterator[FieldError]:
    if not name:
        yield required(path, "must specify a metric name")
    else:
        yield from (invalid(path, name, complaint) for complaint in path_segment(name))


def _check_resource(name: str, path: str) -> Iterator[FieldError]:
    """The name of something that containers have: Kubernetes' own, or one with a domain."""
    yield from (invalid(path, name, complaint) for complaint in label_key(name))
    if "/" not in name and name not in ("cpu", "memory", "ephemeral-storage") and not name.startswith("hugepages-"):
        yield invalid(path, name, "must be a standard resource for containers")


def _check_target(target: Document, path: str) -> Iterator[FieldError]:
    kind = target.get("type", "")
    if not kind:
        yield required(f"{path}.type", "must specify a metric target type")
    if kind not in _TARGETS:
        yield invalid(f"{path}.type", kind, "must be either Utilization, Value, or AverageValue")
    for name in ("value", "averageValue"):
        if (amount := target.get(name)) is not None and Quantity(amount) <= Quantity("0"):
            yield invalid(f"{path}.{name}", amount, "must be positive")
    percent = target.get("averageUtilization")
    if percent is not None and percent < 1:
        yield invalid(f"{path}.averageUtilization", percent, "must be greater than 0")


def _check_rules(rules: Document, path: str) -> Iterator[FieldError]:
    window, select = rules.get("stabilizationWindowSeconds"), rules.get("selectPolicy")
    if window is not None and window < 0:
        yield invalid(f"{path}.stabilizationWindowSeconds", window, "must be greater than or equal to zero")
    if window is not None and window > _LONGEST_WINDOW:
        yield invalid(f"{path}.stabilizationWindowSeconds", window, f"must be less than or equal to {_LONGEST_WINDOW}")
    if select is not None and select not in ("Disabled", "Max", "Min"):
        yield not_supported(f"{path}.selectPolicy", select, ("Disabled", "Max", "Min"))
    policies = rules.get("policies") or []
    if not policies:
        yield required(f"{path}.policies", "must specify at least one Policy")
    for index, policy in enumerate(policies):
        yield from _check_policy(policy, f"{path}.policies[{index}]")
    tolerance = rules.get("tolerance")
    if tolerance is not None and Quantity(tolerance) < Quantity("0"):
        yield invalid(f"{path}.tolerance", tolerance, "must be greater than or equal to 0")


def _check_policy(policy: Document, path: str) -> Iterator[FieldError]:
    kind, value, period = policy.get("type", ""), policy.get("value", 0), policy.get("periodSeconds", 0)
    if kind not in ("Pods", "Percent"):
        yield not_supported(f"{path}.type", kind, ("Percent", "Pods"))
    if value <= 0:
        yield invalid(f"{path}.value", value, "must be greater than zero")
    if period <= 0:
        yield invalid(f"{path}.periodSeconds", period, "must be greater than zero")
    if period > _LONGEST_PERIOD:
        yield invalid(f"{path}.periodSeconds", period, f"must be less than or equal to {_LONGEST_PERIOD}")
