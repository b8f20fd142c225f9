"""Figures that a plan cannot make: of groups, which are made before they can be counted."""

from __future__ import annotations

import statistics
from collections.abc import Callable, Sequence

from ..core.plan import AggregateFunction, Table
from .reading import Reading
from .reading_plan import COUNT

_FUNCTIONS: dict[AggregateFunction, Callable[[Sequence[int]], int | float]] = {
    "average": statistics.fmean,
    "sum": sum,
    "minimum": min,
    "maximum": max,
    "count": len,
}


def worked_out(reading: Reading, table: Table) -> Table:
    """The one figure that a reading asks for, of the rows that its plan gave.

    The number of rows for a count; else a figure of the numbers in the last column. No rows give a count of 0, and no
    other figure.
    """
    if reading.figure is None:
        return Table((COUNT,), ("value",), [(len(table.rows),)], table.truncated, table.notes)
    numbers = [row[-1] for row in table.rows if isinstance(row[-1], int)]
    rows = [(_FUNCTIONS[reading.figure.function](numbers),)] if numbers else []
    name = f"{reading.figure.function} {table.columns[-1]}"
    return Table((name,), ("value",), rows, table.truncated, table.notes)
