"""A graph as two relations in DuckDB, of nodes and of edges, from which tables are written.

A property graph in a folder lies in DuckDB already. Any other graph is read once, node by node and edge by edge, into a
file beside the tables; its columns grow as new keys turn up.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from ...core.errors import ExportError, LoadError
from ...core.graph import Edge
from ...core.progress import Progress
from ..base import GraphStore
from ..property.catalog import Owner, PropertyColumn
from ..property.database import STAGING, literal
from ..property.layout import DATABASE_FILE
from ..property.objects import stage_edge_objects, stage_node_objects
from ..property.staging import Problems, PropertySource
from ..property.store import PropertyStore
from .objects import checked_edges, checked_nodes, given_id, without_id, without_type

if TYPE_CHECKING:
    import duckdb

_SHOWN_AT_ONCE: Final = 10_000
_STAGING_FILE: Final = "staging.duckdb"
_STORED: Final = "stored"


@dataclass(frozen=True, slots=True)
class Relations:
    """Queries, and where the properties lie in what they give.

    Attributes:
        nodes: with the columns ``ordinal`` (their order), ``id``, ``types`` (a list), and those of properties.
        node_properties: what the latter are.
        node_count: how many nodes there are.
        edges: with ``ordinal``, ``source``, ``target``, ``type``, ``id`` (null or empty: made from the content), and
            those of properties.
        edge_properties: what the latter are.
        edge_count: how many edges there are.
    """

    nodes: str
    node_properties: tuple[PropertySource, ...]
    node_count: int
    edges: str
    edge_properties: tuple[PropertySource, ...]
    edge_count: int


def relations_of(
    connection: duckdb.DuckDBPyConnection, store: GraphStore, folder: Path, progress: Progress
) -> Relations:
    """Bring a graph to ``connection``; files that this takes are made in ``folder``.

    Raises:
        ExportError: a node without id, or an edge without type.
    """
    if isinstance(store, PropertyStore) and store.version_folder is not None:
        return _stored(connection, store, store.version_folder / DATABASE_FILE)
    return _staged(connection, store, folder / _STAGING_FILE, progress)


# --- a graph that lies in DuckDB


def _stored(connection: duckdb.DuckDBPyConnection, store: PropertyStore, database: Path) -> Relations:
    connection.execute(f"ATTACH {literal(str(database))} AS {_STORED} (READ_ONLY)")
    connection.execute(f"USE {_STORED}")
    _refuse_the_nameless(connection)
    columns = connection.execute(
        "SELECT owner, key, column_type, column_name FROM property_columns ORDER BY owner, position"
    ).fetchall()
    properties = [PropertyColumn(*row) for row in columns]
    # A subquery cannot stand within a lambda.
    names = (
        "(SELECT map(list(code ORDER BY code), list(name ORDER BY code)) AS of_code FROM node_types) AS names"
    )
    types = "list_transform(types, lambda code: names.of_code[code]) AS types"
    schema = store.schema()
    return Relations(
        nodes=f"SELECT row AS ordinal, id, {types}{_selected(properties, 'node')} FROM nodes, {names}",
        node_properties=_sources(properties, "node"),
        node_count=schema.node_count,
        edges=(
            "SELECT e.row AS ordinal, s.id AS source, t.id AS target, y.name AS type, e.id AS id"
            f"{_selected(properties, 'edge', 'e.')} FROM edges AS e JOIN nodes AS s ON s.row = e.source"
            " JOIN nodes AS t ON t.row = e.target JOIN edge_types AS y ON y.code = e.type"
        ),
        edge_properties=_sources(properties, "edge"),
        edge_count=schema.edge_count,
    )


def _refuse_the_nameless(connection: duckdb.DuckDBPyConnection) -> None:
    if connection.execute("SELECT 1 FROM nodes WHERE id = '' LIMIT 1").fetchone():
        raise without_id()
    if connection.execute("SELECT 1 FROM edge_types WHERE name = '' LIMIT 1").fetchone():
        raise without_type()


def _sources(columns: Iterable[PropertyColumn], owner: Owner) -> tuple[PropertySource, ...]:
    return tuple(
        PropertySource(column.key, column.column_name, column.column_type)
        for column in columns
        if column.owner == owner
    )


def _selected(columns: Iterable[PropertyColumn], owner: Owner, prefix: str = "") -> str:
    return "".join(f", {prefix}{column.column_name}" for column in columns if column.owner == owner)


# --- any other graph


def _staged(
    connection: duckdb.DuckDBPyConnection, store: GraphStore, file: Path, progress: Progress
) -> Relations:
    connection.execute(f"ATTACH {literal(str(file))} AS {STAGING}")
    schema = store.schema()
    nodes = _Counted(checked_nodes(store), "reading nodes", schema.node_count, progress)
    edges = _Counted(
        map(_without_made_id, checked_edges(store)), "reading edges", schema.edge_count, progress
    )
    problems = Problems(_raise)
    of_nodes = stage_node_objects(connection, "nodes", nodes, None, problems)
    of_edges = stage_edge_objects(connection, "edges", edges, None, problems)
    return Relations(
        nodes=f"SELECT rowid AS ordinal, * FROM {of_nodes.relation}",
        node_properties=of_nodes.properties,
        node_count=nodes.count,
        edges=f"SELECT rowid AS ordinal, * FROM {of_edges.relation}",
        edge_properties=of_edges.properties,
        edge_count=edges.count,
    )


class _Counted:
    """Items that are counted, and shown, as they pass."""

    def __init__(self, items: Iterable[Any], label: str, total: int, progress: Progress) -> None:
        self.count = 0
        self._items = items
        self._label = label
        self._total = total
        self._progress = progress

    def __iter__(self) -> Iterator[Any]:
        self._progress.start(self._label, self._total)
        for item in self._items:
            self.count += 1
            if self.count % _SHOWN_AT_ONCE == 0:
                self._progress.advance(_SHOWN_AT_ONCE)
            yield item
        self._progress.advance(self.count % _SHOWN_AT_ONCE)
        self._progress.finish()


def _without_made_id(edge: Edge) -> Edge:
    return edge if given_id(edge) is not None else replace(edge, id="")


def _raise(problem: LoadError) -> None:
    raise ExportError(problem.message, advice=problem.advice)
