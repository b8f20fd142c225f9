"""What to know of an engine before writing a query for it: sentences from a table, ``dialect_notes.toml``."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import cast

_TABLE = Path(__file__).with_name("dialect_notes.toml")


def dialect_notes(language: str, *, engine: str, dialect: str = "") -> tuple[str, ...]:
    """Where an engine differs from what most do, in sentences; none of an engine that is not known.

    Args:
        language: ``"cypher"`` or ``"sparql"``.
        engine: its name, as ``"Virtuoso 7.2"``, or a sentence with its name in it.
        dialect: for Cypher the gate's name of its dialect, as ``"neo4j"``.
    """
    known = _table().get(language, {})
    name = engine.casefold()
    return next(
        (tuple(notes) for key, notes in known.items() if key == dialect or (not dialect and key in name)), ()
    )


@cache
def _table() -> Mapping[str, Mapping[str, list[str]]]:
    import tomllib

    return cast("Mapping[str, Mapping[str, list[str]]]", tomllib.loads(_TABLE.read_text(encoding="utf-8")))
