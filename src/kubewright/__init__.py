"""Build Kubernetes operators in Python: types become CRDs, webhooks and controllers.

import kubewright as kw

class WebServerSpec(kw.Model):
    image: Annotated[str, kw.MinLength(1)]
    replicas: Annotated[int, kw.Range(0, 100)] = 1

class WebServer(kw.Resource, group="web.example.com", version="v1"):
    spec: WebServerSpec

`kubewright crd FILE` prints the CRD. Everything a program usually needs is a name of this module; the packages below
are for those who look closer.
"""

import importlib

from kubewright.errors import KubewrightError
from kubewright.version import VERSION

TYPE_CHECKING = False  # that of `typing`, which takes longer to load than all that is here
if TYPE_CHECKING:
    from kubewright.cache import Key
    from kubewright.client.api import Api
    from kubewright.controller.context import Context, SyncContext
    from kubewright.controller.declaration import controller
    from kubewright.controller.outcome import Requeue, Retry, Terminal
    from kubewright.controller.reader import Reader
    from kubewright.controller.source import every, only, stream, watch
    from kubewright.model.codec import decode, encode, from_dict, to_dict
    from kubewright.model.documents import DocumentError
    from kubewright.model.duration import Duration, DurationError
    from kubewright.model.fields import MissingField, field
    from kubewright.model.kind import GroupVersionKind
    from kubewright.model.markers import (
        CEL,
        AtLeastOneOf,
        AtMostOneOf,
        Atomic,
        Default,
        Description,
        EmbeddedResource,
        ExactlyOneOf,
        Example,
        ExternalDocs,
        Format,
        Fragment,
        Granular,
        Immutable,
        ListMap,
        ListSet,
        Maximum,
        MaxItems,
        MaxLength,
        MaxProperties,
        Minimum,
        MinItems,
        MinLength,
        MinProperties,
        MultipleOf,
        Nullable,
        Pattern,
        PreserveUnknown,
        Range,
        Schemaless,
        SchemaType,
        Title,
    )
    from kubewright.model.metadata import ObjectMeta, OwnerReference, PartialObjectMetadata
    from kubewright.model.model import Model, is_set
    from kubewright.model.quantity import Quantity, QuantityError
    from kubewright.model.resource import Column, Resource, Scale
    from kubewright.model.shape import DefinitionError, Int32, IntOrString, MicroTime, Number, Time
    from kubewright.model.status import Condition, Status
    from kubewright.operator.operator import LeaderElection, Operator
    from kubewright.schema.rules import RuleCostWarning, RuleError, rule

__version__ = VERSION

#: What is loaded when it is first used: who prints a CRD does not wait for a client, and no server waits for either.
_LATER = {
    "Api": "client.api",
    "AtLeastOneOf": "model.markers",
    "AtMostOneOf": "model.markers",
    "Atomic": "model.markers",
    "CEL": "model.markers",
    "Column": "model.resource",
    "Condition": "model.status",
    "Context": "controller.context",
    "Default": "model.markers",
    "DefinitionError": "model.shape",
    "Description": "model.markers",
    "DocumentError": "model.documents",
    "Duration": "model.duration",
    "DurationError": "model.duration",
    "EmbeddedResource": "model.markers",
    "ExactlyOneOf": "model.markers",
    "Example": "model.markers",
    "ExternalDocs": "model.markers",
    "Format": "model.markers",
    "Fragment": "model.markers",
    "Granular": "model.markers",
    "GroupVersionKind": "model.kind",
    "Immutable": "model.markers",
    "Int32": "model.shape",
    "IntOrString": "model.shape",
    "Key": "cache",
    "LeaderElection": "operator.operator",
    "ListMap": "model.markers",
    "ListSet": "model.markers",
    "MaxItems": "model.markers",
    "MaxLength": "model.markers",
    "MaxProperties": "model.markers",
    "Maximum": "model.markers",
    "MicroTime": "model.shape",
    "MinItems": "model.markers",
    "MinLength": "model.markers",
    "MinProperties": "model.markers",
    "Minimum": "model.markers",
    "MissingField": "model.fields",
    "Model": "model.model",
    "MultipleOf": "model.markers",
    "Nullable": "model.markers",
    "Number": "model.shape",
    "ObjectMeta": "model.metadata",
    "Operator": "operator.operator",
    "OwnerReference": "model.metadata",
    "PartialObjectMetadata": "model.metadata",
    "Pattern": "model.markers",
    "PreserveUnknown": "model.markers",
    "Quantity": "model.quantity",
    "QuantityError": "model.quantity",
    "Range": "model.markers",
    "Reader": "controller.reader",
    "Requeue": "controller.outcome",
    "Resource": "model.resource",
    "Retry": "controller.outcome",
    "RuleCostWarning": "schema.rules",
    "RuleError": "schema.rules",
    "Scale": "model.resource",
    "SchemaType": "model.markers",
    "Schemaless": "model.markers",
    "Status": "model.status",
    "SyncContext": "controller.context",
    "Terminal": "controller.outcome",
    "Time": "model.shape",
    "Title": "model.markers",
    "decode": "model.codec",
    "encode": "model.codec",
    "every": "controller.source",
    "field": "model.fields",
    "from_dict": "model.codec",
    "is_set": "model.model",
    "only": "controller.source",
    "rule": "schema.rules",
    "stream": "controller.source",
    "to_dict": "model.codec",
    "watch": "controller.source",
}

#: The packages below, which `import kubewright` alone is to have too: `kubewright.cluster.Cluster()`.
_PACKAGES = frozenset(
    [
        "cache",
        "cel",
        "cli",
        "client",
        "cluster",
        "controller",
        "http",
        "k8s",
        "model",
        "observe",
        "operator",
        "schema",
        "testing",
        "trials",
    ]
)

__all__ = [
    "CEL",
    "Api",
    "AtLeastOneOf",
    "AtMostOneOf",
    "Atomic",
    "Column",
    "Condition",
    "Context",
    "Default",
    "DefinitionError",
    "Description",
    "DocumentError",
    "Duration",
    "DurationError",
    "EmbeddedResource",
    "ExactlyOneOf",
    "Example",
    "ExternalDocs",
    "Format",
    "Fragment",
    "Granular",
    "GroupVersionKind",
    "Immutable",
    "Int32",
    "IntOrString",
    "Key",
    "KubewrightError",
    "LeaderElection",
    "ListMap",
    "ListSet",
    "MaxItems",
    "MaxLength",
    "MaxProperties",
    "Maximum",
    "MicroTime",
    "MinItems",
    "MinLength",
    "MinProperties",
    "Minimum",
    "MissingField",
    "Model",
    "MultipleOf",
    "Nullable",
    "Number",
    "ObjectMeta",
    "Operator",
    "OwnerReference",
    "PartialObjectMetadata",
    "Pattern",
    "PreserveUnknown",
    "Quantity",
    "QuantityError",
    "Range",
    "Reader",
    "Requeue",
    "Resource",
    "Retry",
    "RuleCostWarning",
    "RuleError",
    "Scale",
    "SchemaType",
    "Schemaless",
    "Status",
    "SyncContext",
    "Terminal",
    "Time",
    "Title",
    "controller",
    "decode",
    "encode",
    "every",
    "field",
    "from_dict",
    "is_set",
    "only",
    "rule",
    "stream",
    "to_dict",
    "watch",
]


if not TYPE_CHECKING:  # who checks types must not take every name for one that is here

    def __getattr__(name: str) -> object:
        if name in _PACKAGES:
            # That of `controller` can be called: it takes the name here whenever somebody imports it.
            return importlib.import_module(f"{__name__}.{name}")
        module = _LATER.get(name)
        if module is None:
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        found = getattr(importlib.import_module(f"{__name__}.{module}"), name)
        globals()[name] = found
        return found


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
