"""CSV and TSV files into DuckDB.

DuckDB reads the file, strictly, every column as text. Only if it refuses, the exact reader goes over the file: it says
which rows are at fault, and writes the others to a clean copy, which DuckDB then reads.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Final

from ...core.budget import Budget
from ...core.errors import LoadError, Location, MalformedFileError, MissingColumnError
from .conversion import alternatives, is_json_array, known_to_fit, quote
from .declared import DeclaredType, Kind
from .dialects import bare_triples, interpret_header, looks_like_triples
from .header_faults import HeaderContext
from .inference import TEXT, infer_types
from .mapping import Column, TableMapping, require_mapped_columns
from .records import LONGEST_RECORD, Record, RecordReader
from .report import ProblemLog
from .sources import FileFormat, InputFile, check_text, decode_to_utf8, gzip_errors
from .staged import PropertyValues, within

if TYPE_CHECKING:
    import duckdb

MOST_COLUMNS: Final = 2_000
_GLANCE: Final = 200
_DELIMITERS: Final = (",", "\t", ";", "|")
# DuckDB takes the first line end that it sees, be it within quotes, for that of the file.
_NEW_LINE: Final = r", new_line = '\n'"
_KEEPS_EMPTY_TEXT: Final = frozenset({Kind.TEXT, Kind.BYTES})


@dataclass(frozen=True, slots=True)
class DelimitedOptions:
    """How the user wants delimited files to be read (see ``load.LoadOptions``)."""

    delimiter: str | None = None
    has_header: bool | None = None
    array_separator: str = ";"
    infer_types: bool = True


@dataclass(frozen=True, slots=True)
class DelimitedFile:
    """A CSV or TSV file whose header is known.

    Attributes:
        file: the file, in UTF-8.
        delimiter: what separates its values.
        columns: names of its columns.
        header_line: the line of the header, 0 if there is none.
        mapping: what its columns mean.
        clean_copy: where a copy without faults may be written.
    """

    file: InputFile
    delimiter: str
    columns: tuple[str, ...]
    header_line: int
    mapping: TableMapping
    clean_copy: Path
    options: DelimitedOptions

    @property
    def headers(self) -> Sequence[str]:
        """Names of the columns, for the user's map."""
        return self.columns if self.header_line else ()

    @property
    def reads(self) -> Sequence[InputFile]:
        """The file and the copy that may take its place."""
        return (self.file, InputFile(self.clean_copy, self.file.name, self.file.format))

    def records(self) -> Iterator[Record | LoadError]:
        """The rows, without the header, by the exact reader."""
        with self.file.open() as stream, gzip_errors(self.file):
            reader = RecordReader(stream, name=self.file.name, delimiter=self.delimiter, columns=self.columns)
            skip = self.header_line > 0
            for record in reader:
                line = (
                    record.line
                    if isinstance(record, Record)
                    else (record.location.line if record.location else 0)
                )
                if skip and line == self.header_line:
                    continue
                yield record

    def stage(
        self, connection: duckdb.DuckDBPyConnection, relation: str, log: ProblemLog, budget: Budget | None
    ) -> DelimitedTable:
        """Read the file into a temporary table with the columns ``c0``, ``c1``, …"""
        check = check_text(self.file)
        # Of blank lines in a table of one column DuckDB makes more or fewer rows, as their ends are.
        if check.has_nul or check.has_odd_quotes or self.header_line > 1 or len(self.columns) == 1:
            self._stage_clean_copy(connection, relation, log, budget)
        else:
            self._stage_directly(connection, relation, log, budget)
        return self._typed(connection, relation)

    def _stage_directly(
        self, connection: duckdb.DuckDBPyConnection, relation: str, log: ProblemLog, budget: Budget | None
    ) -> None:
        import duckdb

        try:
            self._read_csv(connection, relation, self.file.path, has_header=self.header_line > 0)
        except (duckdb.OutOfMemoryException, duckdb.InterruptException):
            raise
        except duckdb.Error as error:
            self._stage_clean_copy(connection, relation, log, budget, complaint=str(error))

    def _stage_clean_copy(
        self,
        connection: duckdb.DuckDBPyConnection,
        relation: str,
        log: ProblemLog,
        budget: Budget | None,
        complaint: str = "",
    ) -> None:
        import duckdb

        delimiter = self.delimiter.encode()
        with self.clean_copy.open("wb") as copy:
            for record in within(self.records(), budget, f"looking through {self.file.name}"):
                if isinstance(record, LoadError):
                    log.add(record)
                elif record.plain is not None:
                    copy.write(record.plain + b"\n")
                else:
                    copy.write(delimiter.join(map(_quoted, record.values)) + b"\n")
        try:
            self._read_csv(connection, relation, self.clean_copy, has_header=False)
        except duckdb.Error as error:
            raise MalformedFileError(
                f"the table cannot be read: {(complaint or str(error)).partition(chr(10))[0]}",
                location=self.file.at(),
            ) from error

    def _read_csv(
        self, connection: duckdb.DuckDBPyConnection, relation: str, path: Path, *, has_header: bool
    ) -> None:
        columns = ", ".join(f"'c{position}': 'VARCHAR'" for position in range(len(self.columns)))
        connection.execute(
            f"CREATE OR REPLACE TEMP TABLE {relation} AS SELECT * FROM read_csv($path, columns = {{{columns}}},"
            f" auto_detect = false, header = {has_header}, delim = {quote(self.delimiter)}, quote = '\"',"
            " escape = '\"', nullstr = '', allow_quoted_nulls = false, strict_mode = true, null_padding = false,"
            f" encoding = 'utf-8', max_line_size = {LONGEST_RECORD}{_NEW_LINE if path == self.clean_copy else ''})",
            {"path": str(path.absolute())},
        )

    def _typed(self, connection: duckdb.DuckDBPyConnection, relation: str) -> DelimitedTable:
        """Judge the columns without a declared type by their values."""
        properties = {column.position: column for column in _property_columns(self.mapping)}
        open_columns = [column for column in properties.values() if column.declared is None]
        types: dict[int, DeclaredType | None] = {
            position: column.declared for position, column in properties.items()
        }
        if self.mapping.typed or not self.options.infer_types:
            types |= dict.fromkeys((column.position for column in open_columns), TEXT)
            inferred: set[int] = set()
        else:
            names = [f"c{column.position}" for column in open_columns]
            found = infer_types(connection, relation, names)
            types |= {column.position: kind for column, kind in zip(open_columns, found, strict=True)}
            inferred = {column.position for column in open_columns}
        return DelimitedTable(self, relation, types, frozenset(inferred))


@dataclass(frozen=True, slots=True)
class DelimitedTable:
    """A CSV or TSV file in DuckDB. ``types`` has the type of each property column; ``None`` for one without values."""

    source: DelimitedFile
    relation: str
    types_of_columns: dict[int, DeclaredType | None]
    inferred: frozenset[int] = field(default_factory=frozenset)

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
        """Spreadsheets leave rows of delimiters behind."""
        return True

    @property
    def headers(self) -> Sequence[str]:
        """Names of the columns."""
        return self.source.headers

    def text(self, column: Column) -> str:
        """SQL: the text of a cell; an empty one is none."""
        return f"nullif(c{column.position}, '')"

    def shown(self, column: Column) -> str:
        """SQL: the text of a cell."""
        return f"c{column.position}"

    def present(self, column: Column) -> str:
        """SQL: whether a cell has a text."""
        return f"(c{column.position} <> '')"

    def types(self, column: Column, separator: str) -> str:
        """SQL: the types in a cell: separated, or a JSON array, or each after a colon (as in APOC's export)."""
        cell = f"c{column.position}"
        return (
            f"CASE WHEN {is_json_array(cell)} THEN json_extract_string({cell}, '$[*]')"
            f" WHEN starts_with({cell}, ':') THEN string_split({cell}, ':')"
            f" ELSE string_split({cell}, {quote(separator)}) END"
        )

    def values(self, column: Column) -> PropertyValues:
        """How a property is read."""
        cell = f"c{column.position}"
        declared = self.types_of_columns.get(column.position, TEXT)
        if declared is None:
            return PropertyValues((), "false", cell, certain=True)
        keeps_empty = declared.is_list or declared.kind in _KEEPS_EMPTY_TEXT
        separator = self.source.options.array_separator
        inferred = column.position in self.inferred
        if inferred:
            found = known_to_fit(cell, declared, separator=separator)
        else:
            found = alternatives(cell, declared, separator=separator, escaped=self.mapping.neptune)
        return PropertyValues(
            found,
            f"{cell} IS NOT NULL" if keeps_empty else f"trim({cell}) <> ''",
            cell,
            f"list of type {declared.kind}" if declared.is_list else str(declared.kind),
            f"The header declares this type. Mend the value, or let the header say {column.key}:string.",
            certain=inferred or declared.kind is Kind.TEXT,
        )

    def locate(self, cells: Sequence[tuple[int, Column | None]]) -> list[Location]:
        """The lines of cells, found by the exact reader."""
        wanted = {row for row, _ in cells}
        last = max(wanted, default=-1)
        found: dict[int, Record] = {}
        number = 0
        for record in self.source.records():
            if isinstance(record, LoadError):
                continue
            if number in wanted:
                found[number] = record
            if number >= last:
                break
            number += 1
        return [self._place(found.get(row), column) for row, column in cells]

    def _place(self, record: Record | None, column: Column | None) -> Location:
        header = column.header if column is not None else None
        if record is None:
            return Location(self.name, None, header)
        return Location(self.name, record.line_of(column.position) if column else record.line, header)


def _quoted(value: str | None) -> bytes:
    return b"" if value is None else b'"' + value.replace('"', '""').encode() + b'"'


def _property_columns(mapping: TableMapping) -> Iterator[Column]:
    for nodes in mapping.nodes:
        yield from nodes.properties
    if mapping.edges is not None:
        yield from mapping.edges.properties


# --- the header


def inspect_delimited(
    file: InputFile, context: HeaderContext, options: DelimitedOptions, scratch: Path, number: int
) -> DelimitedFile:
    """Read the header of a file and say what its columns mean.

    Args:
        file: the file.
        context: the user's wishes.
        options: the user's wishes for delimited files.
        scratch: a folder for copies.
        number: a number that no other file of the load has.

    Raises:
        MissingColumnError, MalformedFileError, EncodingError: what is wrong with the header.
    """
    file = decode_to_utf8(file, scratch / f"decoded-{number}.csv")
    clean_copy = scratch / f"clean-{number}.csv"
    usual, *others = _candidates(file, options)
    attempts = [_first_row(file, usual)]
    with suppress(LoadError):
        attempts += [_first_row(file, delimiter) for delimiter in others]
    # A delimiter that is not in the header is no choice if another one is.
    attempts = [first for first in attempts if len(first.values) > 1] or attempts[:1]
    chosen: _FirstRow | None = None
    mapping: TableMapping | None = None
    failure: LoadError | None = None
    for first in attempts:
        try:
            mapping = _interpret(first, context, options)
        except MissingColumnError as error:
            # Of the delimiters that lead nowhere the one that splits the most is the one to talk about.
            if failure is None or (chosen is not None and len(first.values) > len(chosen.values)):
                failure, chosen = error, first
            continue
        chosen = first
        break
    if chosen is None or mapping is None:
        assert failure is not None
        raise failure
    columns = tuple((value or "").strip() for value in chosen.values)
    if not mapping.has_header:
        columns = ("subject", "predicate", "object")
    header_line = chosen.line if mapping.has_header else 0
    return DelimitedFile(file, chosen.delimiter, columns, header_line, mapping, clean_copy, options)


@dataclass(frozen=True, slots=True)
class _FirstRow:
    """The first row of a file, and some of those after it."""

    delimiter: str
    line: int
    values: list[str | None]
    others: list[list[str | None]]


def _candidates(file: InputFile, options: DelimitedOptions) -> Sequence[str]:
    if options.delimiter is not None:
        return (options.delimiter,)
    usual = "\t" if file.format is FileFormat.TSV else ","
    return (usual, *(delimiter for delimiter in _DELIMITERS if delimiter != usual))


def _first_row(file: InputFile, delimiter: str) -> _FirstRow:
    with file.open() as stream, gzip_errors(file):
        reader = RecordReader(stream, name=file.name, delimiter=delimiter)
        rows = list(islice(reader, _GLANCE))
    first = rows[0] if rows else None
    if first is None:
        check_text(file)
        raise MalformedFileError("the file has only blank lines", location=file.at(1))
    if isinstance(first, LoadError):
        raise first
    if len(first.values) > MOST_COLUMNS:
        raise MalformedFileError(
            f"the table has {len(first.values):,} columns; at most {MOST_COLUMNS:,} can be properties",
            location=file.at(first.line),
            advice="Split it, or turn its columns into rows of an edge file.",
        )
    return _FirstRow(
        delimiter, first.line, first.values, [row.values for row in rows[1:] if isinstance(row, Record)]
    )


def _interpret(first: _FirstRow, context: HeaderContext, options: DelimitedOptions) -> TableMapping:
    headers = [value or "" for value in first.values]
    if options.has_header is False:
        if len(headers) != 3:
            raise MalformedFileError(
                f"a table without a header must have three columns (subject, edge type, object), not {len(headers)}",
                location=Location(context.file, first.line),
                advice="Give it a header.",
            )
        return bare_triples(context)
    here = replace(context, line=first.line)
    try:
        require_mapped_columns(context.file_map, [header.strip() for header in headers], context.file)
        return interpret_header(headers, here)
    except LoadError as error:
        mapped = set(context.file_map.columns) & {header.strip() for header in headers}
        if mapped or options.has_header:
            raise
        if looks_like_triples([first.values, *first.others]):
            return bare_triples(context)
        if len(headers) == 3 and isinstance(error, MissingColumnError):
            way_out = "If this line is no header but a triple, put one above it: subject,predicate,object"
            advice = f"{error.advice} {way_out}"
            raise MissingColumnError(error.message, location=error.location, advice=advice) from None
        raise
