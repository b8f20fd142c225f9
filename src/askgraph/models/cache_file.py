"""A cache in one SQLite file that several processes may use at once: bytes by key. It heals by starting anew."""

from __future__ import annotations

import logging
import sqlite3
import zlib
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import TypeVar

_log = logging.getLogger(__name__)

# Kept in the file as SQLite's user_version. A file of another format is made anew.
_FORMAT = 1
# SQLite's limit on parameters in one statement is far above this in every version.
_KEYS_PER_QUERY = 500
_T = TypeVar("_T")


class CacheFile:
    """A file of values by key. Not thread-safe: its user holds a lock.

    No method fails because of the file. A damaged one is replaced by an empty one; one that cannot be used (no
    permission, a full disk, another process that does not let go) reads as empty and keeps nothing, and the log
    says so once.
    """

    def __init__(self, path: Path, *, table: str, column: str, row_limit: int, timeout: float = 5.0) -> None:
        """``table`` and ``column``: what is kept, in the plural and in the singular.

        ``row_limit``: how many are kept; the oldest go.

        ``timeout``: seconds to wait for another process that is writing.
        """
        self._path = path
        self._table = table
        self._content = column
        self._row_limit = row_limit
        self._timeout = timeout
        self._connection: sqlite3.Connection | None = None
        self._usable = True

    def read(self, keys: Sequence[bytes]) -> dict[bytes, bytes]:
        """The values that are there, by key. One that was damaged on disk counts as not there."""
        found: dict[bytes, bytes] = {}
        for start in range(0, len(keys), _KEYS_PER_QUERY):
            part = list(keys[start : start + _KEYS_PER_QUERY])
            marks = ",".join("?" * len(part))
            query = f"SELECT key, {self._content}, checksum FROM {self._table} WHERE key IN ({marks})"
            for key, blob, checksum in self._run(partial(_select, query=query, parameters=part)) or ():
                if zlib.crc32(key + blob) == checksum:
                    found[key] = blob
        return found

    def write(self, values: Mapping[bytes, bytes]) -> None:
        """Keep these values; let the oldest go when there are too many."""
        rows = [(key, blob, zlib.crc32(key + blob)) for key, blob in values.items()]
        self._run(lambda database: self._insert(database, rows))

    def close(self) -> None:
        """Close the file; the next use opens it again."""
        if self._connection is not None:
            self._connection.close()
            self._connection = None

    def __del__(self) -> None:
        self.close()

    def _insert(self, database: sqlite3.Connection, rows: list[tuple[bytes, bytes, int]]) -> None:
        insertion = f"INSERT OR REPLACE INTO {self._table} (key, {self._content}, checksum) VALUES (?, ?, ?)"
        oldest = f"DELETE FROM {self._table} WHERE age <= (SELECT max(age) FROM {self._table}) - ?"
        with database:
            database.executemany(insertion, rows)
            database.execute(oldest, (self._row_limit,))

    def _run(self, action: Callable[[sqlite3.Connection], _T]) -> _T | None:
        """Do ``action``; on a damaged file once more with a new one. ``None`` when the file cannot be used."""
        if not self._usable:
            return None
        try:
            try:
                return action(self._open())
            except sqlite3.DatabaseError as error:
                if not _is_damage(error):
                    raise
                _log.warning(
                    "The %s cache %s is damaged (%s) and is made anew.", self._content, self._path, error
                )
                self._delete()
                return action(self._open())
        except (sqlite3.Error, OSError) as error:
            _log.warning("The %s cache %s cannot be used: %s.", self._content, self._path, error)
            self.close()
            # A busy file may be free the next time; anything else will not mend itself.
            self._usable = _is_busy(error)
            return None

    def _open(self) -> sqlite3.Connection:
        if self._connection is not None:
            return self._connection
        self._path.parent.mkdir(parents=True, exist_ok=True)
        database = sqlite3.connect(self._path, timeout=self._timeout, check_same_thread=False)
        try:
            database.execute("PRAGMA journal_mode = WAL")
            database.execute("PRAGMA synchronous = NORMAL")
            self._prepare(database)
        except BaseException:
            database.close()
            raise
        self._connection = database
        return database

    def _prepare(self, database: sqlite3.Connection) -> None:
        # An immediate transaction, so that of two processes that find a new file only one makes the table.
        database.execute("BEGIN IMMEDIATE")
        (version,) = database.execute("PRAGMA user_version").fetchone()
        if version != _FORMAT:
            for (table,) in database.execute(
                "SELECT name FROM sqlite_master WHERE type = 'table'"
            ).fetchall():
                if not table.startswith("sqlite_"):
                    quoted = table.replace('"', '""')
                    database.execute(f'DROP TABLE "{quoted}"')
            columns = f"key BLOB NOT NULL UNIQUE, {self._content} BLOB NOT NULL, checksum INTEGER NOT NULL"
            database.execute(f"CREATE TABLE {self._table} (age INTEGER PRIMARY KEY AUTOINCREMENT, {columns})")
            database.execute(f"PRAGMA user_version = {_FORMAT}")
        database.commit()

    def _delete(self) -> None:
        self.close()
        for suffix in ("", "-wal", "-shm", "-journal"):
            self._path.with_name(self._path.name + suffix).unlink(missing_ok=True)


def _select(
    database: sqlite3.Connection, query: str, parameters: Sequence[bytes]
) -> list[tuple[bytes, bytes, int]]:
    return database.execute(query, parameters).fetchall()


def _is_damage(error: sqlite3.DatabaseError) -> bool:
    return _primary_code(error) in (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB)


def _is_busy(error: BaseException) -> bool:
    return _primary_code(error) in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED)


def _primary_code(error: BaseException) -> int:
    # SQLite's extended codes keep the primary one in their low byte.
    return getattr(error, "sqlite_errorcode", 0) & 0xFF
