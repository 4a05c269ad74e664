from kubewright.cel.declarations import NAMESPACES, TYPE_NAMES, overloads
from kubewright.cel.library import overloads as implemented
from kubewright.cel.types import INT


def test_a_function_has_its_overloads_in_their_order() -> None:
    found = overloads("_[_]")
    assert found is not None
    assert [one.id for one in found] == [
        "index_list",
        "index_map",
        "optional_list_index_int",
        "optional_map_index_value",
    ]


def test_of_a_member_the_first_argument_is_the_target() -> None:
    (found,) = overloads("containsIP")[:1]  # type: ignore[index]  # there is one
    assert found.member
    assert [one.text for one in found.args] == ["net.CIDR", "string"]
    assert found.result.text == "bool"


def test_capital_letters_are_parameters() -> None:
    (found,) = overloads("cel.@mapInsert")[:1]  # type: ignore[index]  # there is one
    assert found.params == ("K", "V")
    assert [one.text for one in found.args] == ["map(K, V)", "K", "V"]


def test_there_are_only_the_functions_of_kubernetes() -> None:
    assert overloads("cel.bind") is None
    assert overloads("math.abs") is None
    assert overloads("base64.encode") is None


def test_comparison_is_declared_for_numbers_of_different_types() -> None:
    found = overloads("_<_") or ()
    assert {"less_int64_double", "less_uint64_int64", "less_double_uint64"} <= {one.id for one in found}


def test_what_is_implemented_is_declared_for_that_function() -> None:
    functions = {one.function: number for number, one in implemented().items()}
    undeclared = {name for name, number in functions.items() if number not in {one.id for one in overloads(name) or ()}}
    assert undeclared == set()


def test_types_are_read_once() -> None:
    (found,) = overloads("lists.range") or ()
    assert found.args == (INT,)
    assert overloads("lists.range") is overloads("lists.range")


def test_every_dotted_name_begins_with_a_namespace() -> None:
    dotted = [name for name in TYPE_NAMES if "." in name]
    assert {name.split(".")[0] for name in dotted} <= NAMESPACES
