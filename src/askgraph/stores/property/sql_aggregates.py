"""Aggregates over the values of a group, in SQL, the same for any number of threads."""

from __future__ import annotations

from ...core.plan import AggregateFunction
from .sql_comparing import canonical, order_keys
from .sql_numbers import INTEGERS, NUMBERS
from .sql_values import Alternative, SqlValue

# A sum is exact while each number leaves room for a billion others: integers in HUGEINT, with decimals among them in
# DECIMAL(38, 9). Beyond, it is one of floats.
_DECIMALS = "DECIMAL(38, 9)"
_LARGEST_INTEGER = 10**28
_LARGEST_DECIMAL = 10**20


def count_rows() -> SqlValue:
    """The number of matches."""
    return SqlValue((Alternative("integer", "count(*)"),))


def count_nodes(row: str, *, distinct: bool) -> SqlValue:
    """The number of nodes: of matches that have one, or of different ones."""
    return SqlValue((Alternative("integer", f"count({'DISTINCT ' if distinct else ''}{row})"),))


def aggregate(function: AggregateFunction, value: SqlValue, *, distinct: bool) -> SqlValue:
    """An aggregate of the values of a property, as :mod:`askgraph.core.plan` defines it."""
    if distinct and function not in ("minimum", "maximum"):
        value = canonical(value)
    match function:
        case "count":
            return _count(value, distinct)
        case "sum":
            return _sum(value, distinct)
        case "average":
            return _average(value, distinct)
        case "minimum" | "maximum":
            return _extreme(value, "min" if function == "minimum" else "max")


def _count(value: SqlValue, distinct: bool) -> SqlValue:
    word = "DISTINCT " if distinct else ""
    # At most one alternative is not null, so their counts add up.
    counts = [f"count({word}{item.sql})" for item in value.alternatives]
    return SqlValue((Alternative("integer", " + ".join(counts) or "0"),))


def _sum(value: SqlValue, distinct: bool) -> SqlValue:
    numbers = [item for item in value.alternatives if item.column_type in NUMBERS]
    if not numbers:
        return SqlValue(())
    exact = [item for item in numbers if item.column_type != "float"]
    word = "DISTINCT " if distinct else ""
    column_type = "sum_of_decimals" if any(item.column_type == "decimal" for item in exact) else "sum_of_integers"
    cast = _DECIMALS if column_type == "sum_of_decimals" else "HUGEINT"
    inexact = " OR ".join(_is_inexact(item, cast) for item in numbers if item.column_type not in INTEGERS)
    is_exact = f"NOT coalesce(bool_or({inexact}), FALSE)" if inexact else "TRUE"
    some = " + ".join(f"count({item.sql})" for item in numbers)
    found: list[Alternative] = []
    if exact:
        total = " + ".join(f"coalesce(sum({word}{_summand(item, cast)}), 0)" for item in exact)
        found.append(Alternative(column_type, f"CASE WHEN {some} > 0 AND {is_exact} THEN ({total})::{cast} END"))
    if inexact:
        floats = _sum_of_floats(numbers, word)
        found.append(Alternative("float", f"CASE WHEN {some} > 0 AND NOT ({is_exact}) THEN {floats} END"))
    return SqlValue(tuple(found))


def _summand(item: Alternative, cast: str) -> str:
    if item.column_type in INTEGERS:
        return item.sql
    number = f"TRY_CAST({item.sql} AS {cast})"
    # What is too large makes the sum inexact, and must not make it fail.
    return f"CASE WHEN abs({number}) <= {_largest(cast)} THEN {number} END"


def _largest(cast: str) -> int:
    return _LARGEST_DECIMAL if cast == _DECIMALS else _LARGEST_INTEGER


def _is_inexact(item: Alternative, cast: str) -> str:
    """Whether a value is there that an exact sum cannot take."""
    if item.column_type == "float":
        return f"{item.sql} IS NOT NULL"
    # Casting rounds what has more decimal places.
    places = f"length(split_part({item.sql}, '.', 2)) > 9 OR contains({item.sql}, 'E')"
    return f"({item.sql} IS NOT NULL AND (({places}) OR ({_summand(item, cast)}) IS NULL))"


def _sum_of_floats(numbers: list[Alternative], word: str) -> str:
    return " + ".join(_float_sum(f"TRY_CAST({item.sql} AS DOUBLE)", word) for item in numbers)


def _float_sum(number: str, word: str) -> str:
    # Threads would add in any order, and the sum of floats depends on it: sorted, it does not. Compensated summation
    # (fsum) cannot take infinities.
    finite = f"fsum({word}{number} ORDER BY {number}) FILTER (WHERE isfinite({number}))"
    infinite = f"sum({number}) FILTER (WHERE NOT isfinite({number}))"
    return f"coalesce({infinite}, {finite}, 0)"


def _average(value: SqlValue, distinct: bool) -> SqlValue:
    numbers = [item for item in value.alternatives if item.column_type in NUMBERS]
    if not numbers:
        return SqlValue(())
    word = "DISTINCT " if distinct else ""
    count = " + ".join(f"count({word}{item.sql})" for item in numbers)
    if all(item.column_type in INTEGERS for item in numbers):
        total = " + ".join(f"coalesce(sum({word}{item.sql}), 0)" for item in numbers)
    else:
        total = _sum_of_floats(numbers, word)
    return SqlValue((Alternative("float", f"(({total})::DOUBLE / nullif({count}, 0))"),))


def _extreme(value: SqlValue, function: str) -> SqlValue:
    value = canonical(value)
    if len(value.alternatives) == 1 and order_keys(value) == [value.alternatives[0].sql]:
        (only,) = value.alternatives
        return SqlValue((Alternative(only.column_type, f"{function}({only.sql})"),))
    if not value.alternatives:
        return value
    cells = ", ".join(f"a{i}: {item.sql}" for i, item in enumerate(value.alternatives))
    keys = ", ".join(f"k{i}: {key}" for i, key in enumerate(order_keys(value)))
    chosen = f"arg_{function}({{{cells}}}, {{{keys}}}) FILTER (WHERE NOT {value.is_null()})"
    return SqlValue(value.renamed(lambda i: f"a{i}").alternatives, packed=chosen)
