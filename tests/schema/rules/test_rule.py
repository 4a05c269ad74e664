"""`kw.rule`: what it leaves in a class, what it makes of it, and when it speaks up."""

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any, ClassVar, Generic, TypeVar

import pytest

import kubewright as kw
from kubewright.schema.rules import Rule, RuleError, compile_rules

T = TypeVar("T")


class Spec(kw.Model):
    replicas: int = 1
    image: str
    ready_count: int = 0


class Web(kw.Resource, group="web.example.com", version="v1"):
    spec: Spec

    @kw.rule("replicas may not shrink by more than half at once", field_path="spec.ready_count")
    def gentle_shrink(self, old: "Web") -> bool:
        return self.spec.replicas * 2 >= old.spec.replicas

    @kw.rule
    def positive(self) -> bool:
        """Nothing is said: the server shows the rule itself."""
        return self.spec.replicas > 0

    @kw.rule(message=lambda self: f"{self.spec.image} is no image", reason="FieldValueInvalid")
    def imaged(self) -> bool:
        return self.spec.image != ""


def web(replicas: int = 1, image: str = "a") -> Web:
    return Web(spec=Spec(replicas=replicas, image=image))


def test_a_rule_is_called_as_a_method() -> None:
    assert web(5).gentle_shrink(web(10)) is True
    assert web(4).gentle_shrink(web(10)) is False
    assert Web.gentle_shrink(web(4), web(10)) is False
    assert web().positive() is True


def test_a_rule_of_truth_answers_with_a_bool() -> None:
    class Loose(kw.Model):
        s: str = ""

        @kw.rule("s is there")
        def there(self) -> str:
            return self.s

    assert Loose(s="x").there() is True
    assert Loose().there() is False


def test_a_rule_says_what_it_says_when_it_does_not_hold() -> None:
    imaged, shrink, positive = (vars(Web)[name] for name in ("imaged", "gentle_shrink", "positive"))
    assert imaged.explain(web(image="")) == " is no image"
    assert shrink.explain(web(), web()) == "replicas may not shrink by more than half at once"
    assert positive.explain(web()) is None


def test_the_entries_come_in_the_order_of_definition_with_every_option() -> None:
    assert compile_rules(Web) == [
        {
            "rule": "self.spec.replicas * 2 >= oldSelf.spec.replicas",
            "message": "replicas may not shrink by more than half at once",
            "fieldPath": ".spec.readyCount",
        },
        {"rule": "self.spec.replicas > 0"},
        {
            "rule": "self.spec.image != ''",
            "messageExpression": "self.spec.image + ' is no image'",
            "reason": "FieldValueInvalid",
        },
    ]


def test_an_optional_old_is_asked_for_and_read() -> None:
    class Grown(kw.Model):
        size: int

        @kw.rule("never shrinks", optional_old=True)
        def grows(self, old: "Grown | None") -> bool:
            return old is None or self.size >= old.size

    (entry,) = compile_rules(Grown)
    assert entry == {
        "rule": "!oldSelf.hasValue() || self.size >= oldSelf.value().size",
        "message": "never shrinks",
        "optionalOldSelf": True,
    }
    assert Grown(size=1).grows(None) is True
    assert Grown(size=1).grows(Grown(size=2)) is False


def test_a_rule_knows_whether_it_looks_back() -> None:
    assert vars(Web)["gentle_shrink"].transition
    assert not vars(Web)["positive"].transition


def test_rules_are_inherited_and_replaced_in_place() -> None:
    class Base(kw.Model):
        a: int = 0

        @kw.rule("first")
        def first(self) -> bool:
            return self.a > 1

        @kw.rule("second")
        def second(self) -> bool:
            return self.a > 2

        @kw.rule("third")
        def third(self) -> bool:
            return self.a > 3

    class Derived(Base):
        @kw.rule("fourth")
        def fourth(self) -> bool:
            return self.a > 4

        @kw.rule("another first")
        def first(self) -> bool:
            return self.a > 5

        third = None  # type: ignore[assignment]  # taken away

    assert [entry["message"] for entry in compile_rules(Derived)] == ["another first", "second", "fourth"]
    assert [entry["message"] for entry in compile_rules(Base)] == ["first", "second", "third"]


def test_a_rule_of_two_bases_is_compiled_once_for_each_class_by_its_own_fields() -> None:
    class Base(kw.Model):
        limit: int = 1

        @kw.rule("limited")
        def limited(self) -> bool:
            return self.limit != 0

    class Real(Base):
        limit: kw.Number = 1.0  # type: ignore[assignment]  # another type on purpose

    assert compile_rules(Base)[0]["rule"] == "self.limit != 0"
    assert compile_rules(Real)[0]["rule"] == "self.limit != 0.0"


def test_two_rules_that_say_the_same_are_refused() -> None:
    class Twice(kw.Model):
        a: int = 0

        @kw.rule("one")
        def one(self) -> bool:
            return self.a > 1

        @kw.rule("two")
        def two(self) -> bool:
            return not self.a <= 1 if False else self.a > 1

    with pytest.raises(RuleError, match=r"Twice.two .* another rule says the same in CEL"):
        compile_rules(Twice)


def test_a_generic_model_is_compiled_with_its_arguments() -> None:
    class Box(kw.Model, Generic[T]):
        value: T
        least: T

        @kw.rule("not less")
        def enough(self) -> bool:
            return self.value >= self.least  # type: ignore[no-any-return, operator]  # whatever T is

    assert compile_rules(Box[int])[0]["rule"] == "self.value >= self.least"
    with pytest.raises(RuleError, match=r"Box.enough .* a bool has no order"):
        compile_rules(Box[bool])
    assert Box[int](value=2, least=1).enough() is True


def test_a_type_that_comes_later_is_waited_for() -> None:
    class First(kw.Model):
        later: "Later | None" = None

        @kw.rule("later is named")
        def named(self) -> bool:
            return self.later is None or self.later.name != ""

    class Later(kw.Model):
        name: str

    with pytest.raises(RuleError, match=r"First.named .* not known yet: First.later: 'Later' in its annotation"):
        compile_rules(First)  # what a function defines after the class stays unknown to it


NOT_YET = """
import kubewright as kw

class First(kw.Model):
    a: int = 0
    later: "Later | None" = None

    @kw.rule("below the limit")
    def below(self):
        return self.a < LIMIT and (self.later is None or self.later.name != "")

    @kw.rule("has a typo")
    def wrong(self):
        return self.a < LIMTI

class Later(kw.Model):
    name: str

LIMIT = 5
"""


def test_names_further_down_in_the_module_are_known_when_the_crd_is_made(tmp_path: Path) -> None:
    (tmp_path / "below.py").write_text(NOT_YET.replace("LIMTI", "LIMIT + 1"))
    program = "import below; from kubewright.schema.rules import compile_rules; print(compile_rules(below.First)[0])"
    shown = subprocess.run([sys.executable, "-c", program], cwd=tmp_path, capture_output=True, text=True, check=True)
    assert "self.a < 5 && (!has(self.later) || self.later.name != '')" in shown.stdout


def test_a_name_nobody_knows_is_told_when_the_crd_is_made(tmp_path: Path) -> None:
    (tmp_path / "below.py").write_text(NOT_YET)
    program = "import below; from kubewright.schema.rules import compile_rules; compile_rules(below.First)"
    shown = subprocess.run([sys.executable, "-c", program], cwd=tmp_path, capture_output=True, text=True, check=False)
    assert "below.py:14): there is no name 'LIMTI' in the module." in shown.stderr


def test_without_source_the_class_defines_and_runs_and_only_the_crd_is_refused(tmp_path: Path) -> None:
    source = tmp_path / "shipped.py"
    source.write_text(
        "import kubewright as kw\n"
        "class Small(kw.Model):\n"
        "    a: int = 0\n"
        "    @kw.rule('small')\n"
        "    def small(self):\n"
        "        return self.a < 10\n"
    )
    program = (
        "import py_compile, pathlib\n"
        "py_compile.compile('shipped.py', 'shipped.pyc'); pathlib.Path('shipped.py').unlink()\n"
        "import shipped; from kubewright.schema.rules import compile_rules\n"
        "print(shipped.Small(a=5).small(), shipped.Small(a=50).small())\n"
        "compile_rules(shipped.Small)\n"
    )
    shown = subprocess.run([sys.executable, "-c", program], cwd=tmp_path, capture_output=True, text=True, check=False)
    assert shown.stdout == "True False\n"
    assert "Small.small (shipped.py:4): its source is not at hand, and CEL is made from it" in shown.stderr


def test_constants_of_an_enclosing_function_are_written_out() -> None:
    def make(limit: int) -> Any:
        class Limited(kw.Model):
            a: int = 0

            @kw.rule("limited")
            def limited(self) -> bool:
                return self.a < limit

        return Limited

    assert [compile_rules(make(limit))[0]["rule"] for limit in (3, 4)] == ["self.a < 3", "self.a < 4"]
    assert make(3)(a=3).limited() is False


def test_a_class_names_its_own_constants_by_its_name() -> None:
    assert compile_rules(Named)[0]["rule"] == "self.a < 7"


class Named(kw.Model):
    a: int = 0
    MOST: ClassVar[int] = 7

    @kw.rule("below most")
    def below(self) -> bool:
        return self.a < Named.MOST


def test_importing_kubewright_loads_no_translator() -> None:
    program = (
        "import sys, kubewright; kubewright.rule; "
        "print(*sorted(m for m in sys.modules if m.startswith('kubewright.schema.rules')))"
    )
    shown = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert shown.stdout.split() == [f"kubewright.schema.rules{end}" for end in ("", ".names", ".rule")]


def test_a_rule_shows_its_name() -> None:
    found: Callable[..., Any] = vars(Web)["positive"]
    assert isinstance(found, Rule)
    assert repr(found) == "<rule positive>"
