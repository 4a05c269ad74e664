"""Which caches an operator needs."""

from typing import Any

import kubewright as kw
from kubewright.client.endpoint import endpoint_of
from kubewright.k8s.core.v1 import ConfigMap, Namespace, Secret, Service
from kubewright.operator.selections import select


def controller(kind: Any = ConfigMap, **options: Any) -> Any:
    async def nothing(obj: Any, ctx: kw.Context) -> None:
        """Nothing."""

    return kw.controller(kind, **options)(nothing)


def test_kinds_that_are_owned_or_read_are_kept_whole_and_watched_ones_as_metadata() -> None:
    watch = kw.watch(Secret, map=lambda secret: [])
    found = select([controller(owns=[Service], watches=[watch])])
    assert {each.kind: of.metadata_only for each, of in found.items()} == {
        "ConfigMap": False,
        "Service": False,
        "Secret": True,
    }
    read = select([controller(watches=[watch]), controller(reads=[Secret])])
    assert not read[endpoint_of(Secret)].metadata_only


def test_different_labels_are_all_objects_and_equal_ones_are_kept() -> None:
    assert str(select([controller(labels="a=1"), controller(labels="a=1")])[endpoint_of(ConfigMap)].labels) == "a=1"
    assert select([controller(labels="a=1"), controller(labels="a=2")])[endpoint_of(ConfigMap)].labels.empty


def test_namespaces_add_up_and_one_that_wants_all_has_all() -> None:
    some = [controller(namespaces=["b"]), controller(namespaces=["a"])]
    assert select(some)[endpoint_of(ConfigMap)].namespaces == ("a", "b")
    assert select([*some, controller()])[endpoint_of(ConfigMap)].namespaces == ()


def test_kinds_in_no_namespace_are_read_whole_by_a_controller_in_some() -> None:
    found = select([controller(namespaces=["a"], reads=[Namespace])])
    assert found[endpoint_of(Namespace)].namespaces == ()
