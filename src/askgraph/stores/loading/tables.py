"""From staged rows to nodes and edges: the checks of each row, and the relations that the writer takes."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ...core.errors import BadValueError, LoadError, Location
from ...core.words import quantity
from ..property.writer import PropertyGraphWriter, PropertySource, SourceOfRows
from .conversion import quote
from .header_faults import map_option
from .mapping import Column, EdgeMapping, NodeMapping, Role
from .report import ProblemLog
from .spaces import IdSpaces
from .staged import PropertyValues, StagedTable

if TYPE_CHECKING:
    import duckdb

_SHOWN = 60


@dataclass(frozen=True, slots=True)
class _Check:
    """A fault that rows may have: where it is (SQL), the column, and what to say of a cell."""

    fault: str
    column: Column
    shown: str
    message: str
    advice: str | None = None


@dataclass(frozen=True, slots=True)
class _Property:
    column: Column
    values: PropertyValues


class TableLoader:
    """Checks staged tables and hands their nodes and edges to a writer.

    Args:
        writer: where they go.
        spaces: the id spaces of the graph.
        log: told of every row that is left out.
        separator: what stands between several types in a cell.
    """

    def __init__(
        self, writer: PropertyGraphWriter, *, spaces: IdSpaces, log: ProblemLog, separator: str = ";"
    ) -> None:
        self._writer = writer
        self._connection: duckdb.DuckDBPyConnection = writer.connection
        self._spaces = spaces
        self._log = log
        self._separator = separator
        self._relations = 0

    def load(self, table: StagedTable, *, make_ends: bool) -> None:
        """Hand over what a table gives; with ``make_ends`` also nodes for the ends of its edges."""
        self._note_lack_of_rows(table)
        for nodes in table.mapping.nodes:
            if nodes.implied:
                self._load_implied_nodes(table, nodes)
            else:
                self._load_nodes(table, nodes)
        if table.mapping.edges is not None:
            self._load_edges(table, table.mapping.edges, make_ends=make_ends and not table.mapping.nodes)

    def _note_lack_of_rows(self, table: StagedTable) -> None:
        row = self._connection.execute(f"SELECT count(*) FROM {table.relation}").fetchone()
        left_out = any(
            problem.location and problem.location.file == table.name for problem in self._log.problems
        )
        if row == (0,) and not left_out:
            self._log.note(f"nothing was loaded from {table.name}: it has no rows")

    # --- nodes

    def _load_nodes(self, table: StagedTable, mapping: NodeMapping) -> None:
        mapping = self._settle_label(table, mapping)
        properties = self._properties(table, mapping.properties)
        checks = [_missing(table, mapping.id, "id"), *_bad_values(properties)]
        kept = self._kept_rows(table, _row_condition(table, mapping.only_where), checks)
        relation = self._relation()
        sources, selection = self._selection(properties)
        types = " || ".join(
            f"coalesce({table.types(column, self._separator)}, [])" for column in mapping.types
        )
        self._connection.execute(
            f"CREATE TEMP VIEW {relation} AS SELECT rowid AS staged_row, {self._id(table, mapping.id)} AS id,"
            f" {types or 'NULL::VARCHAR[]'} AS types{selection} FROM {table.relation} WHERE {kept}"
        )
        self._writer.add_nodes(
            relation,
            id_column="id",
            types=mapping.constant_types,
            types_column="types" if mapping.types else None,
            properties=sources,
            source=self._source(table, relation),
        )

    def _load_implied_nodes(self, table: StagedTable, mapping: NodeMapping) -> None:
        """The ends of edges that a table describes: one node for each id, as its first row has it."""
        properties = self._properties(table, mapping.properties)
        kept = self._kept_rows(table, "true", _bad_values(properties))
        relation = self._relation()
        sources, selection = self._selection(properties)
        types = " || ".join(
            f"coalesce({table.types(column, self._separator)}, [])" for column in mapping.types
        )
        identity = self._id(table, mapping.id)
        self._connection.execute(
            f"CREATE TEMP TABLE {relation} AS SELECT rowid AS staged_row, {identity} AS id,"
            f" {types or 'NULL::VARCHAR[]'} AS types{selection} FROM {table.relation} WHERE rowid IN"
            f" (SELECT min(rowid) FROM {table.relation} WHERE {kept} AND {identity} IS NOT NULL GROUP BY {identity})"
            " ORDER BY staged_row"
        )
        self._writer.add_nodes(
            relation,
            id_column="id",
            types=mapping.constant_types,
            types_column="types" if mapping.types else None,
            properties=sources,
            source=self._source(table, relation),
            implied=True,
        )

    def _settle_label(self, table: StagedTable, mapping: NodeMapping) -> NodeMapping:
        """A lone column "label": types if its values repeat, else names."""
        if not mapping.label_may_be_name:
            return mapping
        (label,) = mapping.types
        row = self._connection.execute(
            f"SELECT count(*), count(DISTINCT label) FROM (SELECT {table.text(label)} AS label FROM {table.relation})"
            " WHERE label IS NOT NULL"
        ).fetchone()
        count, distinct = row or (0, 0)
        as_names = distinct * 2 > count
        meaning = "names, because most are different" if as_names else "types, because they repeat"
        other = "type" if as_names else "name"
        self._log.note(
            f"{table.name}: the values of {label.header!r} were taken as {meaning}"
            f" (the other way: {map_option(table.name, label.header, other)})"
        )
        if not as_names:
            return mapping
        named = Column(label.position, label.header, Role.PROPERTY, label.header, label.declared)
        return NodeMapping(
            mapping.id,
            (),
            mapping.constant_types,
            (*mapping.properties, named),
            only_where=mapping.only_where,
        )

    # --- edges

    def _load_edges(self, table: StagedTable, mapping: EdgeMapping, *, make_ends: bool) -> None:
        properties = self._properties(table, mapping.properties)
        checks = [
            _missing(table, mapping.source, "source of the edge"),
            _missing(table, mapping.target, "target of the edge"),
            *_bad_values(properties),
        ]
        if isinstance(mapping.type, Column):
            checks.insert(2, _missing(table, mapping.type, "type of the edge"))
        kept = self._kept_rows(table, _row_condition(table, mapping.only_where), checks)
        sources, selection = self._selection(properties)
        type_sql = table.text(mapping.type) if isinstance(mapping.type, Column) else quote(mapping.type)
        id_sql = table.text(mapping.id) if mapping.id is not None else "NULL::VARCHAR"
        relation = self._relation()
        self._connection.execute(
            f"CREATE TEMP VIEW {relation} AS SELECT rowid AS staged_row, {self._id(table, mapping.source)} AS source,"
            f" {self._id(table, mapping.target)} AS target, {type_sql} AS type, {id_sql} AS id{selection}"
            f" FROM {table.relation} WHERE {kept}"
        )
        if make_ends:
            self._make_ends(table, relation)
        self._writer.add_edges(
            relation,
            source_column="source",
            target_column="target",
            type_column="type",
            id_column="id" if mapping.id is not None else None,
            properties=sources,
            source=self._source(table, relation),
        )

    def _make_ends(self, table: StagedTable, edges: str) -> None:
        relation = self._relation()
        self._connection.execute(
            f"CREATE TEMP TABLE {relation} AS SELECT id FROM (SELECT id, min(arrival) AS arrival FROM"
            f" (SELECT source AS id, staged_row * 2 AS arrival FROM {edges}"
            f" UNION ALL SELECT target, staged_row * 2 + 1 FROM {edges}) GROUP BY id) ORDER BY arrival"
        )
        self._writer.add_nodes(relation, id_column="id", source=SourceOfRows(table.name), implied=True)

    # --- rows

    def _relation(self) -> str:
        self._relations += 1
        return f"askgraph_relation_{self._relations}"

    def _id(self, table: StagedTable, column: Column) -> str:
        prefix = self._spaces.prefix(column.space)
        return f"{quote(prefix)} || {table.text(column)}" if prefix else table.text(column)

    def _properties(self, table: StagedTable, columns: Iterable[Column]) -> list[_Property]:
        return [_Property(column, table.values(column)) for column in columns]

    def _kept_rows(self, table: StagedTable, rows: str, checks: Sequence[_Check]) -> str:
        """SQL for the rows to load: those of ``rows`` that are not empty and pass every check. The rest is logged."""
        faults = [f"coalesce({check.fault}, false)" for check in checks]
        if not any(self._count(table, rows, faults)):
            return rows  # no row is empty either: it would lack its id
        cells = [f"coalesce({table.present(column)}, false)" for column in _all_columns(table)]
        filled = f"({' OR '.join(cells)})" if table.has_blank_rows else "true"
        (empty_rows,) = self._count(table, rows, [f"NOT {filled}"])
        if empty_rows:
            self._log.note(f"{table.name}: {quantity(empty_rows, 'row')} without any value left out")
        rows = f"{rows} AND {filled}"
        counts = self._count(table, rows, faults)
        failed = [(check, fault) for check, fault, count in zip(checks, faults, counts, strict=True) if count]
        if failed:
            self._log_faults(table, rows, failed)
        return " AND ".join([rows, *(f"NOT {fault}" for _, fault in failed)])

    def _count(self, table: StagedTable, rows: str, conditions: Sequence[str]) -> list[int]:
        """How many of the rows meet each condition."""
        if not conditions:
            return []
        counts = ", ".join(f"count(*) FILTER ({condition})" for condition in conditions)
        row = self._connection.execute(f"SELECT {counts} FROM {table.relation} WHERE {rows}").fetchone()
        return list(row or ())

    def _log_faults(self, table: StagedTable, rows: str, failed: Sequence[tuple[_Check, str]]) -> None:
        room = self._log.room
        found: list[tuple[int, int, _Check, str | None]] = []
        for check, fault in failed:
            cells = self._connection.execute(
                f"SELECT rowid, left({check.shown}, {_SHOWN}) FROM {table.relation} WHERE {rows} AND {fault}"
                f" ORDER BY rowid LIMIT {room}"
            ).fetchall()
            found += [(row, check.column.position, check, shown) for row, shown in cells]
        found.sort(key=lambda fault: fault[:2])
        every = self._log.on_error == "report"
        listed = list(found if every else _first_of_each_row(found))[:room]
        total = self._count_faults(table, rows, failed, every=every)
        places = table.locate([(row, check.column) for row, _, check, _ in listed])
        for (_, _, check, shown), place in zip(listed, places, strict=True):
            self._log.add(_error(check, shown, place))
        self._log.add_uncounted(total - len(listed))

    def _count_faults(
        self, table: StagedTable, rows: str, failed: Sequence[tuple[_Check, str]], *, every: bool
    ) -> int:
        each = " + ".join(f"({fault})::INTEGER" for _, fault in failed)
        count = f"sum({each})" if every else f"count(*) FILTER (({each}) > 0)"
        row = self._connection.execute(f"SELECT {count} FROM {table.relation} WHERE {rows}").fetchone()
        return int(row[0]) if row else 0

    def _selection(self, properties: Sequence[_Property]) -> tuple[list[PropertySource], str]:
        """What the writer is told of the properties, and the columns of the relation. (It drops the empty ones.)"""
        expressions: dict[tuple[str, str], list[str]] = {}
        for item in properties:
            for alternative in item.values.alternatives:
                pair = (item.column.key, alternative.column_type)
                expressions.setdefault(pair, []).append(_where_present(item.values, alternative.expression))
        sources = [
            PropertySource(key, f"p{number}", column_type)
            for number, (key, column_type) in enumerate(expressions)
        ]
        values = [
            found[0] if len(found) == 1 else f"coalesce({', '.join(found)})" for found in expressions.values()
        ]
        return sources, "".join(f", {value} AS p{number}" for number, value in enumerate(values))

    def _source(self, table: StagedTable, relation: str) -> SourceOfRows:
        def locate(ordinals: Sequence[int]) -> list[Location]:
            rows = self._connection.execute(
                f"SELECT staged_row FROM (SELECT staged_row, row_number() OVER () - 1 AS ordinal FROM {relation})"
                " WHERE ordinal IN (SELECT unnest($ordinals::BIGINT[])) ORDER BY ordinal",
                {"ordinals": list(ordinals)},
            ).fetchall()
            return table.locate([(row, None) for (row,) in rows])

        return SourceOfRows(table.name, locate=locate)


def _where_present(values: PropertyValues, expression: str) -> str:
    # What is known to fit casts an empty text to null by itself.
    return (
        expression
        if values.certain or "IS NOT NULL" in values.present
        else f"CASE WHEN {values.present} THEN {expression} END"
    )


def _row_condition(table: StagedTable, only_where: tuple[Column, bool] | None) -> str:
    if only_where is None:
        return "true"
    column, has_value = only_where
    present = f"coalesce({table.present(column)}, false)"
    return present if has_value else f"NOT {present}"


def _all_columns(table: StagedTable) -> Iterator[Column]:
    seen: set[int] = set()
    for column in _mapped_columns(table):
        if column.position not in seen:
            seen.add(column.position)
            yield column


def _mapped_columns(table: StagedTable) -> Iterator[Column]:
    for nodes in table.mapping.nodes:
        yield nodes.id
        yield from (*nodes.types, *nodes.properties)
    edges = table.mapping.edges
    if edges is not None:
        yield from (edges.source, edges.target, *edges.properties)
        if isinstance(edges.type, Column):
            yield edges.type
        if edges.id is not None:
            yield edges.id


def _missing(table: StagedTable, column: Column, what: str) -> _Check:
    shown = f"CASE WHEN {table.present(column)} THEN {table.shown(column)} END"
    advice = "Fill it in, or leave such rows out with --on-error skip."
    return _Check(f"{table.text(column)} IS NULL", column, shown, f"the {what}", advice)


def _bad_values(properties: Sequence[_Property]) -> list[_Check]:
    checks = []
    for item in properties:
        values = item.values
        if values.certain or not values.present:
            continue
        none_fits = (
            " AND ".join(f"({alternative.expression}) IS NULL" for alternative in values.alternatives)
            or "true"
        )
        fault = f"({values.present}) AND {none_fits}"
        checks.append(_Check(fault, item.column, values.shown, f"no {values.expected}", values.advice))
    return checks


def _error(check: _Check, shown: str | None, place: Location) -> LoadError:
    if check.message.startswith("no "):
        message = f"{shown!r} is {check.message}"
    elif shown is None:
        message = f"{check.message} is missing"
    else:
        message = f"{check.message} must be a text or a whole number, not {shown}"
    return BadValueError(message, location=place, advice=check.advice)


def _first_of_each_row(
    faults: Iterable[tuple[int, int, _Check, str | None]],
) -> Iterator[tuple[int, int, _Check, str | None]]:
    last = -1
    for fault in faults:
        if fault[0] != last:
            yield fault
        last = fault[0]
