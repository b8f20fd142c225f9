"""Triples around some nodes, scored by how well their relations fit the question; no model is asked.

Relations are few and known by counts alone, so they are weighed first and only the edges of the best are read.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Final

from ...core.budget import Budget
from ...core.evidence import Evidence, Fact
from ...core.graph import Node, Path
from ...core.schema import Schema
from ...core.words import quantity
from ...linking.schema_terms import HopKind
from ...stores.base import GraphStore
from ..hop_table import HopTable
from ..relevance import Relevance
from ..walks import Crossing, path_facts, paths_of, read_relations
from .relation_ranking import RankedRelation, RelationRanker

RETRIEVER: Final = "scored triples"
# Nodes that are gone on from at the second hop and further.
_FRONTIER: Final = 100
# What a triple counts for each hop that it lies further away.
_FURTHER: Final = 0.8


class ScoredTripleRetriever:
    """Finds triples on one graph.

    Args:
        store: the graph.
        schema: its schema.
        table: the hops that the schema allows.
        max_relations: relations that are followed at a hop.
        max_triples: triples that are read at a hop.
    """

    def __init__(
        self,
        store: GraphStore,
        schema: Schema,
        table: HopTable,
        *,
        max_relations: int = 20,
        max_triples: int = 100,
    ) -> None:
        self._store = store
        self._schema = schema
        self._ranker = RelationRanker(schema, table)
        self._max_relations = max_relations
        self._max_triples = max_triples

    def retrieve(
        self, sources: Sequence[str], relevance: Relevance, budget: Budget, *, hops: int = 2, most: int = 100
    ) -> Evidence:
        """At most ``most`` triples within so many hops, the best first.

        Raises:
            DeadlineExceededError: the time was up before anything was found.
        """
        frontier: dict[str, tuple[HopKind, ...]] = dict.fromkeys(sources, ())
        scored: dict[tuple[str, str, str], tuple[Path, float]] = {}
        notes: dict[str, None] = {}
        for depth in range(hops):
            if not frontier:
                break
            if depth and budget.remaining <= 0:
                notes["The time was up before all hops were read."] = None
                break
            budget.check("reading triples")
            read = self._hop(frontier, relevance, budget, notes)
            further: dict[str, tuple[HopKind, ...]] = {}
            paths = paths_of([[crossing] for crossing, _ in read], self._schema)
            for (crossing, relation), path in zip(read, paths, strict=True):
                ends = (crossing.origin, crossing.target)
                source, target = ends if crossing.forward else ends[::-1]
                scored.setdefault((source, crossing.type, target), (path, relation.score * _FURTHER**depth))
                if crossing.target not in frontier:
                    further.setdefault(crossing.target, (*frontier[crossing.origin], relation.hop))
            frontier = dict(list(further.items())[:_FRONTIER])
        best = sorted(scored.values(), key=lambda item: (-round(item[1], 6), item[0].node_ids))[:most]
        if len(scored) > len(best):
            notes[f"Of {quantity(len(scored), 'triple')} the best {len(best)} are facts."] = None
        facts: list[Fact] = path_facts(self._store, best, retriever=RETRIEVER)
        return Evidence(tuple(facts), tuple(notes))

    def _hop(
        self,
        frontier: Mapping[str, tuple[HopKind, ...]],
        relevance: Relevance,
        budget: Budget,
        notes: dict[str, None],
    ) -> list[tuple[Crossing, RankedRelation]]:
        ids = list(frontier)
        counts = self._store.relations(ids, budget)
        before = next(iter(frontier.values()))
        ranked = self._ranker.rank(relevance, counts, common_types(self._store.nodes(ids[:20])), before)
        chosen = ranked[: self._max_relations]
        share = max(1, self._max_triples // max(1, len(chosen)))
        read = read_relations(self._store, ids, [item.count for item in chosen], share, budget)
        if read.cut:
            notes["Not all neighbours of a node were read."] = None
        by_kind = {(item.count.type, item.count.forward): item for item in chosen}
        found = [(crossing, by_kind[crossing.type, crossing.forward]) for crossing in read.crossings]
        found.sort(key=lambda item: -item[1].score)
        return found[: self._max_triples]


def common_types(nodes: Iterable[Node]) -> tuple[str, ...]:
    """The types of some nodes, the most frequent first."""
    counts: dict[str, int] = {}
    for node in nodes:
        for kind in node.types:
            counts[kind] = counts.get(kind, 0) + 1
    return tuple(sorted(counts, key=lambda kind: (-counts[kind], kind)))
