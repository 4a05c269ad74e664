from tests.cluster.registry.custom.things import defined, schema, thing, version

from kubewright.cluster.registry.custom import custom_resources, stored_resource

PARTS = {"status": {}, "scale": {"specReplicasPath": ".spec.a", "statusReplicasPath": ".status.a"}}


def test_versions_that_are_not_served_are_no_resources() -> None:
    definition = defined(version("v1"), {**version("v2", storage=False), "served": False})
    assert [made.version for made in custom_resources(definition)] == ["v1"]


def test_the_stored_version_is_there_for_who_needs_it_though_it_is_not_served() -> None:
    definition = defined({**version("v1"), "served": False}, version("v2", storage=False))
    assert stored_resource(definition).version == "v1"


def test_versions_share_what_is_stored() -> None:
    made = custom_resources(defined(version("v1"), version("v2", storage=False)))
    assert {each.key("default", "a") for each in made} == {"/things.example.com/default/a"}
    assert len({each.storage_version_hash for each in made}) == 1


def test_the_status_comes_before_the_scale() -> None:
    [made] = custom_resources(defined(version(subresources=PARTS)))
    assert [sub.name for sub in made.subresources] == ["status", "scale"]


def test_selectable_fields_are_read_as_texts() -> None:
    openapi = schema(a={"type": "string"}, b={"type": "boolean"}, c={"type": "integer"})
    fields = [{"jsonPath": f".spec.{name}"} for name in "abc"]
    [made] = custom_resources(defined(version(openapi=openapi, selectableFields=fields)))
    obj = thing({"b": True, "c": 5})
    assert {name: read(obj) for name, read in made.fields.items()} == {"spec.a": "", "spec.b": "true", "spec.c": "5"}


def test_a_deprecated_version_says_which_to_use_instead() -> None:
    versions = (version("v1", deprecated=True), version("v2beta1", storage=False), version("v3", storage=False))
    made = custom_resources(defined(*versions))
    assert made[0].warnings == ("example.com/v1 Thing is deprecated; use example.com/v3 Thing",)
    assert made[2].warnings == ()


def test_a_deprecated_version_may_say_so_in_its_own_words() -> None:
    [made] = custom_resources(defined(version(deprecated=True, deprecationWarning="go on")))
    assert made.warnings == ("go on",)


def test_a_deprecated_version_that_nothing_replaces_says_no_more() -> None:
    made = custom_resources(defined(version("v2", deprecated=True), version("v1", storage=False)))
    assert made[0].warnings == ("example.com/v2 Thing is deprecated",)
