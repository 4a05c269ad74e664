import pytest

from kubewright.cluster.registry.rules.names import (
    check_label,
    check_subdomain,
    header_name,
    underscored_subdomain,
    variable_name,
)


def test_labels_have_no_dots_and_subdomains_do() -> None:
    assert [str(error) for error in check_label("a.b", "n")] == ['n: Invalid value: "a.b": must not contain dots']
    assert [*check_subdomain("a.b", "n")] == []


@pytest.mark.parametrize(
    ("text", "good"), [("a.b", True), ("_a._b", True), ("a_", False), ("A", False), ("a" * 254, False)]
)
def test_where_underscores_may_stand(text: str, good: bool) -> None:
    assert (underscored_subdomain(text) == []) is good


@pytest.mark.parametrize(("text", "good"), [("A", True), ("1 {}", True), ("a=b", False), ("é", False), ("", False)])
def test_names_of_variables(text: str, good: bool) -> None:
    assert (variable_name(text) == []) is good


@pytest.mark.parametrize(("text", "good"), [("X-A", True), ("X A", False), ("", False)])
def test_names_of_headers(text: str, good: bool) -> None:
    assert (header_name(text) == []) is good
