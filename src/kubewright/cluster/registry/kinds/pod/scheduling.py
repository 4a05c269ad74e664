"""Where a pod may run: which nodes, beside or away from which pods, in spite of which taints."""

from collections.abc import Iterator
from typing import Any, Final

from kubewright.cluster.registry.rules.labels import check_key, check_selector, check_value
from kubewright.cluster.registry.rules.names import check_subdomain
from kubewright.cluster.registry.rules.numbers import check_positive
from kubewright.schema.walk.errors import FieldError, duplicate, forbidden, invalid, not_supported, required
from kubewright.schema.walk.names import label_value, namespace_name

__all__ = ["check_affinity", "check_gates", "check_node_selector", "check_spread", "check_tolerations"]

Document = dict[str, Any]

_REQUIRED: Final = "requiredDuringSchedulingIgnoredDuringExecution"
_PREFERRED: Final = "preferredDuringSchedulingIgnoredDuringExecution"
_EFFECTS: Final = ("NoSchedule", "PreferNoSchedule", "NoExecute")


def check_affinity(affinity: Document, path: str) -> Iterator[FieldError]:
    """What is wrong with the affinity of a pod."""
    if node := affinity.get("nodeAffinity"):
        place = f"{path}.nodeAffinity"
        if _REQUIRED in node:
            yield from check_node_selector(node[_REQUIRED], f"{place}.{_REQUIRED}")
        for index, term in enumerate(node.get(_PREFERRED) or ()):
            yield from _weight(term, f"{place}.{_PREFERRED}[{index}]")
            yield from _node_term(term["preference"], f"{place}.{_PREFERRED}[{index}].preference", any_value=True)
    for kind in ("podAffinity", "podAntiAffinity"):
        pods = affinity.get(kind) or {}
        for index, term in enumerate(pods.get(_REQUIRED) or ()):
            yield from _pod_term(term, f"{path}.{kind}.{_REQUIRED}[{index}]")
        for index, term in enumerate(pods.get(_PREFERRED) or ()):
            place = f"{path}.{kind}.{_PREFERRED}[{index}]"
            yield from _weight(term, place)
            yield from _pod_term(term["podAffinityTerm"], f"{place}.podAffinityTerm")


def _weight(term: Document, path: str) -> Iterator[FieldError]:
    if not 1 <= term["weight"] <= 100:
        yield invalid(f"{path}.weight", term["weight"], "must be in the range 1-100")


def check_node_selector(selector: Document, path: str) -> Iterator[FieldError]:
    """What is wrong with a selector of nodes."""
    terms = selector["nodeSelectorTerms"]
    if not terms:
        yield required(f"{path}.nodeSelectorTerms", "must have at least one node selector term")
    for index, term in enumerate(terms or ()):
        yield from _node_term(term, f"{path}.nodeSelectorTerms[{index}]")


def _node_term(term: Document, path: str, *, any_value: bool = False) -> Iterator[FieldError]:
    for index, each in enumerate(term.get("matchExpressions") or ()):
        yield from _node_requirement(each, f"{path}.matchExpressions[{index}]", any_value)
    for index, each in enumerate(term.get("matchFields") or ()):
        yield from _node_field(each, f"{path}.matchFields[{index}]")


def _node_requirement(each: Document, path: str, any_value: bool) -> Iterator[FieldError]:
    operator, values = each["operator"], each.get("values") or []
    if operator in ("In", "NotIn"):
        if not values:
            yield required(f"{path}.values", "must be specified when `operator` is 'In' or 'NotIn'")
    elif operator in ("Exists", "DoesNotExist"):
        if values:
            yield forbidden(f"{path}.values", "may not be specified when `operator` is 'Exists' or 'DoesNotExist'")
    elif operator in ("Gt", "Lt"):
        if len(values) != 1:
            yield required(f"{path}.values", "must be specified single value when `operator` is 'Lt' or 'Gt'")
    else:
        yield invalid(f"{path}.operator", operator, "not a valid selector operator")
    yield from check_key(each["key"], f"{path}.key")
    for index, value in enumerate(() if any_value else values):
        yield from check_value(value, f"{path}.values[{index}]")


def _node_field(each: Document, path: str) -> Iterator[FieldError]:
    operator, values = each["operator"], each.get("values") or []
    if operator not in ("In", "NotIn"):
        yield invalid(f"{path}.operator", operator, "not a valid selector operator")
    elif len(values) != 1:
        why = "must be only one value when `operator` is 'In' or 'NotIn' for node field selector"
        yield required(f"{path}.values", why)
    if each["key"] != "metadata.name":
        yield invalid(f"{path}.key", each["key"], "not a valid field selector key")
        return
    for index, value in enumerate(values):
        yield from check_subdomain(value, f"{path}.values[{index}]")


def _pod_term(term: Document, path: str) -> Iterator[FieldError]:
    yield from check_selector(term.get("labelSelector"), f"{path}.labelSelector")
    yield from check_selector(term.get("namespaceSelector"), f"{path}.namespaceSelector")
    for name in term.get("namespaces") or ():
        yield from (invalid(f"{path}.namespace", name, complaint) for complaint in namespace_name(name))
    yield from _label_keys(term, path)
    if not term["topologyKey"]:
        yield required(f"{path}.topologyKey", "can not be empty")
    yield from check_key(term["topologyKey"], f"{path}.topologyKey")


def _label_keys(term: Document, path: str) -> Iterator[FieldError]:
    """What is wrong with keys whose values are taken from the pod; these become part of the selector."""
    selector = term.get("labelSelector")
    for name in ("matchLabelKeys", "mismatchLabelKeys"):
        if keys := term.get(name):
            if selector is None:
                yield forbidden(f"{path}.{name}", "must not be specified when labelSelector is not set")
                continue
            for index, key in enumerate(keys):
                yield from check_key(key, f"{path}.{name}[{index}]")
    wanted = term.get("matchLabelKeys") or []
    if selector is not None and wanted:
        places = {key: index for index, key in enumerate(wanted)}
        seen = {*(selector.get("matchLabels") or ())}
        for each in selector.get("matchExpressions") or ():
            key = each["key"]
            if key in places and key in seen:
                yield invalid(f"{path}[{places[key]}]", key, "exists in both matchLabelKeys and labelSelector")
            seen.add(key)
    for index, key in enumerate(wanted):
        if key in (term.get("mismatchLabelKeys") or ()):
            why = "exists in both matchLabelKeys and mismatchLabelKeys"
            yield invalid(f"{path}.matchLabelKeys[{index}]", key, why)


def check_spread(constraints: list[Document], path: str) -> Iterator[FieldError]:
    """What is wrong with how pods are to be spread."""
    last = {(each["topologyKey"], each["whenUnsatisfiable"]): index for index, each in enumerate(constraints)}
    for index, each in enumerate(constraints):
        place = f"{path}[{index}]"
        key, action = each["topologyKey"], each["whenUnsatisfiable"]
        yield from check_positive(each["maxSkew"], f"{place}.maxSkew")
        if not key:
            yield required(f"{place}.topologyKey", "can not be empty")
        if action not in ("DoNotSchedule", "ScheduleAnyway"):
            yield not_supported(f"{place}.whenUnsatisfiable", action, ("DoNotSchedule", "ScheduleAnyway"))
        if last[key, action] > index:
            yield duplicate(f"{place}.{{topologyKey, whenUnsatisfiable}}", f"{{{key}, {action}}}")
        domains = each.get("minDomains")
        if domains is not None:
            yield from check_positive(domains, f"{place}.minDomains")
            if action != "DoNotSchedule":
                why = f"can only use minDomains if whenUnsatisfiable=DoNotSchedule, not {action}"
                yield invalid(f"{place}.minDomains", domains, why)
        for name in ("nodeAffinityPolicy", "nodeTaintsPolicy"):
            if (policy := each.get(name)) is not None and policy not in ("Honor", "Ignore"):
                yield not_supported(f"{place}.{name}", policy, ("Honor", "Ignore"))
        yield from _label_keys(each, place)
        yield from check_selector(each.get("labelSelector"), f"{place}.labelSelector")


def check_tolerations(tolerations: list[Document], path: str) -> Iterator[FieldError]:
    """What is wrong with tolerations."""
    for index, each in enumerate(tolerations):
        place = f"{path}[{index}]"
        key, operator, value = each.get("key", ""), each.get("operator", ""), each.get("value", "")
        effect = each.get("effect", "")
        if key:
            yield from check_key(key, f"{place}.key")
        elif operator != "Exists":
            why = 'operator must be Exists when `key` is empty, which means "match all values and all keys"'
            yield invalid(f"{place}.operator", operator, why)
        if "tolerationSeconds" in each and effect != "NoExecute":
            yield invalid(f"{place}.effect", effect, "effect must be 'NoExecute' when `tolerationSeconds` is set")
        if operator in ("Equal", ""):
            if complaints := label_value(value):
                yield invalid(f"{place}.operator", value, ";".join(complaints))
        elif operator == "Exists":
            if value:
                yield invalid(f"{place}.operator", value, "value must be empty when `operator` is 'Exists'")
        else:
            choices = ("Equal", "Exists", "Lt", "Gt") if operator in ("Lt", "Gt") else ("Equal", "Exists")
            yield not_supported(f"{place}.operator", operator, choices)
        if effect and effect not in _EFFECTS:
            yield not_supported(f"{place}.effect", effect, _EFFECTS)


def check_gates(gates: list[Document], path: str) -> Iterator[FieldError]:
    """What is wrong with what holds a pod back."""
    seen: set[str] = set()
    for index, gate in enumerate(gates):
        yield from check_key(gate["name"], f"{path}[{index}]")
        if gate["name"] in seen:
            yield duplicate(f"{path}[{index}]", gate["name"])
        seen.add(gate["name"])
