import ast

from hypothesis import given
from hypothesis import strategies as st

from kubewright.schema.docstrings import flow
from kubewright.schema.typegen.layout import WIDTH, Group, docstring, is_prose, lay, literal, text


@given(st.text())
def test_a_string_literal_means_the_string(value: str) -> None:
    assert ast.literal_eval(text(value)) == value


def test_a_string_literal_is_as_plain_as_can_be() -> None:
    assert text("a") == '"a"'
    assert text(r"^\d+$") == r'r"^\d+$"'
    assert text('say "a"') == "'say \"a\"'"
    assert text("it's") == '"it\'s"'
    assert text("a\nb") == '"a\\nb"'


@given(
    st.recursive(
        st.one_of(st.none(), st.booleans(), st.integers(), st.floats(allow_nan=False, allow_infinity=False), st.text()),
        lambda inner: st.one_of(st.lists(inner, max_size=4), st.dictionaries(st.text(max_size=9), inner, max_size=4)),
        max_leaves=12,
    )
)
def test_a_json_value_laid_out_means_the_value(value: object) -> None:
    assert ast.literal_eval(lay(literal(value), 0)) == value


@given(st.text(st.characters(codec="utf-8")), st.integers(0, 8))
def test_a_docstring_flows_back_to_the_words(words: str, indent: int) -> None:
    prose = flow(words)
    if is_prose(prose):
        assert flow(ast.literal_eval(docstring(prose, indent))) == prose


def test_words_a_docstring_would_change_are_no_prose() -> None:
    assert not any(map(is_prose, ["two\nlines", " space before", "tab\there", "bell\a", "a\u00a0b"]))
    assert all(map(is_prose, ["", "One.", "Two\n\nparagraphs.", 'quotes " and \\ slashes "', '"""']))


def test_what_fits_stays_on_one_line() -> None:
    assert lay(Group("f(", ["1", "2"], ")"), 4) == "f(1, 2)"


def test_what_does_not_fit_goes_to_a_line_of_its_own() -> None:
    parts = ["a" * 50, "b" * 55]
    assert lay(Group("function(", [*parts], ")"), 8) == f"function(\n            {', '.join(parts)}\n        )"


def test_what_does_not_fit_there_either_goes_to_a_line_a_part() -> None:
    parts = ["a" * 70, "b" * 70]
    assert lay(Group("f(", [*parts], ")"), 0) == f"f(\n    {parts[0]},\n    {parts[1]},\n)"


def test_a_long_choice_or_none_stands_in_parentheses() -> None:
    choice = Group("Literal[", [f'"{"a" * 60}"', f'"{"b" * 60}"'], "] | None")
    laid = lay(choice, 4, 10)
    assert laid.startswith("(\n        Literal[\n")
    assert laid.endswith("        ]\n        | None\n    )")
    assert max(map(len, laid.splitlines())) <= WIDTH
