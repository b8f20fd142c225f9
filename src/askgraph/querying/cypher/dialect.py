"""What the engines that speak a language allow: tables, one file each in ``dialects/``."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from pathlib import Path

from ...core.errors import SettingsError

_TABLES = Path(__file__).parent / "dialects"

DIALECTS = ("neo4j", "memgraph", "neptune", "falkordb", "kglite", "ladybug", "age")
"""The dialects of openCypher."""


@dataclass(frozen=True, slots=True)
class Dialect:
    """What one engine allows.

    Attributes:
        name: how it is called in settings.
        title: how it is called in messages.
        constructs: the clauses and expressions that it has.
        functions: for each function in lower case its usual spelling. Names of functions are compared without case.
        reading_procedures: procedures that are known to read only. They are allowed by the operator alone; the table
            serves advice.
        prefix_options: options that may stand before a query.
        cypher_25: constructs that a server takes only where the query says ``CYPHER 25``.
        has_backslashes_in_names: whether a backslash in a quoted name is known to be a character like any other.
        ends_at: what would end the query, even in a string, where it is sent inside a text of another language.
    """

    name: str
    title: str
    constructs: frozenset[str]
    functions: dict[str, str]
    reading_procedures: frozenset[str]
    prefix_options: frozenset[str]
    cypher_25: frozenset[str]
    has_backslashes_in_names: bool
    ends_at: str


@cache
def dialect_named(name: str) -> Dialect:
    """The table of a dialect. Raises :class:`SettingsError` if there is none with this name."""
    import tomllib

    if name not in DIALECTS:
        known = ", ".join(DIALECTS)
        raise SettingsError(f"no dialect of Cypher is called {name!r}", advice=f"There are: {known}.")
    table = tomllib.loads((_TABLES / f"{name}.toml").read_text(encoding="utf-8"))
    return Dialect(
        name=name,
        title=table["title"],
        constructs=frozenset(table["constructs"]),
        functions={function.lower(): function for function in table["functions"].split()},
        reading_procedures=frozenset(table["reading_procedures"].split()),
        prefix_options=frozenset(table["prefix_options"]),
        cypher_25=frozenset(table.get("cypher_25", ())),
        has_backslashes_in_names=table.get("has_backslashes_in_names", False),
        ends_at=table.get("ends_at", ""),
    )
