"""Why an object does not fit its schema: every problem, in the server's words and order.

This is the exact half of validation. It runs only on objects that `verdict` refused, or that are refused anyway, so it
follows the server's check step by step: type, junctors, string, format, number, items, enumeration, properties. Each
node compiles to one function of (value, path, correlation). The correlation pairs a value with the one it replaces; the
problems of a value that did not change are forgotten (see `ratchet`). Inside `allOf`, `anyOf`, `oneOf` and `not`, the
server does not correlate, and neither do we.

All of it is done in steps, so that others have their turn while a large object is explained.
"""

from collections.abc import Callable, Generator, Iterator
from typing import Final

from kubewright.schema.formats import format_check
from kubewright.schema.pattern import compile_pattern
from kubewright.schema.walk.enum import compile_enum
from kubewright.schema.walk.golang import quote, truncate
from kubewright.schema.walk.kinds import kind_of, mismatch
from kubewright.schema.walk.later import later
from kubewright.schema.walk.numbers import compile_bounds
from kubewright.schema.walk.problem import (
    Outcome,
    Problem,
    composite,
    invalid,
    missing,
    mistyped,
    too_long,
    too_many,
    unsupported,
)
from kubewright.schema.walk.ratchet import Correlation
from kubewright.schema.walk.structure import Node, Unread

__all__ = ["Explain", "compile_explain"]

Steps = Generator[None, None, Outcome]
Explain = Callable[[object, str, Correlation | None], Steps]
#: So many checks that passed are one step, more or less: a millisecond.
_MOST: Final = 2500


def compile_explain(node: Node) -> Explain:
    """Return the function that finds everything wrong with a value."""
    types, format_, nullable, choices = node.types, node.format, node.nullable, node.enum
    typed = bool(types or format_)
    junctors, bounds = _compile_junctors(node), compile_bounds(node)
    text, shape = _compile_text(node), format_check(format_) if format_ else None
    items, properties = _compile_items(node), _compile_properties(node)
    member = compile_enum(choices)

    def check(value: object, path: str, pair: Correlation | None) -> Steps:
        out = Outcome()
        if value is None:
            if types and not nullable:
                out.add(mistyped(path, ",".join(types), "null"))
            else:
                out.matches += 1
            if choices:
                out.add(unsupported(path, value, choices))
            return out
        kind = kind_of(value)
        if kind is int and isinstance(value, int):
            value = truncate(value)
            kind = type(value)
        # Every check that applies counts as one match, and some count once more when they pass; the sum decides
        # which alternative of an anyOf is explained.
        if typed:
            wrong = mismatch(types, format_, value, kind)
            if wrong is not None:
                out.add(mistyped(path, *wrong))
            out.matches += 2 if wrong is None else 1
        if junctors is not None:
            out.merge((yield from junctors(value, path)))
        out.matches += 2
        if isinstance(value, str):
            for problem in text(value, path):
                out.add(problem)
            out.matches += 1
            if shape is not None:
                if not shape(value):
                    out.add(mistyped(path, format_, value))
                out.matches += 1
        elif isinstance(value, int | float) and kind is not bool:
            for problem in bounds(value, path):
                out.add(problem)
            out.matches += 2
        elif isinstance(value, list):
            yield from items(value, path, pair, out)
            out.matches += 2
        if choices and not member(value):
            out.add(unsupported(path, value, choices))
        out.matches += 2
        if isinstance(value, dict):
            yield from properties(value, path, pair, out)
            out.matches += 1
        return out

    def explain(value: object, path: str, pair: Correlation | None) -> Steps:
        out = yield from check(value, path, pair)
        if out.problems and pair is not None and (yield from pair.unchanged_in_steps()):
            out.problems = {}
        return out

    return explain


def _compile_text(node: Node) -> Callable[[str, str], Iterator[Problem]]:
    longest, shortest, pattern = node.max_length, node.min_length, node.pattern
    found = compile_pattern(pattern) if pattern else None

    def text(value: str, path: str) -> Iterator[Problem]:
        # One problem at most: the server stops at the first.
        if longest is not None and len(value) > longest:
            yield too_long(path, longest)
        elif shortest is not None and len(value) < shortest:
            yield invalid(path, value, f"{path} in body should be at least {shortest} chars long")
        elif found is not None and not found(value):
            yield invalid(path, value, f"{path} in body should match '{pattern}'")

    return text


def _compile_items(
    node: Node,
) -> Callable[[list[object], str, Correlation | None, Outcome], Generator[None, None, None]]:
    item = compile_explain(node.items) if node.items is not None else None
    fewest, most = node.min_items, node.max_items

    def items(value: list[object], path: str, pair: Correlation | None, out: Outcome) -> Generator[None, None, None]:
        if item is not None:
            told = out.matches
            for index, member in enumerate(value):
                partner = pair.at(index) if pair is not None else None
                out.merge((yield from item(member, f"{path}[{index}]", partner)))
                if out.matches - told > _MOST:
                    yield
                    told = out.matches
        if fewest is not None and len(value) < fewest:
            out.add(invalid(path, len(value), f"{path} in body should have at least {fewest} items"))
        if most is not None and len(value) > most:
            out.add(too_many(path, len(value), most, "items"))

    return items


def _compile_properties(
    node: Node,
) -> Callable[[dict[str, object], str, Correlation | None, Outcome], Generator[None, None, None]]:
    known: dict[str, Explain]
    if isinstance(node.properties, Unread):
        known = later(node.properties, node.properties, compile_explain)
    else:
        known = {name: compile_explain(child) for name, child in node.properties.items()}
    additional = compile_explain(node.additional) if isinstance(node.additional, Node) else None
    closed = node.additional is False
    required, fewest, most = node.required, node.min_properties, node.max_properties

    def properties(
        value: dict[str, object], path: str, pair: Correlation | None, out: Outcome
    ) -> Generator[None, None, None]:
        told = out.matches
        if fewest is not None and len(value) < fewest:
            out.add(invalid(path, len(value), f"{path} in body should have at least {fewest} properties"))
        if most is not None and len(value) > most:
            out.add(too_many(path, len(value), most, "properties"))
        if additional is not None or closed:
            for name, member in value.items():
                if name in known:
                    continue
                if additional is None:
                    out.add(invalid(path, name, f"{path}.{name} in body is a forbidden property"))
                else:
                    out.merge((yield from additional(member, f"{path}.{name}", _child(pair, path, name))))
                    if out.matches - told > _MOST:
                        yield
                        told = out.matches
        for name, member in value.items():
            if name in known:
                place = f"{path}.{name}" if path else name
                out.merge((yield from known[name](member, place, _child(pair, path, name))))
        for name in required:
            if name not in value:
                out.add(missing(f"{path}.{name}"))

    return properties


def _child(pair: Correlation | None, path: str, name: str) -> Correlation | None:
    # Both sides of an update were converted to one version before, so a change of the two is not visible here.
    if pair is None or (not path and name in ("apiVersion", "kind")):
        return None
    return pair.under(name)


def _compile_junctors(node: Node) -> Callable[[object, str], Steps] | None:
    any_of = [compile_explain(child) for child in node.any_of]
    one_of = [compile_explain(child) for child in node.one_of]
    all_of = [compile_explain(child) for child in node.all_of]
    negated = compile_explain(node.negated) if node.negated is not None else None
    if not (any_of or one_of or all_of or negated):
        return None

    def junctors(value: object, path: str) -> Steps:
        out = Outcome()
        if any_of:
            yield from _any(out, any_of, value, path)
        if one_of:
            yield from _one(out, one_of, value, path)
        if all_of:
            yield from _all(out, all_of, value, path)
        if negated is not None and not (yield from negated(value, path, None)).problems:
            out.add(composite(f"{quote(path)} must not validate the schema (not)"))
        return out

    return junctors


def _any(out: Outcome, branches: list[Explain], value: object, path: str) -> Generator[None, None, None]:
    nearest: Outcome | None = None
    for branch in branches:
        result = yield from branch(value, path, None)
        if not result.problems:
            out.merge(result)
            return
        if nearest is None or result.matches > nearest.matches:
            nearest = result
    out.add(composite(f"{quote(path)} must validate at least one schema (anyOf)"))
    if nearest is not None:
        out.merge(nearest)


def _one(out: Outcome, branches: list[Explain], value: object, path: str) -> Generator[None, None, None]:
    nearest: Outcome | None = None
    valid: list[Outcome] = []
    for branch in branches:
        result = yield from branch(value, path, None)
        if not result.problems:
            valid.append(result)
        elif not valid and (nearest is None or result.matches > nearest.matches):
            nearest = result
    if len(valid) == 1:
        out.merge(valid[0])
        return
    found = f"Found {len(valid)} valid alternatives" if valid else "Found none valid"
    out.add(composite(f"{quote(path)} must validate one and only one schema (oneOf). {found}"))
    if nearest is not None and not valid:
        out.merge(nearest)


def _all(out: Outcome, branches: list[Explain], value: object, path: str) -> Generator[None, None, None]:
    valid = 0
    for branch in branches:
        result = yield from branch(value, path, None)
        out.merge(result)
        valid += not result.problems
    if valid < len(branches):
        none = "" if valid else ". None validated"
        out.add(composite(f"{quote(path)} must validate all the schemas (allOf){none}"))
