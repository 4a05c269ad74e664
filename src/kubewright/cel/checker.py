"""Types for every node of an expression, by inference: nothing in CEL declares one.

Calls are resolved against all overloads of a function. Where the types are known one matches; where an argument is dyn
several may, and the choice is left to run time. Type parameters (of an empty list, of `optional.none()`, of the
overloads themselves) are found by unification and become dyn when nothing determines them.

Checking goes on after a mistake, so that all are reported at once: a node that has none gets the error type, which fits
everywhere. Only an expression without mistakes is looked at once more, for literals that can be judged right away:
durations, timestamps, patterns, and lists and maps whose elements differ in type.
"""

import re
from collections.abc import Callable, Mapping

from kubewright.cel.ast import (
    Ast,
    Call,
    Comprehension,
    Expr,
    Ident,
    ListLiteral,
    Literal,
    MapLiteral,
    Select,
    StructField,
    StructLiteral,
    Uint,
)
from kubewright.cel.checked import Checked, Reference
from kubewright.cel.declarations import NAMESPACES, PATCHING, Overload, overloads
from kubewright.cel.environment import Environment
from kubewright.cel.errors import ExpressionError, Issue, Unplaced
from kubewright.cel.nesting import deeply
from kubewright.cel.types import (
    BOOL,
    BYTES,
    DOUBLE,
    DYN,
    ERROR,
    INT,
    NULL,
    STRING,
    UINT,
    Field,
    Substitution,
    Type,
    TypeTooLarge,
    list_of,
    made_type,
    map_of,
    most_general,
    optional_of,
    parameter,
    type_of,
)
from kubewright.cel.verify import verify

__all__ = ["check"]

_LITERAL_TYPES: dict[type, Type] = {
    bool: BOOL,
    int: INT,
    Uint: UINT,
    float: DOUBLE,
    str: STRING,
    bytes: BYTES,
    type(None): NULL,
}
_NAMESPACE = re.compile(rf"\b(?:{'|'.join(sorted(NAMESPACES))})\b").search
# Kinds that are whole types: what a call with arguments of such kinds comes to is worked out once and for all.
_SIMPLE = frozenset(("bool", "bytes", "double", "duration", "dyn", "int", "null", "string", "timestamp", "uint"))
_KNOWN: dict[tuple[str, ...], tuple[Reference, Type]] = {}
_UNKNOWN = ("dyn", "any")
_LOGICAL = ("_&&_", "_||_")
# Fresh type parameters, shared by all checks: what they stand for is known to the one check that uses them.
_FREE: list[Type] = []


def check(ast: Ast, environment: Environment) -> Checked:
    """The types and references of an expression; `ExpressionError` with everything that is wrong with it."""
    return deeply(_check, ast, environment)


def _check(ast: Ast, environment: Environment) -> Checked:
    checker = _Checker(ast, environment)
    try:
        checker.check(ast.expr)
        checked = Checked(ast, checker.resolved(), checker.references)
    except TypeTooLarge as error:
        raise ExpressionError([*checker.issues, Issue(Unplaced, str(error))], ast.text) from None
    issues = checker.issues or verify(checked)
    if issues:
        raise ExpressionError(issues, ast.text)
    return checked


class _Checker:
    __slots__ = (
        "_dots",
        "_free",
        "_names",
        "_offsets",
        "_patches",
        "_scopes",
        "_substitution",
        "issues",
        "references",
        "types",
    )

    def __init__(self, ast: Ast, environment: Environment) -> None:
        self._offsets = ast.offsets
        self._names = environment.names
        self._patches = environment.patches
        # Whether a chain of selections may be a dotted name at all; mostly none is.
        self._dots = _NAMESPACE(ast.text) is not None
        # Variables of the folds around the node, innermost last.
        self._scopes: list[tuple[str, Type]] = []
        self._substitution = Substitution()
        self._free = 0
        self.types: dict[int, Type] = {}
        self.references: dict[int, Reference] = {}
        self.issues: list[Issue] = []

    def resolved(self) -> dict[int, Type]:
        """The types with every parameter replaced by what was found for it."""
        resolve = self._substitution.resolve
        return {number: resolve(one, free_as_dyn=True) if one.variable else one for number, one in self.types.items()}

    def check(self, node: Expr) -> Type:
        found = _VISIT[type(node)](self, node)
        self.types[node.id] = found
        return found

    def _wrong(self, number: int, message: str) -> Type:
        self.issues.append(Issue(self._offsets[number], message))
        return ERROR

    def _fresh(self) -> Type:
        number = self._free
        self._free = number + 1
        if number == len(_FREE):
            _FREE.append(parameter(f"_var{number}"))
        return _FREE[number]

    def _lookup(self, name: str) -> Type | None:
        name = name.removeprefix(".")
        for variable, known in reversed(self._scopes):
            if variable == name:
                return known
        found = self._names.get(name)
        if found is None and self._patches and (made := made_type(name)) is not None:
            return type_of(made)
        return found

    def _overloads(self, name: str) -> tuple[Overload, ...] | None:
        return overloads(name) if name not in PATCHING or self._patches else None

    def _literal(self, node: Literal) -> Type:
        return _LITERAL_TYPES[type(node.value)]

    def _ident(self, node: Ident) -> Type:
        found = self._lookup(node.name)
        if found is None:
            return self._wrong(node.id, f"undeclared reference to '{node.name}' (in container '')")
        self.references[node.id] = Reference(node.name.removeprefix("."))
        return found

    def _select(self, node: Select) -> Type:
        name = _dotted(node) if self._dots and not node.test_only else None
        if name is not None and (found := self._lookup(name)) is not None:
            self.references[node.id] = Reference(name.removeprefix("."))
            return found
        found = self._field(node.id, node.operand, node.field, optional=False)
        return BOOL if node.test_only else self._substitution.resolve(found)

    def _optional_select(self, node: Call) -> Type:
        operand, field = node.args
        if not isinstance(field, Literal) or not isinstance(field.value, str):
            return self._wrong(field.id, "unsupported optional field selection")
        self.types[field.id] = STRING
        found = self._substitution.resolve(self._field(node.id, operand, field.value, optional=True))
        self.references[node.id] = Reference("_?._", ("select_optional_field",))
        return found

    def _field(self, number: int, operand: Expr, field: str, *, optional: bool) -> Type:
        target = self._substitution.resolve(self.check(operand))
        if target.name == "optional_type" and target.params:
            optional, target = True, target.params[0]
        found = ERROR
        match target.kind:
            case "map":
                found = target.params[1]
            case "struct":
                if target.fields is None:
                    self._wrong(number, f"unexpected failed resolution of '{target.name}'")
                elif (known := target.fields.get(field)) is None:
                    self._wrong(number, f"undefined field '{field}'")
                else:
                    found = known.type
            case "parameter":
                # Nothing is known of it, and what is selected must not be taken for a proof of anything.
                self._substitution.assignable(DYN, target)
                found = DYN
            case "dyn" | "any" | "error":
                found = DYN
            case _:
                self._wrong(number, f"type '{target.text}' does not support field selection")
                found = DYN
        return optional_of(found) if optional else found

    def _call(self, node: Call) -> Type:
        name = node.function
        if name == "_?._":
            return self._optional_select(node)
        args = [self.check(arg) for arg in node.args]
        target = node.target
        if target is None:
            name = name.removeprefix(".")
            candidates = self._overloads(name)
            if candidates is None:
                return self._wrong(node.id, f"undeclared reference to '{node.function}' (in container '')")
            return self._resolve(node, name, candidates, args, member=False)
        # `a.b(…)` may be the function `a.b`.
        prefix = _dotted(target) if self._dots else None
        if prefix is not None:
            full = f"{prefix}.{name}".removeprefix(".")
            candidates = self._overloads(full)
            if candidates is not None:
                return self._resolve(node, full, candidates, args, member=False)
        args.insert(0, self.check(target))
        candidates = self._overloads(name)
        if candidates is None:
            return self._wrong(node.id, f"undeclared reference to '{name}' (in container '')")
        return self._resolve(node, name, candidates, args, member=True)

    def _resolve(
        self, node: Call, name: str, candidates: tuple[Overload, ...], args: list[Type], *, member: bool
    ) -> Type:
        if name in _LOGICAL and not member:
            return self._logical(node, name, candidates[0], args)
        kinds = (name, "." if member else "", *[one.kind for one in args])
        known = _KNOWN.get(kinds)
        if known is not None:
            self.references[node.id] = known[0]
            return known[1]
        substitution = self._substitution
        result: Type | None = None
        matched: list[str] = []
        for overload in candidates:
            if overload.member is not member or len(overload.args) != len(args):
                continue
            wanted, gives = overload.args, overload.result
            if overload.params:
                if not _may_match(args, wanted):
                    continue
                fresh = {letter: self._fresh() for letter in overload.params}
                wanted = tuple([_instance(one, fresh) for one in wanted])
                gives = _instance(gives, fresh)
            if not substitution.all_assignable(args, wanted):
                continue
            matched.append(overload.id)
            given = substitution.resolve(gives)
            if result is None:
                result = given
            elif result.kind not in _UNKNOWN and given.key != result.key:
                result = DYN
        if result is None:
            shown = [substitution.resolve(one, free_as_dyn=True).text for one in args]
            applied = f"{shown[0]}.({', '.join(shown[1:])})" if member else f"({', '.join(shown)})"
            return self._wrong(node.id, f"found no matching overload for '{name}' applied to '{applied}'")
        reference = self.references[node.id] = Reference(name, tuple(matched))
        if result.kind in _SIMPLE and _SIMPLE.issuperset(kinds[2:]):
            _KNOWN[kinds] = reference, result
        return result

    def _logical(self, node: Call, name: str, overload: Overload, args: list[Type]) -> Type:
        found = BOOL
        for arg, given in zip(node.args, args, strict=True):
            if not self._substitution.assignable(given, BOOL):
                found = self._wrong(arg.id, f"expected type 'bool' but found '{given.text}'")
        if found is BOOL:
            self.references[node.id] = Reference(name, (overload.id,))
        return found

    def _join(self, before: Type | None, now: Type) -> Type:
        """The type of elements of which some have one type and some another."""
        if before is None:
            return now
        return most_general(before, now) if self._substitution.assignable(before, now) else DYN

    def _unwrapped(self, node: Expr, given: Type) -> Type:
        """What is left of the type of an element or value marked by `?`."""
        if given.name == "optional_type" and given.params:
            return given.params[0]
        if given.kind not in _UNKNOWN:
            self._wrong(node.id, f"expected type '{optional_of(given).text}' but found '{given.text}'")
        return given

    def _list(self, node: ListLiteral) -> Type:
        joined: Type | None = None
        for index, element in enumerate(node.elements):
            found = self.check(element)
            if index in node.optional_indices:
                found = self._unwrapped(element, found)
            joined = self._join(joined, found)
        return list_of(self._fresh() if joined is None else joined)

    def _map(self, node: MapLiteral) -> Type:
        keys: Type | None = None
        values: Type | None = None
        for entry in node.entries:
            keys = self._join(keys, self.check(entry.key))
            found = self.check(entry.value)
            if entry.optional:
                found = self._unwrapped(entry.value, found)
            values = self._join(values, found)
        if keys is None or values is None:
            keys, values = self._fresh(), self._fresh()
        return map_of(keys, values)

    def _struct(self, node: StructLiteral) -> Type:
        """No type that rules can name has fields to fill in; only policies make objects and patches."""
        found = self._lookup(node.name)
        if found is None:
            return self._wrong(node.id, f"undeclared reference to '{node.name}' (in container '')")
        made = ERROR
        if found.kind != "type":
            self._wrong(node.id, f"'{found.text}' is not a type")
        elif found.params[0].fields is None:
            self._wrong(node.id, f"'{found.params[0].name}' is not a message type")
        else:
            made = found.params[0]
        for field in node.fields:
            given = self.check(field.value)
            if field.optional:
                given = self._unwrapped(field.value, given)
            if made.fields is not None:
                self._filled(field, made.fields, given)
        return made

    def _filled(self, field: StructField, fields: Mapping[str, Field], given: Type) -> None:
        """An object takes any field; a patch has its own, and of others the server says that they have no type."""
        known = fields.get(field.name) if field.name in fields or not fields else None
        if known is None or not self._substitution.assignable(given, known.type):
            wanted = known.type.text if known is not None else ""
            why = f"expected type of field '{field.name}' is '{wanted}' but provided type is '{given.text}'"
            self._wrong(field.id, why)

    def _comprehension(self, node: Comprehension) -> Type:
        substitution, scopes = self._substitution, self._scopes
        over = substitution.resolve(self.check(node.iter_range))
        total = self.check(node.accu_init)
        second: Type | None = None
        match over.kind:
            case "list":
                first = over.params[0]
                if node.iter_var2 is not None:
                    first, second = INT, first
            case "map":
                first, second = over.params
            case "dyn" | "error" | "parameter":
                substitution.assignable(DYN, over)
                first = second = DYN
            case _:
                self._wrong(
                    node.iter_range.id,
                    f"expression of type '{over.text}' cannot be range of a comprehension "
                    "(must be list, map, or dynamic)",
                )
                first = second = ERROR
        depth = len(scopes)
        scopes.append((node.accu_var, total))
        scopes.append((node.iter_var, first))
        if node.iter_var2 is not None and second is not None:
            scopes.append((node.iter_var2, second))
        self._assert(node.loop_condition, BOOL)
        self._assert(node.loop_step, total)
        del scopes[depth + 1 :]
        found = self.check(node.result)
        del scopes[depth:]
        return substitution.resolve(found)

    def _assert(self, node: Expr, wanted: Type) -> None:
        found = self.check(node)
        if not self._substitution.assignable(wanted, found):
            self._wrong(node.id, f"expected type '{wanted.text}' but found '{found.text}'")


_VISIT: dict[type, Callable[..., Type]] = {
    Literal: _Checker._literal,
    Ident: _Checker._ident,
    Select: _Checker._select,
    Call: _Checker._call,
    ListLiteral: _Checker._list,
    MapLiteral: _Checker._map,
    StructLiteral: _Checker._struct,
    Comprehension: _Checker._comprehension,
}


def _dotted(node: Expr) -> str | None:
    """`a.b.c` as one name, if it could be the name of anything."""
    fields: list[str] = []
    while isinstance(node, Select):
        if node.test_only:
            return None
        fields.append(node.field)
        node = node.operand
    if not isinstance(node, Ident) or node.name.removeprefix(".") not in NAMESPACES:
        return None
    fields.append(node.name)
    return ".".join(reversed(fields))


_FITS_ANYTHING = ("dyn", "any", "error", "parameter", "null")


def _may_match(args: list[Type], wanted: tuple[Type, ...]) -> bool:
    """A quick no: kinds alone rule most overloads out, before their parameters are made."""
    for given, one in zip(args, wanted, strict=True):
        if one.kind != given.kind and one.kind not in _FITS_ANYTHING and given.kind not in _FITS_ANYTHING:
            return False
    return True


def _instance(one: Type, fresh: dict[str, Type]) -> Type:
    """A declared type with this call's own parameters for its letters."""
    if not one.variable:
        return one
    if one.kind == "parameter":
        return fresh[one.name]
    return Type(one.kind, one.name, tuple([_instance(param, fresh) for param in one.params]))
