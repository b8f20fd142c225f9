"""Parquet files into DuckDB: their columns have types of their own, which are kept."""

from __future__ import annotations

import datetime
import re
import uuid
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from ...core.budget import Budget
from ...core.errors import LoadError, Location, MalformedFileError, MissingFileError
from ...core.values import Duration
from ..property.codec import sql_type
from ..property.layout import LIST_ELEMENTS
from .conversion import Alternative, add_function, alternatives, is_json_array, quote, stored_as_json
from .declared import DeclaredType, Kind
from .dialects import interpret_header
from .header_faults import HeaderContext
from .mapping import Column, TableMapping, require_mapped_columns
from .report import ProblemLog
from .sources import InputFile
from .staged import PropertyValues

if TYPE_CHECKING:
    import duckdb

_WHOLE: Final = ("TINYINT", "SMALLINT", "INTEGER", "BIGINT", "UTINYINT", "USMALLINT", "UINTEGER")
_WIDE: Final = ("HUGEINT", "UHUGEINT", "UBIGINT")
_FRACTIONAL: Final = ("FLOAT", "DOUBLE")
_TEXTS: Final = ("VARCHAR", "UUID")
_COLUMN_TYPES: Final[dict[str, str]] = {
    "BOOLEAN": "boolean",
    **dict.fromkeys(_WHOLE, "integer"),
    **dict.fromkeys(_FRACTIONAL, "float"),
    **dict.fromkeys(_TEXTS, "text"),
    "DATE": "date",
    "TIME": "time",
    "BLOB": "bytes",
    "TIMESTAMP WITH TIME ZONE": "zoned_datetime",
    **dict.fromkeys(("TIMESTAMP", "TIMESTAMP_S", "TIMESTAMP_MS", "TIMESTAMP_NS"), "datetime"),
}
_QUIET: Final[dict[str, Any]] = {
    "autoinstall_known_extensions": "false",
    "autoload_known_extensions": "false",
    "threads": 1,
}
_ENUM = re.compile(r"ENUM\(.*\)", re.DOTALL)
_DECIMAL = re.compile(r"DECIMAL\(\d+,\s*\d+\)")


@dataclass(frozen=True, slots=True)
class ParquetFile:
    """A Parquet file whose columns are known: their names in the file, and DuckDB's types."""

    file: InputFile
    headers: tuple[str, ...]
    types: tuple[str, ...]
    mapping: TableMapping

    @property
    def reads(self) -> Sequence[InputFile]:
        """The file."""
        return (self.file,)

    def stage(
        self, connection: duckdb.DuckDBPyConnection, relation: str, log: ProblemLog, budget: Budget | None
    ) -> ParquetTable:
        """Read the file into a temporary table with the columns ``c0``, ``c1``, …"""
        import duckdb

        names = ", ".join(f"c{position}" for position in range(len(self.headers)))
        try:
            connection.execute(
                f"CREATE TEMP TABLE {relation} AS SELECT * FROM read_parquet($path, hive_partitioning = false)"
                f" AS source({names})",
                {"path": str(self.file.path.absolute())},
            )
        except (duckdb.OutOfMemoryException, duckdb.InterruptException):
            raise
        except duckdb.Error as error:
            raise _damaged(self.file, error) from error
        _register(connection, self, relation)
        return ParquetTable(self, relation)


@dataclass(frozen=True, slots=True)
class ParquetTable:
    """A Parquet file in DuckDB."""

    source: ParquetFile
    relation: str

    @property
    def name(self) -> str:
        """The file, as the user called it."""
        return self.source.file.name

    @property
    def mapping(self) -> TableMapping:
        """What the columns mean."""
        return self.source.mapping

    @property
    def has_blank_rows(self) -> bool:
        """A row is a row here."""
        return False

    @property
    def headers(self) -> Sequence[str]:
        """Names of the columns."""
        return self.source.headers

    def text(self, column: Column) -> str:
        """SQL: a text or a whole number as VARCHAR. Whole numbers that became floats (as pandas makes them where one is
        missing) are whole numbers again."""
        cell, kind = f"c{column.position}", self.source.types[column.position]
        if kind in _FRACTIONAL:
            return f"CASE WHEN {cell} = trunc({cell}) THEN CAST(TRY_CAST({cell} AS HUGEINT) AS VARCHAR) END"
        if kind in (*_WHOLE, *_WIDE, *_TEXTS) or _ENUM.fullmatch(kind):
            return f"nullif(CAST({cell} AS VARCHAR), '')"
        return "NULL::VARCHAR"

    def shown(self, column: Column) -> str:
        """SQL: a cell as text."""
        return f"CAST(c{column.position} AS VARCHAR)"

    def present(self, column: Column) -> str:
        """SQL: whether a cell is not null."""
        return f"(c{column.position} IS NOT NULL)"

    def types(self, column: Column, separator: str) -> str:
        """SQL: the types in a cell: a list of texts, or one text with separators."""
        cell = f"c{column.position}"
        if self.source.types[column.position].endswith("[]"):
            return f"CAST({cell} AS VARCHAR[])"
        text = self.text(column)
        return (
            f"CASE WHEN {is_json_array(text)} THEN json_extract_string({text}, '$[*]')"
            f" ELSE string_split({text}, {quote(separator)}) END"
        )

    def values(self, column: Column) -> PropertyValues:
        """How a property is read: as its type in the file is, unless the header declares another."""
        cell, kind = f"c{column.position}", self.source.types[column.position]
        if column.declared is not None and (kind in _TEXTS or _ENUM.fullmatch(kind)):
            text = f"CAST({cell} AS VARCHAR)"
            found = alternatives(text, column.declared, separator=";", escaped=self.mapping.neptune)
            return PropertyValues(found, f"{cell} IS NOT NULL", text, str(column.declared.kind))
        found = _as_stored(cell, kind, f"{self.relation}_read_{column.position}")
        # Only a nested value may be one that cannot be kept.
        certain = found[0].column_type != "json"
        expected = f"value that can be kept ({kind})"
        return PropertyValues(found, f"{cell} IS NOT NULL", self.shown(column), expected, certain=certain)

    def locate(self, cells: Sequence[tuple[int, Column | None]]) -> list[Location]:
        """The places of cells; the line is the row's number, counted from 1."""
        return [Location(self.name, row + 1, column.header if column else None) for row, column in cells]


def _as_stored(cell: str, kind: str, function: str) -> list[Alternative]:
    """How a column of one of DuckDB's types is kept. ``function`` reads what SQL cannot."""
    if _ENUM.fullmatch(kind):
        return [Alternative("text", f"CAST({cell} AS VARCHAR)")]
    if kind in _WIDE:
        small = f"TRY_CAST({cell} AS BIGINT)"
        big = f"CASE WHEN {small} IS NULL THEN CAST({cell} AS VARCHAR) END"
        return [Alternative("integer", small), Alternative("big_integer", big)]
    if _DECIMAL.fullmatch(kind):
        return alternatives(f"CAST({cell} AS VARCHAR)", DeclaredType(Kind.DECIMAL), separator=";")
    if kind == "INTERVAL":
        return [Alternative("duration", _interval(cell, function))]
    column_type = _COLUMN_TYPES.get(kind)
    if column_type in ("date", "datetime", "zoned_datetime"):
        return _moment(cell, kind, column_type)
    if column_type is not None:
        return [Alternative(column_type, f"CAST({cell} AS {sql_type(column_type)})")]
    element = _COLUMN_TYPES.get(kind.removesuffix("[]"))
    if kind.endswith("[]") and element in LIST_ELEMENTS and element not in ("date", "datetime"):
        return [Alternative(f"{element}[]", f"CAST({cell} AS {sql_type(f'{element}[]')})")]
    return [Alternative("json", f"{function}({cell})")]


def _moment(cell: str, kind: str, column_type: str) -> list[Alternative]:
    """A day or a moment; as text if it is one that no calendar of Python has, or finer than microseconds."""
    usual = f"isfinite({cell}) AND year({cell}) BETWEEN 1 AND 9999"
    if kind == "TIMESTAMP_NS":
        usual += f" AND epoch_ns({cell}) % 1000 = 0"
    return [
        Alternative(column_type, f"CASE WHEN {usual} THEN CAST({cell} AS {sql_type(column_type)}) END"),
        Alternative("text", f"CASE WHEN NOT ({usual}) THEN CAST({cell} AS VARCHAR) END"),
    ]


def _interval(cell: str, function: str) -> str:
    months = f"datepart('year', {cell}) * 12 + datepart('month', {cell})"
    minutes = f"(datepart('hour', {cell}) * 60 + datepart('minute', {cell}))"
    microseconds = f"{minutes} * 60000000 + datepart('microsecond', {cell})"
    return f"{function}({months}, datepart('day', {cell}), {microseconds})"


def _read_interval(months: int | None, days: int | None, microseconds: int | None) -> str | None:
    if months is None or days is None or microseconds is None:
        return None
    return str(Duration(months, days, microseconds))


def _read_nested(value: Any) -> str | None:
    return None if value is None else stored_as_json(_plain(value))


def _plain(value: Any) -> Any:
    """A value as Python has it, in the types of our values."""
    if isinstance(value, dict):
        return {str(key): _plain(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(item) for item in value]
    if isinstance(value, datetime.timedelta):
        return Duration(0, value.days, value.seconds * 1_000_000 + value.microseconds)
    return str(value) if isinstance(value, uuid.UUID) else value


def _register(connection: duckdb.DuckDBPyConnection, file: ParquetFile, relation: str) -> None:
    """Make the functions known that the columns of this file need."""
    for position, kind in enumerate(file.types):
        column_type = _as_stored("value", kind, "read")[0].column_type
        if column_type == "duration":
            add_function(connection, f"{relation}_read_{position}", _read_interval, ["BIGINT"] * 3, "VARCHAR")
        elif column_type == "json":
            add_function(connection, f"{relation}_read_{position}", _read_nested, [kind], "VARCHAR")


def inspect_parquet(file: InputFile, context: HeaderContext) -> ParquetFile:
    """Read the columns of a Parquet file and say what they mean.

    Raises:
        MalformedFileError: not a Parquet file that can be read.
        MissingColumnError: neither a table of nodes nor one of edges.
    """
    import duckdb

    with duckdb.connect(":memory:", config=_QUIET) as connection:
        path = {"path": str(file.path.absolute())}
        try:
            described = connection.execute(
                "DESCRIBE SELECT * FROM read_parquet($path, hive_partitioning = false)", path
            ).fetchall()
            schema = connection.execute(
                "SELECT name, coalesce(num_children, 0) FROM parquet_schema($path)", path
            ).fetchall()
        except duckdb.Error as error:
            raise _damaged(file, error) from error
    headers = _top_names(schema)
    if len(headers) != len(described):
        headers = [name for name, *_ in described]
    require_mapped_columns(context.file_map, headers, context.file)
    mapping = interpret_header(headers, context)
    return ParquetFile(file, tuple(headers), tuple(kind for _, kind, *_ in described), mapping)


def _top_names(schema: Sequence[tuple[str, int]]) -> list[str]:
    """The names of the columns as the file has them: DuckDB renames those that differ only in case."""
    names: list[str] = []
    position = 1

    def skip(index: int) -> int:
        after = index + 1
        for _ in range(schema[index][1]):
            after = skip(after)
        return after

    while position < len(schema):
        names.append(schema[position][0])
        position = skip(position)
    return names


def _damaged(file: InputFile, error: Exception) -> LoadError:
    reason = str(error).partition("\n")[0].replace(str(file.path.absolute()), file.name)
    kind = MissingFileError if "Permission" in reason else MalformedFileError
    return kind(f"the Parquet file cannot be read: {reason}", location=file.at(), advice="Write it again.")
