"""The same expressions, evaluated with every step paid for.

`compiler` makes what is fast; this makes what counts. Each step is charged to the meter in the frame as the API server
charges it, so that an evaluation costs the same number of units here and there, and ends in the same place when it
costs too much. Some of the server's ways follow from how it is built, and are kept:

* A name with the fields and indices that follow it is one *attribute*: a unit for the name, one for each that follows.
  Where an attribute is a branch of a conditional, or an index, the unit for its name is forgotten.
* Arguments are evaluated, and paid for, even if an earlier one failed; only a call of three or more stops at once.
* A fold goes on after an error, and each round is paid for.
* `has` gives back a unit, lists of constants are free, and so is looking for something in one.

Units are no measure of time where the server does things we cannot do as cheaply (adding lists), so the meter counts
that work besides, and ends an evaluation that does too much of it in the same way. Loops look at the budget once an
element; what is overdrawn between two looks is found at the end.
"""

from collections.abc import Callable, Mapping
from functools import partial
from operator import eq, ne
from typing import Any, Final

from kubewright.cel import operators
from kubewright.cel.access import present
from kubewright.cel.aggregates import fill_list, fill_map
from kubewright.cel.arithmetic import add_int, multiply_int, negate, subtract_int
from kubewright.cel.ast import Call, Comprehension, Expr, Ident, ListLiteral, Literal, MapLiteral, Select, StructLiteral
from kubewright.cel.attributes import Attribute, qualifier_at
from kubewright.cel.charges import LIST, MAP, STRUCT, call_cost, one_unit
from kubewright.cel.checked import Checked
from kubewright.cel.code import Frame, Run
from kubewright.cel.compiler import CONVERSIONS, Compiled
from kubewright.cel.dispatch import dispatcher
from kubewright.cel.equality import compare, equal
from kubewright.cel.errors import ConstantError
from kubewright.cel.loops import insert, insert_all
from kubewright.cel.meter import Failed, every, exactly_one, fixed, kept, paid, ranged, some
from kubewright.cel.schema_values import read
from kubewright.cel.types import DYN, Type
from kubewright.cel.values import (
    ABSENT,
    EvaluationError,
    Native,
    Optional,
    TypeValue,
    no_such_overload,
)

__all__ = ["compile_counted"]


def compile_counted(checked: Checked, variables: Mapping[str, Type]) -> Compiled:
    """Compile; the frame is laid out as `compile_expression` lays it out, with a `Meter` at place 0."""
    planner = _Planner(checked, variables)
    step = planner.plan(checked.ast.expr)
    return Compiled(step.evaluate(), planner.size)


_SEARCHES: Final = frozenset(("matches", "find", "findAll"))


class _Step:
    """A planned expression: a constant, an attribute, or anything else."""

    __slots__ = ("attribute", "constant", "known", "run")

    def __init__(self, run: Run, *, attribute: "Attribute | None" = None) -> None:
        self.run = run
        self.attribute = attribute
        self.constant = False
        self.known: Native = None

    def evaluate(self) -> Run:
        return self.run if self.attribute is None else self.attribute.evaluate()


def _filled(fill: Callable[[Frame], Native], price: int) -> _Step:
    """What makes a list, a map or an object, and is paid for even where it fails."""

    def make(frame: Frame) -> Native:
        try:
            return fill(frame)
        finally:
            frame[0].cost += price

    return _Step(make)


def _constant(value: Native) -> _Step:
    step = _Step(lambda frame: value)
    step.constant, step.known = True, value
    return step


class _Planner:
    def __init__(self, checked: Checked, variables: Mapping[str, Type]) -> None:
        self._types = checked.types
        self._references = checked.references
        self._globals: dict[str, Run] = {
            name: _input(name, place, type_) for place, (name, type_) in enumerate(variables.items(), start=1)
        }
        self._scope = dict(self._globals)
        self.size = len(variables) + 1

    def plan(self, node: Expr) -> _Step:
        return _VISIT[type(node)](self, node)

    def _run(self, node: Expr) -> Run:
        return self.plan(node).evaluate()

    def _place(self) -> int:
        self.size += 1
        return self.size - 1

    # -- names, fields, indices

    def _literal(self, node: Literal) -> _Step:
        return _constant(node.value)

    def _ident(self, node: Ident) -> _Step:
        rooted = node.name.startswith(".")
        return self._named(node.name.removeprefix("."), self._globals if rooted else self._scope)

    def _named(self, name: str, scope: Mapping[str, Run]) -> _Step:
        found = scope.get(name)
        if found is None:
            return _constant(TypeValue(name))
        return _Step(found, attribute=Attribute(found))

    def _attribute(self, node: Expr) -> Attribute:
        step = self.plan(node)
        return Attribute(step.run) if step.attribute is None else step.attribute

    def _select(self, node: Select) -> _Step:
        reference = self._references.get(node.id)
        if reference is not None and not node.test_only:
            return self._named(reference.name, self._scope)
        attribute, name = self._attribute(node.operand), node.field
        if not node.test_only:
            attribute.add(qualifier_at(lambda frame: name))
            return _Step(attribute.base, attribute=attribute)
        resolve = attribute.resolve()

        def has(frame: Frame) -> bool:
            value = resolve(frame)
            found = present(value, name)
            # What an optional does not hold is not looked for.
            if found or type(value) is not Optional:
                frame[0].cost += 1
            return found

        return _Step(has)

    def _index(self, node: Call, *, optional: bool) -> _Step:
        operand, key = node.args
        attribute = self._attribute(operand)
        step = self.plan(key)
        # An attribute as an index is followed, not evaluated: its name is free.
        at = step.run if step.attribute is None else step.attribute.resolve()
        attribute.add(qualifier_at(at), optional=optional)
        return _Step(attribute.base, attribute=attribute)

    # -- literals

    def _list(self, node: ListLiteral) -> _Step:
        steps = [self.plan(element) for element in node.elements]
        if all(step.constant for step in steps) and not node.optional_indices:
            return _constant([step.known for step in steps])
        optional = frozenset(node.optional_indices)
        fill = fill_list([(step.evaluate(), place in optional) for place, step in enumerate(steps)])

        return _filled(fill, LIST)

    def _map(self, node: MapLiteral) -> _Step:
        parts = [(self.plan(entry.key), self.plan(entry.value), entry.optional) for entry in node.entries]
        fill = fill_map([(key.evaluate(), value.evaluate(), maybe) for key, value, maybe in parts])
        if all(key.constant and value.constant and not maybe for key, value, maybe in parts):
            try:
                return _constant(fill([]))
            except EvaluationError as error:
                raise ConstantError(str(error)) from None

        return _filled(fill, MAP)

    def _struct(self, node: StructLiteral) -> _Step:
        parts = [
            (_constant(field.name).evaluate(), self.plan(field.value).evaluate(), field.optional)
            for field in node.fields
        ]
        return _filled(fill_map(parts), STRUCT)

    # -- calls

    def _call(self, node: Call) -> _Step:
        function = node.function
        match function:
            case "_&&_" | "_||_":
                return self._logic(node, decisive=function == "_||_")
            case "_?_:_":
                condition, yes, no = node.args
                branches = _as_bool(self._run(condition)), self._attribute(yes), self._attribute(no)
                attribute = Attribute(branches[0], branches=branches)
                return _Step(branches[0], attribute=attribute)
            case "_[_]":
                return self._index(node, optional=False)
            case "_[?_]" | "_?._":
                return self._index(node, optional=True)
        reference = self._references[node.id]
        args = list(node.args) if node.target is None or reference.name != function else [node.target, *node.args]
        if function in ("or", "orValue"):
            return self._or(args, value=function == "orValue")
        steps = [self.plan(arg) for arg in args]
        kinds = frozenset([self._kind(arg) for arg in args])
        return self._charged(reference.name, reference.overloads, steps, kinds)

    def _kind(self, node: Expr) -> str:
        found = self._types.get(node.id, DYN)
        return "dyn" if found.nullable else found.kind

    def _charged(self, function: str, ids: tuple[str, ...], steps: list[_Step], kinds: frozenset[str]) -> _Step:
        overload = ids[0] if len(ids) == 1 else ""
        call = _OPERATORS.get(function)
        if call is None:
            call = dispatcher(function, ids)
        elif function in ("_==_", "_!=_"):
            overload = "equals" if function == "_==_" else "not_equals"
        if len(steps) == 1 and function in CONVERSIONS and steps[0].constant:
            try:
                return _constant(call(steps[0].known))
            except EvaluationError as error:
                raise ConstantError(str(error)) from None
        if overload == "in_list" and steps[1].constant:
            found = _constant_membership(steps[0], steps[1].known)
            if found is not None:
                return found
        # A search for a constant pattern is a call that stops at once, however few its arguments.
        stops = len(steps) > 2 or (function in _SEARCHES and steps[1].constant)
        runs = [step.evaluate() for step in steps]
        charge = call_cost(function, overload)
        if not stops and len(steps) >= 1 and kinds <= _SCALARS and (charge is one_unit or function in ("_==_", "_!=_")):
            return _Step(fixed(_typed(function, call, kinds), runs, 1))
        return _Step(paid(call, charge, runs, stops=stops))

    def _logic(self, node: Call, *, decisive: bool) -> _Step:
        terms = [self._run(arg) for arg in node.args]

        def decide(frame: Frame) -> Native:
            failed: EvaluationError | None = None
            for term in terms:
                try:
                    value = term(frame)
                    if value is decisive:
                        return decisive
                    if value is not (not decisive):
                        failed = failed or no_such_overload()
                except EvaluationError as error:
                    failed = failed or error
            if failed is not None:
                raise failed
            return not decisive

        return _Step(decide)

    def _or(self, args: list[Expr], *, value: bool) -> _Step:
        first, second = self._run(args[0]), self._run(args[1])

        def choose(frame: Frame) -> Native:
            found = first(frame)
            if type(found) is not Optional:
                return found
            if found.value is ABSENT:
                return second(frame)
            return found.value if value else found

        return _Step(choose)

    # -- folds

    def _comprehension(self, node: Comprehension) -> _Step:
        over = self._run(node.iter_range)
        outer = self._scope
        place = self._place()
        second = self._place() if node.iter_var2 is not None else 0
        elements = ranged(over, place, second)
        self._scope = {**outer, node.iter_var: lambda frame: frame[place]}
        if node.iter_var2 is not None:
            self._scope[node.iter_var2] = lambda frame: frame[second]
        inner = self._scope
        made = self._macro(node, elements)
        self._scope = outer
        return _Step(self._fold(node, elements, inner) if made is None else made)

    def _macro(self, node: Comprehension, elements: Callable[[Frame], Any]) -> Run | None:
        """The loop of a known macro, paid for as its expansion would be."""
        step = node.loop_step
        if node.macro is None or node.iter_var == "#unused" or not isinstance(step, Call):
            return None
        match node.macro.name:
            case "all":
                return every(elements, self._run(step.args[1]))
            case "exists":
                return some(elements, self._run(step.args[1]))
            case "exists_one" | "existsOne":
                return exactly_one(elements, self._run(step.args[0]))
            case "map" | "filter" | "transformList" | "sortBy":
                holds = None
                if step.function == "_?_:_":
                    holds, inner = self._run(step.args[0]), step.args[1]
                    assert isinstance(inner, Call)  # the sum that the condition guards
                    step = inner
                added = step.args[1]
                assert isinstance(added, ListLiteral)  # of the one element that is added
                element = self.plan(added.elements[0])
                return kept(elements, holds, element.evaluate(), constant=element.constant)
        return None

    def _fold(self, node: Comprehension, elements: Callable[[Frame], Any], inner: dict[str, Run]) -> Run:
        outer = self._scope
        init, accumulator = self._run(node.accu_init), self._place()
        self._scope = {**outer, node.accu_var: _lazily(accumulator, init, grows=node.iter_var != "#unused")}
        result = self._run(node.result)
        self._scope = {**inner, node.accu_var: self._scope[node.accu_var]}
        condition, step = self._run(node.loop_condition), self._run(node.loop_step)
        self._scope = outer

        def fold(frame: Frame) -> Native:
            frame[accumulator] = ABSENT
            for _ in elements(frame):
                if _goes_on(condition, frame) is False:
                    break
                try:
                    frame[accumulator] = step(frame)
                except EvaluationError as error:
                    frame[accumulator] = Failed(error)
            return _settled(result(frame))

        return fold


def _goes_on(condition: Run, frame: Frame) -> Native:
    try:
        return condition(frame)
    except EvaluationError:
        return None


class _Growing(list[Native]):
    """The list a fold adds to: nobody else holds it, so that adding need not copy."""

    __slots__ = ()


class _GrowingMap(dict[Native, Native]):
    """The map a fold inserts into."""

    __slots__ = ()


def _settled(value: Native) -> Native:
    """What a fold has made, once it is done growing."""
    if type(value) is _Growing:
        return list(value)
    return dict(value) if type(value) is _GrowingMap else value


def _lazily(place: int, init: Run, *, grows: bool) -> Run:
    """The accumulator: computed when it is first asked for; a name for a value (no fold) does not grow."""

    def read_accumulator(frame: Frame) -> Native:
        value = frame[place]
        if value is ABSENT:
            value = init(frame)
            if grows and type(value) is list and not value:
                value = _Growing()
            elif grows and type(value) is dict and not value:
                value = _GrowingMap()
            frame[place] = value
        elif type(value) is Failed:
            raise value.error
        return value

    return read_accumulator


def _input(name: str, place: int, type_: Type) -> Run:
    """A variable, as a value; what was read from JSON is kept for the rest of the evaluation."""
    bare = type_.params[0] if type_.name == "optional_type" else type_

    def value(frame: Frame) -> Native:
        found = frame[place]
        if type(found) is _Read:
            return found.value
        if found is ABSENT:
            raise EvaluationError(f"no such attribute(s): {name}")
        made = None if found is None else read(bare if type(found) is not Optional else type_, found)
        frame[place] = _Read(made)
        return made

    return value


class _Read:
    """A variable that was turned into a value already."""

    __slots__ = ("value",)

    def __init__(self, value: Native) -> None:
        self.value = value


def _as_bool(run: Run) -> Run:
    def condition(frame: Frame) -> bool:
        value = run(frame)
        if value is True:
            return True
        if value is False:
            return False
        raise no_such_overload()

    return condition


def _constant_membership(arg: _Step, elements: list[Native]) -> _Step | None:
    """Looking for a value in a constant list is free, if its elements are simple."""
    if not elements:
        return _constant(False)
    if not all(isinstance(element, bool | int | float | str) for element in elements):
        return None
    run, test = arg.evaluate(), dispatcher("@in", ())
    return _Step(lambda frame: test(run(frame), elements))


def _add(a: Native, b: Native) -> Native:
    if type(a) is _Growing and isinstance(b, list):
        a += b
        return a
    return operators.BINARY["_+_"](a, b)


def _not(value: Native) -> bool:
    if value is True or value is False:
        return not value
    raise no_such_overload()


def _not_strictly_false(value: Native) -> bool:
    return value is not False


def _insert(mapping: Native, key: Native, *value: Native) -> Native:
    made = mapping if type(mapping) is _GrowingMap else _GrowingMap(mapping)
    if value:
        insert(made, key, value[0])
    else:
        insert_all(made, key)
    return made


def _ordered(function: str, holds: Callable[[Any, Any], bool], a: Native, b: Native) -> bool:
    return holds(compare(a, b, function), 0)


# Types whose size is that of a number.
_SCALARS: Final = frozenset(("bool", "double", "duration", "int", "timestamp", "uint"))
_QUICK: Final[dict[str, Callable[[Any, Any], Any]]] = {
    "_==_": eq,
    "_!=_": ne,
    **operators.COMPARISONS,
    "_+_": add_int,
    "_-_": subtract_int,
    "_*_": multiply_int,
}


def _typed(function: str, call: Callable[..., Native], kinds: frozenset[str]) -> Callable[..., Native]:
    """An operator on ints is Python's, unless it stumbles over a null."""
    quick = _QUICK.get(function) if kinds == {"int"} else None
    if quick is None:
        return call

    def typed(a: Native, b: Native) -> Native:
        try:
            return quick(a, b)
        except TypeError:
            return call(a, b)

    return typed


_OPERATORS: Final[dict[str, Callable[..., Native]]] = {
    **operators.BINARY,
    "_+_": _add,
    **{name: partial(_ordered, name, holds) for name, holds in operators.COMPARISONS.items()},
    "_==_": equal,
    "_!=_": lambda a, b: not equal(a, b),
    "!_": _not,
    "-_": negate,
    "@not_strictly_false": _not_strictly_false,
    "cel.@mapInsert": _insert,
}

_VISIT: Final[dict[type, Callable[[_Planner, Any], _Step]]] = {
    Literal: _Planner._literal,
    Ident: _Planner._ident,
    Select: _Planner._select,
    Call: _Planner._call,
    ListLiteral: _Planner._list,
    MapLiteral: _Planner._map,
    StructLiteral: _Planner._struct,
    Comprehension: _Planner._comprehension,
}
