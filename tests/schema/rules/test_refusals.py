"""What cannot be said in CEL is refused where the class is defined: file, line, reason, and the way round."""

import linecache
import re
from datetime import UTC, datetime, timedelta
from enum import Enum
from pathlib import Path
from typing import Annotated, Any, ClassVar, Literal

import pytest

import kubewright as kw
from kubewright.schema.rules import RuleError


class Phase(Enum):
    NEW = "New"
    OLD = "Old"


class Git(kw.Model):
    repository: str


class Bucket(kw.Model):
    bucket: str


class Item(kw.Model):
    name: str
    cpu: kw.Quantity | None = None


class Ready(kw.Model):
    since: int = 0

    def __bool__(self) -> bool:
        return self.since > 0


class Spec(kw.Model):
    a: int = 0
    b: int = 0
    replicas: int = 1
    s: str = ""
    t: str = ""
    flag: bool = False
    ratio: kw.Number = 1.5
    opt_i: int | None = None
    opt_s: str | None = None
    opt_names: list[str] | None = None
    names: list[str] = kw.field(default_factory=list)
    ports: list[int] = kw.field(default_factory=list)
    tags: Annotated[list[str], kw.ListSet()] = kw.field(default_factory=list)
    items: list[Item] = kw.field(default_factory=list)
    holes: list[int | None] = kw.field(default_factory=list)
    labels: dict[str, str] = kw.field(default_factory=dict)
    limits: dict[str, kw.Quantity] = kw.field(default_factory=dict)
    amounts: list[kw.Quantity] = kw.field(default_factory=list)
    item: Item = kw.field(default_factory=lambda: Item(name="x"))
    mode: Literal["fast", "slow"] = "fast"
    phase: Phase = Phase.NEW
    size: kw.IntOrString = 5
    data: bytes | None = None
    any: Any = None
    settings: dict[str, Any] = kw.field(default_factory=dict)
    source: Git | Bucket | None = None
    day: Annotated[str, kw.Format("date")] = ""
    odd: Annotated[int, kw.SchemaType("string")] = 0
    bad_name: str = kw.field(default="", wire="bad name")
    cpu: kw.Quantity = kw.Quantity("1")
    timeout: kw.Duration = kw.Duration("5s")
    start: datetime | None = None
    template: kw.ObjectMeta | None = None
    ready: Ready | None = None

    LIMIT: ClassVar[int] = 10

    @property
    def total(self) -> int:
        return self.a + self.b

    def helper(self) -> bool:
        return True


def helper(value: object) -> bool:
    return bool(value)


BIG = 2**70
NAIVE = datetime(2020, 1, 1)
NAMES = {"helper": helper, "BIG": BIG, "NAIVE": NAIVE, "Phase": Phase, "re": re, "kw": kw, "timedelta": timedelta}
NAMES |= {"UTC": UTC, "datetime": datetime, "Spec": Spec}

REFUSED = [
    # names and types
    ("return self.replcias > 1", "Made has no field 'replcias'; did you mean 'replicas'?"),
    ("return self.zzz > 1", "Made has no field 'zzz'."),
    ("return self.items[0].nmae == ''", "Item has no field 'nmae'; did you mean 'name'?"),
    ("return self.any == 1", "Made.any: the API server knows no type for it"),
    ("return 'a' in self.settings", "Made.settings: the API server knows no type for it"),
    ("return self.source.repository == ''", "self.source may be None; ask first"),
    ("return self.source is None or self.source.repository == ''", ".repository of a union of models has no form"),
    ("return self.day == ''", "CEL reads a string of format 'date' as something else; make the field datetime"),
    ("return self.odd == 1", "its schema is not the one of its Python type"),
    ("return self.bad_name == ''", "'bad name' cannot be named in CEL"),
    ("return self.total > 1", "Made.total is code, which CEL cannot run"),
    ("return self.helper()", "self.helper() cannot be called in a rule"),
    ("return helper(self.a)", "helper() cannot be called in a rule: CEL cannot run it"),
    ("return unknown(self.a)", "unknown() cannot be called in a rule"),
    ("return self.template is None or self.template.uid == ''", "a rule sees only name and namespace and labels"),
    ("return self.a < BIG", "does not fit the 64 bits"),
    ("return self.a == helper", "helper: <function"),
    # comparison
    ("return self.a == self.s", "an int and a string are not compared with each other"),
    ("return self.s < 3", "a string and an int are not compared with each other"),
    ("return self.flag == 1", "a bool and an int are not compared with each other"),
    ("return self.flag < True", "a bool has no order"),
    ("return self.names < self.names", "a list has no order"),
    ("return self.a < self.ratio", "write float(…) around the int"),
    ("return self.a > 1.5", "an int is compared with a whole number, not with 1.5"),
    ("return self.ratio == 9007199254740993", "has no exact float"),
    ("return self.mode == 'fasst'", "'fasst' is none of 'fast', 'slow'"),
    ("return self.mode in ('fast', 'slwo')", "'slwo' is none of 'fast', 'slow'"),
    ("return self.phase == 'New'", "a member of Phase never equals 'New'; compare with the member itself"),
    ("return self.phase < Phase.OLD", "the enum Phase has no order"),
    ("return self.names is self.names", "`is` compares with None only; use =="),
    ("return self.a is None", "self.a is never None here; leave the test out"),
    ("return self.size > 3", "an int-or-string has no order; ask first, as in `isinstance(…, int) and …`"),
    ("return self.tags == ['a']", "a list with kw.ListSet is compared there without its order"),
    ("return self.names == ('a',)", "a tuple never equals a list"),
    (
        "return self.items == []",
        "CEL's == would not mean Python's: Item.cpu: a Quantity is compared there by its spelling",
    ),
    ("return self.limits == {}", "a Quantity is compared there by its spelling"),
    ("return kw.Quantity('1') in self.amounts", "CEL's `in` would not mean Python's"),
    ("return self.start is None or self.start < NAIVE", "says no time zone"),
    # None
    ("return self.opt_i > 3", "self.opt_i may be None; ask first, as in `self.opt_i is not None and …`"),
    ("return self.opt_i is None and self.opt_i > 3", "self.opt_i may be None"),
    ("return len(self.opt_names) > 1", "self.opt_names may be None"),
    ("return self.opt_s.startswith('a')", "self.opt_s may be None"),
    ("return 'a' in self.opt_s", "self.opt_s may be None"),
    ("return self.labels.get('a') < 'b'", "self.labels.get('a') may be None"),
    ("return all(h > 1 for h in self.holes)", "an item may be None"),
    ("return [self.opt_s] == ['a']", "a list in CEL cannot hold None"),
    ("return self.start is None or bool(self.start)", "is a datetime and always true"),
    ("return self.ready is None or bool(self.ready)", "Ready decides in Python whether it is true"),
    # arithmetic
    ("return self.a / self.b > 1", "/ makes a float of two ints in Python and an int in CEL; use //"),
    ("return self.ratio / 2 > 1", "/ by zero raises in Python and is infinity in CEL"),
    ("return self.ratio // 2 > 1", "// of floats has no form in CEL"),
    ("return self.a ** 2 > 1", "** of ints has no form in CEL"),
    ("return self.a & 1", "& of ints has no form in CEL"),
    ("return self.a // 0 > 1", "// 0 always fails"),
    ("return self.s * 2 == 'aa'", "a string * an int has no form in CEL"),
    ("return self.s + self.a == ''", "a string + an int has no form in CEL"),
    ("return '%s' % self.s == ''", "a string % a string has no form in CEL"),
    ("return self.flag + 1 > 1", "a bool + an int has no form in CEL"),
    ("return self.cpu * 2 > kw.Quantity('1')", "a Quantity * an int has no form in CEL"),
    ("return self.timeout.seconds > 1", ".seconds of a Duration has no form in CEL"),
    ("return self.names + self.tags == []", "does not put one behind the other"),
    # strings
    ("return self.s.lower() == 'a'", "str.lower() cannot be called in a rule: knows all of Unicode in Python"),
    ("return self.s.isdigit()", "say what you mean with re.fullmatch"),
    ("return self.s.strip() == 'a'", "takes other white space away than CEL"),
    ("return self.s.split() == []", "split() without a separator splits at other white space"),
    ("return self.s.split(self.t) == []", "split() takes a constant that is not empty"),
    ("return self.s.index('a') == 1", "use find(), which answers -1"),
    ("return '{}'.format(self.s) == 'a'", "write an f-string"),
    ("return self.s.center(3) == 'a'", "CEL has no such method"),
    ("return f'{self.a:03}' == '001'", "a format in an f-string has no form in CEL"),
    ("return f'{self.ratio}' == '1.5'", "a float is spelled differently in Python and in CEL"),
    ("return f'{self.phase}' == 'New'", "write self.phase.value"),
    ("return self.s[self.a] == 'a'", "the index into a string must be a constant"),
    ("return self.s[1:3] == 'a'", "a string is cut in a rule as in s[:3]"),
    ("return self.s[::2] == 'a'", "a slice of a string has no form in CEL like this"),
    ("return ','.join(k for k in self.labels) == 'a'", "a list made from a dict has another order"),
    # patterns
    (r"return re.match(r'\d+', self.s)", r"\d is all of Unicode's in Python and ASCII's in RE2"),
    ("return re.match('(?=a)', self.s)", "look-around in a pattern has no form in RE2"),
    (r"return re.match(r'(a)\1', self.s)", "a back-reference in a pattern has no form in RE2"),
    ("return re.match('a$b', self.s)", "`$` inside a pattern also matches before a last newline"),
    ("return re.match('a', self.s, re.IGNORECASE)", "re.IGNORECASE of a pattern has no exact form"),
    ("return re.match('(', self.s)", "the pattern '(' is wrong"),
    ("return re.match(self.t, self.s)", "a pattern is a string that does not depend on the object"),
    ("return re.match('a', self.a)", "self.a is an int; a pattern matches strings"),
    ("return re.sub('a', 'b', self.s) == ''", "re.sub() is code CEL cannot run"),
    ("return re.match('a{2000}', self.s)", "RE2 repeats something at most 1000 times"),
    # lists and dictionaries
    ("return sorted(self.ports) == [1]", "CEL cannot sort, only tell whether a list is sorted"),
    ("return sorted(self.ports)[0] == 1", "sorted() cannot be called in a rule: CEL cannot sort"),
    ("return len(set(self.names)) > 3", "how many different items there are cannot be counted"),
    ("return len(set(self.names)) == len(self.ports)", "len(set(xs)) == len(xs) with the same xs"),
    ("return self.ports[self.a] == 1", "self.a may be negative, which counts from the end in Python"),
    ("return self.ports[1:] == []", "a slice of a list has no form in CEL"),
    ("return all(c == 'a' for c in self.s)", "`for` walks a list or a dict in CEL, not a string"),
    ("return all(a < b for a, b in zip(self.ports, self.ports))", "CEL walks one list at a time"),
    ("return any(i > 1 for i, p in enumerate(self.ports))", "CEL walks a list without its indices"),
    ("return [n for i in self.items for n in self.names] == []", "a list from two loops has no form"),
    ("return {p: 1 for p in self.ports} == {}", "a dict made by a loop has no form in CEL"),
    ("return min(self.ports, key=len) == 1", "min(key=…) has no form in CEL"),
    ("return sum(self.names) == ''", "sum() adds up ints or floats in a rule, not a string"),
    ("return [1, 'a'] == self.ports", "an int and a string are not of one type"),
    ("return self.labels[1] == 'a'", "the keys of a dict are strings, not an int"),
    ("return 1 in self.labels", "an int is never in a dict: only a string can be"),
    ("return list(self.labels.values()) == ['a']", "a list made from a dict has another order there"),
    ("return set(self.names) < {'a'}", "sets are compared with <=, >=, == and !="),
    ("return all(n for n, m in self.names)", "this `for` takes one name"),
    # kinds with one use
    (
        "return self.data is None or len(self.data) > 1",
        "the API server takes base64 for its URL-safe variant, failing on + and /",
    ),
    ("return isinstance(self.a, int)", "isinstance() is only of use on an int-or-string"),
    ("return self.cpu", "whether a Quantity is true or false cannot be said in CEL"),
    ("return self.item", "self.item is Item and always true"),
    ("return [self.item] == []", "a default of Item made in Python has no form in CEL; read its fields instead"),
    # statements
    ("for p in self.ports:\n    pass\nreturn True", "a loop has no form in CEL; use any(…) or all(…)"),
    ("x = 1\nwhile x:\n    pass\nreturn True", "a loop has no form in CEL", 1),
    ("try:\n    return self.a > 1\nexcept ValueError:\n    return True", "CEL cannot catch an error"),
    ("assert self.a\nreturn True", "a rule returns the test instead of asserting it"),
    ("raise ValueError", "a rule returns False instead of raising"),
    ("if self.flag:\n    return True", "can end without a return", 0),
    ("return", "a rule returns whether the object is right, not nothing"),
    ("self.a = 1\nreturn True", "only a plain local name can be assigned to"),
    ("a, b = 1, 2\nreturn True", "only a plain local name can be assigned to"),
    ("self.names.append('a')\nreturn True", "this line has no effect on the answer"),
    ("if self.flag:\n    x = 1\nreturn x > 1", "x is not assigned on every way to here", 2),
    ("return (x := self.a) > 1", "`:=` has no form in CEL"),
    ("return (lambda: True)()", "only a named function can be called"),
    ("import os\nreturn True", "import at the top of the module"),
    ("match self.a:\n    case 1:\n        return True\nreturn False", "`match` has no form in CEL; use if"),
    ("x = 0\n" + "if self.a:\n    x = 1\n" * 20 + "return x", "there are too many ways through this rule", 40),
    ("x = self.s\n" + "x = x + x\n" * 40 + "return x == ''", "characters of CEL here; split the rule", 14),
    ("return any(*[self.names])", "* and ** in a call have no form in CEL"),
]


def refusal(body: str, head: str = "def broken(self):", decorator: str = "@kw.rule('no')", **names: Any) -> RuleError:
    """Why a class with such a rule cannot be defined. Its body starts in line 4."""
    lines = [
        "class Made(Spec):\n",
        f"    {decorator}\n",
        f"    {head}\n",
        *(f"        {x}\n" for x in body.split("\n")),
    ]
    text = "".join(lines)
    linecache.cache["made.py"] = (len(text), None, lines, "made.py")
    with pytest.raises(RuleError) as caught:
        exec(compile(text, "made.py", "exec"), {**NAMES, "__name__": __name__, **names})
    return caught.value


@pytest.mark.parametrize("row", REFUSED, ids=[row[0] for row in REFUSED])
def test_what_has_no_form_in_cel_is_refused_with_its_line(row: tuple[Any, ...]) -> None:
    body, reason, *offset = row
    error = refusal(body)
    place = f"Made.broken (made.py:{4 + (offset[0] if offset else 0)}): "
    assert str(error).startswith(place)
    assert reason in str(error)
    assert str(error).endswith((".", "?"))


@pytest.mark.parametrize(
    ("head", "decorator", "reason"),
    [
        ("def broken(self, old, x):", "@kw.rule('no')", "a rule takes (self) or (self, old), nothing else"),
        ("def broken():", "@kw.rule('no')", "a rule takes (self) or (self, old), nothing else"),
        ("def broken(self, *rest):", "@kw.rule('no')", "a rule takes (self) or (self, old), nothing else"),
        ("def broken(self, old=None):", "@kw.rule('no')", "a rule takes (self) or (self, old), nothing else"),
        ("async def broken(self):", "@kw.rule('no')", "neither async nor a generator"),
        ("def broken(self, old):", "@kw.rule('no')", "the rule does not use old; leave the parameter out"),
        ("def broken(self):", "@kw.rule('no', optional_old=True)", "which this rule does not take"),
        ("def broken(self):", "@kw.rule('no', reason='Bad')", "reason='Bad' must be one of FieldValueInvalid"),
        ("def broken(self):", "@kw.rule('two\\nlines')", "a message is one line of text"),
        ("def broken(self):", "@kw.rule(' ')", "a message is one line of text"),
        ("def broken(self):", "@kw.rule(message=lambda: 'x')", "takes what its rule takes"),
        ("def broken(self):", "@kw.rule(message=lambda self: self.a)", "a message is a string, not an int"),
        ("def broken(self):", "@kw.rule(message=lambda self: f'{self.zz}')", "Made has no field 'zz'"),
        ("def broken(self):", "@kw.rule(message=helper())", "a message is a string, or message=lambda"),
        ("def broken(self):", "@kw.rule('no', field_path='zz')", "field_path='zz': Made has no field 'zz'"),
        ("def broken(self):", "@kw.rule('no', field_path='a.b')", "there are no fields below .a"),
    ],
)
def test_a_rule_of_a_wrong_form_is_refused(head: str, decorator: str, reason: str) -> None:
    error = refusal("return self.a > 1", head, decorator, helper=lambda: 5)
    assert reason in str(error)
    assert "Made.broken (made.py:" in str(error)


def test_an_old_that_may_be_none_is_asked_first() -> None:
    error = refusal("return self.a >= old.a", "def broken(self, old):", "@kw.rule('no', optional_old=True)")
    assert "old may be None; ask first" in str(error)


def test_an_error_in_a_real_file_names_it() -> None:
    with pytest.raises(RuleError) as caught:

        class Broken(Spec):
            @kw.rule("no")
            def broken(self) -> bool:
                return self.replcias > 1  # type: ignore[attr-defined, no-any-return]

    line = next(
        n for n, text in enumerate(Path(__file__).read_text().splitlines(), 1) if "self.replcias > 1  #" in text
    )
    assert str(caught.value) == (
        f"Broken.broken ({__file__}:{line}): Broken has no field 'replcias'; did you mean 'replicas'?"
    )
    assert (caught.value.filename, caught.value.line) == (__file__, line)


def test_metadata_beyond_its_name_is_refused() -> None:
    with pytest.raises(RuleError, match="a rule sees only name and generate_name on the server, not labels"):

        class Labelled(kw.Resource, group="x.example.com", version="v1"):
            @kw.rule("labelled")
            def labelled(self) -> bool:
                return "a" in self.metadata.labels


def test_a_whole_resource_is_not_compared() -> None:
    with pytest.raises(RuleError, match="its metadata is not seen there; compare spec or status"):

        class Frozen(kw.Resource, group="x.example.com", version="v1"):
            @kw.rule("frozen")
            def frozen(self, old: "Frozen") -> bool:
                return self == old


def test_a_model_is_compared_whole_only_if_every_field_can_be() -> None:
    error = refusal("return self == old", "def broken(self, old):")
    assert "two Made objects cannot be compared as a whole, because of tags: CEL's == would not mean" in str(error)


def test_a_decorator_of_another_kind_below_is_refused() -> None:
    with pytest.raises(kw.DefinitionError, match="stands right above a def"):

        class Broken(kw.Model):
            @kw.rule("no")  # type: ignore[prop-decorator]  # that is the point
            @property
            def broken(self) -> bool:
                return True
