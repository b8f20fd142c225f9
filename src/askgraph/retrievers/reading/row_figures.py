"""Figures that a plan cannot make: of groups, which are made before they can be counted."""

from __future__ import annotations

import statistics
from collections.abc import Callable, Sequence
from decimal import Decimal
from typing import Any

from ...core.plan import AggregateFunction, Table
from .reading import Reading
from .reading_plan import COUNT

DIFFERENCE = "difference"
SHARE = "share"

_FUNCTIONS: dict[AggregateFunction, Callable[[Sequence[int]], int | float]] = {
    "average": statistics.fmean,
    "sum": sum,
    "minimum": min,
    "maximum": max,
    "count": len,
}


def worked_out(reading: Reading, table: Table) -> Table:
    """The one figure that a reading asks for, of the rows that its plan gave.

    The number of rows for a count; the difference between what two of them have; else a figure of the numbers in the
    last column. No rows give a count of 0, and no other figure.
    """
    if reading.difference is not None:
        return _difference(reading, reading.difference, table)
    if reading.figure is None:
        return Table((COUNT,), ("value",), [(len(table.rows),)], table.truncated, table.notes)
    numbers = [row[-1] for row in table.rows if isinstance(row[-1], int)]
    rows = [(_FUNCTIONS[reading.figure.function](numbers),)] if numbers else []
    name = f"{reading.figure.function} {table.columns[-1]}"
    return Table((name,), ("value",), rows, table.truncated, table.notes)


def _difference(reading: Reading, nodes: tuple[Sequence[str], Sequence[str]], table: Table) -> Table:
    """What the first nodes have less what the second have; no row unless each has one number."""
    form = reading.question.form.difference
    values = [{row[-1] for row in table.rows if row[0] in own and row[-1] is not None} for own in nodes]
    rows = []
    if all(len(own) == 1 for own in values):
        first, second = (next(iter(own)) for own in values)
        if _is_number(first) and _is_number(second):
            found = _less(first, second)
            if form is not None and (form.is_less or not form.is_signed):
                found = -found if form.is_less else abs(found)
            rows.append((found,))
    return Table((DIFFERENCE,), ("value",), rows, table.truncated, table.notes)


def _is_number(value: object) -> bool:
    return isinstance(value, int | float | Decimal) and not isinstance(value, bool)


def _less(first: Any, second: Any) -> Any:
    """Exact where both are written with decimals: 301.9 less 195.3 is 106.6."""
    exact = Decimal(str(first)) - Decimal(str(second))
    if isinstance(first, int) and isinstance(second, int):
        return first - second
    return exact if isinstance(first, Decimal) and isinstance(second, Decimal) else float(exact)


def share_of(part: Table, whole: Table, times: int) -> Table:
    """A count as a part of another, times 1 or 100; no row where there is nothing to be a part of."""
    counts = [_count_in(table) for table in (part, whole)]
    rows = [(times * counts[0] / counts[1],)] if counts[1] else []
    notes = (*part.notes, f"{counts[0]:,} of {counts[1]:,}.")
    return Table((SHARE,), ("value",), rows, part.truncated or whole.truncated, notes)


def _count_in(table: Table) -> int:
    count = table.rows[0][0] if table.rows else 0
    return count if isinstance(count, int) else 0
