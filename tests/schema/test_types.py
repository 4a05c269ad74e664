"""Shapes as schemas, where the marker table does not already say it."""

from typing import Annotated, Any, Generic, TypeVar

import pytest

import kubewright as kw
from kubewright.schema.types import schema_of

T = TypeVar("T")


class Git(kw.Model):
    repository: str
    depth: int = 0


class Bucket(kw.Model):
    bucket: str
    depth: int = 0


class Page(kw.Model, Generic[T]):
    items: list[T] = kw.field(default_factory=list)


def properties(model: Any) -> Any:
    return schema_of(model)["properties"]


def test_a_union_of_models_is_one_object_with_exactly_one_of_its_members() -> None:
    class Spec(kw.Model):
        source: Git | Bucket

    assert properties(Spec)["source"] == {
        "type": "object",
        "oneOf": [{"required": ["repository"]}, {"required": ["bucket"]}],
        "properties": {
            "repository": {"type": "string"},
            "depth": {"type": "integer", "format": "int64", "default": 0},
            "bucket": {"type": "string"},
        },
    }


def test_members_of_a_union_may_not_disagree_on_a_field() -> None:
    class Tarball(kw.Model):
        tarball: str
        depth: str = ""

    class Spec(kw.Model):
        source: Git | Tarball

    with pytest.raises(kw.DefinitionError, match=r"Git, Tarball of a union have different fields 'depth'"):
        schema_of(Spec)


def test_a_generic_model_has_the_schema_of_its_argument() -> None:
    class Spec(kw.Model):
        numbers: Page[int] | None = None
        sources: Page[Git] | None = None

    found = properties(Spec)
    assert found["numbers"]["properties"]["items"]["items"] == {"type": "integer", "format": "int64"}
    assert list(found["sources"]["properties"]["items"]["items"]["properties"]) == ["repository", "depth"]


def test_inherited_fields_come_first_and_a_redefinition_wins() -> None:
    class Deep(Git):
        branch: str = "main"
        depth: int = 3

    found = properties(Deep)
    assert list(found) == ["repository", "depth", "branch"]
    assert found["depth"]["default"] == 3


def test_a_default_of_an_object_is_its_document() -> None:
    class Spec(kw.Model):
        source: Git = Git(repository="r")
        size: kw.Quantity = kw.Quantity("1Gi")
        names: list[str] = kw.field(default=["a"])

    found = properties(Spec)
    assert (found["source"]["default"], found["size"]["default"], found["names"]["default"]) == (
        {"repository": "r"},
        "1Gi",
        ["a"],
    )


def test_a_default_factory_stays_out_of_the_schema() -> None:
    assert "default" not in properties(Page)["items"]


def test_metadata_of_an_embedded_template_keeps_what_a_template_needs() -> None:
    class Template(kw.Model):
        metadata: kw.ObjectMeta | None = None

    assert list(properties(Template)["metadata"]["properties"]) == [
        "name",
        "namespace",
        "labels",
        "annotations",
        "finalizers",
    ]


def test_the_fields_description_wins_over_the_classes() -> None:
    class Inner(kw.Model):
        """Of the class."""

    class Outer(kw.Model):
        plain: Inner | None = None
        said: Inner | None = None
        """Of the field."""
        marked: Annotated[Inner | None, kw.Description("Of the marker.")] = None
        """Of the field."""

    found = properties(Outer)
    assert [found[name]["description"] for name in found] == ["Of the class.", "Of the field.", "Of the marker."]


def test_group_rules_use_names_on_the_wire() -> None:
    class Spec(kw.Model, markers=[kw.AtLeastOneOf("pod_ip", "namespace")]):
        pod_ip: str | None = kw.field(default=None, wire="podIP")
        namespace: str | None = None

    (rule,) = schema_of(Spec)["x-kubernetes-validations"]
    assert rule == {
        "rule": "has(self.podIP) || has(self.__namespace__)",
        "message": "at least one of podIP, namespace must be set",
    }


def test_rules_of_a_generic_model_and_of_the_members_of_a_union_are_kept() -> None:
    class Pinned(kw.Model):
        tag: str

        @kw.rule("not latest")
        def pinned(self) -> bool:
            return self.tag != "latest"

        @kw.rule("once said")
        def stays(self, old: "Pinned") -> bool:
            return self.tag == old.tag

    class Spec(kw.Model):
        source: Pinned | Bucket

    rules = [rule["rule"] for rule in properties(Spec)["source"]["x-kubernetes-validations"]]
    assert rules == [
        "!has(self.tag) || (self.tag != 'latest')",
        "!has(self.tag) || !has(oldSelf.tag) || (self.tag == oldSelf.tag)",
    ]
