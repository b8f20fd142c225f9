"""DuckDB opened for one of two purposes: to make a graph, or to read one."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from ...core.errors import CorruptGraphError

if TYPE_CHECKING:
    import duckdb

STAGING: Final = "staging"
"""The database in memory, beside the graph's own, where the writer keeps what is not yet part of the graph."""

PREVIOUS: Final = "previous"
"""The version that the graph has now, for the writer to read."""

# DuckDB looks at a thousand values of a Python column to guess its type; a rare one may stand anywhere.
_ALL_VALUES: Final = 2**31 - 1
_MEMORY_LIMIT: Final = "2GB"
_MAGIC: Final = b"DUCK"
_MAGIC_AT: Final = 8
_LOAD_AGAIN: Final = "Load the graph again."
_NO_EXTENSIONS: Final = {"autoinstall_known_extensions": "false", "autoload_known_extensions": "false"}


def quote(identifier: str) -> str:
    """An identifier as SQL writes it."""
    return '"' + identifier.replace('"', '""') + '"'


def literal(text: str) -> str:
    """A text as SQL writes it."""
    return "'" + text.replace("'", "''") + "'"


def connect_for_writing(
    file: Path | None,
    *,
    previous: Path | None,
    reads: Sequence[Path],
    spill: Path | None,
    memory_limit: str | None,
    threads: int | None,
) -> duckdb.DuckDBPyConnection:
    """DuckDB on a new file (``None``: in memory) that can read the files ``reads`` and nothing else.

    Args:
        file: made by this call.
        previous: the database of the version before, attached as :data:`PREVIOUS`.
        reads: files that SQL may read.
        spill: the folder for what does not fit in memory.
        memory_limit: as DuckDB writes it (``"1GB"``); ``None``: most of the machine's memory.
        threads: ``None``: one for each core.
    """
    import duckdb

    config: dict[str, Any] = {**_NO_EXTENSIONS, "pandas_analyze_sample": _ALL_VALUES}
    if memory_limit is not None:
        config["memory_limit"] = memory_limit
    config["temp_directory"] = "" if spill is None else str(spill)
    if threads is not None:
        config["threads"] = threads
    connection = duckdb.connect(":memory:" if file is None else str(file), config=config)
    try:
        connection.execute("SET TimeZone = 'UTC'; SET enable_progress_bar = false")
        connection.execute(f"ATTACH ':memory:' AS {STAGING}")
        if previous is not None:
            connection.execute(f"ATTACH {literal(str(previous))} AS {PREVIOUS} (READ_ONLY)")
        paths = ", ".join(literal(str(path.absolute())) for path in reads)
        connection.execute(f"SET allowed_paths = [{paths}]; SET enable_external_access = false")
    except BaseException:
        connection.close()
        raise
    return connection


def connect_for_reading(file: Path) -> duckdb.DuckDBPyConnection:
    """DuckDB on a published file, read-only: no other file, no extension, no setting can be reached through it.

    Nothing is written anywhere, not even what does not fit in memory: such a query fails.

    Raises:
        CorruptGraphError: the file is missing or is no DuckDB database.
    """
    import duckdb

    if not file.is_file():
        raise CorruptGraphError(f"{file} is missing", advice=_LOAD_AGAIN)
    # DuckDB opens tables of other formats too, as databases of its own making.
    with file.open("rb") as stream:
        if stream.read(_MAGIC_AT + len(_MAGIC))[_MAGIC_AT:] != _MAGIC:
            raise CorruptGraphError(f"{file} is not a DuckDB database", advice=_LOAD_AGAIN)
    # The same for every reader: all connections of a process to one file share one DuckDB.
    config: dict[str, Any] = {
        **_NO_EXTENSIONS,
        "memory_limit": _MEMORY_LIMIT,
        "max_temp_directory_size": "0KB",
        "enable_external_access": "false",
        "lock_configuration": "true",
    }
    try:
        return duckdb.connect(str(file), read_only=True, config=config)
    except duckdb.Error as error:
        reason = str(error).partition("\n")[0]
        raise CorruptGraphError(f"{file} cannot be opened: {reason}", advice=_LOAD_AGAIN) from error
