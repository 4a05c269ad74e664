import pytest
from cel_expr_python import cel
from hypothesis import given
from hypothesis import strategies as st

from kubewright.cel.ast import Call
from kubewright.cel.checked import Checked
from kubewright.cel.checker import check
from kubewright.cel.environment import Environment
from kubewright.cel.errors import ExpressionError
from kubewright.cel.parser import parse
from kubewright.cel.types import (
    BOOL,
    DOUBLE,
    DYN,
    INT,
    STRING,
    Field,
    Type,
    list_of,
    map_of,
    object_type,
)

ITEM = object_type("item", {"name": Field("name", STRING), "port": Field("port", INT)})
VARIABLES: dict[str, Type] = {
    "i": INT,
    "s": STRING,
    "b": BOOL,
    "f": DOUBLE,
    "d": DYN,
    "ls": list_of(STRING),
    "li": list_of(INT),
    "ms": map_of(STRING, INT),
    "item": ITEM,
    "items": list_of(ITEM),
}


def checked(text: str) -> Checked:
    return check(parse(text), Environment(VARIABLES))


def issues(text: str) -> list[str]:
    with pytest.raises(ExpressionError) as raised:
        checked(text)
    return [issue.message for issue in raised.value.issues]


@pytest.mark.parametrize(
    ("text", "type_"),
    [
        ("i + 1", "int"),
        ("[1, 2]", "list(int)"),
        ("[]", "list(dyn)"),
        ("{}", "map(dyn, dyn)"),
        ("{'a': [1u]}", "map(string, list(uint))"),
        ("items[0].name", "string"),
        ("items.map(x, x.port)", "list(int)"),
        ("items.filter(x, x.port > 1)", "list(item)"),
        ("ms.map(k, ms[k] * 2)", "list(int)"),
        ("ls.transformMap(i, v, v + 'x')", "map(int, string)"),
        ("ls.transformMapEntry(i, v, {v: i})", "map(string, int)"),
        ("item.?name", "optional_type(string)"),
        ("item.?name.orValue('x')", "string"),
        ("ls[?0]", "optional_type(string)"),
        ("optional.none()", "optional_type(dyn)"),
        ("optional.of(1).optMap(x, x > 0)", "optional_type(bool)"),
        ("b ? [] : [1]", "list(int)"),
        ("[] + [1.5]", "list(double)"),
        ("d.a.b[0]", "dyn"),
        ("d + d", "dyn"),
        ("type(i)", "type(int)"),
        ("quantity('1').add(1)", "kubernetes.Quantity"),
        ("cidr('::/0').ip()", "net.IP"),
        ("format.named('x')", "optional_type(kubernetes.NamedFormat)"),
        ("items.sortBy(x, x.port)", "list(item)"),
        ("[[1], []].flatten()", "list(int)"),
        ("ls.first()", "optional_type(string)"),
        ("has(item.name)", "bool"),
        ("dyn(1)", "dyn"),
    ],
)
def test_types_are_inferred(text: str, type_: str) -> None:
    assert checked(text).type.text == type_


@pytest.mark.parametrize(
    ("text", "overloads"),
    [
        ("i == 1", ("equals",)),
        ("i < f", ("less_int64_double",)),
        ("s.size()", ("string_size",)),
        ("size(ls)", ("size_list",)),
        ("d.size()", ("bytes_size", "list_size", "map_size", "string_size")),
        ("d[0]", ("index_list", "index_map", "optional_list_index_int", "optional_map_index_value")),
        ("item.?port", ("select_optional_field",)),
        ("cidr(s).ip()", ("cidr_ip",)),
        ("sets.contains(ls, ls)", ("list_sets_contains_list",)),
    ],
)
def test_a_call_refers_to_the_overloads_that_may_be_meant(text: str, overloads: tuple[str, ...]) -> None:
    found = checked(text)
    assert found.references[found.ast.expr.id].overloads == overloads


def test_a_namespaced_function_is_told_by_its_full_name() -> None:
    found = checked("ip.isCanonical(s)")
    assert isinstance(found.ast.expr, Call)
    assert found.references[found.ast.expr.id].name == "ip.isCanonical" != found.ast.expr.function


def test_a_dotted_name_of_a_type_is_one_reference() -> None:
    found = checked("type(ip(s)) == net.IP")
    assert isinstance(found.ast.expr, Call)
    assert found.references[found.ast.expr.args[1].id].name == "net.IP"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("nope", "undeclared reference to 'nope' (in container '')"),
        ("nope(1)", "undeclared reference to 'nope' (in container '')"),
        ("i.nope()", "undeclared reference to 'nope' (in container '')"),
        ("item.nope", "undefined field 'nope'"),
        ("i.a", "type 'int' does not support field selection"),
        ("i + s", "found no matching overload for '_+_' applied to '(int, string)'"),
        ("s.contains(1)", "found no matching overload for 'contains' applied to 'string.(int)'"),
        ("b && i", "expected type 'bool' but found 'int'"),
        (
            "i.all(x, true)",
            "expression of type 'int' cannot be range of a comprehension (must be list, map, or dynamic)",
        ),
        ("ls.all(x, x)", "expected type 'bool' but found 'string'"),
        ("[?s]", "expected type 'optional_type(string)' but found 'string'"),
        ("{?s: i}", "expected type 'optional_type(int)' but found 'int'"),
        ("[1, 'a']", "expected type 'int' but found 'string'"),
        ("{'a': 1, 'b': 'c'}", "expected type 'int' but found 'string'"),
        ("quantity(s).x", "unexpected failed resolution of 'kubernetes.Quantity'"),
        ("int{}", "'int' is not a message type"),
        ("i{}", "'int' is not a type"),
        ("x.Y{z: nope}", "undeclared reference to 'x.Y' (in container '')"),
    ],
)
def test_a_mistake_is_told_in_the_servers_words(text: str, message: str) -> None:
    assert issues(text) == [message]


def test_all_mistakes_are_told_and_none_twice() -> None:
    assert issues("item.a == i + s && nope.b.c > 1") == [
        "undefined field 'a'",
        "found no matching overload for '_+_' applied to '(int, string)'",
        "undeclared reference to 'nope' (in container '')",
    ]


def test_variables_of_folds_are_gone_behind_them() -> None:
    assert issues("ls.all(x, x == 'a') && x") == ["undeclared reference to 'x' (in container '')"]


def test_an_inner_variable_hides_an_outer_one() -> None:
    assert checked("ls.all(x, li.all(x, x > 0))").type == BOOL


def test_types_that_double_are_refused_in_time() -> None:
    assert issues("[1]" + ".map(x, {x: x})" * 100) == ["the type of the expression is nested too deeply to be checked"]


@pytest.mark.parametrize(
    "text",
    [
        "[" * 249 + "]" * 249,
        "!(" * 249 + "b" + ")" * 249,
        "d" + ".a" * 250,
        "[1]" + ".map(x, x)" * 249,
        "i" + "+i" * 250,
    ],
)
def test_deep_expressions_are_checked(text: str) -> None:
    assert checked(text).type.text


def test_a_long_expression_takes_no_long_time() -> None:
    assert checked("b" + " && [1] == []" * 7000).type == BOOL


LEAVES = st.sampled_from(["i", "s", "b", "f", "ls", "li", "ms", "1", "2u", "1.5", "'x'", "true", "[]", "{}"])
EXPRESSIONS = st.recursive(
    LEAVES,
    lambda inner: st.one_of(
        st.builds("({} {} {})".format, inner, st.sampled_from(["+", "-", "*", "==", "<", "in", "&&"]), inner),
        st.builds("({} ? {} : {})".format, inner, inner, inner),
        st.builds("[{}, {}]".format, inner, inner),
        st.builds("{{{}: {}}}".format, inner, inner),
        st.builds("{}.all(x, {} == x)".format, inner, inner),
        st.builds("{}.map(x, [x, {}])".format, inner, inner),
        st.builds("{}.filter(x, x == {})".format, inner, inner),
        st.builds("size({})".format, inner),
        st.builds("{}.startsWith({})".format, inner, inner),
        st.builds("{}[{}]".format, inner, inner),
        st.builds("(-{})".format, inner),
        st.builds("string({})".format, inner),
        st.builds("dyn({})".format, inner),
    ),
    max_leaves=8,
)
ORACLE = cel.NewEnv(
    variables={
        "i": cel.Type.INT,
        "s": cel.Type.STRING,
        "b": cel.Type.BOOL,
        "f": cel.Type.DOUBLE,
        "ls": cel.Type.List(cel.Type.STRING),
        "li": cel.Type.List(cel.Type.INT),
        "ms": cel.Type.Map(cel.Type.STRING, cel.Type.INT),
    }
)


@given(EXPRESSIONS)
def test_another_implementation_agrees_on_what_type_checks(text: str) -> None:
    try:
        checked(text)
        ours = ""
    except ExpressionError as error:
        ours = str(error)
    try:
        ORACLE.compile(text)
        theirs = ""
    except Exception as error:  # noqa: BLE001 - it has no type of its own
        theirs = str(error)
    # As Kubernetes does, ours refuses mixed literals and compares numbers of different types, and goes through what it
    # knows nothing of.
    if "expected type" in ours or "_<_" in theirs or "of type 'dyn'" in theirs:
        return
    assert bool(ours) == bool(theirs), (ours, theirs)


@given(st.text(max_size=30))
def test_any_text_is_checked_or_refused(text: str) -> None:
    try:
        found = checked(text).type.text
    except ExpressionError as error:
        found = str(error)
    assert found


@pytest.mark.parametrize(
    ("text", "type_"),
    [
        ("Object{}", "Object"),
        ("Object{a: i, b: [1]}", "Object"),
        ("Object.spec.deep{?a: optional.of(1)}", "Object.spec.deep"),
        ("Object{a: 1}.a", "dyn"),
        ("[JSONPatch{op: s, path: d, value: 1}]", "list(JSONPatch)"),
        ("JSONPatch{}.path", "string"),
        ("JSONPatch{}.nothing", "dyn"),
        ("type(Object{}) == Object", "bool"),
        ("jsonpatch.escapeKey(s)", "string"),
    ],
)
def test_a_policy_makes_objects_and_patches(text: str, type_: str) -> None:
    assert check(parse(text), Environment(VARIABLES, patches=True)).type.text == type_


@pytest.mark.parametrize(
    ("text", "issue"),
    [
        ("JSONPatch{op: 1}", "expected type of field 'op' is 'string' but provided type is 'int'"),
        ("JSONPatch{nothing: 1}", "expected type of field 'nothing' is '' but provided type is 'int'"),
        ("Object{?a: 1}", "expected type 'optional_type(int)' but found 'int'"),
        ("Object{a: nothing}", "undeclared reference to 'nothing' (in container '')"),
        ("Objects{}", "undeclared reference to 'Objects' (in container '')"),
    ],
)
def test_what_a_policy_makes_must_fit(text: str, issue: str) -> None:
    with pytest.raises(ExpressionError) as raised:
        check(parse(text), Environment(VARIABLES, patches=True))
    assert [each.message for each in raised.value.issues] == [issue]


@pytest.mark.parametrize("text", ["Object{}", "JSONPatch{}", "jsonpatch.escapeKey(s)"])
def test_nobody_else_makes_objects_or_patches(text: str) -> None:
    assert issues(text)[-1].startswith("undeclared reference to ")
