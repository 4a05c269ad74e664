import json
from hashlib import sha512

from tests.cluster.discovery.definitions import DEFINITIONS
from tests.cluster.discovery.served import builtin_registry

from kubewright.cluster.discovery.aggregated import Aggregate


def test_the_tag_is_the_hash_of_what_is_said() -> None:
    content, tag = Aggregate(builtin_registry()).named()
    head = b'{"kind":"APIGroupDiscoveryList","apiVersion":"apidiscovery.k8s.io/v2",'
    assert content.startswith(head)
    said = b"{" + content.strip().removeprefix(head)
    assert tag.decode() == f'"{sha512(said).hexdigest().upper()}"'


def test_a_crd_changes_the_tag_and_its_going_changes_it_back() -> None:
    registry = builtin_registry()
    aggregate = Aggregate(registry)
    before = aggregate.named()
    added = builtin_registry(DEFINITIONS[3]).resources("lab.k8s.io", "v1")
    registry.replace((), added)
    between = aggregate.named()
    registry.replace(added, ())
    assert between.tag != before.tag
    assert aggregate.named() == before


def test_the_core_group_has_no_name() -> None:
    (item,) = json.loads(Aggregate(builtin_registry()).core().content)["items"]
    assert item["metadata"] == {}
    assert [version["version"] for version in item["versions"]] == ["v1"]


def test_only_custom_kinds_and_foreign_ones_say_their_version() -> None:
    items = json.loads(Aggregate(builtin_registry(*DEFINITIONS)).named().content)["items"]
    told = {item["metadata"]["name"]: item["versions"][0]["resources"] for item in items}
    deployments = next(each for each in told["apps"] if each["resource"] == "deployments")
    assert deployments["responseKind"] == {"group": "", "version": "", "kind": "Deployment"}
    assert deployments["subresources"][0]["responseKind"] == {"group": "autoscaling", "version": "v1", "kind": "Scale"}
    assert told["lab.k8s.io"][0]["responseKind"] == {"group": "lab.k8s.io", "version": "v1", "kind": "Apple"}


def test_what_is_kept_of_a_version_goes_with_its_crd() -> None:
    registry = builtin_registry(*DEFINITIONS)
    aggregate = Aggregate(registry)
    aggregate.named()
    registry.replace(registry.resources("lab.k8s.io", "v1"), ())
    aggregate.named()
    assert b"lab.k8s.io" not in aggregate.named().content
