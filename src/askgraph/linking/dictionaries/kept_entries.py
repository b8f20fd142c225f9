"""The entries of dictionaries that are about the nodes of one graph, kept beside its index: what is behind a link is
then known without reading files of millions of lines again."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Mapping, Sequence
from contextlib import closing, suppress
from pathlib import Path
from typing import Final

from .entries import DictionaryEntry

_FILE: Final = "dictionary_entries.sqlite"
_NODES_A_QUERY: Final = 500


def save_entries(entries: Mapping[str, Sequence[DictionaryEntry]], folder: Path, version: str) -> None:
    """Keep the entries of nodes, by the nodes' ids, in place of earlier ones. ``version``: what they were found by.

    Where that cannot be done nothing is kept, and nothing is lost but time: the files say the same.
    """
    draft = folder / f"{_FILE}.draft"
    with suppress(OSError, sqlite3.Error):
        draft.unlink(missing_ok=True)
        with closing(sqlite3.connect(draft)) as database, database:
            database.execute("CREATE TABLE version (text TEXT)")
            database.execute("INSERT INTO version VALUES (?)", (version,))
            database.execute(
                "CREATE TABLE entries (node TEXT, id TEXT, name TEXT, source TEXT, file TEXT, line INTEGER)"
            )
            database.executemany("INSERT INTO entries VALUES (?, ?, ?, ?, ?, ?)", _rows(entries))
            database.execute("CREATE INDEX by_node ON entries (node)")
        draft.replace(folder / _FILE)
    with suppress(OSError):
        draft.unlink(missing_ok=True)


def read_entries(nodes: Sequence[str], folder: Path, version: str) -> dict[str, list[DictionaryEntry]] | None:
    """The entries that are about some nodes, in their order; ``None`` where none of that version are kept, or their
    file cannot be read: the dictionaries themselves say the same."""
    file = folder / _FILE
    if not file.is_file():
        return None
    try:
        with closing(sqlite3.connect(f"{file.absolute().as_uri()}?mode=ro", uri=True)) as database:
            if database.execute("SELECT text FROM version").fetchall() != [(version,)]:
                return None
            found: dict[str, list[DictionaryEntry]] = {node: [] for node in nodes}
            for start in range(0, len(nodes), _NODES_A_QUERY):
                part = list(nodes[start : start + _NODES_A_QUERY])
                marks = ",".join("?" * len(part))
                query = f"SELECT * FROM entries WHERE node IN ({marks}) ORDER BY rowid"
                for node, *said in database.execute(query, part):
                    found[node].append(DictionaryEntry(*said))
            return found
    except (sqlite3.Error, TypeError):
        return None


def _rows(
    entries: Mapping[str, Sequence[DictionaryEntry]],
) -> Iterable[tuple[str, str, str, str, str, int]]:
    for node, own in entries.items():
        for entry in own:
            yield node, entry.id, entry.name, entry.source, entry.file, entry.line
