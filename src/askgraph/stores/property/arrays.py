"""Everything of a property graph that lies in arrays beside its database."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Final

from ...core.adjacency import Adjacency
from .adjacency import build_adjacency, open_adjacency, save_adjacency
from .texts import TextTable, build_text_table, open_text_table

if TYPE_CHECKING:
    from collections.abc import Iterator

    import duckdb

_NODE_IDS: Final = "node_ids"
_EDGE_IDS: Final = "edge_ids"
_CHUNK: Final = 200_000


@dataclass(frozen=True, slots=True, eq=False)
class GraphArrays:
    """Adjacency, node ids by row, and edge ids by row if any edge was given one."""

    adjacency: Adjacency
    node_ids: TextTable
    edge_ids: TextTable | None


def build_arrays(connection: duckdb.DuckDBPyConnection) -> GraphArrays:
    """The arrays of the graph that ``connection`` is on."""
    node_ids = build_text_table(_texts(connection, "nodes"))
    (with_id,) = connection.execute("SELECT count(id) FROM edges").fetchone() or (0,)
    edge_ids = build_text_table(_texts(connection, "edges")) if with_id else None
    return GraphArrays(build_adjacency(connection, len(node_ids)), node_ids, edge_ids)


def save_arrays(arrays: GraphArrays, folder: Path) -> None:
    """Write all arrays to ``folder``."""
    save_adjacency(arrays.adjacency, folder)
    arrays.node_ids.save(folder, _NODE_IDS)
    if arrays.edge_ids is not None:
        arrays.edge_ids.save(folder, _EDGE_IDS)


def open_arrays(folder: Path, *, with_edge_ids: bool) -> GraphArrays:
    """Map all arrays into memory. Raises :class:`CorruptGraphError`."""
    edge_ids = open_text_table(folder, _EDGE_IDS) if with_edge_ids else None
    return GraphArrays(open_adjacency(folder), open_text_table(folder, _NODE_IDS), edge_ids)


def _texts(connection: duckdb.DuckDBPyConnection, table: str) -> Iterator[list[str | None]]:
    rows = connection.execute(f"SELECT id FROM {table} ORDER BY row")
    while chunk := rows.fetchmany(_CHUNK):
        yield [text for (text,) in chunk]
