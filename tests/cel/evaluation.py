"""Evaluate an expression both ways, fast and counted, which have to agree."""

from typing import Any

from kubewright.cel.checker import check
from kubewright.cel.environment import Environment
from kubewright.cel.parser import parse
from kubewright.cel.program import Program
from kubewright.cel.schema import Schema, schema_type
from kubewright.cel.values import EvaluationError, ObjectView

__all__ = ["cost", "error", "evaluate", "program"]


def program(text: str, schema: Schema | None = None) -> Program:
    """An expression, on `self` and `oldSelf` if there is a schema."""
    type_ = None if schema is None else schema_type(schema, root=False)
    environment = Environment({} if type_ is None else {"self": type_, "oldSelf": type_})
    return Program(check(parse(text), environment), environment)


def evaluate(text: str, schema: Schema | None = None, *inputs: Any) -> Any:
    """The value of an expression."""
    made = program(text, schema)
    values = _inputs(schema, inputs)
    measured = made.measure(values)
    try:
        found = made.run(values, 0)
    except EvaluationError as failure:
        if str(measured.error) != str(failure):
            raise AssertionError(f"{text}: counted {measured}, fast {failure}") from failure
        raise
    if measured.error is not None or shown(measured.value) != shown(found):
        raise AssertionError(f"{text}: counted {measured}, fast {found!r}")
    return found


def error(text: str, schema: Schema | None = None, *inputs: Any) -> str:
    """The words in which an expression fails."""
    try:
        found = evaluate(text, schema, *inputs)
    except EvaluationError as failure:
        return str(failure)
    raise AssertionError(f"{text} is {found!r}")


def cost(text: str, schema: Schema | None = None, *inputs: Any) -> int:
    """What an evaluation costs."""
    return program(text, schema).measure(_inputs(schema, inputs)).cost


def _inputs(schema: Schema | None, inputs: tuple[Any, ...]) -> list[Any]:
    return [] if schema is None else [*inputs, *[None] * (2 - len(inputs))]


def shown(value: Any) -> str:
    """A value for comparison: types count, objects are what they hold."""
    if isinstance(value, ObjectView):
        return f"object {value.raw!r}"
    if isinstance(value, list):
        return f"[{', '.join(map(shown, value))}]"
    if isinstance(value, dict):
        return f"{{{', '.join(f'{shown(key)}: {shown(one)}' for key, one in value.items())}}}"
    if hasattr(value, "equals"):
        return type(value).__name__
    return f"{type(value).__name__} {value!r}"
