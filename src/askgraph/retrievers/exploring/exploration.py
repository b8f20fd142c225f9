"""Exploring a graph from linked nodes: which relations to follow, what they lead to, and whether to go on.

A relation is chosen by what the question says. Where it says nothing of any of them, a model chooses, for all nodes of
a frontier in one call, and no more often than allowed.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final

import numpy as np

from ...core.budget import Budget
from ...core.evidence import Evidence
from ...core.graph import Node, Path
from ...core.schema import Schema
from ...linking.schema_terms import HopKind
from ...models.calls import ModelCalls
from ...stores.base import GraphStore
from ..hop_table import HopTable
from ..relevance import Relevance
from ..walks import Crossing, name_in, path_facts, paths_of, read_relations
from .relation_ranking import RankedRelation, RelationRanker, choose
from .scored_triples import common_types

RETRIEVER: Final = "exploration"
# A word of the question is explained from here on.
_EXPLAINED: Final = 0.35
_FURTHER: Final = 0.8
# Nodes that a model is shown to choose from.
_MOST_SHOWN: Final = 60


@dataclass
class _Frontier:
    """Where an exploration is: its nodes, and the hops that led to them."""

    ids: list[str]
    before: tuple[HopKind, ...] = ()
    seen: set[str] = field(default_factory=set)


class Explorer:
    """Explores one graph.

    Args:
        store: the graph.
        schema: its schema.
        table: the hops that the schema allows.
        max_relations: relations that are followed at a hop.
        max_nodes: nodes that are gone on from.
        max_hops: hops.
        max_triples: triples that are found in all.
    """

    def __init__(
        self,
        store: GraphStore,
        schema: Schema,
        table: HopTable,
        *,
        max_relations: int = 5,
        max_nodes: int = 25,
        max_hops: int = 3,
        max_triples: int = 50,
    ) -> None:
        self._store = store
        self._schema = schema
        self._ranker = RelationRanker(schema, table)
        self._max_relations = max_relations
        self._max_nodes = max_nodes
        self._max_hops = max_hops
        self._max_triples = max_triples

    def explore(
        self,
        question: str,
        sources: Sequence[str],
        relevance: Relevance,
        budget: Budget,
        *,
        calls: ModelCalls | None = None,
        most_calls: int = 1,
    ) -> Evidence:
        """Triples that speak of the question, the best first.

        Args:
            question: in plain words.
            sources: ids of the nodes to start from.
            relevance: of the question.
            budget: what it may take.
            calls: of a model, asked where the question does not say which relation to follow.
            most_calls: how often it may be asked.

        Raises:
            DeadlineExceededError: the time was up.
            ModelError, BudgetError: as the model call.
        """
        here = _Frontier(list(dict.fromkeys(sources)), (), set(sources))
        found: dict[tuple[str, str, str], tuple[Path, float]] = {}
        notes: dict[str, None] = {}
        explained = relevance.nothing
        for depth in range(self._max_hops):
            room = self._max_triples - len(found)
            if not here.ids or room <= 0:
                break
            budget.check("exploring the graph")
            may_ask = calls if most_calls > 0 else None
            chosen, asked = self._relations(question, here, relevance, budget, may_ask)
            most_calls -= asked
            if not chosen:
                break
            crossings = self._crossings(here, chosen, room, budget, notes)
            paths = paths_of([[crossing] for crossing, _ in crossings], self._schema)
            for (crossing, relation), path in zip(crossings, paths, strict=True):
                found.setdefault(_triple(crossing), (path, relation.score * _FURTHER**depth))
            explained = np.maximum(explained, relevance.explained(item.hop for item in chosen))
            if not len(explained) or explained.min() >= _EXPLAINED:
                break
            may_ask = calls if most_calls > 0 else None
            here, asked = self._next(question, here, crossings, may_ask)
            most_calls -= asked
        ordered = sorted(found.values(), key=lambda item: (-round(item[1], 6), item[0].node_ids))
        return Evidence(tuple(path_facts(self._store, ordered, retriever=RETRIEVER)), tuple(notes))

    def _relations(
        self,
        question: str,
        here: _Frontier,
        relevance: Relevance,
        budget: Budget,
        calls: ModelCalls | None,
    ) -> tuple[list[RankedRelation], bool]:
        counts = self._store.relations(here.ids, budget)
        types = common_types(self._store.nodes(here.ids[:20]))
        ranked = self._ranker.rank(relevance, counts, types, here.before)
        if here.before:
            # Back the way that it came there is nothing new.
            last = here.before[-1]
            ranked = [
                item
                for item in ranked
                if (item.count.type, item.count.forward) != (last.type, not last.forward)
            ]
        return self._ranker.choose(question, ranked, self._max_relations, calls=calls)

    def _crossings(
        self,
        here: _Frontier,
        chosen: Sequence[RankedRelation],
        room: int,
        budget: Budget,
        notes: dict[str, None],
    ) -> list[tuple[Crossing, RankedRelation]]:
        spoken = [item.count for item in chosen if item.is_spoken_of]
        others = [item.count for item in chosen if not item.is_spoken_of]
        # What the question speaks of has the room, and what else there is a corner of it.
        room_for_others = room // 4 if spoken and others else room if others else 0
        reads = [
            read_relations(self._store, here.ids, counts, max(1, space // len(counts)), budget)
            for counts, space in ((spoken, room - room_for_others), (others, room_for_others))
            if counts
        ]
        by_kind = {(item.count.type, item.count.forward): item for item in chosen}
        found = [
            (crossing, by_kind[crossing.type, crossing.forward])
            for read in reads
            for crossing in read.crossings
        ]
        found.sort(key=lambda item: -item[1].score)
        if any(read.cut for read in reads) or len(found) > room:
            notes["Not all neighbours were read: there are more than the limit."] = None
        return found[:room]

    def _next(
        self,
        question: str,
        here: _Frontier,
        crossings: Sequence[tuple[Crossing, RankedRelation]],
        calls: ModelCalls | None,
    ) -> tuple[_Frontier, bool]:
        """Where to go on: at the ends of the best relation; where these are too many, at those that a model takes."""
        ends: dict[str, HopKind] = {}
        for crossing, relation in crossings:
            if crossing.target not in here.seen:
                ends.setdefault(crossing.target, relation.hop)
        asked = False
        ids = list(ends)
        if len(ids) > self._max_nodes and calls is not None:
            ids, asked = self._chosen(question, ids, calls), True
        ids = ids[: self._max_nodes]
        if not ids:
            return _Frontier([], here.before, here.seen), asked
        # All of a frontier are taken to have come the way of its first: the others are near in rank.
        return _Frontier(ids, (*here.before, ends[ids[0]]), here.seen | set(ids)), asked

    def _chosen(self, question: str, ids: Sequence[str], calls: ModelCalls) -> list[str]:
        shown = list(ids[:_MOST_SHOWN])
        nodes: dict[str, Node] = {node.id: node for node in self._store.nodes(shown)}
        places = choose(
            calls, "choose_nodes", question, [name_in(nodes, id) for id in shown], self._max_nodes
        )
        return [shown[place] for place in places]


def _triple(crossing: Crossing) -> tuple[str, str, str]:
    ends = (crossing.origin, crossing.target)
    source, target = ends if crossing.forward else ends[::-1]
    return source, crossing.type, target
