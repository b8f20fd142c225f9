"""Values in SQL: one expression for each column type that a value may have, and how they are read back.

A property key has one column for each type of its values, so a value in a query is a :class:`SqlValue`: alternatives of
which at most one is not null in any row.
"""

from __future__ import annotations

import datetime
import json
import re
from collections.abc import Callable
from dataclasses import dataclass
from decimal import Decimal
from typing import Any, Final

from ...core.values import LanguageText, Value, to_json_value
from .codec import decoder_of, encode
from .codec import selected as select_cell
from .layout import COLUMN_TYPES

Parameters = dict[str, Any]

_SQL_TYPES: Final = {
    **{column_type: sql_type for column_type, (sql_type, _) in COLUMN_TYPES.items()},
    "language_text": "VARCHAR",
    "sum_of_integers": "HUGEINT",
    "sum_of_decimals": "DECIMAL(38, 9)",
}


@dataclass(frozen=True, slots=True)
class Alternative:
    """An SQL expression for a value of one column type (of ``layout.COLUMN_TYPES``, or one of the additional types
    ``language_text``, ``sum_of_integers`` and ``sum_of_decimals``)."""

    column_type: str
    sql: str


@dataclass(frozen=True, slots=True)
class SqlValue:
    """A value of a match. At most one alternative is not null in a row; none: the value is null.

    ``constant`` is set where the value is the same in every row. ``packed`` is set where a query gives the value as one
    struct: the alternatives are then the names of its fields.
    """

    alternatives: tuple[Alternative, ...]
    constant: Value = None
    packed: str | None = None

    def renamed(self, name: Callable[[int], str]) -> SqlValue:
        """The same value where alternative ``i`` is the column ``name(i)`` of a surrounding query."""
        return SqlValue(
            tuple(Alternative(item.column_type, name(i)) for i, item in enumerate(self.alternatives))
        )

    def is_null(self) -> str:
        """SQL: whether there is no value."""
        return "(" + (" AND ".join(f"{item.sql} IS NULL" for item in self.alternatives) or "TRUE") + ")"


class ParameterList:
    """Collects what goes into a query beside its text, under made-up names."""

    def __init__(self) -> None:
        self._values: Parameters = {}

    def add(self, value: Any) -> str:
        """The placeholder for a value."""
        name = f"p{len(self._values)}"
        self._values[name] = value
        return f"${name}"

    def used_in(self, sql: str) -> Parameters:
        """The values of a finished query: not every condition needs all that were added for it."""
        return {name: self._values[name] for name in re.findall(r"\$(p\d+)\b", sql)}


def constant_value(value: Value, parameters: ParameterList) -> SqlValue:
    """A fixed value as a parameter. Raises :class:`BadValueError` for what is no value."""
    if value is None:
        return SqlValue(())
    column_type, stored = _stored(value)
    return SqlValue(
        (Alternative(column_type, f"({parameters.add(stored)}::{_SQL_TYPES[column_type]})"),), value
    )


def _stored(value: Value) -> tuple[str, Any]:
    """A value as a column of the type with which it is compared would hold it."""
    if isinstance(value, datetime.datetime) and value.tzinfo is not None:
        return "zoned_datetime", value
    if isinstance(value, Decimal):
        return "decimal", str(value)
    column_type, stored = encode(value)
    if column_type.endswith("[]"):
        return "json", json.dumps(
            to_json_value(value), ensure_ascii=False, sort_keys=True, separators=(",", ":")
        )
    return ("language_text" if isinstance(value, LanguageText) else column_type), stored


# --- reading results


def selected(item: Alternative) -> str:
    """What a query selects for an alternative, so that :func:`read_cell` can read it."""
    return select_cell(item.column_type, item.sql)


def reader(column_type: str) -> Callable[[Any], Value]:
    """What turns a selected cell that is not null into a value."""
    return _READERS.get(column_type) or decoder_of(column_type) or _unchanged


def _unchanged(cell: Any) -> Any:
    return cell


def _read_decimal(cell: str | Decimal) -> Decimal:
    """A decimal without exponent where it has few enough zeros to be written out."""
    number = Decimal(cell)
    return Decimal(f"{number:f}") if number.is_finite() and number.adjusted() < 40 else number


def _read_sum_of_decimals(cell: Decimal) -> Decimal:
    return _read_decimal(cell.normalize())


_READERS: Final[dict[str, Callable[[Any], Value]]] = {
    "decimal": _read_decimal,
    "sum_of_decimals": _read_sum_of_decimals,
    "language_text": decoder_of("json") or _unchanged,
}
