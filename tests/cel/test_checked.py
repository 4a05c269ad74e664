from kubewright.cel.ast import Ast, Literal
from kubewright.cel.checked import Checked
from kubewright.cel.types import INT


def test_the_type_of_an_expression_is_that_of_its_outermost_node() -> None:
    assert Checked(Ast(Literal(7, 1), "1", {7: 0}), {7: INT}, {}).type is INT
