"""For which of its rules a CRD is refused: what does not compile, compares what cannot be compared, costs too much.

What a rule costs is multiplied by how often it can run: by the bounds of the lists and maps around it, or, where one
has none, by how many values of that kind fit into the largest request. One rule has a budget, and all of them together.
"""

from collections.abc import Generator, Iterable, Iterator
from typing import Final, NamedTuple

from kubewright.cel.schema import cardinality, schema_type_pausing
from kubewright.cel.types import Type
from kubewright.model.steps import RULE, finish, gathered
from kubewright.schema.raw import Schema, has, in_go_rule, items_of, join, properties, values_of
from kubewright.schema.validations.rule import Rule, compile_rule
from kubewright.schema.validations.run import compile_validations_pausing
from kubewright.schema.walk.errors import INVALID, FieldError, forbidden, invalid

__all__ = [
    "RULE_LIMIT",
    "SCHEMA_LIMIT",
    "RuleCost",
    "check_default_rules",
    "check_rules",
    "check_rules_in_steps",
    "estimate_costs",
]

#: Units of cost: of one rule, and of all rules of a schema.
RULE_LIMIT: Final = 10_000_000
SCHEMA_LIMIT: Final = 100_000_000
_MOST: Final = 2**64 - 1
_ADVICE: Final = (
    "try simplifying the rule, or adding maxItems, maxProperties, and maxLength where arrays, maps, and strings are "
    "declared"
)
_TOTAL: Final = "x-kubernetes-validations estimated rule cost total for entire OpenAPIv3 schema"
_CONTRIBUTED: Final = "contributed to estimated rule cost total exceeding cost limit for entire OpenAPIv3 schema"
_SHOWN: Final = 4


def check_rules(
    schema: Schema, path: str = "", *, faults: Iterable[FieldError] = (), spared: bool = False
) -> list[FieldError]:
    """What is wrong with the rules of a structural schema that stands at `path`.

    `faults` is what else was found in it: where a schema is wrong, here or deeper, it says nothing that a rule could
    rely on. `spared`: the schema is as it was before, so that no single rule is refused for what it costs.
    """
    return finish(check_rules_in_steps(schema, path, faults=faults, spared=spared))


def check_rules_in_steps(
    schema: Schema, path: str, *, faults: Iterable[FieldError], spared: bool
) -> Generator[None, None, list[FieldError]]:
    """The same in steps, for a large schema."""
    judge = _Judge([fault.field for fault in faults], spared)
    found = yield from gathered(judge.begin(schema, path))
    return found + judge.total(path)


class RuleCost(NamedTuple):
    """What an expression costs at most, by all the values that it can be asked about."""

    path: str
    cost: int


def estimate_costs(schema: Schema, path: str = "") -> list[RuleCost]:
    """What the rules of a schema and their messages cost, in the units of `RULE_LIMIT`."""
    judge = _Judge([], spared=True)
    for _ in judge.begin(schema, path):
        pass
    return judge.costs


def check_default_rules(
    schema: Schema, path: str, faults: Iterable[FieldError]
) -> Generator[None, None, list[FieldError]]:
    """Which rules the defaults of a schema break, apart from defaults at fault already; in steps."""
    return gathered(_check_default_rules(schema, path, faults))


def _check_default_rules(schema: Schema, path: str, faults: Iterable[FieldError]) -> Iterator[FieldError | None]:
    known = [fault.field for fault in faults]
    pending = [(schema, path, True)]
    while pending:
        yield None
        each, place, root = pending.pop()
        default = f"{place}.default"
        if has(each, "default") and not any(fault.startswith(default) for fault in known):
            rules = yield from compile_validations_pausing(each, root=root)
            yield from rules.run_default(each["default"], default) if rules is not None else ()
        children = [(child, f"{place}.properties[{name}]") for name, child in properties(each)]
        children += [(items, f"{place}.items")] if (items := items_of(each)) is not None else []
        below = [(child, where, bool(child.get("x-kubernetes-embedded-resource"))) for child, where in children]
        pending += reversed(below)


class _Place:
    """Where in a schema the judge is, and what follows from what is around it."""

    __slots__ = ("path", "repeated", "type", "uncorrelated")

    def __init__(self, path: str, of: Type | None, repeated: int | None, uncorrelated: str) -> None:
        self.path = path
        self.type = of
        #: How often it can be there; None if nothing but the size of a request bounds it.
        self.repeated = repeated
        #: The outermost place from which on old and new values have no pairs; empty if there is none.
        self.uncorrelated = uncorrelated


class _Judge:
    def __init__(self, faults: list[str], spared: bool) -> None:
        self._faults = faults
        self._spared = spared
        self.costs: list[RuleCost] = []

    def begin(self, schema: Schema, path: str) -> Iterator[FieldError | None]:
        """Look at a whole schema."""
        of = yield from schema_type_pausing(schema, root=True)
        yield from self._look(schema, _Place(path, of, 1, ""))

    def _look(self, schema: Schema, place: _Place) -> Iterator[FieldError | None]:
        """Look below, then at the rules that stand here: that is the order in which they are told."""
        yield None
        for child, below in _children(schema, place):
            yield from self._look(child, below)
        documents = schema.get("x-kubernetes-validations") or []
        if not documents or any(fault.startswith(place.path) for fault in self._faults):
            return
        of = place.type
        if of is None:
            root = bool(schema.get("x-kubernetes-embedded-resource"))
            of = yield from schema_type_pausing(schema, root=root)
        if of is None:
            return
        for index, document in enumerate(documents):
            rule = compile_rule(document, schema, of)
            yield from RULE
            yield from self._rule(rule, f"{join(place.path, 'x-kubernetes-validations')}[{index}]", place, of)

    def _rule(self, rule: Rule, path: str, place: _Place, of: Type) -> Iterator[FieldError]:
        often = place.repeated if place.repeated is not None else cardinality(of)
        cost = min(rule.cost * often, _MOST)
        yield from self._price(cost, f"{path}.rule", "estimated rule cost")
        shown = in_go_rule(rule.document)
        if rule.problem:
            yield FieldError(INVALID, f"{path}.rule", f"Invalid value: {shown}: {rule.problem}")
        if rule.message_problem:
            yield FieldError(INVALID, f"{path}.messageExpression", f"Invalid value: {shown}: {rule.message_problem}")
        elif rule.message_program is not None:
            yield from self._price(rule.message_cost, f"{path}.messageExpression", "estimated messageExpression cost")
        if rule.uses_old:
            if place.uncorrelated:
                why = f"oldSelf cannot be used on the uncorrelatable portion of the schema within {place.uncorrelated}"
                yield invalid(f"{path}.rule", rule.document["rule"], why)
        elif (optional := rule.document.get("optionalOldSelf")) is not None:
            yield invalid(f"{path}.optionalOldSelf", optional, "may not be set if oldSelf is not used in rule")

    def _price(self, cost: int, path: str, what: str) -> Iterator[FieldError]:
        if not self._spared and cost > RULE_LIMIT:
            yield forbidden(path, _exceeds(what, cost, RULE_LIMIT))
        self.costs.append(RuleCost(path, cost))

    def total(self, path: str) -> list[FieldError]:
        """What all rules together cost too much, and which of them the most."""
        total = min(sum(each.cost for each in self.costs), _MOST)
        if total <= SCHEMA_LIMIT:
            return []
        dear = [each for each in self.costs if each.cost >= SCHEMA_LIMIT // 100]
        dearest = sorted(dear, key=lambda each: -each.cost)[:_SHOWN]
        whole = forbidden(path, _exceeds(_TOTAL, total, SCHEMA_LIMIT))
        return [*(forbidden(each.path, _CONTRIBUTED) for each in dearest), whole]


def _children(schema: Schema, place: _Place) -> Iterator[tuple[Schema, _Place]]:
    values, items = values_of(schema), schema.get("items")
    often = _multiplied(schema, place.repeated)
    if values is not None:
        path = join(place.path, "additionalProperties")
        yield values, _Place(path, _element(place.type, 1), often, place.uncorrelated)
    for name, child in properties(schema):
        path, of = f"{join(place.path, 'properties')}[{name}]", _field(place.type, name)
        yield child, _Place(path, of, often, place.uncorrelated)
    if isinstance(items, dict):
        mapped = schema.get("x-kubernetes-list-type") == "map"
        uncorrelated = place.uncorrelated or ("" if mapped else place.path)
        yield items, _Place(join(place.path, "items"), _element(place.type, 0), often, uncorrelated)


def _multiplied(schema: Schema, repeated: int | None) -> int | None:
    """How often what is inside can be there."""
    if schema.get("type") == "object":
        if not schema.get("additionalProperties"):
            return repeated
        most = schema.get("maxProperties")
    elif schema.get("type") == "array":
        most = schema.get("maxItems")
    else:
        return repeated
    return None if most is None or repeated is None else min(repeated * max(most, 0), _MOST)


def _field(of: Type | None, name: str) -> Type | None:
    """The type of a property as seen from the object; None if it has none there, and is to be found anew."""
    found = next((each for each in (of.fields or {}).values() if each.name == name), None) if of is not None else None
    return found.type if found is not None else None


def _element(of: Type | None, index: int) -> Type | None:
    return of.params[index] if of is not None and len(of.params) > index else None


def _exceeds(what: str, cost: int, limit: int) -> str:
    factor = cost / limit
    times = "more than 100x" if factor > 100 else f"{factor:f}x" if factor < 1.5 else f"{factor:.1f}x"
    return f"{what} exceeds budget by factor of {times} ({_ADVICE})"
