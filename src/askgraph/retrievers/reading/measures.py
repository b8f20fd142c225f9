"""Which property or number of things a comparison or a superlative speaks of."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from ...core.evidence import Mention
from ...core.schema import Schema
from ...linking.comparisons import Comparison, NameComparison
from ...linking.form import Superlative
from ...linking.vocabulary import WordMatcher
from ..hop_table import AttributeRoute
from ..relevance import Relevance
from .ages import runs_against_dates, speaks_of_being_old
from .attributes import AttributeFinder, Wanted
from .reading import Reading

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

# The words right behind a superlative are what it measures if a property explains so much of them.
_SAYS_SO = 0.75
_TIMES: tuple[Wanted, ...] = ("time", "year")


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
        of_age = speaks_of_being_old(comparison.words)
        if period is not None and (of_age or not comparison.words):
            route = self.time_of_edge(reading, relevance) or self._time(reading, relevance)
            if route is None and (comparison.is_time or not isinstance(comparison.number, int)):
                return self._year(reading, relevance)
        if route is None and not comparison.is_time:
            route = self._behind(reading, relevance, comparison)
        if route is None and not comparison.is_time:
            route = self.measure(reading, relevance, words, comparison.words, "number")
        # A year is never a number of edges.
        if route is None or (period is not None and not route.is_property):
            return None
        if of_age and period is None and not runs_against_dates(self._schema, route, comparison.words):
            return None  # "Older than 35" says nothing of a year of birth.
        return route

    def _behind(
        self, reading: Reading, relevance: Relevance, comparison: Comparison
    ) -> AttributeRoute | None:
        """What stands right behind a number, if that has numbers: "over 800 pages published in Rome"."""
        rows = reading.question.rows_from(comparison.behind)[:2]
        if not rows or comparison.words:
            return None
        found = self._attributes.find(reading.types, relevance.matcher, rows, "number", deepest=0)
        if found is None or self.explained_by_end(found[0], relevance, rows).max() < _SAYS_SO:
            return None
        return found[0]

    def of_name_comparison(
        self, reading: Reading, relevance: Relevance, words: MeasureWords, than: NameComparison
    ) -> AttributeRoute | None:
        """The property in which the nodes asked for are compared with something named."""
        if than.is_same:
            return self._of_sameness(reading, relevance, than)
        if than.is_time:
            return self._time(reading, relevance) or self._year(reading, relevance)
        following = self.rows_following(reading, than.said_at)
        if following:
            found = self._attributes.find(reading.types, relevance.matcher, following, "measurable")
            if found is not None and self.explained_by_end(found[0], relevance, following).max() >= _SAYS_SO:
                return found[0]
        route = self.measure(reading, relevance, words, than.words, "measurable")
        return route if route is not None and route.is_property and not route.of_edge else None

    def _of_sameness(
        self, reading: Reading, relevance: Relevance, than: NameComparison
    ) -> AttributeRoute | None:
        """What is the same: a value of their own that the words between "same" and "as" speak of."""
        rows = reading.question.rows_from(than.said_at + 1)
        said = [row for row in rows if reading.question.places[row] < than.place]
        for wanted in _TIMES if than.is_time else ("value",):
            places = places_beside_target(reading) if than.is_time else said
            found = self._attributes.find(reading.types, relevance.matcher, places, wanted, deepest=0)
            if found is not None and not found[0].of_edge:
                says_so = (
                    self.explained_by_end(found[0], relevance, said or places).max(initial=0.0) >= _SAYS_SO
                )
                if says_so or than.is_time:
                    return found[0]
            if than.is_time and (only := self._attributes.only(reading.types, wanted)) is not None:
                return only
        return None

    def of_superlative(
        self, reading: Reading, relevance: Relevance, words: MeasureWords, superlative: Superlative
    ) -> AttributeRoute | None:
        """The scale of a superlative: what stands right behind it, else what its adjective means, else what the other
        words speak of."""
        following = self.rows_following(reading, superlative.place)
        through = self.types_at(reading, following)
        if not through and self._counts_its_own_kind(reading, superlative.place):
            route = self.measure(reading, relevance, words, (), "measurable")
            rows = reading.question.rows_from(superlative.place + 1)
            mention = reading.question.mention_of(rows)
            return route and self.turned(reading, relevance, route, mention, is_end=True)
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

    def _counts_its_own_kind(self, reading: Reading, place: int) -> bool:
        """Whether things of the type asked for are what is counted: "who influenced the most authors?"."""
        named = reading.question.named_rows().get(reading.target or "", [])
        superlative = reading.question.form.superlative
        is_plain = superlative is not None and not superlative.words
        return is_plain and bool(set(reading.question.rows_from(place + 1)) & set(named))

    def turned(
        self, reading: Reading, relevance: Relevance, route: AttributeRoute, mention: Mention, *, is_end: bool
    ) -> AttributeRoute:
        """The route in the direction in which the question says it, where its edges join nodes of one type: those who
        influenced an author are not those whom an author influenced.

        Args:
            reading: from whose nodes the route begins.
            relevance: knows who does it to whom.
            route: the route.
            mention: the words for what stands at one of its ends.
            is_end: whether that is the end to which it leads.
        """
        hop = route.hops[0]
        if relevance.voice is None or len(route.hops) > 1 or hop.is_property:
            return route
        if hop.end not in self._schema.with_subtypes(reading.types):
            return route
        stands_at_source = relevance.voice.is_forward(self._schema.label_of(hop.type), mention)
        if stands_at_source is None or stands_at_source == (hop.forward != is_end):
            return route
        return replace(route, hops=(replace(hop, forward=not hop.forward),))

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
        said = self._said_of_others(reading, relevance, superlative.place, others)
        if said is not None or not superlative.words:
            return said or self.measure(reading, relevance, words, (), "measurable")
        matcher, places = words.matcher(superlative.words), range(len(superlative.words))
        found = self._attributes.find(reading.types, matcher, places, "measurable", through=others)
        if found is not None:
            return found[0]
        wanted: Wanted = "time" if "date" in superlative.words else "number"
        return self._attributes.only(reading.types, wanted, others)

    def _said_of_others(
        self, reading: Reading, relevance: Relevance, place: int, others: frozenset[str]
    ) -> AttributeRoute | None:
        """ "Who directed the highest rated movie?" says what is measured; "the most movies" does not."""
        named = self._rows_of(reading, others)
        rows = [row for row in reading.question.rows_from(place + 1) if row not in named]
        everything = range(len(reading.explained))
        found = self._attributes.find(
            reading.types, relevance.matcher, everything, "measurable", through=others
        )
        if found is None or self.explained_by_end(found[0], relevance, rows).max(initial=0.0) < _SAYS_SO:
            return None
        return found[0]

    def _rows_of(self, reading: Reading, types: frozenset[str]) -> frozenset[int]:
        named = reading.question.named_rows()
        return frozenset(row for kind, rows in named.items() if kind in types for row in rows)

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
            by_own_words = (
                self._as_the_adjective_means(reading, words, own, wanted)
                or self._said_outright(reading, relevance, wanted)
                or self._by_own_words(reading, words, own, wanted)
            )
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

    def _as_the_adjective_means(
        self, reading: Reading, words: MeasureWords, own: Sequence[str], wanted: Wanted
    ) -> AttributeRoute | None:
        """Of what "large" may mean the first that the nodes have themselves: a country has an area and a population,
        and who is old an age, whatever years their edges have."""
        for word in own:
            here = self._attributes.find(reading.types, words.matcher([word]), [0], wanted, deepest=0)
            if here is not None and here[1] >= _SAYS_SO and not here[0].of_edge:
                return here[0]
        return None

    def _said_outright(self, reading: Reading, relevance: Relevance, wanted: Wanted) -> AttributeRoute | None:
        """What the question itself calls what is measured: "a higher tonnage than the Iron Duke"."""
        rows = reading.open_places
        found = self._attributes.find(reading.types, relevance.matcher, rows, wanted, deepest=0)
        says = (
            found is not None and relevance.explained(found[0].hops)[list(rows)].max(initial=0.0) >= _SAYS_SO
        )
        return found[0] if found is not None and says else None

    def _by_own_words(
        self, reading: Reading, words: MeasureWords, own: Sequence[str], wanted: Wanted
    ) -> AttributeRoute | None:
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

    def time_of_edge(self, reading: Reading, relevance: Relevance) -> AttributeRoute | None:
        """The time of the edge by which the nodes asked for were reached, unless the question speaks of another: "who
        joined NASA in 1966"."""
        routes = [
            route
            for route in self._attributes.of_edges(reading.types, ())
            if reading.is_of_own_edge(route) and (route.is_time or route.has_years)
        ]
        if len({route.hops[-1].type for route in routes}) != 1:
            return None
        for wanted in _TIMES:
            own = self._attributes.find(
                reading.types, relevance.matcher, places_beside_target(reading), wanted, deepest=0
            )
            if own is not None and not own[0].of_edge and self._is_said(reading, relevance, own[0]):
                return None
        return routes[0]

    def _is_said(self, reading: Reading, relevance: Relevance, route: AttributeRoute) -> bool:
        rows = places_beside_target(reading)
        return bool(self.explained_by_end(route, relevance, rows).max(initial=0.0) >= _SAYS_SO)

    def _time(self, reading: Reading, relevance: Relevance) -> AttributeRoute | None:
        """The time of their own that the nodes have."""
        for places in (reading.open_places, places_beside_target(reading)):
            found = self._attributes.find(reading.types, relevance.matcher, places, "time")
            if found is not None:
                return found[0] if not found[0].edges else None
        return None

    def _year(self, reading: Reading, relevance: Relevance) -> AttributeRoute | None:
        """The year that the nodes have as a number."""
        for places in (reading.open_places, places_beside_target(reading)):
            found = self._attributes.find(reading.types, relevance.matcher, places, "year")
            if found is not None:
                return found[0]
        return self._attributes.only(reading.types, "time") or self._attributes.only(reading.types, "year")
