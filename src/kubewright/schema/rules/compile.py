"""A rule and a class become one entry of `x-kubernetes-validations`, and a function that answers as it does."""

import ast
import re
import types
import typing
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from kubewright.model.markers import RuleReason
from kubewright.model.meta import fields_of
from kubewright.model.resource import Resource
from kubewright.model.shape import StructOf
from kubewright.schema.rules.checked import checked
from kubewright.schema.rules.expression import expression
from kubewright.schema.rules.kinds import BOOL, STRING, Refusal, StructKind
from kubewright.schema.rules.rule import Rule, RuleError
from kubewright.schema.rules.scope import NotYetError, Place, Scope
from kubewright.schema.rules.source import NoSourceError, syntax_of
from kubewright.schema.rules.statements import LONGEST_TEXT, verdict
from kubewright.schema.rules.value import Value

__all__ = ["check_rule", "checked_function", "compile_all"]

_PLAIN_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")


@dataclass
class _Result:
    """What translating found."""

    entry: dict[str, Any]
    notes: dict[Place, str] = field(default_factory=dict)


def compile_all(rules: list[Rule], model: Any) -> list[dict[str, Any]]:
    """The entries of rules for a class, or for a generic one with its arguments."""
    entries: dict[str, dict[str, Any]] = {}
    for rule in rules:
        entry = _compile(rule, model)
        if entry["rule"] in entries:
            # The server tells the entries of the list apart by their text.
            raise _error(rule, model, "another rule says the same in CEL; leave one of them out")
        entries[entry["rule"]] = entry
    return list(entries.values())


def _compile(rule: Rule, model: Any) -> dict[str, Any]:
    try:
        return _translate(rule, model).entry
    except NotYetError as missing:
        raise _error(rule, model, f"there is no name {missing.name!r} in the module", missing.line) from None
    except NameError as missing:
        raise _error(rule, model, f"a type it reads is not known yet: {missing}") from None
    except NoSourceError:
        raise _error(
            rule, model, "its source is not at hand, and CEL is made from it; generate the CRD where the .py files are"
        ) from None


def check_rule(rule: Rule, model: Any) -> None:
    """Refuse what can be refused already."""
    if getattr(model, "__parameters__", ()):
        return  # what a type variable stands for is known where the class is used
    try:
        _translate(rule, model)
    except (NotYetError, NoSourceError, NameError):
        return


def checked_function(rule: Rule, model: Any) -> Callable[..., Any]:
    """The function of a rule as it runs on objects of a class."""
    notes: dict[Place, str] = {}
    try:
        syntax = syntax_of(rule.function)
        if not getattr(model, "__parameters__", ()):
            notes = _translate(rule, model).notes
    except NoSourceError:
        return rule.function
    except NotYetError as missing:
        raise _error(rule, model, f"there is no name {missing.name!r} in the module", missing.line) from None
    assert isinstance(syntax, ast.FunctionDef)
    return checked(rule.function, syntax, notes)


def _error(rule: Rule, model: Any, problem: str, line: int | None = None) -> RuleError:
    code = rule.function.__code__
    owner = (typing.get_origin(model) or model).__name__
    where = f"{owner}.{rule.name}"
    return RuleError(where, problem, filename=code.co_filename, line=line or code.co_firstlineno)


def _translate(rule: Rule, model: Any) -> _Result:
    try:
        _check_form(rule)
        result = _Result({})
        result.entry["rule"] = _rule_text(rule, model, result)
        if isinstance(rule.message, str):
            result.entry["message"] = _checked_message(rule.message)
        elif rule.message is not None:
            result.entry["messageExpression"] = _message_text(rule, model)
        if rule.reason:
            result.entry["reason"] = rule.reason
        if rule.field_path is not None:
            result.entry["fieldPath"] = _field_path(model, rule.field_path)
        if rule.optional_old:
            result.entry["optionalOldSelf"] = True
        return result
    except Refusal as refusal:
        raise _error(rule, model, refusal.reason, refusal.line) from refusal.__cause__


def _check_form(rule: Rule) -> None:
    code = rule.function.__code__
    if code.co_flags & (0x20 | 0x80 | 0x200):  # generator, coroutine, asynchronous generator
        raise Refusal("a rule is a plain function, neither async nor a generator")
    if code.co_argcount not in (1, 2) or code.co_kwonlyargcount or code.co_flags & 0xC or rule.function.__defaults__:
        raise Refusal("a rule takes (self) or (self, old), nothing else")
    if rule.optional_old and not rule.transition:
        raise Refusal("optional_old is about the parameter `old`, which this rule does not take")
    if rule.reason is not None and rule.reason not in typing.get_args(RuleReason):
        raise Refusal(f"reason={rule.reason!r} must be one of {', '.join(typing.get_args(RuleReason))}")


def _rule_text(rule: Rule, model: Any, result: _Result) -> str:
    syntax = syntax_of(rule.function)
    if not isinstance(syntax, ast.FunctionDef):
        raise Refusal("a rule is a def, not a lambda")
    parameters = [argument.arg for argument in (*syntax.args.posonlyargs, *syntax.args.args)]
    if rule.transition and not _reads(syntax, parameters[1]):
        raise Refusal(f"the rule does not use {parameters[1]}; leave the parameter out")
    assigned = {
        each.id for each in _own_nodes(syntax) if isinstance(each, ast.Name) and isinstance(each.ctx, ast.Store)
    }
    scope = Scope(model, rule.function, expression, _parameters(rule, model, parameters), assigned=frozenset(assigned),
                  notes=result.notes)  # fmt: skip
    text = verdict(syntax.body, scope, syntax.body[-1].lineno).text
    if len(text) > LONGEST_TEXT:
        raise Refusal(f"the rule is {len(text)} characters of CEL, and {LONGEST_TEXT} is the most; split it")
    return text


def _own_nodes(syntax: ast.AST) -> typing.Iterator[ast.AST]:
    """The nodes of a function without those of comprehensions, whose variables are their own."""
    for child in ast.iter_child_nodes(syntax):
        yield child
        if not isinstance(child, ast.ListComp | ast.SetComp | ast.GeneratorExp | ast.DictComp):
            yield from _own_nodes(child)


def _reads(syntax: ast.AST, name: str) -> bool:
    return any(isinstance(node, ast.Name) and node.id == name for node in ast.walk(syntax))


def _parameters(rule: Rule, model: Any, names: list[str]) -> dict[str, Value]:
    root = issubclass(typing.get_origin(model) or model, Resource)
    kind = StructKind(model, "root" if root else "plain")
    values = [Value("self", kind), Value("oldSelf", kind)]
    if rule.optional_old:
        there = Value("oldSelf.hasValue()", BOOL, yes=frozenset({"oldSelf.hasValue()"}))
        values[1] = Value("oldSelf.value()", kind, presence=there)
    return dict(zip(names, values, strict=False))


def _message_text(rule: Rule, model: Any) -> str:
    if not isinstance(rule.message, types.FunctionType) or rule.message.__name__ != "<lambda>":
        raise Refusal('a message is a string, or message=lambda self: f"…" for one with values in it')
    syntax = syntax_of(rule.message)
    assert isinstance(syntax, ast.Lambda)
    names = [argument.arg for argument in syntax.args.args]
    if not 1 <= len(names) <= (2 if rule.transition else 1):
        raise Refusal("the lambda of a message takes what its rule takes", syntax.lineno)
    scope = Scope(model, rule.message, expression, _parameters(rule, model, names), lenient=True)
    value = scope.value(syntax.body)
    if value.kind is not STRING or value.presence:
        raise Refusal(f"a message is a string, not {value.kind.label}", syntax.lineno)
    return value.text


def _checked_message(message: str) -> str:
    if not message.strip() or "\n" in message.strip() or "\r" in message:
        raise Refusal("a message is one line of text")
    return message


def _field_path(model: Any, path: str) -> str:
    """The JSON path, on the wire, of a field named as in Python: `spec.replicas`."""
    kind: Any = StructOf(annotation=model)
    out = ""
    for name in path.split("."):
        if not isinstance(kind, StructOf):
            raise Refusal(f"field_path={path!r}: there are no fields below {out or 'this'}; name a field of a model")
        known = {each.name: each for each in fields_of(kind.annotation)}
        if name not in known or (not out and name == "metadata"):
            raise Refusal(f"field_path={path!r}: {kind.model.__name__} has no field {name!r} that could be named")
        wire = known[name].wire
        quoted = wire.replace("\\", "\\\\").replace("'", "\\'")
        out += f".{wire}" if _PLAIN_NAME.fullmatch(wire) else f"['{quoted}']"
        kind = known[name].shape
    return out
