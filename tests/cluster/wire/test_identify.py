"""What a document says of itself."""

import pytest

from kubewright.cluster.wire.identify import go_package, interpret
from kubewright.cluster.wire.unreadable import Unreadable
from kubewright.model.resource import GroupVersionKind


def test_letters_count_whatever_their_case_and_the_last_one_wins() -> None:
    document = {"kind": "A", "KIND": "B", "ApiVersion": "apps/v1"}
    assert interpret(document) == GroupVersionKind("apps", "v1", "B")


def test_null_says_nothing() -> None:
    assert interpret({"kind": None, "apiVersion": None}) == GroupVersionKind("", "", "")


def test_a_slash_too_many_is_no_version() -> None:
    with pytest.raises(Unreadable, match=r"^unexpected GroupVersion string: a/b/c$"):
        interpret({"apiVersion": "a/b/c"})


@pytest.mark.parametrize(("value", "name"), [(1, "number"), (True, "bool"), ([], "array"), ({}, "object")])
def test_a_kind_is_a_text(value: object, name: str) -> None:
    with pytest.raises(Unreadable, match=rf"cannot unmarshal {name} into Go struct field \.kind of type string$"):
        interpret({"kind": value})


def test_groups_of_custom_resources_have_no_package() -> None:
    assert [go_package(each) for each in ("v1", "apps/v1", "events.k8s.io/v1", "snapshot.storage.k8s.io/v1")] == [
        "core",
        "apps",
        "core",
        None,
    ]
