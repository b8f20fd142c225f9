"""What loaders hand over, before it is part of the graph: relations, their columns, and where their rows come from."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ...core.errors import LoadError, Location
from .catalog import Owner, PropertyColumn
from .codec import sql_type
from .database import quote

if TYPE_CHECKING:
    import duckdb


@dataclass(frozen=True, slots=True)
class PropertySource:
    """Where a property comes from: ``column`` of the relation, which already has the SQL type that
    ``layout.COLUMN_TYPES`` gives for ``column_type`` (``integer`` BIGINT, ``text[]`` VARCHAR[], …). Null: no value."""

    key: str
    column: str
    column_type: str


@dataclass(frozen=True, slots=True)
class SourceOfRows:
    """Where the rows of a relation come from, so that a fault can be shown at its place.

    Attributes:
        file: the file's name for people.
        line_column: a column of the relation with the line of each row, counted from 1.
        locate: for relations without such a column: given the ordinals (from 0, in the relation's order, ascending) of
            rows that are at fault, the places where they stand. Called only when there is a fault.
    """

    file: str
    line_column: str | None = None
    locate: Callable[[Sequence[int]], Sequence[Location | None]] | None = None


@dataclass(frozen=True, slots=True)
class NodeRelation:
    """The arguments of :meth:`PropertyGraphWriter.add_nodes`."""

    relation: str
    id_column: str
    types: tuple[str, ...]
    types_column: str | None
    types_separator: str | None
    properties: tuple[PropertySource, ...]
    source: SourceOfRows | None
    implied: bool


@dataclass(frozen=True, slots=True)
class EdgeRelation:
    """The arguments of :meth:`PropertyGraphWriter.add_edges`."""

    relation: str
    source_column: str
    target_column: str
    type: str | None
    type_column: str | None
    id_column: str | None
    properties: tuple[PropertySource, ...]
    source: SourceOfRows | None


class PropertyColumns:
    """The property columns of nodes or of edges, growing: one for each pair of key and column type."""

    def __init__(self, owner: Owner, existing: Iterable[PropertyColumn] = ()) -> None:
        self._owner: Owner = owner
        self._columns = {
            (column.key, column.column_type): column for column in existing if column.owner == owner
        }
        self._next = max((int(column.column_name[1:]) + 1 for column in self._columns.values()), default=0)

    def column(self, key: str, column_type: str) -> PropertyColumn:
        """The column for this pair, a new one if there was none."""
        pair = (key, column_type)
        if pair not in self._columns:
            self._columns[pair] = PropertyColumn(self._owner, key, column_type, f"p{self._next}")
            self._next += 1
        return self._columns[pair]

    def __iter__(self) -> Iterator[PropertyColumn]:
        return iter(self._columns.values())

    @property
    def names(self) -> list[str]:
        """The SQL names of all columns."""
        return [column.column_name for column in self]

    @property
    def definitions(self) -> str:
        """``, p0 BIGINT, p1 VARCHAR``: what a table's definition says of the columns; empty if there are none."""
        return "".join(f", {column.column_name} {sql_type(column.column_type)}" for column in self)

    def by_key(self) -> list[list[PropertyColumn]]:
        """The columns of each key; a node or edge has a value in at most one of them."""
        found: dict[str, list[PropertyColumn]] = {}
        for column in self:
            found.setdefault(column.key, []).append(column)
        return list(found.values())

    def selection(self, properties: Sequence[PropertySource]) -> dict[str, str]:
        """SQL name of a column to the quoted column of a relation that fills it."""
        return {
            self.column(item.key, item.column_type).column_name: quote(item.column) for item in properties
        }


@dataclass(frozen=True, slots=True)
class FaultyRow:
    """A row at fault: its place, and the texts that were asked for."""

    location: Location | None
    texts: tuple[str | None, ...]


def faulty_rows(
    connection: duckdb.DuckDBPyConnection,
    relation: str,
    source: SourceOfRows | None,
    ordinals: Sequence[int],
    texts: Sequence[str],
) -> list[FaultyRow]:
    """Read rows of a relation once more, to say what is wrong with them.

    Args:
        connection: where the relation is.
        relation: its name.
        source: where its rows come from.
        ordinals: the rows' numbers in the relation, ascending.
        texts: SQL expressions over the relation.
    """
    line = quote(source.line_column) if source and source.line_column else "NULL"
    columns = "".join(f", {sql} AS text_{i}" for i, sql in enumerate(texts))
    rows = connection.execute(
        f"SELECT * EXCLUDE (ordinal) FROM (SELECT row_number() OVER () - 1 AS ordinal, {line} AS line{columns}"
        f" FROM {relation}) WHERE ordinal IN (SELECT unnest($ordinals::BIGINT[])) ORDER BY ordinal",
        {"ordinals": list(ordinals)},
    ).fetchall()
    places: list[Location | None]
    if source is None:
        places = [None] * len(rows)
    elif source.line_column is None and source.locate is not None:
        places = list(source.locate(ordinals))
    else:
        places = [Location(source.file, row[0]) for row in rows]
    return [FaultyRow(place, tuple(row[1:])) for place, row in zip(places, rows, strict=True)]


@dataclass(slots=True)
class Problems:
    """Tells the loader of every problem and counts the rows that it lets go."""

    on_problem: Callable[[LoadError], None]
    skipped: int = 0

    def report(self, problem: LoadError) -> None:
        """A row that cannot be taken. Returns if it is to be left out."""
        self.on_problem(problem)
        self.skipped += 1
