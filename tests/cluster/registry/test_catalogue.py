from pathlib import Path

import pytest

from kubewright.cluster.registry.catalogue import Entry, builtin_entries, storage_version_hash
from kubewright.model.resource import GroupVersionKind
from tools import catalogue


def entry(group: str, plural: str) -> Entry:
    return next(each for each in builtin_entries() if (each.group, each.plural) == (group, plural))


def test_groups_come_in_the_order_of_their_priority() -> None:
    groups = dict.fromkeys(each.group for each in builtin_entries())
    assert list(groups)[:5] == ["", "apiregistration.k8s.io", "apps", "events.k8s.io", "authentication.k8s.io"]


def test_the_newest_version_of_a_group_comes_first() -> None:
    assert [each.version for each in builtin_entries() if each.group == "autoscaling"] == ["v2", "v1"]


def test_what_is_not_served_by_default_is_not_there() -> None:
    assert not [each for each in builtin_entries() if "alpha" in each.version or "beta" in each.version]


def test_no_resource_is_listed_twice() -> None:
    found = [(each.group, each.version, each.plural) for each in builtin_entries()]
    assert len(set(found)) == len(found) == 68


def test_a_resource_tells_its_names_verbs_and_categories() -> None:
    deployments = entry("apps", "deployments")
    assert (deployments.singular, deployments.kind, deployments.namespaced) == ("deployment", "Deployment", True)
    assert deployments.short_names == ("deploy",)
    assert deployments.categories == ("all",)
    assert deployments.verbs == (*("create", "delete", "deletecollection", "get", "list", "patch", "update", "watch"),)


def test_a_subresource_tells_the_kind_that_is_spoken_there() -> None:
    kinds = {sub.name: sub.kind for sub in entry("", "pods").subresources}
    assert kinds["status"] == GroupVersionKind("", "v1", "Pod")
    assert kinds["eviction"] == GroupVersionKind("policy", "v1", "Eviction")
    assert kinds["exec"] == GroupVersionKind("", "v1", "PodExecOptions")


def test_versions_of_one_stored_thing_share_their_hash() -> None:
    hashes = {each.storage_version_hash for each in builtin_entries() if each.plural == "horizontalpodautoscalers"}
    assert hashes == {storage_version_hash("autoscaling", "v2", "HorizontalPodAutoscaler")}
    assert entry("", "events").storage_version_hash == entry("events.k8s.io", "events").storage_version_hash


def test_descriptions_go_and_a_property_of_that_name_stays() -> None:
    schema = {"description": "text", "properties": {"description": {"type": "string", "description": "text"}}}
    assert catalogue.without_descriptions(schema) == {"properties": {"description": {"type": "string"}}}


@pytest.mark.real
@pytest.mark.usefixtures("real_binaries")
def test_the_files_are_what_the_server_tells(tmp_path: Path) -> None:
    for made in catalogue.generate(tmp_path):
        assert made.read_bytes() == (catalogue.TARGET / made.relative_to(tmp_path)).read_bytes()
