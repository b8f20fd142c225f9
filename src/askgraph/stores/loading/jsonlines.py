"""JSON Lines into DuckDB: one object a line, each a node or an edge.

A node has an id, an edge has two ends; types, properties (beside the id, or under ``properties``) and names of keys are as in
tables. Lines of both sorts may be mixed, as APOC's export and our own do: there ``type`` or ``kind`` says which is which.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Final

from ...core.errors import LoadError, Location, MalformedFileError
from .conversion import alternatives, quote
from .dialects import HeaderContext, find_ends, interpret_header
from .json_kinds import CERTAIN, define_macros, kind_alternatives, kinds_of
from .json_text import MAYBE_LENIENT, check_line, object_lines
from .mapping import Column, EdgeMapping, NodeMapping, Role, TableMapping, require_mapped_columns
from .records import LONGEST_RECORD
from .report import ProblemLog
from .sources import InputFile, check_text, decode_to_utf8, gzip_errors
from .staged import PropertyValues

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

    def stage(self, connection: duckdb.DuckDBPyConnection, relation: str, log: ProblemLog) -> JsonLinesTable:
        """Read the file into a temporary table with a JSON column ``c0``, ``c1``, … for each key."""
        define_macros(connection)
        lines = f"{relation}_lines"
        left_out = self._stage_lines(connection, lines, log)
        if not left_out:
            _refuse_blank(connection, lines, self.file)
        table = _Layout(connection, lines, self.context).build(relation)
        connection.execute(f"DROP TABLE {lines}")
        kinds = {
            column.position: kinds_of(connection, relation, f"c{column.position}")
            for column in table.properties()
        }
        return JsonLinesTable(self, relation, table.mapping, table.keys, kinds, left_out)

    def _stage_lines(
        self, connection: duckdb.DuckDBPyConnection, relation: str, log: ProblemLog
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
        left_out = self._write_clean_copy(log)
        try:
            _read_objects(connection, relation, self.clean_copy)
        except duckdb.Error as error:
            raise MalformedFileError(
                f"the lines cannot be read: {complaint or str(error).partition(chr(10))[0]}",
                location=self.file.at(),
            ) from error
        return left_out

    def _write_clean_copy(self, log: ProblemLog) -> frozenset[int]:
        left_out = set()
        with self.file.open() as stream, gzip_errors(self.file), self.clean_copy.open("wb") as copy:
            for number, line in object_lines(stream):
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


def _refuse_blank(connection: duckdb.DuckDBPyConnection, lines: str, file: InputFile) -> None:
    row = connection.execute(f"SELECT count(*) FROM {lines}").fetchone()
    if row is None or row[0] == 0:
        raise MalformedFileError("the file has only blank lines", location=file.at(1))


def _has_doubtful_lines(connection: duckdb.DuckDBPyConnection, relation: str) -> bool:
    keys, inner = "json_keys(line)", "json_keys(line, '/properties')"
    row = connection.execute(
        f"SELECT bool_or(json_type(line) <> 'OBJECT' OR regexp_matches(CAST(line AS VARCHAR), {quote(MAYBE_LENIENT)})"
        f" OR len({keys}) <> len(list_distinct({keys})) OR len({inner}) <> len(list_distinct({inner}))) FROM {relation}"
    ).fetchone()
    return row is not None and bool(row[0])


@dataclass(frozen=True, slots=True)
class _Key:
    """A key of the objects: where it stands, and its column."""

    name: str
    pointers: tuple[str, ...]
    position: int


@dataclass(frozen=True, slots=True)
class _Built:
    mapping: TableMapping
    keys: tuple[str, ...]

    def properties(self) -> Iterator[Column]:
        seen: set[int] = set()
        groups = [nodes.properties for nodes in self.mapping.nodes]
        groups += [nodes.types for nodes in self.mapping.nodes if nodes.label_may_be_name]
        groups += [self.mapping.edges.properties] if self.mapping.edges else []
        for column in (column for group in groups for column in group):
            if column.position not in seen:
                seen.add(column.position)
                yield column


class _Layout:
    """Finds out what the lines of a file are, and lays them out in columns."""

    def __init__(self, connection: duckdb.DuckDBPyConnection, lines: str, context: HeaderContext) -> None:
        self._connection = connection
        self._lines = lines
        self._context = context

    def build(self, relation: str) -> _Built:
        """Make the table ``relation`` and say what its columns mean.

        Its column ``is_edge`` is true for edges and null for nodes.
        """
        sort_key = self._sort_key()
        all_keys = self._keys("true")
        inner_keys = self._keys("true", "/properties") if "properties" in all_keys else []
        require_mapped_columns(self._context.file_map, [*all_keys, *inner_keys], self._context.file)
        is_edge = self._is_edge(all_keys, sort_key)
        edge_rows, node_rows = f"coalesce({is_edge}, false)", f"NOT coalesce({is_edge}, false)"
        columns: list[tuple[str, ...]] = []
        nodes = self._mapping(node_rows, sort_key, columns)
        edges = self._mapping(edge_rows, sort_key, columns) if is_edge != "NULL" else None
        flag = Column(len(columns), "", Role.IGNORE)
        mapping = _combined(nodes, edges, flag)
        cells = [f"{_cell(pointers)} AS c{position}" for position, pointers in enumerate(columns)]
        cells.append(f"CASE WHEN {edge_rows} THEN CAST('true' AS JSON) END AS c{flag.position}")
        self._connection.execute(
            f"CREATE TEMP TABLE {relation} AS SELECT {', '.join(cells)} FROM {self._lines}"
        )
        return _Built(mapping, tuple(dict.fromkeys([*all_keys, *inner_keys])))

    def _sort_key(self) -> str | None:
        """The key that says what each line is, if there is one: all of its values are known, and all lines have it."""
        for key, values in _SORTS.items():
            known = ", ".join(map(quote, values))
            row = self._connection.execute(
                f"SELECT count(*) > 0 AND bool_and(coalesce(json_extract_string(line, '/{key}') IN ({known}), false)"
                f" AND (json_exists(line, '/properties') OR json_exists(line, '/labels') OR json_exists(line, '/types')"
                f" OR json_exists(line, '/start') OR json_exists(line, '/source'))) FROM {self._lines}"
            ).fetchone()
            if row and row[0]:
                return key
        return None

    def _is_edge(self, keys: Sequence[str], sort_key: str | None) -> str:
        """SQL: true for a line that is an edge, else null; the text ``NULL`` if none is."""
        if sort_key is not None:
            edge = _SORTS[sort_key][1]
            return f"CASE WHEN json_extract_string(line, '/{sort_key}') = {quote(edge)} THEN true END"
        mapped = [
            header for header, column in self._context.file_map.columns.items() if column.role in _END_ROLES
        ]
        ends = [key for key in mapped if key in keys] or find_ends(keys, self._context)
        if not ends:
            return "NULL"
        present = " OR ".join(f"{_cell((pointer(end),))} IS NOT NULL" for end in ends)
        return f"CASE WHEN {present} THEN true END"

    def _keys(self, rows: str, parent: str = "") -> list[str]:
        """The keys of the objects (or of the objects under ``parent``), in the order in which they first appear."""
        keys = f"json_keys(line, {quote(parent)})" if parent else "json_keys(line)"
        found = self._connection.execute(
            f"SELECT key FROM (SELECT rowid AS row, unnest({keys}) AS key FROM {self._lines} WHERE {rows})"
            " GROUP BY key ORDER BY min(row), key"
        ).fetchall()
        if len(found) > _MOST_KEYS:
            raise MalformedFileError(
                f"the objects have {len(found):,} different keys; at most {_MOST_KEYS:,} can be columns",
                location=Location(self._context.file, 1),
                advice="Are ids used as keys? Turn each key and value into an object of its own.",
            )
        return [key for (key,) in found]

    def _mapping(
        self, rows: str, sort_key: str | None, columns: list[tuple[str, ...]]
    ) -> TableMapping | None:
        """What the lines of one sort mean; their columns are added to ``columns``."""
        outer = self._keys(rows)
        if not outer:
            return None
        inner = self._keys(rows, "/properties") if self._has_properties(rows) else []
        top = [key for key in outer if key != sort_key and not (inner and key == "properties")]
        if inner or "properties" in outer:
            top = [key for key in top if key != "properties"]
            if sort_key == "kind" and "types" in top:
                top.remove("name")  # our own export repeats the name beside the properties that it comes from
        mapping = interpret_header(top, self._context_for(top, sort_key))
        first = len(columns)
        columns += [(pointer(key),) for key in top]
        mapping = _moved(mapping, first)
        nested = []
        for key in inner:
            same = next((i for i, name in enumerate(top) if name == key), None)
            own = (f"/properties{pointer(key)}",)
            nested.append(_property_column(len(columns), key, self._context))
            columns.append(own if same is None else (*own, pointer(key)))
        return _with_properties(mapping, nested)

    def _context_for(self, keys: Sequence[str], sort_key: str | None) -> HeaderContext:
        """The user's wishes; and where ``type`` says that a line is an edge, its ends are known."""
        if sort_key != "type" or not set(_APOC_ENDS) <= set(keys):
            return self._context
        file_map = self._context.file_map
        return replace(self._context, file_map=replace(file_map, columns={**_APOC_ENDS, **file_map.columns}))

    def _has_properties(self, rows: str) -> bool:
        """Whether ``properties`` holds objects, and nothing else, in these lines."""
        row = self._connection.execute(
            f"SELECT bool_and(kind = 'OBJECT') FROM (SELECT json_type(line, '/properties') AS kind FROM {self._lines}"
            f" WHERE {rows}) WHERE kind IS NOT NULL AND kind <> 'NULL'"
        ).fetchone()
        return row is not None and bool(row[0])


_END_ROLES: Final = (Role.SOURCE, Role.TARGET)
_APOC_ENDS: Final = {"start": Column(-1, "start", Role.SOURCE), "end": Column(-1, "end", Role.TARGET)}


def pointer(key: str) -> str:
    """A key as a JSON pointer."""
    return "/" + key.replace("~", "~0").replace("/", "~1")


def _cell(pointers: Sequence[str]) -> str:
    """SQL: the first value that is there and not null."""
    values = [f"json_extract(line, {quote(one)})" for one in pointers]
    cells = [f"CASE WHEN json_type({value}) <> 'NULL' THEN {value} END" for value in values]
    return cells[0] if len(cells) == 1 else f"coalesce({', '.join(cells)})"


def _scalar_text(value: str) -> str:
    """SQL: the text of a string or a whole number; null for anything else, and for an empty string."""
    digits = (
        f"CASE WHEN regexp_full_match(CAST({value} AS VARCHAR), '-?[0-9]+') THEN CAST({value} AS VARCHAR) END"
    )
    return f"CASE json_type({value}) WHEN 'VARCHAR' THEN nullif(json_extract_string({value}, '$'), '') ELSE {digits} END"


def _property_column(position: int, key: str, context: HeaderContext) -> Column:
    mapped = context.file_map.columns.get(key)
    if mapped is None or mapped.role not in (Role.PROPERTY, Role.IGNORE):
        return Column(position, key, Role.PROPERTY, key)
    return replace(mapped, position=position)


def _moved(mapping: TableMapping, by: int) -> TableMapping:
    """The same mapping for columns that stand further to the right."""

    def moved(column: Column) -> Column:
        return replace(column, position=column.position + by)

    def all_moved(columns: Sequence[Column]) -> tuple[Column, ...]:
        return tuple(map(moved, columns))

    nodes = tuple(
        replace(one, id=moved(one.id), types=all_moved(one.types), properties=all_moved(one.properties))
        for one in mapping.nodes
    )
    edges = mapping.edges
    if edges is not None:
        edges = EdgeMapping(
            moved(edges.source),
            moved(edges.target),
            moved(edges.type) if isinstance(edges.type, Column) else edges.type,
            moved(edges.id) if edges.id is not None else None,
            all_moved(edges.properties),
        )
    return replace(mapping, nodes=nodes, edges=edges)


def _with_properties(mapping: TableMapping, nested: Sequence[Column]) -> TableMapping:
    """The mapping with the columns of ``properties`` added; a key beside it gives way to the same key within."""
    inner = [column for column in nested if column.role is Role.PROPERTY]
    keys = {column.header for column in nested}

    def joined(outer: Sequence[Column]) -> tuple[Column, ...]:
        return (*(column for column in outer if column.header not in keys), *inner)

    nodes = tuple(replace(one, properties=joined(one.properties)) for one in mapping.nodes)
    edges = mapping.edges and replace(mapping.edges, properties=joined(mapping.edges.properties))
    return replace(mapping, nodes=nodes, edges=edges)


def _combined(nodes: TableMapping | None, edges: TableMapping | None, flag: Column) -> TableMapping:
    if edges is None:
        return nodes or TableMapping()
    only_edges = edges.edges and replace(edges.edges, only_where=(flag, True))
    if nodes is None:
        return replace(edges, edges=only_edges)
    only_nodes = tuple(replace(one, only_where=(flag, False)) for one in nodes.nodes)
    return TableMapping(only_nodes, only_edges, notes=nodes.notes + edges.notes)


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
        """SQL: a string or a whole number as VARCHAR, or the ``id`` of an object (as APOC writes the ends of an edge)."""
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
