"""A plan from end to end: matches, columns, groups, order, limit."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from typing import Final

import numpy as np
from numpy.typing import NDArray

from ....core.budget import Budget
from ....core.plan import Aggregate, ColumnKind, Constant, NodeReference, Plan, PropertyOf, Table
from ....core.schema import Schema
from ....core.values import Value
from ...plan_names import check_plan_names
from ..columns import RdfColumns
from ..terms import Terms
from ..value_order import compare
from .access import GraphAccess
from .aggregates import Gathering, Grouped, grouping_slots
from .batches import NULL, Batch, Slot, joined
from .cells import Cells, CodeCells, ValueCells
from .matching import Matcher
from .steps import DOING

# So many rows are gathered before those that cannot be among the first are dropped.
_GATHERED_ROWS: Final = 1_000_000
_BYTES_OF_A_CELL: Final = 8


def run_plan(columns: RdfColumns, plan: Plan, schema: Schema, budget: Budget | None = None) -> Table:
    """Run a plan.

    Args:
        columns: the graph.
        plan: what to find.
        schema: the graph's schema: its names are checked and its hierarchy of types is used.
        budget: the deadline, the most rows, and the most bytes of the result; ``None`` for no limits.

    Raises:
        PlanError: the plan names a type or key that the graph does not have.
        DeadlineExceededError: the time of the budget is up.
        CapExceededError: there are more groups than the budget's bytes have room for.
    """
    check_plan_names(plan, schema, edges_have_properties=False)
    if budget is not None:
        budget.check(DOING)
    result = _Result(columns, plan, budget)
    matches = Matcher(GraphAccess(columns, schema), budget).matches(plan, grouping_slots(plan))
    cells = result.grouped(matches) if plan.is_grouped else result.rows(matches)
    rows, truncated, notes = result.shown(cells)
    kinds: tuple[ColumnKind, ...] = tuple(
        "node" if isinstance(column.expression, NodeReference) else "value" for column in plan.columns
    )
    return Table(tuple(column.name for column in plan.columns), kinds, rows, truncated, notes)


class _Result:
    """What to make of the matches of one plan."""

    def __init__(self, columns: RdfColumns, plan: Plan, budget: Budget | None) -> None:
        self._columns = columns
        self._plan = plan
        self._budget = budget
        self._terms: Terms = columns.terms
        self._names = [column.name for column in plan.columns]

    # --- columns

    def _cells(self, slot: Slot, numbers: NDArray[np.int64]) -> Cells:
        if isinstance(slot, PropertyOf):
            return CodeCells(numbers, self._terms.values_of)
        return CodeCells(numbers, self._ids)

    def _ids(self, rows: NDArray[np.int64]) -> Sequence[Value]:
        known = rows >= 0
        ids = iter(self._columns.resources.texts(rows[known]))
        return [next(ids) if is_known else None for is_known in known.tolist()]

    def _constant(self, value: Value, count: int) -> Cells:
        rank = NULL if value is None else 0
        return ValueCells([value] * count, np.full(count, rank, dtype=np.int64))

    def grouped(self, matches: Iterator[Batch]) -> list[Cells]:
        """One row for each group."""
        most_rows = None
        if self._budget is not None:
            most_rows = self._budget.bytes // (_BYTES_OF_A_CELL * (len(self._plan.columns) + 1))
        gathering = Gathering(self._plan, most_rows)
        for batch in matches:
            gathering.add(batch)
        found = gathering.result()
        keys = [slot for column in self._plan.columns if (slot := _slot_of(column.expression)) is not None]
        has_keys = any(not isinstance(column.expression, Aggregate) for column in self._plan.columns)
        if not keys and has_keys and not found.length:
            # Only constants beside the aggregates: they are groups too, and without matches there is none.
            return [self._constant(None, 0) for _ in self._plan.columns]
        groups = Grouped(found, keys, self._terms)
        cells: list[Cells] = []
        for column in self._plan.columns:
            match column.expression:
                case Aggregate() as aggregate:
                    cells.append(groups.aggregate(aggregate))
                case Constant(value):
                    cells.append(self._constant(value, groups.count))
                case expression:
                    slot = _slot_of(expression)
                    assert slot is not None
                    cells.append(self._cells(slot, groups.keys(slot)))
        return _having(self._plan, cells)

    def rows(self, matches: Iterator[Batch]) -> list[Cells]:
        """A row for each match, or for each different one."""
        kept: list[Batch] = []
        gathered = 0
        for batch in matches:
            kept.append(self._prepared(batch))
            gathered += kept[-1].length
            if gathered > _GATHERED_ROWS:
                kept = [self._first_rows(joined(kept))]
                gathered = kept[0].length
        if not kept:
            return [self._constant(None, 0) for _ in self._plan.columns]
        return self._cells_of(self._repeated(self._first_rows(joined(kept))))

    def _prepared(self, batch: Batch) -> Batch:
        """The matches with the columns' slots alone, equal ones put together, and only those that ``having`` lets
        through."""
        batch = batch.only(grouping_slots(self._plan)).compressed()
        if not self._plan.having or not batch.length:
            return batch

        passed = _passing(self._plan, self._cells_of(batch))
        return batch.take(passed)

    def _cells_of(self, batch: Batch) -> list[Cells]:
        cells: list[Cells] = []
        for column in self._plan.columns:
            match column.expression:
                case Constant(value):
                    cells.append(self._constant(value, batch.length))
                case expression:
                    slot = _slot_of(expression)
                    assert slot is not None
                    cells.append(self._cells(slot, batch.slots[slot]))
        return cells

    def _first_rows(self, batch: Batch) -> Batch:
        """The different rows that can be among those that are shown."""
        batch = batch.compressed()
        most = self._most_rows()
        if most is None or batch.length <= most:
            return batch
        return batch.take(self._order(self._cells_of(batch))[:most])

    def _repeated(self, batch: Batch) -> Batch:
        """Rows as often as they matched, if equal rows are to be shown."""
        if self._plan.distinct or batch.weights is None:
            return Batch(batch.slots, None, batch.length)
        most = self._most_rows()
        times = batch.weights if most is None else np.minimum(batch.weights, most)
        return Batch(batch.slots, None, batch.length).take(
            np.repeat(np.arange(batch.length, dtype=np.int64), times)
        )

    # --- order, limit, budget

    def _most_rows(self) -> int | None:
        """How many rows are needed to show what is to be shown and to see whether there are more."""
        limits = [
            limit
            for limit in (self._plan.limit, None if self._budget is None else self._budget.rows + 1)
            if limit is not None
        ]
        return self._plan.offset + min(limits) if limits else None

    def _order(self, cells: Sequence[Cells]) -> NDArray[np.int64]:
        """The positions of rows in the order that the plan asks for."""
        descending = {item.column: item.descending for item in reversed(self._plan.order)}
        names = list(dict.fromkeys([item.column for item in self._plan.order] + self._names))
        keys: list[NDArray[np.int64]] = []
        for name in names:
            ranks = cells[self._names.index(name)].ranks
            keys.append((ranks == NULL).astype(np.int64))
            keys.append(-ranks if descending.get(name, False) else ranks)
        return np.lexsort(tuple(reversed(keys)))

    def shown(self, cells: Sequence[Cells]) -> tuple[list[tuple[Value, ...]], bool, tuple[str, ...]]:
        """The rows that are shown; whether the budget cut others off; what else was cut."""
        plan, budget = self._plan, self._budget
        order = self._order(cells)[plan.offset :]
        if plan.limit is not None:
            order = order[: plan.limit]
        truncated = budget is not None and len(order) > budget.rows
        if budget is not None:
            order = order[: budget.rows]
        rows = list(zip(*(column.take(order).values() for column in cells), strict=True))
        if budget is None:
            return rows, truncated, ()
        size = 0
        for count, row in enumerate(rows):
            size += sum(map(sys.getsizeof, row))
            if size > budget.bytes:
                return (
                    rows[:count],
                    True,
                    (f"The result was cut after {count:,} rows, at {budget.bytes:,} bytes.",),
                )
        return rows, truncated, ()


def _slot_of(expression: object) -> Slot | None:
    match expression:
        case NodeReference(variable):
            return variable
        case PropertyOf():
            return expression
    return None


def _having(plan: Plan, cells: list[Cells]) -> list[Cells]:
    if not plan.having:
        return cells
    passed = np.flatnonzero(_passing(plan, cells))
    return [column.take(passed) for column in cells]


def _passing(plan: Plan, cells: Sequence[Cells]) -> NDArray[np.bool_]:
    """Which rows meet all conditions of ``having``."""
    names = [column.name for column in plan.columns]
    passed = np.ones(len(cells[0].ranks), dtype=np.bool_)
    for name, comparator, constant in plan.having:
        column = cells[names.index(name)]
        # Cells of one rank have one value: each is looked at once.
        ranks, firsts, places = np.unique(column.ranks, return_index=True, return_inverse=True)
        values = column.take(firsts.astype(np.int64)).values()
        holds = [compare(value, comparator, constant) is True for value in values]
        passed &= np.array(holds, dtype=np.bool_)[places.reshape(-1)] if len(ranks) else passed
    return passed
