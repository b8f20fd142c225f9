"""What is asked of the nodes that a reading finds: conditions, an order, a figure, columns.

A base reading says which nodes a question is about. Here the form of the question is worked into it: each part of the
form ("under 20", "the most", "for each") is given the property or relation that the question's words speak of.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from ..core.schema import Schema
from ..linking.form import Comparison
from ..linking.vocabulary import WordMatcher
from .attributes import AttributeFinder, Wanted
from .hop_table import AttributeRoute
from .reading import Bound, Reading, Scale
from .relevance import Relevance

_MOST_COLUMNS = 6
# A word that is explained less than this is still open.
_OPEN = 0.5
_RIGHT_KIND = 0.10


class MeasureWords:
    """Makes matchers for the words by which the rules speak of a property ("weight", "price")."""

    def __init__(self, make: Callable[[Sequence[str]], WordMatcher]) -> None:
        self._make = make
        self._known: dict[tuple[str, ...], WordMatcher] = {}

    def matcher(self, words: Sequence[str]) -> WordMatcher:
        """The matcher of these words."""
        key = tuple(words)
        if key not in self._known:
            self._known[key] = self._make(key)
        return self._known[key]


class Completer:
    """Works the form of a question into readings of it."""

    def __init__(self, schema: Schema, attributes: AttributeFinder) -> None:
        self._schema = schema
        self._attributes = attributes

    def complete(self, base: Reading, relevance: Relevance, measures: MeasureWords) -> Reading | None:
        """The reading with its conditions, its order and its columns; ``None`` where the form asks for what the graph
        does not have."""
        form = base.question.form
        if form.is_yes_no and not base.question.words and len(base.routes) > 1 and not form.asks_connection:
            # "Is Ada in Rome?" does not say in what sense; that some path leads there is no yes.
            return None
        reading: Reading | None = replace(base, is_yes_no=form.is_yes_no)
        for comparison in form.comparisons:
            reading = reading and self._with_bound(reading, relevance, measures, comparison)
        if reading and form.aggregate is not None:
            reading = self._with_aggregate(reading, relevance)
        if reading and form.superlative is not None and not (reading.aggregate and reading.scale):
            reading = self._with_scale(reading, relevance, measures)
        if reading and form.counts and self._is_counted(reading):
            reading = replace(reading, counts=True)
        if reading and form.negated:
            reading = self._with_absence(reading, relevance)
        if reading is None:
            return None
        reading = self._of_asked_kind(self._with_columns(reading, relevance), relevance)
        if reading is None:
            return None
        form, likeness = base.question.form, self._likeness_of_kind(reading, measures)
        if (
            form.asked_kind == "node"
            and not form.asks_by_noun
            and reading.target is not None
            and likeness < _OPEN
        ):
            # "Who has never borrowed a book?" does not ask for books.
            return None
        return replace(reading, prior=reading.prior + _RIGHT_KIND * likeness)

    def _of_asked_kind(self, reading: Reading, relevance: Relevance) -> Reading | None:
        """The reading, if what it answers is what the question word asks for: a time for "when", no value for "who"."""
        kind = reading.question.form.asked_kind
        last = reading.columns[-1] if reading.columns else None
        if kind == "node" and last is not None and last.is_property and reading.target is None:
            return None
        if kind == "place" and last is not None and last.is_property and last.is_measurable:
            return None
        if kind != "time" or (last is not None and last.is_time):
            return reading
        # "When was it published?" is answered by the date, not by the publisher; and by a date of its own.
        found = self._attributes.find(
            reading.types, relevance.matcher, self._places_beside_target(reading), "time"
        )
        route = found[0] if found else self._attributes.only(reading.types, "time")
        if route is None or len(route.hops) > 1:
            return None
        return replace(reading.explaining(relevance, route), columns=(route,))

    def _likeness_of_kind(self, reading: Reading, measures: MeasureWords) -> float:
        """How like what the question word asks for ("who": a person) the answer of a reading is, 0 to 1."""
        words = reading.question.form.asked_for
        if not words:
            return 0.0
        last = reading.columns[-1].hops[-1] if reading.columns and reading.target is None else None
        label = self._schema.label_of((last.end or last.type) if last else "".join(reading.types[:1]))
        return float(measures.matcher(words).explained_by_type(label).max(initial=0.0)) if label else 0.0

    def _is_counted(self, reading: Reading) -> bool:
        """Whether it is the nodes asked for that are counted, not something that each of them has."""
        if reading.scale is not None or any(not bound.route.is_property for bound in reading.bounds):
            return False
        counted = reading.question.form.count_place
        types = [link.mention for link in reading.question.asked if link.id == reading.target]
        words = reading.question.question.words
        return counted is None or not types or words[counted].start < min(mention.start for mention in types)

    def _places_beside_target(self, reading: Reading) -> list[int]:
        """All content words but those that name the type asked for: they say nothing of its properties."""
        named = reading.question.named_rows().get(reading.target or "", [])
        return [place for place in range(len(reading.explained)) if place not in named]

    def _open_places(self, reading: Reading) -> list[int]:
        return [place for place, share in enumerate(reading.explained) if share < _OPEN]

    def _attribute(
        self,
        reading: Reading,
        relevance: Relevance,
        measures: MeasureWords,
        words: Sequence[str],
        wanted: Wanted = "measurable",
    ) -> AttributeRoute | None:
        """What a bound or a scale speaks of: by its own words, else by what is still open, else by any word."""
        if words:
            matcher = measures.matcher(words)
            found = self._attributes.find(reading.types, matcher, range(len(words)), wanted)
            if found is None and "date" in words:
                # "The newest" of what has one date is by that date, whatever it is called.
                return self._attributes.only(reading.types, "time")
            return found[0] if found else None
        for places in (self._open_places(reading), self._places_beside_target(reading)):
            found = self._attributes.find(reading.types, relevance.matcher, places, wanted)
            counted = None
            if wanted != "time":
                counted = self._attributes.find(reading.types, relevance.matcher, places, "countable")
            if found and (counted is None or found[1] >= counted[1]):
                return found[0]
            if counted:
                return counted[0]
        return None

    def _with_bound(
        self, reading: Reading, relevance: Relevance, measures: MeasureWords, comparison: Comparison
    ) -> Reading | None:
        route = None
        if comparison.may_be_year and not comparison.words:
            route = self._attribute(reading, relevance, measures, (), "time")
            route = route if route is not None and len(route.hops) == 1 else None
        if route is None and not comparison.is_time:
            route = self._attribute(reading, relevance, measures, comparison.words, "number")
        # A year is never a number of edges.
        if route is None or (comparison.may_be_year and not route.is_property):
            return None
        bounds = (*reading.bounds, Bound(route, comparison.comparator, comparison.number))
        return replace(reading.explaining(relevance, route), bounds=bounds)

    def _with_scale(self, reading: Reading, relevance: Relevance, measures: MeasureWords) -> Reading | None:
        superlative = reading.question.form.superlative
        if superlative is None:
            return reading
        if reading.aggregate is not None:
            scale = Scale(reading.aggregate[1], superlative.extreme == "most", superlative.limit)
            return replace(reading, scale=scale)
        route = self._attribute(reading, relevance, measures, superlative.words)
        if route is None:
            return None
        scale = Scale(route, superlative.extreme == "most", superlative.limit)
        return replace(reading.explaining(relevance, route), scale=scale)

    def _with_aggregate(self, reading: Reading, relevance: Relevance) -> Reading:
        """A figure over all nodes asked for, or for each of them where the question says "for each" or ranks them."""
        everything = range(len(relevance.matcher.words))
        for places in (self._open_places(reading), everything):
            found = self._attributes.find(reading.types, relevance.matcher, list(places), "measurable")
            if found is not None:
                function = reading.question.form.aggregate
                assert function is not None
                return replace(reading.explaining(relevance, found[0]), aggregate=(function, found[0]))
        return reading

    def _with_absence(self, reading: Reading, relevance: Relevance) -> Reading | None:
        """What the nodes asked for must not have. A "not" that is not understood makes no reading: leaving it out would
        turn the question round."""
        if reading.excluded:
            return reading
        places = self._open_places(reading)
        found = self._attributes.find(reading.types, relevance.matcher, places) if places else None
        if found is None:
            return None
        if found[0].is_property and found[0].is_truth:
            return replace(
                reading.explaining(relevance, found[0]), bounds=(*reading.bounds, Bound(found[0], "=", False))
            )
        return replace(reading.explaining(relevance, found[0]), absent=(found[0],))

    def _with_columns(self, reading: Reading, relevance: Relevance) -> Reading:
        """Explain what is still open by attributes of the nodes asked for: these are columns."""
        if reading.counts or reading.is_yes_no:
            return reading
        # From the nodes that the question names, routes have been followed: what is left are their values.
        stays = reading.target is None and all(not route.hops for route in reading.routes)
        wanted: Wanted = "value" if stays else "any"
        tried: set[int] = set()
        while len(reading.columns) < _MOST_COLUMNS:
            places = [place for place in self._open_places(reading) if place not in tried]
            if not places:
                break
            tried.add(places[0])
            found = self._attributes.find(reading.types, relevance.matcher, places[:1], wanted)
            if found is None or found[0] in reading.columns:
                continue
            if found[0].is_property and found[0].is_truth and reading.target is not None:
                # "Which city is the capital?" asks for those of which it is true.
                bounds = (*reading.bounds, Bound(found[0], "=", True))
                reading = replace(reading.explaining(relevance, found[0]), bounds=bounds)
            else:
                reading = replace(
                    reading.explaining(relevance, found[0]), columns=(*reading.columns, found[0])
                )
        return reading
