"""JSON Lines into DuckDB: one object a line, each a node or an edge.

A node has an id, an edge has two ends; types, properties (beside the id, or under ``properties``) and names of keys are
as in tables. Lines of both sorts may be mixed, as in APOC's export and our own: there ``type`` or ``kind`` says which
is which.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Final

from ...core.budget import Budget
from ...core.errors import Location, MalformedFileError
from .conversion import alternatives, quote
from .header_faults import HeaderContext
from .json_kinds import CERTAIN, define_macros, kind_alternatives, kinds_of
from .json_layout import JsonLayout
from .json_text import IDLE_COMMA, MAYBE_LENIENT, NO_NUMBERS, check_line, object_lines
from .mapping import Column, TableMapping
from .records import LONGEST_RECORD
from .report import ProblemLog
from .sources import InputFile, check_text, decode_to_utf8, gzip_errors
from .staged import PropertyValues, within

if TYPE_CHECKING:
    import duckdb

_MOST_KEYS: Final = 5_000
_ARRAY_SEPARATOR: Final = ";"
_VALUE_ADVICE: Final = (
    'A value with a "$type" must be of that type; a key may be there once; a number must fit a double.'
)
_SORTS: Final[dict[str, tuple[str, str]]] = {"type": ("node", "relationship"), "kind": ("node", "edge")}
"""Keys that say what a line is, in APOC's export and in ours, with their values."""


@dataclass(frozen=True, slots=True)
class JsonLinesFile:
    """A file of JSON objects."""

    file: InputFile
    context: HeaderContext
    clean_copy: Path

    @property
    def headers(self) -> None:
        """Not known before the file is read."""
        return

    @property
    def reads(self) -> Sequence[InputFile]:
        """The file and the copy that may take its place."""
        return (self.file, replace(self.file, path=self.clean_copy, compressed=False))

    def stage(
        self, connection: duckdb.DuckDBPyConnection, relation: str, log: ProblemLog, budget: Budget | None
    ) -> JsonLinesTable:
        """Read the file into a temporary table with a JSON column ``c0``, ``c1``, … for each key."""
        define_macros(connection)
        lines = f"{relation}_lines"
        left_out = self._stage_lines(connection, lines, log, budget)
        table = JsonLayout(connection, lines, self.context).build(relation)
        connection.execute(f"DROP TABLE {lines}")
        kinds = {
            column.position: kinds_of(connection, relation, f"c{column.position}")
            for column in table.properties()
        }
        return JsonLinesTable(self, relation, table.mapping, table.keys, kinds, left_out)

    def _stage_lines(
        self, connection: duckdb.DuckDBPyConnection, relation: str, log: ProblemLog, budget: Budget | None
    ) -> frozenset[int]:
        """Read the lines into a table; the numbers of those that are at fault and left out."""
        import duckdb

        check_text(self.file)
        complaint = ""
        try:
            _read_objects(connection, relation, self.file.path)
            if not _has_doubtful_lines(connection, relation):
                return frozenset()
        except (duckdb.OutOfMemoryException, duckdb.InterruptException):
            raise
        except duckdb.Error as error:
            complaint = str(error).partition("\n")[0]
        left_out = self._write_clean_copy(log, budget)
        try:
            _read_objects(connection, relation, self.clean_copy)
        except duckdb.Error as error:
            raise MalformedFileError(
                f"the lines cannot be read: {complaint or str(error).partition(chr(10))[0]}",
                location=self.file.at(),
            ) from error
        return left_out

    def _write_clean_copy(self, log: ProblemLog, budget: Budget | None) -> frozenset[int]:
        left_out = set()
        with self.file.open() as stream, gzip_errors(self.file), self.clean_copy.open("wb") as copy:
            for number, line in within(object_lines(stream), budget, f"looking through {self.file.name}"):
                fault = check_line(line, self.file.name, number)
                if fault is None:
                    copy.write(line.rstrip(b"\r\n") + b"\n")
                else:
                    log.add(fault)
                    left_out.add(number)
        return frozenset(left_out)


def inspect_json_lines(file: InputFile, context: HeaderContext, scratch: Path, number: int) -> JsonLinesFile:
    """A file of JSON objects, in UTF-8. Raises :class:`EncodingError`."""
    file = decode_to_utf8(file, scratch / f"decoded-{number}.jsonl")
    context = replace(context, declares_types=False)
    return JsonLinesFile(file, context, scratch / f"clean-{number}.jsonl")


def _read_objects(connection: duckdb.DuckDBPyConnection, relation: str, path: Path) -> None:
    connection.execute(
        f"CREATE OR REPLACE TEMP TABLE {relation} AS SELECT json AS line FROM read_ndjson_objects($path,"
        f" maximum_object_size = {LONGEST_RECORD})",
        {"path": str(path.absolute())},
    )


def _has_doubtful_lines(connection: duckdb.DuckDBPyConnection, relation: str) -> bool:
    text = "CAST(line AS VARCHAR)"
    signs = [f"regexp_matches({text}, {quote(IDLE_COMMA)})", *(_has_word(text, word) for word in NO_NUMBERS)]
    lax = f"({' OR '.join(signs)}) AND regexp_matches({text}, {quote(MAYBE_LENIENT)})"
    row = connection.execute(
        f"SELECT bool_or(json_type(line) <> 'OBJECT' OR {lax}) FROM {relation}"
    ).fetchone()
    return (row is not None and bool(row[0])) or any(
        _has_repeated_keys(connection, relation, keys)
        for keys in ("json_keys(line)", "json_keys(line, '/properties')")
    )


def _has_word(text: str, word: str) -> str:
    return f"contains(lower({text}), {quote(word)})"


def _has_repeated_keys(connection: duckdb.DuckDBPyConnection, relation: str, keys: str) -> bool:
    # Most objects of a file have the same keys: each list of keys is looked at once.
    row = connection.execute(
        f"SELECT bool_or(len(keys) <> len(list_distinct(keys))) FROM (SELECT DISTINCT {keys} AS keys FROM {relation})"
    ).fetchone()
    return row is not None and bool(row[0])


@dataclass(frozen=True, slots=True)
class JsonLinesTable:
    """A file of JSON objects in DuckDB. ``kinds`` has the kinds of values of each property column."""

    source: JsonLinesFile
    relation: str
    mapping: TableMapping
    headers: tuple[str, ...]
    kinds: dict[int, list[str]]
    left_out: frozenset[int] = field(default_factory=frozenset)

    @property
    def name(self) -> str:
        """The file, as the user called it."""
        return self.source.file.name

    @property
    def has_blank_rows(self) -> bool:
        """An object is an object here."""
        return False

    def text(self, column: Column) -> str:
        """SQL: a string or a whole number as VARCHAR, or the ``id`` of an object (as APOC has the ends of an edge)."""
        cell = f"c{column.position}"
        inner = f"json_extract({cell}, '/id')"
        return (
            f"CASE WHEN json_type({cell}) = 'OBJECT' THEN {_scalar_text(inner)} ELSE {_scalar_text(cell)} END"
        )

    def shown(self, column: Column) -> str:
        """SQL: a value as JSON."""
        return f"CAST(c{column.position} AS VARCHAR)"

    def present(self, column: Column) -> str:
        """SQL: whether there is a value that is not null."""
        return f"(c{column.position} IS NOT NULL)"

    def types(self, column: Column, separator: str) -> str:
        """SQL: the types in an array of strings, or the one type in a string."""
        cell = f"c{column.position}"
        return (
            f"CASE json_type({cell}) WHEN 'ARRAY' THEN json_extract_string({cell}, '$[*]')"
            f" ELSE [json_extract_string({cell}, '$')] END"
        )

    def values(self, column: Column) -> PropertyValues:
        """How a property is read: each kind of value that it has."""
        cell = f"c{column.position}"
        kinds = self.kinds.get(column.position, [])
        if column.declared is not None:
            text = f"json_extract_string({cell}, '$')"
            found = alternatives(text, column.declared, separator=_ARRAY_SEPARATOR)
            return PropertyValues(found, f"{cell} IS NOT NULL", self.shown(column), str(column.declared.kind))
        certain = all(kind in CERTAIN for kind in kinds)
        if len(kinds) == 1:
            found = kind_alternatives(cell, kinds[0])
        else:
            found = [
                replace(
                    one,
                    expression=f"CASE WHEN askgraph_value_kind({cell}) = {quote(kind)} THEN {one.expression} END",
                )
                for kind in kinds
                for one in kind_alternatives(cell, kind)
            ]
        present = f"{cell} IS NOT NULL"
        return PropertyValues(
            found, present, self.shown(column), "value that can be read", _VALUE_ADVICE, certain
        )

    def locate(self, cells: Sequence[tuple[int, Column | None]]) -> list[Location]:
        """The lines of cells."""
        wanted = {row for row, _ in cells}
        last = max(wanted, default=-1)
        found: dict[int, int] = {}
        row = 0
        with self.source.file.open() as stream, gzip_errors(self.source.file):
            for number, _ in object_lines(stream):
                if number in self.left_out:
                    continue
                if row in wanted:
                    found[row] = number
                if row >= last:
                    break
                row += 1
        return [
            Location(self.name, found.get(row), column.header if column else None) for row, column in cells
        ]


def _scalar_text(value: str) -> str:
    """SQL: the text of a string or a whole number; null for anything else, and for an empty string."""
    digits = (
        f"CASE WHEN regexp_full_match(CAST({value} AS VARCHAR), '-?[0-9]+') THEN CAST({value} AS VARCHAR) END"
    )
    string = f"nullif(json_extract_string({value}, '$'), '')"
    return f"CASE json_type({value}) WHEN 'VARCHAR' THEN {string} ELSE {digits} END"
