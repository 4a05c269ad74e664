import pytest
from hypothesis import given
from hypothesis import strategies as st

from kubewright.cel.types import (
    BOOL,
    BYTES,
    DOUBLE,
    DURATION,
    DYN,
    ERROR,
    INT,
    NULL,
    STRING,
    TIMESTAMP,
    TYPE,
    UINT,
    Substitution,
    Type,
    TypeTooLarge,
    list_of,
    map_of,
    most_general,
    opaque,
    optional_of,
    parameter,
    type_of,
    wrapper,
)

A, B = parameter("A"), parameter("B")
SCALARS = st.sampled_from([BOOL, BYTES, DOUBLE, DURATION, INT, NULL, STRING, TIMESTAMP, UINT, opaque("net.IP")])
CONCRETE = st.recursive(
    SCALARS, lambda inner: inner.map(list_of) | st.builds(map_of, SCALARS, inner) | inner.map(optional_of), max_leaves=5
)


@pytest.mark.parametrize(
    ("type_", "text"),
    [
        (list_of(STRING), "list(string)"),
        (map_of(STRING, DYN), "map(string, dyn)"),
        (optional_of(INT), "optional_type(int)"),
        (type_of(TIMESTAMP), "type(timestamp)"),
        (TYPE, "type"),
        (DURATION, "duration"),
        (NULL, "null"),
        (ERROR, "!error!"),
        (wrapper(INT), "wrapper(int)"),
        (opaque("net.CIDR"), "net.CIDR"),
        (list_of(A), "list(A)"),
    ],
)
def test_types_are_spelled_as_messages_spell_them(type_: Type, text: str) -> None:
    assert type_.text == str(type_) == text


def test_types_are_equal_when_they_say_the_same() -> None:
    assert list_of(INT) == list_of(INT)
    assert hash(list_of(INT)) == hash(list_of(INT))
    assert list_of(INT) != list_of(UINT)
    assert wrapper(INT) != INT


def test_what_a_schema_says_of_values_takes_no_part_in_equality() -> None:
    assert Type("string", "string", max_elements=5) == STRING


@given(CONCRETE, CONCRETE)
def test_a_known_type_stands_for_itself_and_for_dyn_alone(one: Type, other: Type) -> None:
    known = Substitution()
    assert known.assignable(one, one)
    assert known.assignable(one, DYN)
    assert known.assignable(DYN, one)
    assert known.assignable(one, list_of(other)) <= (one.kind == "list" or "null" in (one.kind, other.kind))


def test_null_stands_for_messages_and_times_but_not_for_scalars() -> None:
    known = Substitution()
    nullable = (TIMESTAMP, DURATION, opaque("net.IP"), Type("struct", "a"), wrapper(INT))
    assert [known.assignable(NULL, one) for one in nullable] == [True] * 5
    assert [known.assignable(NULL, one) for one in (INT, STRING, BOOL, list_of(INT), map_of(INT, INT))] == [False] * 5


@given(CONCRETE)
def test_a_parameter_becomes_what_it_is_used_as(one: Type) -> None:
    known = Substitution()
    assert known.assignable(list_of(one), list_of(A))
    assert known.resolve(map_of(A, A)) == map_of(one, one)


def test_a_parameter_keeps_what_it_was_found_to_be() -> None:
    known = Substitution()
    assert known.all_assignable([INT], [A])
    assert not known.all_assignable([STRING], [A])
    assert known.resolve(A) == INT


def test_a_parameter_becomes_the_more_general_of_two() -> None:
    known = Substitution()
    assert known.all_assignable([INT, DYN], [A, A])
    assert known.resolve(A) == DYN


def test_what_was_assumed_for_nothing_is_taken_back() -> None:
    known = Substitution()
    assert not known.all_assignable([INT, STRING], [A, list_of(A)])
    assert known.resolve(A) == A


def test_a_parameter_never_contains_itself() -> None:
    known = Substitution()
    assert not known.assignable(list_of(A), A)
    assert known.assignable(B, A)
    assert not known.assignable(list_of(A), B)


def test_a_parameter_nobody_determines_is_dyn_in_the_end() -> None:
    assert Substitution().resolve(list_of(A), free_as_dyn=True) == list_of(DYN)


def test_of_two_types_that_unify_the_general_one_says_less() -> None:
    assert most_general(INT, DYN) is DYN
    assert most_general(list_of(DYN), list_of(INT)) == list_of(DYN)
    assert most_general(list_of(INT), list_of(DYN)) == list_of(DYN)


def test_a_type_does_not_grow_without_bound() -> None:
    def grown(times: int) -> Type:
        return INT if times == 0 else map_of(inner := grown(times - 1), inner)

    with pytest.raises(TypeTooLarge):
        grown(40)
