"""What a Model promises to the code that uses it."""

import copy
import pickle
import types
from typing import Annotated, Any, ClassVar, Generic, Literal, TypeVar

import pytest

import kubewright as kw
from kubewright.k8s.core.v1 import Container
from kubewright.model.meta import fields_of

T = TypeVar("T")


class Port(kw.Model):
    name: str
    number: int = 80


class Spec(kw.Model):
    image: str
    replicas: int = 1
    ports: Annotated[list[Port], kw.ListMap("name")] = kw.field(default_factory=list)
    note: str | None = None
    labels: dict[str, str] = kw.field(default_factory=dict)
    first: Port = Port(name="http")
    pause: Annotated[int | None, kw.Nullable()] = None
    child: "Spec | None" = None


class Page(kw.Model, Generic[T]):
    items: list[T] = kw.field(default_factory=list)


def test_only_what_was_set_is_sent() -> None:
    assert kw.to_dict(Spec(image="nginx")) == {"image": "nginx"}


def test_a_field_set_to_its_default_counts_as_set() -> None:
    assert kw.to_dict(Spec(image="nginx", replicas=1)) == {"image": "nginx", "replicas": 1}


def test_an_assignment_of_the_default_counts_as_set() -> None:
    spec = Spec(image="nginx")
    spec.replicas = 1
    assert kw.to_dict(spec) == {"image": "nginx", "replicas": 1}


def test_an_absent_field_reads_as_its_default() -> None:
    spec = Spec(image="nginx")
    assert (spec.replicas, spec.note, spec.ports, spec.first.name) == (1, None, [], "http")


def test_reading_a_default_sends_nothing() -> None:
    spec = Spec(image="nginx")
    _ = spec.ports, spec.labels, spec.first
    assert kw.to_dict(spec) == {"image": "nginx"}


def test_a_default_filled_in_place_is_sent() -> None:
    spec = Spec(image="nginx")
    spec.labels["app"] = "web"
    spec.ports.append(Port(name="http"))
    spec.first.number = 8080
    assert kw.to_dict(spec) == {
        "image": "nginx",
        "ports": [{"name": "http"}],
        "labels": {"app": "web"},
        "first": {"name": "http", "number": 8080},
    }


def test_defaults_are_not_shared_between_objects() -> None:
    one, other = Spec(image="a"), Spec(image="b")
    one.labels["app"] = "web"
    one.first.number = 1
    assert (other.labels, other.first.number) == ({}, 80)


def test_an_empty_list_that_was_set_is_sent() -> None:
    assert kw.to_dict(Spec(image="nginx", ports=[])) == {"image": "nginx", "ports": []}


def test_a_lent_default_that_is_then_assigned_is_sent() -> None:
    spec = Spec(image="nginx")
    _ = spec.labels
    spec.labels = {}
    assert kw.to_dict(spec) == {"image": "nginx", "labels": {}}


def test_deleting_a_field_makes_it_absent() -> None:
    spec = Spec(image="nginx", replicas=3)
    del spec.replicas
    assert spec.replicas == 1
    assert not kw.is_set(spec, "replicas")


def test_none_takes_an_optional_field_away() -> None:
    spec = Spec(image="nginx", note="hello")
    spec.note = None
    assert kw.to_dict(spec) == {"image": "nginx"}


def test_none_in_a_nullable_field_is_sent_as_null() -> None:
    assert kw.to_dict(Spec(image="nginx", pause=None)) == {"image": "nginx", "pause": None}
    assert kw.to_dict(Spec(image="nginx")) == {"image": "nginx"}


def test_is_set_tells_set_from_absent() -> None:
    spec = Spec(image="nginx", pause=None)
    _ = spec.labels
    assert [name for name in ("image", "replicas", "labels", "pause") if kw.is_set(spec, name)] == ["image", "pause"]


def test_a_required_field_must_be_given() -> None:
    with pytest.raises(TypeError, match=r"Spec\(\) lacks image: give required fields"):
        Spec()  # type: ignore[call-arg]


def test_a_missing_required_field_raises_on_access_only() -> None:
    spec = kw.decode(b"{}", Spec)
    assert kw.to_dict(spec) == {}
    with pytest.raises(kw.MissingField, match=r"Spec\.image is required"):
        _ = spec.image
    assert not hasattr(spec, "image")
    assert getattr(spec, "image", "fallback") == "fallback"


def test_an_optional_field_without_a_default_may_be_left_out() -> None:
    class Loose(kw.Model):
        note: str | None

    assert Loose().note is None  # type: ignore[call-arg]


def test_a_misspelt_field_is_refused() -> None:
    spec = Spec(image="nginx")
    with pytest.raises(AttributeError):
        spec.replcias = 3  # type: ignore[attr-defined]
    with pytest.raises(TypeError, match=r"Spec has no field 'replcias'; did you mean 'replicas'\?"):
        Spec(image="nginx", replcias=3)  # type: ignore[call-arg]
    with pytest.raises(AttributeError, match="Spec has no field 'replcias'"):
        kw.is_set(spec, "replcias")


def test_fields_are_given_by_name() -> None:
    with pytest.raises(TypeError, match=r"Spec\(\) takes its fields by name"):
        Spec("nginx")  # type: ignore[call-arg]


def test_what_is_no_model_class_is_told() -> None:
    with pytest.raises(TypeError, match=r"<class 'dict'> is no kw\.Model class"):
        kw.decode(b"{}", dict)  # type: ignore[type-var]


def test_equality_is_by_what_is_read() -> None:
    assert Spec(image="nginx") == Spec(image="nginx", replicas=1, ports=[])
    assert Spec(image="nginx") != Spec(image="nginx", replicas=2)
    anything: object = Port(name="nginx")
    assert Spec(image="nginx") != anything
    assert kw.decode(b"{}", Spec) == kw.decode(b'{"unknown": 1}', Spec)
    assert not kw.decode(b"{}", Spec) != kw.decode(b'{"unknown": 1}', Spec)  # noqa: SIM202 - it has a method of its own


def test_repr_shows_what_is_set() -> None:
    spec = Spec(image="nginx", ports=[Port(name="http")])
    _ = spec.labels
    assert repr(spec) == "Spec(image='nginx', ports=[Port(name='http')])"


def test_models_are_not_hashable() -> None:
    with pytest.raises(TypeError):
        hash(Spec(image="nginx"))


@pytest.mark.parametrize("duplicate", [copy.copy, copy.deepcopy, lambda spec: pickle.loads(pickle.dumps(spec))])
def test_copies_are_equal_and_keep_what_is_unknown(duplicate: Any) -> None:
    spec = kw.decode(b'{"image": "nginx", "unknown": {"a": 1}}', Spec)
    spec.replicas = 3
    assert kw.to_dict(duplicate(spec)) == {"image": "nginx", "replicas": 3, "unknown": {"a": 1}}


def test_a_deep_copy_is_independent() -> None:
    spec = Spec(image="nginx", labels={"a": "b"})
    other = copy.deepcopy(spec)
    other.labels["a"] = "c"
    assert spec.labels == {"a": "b"}


def test_names_are_camel_case_on_the_wire_unless_named_otherwise() -> None:
    class Address(kw.Model):
        pod_ip: str = ""
        pod_ips: list[str] = kw.field(default_factory=list, wire="podIPs")
        from_: str = ""

    address = Address(pod_ip="::1", pod_ips=["::1"], from_="x")
    assert kw.to_dict(address) == {"podIp": "::1", "podIPs": ["::1"], "from": "x"}
    assert kw.from_dict(kw.to_dict(address), Address) == address


def test_a_class_inherits_fields_and_may_change_them() -> None:
    class Big(Spec):
        replicas: int = 5
        extra: bool = False

    big = Big(image="nginx")
    assert (big.replicas, big.extra, kw.to_dict(big)) == (5, False, {"image": "nginx"})
    assert kw.to_dict(Big(image="nginx", replicas=7)) == {"image": "nginx", "replicas": 7}
    assert kw.decode(b'{"replicas": 8}', Big).replicas == 8
    with pytest.raises(TypeError, match="image"):
        Big()  # type: ignore[call-arg]


def test_a_generic_model_reads_its_argument() -> None:
    class Holder(kw.Model):
        page: Page[Port] | None = None

    page = kw.decode(b'{"page": {"items": [{"name": "a"}], "x": 1}}', Holder).page
    assert page is not None
    assert page.items[0].number == 80


def test_a_class_derived_from_a_generic_model_knows_its_types() -> None:
    class Ports(Page[Port]):
        total: int = 0

    ports = kw.decode(b'{"items": [{"name": "a"}], "total": 1}', Ports)
    assert ports.items == [Port(name="a")]
    assert str(fields_of(Ports)[0].shape.item.model.__name__) == "Port"  # type: ignore[attr-defined]


def test_a_recursive_model_decodes() -> None:
    spec = kw.decode(b'{"image": "a", "child": {"image": "b", "child": {"image": "c"}}}', Spec)
    assert spec.child is not None
    assert spec.child.child == Spec(image="c")


def test_class_variables_are_not_fields() -> None:
    class Tagged(kw.Model):
        TAG: ClassVar[str] = "x"
        name: str = ""

    class Retagged(Tagged):
        TAG = "y"

    assert (Tagged.TAG, Retagged.TAG) == ("x", "y")
    assert kw.to_dict(Tagged(name="a")) == {"name": "a"}


@pytest.mark.parametrize("value", [1, 0.5, "x", True, [1], {"a": 1}, kw.field(default=3)])
def test_a_value_without_a_type_is_refused(value: Any) -> None:
    with pytest.raises(kw.DefinitionError, match=r"Spec.size = .* has no type, so it is no field: write size: \w+ = "):
        types.new_class("Spec", (kw.Model,), exec_body=lambda body: body.update(size=value))


def test_a_class_in_a_function_may_name_its_neighbours_in_text() -> None:
    class Inner(kw.Model):
        n: int = 0

    class Outer(kw.Model):
        inner: "Inner | None" = None
        kind: 'Literal["a", "b"]' = "a"

    assert kw.decode(b'{"inner": {"n": 3}}', Outer).inner == Inner(n=3)


def test_methods_are_called_as_usual() -> None:
    class Counted(kw.Model):
        n: int = 0

        def twice(self) -> int:
            return self.n * 2

        @property
        def square(self) -> int:
            return self.n**2

    assert (Counted(n=3).twice(), Counted(n=3).square) == (6, 9)


def test_a_resource_in_a_function_may_name_its_neighbours_in_text() -> None:
    class Inner(kw.Model):
        n: int = 0

    class Outer(kw.Resource, group="a.example.com", version="v1"):
        spec: "Inner"
        others: list["Inner"] = kw.field(default_factory=list)

    assert kw.decode(b'{"spec": {"n": 3}, "others": [{"n": 4}]}', Outer).others == [Inner(n=4)]


def test_classes_can_be_made_without_a_class_statement() -> None:
    made = types.new_class("Made", (kw.Model,), {}, lambda body: body.update(__annotations__={"name": str}))
    assert made(name="x").name == "x"


def test_built_in_kinds_are_as_strict_as_others() -> None:
    with pytest.raises(TypeError, match="'nmae'"):
        Container(nmae="web")  # type: ignore[call-arg]
    with pytest.raises(TypeError, match="positional"):
        Container(["web"])  # type: ignore[call-arg]
    with pytest.raises(TypeError, match="lacks"):
        kw.OwnerReference(name="x")  # type: ignore[call-arg]
