"""Which operator a command is about, and which kinds are its own."""

from pathlib import Path

import pytest

from kubewright.cli.apps import load_operator, own_kinds
from kubewright.cli.main import main

KINDS = """
import kubewright as kw
from kubewright.k8s.core.v1 import ConfigMap

class Old(kw.Resource, group="a.example.com", version="v1alpha1", kind="Thing", storage=False): ...
class Thing(kw.Resource, group="a.example.com", version="v1"): ...
class Child(kw.Resource, group="a.example.com", version="v1", plural="children"): ...
class Seen(kw.Resource, group="a.example.com", version="v1"): ...
class Unused(kw.Resource, group="a.example.com", version="v1"): ...

@kw.controller(Thing, owns=[Child, ConfigMap], watches=[kw.watch(Seen, map=lambda seen: [])])
async def thing(thing: Thing, ctx: kw.Context) -> None: ...
"""
ONE = KINDS + 'app = same = kw.Operator("one", [thing])\n'
TWO = KINDS + 'first = kw.Operator("one", [thing])\nsecond = kw.Operator("two", [thing])\n'


def written(tmp_path: Path, text: str) -> str:
    path = tmp_path / "things.py"
    path.write_text(text, encoding="utf-8")
    return str(path)


def test_the_only_operator_of_a_module_need_not_be_named(tmp_path: Path) -> None:
    assert load_operator(written(tmp_path, ONE)).name == "one"


def test_one_of_two_is_named(tmp_path: Path) -> None:
    assert load_operator(written(tmp_path, TWO) + ":second").name == "two"


@pytest.mark.parametrize(
    ("text", "name", "told"),
    [
        (KINDS, "", "{} has no operator; add one, as in app = kw.Operator("),
        (TWO, "", "{} has 2 operators; say which: {}:first or {}:second."),
        (ONE, ":nope", "{}:nope: the module has nothing of that name; it has {}:app."),
        (ONE, ":Thing", "{}:Thing: the module has the class Thing there, which is no kw.Operator; it has {}:app."),
        (ONE, ":thing", "{}:thing: the module has <kubewright controller 'thing'"),
        ("import kubewright as kw\nx = (\n", "", "{} cannot be imported ({}:2): SyntaxError: '(' was never closed."),
        ("import nowhere\n", "", "{} cannot be imported ({}:1): No module named 'nowhere'."),
        ("import kubewright as kw\nkw.Operator(nope=1)\n", "", "{} cannot be imported ({}:2): TypeError: "),
        ("import kubewright as kw\nkw.controller(kw, own=[])\n", "", "{} cannot be imported ({}:2): TypeError: "),
        ("x = '\0'\n", "", "{} cannot be imported: SyntaxError: source code string cannot contain null bytes."),
    ],
)
def test_what_is_wrong_with_the_file_is_one_sentence(
    text: str, name: str, told: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    place = written(tmp_path, text)
    assert main(["run", place + name, "--kubeconfig=/nowhere"]) == 2
    said = capsys.readouterr().err
    assert said.startswith("kubewright: " + told.replace("{}", place))
    assert said.count("\n") == 1


def test_own_kinds_are_those_that_controllers_declare_with_all_versions(tmp_path: Path) -> None:
    app = load_operator(written(tmp_path, ONE))
    assert sorted(kind.__name__ for kind in own_kinds(app)) == ["Child", "Old", "Seen", "Thing"]
