"""Where a walker goes from each place, as a column-stochastic matrix in compressed sparse rows, and its product."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import Final

import numpy as np
from numpy.typing import NDArray

from .network import Network, ranges, row_ranges, weight_sums

Integers = NDArray[np.int64]
Floats = NDArray[np.float64]

_FEW: Final = 4
"""One in so many is few."""

_SHORT: Final = 32
"""Entries of a row; for longer ones the moment that numpy takes for each row no longer counts."""

_SHIFT: Final = 32
_LOW_BITS: Final = (1 << _SHIFT) - 1


@dataclass(frozen=True, eq=False)
class Transition:
    """A matrix ``W``: ``W[to, from]`` is the probability of going from one place to another.

    Every way is there both ways, with one weight: ``W[to, from] = weight * rates[row_kinds[to], from]``.

    Attributes:
        offsets: the entries of row ``to`` stand at ``offsets[to]`` to ``offsets[to + 1]``.
        columns: ``from`` of each entry.
        weights: of each entry; ``None``: 1 each.
        rates: for each kind of rows and each column what a weight of 1 is worth; shape ``(kinds, places)``.
        row_kinds: shape ``(places)``; ``None``: all rows are of one kind.
    """

    offsets: Integers
    columns: Integers
    weights: Floats | None
    rates: Floats
    row_kinds: Integers | None = None

    @classmethod
    def of_network(cls, network: Network) -> Transition:
        """From each node to its neighbours, by the weights of the edges. Self-loops are not walked."""
        if network.weights is None:
            strengths = np.diff(network.offsets).astype(np.float64)
        else:
            strengths = weight_sums(network.neighbors, network.weights, network.node_count)
        rates = np.divide(1.0, strengths, out=np.zeros(len(strengths)), where=strengths > 0)
        return cls(network.offsets, network.neighbors, network.weights, rates[None, :])

    @property
    def size(self) -> int:
        """The number of places."""
        return len(self.offsets) - 1

    @cached_property
    def dead_ends(self) -> Integers:
        """Places from which nothing leads on, ascending."""
        return np.flatnonzero(~self.rates.any(axis=0))

    def times(self, vector: Floats) -> Floats:
        """``W @ vector``."""
        if self.reaches_few(vector):
            return self.times_sparse(vector)
        rows = self.sorted_rows
        return rows.in_place_order(rows.times(vector[rows.order]))

    def reaches_few(self, vector: Floats) -> bool:
        """Whether few entries are needed for the product with this vector, as it is near the seeds of a walk."""
        if np.count_nonzero(vector) * _FEW >= self.size:
            return False
        reached = np.flatnonzero(vector)
        return int((self.offsets[reached + 1] - self.offsets[reached]).sum()) * _FEW < len(self.columns)

    def times_sparse(self, vector: Floats) -> Floats:
        """``W @ vector`` by the entries of those columns alone where the vector is not 0."""
        reached = np.flatnonzero(vector)
        counts = self.offsets[reached + 1] - self.offsets[reached]
        # The rows are the columns too.
        positions = ranges(self.offsets[reached], counts)
        to = self.columns[positions]
        given = self.rates[:, reached] * vector[reached]
        if self.row_kinds is None:
            spread = np.repeat(given[0], counts)
        else:
            spread = given[self.row_kinds[to], np.repeat(np.arange(len(reached)), counts)]
        if self.weights is not None:
            spread *= self.weights[positions]
        return weight_sums(to, spread, self.size)

    @cached_property
    def sorted_rows(self) -> SortedRows:
        """The matrix as products with vectors that are not sparse need it."""
        return SortedRows(self)


@dataclass(frozen=True, slots=True, eq=False)
class _Block:
    """Rows of one kind that are summed in one go.

    Attributes:
        kind: of the rows.
        rows: the first and the end of them, as they are sorted.
        columns: of rows of equally many entries one row below the other, shape ``(entries, rows)``; of longer rows one
            behind the other.
        starts: where each of these longer rows begins.
        weights: shape of ``columns``.
    """

    kind: int
    rows: slice
    columns: Integers
    starts: Integers | None
    weights: Floats | None


class SortedRows:
    """The rows of a matrix by kind and number of entries, for products with vectors that are not sparse.

    Rows of equally many entries lie side by side and are summed as whole arrays; numpy takes a moment for each row
    otherwise, and most rows are short. Places are numbered anew in this order, so that what is read most often, the
    scores of places with many entries, lies together.

    Attributes:
        order: the place that each new number stands for.
        numbers: the new number of each place.
    """

    def __init__(self, matrix: Transition) -> None:
        counts = np.diff(matrix.offsets)
        kinds = np.zeros(matrix.size, dtype=np.int64) if matrix.row_kinds is None else matrix.row_kinds
        most = int(counts.max(initial=0)) + 1
        keys = (kinds * most + counts << _SHIFT) | np.arange(matrix.size)
        keys.sort()
        self.order = keys & _LOW_BITS
        self.numbers = np.empty_like(self.order)
        self.numbers[self.order] = np.arange(matrix.size)
        self._rates = matrix.rates[:, self.order]
        self._blocks = tuple(self._made(matrix, kinds[self.order], counts[self.order]))
        self._most = max((block.columns.size for block in self._blocks), default=0)

    def _made(self, matrix: Transition, kinds: Integers, counts: Integers) -> Iterator[_Block]:
        starts = matrix.offsets[self.order]
        # One piece of memory for all blocks: they are read from its beginning to its end.
        entries, filled = np.empty(len(matrix.columns), dtype=np.int64), 0
        for first, end in _parts(kinds, counts):
            size, many = int(counts[first]), counts[first:end]
            if size <= _SHORT:
                positions = starts[first:end] + np.arange(size)[:, None]
                within = None
            else:
                positions = ranges(starts[first:end], many)
                within = np.cumsum(many) - many
            weights = None if matrix.weights is None else matrix.weights[positions]
            columns = entries[filled : filled + positions.size].reshape(positions.shape)
            filled += positions.size
            np.take(self.numbers, matrix.columns[positions], out=columns, mode="clip")
            yield _Block(int(kinds[first]), slice(first, end), columns, within, weights)

    def times(self, vector: Floats) -> Floats:
        """The product with a vector that is in this order, in this order."""
        room, summed = np.empty(self._most), np.zeros(len(vector))
        kind, source = -1, vector
        for block in self._blocks:
            if block.kind != kind:
                kind = block.kind
                source = vector * self._rates[kind]
            spread = room[: block.columns.size].reshape(block.columns.shape)
            # With "clip" the entries are not checked a second time; they are all in range.
            source.take(block.columns, out=spread, mode="clip")
            if block.weights is not None:
                spread *= block.weights
            if block.starts is None:
                np.add.reduce(spread, axis=0, out=summed[block.rows])
            else:
                np.add.reduceat(spread, block.starts, out=summed[block.rows])
        return summed

    def in_place_order(self, vector: Floats) -> Floats:
        """A vector that is in this order, in the order of the places."""
        return vector[self.numbers]


def _parts(kinds: Integers, counts: Integers) -> Iterator[tuple[int, int]]:
    """Rows that are summed in one go: of one kind, short ones of one length, and few enough entries for the cache."""
    groups = kinds * (_SHORT + 2) + np.minimum(counts, _SHORT + 1)
    edges = np.flatnonzero(np.diff(groups, prepend=-1, append=-1)).tolist()
    totals = np.concatenate([[0], np.cumsum(counts)])
    for first, end in pairwise(edges):
        if counts[first]:
            for begin, last in row_ranges(totals[first : end + 1]):
                yield first + begin, first + last
