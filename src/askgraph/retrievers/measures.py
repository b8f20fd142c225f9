"""Which property or number of things a comparison or a superlative speaks of."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from ..core.schema import Schema
from ..linking.comparisons import Comparison, NameComparison
from ..linking.form import Superlative
from ..linking.vocabulary import WordMatcher
from .attributes import AttributeFinder, Wanted
from .hop_table import AttributeRoute
from .reading import Reading
from .relevance import Relevance

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

# The words right behind a superlative are what it measures if a property explains so much of them.
_SAYS_SO = 0.75


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


def places_beside_target(reading: Reading) -> list[int]:
    """All content words but those that name the type asked for: they say nothing of its properties."""
    named = reading.question.named_rows().get(reading.target or "", [])
    return [place for place in range(len(reading.explained)) if place not in named]


class Measures:
    """Finds what is measured, for the nodes that a reading asks for."""

    def __init__(self, schema: Schema, attributes: AttributeFinder) -> None:
        self._schema = schema
        self._attributes = attributes

    def of_comparison(
        self, reading: Reading, relevance: Relevance, words: MeasureWords, comparison: Comparison
    ) -> AttributeRoute | None:
        """What a bound by a number or a time is set to."""
        route = None
        period = comparison.period
        if period is not None and not comparison.words:
            route = self._time(reading, relevance)
            if route is None and (comparison.is_time or not isinstance(comparison.number, int)):
                return self._year(reading, relevance)
        if route is None and not comparison.is_time:
            route = self.measure(reading, relevance, words, comparison.words, "number")
        # A year is never a number of edges.
        if route is None or (period is not None and not route.is_property):
            return None
        return route

    def of_name_comparison(
        self, reading: Reading, relevance: Relevance, words: MeasureWords, than: NameComparison
    ) -> AttributeRoute | None:
        """The property in which the nodes asked for are compared with something named."""
        if than.is_time:
            return self._time(reading, relevance) or self._year(reading, relevance)
        route = self.measure(reading, relevance, words, than.words, "measurable")
        return route if route is not None and route.is_property else None

    def of_superlative(
        self, reading: Reading, relevance: Relevance, words: MeasureWords, superlative: Superlative
    ) -> AttributeRoute | None:
        """The scale of a superlative: what stands right behind it, else what its adjective means, else what the other
        words speak of."""
        following = self.rows_following(reading, superlative.place)
        through = self.types_at(reading, following)
        if through:
            return self._of_others(reading, relevance, words, superlative, through)
        if following:
            found = self._attributes.find(reading.types, relevance.matcher, following, "measurable")
            if found is not None and self.explained_by_end(found[0], relevance, following).max() >= _SAYS_SO:
                counted = self._attributes.find(reading.types, relevance.matcher, following, "countable")
                if counted is None or found[1] >= counted[1]:
                    return found[0]
        said = self._said_elsewhere(reading, relevance, words, superlative.words)
        return said or self.measure(reading, relevance, words, superlative.words, "measurable")

    def _said_elsewhere(
        self, reading: Reading, relevance: Relevance, words: MeasureWords, own: Sequence[str]
    ) -> AttributeRoute | None:
        """What the adjective can mean and another word of the question says: "the largest country by area"."""
        rows = places_beside_target(reading)
        found = self._attributes.find(reading.types, relevance.matcher, rows, "measurable", deepest=0)
        if not own or found is None or relevance.explained(found[0].hops)[rows].max(initial=0.0) < _SAYS_SO:
            return None
        label = self._schema.label_of(found[0].hops[-1].type)
        return found[0] if words.matcher(own).explained(label).max(initial=0.0) >= _SAYS_SO else None

    def types_at(self, reading: Reading, rows: Sequence[int]) -> frozenset[str]:
        """The types that some words name, with those below them."""
        named = reading.question.named_rows()
        types = [kind for kind, own in named.items() if set(own) & set(rows) and kind != reading.target]
        return frozenset(self._schema.with_subtypes(types))

    def _of_others(
        self,
        reading: Reading,
        relevance: Relevance,
        words: MeasureWords,
        superlative: Superlative,
        others: frozenset[str],
    ) -> AttributeRoute | None:
        """What is measured of other things than those asked for: "who commands the largest ship?". Without an adjective
        these are counted: "who commands the most ships?"."""
        if not superlative.words:
            return self.measure(reading, relevance, words, (), "measurable")
        matcher, places = words.matcher(superlative.words), range(len(superlative.words))
        found = self._attributes.find(reading.types, matcher, places, "measurable", through=others)
        if found is not None:
            return found[0]
        wanted: Wanted = "time" if "date" in superlative.words else "number"
        return self._attributes.only(reading.types, wanted, others)

    def explained_by_end(
        self, route: AttributeRoute, relevance: Relevance, rows: Sequence[int]
    ) -> NDArray[np.float64]:
        """How much of some words the name of the property at the end of a route explains, without the way to it."""
        return relevance.matcher.explained(self._schema.label_of(route.hops[-1].type))[list(rows)]

    def rows_following(self, reading: Reading, place: int) -> list[int]:
        """The rows of the content words that follow a word without a break; none where they name the type asked for:
        "the largest ship" says nothing of what is large."""
        question = reading.question
        named = question.named_rows().get(reading.target or "", [])
        rows = question.rows_from(place + 1)
        return [] if set(rows) & set(named) else rows

    def measure(
        self,
        reading: Reading,
        relevance: Relevance,
        words: MeasureWords,
        own: Sequence[str],
        wanted: Wanted,
    ) -> AttributeRoute | None:
        """What is measured: by the words of the rules, else by what is still open, else by any word."""
        if own:
            by_own_words = self._by_own_words(reading, words, own, wanted)
            if by_own_words is not None:
                return by_own_words
        for places in (reading.open_places, places_beside_target(reading)):
            found = self._attributes.find(reading.types, relevance.matcher, places, wanted)
            counted = self._attributes.find(reading.types, relevance.matcher, places, "countable")
            if found and (counted is None or found[1] >= counted[1]):
                return found[0]
            if counted:
                return counted[0]
        # "Premiums above 100" says no more than what has the amount.
        everything = range(len(reading.explained))
        found = self._attributes.find(reading.types, relevance.matcher, everything, wanted, deepest=0)
        return found[0] if found else None

    def _by_own_words(
        self, reading: Reading, words: MeasureWords, own: Sequence[str], wanted: Wanted
    ) -> AttributeRoute | None:
        # Of what "large" may mean the first that the nodes have: a country has an area and a population.
        for word in own:
            here = self._attributes.find(reading.types, words.matcher([word]), [0], wanted, deepest=0)
            if here is not None and here[1] >= _SAYS_SO:
                return here[0]
        matcher = words.matcher(own)
        places = range(len(own))
        here = self._attributes.find(reading.types, matcher, places, wanted, deepest=0)
        if here is not None:
            return here[0]
        if "date" in own and self._attributes.has_own(reading.types, "time"):
            # "The newest" of what has one date is by that date, whatever it is called.
            return self._attributes.only(reading.types, "time")
        found = self._attributes.find(reading.types, matcher, places, wanted)
        if found is not None:
            return found[0]
        # "The largest" of what has one number is by that number.
        return self._attributes.only(reading.types, "number")

    def _time(self, reading: Reading, relevance: Relevance) -> AttributeRoute | None:
        """The time of their own that the nodes have."""
        for places in (reading.open_places, places_beside_target(reading)):
            found = self._attributes.find(reading.types, relevance.matcher, places, "time")
            if found is not None:
                return found[0] if len(found[0].hops) == 1 else None
        return None

    def _year(self, reading: Reading, relevance: Relevance) -> AttributeRoute | None:
        """The year that the nodes have as a number."""
        for places in (reading.open_places, places_beside_target(reading)):
            found = self._attributes.find(reading.types, relevance.matcher, places, "year")
            if found is not None:
                return found[0]
        return self._attributes.only(reading.types, "time") or self._attributes.only(reading.types, "year")
