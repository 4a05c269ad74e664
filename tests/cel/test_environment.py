from kubewright.cel.environment import Environment, rule_environment
from kubewright.cel.types import INT, STRING


def test_a_rule_sees_the_value_and_the_one_before() -> None:
    assert rule_environment(INT).variables == {"self": INT, "oldSelf": INT}


def test_the_value_before_may_be_optional() -> None:
    assert rule_environment(INT, optional_old=True).variables["oldSelf"].text == "optional_type(int)"


def test_names_of_types_are_known_and_variables_hide_them() -> None:
    names = Environment({"int": STRING}).names
    assert names["string"].text == "type(string)"
    assert names["int"] is STRING
