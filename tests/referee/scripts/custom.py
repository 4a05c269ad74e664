"""Objects of definitions: pruning, defaults, validation, versions, columns, selectable fields."""

from typing import Any

from tests.referee.language import delete, edited, events, get, patch, post, put, script, until, watch
from tests.referee.objects import Document, defined, definition, thing, version, widget

CRD = "{crds}/things.{group}"
TABLE = "application/json;as=Table;v=v1;g=meta.k8s.io"
STRING = {"type": "string"}
INTEGER = {"type": "integer"}
FORMATS = (
    "email",
    "uri",
    "hostname",
    "ipv4",
    "ipv6",
    "cidr",
    "mac",
    "uuid",
    "uuid4",
    "byte",
    "date",
    "duration",
    "date-time",
    "k8s-short-name",
    "k8s-long-name",
    "password",
    "nope",
)


def given(spec: Document, *more: Document, **fields: Any) -> tuple[Any, ...]:
    """Steps that define things with a schema of their spec."""
    properties = {"spec": spec, "status": {"type": "object", "x-kubernetes-preserve-unknown-fields": True}}
    return defined(definition(version(properties=properties, **fields), *more))


def made(*specs: Any) -> tuple[Any, ...]:
    return tuple(post("{things}", thing(f"a{at}", spec)) for at, spec in enumerate(specs))


def objects(**properties: Any) -> Document:
    return {"type": "object", "properties": properties}


REQUEST = 3 * 512 * 1024
WRITERS = ("kind", "metadata managedFields * manager")


def large(name: str, size: int) -> Document:
    """A widget that holds a text of so many bytes."""
    return widget(name, {"size": 1, "anything": {"x": "a" * size}})


SCRIPTS = (
    script(
        "unknown fields are pruned",
        "CRD-6",
        *made(
            {"a": 1, "b": 2},
            {"o": {"x": "1", "y": 2}, "free": {"x": {"y": 1}, "known": {"z": 1, "w": 2}}},
            {"m": {"k": {"x": "1", "y": 2}}, "l": [{"x": "1", "y": 2}]},
            {"e": {"apiVersion": "v1", "kind": "X", "metadata": {"name": "x", "nope": 1}, "z": 1}},
        ),
        post("{things}", {**thing("z", {"a": 1}), "extra": {"x": 1}, "metadata": {"name": "z", "nope": 1}}),
        setup=given(
            objects(
                a=INTEGER,
                o=objects(x=STRING),
                free={
                    "type": "object",
                    "x-kubernetes-preserve-unknown-fields": True,
                    "properties": {"known": objects(z=INTEGER)},
                },
                m={"type": "object", "additionalProperties": objects(x=STRING)},
                l={"type": "array", "items": objects(x=STRING)},
                e={"type": "object", "x-kubernetes-embedded-resource": True, "properties": {"z": INTEGER}},
            )
        ),
    ),
    script(
        "defaults are set when they are missing",
        "CRD-6",
        *made(None, {}, {"a": None}, {"a": "y"}, {"o": {}}, {"o": None}, {"l": [{}, {"x": 2}]}, {"m": {"k": {}}}),
        get("{things}", only="items * spec"),
        put("{things}/a3", thing("a3", {}, resourceVersion="")),
        patch("{things}/a3", "merge", {"spec": {"a": None}}),
        patch("{things}/a3", "merge", {"spec": None}),
        setup=given(
            {
                **objects(
                    a={**STRING, "default": "x"},
                    n={**STRING, "default": "n", "nullable": True},
                    o={
                        **objects(x={**INTEGER, "default": 1}),
                        "default": {"y": 1},
                        "x-kubernetes-preserve-unknown-fields": True,
                    },
                    p=objects(x={**INTEGER, "default": 1}),
                    l={"type": "array", "items": objects(x={**INTEGER, "default": 1})},
                    m={"type": "object", "additionalProperties": objects(x={**INTEGER, "default": 1})},
                ),
                "default": {},
            }
        ),
    ),
    script(
        "new defaults are set on what is stored already",
        "CRD-6",
        *given(objects(a=STRING)),
        post("{things}", thing("a", {"a": "x"}), keep="a"),
        patch(
            CRD,
            "json",
            [
                {
                    "op": "add",
                    "path": "/spec/versions/0/schema/openAPIV3Schema/properties/spec/properties/b",
                    "value": {"type": "integer", "default": 7},
                }
            ],
            only="kind",
        ),
        until(get("{things}/a"), has={"spec": {"b": 7}}),
        get("{things}"),
        put("{things}/a", edited("a")),
    ),
    script(
        "nulls",
        "CRD-6",
        *made(
            {"s": None},
            {"n": None},
            {"d": None},
            {"nd": None},
            {"o": {"r": None}},
            {"l": [None]},
            {"ln": [None]},
            {"m": {"k": None}},
            {"free": {"x": None}},
            {"req": None},
        ),
        setup=given(
            objects(
                s=STRING,
                n={**STRING, "nullable": True},
                d={**STRING, "default": "x"},
                nd={**STRING, "default": "x", "nullable": True},
                o={**objects(r=STRING), "required": ["r"]},
                l={"type": "array", "items": STRING},
                ln={"type": "array", "items": {**STRING, "nullable": True}},
                m={"type": "object", "additionalProperties": STRING},
                free={"type": "object", "x-kubernetes-preserve-unknown-fields": True},
            )
        ),
    ),
    script(
        "values are validated",
        "CRD-7 ERR-1",
        *made(
            {"i": 1.5},
            {"i": "1"},
            {"i": True},
            {"i32": 2147483648},
            {"i64": 9223372036854775808},
            {"n": "x"},
            {"b": "true"},
            {"s": 1},
            {"s": "toolong"},
            {"s": ""},
            {"p": "A"},
            {"e": "c"},
            {"ei": 3},
            {"min": 0},
            {"min": 1},
            {"max": 11},
            {"xmin": 1},
            {"mul": 5},
            {"l": []},
            {"l": ["a", "b", "c"]},
            {"l": "a"},
            {"m": {"a": "1", "b": "2", "c": "3"}},
            {"m": {}},
            {"m": []},
            {"r": {}},
            {"any": {}},
            {"any": {"a": "x"}},
            {"one": {"a": "x", "b": "y"}},
            {"one": {}},
            {"all": {"a": "x"}},
            {"no": {"a": "x"}},
            {"ios": True},
            {"ios": "x"},
            {"ios": 5},
        ),
        setup=given(
            objects(
                i=INTEGER,
                i32={**INTEGER, "format": "int32"},
                i64={**INTEGER, "format": "int64"},
                n={"type": "number"},
                b={"type": "boolean"},
                s={**STRING, "maxLength": 5, "minLength": 1},
                p={**STRING, "pattern": "^[a-z]$"},
                e={**STRING, "enum": ["a", "b"]},
                ei={**INTEGER, "enum": [1, 2]},
                min={**INTEGER, "minimum": 1},
                max={**INTEGER, "maximum": 10},
                xmin={**INTEGER, "minimum": 1, "exclusiveMinimum": True},
                mul={**INTEGER, "multipleOf": 2},
                l={"type": "array", "minItems": 1, "maxItems": 2, "items": STRING},
                m={"type": "object", "minProperties": 1, "maxProperties": 2, "additionalProperties": STRING},
                r={**objects(x=STRING), "required": ["x", "y"]},
                any={**objects(a=STRING, b=STRING), "anyOf": [{"required": ["a"]}, {"required": ["b"]}]},
                one={**objects(a=STRING, b=STRING), "oneOf": [{"required": ["a"]}, {"required": ["b"]}]},
                all={**objects(a=STRING, b=STRING), "allOf": [{"required": ["a"]}, {"required": ["b"]}]},
                no={**objects(a=STRING), "not": {"required": ["a"]}},
                ios={"x-kubernetes-int-or-string": True},
            )
        ),
    ),
    script(
        "formats are validated",
        "CRD-7 ERR-1",
        *made(
            *(
                {key: value}
                for key, value in (
                    ("email", "nope"),
                    ("email", "a@b.c"),
                    ("uri", "nope"),
                    ("uri", "http://x"),
                    ("hostname", "a_b"),
                    ("ipv4", "1.2.3"),
                    ("ipv4", "1.2.3.4"),
                    ("ipv6", "::1"),
                    ("ipv6", "1.2.3.4"),
                    ("cidr", "1.2.3.4"),
                    ("mac", "x"),
                    ("uuid", "x"),
                    ("uuid4", "00000000-0000-1000-8000-000000000000"),
                    ("byte", "?"),
                    ("date", "2020-13-01"),
                    ("duration", "1x"),
                    ("duration", "1h2m"),
                    ("date-time", "2020-01-01"),
                    ("date-time", "2020-01-01T00:00:00Z"),
                    ("k8s-short-name", "A"),
                    ("k8s-long-name", "a..b"),
                    ("password", "anything"),
                    ("nope", "anything"),
                )
            )
        ),
        setup=given(objects(**{name: {**STRING, "format": name} for name in FORMATS})),
    ),
    script(
        "list and map types",
        "CRD-7 ERR-1",
        *made(
            {"set": ["a", "a"]},
            {"set": ["a", "b", "a", "b"]},
            {"numbers": [1, 1.0]},
            {"map": [{"k": "a"}, {"k": "a"}]},
            {"map": [{"k": "a"}, {"k": "b"}]},
            {"map": [{"v": 1}]},
            {"two": [{"a": "x"}, {"a": "x", "b": 1}]},
            {"two": [{"a": "x"}, {"a": "x", "b": 2}]},
        ),
        setup=given(
            objects(
                set={"type": "array", "x-kubernetes-list-type": "set", "items": STRING},
                numbers={"type": "array", "x-kubernetes-list-type": "set", "items": {"type": "number"}},
                map={
                    "type": "array",
                    "x-kubernetes-list-type": "map",
                    "x-kubernetes-list-map-keys": ["k"],
                    "items": {**objects(k=STRING, v=INTEGER), "required": ["k"]},
                },
                two={
                    "type": "array",
                    "x-kubernetes-list-type": "map",
                    "x-kubernetes-list-map-keys": ["a", "b"],
                    "items": {**objects(a=STRING, b={**INTEGER, "default": 1}), "required": ["a"]},
                },
            )
        ),
    ),
    script(
        "what was wrong before may stay while others change",
        "CRD-7",
        *given(
            objects(
                a=STRING,
                b=STRING,
                l={"type": "array", "items": STRING},
                m={"type": "object", "additionalProperties": STRING},
            )
        ),
        post("{things}", thing("a", {"a": "BAD", "b": "x", "l": ["BAD", "ok"], "m": {"x": "BAD"}}), keep="a"),
        patch(
            CRD,
            "json",
            [
                {
                    "op": "add",
                    "path": f"/spec/versions/0/schema/openAPIV3Schema/properties/spec/properties/{path}/pattern",
                    "value": "^[a-z]+$",
                }
                for path in ("a", "b", "l/items", "m/additionalProperties")
            ],
            only="kind",
        ),
        until(post("{things}?dryRun=All", thing("probe", {"a": "BAD"})), code=422),
        put("{things}/a", edited("a", {"spec": {"b": "y"}}), keep="b"),
        put("{things}/a", edited("b", {"spec": {"a": "WORSE"}})),
        put("{things}/a", edited("b", {"spec": {"l": ["BAD", "fine"]}})),
        put("{things}/a", edited("b", {"spec": {"l": ["ok", "BAD"]}})),
        put("{things}/a", edited("b", {"spec": {"m": {"x": "BAD", "y": "z"}}}), keep="c"),
        put("{things}/a", edited("c", {"spec": {"m": {"x": "BAD", "y": "BAD"}}})),
        patch("{things}/a", "merge", {"metadata": {"labels": {"x": "y"}}}),
        patch("{things}/a/status", "merge", {"status": {"x": 1}}),
        post("{things}", thing("b", {"a": "BAD"})),
    ),
    script(
        "columns",
        "CRD-9 NEG-4",
        post(
            "{things}",
            thing(
                "a",
                {"s": "x", "i": 5, "n": 1.5, "b": True, "d": "2020-01-01T00:00:00Z", "l": ["p", "q"], "o": {"x": 1}},
            ),
            only="kind",
        ),
        post("{things}", thing("b", {"s": None, "i": 5.5, "b": "no", "d": "nonsense", "l": []}), only="kind"),
        post(
            "{things}",
            thing("c", {"i": "x", "n": "1", "s": 7, "c": [{"t": "a", "v": "1"}, {"t": "b", "v": "2"}]}),
            only="kind",
        ),
        get("{things}", accept=TABLE),
        get("{things}/a", accept=TABLE),
        setup=defined(
            definition(
                version(
                    additionalPrinterColumns=[
                        {"name": "S", "type": "string", "jsonPath": ".spec.s", "description": "a string"},
                        {"name": "I", "type": "integer", "jsonPath": ".spec.i", "format": "int32", "priority": 2},
                        {"name": "N", "type": "number", "jsonPath": ".spec.n"},
                        {"name": "B", "type": "boolean", "jsonPath": ".spec.b"},
                        {"name": "D", "type": "date", "jsonPath": ".spec.d"},
                        {"name": "L", "type": "string", "jsonPath": ".spec.l"},
                        {"name": "L0", "type": "string", "jsonPath": ".spec.l[0]"},
                        {"name": "LA", "type": "string", "jsonPath": ".spec.l[*]"},
                        {"name": "O", "type": "string", "jsonPath": ".spec.o"},
                        {"name": "C", "type": "string", "jsonPath": '.spec.c[?(@.t=="b")].v'},
                        {"name": "Label", "type": "string", "jsonPath": ".metadata.labels.x"},
                    ]
                )
            )
        ),
    ),
    script(
        "columns by default",
        "CRD-9 NEG-4",
        post("{things}", thing("a"), only="kind"),
        get("{things}", accept=TABLE),
        get("/apis/{group}/v1/things", accept=TABLE),
        setup=defined(definition()),
    ),
    script(
        "versions without conversion",
        "CRD-10 CRD-11",
        post("{things}", thing("a", {"x": 1}), keep="a"),
        get("/apis/{group}/v2/namespaces/{ns}/things/a", keep="b"),
        get("/apis/{group}/v2/namespaces/{ns}/things"),
        put("/apis/{group}/v2/namespaces/{ns}/things/a", edited("b", {"spec": {"y": 2}})),
        get("{things}/a"),
        post("/apis/{group}/v2/namespaces/{ns}/things", thing("b", {"y": 3}, version="v2")),
        get("{things}/b"),
        post("/apis/{group}/v2/namespaces/{ns}/things", thing("c", {"y": 3})),
        watch("w", "/apis/{group}/v2/namespaces/{ns}/things?watch=1"),
        events("w", 2, unordered=True),
        patch("/apis/{group}/v2/namespaces/{ns}/things/b", "merge", {"spec": {"y": 4}}),
        delete("/apis/{group}/v2/namespaces/{ns}/things/b"),
        events("w", 2),
        get("/apis/{group}/v3/namespaces/{ns}/things/a"),
        setup=defined(
            definition(
                version(properties={"spec": objects(x=INTEGER)}),
                version("v2", {"spec": objects(y=INTEGER, d={**INTEGER, "default": 5})}, storage=False),
                {**version("v3", storage=False), "served": False},
            )
        ),
    ),
    script(
        "a change of the stored version",
        "CRD-11 CRD-4",
        *defined(definition(version(), version("v2", storage=False))),
        post("{things}", thing("a", {"x": 1}), keep="a"),
        patch(
            CRD,
            "json",
            [
                {"op": "replace", "path": "/spec/versions/0/storage", "value": False},
                {"op": "replace", "path": "/spec/versions/1/storage", "value": True},
            ],
            only="status storedVersions",
        ),
        get("{things}/a"),
        get("/apis/{group}/v2/namespaces/{ns}/things/a"),
        patch("{things}/a", "merge", {"spec": {"y": 2}}),
        get("/apis/{group}/v2/namespaces/{ns}/things/a"),
        post("{things}", thing("b")),
        get("{things}"),
    ),
    script(
        "a version that is deprecated warns",
        "CRD-12",
        get("{things}"),
        post("{things}", thing("a")),
        get("{things}/a"),
        patch("{things}/a", "merge", {"x": 1}),
        get("/apis/{group}/v2/namespaces/{ns}/things/a"),
        get("/apis/{group}/v3/namespaces/{ns}/things/a"),
        watch("w", "{things}?watch=1"),
        delete("{things}/a"),
        get("{things}/nope"),
        setup=defined(
            definition(
                version(deprecated=True),
                version("v2", storage=False, deprecated=True, deprecationWarning='use "v3" of it'),
                version("v3", storage=False),
            )
        ),
    ),
    script(
        "selectable fields",
        "CRD-12 SEL-2",
        post("{things}", thing("a", {"s": "x", "i": 1, "b": True}), only="kind"),
        post("{things}", thing("b", {"s": "y", "i": 2, "b": False}), only="kind"),
        post("{things}", thing("c"), only="kind"),
        *(
            get(f"{{things}}?fieldSelector={selector}", only="items * metadata name")
            for selector in (
                "spec.s%3Dx",
                "spec.s!%3Dx",
                "spec.s%3D",
                "spec.i%3D1",
                "spec.i%3D01",
                "spec.b%3Dtrue",
                "spec.b%3Dfalse",
                "spec.b%3D",
                "spec.deep.x%3D",
                "spec.s%3Dx,spec.i%3D2",
                "spec.nope%3Dx",
                ".spec.s%3Dx",
            )
        ),
        get("/apis/{group}/v2/namespaces/{ns}/things?fieldSelector=spec.s%3Dx"),
        delete("{things}?fieldSelector=spec.i%3D2", only="items * metadata name"),
        setup=defined(
            definition(
                version(
                    properties={"spec": objects(s=STRING, i=INTEGER, b={"type": "boolean"}, deep=objects(x=STRING))},
                    selectableFields=[{"jsonPath": f".spec.{name}"} for name in ("s", "i", "b", "deep.x")],
                ),
                version("v2", storage=False),
            )
        ),
    ),
    script(
        "status without a subresource is as any field",
        "CRD-6 UPD-3",
        post("{things}", {**thing("a"), "status": {"x": 1}}, keep="a"),
        put("{things}/a", edited("a", {"status": {"x": 2}})),
        get("{things}/a/status"),
        put("{things}/a/status", edited("a")),
        setup=defined(definition()),
    ),
    script(
        "status with a subresource and a schema",
        "UPD-6 CREATE-4 CRD-7",
        post("{things}", {**thing("a"), "status": {"n": "wrong"}}),
        post("{things}", {**thing("b"), "status": {"n": 1}}, keep="b"),
        put("{things}/b/status", edited("b", {"status": {"n": "wrong"}})),
        put("{things}/b/status", edited("b", {"status": {"nope": 1}})),
        put("{things}/b/status", edited("b", {"status": {"n": 5}})),
        patch("{things}/b", "merge", {"status": {"n": "wrong"}}),
        patch("{things}/b/status", "json", [{"op": "remove", "path": "/status"}]),
        setup=defined(
            definition(
                version(
                    properties={
                        "spec": objects(),
                        "status": {**objects(n=INTEGER, d={**STRING, "default": "x"}), "required": ["n"]},
                    },
                    subresources={"status": {}},
                )
            )
        ),
    ),
    script(
        "a subresource that is added appears",
        "UPD-6 CRD-4",
        *defined(definition()),
        post("{things}", {**thing("a"), "status": {"x": 1}}, only="kind"),
        patch(
            CRD, "json", [{"op": "add", "path": "/spec/versions/0/subresources", "value": {"status": {}}}], only="kind"
        ),
        until(get("{things}/a/status")),
        patch("{things}/a", "merge", {"status": {"x": 2}}),
    ),
    script(
        "names in a schema restrict metadata",
        "CRD-5 ERR-1",
        post("{things}", thing("toolongname")),
        post("{things}", thing("short")),
        post("{things}", thing(None, generateName="averylong")),
        setup=defined(
            definition(
                version(
                    properties={
                        "metadata": {"type": "object", "properties": {"name": {"type": "string", "maxLength": 5}}}
                    }
                )
            )
        ),
    ),
    script(
        "a cluster-scoped thing",
        "CRD-1",
        post("/apis/{group}/v1/things", thing("a", {"x": 1})),
        get("/apis/{group}/v1/things/a"),
        get("/apis/{group}/v1/things"),
        get("{things}"),
        get("{things}/a"),
        post("{things}", thing("b")),
        patch("/apis/{group}/v1/things/a", "merge", {"metadata": {"namespace": "x"}}),
        delete("/apis/{group}/v1/things"),
        setup=defined(definition(scope="Cluster")),
    ),
    script(
        "embedded resources",
        "CRD-6 CRD-7 ERR-1",
        *made(
            {"e": {"apiVersion": "v1", "kind": "Pod"}},
            {"e": {"apiVersion": "v1"}},
            {"e": {"apiVersion": "a/b/c", "kind": "bad kind"}},
            {"e": {"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "A B", "labels": {"a b": "c"}}}},
            {"e": {"apiVersion": "v1", "kind": "Pod", "metadata": {"name": 1}}},
            {"e": {"apiVersion": "v1", "kind": "Pod", "metadata": {"creationTimestamp": None, "unknown": 1}}},
            {"e": {"apiVersion": "v1", "kind": "Pod", "anything": {"x": 1}}},
            {"l": [{"apiVersion": "v1", "kind": "X"}, {}]},
        ),
        setup=given(
            objects(
                e={
                    "type": "object",
                    "x-kubernetes-embedded-resource": True,
                    "x-kubernetes-preserve-unknown-fields": True,
                },
                l={
                    "type": "array",
                    "items": {
                        "type": "object",
                        "x-kubernetes-embedded-resource": True,
                        "x-kubernetes-preserve-unknown-fields": True,
                    },
                },
            )
        ),
    ),
    script(
        "numbers as they were written",
        "CRD-7",
        post(
            "{things}", b'{"metadata":{"name":"a"},"spec":{"n":1.0,"i":2.0,"e":1e2,"big":12345678901234567890,"f":0.1}}'
        ),
        post("{things}", b'{"metadata":{"name":"b"},"spec":{"n":1.50,"i":9007199254740993,"f":1e-7}}'),
        post("{things}", b'{"metadata":{"name":"c"},"spec":{"n":100000000000000000000000,"f":-0.0}}'),
        get("{things}", only="items * spec"),
        setup=given({**objects(n={"type": "number"}, i=INTEGER), "x-kubernetes-preserve-unknown-fields": True}),
    ),
    script(
        "how large an object may be",
        "CREATE-1 UPD-1 PATCH-1 ERR-1",
        *(post("{widgets}", large(f"a{less}", REQUEST - less), only=WRITERS) for less in (500, 640, 900)),
        *(post("{widgets}", large("b", size), only="kind") for size in (1_600_000, 2_500_000)),
        post("{widgets}?dryRun=All", large("b", 2_000_000), only="kind"),
        post("{widgets}", large("c", 10), keep="c"),
        put("{widgets}/c", {**large("c", 1_600_000), "metadata": "{c.metadata}"}),
        patch("{widgets}/c", "merge", {"spec": {"anything": {"x": "b" * 1_600_000}}}),
        patch("{widgets}/c?fieldManager=m&force=true", "apply", large("c", 1_600_000)),
        patch("{widgets}/d?fieldManager=m", "apply", large("d", 1_600_000)),
        patch("{widgets}/d?fieldManager=m", "apply", large("d", REQUEST - 640)),
        patch("{widgets}/c", "merge", {"spec": {"anything": {"x": "b" * (REQUEST - 640)}}}, only=WRITERS),
        get("{widgets}/c", only=WRITERS),
    ),
)
