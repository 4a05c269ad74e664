import subprocess
import sys
from pathlib import Path

import pytest

from kubewright.cli.main import main
from kubewright.version import KUBERNETES, VERSION


def test_version_names_ours_and_kubernetes(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--version"]) == 0
    assert capsys.readouterr().out == f"kubewright {VERSION} (Kubernetes {KUBERNETES})\n"


@pytest.mark.parametrize("words", [["--help"], ["-h"], ["help"]])
def test_help_lists_the_commands(words: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main(words) == 0
    assert "crd diff" in capsys.readouterr().out


def test_no_command_prints_help_and_is_a_wrong_call(capsys: pytest.CaptureFixture[str]) -> None:
    assert main([]) == 2
    assert "usage:" in capsys.readouterr().out


def test_an_unknown_command_is_one_sentence(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["frobnicate"]) == 2
    assert capsys.readouterr().err == "kubewright: there is no command 'frobnicate'; `kubewright --help` lists them.\n"


@pytest.mark.parametrize(
    ("words", "meant"),
    [
        (["crd", "lnt", "x"], "crd lint"),
        (["crd", "lnt"], "crd lint"),
        (["crd", "dif", "a.yaml", "b.yaml"], "crd diff"),
        (["cluster", "upp"], "cluster up"),
        (["clutser", "up"], "cluster"),
        (["instal", "web.py"], "install"),
        (["lint", "crd.yaml"], "crd lint"),
    ],
)
def test_a_misspelt_command_is_told_the_nearest(
    words: list[str], meant: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(words) == 2
    assert f"(did you mean `{meant}`?)" in capsys.readouterr().err


def test_two_words_after_crd_are_no_module(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["crd", "web", "x"]) == 2
    assert capsys.readouterr().err == (
        "kubewright: there is no command `crd web`; there are `crd`, `crd diff`, `crd lint`.\n"
    )


def test_a_module_called_nearly_like_a_command_is_a_module(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "lnt.py").write_text("")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", [*sys.path])
    assert main(["crd", "lnt"]) == 2
    assert "lnt defines no kind" in capsys.readouterr().err


def test_a_group_with_an_unknown_word_says_what_there_is(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["cluster", "frobnicate"]) == 2
    assert capsys.readouterr().err == (
        "kubewright: there is no command `cluster frobnicate`; "
        "there are `cluster up`, `cluster down`, `cluster status`.\n"
    )


@pytest.mark.parametrize("words", [["crd"], ["crd", "diff"], ["crd", "lint"], ["types"]])
def test_every_command_has_help(words: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as stop:
        main([*words, "--help"])
    assert stop.value.code == 0
    assert f"usage: kubewright {' '.join(words)}" in capsys.readouterr().out


def test_python_dash_m_is_the_command() -> None:
    result = subprocess.run(
        [sys.executable, "-m", "kubewright", "--version"], capture_output=True, text=True, check=True
    )
    assert result.stdout.startswith("kubewright ")


def test_a_reader_that_goes_away_is_no_error() -> None:
    command = f"{sys.executable} -m kubewright crd examples/webserver/webserver.py | head -n 1"
    result = subprocess.run(["bash", "-o", "pipefail", "-c", command], capture_output=True, text=True, check=False)
    assert (result.returncode, result.stderr) == (0, "")


def test_importing_the_package_loads_no_built_in_kind() -> None:
    program = "import sys, kubewright; print([name for name in sys.modules if name.startswith('kubewright.k8s')])"
    result = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert result.stdout == "[]\n"
