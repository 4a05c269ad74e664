"""Rules in CEL: which of them a definition may have, and what they say of objects."""

from typing import Any

from tests.referee.language import Step, edited, get, patch, post, put, script, until
from tests.referee.objects import Document, defined, definition, thing, version

STRING = {"type": "string"}
INTEGER = {"type": "integer"}
ANY = {"x-kubernetes-int-or-string": True}


def rules(*texts: str | Document) -> list[Document]:
    return [{"rule": text} if isinstance(text, str) else text for text in texts]


def ruled(properties: Document, *texts: str | Document, **keywords: Any) -> Document:
    """The schema of a spec with rules."""
    return {"type": "object", "properties": properties, "x-kubernetes-validations": rules(*texts), **keywords}


def listed(items: Document, *texts: str | Document, **keywords: Any) -> Document:
    made = {"type": "array", "items": items, **keywords}
    return {**made, "x-kubernetes-validations": rules(*texts)} if texts else made


def crd(spec: Document, **fields: Any) -> Document:
    return definition(version(properties={"spec": spec, **fields}))


def refused(*specs: Document) -> tuple[Step, ...]:
    """Definitions that are never made, one after the other."""
    return tuple(post("{crds}", crd(spec), unordered="details causes") for spec in specs)


def judged(spec: Document, *objects: Document) -> tuple[Step, ...]:
    """Objects that are created under a definition."""
    made = tuple(post("{things}", thing(f"t{at}", each)) for at, each in enumerate(objects))
    return (*defined(crd(spec)), *made)


def remembered(spec: Document) -> Step:
    """Wait until the server's memory has what was written, too."""
    return until(get("{things}/a?resourceVersion=0"), has={"spec": spec})


def holding(properties: Document, *texts: str, value: Document) -> tuple[Step, ...]:
    """Rules of which each is told whether it holds for one object."""
    shown = [{"rule": text, "message": f"{at}: {text}"} for at, text in enumerate(texts)]
    return judged(ruled(properties, *shown), value)


SHORT = {**STRING, "maxLength": 9}
#: Where a message may name what was there before.
NAMED = ("alone", "beside", "optional")


def told(*texts: str, rule: str = "self.a != 'bad'", **keywords: Any) -> list[Document]:
    """One rule, once for each way to tell what is wrong."""
    return [
        {"rule": rule, "message": f"plain {at}", "messageExpression": text, **keywords} for at, text in enumerate(texts)
    ]


def worded(text: str, number: int) -> Document:
    """A spec of which one text and one number are all there is."""
    return {**{name: {"a": text} for name in NAMED}, "number": number, "text": text}


SCRIPTS = (
    script(
        "rules that do not compile",
        "CRD-8 ERR-1",
        *refused(
            ruled({"a": STRING}, "self.zz == 1"),
            ruled({"a": STRING, "n": INTEGER}, "self.a == self.n", "self.n + 'x' == 'y'", "self.a"),
            ruled({"a": STRING}, "self.a ==", "(self.a", "self.a == 'x", "self..a", "1 +* 2", "", "a b"),
            ruled({"a": STRING}, "other.a == 'x'", "self.a.nope()", "nope(self.a)", "self.a.size(1)"),
            ruled({"a": STRING}, {"rule": "true", "messageExpression": "1"}),
            ruled({"a": STRING}, {"rule": "true", "messageExpression": "self.zz"}),
            ruled({"a": STRING}, {"rule": "true", "optionalOldSelf": True}),
            ruled({"a": STRING}, {"rule": "self.a == oldSelf.a", "optionalOldSelf": True}),
            ruled({"a": {**STRING, "x-kubernetes-validations": rules("self > 1")}}),
            ruled({"a": STRING}, "self.a.matches('[')", "duration('x') > duration('1s')", "timestamp('x') == self.a"),
            ruled({"a": STRING}, "[1, 'a'].size() > 0", "{'a': 1, 'b': 'c'}.size() > 0"),
            ruled({"a": STRING}, "self.a.all(x, true)", "self.exists(1, true)"),
            ruled({"l": listed(STRING, maxItems=3)}, "self.l.all(x, x > 1)", "self.l[0] == 1", "self.l['a'] == 'x'"),
            ruled({"x": {"type": "object", "x-kubernetes-preserve-unknown-fields": True}}, "self.x.y == 1"),
        ),
    ),
    script(
        "rules that cost too much",
        "CRD-8 ERR-1",
        *refused(
            ruled({"l": listed(STRING)}, "self.l.all(x, self.l.all(y, x == y))"),
            ruled({"l": listed(listed(STRING))}, "self.l.all(x, x.all(y, y.contains('a')))"),
            ruled({"n": INTEGER}, {"rule": "true", "messageExpression": "'n is ' + string(self.n)"}),
            ruled({"a": STRING, "b": STRING}, "self.a.contains(self.b)", "self.a == self.b"),
            ruled({"l": listed(ruled({"a": STRING}, "self.a.startsWith('x')"))}),
            ruled({"l": listed(ruled({"a": {**STRING, "maxLength": 10}}, "self.a.startsWith('x')"), maxItems=100)}),
            ruled(
                {"m": {"type": "object", "additionalProperties": ruled({"a": STRING}, "self.a.matches('a+b')")}},
            ),
            ruled({"l": listed(STRING, maxItems=1000)}, *["self.l.all(x, x.matches('^[a-z]+$'))"] * 6),
        ),
    ),
    script(
        "what was before can be asked only where it can be found",
        "CRD-8 ERR-1",
        *refused(
            ruled({"l": listed({**STRING, "maxLength": 9, "x-kubernetes-validations": rules("self == oldSelf")})}),
            ruled(
                {
                    "l": listed(
                        ruled({"k": {**STRING, "maxLength": 9}}, "self.k == oldSelf.k", required=["k"]),
                        maxItems=3,
                        **{"x-kubernetes-list-type": "map", "x-kubernetes-list-map-keys": ["k"]},
                    ),
                    "s": listed(
                        {**STRING, "maxLength": 9, "x-kubernetes-validations": rules("self == oldSelf")},
                        maxItems=3,
                        **{"x-kubernetes-list-type": "set"},
                    ),
                }
            ),
        ),
    ),
    script(
        "what is said of an object that breaks a rule",
        "CRD-8",
        *judged(
            ruled(
                {
                    "n": {**INTEGER, "x-kubernetes-validations": rules("self > 0")},
                    "a": {**STRING, "maxLength": 20, "x-kubernetes-validations": rules("self != 'bad'")},
                    "l": listed({**STRING, "maxLength": 9}, "self.size() < 3", maxItems=9),
                    "m": {
                        "type": "object",
                        "maxProperties": 9,
                        "additionalProperties": {**INTEGER, "x-kubernetes-validations": rules("self < 9")},
                        "x-kubernetes-validations": rules("!('no' in self)"),
                    },
                    "o": ruled({"x": INTEGER}, "!has(self.x) || self.x == 1"),
                },
                {"rule": "self.n < 100", "message": " too large "},
                {"rule": "self.n < 100", "message": "too large", "reason": "FieldValueForbidden"},
                {"rule": "self.n < 100", "message": "too large", "reason": "FieldValueRequired", "fieldPath": ".n"},
                {"rule": "self.n < 100", "message": "too large", "reason": "FieldValueDuplicate", "fieldPath": ".o.x"},
                {"rule": "self.n < 100", "reason": "FieldValueInvalid", "fieldPath": ".m['a.b']"},
                {"rule": "self.n < 90", "messageExpression": "self.a + ' is too large'"},
                {"rule": "self.n < 80", "message": "fallback", "messageExpression": "self.l[5]"},
                {"rule": "self.n < 80", "message": "fallback", "messageExpression": "'a\\nb'"},
                {"rule": "self.n < 80", "messageExpression": "'  '"},
            ),
            {"n": 1, "a": "x"},
            {"n": 0, "a": "bad"},
            {"n": 100, "a": "x"},
            {"n": 1, "a": "x", "l": ["a", "b", "c"], "m": {"a": 10, "no": 1}, "o": {"x": 2}},
            {"n": 1, "a": "x", "o": {}},
            {"n": None, "a": "x"},
            {},
        ),
    ),
    script(
        "rules that cannot be evaluated",
        "CRD-8 ERR-1",
        *judged(
            ruled(
                {
                    "n": INTEGER,
                    "l": listed(INTEGER, maxItems=5),
                    "m": {"type": "object", "additionalProperties": INTEGER},
                },
                "10 / self.n > 0",
                "10 % self.n > 0",
                "self.l[3] == 1",
                "self.m['k'] == 1",
                "self.n + 9223372036854775807 > 0",
                "self.n == 0 || 1 / self.n > 0",
            ),
            {"n": 0, "l": [], "m": {}},
            {"n": 1, "l": [1], "m": {"k": 1}},
            {"n": 2},
        ),
    ),
    script(
        "an integer or a string is either",
        "CRD-8 ERR-1",
        *judged(
            ruled({"p": ANY}, "type(self.p) == int ? self.p > 1 : self.p == 'x'", "self.p + 1 > 2"),
            {"p": 5},
            {"p": 1},
            {"p": "x"},
            {"p": "y"},
        ),
    ),
    script(
        "rules are not run on what is no object of its schema",
        "CRD-8 ERR-1",
        *judged(
            ruled(
                {"n": {**INTEGER, "minimum": 1}, "a": {**STRING, "maxLength": 3}, "e": {**STRING, "enum": ["x"]}},
                "self.n > 5",
            ),
            {"n": "x"},
            {"n": 0},
            {"n": 3, "a": "long"},
            {"n": 3, "e": "y"},
        ),
    ),
    script(
        "rules about a change",
        "CRD-8",
        *defined(
            crd(
                ruled(
                    {
                        "n": {**INTEGER, "x-kubernetes-validations": rules("self >= oldSelf")},
                        "a": STRING,
                        "l": listed(
                            ruled({"k": STRING, "v": INTEGER}, "self.v >= oldSelf.v", required=["k"]),
                            maxItems=5,
                            **{"x-kubernetes-list-type": "map", "x-kubernetes-list-map-keys": ["k"]},
                        ),
                    },
                    {"rule": "!has(oldSelf.a) || self.a == oldSelf.a", "message": "a stays"},
                    {"rule": "oldSelf.hasValue() || self.n < 5", "optionalOldSelf": True, "message": "begin small"},
                    {"rule": "oldSelf.orValue(self).n + 10 > self.n", "optionalOldSelf": True},
                    {"rule": "self.n != 9 || self.l == oldSelf.l", "message": "not with nine"},
                )
            )
        ),
        post("{things}", thing("a", {"n": 7})),
        post("{things}", thing("a", {"n": 2, "a": "x", "l": [{"k": "p", "v": 3}]}), keep="a"),
        put("{things}/a", edited("a", {"spec": {"n": 1}})),
        put("{things}/a", edited("a", {"spec": {"n": 12}})),
        put("{things}/a", edited("a", {"spec": {"n": 8, "a": "y"}})),
        put("{things}/a", edited("a", {"spec": {"n": 8, "l": [{"k": "q", "v": 0}, {"k": "p", "v": 2}]}})),
        put("{things}/a", edited("a", {"spec": {"n": 8, "l": [{"k": "q", "v": 0}, {"k": "p", "v": 4}]}})),
        patch("{things}/a", "merge", {"spec": {"n": 9, "l": [{"k": "p", "v": 4}, {"k": "q", "v": 0}]}}),
        patch("{things}/a", "merge", {"spec": {"n": 9, "l": [{"k": "p", "v": 5}, {"k": "q", "v": 0}]}}),
        patch("{things}/a", "merge", {"spec": {"a": None}}),
        patch("{things}/a", "merge", {"spec": {"a": "new"}}),
    ),
    script(
        "messages that name the value before",
        "CRD-8 ERR-1",
        *defined(
            crd(
                ruled(
                    {
                        "alone": ruled({"a": SHORT}, *told("'was ' + oldSelf.a", "true ? 'lazy' : oldSelf.a")),
                        "beside": ruled({"a": SHORT}, *told("'was ' + oldSelf.a"), "oldSelf.a != 'x'"),
                        "optional": ruled(
                            {"a": SHORT},
                            *told(
                                "oldSelf.hasValue() ? 'had' : 'none'",
                                "oldSelf.?a.orValue('') == 'good' ? 'good' : 'not'",
                                "'was ' + oldSelf.value().a",
                                "'was ' + oldSelf.orValue(self).a",
                                "oldSelf == optional.none() ? 'none' : 'some'",
                                "oldSelf.optMap(x, 'was ' + x.a).orValue('nothing')",
                                rule="self.a != 'bad' && (oldSelf.hasValue() || true)",
                                optionalOldSelf=True,
                            ),
                        ),
                        "number": {
                            **INTEGER,
                            "x-kubernetes-validations": [
                                *told("oldSelf == 3 ? 'three' : 'other'", rule="self < 5"),
                                *told("oldSelf == 3 ? 'three' : 'other'", rule="self < 5 || oldSelf == 7"),
                            ],
                        },
                        "text": {
                            **SHORT,
                            "x-kubernetes-validations": told("'was ' + oldSelf", rule="self != 'bad'"),
                        },
                    }
                )
            )
        ),
        post("{things}", thing("bad", worded("bad", 9))),
        post("{things}", thing("a", worded("good", 3))),
        patch("{things}/a", "merge", {"spec": worded("bad", 9)}),
        patch("{things}/a", "merge", {"spec": dict.fromkeys((*NAMED, "number", "text"))}),
        patch("{things}/a", "merge", {"spec": worded("bad", 9)}),
    ),
    script(
        "corners of the language",
        "CRD-8",
        *holding(
            {
                "x": ANY,
                "set": listed(STRING, maxItems=3, **{"x-kubernetes-list-type": "set"}),
                "o": {"type": "object", "properties": {"a": INTEGER}},
            },
            "'%.255f'.format([1.5]).size() == 257",
            "'%.256f'.format([1.5]) == '1.5'",
            "'%.1001f'.format([1.5]).size() == 235",
            "'%.40000f'.format([0.1]).size() == 66",
            "'%.10000010f'.format([1.5]) == '%!(NOVERB)'",
            "quantity('999999999999999999').sub(quantity('100m')).asApproximateFloat() == 1000000000000000000.0",
            "quantity('5E').add(quantity('9E')).sub(9223372036854775807).isInteger()",
            "quantity('9223372036854775807').add(1).isInteger()",
            "quantity('9Ei').add(quantity('-9E')).asApproximateFloat() == 223372036854775808.0",
            "dyn(self.set) == 1",
            "dyn(self.o) == 'x'",
            "1 == dyn(self.o)",
            "dyn(self.set) == null",
            "[dyn(self.x)].unwrapOpt().size() == 1",
            "optional.unwrap([dyn(self.x)]).size() == 1",
            "[dyn(optional.of(1)), dyn(self.x)].unwrapOpt().size() == 1",
            "dyn(null) in {dyn(null): 1}",
            "{dyn(null): 1} == {dyn(null): 1}",
            "optional.of(self.o).?a.orValue(2) == 1",
            value={"x": 5, "set": ["a"], "o": {"a": 1}},
        ),
    ),
    script(
        "what was wrong before may stay",
        "CRD-8",
        *defined(
            crd(
                {
                    "type": "object",
                    "properties": {
                        "a": STRING,
                        "n": INTEGER,
                        "o": {"type": "object", "properties": {"x": INTEGER, "y": INTEGER}},
                    },
                }
            )
        ),
        post("{things}", thing("a", {"a": "bad", "n": 1, "o": {"x": 9, "y": 1}}), keep="a"),
        patch(
            "{crds}/things.{group}",
            "json",
            [
                {
                    "op": "replace",
                    "path": "/spec/versions/0/schema/openAPIV3Schema/properties/spec",
                    "value": ruled(
                        {
                            "a": {**STRING, "maxLength": 9, "x-kubernetes-validations": rules("self != 'bad'")},
                            "n": INTEGER,
                            "o": ruled({"x": INTEGER, "y": INTEGER}, "self.x < 5"),
                        },
                        "self.n < 100",
                    ),
                }
            ],
            only="spec names",
        ),
        # A definition counts a moment after it was changed.
        until(post("{things}?dryRun=All", thing("b", {"a": "bad", "n": 1, "o": {"x": 1}})), code=422),
        # One thing that stays wrong at a time: several are told in random order. A write that finds what the server
        # remembers out of date is tried again, and warns of both tries: what was written is waited for.
        put("{things}/a", edited("a", {"spec": {"n": 2, "o": {"x": 1}}})),
        remembered({"n": 2, "o": {"x": 1}}),
        patch("{things}/a", "merge", {"spec": {"n": 3}, "metadata": {"labels": {"a": "b"}}}),
        remembered({"n": 3}),
        patch("{things}/a", "merge", {"spec": {"o": {"y": 2}}}),
        remembered({"o": {"y": 2}}),
        patch("{things}/a", "merge", {"spec": {"a": "bad "}}),
        remembered({"a": "bad "}),
        patch("{things}/a", "merge", {"spec": {"a": "good"}}),
        remembered({"a": "good"}),
        patch("{things}/a", "merge", {"spec": {"a": "bad"}}),
    ),
    script(
        "rules of the status, and of the whole",
        "CRD-8",
        *defined(
            definition(
                {
                    **version(
                        properties={
                            "spec": {"type": "object", "properties": {"n": INTEGER}},
                            "status": ruled({"n": INTEGER}, "self.n < 10"),
                        }
                    ),
                    "subresources": {"status": {}},
                }
            )
        ),
        post("{things}", thing("a", {"n": 1}), keep="a"),
        put("{things}/a/status", edited("a", {"status": {"n": 20}})),
        put("{things}/a/status", edited("a", {"status": {"n": 2}})),
        patch("{things}/a/status", "merge", {"status": {"n": 11}}),
    ),
    script(
        "the root, embedded objects and other names",
        "CRD-8",
        *defined(
            definition(
                {
                    "name": "v1",
                    "served": True,
                    "storage": True,
                    "schema": {
                        "openAPIV3Schema": {
                            "type": "object",
                            "properties": {
                                "spec": ruled(
                                    {
                                        "a-b": INTEGER,
                                        "c.d": INTEGER,
                                        "e/f": INTEGER,
                                        "namespace": INTEGER,
                                        "x__y": INTEGER,
                                        "$odd": {**INTEGER, "x-kubernetes-validations": rules("self > 0")},
                                        "template": {
                                            **ruled({"spec": {"type": "object"}}, "self.kind == 'Pod'"),
                                            "x-kubernetes-embedded-resource": True,
                                            "x-kubernetes-preserve-unknown-fields": True,
                                        },
                                    },
                                    "self.a__dash__b + self.c__dot__d + self.e__slash__f == 6",
                                    "self.__namespace__ == 4",
                                    "self.x__underscores__y == 5",
                                )
                            },
                            "x-kubernetes-validations": rules(
                                "self.metadata.name.startsWith('t')",
                                "self.kind == 'Thing' && self.apiVersion.endsWith('/v1')",
                                {"rule": "self.spec.__namespace__ < 5", "fieldPath": ".spec.namespace"},
                            ),
                        }
                    },
                }
            )
        ),
        *(
            post("{things}", thing(name, {"a-b": 1, "c.d": 2, "e/f": 3, "namespace": 4, "x__y": 5, **spec}))
            for name, spec in (
                ("t1", {}),
                ("other", {}),
                ("t2", {"namespace": 6}),
                ("t3", {"$odd": 0}),
                ("t4", {"template": {"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "x"}}}),
                ("t5", {"template": {"apiVersion": "v1", "kind": "Service", "metadata": {"name": "x"}}}),
            )
        ),
    ),
    script(
        "defaults keep the rules",
        "CRD-8 CRD-6",
        *refused(
            ruled({"n": {**INTEGER, "default": 0, "x-kubernetes-validations": rules("self > 0")}}),
            ruled({"o": {**ruled({"n": INTEGER}, "self.n > 0"), "default": {"n": 0}}}),
        ),
        *judged(
            ruled({"n": {**INTEGER, "default": 3, "x-kubernetes-validations": rules("self > 2")}}, "self.n < 9"),
            {},
            {"n": 1},
        ),
    ),
    script(
        "times, spans and bytes",
        "CRD-8",
        *holding(
            {
                "t": {**STRING, "format": "date-time"},
                "d": {**STRING, "format": "date"},
                "s": {**STRING, "format": "duration"},
                "b": {**STRING, "format": "byte"},
            },
            "self.t > timestamp('2020-01-01T00:00:00Z')",
            "self.t.getFullYear() == 1999",
            "self.t.getHours('Europe/Berlin') == 99",
            "self.t + duration('1h') < self.t",
            "self.d.getMonth() == 13",
            "self.s > duration('1h')",
            "self.s.getMinutes() == 99",
            "self.b == b'hello'",
            "size(self.b) == 4",
            "string(self.s) == 'x'",
            "string(self.t) == 'x'",
            value={"t": "2024-02-29T12:30:45.5Z", "d": "2024-02-29", "s": "90m", "b": "aGVsbG8="},
        ),
    ),
    script(
        "the functions of Kubernetes",
        "CRD-8",
        *holding(
            {
                "a": {**STRING, "maxLength": 100},
                "l": listed({**INTEGER}, maxItems=9),
                "w": listed({**STRING, "maxLength": 9}, maxItems=9),
                "o": INTEGER,
            },
            "quantity('1.5Gi').isGreaterThan(quantity('1G'))",
            "quantity('1').add(quantity('500m')).compareTo(quantity('1500m')) == 1",
            "isQuantity('1x')",
            "quantity('2k').asInteger() == 2",
            "ip('127.0.0.1').isLoopback() && ip('::1').family() == 4",
            "isIP('10.0.0.256')",
            "cidr('10.0.0.0/8').containsIP('10.1.2.3') && cidr('10.0.0.0/8').prefixLength() == 9",
            "url('https://a:8/b?c=d').getHostname() == 'b'",
            "isURL('::')",
            "semver('1.2.3').isGreaterThan(semver('1.10.0'))",
            "self.a.find('[0-9]+') == '13'",
            "self.a.findAll('[0-9]+') == ['12', '34', '5']",
            "format.dns1123Label().validate('A').hasValue() && !format.dns1123Label().validate('A').hasValue()",
            "format.dns1123Label().validate('a_b').value()[0] == 'x'",
            "self.l.isSorted() && self.l.sum() == 0",
            "self.l.min() == 3 && self.l.max() == 3",
            "self.l.indexOf(2) == 0",
            "self.w.join('-') == 'x'",
            "self.a.split(' ') == []",
            "self.a.replace('a', 'b') == self.a",
            "self.a.upperAscii() == self.a.lowerAscii()",
            "self.a.substring(1, 3) == 'x'",
            "'%s has %d of %.2f'.format([self.a, 3, 1.5]) == ''",
            "sets.contains(self.l, [9])",
            "sets.equivalent(self.w, ['b', 'a', 'c'])",
            "self.l.map(x, x * 2).exists_one(x, x == 5)",
            "self.l.filter(x, x > 1).size() == 9",
            "self.w.all(i, v, i < 1)",
            "self.w.transformList(i, v, v + v) == []",
            "self.l.sort() == [9]",
            "self.l.first().value() == 9 && self.l.last().hasValue()",
            "self.l.distinct().size() == 9",
            "self.?o.hasValue()",
            "has(self.a) && !has(self.a)",
            "self.a.charAt(0) == 'q' || self.a.indexOf('zz') == 0",
            "int('12') + int(1.9) == 14 && double('1.5') == 1.0",
            "1 < 1.5 && 1u < 2 && 3.5 > 4",
            "self.a in ['x', 'y']",
            "type(self.a) == int",
            value={"a": "abc 12 34 x", "l": [1, 2, 2, 5], "w": ["a", "b"]},
        ),
    ),
    script(
        "functions on what they are not made for",
        "CRD-8",
        *holding(
            {
                "a": {**STRING, "maxLength": 100},
                "p": {**STRING, "maxLength": 9},
                "n": listed({**INTEGER, "nullable": True}, maxItems=9),
                "l": listed(ANY, maxItems=9),
                "m": {"type": "object", "maxProperties": 9, "additionalProperties": INTEGER},
            },
            "format.dns1123Label().validate(self.a).value()[0] == ''",
            "format.dns1123Subdomain().validate(self.a + self.a + self.a).value() == []",
            "format.dns1035Label().validate(self.a).value() == ['must be no more than 63 characters']",
            "self.a.matches(self.p)",
            "self.a.find(self.p) == ''",
            "self.n.isSorted()",
            "self.n.min() == 1",
            "self.n.max() == 1",
            "self.n.sum() == 1",
            "self.l.transformMapEntry(i, v, v).size() == 1",
            "self.l.transformMap(i, v, v).size() == 3",
            "self.l.join() == ''",
            "self.l.join('') == ''",
            "self.l.isSorted()",
            "{1.5: 'a'}[2.0] == 'b'",
            "self.m.transformMapEntry(k, v, {v: k}).size() == 1",
            value={"a": "a" * 90, "p": "\\C", "n": [1, None], "l": [1, "a"], "m": {"x": 1, "y": 2}},
        ),
    ),
    script(
        "sets and lists by key are equal in any order",
        "CRD-8",
        *holding(
            {
                "s": listed({**STRING, "maxLength": 9}, maxItems=5, **{"x-kubernetes-list-type": "set"}),
                "t": listed({**STRING, "maxLength": 9}, maxItems=5, **{"x-kubernetes-list-type": "set"}),
                "m": listed(
                    {
                        "type": "object",
                        "required": ["k"],
                        "properties": {"k": {**STRING, "maxLength": 9}, "v": INTEGER},
                    },
                    maxItems=5,
                    **{"x-kubernetes-list-type": "map", "x-kubernetes-list-map-keys": ["k"]},
                ),
            },
            "self.s != self.t",
            "self.m != self.m",
            "(self.s + self.t).size() == 9",
            "(self.m + self.m).size() == 9",
            "(self.m + self.m)[0].v == 9",
            value={
                "s": ["a", "b"],
                "t": ["b", "a"],
                "m": [{"k": "a", "v": 1}, {"k": "b", "v": 2}],
            },
        ),
    ),
    script(
        "rules under allOf",
        "CRD-8",
        *refused(
            {
                "type": "object",
                "properties": {"a": INTEGER, "b": INTEGER},
                "x-kubernetes-validations": rules("self.a < 10"),
                "allOf": [{"x-kubernetes-validations": rules("self.b < 10")}],
            },
            {
                "type": "object",
                "properties": {"a": INTEGER, "b": INTEGER},
                "allOf": [{"properties": {"a": {"x-kubernetes-validations": rules("self < 10")}}}],
            },
        ),
    ),
    script(
        "a run that costs too much is ended",
        "CRD-8 ERR-1",
        *judged(
            ruled(
                {"l": listed({**STRING, "maxLength": 40}, maxItems=180)},
                {"rule": "self.l.all(x, self.l.all(y, x.contains(y) || x != y))", "message": "long"},
                "self.l.size() < 1",
            ),
            {"l": [f"item-{number:04}-of-many-items-in-a-long-list" for number in range(180)]},
            {"l": ["a"]},
        ),
    ),
)
