"""What a type checker sees: this file is checked with `mypy --strict` by `make lint`, without a plugin.

`assert_type` fails there if the checker thinks otherwise, and an `ignore` that hides no error is an error itself.
"""

from datetime import datetime
from typing import Annotated, assert_type

import pytest

import kubewright as kw


class Spec(kw.Model):
    image: Annotated[str, kw.MinLength(1)]
    replicas: Annotated[int, kw.Range(0, 100)] = 1
    note: str | None = None
    labels: dict[str, str] = kw.field(default_factory=dict)
    size: kw.Quantity = kw.Quantity("1Gi")
    cidr: str = kw.field(default="", wire="podCIDR")


class Web(kw.Resource, group="web.example.com", version="v1"):
    spec: Spec
    status: kw.Status = kw.field(default_factory=kw.Status)


def test_fields_have_the_types_they_were_declared_with() -> None:
    web = kw.decode(b'{"spec": {"image": "nginx"}}', Web)
    assert_type(web, Web)
    assert_type(web.spec.image, str)
    assert_type(web.spec.replicas, int)
    assert_type(web.spec.note, str | None)
    assert_type(web.spec.labels, dict[str, str])
    assert_type(web.spec.size, kw.Quantity)
    assert_type(web.metadata.name, str)
    assert_type(web.metadata.creation_timestamp, datetime | None)
    assert_type(web.status.conditions, list[kw.Condition])
    assert_type(web.kind, str)


def test_constructors_are_checked() -> None:
    assert kw.to_dict(Spec(image="nginx", cidr="10.0.0.0/8")) == {"image": "nginx", "podCIDR": "10.0.0.0/8"}
    Spec(image=3)  # type: ignore[arg-type]
    with pytest.raises(TypeError):
        Spec()  # type: ignore[call-arg]
    with pytest.raises(TypeError):
        Spec("nginx")  # type: ignore[call-arg]
    with pytest.raises(AttributeError):
        _ = Web(spec=Spec(image="nginx")).spec.imag  # type: ignore[attr-defined]


def test_a_name_that_is_not_there_is_seen() -> None:
    import kubewright.client
    import kubewright.cluster
    import kubewright.cluster.nodes
    import kubewright.observe

    with pytest.raises(AttributeError):
        _ = kw.Resourse  # type: ignore[attr-defined]
    with pytest.raises(AttributeError):
        _ = kubewright.client.Apy  # type: ignore[attr-defined]
    with pytest.raises(AttributeError):
        _ = kubewright.cluster.Claster  # type: ignore[attr-defined]
    with pytest.raises(AttributeError):
        _ = kubewright.cluster.nodes.Knots  # type: ignore[attr-defined]
    with pytest.raises(AttributeError):
        _ = kubewright.observe.Metric  # type: ignore[attr-defined]
