"""CSV and Parquet: a table of nodes and a table of edges, with the headers of neo4j-admin.

Columns are ``:ID``, ``:LABEL`` (nodes) and ``:START_ID``, ``:END_ID``, ``:TYPE``, ``:ID`` (edges), and for each
property and type of its values one like ``born:date`` or ``tags:string[]`` (see :mod:`.fields`). ``:ID`` of an
edge is empty unless the edge was given an id.

The rows go through a DuckDB file beside the tables, which is removed in the end: its columns grow as new keys
turn up, so that the graph is read only once.
"""

from __future__ import annotations

import shutil
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from ...core.errors import ExportError, LoadError
from ...core.graph import Edge
from ...core.progress import Progress
from ..base import GraphStore
from ..property.database import STAGING, literal
from ..property.objects import stage_edge_objects, stage_node_objects
from ..property.staging import Problems, PropertySource
from .fields import Field, header_line, named_columns, property_fields, texts_as_cell
from .objects import checked_edges, checked_nodes, given_id, losses
from .report import ExportFormat, ExportReport

if TYPE_CHECKING:
    import duckdb

_STAGING_FILE: Final = "staging.duckdb"
_SHOWN_AT_ONCE: Final = 10_000
_CONFIGURATION: Final[dict[str, Any]] = {
    "autoinstall_known_extensions": "false",
    "autoload_known_extensions": "false",
    "memory_limit": "1GB",
    # DuckDB looks at a thousand values of a Python column to guess its type; a rare one may stand anywhere.
    "pandas_analyze_sample": 2**31 - 1,
}
_ONLY_HERE: Final = ("json", "big_integer", "decimal", "bytes")


def write_tables(
    store: GraphStore, folder: Path, directory: Path, format: ExportFormat, progress: Progress
) -> ExportReport:
    """Write the files into ``folder``, which will become ``directory``."""
    import duckdb

    schema = store.schema()
    staging = folder / _STAGING_FILE
    nodes = _Counted(checked_nodes(store), "reading nodes", schema.node_count, progress)
    edges = _Counted(
        map(_without_made_id, checked_edges(store)), "reading edges", schema.edge_count, progress
    )
    try:
        with duckdb.connect(
            ":memory:", config={**_CONFIGURATION, "temp_directory": str(folder)}
        ) as connection:
            connection.execute(f"ATTACH {literal(str(staging))} AS {STAGING}")
            tables = _stage(connection, nodes, edges)
            files = []
            for table in tables:
                progress.start(f"writing {table.name}")
                files.append(table.write(connection, folder, format))
                progress.finish()
    except duckdb.Error as error:
        raise ExportError(f"{directory} cannot be written: {error}") from error
    staging.unlink()
    notes = (*_notes(tables), *losses(store))
    return ExportReport(directory, tuple(files), format, nodes.count, edges.count, notes)


def _stage(connection: duckdb.DuckDBPyConnection, nodes: _Counted, edges: _Counted) -> list[_Table]:
    """Read the graph into relations. A graph without edges has a table of nodes alone."""
    problems = Problems(_raise)
    of_nodes = stage_node_objects(connection, "nodes", nodes, None, problems)
    of_edges = stage_edge_objects(connection, "edges", edges, None, problems)
    tables = [_Table("nodes", of_nodes.relation, _NODE_FIELDS, of_nodes.properties)]
    if edges.count:
        tables.append(_Table("edges", of_edges.relation, _EDGE_FIELDS, of_edges.properties))
    return tables


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
        self._progress.finish()


def _without_made_id(edge: Edge) -> Edge:
    return edge if given_id(edge) is not None else replace(edge, id="")


@dataclass(frozen=True, slots=True)
class _Table:
    """A table to be written: its file's stem, the relation that its rows lie in, its properties."""

    name: str
    relation: str
    fixed: tuple[Field, ...]
    properties: tuple[PropertySource, ...]

    def write(self, connection: duckdb.DuckDBPyConnection, folder: Path, format: ExportFormat) -> str:
        """Write the file; its name."""
        fields = [*self.fixed, *property_fields(self.properties, parquet=format == "parquet")]
        file = folder / f"{self.name}.{format}"
        if format == "parquet":
            query = f"SELECT {named_columns(fields, native=True)} FROM {self.relation}"
            connection.execute(f"COPY ({query}) TO {literal(str(file))} (FORMAT parquet, COMPRESSION zstd)")
            return file.name
        # DuckDB would rename columns whose names differ in case alone, so the header is ours.
        body = folder / f"{self.name}.body"
        cells = ", ".join(f"{field.text} AS c{i}" for i, field in enumerate(fields))
        quoted = ", ".join(f"c{i}" for i, field in enumerate(fields) if field.is_quoted)
        connection.execute(
            f"COPY (SELECT {cells} FROM {self.relation}) TO {literal(str(body))}"
            f" (FORMAT csv, HEADER false, FORCE_QUOTE ({quoted}))"
        )
        with file.open("wb") as stream, body.open("rb") as rows:
            stream.write(header_line(fields).encode())
            shutil.copyfileobj(rows, stream, 1024 * 1024)
        body.unlink()
        return file.name


_NODE_FIELDS: Final = (
    Field(":ID", "id", "id", is_quoted=True),
    Field(":LABEL", f"CASE WHEN len(types) > 0 THEN {texts_as_cell('types')} END", "types", is_quoted=True),
)
_EDGE_FIELDS: Final = (
    Field(":START_ID", "source", "source", is_quoted=True),
    Field(":END_ID", "target", "target", is_quoted=True),
    Field(":TYPE", "type", "type", is_quoted=True),
    Field(":ID", "nullif(id, '')", "nullif(id, '')", is_quoted=True),
)


def _notes(tables: Iterable[_Table]) -> Iterator[str]:
    """What other programs may not read."""
    ours = sorted(
        {source.key for table in tables for source in table.properties if source.column_type in _ONLY_HERE}
    )
    if ours:
        yield (
            f"Columns of the types {', '.join(_ONLY_HERE)} are for askgraph: other programs read their cells as text"
            f" ({', '.join(ours)})."
        )


def _raise(problem: LoadError) -> None:
    raise ExportError(problem.message, advice=problem.advice)
