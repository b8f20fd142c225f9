"""Which property or relation of the asked nodes some words of the question speak of."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

import numpy as np

from ..core.schema import Schema
from ..linking.schema_terms import HopKind
from ..linking.vocabulary import WordMatcher
from .hop_table import AttributeRoute, HopTable

if TYPE_CHECKING:
    from numpy.typing import NDArray

_NAMING = ("name", "label", "title", "pref label")
_LEAST_LIKENESS = 0.5
_EACH_HOP = 0.08
# "premium amount" asks for the amount at the premium rather than for the premium, if both are called so.
_VALUE = 0.10
_STRAY = 0.15
# A label on the way tells less than the one at the end.
_ON_THE_WAY = 0.8
# What each further word that a route explains adds.
_FURTHER_WORD = 0.25


class AttributeFinder:
    """Finds routes over the schema by words."""

    def __init__(self, schema: Schema, table: HopTable) -> None:
        self._schema = schema
        self._table = table
        self._routes: dict[tuple[str, ...], list[AttributeRoute]] = {}

    def find(
        self,
        types: Sequence[str],
        matcher: WordMatcher,
        places: Sequence[int],
        accepts: Callable[[AttributeRoute], bool] = lambda route: True,
    ) -> tuple[AttributeRoute, float] | None:
        """The route from nodes of these types that best explains one of the words at ``places`` of the matcher, with
        its likeness; ``None`` if none is like any."""
        shares: dict[HopKind, tuple[NDArray[np.float64], float]] = {}
        best: AttributeRoute | None = None
        rank: tuple[float, int, str] = (-_LEAST_LIKENESS, 0, "~")
        for route in self._from(types):
            if not accepts(route):
                continue
            likeness = self._likeness(route, matcher, places, shares)
            if -likeness <= rank[0]:
                # Of routes that are equally like the words, the one along its edges is meant.
                own = (-likeness, sum(not hop.forward for hop in route.hops), repr(route.hops))
                if best is None or own < rank:
                    best, rank = route, own
        return None if best is None else (best, -rank[0])

    def properties(self, types: Sequence[str]) -> list[AttributeRoute]:
        """The properties that nodes of these types have themselves, but for those that only name them."""
        own = [route for route in self._from(types) if route.is_property and len(route.hops) == 1]
        return [route for route in own if self._schema.label_of(route.hops[0].type).lower() not in _NAMING]

    def _from(self, types: Sequence[str]) -> list[AttributeRoute]:
        key = tuple(types)
        if key not in self._routes:
            self._routes[key] = self._table.attributes(types)
        return self._routes[key]

    def _likeness(
        self,
        route: AttributeRoute,
        matcher: WordMatcher,
        places: Sequence[int],
        shares: dict[HopKind, tuple[NDArray[np.float64], float]],
    ) -> float:
        explained = np.zeros(len(places))
        for position, hop in enumerate(route.hops):
            if hop not in shares:
                shares[hop] = self._share(hop, matcher, places)
            share, stray = shares[hop]
            is_last = position == len(route.hops) - 1
            explained = np.maximum(explained, share - _STRAY * stray if is_last else share * _ON_THE_WAY)
        best = float(explained.max(initial=0.0))
        others = float(explained.clip(min=0.0).sum()) - best
        bonus = _VALUE if route.is_property else 0.0
        return best + _FURTHER_WORD * others + bonus - _EACH_HOP * (len(route.hops) - 1)

    def _share(
        self, hop: HopKind, matcher: WordMatcher, places: Sequence[int]
    ) -> tuple[NDArray[np.float64], float]:
        """How much of each of the words a hop explains, and how much of its label is stray."""
        label = self._schema.label_of(hop.type)
        explained = matcher.explained(label)
        for kind in self._schema.supertypes([hop.end]) if hop.end else ():
            explained = np.maximum(explained, matcher.explained_by_type(self._schema.label_of(kind)))
        return explained[list(places)], matcher.stray(label)
