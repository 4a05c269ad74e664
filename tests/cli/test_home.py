import fcntl
import threading
from pathlib import Path

import pytest

from kubewright.cli.home import Home, HomeError, State, homes


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Home:
    monkeypatch.setenv("KUBEWRIGHT_HOME", str(tmp_path))
    home = Home("default")
    home.path.mkdir(parents=True)
    return home


def test_a_cluster_that_starts_is_not_taken_for_one_that_was_killed(home: Home) -> None:
    home.write(State(1, "https://127.0.0.1:1", "kubeconfig"))
    with home.hold():
        assert home.running()
        assert home.state() is None
        with pytest.raises(HomeError, match="still starting"):
            home.end()


def test_two_who_look_at_once_see_no_cluster(home: Home) -> None:
    with (home.path / "lock").open("a") as lock:
        fcntl.flock(lock, fcntl.LOCK_SH)
        assert not home.running()


def test_who_only_looks_does_not_keep_a_cluster_from_starting(home: Home, monkeypatch: pytest.MonkeyPatch) -> None:
    lock = (home.path / "lock").open("a")
    fcntl.flock(lock, fcntl.LOCK_SH)
    monkeypatch.setattr(threading.Event, "wait", lambda *_: lock.close())  # he has seen enough
    with home.hold():
        assert home.running()


def test_a_name_has_one_cluster(home: Home, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(threading.Event, "wait", lambda *_: None)
    with home.hold(), pytest.raises(HomeError, match="is running already"), Home("default").hold():
        pass


def test_a_stray_directory_is_no_cluster(home: Home) -> None:
    home.make()
    (home.path.parent / "Not a cluster").mkdir()
    assert [found.name for found in homes()] == [home.name]
