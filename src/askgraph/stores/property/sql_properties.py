"""The values of a property in SQL: one row for each, whatever columns they lie in and whether they come in lists."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

from .catalog import PropertyColumn
from .codec import sql_type
from .sql_values import Alternative, SqlValue

_FIRST_MOMENT: Final = -62_135_596_800_000_000
_LAST_MOMENT: Final = 253_402_300_799_999_999


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

    What has no column type (a map, a list, a typed literal, a time with a zone) stays ``json``.
    """
    kind, plain = f"json_type({sql})", f"json_extract_string({sql}, '$')"
    tag, tagged = f"json_extract_string({sql}, '/$type')", f"json_extract_string({sql}, '/value')"
    whole = f"({sql})::VARCHAR"
    has_zone = f"regexp_matches({tagged}, '([+-][0-9:.]+|Z)$')"
    number = f"TRY_CAST({tagged} AS BIGINT)"
    # A zone with odd seconds, and the ends of the calendar, are beyond SQL.
    moment = f"TRY_CAST({tagged} AS TIMESTAMPTZ)"
    usual = f"coalesce(epoch_us({moment}) BETWEEN {_FIRST_MOMENT} AND {_LAST_MOMENT}, FALSE)"
    cases = {
        "boolean": (f"{kind} = 'BOOLEAN'", f"{plain}::BOOLEAN"),
        "integer": (
            f"{kind} IN ('BIGINT', 'UBIGINT') OR ({tag} = 'integer' AND {number} IS NOT NULL)",
            f"coalesce({number}, {plain}::BIGINT)",
        ),
        "big_integer": (f"{tag} = 'integer' AND {number} IS NULL", tagged),
        "decimal": (f"{tag} = 'decimal'", tagged),
        "float": (f"{kind} = 'DOUBLE' OR {tag} = 'float'", f"coalesce({tagged}, {plain})::DOUBLE"),
        "text": (f"{kind} = 'VARCHAR'", plain),
        "language_text": (f"{tag} = 'text'", whole),
        "date": (f"{tag} = 'date'", f"{tagged}::DATE"),
        "datetime": (f"{tag} = 'datetime' AND NOT {has_zone}", f"{tagged}::TIMESTAMP"),
        "zoned_datetime": (f"{tag} = 'datetime' AND {has_zone} AND {usual}", moment),
        "time": (f"{tag} = 'time' AND NOT {has_zone}", f"{tagged}::TIME"),
        "duration": (f"{tag} = 'duration'", tagged),
        "bytes": (f"{tag} = 'bytes'", f"from_base64({tagged})"),
        "point": (f"{tag} = 'point'", whole),
    }
    others = f"{kind} = 'ARRAY' OR ({kind} = 'OBJECT' AND {tag} IS NULL) OR {tag} IN ('map', 'literal')"
    beyond = f"{has_zone} AND ({tag} = 'time' OR ({tag} = 'datetime' AND NOT {usual}))"
    cases["json"] = (f"{others} OR ({beyond})", whole)
    return [
        Alternative(column_type, f"CASE WHEN {condition} THEN {value} END")
        for column_type, (condition, value) in cases.items()
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
