"""One rule: what it says, compiled, and what it may cost."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from kubewright.cel.checked import Checked
from kubewright.cel.checker import check
from kubewright.cel.cost import estimate
from kubewright.cel.environment import Environment, rule_environment
from kubewright.cel.errors import ConstantError, ExpressionError
from kubewright.cel.parser import parse
from kubewright.cel.program import Program
from kubewright.cel.types import Type
from kubewright.schema.places import place
from kubewright.schema.raw import Schema

__all__ = ["Rule", "compile_rule"]


@dataclass(frozen=True, slots=True)
class Rule:
    """A rule. What does not compile has a `problem` in place of a program; so has its message."""

    document: Mapping[str, Any]
    #: What is told when it does not hold and no expression says it better.
    message: str
    #: Where its error belongs, from where the rule stands; empty if it is there.
    place: str
    #: Whether it compares with the object before, and so runs only if there is one, unless it takes none for an answer.
    uses_old: bool = False
    program: Program | None = None
    problem: str = ""
    cost: int = 0
    message_program: Program | None = None
    message_problem: str = ""
    message_cost: int = 0

    @property
    def optional_old(self) -> bool:
        """Whether it runs on new objects, too, with nothing in place of the old one."""
        return bool(self.document.get("optionalOldSelf"))

    @property
    def words(self) -> str:
        """The rule in messages about itself."""
        return str(self.document.get("message") or self.document.get("rule") or "").strip()


def compile_rule(document: Mapping[str, Any], schema: Schema, of: Type) -> Rule:
    """Compile a rule on values of a schema, of which `of` is the type."""
    text, message = document.get("rule") or "", document.get("message") or ""
    words = message.strip() if message else f"failed rule: {text.strip()}"
    where = place(document.get("fieldPath") or "", schema) or ""
    if not text.strip():
        return Rule(document, words, where)
    environment = rule_environment(of, optional_old=bool(document.get("optionalOldSelf")))
    try:
        checked = _check(text, environment, "bool", "cel expression must evaluate to a bool")
        program = _program(checked, environment, "program")
    except _Problem as problem:
        return Rule(document, words, where, problem=str(problem))
    uses_old = any(found.name == "oldSelf" for found in checked.references.values())
    rule = Rule(document, words, where, uses_old, program, cost=estimate(checked, of).max)
    told = document.get("messageExpression") or ""
    if not told:
        return rule
    try:
        checked = _check(
            told, environment, "string", "messageExpression must evaluate to a string", "messageExpression "
        )
        program = _program(checked, environment, "messageExpression")
    except _Problem as problem:
        return replace(rule, message_problem=str(problem))
    return replace(rule, message_program=program, message_cost=estimate(checked, of).max)


class _Problem(Exception):
    """Why an expression cannot be used."""


def _check(text: str, environment: Environment, kind: str, otherwise: str, what: str = "") -> Checked:
    """An expression that gives a value of a kind."""
    try:
        checked = check(parse(text), environment)
    except ExpressionError as error:
        raise _Problem(f"{what}compilation failed: {error}") from None
    if checked.type.kind != kind:
        raise _Problem(otherwise)
    return checked


def _program(checked: Checked, environment: Environment, what: str) -> Program:
    try:
        return Program(checked, environment)
    except ConstantError as error:
        raise _Problem(f"{what} instantiation failed: {error}") from None
