"""Reads a question: which nodes it asks for, from where they are reached, and what is asked of them.

Every reading is weighed by one rule: how much of the question's content words it explains, how near its relations are
in meaning, and how much it brings in of which the question does not speak.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from itertools import islice, product
from typing import TYPE_CHECKING

import numpy as np

from ..core.budget import Budget
from ..core.errors import DeadlineExceededError
from ..core.evidence import Link, Mention
from ..core.schema import Schema
from ..linking.form import Comparison, Form
from ..linking.linker import LinkedQuestion
from ..linking.vocabulary import WordMatcher
from ..stores.base import GraphStore
from .attributes import AttributeFinder, Wanted
from .hop_table import AttributeRoute, HopTable
from .reading import Bound, Reading, Scale
from .relevance import Relevance
from .routes import Route, RouteFinder
from .seeds import seeds_of

if TYPE_CHECKING:
    from numpy.typing import NDArray

# Of each mention the routes that fit best, and the short ones: a route need not explain what another one does.
_ROUTES_OF_A_MENTION = 8
_SHORT_ROUTES_OF_A_MENTION = 12
_MOST_COMBINATIONS = 800
_COMPLETED = 16
_MOST_COLUMNS = 6
# A word that is explained less than this is still open.
_OPEN = 0.5
_LATER_TYPE = 0.15
_DESCRIPTION = 0.30
_RIGHT_KIND = 0.10
_NO_TYPE_THOUGH_NAMED = 0.15


class Reader:
    """Reads questions to one graph."""

    def __init__(self, store: GraphStore, schema: Schema, *, max_hops: int) -> None:
        self._store = store
        self._schema = schema
        table = HopTable(schema)
        self._routes = RouteFinder(store, schema, table, max_hops=max_hops)
        self._attributes = AttributeFinder(schema, table)

    def read(
        self, question: LinkedQuestion, relevance: Relevance, measures: MeasureWords, budget: Budget
    ) -> tuple[list[Reading], list[str]]:
        """The readings of a question, the best first, and what was left undone for want of time."""
        routes, notes = self._routes_by_mention(question, relevance, budget)
        bases = [
            base
            for place, link in self._targets(question)
            for base in self._bases(question, relevance, routes, link, place)
        ]
        bases.sort(key=_order)
        readings = [
            done
            for base in self._worth_completing(bases)
            if (done := self._complete(base, relevance, measures)) is not None and not done.says_nothing
        ]
        described = self._description(question, relevance, routes)
        if described is not None:
            readings.insert(0, described)
        return sorted(readings, key=_order), notes

    def _description(
        self, question: LinkedQuestion, relevance: Relevance, routes: Mapping[Mention, Sequence[Route]]
    ) -> Reading | None:
        """ "Who is Ada?" says nothing but a name: it asks for what is known of the node itself."""
        if (
            question.words
            or question.asked
            or len(routes) != 1
            or question.form != Form(asked_for=question.form.asked_for)
        ):
            return None
        here = [route for route in next(iter(routes.values())) if not route.hops]
        attributes = self._attributes.properties(here[0].end_types) if here else []
        if not attributes:
            return None
        return Reading(
            question,
            None,
            (here[0],),
            here[0].ends,
            relevance.nothing,
            columns=tuple(attributes[:_MOST_COLUMNS]),
            prior=_DESCRIPTION,
        )

    def _worth_completing(self, bases: Sequence[Reading]) -> list[Reading]:
        """The best readings, and those that stay at the nodes named: what is asked of these is only found later."""
        staying = [base for base in bases[_COMPLETED:] if all(not route.hops for route in base.routes)]
        return [*bases[:_COMPLETED], *staying[:_COMPLETED]]

    # --- what the question names

    def _routes_by_mention(
        self, question: LinkedQuestion, relevance: Relevance, budget: Budget
    ) -> tuple[dict[Mention, list[Route]], list[str]]:
        asked = frozenset(self._schema.with_subtypes([link.id for link in question.asked]))
        routes: dict[Mention, list[Route]] = {}
        try:
            is_only = len(question.mentions) == 1
            for seed in seeds_of(question, self._store, budget):
                found = self._routes.from_seed(seed, relevance, asked, budget, is_only_mention=is_only)
                routes.setdefault(seed.mention, []).extend(found)
        except DeadlineExceededError:
            if not routes:
                raise
            return routes, [f"The time of {budget.seconds:g} s was up before every path was followed."]
        return routes, []

    def _targets(self, question: LinkedQuestion) -> Iterable[tuple[int, Link | None]]:
        """What may be asked for: each type that the question names, in its order, or what the routes lead to."""
        named = {link.id: link for link in reversed(question.asked)}
        ordered = sorted(named.values(), key=lambda link: (link.mention.start, link.id))
        grouped = question.form.groups
        if grouped is not None and not question.form.counts:
            # "for each department": it is departments that are asked about.
            start = question.question.words[grouped].start
            ordered.sort(key=lambda link: abs(link.mention.start - start))
        yield from enumerate(ordered)
        if question.things:
            yield len(ordered), None

    def _bases(
        self,
        question: LinkedQuestion,
        relevance: Relevance,
        routes: Mapping[Mention, Sequence[Route]],
        link: Link | None,
        place: int,
    ) -> Iterable[Reading]:
        """Readings that say which nodes are asked for, and nothing yet of what is asked of them."""
        target = link.id if link is not None else None
        wanted = frozenset(self._schema.subtypes(target)) if target is not None else None
        denied = self._denied_mention(question, routes)
        if denied is not None:
            if target is not None:
                yield from self._without(question, relevance, routes, denied, target, place)
            return
        if question.form.is_yes_no and target is not None and self._asks_only_for_type(question, routes):
            # "Is Ada an author?" is about Ada herself, whatever else leads from her to authors.
            (routes_of_it,) = routes.values()
            own = tuple(route for route in routes_of_it if not route.hops)
            yield Reading(question, target, own[:1], own[0].ends, relevance.nothing + 1.0)
            return
        options = [self._options(routes[mention], wanted) for mention in routes]
        unused = tuple(mention for mention in question.mentions if mention not in routes)
        explained = relevance.explained_by_type(target) if target is not None else relevance.nothing
        prior = -_LATER_TYPE * place
        if target is None and question.asked:
            prior = -_NO_TYPE_THOUGH_NAMED
        if target is not None and not routes:
            yield Reading(question, target, (), None, explained, prior=prior, unused=unused)
        for combination in islice(product(*options), _MOST_COMBINATIONS):
            used = tuple(route for route in combination if route is not None)
            left_out = tuple(
                mention for mention, route in zip(routes, combination, strict=True) if route is None
            )
            ends = _common_ends(used)
            if _are_different_nodes(used):
                continue
            must_meet = not question.form.is_yes_no or question.form.asks_connection
            if not used or (must_meet and not ends):
                continue
            words = explained
            for route in used:
                words = np.maximum(words, self._explained_by(route, relevance))
            yield Reading(question, target, used, ends, words, prior=prior, unused=(*unused, *left_out))

    def _asks_only_for_type(
        self, question: LinkedQuestion, routes: Mapping[Mention, Sequence[Route]]
    ) -> bool:
        named = {row for rows in question.named_rows().values() for row in rows}
        return len(routes) == 1 and len(named) == len(question.words)

    def _denied_mention(self, question: LinkedQuestion, routes: Iterable[Mention]) -> Mention | None:
        """The first mention after a "not" that speaks of it: "not from Germany"."""
        place = question.form.negation_place
        if place is None:
            return None
        start = question.question.words[place].end
        after = sorted((mention for mention in routes if mention.start >= start), key=lambda item: item.start)
        return after[0] if after else None

    def _without(
        self,
        question: LinkedQuestion,
        relevance: Relevance,
        routes: Mapping[Mention, Sequence[Route]],
        denied: Mention,
        target: str,
        place: int,
    ) -> Iterable[Reading]:
        """Readings for the nodes of a type that a route from the denied mention does not reach."""
        wanted = frozenset(self._schema.subtypes(target))
        explained = relevance.explained_by_type(target)
        others = tuple(mention for mention in routes if mention != denied)
        options = self._options(routes[denied], wanted)
        own = [
            route
            for route in options
            if route is not None and not route.hops and route.seed.value is not None
        ]
        for route in own or options:
            if route is not None and (route.hops or route.seed.value is not None):
                words = np.maximum(explained, self._explained_by(route, relevance))
                prior = -_LATER_TYPE * place
                yield Reading(
                    question, target, (), None, words, excluded=(route,), prior=prior, unused=others
                )

    def _explained_by(self, route: Route, relevance: Relevance) -> NDArray[np.float64]:
        """What a route explains: its own words, and what its seed is said to be ("the Marketing department")."""
        explained = route.score.explained
        for kind in route.seed.types[:3]:
            explained = np.maximum(explained, relevance.explained_by_type(kind))
        if route.seed.value is not None:
            label = self._schema.label_of(route.seed.value[0])
            explained = np.maximum(explained, relevance.matcher.explained(label))
        return explained

    def _options(self, routes: Sequence[Route], wanted: frozenset[str] | None) -> list[Route | None]:
        fitting = [route for route in routes if self._fits(route, wanted)]
        ordered = sorted(fitting, key=lambda route: (-route.score.total * route.seed.score, repr(route.hops)))
        zero = [route for route in fitting if not route.hops]
        best = [route for route in ordered if route.hops][:_ROUTES_OF_A_MENTION]
        short = [
            route for route in ordered if len(route.hops) == 1 and all(route is not other for other in best)
        ]
        return [*best, *short[:_SHORT_ROUTES_OF_A_MENTION], *zero, None]

    def _fits(self, route: Route, wanted: frozenset[str] | None) -> bool:
        return wanted is None or any(kind in wanted for kind in route.end_types)

    # --- what is asked of it

    def _complete(self, base: Reading, relevance: Relevance, measures: MeasureWords) -> Reading | None:
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


def _are_different_nodes(routes: Sequence[Route]) -> bool:
    """Whether the routes stay at nodes that are not the same: nothing is Ada and Bob."""
    staying = [frozenset(route.ends) for route in routes if not route.hops]
    return len(staying) > 1 and not frozenset.intersection(*staying)


def _common_ends(routes: Sequence[Route]) -> tuple[str, ...]:
    if not routes:
        return ()
    common = routes[0].ends
    for route in routes[1:]:
        if common and not route.end_set.isdisjoint(common):
            common = tuple(end for end in common if end in route.end_set)
        else:
            return ()
    return common


def _order(reading: Reading) -> tuple[float, int, str]:
    return (
        -reading.total,
        sum(len(route.hops) for route in reading.routes),
        repr([r.hops for r in reading.routes]),
    )
