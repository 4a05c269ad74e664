import subprocess
import sys
from ast import literal_eval
from pathlib import Path

import pytest

#: Does as `python -m kubewright`, and sends itself what Ctrl-C sends when a module is looked for.
INTERRUPTED = """
import os, runpy, signal, sys

class Finder:
    def find_spec(self, name, path=None, target=None):
        if name == awaited:
            sys.meta_path.remove(self)
            print("interrupted", flush=True)
            os.kill(os.getpid(), signal.SIGINT)

signal.signal(signal.SIGINT, signal.default_int_handler)  # a shell has what it starts in the background ignore it
awaited = sys.argv.pop(1)
sys.meta_path.insert(0, Finder())
runpy.run_module("kubewright", run_name="__main__")
"""


@pytest.mark.parametrize(
    ("module", "command"),
    [
        ("kubewright.cli.main", "--version"),
        ("kubewright.cli.cluster", "cluster up"),
        ("kubewright.cluster.cluster", "cluster up"),
        ("kubewright.schema.lint", "crd lint x.yaml"),
        ("kubewright.operator", "run x.py"),
    ],
)
def test_who_thinks_better_of_a_command_while_it_loads_sees_no_traceback(
    module: str, command: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("KUBEWRIGHT_HOME", str(tmp_path))
    line = [sys.executable, "-c", INTERRUPTED, module, *command.split()]
    result = subprocess.run(line, capture_output=True, text=True, check=False)
    assert (result.returncode, result.stdout, result.stderr) == (130, "interrupted\n", "")


def test_streams_that_are_closed_are_as_good_as_ones_that_nobody_reads() -> None:
    closed = """exec "$0" "$@" <&- >&-"""
    line = ["sh", "-c", closed, sys.executable, "-m", "kubewright", "crd", "kubewright.cluster.nodes.stage"]
    result = subprocess.run(line, stderr=subprocess.PIPE, text=True, check=False)
    assert (result.returncode, result.stderr) == (0, "")


def test_little_is_loaded_before_an_interrupt_is_seen_to() -> None:
    program = "import sys; before = {*sys.modules}; import kubewright; print(sorted({*sys.modules} - before))"
    result = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    loaded = [name for name in literal_eval(result.stdout) if "importlib" not in name and name != "warnings"]
    assert loaded == ["kubewright", "kubewright.errors", "kubewright.version"]
