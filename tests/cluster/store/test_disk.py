"""What a process was told is kept when it is killed."""

import contextlib
import os
import signal
import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from kubewright.cluster.store import Store, Unkept
from kubewright.cluster.store.disk import Disk, DiskError


def contents(store: Store) -> list[tuple[str, bytes | None, int, int]]:
    return [(record.key, record.value, record.revision, record.created) for record in store.list("").records]


def put(store: Store, key: str) -> None:
    found = store.get(key)
    store.commit(key, found.revision if found else 0, lambda revision: f"{key}@{revision}".encode())


def reopened(disk: Disk) -> tuple[Store, Disk]:
    disk.close()
    again = Disk(disk.path.parent)
    return Store(again), again


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@given(
    script=st.lists(
        st.tuples(st.sampled_from(["put", "delete", "compact"]), st.sampled_from(["a", "b/1", "b/2"])),
        max_size=25,
    )
)
def test_what_was_written_is_there_again(
    script: list[tuple[str, str]], tmp_path_factory: pytest.TempPathFactory
) -> None:
    disk = Disk(tmp_path_factory.mktemp("data"))
    store = Store(disk)
    for action, key in script:
        found = store.get(key)
        if action == "put":
            put(store, key)
        elif action == "delete" and found:
            store.commit(key, found.revision, None)
        elif action == "compact":
            store.compact(store.revision - 1)
    again, held = reopened(disk)
    assert contents(again) == contents(store)
    assert (again.revision, again.compacted) == (store.revision, store.compacted)
    for revision in range(store.compacted, store.revision + 1):
        assert [(c.key, c.revision) for c in again.changes("", revision)] == [
            (c.key, c.revision) for c in store.changes("", revision)
        ]
        assert [r.revision for r in again.list("", revision=revision).records] == [
            r.revision for r in store.list("", revision=revision).records
        ]
    held.close()


def test_a_second_server_on_the_same_data_is_refused(tmp_path: Path) -> None:
    disk = Disk(tmp_path)
    put(Store(disk), "a")
    with pytest.raises(DiskError, match="another server is using it"):
        Disk(tmp_path)
    disk.close()


def test_a_file_that_is_no_database_is_refused(tmp_path: Path) -> None:
    (tmp_path / "store.sqlite").write_bytes(b"not a database, and long enough to be looked at" * 100)
    with pytest.raises(DiskError, match="cannot hold the cluster's data"):
        Disk(tmp_path)


@pytest.mark.parametrize("page", [1, 4, 8])
def test_a_database_that_was_spoilt_is_told(page: int, tmp_path: Path) -> None:
    disk = Disk(tmp_path)
    store = Store(disk)
    for number in range(500):
        put(store, f"k{number}")
    disk.close()
    with (tmp_path / "store.sqlite").open("r+b") as file:
        file.seek(page * 4096)
        file.write(b"\xff" * 8192)
    told = r"store.sqlite cannot be read: .*; put a copy of it back|cannot hold"
    with pytest.raises(DiskError, match=told), contextlib.closing(Disk(tmp_path)) as spoilt:
        Store(spoilt)


def test_a_change_for_which_there_is_no_room_is_not_made(tmp_path: Path) -> None:
    disk = Disk(tmp_path)
    store = Store(disk)
    put(store, "a")
    disk._database.execute("PRAGMA max_page_count = 1")  # it is made to be what there is
    with pytest.raises(Unkept, match="the change cannot be kept, so it is not made: database or disk is full"):
        store.commit("b", 0, lambda _: b"x" * 1_000_000)
    assert (store.revision, store.get("b")) == (1, None)
    put(store, "a")
    again, held = reopened(disk)
    assert contents(again) == contents(store)
    held.close()


def test_data_of_another_version_is_refused(tmp_path: Path) -> None:
    Disk(tmp_path).close()
    with contextlib.closing(sqlite3.connect(tmp_path / "store.sqlite")) as database:
        database.execute("PRAGMA user_version = 99")
    with pytest.raises(DiskError, match="was written by another version of kubewright"):
        Disk(tmp_path)


def test_a_directory_that_cannot_be_made_is_refused(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(DiskError, match="cannot hold the cluster's data"):
        Disk(tmp_path / "file" / "data")


def test_the_file_is_for_its_owner_alone(tmp_path: Path) -> None:
    Disk(tmp_path / "data").close()
    assert (tmp_path / "data" / "store.sqlite").stat().st_mode & 0o777 == 0o600


WRITER = """
import sys
from pathlib import Path
from kubewright.cluster.store import Store
from kubewright.cluster.store.disk import Disk
store = Store(Disk(Path(sys.argv[1])))
while True:
    record = store.commit(f"k{store.revision + 1}", 0, lambda revision: str(revision).encode())
    print(record.revision, flush=True)
"""


def test_a_killed_process_loses_no_acknowledged_write(tmp_path: Path) -> None:
    acknowledged = 0
    while acknowledged < 1000:
        with subprocess.Popen(
            [sys.executable, "-c", WRITER, str(tmp_path)], stdout=subprocess.PIPE, text=True
        ) as writer:
            assert writer.stdout is not None
            for line in writer.stdout:
                acknowledged = int(line)
                if acknowledged % 150 == 0:
                    os.kill(writer.pid, signal.SIGKILL)
                    rest = [int(line) for line in writer.stdout.read().split("\n")[:-1]]
                    acknowledged = max([acknowledged, *rest])
                    break
        disk = Disk(tmp_path)
        store = Store(disk)
        disk.close()
        assert store.revision >= acknowledged
        assert len(store.list("").records) == store.revision


def test_what_is_kept_after_a_compaction_failed_is_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    disk = Disk(tmp_path)
    store = Store(disk)
    put(store, "a")

    def full(name: str, number: int) -> None:
        raise sqlite3.OperationalError("database or disk is full")

    with monkeypatch.context() as patch:
        patch.setattr(disk, "_set", full)
        with pytest.raises(sqlite3.OperationalError):
            store.compact(1)
    put(store, "b")
    again, disk = reopened(disk)
    assert contents(again) == contents(store)
    disk.close()
