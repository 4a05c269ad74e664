"""Finding the syntax tree of a function: its file is parsed once, and the function known by its line.

`inspect.getsource` guesses where a function ends and cannot tell two lambdas of one line apart; the tree of the whole
module, and the columns every instruction carries, can. Text that never was a file (a notebook's cell, a doctest) is
found where `linecache` keeps it.
"""

import ast
import functools
import linecache
import types

from kubewright.schema.syntax import parse

__all__ = ["NoSourceError", "syntax_of"]


class NoSourceError(Exception):
    """There is no text for this function, or not the one it was made from."""


def syntax_of(function: types.FunctionType) -> ast.FunctionDef | ast.Lambda:
    """The `def` or `lambda` a function was made by."""
    code = function.__code__
    text = "".join(linecache.getlines(code.co_filename, function.__globals__))
    if not text.strip():
        raise NoSourceError
    try:
        functions, lambdas = _parse(text)
    except SyntaxError:
        raise NoSourceError from None
    found: ast.FunctionDef | ast.Lambda | None
    if function.__name__ == "<lambda>":
        found = _lambda(lambdas, code)
    else:
        found = functions.get((code.co_name, code.co_firstlineno))
    if found is None:
        raise NoSourceError
    parameters = tuple(each.arg for each in (*found.args.posonlyargs, *found.args.args))
    if parameters != code.co_varnames[: code.co_argcount]:
        raise NoSourceError
    return found


@functools.lru_cache(maxsize=4)
def _parse(text: str) -> tuple[dict[tuple[str, int], ast.FunctionDef], list[ast.Lambda]]:
    """The functions of a module by name and first line, which is that of the first decorator; and its lambdas."""
    functions, lambdas = {}, []
    for node in ast.walk(parse(text)):
        if isinstance(node, ast.FunctionDef):
            functions[node.name, min([node.lineno, *(each.lineno for each in node.decorator_list)])] = node
        elif isinstance(node, ast.Lambda):
            lambdas.append(node)
    return functions, lambdas


def _lambda(lambdas: list[ast.Lambda], code: types.CodeType) -> ast.Lambda | None:
    """The smallest lambda that holds every instruction of the code."""
    places = [
        (line, column, end, end_column)
        for line, end, column, end_column in code.co_positions()
        if None not in (line, end, column, end_column) and (column, end_column) != (0, 0)
    ]
    found = [
        node
        for node in lambdas
        if node.lineno <= code.co_firstlineno <= (node.end_lineno or 0)
        and all(_inside(node.body, place) for place in places)
    ]
    if not places and len(found) > 1:  # run with -X no_debug_ranges: columns are not known
        return None
    return min(found, key=lambda node: len(ast.unparse(node)), default=None)


def _inside(node: ast.expr, place: tuple[int | None, int | None, int | None, int | None]) -> bool:
    line, column, end, end_column = place
    starts = (node.lineno, node.col_offset) <= (line or 0, column or 0)
    return starts and (end or 0, end_column or 0) <= (node.end_lineno or 0, node.end_col_offset or 0)
