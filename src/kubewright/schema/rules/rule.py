"""`rule`: the decorator, and the object it leaves in the class.

A rule is called as the method it looks like, `web.gentle_shrink(old)`, and answers True or False. The call runs the
function's own source with the errors CEL has: an integer beyond 64 bits raises, and so does a duration that is none.
With no source at hand (an image with .pyc files only) the function runs as it is, and only `compile_rules` minds.
"""

import types
import typing
from collections.abc import Callable
from typing import Any, ParamSpec, overload

from kubewright.model.markers import RuleReason
from kubewright.model.shape import DefinitionError

__all__ = ["Rule", "RuleCostWarning", "RuleError", "compile_rules", "rule"]

P = ParamSpec("P")
#: What a rule may be told to say: a sentence, or `lambda self: f"…"` for one with values in it.
Message = str | Callable[..., str]


class RuleError(DefinitionError):
    """A rule that cannot be written in CEL: names the class, the rule, the file, the line and the reason."""

    def __init__(self, where: str, problem: str, *, filename: str, line: int) -> None:
        end = "" if problem.endswith(("?", ".")) else "."
        super().__init__(f"{where} ({filename}:{line}): {problem}{end}")
        self.filename = filename
        self.line = line


class RuleCostWarning(UserWarning):
    """A rule that a server would refuse for what it may cost: the values it walks have no bounds, or too large ones."""


class Rule:
    """A rule of a class; made by `rule`."""

    def __init__(
        self,
        function: types.FunctionType,
        *,
        message: Message | None = None,
        reason: RuleReason | None = None,
        field_path: str | None = None,
        optional_old: bool = False,
    ) -> None:
        self.function = function
        self.message = message
        self.reason = reason
        self.field_path = field_path
        self.optional_old = optional_old
        self.name = function.__name__
        self.__doc__ = function.__doc__
        self.__wrapped__ = function
        self._runs: dict[type, Callable[..., Any]] = {}

    def __set_name__(self, owner: type, name: str) -> None:
        self.name = name

    def __repr__(self) -> str:
        return f"<rule {self.name}>"

    @typing.overload
    def __get__(self, obj: None, owner: type) -> "Rule": ...
    @typing.overload
    def __get__(self, obj: object, owner: type) -> Callable[..., bool]: ...
    def __get__(self, obj: object, owner: type) -> "Rule | Callable[..., bool]":
        return self if obj is None else types.MethodType(self, obj)

    @property
    def transition(self) -> bool:
        """Whether the rule looks at the object before the change: then it is not asked when one is created."""
        return self.function.__code__.co_argcount > 1

    def __call__(self, obj: Any, old: Any = None) -> bool:
        """Whether the rule holds. Raises where CEL errs."""
        run = self._runs.get(type(obj))
        if run is None:
            from kubewright.schema.rules.compile import checked_function

            run = self._runs[type(obj)] = checked_function(self, type(obj))
        return bool(run(obj, old) if self.transition else run(obj))

    def explain(self, obj: Any, old: Any = None) -> str | None:
        """What is said when the rule does not hold."""
        if not isinstance(self.message, types.FunctionType):
            return typing.cast("str | None", self.message)
        two = self.message.__code__.co_argcount > 1
        return typing.cast("str", self.message(obj, old) if two else self.message(obj))

    def __kw_define__(self, cls: Any) -> None:
        """Refuse what cannot be expressed, as soon as the class exists.

        Names may still be missing (a type or a constant further down in the module), or the source: then
        `compile_rules` tells.
        """
        from kubewright.schema.rules.compile import check_rule

        check_rule(self, cls)


@overload
def rule(message: Callable[P, object], /) -> Callable[P, bool]: ...
@overload
def rule(
    message: str | None = None,
    *,
    reason: RuleReason | None = None,
    field_path: str | None = None,
    optional_old: bool = False,
) -> Callable[[Callable[P, object]], Callable[P, bool]]: ...
@overload
def rule(
    *,
    message: Callable[..., str],
    reason: RuleReason | None = None,
    field_path: str | None = None,
    optional_old: bool = False,
) -> Callable[[Callable[P, object]], Callable[P, bool]]: ...
def rule(
    message: Any = None,
    *,
    reason: RuleReason | None = None,
    field_path: str | None = None,
    optional_old: bool = False,
) -> Any:
    """Make a method of a Model a validation rule of its CRD: it returns whether the object is right.

    A second parameter, `old`, is the object before the change: the rule is then asked on updates only, or, with
    `optional_old`, always, and `old` is None where there was none. `message` is what the user is told, a sentence or
    `message=lambda self: f"size {self.size} is too big"`; by default the API server shows the CEL text. `reason` is the
    machine's word for it; `field_path` names the field at fault, by its names in Python: `field_path="spec.replicas"`.
    """
    if isinstance(message, types.FunctionType) and message.__name__ != "<lambda>":
        return Rule(message)

    def decorate(function: Any) -> Any:
        if not isinstance(function, types.FunctionType):
            raise DefinitionError(f"kw.rule stands right above a def, not above {function!r}.")
        return Rule(function, message=message, reason=reason, field_path=field_path, optional_old=optional_old)

    return decorate


def compile_rules(model: Any) -> list[dict[str, Any]]:
    """The `x-kubernetes-validations` of a Model class, or of a generic one with its arguments, as defined.

    Rules are inherited; one of the same name replaces its base's in place. Raises `RuleError` for what cannot be
    expressed, and where the source of a rule is not at hand.
    """
    found: dict[str, Any] = {}
    for base in reversed((typing.get_origin(model) or model).__mro__):
        for name, value in vars(base).items():
            if isinstance(value, Rule) or name in found:
                found[name] = value
    rules = [value for value in found.values() if isinstance(value, Rule)]
    if not rules:
        return []
    from kubewright.schema.rules.compile import compile_all

    return compile_all(rules, model)
