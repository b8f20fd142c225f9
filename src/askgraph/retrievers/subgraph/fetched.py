"""The surroundings of some nodes of a graph on a server, fetched in a few bounded round trips, as a small graph.

Three rounds: the nodes themselves, their neighbours, and those of these neighbours' neighbours that most of them share.
A node's degree is then what was seen of it; how many nodes of each type there are is known from the schema.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from ...core.adjacency import Adjacency
from ...core.budget import Budget
from ...core.graph import Edge
from ...core.words import quantity
from ...stores.base import GivesRows, GraphInRows, GraphStore, Neighbors
from .options import SubgraphOptions

Integers = NDArray[np.int64]

MOST_CANDIDATES: Final = 2_000
"""Nodes two edges away whose own edges are fetched."""

_PER_CANDIDATE: Final = 200
_AT_ONCE: Final = 500


@dataclass(frozen=True, slots=True)
class Fetched:
    """A small graph, and what has to be said of it."""

    source: GivesRows
    notes: tuple[str, ...]


class FetchedGraph:
    """Nodes and edges that were fetched, as arrays; a :class:`~askgraph.stores.base.GivesRows`."""

    def __init__(self, store: GraphStore, nodes: Sequence[str], types: Sequence[str], edges: _Edges) -> None:
        self._store = store
        self._ids = list(nodes)
        self._rows = {id: row for row, id in enumerate(self._ids)}
        self._edge_ids = edges.ids
        self._in_rows = _in_rows(types, edges, len(self._ids))
        self._edge_ids = [edges.ids[place] for place in edges.order]

    def graph_in_rows(self) -> GraphInRows:
        """The graph as arrays."""
        return self._in_rows

    def rows(self, ids: Sequence[str]) -> Integers:
        """The row of each node id, -1 where there is none."""
        return np.array([self._rows.get(id, -1) for id in ids], dtype=np.int64)

    def ids(self, rows: Integers) -> list[str]:
        """The node ids of these rows."""
        return [self._ids[row] for row in rows.tolist()]

    def edges_at(self, numbers: Integers) -> Iterator[Edge]:
        """The edges of these numbers, in their order."""
        return self._store.edges([self._edge_ids[number] for number in numbers.tolist()])


@dataclass(slots=True)
class _Edges:
    """Edges as they come in: each once, by its id."""

    seen: dict[str, tuple[str, str, str]]
    ids: list[str]
    order: list[int]
    rows: NDArray[np.int64]

    @classmethod
    def empty(cls) -> _Edges:
        return cls({}, [], [], np.empty((0, 3), dtype=np.int64))

    def add(self, origins: Sequence[str], found: Neighbors) -> None:
        columns = zip(
            found.origins.tolist(),
            found.forward.tolist(),
            found.edge_types.tolist(),
            found.nodes,
            found.edges,
            strict=True,
        )
        for origin, forward, kind, node, edge in columns:
            start, end = origins[origin], node
            source, target = (start, end) if forward else (end, start)
            self.seen.setdefault(edge, (source, found.type_names[kind], target))


def fetch_around(store: GraphStore, ids: Sequence[str], options: SubgraphOptions, budget: Budget) -> Fetched:
    """Fetch the surroundings of some nodes; ids that the graph does not have bring nothing."""
    edges, cut = _Edges.empty(), 0
    per_node = min(budget.fan_out, max(options.most_neighbours * 4, 1))
    known = list(dict.fromkeys(ids))
    cut += _fetch(store, known, edges, per_node, budget)
    near = _others(edges, known)
    cut += _fetch(store, near, edges, _PER_CANDIDATE, budget)
    candidates = _most_shared(edges, [*known, *near])
    cut += _fetch(store, candidates, edges, _PER_CANDIDATE, budget)
    kept = dict.fromkeys([*known, *near, *candidates])
    found = {node.id: node.types for node in store.nodes(list(kept))}
    nodes = [id for id in kept if id in found]
    inside = {edge: ends for edge, ends in edges.seen.items() if ends[0] in found and ends[2] in found}
    names = sorted({kind for types in found.values() for kind in types})
    counts = {name: sum(name in types for types in found.values()) for name in names}
    types = [min(found[id], key=lambda kind: (counts[kind], kind), default="") for id in nodes]
    source = FetchedGraph(store, nodes, types, _numbered(nodes, inside))
    seen = (
        f"{quantity(len(nodes), 'node')} and {quantity(len(inside), 'edge')} around the question were fetched"
    )
    notes = [f"The graph is on a server: {seen}, and walks are those of this part."]
    if cut:
        notes.append(f"{quantity(cut, 'node')} had more edges than were fetched.")
    return Fetched(source, tuple(notes))


def _fetch(store: GraphStore, ids: Sequence[str], edges: _Edges, limit: int, budget: Budget) -> int:
    """Fetch one hop from each node; gives how many had more than the limit."""
    cut = 0
    for start in range(0, len(ids), _AT_ONCE):
        budget.check("fetching neighbours")
        part = list(ids[start : start + _AT_ONCE])
        found = store.neighbors(part, limit_per_node=limit, budget=budget)
        edges.add(part, found)
        cut += len(found.cut)
    return cut


def _others(edges: _Edges, known: Sequence[str]) -> list[str]:
    """The ends of the edges that are not known yet, in the order of the edges."""
    ends = dict.fromkeys(end for source, _, target in edges.seen.values() for end in (source, target))
    for id in known:
        ends.pop(id, None)
    return list(ends)


def _most_shared(edges: _Edges, known: Sequence[str]) -> list[str]:
    """Of the nodes that are not known yet those with most edges to known ones; of equals the first by id."""
    counts: dict[str, int] = {}
    members = set(known)
    for source, _, target in edges.seen.values():
        for one, other in ((source, target), (target, source)):
            if one in members and other not in members:
                counts[other] = counts.get(other, 0) + 1
    return sorted(counts, key=lambda id: (-counts[id], id))[:MOST_CANDIDATES]


def _numbered(nodes: Sequence[str], inside: dict[str, tuple[str, str, str]]) -> _Edges:
    """The edges in the order (source, type, target, id), as numbers."""
    rows = {id: row for row, id in enumerate(nodes)}
    kinds = {name: code for code, name in enumerate(sorted({kind for _, kind, _ in inside.values()}))}
    numbers = [(rows[source], kinds[kind], rows[target]) for source, kind, target in inside.values()]
    ids = list(inside)
    order = sorted(range(len(ids)), key=lambda place: (*numbers[place], ids[place]))
    array = np.array([numbers[place] for place in order], dtype=np.int64).reshape(-1, 3)
    return _Edges(inside, ids, order, array)


def _in_rows(types: Sequence[str], edges: _Edges, count: int) -> GraphInRows:
    names = tuple(sorted({kind for kind in types if kind}))
    places = {name: place for place, name in enumerate(names)}
    edge_types = tuple(sorted({kind for _, kind, _ in edges.seen.values()}))
    sources, kinds, targets = (edges.rows[:, column] for column in range(3))
    backward = np.lexsort((np.arange(len(sources)), sources, kinds, targets))
    return GraphInRows(
        Adjacency(
            out_offsets=_offsets(sources, count),
            out_targets=targets.astype(np.int32),
            out_types=kinds.astype(np.int32),
            in_offsets=_offsets(targets, count),
            in_sources=sources[backward].astype(np.int32),
            in_types=kinds[backward].astype(np.int32),
            in_edges=backward.astype(np.int32),
        ),
        edge_types,
        names,
        np.array([places.get(kind, -1) for kind in types], dtype=np.int64),
    )


def _offsets(ends: Integers, count: int) -> Integers:
    offsets = np.zeros(count + 1, dtype=np.int64)
    np.cumsum(np.bincount(ends, minlength=count), out=offsets[1:])
    return offsets
