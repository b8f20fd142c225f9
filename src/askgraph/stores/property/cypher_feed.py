"""The truth, piece by piece, for the process that runs Cypher to make its own graph of.

A piece is a JSON object with rows that are alike, so that one statement can store them all::

    {"nodes": [label, …], "keys": [[key, [kind, …]], …], "numbers": [row, …], "rows": [[id, cell, …], …]}
    {"edges": [source label, type, target label], "keys": …, "numbers": [edge, …],
     "rows": [[source id, target id, cell, …], …]}

The cells of a row are those of all kinds of all keys; at most one of a key is not null. A kind says how a cell is
written: ``plain`` as it is, ``date``, ``time``, ``datetime`` and ``duration`` as ISO 8601, ``point`` as latitude and
longitude, ``json`` in the form of :mod:`askgraph.core.values`.
"""

from __future__ import annotations

import base64
import json
from collections import defaultdict
from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from ...core.values import Duration, Point, to_json_value
from ..workers.process import Handed
from .arrays import GraphArrays
from .catalog import Catalog, Owner, PropertyColumn
from .codec import decode, selected
from .database import quote
from .hops import sources_of
from .layout import ID_KEY

if TYPE_CHECKING:
    import duckdb

MOST_LIST_NUMBERS: Final = 20_000_000
"""Numbers in the lists of one property, in all; of a property with more the engine gets nothing."""

# Nodes may hold long texts and lists; edges are many and small, and make better statements together.
_NODES_AT_ONCE: Final = 2_000
_EDGES_AT_ONCE: Final = 20_000
_WGS_84: Final = 4326
_LARGEST_MONTHS: Final = 2**31 - 1
_LARGEST_SECONDS: Final = 2**33

Cursors = Callable[[], AbstractContextManager["duckdb.DuckDBPyConnection"]]
Cells = dict[tuple[str, str], list[Any]]


class CypherFeed:
    """Reads one version of a property graph for its Cypher engine.

    Attributes:
        left_out: properties that the engine does not get, because their lists are too long.
    """

    def __init__(self, cursors: Cursors, catalog: Catalog, arrays: GraphArrays) -> None:
        """Args:
        cursors: gives a cursor that nobody else uses meanwhile.
        catalog: of the graph.
        arrays: of the same graph.
        """
        self._cursors = cursors
        self._catalog = catalog
        self._arrays = arrays
        with cursors() as cursor:
            long = [column for column in catalog.columns if _is_too_long(cursor, column)]
        self.left_out = tuple(dict.fromkeys(column.key for column in long))
        self._columns = [column for column in catalog.columns if column not in long]

    @property
    def size(self) -> int:
        """Nodes and edges in all."""
        return self._arrays.adjacency.node_count + self._arrays.adjacency.edge_count

    def pieces(self) -> Generator[Handed]:
        """All nodes, then all edges."""
        with self._cursors() as cursor:
            labels = np.zeros(self._arrays.adjacency.node_count, dtype=np.int32)
            ids = self._own_ids(cursor)
            yield from self._nodes(cursor, labels, ids)
            yield from self._edges(cursor, labels, ids)

    # --- nodes

    def _nodes(
        self, cursor: duckdb.DuckDBPyConnection, labels: np.ndarray[Any, Any], own: Mapping[int, Any]
    ) -> Iterator[Handed]:
        """Nodes by the labels that they have; ``labels`` becomes the code of the first label of each, -1 without."""
        names = tuple(self._catalog.node_type_codes)
        columns = [column for column in self._columns if column.owner == "node" and column.key != ID_KEY]
        for start in range(0, len(labels), _NODES_AT_ONCE):
            rows = np.arange(start, min(start + _NODES_AT_ONCE, len(labels)), dtype=np.int64)
            found = _read(cursor, "nodes", ["types", *_selection(columns)], rows)
            ids = [own.get(row, id) for row, id in zip(rows.tolist(), self._node_ids(rows), strict=True)]
            groups: dict[tuple[int, ...], list[int]] = defaultdict(list)
            for place, codes in enumerate(found[0]):
                groups[tuple(codes)].append(place)
                labels[start + place] = codes[0] if codes else -1
            cells = _cells(columns, found[1:])
            for codes, places in groups.items():
                yield _piece(
                    {"nodes": [names[code] for code in codes]},
                    cells,
                    places,
                    [start + place for place in places],
                    [[ids[place]] for place in places],
                )

    def _own_ids(self, cursor: duckdb.DuckDBPyConnection) -> Mapping[int, Any]:
        """The property ``id`` of each node that has one, by row, if nodes can be told apart by it.

        The engine has one place for ids. Where the property cannot stand there, the public ids do alone.
        """
        columns = self._catalog.node_columns.get(ID_KEY, ())
        if [column.column_type for column in columns] not in (["text"], ["integer"]):
            return {}
        name = columns[0].column_name
        own = dict(cursor.execute(f"SELECT row, {name} FROM nodes WHERE {name} IS NOT NULL").fetchall())
        seen: set[tuple[int, Any]] = set()
        for start in range(0, self._arrays.adjacency.node_count, _NODES_AT_ONCE):
            rows = np.arange(
                start, min(start + _NODES_AT_ONCE, self._arrays.adjacency.node_count), dtype=np.int64
            )
            types = _read(cursor, "nodes", ["types"], rows)[0]
            for row, id, codes in zip(rows.tolist(), self._node_ids(rows), types, strict=True):
                seen.add((codes[0] if codes else -1, own.get(row, id)))
        return own if len(seen) == self._arrays.adjacency.node_count else {}

    def _node_ids(self, rows: np.ndarray[Any, Any]) -> list[str]:
        return self._arrays.node_ids.texts(rows)

    # --- edges

    def _edges(
        self, cursor: duckdb.DuckDBPyConnection, labels: np.ndarray[Any, Any], own: Mapping[int, Any]
    ) -> Iterator[Handed]:
        """Edges by their type and the first labels of their ends."""
        adjacency = self._arrays.adjacency
        names, types = (*self._catalog.node_type_codes, ""), tuple(self._catalog.edge_type_codes)
        columns = [column for column in self._columns if column.owner == "edge"]
        for start in range(0, adjacency.edge_count, _EDGES_AT_ONCE):
            numbers = np.arange(start, min(start + _EDGES_AT_ONCE, adjacency.edge_count), dtype=np.int64)
            sources, targets = sources_of(adjacency, numbers), adjacency.out_targets[numbers].astype(np.int64)
            ends = [
                [own.get(source, source_id), own.get(target, target_id)]
                for source, source_id, target, target_id in zip(
                    sources.tolist(),
                    self._node_ids(sources),
                    targets.tolist(),
                    self._node_ids(targets),
                    strict=True,
                )
            ]
            groups: dict[tuple[int, int, int], list[int]] = defaultdict(list)
            keys = zip(
                labels[sources].tolist(),
                adjacency.out_types[numbers].tolist(),
                labels[targets].tolist(),
                strict=True,
            )
            for place, key in enumerate(keys):
                groups[key].append(place)
            found = _read(cursor, "edges", _selection(columns), numbers) if columns else []
            cells = _cells(columns, found)
            for (source, type, target), places in groups.items():
                yield _piece(
                    {"edges": [names[source], types[type], names[target]]},
                    cells,
                    places,
                    [start + place for place in places],
                    [ends[place] for place in places],
                )


def _selection(columns: Sequence[PropertyColumn]) -> list[str]:
    return [selected(column.column_type, quote(column.column_name)) for column in columns]


def _read(
    cursor: duckdb.DuckDBPyConnection, table: str, selection: Sequence[str], rows: np.ndarray[Any, Any]
) -> list[tuple[Any, ...]]:
    """What is selected of rows that follow each other: for each expression its cells."""
    found = cursor.execute(
        f"SELECT {', '.join(selection)} FROM {table} WHERE row BETWEEN $first AND $last ORDER BY row",
        {"first": int(rows[0]), "last": int(rows[-1])},
    ).fetchall()
    return list(zip(*found, strict=True))


def _is_too_long(cursor: duckdb.DuckDBPyConnection, column: PropertyColumn) -> bool:
    if not column.is_list:
        return False
    table: Mapping[Owner, str] = {"node": "nodes", "edge": "edges"}
    row = cursor.execute(
        f"SELECT sum(len({quote(column.column_name)})) FROM {table[column.owner]}"
    ).fetchone()
    return row is not None and (row[0] or 0) > MOST_LIST_NUMBERS


def _piece(
    head: dict[str, Any],
    cells: Cells,
    places: Sequence[int],
    numbers: Sequence[int],
    rows: Sequence[list[Any]],
) -> Handed:
    keys: dict[str, list[str]] = {}
    for (key, kind), column in cells.items():
        if any(column[place] is not None for place in places):
            keys.setdefault(key, []).append(kind)
    for key, kinds in keys.items():
        for kind in kinds:
            column = cells[key, kind]
            for row, place in zip(rows, places, strict=True):
                row.append(column[place])
    content = head | {"keys": list(keys.items()), "numbers": list(numbers), "rows": list(rows)}
    return Handed(json.dumps(content, separators=(",", ":")).encode(), len(rows))


# --- cells


def _cells(columns: Sequence[PropertyColumn], found: Sequence[Sequence[Any]]) -> Cells:
    """The cells by key and kind; a key whose values have several types may have several kinds."""
    cells: Cells = {}
    for column, stored in zip(columns, found, strict=True):
        writer = _WRITERS.get(column.column_type, _as_json if column.is_list else None)
        if writer is None or column.column_type in _PLAIN_LISTS:
            _put(cells, column.key, "plain", stored)
            continue
        written = [None if cell is None else writer(column.column_type, cell) for cell in stored]
        for kind in dict.fromkeys(item[0] for item in written if item is not None):
            part = [item[1] if item is not None and item[0] == kind else None for item in written]
            _put(cells, column.key, kind, part)
    return cells


def _put(cells: Cells, key: str, kind: str, values: Sequence[Any]) -> None:
    """Add a column; two columns of one key never both have a value in one row."""
    there = cells.get((key, kind))
    if there is None:
        cells[key, kind] = list(values)
    else:
        cells[key, kind] = [new if old is None else old for old, new in zip(there, values, strict=True)]


def _as_json(column_type: str, stored: Any) -> tuple[str, Any]:
    return "json", to_json_value(decode(column_type, stored))


def _as_float(column_type: str, stored: Any) -> tuple[str, Any]:
    """What has more digits than the engine's numbers."""
    try:
        return "plain", float(stored)
    except OverflowError:
        return "plain", str(stored)


def _as_iso(column_type: str, stored: Any) -> tuple[str, Any]:
    kind = "datetime" if column_type == "zoned_datetime" else column_type
    return kind, decode(column_type, stored).isoformat()  # type: ignore[union-attr]


def _as_duration(column_type: str, stored: str) -> tuple[str, Any]:
    duration = Duration.parse(stored)
    fits = (
        abs(duration.months) <= _LARGEST_MONTHS
        and abs(duration.days) <= _LARGEST_MONTHS
        and abs(duration.microseconds) <= _LARGEST_SECONDS * 1_000_000
    )
    return "duration" if fits else "plain", stored


def _as_point(column_type: str, stored: str) -> tuple[str, Any]:
    """The engine's points lie on the globe; others are maps."""
    point = decode(column_type, stored)
    assert isinstance(point, Point)
    if point.srid == _WGS_84 and point.z is None and abs(point.y) <= 90 and abs(point.x) <= 180:
        return "point", [point.y, point.x]
    return "json", to_json_value(point)


def _as_base64(column_type: str, stored: bytes) -> tuple[str, Any]:
    return "plain", base64.b64encode(stored).decode("ascii")


_PLAIN_LISTS: Final = frozenset(("boolean[]", "integer[]", "float[]", "text[]"))

_WRITERS: Final[Mapping[str, Callable[[str, Any], tuple[str, Any]]]] = {
    "big_integer": _as_float,
    "decimal": _as_float,
    "date": _as_iso,
    "time": _as_iso,
    "datetime": _as_iso,
    "zoned_datetime": _as_iso,
    "duration": _as_duration,
    "bytes": _as_base64,
    "point": _as_point,
    "json": _as_json,
}
"""How the cells of a type of column are written; those of others are plain."""
