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

from kubewright.errors import KubewrightError
from kubewright.model.codec import decode, encode, from_dict, to_dict
from kubewright.model.documents import DocumentError
from kubewright.model.duration import Duration, DurationError
from kubewright.model.fields import MissingField, field
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
from kubewright.model.resource import Column, GroupVersionKind, Resource, Scale
from kubewright.model.shape import DefinitionError, Int32, IntOrString, MicroTime, Number, Time
from kubewright.model.status import Condition, Status
from kubewright.schema.rules import RuleCostWarning, RuleError, rule
from kubewright.version import VERSION

__version__ = VERSION

__all__ = [
    "CEL",
    "AtLeastOneOf",
    "AtMostOneOf",
    "Atomic",
    "Column",
    "Condition",
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
    "KubewrightError",
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
    "OwnerReference",
    "PartialObjectMetadata",
    "Pattern",
    "PreserveUnknown",
    "Quantity",
    "QuantityError",
    "Range",
    "Resource",
    "RuleCostWarning",
    "RuleError",
    "Scale",
    "SchemaType",
    "Schemaless",
    "Status",
    "Time",
    "Title",
    "decode",
    "encode",
    "field",
    "from_dict",
    "is_set",
    "rule",
    "to_dict",
]
