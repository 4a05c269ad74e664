"""The kinds of authorization/v1 and their parts: LocalSubjectAccessReview, SelfSubjectAccessReview,
SelfSubjectRulesReview, SubjectAccessReview.

Made from Kubernetes 1.36.3's OpenAPI v3 documents by `make generate`: do not edit.
"""

from __future__ import annotations

from typing import Annotated

from kubewright.k8s.meta.v1 import FieldSelectorRequirement, LabelSelectorRequirement
from kubewright.model.fields import REQUIRED, field
from kubewright.model.markers import Atomic
from kubewright.model.model import Model
from kubewright.model.resource import Resource

__all__ = [
    "FieldSelectorAttributes",
    "LabelSelectorAttributes",
    "LocalSubjectAccessReview",
    "NonResourceAttributes",
    "NonResourceRule",
    "ResourceAttributes",
    "ResourceRule",
    "SelfSubjectAccessReview",
    "SelfSubjectAccessReviewSpec",
    "SelfSubjectRulesReview",
    "SelfSubjectRulesReviewSpec",
    "SubjectAccessReview",
    "SubjectAccessReviewSpec",
    "SubjectAccessReviewStatus",
    "SubjectRulesReviewStatus",
]


class FieldSelectorAttributes(Model):
    raw_selector: str | None = None
    requirements: Annotated[list[FieldSelectorRequirement], Atomic()] = field(default_factory=list)


class LabelSelectorAttributes(Model):
    raw_selector: str | None = None
    requirements: Annotated[list[LabelSelectorRequirement], Atomic()] = field(default_factory=list)


class NonResourceAttributes(Model):
    path: str | None = None
    verb: str | None = None


class NonResourceRule(Model):
    non_resource_urls: Annotated[list[str], Atomic()] = field(default_factory=list, wire="nonResourceURLs")
    verbs: Annotated[list[str], Atomic()] = field(default_factory=list, required=True)


class ResourceAttributes(Model):
    field_selector: FieldSelectorAttributes | None = None
    group: str | None = None
    label_selector: LabelSelectorAttributes | None = None
    name: str | None = None
    namespace: str | None = None
    resource: str | None = None
    subresource: str | None = None
    verb: str | None = None
    version: str | None = None


class ResourceRule(Model):
    api_groups: Annotated[list[str], Atomic()] = field(default_factory=list)
    resource_names: Annotated[list[str], Atomic()] = field(default_factory=list)
    resources: Annotated[list[str], Atomic()] = field(default_factory=list)
    verbs: Annotated[list[str], Atomic()] = field(default_factory=list, required=True)


class SelfSubjectAccessReviewSpec(Model):
    non_resource_attributes: NonResourceAttributes | None = None
    resource_attributes: ResourceAttributes | None = None


class SelfSubjectRulesReviewSpec(Model):
    namespace: str | None = None


class SubjectAccessReviewSpec(Model):
    extra: dict[str, list[str]] = field(default_factory=dict)
    groups: Annotated[list[str], Atomic()] = field(default_factory=list)
    non_resource_attributes: NonResourceAttributes | None = None
    resource_attributes: ResourceAttributes | None = None
    uid: str | None = None
    user: str | None = None


class SubjectAccessReviewStatus(Model):
    allowed: bool = REQUIRED
    denied: bool | None = None
    evaluation_error: str | None = None
    reason: str | None = None


class SubjectRulesReviewStatus(Model):
    evaluation_error: str | None = None
    incomplete: bool = REQUIRED
    non_resource_rules: Annotated[list[NonResourceRule], Atomic()] = field(default_factory=list, required=True)
    resource_rules: Annotated[list[ResourceRule], Atomic()] = field(default_factory=list, required=True)


class LocalSubjectAccessReview(Resource, group="authorization.k8s.io", version="v1", status_subresource=False):
    spec: SubjectAccessReviewSpec = field(default_factory=SubjectAccessReviewSpec, required=True)
    status: SubjectAccessReviewStatus = field(default_factory=SubjectAccessReviewStatus)


class SelfSubjectAccessReview(
    Resource, group="authorization.k8s.io", version="v1", scope="Cluster", status_subresource=False
):
    spec: SelfSubjectAccessReviewSpec = field(default_factory=SelfSubjectAccessReviewSpec, required=True)
    status: SubjectAccessReviewStatus = field(default_factory=SubjectAccessReviewStatus)


class SelfSubjectRulesReview(
    Resource, group="authorization.k8s.io", version="v1", scope="Cluster", status_subresource=False
):
    spec: SelfSubjectRulesReviewSpec = field(default_factory=SelfSubjectRulesReviewSpec, required=True)
    status: SubjectRulesReviewStatus = field(default_factory=SubjectRulesReviewStatus)


class SubjectAccessReview(
    Resource, group="authorization.k8s.io", version="v1", scope="Cluster", status_subresource=False
):
    spec: SubjectAccessReviewSpec = field(default_factory=SubjectAccessReviewSpec, required=True)
    status: SubjectAccessReviewStatus = field(default_factory=SubjectAccessReviewStatus)
