"""Which property or relation of the asked nodes some words of the question speak of."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from ..core.schema import Schema
from ..linking.vocabulary import WordMatcher
from .hop_table import AttributeRoute, HopTable

_LEAST_LIKENESS = 0.5
_EACH_HOP = 0.08
_STRAY = 0.15
# A label on the way tells less than the one at the end.
_ON_THE_WAY = 0.8


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
        best: tuple[float, str, AttributeRoute] | None = None
        for route in self._from(types):
            if accepts(route):
                likeness = self._likeness(route, matcher, places)
                candidate = (-likeness, repr(route.hops), route)
                if likeness >= _LEAST_LIKENESS and (best is None or candidate[:2] < best[:2]):
                    best = candidate
        return None if best is None else (best[2], -best[0])

    def _from(self, types: Sequence[str]) -> list[AttributeRoute]:
        key = tuple(types)
        if key not in self._routes:
            self._routes[key] = self._table.attributes(types)
        return self._routes[key]

    def _likeness(self, route: AttributeRoute, matcher: WordMatcher, places: Sequence[int]) -> float:
        best = 0.0
        for position, hop in enumerate(route.hops):
            label = self._schema.label_of(hop.type)
            explained = matcher.explained(label)
            if hop.end:
                explained = np.maximum(explained, matcher.explained(self._schema.label_of(hop.end)))
            share = float(explained[list(places)].max()) if len(places) else 0.0
            is_last = position == len(route.hops) - 1
            best = max(best, share - _STRAY * matcher.stray(label) if is_last else share * _ON_THE_WAY)
        return best - _EACH_HOP * (len(route.hops) - 1)
