from tests.cluster.fields.shapes import no_types

from kubewright.cluster.fields.openapi import Shapes, custom_shape
from kubewright.cluster.fields.shape import ATOMIC, DEDUCED, Shape
from kubewright.cluster.registry.tracking import builtin_shapes


def _shape(schema: dict[str, object]) -> Shape:
    return Shapes(no_types).of(schema, keep=False)


def test_scalars() -> None:
    assert _shape({"type": "integer"}).scalar == "numeric"
    assert _shape({"type": "boolean"}).scalar == "boolean"
    assert _shape({"type": "string"}).scalar == "string"
    assert _shape({"type": "string", "format": "byte"}).scalar == "string"
    assert _shape({"type": "string", "format": "date-time"}).scalar == "untyped"


def test_a_schema_without_a_type_is_anything() -> None:
    shape = _shape({"x-kubernetes-int-or-string": True})
    assert (shape.scalar, shape.items is None, shape.members is None) == ("untyped", False, False)


def test_a_list_is_atomic_unless_it_is_marked() -> None:
    items = _shape({"type": "array", "items": {"type": "string"}}).items
    assert items is not None
    assert items.atomic
    marked = _shape({"type": "array", "x-kubernetes-list-type": "set", "items": {"type": "string"}}).items
    assert marked is not None
    assert not marked.atomic
    assert marked.keys == ()


def test_the_older_mark_counts_where_there_is_no_newer() -> None:
    old = {"x-kubernetes-patch-strategy": "merge,retainKeys", "x-kubernetes-patch-merge-key": "name"}
    items = _shape({"type": "array", "items": {"type": "object"}, **old}).items
    assert items is not None
    assert (items.atomic, items.keys) == (False, ("name",))
    newer = _shape({"type": "array", "items": {"type": "object"}, **old, "x-kubernetes-list-type": "atomic"}).items
    assert newer is not None
    assert newer.atomic


def test_an_object_that_declares_nothing_is_deduced() -> None:
    members = _shape({"type": "object"}).members
    assert members is not None
    assert members.item is DEDUCED


def test_what_keeps_unknown_fields_does_so_below_too() -> None:
    inner = {"type": "object", "properties": {"b": {"type": "string"}}}
    schema = {"type": "object", "x-kubernetes-preserve-unknown-fields": True, "properties": {"a": inner}}
    members = _shape(schema).members
    assert members is not None
    assert members.item is DEDUCED
    below = members.of("a").members
    assert below is not None
    assert below.item is DEDUCED


def test_a_mark_beside_a_reference_overrides_the_type() -> None:
    name = "io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta"
    reference = {"allOf": [{"$ref": f"#/components/schemas/{name}"}], "x-kubernetes-map-type": "atomic"}
    shapes = Shapes(no_types)
    marked, plain = shapes.of(reference, keep=False).members, shapes.named(name).members
    assert marked is not None
    assert plain is not None
    assert (marked.atomic, plain.atomic) == (True, False)


def test_an_object_of_a_definition_has_metadata() -> None:
    members = custom_shape({"type": "object", "properties": {"spec": {"type": "string"}}}, Shapes(no_types)).members
    assert members is not None
    assert {*members.fields} == {"apiVersion", "kind", "metadata", "spec"}
    assert members.item is None


def test_a_definition_without_a_schema_is_deduced() -> None:
    assert custom_shape({}, Shapes(no_types)) is DEDUCED


def test_containers_of_a_pod_are_told_apart_by_name_and_their_ports_by_port_and_protocol() -> None:
    spec = builtin_shapes().named("io.k8s.api.core.v1.PodSpec").members
    assert spec is not None
    containers = spec.of("containers").items
    assert containers is not None
    assert (containers.atomic, containers.keys) == (False, ("name",))
    container = containers.item.members
    assert container is not None
    ports = container.of("ports").items
    assert ports is not None
    assert ports.keys == ("containerPort", "protocol")
    port = ports.item.members
    assert port is not None
    assert port.defaults["protocol"] == "TCP"


def test_quantities_and_raw_objects_are_what_they_are() -> None:
    shapes = builtin_shapes()
    assert shapes.named("io.k8s.apimachinery.pkg.api.resource.Quantity").scalar == "untyped"
    assert shapes.named("io.k8s.apimachinery.pkg.runtime.RawExtension") is ATOMIC
