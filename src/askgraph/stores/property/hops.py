"""One hop from many nodes at once, and the edges between them, on adjacency arrays."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from ...core.adjacency import Adjacency
from ...core.graph import Direction

Integers = NDArray[np.int64]

# Origins, positions, masks and results, as 64-bit numbers.
_BYTES_PER_HOP: Final = 96


@dataclass(frozen=True, slots=True, eq=False)
class Hops:
    """Hops as columns of equal length, ordered by origin, hops out before hops in, then by type and other end.

    Attributes:
        origins: positions in the rows that were asked for.
        forward: whether the edge leads from the origin.
        types: codes of edge types.
        nodes: rows of the nodes at the other ends.
        edges: numbers of the edges.
        cut: for each position whose hops were capped, how many there are in all.
    """

    origins: Integers
    forward: NDArray[np.bool_]
    types: Integers
    nodes: Integers
    edges: Integers
    cut: Mapping[int, int]


@dataclass(frozen=True, slots=True, eq=False)
class _Side:
    """Hops in one direction, as positions in the arrays of that direction."""

    origins: Integers
    positions: Integers


def hops(
    adjacency: Adjacency,
    rows: Integers,
    direction: Direction,
    *,
    wanted_types: NDArray[np.bool_] | None = None,
    limit: int | None = None,
) -> Hops:
    """Every hop from these nodes.

    Args:
        adjacency: the graph.
        rows: rows of nodes; -1 for one that the graph does not have.
        direction: ``"out"``, ``"in"`` or ``"both"``; a self-loop counts once in ``"both"``, as a hop out.
        wanted_types: for each code of an edge type whether to follow it; ``None``: all.
        limit: hops of one node that are given.
    """
    known = np.flatnonzero(rows >= 0)
    count = len(rows)
    outgoing = incoming = _Side(np.empty(0, np.int64), np.empty(0, np.int64))
    if direction != "in":
        outgoing = _side(adjacency.out_offsets, rows, known)
        if wanted_types is not None:
            outgoing = _where(outgoing, wanted_types[adjacency.out_types[outgoing.positions]])
    if direction != "out":
        incoming = _side(adjacency.in_offsets, rows, known)
        if wanted_types is not None:
            incoming = _where(incoming, wanted_types[adjacency.in_types[incoming.positions]])
        if direction == "both":
            incoming = _where(incoming, adjacency.in_sources[incoming.positions] != rows[incoming.origins])
    totals = np.bincount(outgoing.origins, minlength=count) + np.bincount(incoming.origins, minlength=count)
    cut: dict[int, int] = {}
    if limit is not None and len(totals) and int(totals.max()) > limit:
        cut = {position: int(totals[position]) for position in np.flatnonzero(totals > limit).tolist()}
        outgoing, left = _capped(outgoing, np.full(count, limit, dtype=np.int64))
        incoming, _ = _capped(incoming, left)
    return _joined(adjacency, outgoing, incoming, cut)


def hop_bytes(adjacency: Adjacency, rows: Integers, direction: Direction) -> int:
    """About how much memory :func:`hops` takes for these nodes, whatever types are wanted and however many kept."""
    known = rows[rows >= 0]
    offsets = {"out": [adjacency.out_offsets], "in": [adjacency.in_offsets]}
    offsets["both"] = offsets["out"] + offsets["in"]
    return sum(int((side[known + 1] - side[known]).sum()) for side in offsets[direction]) * _BYTES_PER_HOP


def count_types(
    adjacency: Adjacency, rows: Integers, type_count: int
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """For each edge type the number of edges that leave these nodes, and of those that enter them."""
    known = np.flatnonzero(rows >= 0)
    outgoing = _side(adjacency.out_offsets, rows, known).positions
    incoming = _side(adjacency.in_offsets, rows, known).positions
    return (
        np.bincount(adjacency.out_types[outgoing], minlength=type_count),
        np.bincount(adjacency.in_types[incoming], minlength=type_count),
    )


def sources_of(adjacency: Adjacency, edges: Integers) -> Integers:
    """The row of the node that each edge leaves."""
    return np.searchsorted(adjacency.out_offsets, edges, side="right") - 1


def ordinals_of(adjacency: Adjacency, edges: Integers) -> Integers:
    """For each edge the number of edges before it that have the same source, type and target."""
    ordinals = np.zeros(len(edges), dtype=np.int64)
    starts = adjacency.out_offsets[sources_of(adjacency, edges)]
    before = np.flatnonzero(edges > starts)
    same = _same_content(adjacency, edges[before], edges[before] - 1)
    parallel = before[same]
    if len(parallel):
        first = _first_alike(adjacency, starts[parallel], edges[parallel])
        ordinals[parallel] = edges[parallel] - first
    return ordinals


def find_edge(adjacency: Adjacency, source: int, type_code: int, target: int, ordinal: int) -> int:
    """The number of an edge by its content, -1 if there is none."""
    start, end = (int(offset) for offset in adjacency.out_offsets[source : source + 2])
    first, last = np.searchsorted(adjacency.out_types[start:end], [type_code, type_code + 1])
    low, high = np.searchsorted(adjacency.out_targets[start + first : start + last], [target, target + 1])
    return int(start + first + low + ordinal) if ordinal < high - low else -1


def _same_content(adjacency: Adjacency, left: Integers, right: Integers) -> NDArray[np.bool_]:
    """Whether two edges of one source have the same type and target."""
    types, targets = adjacency.out_types, adjacency.out_targets
    same: NDArray[np.bool_] = (types[left] == types[right]) & (targets[left] == targets[right])
    return same


def _first_alike(adjacency: Adjacency, low: Integers, edges: Integers) -> Integers:
    """The first edge, from ``low`` on, of the same type and target: all at once by bisection."""
    low, high = low.copy(), edges.copy()
    while len(open_ranges := np.flatnonzero(low < high)):
        middle = (low[open_ranges] + high[open_ranges]) // 2
        # Edges of one source are ordered, so alike ones are neighbours.
        alike = _same_content(adjacency, middle, edges[open_ranges])
        high[open_ranges[alike]] = middle[alike]
        low[open_ranges[~alike]] = middle[~alike] + 1
    return low


def _side(offsets: Integers, rows: Integers, known: Integers) -> _Side:
    starts = offsets[rows[known]]
    counts = offsets[rows[known] + 1] - starts
    within = np.arange(int(counts.sum()), dtype=np.int64) - np.repeat(np.cumsum(counts) - counts, counts)
    return _Side(np.repeat(known, counts), np.repeat(starts, counts) + within)


def _where(side: _Side, kept: NDArray[np.bool_]) -> _Side:
    return _Side(side.origins[kept], side.positions[kept])


def _capped(side: _Side, limits: Integers) -> tuple[_Side, Integers]:
    """At most ``limits[o]`` hops of each origin ``o``; and what is left of the limits."""
    counts = np.bincount(side.origins, minlength=len(limits))
    rank = np.arange(len(side.origins), dtype=np.int64) - (np.cumsum(counts) - counts)[side.origins]
    return _where(side, rank < limits[side.origins]), np.maximum(limits - counts, 0)


def _joined(adjacency: Adjacency, outgoing: _Side, incoming: _Side, cut: Mapping[int, int]) -> Hops:
    out_count, in_count = len(outgoing.positions), len(incoming.positions)
    origins = np.concatenate([outgoing.origins, incoming.origins])
    order = np.argsort(origins, kind="stable") if out_count and in_count else slice(None)
    forward = np.repeat(np.array([True, False]), [out_count, in_count])
    types = [adjacency.out_types[outgoing.positions], adjacency.in_types[incoming.positions]]
    nodes = [adjacency.out_targets[outgoing.positions], adjacency.in_sources[incoming.positions]]
    edges = [outgoing.positions, adjacency.in_edges[incoming.positions]]
    return Hops(
        origins=origins[order],
        forward=forward[order],
        types=np.concatenate(types).astype(np.int64)[order],
        nodes=np.concatenate(nodes).astype(np.int64)[order],
        edges=np.concatenate(edges).astype(np.int64)[order],
        cut=cut,
    )
