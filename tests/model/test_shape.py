"""What may stand in an annotation, and how it is refused: class, field and fix in one sentence."""

from datetime import timedelta
from decimal import Decimal
from enum import Enum
from typing import Annotated, Any, Literal, NewType, Optional, Union

import pytest

import kubewright as kw
from kubewright.model.meta import ModelMeta
from kubewright.model.shape import Choice, ListOf, MapOf, Scalar, StructOf, UnionOf, shape_of


class A(kw.Model):
    a: str


class B(kw.Model):
    b: str


class Color(Enum):
    RED = "red"


class Mixed(Enum):
    ONE = 1
    TWO = "two"


Name = Annotated[str, kw.MinLength(1)]
Id = NewType("Id", str)


@pytest.mark.parametrize(
    ("annotation", "kind", "sort"),
    [
        (str, Scalar, "string"),
        (int, Scalar, "integer"),
        (kw.Int32, Scalar, "integer"),
        (bool, Scalar, "boolean"),
        (kw.Number, Scalar, "number"),
        (kw.IntOrString, Scalar, "int-or-string"),
        (kw.Quantity, Scalar, "int-or-string"),
        (kw.Duration, Scalar, "string"),
        (kw.Time, Scalar, "string"),
        (kw.MicroTime, Scalar, "string"),
        (bytes, Scalar, "string"),
        (Any, Scalar, "any"),
        (Id, Scalar, "string"),
        (Literal["a", "b"], Choice, "string"),
        (Literal[1, 2], Choice, "integer"),
        (Color, Choice, "string"),
        (list[Name], ListOf, "list"),
        (dict[str, int], MapOf, "map"),
        (dict[Id, int], MapOf, "map"),
        (A, StructOf, "struct"),
        (A | B, UnionOf, "struct"),
        (Union[A, B, None], UnionOf, "struct"),  # noqa: UP007
    ],
)
def test_an_annotation_has_a_shape(annotation: Any, kind: type, sort: str) -> None:
    shape = shape_of(annotation, "X.x")
    assert (type(shape), shape.sort) == (kind, sort)


@pytest.mark.parametrize(
    "annotation",
    [int | None, Optional[int], Annotated[int | None, kw.Minimum(0)], Literal["a", None]],  # noqa: UP045
)
def test_none_makes_a_shape_optional(annotation: Any) -> None:
    assert shape_of(annotation, "X.x").optional


def test_markers_of_an_alias_and_of_the_field_add_up_and_the_last_wins() -> None:
    shape = shape_of(Annotated[Name, kw.MaxLength(5), kw.MinLength(2)], "X.x")
    assert shape.marker(kw.MinLength) == kw.MinLength(2)
    assert shape.markers == (kw.MinLength(1), kw.MaxLength(5), kw.MinLength(2))


@pytest.mark.parametrize(
    ("annotation", "message"),
    [
        (float, r"X\.x: a bare float is refused.*kw\.Number"),
        (dict[int, str], r"X\.x: a map key must be a string in JSON, not int; write dict\[str, …\]"),
        (dict[A, str], r"X\.x: a map key must be a string"),
        (list, r"X\.x: say what the list holds, as in list\[str\]"),
        (dict, r"X\.x: say what the dict holds"),
        (set[str], r"X\.x: set.* has no form in Kubernetes' schemas; use Annotated\[list\[…\], kw\.ListSet\(\)\]"),
        (tuple[int, int], r"X\.x: tuple.* has no form"),
        (complex, r"X\.x: complex has no form in Kubernetes' schemas; use str, int"),
        (Decimal, r"X\.x: Decimal has no form in Kubernetes' schemas; use kw\.Quantity"),
        (timedelta, r"X\.x: timedelta has no form in Kubernetes' schemas; use kw\.Duration"),
        (Annotated[str, kw.MinLength], r"X\.x: kw\.MinLength lacks its parentheses"),
        (Annotated[str, kw.MinLength("a")], r"X\.x: MinLength\('a'\): a size is a whole number"),  # type: ignore[arg-type]
        (int | bool, r"X\.x: int \| bool is not one type in a schema"),
        (A | str, r"X\.x: A \| str is not one type"),
        (Literal["a", 1], r"X\.x: Literal\['a', 1\] must hold strings only or integers only"),
        (Literal[True], r"X\.x: Literal\[True\] must hold"),
        (Mixed, r"X\.x: the members of Mixed must be strings only"),
        (Annotated[int, kw.MinLength(1)], r"X\.x: MinLength\(n=1\) is for string, and this is integer; take it off"),
        (Annotated[str, kw.Range(1, 2)], r"X\.x: Range.* is for integer or number, and this is string"),
        (Annotated[str, kw.ListSet()], r"X\.x: ListSet.* is for list"),
        (Annotated[str, kw.MinLength(-1)], r"X\.x: MinLength\(-1\): a size is a whole number, never negative"),
        (Annotated[int, kw.Range(5, 1)], r"X\.x: Range\(5, 1\): no number lies in it"),
        (Annotated[int, kw.Minimum(5), kw.Maximum(1)], r"X\.x: minimum 5 is more than maximum 1"),
        (Annotated[str, kw.MinLength(5), kw.MaxLength(1)], r"X\.x: minLength 5 is more than maxLength 1"),
        (Annotated[int, kw.MultipleOf(0)], r"X\.x: MultipleOf\(0\): the divisor must be more than 0"),
        (Annotated[list[A], kw.ListMap()], r"X\.x: ListMap\(\): name at least one key field"),
        (list[Annotated[int, kw.MinLength(1)]], r"X\.x\[\]: MinLength"),
        (dict[str, Annotated[int, kw.MinLength(1)]], r"X\.x\{\}: MinLength"),
    ],
)
def test_what_cannot_be_is_refused_where_the_class_is_defined(annotation: Any, message: str) -> None:
    with pytest.raises(kw.DefinitionError, match=message):
        define(x=annotation)


def define(**annotations: Any) -> None:
    ModelMeta("X", (kw.Model,), {"__annotations__": annotations, "__module__": __name__})


@pytest.mark.parametrize(
    ("annotations", "message"),
    [
        ({"_x": int}, r"X\._x: a field's name starts with a letter"),
        ({"a_b": int, "aB": int}, r"X: a_b and aB are both 'aB' on the wire; name one otherwise"),
        ({"x": Annotated[list[A], kw.ListMap("zz")]}, r"X\.x: ListMap\('zz'\) names 'zz', which is no field of A"),
        ({"x": Annotated[list[str], kw.ListMap("a")]}, r"X\.x: ListMap\('a'\) needs a list of models"),
    ],
)
def test_fields_that_do_not_fit_together_are_refused(annotations: dict[str, Any], message: str) -> None:
    with pytest.raises(kw.DefinitionError, match=message):
        define(**annotations)


def test_a_union_whose_members_cannot_be_told_apart_is_refused() -> None:
    class C(kw.Model):
        c: str | None = None

    with pytest.raises(kw.DefinitionError, match=r"X\.x: C has no required field that the other members"):
        define(x=A | C)


def test_a_group_that_names_no_field_is_refused() -> None:
    with pytest.raises(
        kw.DefinitionError, match=r"Y, markers: ExactlyOneOf\('a', 'z'\) names 'z', which is no field of Y"
    ):

        class Y(kw.Model, markers=[kw.ExactlyOneOf("a", "z")]):
            a: str | None = None


def test_a_group_of_required_fields_is_refused() -> None:
    with pytest.raises(kw.DefinitionError, match=r"needs a to be optional; write a: … \| None = None"):

        class Y(kw.Model, markers=[kw.AtMostOneOf("a", "b")]):
            a: str
            b: str | None = None


def test_a_marker_that_does_not_go_on_a_class_is_refused() -> None:
    with pytest.raises(kw.DefinitionError, match=r"Y, markers: MinLength\(n=1\) does not go on a class"):

        class Y(kw.Model, markers=[kw.MinLength(1)]):
            a: str | None = None


def test_an_annotation_that_cannot_be_read_is_refused() -> None:
    with pytest.raises(kw.DefinitionError, match=r"X\.x: the annotation 'list\[' cannot be read"):
        define(x="list[")


def test_a_name_that_is_nowhere_is_told_with_class_and_field() -> None:
    class Lost(kw.Model):
        x: "Nowhere | None" = None  # type: ignore[name-defined]  # noqa: F821

    with pytest.raises(
        kw.DefinitionError, match=r"Lost\.x: 'Nowhere' in its annotation is not known; define it before"
    ):
        kw.decode(b"{}", Lost)


def test_an_option_the_class_line_does_not_have_is_refused() -> None:
    with pytest.raises(kw.DefinitionError, match=r"Y: the class line has no option bogus"):

        class Y(kw.Model, bogus=1):
            a: str = ""


def test_a_class_may_not_define_init() -> None:
    with pytest.raises(kw.DefinitionError, match=r"Y defines __init__, which its fields make"):

        class Y(kw.Model):
            def __init__(self) -> None:
                pass
