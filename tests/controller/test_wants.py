"""What a controller wants of each kind."""

from typing import Any

import pytest
from tests.cache.test_selection import held

import kubewright as kw
from kubewright.client.endpoint import endpoint_of
from kubewright.controller.declaration import WiringError
from kubewright.controller.source import SourceError
from kubewright.controller.wants import Wants, merge, view
from kubewright.k8s.core.v1 import ConfigMap, Namespace, Secret, Service

SECRETS, MAPS = endpoint_of(Secret), endpoint_of(ConfigMap)


def controller(kind: Any = ConfigMap, **options: Any) -> Any:
    async def nothing(obj: Any, ctx: kw.Context) -> None:
        """Nothing."""

    return kw.controller(kind, **options)(nothing)


def nobody(obj: Any) -> list[str]:
    return []


def test_kinds_that_are_owned_or_read_are_kept_whole_and_watched_ones_as_metadata() -> None:
    watch = kw.watch(Secret, map=nobody)
    found = Wants(controller(owns=[Service], watches=[watch])).all()
    assert {each.kind: of.metadata_only for each, of in found.items()} == {
        "ConfigMap": False,
        "Service": False,
        "Secret": True,
    }
    wants = [Wants(controller(watches=[watch])), Wants(controller(reads=[Secret]))]
    assert not merge(*(each.all() for each in wants))[SECRETS].metadata_only


def test_the_operators_namespaces_are_for_controllers_that_name_none() -> None:
    assert Wants(controller(), ["a", "b"]).own.namespaces == ("a", "b")
    assert Wants(controller(namespaces=["c"]), ["a", "b"]).own.namespaces == ("c",)
    assert Wants(controller(reads=[Secret]), ["a"]).read[SECRETS].namespaces == ("a",)


def test_kinds_in_no_namespace_are_read_whole_by_a_controller_in_some() -> None:
    assert Wants(controller(namespaces=["a"], reads=[Namespace])).read[endpoint_of(Namespace)].namespaces == ()


def test_only_some_of_a_kind_are_followed_where_that_is_said() -> None:
    some = kw.only(Secret, labels="app=web", namespaces=["vault"])
    for options in ({"reads": [some]}, {"owns": [some]}, {"watches": [kw.watch(some, map=nobody)]}):
        found = Wants(controller(namespaces=["a"], **options)).all()[SECRETS]
        assert (str(found.labels), found.namespaces) == ("app=web", ("vault",))


def test_fields_narrow_what_is_read_and_watched() -> None:
    some = kw.only(Secret, fields="metadata.name=web")
    for options in ({"reads": [some]}, {"watches": [kw.watch(some, map=nobody)]}):
        assert str(Wants(controller(**options)).all()[SECRETS].fields) == "metadata.name=web"
    narrow, wide = Wants(controller(reads=[some])), Wants(controller(reads=[Secret]))
    both = merge(narrow.all(), wide.all())[SECRETS]
    assert both.fields.empty
    sees = view(narrow.read[SECRETS], both)
    assert sees is not None
    assert not sees(held("x", {}))
    assert view(wide.read[SECRETS], both) is None


def test_children_are_not_narrowed_by_fields() -> None:
    with pytest.raises(WiringError, match="owns has Secret with fields="):
        controller(owns=[kw.only(Secret, fields="metadata.name=web")])


def test_a_controller_for_some_of_a_kind_may_read_all_of_it() -> None:
    wants = Wants(controller(labels="tier=gold", reads=[ConfigMap]))
    assert str(wants.own.labels) == "tier=gold"
    assert wants.read[MAPS].labels.empty
    assert wants.all()[MAPS].labels.empty


def test_in_a_cache_that_holds_more_each_sees_its_own() -> None:
    gold = Wants(controller(labels="tier=gold", namespaces=["a"])).own
    sees = view(gold, gold | Wants(controller(labels="tier=silver")).own)
    assert sees is not None
    assert sees(held("a", {"tier": "gold"}))
    assert not sees(held("a", {"tier": "silver"}))
    assert not sees(held("b", {"tier": "gold"}))
    assert view(gold, gold) is None


def test_what_leaves_nothing_out_or_is_no_list_is_refused() -> None:
    with pytest.raises(SourceError, match="leaves nothing out"):
        kw.only(Secret)
    with pytest.raises(SourceError, match="is a list"):
        kw.only(Secret, namespaces="vault")
    with pytest.raises(WiringError, match="twice"):
        controller(reads=[Secret, kw.only(Secret, labels="a=1")])
