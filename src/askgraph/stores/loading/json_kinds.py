"""What a JSON value is, in SQL, and how each kind becomes a column.

A number, a string, a boolean is what it is; ``{"$type": …, "value": …}`` is a value of :mod:`askgraph.core.values`; an
array of one kind is a list column, and whatever else there is, is kept as JSON. Strings are not looked into: a date is
a date only if it says so.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from ..property.codec import sql_type
from ..property.layout import LIST_ELEMENTS
from .conversion import DAY, MOMENT, Alternative, alternatives, quote
from .declared import DeclaredType, Kind

if TYPE_CHECKING:
    import duckdb

# Kinds of values with a "$type" begin with $.
_TAGS: Final[dict[str, Kind]] = {
    "$integer": Kind.BIG_INTEGER,
    "$float": Kind.FLOAT,
    "$decimal": Kind.DECIMAL,
    "$date": Kind.DATE,
    "$time": Kind.TIME,
    "$datetime": Kind.DATETIME,
    "$moment": Kind.DATETIME,
    "$duration": Kind.DURATION,
    "$bytes": Kind.BYTES,
}
_KEPT_AS_JSON: Final = ("json", "$text", "$literal", "$map")
_SIMPLE: Final = ("boolean", "integer", "float", "text")
CERTAIN: Final = frozenset({*_SIMPLE, "big_integer", *(f"{element}[]" for element in _SIMPLE)})
"""Kinds that need no check: whoever has found the kind has checked the value."""

_MACROS: Final = f"""
CREATE OR REPLACE TEMP MACRO askgraph_tag(value) AS json_extract_string(value, '/$type');
CREATE OR REPLACE TEMP MACRO askgraph_kind(value) AS CASE json_type(value)
    WHEN 'VARCHAR' THEN 'text'
    WHEN 'BOOLEAN' THEN 'boolean'
    WHEN 'BIGINT' THEN 'integer'
    WHEN 'UBIGINT' THEN CASE WHEN TRY_CAST(value AS BIGINT) IS NULL THEN 'big_integer' ELSE 'integer' END
    WHEN 'DOUBLE' THEN CASE WHEN regexp_full_match(CAST(value AS VARCHAR), '-?[0-9]+') THEN 'big_integer'
        WHEN isfinite(CAST(value AS DOUBLE)) THEN 'float' ELSE 'too large' END
    WHEN 'ARRAY' THEN 'json'
    WHEN 'OBJECT' THEN CASE
        WHEN askgraph_tag(value) IS NULL THEN 'json'
        WHEN askgraph_tag(value) = 'datetime'
            AND NOT regexp_full_match(json_extract_string(value, '/value'), {quote(MOMENT)}) THEN '$moment'
        ELSE '$' || askgraph_tag(value) END
END;
CREATE OR REPLACE TEMP MACRO askgraph_element_kinds(value) AS list_distinct(
    list_transform(json_extract(value, '$[*]'), lambda element: askgraph_kind(element)));
CREATE OR REPLACE TEMP MACRO askgraph_value_kind(value) AS CASE
    WHEN json_type(value) <> 'ARRAY' THEN askgraph_kind(value)
    WHEN json_array_length(value) = 0 THEN 'text[]'
    WHEN len(askgraph_element_kinds(value)) = 1
        AND ltrim(askgraph_element_kinds(value)[1], '$') IN ({", ".join(map(quote, LIST_ELEMENTS))})
        AND askgraph_element_kinds(value)[1] NOT IN ('$text', '$integer', '$float')
    THEN ltrim(askgraph_element_kinds(value)[1], '$') || '[]' ELSE 'json' END;
"""


def define_macros(connection: duckdb.DuckDBPyConnection) -> None:
    """Make the functions known that tell the kind of a JSON value."""
    connection.execute(_MACROS)


def kinds_of(connection: duckdb.DuckDBPyConnection, relation: str, column: str) -> list[str]:
    """The kinds of the values of a JSON column, in a fixed order."""
    rows = connection.execute(
        f"SELECT DISTINCT askgraph_value_kind({column}) AS kind FROM {relation} WHERE {column} IS NOT NULL"
        " ORDER BY kind"
    ).fetchall()
    return [kind for (kind,) in rows if kind is not None]


def kind_alternatives(cell: str, kind: str) -> list[Alternative]:
    """How the values of one kind in a JSON column are kept; empty for a kind that cannot be."""
    if kind in _SIMPLE:
        value = (
            f"json_extract_string({cell}, '$')" if kind == "text" else f"TRY_CAST({cell} AS {sql_type(kind)})"
        )
        return [Alternative(kind, value)]
    if kind == "big_integer":
        return [Alternative(kind, f"CAST({cell} AS VARCHAR)")]
    if kind in _TAGS:
        found = alternatives(
            f"json_extract_string({cell}, '/value')", DeclaredType(_TAGS[kind]), separator=";"
        )
        if kind != "$decimal":
            return found
        # What is no number, or far too large to be written out, is kept as it is (see codec.encode).
        other = f"CASE WHEN {found[0].expression} IS NULL THEN askgraph_json(CAST({cell} AS VARCHAR)) END"
        return [*found, Alternative("json", other)]
    if kind == "$point":
        return [Alternative("point", f"askgraph_point(CAST({cell} AS VARCHAR), '')")]
    if kind in _KEPT_AS_JSON:
        return [Alternative("json", f"askgraph_json(CAST({cell} AS VARCHAR))")]
    if kind.endswith("[]"):
        return [Alternative(kind, _list(cell, kind.removesuffix("[]")))]
    return []


def _list(cell: str, element: str) -> str:
    elements = f"json_extract({cell}, '$[*]')"
    if element == "text":
        return f"json_extract_string({cell}, '$[*]')"
    if element in _SIMPLE:
        return f"list_transform({elements}, lambda element: TRY_CAST(element AS {sql_type(element)}))"
    text = "json_extract_string(element, '/value')"
    pattern = DAY if element == "date" else MOMENT
    fits = (
        f"regexp_full_match({text}, {quote(pattern)}) AND TRY_CAST({text} AS {sql_type(element)}) IS NOT NULL"
    )
    bad = f"list_filter({elements}, lambda element: json_type(element) <> 'NULL' AND NOT coalesce({fits}, false))"
    values = f"list_transform({elements}, lambda element: TRY_CAST({text} AS {sql_type(element)}))"
    return f"CASE WHEN len({bad}) = 0 THEN {values} END"
