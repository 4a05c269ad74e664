"""The kinds of apiextensions/v1 and their parts: CustomResourceDefinition.

Made from Kubernetes 1.36.3's OpenAPI v3 documents by `make generate`: do not edit.
"""

from __future__ import annotations

from typing import Annotated, Any

from kubewright.model.fields import REQUIRED, field
from kubewright.model.markers import Atomic, Format, ListMap, PreserveUnknown
from kubewright.model.model import Model
from kubewright.model.resource import Resource
from kubewright.model.shape import Int32, Number, Time

__all__ = [
    "CustomResourceColumnDefinition",
    "CustomResourceConversion",
    "CustomResourceDefinition",
    "CustomResourceDefinitionCondition",
    "CustomResourceDefinitionNames",
    "CustomResourceDefinitionSpec",
    "CustomResourceDefinitionStatus",
    "CustomResourceDefinitionVersion",
    "CustomResourceSubresourceScale",
    "CustomResourceSubresourceStatus",
    "CustomResourceSubresources",
    "CustomResourceValidation",
    "ExternalDocumentation",
    "JSONSchemaProps",
    "SelectableField",
    "ServiceReference",
    "ValidationRule",
    "WebhookClientConfig",
    "WebhookConversion",
]


class CustomResourceColumnDefinition(Model):
    description: str | None = None
    format: str | None = None
    json_path: str = REQUIRED
    name: str = REQUIRED
    priority: Int32 | None = None
    type: str = REQUIRED


class CustomResourceConversion(Model):
    strategy: str = REQUIRED
    webhook: WebhookConversion | None = None


class CustomResourceDefinitionCondition(Model):
    last_transition_time: Time | None = None
    message: str | None = None
    observed_generation: int | None = None
    reason: str | None = None
    status: str = REQUIRED
    type: str = REQUIRED


class CustomResourceDefinitionNames(Model):
    categories: Annotated[list[str], Atomic()] = field(default_factory=list)
    kind: str = REQUIRED
    list_kind: str | None = None
    plural: str = REQUIRED
    short_names: Annotated[list[str], Atomic()] = field(default_factory=list)
    singular: str | None = None


class CustomResourceDefinitionSpec(Model):
    conversion: CustomResourceConversion | None = None
    group: str = REQUIRED
    names: CustomResourceDefinitionNames = REQUIRED
    preserve_unknown_fields: bool | None = None
    scope: str = REQUIRED
    versions: Annotated[list[CustomResourceDefinitionVersion], Atomic()] = field(default_factory=list, required=True)


class CustomResourceDefinitionStatus(Model):
    accepted_names: CustomResourceDefinitionNames | None = None
    conditions: Annotated[list[CustomResourceDefinitionCondition], ListMap("type")] = field(default_factory=list)
    observed_generation: int | None = None
    stored_versions: Annotated[list[str], Atomic()] = field(default_factory=list)


class CustomResourceDefinitionVersion(Model):
    additional_printer_columns: Annotated[list[CustomResourceColumnDefinition], Atomic()] = field(default_factory=list)
    deprecated: bool | None = None
    deprecation_warning: str | None = None
    name: str = REQUIRED
    schema: CustomResourceValidation | None = None
    selectable_fields: Annotated[list[SelectableField], Atomic()] = field(default_factory=list)
    served: bool = REQUIRED
    storage: bool = REQUIRED
    subresources: CustomResourceSubresources | None = None


class CustomResourceSubresourceScale(Model):
    label_selector_path: str | None = None
    spec_replicas_path: str = REQUIRED
    status_replicas_path: str = REQUIRED


class CustomResourceSubresourceStatus(Model):
    pass


class CustomResourceSubresources(Model):
    scale: CustomResourceSubresourceScale | None = None
    status: CustomResourceSubresourceStatus | None = None


class CustomResourceValidation(Model):
    open_api_v3_schema: JSONSchemaProps | None = field(default=None, wire="openAPIV3Schema")


class ExternalDocumentation(Model):
    description: str | None = None
    url: str | None = None


class JSONSchemaProps(Model):
    ref: str | None = field(default=None, wire="$ref")
    schema: str | None = field(default=None, wire="$schema")
    additional_items: Any = None
    additional_properties: Any = None
    all_of: Annotated[list[JSONSchemaProps], Atomic()] = field(default_factory=list)
    any_of: Annotated[list[JSONSchemaProps], Atomic()] = field(default_factory=list)
    default: Any = None
    definitions: dict[str, JSONSchemaProps] = field(default_factory=dict)
    dependencies: dict[str, Annotated[Any, PreserveUnknown()]] = field(default_factory=dict)
    description: str | None = None
    enum: Annotated[list[Any], Atomic()] = field(default_factory=list)
    example: Any = None
    exclusive_maximum: bool | None = None
    exclusive_minimum: bool | None = None
    external_docs: ExternalDocumentation | None = None
    format: str | None = None
    id: str | None = None
    items: Any = None
    max_items: int | None = None
    max_length: int | None = None
    max_properties: int | None = None
    maximum: Annotated[Number | None, Format("double")] = None
    min_items: int | None = None
    min_length: int | None = None
    min_properties: int | None = None
    minimum: Annotated[Number | None, Format("double")] = None
    multiple_of: Annotated[Number | None, Format("double")] = None
    not_: JSONSchemaProps | None = None
    nullable: bool | None = None
    one_of: Annotated[list[JSONSchemaProps], Atomic()] = field(default_factory=list)
    pattern: str | None = None
    pattern_properties: dict[str, JSONSchemaProps] = field(default_factory=dict)
    properties: dict[str, JSONSchemaProps] = field(default_factory=dict)
    required: Annotated[list[str], Atomic()] = field(default_factory=list)
    title: str | None = None
    type: str | None = None
    unique_items: bool | None = None
    x_kubernetes_embedded_resource: bool | None = field(default=None, wire="x-kubernetes-embedded-resource")
    x_kubernetes_int_or_string: bool | None = field(default=None, wire="x-kubernetes-int-or-string")
    x_kubernetes_list_map_keys: Annotated[list[str], Atomic()] = field(
        default_factory=list, wire="x-kubernetes-list-map-keys"
    )
    x_kubernetes_list_type: str | None = field(default=None, wire="x-kubernetes-list-type")
    x_kubernetes_map_type: str | None = field(default=None, wire="x-kubernetes-map-type")
    x_kubernetes_preserve_unknown_fields: bool | None = field(default=None, wire="x-kubernetes-preserve-unknown-fields")
    x_kubernetes_validations: Annotated[list[ValidationRule], ListMap("rule")] = field(
        default_factory=list, wire="x-kubernetes-validations"
    )


class SelectableField(Model):
    json_path: str = REQUIRED


class ServiceReference(Model):
    name: str = REQUIRED
    namespace: str = REQUIRED
    path: str | None = None
    port: Int32 | None = None


class ValidationRule(Model):
    field_path: str | None = None
    message: str | None = None
    message_expression: str | None = None
    optional_old_self: bool | None = None
    reason: str | None = None
    rule: str = REQUIRED


class WebhookClientConfig(Model):
    ca_bundle: bytes | None = None
    service: ServiceReference | None = None
    url: str | None = None


class WebhookConversion(Model):
    client_config: WebhookClientConfig | None = None
    conversion_review_versions: Annotated[list[str], Atomic()] = field(default_factory=list, required=True)


class CustomResourceDefinition(
    Resource,
    group="apiextensions.k8s.io",
    version="v1",
    scope="Cluster",
    short_names=["crd", "crds"],
    categories=["api-extensions"],
):
    spec: CustomResourceDefinitionSpec = field(default_factory=CustomResourceDefinitionSpec, required=True)
    status: CustomResourceDefinitionStatus = field(default_factory=CustomResourceDefinitionStatus)
