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
    word = "DISTINCT " if distinct else ""
    whole = [item for item in numbers if item.column_type not in ("decimal", "float")]
    exact = [item for item in numbers if item.column_type != "float"]
    are_whole = _are_exact(numbers, whole, "HUGEINT")
    are_exact = _are_exact(numbers, exact, _DECIMALS)
    # A sum of integers is an integer, also where the property has decimals elsewhere.
    branches = [
        ("sum_of_integers", are_whole, _exact_sum(whole, "HUGEINT", word)),
        ("sum_of_decimals", f"NOT {are_whole} AND {are_exact}", _exact_sum(exact, _DECIMALS, word)),
        ("float", f"NOT {are_whole} AND NOT {are_exact}", _sum_of_floats(numbers, word)),
    ]
    if len(whole) == len(exact):
        branches = [branches[0], ("float", f"NOT {are_whole}", branches[2][2])]
    if all(item.column_type in INTEGERS for item in numbers):
        branches = branches[:1]
    some = " + ".join(f"count({item.sql})" for item in numbers)
    return SqlValue(
        tuple(
            Alternative(column_type, f"CASE WHEN {some} > 0 AND {condition} THEN {total} END")
            for column_type, condition, total in branches
        )
    )


def _are_exact(numbers: list[Alternative], exact: list[Alternative], cast: str) -> str:
    """SQL for whether all numbers of the group are among ``exact`` and can be summed as ``cast``."""
    others = [f"{item.sql} IS NOT NULL" for item in numbers if item not in exact]
    unfit = [_is_unfit(item, cast) for item in exact if item.column_type not in INTEGERS]
    inexact = " OR ".join([*others, *unfit])
    return f"(NOT coalesce(bool_or({inexact}), FALSE))" if inexact else "TRUE"


def _exact_sum(exact: list[Alternative], cast: str, word: str) -> str:
    total = " + ".join(f"coalesce(sum({word}{_summand(item, cast)}), 0)" for item in exact)
    return f"({total or '0'})::{cast}"


def _summand(item: Alternative, cast: str) -> str:
    if item.column_type in INTEGERS:
        return item.sql
    number = f"TRY_CAST({item.sql} AS {cast})"
    # What is too large makes the sum inexact, and must not make it fail.
    return f"CASE WHEN abs({number}) <= {_largest(cast)} THEN {number} END"


def _largest(cast: str) -> int:
    return _LARGEST_DECIMAL if cast == _DECIMALS else _LARGEST_INTEGER


def _is_unfit(item: Alternative, cast: str) -> str:
    """SQL for whether there is a value that ``cast`` cannot take as it is."""
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
