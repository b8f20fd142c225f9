"""Comparing, ordering and grouping values in SQL as :mod:`askgraph.core.plan` says."""

from __future__ import annotations

from decimal import Decimal
from typing import Final

from .sql_numbers import (
    NUMBERS,
    as_size_key,
    canonical_number,
    compare_numbers,
    compare_with_number,
    mirrored,
)
from .sql_values import Alternative, ParameterList, SqlValue

# Which values can be compared with each other, in the order in which they are sorted.
_CLASSES: Final[tuple[tuple[str, ...], ...]] = (
    NUMBERS,
    ("text", "language_text"),
    ("boolean",),
    ("date",),
    ("datetime",),
    ("zoned_datetime",),
    ("time",),
    ("duration",),
    ("bytes",),
    ("point",),
    ("json",),
)
_RANKS: Final = {column_type: rank for rank, types in enumerate(_CLASSES) for column_type in types}
_EQUALITY_ONLY: Final = ("bytes", "point", "json")
_NUMBER_KINDS: Final = {
    "integer": 0,
    "sum_of_integers": 0,
    "big_integer": 0,
    "decimal": 1,
    "sum_of_decimals": 1,
    "float": 2,
}
_MICROSECONDS_A_DAY: Final = 86_400_000_000
# A mean Gregorian month, to lay durations with months in one order.
_MICROSECONDS_A_MONTH: Final = 2_629_746_000_000


# --- comparing


def compare(left: SqlValue, comparator: str, right: SqlValue, parameters: ParameterList) -> str:
    """SQL for a comparison: null where a side is null or the values cannot be compared."""
    outcomes = [
        outcome
        for one in left.alternatives
        for other in right.alternatives
        if (outcome := _compare(one, comparator, other, left, right, parameters)) is not None
    ]
    if not outcomes:
        return "NULL::BOOLEAN"
    return f"({outcomes[0]})" if len(outcomes) == 1 else "coalesce(" + ", ".join(outcomes) + ")"


def _compare(
    one: Alternative,
    comparator: str,
    other: Alternative,
    left: SqlValue,
    right: SqlValue,
    parameters: ParameterList,
) -> str | None:
    if _RANKS[one.column_type] != _RANKS[other.column_type]:
        return None
    if comparator in ("contains", "starts with", "ends with"):
        return _compare_parts(one, comparator, other)
    if one.column_type in NUMBERS:
        if left.constant is None and isinstance(right.constant, int | float | Decimal):
            return compare_with_number(one.column_type, one.sql, comparator, right.constant, parameters.add)
        if right.constant is None and isinstance(left.constant, int | float | Decimal):
            exchanged = mirrored(comparator)
            return compare_with_number(other.column_type, other.sql, exchanged, left.constant, parameters.add)
        return compare_numbers(one.column_type, one.sql, comparator, other.column_type, other.sql)
    if one.column_type == "duration":
        return _compare_durations(one.sql, comparator, other.sql)
    if one.column_type in _EQUALITY_ONLY and comparator not in ("=", "<>"):
        return None
    return f"{_text(one)} {comparator} {_text(other)}"


def _compare_parts(one: Alternative, comparator: str, other: Alternative) -> str | None:
    if _RANKS[one.column_type] != _RANKS["text"]:
        return None
    function = {"contains": "contains", "starts with": "starts_with", "ends with": "ends_with"}[comparator]
    return f"{function}(lower({_text(one)}), lower({_text(other)}))"


def _text(item: Alternative) -> str:
    return f"json_extract_string({item.sql}, '/value')" if item.column_type == "language_text" else item.sql


def _compare_durations(left: str, comparator: str, right: str) -> str:
    months, other_months = _months(left), _months(right)
    rest, other_rest = _microseconds(left), _microseconds(right)
    if comparator in ("=", "<>"):
        return f"({months}, {rest}) {comparator} ({other_months}, {other_rest})"
    equal = f"({months} = {other_months} AND {rest} = {other_rest})"
    below = f"({months} <= {other_months} AND {rest} <= {other_rest})"
    above = f"({months} >= {other_months} AND {rest} >= {other_rest})"
    on_equal, on_below, on_above = (
        str(outcome).upper()
        for outcome in (comparator in ("<=", ">="), comparator[0] == "<", comparator[0] == ">")
    )
    return f"CASE WHEN {equal} THEN {on_equal} WHEN {below} THEN {on_below} WHEN {above} THEN {on_above} END"


def _months(duration: str) -> str:
    return _number_found(r"^P(-?\d+)M", duration)


def _microseconds(duration: str) -> str:
    days = _number_found(r"^P(?:-?\d+M)?(-?\d+)D", duration)
    seconds = f"coalesce(nullif(regexp_extract({duration}, 'T(-?[0-9.]+)S', 1), ''), '0')::DECIMAL(38, 6)"
    return f"({days} * {_MICROSECONDS_A_DAY} + ({seconds} * 1000000)::HUGEINT)"


def _number_found(pattern: str, duration: str) -> str:
    # A duration without this part has zero of it; null stays null.
    return f"coalesce(nullif(regexp_extract({duration}, '{pattern}', 1), ''), left({duration}, 0) || '0')::HUGEINT"


# --- ordering and grouping


def order_keys(value: SqlValue) -> list[str]:
    """SQL expressions by which rows are sorted, one after the other, so that values come in the order of
    :mod:`askgraph.core.plan`. All of them are null where the value is."""
    if not value.alternatives:
        return []
    if len(value.alternatives) == 1:
        return _keys_of_one(value.alternatives[0])
    rank = "CASE " + " ".join(
        f"WHEN {item.sql} IS NOT NULL THEN {_RANKS[item.column_type]}" for item in value.alternatives
    )
    keys = [f"{rank} END"]
    numbers = [item for item in value.alternatives if item.column_type in NUMBERS]
    if len(numbers) > 1:
        keys += _keys_of_numbers(numbers)
    elif numbers:
        keys += _keys_of_one(numbers[0])
    texts = [item for item in value.alternatives if item.column_type in ("text", "language_text")]
    if len(texts) > 1:
        keys.append("coalesce(" + ", ".join(_text(item) for item in texts) + ")")
        keys += [_language(item) for item in texts if item.column_type == "language_text"]
    elif texts:
        keys += _keys_of_one(texts[0])
    for item in value.alternatives:
        if item not in numbers and item not in texts:
            keys += _keys_of_one(item)
    return keys


def _keys_of_one(item: Alternative) -> list[str]:
    match item.column_type:
        case "big_integer" | "decimal":
            return [as_size_key(item.column_type, item.sql)]
        case "language_text":
            return [_text(item), _language(item)]
        case "duration":
            months, rest = _months(item.sql), _microseconds(item.sql)
            return [f"{months} * {_MICROSECONDS_A_MONTH} + {rest}", months, item.sql]
    return [item.sql]


def _keys_of_numbers(numbers: list[Alternative]) -> list[str]:
    as_float = "coalesce(" + ", ".join(f"TRY_CAST({item.sql} AS DOUBLE)" for item in numbers) + ")"
    exact = "coalesce(" + ", ".join(_exact_key(item) for item in numbers) + ")"
    kind = " ".join(f"WHEN {item.sql} IS NOT NULL THEN {_NUMBER_KINDS[item.column_type]}" for item in numbers)
    return [as_float, exact, f"CASE {kind} END"]


def _exact_key(item: Alternative) -> str:
    if item.column_type != "float":
        return f"({as_size_key(item.column_type, item.sql)})"
    # Only a float that is a whole number can be equal, as a float, to an integer and differ from it in truth.
    whole = f"isfinite({item.sql}) AND abs({item.sql}) < 1e38 AND trunc({item.sql}) = {item.sql}"
    return f"(CASE WHEN {whole} THEN {as_size_key('integer', f'({item.sql})::HUGEINT')} END)"


def _language(item: Alternative) -> str:
    return f"coalesce(json_extract_string({item.sql}, '/language'), '')"


def canonical(value: SqlValue) -> SqlValue:
    """The value in a form in which equal values of one type are the same to ``DISTINCT`` and ``GROUP BY``."""
    return SqlValue(
        tuple(Alternative(item.column_type, _canonical(item)) for item in value.alternatives), value.constant
    )


def _canonical(item: Alternative) -> str:
    match item.column_type:
        case "decimal":
            return f"({canonical_number(item.sql)})"
        case "float":
            return f"(CASE WHEN {item.sql} = 0 THEN 0::DOUBLE ELSE {item.sql} END)"
    return item.sql
