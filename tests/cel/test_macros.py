import pytest

from kubewright.cel.ast import Call, Comprehension, Expr, Ident, ListLiteral, Literal, MapLiteral, Select
from kubewright.cel.errors import ExpressionError
from kubewright.cel.macros import ACCUMULATOR
from kubewright.cel.parser import parse


def fold(text: str) -> Comprehension:
    node = parse(text).expr
    assert isinstance(node, Comprehension)
    return node


def nodes(root: object) -> list[Expr]:
    """Every node of a tree, those of folds included."""
    if isinstance(root, tuple):
        return [node for part in root for node in nodes(part)]
    match root:
        case Select():
            return [root, *nodes(root.operand)]
        case Call():
            return [root, *nodes(root.target), *nodes(root.args)]
        case ListLiteral():
            return [root, *nodes(root.elements)]
        case MapLiteral():
            return [root, *nodes(tuple(part for entry in root.entries for part in (entry.key, entry.value)))]
        case Comprehension():
            parts = (root.iter_range, root.accu_init, root.loop_condition, root.loop_step, root.result)
            return [root, *nodes(parts)]
        case Literal() | Ident():
            return [root]
    return []


def test_all_stops_at_the_first_that_is_not() -> None:
    node = fold("l.all(x, x > 0)")
    assert (node.iter_var, node.iter_var2, node.accu_var) == ("x", None, ACCUMULATOR)
    assert isinstance(node.loop_condition, Call)
    assert node.loop_condition.function == "@not_strictly_false"
    assert isinstance(node.loop_step, Call)
    assert node.loop_step.function == "_&&_"


def test_a_fold_keeps_the_macro_it_came_from() -> None:
    macro = fold("l.exists(x, x > 0)").macro
    assert macro is not None
    assert (macro.name, macro.target, len(macro.args)) == ("exists", Ident(1, "l"), 2)


def test_two_variables_are_index_and_value() -> None:
    node = fold("l.transformMap(i, v, v > 0, v + 1)")
    assert (node.iter_var, node.iter_var2) == ("i", "v")
    assert isinstance(node.accu_init, MapLiteral)


def test_exists_one_counts() -> None:
    node = fold("l.exists_one(x, x > 0)")
    assert isinstance(node.accu_init, Literal)
    assert node.accu_init.value == 0


def test_an_optional_is_bound_by_a_fold_over_nothing() -> None:
    node = parse("o.optMap(x, x + 1)").expr
    assert isinstance(node, Call)
    assert node.function == "_?_:_"
    wrapped = node.args[1]
    assert isinstance(wrapped, Call)
    bound = wrapped.args[0]
    assert isinstance(bound, Comprehension)
    assert (bound.accu_var, bound.macro and bound.macro.name) == ("x", "optMap")


@pytest.mark.parametrize(
    "text",
    [
        "a.b.optMap(x, x.c[0]).optFlatMap(y, [y].all(z, {z: 1}.size() > 0) ? optional.of(y) : optional.none())",
        "l.sortBy(x, -x).filter(i, has(i.a)).map(j, j.b, [?j.c]).transformMapEntry(k, v, {v: k})",
        "l.all(i, v, v.existsOne(a, b, a == b))",
    ],
)
def test_every_node_has_its_own_id_and_a_place(text: str) -> None:
    ast = parse(text)
    ids = [node.id for node in nodes(ast.expr)]
    assert len(ids) == len(set(ids))
    assert all(0 <= ast.offsets[number] < len(text) for number in ids)


def test_nodes_that_a_macro_adds_stand_at_its_parenthesis() -> None:
    ast = parse("list.all(x, true)")
    assert isinstance(ast.expr, Comprehension)
    assert ast.offsets[ast.expr.id] == ast.offsets[ast.expr.loop_step.id] == 8


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("has(a)", "invalid argument to has() macro"),
        ("l.all(x.y, true)", "argument must be a simple name"),
        ("l.map(1, true)", "argument is not an identifier"),
        ("l.filter(__result__, true)", "iteration variable overwrites accumulator variable"),
        ("l.all(i, i, true)", "duplicate variable name: i"),
        ("l.all(1, i, true)", "argument must be a simple name"),
        ("o.optMap(1, true)", "optMap() variable name must be a simple identifier"),
        ("o.optFlatMap(1, true)", "optFlatMap() variable name must be a simple identifier"),
        (
            "1.sortBy(x, x)",
            "sortBy can only be applied to a list, identifier, comprehension, call or select expression",
        ),
    ],
)
def test_a_misused_macro_says_what_it_needs(text: str, message: str) -> None:
    with pytest.raises(ExpressionError) as raised:
        parse(text)
    assert [issue.message for issue in raised.value.issues] == [message]


@pytest.mark.parametrize("text", ["l.all(x)", "has(a, b)", "all(l, x)", "l.existsOne(x, true)", ".has(a.b)"])
def test_with_another_number_of_arguments_it_is_a_call(text: str) -> None:
    assert isinstance(parse(text).expr, Call)
