"""One step further from many open paths at once, in two round trips: which relations there are, and their edges.

Where there are few edges all are followed. From hubs only those of the relations that fit the template best: which
relations there are, and with how many edges, is asked first.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise
from typing import TYPE_CHECKING, Final

import numpy as np

from ...core.budget import Budget
from ...core.schema import Schema
from ...linking.schema_terms import HopKind
from ...stores.base import GraphStore, RelationCount
from ..hop_table import HopTable
from ..seeds import Seed
from .open_path import FrontierHops, LastHop, OpenPath
from .scoring import PathScoring
from .statement_nodes import StatementNodes

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from .path_space import Vector

# Ends of one path from which it is followed, and hops of a node over a relation that has too many.
_FRONTIER: Final = 200
_FAN_OUT: Final = 200
MOST_NODES: Final = 400
"""Nodes of the frontiers that are followed together."""
# Edges that are read together: a server gives so many rows in one reply. A relation that has more is followed apart,
# and only if it is among so many that fit best.
_MOST_EDGES: Final = 3_000
_HUB_RELATIONS: Final = 1
_RELATIONS: Final = 24
# Ends that are looked at to see whether a relation leads to statements.
_LOOKED_AT: Final = 5


class Frontier:
    """Follows open paths of one question.

    Attributes:
        round_trips: how often the graph was asked.
        passed_over: relations of hubs that were not followed.
    """

    def __init__(
        self,
        store: GraphStore,
        schema: Schema,
        table: HopTable,
        statements: StatementNodes,
        scoring: PathScoring,
        budget: Budget,
    ) -> None:
        self._store = store
        self._schema = schema
        self._table = table
        self._statements = statements
        self._scoring = scoring
        self._budget = budget
        self._seeds = frozenset(scoring.seeds)
        self.round_trips = 0
        self.passed_over: dict[str, None] = {}

    def begun(self, seed: Seed) -> OpenPath:
        """The path of no hop: the seed itself."""
        vector = self._scoring.start(seed)
        return OpenPath(seed, None, None, vector, *self._scoring.with_properties(vector, seed.types))

    def batch(self, first: OpenPath, others: Iterable[OpenPath], most: int) -> list[OpenPath]:
        """The first path, and of the others the first that can be followed with it at once, at most ``most`` in all."""
        batch, nodes = [first], set(first.ends[:_FRONTIER])
        for other in others:
            if len(batch) >= most:
                break
            together = nodes.union(other.ends[:_FRONTIER])
            if other is not first and len(together) <= MOST_NODES:
                batch.append(other)
                nodes = together
        return batch

    def follow(self, paths: Sequence[OpenPath]) -> dict[OpenPath, list[OpenPath]]:
        """For each path those that go one step further. Statements are passed through in the same step: for each path
        that ends at some, those that go on from there are given too."""
        self._budget.check("following paths")
        ids = list(dict.fromkeys(end for path in paths for end in path.ends[:_FRONTIER]))
        if not ids:
            return {path: [] for path in paths}
        self.round_trips += 1
        together, apart = self._worth_following(self._store.relations(ids, self._budget), paths)
        found = [self._read(ids, together)] if together else []
        found += [self._read(ids, [type], _FAN_OUT) for type in apart]
        further = {
            path: [longer for read in found for longer in self._extended(path, read)] for path in paths
        }
        return further | self._beyond_statements([path for own in further.values() for path in own])

    # --- which relations

    def _worth_following(
        self, counts: Sequence[RelationCount], paths: Sequence[OpenPath]
    ) -> tuple[list[str], list[str]]:
        """The relations to follow, the best first: as many as can be read together, and of those that have too many
        edges the ones that fit better than almost all others."""
        edges: dict[str, int] = {}
        for count in counts:
            edges[count.type] = edges.get(count.type, 0) + count.count
        together: list[str] = []
        apart: list[str] = []
        room = _MOST_EDGES
        for place, type in enumerate(self._ranked(counts, paths)):
            if edges[type] <= room and len(together) < _RELATIONS:
                together.append(type)
                room -= edges[type]
            elif place < _HUB_RELATIONS:
                apart.append(type)
            else:
                self.passed_over[type] = None
        return together, apart

    def _ranked(self, counts: Sequence[RelationCount], paths: Sequence[OpenPath]) -> list[str]:
        """Relations by how well they would fit as the next hop of one of the paths."""
        if not counts:
            return []
        kinds = [HopKind(count.type, count.forward) for count in counts]
        self._scoring.prepare(kinds)
        added = self._scoring.hops(kinds)
        fits = np.max([self._scoring.probabilities(added + path.vector) for path in paths], axis=0).tolist()
        order = sorted(zip(fits, counts, strict=True), key=lambda item: (-item[0], item[1].type))
        return list(dict.fromkeys(count.type for _, count in order))

    def _read(
        self, ids: Sequence[str], types: Sequence[str] | None, limit: int | None = None
    ) -> FrontierHops:
        self.round_trips += 1
        hops = self._store.neighbors(ids, "both", types=types, limit_per_node=limit, budget=self._budget)
        return FrontierHops(ids, hops, list(hops.nodes))

    # --- the paths that go on

    def _extended(self, path: OpenPath, read: FrontierHops) -> list[OpenPath]:
        groups = [
            (kind, ends, places)
            for type, forward, places in _groups(path, read)
            if not self._is_straight_back(path, type, forward)
            for kind, ends in [self._kind(path, type, forward)]
        ]
        if not groups:
            return []
        self._scoring.prepare(kind for kind, _, _ in groups)
        vectors = path.vector + self._scoring.hops([kind for kind, _, _ in groups], path.words)
        met = self._places_of_seeds(path, read)
        return [
            self._longer(
                path, LastHop(kind, read, places, self._passes(path, read, places, ends)), vector, met
            )
            for (kind, ends, places), vector in zip(groups, vectors, strict=True)
        ]

    def _kind(self, path: OpenPath, type: str, forward: bool) -> tuple[HopKind, tuple[str, ...]]:
        ends = self._table.ends_of(type, forward, path.end_types)
        start = path.end_types[0] if path.end_types else None
        return HopKind(type, forward, start, ends[0] if ends else None), ends

    def _is_straight_back(self, path: OpenPath, type: str, forward: bool) -> bool:
        """Whether these are the same edges as another group's: a symmetric relation is followed one way."""
        if not forward and self._schema.has_edge_type(type) and self._schema.edge_type(type).symmetric:
            return bool(self._table.ends_of(type, True, path.end_types))
        return False

    def _passes(
        self, path: OpenPath, read: FrontierHops, places: NDArray[np.int64], ends: Sequence[str]
    ) -> bool:
        targets = [read.targets[place] for place in places[:_LOOKED_AT].tolist()]
        return not path.ends_at_statements and all(
            self._statements.is_one(target, ends) for target in targets
        )

    def _places_of_seeds(self, path: OpenPath, read: FrontierHops) -> dict[int, str]:
        others = self._seeds.difference(path.seed.nodes)
        return {place: node for place, node in enumerate(read.targets) if node in others} if others else {}

    def _longer(self, path: OpenPath, last: LastHop, vector: Vector, seeds: dict[int, str]) -> OpenPath:
        places = last.places.tolist() if seeds else []
        met = frozenset(seeds[place] for place in places if place in seeds)
        # To meet a seed again makes a path no more like a template that names it once.
        newly_met = met - path.met_on_the_way
        if newly_met:
            vector = self._scoring.meeting(vector, newly_met)
        types = (last.kind.end,) if last.kind.end else ()
        words = path.words.union(self._scoring.words(last.kind))
        return OpenPath(
            path.seed, path, last, vector, *self._scoring.with_properties(vector, types), met, words
        )

    def _beyond_statements(self, paths: Sequence[OpenPath]) -> dict[OpenPath, list[OpenPath]]:
        """For each path that ends at statements those that go on to what these state."""
        passing = [path for path in paths if path.ends_at_statements]
        ids = list(dict.fromkeys(end for path in passing for end in path.ends[:_FRONTIER]))
        if not ids:
            return {path: [] for path in passing}
        read = self._read(ids, None, _FAN_OUT)
        return {path: self._extended(path, read) for path in passing}


def _groups(path: OpenPath, read: FrontierHops) -> Iterator[tuple[str, bool, NDArray[np.int64]]]:
    """The hops that begin at the ends of a path, by their kind, in the order of the kinds' names."""
    ends = frozenset(path.ends[:_FRONTIER])
    is_end = np.array([id in ends for id in read.ids], dtype=bool)
    places = np.flatnonzero(is_end[read.hops.origins])
    if not len(places):
        return
    keys = read.hops.edge_types[places].astype(np.int64) * 2 + read.hops.forward[places]
    order = np.argsort(keys, kind="stable")
    places, keys = places[order], keys[order]
    bounds = [0, *(np.flatnonzero(np.diff(keys)) + 1).tolist(), len(keys)]
    groups = [
        (read.hops.type_names[int(keys[first]) // 2], bool(keys[first] % 2), places[first:last])
        for first, last in pairwise(bounds)
    ]
    yield from sorted(groups, key=lambda group: group[:2])
