"""The rules of a schema, run on an object.

A rule sees the value where it stands (`self`) and what stood there before (`oldSelf`): properties are paired by name,
elements of a list by their keys if the list is a map, and nothing else has a past. A rule about the past does not run
where there is none. Nulls are not looked at.

All rules together have a budget. What they may cost at most is known beforehand, and nearly always far below it; only
if the sum of that is not, costs are counted, in a second run.

On an update, what is wrong with values that did not change is no error but a warning, unless the rule is about the
change.
"""

from collections.abc import Generator, Iterable, Mapping
from typing import Any, Final, NamedTuple

import msgspec

from kubewright.cel.program import Program
from kubewright.cel.schema import schema_type_pausing
from kubewright.cel.types import Type
from kubewright.cel.values import ABSENT, NONE, BudgetExceeded, EvaluationError, Optional
from kubewright.model.parts import MOST, summed, weight
from kubewright.model.steps import RULE, finish
from kubewright.schema.raw import Schema, has_rules_pausing, items_of, properties, several, values_of
from kubewright.schema.validations.rule import Rule, compile_rule
from kubewright.schema.walk.errors import DUPLICATE, INVALID, FieldError, forbidden, invalid, required
from kubewright.schema.walk.golang import show
from kubewright.schema.walk.ratchet import Correlation
from kubewright.schema.walk.structure import read

__all__ = ["Validations", "Verdict", "compile_validations", "compile_validations_pausing"]

_encode: Final = msgspec.json.Encoder().encode
#: Units of cost: of all evaluations on one object.
OBJECT_LIMIT: Final = 10_000_000
_LONGEST_MESSAGE: Final = 10_240
#: Values that could be looked at while a rule runs.
_GLANCES: Final = 4
_MISFITS: Final = (AttributeError, TypeError, KeyError, IndexError, ValueError)
_OUT_OF_BUDGET: Final = "failed due to running out of cost budget, no further validation rules will be run"


class Verdict(NamedTuple):
    """What is wrong with an object, and what is no better than it was."""

    errors: list[FieldError]
    warnings: list[str]


class _Node:
    """A place in the schema with rules at it or below."""

    __slots__ = ("all_of", "compares", "items", "kind", "list_keys", "properties", "rules", "values")

    def __init__(self, schema: Schema, rules: list[Rule]) -> None:
        self.kind: str = schema.get("type") or ""
        self.rules = rules
        #: Whether a rule at this place looks at the value before: only then messages can.
        self.compares = any(rule.uses_old for rule in rules)
        self.list_keys: tuple[str, ...] = ()
        if schema.get("x-kubernetes-list-type") == "map":
            self.list_keys = tuple(schema.get("x-kubernetes-list-map-keys") or ())
        self.properties: dict[str, _Node] = {}
        self.values: _Node | None = None
        self.items: _Node | None = None
        self.all_of: list[_Node] = []

    @property
    def empty(self) -> bool:
        return not (self.rules or self.properties or self.values or self.items or self.all_of)


def compile_validations(schema: Schema, *, root: bool = True) -> "Validations | None":
    """Compile all rules of a structural schema, of a whole resource unless told otherwise; None if it has none."""
    return finish(compile_validations_pausing(schema, root=root))


def compile_validations_pausing(schema: Schema, *, root: bool = True) -> "Generator[None, None, Validations | None]":
    """The same for a large schema, with pauses."""
    if not (yield from has_rules_pausing(schema)):
        return None
    of = yield from schema_type_pausing(schema, root=root)
    found = yield from _compile(schema, schema, of)
    return Validations(schema, found) if found is not None else None


def _compile(rules: Schema, schema: Schema, of: Type | None) -> Generator[None, None, _Node | None]:
    """The rules of one schema, on values of another: `allOf` adds rules to the structure beside it."""
    yield
    if of is None:
        return None
    compiled: list[Rule] = []
    for document in rules.get("x-kubernetes-validations") or ():
        compiled.append(compile_rule(document, schema, of))
        yield from RULE
    node = _Node(schema, compiled)
    items, values = items_of(rules), values_of(rules)
    if items is not None and (inner := items_of(schema)) is not None and of.params:
        node.items = yield from _compile(items, inner, of.params[0])
    if values is not None and (inner := values_of(schema)) is not None and len(of.params) > 1:
        node.values = yield from _compile(values, inner, of.params[1])
    fields = {field.name: field.type for field in (of.fields or {}).values()}
    spine = dict(properties(schema))
    for name, child in properties(rules):
        if name not in spine:
            continue
        embedded = bool(spine[name].get("x-kubernetes-embedded-resource"))
        kind = fields.get(name) or (yield from schema_type_pausing(spine[name], root=embedded))
        found = yield from _compile(child, spine[name], kind)
        if found is not None:
            node.properties[name] = found
    for extra in several(rules, "allOf"):
        if (found := (yield from _compile(extra, schema, of))) is not None:
            node.all_of.append(found)
    return None if node.empty else node


class Validations:
    """The compiled rules of a schema."""

    def __init__(self, schema: Schema, root: _Node) -> None:
        self._node = read(schema, lazily=True)
        self._root = root

    def run(self, obj: Mapping[str, Any], old: Mapping[str, Any] | None = None) -> Verdict:
        """Run the rules on an object, which replaces `old` if that is given."""
        pair = Correlation(obj, old, self._node) if old is not None else None
        size = _length(obj) + (_length(old) if old is not None else 0)
        run = _Run(size, counted=False)
        run.look(self._root, "", obj, old, _Past(pair, None))
        if run.most > OBJECT_LIMIT:
            run = _Run(size, counted=True)
            run.look(self._root, "", obj, old, _Past(pair, None))
        return Verdict(run.errors, run.warnings)

    def run_in_steps(
        self, obj: Mapping[str, Any], old: Mapping[str, Any] | None = None, most: int = MOST
    ) -> Generator[None, None, Verdict]:
        """The same for a large object; a rule that looks at much by itself is one step."""
        pair = Correlation(obj, old, self._node) if old is not None else None
        # The length of its parts is not less than that of the whole.
        size = yield from summed(obj, _length, most)
        if old is not None:
            size += yield from summed(old, _length, most)
        run = _Run(size, counted=False)
        yield from run.look_in_steps(self._root, "", obj, old, _Past(pair, None), most)
        if run.most > OBJECT_LIMIT:
            run = _Run(size, counted=True)
            yield from run.look_in_steps(self._root, "", obj, old, _Past(pair, None), most)
        return Verdict(run.errors, run.warnings)

    def run_default(self, value: Any, path: str) -> list[FieldError]:
        """Run the rules on a default that stands at a path: it is taken to have been there before, too."""
        run = _Run(_length(value) * 2, counted=True)
        run.look(self._root, path, value, value, _NOTHING)
        return run.errors


class _Past(NamedTuple):
    """A value's pair, if it has one, and that of the nearest value around it."""

    pair: Correlation | None
    around: Correlation | None

    def under(self, name: str) -> "_Past":
        if self.pair is None:
            return self
        if self.around is None and name in ("apiVersion", "kind"):
            return _NOTHING
        return _Past(self.pair.under(name), self.pair)

    def at(self, index: int) -> "_Past":
        return _Past(self.pair.at(index), self.pair) if self.pair is not None else self

    @property
    def unchanged(self) -> bool:
        """Whether the value is as it was."""
        pair = self.pair if self.pair is not None else self.around
        return pair is not None and pair.unchanged()


_NOTHING: Final = _Past(None, None)


class _Exhausted(Exception):
    """No further rule is run."""


class _Run:
    """One run of all rules on one object."""

    def __init__(self, size: int, *, counted: bool) -> None:
        self.errors: list[FieldError] = []
        self.warnings: list[str] = []
        #: What the rules that ran cost at most.
        self.most = 0
        self._size = size
        self._counted = counted
        self._left = OBJECT_LIMIT
        self._over = False

    def look(self, node: _Node, path: str, value: Any, old: Any, past: _Past) -> None:
        """Run the rules at a place and below it."""
        if value is None or self._over:
            return
        if node.rules and not self._rules(node, path, value, old, past):
            return
        for extra in node.all_of:
            self.look(extra, path, value, old, _Past(None, past.around))
        if type(value) is dict:
            before = old if type(old) is dict else {}
            if node.values is not None:
                for name, child in value.items():
                    self.look(node.values, f"{path}[{name}]", child, before.get(name), past.under(name))
            for name, inner in node.properties.items():
                if name in value:
                    place = f"{path}.{name}" if path else name
                    self.look(inner, place, value[name], before.get(name), past.under(name))
        elif type(value) is list and node.items is not None:
            partners = _partners(node.list_keys, old)
            for index, child in enumerate(value):
                partner = partners.get(_key(node.list_keys, child)) if partners else None
                self.look(node.items, f"{path}[{index}]", child, partner, past.at(index))

    def look_in_steps(
        self, node: _Node, path: str, value: Any, old: Any, past: _Past, most: int
    ) -> Generator[None, None, None]:
        """The same for a large value, in steps."""
        if self._over:
            return
        if weight(value, most) <= most:
            self.look(node, path, value, old, past)
            yield
            return
        if node.rules:
            if not self._rules(node, path, value, old, past):
                return
            yield
        for extra in node.all_of:
            yield from self.look_in_steps(extra, path, value, old, _Past(None, past.around), most)
        if type(value) is dict:
            before = old if type(old) is dict else {}
            if node.values is not None:
                places = (
                    (f"{path}[{name}]", child, before.get(name), past.under(name)) for name, child in value.items()
                )
                yield from self._look_at_each(node.values, places, most)
            for name, inner in node.properties.items():
                if name in value:
                    place = f"{path}.{name}" if path else name
                    yield from self.look_in_steps(inner, place, value[name], before.get(name), past.under(name), most)
        elif node.items is not None:
            keys = node.list_keys
            partners = _partners(keys, old)
            yield
            places = (
                (f"{path}[{index}]", child, partners.get(_key(keys, child)) if partners else None, past.at(index))
                for index, child in enumerate(value)
            )
            yield from self._look_at_each(node.items, places, most)

    def _look_at_each(
        self, node: _Node, places: Iterable[tuple[str, Any, Any, _Past]], most: int
    ) -> Generator[None, None, None]:
        """Look at many values of one sort: some light ones together, a heavy one by itself."""
        total = 0
        for path, child, old, past in places:
            heavy = weight(child, most)
            if heavy > most:
                yield from self.look_in_steps(node, path, child, old, past, most)
                continue
            self.look(node, path, child, old, past)
            # A rule takes longer than a glance at a value, however small that is.
            total += heavy + _GLANCES
            if total > most:
                yield
                total = 0

    def _rules(self, node: _Node, path: str, value: Any, old: Any, past: _Past) -> bool:
        """Run the rules at a place; whether there is budget left."""
        try:
            for rule in node.rules:
                self._rule(rule, node, path, value, old, past)
        except _Exhausted:
            self._over = True
        return not self._over

    def _rule(self, rule: Rule, node: _Node, path: str, value: Any, old: Any, past: _Past) -> None:
        where, kind = path or "<nil>", node.kind
        if rule.problem:
            self.errors.append(invalid(where, kind, f"rule compile error: {rule.problem}"))
            return
        if rule.program is None or (rule.uses_old and old is None and not rule.optional_old):
            return
        before = (NONE if old is None else Optional(old)) if rule.optional_old else old
        try:
            holds = self._run(rule.program, value, before)
        except BudgetExceeded as error:
            why = f"'{error}': no further validation rules will be run due to call cost exceeds limit for rule: "
            self.errors.append(invalid(where, kind, why + rule.words))
            raise _Exhausted from None
        except _Exhausted:
            self.errors.append(invalid(where, kind, f"validation {_OUT_OF_BUDGET}"))
            raise
        except EvaluationError as error:
            text = str(error)
            if text.startswith("no such overload"):
                why = f"'{text}': call arguments did not match a supported operator, function or macro signature for "
                self.errors.append(invalid(where, kind, f"{why}rule: {rule.words}"))
            else:
                self.errors.append(invalid(where, kind, f"{text} evaluating rule: {rule.words}"))
            return
        if holds is not True:
            place = (f"{path}.{rule.place}" if path else rule.place) if rule.place else where
            seen = old if node.compares and old is not None else ABSENT
            message = self._message(rule, kind, place, value, seen, past)
            self._tell(rule, past, _error(rule, kind, place, value, message))

    def _run(self, program: Program, value: Any, before: Any, *, message: bool = False) -> Any:
        """What an expression comes to, within the budget; one for a message need not be quick."""
        try:
            if not self._counted:
                self.most += program.most(self._size)
                if self.most > OBJECT_LIMIT:
                    raise _Exhausted
                if not message:
                    return program.run((value, before), self._size)
            found = program.measure((value, before))
        except _MISFITS:
            # An old value may be of an older schema, and programs are written for what this one says.
            raise EvaluationError("invalid data, expected what the schema describes") from None
        if found.cost > self._left:
            raise _Exhausted
        self._left -= found.cost
        if found.error is not None:
            raise found.error
        return found.value

    def _message(self, rule: Rule, kind: str, place: str, value: Any, old: Any, past: _Past) -> str:
        """What is told of a value that breaks a rule; the expression sees what was there as it was, never optional."""
        if rule.message_program is None:
            return rule.message
        try:
            told = self._run(rule.message_program, value, old, message=True)
        except _Exhausted:
            self._tell(rule, past, invalid(place, kind, f"messageExpression evaluation {_OUT_OF_BUDGET}"))
            raise
        except BudgetExceeded:
            why = "no further validation rules will be run due to call cost exceeds limit for messageExpression: "
            self._tell(rule, past, invalid(place, kind, why + show(rule.document["messageExpression"])))
            raise _Exhausted from None
        except EvaluationError:
            return rule.message
        text = told.strip() if isinstance(told, str) else ""
        if not text or "\n" in text or len(text.encode()) > _LONGEST_MESSAGE:
            return rule.message
        return text

    def _tell(self, rule: Rule, past: _Past, error: FieldError) -> None:
        if not rule.uses_old and past.unchanged:
            self.warnings.append(str(error))
        else:
            self.errors.append(error)


def _error(rule: Rule, kind: str, place: str, value: Any, message: str) -> FieldError:
    """An error as its rule wants it told; objects and lists are not shown."""
    reason = rule.document.get("reason")
    whole = kind in ("object", "array")
    if reason == "FieldValueForbidden":
        return forbidden(place, message)
    if reason == "FieldValueRequired":
        return required(place, message)
    if reason == DUPLICATE:
        return FieldError(DUPLICATE, place, "Duplicate value" if whole else f"Duplicate value: {show(value)}")
    return FieldError(INVALID, place, f"Invalid value: {message}") if whole else invalid(place, value, message)


def _length(value: Any) -> int:
    return len(_encode(value))


def _partners(keys: tuple[str, ...], old: Any) -> dict[Any, Any]:
    """The elements that a list had, by their keys; none if they have no keys."""
    if not keys or type(old) is not list:
        return {}
    return {_key(keys, element): element for element in reversed(old) if type(element) is dict}


def _key(keys: tuple[str, ...], element: Any) -> Any:
    """By what an element is found: the values of its keys, and their types."""
    if type(element) is not dict:
        return None
    found = [element.get(name) for name in keys]
    return tuple((type(value).__name__, value) if isinstance(value, str | int | float) else value for value in found)
