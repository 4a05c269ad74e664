"""From a checked expression to closures.

Every node becomes a closure over the frame (`code`), written for what is known of it: fields along a schema are read
from the JSON as it lies (`paths`), operators on known types are Python's (`operators`), macros are loops (`loops`), and
what does not depend on a variable is computed here, patterns included. What is not known statically goes through the
functions that take any value.
"""

from collections.abc import Callable, Iterator, Mapping
from typing import Any, Final

from kubewright.cel import loops, operators
from kubewright.cel.access import (
    iterate,
    iterate_pairs,
    present,
    select,
)
from kubewright.cel.aggregates import fill_list, fill_map
from kubewright.cel.ast import (
    Call,
    Comprehension,
    Expr,
    Ident,
    ListLiteral,
    Literal,
    MapLiteral,
    Select,
    StructLiteral,
)
from kubewright.cel.calls import SPECIAL
from kubewright.cel.checked import Checked
from kubewright.cel.code import Code, Frame, Run, constant
from kubewright.cel.dispatch import dispatcher
from kubewright.cel.environment import UNUSABLE
from kubewright.cel.errors import ConstantError
from kubewright.cel.library import overloads
from kubewright.cel.paths import has_field, has_path, read_field, read_path
from kubewright.cel.reading import (
    converted,
    entry,
    inner_type,
    inside,
    local,
    pair,
    shaped,
    variable,
)
from kubewright.cel.types import DYN, INT, STRING, Type, list_of
from kubewright.cel.values import (
    EvaluationError,
    Native,
    TypeValue,
)

__all__ = ["CONVERSIONS", "Compiled", "compile_expression"]

#: Functions that the server computes while it makes a program, if their argument is a constant.
CONVERSIONS: Final = frozenset(
    ("bool", "bytes", "double", "duration", "dyn", "int", "string", "timestamp", "type", "uint")
)


class Compiled:
    """A closure and the frame it needs."""

    __slots__ = ("run", "size")

    def __init__(self, run: Run, size: int) -> None:
        self.run = run
        self.size = size


def compile_expression(checked: Checked, variables: Mapping[str, Type]) -> Compiled:
    """Compile; `variables` are in the order in which their values will be given."""
    compiler = _Compiler(checked, variables)
    code = compiler.code(checked.ast.expr)
    return Compiled(code.value(), compiler.size)


class _Compiler:
    def __init__(self, checked: Checked, variables: Mapping[str, Type]) -> None:
        self._types = checked.types
        self._references = checked.references
        # Place 0 of the frame is not a variable's.
        self._scope: dict[str, Code] = {
            name: variable(place, type_) for place, (name, type_) in enumerate(variables.items(), start=1)
        }
        self.size = len(variables) + 1

    def code(self, node: Expr) -> Code:
        return _VISIT[type(node)](self, node)

    def _type(self, node: Expr) -> Type:
        return self._types.get(node.id, DYN)

    # -- names

    def _literal(self, node: Literal) -> Code:
        return constant(node.value, self._type(node))

    def _ident(self, node: Ident) -> Code:
        return self._named(node.name.removeprefix("."), node)

    def _named(self, name: str, node: Expr) -> Code:
        found = self._scope.get(name)
        if found is not None:
            return found
        if name in UNUSABLE:
            raise ConstantError(f"reference to undefined type: {name}")
        return constant(TypeValue(name), self._type(node))

    # -- fields and elements

    def _select(self, node: Select) -> Code:
        reference = self._references.get(node.id)
        if reference is not None and not node.test_only:
            return self._named(reference.name, node)
        operand = self.code(node.operand)
        if node.test_only:
            return Code(self._has(operand, node.field), self._type(node))
        return self._field(operand, node.field, self._type(node))

    def _field(self, operand: Code, name: str, type_: Type) -> Code:
        raw = operand.raw
        if raw is not None and raw.kind == "struct":
            declared = (raw.fields or {}).get(name)
            if declared is not None:
                key = declared.name
                if operand.path is not None:
                    place, keys, spelled = operand.path
                    path = (place, (*keys, key), (*spelled, name))
                    return shaped(read_path(*path), declared.type, type_, path)
                return shaped(read_field(operand.run, key, name), declared.type, type_)
        if raw is not None and raw.kind == "map":
            return shaped(entry(operand.run, name), raw.params[1], inner_type(type_))
        run = operand.value()
        if operand.kind == "map" and raw is None:
            return Code(entry(run, name), type_)
        return Code(lambda frame: select(run(frame), name), type_)

    def _has(self, operand: Code, name: str) -> Run:
        raw = operand.raw
        if raw is not None and raw.kind == "struct":
            declared = (raw.fields or {}).get(name)
            if declared is not None:
                if operand.path is not None:
                    place, keys, spelled = operand.path
                    return has_path(place, (*keys, declared.name), (*spelled, name))
                return has_field(operand.run, declared.name)
        run = operand.run if raw is not None and raw.kind == "map" else operand.value()
        if operand.kind == "map" and (raw is None or raw.kind == "map"):
            return lambda frame: name in run(frame)
        return lambda frame: present(run(frame), name)

    # -- literals of lists and maps

    def _list(self, node: ListLiteral) -> Code:
        codes = [self.code(element) for element in node.elements]
        runs = [code.value() for code in codes]
        type_ = self._type(node)
        if not node.optional_indices:
            if all(code.constant for code in codes):
                literal = all(code.literal for code in codes)
                return constant([code.known for code in codes], type_, literal=literal)
            return Code(lambda frame: [run(frame) for run in runs], type_)
        optional = frozenset(node.optional_indices)
        parts = [(run, place in optional) for place, run in enumerate(runs)]
        return Code(fill_list(parts), type_)

    def _map(self, node: MapLiteral) -> Code:
        keys = [self.code(entry.key) for entry in node.entries]
        values = [self.code(entry.value) for entry in node.entries]
        parts = [
            (key.value(), value.value(), entry.optional)
            for key, value, entry in zip(keys, values, node.entries, strict=True)
        ]

        make = fill_map(parts)
        type_ = self._type(node)
        if all(code.constant for code in (*keys, *values)) and not any(entry.optional for entry in node.entries):
            literal = all(code.literal for code in (*keys, *values))
            return _folded(lambda: make([]), Code(make, type_), type_, literal=literal)
        return Code(make, type_)

    def _struct(self, node: StructLiteral) -> Code:
        """An object is a map of what is said of it."""
        parts = [
            (constant(field.name, STRING).run, self.code(field.value).value(), field.optional) for field in node.fields
        ]
        return Code(fill_map(parts), self._type(node))

    # -- calls

    def _call(self, node: Call) -> Code:
        function = node.function
        if function in ("_&&_", "_||_"):
            terms = tuple([operators.as_bool(self.code(term)) for term in _terms(node, function)])
            return Code((operators.all_of if function == "_&&_" else operators.any_of)(terms), self._type(node))
        if function == "_?_:_":
            return self._conditional(node)
        reference = self._references[node.id]
        args = list(node.args) if node.target is None or reference.name != function else [node.target, *node.args]
        codes = [self.code(arg) for arg in args]
        code = self._compiled_call(node, reference.name, reference.overloads, codes)
        if codes and all(one.constant for one in codes):
            literal = reference.name in CONVERSIONS and all(one.literal for one in codes)
            return _folded(lambda: code.value()([]), code, self._type(node), literal=literal)
        return code

    def _conditional(self, node: Call) -> Code:
        condition, yes, no = [self.code(arg) for arg in node.args]
        if yes.raw is not None and yes.raw is no.raw:
            run = operators.choose(operators.as_bool(condition), yes.run, no.run)
            return Code(run, self._type(node), raw=yes.raw)
        return Code(operators.choose(operators.as_bool(condition), yes.value(), no.value()), self._type(node))

    def _compiled_call(self, node: Call, function: str, ids: tuple[str, ...], codes: list[Code]) -> Code:
        special = SPECIAL.get(function)
        if special is not None:
            made = special(self._type(node), *codes)
            if made is not None:
                return made
        if function in operators.COMPARISONS:
            return Code(operators.comparison(function, *codes), self._type(node))
        if function in operators.BINARY:
            return Code(operators.binary(function, *codes), self._type(node))
        return Code(self._library_call(function, ids, codes), self._type(node))

    def _library_call(self, function: str, ids: tuple[str, ...], codes: list[Code]) -> Run:
        strict = function in ("dyn", "optional.of", "optional.ofNonZeroValue")
        runs = [code.value() if strict else code.loose() for code in codes]
        if len(ids) == 1 and not any(_unknown(code) for code in codes):
            call = overloads()[ids[0]].call
        else:
            call = dispatcher(function, ids)
        match runs:
            case []:
                return lambda frame: call()
            case [one]:
                return lambda frame: call(one(frame))
            case [one, two]:
                if codes[1].constant:
                    known = codes[1].known
                    return lambda frame: call(one(frame), known)
                return lambda frame: call(one(frame), two(frame))
            case [one, two, three]:
                return lambda frame: call(one(frame), two(frame), three(frame))
        return lambda frame: call(*[run(frame) for run in runs])

    # -- folds

    def _comprehension(self, node: Comprehension) -> Code:
        if node.iter_var == "#unused":
            return self._bind(node)
        over = self.code(node.iter_range)
        place = self._place()
        outer = self._scope
        self._scope = dict(outer)
        source, variables = self._range(node, over, place)
        self._scope.update(variables)
        try:
            made = self._macro(node, source, place)
            return self._fold(node, source, place) if made is None else made
        finally:
            self._scope = outer

    def _place(self) -> int:
        self.size += 1
        return self.size - 1

    def _bind(self, node: Comprehension) -> Code:
        value = self.code(node.accu_init)
        place = self._place()
        outer = self._scope
        bound = Code(lambda frame: frame[place], self._type(node.accu_init), raw=value.raw)
        if value.raw is not None and value.raw.kind == "struct":
            bound.path = (place, (), ())
        self._scope = {**outer, node.accu_var: bound}
        result = self.code(node.result)
        self._scope = outer
        init, run = value.run, result.run

        def bind(frame: Frame) -> Native:
            frame[place] = init(frame)
            return run(frame)

        return Code(bind, self._type(node), raw=result.raw)

    def _range(self, node: Comprehension, over: Code, place: int) -> tuple[Run, dict[str, Code]]:
        """What the loop runs over, and its variables."""
        ranged, raw, run = self._type(node.iter_range), over.raw, over.run
        if over.kind not in ("list", "map") or (raw is not None and raw.kind != over.kind):
            return self._unknown_range(node, over.value(), place)
        inner = None if raw is None else raw.params[-1]
        element, convert = inside(inner)
        if node.iter_var2 is None:
            if over.kind == "map":
                return run, {node.iter_var: variable(place, ranged.params[0])}
            return converted(run, convert), {node.iter_var: local(place, inner_type(ranged.params[0]), element)}
        second = self._place()
        values = local(second, inner_type(ranged.params[-1]), element)
        if over.kind == "map":
            if element is None and convert is None:
                return lambda frame: run(frame).items(), pair(node, place, ranged.params)

            def entries(frame: Frame) -> Iterator[Native]:
                for key, value in run(frame).items():
                    frame[second] = value if convert is None or value is None else convert(value)
                    yield key

            return entries, {node.iter_var: variable(place, ranged.params[0]), node.iter_var2: values}

        if element is None and convert is None:
            return lambda frame: enumerate(run(frame)), pair(node, place, (INT, ranged.params[0]))

        def elements(frame: Frame) -> Iterator[Native]:
            for at, value in enumerate(run(frame)):
                frame[second] = value if convert is None or value is None else convert(value)
                yield at

        return elements, {node.iter_var: variable(place, INT), node.iter_var2: values}

    def _unknown_range(self, node: Comprehension, value: Run, place: int) -> tuple[Run, dict[str, Code]]:
        if node.iter_var2 is None:
            return lambda frame: iterate(value(frame)), {node.iter_var: variable(place, DYN)}
        second = self._place()

        def pairs(frame: Frame) -> Iterator[Native]:
            for first, other in iterate_pairs(value(frame)):
                frame[second] = other
                yield first

        return pairs, {node.iter_var: variable(place, DYN), node.iter_var2: variable(second, DYN)}

    def _macro(self, node: Comprehension, source: Run, place: int) -> Code | None:
        """The loop of a known macro."""
        step, type_ = node.loop_step, self._type(node)
        if not isinstance(step, Call) or node.macro is None:
            return None
        match node.macro.name:
            case "all":
                return Code(loops.every(source, place, self._condition(step.args[1])), type_)
            case "exists":
                return Code(loops.some(source, place, self._condition(step.args[1])), type_)
            case "exists_one" | "existsOne":
                return Code(loops.exactly_one(source, place, self._condition(step.args[0])), type_)
        holds = None
        if step.function == "_?_:_":
            holds, inner = self._condition(step.args[0]), step.args[1]
            if not isinstance(inner, Call):
                return None
            step = inner
        match node.macro.name:
            case "filter" | "map" | "transformList" | "sortBy":
                return self._mapped(node, source, place, holds, step)
            case "transformMap":
                key, value = self.code(step.args[1]).value(), self.code(step.args[2]).value()
                return Code(
                    loops.mapping(
                        source, place, holds, lambda frame, made: loops.insert(made, key(frame), value(frame))
                    ),
                    type_,
                )
            case "transformMapEntry":
                entries = self.code(step.args[1]).value()

                def add(frame: Frame, made: dict[Any, Any]) -> None:
                    loops.insert_all(made, entries(frame))

                return Code(loops.mapping(source, place, holds, add), type_)
        return None

    def _mapped(self, node: Comprehension, source: Run, place: int, holds: Run | None, step: Call) -> Code | None:
        made = step.args[1]
        if step.function != "_+_" or not isinstance(made, ListLiteral) or len(made.elements) != 1:
            return None
        element = self.code(made.elements[0])
        raw = None if element.raw is None else list_of(element.raw)
        if holds is not None and node.macro is not None and node.macro.name == "filter":
            return Code(loops.kept(source, place, holds), self._type(node), raw=raw)
        run = element.run
        return Code(loops.mapped(source, place, holds, run), self._type(node), raw=raw)

    def _condition(self, node: Expr) -> Run:
        return operators.as_bool(self.code(node))

    def _fold(self, node: Comprehension, source: Run, place: int) -> Code:
        init = self.code(node.accu_init).value()
        accumulator = self._place()
        self._scope[node.accu_var] = variable(accumulator, DYN)
        condition = self._condition(node.loop_condition)
        step = self.code(node.loop_step).value()
        result = self.code(node.result).value()
        return Code(loops.fold(source, place, accumulator, init, condition, step, result), self._type(node))


_VISIT: Final[dict[type, Callable[[_Compiler, Any], Code]]] = {
    Literal: _Compiler._literal,
    Ident: _Compiler._ident,
    Select: _Compiler._select,
    Call: _Compiler._call,
    ListLiteral: _Compiler._list,
    MapLiteral: _Compiler._map,
    StructLiteral: _Compiler._struct,
    Comprehension: _Compiler._comprehension,
}


def _unknown(code: Code) -> bool:
    return code.kind in ("dyn", "error", "null", "parameter")


def _terms(node: Expr, function: str) -> list[Expr]:
    """The operands of a chain of one operator, in order."""
    if isinstance(node, Call) and node.function == function:
        return [term for arg in node.args for term in _terms(arg, function)]
    return [node]


def _folded(compute: Callable[[], Native], code: Code, type_: Type, *, literal: bool) -> Code:
    """The value of an expression of constants; if it has none, the expression itself, or no program at all."""
    try:
        return constant(compute(), type_, literal=literal)
    except EvaluationError as error:
        if literal:
            raise ConstantError(str(error)) from None
        return code
