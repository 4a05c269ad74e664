"""`kubewright crd` as a user calls it."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from kubewright.cli.main import main
from kubewright.model.yaml import load_yaml, load_yaml_documents

WEB = """
import kubewright as kw

class Spec(kw.Model):
    size: int = 1
    name: str | None = None

class {name}(kw.Resource, group="cli.example.com", version="v1"):
    spec: Spec
"""


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("sys.path", [str(tmp_path), *sys.path])
    return tmp_path


def write(folder: Path, name: str, text: str) -> str:
    (folder / name).write_text(text)
    return name


def with_size(crd: str, schema: dict[str, Any]) -> Any:
    """The CRD with another schema for spec.size."""
    changed: Any = load_yaml(crd)
    changed["spec"]["versions"][0]["schema"]["openAPIV3Schema"]["properties"]["spec"]["properties"]["size"] = schema
    return changed


def run(capsys: pytest.CaptureFixture[str], *words: str) -> tuple[int, str, str]:
    code = main(words)
    out, err = capsys.readouterr()
    return code, out, err


def test_a_file_prints_its_crds_as_yaml(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    module = write(here, "cli_one.py", WEB.format(name="One") + WEB.format(name="Two"))
    code, out, err = run(capsys, "crd", module)
    assert (code, err) == (0, "")
    names = [crd["metadata"]["name"] for crd in load_yaml_documents(out)]  # type: ignore[index]
    assert names == ["ones.cli.example.com", "twos.cli.example.com"]


def test_one_class_of_an_importable_module(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write(here, "cli_two.py", WEB.format(name="One") + WEB.format(name="Two"))
    code, out, _ = run(capsys, "crd", "cli_two:Two", "-o", "json")
    assert (code, json.loads(out)["spec"]["names"]["kind"]) == (0, "Two")


def test_crds_are_written_into_a_directory(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    module = write(here, "cli_three.py", WEB.format(name="One"))
    code, out, _ = run(capsys, "crd", module, "-d", "out/crds")
    assert (code, out) == (0, "out/crds/cli.example.com_ones.yaml\n")
    crd: Any = load_yaml((here / out.strip()).read_text())
    assert crd["kind"] == "CustomResourceDefinition"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("x = 1", "cli_bad.py defines no kind"),
        ("import nothing_such", "cli_bad.py cannot be imported"),
        ("x = ", "cli_bad.py cannot be imported"),
        ("1 / 0", "ZeroDivisionError"),
        ("import kubewright as kw\nclass A(kw.Model):\n    x: float", "A.x: a bare float is refused"),
        ("import sys; sys.exit(3)", "it ends the program while it is read"),
        ("from .other import x", "give its dotted name instead of the file"),
    ],
)
def test_a_bad_module_is_one_sentence(text: str, message: str, here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code, out, err = run(capsys, "crd", write(here, "cli_bad.py", text))
    assert (code, out, err.count("\n")) == (2, "", 1)
    assert message in err


@pytest.mark.parametrize(
    ("target", "message"),
    [
        ("nope.py", "there is no file nope.py."),
        ("nope.not", "there is no module nope.not; give a .py file, or a dotted name"),
        ("./", "'./' is no module; give a .py file, or a dotted name"),
        ("", "'' is no module"),
        ("cli_four.py:Nope", "cli_four.py has no kind 'Nope'; its kinds are: One."),
    ],
)
def test_a_target_that_is_not_there(target: str, message: str, here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write(here, "cli_four.py", WEB.format(name="One"))
    code, _, err = run(capsys, "crd", target)
    assert code == 2
    assert message in err


def test_diff_exits_with_one_when_something_breaks(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    module = write(here, "cli_five.py", WEB.format(name="One"))
    _, old, _ = run(capsys, "crd", module)
    write(here, "old.yaml", old)
    write(here, "new.json", json.dumps(with_size(old, {"type": "string"})))
    assert run(capsys, "crd", "diff", "old.yaml", "old.yaml") == (0, "No changes.\n", "")
    code, out, _ = run(capsys, "crd", "diff", "old.yaml", "new.json")
    assert code == 1
    assert "TypeChanged" in out
    code, out, _ = run(capsys, "crd", "diff", "old.yaml", "new.json", "-o", "json")
    assert any(row["breaks"] for row in json.loads(out))


def test_diff_reads_types_too(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    module = write(here, "cli_six.py", WEB.format(name="One"))
    _, old, _ = run(capsys, "crd", module)
    write(here, "old.yaml", old)
    assert run(capsys, "crd", "diff", "old.yaml", module)[0] == 0


def test_crds_that_have_nothing_in_common_cannot_be_compared(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    one = write(here, "cli_seven.py", WEB.format(name="One"))
    two = write(here, "cli_eight.py", WEB.format(name="Two"))
    code, _, err = run(capsys, "crd", "diff", one, two)
    assert code == 2
    assert "have no CRD of the same name" in err


def test_lint_says_what_is_wrong_and_exits_with_one(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    module = write(here, "cli_nine.py", WEB.format(name="One"))
    _, good, _ = run(capsys, "crd", module)
    write(here, "bad.json", json.dumps(with_size(good, {})))
    code, out, _ = run(capsys, "crd", "lint", module)
    assert code == 0
    assert "missing" in out
    assert run(capsys, "crd", "lint", "--strict", module)[0] == 1
    code, out, _ = run(capsys, "crd", "lint", "bad.json", "-o", "json")
    assert code == 1
    assert any(row["severity"] == "error" for row in json.loads(out))


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("{", "broken.yaml, line 2, column 1:"),
        ("a: b: c", "broken.yaml, line 1, column 5:"),
        ("kind: Pod", "broken.yaml holds no CustomResourceDefinition."),
        ("- 1", "where an object is wanted"),
        ("", "broken.yaml holds no CustomResourceDefinition."),
    ],
)
def test_a_broken_document_says_where(text: str, message: str, here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code, _, err = run(capsys, "crd", "lint", write(here, "broken.yaml", text))
    assert (code, err.count("\n")) == (2, 1)
    assert message in err


def test_files_of_one_name_in_two_folders_are_two_modules(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for folder, size in (("old", "int"), ("new", "str")):
        (here / folder).mkdir()
        write(here / folder, "types.py", WEB.format(name="One").replace("size: int = 1", f"size: {size}"))
    code, out, _ = run(capsys, "crd", "diff", "old/types.py", "new/types.py")
    assert code == 1
    assert "TypeChanged" in out


def test_some_classes_can_be_named(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write(here, "cli_ten.py", WEB.format(name="One") + WEB.format(name="Two") + WEB.format(name="Three"))
    _, out, _ = run(capsys, "crd", "cli_ten.py:One,Three", "-o", "json")
    assert [crd["spec"]["names"]["kind"] for crd in json.loads(out)["items"]] == ["One", "Three"]


def test_what_a_module_prints_is_not_part_of_the_output(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    module = write(here, "cli_eleven.py", "print('hello')" + WEB.format(name="One"))
    code, out, err = run(capsys, "crd", module)
    assert (code, out[:11], err) == (0, "apiVersion:", "hello\n")


def test_standard_input_is_read_once(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert here.exists()
    code, _, err = run(capsys, "crd", "diff", "-", "-")
    assert (code, err) == (2, "kubewright: standard input can be read once: give OLD or NEW as a file.\n")


def test_a_directory_that_cannot_be_written_is_one_sentence(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    module = write(here, "cli_twelve.py", WEB.format(name="One"))
    code, _, err = run(capsys, "crd", module, "-d", module)
    assert (code, err) == (2, "kubewright: cli_twelve.py: File exists.\n")


def test_a_pipe_is_a_file(here: Path, capfd: pytest.CaptureFixture[str]) -> None:
    module = write(here, "cli_thirteen.py", WEB.format(name="One"))
    command = f"{sys.executable} -m kubewright crd lint <({sys.executable} -m kubewright crd {module})"
    assert subprocess.run(["bash", "-c", command], check=False).returncode == 0
    assert "1 CRD, " in capfd.readouterr().out
