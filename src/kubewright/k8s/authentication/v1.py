"""The kinds of authentication/v1 and their parts: SelfSubjectReview, TokenRequest, TokenReview.

Made from Kubernetes 1.36.3's OpenAPI v3 documents by `make generate`: do not edit.
"""

from __future__ import annotations

from typing import Annotated

from kubewright.model.fields import REQUIRED, field
from kubewright.model.markers import Atomic, Default
from kubewright.model.model import Model
from kubewright.model.resource import Resource
from kubewright.model.shape import Time

__all__ = [
    "BoundObjectReference",
    "SelfSubjectReview",
    "SelfSubjectReviewStatus",
    "TokenRequest",
    "TokenRequestSpec",
    "TokenRequestStatus",
    "TokenReview",
    "TokenReviewSpec",
    "TokenReviewStatus",
    "UserInfo",
]


class BoundObjectReference(Model):
    api_version: str | None = None
    kind: str | None = None
    name: str | None = None
    uid: str | None = None


class SelfSubjectReviewStatus(Model):
    user_info: UserInfo | None = None


class TokenRequestSpec(Model):
    audiences: Annotated[list[str], Atomic()] = field(default_factory=list)
    bound_object_ref: BoundObjectReference | None = None
    expiration_seconds: int | None = None


class TokenRequestStatus(Model):
    expiration_timestamp: Time | None = None
    token: Annotated[str | None, Default("")] = None


class TokenReviewSpec(Model):
    audiences: Annotated[list[str], Atomic()] = field(default_factory=list)
    token: str = REQUIRED


class TokenReviewStatus(Model):
    audiences: Annotated[list[str], Atomic()] = field(default_factory=list)
    authenticated: bool | None = None
    error: str | None = None
    user: UserInfo | None = None


class UserInfo(Model):
    extra: dict[str, list[str]] = field(default_factory=dict)
    groups: Annotated[list[str], Atomic()] = field(default_factory=list)
    uid: str | None = None
    username: str | None = None


class SelfSubjectReview(
    Resource, group="authentication.k8s.io", version="v1", scope="Cluster", status_subresource=False
):
    status: SelfSubjectReviewStatus = field(default_factory=SelfSubjectReviewStatus)


class TokenRequest(Resource, group="authentication.k8s.io", version="v1", status_subresource=False):
    spec: TokenRequestSpec = field(default_factory=TokenRequestSpec)
    status: TokenRequestStatus = field(default_factory=TokenRequestStatus)


class TokenReview(Resource, group="authentication.k8s.io", version="v1", scope="Cluster", status_subresource=False):
    spec: TokenReviewSpec = field(default_factory=TokenReviewSpec, required=True)
    status: TokenReviewStatus = field(default_factory=TokenReviewStatus)
