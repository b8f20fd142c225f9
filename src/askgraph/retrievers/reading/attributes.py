"""Which property or relation of the asked nodes some words of the question speak of."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal
from weakref import WeakKeyDictionary

import numpy as np

from ...core.schema import Schema
from ...core.words import normalize
from ...linking.schema_terms import HopKind
from ...linking.vocabulary import WordMatcher
from ..hop_table import AttributeRoute, HopTable

if TYPE_CHECKING:
    from numpy.typing import NDArray

_NAMING = ("name", "label", "title", "pref label")
_LEAST_LIKENESS = 0.5
_EACH_HOP = 0.08
# What a thing has is meant rather than what one of its edges has, if both are called so.
_OF_EDGE = 0.04
# "premium amount" asks for the amount at the premium rather than for the premium, if both are called so.
_VALUE = 0.10
_STRAY = 0.15
# A label on the way tells less than the one at the end.
_ON_THE_WAY = 0.8
_HEARD_ON_THE_WAY = 0.01
_A_TIME = 0.6
# What each further word that a route explains adds.
_FURTHER_WORD = 0.25
_TIE = 1e-9

Wanted = Literal["any", "value", "measurable", "number", "time", "year", "nodes", "countable"]
"""What a route must end in: anything, values, values that have an order, numbers, times, years as numbers, nodes, or
nodes one hop away."""

_Asked = tuple[tuple[str, ...], tuple[int, ...], Wanted, int | None, frozenset[str], frozenset[str]]


@dataclass(frozen=True)
class _Routes:
    """All routes from nodes of some types, as arrays: likeness is worked out for all of them at once.

    Attributes:
        routes: the routes.
        labels: what there is to compare: label of a hop, type at its end.
        hops: for each route the places of its hops in ``labels``, -1 where it is shorter; shape ``(routes, depth)``.
        lengths: numbers of hops, shape ``(routes,)``; an edge and its property are one.
        is_property: which routes end in a value.
        of_edge: which routes end in a value of an edge.
        accepted: for each kind of end which routes have it.
    """

    routes: Sequence[AttributeRoute]
    labels: Sequence[tuple[str, str | None]]
    hops: NDArray[np.int64]
    lengths: NDArray[np.int64]
    is_property: NDArray[np.bool_]
    of_edge: NDArray[np.bool_]
    accepted: dict[Wanted, NDArray[np.bool_]]

    def lead_through(self, types: frozenset[str]) -> NDArray[np.bool_]:
        """Which routes end in a property of nodes of these types, to which an edge leads."""
        owners = [route.hops[-2].end if len(route.hops) > 1 else None for route in self.routes]
        return np.array([owner in types for owner in owners], dtype=bool) & self.is_property & ~self.of_edge

    @property
    def is_own(self) -> NDArray[np.bool_]:
        """Which routes end in a property of the nodes from which they begin."""
        own: NDArray[np.bool_] = (self.lengths == 1) & ~self.of_edge
        return own

    @classmethod
    def of(cls, routes: Sequence[AttributeRoute]) -> _Routes:
        labels: dict[tuple[str, str | None], int] = {}
        depth = max((len(route.hops) for route in routes), default=1)
        hops = np.full((len(routes), depth), -1, dtype=np.int64)
        for row, route in enumerate(routes):
            for position, hop in enumerate(route.hops):
                hops[row, position] = labels.setdefault((hop.type, hop.end), len(labels))
        measurable = [route.is_property and route.is_measurable for route in routes]
        times = [route.is_property and route.is_time for route in routes]
        countable = [not route.is_property and len(route.hops) == 1 for route in routes]
        return cls(
            routes,
            tuple(labels),
            hops,
            np.array([len(route.hops) - route.of_edge for route in routes], dtype=np.int64),
            np.array([route.is_property for route in routes], dtype=bool),
            np.array([route.of_edge for route in routes], dtype=bool),
            {
                "any": np.ones(len(routes), dtype=bool),
                "value": np.array([route.is_property for route in routes], dtype=bool),
                "measurable": np.array(measurable, dtype=bool),
                "number": np.array(measurable, dtype=bool) & ~np.array(times, dtype=bool),
                "time": np.array(times, dtype=bool),
                "year": np.array([route.has_years for route in routes], dtype=bool),
                "nodes": np.array([not route.is_property for route in routes], dtype=bool),
                "countable": np.array(countable, dtype=bool),
            },
        )


class AttributeFinder:
    """Finds routes over the schema by words."""

    def __init__(self, schema: Schema, table: HopTable) -> None:
        self._schema = schema
        self._table = table
        self._known: dict[tuple[str, ...], _Routes] = {}
        # What was found for the words of a question: many of its readings ask the same.
        self._found: WeakKeyDictionary[WordMatcher, dict[_Asked, tuple[AttributeRoute, float] | None]] = (
            WeakKeyDictionary()
        )

    def find(
        self,
        types: Sequence[str],
        matcher: WordMatcher,
        places: Sequence[int],
        wanted: Wanted = "any",
        *,
        deepest: int | None = None,
        ends: frozenset[str] = frozenset(),
        through: frozenset[str] = frozenset(),
    ) -> tuple[AttributeRoute, float] | None:
        """The route from nodes of these types that best explains the words at ``places`` of the matcher, with its
        likeness; ``None`` if none is like any of them.

        Args:
            types: of the nodes from which the routes begin.
            matcher: of the words.
            places: which of its words are to be explained.
            wanted: what a route must end in.
            deepest: over how many edges it may lead before its last hop; ``None``: as far as is known.
            ends: the types of which its end must be; empty: any.
            through: the types of which the nodes must be that have the property at its end; empty: any.
        """
        asked = (tuple(types), tuple(places), wanted, deepest, ends, through)
        found = self._found.setdefault(matcher, {})
        if asked not in found:
            found[asked] = self._best(matcher, *asked)
        return found[asked]

    def _best(
        self,
        matcher: WordMatcher,
        types: tuple[str, ...],
        places: tuple[int, ...],
        wanted: Wanted,
        deepest: int | None,
        ends: frozenset[str],
        through: frozenset[str],
    ) -> tuple[AttributeRoute, float] | None:
        known = self._from(types)
        if not len(known.routes) or not len(places):
            return None
        accepted = known.accepted[wanted]
        if deepest is not None:
            accepted = accepted & (known.lengths <= deepest + 1)
        if ends:
            accepted = accepted & np.array([route.hops[-1].end in ends for route in known.routes], dtype=bool)
        if through:
            accepted = accepted & known.lead_through(through)
        likeness = np.where(accepted, self._likeness(known, matcher, list(places)), -1.0)
        best = float(likeness.max())
        if best < _LEAST_LIKENESS:
            return None
        equal = [known.routes[row] for row in np.flatnonzero(likeness >= best - _TIE).tolist()]
        return min(equal, key=self._order), best

    def _order(self, route: AttributeRoute) -> tuple[int, int, str]:
        """Of routes that are equally like the words, the one along its edges is meant, and the widest."""
        end = route.hops[-1].end
        width = len(self._schema.subtypes(end)) if end else 0
        return _backward(route.hops), -width, repr(route.hops)

    def only(
        self, types: Sequence[str], wanted: Wanted, through: frozenset[str] = frozenset()
    ) -> AttributeRoute | None:
        """The one property of this kind that nodes of these types have themselves; ``None`` if there is none or a
        choice. ``through``: that nodes of these types have to which they lead, by the shortest way."""
        known = self._from(types)
        accepted = known.accepted[wanted]
        if through:
            accepted = accepted & known.lead_through(through)
            accepted = accepted & (known.lengths == known.lengths[accepted].min(initial=99))
        else:
            accepted = accepted & known.is_own
        own = np.flatnonzero(accepted).tolist()
        return known.routes[own[0]] if len(own) == 1 else None

    def has_own(self, types: Sequence[str], wanted: Wanted) -> bool:
        """Whether nodes of these types have properties of this kind themselves."""
        known = self._from(types)
        return bool((known.accepted[wanted] & known.is_own).any())

    def has_any(self, kind: str, words: Sequence[str]) -> bool:
        """Whether nodes of a type have a property, or an edge of their own, whose label has one of some words."""
        labels = [
            self._schema.label_of(route.hops[0].type)
            for route in self._from((kind,)).routes
            if len(route.hops) == 1 and route.hops[0].forward
        ]
        return any(not set(words).isdisjoint(normalize(label).split()) for label in labels)

    def of_edges(
        self, types: Sequence[str], keys: Sequence[str], edge_types: Sequence[str] = ()
    ) -> list[AttributeRoute]:
        """The routes from nodes of these types to a property of an edge, with one of ``keys``, or with any."""
        return [
            route
            for route in self._table.edge_attributes(types)
            if (not keys or route.hops[-1].type in keys)
            and (not edge_types or route.hops[0].type in edge_types)
        ]

    def nearest(self, types: Sequence[str], ends: frozenset[str]) -> AttributeRoute | None:
        """The shortest route from nodes of these types to nodes of one of the types ``ends``; ``None`` if there is
        none or a choice."""
        leading = [
            route
            for route in self._from(types).routes
            if not route.is_property and route.hops[-1].end in ends
        ]
        shortest = min((len(route.hops) for route in leading), default=0)
        nearest = [route for route in leading if len(route.hops) == shortest]
        return nearest[0] if len(nearest) == 1 else None

    def properties(self, types: Sequence[str]) -> list[AttributeRoute]:
        """The properties that nodes of these types have themselves, but for those that only name them."""
        own = [route for route in self._from(types).routes if route.is_property and len(route.hops) == 1]
        return [route for route in own if self._schema.label_of(route.hops[0].type).lower() not in _NAMING]

    def _from(self, types: Sequence[str]) -> _Routes:
        key = tuple(types)
        if key not in self._known:
            self._known[key] = _Routes.of(self._table.attributes(types))
        return self._known[key]

    def _likeness(self, known: _Routes, matcher: WordMatcher, places: list[int]) -> NDArray[np.float64]:
        """How like the words each route is, shape ``(routes,)``."""
        shares, stray = self._shares(known.labels, matcher, places)
        depth = known.hops.shape[1]
        is_last = np.arange(depth) == (known.lengths + known.of_edge)[:, None] - 1
        times = [column for column, place in enumerate(places) if place in matcher.time_rows]
        # One row more, of zeros, for the hops that shorter routes do not have: place -1.
        on_the_way = np.vstack([shares * _ON_THE_WAY, np.zeros((1, len(places)))])[known.hops]
        # What an edge has is not asked for by the name of the edge.
        told = np.where(known.of_edge[:, None, None], 0.0, on_the_way)
        at_the_end = np.vstack([shares - _STRAY * stray[:, None], np.zeros((1, len(places)))])[known.hops]
        explained = np.where(is_last[:, :, None], at_the_end, told).max(axis=1).clip(min=0.0)
        for column in times:
            # "The date" is whatever time there is.
            is_time = known.accepted["time"] | known.accepted["year"]
            explained[:, column] = np.maximum(explained[:, column], np.where(is_time, _A_TIME, 0.0))
        best = explained.max(axis=1)
        others = explained.sum(axis=1) - best
        likeness: NDArray[np.float64] = best + _FURTHER_WORD * others - _EACH_HOP * (known.lengths - 1)
        # Of ways to the same kind of end, the one of which the question speaks too.
        passed: NDArray[np.float64] = np.where(is_last[:, :, None], 0.0, on_the_way).sum(axis=2).max(axis=1)
        likeness = likeness + _VALUE * known.is_property + _HEARD_ON_THE_WAY * passed
        likeness = likeness - _OF_EDGE * known.of_edge
        return likeness

    def _shares(
        self, labels: Sequence[tuple[str, str | None]], matcher: WordMatcher, places: list[int]
    ) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """How much of each word each hop explains, shape ``(labels, places)``; how much of its label is stray."""
        shares = np.zeros((len(labels), len(places)))
        stray = np.zeros(len(labels))
        of_labels: dict[str, tuple[NDArray[np.float64], float]] = {}
        of_types: dict[str, NDArray[np.float64]] = {}
        for row, (type_id, end) in enumerate(labels):
            if type_id not in of_labels:
                label = self._schema.label_of(type_id)
                of_labels[type_id] = (matcher.explained(label)[places], matcher.stray(label))
            shares[row], stray[row] = of_labels[type_id]
            if end:
                if end not in of_types:
                    names = [self._schema.label_of(kind) for kind in self._schema.supertypes([end])]
                    of_types[end] = np.max([matcher.explained_by_type(name) for name in names], axis=0)[
                        places
                    ]
                shares[row] = np.maximum(shares[row], of_types[end])
        return shares, stray


def _backward(hops: Sequence[HopKind]) -> int:
    return sum(not hop.forward for hop in hops)
