"""What is counted, summed and ranked: the part of a reading that makes one value of many.

A question word like "how many" may ask for a number of nodes ("how many books are there"), for one number for each of
some others ("how many books does each author have"), or for a number that the graph holds ("how many pages does it
have"). A superlative may ask for nodes ("the ship with the highest tonnage") or for the value ("the highest tonnage of
any ship").
"""

from __future__ import annotations

from dataclasses import replace

from ...core.plan import AggregateFunction
from ...core.schema import Schema
from ...linking.form import Superlative
from ..hop_table import AttributeRoute
from ..relevance import Relevance
from .ages import runs_against_dates
from .attributes import AttributeFinder
from .measures import Measures, MeasureWords
from .reading import OPEN, Figure, Reading, Scale

# A word that counts is a number which the graph holds if the property explains so much of it.
_IS_CALLED_SO = 0.9


class FigureReader:
    """Reads what is counted, summed and ranked."""

    def __init__(self, schema: Schema, attributes: AttributeFinder, measures: Measures) -> None:
        self._schema = schema
        self._attributes = attributes
        self._measures = measures

    def worked_into(self, reading: Reading, relevance: Relevance, words: MeasureWords) -> Reading | None:
        """The reading with what its question counts, sums or ranks; ``None`` where that cannot be had."""
        form = reading.question.form
        if form.share is not None:
            return self._with_share(reading, form.share)
        if form.counts:
            counted = self._with_count(reading, relevance)
            return counted and self._with_scale(counted, relevance, words)
        if form.aggregate is not None and form.is_of_counts:
            averaged = self._with_figure_of_counts(reading, relevance, form.aggregate)
            return averaged and self._with_scale(averaged, relevance, words)
        if form.aggregate is not None:
            reading = self._with_aggregate(reading, relevance, form.aggregate)
        return self._with_scale(reading, relevance, words)

    # --- how many

    def _with_count(self, reading: Reading, relevance: Relevance) -> Reading | None:
        held = self._number_held(reading, relevance)
        if held is not None:
            return self._with_number_held(reading, relevance, held)
        if reading.grouped_by is not None and self._counts_values(reading, relevance):
            figure = Figure("count", reading.grouped_by)
            return replace(reading, figure=figure, grouped_by=None, is_group=False)
        if reading.is_group:
            return self._with_count_of_each(reading, relevance)
        types = self._counted_types(reading)
        if reading.question.form.aggregate == "average" and types and reading.target not in types:
            return self._with_average_count(reading, relevance, types)
        if reading.question.form.superlative is None and self._is_counted(reading):
            return replace(reading, counts=True)
        return reading

    def _counts_values(self, reading: Reading, relevance: Relevance) -> bool:
        """Whether the values by which nodes are grouped are what is counted: "how many genres are there"."""
        rows, grouped_by = self._counted_rows(reading), reading.grouped_by
        if not rows or grouped_by is None or self._counted_types(reading):
            return False
        return bool(relevance.explained(grouped_by.hops)[rows[:1]].min() >= _IS_CALLED_SO)

    def _number_held(self, reading: Reading, relevance: Relevance) -> AttributeRoute | None:
        """The number that the graph holds under the name of what is counted: pages, berths, years at sea."""
        rows = self._counted_rows(reading)
        if not rows or self._counted_types(reading):
            return None
        found = self._attributes.find(reading.types, relevance.matcher, rows, "number", deepest=0)
        if found is None or relevance.explained(found[0].hops)[rows].min() < _IS_CALLED_SO:
            return None
        return found[0]

    def _with_number_held(self, reading: Reading, relevance: Relevance, held: AttributeRoute) -> Reading:
        reading = reading.explaining(relevance, held)
        form = reading.question.form
        is_of_one_edge = held.of_edge and reading.joins_what_is_named
        by_value = any(route.seed.value is not None or route.hops for route in reading.routes)
        is_one = reading.is_group or is_of_one_edge or (reading.target is None and not by_value)
        if is_one and form.aggregate is None:
            return replace(reading, columns=(*reading.columns, held))
        figure = Figure(form.aggregate or "sum", held, is_each=reading.is_group)
        return replace(reading, figure=figure)

    def _with_count_of_each(self, reading: Reading, relevance: Relevance) -> Reading | None:
        """A number for each of the nodes, or each value, by which the question groups."""
        types = self._counted_types(reading)
        if reading.grouped_by is not None and (not types or reading.target in types):
            return replace(reading, figure=Figure("count", None, is_each=True))
        counted = self._counted_rows(reading)
        rows = [*counted, *reading.open_places]
        found = self._attributes.find(
            reading.types, relevance.matcher, list(dict.fromkeys(rows)), "nodes", ends=types
        )
        route = found[0] if found else self._attributes.nearest(reading.types, types)
        if route is None:
            return None
        grouped = reading.question.form.groups
        if grouped is not None:
            # "How many authors is each author influenced by": the second are meant by "each".
            mention = reading.question.question.mention(grouped, grouped + 1)
            route = self._measures.turned(reading, relevance, route, mention, is_end=False)
        if counted and not types and relevance.explained(route.hops)[counted].max() < OPEN:
            # Of passengers nothing is known: that ships carry something does not say how many.
            return None
        return replace(reading.explaining(relevance, route), figure=Figure("count", route, is_each=True))

    def _with_average_count(
        self, reading: Reading, relevance: Relevance, types: frozenset[str]
    ) -> Reading | None:
        """ "How many movies does a studio produce on average?"."""
        rows = list(dict.fromkeys([*self._counted_rows(reading), *reading.open_places]))
        found = self._attributes.find(reading.types, relevance.matcher, rows, "nodes", ends=types)
        if found is None:
            return None
        figure = Figure("average", found[0], of_counts=True)
        return replace(reading.explaining(relevance, found[0]), figure=figure)

    def _is_counted(self, reading: Reading) -> bool:
        """Whether it is the nodes asked for that are counted, not something that each of them has."""
        if any(not bound.route.is_property for bound in reading.bounds):
            return self._counts_the_target(reading)
        counted = reading.question.form.count_place
        types = [link.mention for link in reading.question.asked if link.id == reading.target]
        words = reading.question.question.words
        return counted is None or not types or words[counted].start < min(mention.start for mention in types)

    def _counts_the_target(self, reading: Reading) -> bool:
        return reading.target in self._counted_types(reading)

    def _counted_types(self, reading: Reading) -> frozenset[str]:
        """The types that the words right behind "how many" name, with those below them."""
        question = reading.question
        counted = question.form.counted
        if counted is None or counted >= len(question.question.words):
            return frozenset()
        word = question.question.words[counted]
        named = [link.id for link in question.asked if link.mention.start <= word.start < link.mention.end]
        return frozenset(self._schema.with_subtypes(named))

    def _counted_rows(self, reading: Reading) -> list[int]:
        """The rows of the content words right behind "how many"."""
        counted = reading.question.form.counted
        return reading.question.rows_from(counted) if counted is not None else []

    # --- what part

    def _with_share(self, reading: Reading, whole: int) -> Reading | None:
        """ "What share of the missions started in Baikonur": of all missions those that meet the one condition."""
        conditions = (
            *reading.routes,
            *reading.bounds,
            *reading.name_bounds,
            *reading.present,
            *reading.excluded,
        )
        if reading.target is None or len(conditions) > 1 or reading.is_group:
            return None
        return replace(reading, counts=True, share=whole)

    # --- figures of numbers of things

    def _with_figure_of_counts(
        self, reading: Reading, relevance: Relevance, function: AggregateFunction
    ) -> Reading | None:
        """ "The average number of pages of the books" is of a number that they have, "of ships per company" of one that
        must be counted first."""
        place = reading.question.form.aggregate_place
        rows = self._measures.rows_following(reading, place) if place is not None else []
        if not rows:
            return None
        held = self._attributes.find(reading.types, relevance.matcher, rows, "number")
        if (
            held is not None
            and self._measures.explained_by_end(held[0], relevance, rows).min() >= _IS_CALLED_SO
        ):
            figure = Figure(function, held[0], is_each=reading.is_group)
            return replace(reading.explaining(relevance, held[0]), figure=figure)
        counted = self._attributes.find(reading.types, relevance.matcher, rows, "nodes")
        if counted is None:
            return None
        figure = Figure(function, counted[0], of_counts=True)
        return replace(reading.explaining(relevance, counted[0]), figure=figure)

    # --- figures of values

    def _with_aggregate(self, reading: Reading, relevance: Relevance, function: AggregateFunction) -> Reading:
        """A figure over all nodes asked for, or for each of them where the question groups or ranks them."""
        is_each = reading.is_group or reading.question.form.superlative is not None
        everything = list(range(len(relevance.matcher.words)))
        for places in (reading.open_places, everything):
            found = self._attributes.find(reading.types, relevance.matcher, places, "number")
            if found is not None:
                figure = Figure(function, found[0], is_each=is_each)
                return replace(reading.explaining(relevance, found[0]), figure=figure)
        return reading

    # --- the most and the least

    def _with_scale(self, reading: Reading, relevance: Relevance, words: MeasureWords) -> Reading | None:
        superlative = reading.question.form.superlative
        if superlative is None:
            return reading
        if reading.figure is not None and reading.figure.is_each:
            return replace(reading, scale=_scale(None, superlative))
        if reading.grouped_by is not None and self._ranks_the_target(reading):
            # "Which chromosome has the most genes?" ranks the values by how many nodes have them.
            figure = Figure("count", None, is_each=True)
            return replace(reading, figure=figure, scale=_scale(None, superlative))
        route = self._measures.of_superlative(reading, relevance, words, superlative)
        if route is None:
            return None
        explaining = reading.explaining(relevance, route)
        if reading.figure is not None:
            return explaining
        if runs_against_dates(self._schema, route, superlative.words):
            superlative = replace(superlative, extreme="least" if superlative.extreme == "most" else "most")
        if route.is_property and (reading.is_group or self._asks_for_value(reading, route, relevance)):
            function: AggregateFunction = "maximum" if superlative.extreme == "most" else "minimum"
            return replace(explaining, figure=Figure(function, route, is_each=reading.is_group))
        return replace(explaining, scale=_scale(route, superlative))

    def _ranks_the_target(self, reading: Reading) -> bool:
        question, superlative = reading.question, reading.question.form.superlative
        if superlative is None:
            return False
        named = question.named_rows().get(reading.target or "", [])
        return bool(set(question.rows_from(superlative.place + 1)) & set(named))

    def _asks_for_value(self, reading: Reading, route: AttributeRoute, relevance: Relevance) -> bool:
        """Whether the value is asked for and not what has it: "the highest rating of the movies"."""
        question = reading.question
        superlative = question.form.superlative
        is_one = superlative is not None and superlative.limit == 1 and not superlative.skip
        if superlative is None or not is_one or superlative.share or reading.target is None:
            return False
        following = self._measures.rows_following(reading, superlative.place)
        if not following or self._measures.types_at(reading, following):
            return False
        is_date = route.is_time and bool(set(following) & set(relevance.matcher.time_rows))
        if not is_date and self._measures.explained_by_end(route, relevance, following).max() < _IS_CALLED_SO:
            return False
        words = question.question.words
        start = words[superlative.place].start
        named = [link.mention.start for link in question.asked if link.id == reading.target]
        if any(mention < start for mention in named):
            return False
        behind = question.places[following[-1]] + 1
        if not named:
            return not question.asked and behind >= len(words)
        return behind < len(words) and behind in question.form.of_places


def _scale(route: AttributeRoute | None, superlative: Superlative) -> Scale:
    return Scale(route, superlative.extreme == "most", superlative.limit, superlative.skip, superlative.share)
