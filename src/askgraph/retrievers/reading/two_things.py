"""Questions about two things that are named: by how much they differ ("how much longer is A than B")."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from ...core.evidence import Mention
from ...core.schema import Schema
from ...linking.form import Difference
from ...linking.linked_question import LinkedQuestion
from ..hop_table import AttributeRoute
from ..relevance import Relevance
from .ages import runs_against_dates
from .attributes import AttributeFinder
from .measures import Measures, MeasureWords
from .reading import Figure, Reading
from .routes import Route


class DifferenceFinder:
    """Reads by how much two things differ."""

    def __init__(self, schema: Schema, attributes: AttributeFinder, measures: Measures) -> None:
        self._schema = schema
        self._attributes = attributes
        self._measures = measures

    def read(
        self,
        question: LinkedQuestion,
        relevance: Relevance,
        words: MeasureWords,
        routes: Mapping[Mention, Sequence[Route]],
    ) -> Reading | None:
        """The reading; ``None`` where the question asks for no difference, does not name two things of one kind, or
        speaks of nothing that can be measured of them."""
        asked = question.form.difference
        if asked is None or len(routes) != 2:
            return None
        one, other = (self._staying(found) for found in routes.values())
        pair = next(
            (
                (first, second)
                for first in one
                for second in other
                if set(first.end_types) & set(second.end_types)
            ),
            None,
        )
        if pair is None:
            return None
        first, second = pair
        both = (*first.ends, *second.ends)
        seed = replace(first.seed, name=f"{first.seed.name} and {second.seed.name}", nodes=both)
        route = replace(first, seed=seed, ends=both)
        base = Reading(
            question, None, (route,), both, relevance.nothing, difference=(first.ends, second.ends)
        )
        measured = self._measured(base, relevance, words, asked)
        if measured is None:
            return None
        reading = base.explaining(relevance, measured)
        if runs_against_dates(self._schema, measured, asked.words):
            reading = replace(reading, difference=(second.ends, first.ends))
        if measured.is_property:
            return replace(reading, columns=(measured,))
        return replace(reading, figure=Figure("count", measured, is_each=True))

    def _staying(self, routes: Sequence[Route]) -> list[Route]:
        return [route for route in routes if not route.hops and route.seed.value is None]

    def _measured(
        self, reading: Reading, relevance: Relevance, words: MeasureWords, asked: Difference
    ) -> AttributeRoute | None:
        """What differs: a number of their own, by the adjective or by the other words, or how many of something."""
        route = self._measures.measure(reading, relevance, words, asked.words, "number")
        if route is None or len(route.hops) > 1:
            return None
        return route if asked.words or relevance.explained(route.hops).max(initial=0.0) > 0 else None
