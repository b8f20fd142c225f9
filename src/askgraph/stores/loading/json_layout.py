"""What the lines of a file of JSON objects are: nodes or edges, and the column that each of their keys becomes."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

from ...core.errors import Location, MalformedFileError
from .conversion import quote
from .dialects import find_ends, interpret_header
from .header_faults import HeaderContext
from .mapping import Column, EdgeMapping, Role, TableMapping, require_mapped_columns

if TYPE_CHECKING:
    import duckdb

_MOST_KEYS: Final = 5_000
_GLANCE: Final = 1_000
_SHAPE_KEYS: Final = ("properties", "labels", "types", "start", "source")
_SORTS: Final[dict[str, tuple[str, str]]] = {"type": ("node", "relationship"), "kind": ("node", "edge")}
"""Keys that say what a line is, in APOC's export and in ours, with their values."""


@dataclass(frozen=True, slots=True)
class JsonColumns:
    """What the columns of a table of JSON values mean, and all keys that the objects have."""

    mapping: TableMapping
    keys: tuple[str, ...]

    def properties(self) -> Iterator[Column]:
        """The columns that are read as values, each once."""
        seen: set[int] = set()
        groups = [nodes.properties for nodes in self.mapping.nodes]
        groups += [nodes.types for nodes in self.mapping.nodes if nodes.label_may_be_name]
        groups += [self.mapping.edges.properties] if self.mapping.edges else []
        for column in (column for group in groups for column in group):
            if column.position not in seen:
                seen.add(column.position)
                yield column


class JsonLayout:
    """Finds out what the lines of a file are, and lays them out in columns."""

    def __init__(self, connection: duckdb.DuckDBPyConnection, lines: str, context: HeaderContext) -> None:
        self._connection = connection
        self._lines = lines
        self._context = context

    def build(self, relation: str) -> JsonColumns:
        """Make the table ``relation`` and say what its columns mean.

        Its column ``is_edge`` is true for edges and null for nodes.
        """
        all_keys = self._keys("true")
        inner_keys = self._keys("true", "/properties") if "properties" in all_keys else []
        require_mapped_columns(self._context.file_map, [*all_keys, *inner_keys], self._context.file)
        sort_key = self._sort_key(all_keys)
        is_edge = self._is_edge(all_keys, sort_key)
        if is_edge != "NULL":
            self._sort_lines(is_edge)
        columns: list[tuple[str, ...]] = []
        nodes = self._mapping("NOT is_edge" if is_edge != "NULL" else "true", sort_key, columns)
        edges = self._mapping("is_edge", sort_key, columns) if is_edge != "NULL" else None
        flag = Column(len(columns), "", Role.IGNORE)
        self._extract(relation, columns, "is_edge" if is_edge != "NULL" else "false")
        mapping = _combined(nodes, edges, flag)
        return JsonColumns(mapping, tuple(dict.fromkeys([*all_keys, *inner_keys])))

    def _sort_lines(self, is_edge: str) -> None:
        """Note for each line whether it is an edge: several questions need it."""
        self._connection.execute(
            f"CREATE OR REPLACE TEMP TABLE {self._lines} AS"
            f" SELECT line, coalesce({is_edge}, false) AS is_edge FROM {self._lines}"
        )

    def _extract(self, relation: str, columns: Sequence[tuple[str, ...]], is_edge: str) -> None:
        """Make the table: a JSON column for each key, null where the value is, and a last one that marks edges."""
        pointers = list(dict.fromkeys(pointer for column in columns for pointer in column))
        # Asked for in one list, they are all found by reading the line once. SQL counts from 1.
        value = {
            pointer: f"nullif(found[{number}], 'null')" for number, pointer in enumerate(pointers, start=1)
        }
        cells = []
        for position, column in enumerate(columns):
            values = ", ".join(value[pointer] for pointer in column)
            cells.append(f"{values if len(column) == 1 else f'coalesce({values})'} AS c{position}")
        cells.append(f"CASE WHEN {is_edge} THEN CAST('true' AS JSON) END AS c{len(columns)}")
        wanted = ", ".join(map(quote, pointers))
        found = f"json_extract(line, [{wanted}])" if pointers else "[]"
        lines = f"(SELECT *, {found} AS found FROM {self._lines})"
        self._connection.execute(f"CREATE TEMP TABLE {relation} AS SELECT {', '.join(cells)} FROM {lines}")

    def _sort_key(self, keys: Sequence[str]) -> str | None:
        """The key that says what each line is, if there is one: all of its values are known, and all lines have it."""
        for key, values in _SORTS.items():
            if key not in keys:
                continue
            known = ", ".join(map(quote, values))
            shape = " OR ".join(f"json_exists(line, {quote(pointer(other))})" for other in _SHAPE_KEYS)
            sorted_line = f"coalesce(json_extract_string(line, '/{key}') IN ({known}), false) AND ({shape})"
            # Most files show in their first lines that they are none of these.
            for lines in (f"(SELECT line FROM {self._lines} LIMIT {_GLANCE})", self._lines):
                row = self._connection.execute(f"SELECT bool_and({sorted_line}) FROM {lines}").fetchone()
                if row is None or not row[0]:
                    break
            else:
                return key
        return None

    def _is_edge(self, keys: Sequence[str], sort_key: str | None) -> str:
        """SQL: whether a line is an edge; the text ``NULL`` if no line can be."""
        if sort_key is not None:
            edge = _SORTS[sort_key][1]
            return f"json_extract_string(line, '/{sort_key}') = {quote(edge)}"
        mapped = [
            header for header, column in self._context.file_map.columns.items() if column.role in _END_ROLES
        ]
        ends = [key for key in mapped if key in keys] or find_ends(keys, self._context)
        if not ends:
            return "NULL"
        present = [f"coalesce(json_type(line, {quote(pointer(end))}) <> 'NULL', false)" for end in ends]
        return " OR ".join(present)

    def _keys(self, rows: str, parent: str = "") -> list[str]:
        """The keys of the objects (or of the objects under ``parent``), in the order in which they first appear."""
        keys = f"json_keys(line, {quote(parent)})" if parent else "json_keys(line)"
        # Most objects of a file have the same keys: each list of keys is taken apart once.
        lists = f"SELECT {keys} AS keys, min(rowid) AS row FROM {self._lines} WHERE {rows} GROUP BY keys"
        found = self._connection.execute(
            f"SELECT key FROM (SELECT unnest(keys) AS key, row FROM ({lists})) GROUP BY key ORDER BY min(row), key"
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
            # In our own export what stands beside the properties is none.
            same = (
                None if sort_key == "kind" else next((i for i, name in enumerate(top) if name == key), None)
            )
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
