from typing import Any

import pytest

import kubewright as kw
from kubewright.model.resource import ResourceMeta, definition_of


def define(**line: Any) -> Any:
    return ResourceMeta("Web", (kw.Resource,), {"__module__": __name__, "__annotations__": {}}, **line)


def test_names_follow_from_the_class() -> None:
    definition = definition_of(define(group="web.example.com", version="v1"))
    assert (definition.kind, definition.plural, definition.singular, definition.list_kind) == (
        "Web",
        "webs",
        "web",
        "WebList",
    )
    assert definition.crd_name == "webs.web.example.com"
    assert definition.gvk == ("web.example.com", "v1", "Web")


def test_class_and_instance_know_their_kind() -> None:
    web = define(group="web.example.com", version="v1", kind="WebServer")
    assert (web.api_version, web.kind, web().kind) == ("web.example.com/v1", "WebServer", "WebServer")


def test_a_resource_without_a_group_is_abstract() -> None:
    class Shared(kw.Resource):
        note: str = ""

    class Concrete(Shared, group="web.example.com", version="v1"):
        pass

    assert Concrete(note="x").note == "x"
    assert definition_of(Concrete).kind == "Concrete"
    with pytest.raises(kw.DefinitionError, match=r"Shared is not a kind: its class line has no group and version"):
        definition_of(Shared)


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ({"group": "web.example.com"}, r"Web: a kind has both a group and a version"),
        ({"group": "web", "version": "v1"}, r'Web: group="web" is no DNS name with a dot'),
        ({"group": "Web.Example.com", "version": "v1"}, r'Web: group="Web.Example.com"'),
        ({"group": "x.k8s.io", "version": "v1"}, r'Web: the group "x.k8s.io" is one of Kubernetes. own'),
        ({"group": "a.b", "version": "v1", "labels": {"a": 3}}, r"Web: labels are strings, 'a': 3 are not both"),
        ({"group": "a.b", "version": "v1", "bogus": 3}, r"Web: the class line has no option bogus"),
        ({"group": "a.b", "version": "1"}, r'Web: version="1" must be lower-case'),
        ({"group": "a.b", "version": "v1", "kind": "web"}, r'Web: kind="web" must be CamelCase'),
        ({"group": "a.b", "version": "v1", "plural": "Webs"}, r'Web: plural="Webs" must be lower-case'),
        (
            {"group": "a.b", "version": "v1", "short_names": "ws"},
            r'Web: short_names is a list, as in short_names=\["ws"\]',
        ),
        ({"group": "a.b", "version": "v1", "short_names": ["WS"]}, r'Web: the short name or category "WS"'),
        ({"group": "a.b", "version": "v1", "scope": "World"}, r'Web: scope="World" must be "Namespaced" or "Cluster"'),
    ],
)
def test_a_class_line_that_cannot_be_is_refused(line: dict[str, Any], message: str) -> None:
    with pytest.raises(kw.DefinitionError, match=message):
        define(**line)
