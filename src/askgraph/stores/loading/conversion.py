"""From the text of a cell to a typed value: in SQL where SQL is exact, in Python where it is not.

A conversion is a list of alternatives: pairs of a column type and an SQL expression that is null where the text is
not of that type. A cell that has a text and no alternative is a bad value. Plain SQL casts would not do: they read
``1.5`` as the integer 2, ``1_0`` as 10 and ``0000-01-01`` as a date.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from decimal import Decimal, InvalidOperation
from functools import lru_cache
from typing import TYPE_CHECKING, Any, Final

from ...core.errors import BadValueError
from ...core.values import Duration, Value, from_json_value, to_json_value
from ..property.codec import encode
from ..property.layout import COLUMN_TYPES
from .declared import DeclaredType, Kind
from .points import read_point

if TYPE_CHECKING:
    import duckdb


@dataclass(frozen=True, slots=True)
class Alternative:
    """One type that the texts of a column may have. ``expression`` is null where they have not."""

    column_type: str
    expression: str


_INTEGER: Final = "[+-]?[0-9]+"
_NUMBER: Final = r"[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]+)?"
_NOT_FINITE: Final = "[+-]?(?i:inf(inity)?)|(?i:nan)"
_DAY: Final = "(000[1-9]|00[1-9][0-9]|0[1-9][0-9]{2}|[1-9][0-9]{3})-[0-9]{2}-[0-9]{2}"
_CLOCK: Final = r"([01][0-9]|2[0-3]):[0-5][0-9](:[0-5][0-9](\.[0-9]{1,6}0*)?)?"
_UTC: Final = r"(Z|[+-]00(:?00)?)"
_OFFSET: Final = r"(Z|[+-][0-9]{2}(:?[0-9]{2})?)(\[[^\]]+\])?"
MOMENT: Final = f"{_DAY}[T ]{_CLOCK}"
UTC_MOMENT: Final = MOMENT + _UTC
ZONED_MOMENT: Final = MOMENT + _OFFSET
DAY: Final = _DAY


def alternatives(
    text: str, declared: DeclaredType, *, separator: str, escaped: bool = False
) -> list[Alternative]:
    """The alternatives for a column.

    Args:
        text: an SQL expression of type VARCHAR.
        declared: what it is to become.
        separator: stands between the elements of a list that is no JSON array.
        escaped: whether a separator with a backslash before it belongs to the element.
    """
    if declared.is_list:
        return _list_alternatives(_elements(text, separator, escaped), declared)
    if declared.kind is Kind.TEXT:
        return [Alternative("text", text)]
    function = f"askgraph_{_FUNCTIONS[declared.kind][0]}" if declared.kind in _FUNCTIONS else ""
    if declared.kind is Kind.POINT:
        return [Alternative("point", f"{function}({text}, {quote(declared.option('crs') or '')})")]
    if function:
        return [Alternative(_FUNCTIONS[declared.kind][1], f"{function}({text})")]
    return [Alternative(kind, expression) for kind, expression in _SCALARS[declared.kind](f"trim({text})")]


_PLAIN_CASTS: Final = (Kind.BOOLEAN, Kind.INTEGER, Kind.FLOAT, Kind.DATE)


def known_to_fit(text: str, declared: DeclaredType, *, separator: str) -> list[Alternative]:
    """The alternatives for a column whose texts are all known to be of this type: the plain cast, where it is right."""
    found = alternatives(text, declared, separator=separator)
    if declared.is_list or declared.kind not in _PLAIN_CASTS:
        return found
    return [
        Alternative(one.column_type, f"TRY_CAST({text} AS {COLUMN_TYPES[one.column_type][0]})")
        for one in found
    ]


def quote(text: str) -> str:
    """A text as an SQL literal."""
    return "'" + text.replace("'", "''") + "'"


def _matches(text: str, pattern: str) -> str:
    return f"regexp_full_match({text}, {quote(pattern)})"


def _cast(text: str, pattern: str, sql_type: str) -> str:
    return f"CASE WHEN {_matches(text, pattern)} THEN TRY_CAST({text} AS {sql_type}) END"


def _boolean(text: str) -> list[tuple[str, str]]:
    return [("boolean", f"CASE lower({text}) WHEN 'true' THEN true WHEN 'false' THEN false END")]


def _integer(text: str) -> list[tuple[str, str]]:
    return [("integer", _cast(text, _INTEGER, "BIGINT"))]


def _big_integer(text: str) -> list[tuple[str, str]]:
    digits = f"regexp_replace(ltrim({text}, '+'), '^(-?)0+', '\\1')"
    too_big = f"{_matches(text, _INTEGER)} AND TRY_CAST({text} AS BIGINT) IS NULL"
    return [*_integer(text), ("big_integer", f"CASE WHEN {too_big} THEN {digits} END")]


def _float(text: str) -> list[tuple[str, str]]:
    number = f"TRY_CAST({text} AS DOUBLE)"
    # Digits that are too big for a double become infinite; only who writes "inf" means it.
    finite = f"{_matches(text, _NUMBER)} AND isfinite({number})"
    return [("float", f"CASE WHEN {finite} OR {_matches(text, _NOT_FINITE)} THEN {number} END")]


def _date(text: str) -> list[tuple[str, str]]:
    return [("date", _cast(text, _DAY, "DATE"))]


def _datetime(text: str) -> list[tuple[str, str]]:
    local = [("datetime", _cast(text, f"{MOMENT}|{_DAY}", "TIMESTAMP"))]
    return local + _zoned(text)


def _date_or_datetime(text: str) -> list[tuple[str, str]]:
    return [*_date(text), ("datetime", _cast(text, MOMENT, "TIMESTAMP")), *_zoned(text)]


def _zoned(text: str) -> list[tuple[str, str]]:
    # A column of zoned datetimes forgets the offset: it takes those of UTC (see codec.encode).
    elsewhere = f"{_matches(text, ZONED_MOMENT)} AND NOT {_matches(text, UTC_MOMENT)}"
    return [
        ("zoned_datetime", _cast(text, UTC_MOMENT, "TIMESTAMPTZ")),
        ("json", f"CASE WHEN {elsewhere} THEN askgraph_zoned({text}) END"),
    ]


def _time(text: str) -> list[tuple[str, str]]:
    zoned = f"CASE WHEN {_matches(text, _CLOCK + _OFFSET)} THEN askgraph_time({text}) END"
    return [("time", _cast(text, _CLOCK, "TIME")), ("json", zoned)]


_SCALARS: Final[dict[Kind, Callable[[str], list[tuple[str, str]]]]] = {
    Kind.BOOLEAN: _boolean,
    Kind.INTEGER: _integer,
    Kind.BIG_INTEGER: _big_integer,
    Kind.FLOAT: _float,
    Kind.DATE: _date,
    Kind.DATETIME: _datetime,
    Kind.DATE_OR_DATETIME: _date_or_datetime,
    Kind.TIME: _time,
}


# --- lists


def _elements(text: str, separator: str, escaped: bool) -> str:
    """The elements of a list as VARCHAR[]: of a JSON array, else of a text with separators. Empty text: empty list."""
    mark = "chr(57344)"  # a private character: no text that is split here has it
    plain = f"string_split({text}, {quote(separator)})"
    if escaped:
        hidden = f"replace({text}, {quote(chr(92) + separator)}, {mark})"
        plain = (
            f"list_transform(string_split({hidden}, {quote(separator)}),"
            f" lambda part: replace(part, {mark}, {quote(separator)}))"
        )
    return (
        f"CASE WHEN {is_json_array(text)} THEN json_extract_string({text}, '$[*]')"
        f" WHEN {text} = '' THEN CAST([] AS VARCHAR[]) ELSE {plain} END"
    )


def is_json_array(text: str) -> str:
    """Whether a text is a JSON array, in SQL."""
    return f"(starts_with(ltrim({text}), '[') AND json_valid({text}))"


def _list_alternatives(elements: str, declared: DeclaredType) -> list[Alternative]:
    if declared.kind is Kind.TEXT:
        return [Alternative("text[]", elements)]
    if declared.kind not in _SCALARS:
        return [_json_list(elements, declared)]
    exact, *others = _SCALARS[declared.kind]("trim(element)")
    column_type, expression = exact
    sql_list = f"list_transform({elements}, lambda element: {expression})"
    bad = f"list_filter({elements}, lambda element: element IS NOT NULL AND ({expression}) IS NULL)"
    found = Alternative(f"{column_type}[]", f"CASE WHEN len({bad}) = 0 THEN {sql_list} END")
    if column_type == "time":
        return [_json_list(elements, declared)]
    if not others:
        return [found]
    return [
        found,
        Alternative("json", f"CASE WHEN len({bad}) > 0 THEN {_json_list(elements, declared).expression} END"),
    ]


def _json_list(elements: str, declared: DeclaredType) -> Alternative:
    crs = quote(declared.option("crs") or "")
    return Alternative("json", f"askgraph_list({elements}, {quote(declared.kind.name)}, {crs})")


# --- what SQL cannot read exactly


def _decimal(text: str) -> Decimal:
    value = Decimal(text.strip())
    if not value.is_finite():
        raise ValueError(text)
    return value


def _json(text: str) -> Value:
    return from_json_value(json.loads(text, object_pairs_hook=_without_duplicates))


def _without_duplicates(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    return found if len(found) == len(pairs) else _refuse(str(pairs))


def _bytes(text: str) -> bytes:
    import base64

    return base64.b64decode(text.strip(), validate=True)


def read_zoned(text: str) -> Any:
    """A datetime with a zone; the region's name (``[Europe/Berlin]``) is dropped, its offset stays."""
    import datetime

    return datetime.datetime.fromisoformat(text.strip().partition("[")[0])


def _read_time(text: str) -> Any:
    import datetime

    return datetime.time.fromisoformat(text.strip().partition("[")[0])


_READERS: Final[dict[Kind, Callable[[str], Any]]] = {
    Kind.DECIMAL: _decimal,
    Kind.DURATION: Duration.parse,
    Kind.BYTES: _bytes,
    Kind.JSON: _json,
    Kind.BIG_INTEGER: lambda text: int(text) if re.fullmatch(_INTEGER, text.strip()) else _refuse(text),
    Kind.DATETIME: read_zoned,
    Kind.DATE_OR_DATETIME: read_zoned,
    Kind.TIME: _read_time,
}

# Kind: the name of its SQL function, the type of column that it fills.
_FUNCTIONS: Final[dict[Kind, tuple[str, str]]] = {
    Kind.DECIMAL: ("decimal", "decimal"),
    Kind.DURATION: ("duration", "duration"),
    Kind.BYTES: ("bytes", "bytes"),
    Kind.JSON: ("json", "json"),
    Kind.POINT: ("point", "point"),
}

_FAULTS: Final = (
    ValueError,
    TypeError,
    KeyError,
    ArithmeticError,
    InvalidOperation,
    BadValueError,
    RecursionError,
)


def _refuse(text: str) -> Any:
    raise ValueError(text)


def stored_as_json(value: Any) -> str | None:
    """The text of a JSON column for a value; ``None`` for one that cannot be kept."""
    try:
        return str(_stored(value, "json"))
    except _FAULTS:
        return None


def _stored(value: Value, column_type: str) -> Any:
    found, stored = encode(value)
    if column_type == "json" and found != "json":
        return json.dumps(to_json_value(value), ensure_ascii=False, sort_keys=True, separators=(",", ":"))
    return stored if found == column_type else _refuse(str(value))


def _function(read: Callable[[str], Any], column_type: str) -> Callable[[str | None], Any]:
    @lru_cache(maxsize=4096)
    def convert(text: str | None) -> Any:
        try:
            return None if text is None else _stored(read(text), column_type)
        except _FAULTS:
            return None

    return convert


@lru_cache(maxsize=4096)
def _convert_point(text: str | None, crs: str) -> str | None:
    try:
        return None if text is None else str(_stored(read_point(text, crs), "point"))
    except _FAULTS:
        return None


def _convert_list(texts: list[str | None] | None, kind: str, crs: str) -> str | None:
    if texts is None:
        return None
    read = _READERS.get(Kind[kind]) or (lambda text: read_point(text, crs))
    try:
        value: list[Any] = [None if text is None else read(text) for text in texts]
        return str(_stored(value, "json"))
    except _FAULTS:
        return None


def add_function(
    connection: duckdb.DuckDBPyConnection,
    name: str,
    function: Callable[..., Any],
    parameters: Sequence[str],
    result: str,
) -> None:
    """Make a function known to SQL that is given nulls too, and may return one. Types are SQL types."""
    from duckdb.func import FunctionNullHandling
    from duckdb.sqltypes import DuckDBPyType

    connection.create_function(
        name,
        function,
        [DuckDBPyType(kind) for kind in parameters],
        DuckDBPyType(result),
        null_handling=FunctionNullHandling.SPECIAL,
    )


def register_functions(connection: duckdb.DuckDBPyConnection) -> None:
    """Make the functions that conversions call known to a connection."""
    for kind, (name, column_type) in _FUNCTIONS.items():
        if kind is not Kind.POINT:
            function = _function(_READERS[kind], column_type)
            add_function(connection, f"askgraph_{name}", function, ["VARCHAR"], COLUMN_TYPES[column_type][0])
    add_function(connection, "askgraph_zoned", _function(read_zoned, "json"), ["VARCHAR"], "VARCHAR")
    add_function(connection, "askgraph_time", _function(_read_time, "json"), ["VARCHAR"], "VARCHAR")
    add_function(connection, "askgraph_point", _convert_point, ["VARCHAR", "VARCHAR"], "VARCHAR")
    add_function(connection, "askgraph_list", _convert_list, ["VARCHAR[]", "VARCHAR", "VARCHAR"], "VARCHAR")
