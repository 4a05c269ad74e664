import pytest
from tests.cluster.discovery.definitions import DEFINITIONS, SIMPLE, definition, version
from tests.cluster.discovery.served import builtin_registry, custom

from kubewright.cluster.discovery.groups import (
    group_document,
    group_list,
    groups,
    legacy_versions,
    members,
    resource_list,
)


def test_groups_of_crds_follow_the_built_in_ones_by_name() -> None:
    listed = list(groups(builtin_registry(*reversed(DEFINITIONS))))
    assert listed[0] == "apiregistration.k8s.io"
    assert listed[-4:] == ["acme.io", "lab.k8s.io", "stable.example.com", "zeta.stable.example.com"]


def test_a_crd_in_a_built_in_group_comes_behind_its_versions() -> None:
    crd = definition("storage.k8s.io", "things", "Thing", version("v2", SIMPLE, storage=True))
    registry = builtin_registry(crd)
    assert groups(registry)["storage.k8s.io"] == ["v1", "v2"]
    assert list(groups(registry)) == list(groups(builtin_registry()))


def test_resources_of_crds_are_told_by_name_whenever_they_came() -> None:
    registry = builtin_registry(*DEFINITIONS)
    assert [each.names.plural for each in members(registry, "stable.example.com", "v1")] == ["gadgets", "widgets"]


def test_a_group_tells_its_preferred_version() -> None:
    registry = builtin_registry()
    found = group_document(registry, "autoscaling")
    assert found is not None
    assert found["preferredVersion"] == {"groupVersion": "autoscaling/v2", "version": "v2"}
    assert {key: found[key] for key in ("name", "versions", "preferredVersion")} in group_list(registry)["groups"]


@pytest.mark.parametrize("group", ["nosuch", ""])
def test_there_is_no_document_of_a_group_that_is_not_served(group: str) -> None:
    assert group_document(builtin_registry(), group) is None


def test_there_is_no_list_of_a_version_that_is_not_served() -> None:
    assert resource_list(builtin_registry(), "apps", "v7") is None


def test_an_entry_of_a_crd_lists_verbs_in_the_servers_order_and_status_before_scale() -> None:
    found = resource_list(builtin_registry(*DEFINITIONS), "stable.example.com", "v1")
    assert found is not None
    _gadgets, widgets, status, scale = found["resources"]
    assert widgets == {
        "name": "widgets",
        "singularName": "widget",
        "namespaced": True,
        "kind": "Widget",
        "verbs": ("delete", "deletecollection", "get", "list", "patch", "create", "update", "watch"),
        "shortNames": ["wg", "wgt"],
        "categories": ["all", "toys"],
        "storageVersionHash": "2vCiI1Gcs2s=",
    }
    assert status == {
        "name": "widgets/status",
        "singularName": "",
        "namespaced": True,
        "kind": "Widget",
        "verbs": ("get", "patch", "update"),
    }
    assert (scale["name"], scale["kind"]) == ("widgets/scale", "Scale")
    assert (scale["group"], scale["version"]) == ("autoscaling", "v1")


def test_the_core_group_does_not_say_the_version_of_its_list() -> None:
    found = resource_list(builtin_registry(), "", "v1")
    assert found is not None
    assert list(found) == ["kind", "groupVersion", "resources"]


def test_a_crd_that_goes_is_told_no_more() -> None:
    registry = builtin_registry(*DEFINITIONS)
    gone = registry.resources("lab.k8s.io", "v1")
    registry.replace(gone, ())
    assert "lab.k8s.io" not in groups(registry)


def test_a_version_that_is_not_served_is_not_told() -> None:
    assert "v1alpha1" not in [resource.version for resource in custom(DEFINITIONS[0])]
    assert groups(builtin_registry(*DEFINITIONS))["stable.example.com"] == ["v1", "v1beta1", "v2alpha1"]


def test_the_legacy_root_tells_where_the_server_is() -> None:
    assert legacy_versions("127.0.0.1:6443")["serverAddressByClientCIDRs"] == [
        {"clientCIDR": "0.0.0.0/0", "serverAddress": "127.0.0.1:6443"}
    ]
