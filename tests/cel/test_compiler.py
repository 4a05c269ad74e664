"""What expressions give on objects that have a schema; every case is run fast and counted."""

from typing import Any

import pytest
from tests.cel.evaluation import error, evaluate, program, shown

from kubewright.cel.errors import ConstantError
from kubewright.cel.values import Duration, Timestamp

TEXT = {"type": "string"}
NUMBER = {"type": "integer"}
WHEN = {"type": "string", "format": "date-time"}


def structure(**properties: Any) -> dict[str, Any]:
    return {"type": "object", "properties": properties}


SCHEMA = structure(
    s=TEXT,
    i=NUMBER,
    n={"type": "number"},
    on={"type": "boolean"},
    when=WHEN,
    day={"type": "string", "format": "date"},
    span={"type": "string", "format": "duration"},
    data={"type": "string", "format": "byte"},
    mixed={"x-kubernetes-int-or-string": True},
    texts={"type": "array", "items": TEXT},
    numbers={"type": "array", "items": {"type": "number"}},
    whens={"type": "array", "items": WHEN},
    zones={"type": "array", "x-kubernetes-list-type": "set", "items": TEXT},
    ports={
        "type": "array",
        "x-kubernetes-list-type": "map",
        "x-kubernetes-list-map-keys": ["name"],
        "items": structure(name=TEXT, port=NUMBER, since=WHEN),
    },
    items={"type": "array", "items": structure(x=NUMBER, y=TEXT, when=WHEN)},
    maybe={"type": "array", "items": {"type": "string", "nullable": True}},
    labels={"type": "object", "additionalProperties": TEXT},
    spans={"type": "object", "additionalProperties": {"type": "string", "format": "duration"}},
    objects={"type": "object", "additionalProperties": structure(x=NUMBER)},
    sub=structure(a=NUMBER, deep=structure(z=TEXT, when=WHEN)),
    none={"type": "object", "nullable": True, "properties": {"a": NUMBER}},
    open={"type": "object", "x-kubernetes-preserve-unknown-fields": True, "properties": {"k": TEXT}},
    **{"a-b.c/d": TEXT, "if": NUMBER, "x__y": NUMBER},
)
SELF: dict[str, Any] = {
    "s": "hello",
    "i": 5,
    "n": 3,
    "on": True,
    "when": "2020-01-02T03:04:05.5+02:00",
    "day": "2020-02-03",
    "span": "1h30m",
    "data": "aGVsbG8=",
    "mixed": "50%",
    "texts": ["a", "b", "c"],
    "numbers": [1, 2.5],
    "whens": ["2020-01-01T00:00:00Z", "2021-01-01T00:00:00Z"],
    "zones": ["x", "y"],
    "ports": [{"name": "a", "port": 1, "since": "2020-01-01T00:00:00Z"}, {"name": "b", "port": 2}],
    "items": [{"x": 1, "y": "one", "when": "2020-01-01T00:00:00Z"}, {"x": 2, "y": "two"}],
    "maybe": ["a", None],
    "labels": {"k": "v", "k2": "v2"},
    "spans": {"a": "1s"},
    "objects": {"p": {"x": 1}, "q": {}},
    "sub": {"a": 1, "deep": {"z": "zz", "when": "2020-01-01T00:00:00Z"}},
    "none": None,
    "open": {"k": "v", "other": {"q": 1}},
    "a-b.c/d": "escaped",
    "if": 7,
    "x__y": 8,
}
OLD: dict[str, Any] = {
    **SELF,
    "zones": ["y", "x"],
    "ports": [{"name": "b", "port": 2}, {"name": "a", "port": 1, "since": "2020-01-01T01:00:00+01:00"}],
    "sub": {"a": 1, "deep": {"z": "zz", "when": "2020-01-01T01:00:00+01:00"}},
    "mixed": 3,
}


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("self.i + 1", 6),
        ("self.n / 2.0", 1.5),
        ("self.n == 3.0 && self.n < 4", True),
        ("self.on ? self.i : 0", 5),
        ("self.span", Duration("1h30m")),
        ("self.day", Timestamp(1580688000 * 10**9)),
        ("self.when.getHours()", 1),
        ("string(self.when)", "2020-01-02T03:04:05.5+02:00"),
        ("self.data", b"hello"),
        ("self.mixed == '50%' && self.mixed != 50 && oldSelf.mixed == 3", True),
        ("type(self.mixed) == string && type(oldSelf.mixed) == int", True),
        ("self.texts[1]", "b"),
        ("self.texts + ['d']", ["a", "b", "c", "d"]),
        ("self.texts.join(',')", "a,b,c"),
        ("self.numbers[0] == 1.0 && 1.0 in self.numbers && self.numbers.sum() == 3.5", True),
        ("self.whens[0] < self.whens[1] && self.whens.max() == self.whens[1]", True),
        ("self.whens.all(w, w < timestamp('2030-01-01T00:00:00Z'))", True),
        ("timestamp('2020-01-01T01:00:00+01:00') in self.whens", True),
        ("self.labels.k + self.labels['k2']", "vv2"),
        ("'k' in self.labels && !('zz' in self.labels) && has(self.labels.k)", True),
        ("self.labels.all(k, self.labels[k].startsWith('v'))", True),
        ("self.labels.all(k, v, v.startsWith('v'))", True),
        ("self.spans.a < duration('2s') && self.spans.all(k, v, v == duration('1s'))", True),
        ("self.objects.p.x", 1),
        ("has(self.objects.q.x)", False),
        ("self.sub.deep.z", "zz"),
        ("has(self.sub.deep.z) && has(self.sub.deep)", True),
        ("self.a__dash__b__dot__c__slash__d", "escaped"),
        ("self.__if__ + self.x__underscores__y", 15),
        ("has(self.none)", False),
        ("self.maybe.exists(x, x == 'a') && dyn(self.maybe[1]) == null", True),
        ("self.items.filter(o, o.x > 1).map(o, o.y)", ["two"]),
        ("self.items.exists(o, o.when > timestamp('2000-01-01T00:00:00Z'))", True),
        ("self.items.all(i, o, o.x == i + 1)", True),
        ("self.items.sortBy(o, -o.x).map(o, o.y)", ["two", "one"]),
        ("self.items.indexOf(self.items[1])", 1),
        ("self.items.first().value().y", "one"),
        ("self.ports.transformMapEntry(i, p, {p.name: p.port})", {"a": 1, "b": 2}),
        ("self.?sub.?deep.?z.orValue('none')", "zz"),
        ("self.?none.?a.orValue(3)", 3),
        ("self.?sub.optMap(x, x.a + 1).value()", 2),
        ("optional.of(self.sub).value().deep.z", "zz"),
        ("dyn(self.sub).deep.z", "zz"),
        ("dyn(self.sub).map(k, k)", ["a", "deep"]),
        ("dyn(self.items)[0].y", "one"),
        ("{'a': self.sub}['a'].deep.z", "zz"),
        ("(self.on ? self.sub : oldSelf.sub).deep.z", "zz"),
        ("'%s %s'.format([self.texts, self.labels])", '["a", "b", "c"] {"k":"v", "k2":"v2"}'),
        ("self.items.map(o, self.items.filter(p, p.x > o.x).size())", [1, 0]),
        ("self.s in ['a', 'hello'] && self.i in [1, 5]", True),
        ("self.s.matches('^h.*o$') && self.s.size() > 3", True),
    ],
)
def test_what_a_rule_sees_of_an_object(text: str, value: Any) -> None:
    assert shown(evaluate(text, SCHEMA, SELF, OLD)) == shown(value)


@pytest.mark.parametrize(
    "text",
    [
        "self.zones == oldSelf.zones",
        "oldSelf.zones == ['x', 'y']",
        "self.ports == oldSelf.ports",
        "self.ports == self.ports.filter(p, p.name == 'a') + self.ports.filter(p, p.name == 'b')",
        "self.sub == oldSelf.sub",
        "self.sub.deep.when == oldSelf.sub.deep.when",
        "[self.sub] == [oldSelf.sub]",
        "self.items == oldSelf.items",
        "self.items[0] == oldSelf.items[0]",
        "self.open == self.open",
        "self.labels == oldSelf.labels",
        "self.texts != ['a', 'b']",
    ],
)
def test_equality_follows_the_schema(text: str) -> None:
    assert evaluate(text, SCHEMA, SELF, OLD) is True


def test_a_set_grows_by_what_is_new() -> None:
    assert evaluate("self.zones + ['y', 'z']", SCHEMA, SELF) == ["x", "y", "z"]


def test_a_list_map_merges_by_key() -> None:
    new = {**SELF, "ports": [{"name": "b", "port": 9}, {"name": "c", "port": 3}]}
    assert evaluate("(self.ports + oldSelf.ports).map(p, p.name)", SCHEMA, SELF, new) == ["a", "b", "c"]
    assert evaluate("(self.ports + oldSelf.ports).map(p, p.port)", SCHEMA, SELF, new) == [1, 9, 3]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("self.texts[9]", "index out of bounds: 9"),
        ("self.labels.zz", "no such key: zz"),
        ("self.objects.q.x", "no such key: x"),
        ("self.items[1].when", "no such key: when"),
        ("self.none.a", "no such key: none"),
        ("has(self.none.a)", "no such key: none"),
        ("dyn(self.sub).zz", "no such key: zz"),
        ("self.maybe.map(x, x + 'b')", "no such overload: _+_"),
        ("self.maybe.map(x, x.startsWith('b'))", "no such overload"),
        ("self.maybe.map(x, x.size())", "no such overload: size"),
        ("self.maybe.map(x, x < 'b')", "no such overload: _<_"),
        ("dyn(1).foo", "no such key: foo"),
        ("dyn([1])[dyn('a')]", "unsupported index type 'string' in list"),
        ("dyn({true: 2})[dyn(1)]", "no such key: 1"),
        ("dyn(1).all(x, true)", "got 'types.Int', expected iterable type"),
        ("dyn(1).all(x, y, true)", "unsupported comprehension range type: types.Int"),
        ("dyn('a') + 1", "no such overload"),
        ("dyn(1) && true", "no such overload"),
        ("1 in dyn(3)", "no such overload"),
        ("-dyn(1u)", "no such overload: -_"),
        ("{'a': 1, 'b': 2}.transformMapEntry(k, v, {'x': v})", "insert failed: key x already exists"),
        ("[dyn(1)].transformMapEntry(i, v, v)", "no such overload: cel.@mapInsert(map, int)"),
        ("self.maybe.isSorted()", "no such overload"),
        ("self.maybe.min()", "no such overload"),
        ("self.maybe.max()", "no such overload"),
        ("dyn({'a': 1})[dyn(1.0)]", "no such key: 1"),
    ],
)
def test_in_which_words_an_expression_fails(text: str, words: str) -> None:
    assert error(text, SCHEMA, SELF, OLD) == words


def test_a_missing_field_is_named_as_the_expression_spells_it() -> None:
    assert error("self.a__dash__b__dot__c__slash__d", SCHEMA, {}) == "no such key: a__dash__b__dot__c__slash__d"


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("1 / 0 > 1 || true", True),
        ("1 / 0 > 1 && false", False),
        ("true || 1 / 0 > 1", True),
        ("[1, 2].exists(x, x / 0 > 1 || x == 2)", True),
        ("[0, 1].all(x, 1 / x > 5)", False),
        ("false ? 1 / 0 : 2", 2),
    ],
)
def test_what_decides_absorbs_an_error(text: str, value: Any) -> None:
    assert evaluate(text) == value


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("1 / 0 > 1 || 1 % 0 > 1", "division by zero"),
        ("[1, 0].all(x, 1 / x > 0)", "division by zero"),
        ("[0, 1, 1].exists_one(x, 1 / x > 0)", "division by zero"),
        ("[0, 2].filter(x, 1 / x > 0)", "division by zero"),
        ("(1 / 0 > 1) ? 1 : 2", "division by zero"),
    ],
)
def test_the_first_error_stands_where_nothing_decides(text: str, words: str) -> None:
    assert error(text) == words


@pytest.mark.parametrize("text", ["int(1e30)", "uint(-1)", "int('x')", "string(dyn([1]))"])
def test_a_wrong_conversion_of_a_constant_makes_no_program(text: str) -> None:
    with pytest.raises(ConstantError):
        program(text)
