"""Children as they are sent, and those that are refused."""

from datetime import datetime, timedelta, timezone
from typing import Any

import msgspec
import pytest

import kubewright as kw
from kubewright.cache import Cached, Key
from kubewright.cache.header import Header
from kubewright.client.endpoint import endpoint_of
from kubewright.controller.children import MANAGED_BY, ChildError, Owner, check_owner, configure
from kubewright.k8s.apps.v1 import Deployment
from kubewright.k8s.core.v1 import (
    ConfigMap,
    Container,
    Namespace,
    Pod,
    PodSpec,
    PodStatus,
    ResourceRequirements,
)
from kubewright.model.codec import image
from kubewright.model.documents import dump_json
from kubewright.model.metadata import ObjectMeta, OwnerReference
from kubewright.model.quantity import Quantity
from kubewright.model.resource import Resource

SHOP = Owner(endpoint_of(Deployment), Key("default", "shop"), "u1")
CLUSTERWIDE = Owner(endpoint_of(Namespace), Key("", "root"), "u2")
CONFIGS = endpoint_of(ConfigMap)


def child(**metadata: Any) -> ConfigMap:
    return ConfigMap(metadata=ObjectMeta(**{"name": "c", **metadata}), data={"a": "1"})


def live(*owners: dict[str, Any]) -> Cached:
    meta = {"name": "c", "namespace": "default", "uid": "x", "resourceVersion": "1", "ownerReferences": list(owners)}
    return Header(None).read(msgspec.json.encode({"metadata": meta}))  # type: ignore[arg-type]


def test_a_child_has_its_owner_its_namespace_and_who_made_it() -> None:
    key, config = configure(child(labels={"app": "shop"}), CONFIGS, SHOP, "web-operator")
    assert key == Key("default", "c")
    assert config == {
        "apiVersion": "v1",
        "kind": "ConfigMap",
        "metadata": {
            "name": "c",
            "namespace": "default",
            "labels": {MANAGED_BY: "web-operator", "app": "shop"},
            "ownerReferences": [SHOP.reference],
        },
        "data": {"a": "1"},
    }


def lent() -> ConfigMap:
    """One of which a map was lent and left empty, and another filled."""
    made = child()
    assert not made.binary_data
    made.metadata.labels["app"] = "shop"
    assert not made.metadata.annotations
    return made


def timed() -> Pod:
    moment = datetime(2026, 1, 1, 12, 0, 0, 500_000, timezone(timedelta(hours=1)))
    return Pod(metadata=ObjectMeta(name="c"), status=PodStatus(start_time=moment))


@pytest.mark.parametrize(
    "made",
    [
        child(),
        child(
            labels={"app": "shop"},
            namespace="default",
            owner_references=[OwnerReference(api_version="v1", kind="Pod", name="x", uid="u9")],
        ),
        ConfigMap(metadata=ObjectMeta(name="c"), data={"a": "null", "b": "~lent", "~raw": "c"}),
        ConfigMap(metadata=ObjectMeta(name="c"), data={"a": None}),  # type: ignore[dict-item]  # what users give
        lent(),
        timed(),
        Pod(
            metadata=ObjectMeta(name="c"),
            spec=PodSpec(
                containers=[Container(name="a", resources=ResourceRequirements(limits={"cpu": Quantity("1")}))]
            ),
        ),
        kw.decode(b'{"metadata": {"name": "c", "odd": 1}, "data": {"a": "1"}, "more": [1]}', ConfigMap),
    ],
    ids=lambda made: type(made).__name__,
)
def test_a_child_that_is_written_already_is_configured_alike(made: Resource) -> None:
    endpoint = endpoint_of(type(made))
    key, config = configure(made, endpoint, SHOP, "web-operator")
    text = image(made)
    assert text is not None
    again, parts = configure(made, endpoint, SHOP, "web-operator", text if made._raw is msgspec.UNSET else None)
    assert again == key
    assert msgspec.json.decode(dump_json(parts)) == config
    assert isinstance(parts["metadata"], dict)


def test_a_label_that_a_child_has_already_stays() -> None:
    _, config = configure(child(labels={MANAGED_BY: "helm"}), CONFIGS, SHOP, "web-operator")
    assert config["metadata"]["labels"] == {MANAGED_BY: "helm"}


def test_a_document_is_a_child_too_and_is_not_changed() -> None:
    document: dict[str, Any] = {"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "c"}}
    key, config = configure(document, CONFIGS, SHOP, "web-operator")
    assert (key.name, config["metadata"]["namespace"]) == ("c", "default")
    assert document["metadata"] == {"name": "c"}


@pytest.mark.parametrize(
    ("metadata", "words"),
    [
        (5, "the metadata of a child ConfigMap are 5"),
        ({"name": 5}, "metadata.name of a child ConfigMap is 5: it must be a text"),
        ({"name": "c", "labels": ["x"]}, "metadata.labels of a child ConfigMap .* must be an object"),
        ({"name": "c", "ownerReferences": ["x"]}, "must be a list of objects"),
        ({"name": "c", "ownerReferences": {}}, "must be a list of objects"),
    ],
)
def test_a_document_whose_metadata_are_of_another_form_is_refused(metadata: Any, words: str) -> None:
    with pytest.raises(ChildError, match=words):
        configure({"metadata": metadata}, CONFIGS, SHOP, "web-operator")


def test_other_owners_stay_and_another_controller_is_refused() -> None:
    other = OwnerReference(api_version="v1", kind="Pod", name="p", uid="p")
    _, config = configure(child(owner_references=[other]), CONFIGS, SHOP, "web-operator")
    assert [each["uid"] for each in config["metadata"]["ownerReferences"]] == ["p", "u1"]
    other.controller = True
    with pytest.raises(ChildError, match="another controller"):
        configure(child(owner_references=[other]), CONFIGS, SHOP, "web-operator")


@pytest.mark.parametrize(
    ("words", "owner", "made"),
    [
        ("no name", SHOP, child(name="")),
        ("another namespace", SHOP, child(namespace="other")),
        ("say which", CLUSTERWIDE, child()),
        ("was read from the API", SHOP, child(resource_version="5")),
        ("collected at once", SHOP, Namespace(metadata=ObjectMeta(name="n"))),
    ],
)
def test_a_child_that_cannot_be_one_is_refused_in_a_sentence(words: str, owner: Owner, made: Any) -> None:
    with pytest.raises(ChildError, match=words) as caught:
        configure(made, endpoint_of(type(made)), owner, "web-operator")
    assert "\n" not in str(caught.value)


def test_an_owner_in_no_namespace_has_children_in_any() -> None:
    key, _ = configure(child(namespace="x"), CONFIGS, CLUSTERWIDE, "web-operator")
    assert key == Key("x", "c")


def test_what_is_ours_may_be_touched_and_what_is_not_may_not() -> None:
    check_owner(live({"uid": "u1", "controller": True}), CONFIGS, SHOP, adopt=False)
    with pytest.raises(ChildError, match="adopt=True"):
        check_owner(live(), CONFIGS, SHOP, adopt=False)
    with pytest.raises(ChildError, match="adopt=True"):
        check_owner(live({"uid": "u1"}), CONFIGS, SHOP, adopt=False)  # an owner, but not the controller
    check_owner(live(), CONFIGS, SHOP, adopt=True)


def test_what_another_controls_is_never_taken() -> None:
    with pytest.raises(ChildError, match="controlled by Pod"):
        check_owner(live({"uid": "p", "kind": "Pod", "name": "p", "controller": True}), CONFIGS, SHOP, adopt=True)


def test_what_an_earlier_owner_of_the_same_name_left_is_waited_for() -> None:
    reference = {"uid": "u0", "apiVersion": "apps/v1beta2", "kind": "Deployment", "name": "shop", "controller": True}
    with pytest.raises(ChildError, match="still that of an earlier Deployment default/shop, which is gone"):
        check_owner(live(reference), CONFIGS, SHOP, adopt=True)
    with pytest.raises(ChildError, match="is controlled by Deployment 'shop'"):
        check_owner(live(reference | {"apiVersion": "example.com/v1"}), CONFIGS, SHOP, adopt=True)
