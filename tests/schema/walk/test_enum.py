from kubewright.schema.walk.enum import compile_enum


def test_null_is_in_no_enumeration() -> None:
    assert not compile_enum((None, "a"))(None)


def test_numbers_are_converted_before_they_are_compared() -> None:
    assert compile_enum((1,))(1.7)
    assert compile_enum((1.0,))(1)
    assert not compile_enum((2,))(1.7)


def test_an_integer_is_the_character_with_that_code() -> None:
    assert compile_enum(("a",))(97)
    assert compile_enum(("\ufffd",))(-1)
    assert not compile_enum(("a",))(97.0)


def test_booleans_are_themselves_only() -> None:
    assert not compile_enum((1, "a"))(True)
    assert compile_enum((True,))(True)
    assert not compile_enum((True,))(1)


def test_compounds_are_compared_with_the_types_of_their_parts() -> None:
    member = compile_enum(({"a": [1]},))
    assert member({"a": [1]})
    assert not member({"a": [1.0]})
