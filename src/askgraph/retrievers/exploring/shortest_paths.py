"""Shortest paths from each of some nodes to each of some others, over edges of any type in both directions.

The search goes from both sides in turn, all nodes of a side in one round trip, so that the number of round trips is the
length of the longest path allowed however many pairs there are (bidirectional breadth-first search; Pohl,
"Bi-directional Search", 1971).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final

from ...core.budget import Budget
from ...core.evidence import Evidence
from ...core.schema import Schema
from ...stores.base import GraphStore
from ..walks import Crossing, path_facts, paths_of, read_hops

RETRIEVER: Final = "shortest path"
# Edges that are read for one widening of one side, and nodes of a side from which it is widened.
_MOST_EDGES: Final = 20_000
_MOST_NODES: Final = 2_000
_FEWEST_PER_NODE: Final = 10
# Nodes of each side: all pairs of them are looked for.
_MOST_ENDS: Final = 10


@dataclass
class _Search:
    """What has been reached from one node: how each node was reached first, and what to widen next."""

    start: str
    reached: dict[str, Crossing | None] = field(default_factory=dict)
    frontier: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.reached[self.start] = None
        self.frontier = [self.start]

    def way_from(self, node: str) -> list[Crossing]:
        """The crossings back from a node to the start, the last one first."""
        found = []
        crossing = self.reached[node]
        while crossing is not None:
            found.append(crossing)
            crossing = self.reached[crossing.origin]
        return found


class ShortestPathRetriever:
    """Finds shortest paths on one graph."""

    def __init__(self, store: GraphStore, schema: Schema, *, max_hops: int = 3) -> None:
        self._store = store
        self._schema = schema
        self._max_hops = max_hops

    def between(
        self,
        sources: Sequence[str],
        targets: Sequence[str],
        budget: Budget,
        *,
        max_hops: int | None = None,
        score: float = 0.6,
    ) -> Evidence:
        """One shortest path for each pair of a source and a target that are not the same node, the shortest first.

        Args:
            sources: ids of nodes; the first ten count.
            targets: the same. One that is a source too is a target all the same.
            budget: what the search may take.
            max_hops: edges that a path may have.
            score: what a path of one edge counts; longer ones count less.

        Raises:
            DeadlineExceededError: the time was up.
        """
        near = [_Search(id) for id in list(dict.fromkeys(sources))[:_MOST_ENDS]]
        far = [_Search(id) for id in list(dict.fromkeys(targets))[:_MOST_ENDS]]
        hops = self._max_hops if max_hops is None else max_hops
        is_cut = False
        met = _meetings(near, far)
        for widening in range(hops):
            if len(met) == sum(one.start != other.start for one in near for other in far):
                break
            budget.check("looking for shortest paths")
            is_cut |= self._widen(near if widening % 2 == 0 else far, budget)
            met = _meetings(near, far, met)
        ways = [_way(near[one], far[other], node) for (one, other), node in met.items()]
        paths = [(path, score / len(path.hops)) for path in paths_of(ways, self._schema)]
        paths.sort(key=lambda item: (-item[1], item[0].start, item[0].node_ids))
        notes = ("Not all neighbours were looked at for a shortest path.",) if is_cut else ()
        return Evidence(tuple(path_facts(self._store, paths, retriever=RETRIEVER)), notes)

    def _widen(self, side: Sequence[_Search], budget: Budget) -> bool:
        """Go one edge further from every search of a side. Gives whether edges were left out."""
        ids = list(dict.fromkeys(node for search in side for node in search.frontier))[:_MOST_NODES]
        if not ids:
            return False
        limit = min(budget.fan_out, max(_FEWEST_PER_NODE, _MOST_EDGES // len(ids)))
        read = read_hops(self._store, ids, "both", None, limit, budget)
        further: dict[str, list[Crossing]] = {}
        for crossing in read.crossings:
            further.setdefault(crossing.origin, []).append(crossing)
        for search in side:
            reached: dict[str, None] = {}
            for node in search.frontier:
                for crossing in further.get(node, ()):
                    if crossing.target not in search.reached:
                        search.reached[crossing.target] = crossing
                        reached[crossing.target] = None
            search.frontier = list(reached)
        return bool(read.cut)


def _way(near: _Search, far: _Search, met: str) -> list[Crossing]:
    """The whole way from the start of one search to that of the other, over a node that both have reached."""
    there = list(reversed(near.way_from(met)))
    back = [
        Crossing(item.target, item.origin, item.type, not item.forward, item.hops, item.place)
        for item in far.way_from(met)
    ]
    return [*there, *back]


def _meetings(
    near: Sequence[_Search], far: Sequence[_Search], known: dict[tuple[int, int], str] | None = None
) -> dict[tuple[int, int], str]:
    """For each pair of searches a node that both have reached; of several the first in order of ids."""
    met = dict(known or {})
    for one, here in enumerate(near):
        for other, there in enumerate(far):
            if here.start == there.start or (one, other) in met:
                continue
            small, large = sorted((here.reached, there.reached), key=len)
            node = min((id for id in small if id in large), default=None)
            if node is not None:
                met[one, other] = node
    return met
