"""Numbers of several column types compared by size in SQL, exactly wherever both sides have an exact form.

Integers lie in BIGINT columns, larger ones and decimals as digits in text columns, floats in DOUBLE columns (see
:mod:`askgraph.stores.property.layout`). An integer of 64 bits and a float are compared exactly; what has only a text
form and a float are compared as floats, as SPARQL does.
"""

from __future__ import annotations

import itertools
import math
import re
from collections.abc import Callable
from decimal import Decimal
from fractions import Fraction
from typing import Final

INTEGERS: Final = ("integer", "sum_of_integers")
NUMBERS: Final = (*INTEGERS, "big_integer", "decimal", "sum_of_decimals", "float")

_NATIVE_RANGE: Final = {"integer": 2**63, "sum_of_integers": 2**127}
_COMPLEMENT: Final = str.maketrans("0123456789", "9876543210")
# Added to a number's order of magnitude, so that it is never negative and always has ten digits.
_MAGNITUDE_OFFSET: Final = 5_000_000_000


def size_key(number: int | Decimal) -> str:
    """A text for a number; such texts compare by code point as their numbers do by size.

    A positive number is ``P``, its order of magnitude and its digits (0.00125 is 0.125 times ten to the power -2); a
    negative one ``N`` and the complement of both; then there are zero, the infinities, and ``Z`` for what is no number.
    """
    sign, digits, exponent = Decimal(number).as_tuple()
    if not isinstance(exponent, int):
        return "Z" if exponent != "F" else "B" if sign else "Q"
    text = "".join(map(str, digits)).lstrip("0")
    if not text:
        return "O"
    magnitude = len(text) + exponent + _MAGNITUDE_OFFSET
    text = text.rstrip("0")
    if sign:
        return f"N{10**10 - 1 - magnitude:010d}{text.translate(_COMPLEMENT)}~"
    return f"P{magnitude:010d}{text}"


def evaluated_once(sql: str, use: Callable[[str], str]) -> str:
    """``use`` of an expression that stands in it many times, without writing the expression each time."""
    if re.fullmatch(r"[\w.]+", sql):
        return use(sql)
    name = next(name for i in itertools.count() if (name := f"x{i}") not in sql)
    return f"list_transform([{sql}], lambda {name}: {use(name)})[1]"


def size_key_sql(number: str) -> str:
    """The SQL for :func:`size_key` of a text expression as ``str`` of an ``int`` or ``Decimal`` writes it."""
    return evaluated_once(number, _size_key_of_name)


def _size_key_of_name(number: str) -> str:
    magnitude = f"{_magnitude(number)} + {_MAGNITUDE_OFFSET}"
    digits = _digits(number)
    return (
        f"CASE WHEN contains({number}, 'N') THEN 'Z'"
        f" WHEN contains({number}, 'Inf') THEN CASE WHEN {number} LIKE '-%' THEN 'B' ELSE 'Q' END"
        f" WHEN {digits} = '' THEN 'O'"
        f" WHEN {number} LIKE '-%' THEN 'N' || lpad(({10**10 - 1} - ({magnitude}))::VARCHAR, 10, '0')"
        f" || translate({digits}, '0123456789', '9876543210') || '~'"
        f" ELSE 'P' || lpad(({magnitude})::VARCHAR, 10, '0') || {digits} END"
    )


def canonical_number(number: str) -> str:
    """SQL that gives one text for equal decimals (``0.125E1`` for 1.25 and 1.250)."""
    return evaluated_once(number, _canonical_number_of_name)


def _canonical_number_of_name(number: str) -> str:
    return (
        f"CASE WHEN regexp_matches({number}, '[NI]') THEN {number} WHEN {_digits(number)} = '' THEN '0'"
        f" ELSE CASE WHEN {number} LIKE '-%' THEN '-0.' ELSE '0.' END"
        f" || {_digits(number)} || 'E' || ({_magnitude(number)}) END"
    )


def _whole(number: str) -> str:
    return f"ltrim(split_part(split_part({number}, 'E', 1), '.', 1), '-0')"


def _part(number: str) -> str:
    return f"split_part(split_part({number}, 'E', 1), '.', 2)"


def _digits(number: str) -> str:
    """The digits from the first to the last that is not zero."""
    return f"rtrim(ltrim({_whole(number)} || {_part(number)}, '0'), '0')"


def _magnitude(number: str) -> str:
    """The power of ten by which 0.<digits> is the number's size."""
    exponent = f"TRY_CAST(coalesce(nullif(split_part({number}, 'E', 2), ''), '0') AS BIGINT)"
    leading_zeros = f"length({_part(number)}) - length(ltrim({_part(number)}, '0'))"
    within = f"CASE WHEN {_whole(number)} = '' THEN -({leading_zeros}) ELSE length({_whole(number)}) END"
    return f"({exponent} + {within})"


def as_size_key(column_type: str, sql: str) -> str:
    """The size key of any exact number."""
    return size_key_sql(sql if column_type in ("big_integer", "decimal") else f"({sql})::VARCHAR")


def _comparable_key(column_type: str, sql: str) -> str:
    key = as_size_key(column_type, sql)
    return f"nullif({key}, 'Z')" if column_type == "decimal" else f"({key})"


def compare_numbers(left_type: str, left: str, comparator: str, right_type: str, right: str) -> str:
    """SQL for ``left comparator right``; null where either is null or a NaN."""
    if left_type in INTEGERS and right_type in INTEGERS:
        return f"{left} {comparator} {right}"
    if left_type == "float" and right_type == "float":
        return f"CASE WHEN NOT isnan({left}) AND NOT isnan({right}) THEN {left} {comparator} {right} END"
    if left_type in INTEGERS and right_type == "float":
        return _integer_with_float(left, comparator, right)
    if left_type == "float" and right_type in INTEGERS:
        return _integer_with_float(right, mirrored(comparator), left)
    if "float" in (left_type, right_type):
        left, right = f"TRY_CAST({left} AS DOUBLE)", f"TRY_CAST({right} AS DOUBLE)"
        return f"CASE WHEN NOT isnan({left}) AND NOT isnan({right}) THEN {left} {comparator} {right} END"
    return f"{_comparable_key(left_type, left)} {comparator} {_comparable_key(right_type, right)}"


def _integer_with_float(integer: str, comparator: str, number: str) -> str:
    # Rounding to a float keeps the order of what it does not make equal; what it makes equal is a whole number.
    rounded = f"({integer})::DOUBLE"
    exact = f"({integer})::HUGEINT {comparator} ({number})::HUGEINT"
    return (
        f"CASE WHEN isnan({number}) THEN NULL WHEN {rounded} = {number} THEN {exact}"
        f" ELSE {rounded} {comparator} {number} END"
    )


def mirrored(comparator: str) -> str:
    """The comparator for the sides exchanged."""
    return {"<": ">", "<=": ">=", ">": "<", ">=": "<="}.get(comparator, comparator)


def compare_with_number(
    column_type: str,
    sql: str,
    comparator: str,
    number: int | float | Decimal,
    parameter: Callable[[int | float | str], str],
) -> str:
    """SQL for ``sql comparator number``, null where unknown; ``parameter`` gives the placeholder for a value."""
    if isinstance(number, float | Decimal) and math.isnan(number):
        return "NULL::BOOLEAN"
    if column_type == "float":
        return _float_with_number(sql, comparator, number, parameter)
    if column_type in INTEGERS:
        return _integer_with_number(sql, comparator, number, _NATIVE_RANGE[column_type], parameter)
    if isinstance(number, float):
        as_float = f"TRY_CAST({sql} AS DOUBLE)"
        return f"CASE WHEN NOT isnan({as_float}) THEN {as_float} {comparator} {parameter(number)} END"
    return f"{_comparable_key(column_type, sql)} {comparator} {parameter(size_key(number))}"


def _integer_with_number(
    sql: str,
    comparator: str,
    number: int | float | Decimal,
    beyond: int,
    parameter: Callable[[int | float | str], str],
) -> str:
    if not -beyond <= number < beyond:
        return _constant_outcome(sql, comparator, -1 if number > 0 else 1)
    exact = Fraction(number)
    whole = math.floor(exact)
    if exact != whole:
        if comparator in ("=", "<>"):
            return _constant_outcome(sql, comparator, 1)
        comparator = "<=" if comparator in ("<", "<=") else ">"
    return f"{sql} {comparator} {parameter(whole)}"


def _float_with_number(
    sql: str, comparator: str, number: int | float | Decimal, parameter: Callable[[int | float | str], str]
) -> str:
    try:
        nearest = float(number)
    except OverflowError:
        nearest = math.inf if number > 0 else -math.inf
    outcome = f"{sql} {comparator} {parameter(nearest)}"
    if isinstance(number, int) and abs(number) < _NATIVE_RANGE["integer"] and nearest != number:
        # No float lies between an integer and its nearest float, so the order is that of the nearest one.
        if comparator in ("=", "<>"):
            outcome = str(comparator == "<>").upper()
        elif comparator in ("<", "<="):
            outcome = f"{sql} {'<' if nearest > number else '<='} {parameter(nearest)}"
        else:
            outcome = f"{sql} {'>=' if nearest > number else '>'} {parameter(nearest)}"
    return f"CASE WHEN NOT isnan({sql}) THEN {outcome} END"


def _constant_outcome(sql: str, comparator: str, order: int) -> str:
    """The outcome for any value that is below (-1) or above (1) the other side, or merely not equal to it."""
    below, above = order < 0, order > 0
    outcome = {"=": False, "<>": True, "<": below, "<=": below, ">": above, ">=": above}[comparator]
    return f"CASE WHEN {sql} IS NOT NULL THEN {str(outcome).upper()} END"
