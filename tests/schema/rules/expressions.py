"""Random rules: Python source made up from everything a rule may use, on a fixed model."""

import linecache
from collections.abc import Callable
from typing import Annotated, Any

from hypothesis import strategies as st

import kubewright as kw
from kubewright.schema.rules import Rule

__all__ = ["Part", "Subject", "defined", "functions", "rule_of"]

Text = Annotated[str, kw.MaxLength(8)]


class Part(kw.Model):
    name: Text
    size: int = 1
    note: Text | None = None


class Subject(kw.Model):
    a: int
    b: int
    s: Text
    t: Text
    flag: bool
    ratio: kw.Number
    ports: Annotated[list[int], kw.MaxItems(3)]
    n: int = 1
    opt_i: int | None = None
    opt_s: Text | None = None
    names: Annotated[list[Text], kw.MaxItems(3)] = kw.field(default_factory=list)
    labels: Annotated[dict[str, Text], kw.MaxProperties(3)] = kw.field(default_factory=dict)
    weights: Annotated[dict[str, int], kw.MaxProperties(3)] = kw.field(default_factory=dict)
    parts: Annotated[list[Part], kw.MaxItems(3)] = kw.field(default_factory=list)
    inner: Part | None = None


Draw = Callable[[st.SearchStrategy[Any]], Any]


class Writer:
    """Writes expressions of a type, no deeper than so many levels; `names` are the variables in reach, by type."""

    def __init__(self, draw: Draw, depth: int, names: dict[str, str]) -> None:
        self.draw = draw
        self.depth = depth
        self.names = names

    def down(self, **names: str) -> "Writer":
        return Writer(self.draw, self.depth - 1, self.names | names)

    def one(self, *ways: Callable[[], str]) -> str:
        way: Callable[[], str] = self.draw(st.sampled_from(ways))
        return way()

    def pick(self, *texts: str) -> str:
        return str(self.draw(st.sampled_from(texts)))

    def known(self, kind: str, *texts: str) -> str:
        return self.pick(*texts, *(name for name, each in self.names.items() if each == kind))

    def an_int(self) -> str:
        if self.depth <= 0:
            return self.known("int", "self.a", "self.b", "self.n", "0", "3", "-2", "9223372036854775807", "len(self.s)")
        down = self.down()
        return self.one(
            lambda: self.down().an_int(),
            lambda: f"({down.an_int()} {self.pick('+', '-', '*', '//', '%')} {down.an_int()})",
            lambda: f"({down.an_int()} {self.pick('//', '%')} {self.pick('2', '7', '-3', '-1')})",
            lambda: f"(-{down.an_int()})",
            lambda: f"abs({down.an_int()})",
            lambda: f"({down.an_int()} if {down.a_bool()} else {down.an_int()})",
            lambda: f"{self.pick('min', 'max')}({down.an_int()}, {down.an_int()})",
            lambda: f"{self.pick('sum', 'min', 'max')}({down.ints()})",
            lambda: f"max({down.ints()}, default={down.an_int()})",
            lambda: f"len({down.a_str()})",
            lambda: f"len({self.pick('self.names', 'self.labels', 'self.ports')})",
            lambda: f"(self.opt_i or {down.an_int()})",
            lambda: f"(self.opt_i if self.opt_i is not None else {down.an_int()})",
            lambda: f"self.weights.get({down.a_str()}, {down.an_int()})",
            lambda: f"self.weights[{down.a_str()}]",
            lambda: f"self.ports[{self.pick('0', '1', '-1', '-2')}]",
            lambda: f"{down.a_str()}.{self.pick('find', 'rfind')}({down.a_str()})",
            lambda: f"{down.a_str()}.count({self.pick(*LITERALS[1:])})",
        )

    def ints(self) -> str:
        if self.depth <= 0:
            return "self.ports"
        down = self.down()
        name = self.pick("x", "y")
        kind, source = self.source()
        inner = self.down(**{name: kind})
        return self.one(
            lambda: "self.ports",
            lambda: f"[{down.an_int()}, {down.an_int()}]",
            lambda: f"[{inner.an_int()} for {name} in {source} if {inner.a_bool()}]",
            lambda: f"({down.ints()} + {down.ints()})",
        )

    def source(self) -> tuple[str, str]:
        kind: tuple[str, str] = self.draw(
            st.sampled_from([("int", "self.ports"), ("str", "self.names"), ("part", "self.parts")])
        )
        return kind

    def a_str(self) -> str:
        if self.depth <= 0:
            return self.known("str", "self.s", "self.t", *LITERALS)
        down = self.down()
        return self.one(
            lambda: self.down().a_str(),
            lambda: f"({down.a_str()} + {down.a_str()})",
            lambda: f"f'{{self.a}}-{{{self.known('str', 'self.s')}}}-{{self.opt_s}}-{{self.flag}}'",
            lambda: f"str({down.an_int()})",
            lambda: f"({down.a_str()} if {down.a_bool()} else {down.a_str()})",
            lambda: f"({down.a_str()} or {down.a_str()})",
            lambda: f"({down.a_str()} and {down.a_str()})",
            lambda: f"{down.a_str()}.replace({down.a_str()}, {down.a_str()})",
            lambda: f"{down.a_str()}.removeprefix({down.a_str()})",
            lambda: f"{down.a_str()}.removesuffix({down.a_str()})",
            lambda: f"{down.a_str()}[{self.pick('0', '1', '-1', '-2', ':2', '2:', ':-1', '-1:', ':0', '-0:')}]",
            lambda: f"{down.a_str()}.split({self.pick(*LITERALS[1:])})[{self.pick('0', '1', '-1')}]",
            lambda: "','.join(self.names)",
            lambda: f"self.labels.get({down.a_str()}, {down.a_str()})",
            lambda: f"self.labels[{down.a_str()}]",
            lambda: f"(self.opt_s or {down.a_str()})",
            lambda: f"(self.inner.name if self.inner is not None else {down.a_str()})",
            self.part,
        )

    def part(self) -> str:
        names = [name for name, kind in self.names.items() if kind == "part"]
        return f"{self.pick(*names)}.name" if names else "self.s"

    def a_bool(self) -> str:
        if self.depth <= 0:
            names = [name for name, kind in self.names.items() if kind == "part"]
            notes = [f"({name}.note is None)" for name in names] + [f"({name}.size > 1)" for name in names]
            return self.pick("self.flag", "(self.opt_i is None)", "(self.opt_s is not None)", *notes)
        down = self.down()
        return self.one(
            lambda: self.down().a_bool(),
            lambda: f"({down.a_bool()} {self.pick('and', 'or')} {down.a_bool()})",
            lambda: f"(not {down.a_bool()})",
            lambda: f"({down.an_int()} {self.pick('<', '<=', '>', '>=', '==', '!=')} {down.an_int()})",
            lambda: f"({down.an_int()} {self.pick('<', '<=')} {down.an_int()} {self.pick('<', '!=')} {down.an_int()})",
            lambda: f"({down.a_str()} {self.pick('<', '>=', '==', '!=', 'in', 'not in')} {down.a_str()})",
            lambda: f"({down.a_bool()} == {down.a_bool()})",
            lambda: f"(self.ratio * 2 + {self.pick('0.5', '1')} < self.ratio)",
            lambda: f"(float({down.an_int()}) < self.ratio)",
            lambda: f"({down.a_str()} {self.pick('in', 'not in')} {self.pick('self.names', 'self.labels', ALL)})",
            lambda: f"({down.an_int()} in {down.ints()})",
            lambda: f"({down.ints()} == {down.ints()})",
            lambda: f"{down.a_str()}.{self.pick('startswith', 'endswith')}({down.a_str()})",
            lambda: f"bool({self.one(down.an_int, down.a_str, down.ints)})",
            lambda: f"(self.opt_s {self.pick('==', '!=')} {down.a_str()})",
            lambda: f"(self.opt_i in {down.ints()})",
            lambda: f"(self.opt_i is None or self.opt_i < {down.an_int()})",
            lambda: f"(self.opt_s is not None and self.opt_s > {down.a_str()})",
            lambda: f"(self.labels.get({down.a_str()}) {self.pick('==', '!=')} {down.a_str()})",
            lambda: f"(len(set(self.names)) {self.pick('==', '!=', '<')} len(self.names))",
            lambda: (
                f"(set(self.names) {self.pick('==', '<=', '>=', '!=')} {{{down.a_str()}, {self.pick(*LITERALS)}}})"
                if self.depth == 1
                else "self.flag"
            ),
            self.every,
            self.every_item,
        )

    def every(self) -> str:
        name = self.pick("x", "y")
        kind, source = self.source()
        inner = self.down(**{name: kind})
        condition = f" if {inner.a_bool()}" if self.pick("", "if") else ""
        return f"{self.pick('any', 'all')}({inner.a_bool()} for {name} in {source}{condition})"

    def every_item(self) -> str:
        inner = self.down(x="str", y="str")
        return f"{self.pick('any', 'all')}({inner.a_bool()} for x, y in self.labels.items())"


LITERALS = ("''", "'a'", "'b'", "'é'", "'ab'", "'😀'")
ALL = f"({', '.join(LITERALS)})"


@st.composite
def functions(draw: Draw) -> str:
    """The body of a random rule."""
    depth = draw(st.integers(1, 3))
    writer = Writer(draw, depth, {})
    way = draw(st.sampled_from(["plain", "if", "local", "both"]))
    if way == "plain":
        return f"return {writer.a_bool()}"
    if way == "if":
        return f"if {writer.a_bool()}:\n    return {writer.a_bool()}\nreturn {writer.a_bool()}"
    kind = draw(st.sampled_from(["int", "str"]))
    first = writer.an_int() if kind == "int" else writer.a_str()
    known = Writer(draw, depth, {"z": kind})
    if way == "local":
        return f"z = {first}\nreturn {known.a_bool()}"
    second = known.an_int() if kind == "int" else known.a_str()
    return f"z = {first}\nif {known.a_bool()}:\n    z = {second}\nreturn {known.a_bool()}"


def defined(*bodies: str) -> Any:
    """A class like `Subject` with these rules, which are called rule0, rule1 and so on."""
    lines = ["class Made(Subject):\n"]
    for number, body in enumerate(bodies):
        lines.append(f"    @kw.rule('rule{number}')\n")
        lines.append(f"    def rule{number}(self):\n")
        lines += [f"        {line}\n" for line in body.split("\n")]
    text = "".join(lines)
    filename = f"<rules {hash(text)}>"
    linecache.cache[filename] = (len(text), None, lines, filename)
    names: dict[str, Any] = {"kw": kw, "Subject": Subject, "__name__": __name__}
    exec(compile(text, filename, "exec"), names)
    return names["Made"]


def rule_of(model: Any, number: int = 0) -> Rule:
    """One of the rules of such a class."""
    found: Rule = vars(model)[f"rule{number}"]
    return found
