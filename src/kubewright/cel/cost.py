"""What an expression may cost at most, before any value is known.

Every step has a price in abstract units; a loop costs its body times the most elements that its range can have. How
many that is comes from the schema: `root` carries the bounds, and the walk keeps for each node the path on which its
value lies in the object (`self.spec.@items.name`), or what is known of its size otherwise.

`estimate` gives the number by which the API server accepts or refuses a rule, and has to agree with it exactly.
"""

from collections.abc import Callable, Sequence
from typing import NamedTuple

from kubewright.cel.ast import (
    Call,
    Comprehension,
    Expr,
    Ident,
    ListLiteral,
    Literal,
    MapLiteral,
    Select,
)
from kubewright.cel.checked import Checked
from kubewright.cel.names import RESERVED
from kubewright.cel.nesting import deeply
from kubewright.cel.prices import CHARACTER, LIST, MAP, PRICED, PRICED_OVERLOADS, Operand, Price, price
from kubewright.cel.ranges import LARGEST, UNKNOWN, Range, add, exactly, multiply, scale, union
from kubewright.cel.types import Type

__all__ = ["Cost", "estimate"]


class Cost(NamedTuple):
    """The least and the most that an evaluation costs."""

    min: int
    max: int


def estimate(checked: Checked, root: Type) -> Cost:
    """The cost of a rule on values of the type `root`."""
    least, most = deeply(_cost, checked, root)
    # Sums and products of costs are bounded here once; sizes are bounded wherever they are made.
    return Cost(min(least, LARGEST), min(most, LARGEST))


def _cost(checked: Checked, root: Type) -> Range:
    return _Estimate(checked, root).cost(checked.ast.expr)


_PATTERN_CHARACTER = 0.25
_FREE: Range = (0, 0)
_ONE: Range = (1, 1)
_NOTHING: Range = (LARGEST, 0)  # the union of no ranges
_ACCUMULATORS = ("__result__", "@result")
_SCALARS = frozenset(("bool", "double", "duration", "int", "timestamp", "uint"))


class _Entries(NamedTuple):
    """Sizes of the keys (or indices) and values of a list or map that the expression itself makes."""

    kind: str
    keys: Range
    values: Range


class _Variable(NamedTuple):
    path: "_Path"
    size: Range | None
    entries: _Entries | None


class _Path:
    """A path that grows at its end.

    Two paths grown from one share memory while there is room, so the later overwrites the end of the earlier. That is
    how the server's lists behave, and its estimates depend on it; room doubles when it runs out.
    """

    __slots__ = ("_length", "_names")

    def __init__(self, names: list[str], length: int) -> None:
        self._names = names
        self._length = length

    def grown(self, name: str) -> "_Path":
        names, length = self._names, self._length
        if length == len(names):
            names = names[:length] + [""] * max(length, 1)
        names[length] = name
        return _Path(names, length + 1)

    def names(self) -> tuple[str, ...]:
        return tuple(self._names[: self._length])


_NOWHERE = _Path([], 0)


class _Estimate:
    __slots__ = ("_entries", "_paths", "_references", "_root", "_sizes", "_types", "_variables")

    def __init__(self, checked: Checked, root: Type) -> None:
        self._types = checked.types
        self._references = checked.references
        self._root = root
        self._paths: dict[int, _Path] = {}
        self._sizes: dict[int, Range] = {}
        self._entries: dict[int, _Entries] = {}
        # Innermost last.
        self._variables: dict[str, list[_Variable]] = {}

    def cost(self, node: Expr) -> Range:
        return _COST[type(node)](self, node)

    def _literal(self, node: Literal) -> Range:
        return _FREE

    def _ident(self, node: Ident) -> Range:
        return self._named(node, _plainly(node.name))

    def _named(self, node: Expr, name: str) -> Range:
        variable = self._variable(name)
        self._paths[node.id] = _Path([name], 1) if variable is None else variable.path
        return _ONE

    def _select(self, node: Select) -> Range:
        operand = node.operand
        if node.test_only:
            return self.cost(operand)
        reference = self._references.get(node.id)
        if reference is not None:
            return self._named(node, reference.name)
        least, most = self.cost(operand)
        if self._types[operand.id].kind in ("map", "struct", "parameter"):
            least += 1
            most += 1
        self._paths[node.id] = self._path(operand).grown(node.field)
        return least, most

    def _call(self, node: Call) -> Range:
        reference = self._references[node.id]
        function, overloads = reference.name, reference.overloads
        if function == "dyn":
            (argument,) = node.args
            least, most = self.cost(argument)
            self._same_size(node, argument)
            return least + 1, most + 1
        if function not in PRICED and _PRICED.isdisjoint(overloads):
            return self._plain(node, function, overloads)
        if function == "_&&_" or function == "_||_":
            # The second may not be needed.
            first, second = node.args
            least, most = self.cost(first)
            return least, most + self.cost(second)[1]
        args: list[Operand] = []
        costs: list[Range] = []
        for arg in node.args:
            costs.append(self.cost(arg))
            args.append(self._operand(arg))
        least = most = 0
        target: Operand | None = None
        if node.target is not None and function == node.function:
            least, most = self.cost(node.target)
            target = self._operand(node.target)
        charge = _NOTHING
        size: Range | None = None
        for overload in overloads:
            found = self._price(node, function, overload, target, args, costs)
            charge = union(charge, found.cost)
            if found.size is not None:
                size = found.size if size is None else union(size, found.size)
            if size is None:
                size = self._size(node)
        if size is not None:
            self._sizes[node.id] = size
        return least + charge[0], most + charge[1]

    def _plain(self, node: Call, function: str, overloads: tuple[str, ...]) -> Range:
        """A call that costs 1, whatever it is called with. If it takes an element its value lies in the object too."""
        least = most = 1
        for arg in node.args:
            low, high = self.cost(arg)
            least += low
            most += high
        if node.target is not None and function == node.function:
            low, high = self.cost(node.target)
            least += low
            most += high
        if function == "_[_]":
            size: Range | None = None
            for overload in overloads:
                if overload == "index_list" or overload == "index_map":
                    entries = self._entries_of(node.args[0])
                    size = None if entries is None else entries.values
                    step = "@items" if overload == "index_list" else "@values"
                    self._paths[node.id] = self._path(node.args[0]).grown(step)
                if size is None:
                    size = self._size(node)
            if size is not None:
                self._sizes[node.id] = size
        return least, most

    def _price(
        self, node: Call, function: str, overload: str, target: Operand | None, args: list[Operand], costs: list[Range]
    ) -> Price:
        """Cost of a call with its arguments."""
        found = price(function, overload, target, args, self._bound)
        if found is None:
            if overload == "conditional":
                entries = _joined(self._entries_of(node.args[1]), self._entries_of(node.args[2]))
                if entries is not None:
                    self._entries[node.id] = entries
                least, most = union(costs[1], costs[2])
                return Price((costs[0][0] + least, costs[0][1] + most), union(_known(args[1]), _known(args[2])))
            found = self._standard(node, overload, target, args)
        least, most = found.cost
        for low, high in costs:
            least += low
            most += high
        found.cost = least, most
        return found

    def _standard(self, node: Call, overload: str, target: Operand | None, args: list[Operand]) -> Price:
        """Cost of the language's own functions, without arguments."""
        match overload:
            case "string_format" if target is not None:
                return Price(scale(_known(target), CHARACTER))
            case "string_to_bytes":
                size = _known(args[0])
                return Price(scale(size, CHARACTER), (size[0], size[1] * 4 & LARGEST))
            case "bytes_to_string":
                size = _known(args[0])
                return Price(scale(size, CHARACTER), (size[0] // 4, size[1]))
            case "strings_quote":
                size = _known(args[0])
                return Price(scale(size, CHARACTER), (size[0] + 2 & LARGEST, size[1] * 2 + 2 & LARGEST))
            case "starts_with_string" | "ends_with_string":
                return Price(scale(_known(args[0]), CHARACTER))
            case "in_list":
                return Price(scale(_known(args[1]), 1))
            case "matches_string" if target is not None:
                # An empty string is not free to match.
                through = scale(add(_known(target), _ONE), CHARACTER)
                return Price(multiply(through, scale(_known(args[0]), _PATTERN_CHARACTER)))
            case "contains_string" if target is not None:
                return Price(multiply(scale(_known(target), CHARACTER), scale(_known(args[0]), CHARACTER)))
            case "add_string" | "add_bytes" | "add_list":
                size = add(_known(args[0]), _known(args[1]))
                entries = _joined(self._entries_of(node.args[0]), self._entries_of(node.args[1]))
                if entries is not None:
                    self._entries[node.id] = entries
                return Price(_ONE if overload == "add_list" else scale(size, CHARACTER), size)
            case _ if overload in _COMPARISONS:
                most = min(_known(args[0])[1], _known(args[1])[1])
                return Price(scale((1 if most else 0, most), CHARACTER))
        return Price(_ONE)

    def _list(self, node: ListLiteral) -> Range:
        least = most = LIST
        values = _NOTHING if node.elements else _FREE
        for element in node.elements:
            low, high = self.cost(element)
            least += low
            most += high
            values = union(values, self._size(element) or UNKNOWN)
        self._entries[node.id] = _Entries("list", _ONE, values)
        return least, most

    def _map(self, node: MapLiteral) -> Range:
        least = most = MAP
        keys = values = _NOTHING if node.entries else _FREE
        for entry in node.entries:
            for part in (entry.key, entry.value):
                low, high = self.cost(part)
                least += low
                most += high
            keys = union(keys, self._size(entry.key) or UNKNOWN)
            values = union(values, self._size(entry.value) or UNKNOWN)
        self._entries[node.id] = _Entries("map", keys, values)
        return least, most

    def _comprehension(self, node: Comprehension) -> Range:
        over, init, accu = node.iter_range, node.accu_init, node.accu_var
        least, most = self.cost(over)
        low, high = self.cost(init)
        least, most = least + low, most + high
        self._push(accu, _Variable(self._path(init), self._size(init), self._entries_of(init)))
        if _names_a_value(node):
            low, high = self.cost(node.result)
            self._pop(accu)
            self._same_size(node, node.result)
            return least + low, most + high
        entries = self._entries_of(over)
        keys = values = None
        kind: str = self._types[over.id].kind
        if entries is not None:
            kind, keys, values = entries
        if node.iter_var2 is not None:
            to_keys, to_values = ("@indices", "@items") if kind == "list" else ("@keys", "@values")
            self._push(node.iter_var, _Variable(self._path(over).grown(to_keys), keys, None))
            self._push(node.iter_var2, _Variable(self._path(over).grown(to_values), values, None))
        elif kind == "list":
            self._push(node.iter_var, _Variable(self._path(over).grown("@items"), values, None))
        else:
            self._push(node.iter_var, _Variable(self._path(over).grown("@keys"), keys, None))
        low, high = self.cost(node.loop_condition)
        step_low, step_high = self.cost(node.loop_step)
        self._pop(node.iter_var)
        if node.iter_var2 is not None:
            self._pop(node.iter_var2)
        each_low, each_high = low + step_low, high + step_high
        low, high = self.cost(node.result)
        self._pop(accu)
        fewest, many = count = self._size(over) or UNKNOWN
        least, most = least + fewest * each_low, most + many * each_high
        if isinstance(init, Literal):
            size = self._size(init)
            if size is not None:
                self._sizes[node.id] = size
        elif isinstance(init, ListLiteral | MapLiteral):
            self._sizes[node.id] = count
            made = self._entries_of(node.loop_step)
            if made is not None:
                self._entries[node.id] = made
        return least + low, most + high

    def _push(self, name: str, variable: _Variable) -> None:
        self._variables.setdefault(name, []).append(variable)

    def _pop(self, name: str) -> None:
        self._variables[name].pop()

    def _variable(self, name: str) -> _Variable | None:
        stack = self._variables.get(name)
        return stack[-1] if stack else None

    def _path(self, node: Expr) -> _Path:
        if isinstance(node, Ident) and (variable := self._variable(_plainly(node.name))) is not None:
            return variable.path
        return self._paths.get(node.id, _NOWHERE)

    def _operand(self, node: Expr) -> Operand:
        path = self._path(node).names()
        if path and path[0] in _ACCUMULATORS:
            path = ()
        return Operand(node, self._types[node.id], path, self._size(node))

    def _bound(self, path: Sequence[str]) -> Range | None:
        """What the schema says of the size of values at a path; its first name is a variable, whichever."""
        if not path:
            return None
        at = self._root
        for name in path[1:]:
            if name == "@items" or name == "@values":
                if at.kind not in ("list", "map"):
                    return None
                at = at.params[-1]
            elif name == "@keys":
                if at.kind != "map":
                    return None
                at = at.params[0]
            else:
                # Sizes are kept under escaped names: the server finds none for a reserved word that stands plainly.
                field = None if at.fields is None or name in RESERVED else at.fields.get(name)
                if field is None:
                    return None
                at = field.type
        return 0, at.max_elements

    def _size(self, node: Expr) -> Range | None:
        size = self._sizes.get(node.id)
        if size is not None:
            return size
        kind = type(node)
        if kind is Literal:
            return exactly(len(node.value) if isinstance(node.value, str | bytes) else 1)  # type: ignore[union-attr]
        if kind is ListLiteral:
            return exactly(len(node.elements))  # type: ignore[union-attr]
        if kind is MapLiteral:
            return exactly(len(node.entries))  # type: ignore[union-attr]
        size = self._bound(self._path(node).names())
        if size is not None:
            self._sizes[node.id] = size
            return size
        if _is_scalar(self._types[node.id]):
            return _ONE
        if isinstance(node, Ident) and (variable := self._variable(_plainly(node.name))) is not None:
            return variable.size
        return None

    def _entries_of(self, node: Expr) -> _Entries | None:
        entries = self._entries.get(node.id)
        if (
            entries is None
            and isinstance(node, Ident)
            and (variable := self._variable(_plainly(node.name))) is not None
        ):
            return variable.entries
        return entries

    def _same_size(self, node: Expr, other: Expr) -> None:
        size, entries = self._size(other), self._entries_of(other)
        if size is not None:
            self._sizes[node.id] = size
        if entries is not None:
            self._entries[node.id] = entries


_COST: dict[type, Callable[..., Range]] = {
    Literal: _Estimate._literal,
    Ident: _Estimate._ident,
    Select: _Estimate._select,
    Call: _Estimate._call,
    ListLiteral: _Estimate._list,
    MapLiteral: _Estimate._map,
    Comprehension: _Estimate._comprehension,
}

# Overloads of the language whose cost depends on sizes, or that have a size to tell.
_COMPARISONS = frozenset(
    (
        "equals",
        "not_equals",
        *(
            f"{order}_{kind}"
            for order in ("less", "less_equals", "greater", "greater_equals")
            for kind in ("string", "bytes")
        ),
    )
)


_PRICED = (
    _COMPARISONS
    | PRICED_OVERLOADS
    | {
        "add_bytes",
        "add_list",
        "add_string",
        "bytes_to_string",
        "conditional",
        "contains_string",
        "ends_with_string",
        "in_list",
        "logical_and",
        "logical_or",
        "matches_string",
        "starts_with_string",
        "string_format",
        "string_to_bytes",
        "strings_quote",
    }
)


def _plainly(name: str) -> str:
    """Without a leading dot, which says nothing."""
    return name[1:] if name[0] == "." else name


def _known(operand: Operand) -> Range:
    return UNKNOWN if operand.size is None else operand.size


def _joined(one: _Entries | None, other: _Entries | None) -> _Entries | None:
    if one is None or other is None:
        return None
    return _Entries(one.kind, union(one.keys, other.keys), union(one.values, other.values))


def _names_a_value(node: Comprehension) -> bool:
    """Whether the fold is over nothing and only names a value, as `optMap` does."""
    return (
        isinstance(node.iter_range, ListLiteral)
        and not node.iter_range.elements
        and isinstance(node.loop_condition, Literal)
        and node.loop_condition.value is False
        and node.accu_var != "__result__"
    )


def _is_scalar(type_: Type) -> bool:
    if type_.name == "optional_type":
        return _is_scalar(type_.params[0])
    return type_.kind in _SCALARS
