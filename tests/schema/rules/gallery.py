"""A gallery of rules: every construct a rule may use, on models small enough to make up at random.

Bounds (`MaxLength`, `MaxItems`) are there for the API server's cost estimate.
"""

import re
from datetime import UTC, datetime, timedelta
from enum import Enum, IntEnum, StrEnum
from typing import Annotated, ClassVar, Literal

import kubewright as kw

LIMIT = 10
ALLOWED = ("a", "b", "é")
NAME = re.compile(r"[a-z]([-a-z0-9]*[a-z0-9])?")
DAWN = datetime(2020, 1, 1, tzinfo=UTC)


class Phase(Enum):
    NEW = "New"
    OLD = "Old"


class Color(StrEnum):
    RED = "red"
    BLUE = "blue"


class Level(IntEnum):
    LOW = 1
    HIGH = 9


Text = Annotated[str, kw.MaxLength(20)]


class Item(kw.Model):
    name: Text
    size: int = 1
    note: Text | None = None
    tags: Annotated[list[Text], kw.MaxItems(4)] = kw.field(default_factory=list)


class Plain(kw.Model):
    """Two required fields, so that two of them can be compared whole."""

    host: Text
    port: int = 80
    path: Text | None = None


class Inner(kw.Model):
    count: int = 3
    label: Text | None = None
    words: Annotated[list[Text], kw.MaxItems(4)] = kw.field(default_factory=lambda: ["a", "b"])


class Gallery(kw.Model):
    a: int
    b: int
    s: Text
    t: Text
    flag: bool
    ratio: kw.Number
    n: int = 1
    mode: Literal["fast", "slow"] = "fast"
    phase: Phase = Phase.NEW
    color: Color | None = None
    level: Level = Level.LOW
    opt_i: int | None = None
    opt_s: Text | None = None
    opt_b: bool | None = None
    other_s: Text | None = None
    names: Annotated[list[Text], kw.MaxItems(5)] = kw.field(default_factory=list)
    ports: Annotated[list[int], kw.MaxItems(5)]
    tags: Annotated[list[Text], kw.MaxItems(5), kw.ListSet()] = kw.field(default_factory=list)
    ratios: Annotated[list[kw.Number], kw.MaxItems(5)] = kw.field(default_factory=list)
    labels: Annotated[dict[str, Text], kw.MaxProperties(5)] = kw.field(default_factory=dict)
    weights: Annotated[dict[str, int], kw.MaxProperties(5)] = kw.field(default_factory=dict)
    items: Annotated[list[Item], kw.MaxItems(4), kw.ListMap("name")] = kw.field(default_factory=list)
    first: Item | None = None
    plain: Plain | None = None
    other_plain: Plain | None = None
    plains: Annotated[list[Plain], kw.MaxItems(3)] = kw.field(default_factory=list)
    more_plains: Annotated[list[Plain], kw.MaxItems(3)] = kw.field(default_factory=list)
    inner: Inner = kw.field(default_factory=Inner)
    size: kw.IntOrString = 5
    data: bytes | None = None
    namespace: Text = "default"
    dashed: Text | None = kw.field(default=None, wire="dashed-name")
    nullable: Annotated[int | None, kw.Nullable()] = None
    must_be_said: Annotated[int | None, kw.Nullable()]
    filled: Annotated[int, kw.Nullable()] = 7

    MOST: ClassVar[int] = 100

    # -- comparison

    @kw.rule("a is at most b")
    def order(self) -> object:
        return self.a <= self.b

    @kw.rule("a lies between")
    def chained(self) -> object:
        return -5 < self.a <= self.b != 7

    @kw.rule("strings have an order")
    def text_order(self) -> object:
        return self.s < self.t or self.s >= "é"

    @kw.rule("quotes survive")
    def quoted(self) -> object:
        return self.s != "it's\n\"é\\" and self.t != "😀"

    @kw.rule("bools compare")
    def bools(self) -> object:
        return self.flag == (self.a > 0)

    @kw.rule("floats compare with whole numbers")
    def floats(self) -> object:
        return (self.ratio > 1 and self.ratio != 2.5) or self.ratio == 0

    @kw.rule("an int compares with 1.0")
    def whole_float(self) -> object:
        return self.a > 1.0

    # -- logic

    @kw.rule("and, or, not")
    def logic(self) -> object:
        return not (self.flag and self.a > 0) or (self.b < 0 and not self.flag)

    @kw.rule("errors come from the left")
    def error_left(self) -> object:
        return self.a + self.b > 0 and self.flag

    @kw.rule("errors on the right count only when reached")
    def error_right(self) -> object:
        return self.flag or self.a * self.b > 0

    @kw.rule("the rest is not looked at")
    def guarded_division(self) -> object:
        return self.b == 0 or self.a // self.b > 1

    @kw.rule("truth of many kinds")
    def truths(self) -> object:
        return (bool(self.s) and bool(self.names)) or (not self.labels and not self.a and not self.ratio)

    @kw.rule("a default by or")
    def default_by_or(self) -> object:
        return (self.s or "none") != self.t and (self.opt_i or 5) > 3

    @kw.rule("the last by and")
    def last_by_and(self) -> object:
        return (self.s and self.t) == "x"

    @kw.rule("conditions")
    def conditional(self) -> object:
        return (self.a if self.flag else self.b) > 3

    # -- arithmetic

    @kw.rule("sums and products")
    def sums(self) -> object:
        return self.a + self.b * 2 - 3 < LIMIT

    @kw.rule("minus")
    def negative(self) -> object:
        return -self.a > self.b

    @kw.rule("floor by a positive constant")
    def floor_constant(self) -> object:
        return self.a // 3 + self.a % 3 == self.b

    @kw.rule("floor by a negative constant")
    def floor_negative(self) -> object:
        return self.a // -4 > self.b % -4

    @kw.rule("floor by anything")
    def floor_any(self) -> object:
        return self.a // self.b <= self.a % self.b

    @kw.rule("halves of a length")
    def floor_length(self) -> object:
        return len(self.s) // 2 < 3 and len(self.s) % 2 == 0

    @kw.rule("floats")
    def float_sum(self) -> object:
        return self.ratio * 2 + 0.5 - self.n < self.ratio

    @kw.rule("an int made a float")
    def int_to_float(self) -> object:
        return float(self.n) <= self.ratio

    @kw.rule("absolutely")
    def absolute(self) -> object:
        return abs(self.a) < 10 and abs(self.ratio) > 1

    # -- constants

    @kw.rule("constants of the class and the module")
    def constants(self) -> object:
        return self.a < self.MOST and self.b < LIMIT * 60 - 1 and self.s not in ALLOWED

    # -- strings

    @kw.rule("beginnings and ends")
    def affixes(self) -> object:
        return self.s.startswith("a") or self.s.endswith(("é", "b")) or self.t.startswith(self.s)

    @kw.rule("a part of a string")
    def part_of(self) -> object:
        return self.s in self.t or "é" in self.s or self.s not in "abc"

    @kw.rule("lengths in characters")
    def lengths(self) -> object:
        return len(self.s) <= len(self.t) * 2 + 1

    @kw.rule("finding")
    def finding(self) -> object:
        return self.s.find("b") >= self.t.rfind("é")

    @kw.rule("replacing")
    def replacing(self) -> object:
        return self.s.replace("a", "é") == self.t.replace("b", "a", 1)

    @kw.rule("splitting")
    def splitting(self) -> object:
        return self.s.split(",") == self.t.split(",", 1) or len(self.s.split("a")) > 2

    @kw.rule("counting")
    def counting(self) -> object:
        return self.s.count("a") == self.t.count("é") + 1

    @kw.rule("joining")
    def joining(self) -> object:
        return ",".join(self.names) == self.s

    @kw.rule("cutting")
    def cutting(self) -> object:
        return self.s[:2] == self.t[-2:] or self.s[1:] == self.t[:-1]

    @kw.rule("characters")
    def characters(self) -> object:
        return self.s[0] == self.t[-1] or self.s[1] == "b"

    @kw.rule("without prefix and suffix")
    def removing(self) -> object:
        return self.s.removeprefix("a") == self.t.removesuffix("b")

    @kw.rule("only ASCII")
    def ascii_only(self) -> object:
        return self.s.isascii()

    @kw.rule("put together")
    def concatenated(self) -> object:
        return f"{self.a}-{self.s}-{self.flag}" == "1--True" or self.s + "é" == self.t

    @kw.rule("None is spelled too")
    def spelled_none(self) -> object:
        return f"<{self.opt_s}>" != "<None>" and str(self.n) != "1"

    # -- patterns

    @kw.rule("the whole string")
    def full_match(self) -> object:
        return re.fullmatch(r"[a-zé]+(,[a-z]{1,3})*", self.s) is not None

    @kw.rule("from the start")
    def matched(self) -> object:
        return re.match(r"a.b|^[^a\n]?$", self.s)

    @kw.rule("somewhere")
    def searched(self) -> object:
        return bool(re.search(r"\d|\Aé|b\Z", self.s, re.ASCII))

    @kw.rule("a compiled pattern")
    def compiled(self) -> object:
        return not NAME.fullmatch(self.s) or NAME.search(self.t)

    # -- None

    @kw.rule("is None")
    def none_tests(self) -> object:
        return self.opt_i is None or self.opt_i > 0

    @kw.rule("is not None")
    def not_none_tests(self) -> object:
        return self.opt_i is not None and self.opt_i < 5 and self.opt_s is not None

    @kw.rule("None equals None alone")
    def optional_equality(self) -> object:
        return self.opt_s == "a" or self.opt_s != self.other_s or self.opt_i == self.a

    @kw.rule("None is in no list of strings")
    def optional_membership(self) -> object:
        return self.opt_s in ("a", "b") or self.opt_s not in self.names

    @kw.rule("if and return")
    def early_return(self) -> object:
        if self.opt_i is None:
            return self.flag
        if self.opt_i > 5:
            return True
        return self.opt_i == self.a

    @kw.rule("a local that may be None")
    def optional_local(self) -> object:
        first = self.first
        if first is None or first.note is None:
            return True
        return first.note != first.name

    @kw.rule("truth of an optional")
    def optional_truth(self) -> object:
        return bool(self.opt_b) or not self.opt_s or self.first

    @kw.rule("null is absent")
    def null(self) -> object:
        return self.nullable is None or self.nullable > 0 or self.must_be_said is None or self.must_be_said > 0

    @kw.rule("a default also for null")
    def null_default(self) -> object:
        return self.filled > 3

    # -- locals

    @kw.rule("a local that can fail")
    def failing_local(self) -> object:
        total = self.a + self.b
        return self.flag or total > 3

    @kw.rule("a local assigned on both ways")
    def branching_local(self) -> object:
        limit: int = 3
        if self.flag:
            limit = self.n
        else:
            limit += 4
        return self.a < limit

    # -- lists

    @kw.rule("all and any")
    def quantified(self) -> object:
        return all(0 < p <= 65535 for p in self.ports) or any(n.startswith("a") for n in self.names)

    @kw.rule("an item that fails may be outvoted")
    def failing_items(self) -> object:
        return any(p + 1 > 100 for p in self.ports) and all(p * 2 < 1000 for p in self.ports if p != 7)

    @kw.rule("filters and maps")
    def comprehended(self) -> object:
        return len([p for p in self.ports if p > 0]) < 2 or [p + 1 for p in self.ports] == [2, 3]

    @kw.rule("membership")
    def membership(self) -> object:
        return self.a in self.ports or self.s not in self.names or self.n in [1, 2, self.b]

    @kw.rule("all different")
    def distinct(self) -> object:
        return len(set(self.names)) == len(self.names) and len({len(n) for n in self.names}) != len(self.names)

    @kw.rule("sorted")
    def sorted_ports(self) -> object:
        return self.ports == sorted(self.ports) and self.names != sorted(self.names)

    @kw.rule("sum, min, max")
    def folded(self) -> object:
        return sum(self.ports) < 100 and (min(self.ports) > 0 or max(self.a, self.b, 3) > 5)

    @kw.rule("sums of what is computed")
    def folded_generator(self) -> object:
        return sum(1 for p in self.ports if p > 1) >= max((len(n) for n in self.names), default=2)

    @kw.rule("sums of floats")
    def folded_floats(self) -> object:
        return sum(self.ratios) <= 4 and max(self.ratios, default=0.5) > 0

    @kw.rule("indices")
    def indexed(self) -> object:
        return self.ports[0] < 10 and self.ports[-1] > self.ports[1]

    @kw.rule("lists put together")
    def appended(self) -> object:
        return len([*self.names, "é"]) > 3 or [self.s, *self.names] == [self.t] or self.names + self.names == []

    @kw.rule("sets")
    def sets(self) -> object:
        return set(self.names) <= {"a", "b", self.s} or set(self.tags) == set(self.names)

    @kw.rule("sets by method")
    def set_methods(self) -> object:
        return set(self.tags).isdisjoint(self.names) or set(self.names).issubset(ALLOWED)

    # -- dictionaries

    @kw.rule("keys and values")
    def mapped(self) -> object:
        return all(k != v and v for k, v in self.labels.items()) and "é" not in self.labels

    @kw.rule("a value by its key")
    def keyed(self) -> object:
        return self.labels["a"] == "b" or self.weights["a"] > 1

    @kw.rule("get")
    def got(self) -> object:
        return self.labels.get("a", self.s) == "b" or self.labels.get("b") is None or self.labels.get("b") != "a"

    @kw.rule("values only")
    def values(self) -> object:
        return all(-1000 < w < 1000 for w in self.weights.values()) and sum(self.weights.values()) <= 100

    @kw.rule("keys only")
    def keys(self) -> object:
        return len([k for k in self.weights if k in self.labels]) == len(self.labels) or set(self.labels) == {"a"}

    @kw.rule("equal dictionaries")
    def equal_maps(self) -> object:
        return self.labels == {"a": "b"} or self.weights != {}

    # -- models

    @kw.rule("lists of models")
    def nested_lists(self) -> object:
        return all(i.size > 0 and any(tag == i.name for tag in i.tags) for i in self.items)

    @kw.rule("two loops")
    def two_loops(self) -> object:
        return any(tag == "a" for i in self.items if i.size > 1 for tag in i.tags)

    @kw.rule("names of models differ")
    def distinct_models(self) -> object:
        return len({i.size for i in self.items}) == len(self.items)

    @kw.rule("a model equals another")
    def equal_models(self) -> object:
        return self.plain == self.other_plain or (self.first is not None and self.first.name == self.s)

    @kw.rule("models of different fields meet")
    def models_meet(self) -> object:
        if self.plain is None or self.other_plain is None:
            return self.plains == self.more_plains
        either = self.plain if self.flag else self.other_plain
        return (
            self.plain in self.plains
            or self.plains + self.more_plains == [self.plain, self.other_plain]
            or (either.port > 1 and any(p == either for p in self.plains))
        )

    @kw.rule("a default model")
    def default_model(self) -> object:
        return self.inner.count > 2 and self.inner.label != "a" and "a" in self.inner.words

    # -- choices

    @kw.rule("literals and enums")
    def choices(self) -> object:
        return self.mode == "slow" or self.phase == Phase.NEW or self.phase in (Phase.OLD, Phase.NEW)

    @kw.rule("an enum that is a string")
    def string_enum(self) -> object:
        return self.color == "red" or self.color is None or f"{self.color}" == self.s or self.phase.value == self.t

    @kw.rule("an enum that is an int")
    def int_enum(self) -> object:
        return self.level == Level.HIGH or (self.level < 5 and self.level + 1 == 2)

    @kw.rule("int or string")
    def int_or_string(self) -> object:
        if isinstance(self.size, str):
            return self.size.endswith("%")
        return self.size > 0 and self.size != 7

    @kw.rule("bytes")
    def byte_string(self) -> object:
        return self.data is None or self.flag

    # -- names

    @kw.rule("names that CEL escapes")
    def escaped(self) -> object:
        return self.namespace == "default" or (self.dashed is not None and self.dashed != "")


class Window(kw.Model):
    """Not one field of it is compared by CEL as Python does."""

    cpu: kw.Quantity | None = None
    length: kw.Duration
    tags: Annotated[list[Text], kw.MaxItems(3)] = kw.field(default_factory=list)


class Units(kw.Model):
    window: Window | None = None
    cpu: kw.Quantity
    memory: kw.Quantity | None = None
    spare: kw.Quantity = kw.Quantity("100m")
    timeout: kw.Duration
    pause: kw.Duration | None = None
    grace: kw.Duration = kw.Duration("1m30s")
    limits: Annotated[dict[str, kw.Quantity], kw.MaxProperties(4)] = kw.field(default_factory=dict)
    delays: Annotated[list[kw.Duration], kw.MaxItems(4)] = kw.field(default_factory=list)

    @kw.rule("quantities compare by amount")
    def amounts(self) -> object:
        return self.cpu <= kw.Quantity("2") or self.cpu == 3

    @kw.rule("optional quantities")
    def optional_amounts(self) -> object:
        return self.memory is None or (self.memory != kw.Quantity("1Gi") and self.memory > self.spare)

    @kw.rule("quantities add up")
    def amount_sums(self) -> object:
        return self.cpu + self.spare < kw.Quantity("1500m") or self.cpu - 1 > self.spare

    @kw.rule("quantities in a dict")
    def amount_map(self) -> object:
        return all(q > 0 for q in self.limits.values()) and self.limits.get("cpu", self.spare) != self.cpu

    @kw.rule("durations compare by length")
    def spans(self) -> object:
        return self.timeout > timedelta(seconds=2) and self.timeout != kw.Duration("90m")

    @kw.rule("durations add up")
    def span_sums(self) -> object:
        return self.timeout + self.grace < kw.Duration("2h") and self.grace - self.timeout >= timedelta(0)

    @kw.rule("optional durations")
    def optional_spans(self) -> object:
        return self.pause == self.timeout or (self.pause is not None and self.pause < self.timeout)

    @kw.rule("a misspelled duration hurts where it is used")
    def local_spans(self) -> object:
        pause = self.pause
        if pause is None or self.cpu == 0:
            return True
        return pause < self.timeout

    @kw.rule("models with durations are compared by length", reason="FieldValueInvalid")
    def whole(self, old: "Units") -> object:
        return self.window == old.window or self.pause in (kw.Duration("90m"), self.timeout)

    @kw.rule("durations in a list")
    def span_list(self) -> object:
        return all(d < self.timeout for d in self.delays)


class Times(kw.Model):
    start: datetime
    end: datetime
    last: datetime | None = None

    @kw.rule("times have an order")
    def in_order(self) -> object:
        return self.start <= self.end

    @kw.rule("not before 2020")
    def modern(self) -> object:
        return self.start > DAWN or self.last is None

    @kw.rule("long enough")
    def long_enough(self) -> object:
        return self.end - self.start >= timedelta(hours=1)

    @kw.rule("soon enough")
    def soon_enough(self) -> object:
        return self.start + timedelta(days=30) > self.end and self.last != self.start


class Messages(kw.Model):
    """Rules that never hold, each with something to say."""

    a: int
    s: Text
    flag: bool
    opt_i: int | None = None
    names: Annotated[list[Text], kw.MaxItems(3)] = kw.field(default_factory=list)
    mode: Literal["fast", "slow"] = "fast"
    color: Color = Color.RED

    @kw.rule(message=lambda self: f"{self.a} and {self.s!s} at 100%")
    def numbers(self) -> bool:
        return self.a != self.a

    @kw.rule(message=lambda self: "no " + self.s + f"{self.flag}")
    def sums(self) -> bool:
        return self.s != self.s

    @kw.rule(message=lambda self: f"{self.opt_i}{self.mode}{self.color}")
    def optional(self) -> bool:
        return self.mode != self.mode

    @kw.rule(message=lambda self: f"first is {self.names[0]}" if self.names else "it's \\ 'none'")
    def conditional(self) -> bool:
        return self.flag != self.flag

    @kw.rule(message=lambda self: "plain " + ",".join(self.names))
    def joined(self) -> bool:
        return self.names != self.names


class Spec(kw.Model):
    replicas: int = 1
    image: Text
    zones: Annotated[list[Text], kw.MaxItems(5)] = kw.field(default_factory=list)
    parent: Text | None = None


class ThingStatus(kw.Status):
    ready: int = 0


class Thing(kw.Resource, group="rules.example.com", version="v1"):
    spec: Spec
    status: ThingStatus = kw.field(default_factory=ThingStatus)

    @kw.rule(
        "replicas may not shrink by more than half at once", field_path="spec.replicas", reason="FieldValueForbidden"
    )
    def gentle_shrink(self, old: "Thing") -> object:
        return self.spec.replicas * 2 >= old.spec.replicas

    @kw.rule(message=lambda self, old: f"image {old.spec.image} may not become {self.spec.image}")
    def same_image(self, old: "Thing") -> object:
        return self.spec.image == old.spec.image

    @kw.rule("the name is short")
    def short_name(self) -> object:
        return len(self.metadata.name) < 40 and self.metadata.generate_name != "x-"

    @kw.rule("only as many ready as wanted")
    def ready(self) -> object:
        return self.status.ready <= self.spec.replicas and not any(c.type == "Bad" for c in self.status.conditions)

    @kw.rule("spec stays, but for replicas")
    def frozen(self, old: "Thing") -> object:
        if self.spec.parent is None:
            return True
        return (self.spec.zones == old.spec.zones) and self.spec.parent == old.spec.parent

    @kw.rule("kind is known")
    def kinds(self) -> object:
        return self.kind == "Thing" and self.api_version != ""
