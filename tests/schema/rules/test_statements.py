"""What a rule becomes in CEL: short where it can be, exact where it must be."""

from typing import Annotated, Any, Literal

import pytest
from tests.schema.rules.expressions import defined

import kubewright as kw
from kubewright.schema.rules import compile_rules

TEXTS = [
    # what stands in the schema is read as it is; what does not is asked for
    ("return self.n > 1", "self.n > 1"),
    ("return self.opt_i is None or self.opt_i > 1", "!has(self.optI) || self.optI > 1"),
    ("return self.opt_s == 'a'", "has(self.optS) && self.optS == 'a'"),
    ("return self.opt_s != 'a'", "!(has(self.optS) && self.optS == 'a')"),
    ("return (self.opt_i or 5) > 3", "(has(self.optI) && self.optI != 0 ? self.optI : 5) > 3"),
    ("return bool(self.names)", "has(self.names) && size(self.names) > 0"),
    ("return not self.names", "!(has(self.names) && size(self.names) > 0)"),
    ("return not self.ports", "size(self.ports) == 0"),
    ("return len(self.names) < 3", "(has(self.names) ? size(self.names) : 0) < 3"),
    ("return self.inner is None or self.inner.note is None", "!has(self.inner) || !has(self.inner.note)"),
    # the left side decides alone only if it cannot fail
    ("return self.flag and self.a > 0", "self.flag && self.a > 0"),
    ("return self.a + 1 > 0 and self.flag", "self.a + 1 > 0 ? self.flag : false"),
    ("return self.a + 1 > 0 or self.flag", "self.a + 1 > 0 ? true : self.flag"),
    ("return len(self.s) + 1 > 3 and self.flag", "size(self.s) + 1 > 3 && self.flag"),
    # negation says it shortly
    ("return not self.a == 1", "self.a != 1"),
    ("return not (self.a < 1)", "!(self.a < 1)"),
    ("return not (not self.flag)", "self.flag"),
    # rounding
    ("return self.a // 2 > 1", "(self.a % 2 < 0 ? self.a / 2 - 1 : self.a / 2) > 1"),
    ("return self.a % 2 == 1", "(self.a % 2 < 0 ? self.a % 2 + 2 : self.a % 2) == 1"),
    ("return len(self.s) // 2 > 1", "size(self.s) / 2 > 1"),
    # parentheses only where they are needed
    ("return (self.a + self.b) * 2 - (self.a - 1) > 0", "(self.a + self.b) * 2 - (self.a - 1) > 0"),
    ("return (self.flag or self.a > 1) and self.flag", "(self.flag || self.a > 1) && self.flag"),
    ("return self.flag == (self.a > 1)", "self.flag == (self.a > 1)"),
    # loops
    ("return all(p > 0 for p in self.ports)", "self.ports.all(p, p > 0)"),
    ("return all(p > 0 for p in self.ports if p != 3)", "self.ports.all(p, p == 3 || p > 0)"),
    ("return any(n == 'a' for n in self.names)", "has(self.names) && self.names.exists(n, n == 'a')"),
    (
        "return all(k != v for k, v in self.labels.items())",
        "!has(self.labels) || self.labels.all(k, k != self.labels[k])",
    ),
    (
        "return all(any(p == q for q in self.ports) for p in self.ports)",
        "self.ports.all(p, self.ports.exists(q, p == q))",
    ),
    (
        "return all(any(p == 1 for p in self.ports) for p in self.names)",
        "!has(self.names) || self.names.all(p, self.ports.exists(p2, p2 == 1))",
    ),
    ("return len([p for p in self.ports if p > 1]) > 0", "size(self.ports.filter(p, p > 1)) > 0"),
    ("return [p * 2 for p in self.ports] == [2]", "self.ports.map(p, p * 2) == [2]"),
    ("return sum(1 for p in self.ports if p) > 1", "self.ports.map(p, p != 0, 1).sum() > 1"),
    # idioms
    (
        "return len(set(self.ports)) == len(self.ports)",
        "self.ports.all(x, self.ports.exists_one(x2, x2 == x))",
    ),
    ("return self.ports == sorted(self.ports)", "self.ports.isSorted()"),
    ("return set(self.ports) <= {1, 2}", "self.ports.all(x, x in [1, 2])"),
    # statements
    ("if self.flag:\n    return self.a > 1\nreturn self.b > 1", "self.flag ? self.a > 1 : self.b > 1"),
    ("if self.flag:\n    return True\nreturn self.b > 1", "self.flag || self.b > 1"),
    ("if not self.flag:\n    return False\nreturn self.b > 1", "self.flag && self.b > 1"),
    ("x = self.s\nreturn x != ''", "self.s != ''"),
    ("x = self.a + 1\nreturn self.flag or x > 2", "[self.a + 1].all(x, self.flag || x > 2)"),
    ("x = self.ports[0]\nx += 1\nreturn x > 2", "[self.ports[0]].all(x, [x + 1].all(x2, x2 > 2))"),
    ("x = self.names[0]\nreturn x != ''", "[self.names[0]].all(x, self.names[0] != '')"),
    # text
    ("return f'{self.s}-{self.t}' == 'a-b'", "self.s + '-' + self.t == 'a-b'"),
    ("return f'{self.a}%' == '1%'", "'%s%%'.format([string(self.a)]) == '1%'"),
    ("return self.s == 'it\\'s \\u00e9\\n\\x01'", "self.s == 'it\\'s é\\n\\u0001'"),
]


@pytest.mark.parametrize(("body", "text"), TEXTS, ids=[body for body, _ in TEXTS])
def test_a_rule_becomes_the_text_a_person_would_write(body: str, text: str) -> None:
    assert compile_rules(defined(body))[0]["rule"] == text


class Plain(kw.Model):
    host: str
    port: int = 80
    path: str | None = None


class Mixed(kw.Model):
    host: str
    tags: list[str] = kw.field(default_factory=list)
    cpu: kw.Quantity = kw.Quantity("1")


class Holder(kw.Model):
    plain: Plain
    mixed: Mixed
    mode: Literal["a", "b"] = "a"
    limits: Annotated[dict[str, kw.Quantity], kw.MaxProperties(3)] = kw.field(default_factory=dict)


def text_of(rule: Any) -> str:
    class Made(Holder):
        made = kw.rule("made")(rule)

    return str(compile_rules(Made)[0]["rule"])


def test_models_are_compared_at_once_where_cel_means_the_same() -> None:
    def same(self: Any, old: Any) -> Any:
        return self.plain == old.plain

    assert text_of(same) == "self.plain == oldSelf.plain"


def test_models_are_compared_field_by_field_where_it_does_not() -> None:
    def same(self: Any, old: Any) -> Any:
        return self.mixed == old.mixed

    assert text_of(same) == (
        "self.mixed.host == oldSelf.mixed.host && "
        "(has(self.mixed.tags) ? self.mixed.tags : []) == (has(oldSelf.mixed.tags) ? oldSelf.mixed.tags : []) && "
        "quantity(string(self.mixed.cpu)).compareTo(quantity(string(oldSelf.mixed.cpu))) == 0"
    )


def test_a_value_of_a_dict_is_read_without_a_second_question() -> None:
    def limited(self: Any) -> Any:
        return "cpu" not in self.limits or self.limits["cpu"] <= kw.Quantity("2")

    assert text_of(limited) == (
        "!(has(self.limits) && 'cpu' in self.limits) || "
        "quantity(string(self.limits['cpu'])).compareTo(quantity('2')) <= 0"
    )
