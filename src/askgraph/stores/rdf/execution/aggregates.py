"""Groups of matches, and the values made of them."""

from __future__ import annotations

import decimal
import math
from collections.abc import Sequence
from decimal import Decimal
from fractions import Fraction
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from ....core.errors import CapExceededError
from ....core.plan import Aggregate, NodeReference, Plan, PropertyOf
from ....core.values import Value
from ..terms import Terms
from ..value_order import ValueClass, order_key
from .batches import NULL, Batch, RowGroups, Slot, joined
from .cells import Cells, CodeCells, ValueCells

# So many rows are gathered before equal ones are put together again.
_GATHERED_ROWS: Final = 1_000_000
_SAFE_SUM: Final = 2**62


class Gathering:
    """Gathers the matches of a grouped plan, equal ones as one."""

    def __init__(self, plan: Plan, most_rows: int | None) -> None:
        """``most_rows``: different rows beyond which to give up."""
        self._slots = grouping_slots(plan)
        self._most_rows = most_rows
        self._batches: list[Batch] = []
        self._gathered = 0

    def add(self, batch: Batch) -> None:
        """Take some matches. Raises :class:`CapExceededError` if there are too many that differ."""
        if not batch.length:
            return
        compressed = batch.only(self._slots).compressed()
        self._batches.append(compressed)
        self._gathered += compressed.length
        if self._gathered > _GATHERED_ROWS and len(self._batches) > 1:
            self._batches = [joined(self._batches).compressed()]
            self._gathered = self._batches[0].length
        if self._most_rows is not None and self._gathered > max(self._most_rows, _GATHERED_ROWS):
            raise CapExceededError(
                f"more than {self._gathered:,} different rows to group",
                advice="Ask something narrower, or allow more memory: Budget(bytes=…).",
            )

    def result(self) -> Batch:
        """All matches: different rows, with their weights."""
        if not self._batches:
            nothing = np.empty(0, dtype=np.int64)
            return Batch(dict.fromkeys(self._slots, nothing), nothing, 0)
        return joined(self._batches).compressed()


def grouping_slots(plan: Plan) -> frozenset[Slot]:
    """What a grouped plan needs of a match."""
    slots: set[Slot] = set()
    for column in plan.columns:
        expression = column.expression
        inner = expression.argument if isinstance(expression, Aggregate) else expression
        match inner:
            case NodeReference(variable):
                slots.add(variable)
            case PropertyOf():
                slots.add(inner)
    return frozenset(slots)


class Grouped:
    """The groups of gathered matches."""

    def __init__(self, matches: Batch, keys: Sequence[Slot], terms: Terms) -> None:
        self._matches = matches
        self._terms = terms
        self._weights = matches.all_weights()
        if keys:
            groups = RowGroups.of([matches.slots[key] for key in keys])
            self._representatives = groups.representatives
            self._group_of_rows = groups.group_of_rows()
            self.count = len(groups.representatives)
        else:
            # One group, be there matches or none.
            self._representatives = np.zeros(1, dtype=np.int64)
            self._group_of_rows = np.zeros(matches.length, dtype=np.int64)
            self.count = 1

    def keys(self, slot: Slot) -> NDArray[np.int64]:
        """The value of a key in each group."""
        return self._matches.slots[slot][self._representatives]

    def aggregate(self, cell: Aggregate) -> Cells:
        """The value of an aggregate for each group."""
        if cell.argument is None:
            return self._numbers(self._totals(self._group_of_rows, self._weights))
        match cell.argument:
            case NodeReference(variable):
                values = self._matches.slots[variable]
            case _:
                values = self._matches.slots[cell.argument]
        present = values != NULL
        rows = _Rows(self._group_of_rows[present], values[present], self._weights[present])
        rows = rows.put_together(distinct=cell.distinct)
        match cell.function:
            case "count":
                return self._numbers(self._totals(rows.groups, rows.weights))
            case "minimum":
                return self._extremes(rows, np.minimum, int(np.iinfo(np.int64).max))
            case "maximum":
                return self._extremes(rows, np.maximum, NULL)
        start, end = self._terms.class_range(ValueClass.NUMBER)
        are_numbers = (rows.values >= start) & (rows.values < end)
        return self._sums(rows.where(are_numbers), is_average=cell.function == "average")

    def _totals(self, groups: NDArray[np.int64], weights: NDArray[np.int64]) -> NDArray[np.int64]:
        totals = np.zeros(self.count, dtype=np.int64)
        np.add.at(totals, groups, weights)
        return totals

    def _numbers(self, numbers: NDArray[np.int64]) -> Cells:
        return ValueCells(numbers.tolist(), numbers)

    def _extremes(self, rows: _Rows, choose: Any, start: int) -> Cells:
        codes = np.full(self.count, start, dtype=np.int64)
        choose.at(codes, rows.groups, rows.values)
        seen = np.zeros(self.count, dtype=np.bool_)
        seen[rows.groups] = True
        return CodeCells(np.where(seen, codes, NULL), self._terms.values_of)

    def _sums(self, rows: _Rows, *, is_average: bool) -> Cells:
        distinct, places = np.unique(rows.values, return_inverse=True)
        numbers: list[Any] = self._terms.values_of(distinct)
        counts = self._totals(rows.groups, rows.weights)
        sums = self._fast_sums(numbers, places, rows)
        if sums is None:
            sums = self._exact_sums(numbers, places, rows)
        values: list[Value] = [
            None if not count else _as_float(total) / count if is_average else total
            for total, count in zip(sums, counts.tolist(), strict=True)
        ]
        return ValueCells(values, _ranks(values))

    def _fast_sums(self, numbers: list[Any], places: NDArray[np.int64], rows: _Rows) -> list[Any] | None:
        """Sums of integers that stay within 64 bits."""
        if not all(type(number) is int for number in numbers):
            return None
        largest = max(map(abs, numbers), default=0)
        if largest * int(rows.weights.sum()) > _SAFE_SUM:
            return None
        found = np.array(numbers, dtype=np.int64)
        totals: list[Any] = self._totals(rows.groups, found[places] * rows.weights).tolist()
        return totals

    def _exact_sums(self, numbers: list[Any], places: NDArray[np.int64], rows: _Rows) -> list[Any]:
        members: list[list[tuple[Any, int]]] = [[] for _ in range(self.count)]
        for group, place, weight in zip(
            rows.groups.tolist(), places.tolist(), rows.weights.tolist(), strict=True
        ):
            members[group].append((numbers[place], weight))
        return [_sum(group) for group in members]


class _Rows:
    """Values in groups, with weights."""

    def __init__(
        self, groups: NDArray[np.int64], values: NDArray[np.int64], weights: NDArray[np.int64]
    ) -> None:
        self.groups, self.values, self.weights = groups, values, weights

    def put_together(self, *, distinct: bool) -> _Rows:
        """Each value of a group once, with the weight of all; or with weight one if only different ones count."""
        runs = RowGroups.of((self.groups, self.values))
        weights = np.ones(len(runs.starts), dtype=np.int64) if distinct else runs.sums(self.weights)
        return _Rows(self.groups[runs.representatives], self.values[runs.representatives], weights)

    def where(self, chosen: NDArray[np.bool_]) -> _Rows:
        """Some of the rows."""
        return _Rows(self.groups[chosen], self.values[chosen], self.weights[chosen])


def _sum(numbers: Sequence[tuple[Any, int]]) -> Any:
    """The sum of numbers, each so many times: exact while there is no float among them."""
    if any(type(number) is float for number, _ in numbers):
        floats = [(_as_float(number), weight) for number, weight in numbers]
        if all(math.isfinite(number) for number, _ in floats):
            return _as_float(sum((Fraction(number) * weight for number, weight in floats), Fraction(0)))
        return sum(number for number, _ in floats)
    if any(type(number) is Decimal for number, _ in numbers):
        with decimal.localcontext(prec=decimal.MAX_PREC, Emax=decimal.MAX_EMAX, Emin=decimal.MIN_EMIN):
            return sum((number * weight for number, weight in numbers), Decimal(0))
    return sum(number * weight for number, weight in numbers)


def _as_float(number: Any) -> float:
    try:
        return float(number)
    except OverflowError:
        return math.inf if number > 0 else -math.inf


def _ranks(values: Sequence[Value]) -> NDArray[np.int64]:
    """For each value its place in the order of values, equal ones at one place; :data:`NULL` for null."""
    ranks = np.full(len(values), NULL, dtype=np.int64)
    present = [place for place, value in enumerate(values) if value is not None]
    found = [values[place] for place in present]
    types = {type(value) for value in found}
    if types == {float} and all(map(math.isfinite, found)):  # type: ignore[arg-type]  # they are floats
        _, places = np.unique(np.array(found, dtype=np.float64), return_inverse=True)
        ranks[present] = places
        return ranks
    keys: list[Any] = found if types <= {int} else [order_key(value) for value in found]
    current = -1
    before = None
    for number, place in enumerate(sorted(range(len(keys)), key=keys.__getitem__)):
        if number == 0 or keys[place] != before:
            current += 1
        before = keys[place]
        ranks[present[place]] = current
    return ranks
