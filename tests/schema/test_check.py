"""A unit test of an operator's kind needs no server to ask what a server would say."""

from typing import Annotated, Any

import pytest

import kubewright as kw
from kubewright.schema.check import check
from kubewright.schema.crd import crd_of


class Spec(kw.Model):
    """What the user wants."""

    image: Annotated[str, kw.MinLength(1), kw.MaxLength(50)]
    replicas: Annotated[int, kw.Range(0, 100)] = 1


class WebServer(kw.Resource, group="web.example.com", version="v1"):
    """A server."""

    spec: Spec

    @kw.rule("replicas may not shrink by more than half at once")
    def gentle_shrink(self, old: "WebServer") -> bool:
        return self.spec.replicas * 2 >= old.spec.replicas

    @kw.rule("many replicas need a tagged image")
    def tagged(self) -> bool:
        return self.spec.replicas < 10 or ":" in self.spec.image


def web(image: str = "nginx", replicas: int = 1) -> WebServer:
    return WebServer(metadata=kw.ObjectMeta(name="w"), spec=Spec(image=image, replicas=replicas))


def test_an_object_that_a_server_would_take_has_no_errors() -> None:
    assert check(web()) == []


def test_the_rules_of_a_kind_are_run() -> None:
    (error,) = check(web(replicas=20))
    assert str(error) == "<nil>: Invalid value: many replicas need a tagged image"


def test_rules_about_a_change_are_run_on_an_update() -> None:
    (error,) = check(web(replicas=1), old=web(replicas=5))
    assert "shrink" in error.message


def test_what_does_not_fit_the_schema_keeps_rules_from_running() -> None:
    document = kw.to_dict(web()) | {"spec": {"image": 7, "replicas": 50}}
    (error,) = check(document, crd_of(WebServer))
    assert error.field == "spec.image"


def test_defaults_are_filled_in_before_rules_run() -> None:
    document: dict[str, Any] = {
        "apiVersion": "web.example.com/v1",
        "kind": "WebServer",
        "metadata": {"name": "w"},
        "spec": {"image": "nginx"},
    }
    assert check(document, crd_of(WebServer)) == []
    assert "replicas" not in document["spec"]


def test_a_document_needs_its_crd_and_its_version() -> None:
    with pytest.raises(ValueError, match="give its CRD"):
        check(kw.to_dict(web()))
    with pytest.raises(ValueError, match=r"has no 'web.example.com/v2'; it has web.example.com/v1"):
        check(kw.to_dict(web()) | {"apiVersion": "web.example.com/v2"}, crd_of(WebServer))
