"""The values of a property in SQL: one row for each, whatever columns they lie in and whether they come in lists."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from .catalog import PropertyColumn
from .codec import sql_type
from .sql_values import Alternative, SqlValue


def property_cells(columns: Iterable[PropertyColumn], prefix: str) -> SqlValue:
    """The value of a key without lists; ``prefix`` stands before each column's name."""
    return SqlValue(
        tuple(Alternative(column.column_type, f"{prefix}{column.column_name}") for column in columns)
    )


def has_lists(columns: Iterable[PropertyColumn]) -> bool:
    """Whether a node may have several values in these columns."""
    return any(column.is_list or column.column_type == "json" for column in columns)


def property_elements(columns: Sequence[PropertyColumn], prefix: str, alias: str) -> tuple[str, SqlValue]:
    """The values of a key as a subquery with a row for each, and the value that its columns are, called ``alias``.

    A null within a list is no value.
    """
    fields = [f"f{position}" for position in range(len(columns))]
    branches = []
    parts = []
    for column, name in zip(columns, fields, strict=True):
        # Elements are structs with a field for each column, of which one is not null.
        struct = ", ".join(
            f"{field}: x" if field == name else f"{field}: NULL::{_element_sql_type(other)}"
            for field, other in zip(fields, columns, strict=True)
        )
        cell = f"{prefix}{column.column_name}"
        items = list_of_values(column, cell)
        branches.append(f"WHEN {cell} IS NOT NULL THEN list_transform({items}, lambda x: {{{struct}}})")
        is_json = column.element_type == "json"
        parts.append(
            json_as_value(f"element.{name}")
            if is_json
            else [Alternative(column.element_type, f"element.{name}")]
        )
    value = _merged(parts)
    selected = ", ".join(f"{item.sql} AS a{i}" for i, item in enumerate(value.alternatives))
    elements = f"SELECT unnest(CASE {' '.join(branches)} END) AS element"
    return f"(SELECT {selected} FROM ({elements}))", value.renamed(lambda i: f"{alias}.a{i}")


def _element_sql_type(column: PropertyColumn) -> str:
    return "JSON" if column.element_type == "json" else sql_type(column.element_type)


def list_of_values(column: PropertyColumn, cell: str) -> str:
    """The values in a cell as an SQL list; null where the cell is."""
    if column.is_list:
        return f"list_filter({cell}, lambda x: x IS NOT NULL)"
    if column.column_type != "json":
        return f"[{cell}]"
    several = f"list_filter(json_extract({cell}, '$[*]'), lambda x: json_type(x) <> 'NULL')"
    return f"CASE WHEN json_type({cell}) = 'ARRAY' THEN {several} ELSE [{cell}::JSON] END"


def json_as_value(sql: str) -> list[Alternative]:
    """A JSON expression in the strict form of :mod:`askgraph.core.values`, as a value of its own type.

    A map, a list, a typed literal and a time with a zone stay ``json``.
    """
    kind, tag, tagged = (
        f"json_type({sql})",
        f"json_extract_string({sql}, '/$type')",
        f"json_extract_string({sql}, '/value')",
    )
    plain = f"json_extract_string({sql}, '$')"

    def when(condition: str, result: str) -> str:
        return f"CASE WHEN {condition} THEN {result} END"

    zone = f"regexp_matches({tagged}, '([+-][0-9:.]+|Z)$')"
    wide = f"TRY_CAST({tagged} AS BIGINT)"
    separate = "('integer', 'float', 'decimal', 'date', 'duration', 'bytes', 'point', 'text')"
    return [
        Alternative("boolean", when(f"{kind} = 'BOOLEAN'", f"{plain}::BOOLEAN")),
        Alternative(
            "integer",
            f"CASE WHEN {kind} IN ('BIGINT', 'UBIGINT') THEN {plain}::BIGINT WHEN {tag} = 'integer' THEN {wide} END",
        ),
        Alternative("big_integer", when(f"{tag} = 'integer' AND {wide} IS NULL", tagged)),
        Alternative("decimal", when(f"{tag} = 'decimal'", tagged)),
        Alternative(
            "float",
            f"CASE WHEN {kind} = 'DOUBLE' THEN {plain}::DOUBLE WHEN {tag} = 'float' THEN {tagged}::DOUBLE END",
        ),
        Alternative("text", when(f"{kind} = 'VARCHAR'", plain)),
        Alternative("language_text", when(f"{tag} = 'text'", f"({sql})::VARCHAR")),
        Alternative("date", when(f"{tag} = 'date'", f"{tagged}::DATE")),
        Alternative("datetime", when(f"{tag} = 'datetime' AND NOT {zone}", f"{tagged}::TIMESTAMP")),
        Alternative("zoned_datetime", when(f"{tag} = 'datetime' AND {zone}", f"{tagged}::TIMESTAMPTZ")),
        Alternative("time", when(f"{tag} = 'time' AND NOT {zone}", f"{tagged}::TIME")),
        Alternative("duration", when(f"{tag} = 'duration'", tagged)),
        Alternative("bytes", when(f"{tag} = 'bytes'", f"from_base64({tagged})")),
        Alternative("point", when(f"{tag} = 'point'", f"({sql})::VARCHAR")),
        Alternative(
            "json",
            when(
                f"{kind} = 'ARRAY' OR ({kind} = 'OBJECT' AND coalesce({tag} NOT IN {separate}"
                f" AND NOT ({tag} IN ('datetime', 'time') AND NOT ({tag} = 'time' AND {zone})), TRUE))",
                f"({sql})::VARCHAR",
            ),
        ),
    ]


def _merged(parts: Iterable[list[Alternative]]) -> SqlValue:
    """Several values of which at most one is not null in a row, as one value."""
    expressions: dict[str, list[str]] = {}
    for part in parts:
        for item in part:
            expressions.setdefault(item.column_type, []).append(item.sql)
    return SqlValue(
        tuple(
            Alternative(column_type, sql[0] if len(sql) == 1 else f"coalesce({', '.join(sql)})")
            for column_type, sql in expressions.items()
        )
    )
