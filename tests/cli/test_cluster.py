import itertools
import json
import os
import re
import signal
import stat
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from kubewright import clock
from kubewright.cli.home import Home
from kubewright.client import load_kubeconfig


class Commands:
    """`kubewright cluster …` in a home of its own."""

    def __init__(self, home: Path) -> None:
        self.environment = {**os.environ, "KUBEWRIGHT_HOME": str(home), "HOME": str(home)}

    def __call__(self, *words: str) -> subprocess.CompletedProcess[str]:
        command = [sys.executable, "-m", "kubewright", "cluster", *words]
        return subprocess.run(command, capture_output=True, text=True, check=False, env=self.environment)

    def start(self, *words: str) -> subprocess.Popen[str]:
        command = [sys.executable, "-m", "kubewright", "cluster", "up", *words]
        return subprocess.Popen(
            command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, env=self.environment
        )


@pytest.fixture
def cluster(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Commands]:
    monkeypatch.setenv("KUBEWRIGHT_HOME", str(tmp_path))
    commands = Commands(tmp_path)
    yield commands
    for name in ("default", "other"):
        if Home(name).running():
            commands("down", "--name", name)


def test_up_down_and_status_in_the_background(cluster: Commands, tmp_path: Path) -> None:
    assert cluster("status").returncode == 1
    up = cluster("up", "--detach")
    assert (up.returncode, up.stderr) == (0, "")
    kubeconfig = Path(re.findall(r"KUBECONFIG=(\S+)", up.stdout)[0])
    assert kubeconfig.is_relative_to(tmp_path)
    assert stat.S_IMODE(kubeconfig.stat().st_mode) == 0o600
    assert not (tmp_path / ".kube").exists()
    status = cluster("status")
    assert status.returncode == 0
    assert load_kubeconfig(kubeconfig).server in status.stdout
    pid = int(re.findall(r"pid (\d+)", status.stdout)[0])
    os.kill(pid, 0)
    again = cluster("up")
    assert (again.returncode, again.stdout) == (2, "")
    assert f"is running already (pid {pid})" in again.stderr
    down = cluster("down")
    assert (down.returncode, down.stdout) == (0, "cluster default has stopped.\n")
    assert not kubeconfig.exists()
    assert not Home("default").running()
    assert cluster("down").returncode == 1
    assert cluster("status", "--name", "default").stdout == "default  not running\n"


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_up_in_front_ends_by_a_signal(cluster: Commands, number: signal.Signals) -> None:
    process = cluster.start()
    assert process.stdout is not None
    assert "is ready" in process.stdout.readline()
    process.send_signal(number)
    said, _ = process.communicate(timeout=30)
    assert said.endswith("cluster default has stopped.\n")
    assert process.returncode == 0


def test_what_first_uses_need_is_loaded_when_it_is_ready(cluster: Commands) -> None:
    cluster.environment["PYTHONVERBOSE"] = "1"  # says what is loaded
    process = cluster.start()
    guard = threading.Timer(60, process.kill)  # else it would be waited for in vain
    guard.daemon = True
    guard.start()
    assert process.stdout is not None
    lines = iter(process.stdout.readline, "")
    before = list(itertools.takewhile(lambda line: "is ready" not in line, lines))
    assert not any(line.startswith("import 'kubewright.operator'") for line in before)
    for module in ("kubewright.cluster.registry.kinds.pod.strategy", "kubewright.operator"):
        assert any(line.startswith(f"import '{module}'") for line in lines)
    guard.cancel()
    process.send_signal(signal.SIGTERM)
    said, _ = process.communicate(timeout=30)
    assert "cluster default has stopped.\n" in said
    assert process.returncode == 0


def test_several_clusters_have_several_names(cluster: Commands) -> None:
    assert cluster("up", "--detach").returncode == 0
    assert cluster("up", "--detach", "--name", "other").returncode == 0
    assert len(cluster("status").stdout.splitlines()) == 2
    assert cluster("down", "--name", "other").returncode == 0
    assert cluster("status").stdout.startswith("default  running")


def test_what_was_killed_is_not_running_and_can_be_started_again(cluster: Commands) -> None:
    cluster("up", "--detach")
    state = Home("default").state()
    assert state is not None
    os.kill(state.pid, signal.SIGKILL)
    deadline = clock.monotonic() + 10
    while Home("default").running():
        assert clock.monotonic() < deadline
    assert cluster("status", "--name", "default").returncode == 1
    kubeconfig = Path(state.kubeconfig)
    assert kubeconfig.exists()
    assert cluster("down").stdout == "cluster default had ended without cleaning up; that is done now.\n"
    assert not kubeconfig.exists()
    assert cluster("up", "--detach").returncode == 0


def test_without_a_home_it_says_what_to_set(cluster: Commands) -> None:
    del cluster.environment["KUBEWRIGHT_HOME"], cluster.environment["HOME"]
    code = """
import pathlib
from kubewright.cli.main import main

def nowhere():
    raise RuntimeError("no home")

pathlib.Path.home = nowhere
raise SystemExit(main(["cluster", "status"]))
"""
    command = [sys.executable, "-c", code]
    done = subprocess.run(command, capture_output=True, text=True, check=False, env=cluster.environment)
    assert done.returncode == 2
    assert "set KUBEWRIGHT_HOME" in done.stderr


def test_the_group_of_commands_has_help(cluster: Commands) -> None:
    done = cluster("--help")
    assert done.returncode == 0
    assert "cluster status" in done.stdout


def test_a_named_kubeconfig_keeps_what_is_in_it(cluster: Commands, tmp_path: Path) -> None:
    mine = tmp_path / "mine"
    theirs = {
        "clusters": [{"name": "t", "cluster": {"server": "https://t"}}],
        "users": [{"name": "t", "user": {"token": "x"}}],
        "contexts": [{"name": "t", "context": {"cluster": "t", "user": "t"}}],
        "current-context": "t",
    }
    mine.write_text(json.dumps(theirs))
    assert cluster("up", "--detach", "--kubeconfig", str(mine)).returncode == 0
    assert load_kubeconfig(mine).server.startswith("https://127.0.0.1:")
    assert cluster("down").returncode == 0
    assert load_kubeconfig(mine, context="t").server == "https://t"


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["up", "--port", "x"], "is no port"),
        (["up", "--port", "70000"], "is no port"),
        (["up", "--controllers", "a,b"], "there is no controller 'a'"),
        (["up", "--detach", "--controllers", "nope"], "there is no controller 'nope'"),
        (["up", "--nodes", "-1"], "is no number of nodes"),
        (["up", "--nodes", "10001"], "give one from 0 to 10000"),
        (["up", "--name", "A B"], "cannot name a cluster"),
        (["up", "--data", "/dev/null/x"], "cannot hold the cluster's data"),
        (["down", "--nonsense"], "unrecognized arguments"),
        (["up", "--det"], "unrecognized arguments"),  # or each would start another in the background, for ever
    ],
)
def test_a_mistake_is_one_sentence(cluster: Commands, words: list[str], told: str) -> None:
    done = cluster(*words)
    assert done.returncode == 2
    assert told in done.stderr
    assert "Traceback" not in done.stderr
