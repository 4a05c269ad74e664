import os
import re
import select
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from kubewright.testing.process import Child, ChildError, wait_until

PYTHON = Path(sys.executable)

#: Says that it runs, and does so until it is told not to.
RUN = "import signal; print('running', flush=True); signal.pause()"

#: The same, but it does not listen to SIGTERM.
STUBBORN = "import signal; signal.signal(signal.SIGTERM, signal.SIG_IGN);" + RUN

#: The same, with a child of its own in its group.
FOREMAN = (
    f"import subprocess, sys; print('pid', subprocess.Popen([sys.executable, '-c', {RUN!r}]).pid, flush=True);" + RUN
)

#: A parent that starts a child, tells its pid, and waits to be killed.
PARENT = f"""
import signal, sys
from pathlib import Path
from kubewright.testing.process import Child, wait_until
child = Child(Path(sys.executable), ["-c", {RUN!r}], Path(sys.argv[1]))
wait_until(lambda: "running" in child.tail(), [child], 30)
print(child.process.pid, flush=True)
signal.pause()
"""


@pytest.fixture
def log(tmp_path: Path) -> Path:
    return tmp_path / "log"


@pytest.fixture
def child(log: Path) -> Iterator[Child]:
    child = Child(PYTHON, ["-c", RUN], log)
    yield child
    child.stop()


def start(program: str, log: Path) -> Child:
    child = Child(PYTHON, ["-c", program], log)
    wait_until(lambda: "running" in child.tail(), [child], 30)
    return child


def gone(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return True
    return False


def test_a_stopped_child_is_gone(log: Path) -> None:
    child = start(RUN, log)
    child.stop()
    assert gone(child.process.pid)


def test_a_child_is_first_asked_to_end(log: Path) -> None:
    child = start(RUN, log)
    child.stop()
    assert child.process.returncode == -signal.SIGTERM


def test_a_child_that_will_not_end_is_killed(log: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("kubewright.testing.process._GRACE", 0.01)
    child = start(STUBBORN, log)
    child.stop()
    assert child.process.returncode == -signal.SIGKILL


def test_what_a_child_started_goes_with_it(log: Path) -> None:
    child = start(FOREMAN, log)
    wait_until(lambda: re.search(r"pid \d+\n", log.read_text()) is not None, [child], 30)
    grandchild = os.pidfd_open(int(child.tail().partition("pid ")[2].split()[0]))
    child.stop()
    assert select.select([grandchild], [], [], 30)[0]
    os.close(grandchild)


def test_stopping_twice_is_harmless(child: Child) -> None:
    child.stop()
    child.stop()


def test_a_parent_that_is_killed_takes_its_child_along(log: Path) -> None:
    with subprocess.Popen([PYTHON, "-c", PARENT, log], stdout=subprocess.PIPE, text=True) as parent:
        assert parent.stdout is not None
        orphan = os.pidfd_open(int(parent.stdout.readline()))
        parent.kill()
        assert select.select([orphan], [], [], 30)[0]
        os.close(orphan)


def test_a_child_that_ends_early_is_told_with_the_end_of_its_log(log: Path) -> None:
    child = Child(PYTHON, ["-c", "print('no room left'); raise SystemExit(3)"], log)
    with pytest.raises(ChildError, match=r"ended with status 3 before it was ready; its log ends:\nno room left"):
        wait_until(lambda: False, [child], 30)


def test_a_child_that_is_never_ready_is_told_with_the_end_of_its_log(log: Path) -> None:
    child = start(RUN, log)
    with pytest.raises(ChildError, match=r"was not ready after 0 s; its log ends:\nrunning"):
        wait_until(lambda: False, [child], 0)
    child.stop()


def test_the_death_of_an_earlier_child_is_told_as_its_own(log: Path, tmp_path: Path, child: Child) -> None:
    earlier = Child(PYTHON, ["-c", "print('the earlier one')"], tmp_path / "earlier")
    with pytest.raises(ChildError, match="the earlier one"):
        wait_until(lambda: False, [earlier, child], 30)


def test_only_the_last_lines_are_shown(log: Path) -> None:
    child = Child(PYTHON, ["-c", "for i in range(100): print(i)"], log)
    child.process.wait()
    assert child.tail(3) == "97\n98\n99"
