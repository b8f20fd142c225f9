"""Nodes and edges from Python, brought into relations that the writer can merge."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from ...core.errors import BadValueError, Location
from ...core.graph import Edge, Node
from .codec import check_text, encode, sql_type
from .database import STAGING
from .staging import EdgeRelation, NodeRelation, Problems, PropertySource, SourceOfRows

if TYPE_CHECKING:
    import duckdb

_BATCH: Final = 50_000
_Row = tuple[dict[str, Any], dict[tuple[str, str], Any]]


def stage_node_objects(
    connection: duckdb.DuckDBPyConnection,
    table: str,
    nodes: Iterable[Node],
    source: SourceOfRows | None,
    problems: Problems,
) -> NodeRelation:
    """A relation called ``table`` in the staging database with a row for each node."""
    objects = _ObjectTable(connection, table, {"id": "VARCHAR", "types": "VARCHAR[]"}, source, problems)
    objects.fill(nodes, _node_row)
    return NodeRelation(
        relation=objects.name,
        id_column="id",
        types=(),
        types_column="types",
        types_separator=None,
        properties=objects.properties,
        source=objects.source,
        implied=False,
    )


def stage_edge_objects(
    connection: duckdb.DuckDBPyConnection,
    table: str,
    edges: Iterable[Edge],
    source: SourceOfRows | None,
    problems: Problems,
) -> EdgeRelation:
    """A relation called ``table`` in the staging database with a row for each edge."""
    fixed = {"id": "VARCHAR", "source": "VARCHAR", "target": "VARCHAR", "type": "VARCHAR"}
    objects = _ObjectTable(connection, table, fixed, source, problems)
    objects.fill(edges, _edge_row)
    return EdgeRelation(
        relation=objects.name,
        source_column="source",
        target_column="target",
        type=None,
        type_column="type",
        id_column="id",
        properties=objects.properties,
        source=objects.source,
    )


def _node_row(node: Node) -> _Row:
    fixed = {"id": check_text(node.id), "types": [check_text(name) for name in node.types]}
    return fixed, _encoded(node.properties)


def _edge_row(edge: Edge) -> _Row:
    texts = {"id": edge.id, "source": edge.source, "target": edge.target, "type": edge.type}
    return {name: check_text(text) for name, text in texts.items()}, _encoded(edge.properties)


def _encoded(properties: Mapping[str, Any]) -> dict[tuple[str, str], Any]:
    encoded = {}
    for key, value in properties.items():
        if value is not None:
            column_type, stored = encode(value)
            encoded[check_text(key), column_type] = stored
    return encoded


class _ObjectTable:
    """A table that gets a column for each new pair of key and column type."""

    def __init__(
        self,
        connection: duckdb.DuckDBPyConnection,
        table: str,
        fixed: Mapping[str, str],
        source: SourceOfRows | None,
        problems: Problems,
    ) -> None:
        self.name = f"{STAGING}.{table}"
        self._connection = connection
        self._fixed = fixed
        self._given_source = source
        self._problems = problems
        self._columns: dict[tuple[str, str], str] = {}
        self._ordinals_left_out: list[int] = []
        definitions = ", ".join(f"{name} {kind}" for name, kind in fixed.items())
        connection.execute(f"CREATE TABLE {self.name} ({definitions})")

    @property
    def properties(self) -> tuple[PropertySource, ...]:
        """Where each property lies in the table."""
        return tuple(PropertySource(key, name, kind) for (key, kind), name in self._columns.items())

    @property
    def source(self) -> SourceOfRows | None:
        """Where the rows of the table come from."""
        given = self._given_source
        return None if given is None else SourceOfRows(given.file, locate=self._locate)

    def fill(self, items: Iterable[Any], to_row: Any) -> None:
        """Insert all items, in batches; those with a value that cannot be stored are problems."""
        ordinals = itertools.count()
        iterator = iter(items)
        while batch := list(itertools.islice(iterator, _BATCH)):
            self._insert(list(self._rows(batch, to_row, ordinals)))

    def _rows(self, batch: Sequence[Any], to_row: Any, ordinals: Iterator[int]) -> Iterator[_Row]:
        for item, ordinal in zip(batch, ordinals, strict=False):
            try:
                yield to_row(item)
            except BadValueError as error:
                (place,) = self._places([ordinal])
                self._problems.report(BadValueError(error.message, location=place, advice=error.advice))
                self._ordinals_left_out.append(ordinal)

    def _insert(self, rows: Sequence[_Row]) -> None:
        if not rows:
            return
        for _, properties in rows:
            for pair in properties:
                if pair not in self._columns:
                    self._columns[pair] = f"x{len(self._columns)}"
                    self._connection.execute(
                        f"ALTER TABLE {self.name} ADD COLUMN {self._columns[pair]} {sql_type(pair[1])}"
                    )
        used = {pair: None for _, properties in rows for pair in properties}
        columns = {name: _objects([fixed[name] for fixed, _ in rows]) for name in self._fixed}
        for pair in used:
            values = [properties.get(pair) for _, properties in rows]
            if pair[1] in ("float", "float[]"):
                values = _with_nan_as_text(values)
            columns[self._columns[pair]] = _objects(values)
        kinds = dict(self._fixed) | {self._columns[pair]: sql_type(pair[1]) for pair in used}
        selected = ", ".join(f"{name}::{kinds[name]}" for name in columns)
        self._connection.register("batch_of_objects", columns)
        try:
            self._connection.execute(
                f"INSERT INTO {self.name} ({', '.join(columns)}) SELECT {selected} FROM batch_of_objects"
            )
        finally:
            self._connection.unregister("batch_of_objects")

    def _locate(self, rows: Sequence[int]) -> Sequence[Location | None]:
        """Rows of the table are the items but for those left out."""
        ordinals = []
        left_out = iter(self._ordinals_left_out)
        next_left_out, shift = next(left_out, None), 0
        for row in rows:
            while next_left_out is not None and next_left_out <= row + shift:
                next_left_out, shift = next(left_out, None), shift + 1
            ordinals.append(row + shift)
        return self._places(ordinals)

    def _places(self, ordinals: Sequence[int]) -> Sequence[Location | None]:
        given = self._given_source
        if given is None:
            return [None] * len(ordinals)
        return given.locate(ordinals) if given.locate else [Location(given.file)] * len(ordinals)


def _with_nan_as_text(values: list[Any]) -> list[Any]:
    """DuckDB takes a NaN from Python for null, but not its text. ``repr`` of a float is exact."""
    floats = [item for value in values for item in (value if isinstance(value, list) else [value])]
    if not any(item is not None and math.isnan(item) for item in floats):
        return values
    return [
        [None if item is None else repr(item) for item in value]
        if isinstance(value, list)
        else None
        if value is None
        else repr(value)
        for value in values
    ]


def _objects(values: list[Any]) -> np.ndarray[Any, np.dtype[np.object_]]:
    # Element by element: numpy would make a matrix of lists of equal length.
    array = np.empty(len(values), dtype=object)
    for i, value in enumerate(values):
        array[i] = value
    return array
