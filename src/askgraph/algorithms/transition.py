"""Where a walker goes from each place, as a column-stochastic matrix in compressed sparse rows, and its product."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from .network import Network, ranges, weight_sums

Integers = NDArray[np.int64]
Floats = NDArray[np.float64]

_FEW: Final = 4
_ENTRIES_AT_ONCE: Final = 1 << 16


@dataclass(frozen=True, slots=True, eq=False)
class Transition:
    """A matrix ``W``: ``W[to, from]`` is the probability of going from one place to another.

    Attributes:
        offsets: the entries of row ``to`` stand at ``offsets[to]`` to ``offsets[to + 1]``.
        columns: ``from`` of each entry.
        values: the probability of each entry; ``None`` where all entries of a column are equal.
        scale: for each column what all its entries are, where ``values`` is ``None``.
        dead_ends: places from which nothing leads on, ascending.
    """

    offsets: Integers
    columns: Integers
    values: Floats | None
    scale: Floats | None
    dead_ends: Integers

    @classmethod
    def of_network(cls, network: Network) -> Transition:
        """From each node to its neighbours, by the weights of the edges. Self-loops are not walked."""
        degrees = np.diff(network.offsets)
        dead_ends = np.flatnonzero(degrees == 0)
        if network.weights is None:
            scale = 1.0 / np.maximum(degrees, 1)
            return cls(network.offsets, network.neighbors, None, scale, dead_ends)
        strengths = weight_sums(network.neighbors, network.weights, network.node_count)
        values = network.weights / strengths[network.neighbors]
        return cls(network.offsets, network.neighbors, values, None, dead_ends)

    @classmethod
    def of_entries(cls, places: int, to: Integers, origin: Integers, values: Floats) -> Transition:
        """A matrix of these entries, shape ``(entries)`` each; what adds up to nothing in a column is a dead end."""
        order = np.argsort(to, kind="stable")
        offsets = np.zeros(places + 1, dtype=np.int64)
        np.cumsum(np.bincount(to, minlength=places), out=offsets[1:])
        totals = weight_sums(origin, values, places)
        return cls(offsets, origin[order], values[order], None, np.flatnonzero(totals == 0))

    @property
    def size(self) -> int:
        """The number of places."""
        return len(self.offsets) - 1

    def times(self, vector: Floats, buffer: Floats | None = None) -> Floats:
        """``W @ vector``. ``buffer``: of :meth:`buffer`, written over, so that none is made each time."""
        if buffer is None:
            buffer = self.buffer()
        source = vector if self.scale is None else vector * self.scale
        if self.scale is not None:
            # Of an undirected network the rows are the columns too: near the seeds few of them are needed.
            reached = np.flatnonzero(source)
            if int((self.offsets[reached + 1] - self.offsets[reached]).sum()) * _FEW < len(self.columns):
                return self._spread_from(source, reached)
        result = np.zeros(self.size)
        for first, last in self._parts():
            begin, end = int(self.offsets[first]), int(self.offsets[last])
            # With "clip" the entries are not checked a second time; they are all in range.
            spread = np.take(source, self.columns[begin:end], out=buffer[: end - begin], mode="clip")
            if self.values is not None:
                spread *= self.values[begin:end]
            starts = self.offsets[first:last] - begin
            filled = np.flatnonzero(self.offsets[first + 1 : last + 1] - begin > starts)
            if len(filled):
                result[first + filled] = np.add.reduceat(spread, starts[filled])
        return result

    def buffer(self) -> Floats:
        """Room for :meth:`times`."""
        return np.empty(max((int(self.offsets[b] - self.offsets[a]) for a, b in self._parts()), default=0))

    def _parts(self) -> Iterator[tuple[int, int]]:
        """Rows in groups whose entries stay in the cache of a processor between two passes over them."""
        first = 0
        while first < self.size:
            end = int(self.offsets[first]) + _ENTRIES_AT_ONCE
            last = max(int(np.searchsorted(self.offsets, end, side="right")) - 1, first + 1)
            yield first, min(last, self.size)
            first = last

    def _spread_from(self, source: Floats, reached: Integers) -> Floats:
        counts = self.offsets[reached + 1] - self.offsets[reached]
        to = self.columns[ranges(self.offsets[reached], counts)]
        return weight_sums(to, np.repeat(source[reached], counts), self.size)
