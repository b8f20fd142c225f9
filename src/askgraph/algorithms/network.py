"""An undirected network as compressed sparse rows, and the seeds that an algorithm starts from."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..core.adjacency import Adjacency
from ..core.errors import AlgorithmError, UnknownSeedError

Integers = NDArray[np.int64]
Floats = NDArray[np.float64]
Ends = NDArray[np.int64] | NDArray[np.int32]

_SHIFT: Final = 32
_LOW_BITS: Final = (1 << _SHIFT) - 1
_ENTRIES_AT_ONCE: Final = 1 << 16


@dataclass(frozen=True, slots=True, eq=False)
class Network:
    """An undirected network without parallel edges. Nodes are numbered from 0.

    Attributes:
        offsets: the neighbours of node ``n`` stand at ``offsets[n]`` to ``offsets[n + 1]``; shape ``(nodes + 1)``.
        neighbors: int64, ascending within a node; a node with a self-loop is not among its own neighbours.
        loops: the nodes that have a self-loop, ascending.
        weights: of each entry of ``neighbors``; ``None`` where every edge weighs 1.
    """

    offsets: Integers
    neighbors: Integers
    loops: Integers
    weights: Floats | None = None

    @classmethod
    def from_edges(
        cls, node_count: int, sources: ArrayLike, targets: ArrayLike, weights: ArrayLike | None = None
    ) -> Network:
        """A network of these edges, shape ``(edges)`` each. Of parallel edges one stands, with the sum of the weights.

        Raises:
            AlgorithmError: the arrays differ in length, name nodes that are not there, or a weight is not positive.
        """
        one, other = _node_array(sources, node_count), _node_array(targets, node_count)
        if len(one) != len(other):
            raise AlgorithmError(f"there are {len(one)} sources and {len(other)} targets of edges")
        given = None if weights is None else _weight_array(weights, len(one))
        return cls._of_ends(node_count, one, other, given)

    @classmethod
    def _of_ends(cls, node_count: int, one: Ends, other: Ends, weights: Floats | None) -> Network:
        is_loop = one == other
        loops = np.unique(one[is_loop])
        if len(loops):
            one, other = one[~is_loop], other[~is_loop]
            weights = None if weights is None else weights[~is_loop]
        keys = _both_ways(one, other)
        summed: Floats | None = None
        if weights is None:
            keys = _sorted_distinct(keys)
        else:
            keys, places = np.unique(keys, return_inverse=True)
            summed = weight_sums(places, np.concatenate([weights, weights]), len(keys))
        # Where each node's keys begin: a bisection for each node is less than a pass over the keys.
        offsets = np.searchsorted(keys, np.arange(node_count + 1, dtype=np.int64) << _SHIFT)
        np.bitwise_and(keys, _LOW_BITS, out=keys)
        return cls(offsets, keys, loops, summed)

    @classmethod
    def from_adjacency(
        cls,
        adjacency: Adjacency,
        *,
        nodes: ArrayLike | None = None,
        edge_types: Iterable[int] | None = None,
    ) -> Network:
        """The network of a graph's adjacency, direction and parallel edges put aside.

        Args:
            adjacency: of the graph.
            nodes: only these nodes and the edges between them, numbered anew in this order; all nodes otherwise.
            edge_types: only edges of these types, by their codes; all types otherwise.
        """
        network = cls._of_rows(adjacency, edge_types)
        return network if nodes is None else network.induced(nodes)

    @classmethod
    def _of_rows(cls, adjacency: Adjacency, edge_types: Iterable[int] | None) -> Network:
        """Some rows at a time, so that what is made on the way stays in the cache of a processor."""
        chosen = None if edge_types is None else np.fromiter(edge_types, dtype=np.int32)
        entries = adjacency.out_offsets + adjacency.in_offsets
        offsets = np.zeros(adjacency.node_count + 1, dtype=np.int64)
        neighbors = np.empty(int(entries[-1]), dtype=np.int64)
        loops, filled = [np.empty(0, dtype=np.int64)], 0
        for first, last in row_ranges(entries):
            keys = np.concatenate(
                [
                    _keys(
                        adjacency.out_offsets, adjacency.out_targets, adjacency.out_types, first, last, chosen
                    ),
                    _keys(
                        adjacency.in_offsets, adjacency.in_sources, adjacency.in_types, first, last, chosen
                    ),
                ]
            )
            keys = _sorted_distinct(keys)
            is_loop = keys >> _SHIFT == keys & _LOW_BITS
            if is_loop.any():
                loops.append(keys[is_loop] & _LOW_BITS)
                keys = keys[~is_loop]
            starts = np.arange(first + 1, last + 1, dtype=np.int64) << _SHIFT
            offsets[first + 1 : last + 1] = filled + np.searchsorted(keys, starts)
            np.bitwise_and(keys, _LOW_BITS, out=neighbors[filled : filled + len(keys)])
            filled += len(keys)
        neighbors.resize(filled, refcheck=False)
        return cls(offsets, neighbors, np.concatenate(loops))

    @property
    def node_count(self) -> int:
        """How many nodes there are."""
        return len(self.offsets) - 1

    @property
    def edge_count(self) -> int:
        """How many edges there are, self-loops among them."""
        return len(self.neighbors) // 2 + len(self.loops)

    def degrees(self) -> Integers:
        """Ends of edges at each node: a self-loop counts two, as in networkx. Shape ``(nodes)``."""
        degrees: Integers = np.diff(self.offsets)
        degrees[self.loops] += 2
        return degrees

    def neighbors_of(self, node: int) -> Integers:
        """The neighbours of one node, ascending."""
        return self.neighbors[self.offsets[node] : self.offsets[node + 1]]

    def entries_of(self, nodes: Integers) -> tuple[Integers, Integers]:
        """The entries of several nodes: for each entry the place of its node in ``nodes``, and its own position."""
        counts = self.offsets[nodes + 1] - self.offsets[nodes]
        origins = np.repeat(np.arange(len(nodes)), counts)
        return origins, ranges(self.offsets[nodes], counts)

    def induced(self, nodes: ArrayLike) -> Network:
        """The network of these nodes and the edges between them, numbered anew in this order."""
        chosen = _node_array(nodes, self.node_count)
        places = np.full(self.node_count, -1, dtype=np.int64)
        places[chosen] = np.arange(len(chosen))
        loops = places[self.loops]
        loops = np.sort(loops[loops >= 0])
        if np.all(chosen[1:] > chosen[:-1]):
            return self._induced_in_order(chosen, places, loops)
        origins, positions = self.entries_of(chosen)
        ends = places[self.neighbors[positions]]
        kept = (ends >= 0) & (origins <= ends)
        weights = None if self.weights is None else self.weights[positions[kept]]
        network = Network._of_ends(len(chosen), origins[kept], ends[kept], weights)
        return Network(network.offsets, network.neighbors, loops, network.weights)

    def _induced_in_order(self, chosen: Integers, places: Integers, loops: Integers) -> Network:
        """The same where the nodes are given in ascending order: the entries of each are in order too."""
        starts = self.offsets[chosen]
        counts = self.offsets[chosen + 1] - starts
        left = np.zeros(len(chosen) + 1, dtype=np.int64)
        parts, weights = [np.empty(0, dtype=np.int64)], [np.empty(0)]
        for first, last in row_ranges(np.concatenate([[0], np.cumsum(counts)])):
            positions = ranges(starts[first:last], counts[first:last])
            ends = places[self.neighbors[positions]]
            kept = np.flatnonzero(ends >= 0)
            parts.append(ends[kept])
            if self.weights is not None:
                weights.append(self.weights[positions[kept]])
            edges = np.cumsum(counts[first:last])
            left[first + 1 : last + 1] = left[first] + np.searchsorted(kept, edges)
        own = None if self.weights is None else np.concatenate(weights)
        return Network(left, np.concatenate(parts), loops, own)

    def seeds(self, seeds: ArrayLike) -> Integers:
        """Seeds as an ascending array without repeats; see :func:`checked_seeds`."""
        return checked_seeds(seeds, self.node_count)


def checked_seeds(seeds: ArrayLike, node_count: int) -> Integers:
    """Seeds as an ascending array without repeats.

    Raises:
        UnknownSeedError: there is none, or one is no number of a node.
    """
    given = np.asarray(seeds)
    if given.ndim != 1 or (len(given) and not np.issubdtype(given.dtype, np.integer)):
        raise UnknownSeedError("seeds are a list of node numbers")
    chosen = np.unique(given.astype(np.int64))
    if not len(chosen):
        raise UnknownSeedError("there are no seeds", advice="Give at least one node to start from.")
    unknown = chosen[(chosen < 0) | (chosen >= node_count)]
    if len(unknown):
        shown = ", ".join(map(str, unknown[:5].tolist()))
        raise UnknownSeedError(
            f"{len(unknown)} of {len(chosen)} seeds are not in the network of {node_count} nodes: {shown}"
        )
    return chosen


def checked_population(network: Network, population: int | None) -> int:
    """How many nodes there are in all. Raises :class:`AlgorithmError` if the network alone has more."""
    if population is None:
        return network.node_count
    if population < network.node_count:
        raise AlgorithmError(
            f"a population of {population} cannot hold a network of {network.node_count} nodes"
        )
    return population


def weight_sums(places: Integers, weights: Floats, count: int) -> Floats:
    """The sum of the weights at each place, shape ``(count)``."""
    return np.asarray(np.bincount(places, weights=weights, minlength=count), dtype=np.float64)


def ranges(starts: Integers, counts: Integers) -> Integers:
    """``starts[0], starts[0] + 1, …`` for ``counts[0]`` numbers, then those of the next."""
    ends = np.cumsum(counts)
    total = int(ends[-1]) if len(ends) else 0
    positions: Integers = np.arange(total, dtype=np.int64) + np.repeat(starts - (ends - counts), counts)
    return positions


def row_ranges(offsets: Integers) -> Iterator[tuple[int, int]]:
    """Rows in groups of so few entries that these stay in the cache of a processor; a long row is a group of its own.

    Args:
        offsets: where the entries of each row begin, and where the last ones end.
    """
    first, count = 0, len(offsets) - 1
    while first < count:
        end = int(np.searchsorted(offsets, offsets[first] + _ENTRIES_AT_ONCE, side="right")) - 1
        last = min(max(end, first + 1), count)
        yield first, last
        first = last


def _keys(offsets: Integers, ends: Ends, types: Ends, first: int, last: int, chosen: Ends | None) -> Integers:
    """The edges of some rows as numbers that sort by row and end; of all types, or only of the chosen ones."""
    begin, end = int(offsets[first]), int(offsets[last])
    rows = np.arange(first, last, dtype=np.int64) << _SHIFT
    keys: Integers = np.repeat(rows, np.diff(offsets[first : last + 1])) | ends[begin:end]
    return keys if chosen is None else keys[np.isin(types[begin:end], chosen)]


def _both_ways(one: Ends, other: Ends) -> Integers:
    """Each edge both ways, as one number that sorts by the node it leaves and the node it leads to."""
    count = len(one)
    keys = np.empty(2 * count, dtype=np.int64)
    keys[:count], keys[count:] = one, other
    np.left_shift(keys, _SHIFT, out=keys)
    keys[:count] |= other
    keys[count:] |= one
    return keys


def _sorted_distinct(keys: Integers) -> Integers:
    """In order, each once; the array given is used up."""
    keys.sort()
    if not len(keys):
        return keys
    new = np.ones(len(keys), dtype=np.bool_)
    np.not_equal(keys[1:], keys[:-1], out=new[1:])
    return keys[new]


def _node_array(nodes: ArrayLike, node_count: int) -> Integers:
    array = np.asarray(nodes)
    if array.ndim != 1 or (len(array) and not np.issubdtype(array.dtype, np.integer)):
        raise AlgorithmError("nodes are given as a flat list of whole numbers")
    array = array.astype(np.int64, copy=False)
    if len(array) and (array.min() < 0 or array.max() >= node_count):
        raise AlgorithmError(f"a node number lies outside 0 to {node_count - 1}")
    return array


def _weight_array(weights: ArrayLike, count: int) -> Floats:
    array = np.asarray(weights, dtype=np.float64)
    if array.shape != (count,):
        raise AlgorithmError(f"there are {count} edges and weights of shape {array.shape}")
    if not (np.isfinite(array).all() and (array > 0).all()):
        raise AlgorithmError("weights of edges are positive numbers")
    return array
