"""Every difference between two schemas, field by field.

Both are walked side by side. Each keyword has its function here; a keyword that has none is reported as unclassified,
so that nothing is silent. Two spellings of the same thing (an absent `nullable` and a false one, an unset list type and
`atomic`, the two forms of int-or-string) are no difference, or one that breaks nobody.

A path names the field in an object: `spec.containers[].image`, `spec.labels[*]`.
"""

from collections.abc import Callable, Iterator
from typing import Any, Final

from kubewright.schema.diff.change import BOTH, CLIENTS, NEITHER, Change, shown, went
from kubewright.schema.raw import Schema, items_of, several, values_of

__all__ = ["compare_schemas"]

_INT_OR_STRING: Final = [{"type": "integer"}, {"type": "string"}]


def compare_schemas(old: Schema, new: Schema, path: str) -> Iterator[Change]:
    """The changes from one schema to another, of what stands at `path`."""
    for compare in _COMPARISONS:
        yield from compare(old, new, path)
    for keyword in sorted(old.keys() | new.keys()):
        if keyword not in _KNOWN and (old.get(keyword) or None) != (new.get(keyword) or None):
            yield Change.of(path, "Unclassified", f"{keyword} differs", old.get(keyword), new.get(keyword))


def _field(path: str, name: str) -> str:
    return f"{path}.{name}" if name.replace("-", "").replace("_", "").isalnum() else f"{path}[{name!r}]"


# -- fields


def _fields(old: Schema, new: Schema, path: str) -> Iterator[Change]:
    before, after = old.get("properties") or {}, new.get("properties") or {}
    for name in sorted(before.keys() | after.keys()):
        at = _field(path, name)
        if name not in after:
            if new.get("x-kubernetes-preserve-unknown-fields"):
                why = "unknown fields are preserved here, so it may still be sent and stored"
                yield Change.of(at, "FieldRemoved", "the field is gone", before[name], None, NEITHER, why)
            else:
                yield Change.of(at, "FieldRemoved", "the field is gone", before[name], None)
        elif name not in before:
            yield Change.of(at, "FieldAdded", "the field is new", None, after[name])
        else:
            yield from compare_schemas(before[name] or {}, after[name] or {}, at)


def _required(old: Schema, new: Schema, path: str) -> Iterator[Change]:
    before, after = old.get("required") or [], new.get("required") or []
    for name in sorted({*before, *after}):
        was, now = name in before, name in after
        defaulted, defaults = (_has_default(schema, name) for schema in (old, new))
        demanded, demands = was and not defaulted, now and not defaults
        at = _field(path, name)
        if demands and not demanded:
            yield Change.of(at, "RequiredAdded", "the field must now be given", was, now)
        elif demanded and not demands:
            breaks, why = (NEITHER, "its default stands in where it is left out") if defaults else (None, "")
            yield Change.of(at, "RequiredRemoved", "the field need no longer be given", was, now, breaks, why)
        elif was != now:
            why = "its default stands in where it is left out"
            kind = "RequiredAdded" if now else "RequiredRemoved"
            yield Change.of(at, kind, "the list of required fields changed", was, now, NEITHER, why)
    if before != after and set(before) == set(after):
        yield Change.of(path, "OrderChanged", "required fields are listed anew", before, after)


def _has_default(schema: Schema, name: str) -> bool:
    child = (schema.get("properties") or {}).get(name) or {}
    return child.get("default") is not None


def _items(old: Schema, new: Schema, path: str) -> Iterator[Change]:
    before, after = items_of(old), items_of(new)
    if before is not None and after is not None:
        yield from compare_schemas(before, after, f"{path}[]")
    elif old.get("items") != new.get("items"):
        yield Change.of(path, "ItemsChanged", "items were added or removed", old.get("items"), new.get("items"))


def _map_values(old: Schema, new: Schema, path: str) -> Iterator[Change]:
    before, after = values_of(old), values_of(new)
    if before is not None and after is not None:
        yield from compare_schemas(before, after, f"{path}[*]")
        return
    was, now = _open(old), _open(new)
    what = "additionalProperties differs"
    if was == now:
        return
    if was is None:
        why = "keys that were pruned are now kept"
        yield Change.of(path, "MapValuesChanged", what, was, now, NEITHER, why)
    elif now is True:
        why = "readers may meet values of another type"
        yield Change.of(path, "MapValuesChanged", what, was, now, CLIENTS, why)
    else:
        yield Change.of(path, "MapValuesChanged", what, was, now)


def _open(schema: Schema) -> object:
    """What further keys an object may have: None for none, True for any, else their schema."""
    values = schema.get("additionalProperties")
    return None if values is False else True if values == {} else values


# -- types and values


def _type_of(schema: Schema) -> str:
    if schema.get("x-kubernetes-int-or-string"):
        return "int-or-string"
    return schema.get("type") or "any"


#: Types that hold every value of the type before them.
_WIDER: Final = {
    ("integer", "number"),
    ("integer", "int-or-string"),
    ("string", "int-or-string"),
    *((kind, "any") for kind in ("integer", "number", "string", "boolean", "array", "object", "int-or-string")),
}


def _type(old: Schema, new: Schema, path: str) -> Iterator[Change]:
    before, after = _type_of(old), _type_of(new)
    if before == after:
        return
    what = f"the type went from {before} to {after}"
    if (before, after) in _WIDER:
        why = "every old value is still allowed, but readers may meet values of another type"
        yield Change.of(path, "TypeChanged", what, before, after, CLIENTS, why)
    else:
        yield Change.of(path, "TypeChanged", what, before, after)


def _nullable(old: Schema, new: Schema, path: str) -> Iterator[Change]:
    before, after = bool(old.get("nullable")), bool(new.get("nullable"))
    if before != after:
        kind = "NullableAdded" if after else "NullableRemoved"
        yield Change.of(path, kind, went("nullable", before, after), before, after)


def _default(old: Schema, new: Schema, path: str) -> Iterator[Change]:
    before, after = old.get("default"), new.get("default")
    if _same(before, after):
        return
    kind = "DefaultAdded" if before is None else "DefaultRemoved" if after is None else "DefaultChanged"
    yield Change.of(path, kind, went("the default", before, after), before, after)


def _enum(old: Schema, new: Schema, path: str) -> Iterator[Change]:
    before, after = old.get("enum") or [], new.get("enum") or []
    if before and after:
        added, removed = _missing(after, before), _missing(before, after)
        for value in added:
            yield Change.of(path, "EnumValueAdded", f"{shown(value)} is new", None, value)
        for value in removed:
            yield Change.of(path, "EnumValueRemoved", f"{shown(value)} is gone", value, None)
        if not added and not removed and before != after:
            yield Change.of(path, "OrderChanged", "the enumeration is listed anew", before, after)
    elif after:
        yield Change.of(path, "EnumAdded", f"only {shown(after)} are allowed", None, after)
    elif before:
        yield Change.of(path, "EnumRemoved", f"no longer only {shown(before)} are allowed", before, None)


_AT_MOST: Final = ("maxLength", "maxItems", "maxProperties")
_AT_LEAST: Final = ("minLength", "minItems", "minProperties")


def _bounds(old: Schema, new: Schema, path: str) -> Iterator[Change]:
    for keyword in (*_AT_MOST, *_AT_LEAST):
        sign = 1 if keyword in _AT_MOST else -1
        yield from _bound(keyword, old.get(keyword), new.get(keyword), sign, path)
    for keyword, flag, sign in (("maximum", "exclusiveMaximum", 1), ("minimum", "exclusiveMinimum", -1)):
        before, after = old.get(keyword), new.get(keyword)
        was, now = bool(old.get(flag)), bool(new.get(flag))
        if before == after and was != now:
            kind = "BoundTightened" if now else "BoundLoosened"
            breaks, why = (NEITHER, f"without {keyword} it says nothing") if before is None else (None, "")
            yield Change.of(path, kind, went(flag, was, now), was, now, breaks, why)
        else:
            yield from _bound(keyword, before, after, sign, path)
    yield from _multiple_of(old.get("multipleOf"), new.get("multipleOf"), path)


def _bound(keyword: str, before: float | None, after: float | None, sign: int, path: str) -> Iterator[Change]:
    if before == after:
        return
    tightened = before is None or (after is not None and sign * (after - before) < 0)
    kind = "BoundTightened" if tightened else "BoundLoosened"
    yield Change.of(path, kind, went(keyword, before, after), before, after)


def _multiple_of(before: float | None, after: float | None, path: str) -> Iterator[Change]:
    before, after = before or None, after or None
    if before == after:
        return
    if after is None or (before and before % after == 0):
        kind = "BoundLoosened"
    elif before is None or after % before == 0:
        kind = "BoundTightened"
    else:
        kind = "ConstraintChanged"
    yield Change.of(path, kind, went("multipleOf", before, after), before, after)


def _text_rules(old: Schema, new: Schema, path: str) -> Iterator[Change]:
    for keyword, name in (("pattern", "Pattern"), ("format", "Format")):
        before, after = old.get(keyword) or None, new.get(keyword) or None
        if before == after:
            continue
        change = "Added" if before is None else "Removed" if after is None else "Changed"
        what = went(keyword, before, after)
        if (before, after) in (("int32", "int64"), ("float", "double")):
            why = "every old value is still allowed, but readers may meet larger ones"
            yield Change.of(path, f"{name}{change}", what, before, after, CLIENTS, why)
        else:
            yield Change.of(path, f"{name}{change}", what, before, after)


# -- rules and junctors


def _rules(old: Schema, new: Schema, path: str) -> Iterator[Change]:
    before = {rule.get("rule"): rule for rule in old.get("x-kubernetes-validations") or ()}
    after = {rule.get("rule"): rule for rule in new.get("x-kubernetes-validations") or ()}
    for text, rule in after.items():
        if text not in before:
            if "oldSelf" in str(text):
                why = "updates that break the rule are refused; objects as they are stay valid"
                yield Change.of(path, "RuleAdded", f"{text} is new", None, rule, CLIENTS, why)
            else:
                yield Change.of(path, "RuleAdded", f"{text} is new", None, rule)
        elif before[text].get("optionalOldSelf") != rule.get("optionalOldSelf"):
            why = "the rule now holds for other requests"
            yield Change.of(path, "RuleChanged", f"{text} treats oldSelf anew", before[text], rule, CLIENTS, why)
        elif before[text] != rule:
            yield Change.of(path, "RuleChanged", f"{text} is told in another way", before[text], rule)
    for text, rule in before.items():
        if text not in after:
            yield Change.of(path, "RuleRemoved", f"{text} is gone", rule, None)
    if list(before) != list(after) and before.keys() == after.keys():
        yield Change.of(path, "OrderChanged", "the rules are listed anew", list(before), list(after))


def _junctor(schema: Schema, keyword: str) -> list[Schema]:
    """The alternatives, without the form that only says int-or-string."""
    alternatives = several(schema, keyword)
    implied = keyword == "anyOf" and schema.get("x-kubernetes-int-or-string") and alternatives == _INT_OR_STRING
    return [] if implied else alternatives


def _junctors(old: Schema, new: Schema, path: str) -> Iterator[Change]:
    for keyword in ("allOf", "anyOf", "oneOf"):
        before, after = _junctor(old, keyword), _junctor(new, keyword)
        added, removed = _missing(after, before), _missing(before, after)
        if keyword == "allOf" or not before or not after:
            for each in added:
                yield Change.of(path, "ConstraintAdded", f"{keyword} {shown(each)} is new", None, each)
            for each in removed:
                yield Change.of(path, "ConstraintRemoved", f"{keyword} {shown(each)} is gone", each, None)
        else:
            # One more of oneOf can refuse what fitted one and now fits two.
            stricter = (BOTH, "objects that fit two alternatives are refused") if keyword == "oneOf" else (None, "")
            for each in added:
                yield Change.of(path, "AlternativeAdded", f"{keyword} {shown(each)} is new", None, each, *stricter)
            for each in removed:
                yield Change.of(path, "AlternativeRemoved", f"{keyword} {shown(each)} is gone", each, None)
        if not added and not removed and before != after:
            yield Change.of(path, "OrderChanged", f"{keyword} is listed anew", before, after)
    refused, now = old.get("not"), new.get("not")
    if refused != now:
        kind = "ConstraintAdded" if refused is None else "ConstraintRemoved" if now is None else "ConstraintChanged"
        yield Change.of(path, kind, "not differs", refused, now)


# -- shape and words


def _shape(old: Schema, new: Schema, path: str) -> Iterator[Change]:
    before = (old.get("x-kubernetes-list-type"), old.get("x-kubernetes-list-map-keys") or None)
    after = (new.get("x-kubernetes-list-type"), new.get("x-kubernetes-list-map-keys") or None)
    if before != after:
        yield _list_type(before, after, path)
    was, now = old.get("x-kubernetes-map-type"), new.get("x-kubernetes-map-type")
    if was != now:
        same = (was or "granular") == (now or "granular")
        breaks, why = (NEITHER, "an unset map type is granular") if same else (None, "")
        yield Change.of(path, "MapTypeChanged", went("the map type", was, now), was, now, breaks, why)
    preserved, preserves = (bool(each.get("x-kubernetes-preserve-unknown-fields")) for each in (old, new))
    if preserved != preserves:
        breaks, why = (NEITHER, "fields the schema does not name are kept") if preserves else (None, "")
        what = went("preserve-unknown-fields", preserved, preserves)
        yield Change.of(path, "PruningChanged", what, preserved, preserves, breaks, why)
    embedded, embeds = (bool(each.get("x-kubernetes-embedded-resource")) for each in (old, new))
    if embedded != embeds:
        breaks, why = (None, "") if embeds else (NEITHER, "apiVersion, kind and metadata are checked no longer")
        what = went("embedded-resource", embedded, embeds)
        yield Change.of(path, "EmbeddedResourceChanged", what, embedded, embeds, breaks, why)


def _list_type(before: tuple[Any, Any], after: tuple[Any, Any], path: str) -> Change:
    told = [" by ".join((kind or "unset", *(keys or ()))) for kind, keys in (before, after)]
    what = f"the list type went from {told[0]} to {told[1]}"
    if before[1] == after[1] and (before[0] or "atomic") == (after[0] or "atomic"):
        why = "an unset list type is atomic"
        return Change.of(path, "ListTypeChanged", what, before, after, NEITHER, why)
    if after[0] in (None, "atomic"):
        why = "whoever applies the list now replaces it whole"
        return Change.of(path, "ListTypeChanged", what, before, after, CLIENTS, why)
    return Change.of(path, "ListTypeChanged", what, before, after)


def _words(old: Schema, new: Schema, path: str) -> Iterator[Change]:
    for keyword in ("description", "title", "externalDocs", "example"):
        before, after = old.get(keyword) or None, new.get(keyword) or None
        if before != after:
            kind = "DescriptionChanged" if keyword == "description" else "DocumentationChanged"
            yield Change.of(path, kind, f"{keyword} differs", before, after)


def _missing(members: list[Any], among: list[Any]) -> list[Any]:
    return [member for member in members if not any(_same(member, other) for other in among)]


def _same(a: object, b: object) -> bool:
    """Equal as JSON: true is not 1."""
    if isinstance(a, dict) and isinstance(b, dict):
        return a.keys() == b.keys() and all(_same(a[key], b[key]) for key in a)
    if isinstance(a, list) and isinstance(b, list):
        return len(a) == len(b) and all(map(_same, a, b))
    return a == b and isinstance(a, bool) == isinstance(b, bool)


_COMPARISONS: Final[tuple[Callable[[Schema, Schema, str], Iterator[Change]], ...]] = (
    _type,
    _nullable,
    _default,
    _enum,
    _bounds,
    _text_rules,
    _rules,
    _junctors,
    _shape,
    _words,
    _required,
    _fields,
    _items,
    _map_values,
)
_KNOWN: Final = frozenset(
    (
        *("type", "nullable", "default", "enum", "multipleOf", "pattern", "format", "not", "allOf", "anyOf", "oneOf"),
        *("maximum", "exclusiveMaximum", "minimum", "exclusiveMinimum", *_AT_MOST, *_AT_LEAST),
        *("description", "title", "externalDocs", "example", "required", "properties", "items", "additionalProperties"),
        *("x-kubernetes-int-or-string", "x-kubernetes-validations", "x-kubernetes-list-type", "x-kubernetes-map-type"),
        *("x-kubernetes-list-map-keys", "x-kubernetes-preserve-unknown-fields", "x-kubernetes-embedded-resource"),
    )
)
