"""Finding the syntax of a function."""

import ast
import doctest
import linecache
from collections.abc import Callable
from typing import Any

import pytest

from kubewright.schema.rules.source import NoSourceError, syntax_of


def decorated(function: Any) -> Any:
    return function


def found(function: Any) -> str:
    return ast.unparse(syntax_of(function))


def test_a_function_is_known_by_its_first_decorator() -> None:
    @decorated
    @(lambda function: function)
    def inner(self: Any) -> Any:
        return 1

    assert "return 1" in found(inner)


def test_two_functions_of_one_name_are_told_apart() -> None:
    def first() -> Any:
        def same(self: Any) -> Any:
            return 1

        return same

    def second() -> Any:
        def same(self: Any) -> Any:
            return 2

        return same

    assert "return 1" in found(first())
    assert "return 2" in found(second())


def test_lambdas_of_one_line_are_told_apart() -> None:
    pair: list[Callable[[Any], Any]] = [lambda a: a + 1, lambda a: a + 2]
    assert [found(each) for each in pair] == ["lambda a: a + 1", "lambda a: a + 2"]


def test_a_lambda_over_several_lines_is_found() -> None:
    long = lambda a: (  # noqa: E731
        f"{a} and "
        f"{a}"
    )  # fmt: skip
    assert found(long).startswith("lambda a: f")


def test_the_outer_of_two_nested_lambdas_is_not_the_inner() -> None:
    outer: Callable[[int], Callable[[int], int]] = lambda a: lambda b: b  # noqa: E731
    assert found(outer) == "lambda a: lambda b: b"
    assert found(outer(1)) == "lambda b: b"


def test_text_that_never_was_a_file_is_found_where_it_is_kept() -> None:
    text = "def f(self):\n    return 3\n"
    linecache.cache["<cell 1>"] = (len(text), None, text.splitlines(keepends=True), "<cell 1>")
    names: dict[str, Any] = {}
    exec(compile(text, "<cell 1>", "exec"), names)
    assert "return 3" in found(names["f"])


def test_the_text_of_a_doctest_is_found() -> None:
    names: dict[str, Any] = {}
    example = doctest.DocTestParser().get_doctest(
        ">>> def f(self):\n...     return 4\n>>> text = found(f)\n", {"found": found}, "example", None, 0
    )
    runner = doctest.DocTestRunner(verbose=False)
    runner.run(example, clear_globs=False)
    names = example.globs
    assert "return 4" in names["text"]


def test_text_nobody_keeps_is_not_found() -> None:
    names: dict[str, Any] = {}
    exec(compile("def f(self):\n    return 3\n", "<nowhere>", "exec"), names)
    with pytest.raises(NoSourceError):
        syntax_of(names["f"])


def test_text_that_has_changed_since_is_not_taken() -> None:
    text = "def f(self):\n    return 3\n"
    names: dict[str, Any] = {}
    exec(compile(text, "<changed>", "exec"), names)
    for other in (
        "def g(self):\n    return 3\n",
        "\ndef f(self):\n    return 3\n",
        "def f(self, x):\n    return 3\n",
        "def (:",
    ):
        linecache.cache["<changed>"] = (len(other), None, other.splitlines(keepends=True), "<changed>")
        with pytest.raises(NoSourceError):
            syntax_of(names["f"])
