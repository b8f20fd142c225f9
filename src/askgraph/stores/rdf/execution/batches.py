"""Batches of matches: arrays of equal length, one for each variable and property, and how often each match counts."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from ....core.errors import CapExceededError
from ....core.plan import PropertyOf
from ..arrays import Integers, pack, sort_order, starts_of_runs

Slot = str | PropertyOf
"""What a column of a batch holds: the rows of a node variable, or the value codes of a property."""

NULL: Final = -1

ROWS_AT_ONCE: Final = 200_000
"""About how many matches a step makes at once."""

# Below this many rows, looking for equal ones costs more than it saves.
_WORTH_COMPRESSING: Final = 64
_MOST_MATCHES: Final = 2**62


@dataclass(frozen=True, slots=True, eq=False)
class Batch:
    """Matches.

    Attributes:
        slots: an array for each slot, all of the same length; :data:`NULL` for null.
        weights: how many matches each row stands for; ``None``: one.
        length: the number of rows, also where there are no slots.
    """

    slots: Mapping[Slot, NDArray[np.int64]]
    weights: NDArray[np.int64] | None
    length: int

    @classmethod
    def start(cls) -> Batch:
        """One match that binds nothing."""
        return cls({}, None, 1)

    def take(self, positions: NDArray[np.int64] | NDArray[np.bool_] | slice) -> Batch:
        """Some rows, as often as they are named."""
        slots = {slot: values[positions] for slot, values in self.slots.items()}
        weights = None if self.weights is None else self.weights[positions]
        if isinstance(positions, slice):
            length = len(range(*positions.indices(self.length)))
        else:
            length = int(np.count_nonzero(positions)) if positions.dtype == np.bool_ else len(positions)
        return Batch(slots, weights, length)

    def with_slot(self, slot: Slot, values: NDArray[np.int64]) -> Batch:
        """The same rows with one more column."""
        return Batch({**self.slots, slot: values}, self.weights, self.length)

    def weighted(self, factors: NDArray[np.int64]) -> Batch:
        """The same rows, each counting so many times as often; rows with factor 0 are dropped."""
        kept = factors > 0
        batch = self.take(kept)
        factors = factors[kept]
        if np.all(factors == 1):
            return batch
        if batch.weights is None or not batch.length:
            return Batch(batch.slots, factors, batch.length)
        _refuse_beyond(int(batch.weights.max()) * int(factors.max()))
        return Batch(batch.slots, batch.weights * factors, batch.length)

    def all_weights(self) -> NDArray[np.int64]:
        """How many matches each row stands for."""
        return np.ones(self.length, dtype=np.int64) if self.weights is None else self.weights

    def only(self, live: Collection[Slot]) -> Batch:
        """The rows with the slots of ``live`` alone; rows that have become equal are put together."""
        if all(slot in live for slot in self.slots):
            return self
        slots = {slot: values for slot, values in self.slots.items() if slot in live}
        batch = Batch(slots, self.weights, self.length)
        return batch if self.length < _WORTH_COMPRESSING else batch.compressed()

    def compressed(self) -> Batch:
        """Equal rows put together, in ascending order."""
        weights = self.all_weights()
        if not self.length:
            return self
        if not self.slots:
            _refuse_beyond(int(weights.max(initial=0)) * self.length)
            return Batch({}, weights.sum(keepdims=True), 1)
        rows = RowGroups.of(list(self.slots.values()))
        totals = rows.sums(weights)
        slots = {slot: values[rows.representatives] for slot, values in self.slots.items()}
        return Batch(slots, totals, len(totals))

    def pieces(self, sizes: Integers) -> Iterator[slice]:
        """Runs of rows whose ``sizes`` (what a step will make of each row) stay within :data:`ROWS_AT_ONCE` together,
        or single rows that are larger."""
        ends = np.cumsum(sizes, dtype=np.int64)
        start, before = 0, 0
        while start < self.length:
            stop = int(np.searchsorted(ends, before + ROWS_AT_ONCE, side="right"))
            stop = min(max(stop, start + 1), self.length)
            yield slice(start, stop)
            start, before = stop, int(ends[stop - 1])


@dataclass(frozen=True, slots=True, eq=False)
class RowGroups:
    """Equal rows of several columns.

    Attributes:
        representatives: for each group the position of one of its rows; groups ascend by the columns.
        order: positions of all rows, group by group.
        starts: where each group begins in ``order``.
    """

    representatives: NDArray[np.int64]
    order: NDArray[np.int64]
    starts: NDArray[np.int64]

    @classmethod
    def of(cls, columns: Sequence[Integers]) -> RowGroups:
        """Group rows by columns of numbers from -1 up."""
        shifted = [np.asarray(column, dtype=np.int64) + 1 for column in columns]
        packed = pack(shifted)
        if packed is not None:
            keys, _ = packed
            order = np.argsort(keys, kind="stable")
            firsts = starts_of_runs((keys[order],))
        else:
            order = sort_order(shifted)
            firsts = starts_of_runs([column[order] for column in shifted])
        starts = np.flatnonzero(firsts)
        return cls(order[starts], order, starts)

    def sums(self, numbers: NDArray[np.int64]) -> NDArray[np.int64]:
        """For each group the sum of its rows' numbers."""
        if not len(self.starts):
            return np.empty(0, dtype=np.int64)
        _refuse_beyond(int(numbers.max()) * len(numbers))
        return np.add.reduceat(numbers[self.order], self.starts)

    def group_of_rows(self) -> NDArray[np.int64]:
        """For each row the number of its group."""
        groups: NDArray[np.int64] = np.empty(len(self.order), dtype=np.int64)
        lengths = np.diff(np.append(self.starts, len(self.order)))
        groups[self.order] = np.repeat(np.arange(len(self.starts), dtype=np.int64), lengths)
        return groups


def _refuse_beyond(matches: int) -> None:
    if matches > _MOST_MATCHES:
        raise CapExceededError(
            "there are more matches than can be counted",
            advice="Nodes that no edge joins multiply: join them, or leave some out.",
        )


def joined(batches: Sequence[Batch]) -> Batch:
    """The rows of several batches that have the same slots."""
    if len(batches) == 1:
        return batches[0]
    slots = {slot: np.concatenate([batch.slots[slot] for batch in batches]) for slot in batches[0].slots}
    weights = np.concatenate([batch.all_weights() for batch in batches])
    return Batch(slots, weights, sum(batch.length for batch in batches))
