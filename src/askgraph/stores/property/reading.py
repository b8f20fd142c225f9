"""Nodes and edges read from a property graph's tables and arrays."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, Any, Final, overload

import numpy as np
from numpy.typing import NDArray

from ...core.graph import Edge, Node, edge_id
from ...core.values import Value
from .arrays import GraphArrays
from .catalog import Catalog, Owner
from .codec import decoder_of, selected
from .hops import find_edge, ordinals_of, sources_of
from .names import NameRules, name_rules

if TYPE_CHECKING:
    import duckdb

Integers = NDArray[np.int64]
BATCH: Final = 10_000


class LazyTexts(Sequence[str]):
    """Texts that are made when they are looked at: a hop's ids are often only counted or compared by number."""

    def __init__(self, numbers: Integers, to_texts: Callable[[Integers], list[str]]) -> None:
        self._numbers = numbers
        self._to_texts = to_texts

    def __len__(self) -> int:
        return len(self._numbers)

    @overload
    def __getitem__(self, index: int) -> str: ...
    @overload
    def __getitem__(self, index: slice) -> Sequence[str]: ...
    def __getitem__(self, index: int | slice) -> str | Sequence[str]:
        if isinstance(index, slice):
            return LazyTexts(self._numbers[index], self._to_texts)
        return self._to_texts(self._numbers[[index]])[0]

    def at(self, places: Sequence[int]) -> list[str]:
        """Those at some places, made at once."""
        return self._to_texts(self._numbers[list(places)])

    def __iter__(self) -> Iterator[str]:
        for start in range(0, len(self), BATCH):
            yield from self._to_texts(self._numbers[start : start + BATCH])

    def __eq__(self, other: object) -> bool:
        """Equal to any sequence of the same texts."""
        if not isinstance(other, Sequence) or isinstance(other, str) or len(other) != len(self):
            return NotImplemented if not isinstance(other, Sequence) else False
        return all(left == right for left, right in zip(self, other, strict=True))

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        return repr(list(self))


class GraphReader:
    """Turns rows and edge numbers of one version of a graph into nodes and edges, and public ids into rows.

    Every method that reads the database takes a cursor that nobody else uses meanwhile.
    """

    def __init__(self, catalog: Catalog, arrays: GraphArrays, rules: NameRules) -> None:
        self.node_types = tuple(catalog.node_type_codes)
        self.edge_types = tuple(catalog.edge_type_codes)
        self._edge_type_codes = catalog.edge_type_codes
        self._arrays = arrays
        self._rules = rules
        self._node_properties = _PropertyReader(catalog, "node")
        self._edge_properties = _PropertyReader(catalog, "edge")

    # --- nodes

    def node_rows(self, ids: Sequence[str]) -> Integers:
        """The row of each id, -1 where there is none."""
        return self._arrays.node_ids.find(ids)

    def node_ids(self, rows: Integers) -> list[str]:
        """The ids of nodes."""
        return self._arrays.node_ids.texts(rows)

    def nodes(self, cursor: duckdb.DuckDBPyConnection, rows: Integers) -> Iterator[Node]:
        """The nodes with these rows, in their order."""
        for start in range(0, len(rows), BATCH):
            batch = rows[start : start + BATCH]
            cells = _read(cursor, "nodes", f"types{self._node_properties.selection}", batch)
            for row, id in zip(batch.tolist(), self.node_ids(batch), strict=True):
                yield self._node(id, cells[row])

    def _node(self, id: str, cells: tuple[Any, ...]) -> Node:
        codes, *values = cells
        properties = self._node_properties.read(values)
        types = tuple(self.node_types[code] for code in codes)
        return Node(id, self._rules.names(id, properties), types, properties)

    # --- edges

    def edge_numbers(self, ids: Sequence[str]) -> Integers:
        """The number of each edge id, -1 where there is none."""
        given = self._arrays.edge_ids
        numbers = np.full(len(ids), -1, dtype=np.int64) if given is None else given.find(ids)
        for position in np.flatnonzero(numbers < 0).tolist():
            numbers[position] = self._number_of_made_id(ids[position])
        return numbers

    def edge_ids(self, numbers: Integers) -> list[str]:
        """The ids of edges: those given, else those made of their content."""
        adjacency = self._arrays.adjacency
        given = self._arrays.edge_ids
        ids = [""] * len(numbers) if given is None else given.texts(numbers)
        made = np.flatnonzero(np.fromiter((not id for id in ids), dtype=np.bool_, count=len(ids)))
        if len(made):
            edges = numbers[made]
            sources = self.node_ids(sources_of(adjacency, edges))
            targets = self.node_ids(adjacency.out_targets[edges].astype(np.int64))
            types = adjacency.out_types[edges].tolist()
            ordinals = ordinals_of(adjacency, edges).tolist()
            content = zip(made.tolist(), sources, types, targets, ordinals, strict=True)
            for position, source, code, target, ordinal in content:
                ids[position] = edge_id(source, self.edge_types[code], target, ordinal)
        return ids

    def edges(self, cursor: duckdb.DuckDBPyConnection, numbers: Integers) -> Iterator[Edge]:
        """The edges with these numbers, in their order."""
        adjacency = self._arrays.adjacency
        for start in range(0, len(numbers), BATCH):
            batch = numbers[start : start + BATCH]
            sources = self.node_ids(sources_of(adjacency, batch))
            targets = self.node_ids(adjacency.out_targets[batch].astype(np.int64))
            types = adjacency.out_types[batch].tolist()
            cells: dict[int, tuple[Any, ...]] = {}
            if self._edge_properties.selection:
                cells = _read(cursor, "edges", self._edge_properties.selection.removeprefix(", "), batch)
            content = zip(batch.tolist(), self.edge_ids(batch), sources, targets, types, strict=True)
            for number, id, source, target, code in content:
                properties = self._edge_properties.read(cells.get(number, ()))
                yield Edge(id, source, target, self.edge_types[code], properties)

    def _number_of_made_id(self, id: str) -> int:
        """Read :func:`askgraph.core.graph.edge_id` backwards."""
        parts = id.split("|")
        if len(parts) not in (3, 4):
            return -1
        source, kind, target = (part.replace("%7C", "|").replace("%25", "%") for part in parts[:3])
        digits = parts[3] if len(parts) == 4 else "0"
        if not (digits.isascii() and digits.isdecimal()) or edge_id(source, kind, target, int(digits)) != id:
            return -1
        ends = self.node_rows([source, target]).tolist()
        code = self._edge_type_codes.get(kind)
        if code is None or min(ends) < 0:
            return -1
        number = find_edge(self._arrays.adjacency, ends[0], code, ends[1], int(digits))
        given = self._arrays.edge_ids
        return number if given is None or number < 0 or not given.text(number) else -1


class _PropertyReader:
    """Reads the property columns of nodes or edges."""

    def __init__(self, catalog: Catalog, owner: Owner) -> None:
        columns = [column for column in catalog.columns if column.owner == owner]
        self.selection = "".join(
            f", {selected(column.column_type, column.column_name)}" for column in columns
        )
        self._readers = [(column.key, decoder_of(column.column_type)) for column in columns]

    def read(self, cells: Sequence[Any]) -> dict[str, Value]:
        """The properties in a row of what :attr:`selection` selects."""
        properties: dict[str, Value] = {}
        for (key, decoder), cell in zip(self._readers, cells, strict=False):
            if cell is not None:
                properties[key] = cell if decoder is None else decoder(cell)
        return properties


def read_name_rules(connection: duckdb.DuckDBPyConnection, catalog: Catalog) -> NameRules:
    """The rules of the graph that ``connection`` is on: those that its loader was given, else the usual ones."""
    rows = connection.execute(
        "SELECT key, value FROM metadata WHERE key IN ('name_properties', 'alias_properties')"
    )
    given = {key: json.loads(value) for key, value in rows.fetchall()}
    return name_rules(
        list(catalog.node_columns), chosen=given.get("name_properties"), aliases=given.get("alias_properties")
    )


def _read(
    cursor: duckdb.DuckDBPyConnection, table: str, selection: str, rows: Integers
) -> dict[int, tuple[Any, ...]]:
    """Row to cells. Rows that follow each other are read as a range, which needs no look-up."""
    if len(rows) and int(rows[-1]) - int(rows[0]) == len(rows) - 1 and bool(np.all(np.diff(rows) == 1)):
        result = cursor.execute(
            f"SELECT row, {selection} FROM {table} WHERE row BETWEEN $first AND $last",
            {"first": int(rows[0]), "last": int(rows[-1])},
        )
    else:
        result = cursor.execute(
            f"SELECT row, {selection} FROM {table} WHERE row IN (SELECT unnest($rows::BIGINT[]))",
            {"rows": np.unique(rows).tolist()},
        )
    return {row: tuple(cells) for row, *cells in result.fetchall()}
