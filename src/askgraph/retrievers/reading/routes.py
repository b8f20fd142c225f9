"""Routes from the linked nodes: sequences of kinds of hops, and the nodes at their ends.

A route goes type by type, not node by node. Routes are few, so they are weighed first, and only those that fit the
question are walked, each whole frontier in one batch.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from heapq import nlargest
from itertools import islice

import numpy as np

from ...core.budget import Budget
from ...core.graph import Hop, Path
from ...core.schema import Schema
from ...linking.schema_terms import HopKind, hop_direction
from ...stores.base import GraphStore, Neighbors, RelationCount, TellsTypes
from ..hop_table import HopTable
from ..path_scores import Score, Scores
from ..relevance import Relevance
from ..said_direction import SaidDirection
from ..seeds import Seed

# Of the routes to nodes of one type those that fit best are kept: a route need not explain what another one does.
ROUTES_KEPT = 8
# Routes followed further at each hop, and routes walked for each of these.
_BEAM = 8
_WALKED = 20
# Nodes of a frontier whose relations are looked at to find the next hops.
_FRONTIER_SAMPLE = 200
# A word that is explained so much is none that a further hop could speak of.
_EXPLAINED = 0.5
_ASKED_TYPE = 0.15
# A way that fits so much less than one already found will not be the answer, whatever else is made of it.
_HOPELESS = 0.30
# "Authors with the same publisher as Ada": to her books, to their publisher, and all the way back.
_LONGEST_MIRRORED = 2


@dataclass(frozen=True, slots=True)
class Layer:
    """One hop of a route as it was walked: which of the hops found led first to each node.

    Attributes:
        kind: the kind of hop; ``label`` is its name.
        hops: all hops that were found from ``starts``.
        first: for each node reached the position in ``hops`` of the first that led there.
        labels: the names of the edge types, where the kind of hop is over any.
        only: the type to which the nodes reached were narrowed, where the hop leads to others too.
    """

    kind: HopKind
    label: str
    starts: tuple[str, ...]
    hops: Neighbors
    first: Mapping[str, int]
    labels: Mapping[str, str] = field(default_factory=dict)
    only: str | None = None

    def arrival(self, node: str) -> tuple[str, Hop]:
        """The node before, and the hop from there. The edge's id is only looked up here: few hops become facts."""
        position = self.first[node]
        forward = bool(self.hops.forward[position])
        type = self.kind.type or self.hops.type_names[int(self.hops.edge_types[position])]
        label = self.labels.get(type, self.label)
        hop = Hop(type, label, forward, self.hops.edges[position], node)
        return self.starts[int(self.hops.origins[position])], hop


@dataclass(frozen=True)
class Route:
    """A walked route.

    Attributes:
        seed: where it starts.
        hops: its kinds of hops; none for the seed's nodes themselves.
        score: against the question.
        ends: ids of the nodes at its end, without repeats.
        end_types: the types expected there, the likeliest first.
        layers: for each hop what was found.
        cut: nodes of which not all neighbours were followed, with the number that they have.
    """

    seed: Seed
    hops: tuple[HopKind, ...]
    score: Score
    ends: tuple[str, ...]
    end_types: tuple[str, ...]
    layers: tuple[Layer, ...] = ()
    cut: Mapping[str, int] = field(default_factory=dict)

    @cached_property
    def end_set(self) -> frozenset[str]:
        """The ends, to look one up."""
        return frozenset(self.ends)

    @cached_property
    def visited(self) -> frozenset[str]:
        """Every node on the way: none is reached twice."""
        return frozenset(self.seed.nodes).union(*(layer.first for layer in self.layers))

    def path_to(self, end: str) -> Path:
        """The path by which an end was reached, without names."""
        hops: list[Hop] = []
        node = end
        for layer in reversed(self.layers):
            before, hop = layer.arrival(node)
            hops.insert(0, hop)
            node = before
        return Path(node, "", tuple(hops))


@dataclass(frozen=True)
class _Way:
    """A route that has been weighed, and is walked when somebody wants to know where it leads."""

    before: Route
    hop: HopKind
    score: Score
    walk: Callable[[_Way], Route]

    @property
    def hops(self) -> tuple[HopKind, ...]:
        """Its kinds of hops."""
        return (*self.before.hops, self.hop)

    @cached_property
    def route(self) -> Route:
        """The route, walked."""
        return self.walk(self)

    def may_end_at(self, types: frozenset[str] | None) -> bool:
        """Whether its end is of one of some types; ``None``: any."""
        return types is None or self.hop.end in types


class RouteFinder:
    """Finds and walks the routes that fit a question."""

    def __init__(self, store: GraphStore, schema: Schema, table: HopTable, *, max_hops: int) -> None:
        self._store = store
        self._schema = schema
        self._table = table
        self._max_hops = max_hops

    def from_seed(
        self,
        seed: Seed,
        relevance: Relevance,
        asked: frozenset[str],
        budget: Budget,
        *,
        wanted: Sequence[frozenset[str] | None] | None = None,
        is_only_mention: bool = False,
    ) -> list[Route]:
        """The routes worth keeping from a seed, the one of no hop among them.

        Weighing a route costs little, walking it may cost much: with ``wanted`` none is walked that could not be used.

        Args:
            seed: where they start.
            wanted: the types at the end of which the answer may be, with their subtypes, as different readings have it;
                ``None``: any. For each of these the best ones are kept, and all of one hop; without, all that were
                found.
            relevance: weighs them.
            asked: the types that the question names, with their subtypes: ends of these types are looked for.
            budget: deadline and fan-out.
            is_only_mention: whether no route from elsewhere could meet these. Then nothing is followed beyond a hop on
                a way of which no word of the question speaks: it could only be the answer to another question.

        Raises:
            DeadlineExceededError: the time is up.
        """
        here = self.here(seed, relevance)
        ways: list[_Way] = []
        further: list[_Way] = []
        for depth in range(self._max_hops + 1):
            budget.check("following paths")
            # One hop more, only to a type that is asked for and not met yet, or over what explains a further word.
            unmet = asked.difference(way.hop.end or "" for way in ways) if depth == self._max_hops else None
            if unmet is not None and not unmet and any(map(_explains_all, ways)):
                break
            further.sort(key=lambda way: (-way.score.total, _spelled(way.hops)))
            frontier = list(islice(_walked(further), _BEAM)) if depth else [here]
            least = max(here.score.total, _best_total(ways)) - _HOPELESS if is_only_mention else -math.inf
            further = [
                _Way(route, hop, score, lambda way: self._walk(way.before, way.hop, way.score, asked, budget))
                for route, hop, score in self._candidates(
                    frontier, relevance, asked, budget, least, unmet=unmet
                )
            ]
            ways.extend(further)
        if relevance.is_shared_with(seed.mention):
            kept = [here, *_walked(ways)]
            return [*kept, *self._mirrored(kept, relevance, asked, budget)]
        return [here, *(_walked(ways) if wanted is None else _worth_keeping(ways, wanted))]

    def _mirrored(
        self, routes: Sequence[Route], relevance: Relevance, asked: frozenset[str], budget: Budget
    ) -> Iterable[Route]:
        """From the ends of routes back all the way, to the others that share them."""
        known = {route.hops for route in routes}
        there = [route for route in routes if 0 < len(route.hops) <= _LONGEST_MIRRORED]
        for route in sorted(there, key=lambda item: (-item.score.total, _spelled(item.hops)))[:_WALKED]:
            for hop in reversed(route.hops):
                back = HopKind(hop.type, not hop.forward, hop.end, hop.start)
                score = relevance.score((*route.hops, back), route.seed.mention)
                route = self._walk(route, back, score, asked, budget)
            if route.ends and route.hops not in known:
                yield route

    def here(self, seed: Seed, relevance: Relevance) -> Route:
        """The route of no hop: the nodes of the seed themselves."""
        return Route(seed, (), relevance.score(()), seed.nodes, seed.types)

    def statement(self, here: Route, hop: HopKind, relevance: Relevance, budget: Budget) -> Route:
        """One hop, whether there is anything at its end or not."""
        score = relevance.score((replace(hop, either=False),))
        return self._walk(here, hop, score, frozenset(), budget)

    def any_hop(self, here: Route, score: Score, budget: Budget) -> Route:
        """One hop over edges of any type, either way."""
        kind = HopKind("", True, either=True)
        hops = self._store.neighbors(here.ends, "both", limit_per_node=budget.fan_out, budget=budget)
        reached: dict[str, int] = {}
        for position, node in enumerate(hops.nodes[:]):
            if node not in here.end_set:
                reached.setdefault(node, position)
        labels = {type: self._schema.label_of(type) for type in hops.type_names}
        layer = Layer(kind, "", here.ends, hops, reached, labels)
        return Route(here.seed, (kind,), score, tuple(reached), (), (layer,), dict(hops.cut))

    def _candidates(
        self,
        frontier: Sequence[Route],
        relevance: Relevance,
        asked: frozenset[str],
        budget: Budget,
        least: float,
        unmet: frozenset[str] | None = None,
    ) -> list[tuple[Route, HopKind, Score]]:
        """The best ways on from some routes, the best first; none with a score below ``least``. With
        ``unmet`` only ways to one of these types, and ways that explain a word that the route itself does not."""
        found: list[tuple[Route, HopKind, Scores, int]] = []
        ranks: list[float] = []
        for route in frontier:
            hops = [
                hop
                for hop in self._further_hops(route, relevance, asked, budget)
                if math.isinf(least) or not _is_unspoken(route, hop, relevance, asked)
            ]
            if hops:
                scores = relevance.scores(route.hops, hops, route.seed.mention)
                bonus = np.array([_ASKED_TYPE if hop.end in asked else 0.0 for hop in hops])
                found.extend((route, hop, scores, place) for place, hop in enumerate(hops))
                ranked = scores.totals + bonus
                if unmet is not None:
                    gained = (scores.explained - route.score.explained).max(axis=1, initial=0.0) >= _EXPLAINED
                    ranked[~(gained | np.array([hop.end in unmet for hop in hops]))] = -math.inf
                ranks.extend(ranked.tolist())
        bar = max(least, nlargest(_WALKED, ranks)[-1]) if ranks else least
        best = [
            (rank, *item) for rank, item in zip(ranks, found, strict=True) if rank >= bar and rank > -math.inf
        ]
        best.sort(key=lambda item: (-item[0], len(item[1].hops), _spelled((*item[1].hops, item[2]))))
        return [(route, hop, scores[place]) for _, route, hop, scores, place in best[:_WALKED]]

    def _further_hops(
        self, route: Route, relevance: Relevance, asked: frozenset[str], budget: Budget
    ) -> Iterator[HopKind]:
        """The kinds of hops by which a route may go on."""
        start = route.end_types[0] if route.end_types else None
        spoken = self._spoken_first_hops(route, relevance)
        for relation in self._store.relations(route.ends[:_FRONTIER_SAMPLE], budget):
            if self._is_the_same_backward(relation, route):
                continue
            if spoken and spoken.get(relation.type, not relation.forward) not in (None, relation.forward):
                continue
            if self._is_against_the_words(relation, route, relevance):
                continue
            ends = self._table.ends_of(relation.type, relation.forward, route.end_types)
            # The likeliest end, and every end that the question asks for.
            for end in dict.fromkeys([*ends[:1], *(end for end in ends if end in asked)]) or (None,):
                yield HopKind(relation.type, relation.forward, start, end)

    def _walk(self, route: Route, hop: HopKind, score: Score, asked: frozenset[str], budget: Budget) -> Route:
        """Follow one kind of hop from every end of a route, in one batch."""
        hops = self._store.neighbors(
            route.ends,
            hop_direction(self._schema, hop),
            types=[hop.type],
            limit_per_node=budget.fan_out,
            budget=budget,
        )
        label = self._schema.label_of(hop.type)
        # Of each node the first place at which it stands; a hub has too many for a loop of their own.
        nodes = list(hops.nodes)
        places = dict(zip(reversed(nodes), range(len(nodes) - 1, -1, -1), strict=True))
        reached = {node: places[node] for node in dict.fromkeys(nodes) if node not in route.visited}
        only = hop.end if hop.end in asked and self._leads_elsewhere(route, hop) else None
        if only is not None:
            reached = self._of_type(reached, only)
        layer = Layer(hop, label, route.ends, hops, reached, only=only)
        ends = tuple(reached)[: 10 * budget.fan_out]
        end_types = (hop.end,) if hop.end else ()
        return Route(
            route.seed,
            (*route.hops, hop),
            score,
            ends,
            end_types,
            (*route.layers, layer),
            {**route.cut, **hops.cut},
        )

    def _leads_elsewhere(self, route: Route, hop: HopKind) -> bool:
        """Whether the hop may also end at nodes that are not of its end type."""
        wanted = frozenset(self._schema.subtypes(hop.end or ""))
        return not wanted.issuperset(self._table.ends_of(hop.type, hop.forward, route.end_types))

    def _spoken_first_hops(self, route: Route, relevance: Relevance) -> dict[str, bool | None]:
        """The relations that the question's words speak of from this seed, if it says of one of them in which
        direction it leads: "who manages Ada" asks for no one she manages, and for nothing beyond another relation.

        The direction is ``None`` where nodes of the seed's type can stand at one end only: the types have said it.
        """
        if route.hops or relevance.voice is None:
            return {}
        spoken: dict[str, bool | None] = {}
        direction = SaidDirection(self._schema, self._table, relevance.voice)
        for edge_type in self._schema.edge_types:
            forward = direction.by_words(edge_type.id, route.seed.mention)
            if forward is not None:
                leads_either_way = direction.leads_either_way(edge_type.id, route.end_types)
                spoken[edge_type.id] = forward if leads_either_way else None
        return spoken if any(forward is not None for forward in spoken.values()) else {}

    def _is_against_the_words(self, relation: RelationCount, route: Route, relevance: Relevance) -> bool:
        """Whether a further hop could be followed either way from these nodes, and the question says the other one."""
        if not route.hops or relevance.voice is None:
            return False
        uses = sum(hop.type == relation.type for hop in route.hops)
        direction = SaidDirection(self._schema, self._table, relevance.voice)
        return direction.is_against(
            relation.type, relation.forward, route.seed.mention, route.end_types, uses
        )

    def _is_symmetric(self, edge_type: str) -> bool:
        return self._schema.has_edge_type(edge_type) and self._schema.edge_type(edge_type).symmetric

    def _is_the_same_backward(self, relation: RelationCount, route: Route) -> bool:
        """A symmetric edge type is followed both ways at once, from its forward side where it has one."""
        if relation.forward or not self._is_symmetric(relation.type):
            return False
        return bool(self._table.ends_of(relation.type, True, route.end_types))

    def _of_type(self, reached: Mapping[str, int], kind: str | None) -> dict[str, int]:
        types = self._schema.subtypes(kind or "")
        if isinstance(self._store, TellsTypes):
            told = self._store.of_types(list(reached), types)
            return {
                id: place for (id, place), is_wanted in zip(reached.items(), told, strict=True) if is_wanted
            }
        wanted = frozenset(types)
        nodes = self._store.nodes(list(reached))
        return {node.id: reached[node.id] for node in nodes if wanted.intersection(node.types)}


def _is_unspoken(route: Route, hop: HopKind, relevance: Relevance, asked: frozenset[str]) -> bool:
    """Whether a way of two hops or more goes only over relations that the question does not speak of, to nothing that
    it asks for."""
    return bool(route.hops) and hop.end not in asked and not relevance.is_heard(route.hops, hop)


def _explains_all(way: _Way) -> bool:
    """Whether no word of the question is left open."""
    return bool(way.score.explained.min(initial=1.0) >= _EXPLAINED)


def _walked(ways: Iterable[_Way]) -> Iterator[Route]:
    """The routes of ways that lead anywhere; each is walked when it is its turn."""
    return (way.route for way in ways if way.route.ends)


def _best_total(ways: Sequence[_Way]) -> float:
    """The score of the best way that leads anywhere."""
    ordered = sorted(ways, key=lambda way: -way.score.total)
    return next((route.score.total for route in _walked(ordered)), -math.inf)


def _worth_keeping(ways: Sequence[_Way], wanted: Sequence[frozenset[str] | None]) -> list[Route]:
    """The routes of one hop, and for each of the wanted ends the best that lead there, if they lead anywhere."""
    ordered = sorted(ways, key=lambda way: (-way.score.total, repr(way.hops)))
    chosen = {route.hops: route for route in _walked(way for way in ways if len(way.hops) == 1)}
    for types in wanted:
        fitting = [way for way in ordered if way.may_end_at(types)]
        chosen.update((route.hops, route) for route in islice(_walked(fitting), ROUTES_KEPT))
    return list(chosen.values())


def _spelled(hops: Iterable[HopKind]) -> tuple[str, ...]:
    """What orders routes that are equally good, the same way every time."""
    return tuple(text for hop in hops for text in (hop.type, str(hop.forward), hop.end or ""))
