"""The log in SQLite, so that it outlives the process.

One row for each change, written in a transaction of its own before the change is acknowledged: what the writer was told
is in the database file or its write-ahead log, and a killed process loses none of it. (A power failure may cost the
last moments: WAL is synchronised at checkpoints, not at every commit. This store is for development.)
"""

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from kubewright.cluster.store.record import Record
from kubewright.cluster.store.store import Kept, Unkept
from kubewright.errors import KubewrightError

__all__ = ["Disk", "DiskError"]

_FORM = 1  # of the tables below; another form is refused rather than misread
_TABLES = """
CREATE TABLE IF NOT EXISTS log (revision INTEGER PRIMARY KEY, key TEXT NOT NULL, value BLOB, created INTEGER NOT NULL);
CREATE INDEX IF NOT EXISTS log_key ON log (key, revision);
CREATE TABLE IF NOT EXISTS state (name TEXT PRIMARY KEY, number INTEGER NOT NULL) WITHOUT ROWID;
"""
_FORGET = """
DELETE FROM log WHERE revision IN (
    SELECT old.revision
    FROM (SELECT DISTINCT key FROM log WHERE revision > :before AND revision <= :at) AS changed
    JOIN log AS old ON old.key = changed.key AND old.revision <= :at
    WHERE old.value IS NULL OR old.revision < (
        SELECT max(newer.revision) FROM log AS newer WHERE newer.key = old.key AND newer.revision <= :at
    )
)
"""


class DiskError(KubewrightError):
    """The directory cannot be used."""


class Disk:
    """A journal in a directory. One process at a time may hold it."""

    def __init__(self, directory: Path) -> None:
        self.path = directory / "store.sqlite"
        try:
            directory.mkdir(parents=True, exist_ok=True)
            self.path.touch(mode=0o600)
            self._database = sqlite3.connect(self.path, isolation_level=None, timeout=0.2)
        except (OSError, sqlite3.Error) as error:
            raise DiskError(f"{directory} cannot hold the cluster's data: {error}.") from error
        try:
            self._prepare()
        except sqlite3.Error as error:
            self._database.close()
            why = "another server is using it" if "locked" in str(error) else str(error)
            raise DiskError(f"{directory} cannot hold the cluster's data: {why}.") from error
        except DiskError:
            self._database.close()
            raise

    def _prepare(self) -> None:
        # EXCLUSIVE: a second server on the same data would hand out the same revisions.
        self._database.execute("PRAGMA locking_mode = EXCLUSIVE")
        self._database.execute("PRAGMA journal_mode = WAL")
        self._database.execute("PRAGMA synchronous = NORMAL")
        form = self._database.execute("PRAGMA user_version").fetchone()[0]
        if form not in (0, _FORM):
            raise DiskError(f"{self.path} was written by another version of kubewright; use another directory.")
        self._database.executescript(_TABLES)
        self._database.execute(f"PRAGMA user_version = {_FORM}")

    def load(self) -> Kept:
        """What was kept before."""
        with self._readable():
            state = dict(self._database.execute("SELECT name, number FROM state"))
            newest = self._database.execute("SELECT max(revision) FROM log").fetchone()[0] or 0
        # After a compaction the newest change may be a deletion whose row is gone; its number must not come again.
        return Kept(max(newest, state.get("compacted", 0)), state.get("compacted", 0), self._rows())

    def _rows(self) -> Iterator[tuple[str, bytes | None, int, int]]:
        with self._readable():
            yield from self._database.execute("SELECT key, value, revision, created FROM log ORDER BY revision")

    @contextmanager
    def _readable(self) -> Iterator[None]:
        try:
            yield
        except sqlite3.Error as error:
            why = f"{error}; put a copy of it back, or use another directory"
            raise DiskError(f"{self.path} cannot be read: {why}.") from error

    def append(self, record: Record) -> None:
        """Keep a change."""
        try:
            self._database.execute(
                "INSERT INTO log (revision, key, value, created) VALUES (?, ?, ?, ?)",
                (record.revision, record.key, record.value, record.created),
            )
        except sqlite3.Error as error:
            raise Unkept(f"the change cannot be kept, so it is not made: {error}") from error

    def compact(self, revision: int) -> None:
        """Forget every row that a newer one below the revision replaces, and deletions below it."""
        with self._transaction():
            state = dict(self._database.execute("SELECT name, number FROM state"))
            # Of a key that has not changed since the last time only one row is left: it need not be looked at.
            self._database.execute(_FORGET, {"before": state.get("compacted", 0), "at": revision})
            self._set("compacted", revision)

    def close(self) -> None:
        """Let go of the directory."""
        self._database.close()

    @contextmanager
    def _transaction(self) -> Iterator[None]:
        """All or nothing; left open by a failure, it would swallow every change that is kept after it."""
        self._database.execute("BEGIN")
        with self._database:
            yield

    def _set(self, name: str, number: int) -> None:
        self._database.execute(
            "INSERT INTO state (name, number) VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET number = excluded.number",
            (name, number),
        )
