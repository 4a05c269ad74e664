"""What markers can say of a schema node: its keywords are spent on them, one by one.

`markers_of` takes from a node the keywords it found a marker for; what is left after it, `leftover` keeps as it stands.
"""

from typing import Any

from kubewright.model.markers import (
    CEL,
    Atomic,
    Default,
    Description,
    EmbeddedResource,
    Example,
    ExternalDocs,
    Format,
    Fragment,
    Granular,
    Marker,
    Maximum,
    MaxItems,
    MaxLength,
    MaxProperties,
    Minimum,
    MinItems,
    MinLength,
    MinProperties,
    MultipleOf,
    Nullable,
    Pattern,
    PreserveUnknown,
    Range,
    Title,
)
from kubewright.schema.types import Schema

__all__ = ["leftover", "markers_of"]

_COUNTS = (MinLength, MaxLength, MinItems, MaxItems, MinProperties, MaxProperties)
_TEXTS = (("pattern", Pattern), ("format", Format), ("title", Title), ("description", Description))
_VALUES = (("default", Default), ("example", Example))
_MAP_TYPES: dict[str, Marker] = {"atomic": Atomic(), "granular": Granular()}
_RULES = "x-kubernetes-validations"


def markers_of(rest: Schema, sort: str) -> tuple[Marker, ...]:
    """The markers for a node of that sort (see `Shape.sort`), their keywords taken from it."""
    return (*_flags(rest, sort), *_bounds(rest, sort), *_words(rest, sort), *_rules(rest))


def leftover(rest: Schema) -> tuple[Marker, ...]:
    """What nothing else could say."""
    return (Fragment(dict(rest)),) if rest else ()


def _flags(rest: Schema, sort: str) -> list[Marker]:
    found: list[Marker] = []
    for flag in (PreserveUnknown(), EmbeddedResource(), Nullable()):
        [keyword] = flag.fragment()
        if rest.get(keyword) is True and sort in flag.on:
            del rest[keyword]
            found.append(flag)
    if sort in Granular.on and (marker := _MAP_TYPES.get(str(rest.get("x-kubernetes-map-type")))):
        del rest["x-kubernetes-map-type"]
        found.append(marker)
    return found


def _bounds(rest: Schema, sort: str) -> list[Marker]:
    found: list[Marker] = []
    for count in _COUNTS:
        n = rest.get(count.keyword)
        if sort in count.on and isinstance(n, int) and not isinstance(n, bool) and n >= 0:
            del rest[count.keyword]
            found.append(count(n))
    if sort not in Range.on:
        return found
    low, high, factor = (_number(rest.get(keyword)) for keyword in ("minimum", "maximum", "multipleOf"))
    strict = rest.keys() & {"exclusiveMinimum", "exclusiveMaximum"}
    if low is not None and high is not None and low <= high and not strict:
        del rest["minimum"], rest["maximum"]
        found.append(Range(low, high))
    else:
        if low is not None and rest.get("exclusiveMinimum") in (None, True):
            del rest["minimum"]
            found.append(Minimum(low, exclusive=rest.pop("exclusiveMinimum", False)))
        if high is not None and rest.get("exclusiveMaximum") in (None, True):
            del rest["maximum"]
            found.append(Maximum(high, exclusive=rest.pop("exclusiveMaximum", False)))
    if factor is not None and factor > 0:
        del rest["multipleOf"]
        found.append(MultipleOf(factor))
    return found


def _words(rest: Schema, sort: str) -> list[Marker]:
    found: list[Marker] = []
    for keyword, text in _TEXTS:
        if isinstance(rest.get(keyword), str) and sort in text.on:
            found.append(text(rest.pop(keyword)))
    for keyword, value in _VALUES:
        if keyword in rest:
            found.append(value(rest.pop(keyword)))
    docs = rest.get("externalDocs")
    if isinstance(docs, dict):
        marker = ExternalDocs(docs.get("url", ""), docs.get("description", ""))
        if marker.fragment() == {"externalDocs": docs}:
            del rest["externalDocs"]
            found.append(marker)
    return found


def _rules(rest: Schema) -> list[Marker]:
    rules = [_rule(rule) for rule in rest.get(_RULES) or ()]
    if not rules or None in rules:
        return []
    del rest[_RULES]
    return [rule for rule in rules if rule]


def _rule(rule: Any) -> CEL | None:
    """A rule as a marker, if the marker says all of it."""
    if not isinstance(rule, dict) or "rule" not in rule:
        return None
    marker = CEL(
        rule["rule"],
        message=rule.get("message", ""),
        message_expression=rule.get("messageExpression", ""),
        reason=rule.get("reason"),
        field_path=rule.get("fieldPath", ""),
        optional_old_self=rule.get("optionalOldSelf", False),
    )
    return marker if marker.fragment()[_RULES] == [rule] else None


def _number(value: Any) -> int | float | None:
    return value if isinstance(value, int | float) and not isinstance(value, bool) else None
