"""What is asked of the nodes that a reading finds: conditions, an order, a figure, columns.

A base reading says which nodes a question is about. Here the form of the question is worked into it: each part of the
form ("under 20", "the most", "for each") is given the property or relation that the question's words speak of.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from ...core.evidence import Mention
from ...core.schema import Schema
from ...core.values import ValueType
from ...linking.comparisons import Comparison, OwnComparison
from ...linking.property_values import value_of
from ...linking.units import in_unit_of
from ..hop_table import AttributeRoute
from ..relevance import Relevance
from ..seeds import Seed
from .ages import runs_against_dates, turned
from .attributes import AttributeFinder
from .figures import FigureReader
from .measures import Measures, MeasureWords, places_beside_target
from .reading import OPEN, Bound, NameBound, OwnBound, Reading

_MOST_COLUMNS = 6
_RIGHT_KIND = 0.10
_BY_WHAT_IT_HAS = 0.7
_CALLED_SO = 0.85
_OF_ITS_OWN = 0.03
# A word of which a route explains so much is spoken of by it.
_SPOKEN_OF = 0.35


class Completer:
    """Works the form of a question into readings of it."""

    def __init__(self, schema: Schema, attributes: AttributeFinder) -> None:
        self._schema = schema
        self._attributes = attributes
        self._measures = Measures(schema, attributes)
        self._figures = FigureReader(schema, attributes, self._measures)

    def complete(
        self, base: Reading, relevance: Relevance, words: MeasureWords, compared: Seed | None = None
    ) -> Reading | None:
        """The reading with its conditions, its order and its columns; ``None`` where the form asks for what the graph
        does not have.

        Args:
            base: says which nodes are asked for.
            relevance: of the question's words.
            words: those by which the rules speak of properties.
            compared: what the question compares with, where it does so by name.
        """
        form = base.question.form
        is_said = base.question.words or base.states or form.asks_connection
        if form.is_yes_no and len(base.routes) > 1 and not is_said:
            # "Is Ada in Rome?" does not say in what sense; that some path leads there is no yes.
            return None
        reading: Reading | None = replace(base, is_yes_no=form.is_yes_no)
        for route in base.present:
            reading = reading and reading.explaining(relevance, route)
        if reading and reading.grouped_by is not None:
            reading = reading.explaining(relevance, reading.grouped_by)
        for comparison in form.comparisons:
            reading = reading and self._with_bound(reading, relevance, words, comparison)
        if reading and form.own is not None:
            reading = self._with_own_bound(reading, relevance, words, form.own)
        for mention in dict.fromkeys(link.mention for link in base.question.edge_values):
            reading = reading and self._with_edge_value(reading, relevance, mention)
        if reading and compared is not None:
            reading = self._with_name_bound(reading, relevance, words, compared)
        reading = reading and self._figures.worked_into(reading, relevance, words)
        if reading and form.negated:
            reading = self._with_absence(reading, relevance)
        if reading is None:
            return None
        reading = self._of_asked_kind(self._with_columns(reading, relevance), relevance)
        if reading is None:
            return None
        likeness = self._likeness_of_kind(reading, words)
        if (
            form.asked_kind == "node"
            and not form.asks_by_noun
            and reading.target is not None
            and likeness < OPEN
        ):
            # "Who has never borrowed a book?" does not ask for books.
            return None
        unlike = 1.0 - min(1.0, likeness) if form.asked_for else 0.0
        return replace(reading, prior=reading.prior + _RIGHT_KIND * likeness, unlike_asked=unlike)

    # --- what kind of thing is asked for

    def _of_asked_kind(self, reading: Reading, relevance: Relevance) -> Reading | None:
        """The reading, if what it answers is what the question word asks for: a time for "when", no value for "who"."""
        kind = reading.question.form.asked_kind
        last = reading.columns[-1] if reading.columns else None
        if kind == "node" and last is not None and last.is_property and reading.target is None:
            return reading if self._names_somebody(last, relevance) else None
        if kind == "place" and last is not None and last.is_property and last.is_measurable:
            return None
        if kind == "time" and last is not None and (last.is_time or last.has_years):
            # The time of the thing that is named comes before one of something beside it that is called so as well.
            stays = len(last.hops) == 1 and all(not route.hops for route in reading.routes)
            return replace(reading, prior=reading.prior + _OF_ITS_OWN * stays)
        if kind != "time":
            return reading
        # "When was it published?" is answered by the date, not by the publisher; and by a date of its own, or by that
        # of the edge which joins the two things that the question names.
        places = places_beside_target(reading)
        of_edge = self._measures.time_of_edge(reading, relevance)
        if of_edge is not None:
            return replace(reading.explaining(relevance, of_edge), columns=(of_edge,))
        for wanted in ("time", "year"):
            found = self._attributes.find(reading.types, relevance.matcher, places, wanted)
            route = found[0] if found else self._attributes.only(reading.types, wanted)
            if route is not None and not route.edges:
                return replace(reading.explaining(relevance, route), columns=(route,))
        return None

    def _names_somebody(self, route: AttributeRoute, relevance: Relevance) -> bool:
        """Whether a value tells who it is: the "lead name" of a team does where the question asks who leads it."""
        is_text = bool(route.value_types) and all(kind is ValueType.TEXT for kind in route.value_types)
        explained = relevance.matcher.explained(self._schema.label_of(route.hops[-1].type))
        return is_text and bool(explained.max(initial=0.0) >= _CALLED_SO)

    def _likeness_of_kind(self, reading: Reading, words: MeasureWords) -> float:
        """How like what the question word asks for ("who": a person) the answer of a reading is, 0 to 1."""
        asked = reading.question.form.asked_for
        if not asked:
            return 0.0
        last = reading.columns[-1].hops[-1] if reading.columns and reading.target is None else None
        kind = (last.end or last.type) if last else "".join(reading.types[:1])
        label = self._schema.label_of(kind)
        likeness = float(words.matcher(asked).explained_by_type(label).max(initial=0.0)) if label else 0.0
        marks = reading.question.form.asked_marks
        if (
            likeness < OPEN
            and marks
            and not (last and last.is_property)
            and self._attributes.has_any(kind, marks)
        ):
            # Whoever was born is a person, however the graph calls such.
            return _BY_WHAT_IT_HAS
        return likeness

    # --- conditions

    def _with_bound(
        self, reading: Reading, relevance: Relevance, words: MeasureWords, comparison: Comparison
    ) -> Reading | None:
        route = self._measures.of_comparison(reading, relevance, words, comparison)
        if route is None:
            return None
        number = comparison.number
        if isinstance(number, int | float) and route.is_property:
            number = in_unit_of(number, comparison.unit, self._schema.label_of(route.hops[-1].type))
        is_against = runs_against_dates(self._schema, route, comparison.words)
        comparator = turned(comparison.comparator) if is_against else comparison.comparator
        bounds = (*reading.bounds, Bound(route, comparator, number))
        return replace(reading.explaining(relevance, route), bounds=bounds)

    def _with_edge_value(self, reading: Reading, relevance: Relevance, mention: Mention) -> Reading | None:
        """What an edge of the nodes asked for must have: "who flew as commander"."""
        links = [link for link in reading.question.edge_values if link.mention == mention]
        options: list[tuple[bool, float, Bound]] = []
        for link in links:
            key, value = value_of(link.id)
            text = value if isinstance(value, str) else int(value)
            for route in self._attributes.of_edges(reading.types, [key], link.types):
                fit = float(relevance.explained(route.hops).sum())
                options.append((reading.is_of_own_edge(route), fit, Bound(route, "=", text, is_named=True)))
        if not options:
            return None
        _, _, bound = max(options, key=lambda option: (option[0], option[1]))
        return replace(reading.explaining(relevance, bound.route), bounds=(*reading.bounds, bound))

    def _with_own_bound(
        self, reading: Reading, relevance: Relevance, words: MeasureWords, own: OwnComparison
    ) -> Reading | None:
        found = [
            self._attributes.find(reading.types, words.matcher(said), range(len(said)), "number", deepest=0)
            for said in (own.words, own.than_words)
        ]
        routes = [item[0] for item in found if item is not None and item[1] >= _CALLED_SO]
        if len(routes) != 2 or routes[0] == routes[1]:
            return None
        bound = OwnBound(routes[0], own.comparator, routes[1])
        return replace(
            reading.explaining(relevance, routes[0]).explaining(relevance, routes[1]), own_bound=bound
        )

    def _with_name_bound(
        self, reading: Reading, relevance: Relevance, words: MeasureWords, compared: Seed
    ) -> Reading | None:
        than = reading.question.form.than
        if than is None:
            return reading
        route = self._measures.of_name_comparison(reading, relevance, words, than)
        if route is None:
            return None
        is_of_year = than.is_of_year and route.is_time
        is_against = runs_against_dates(self._schema, route, than.words)
        comparator = turned(than.comparator) if is_against else than.comparator
        bounds = (*reading.name_bounds, NameBound(route, comparator, compared, is_of_year))
        others_than = compared.nodes if than.is_same else ()
        reading = reading.explaining(relevance, route)
        explained = relevance.with_sharing(reading.explained) if than.is_same else reading.explained
        return replace(reading, name_bounds=bounds, others_than=others_than, explained=explained)

    def _with_absence(self, reading: Reading, relevance: Relevance) -> Reading | None:
        """What the nodes asked for must not have. A "not" that is not understood makes no reading: leaving it out would
        turn the question round."""
        if reading.excluded:
            return reading
        places = reading.open_places
        found = self._find(reading, relevance, places) if places else None
        denied = _behind_negation(reading)
        if found and denied and relevance.explained(found[0].hops)[denied].max() < _SPOKEN_OF:
            # "With id and name, have no manager" denies nobody an id.
            places = denied
            found = self._find(reading, relevance, denied) or found
        if found is None:
            return None
        if found[0].is_property and found[0].is_truth:
            return replace(
                reading.explaining(relevance, found[0]), bounds=(*reading.bounds, Bound(found[0], "=", False))
            )
        absent = self._to_anything(found[0], relevance, places)
        return replace(reading.explaining(relevance, found[0]), absent=(absent,))

    def _to_anything(
        self, route: AttributeRoute, relevance: Relevance, rows: Sequence[int]
    ) -> AttributeRoute:
        """The route to nodes of whatever type, where the relation's own name says what is meant: "without a product
        manager" means nobody, not no manager."""
        last = route.hops[-1]
        if last.is_property or last.end is None:
            return route
        by_relation = relevance.matcher.explained(self._schema.label_of(last.type))[rows].max()
        if by_relation < relevance.explained_by_type(last.end)[rows].max():
            return route
        return replace(route, hops=(*route.hops[:-1], replace(last, end=None)))

    # --- columns

    def _with_columns(self, reading: Reading, relevance: Relevance) -> Reading:
        """Explain what is still open by attributes of the nodes asked for: columns, or what they must have."""
        # From the nodes that the question names, routes have been followed: what is left are their values.
        stays = reading.target is None and all(not route.hops for route in reading.routes)
        is_listed = not reading.counts and not reading.is_yes_no and reading.figure is None
        if reading.is_yes_no or (not is_listed and reading.target is None):
            return reading
        tried: set[int] = set()
        while len(reading.columns) < _MOST_COLUMNS:
            places = [place for place in reading.open_places if place not in tried]
            if not places:
                break
            tried.add(places[0])
            if stays:
                found = self._attributes.find(reading.types, relevance.matcher, places[:1], "value")
                if found is not None and not self._is_called_so(found[0], relevance, places[0]):
                    continue
            else:
                found = self._find(reading, relevance, places[:1])
            if found is not None and _is_what_it_is_named_by(reading, found[0]):
                reading = reading.explaining(relevance, found[0])
            elif found is not None and found[0] not in reading.columns:
                reading = self._with_column(reading, relevance, found[0], places[0], is_listed=is_listed)
        return self._with_what_joins(reading, relevance) if is_listed and not reading.columns else reading

    def _with_what_joins(self, reading: Reading, relevance: Relevance) -> Reading:
        """Of an edge between two things that are named, and of which no more is asked, what it says: "how did Ada vote
        on the bill"."""
        if reading.target is not None or not reading.joins_what_is_named or reading.bounds:
            return reading
        routes = [
            route for route in self._attributes.of_edges(reading.types, ()) if reading.is_of_own_edge(route)
        ]
        keys = dict.fromkeys(route.hops[-1].type for route in routes)
        heard = {
            key: float(relevance.matcher.explained(self._schema.label_of(key)).max(initial=0.0))
            for key in keys
        }
        said = [key for key in keys if heard[key] >= OPEN and heard[key] == max(heard.values())]
        if len(said) != 1:
            return reading
        route = next(route for route in routes if route.hops[-1].type == said[0])
        return replace(reading.explaining(relevance, route), columns=(route,))

    def _is_called_so(self, route: AttributeRoute, relevance: Relevance, row: int) -> bool:
        """Whether a word speaks of the value itself, and not only of the way there."""
        own = self._measures.explained_by_end(route, relevance, [row])
        of_time = row in relevance.matcher.time_rows
        return len(route.hops) == 1 or of_time or bool(own.max(initial=0.0) >= _SPOKEN_OF)

    def _find(
        self, reading: Reading, relevance: Relevance, rows: Sequence[int]
    ) -> tuple[AttributeRoute, float] | None:
        """What some words speak of. Where they name a type, nothing is meant that lies beyond it."""
        best = self._attributes.find(reading.types, relevance.matcher, rows)
        named = reading.question.named_rows()
        types = [kind for kind, own in named.items() if set(own) & set(rows) and kind != reading.target]
        if best is None or not types:
            return best
        ends = frozenset(self._schema.with_subtypes(types))
        for deepest in range(len(best[0].hops) - 1):
            nearer = self._attributes.find(
                reading.types, relevance.matcher, rows, "nodes", ends=ends, deepest=deepest
            )
            if nearer is not None:
                return nearer
        return best

    def _with_column(
        self,
        reading: Reading,
        relevance: Relevance,
        route: AttributeRoute,
        place: int,
        *,
        is_listed: bool,
    ) -> Reading:
        explaining = reading.explaining(relevance, route)
        if route.is_property and route.is_truth and reading.target is not None:
            # "Which city is the capital?" asks for those of which it is true.
            return replace(explaining, bounds=(*reading.bounds, Bound(route, "=", True)))
        is_condition = not route.is_property and self._is_condition(reading, place)
        if not is_listed:
            if not is_condition:
                return reading
            return replace(explaining, present=(*reading.present, route))
        present = (*reading.present, route) if is_condition else reading.present
        return replace(explaining, present=present, columns=(*reading.columns, route))

    def _is_condition(self, reading: Reading, place: int) -> bool:
        """Whether a word behind the type asked for says what its nodes must have ("professors who lead a project"), and
        is not one more thing that is asked of them ("professors and their projects")."""
        question = reading.question
        named = question.named_rows().get(reading.target or "", [])
        if reading.target is None or not named or place < max(named):
            return False
        first, last = question.places[max(named)], question.places[place]
        form = question.form
        if question.is_verb_of_mention(last):
            return False
        clause = max((place for place in form.clause_places if first < place <= last), default=None)
        listing = max((place for place in form.listing_places if first < place <= last), default=None)
        if clause is None:
            return form.chooses and listing is None
        return listing is None or clause > listing


def _behind_negation(reading: Reading) -> list[int]:
    """The open words behind the "no": what is denied stands there as a rule."""
    no = reading.question.form.negation_place
    return [row for row in reading.open_places if no is not None and reading.question.places[row] > no]


def _is_what_it_is_named_by(reading: Reading, route: AttributeRoute) -> bool:
    """Whether the question gives this value itself: "which element has the symbol Fe" does not ask for the symbol."""
    values = [
        other.seed.value[0] for other in reading.routes if not other.hops and other.seed.value is not None
    ]
    return reading.target is not None and len(route.hops) == 1 and route.hops[0].type in values
