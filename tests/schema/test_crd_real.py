"""CRDs of ours, asked of a real server: taken as they are, and kept as they are."""

import json
from enum import Enum
from typing import Annotated, Any, Literal

import pytest

import kubewright as kw
from kubewright.schema.crd import crd_of
from kubewright.testing.real import RealCluster


class Color(Enum):
    RED = "red"
    BLUE = "blue"


class Port(kw.Model):
    """One port."""

    name: Annotated[str, kw.MaxLength(63)]
    number: Annotated[kw.Int32, kw.Range(1, 65535)] = 80
    target: kw.IntOrString | None = None


class Git(kw.Model):
    repository: str
    depth: Annotated[int, kw.Minimum(0, exclusive=True)] = 1


class Bucket(kw.Model):
    bucket: str


class Limits(kw.Model, markers=[kw.AtMostOneOf("cpu", "memory"), kw.AtLeastOneOf("cpu", "memory"), kw.Atomic()]):
    cpu: kw.Quantity | None = None
    memory: kw.Quantity | None = None


class Template(kw.Model, markers=[kw.PreserveUnknown()]):
    metadata: kw.ObjectMeta | None = None


class Spec(kw.Model):
    """Everything a type can say — also in é and 日本語."""

    image: Annotated[str, kw.MinLength(1), kw.MaxLength(200), kw.Pattern(r"^[a-z0-9./:-]+$"), kw.Immutable()]
    """A "quoted" description: with a colon, and a #."""
    replicas: Annotated[kw.Int32, kw.Range(0, 100), kw.Title("Replicas"), kw.Example(3)] = 1
    ports: Annotated[list[Port], kw.ListMap("name"), kw.MaxItems(16)] = kw.field(default_factory=list)
    tags: Annotated[list[Annotated[str, kw.MaxLength(10)]], kw.ListSet(), kw.MinItems(1), kw.MaxItems(8)] = kw.field(
        default=["y"]
    )
    labels: Annotated[dict[str, str], kw.Atomic(), kw.MaxProperties(10)] = kw.field(default_factory=dict)
    annotations: Annotated[dict[str, list[str]], kw.Granular()] = kw.field(default_factory=dict)
    color: Color = Color.RED
    level: Literal["low", "high"] = "low"
    answer: Literal[42, 43] = 42
    source: Git | Bucket | None = None
    limits: Limits | None = None
    size: kw.Quantity = kw.Quantity("1Gi")
    surge: kw.IntOrString = "25%"
    timeout: kw.Duration = kw.Duration("5m")
    since: kw.Time | None = None
    secret: bytes | None = None
    ratio: Annotated[kw.Number, kw.Range(0, 1), kw.MultipleOf(0.25)] = 0.5
    pause: Annotated[int | None, kw.Nullable(), kw.MultipleOf(5)] = None
    address: Annotated[str | None, kw.Format("ipv4"), kw.ExternalDocs("https://example.com", "More.")] = None
    first: Port = Port(name="http")
    template: Template | None = None
    embedded: Annotated[dict[str, Any] | None, kw.EmbeddedResource()] = None
    anything: Any = None
    settings: dict[str, Any] = kw.field(default_factory=dict)
    enabled: bool = True
    odd_name: str | None = kw.field(default=None, wire="odd-name.x")
    checked: Annotated[int, kw.CEL("self >= 0", message="not negative", reason="FieldValueForbidden")] = 0
    server_only: Annotated[str | None, kw.Default("on")] = None


class State(kw.Status):
    replicas: kw.Int32 = 0
    selector: str = ""


LINE: dict[str, Any] = {
    "group": "real.example.com",
    "kind": "Everything",
    "short_names": ["ev"],
    "categories": ["all"],
    "labels": {"a": "b"},
    "annotations": {"example.com/note": "yes"},
}


class EverythingV1(
    kw.Resource,
    version="v1",
    storage=True,
    columns=[
        kw.Column("Image", ".spec.image", description="Which."),
        kw.Column("Replicas", ".status.replicas", priority=1),
        kw.Column("Ready", '.status.conditions[?(@.type=="Ready")].status'),
        kw.Column("Age", ".metadata.creationTimestamp"),
    ],
    scale=kw.Scale(".spec.replicas", ".status.replicas", ".status.selector"),
    selectable_fields=[".spec.color", ".spec.enabled"],
    **LINE,
):
    """Everything."""

    spec: Spec
    status: State = kw.field(default_factory=State)


class EverythingV1Beta1(kw.Resource, version="v1beta1", deprecated="use v1", **LINE):
    spec: Spec


class EverythingV1Alpha1(kw.Resource, version="v1alpha1", served=False, **LINE):
    spec: Annotated[dict[str, Any], kw.PreserveUnknown()] = kw.field(default_factory=dict)


class Wide(kw.Resource, group="real.example.com", version="v1", scope="Cluster", plural="wides"):
    note: str = ""


@pytest.mark.real
def test_the_server_takes_our_crds_with_strict_validation_and_keeps_them_as_they_are(real_cluster: RealCluster) -> None:
    for crd in (crd_of(EverythingV1, EverythingV1Beta1, EverythingV1Alpha1), crd_of(Wide)):
        result = real_cluster.kubectl("create", "--validate=strict", "-f", "-", "-o", "json", input=json.dumps(crd))
        assert result.returncode == 0, result.stderr
        kept = json.loads(result.stdout)
        assert kept["spec"] == crd["spec"] | {"conversion": {"strategy": "None"}}
        assert kept["metadata"]["name"] == crd["metadata"]["name"]
