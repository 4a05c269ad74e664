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
    index,
    iterate,
    iterate_pairs,
    optional_index,
    optional_select,
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
from kubewright.cel.checked import Checked
from kubewright.cel.code import Code, Frame, Run, constant
from kubewright.cel.dispatch import dispatcher
from kubewright.cel.environment import UNUSABLE
from kubewright.cel.library import overloads
from kubewright.cel.library.optionals import value_of
from kubewright.cel.library.regex import matcher
from kubewright.cel.paths import has_field, has_path, read_field, read_path
from kubewright.cel.reading import (
    converted,
    element,
    entry,
    entry_at,
    inner_type,
    inside,
    local,
    pair,
    shaped,
    variable,
)
from kubewright.cel.types import DYN, INT, STRING, Type, list_of, optional_of
from kubewright.cel.values import (
    ABSENT,
    NONE,
    EvaluationError,
    Native,
    Optional,
    TypeValue,
)
from kubewright.errors import KubewrightError

__all__ = ["CONVERSIONS", "Compiled", "ConstantError", "compile_expression"]

#: Functions that the server computes while it makes a program, if their argument is a constant.
CONVERSIONS: Final = frozenset(
    ("bool", "bytes", "double", "duration", "dyn", "int", "string", "timestamp", "type", "uint")
)


class ConstantError(KubewrightError):
    """A conversion of a constant that cannot succeed, in the server's words: no program can be made of it."""


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

    def _index(self, node: Call, operand: Code, key: Code) -> Code:
        type_, raw = self._type(node), operand.raw
        at = key.value()
        if operand.kind == "list" and key.kind == "int":
            found = element(operand.run, at)
            return Code(found, type_) if raw is None else shaped(found, raw.params[0], inner_type(type_))
        if operand.kind == "map" and key.kind == "string":
            run = operand.run
            found = entry(run, key.known) if key.constant else entry_at(run, at)
            return Code(found, type_) if raw is None else shaped(found, raw.params[1], inner_type(type_))
        value = operand.value()
        return Code(lambda frame: index(value(frame), at(frame)), type_)

    def _optional_select(self, node: Call, operand: Code, name: Code) -> Code:
        raw, field = operand.raw, name.known
        chained = raw is not None and raw.kind == "opaque"
        holder = raw.params[0] if raw is not None and chained else raw
        if holder is not None and holder.kind == "struct" and field in (holder.fields or {}):
            declared = (holder.fields or {})[field]
            run, key = operand.run, declared.name
            shape, convert = inside(declared.type)

            def find(frame: Frame) -> Optional:
                found = run(frame)
                if chained:
                    found = found.value
                found = found.get(key) if type(found) is dict else None
                if found is None:
                    return NONE
                return Optional(found if convert is None else convert(found))

            return Code(find, self._type(node), raw=None if shape is None else optional_of(shape))
        value = operand.value()
        return Code(lambda frame: optional_select(value(frame), field), self._type(node))

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
        special = _SPECIAL.get(function)
        if special is not None:
            made = special(self, node, *codes)
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

    # -- calls that are written out

    def _equal(self, node: Call, a: Code, b: Code) -> Code:
        return Code(operators.equality(a, b, wanted=True), self._type(node))

    def _not_equal(self, node: Call, a: Code, b: Code) -> Code:
        return Code(operators.equality(a, b, wanted=False), self._type(node))

    def _not(self, node: Call, a: Code) -> Code:
        return Code(operators.negation(a), self._type(node))

    def _negative(self, node: Call, a: Code) -> Code:
        return Code(operators.negative(a), self._type(node))

    def _in(self, node: Call, a: Code, b: Code) -> Code:
        run = operators.membership(a, b)
        if run is None:
            key = a.value()
            if b.kind == "map" and a.kind == "string":
                mapping = b.run
                run = lambda frame: key(frame) in mapping(frame)  # noqa: E731 - one of three ways to the same name
            else:
                value = b.value()
                test = dispatcher("@in", ())
                run = lambda frame: test(key(frame), value(frame))  # noqa: E731
        return Code(run, self._type(node))

    def _size(self, node: Call, a: Code) -> Code | None:
        if a.kind not in ("list", "map", "string"):
            return None
        run = a.run
        return Code(lambda frame: len(run(frame)), self._type(node))

    def _matches(self, node: Call, text: Code, pattern: Code) -> Code | None:
        if not pattern.constant or text.kind != "string" or text.constant:
            return None
        match = self._pattern(pattern)
        if match is None:
            return None
        run = text.run
        return Code(lambda frame: match(run(frame)), self._type(node))

    def _find(self, node: Call, text: Code, pattern: Code, *count: Code) -> Code | None:
        self._pattern(pattern)
        return None

    def _pattern(self, pattern: Code) -> Callable[[str], bool] | None:
        """A constant pattern; None if it is none, or is no pattern but only will be found so at run time."""
        if not pattern.constant or type(pattern.known) is not str:
            return None
        try:
            return matcher(pattern.known)
        except EvaluationError as error:
            if pattern.literal:
                raise ConstantError(str(error)) from None
            return None

    def _text_test(self, node: Call, text: Code, part: Code) -> Code | None:
        if text.kind != "string" or part.kind != "string":
            return None
        run, other = text.run, part.run
        type_ = self._type(node)
        match node.function, part.constant:
            case "startsWith", True:
                known = part.known
                return Code(lambda frame: run(frame).startswith(known), type_)
            case "endsWith", True:
                known = part.known
                return Code(lambda frame: run(frame).endswith(known), type_)
            case "contains", True:
                known = part.known
                return Code(lambda frame: known in run(frame), type_)
            case "contains", False:
                # In this order: the first error is the one that is told.
                return Code(lambda frame: _holds(run(frame), other(frame)), type_)
        return None

    def _optional_index(self, node: Call, operand: Code, key: Code) -> Code:
        value, at = operand.value(), key.value()
        return Code(lambda frame: optional_index(value(frame), at(frame)), self._type(node))

    def _optional_of(self, node: Call, a: Code) -> Code | None:
        if a.raw is None:
            return None
        run = a.run
        return Code(lambda frame: Optional(run(frame)), self._type(node), raw=optional_of(a.raw))

    def _value(self, node: Call, a: Code) -> Code | None:
        if a.raw is None:
            return None
        run = a.run
        return Code(lambda frame: value_of(run(frame)), self._type(node), raw=a.raw.params[0])

    def _or(self, node: Call, a: Code, b: Code) -> Code:
        same = a.raw is not None and b.raw is not None and a.raw.params[0] is b.raw.params[0]
        first, second = (a.run, b.run) if same else (a.value(), b.value())

        def run(frame: Frame) -> Native:
            value = first(frame)
            return second(frame) if type(value) is Optional and value.value is ABSENT else value

        return Code(run, self._type(node), raw=a.raw if same else None)

    def _or_value(self, node: Call, a: Code, b: Code) -> Code:
        same = a.raw is not None and a.raw.params[0] is b.raw
        first, second = (a.run, b.run) if same else (a.value(), b.value())

        def run(frame: Frame) -> Native:
            value = first(frame)
            if type(value) is not Optional:
                return value
            return second(frame) if value.value is ABSENT else value.value

        return Code(run, self._type(node), raw=b.raw if same else None)

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
                    for name, one in entries(frame).items():
                        loops.insert(made, name, one)

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

#: Calls that need not go through a library, or may not; None from them means that the library will do.
_SPECIAL: Final[dict[str, Callable[..., Code | None]]] = {
    "_==_": _Compiler._equal,
    "_!=_": _Compiler._not_equal,
    "!_": _Compiler._not,
    "-_": _Compiler._negative,
    "@in": _Compiler._in,
    "_[_]": _Compiler._index,
    "_[?_]": _Compiler._optional_index,
    "_?._": _Compiler._optional_select,
    "size": _Compiler._size,
    "matches": _Compiler._matches,
    "find": _Compiler._find,
    "findAll": _Compiler._find,
    "startsWith": _Compiler._text_test,
    "endsWith": _Compiler._text_test,
    "contains": _Compiler._text_test,
    "optional.of": _Compiler._optional_of,
    "value": _Compiler._value,
    "or": _Compiler._or,
    "orValue": _Compiler._or_value,
}


def _holds(text: str, part: str) -> bool:
    """`text.contains(part)`."""
    return part in text


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
