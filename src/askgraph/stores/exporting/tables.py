"""CSV and Parquet: a table of nodes and a table of edges, with the headers of neo4j-admin.

Columns are ``:ID``, ``:LABEL`` (nodes) and ``:START_ID``, ``:END_ID``, ``:TYPE``, ``:ID`` (edges), and for each
property and type of its values one like ``born:date`` or ``tags:string[]`` (see :mod:`.fields`). ``:ID`` of an edge is
empty unless the edge was given an id.
"""

from __future__ import annotations

import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from ...core.errors import ExportError
from ...core.progress import Progress
from ..base import GraphStore
from ..property.database import literal
from .fields import Field, header_line, named_columns, property_fields, texts_as_cell
from .objects import losses
from .relations import Relations, relations_of
from .report import ExportFormat, ExportReport

if TYPE_CHECKING:
    import duckdb

_CONFIGURATION: Final[dict[str, Any]] = {
    "autoinstall_known_extensions": "false",
    "autoload_known_extensions": "false",
    "memory_limit": "1GB",
    # DuckDB looks at a thousand values of a Python column to guess its type; a rare one may stand anywhere.
    "pandas_analyze_sample": 2**31 - 1,
}
_ONLY_HERE: Final = ("big_integer", "bytes", "decimal", "json")

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


def write_tables(
    store: GraphStore, folder: Path, directory: Path, format: ExportFormat, progress: Progress
) -> ExportReport:
    """Write the files into ``folder``, which will become ``directory``. A graph without edges has no table of them."""
    import duckdb

    with tempfile.TemporaryDirectory(prefix=".scratch-", dir=folder) as scratch:
        config = {**_CONFIGURATION, "temp_directory": scratch}
        try:
            with duckdb.connect(":memory:", config=config) as connection:
                # Times with a zone are written as those of UTC, wherever this runs.
                connection.execute("SET TimeZone = 'UTC'; SET enable_progress_bar = false")
                relations = relations_of(connection, store, Path(scratch), progress)
                files = _write(connection, relations, folder, Path(scratch), format, progress)
        except duckdb.Error as error:
            raise ExportError(f"{directory} cannot be written: {str(error).partition(chr(10))[0]}") from error
    notes = (*_notes(relations), *losses(store))
    return ExportReport(directory, files, format, relations.node_count, relations.edge_count, notes)


def _write(
    connection: duckdb.DuckDBPyConnection,
    relations: Relations,
    folder: Path,
    scratch: Path,
    format: ExportFormat,
    progress: Progress,
) -> tuple[str, ...]:
    is_parquet = format == "parquet"
    node_fields = [*_NODE_FIELDS, *property_fields(relations.node_properties, parquet=is_parquet)]
    edge_fields = [*_EDGE_FIELDS, *property_fields(relations.edge_properties, parquet=is_parquet)]
    tables = [("nodes", relations.nodes, node_fields)]
    if relations.edge_count:
        tables.append(("edges", relations.edges, edge_fields))
    files = []
    for name, query, fields in tables:
        progress.start(f"writing {name}")
        file = folder / f"{name}.{format}"
        if is_parquet:
            _write_parquet(connection, query, fields, file)
        else:
            _write_csv(connection, query, fields, file, scratch)
        progress.finish()
        files.append(file.name)
    return tuple(files)


def _write_parquet(
    connection: duckdb.DuckDBPyConnection, query: str, fields: Sequence[Field], file: Path
) -> None:
    connection.execute(
        f"COPY (SELECT {named_columns(fields)} FROM ({query}) ORDER BY ordinal) TO {literal(str(file))}"
        " (FORMAT parquet, COMPRESSION zstd)"
    )


def _write_csv(
    connection: duckdb.DuckDBPyConnection, query: str, fields: Sequence[Field], file: Path, scratch: Path
) -> None:
    # DuckDB would rename columns whose names differ in case alone, so the header is ours.
    body = scratch / file.name
    cells = ", ".join(f"{field.text} AS c{i}" for i, field in enumerate(fields))
    quoted = ", ".join(f"c{i}" for i, field in enumerate(fields) if field.is_quoted)
    connection.execute(
        f"COPY (SELECT {cells} FROM ({query}) ORDER BY ordinal) TO {literal(str(body))}"
        f" (FORMAT csv, HEADER false, FORCE_QUOTE ({quoted}))"
    )
    with file.open("wb") as stream, body.open("rb") as rows:
        stream.write(header_line(fields).encode())
        while chunk := rows.read(1024 * 1024):
            if b"\0" in chunk:
                raise ExportError(
                    "a text has a NUL character, which no CSV file can hold",
                    advice="Export as parquet or jsonl.",
                )
            stream.write(chunk)
    body.unlink()


def _notes(relations: Relations) -> Iterator[str]:
    """What other programs may not read."""
    properties = (*relations.node_properties, *relations.edge_properties)
    ours = sorted({source.key for source in properties if source.column_type in _ONLY_HERE})
    if ours:
        yield (
            f"Columns of the types {', '.join(_ONLY_HERE)} are for askgraph: other programs read their cells as text"
            f" ({', '.join(ours)})."
        )
