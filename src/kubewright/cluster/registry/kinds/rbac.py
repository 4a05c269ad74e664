"""Roles, bindings, and the same for the whole cluster: rules that can be meant, and subjects that can be somebody."""

from collections.abc import Iterator
from typing import Any, Final

from kubewright.cluster.registry.kinds.plain import PlainStrategy
from kubewright.cluster.registry.rules.labels import check_selector
from kubewright.model.selectors import LabelSelector, SelectorError
from kubewright.schema.walk.errors import FieldError, invalid, not_supported, required
from kubewright.schema.walk.names import path_segment, subdomain

__all__ = ["BindingStrategy", "ClusterBindingStrategy", "ClusterRoleStrategy", "RoleStrategy"]

Document = dict[str, Any]

_GROUP: Final = "rbac.authorization.k8s.io"


class _Strategy(PlainStrategy):
    """A change is judged as something new is, and then by what it changes."""

    def validate_update(self, obj: Document, old: Document) -> list[FieldError]:
        return [*self.validate(obj), *self.check_meta_update(obj, old), *self.check_change(obj, old)]

    def check_change(self, obj: Document, old: Document) -> list[FieldError]:
        """What is wrong with the change itself, metadata apart."""
        return []


class RoleStrategy(_Strategy):
    """What is particular to roles."""

    def check(self, obj: Document) -> list[FieldError]:
        return [
            error
            for index, rule in enumerate(obj.get("rules") or ())
            for error in self._check_rule(rule or {}, f"rules[{index}]")
        ]

    def _check_rule(self, rule: Document, path: str) -> Iterator[FieldError]:
        if not rule.get("verbs"):
            yield required(f"{path}.verbs", "verbs must contain at least one value")
        if paths := rule.get("nonResourceURLs"):
            if self.namespaced:
                why = "namespaced rules cannot apply to non-resource URLs"
                yield invalid(f"{path}.nonResourceURLs", paths, why)
            if rule.get("apiGroups") or rule.get("resources") or rule.get("resourceNames"):
                why = "rules cannot apply to both regular resources and non-resource URLs"
                yield invalid(f"{path}.nonResourceURLs", paths, why)
            return
        if not rule.get("apiGroups"):
            yield required(f"{path}.apiGroups", "resource rules must supply at least one api group")
        if not rule.get("resources"):
            yield required(f"{path}.resources", "resource rules must supply at least one resource")


class ClusterRoleStrategy(RoleStrategy):
    """What is particular to roles of the cluster: they may gather the rules of others."""

    def check(self, obj: Document) -> list[FieldError]:
        errors = super().check(obj)
        gathering = obj.get("aggregationRule")
        if gathering is None:
            return errors
        selectors, path = gathering.get("clusterRoleSelectors") or [], "aggregationRule.clusterRoleSelectors"
        if not selectors:
            why = "at least one clusterRoleSelector required if aggregationRule is non-nil"
            errors.append(required(path, why))
        for index, selector in enumerate(selectors):
            errors += check_selector(selector, f"{path}[{index}]")
            try:
                LabelSelector.from_json(selector)
            except SelectorError:
                errors.append(invalid(f"{path}[{index}]", None, "invalid label selector."))
        return errors


class BindingStrategy(_Strategy):
    """What is particular to bindings."""

    roles: tuple[str, ...] = ("Role", "ClusterRole")

    def default(self, obj: Document) -> None:
        obj["roleRef"]["apiGroup"] = obj["roleRef"].get("apiGroup") or _GROUP
        for subject in obj.get("subjects") or ():
            if subject.get("kind") in ("User", "Group") and not subject.get("apiGroup"):
                subject["apiGroup"] = _GROUP

    def check(self, obj: Document) -> list[FieldError]:
        errors = [*self._check_role(obj["roleRef"])]
        for index, subject in enumerate(obj.get("subjects") or ()):
            errors += self._check_subject(subject or {}, f"subjects[{index}]")
        return errors

    def _check_role(self, role: Document) -> Iterator[FieldError]:
        group, kind, name = role.get("apiGroup", ""), role.get("kind", ""), role.get("name", "")
        if group != _GROUP:
            yield not_supported("roleRef.apiGroup", group, [_GROUP])
        if kind not in self.roles:
            yield not_supported("roleRef.kind", kind, self.roles)
        if not name:
            yield required("roleRef.name")
        for complaint in path_segment(name) if name else ():
            yield invalid("roleRef.name", name, complaint)

    def _check_subject(self, subject: Document, path: str) -> Iterator[FieldError]:
        kind, group, name = subject.get("kind", ""), subject.get("apiGroup", ""), subject.get("name", "")
        if not name:
            yield required(f"{path}.name")
        if kind == "ServiceAccount":
            for complaint in subdomain(name) if name else ():
                yield invalid(f"{path}.name", name, complaint)
            if group:
                yield not_supported(f"{path}.apiGroup", group, [""])
            if not self.namespaced and not subject.get("namespace"):
                yield required(f"{path}.namespace")
        elif kind in ("User", "Group"):
            if group != _GROUP:
                yield not_supported(f"{path}.apiGroup", group, [_GROUP])
        else:
            yield not_supported(f"{path}.kind", kind, ["ServiceAccount", "User", "Group"])

    def check_change(self, obj: Document, old: Document) -> list[FieldError]:
        role = obj["roleRef"]
        if role == old["roleRef"]:
            return []
        # Shown as the server holds it, whose type has other names.
        shown = {name: role.get(f"{name[0].lower()}{name[1:]}", "") for name in ("Kind", "Name")}
        return [invalid("roleRef", {"APIGroup": role.get("apiGroup", ""), **shown}, "cannot change roleRef")]


class ClusterBindingStrategy(BindingStrategy):
    """What is particular to bindings of the cluster."""

    roles = ("ClusterRole",)
