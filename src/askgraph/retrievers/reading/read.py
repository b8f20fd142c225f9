"""Reads a question: which nodes it asks for, from where they are reached, and what is asked of them.

Every reading is weighed by one rule: how much of the question's content words it explains, how near its relations are
in meaning, and how much it brings in of which the question does not speak.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from itertools import islice, product
from typing import TYPE_CHECKING

import numpy as np

from ...core.budget import Budget
from ...core.errors import DeadlineExceededError
from ...core.evidence import Mention
from ...core.schema import Schema
from ...linking.form import Form
from ...linking.linked_question import LinkedQuestion
from ...stores.base import GraphStore
from ..hop_table import HopTable
from ..path_scores import Score
from ..relevance import Relevance
from ..seeds import Seed, seeds_of
from .attributes import AttributeFinder
from .completion import Completer
from .connections import ConnectionFinder
from .measures import Measures, MeasureWords
from .reading import Reading
from .routes import ROUTES_KEPT, Route, RouteFinder
from .statements import StatementFinder
from .targets import Target, TargetFinder
from .two_things import DifferenceFinder
from .values import ValueReader

if TYPE_CHECKING:
    from numpy.typing import NDArray

# Of each mention the routes that fit best, and the short ones.
_SHORT_ROUTES_OF_A_MENTION = 12
_MOST_COMBINATIONS = 800
_COMPLETED = 16
_MOST_COLUMNS = 6
_DESCRIPTION = 0.30
_NO_TYPE_THOUGH_NAMED = 0.15
_LEFT_UNSAID = 0.10
# Conditions that nothing meets are seldom what is meant; but they may be, and then there is no answer.
_NOTHING_THERE = 0.05
_VERB_OF_VALUE = 0.6


class Reader:
    """Reads questions to one graph."""

    def __init__(self, store: GraphStore, schema: Schema, *, max_hops: int) -> None:
        self._store = store
        self._schema = schema
        self._table = table = HopTable(schema)
        self._routes = RouteFinder(store, schema, table, max_hops=max_hops)
        self._connections = ConnectionFinder(store, schema, max_hops=2 * max_hops)
        self._statements = StatementFinder(schema, table, self._routes)
        self._attributes = AttributeFinder(schema, table)
        self._targets = TargetFinder(schema, table)
        self._completer = Completer(schema, self._attributes)
        self._values = ValueReader(store, schema, self._attributes)
        self._differences = DifferenceFinder(schema, self._attributes, Measures(schema, self._attributes))

    def read(
        self, question: LinkedQuestion, relevance: Relevance, measures: MeasureWords, budget: Budget
    ) -> tuple[list[Reading], list[str]]:
        """The readings of a question, the best first, and what was left undone for want of time."""
        targets = self._targets.find(question, relevance)
        routes, notes = self._routes_by_mention(question, relevance, targets, budget)
        if question.form.difference is not None:
            differing = self._differences.read(question, relevance, measures, routes)
            return ([differing] if differing is not None else []), notes
        readings: list[Reading] = []
        compared = self._compared(question, routes)
        if compared is not None:
            others = {mention: found for mention, found in routes.items() if mention != compared.mention}
            readings = self._readings(question, relevance, measures, others, targets, budget, compared)
        than = question.form.than
        if compared is None or (not readings and than is not None and than.is_same):
            # What is the same may be something that both lead to, and no value of their own.
            readings = self._readings(question, relevance, measures, routes, targets, budget)
        described = self._description(question, relevance, routes)
        if described is not None:
            readings.insert(0, described)
        return sorted(readings, key=_order), notes

    def _readings(
        self,
        question: LinkedQuestion,
        relevance: Relevance,
        measures: MeasureWords,
        routes: Mapping[Mention, list[Route]],
        targets: Sequence[Target],
        budget: Budget,
        compared: Seed | None = None,
    ) -> list[Reading]:
        """Every reading that starts from some routes; ``compared`` is what the nodes asked for are compared with."""
        routes = _with_kinds_where_ranked(question, routes)
        bases = [
            self._asking_for(target, base)
            for target in self._of_what_is_compared(targets, compared)
            for base in self._bases(question, relevance, routes, target, compared)
        ]
        bases.extend(self._stated(question, relevance, routes, budget))
        bases.extend(self._common(question, relevance, routes, budget))
        bases.sort(key=_order)
        return [
            _without_what_is_left_unsaid(self._values.looked_up(done, relevance), relevance)
            for base in self._worth_completing(bases)
            if (done := self._completer.complete(base, relevance, measures, compared)) is not None
            and not done.says_nothing
        ]

    def _description(
        self, question: LinkedQuestion, relevance: Relevance, routes: Mapping[Mention, Sequence[Route]]
    ) -> Reading | None:
        """ "Who is Ada?" says nothing but a name: it asks for what is known of the node itself."""
        is_named_only = not (question.words or question.asked or question.edge_values)
        if not is_named_only or len(routes) != 1 or not question.form.asks_nothing:
            return None
        here = [route for route in next(iter(routes.values())) if not route.hops and route.seed.value is None]
        if not here:
            return None
        # Of things of several kinds that are called so each is told of.
        types = tuple(dict.fromkeys(kind for route in here for kind in route.end_types))
        nodes = tuple(dict.fromkeys(node for route in here for node in route.ends))
        attributes = self._attributes.properties(types)
        if not attributes:
            return None
        route = replace(
            here[0], seed=replace(here[0].seed, nodes=nodes, types=types), ends=nodes, end_types=types
        )
        return Reading(
            question,
            None,
            (route,),
            nodes,
            relevance.nothing,
            columns=tuple(attributes[:_MOST_COLUMNS]),
            prior=_DESCRIPTION,
        )

    def _worth_completing(self, bases: Sequence[Reading]) -> list[Reading]:
        """The best readings, and those that stay at the nodes named: what is asked of these is only found later."""
        staying = [base for base in bases[_COMPLETED:] if all(not route.hops for route in base.routes)]
        return [*bases[:_COMPLETED], *staying[:_COMPLETED]]

    def _stated(
        self,
        question: LinkedQuestion,
        relevance: Relevance,
        routes: Mapping[Mention, Sequence[Route]],
        budget: Budget,
    ) -> Iterable[Reading]:
        """Readings of a question about two things: that a relation joins them, or that any path does."""
        form = question.form
        if len(routes) != 2 or form.negated or not (form.is_yes_no or form.asks_connection):
            return
        one, other = ([route for route in found if not route.hops] for found in routes.values())
        unused = tuple(mention for mention in question.mentions if mention not in routes)
        for here, there in product(one, other):
            if here.seed.value is not None or (there.seed.value is not None and question.words):
                continue
            for used in self._joining(form, here, there, relevance, budget):
                words = relevance.nothing
                for route in used:
                    words = np.maximum(words, self._explained_by(question, route, relevance))
                yield Reading(question, None, used, _common_ends(used), words, unused=unused, states=True)

    def _joining(
        self, form: Form, here: Route, there: Route, relevance: Relevance, budget: Budget
    ) -> Iterable[tuple[Route, ...]]:
        if not form.asks_connection:
            for route in self._statements.between(here.seed, there.seed, relevance, budget):
                yield route, there
        elif form.is_yes_no:
            found = self._connections.between(here.seed, there.seed, relevance, budget)
            if found is not None:
                yield found, there
        else:
            halves = self._connections.halves(here.seed, there.seed, relevance, budget)
            if halves:
                yield halves

    def _common(
        self,
        question: LinkedQuestion,
        relevance: Relevance,
        routes: Mapping[Mention, Sequence[Route]],
        budget: Budget,
    ) -> Iterable[Reading]:
        """ "What do Ada and Charles have in common?": everything that stands beside each of them."""
        voice = relevance.voice
        if voice is None or not voice.asks_what_is_common or len(routes) < 2 or question.words:
            return
        score = Score(relevance.nothing, 1.0, 0.0, 1)
        staying = [[route for route in found if not route.hops] for found in routes.values()]
        for combination in islice(product(*staying), _SHORT_ROUTES_OF_A_MENTION):
            used = tuple(self._routes.any_hop(here, score, budget) for here in combination)
            ends = _common_ends(used)
            if ends:
                yield Reading(question, None, used, ends, relevance.nothing)

    # --- what the question names

    def _routes_by_mention(
        self, question: LinkedQuestion, relevance: Relevance, targets: Sequence[Target], budget: Budget
    ) -> tuple[dict[Mention, list[Route]], list[str]]:
        types = [link.id for link in question.asked] + [target.type for target in targets if target.type]
        asked = frozenset(self._schema.with_subtypes(types))
        routes: dict[Mention, list[Route]] = {}
        try:
            is_only = len(question.mentions) == 1
            seeds = seeds_of(question, self._store, budget)
            wanted = self._wanted_ends(question, targets, seeds)
            for seed in seeds:
                found = self._routes.from_seed(
                    seed, relevance, asked, budget, wanted=wanted, is_only_mention=is_only
                )
                routes.setdefault(seed.mention, []).extend(found)
        except DeadlineExceededError:
            if not routes:
                raise
            return routes, [f"The time of {budget.seconds:g} s was up before every path was followed."]
        return routes, []

    def _wanted_ends(
        self, question: LinkedQuestion, targets: Sequence[Target], seeds: Sequence[Seed]
    ) -> list[frozenset[str] | None]:
        """The types, with their subtypes, of which the nodes asked for may be; ``None``: any."""
        types = dict.fromkeys(target.type for target in targets)
        if question.form.than is not None:
            types.update(dict.fromkeys(kind for seed in seeds for kind in seed.types[:1]))
        return [self._with_subtypes(kind) for kind in types]

    def _with_subtypes(self, kind: str | None) -> frozenset[str] | None:
        return frozenset(self._schema.subtypes(kind)) if kind is not None else None

    def _compared(self, question: LinkedQuestion, routes: Mapping[Mention, Sequence[Route]]) -> Seed | None:
        """What the nodes asked for are compared with: "the Iron Duke" in "ships heavier than the Iron Duke"."""
        than = question.form.than
        if than is None:
            return None
        start = question.question.words[than.place].start
        beginning = [mention for mention in routes if mention.start <= start < mention.end]
        staying = [route for mention in beginning for route in routes[mention] if not route.hops]
        return staying[0].seed if staying else None

    def _of_what_is_compared(self, targets: Sequence[Target], compared: Seed | None) -> Sequence[Target]:
        """ "Who is older than Ada?" asks for things of her kind, where it names no other."""
        if compared is None or any(target.type is not None for target in targets):
            return targets
        return [*targets, *(Target(kind) for kind in compared.types[:1])]

    def _asking_for(self, target: Target, base: Reading) -> Reading:
        # What the routes lead over need not be asked for once more.
        followed = {hop.type for route in base.routes for hop in route.hops}
        return replace(
            base,
            present=tuple(item for item in target.present if item.hops[0].type not in followed),
            grouped_by=target.grouped_by,
            is_group=target.is_group,
            prior=base.prior - target.handicap,
        )

    def _bases(
        self,
        question: LinkedQuestion,
        relevance: Relevance,
        routes: Mapping[Mention, Sequence[Route]],
        asked: Target,
        compared: Seed | None,
    ) -> Iterable[Reading]:
        """Readings that say which nodes are asked for, and nothing yet of what is asked of them."""
        target = asked.type
        wanted = self._with_subtypes(target)
        denied = self._denied_mention(question, routes)
        if denied is not None:
            yield from self._without(question, relevance, routes, denied, target)
            return
        if question.form.is_yes_no and target is not None and self._asks_only_for_type(question, routes):
            # "Is Ada an author?" is about Ada herself, whatever else leads from her to authors.
            (routes_of_it,) = routes.values()
            own = tuple(route for route in routes_of_it if not route.hops)
            yield Reading(question, target, own[:1], own[0].ends, relevance.nothing + 1.0)
            return
        options = [self._options(routes[mention], wanted) for mention in routes]
        known = {*routes, *([compared.mention] if compared is not None else [])}
        unused = tuple(mention for mention in question.mentions if mention not in known)
        explained = relevance.explained_by_type(target) if target is not None else relevance.nothing
        prior = -_NO_TYPE_THOUGH_NAMED if target is None and question.asked else 0.0
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
            is_met = bool(ends) or (question.form.is_yes_no and not question.form.asks_connection)
            may_be_empty = not question.form.asks_connection and self._could_meet(used)
            if not used or not (is_met or may_be_empty):
                continue
            words = explained
            for route in used:
                words = np.maximum(words, self._explained_by(question, route, relevance))
            yield Reading(
                question,
                target,
                used,
                ends,
                words,
                prior=prior - (0.0 if is_met else _NOTHING_THERE),
                unused=(*unused, *left_out),
            )

    def _could_meet(self, routes: Sequence[Route]) -> bool:
        """Whether routes that do not meet end at least at nodes of one kind."""
        kinds = [frozenset(self._table.near(route.end_types)) for route in routes]
        return bool(kinds) and bool(frozenset.intersection(*kinds))

    def _asks_only_for_type(
        self, question: LinkedQuestion, routes: Mapping[Mention, Sequence[Route]]
    ) -> bool:
        """Whether only the name of a type stands behind the one thing that is named: "Is Ada an author?"."""
        named = {row for rows in question.named_rows().values() for row in rows}
        if len(routes) != 1 or len(named) != len(question.words):
            return False
        (mention,) = routes
        return all(mention.start < link.mention.start for link in question.asked)

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
        target: str | None,
    ) -> Iterable[Reading]:
        """Readings for the nodes of a type, or of those that other routes lead to, that a route from the denied mention
        does not reach."""
        wanted = self._with_subtypes(target)
        explained = relevance.explained_by_type(target) if target is not None else relevance.nothing
        others = [mention for mention in routes if mention != denied]
        options = self._options(routes[denied], wanted)
        own = [
            route
            for route in options
            if route is not None and not route.hops and route.seed.value is not None
        ]
        denying = [
            route
            for route in own or options
            if route is not None and (route.hops or route.seed.value is not None)
        ]
        choices = [self._options(routes[mention], wanted) for mention in others]
        pairs = ((route, combination) for combination in product(*choices) for route in denying)
        for route, combination in islice(pairs, _MOST_COMBINATIONS):
            used = tuple(other for other in combination if other is not None)
            ends = _common_ends(used)
            if not ends and (used or target is None):
                continue
            if target is None and not self._could_meet((*used, route)):
                continue
            left_out = [mention for mention, other in zip(others, combination, strict=True) if other is None]
            words = np.maximum(explained, self._explained_by(question, route, relevance))
            for other in used:
                words = np.maximum(words, self._explained_by(question, other, relevance))
            yield Reading(
                question,
                target,
                used,
                ends if used else None,
                words,
                excluded=(route,),
                unused=tuple(left_out),
            )

    def _explained_by(
        self, question: LinkedQuestion, route: Route, relevance: Relevance
    ) -> NDArray[np.float64]:
        """What a route explains: its own words, and what its seed is said to be ("the Marketing department")."""
        explained = route.score.explained
        for kind in route.seed.types[:3]:
            explained = np.maximum(explained, relevance.explained_by_type(kind))
        if route.seed.value is not None:
            label = self._schema.label_of(route.seed.value[0])
            explained = np.maximum(explained, relevance.matcher.explained(label))
            row = question.row_before(route.seed.mention)
            if row is not None and not route.hops:
                # "Servers run Debian": the verb joins what has a value with the value, however the graph calls that.
                explained[row] = max(explained[row], _VERB_OF_VALUE)
        return explained

    def _options(self, routes: Sequence[Route], wanted: frozenset[str] | None) -> list[Route | None]:
        fitting = [route for route in routes if self._fits(route, wanted)]
        ordered = sorted(fitting, key=lambda route: (-route.score.total * route.seed.score, repr(route.hops)))
        zero = [route for route in fitting if not route.hops]
        best = [route for route in ordered if route.hops][:ROUTES_KEPT]
        short = [
            route for route in ordered if len(route.hops) == 1 and all(route is not other for other in best)
        ]
        return [*best, *short[:_SHORT_ROUTES_OF_A_MENTION], *zero, None]

    def _fits(self, route: Route, wanted: frozenset[str] | None) -> bool:
        return wanted is None or any(kind in wanted for kind in route.end_types)


def _with_kinds_where_ranked(
    question: LinkedQuestion, routes: Mapping[Mention, list[Route]]
) -> dict[Mention, list[Route]]:
    """The routes; where a superlative stands before a name that several things have, those from the one with the most
    around it: "the cheapest encoder" is one of those of the category, not a product that is just called Encoder."""
    ranked = question.ranked
    return {
        mention: _of_most_around(found) if mention == ranked else found for mention, found in routes.items()
    }


def _of_most_around(routes: list[Route]) -> list[Route]:
    around: dict[tuple[str, ...], int] = {}
    for route in routes:
        reached = len(route.ends) if len(route.hops) == 1 and route.seed.value is None else 0
        around[route.seed.nodes] = max(around.get(route.seed.nodes, 0), reached)
    most = max(around, key=lambda nodes: (around[nodes], nodes))
    return [route for route in routes if route.seed.nodes == most] if around[most] > 1 else routes


def _without_what_is_left_unsaid(reading: Reading, relevance: Relevance) -> Reading:
    """The reading, the lower the more the question says of relations beyond what the reading follows."""
    routes = [hop for route in (*reading.routes, *reading.excluded) for hop in route.hops]
    others = [hop for attribute in reading.attributes for hop in attribute.hops]
    left = relevance.left_unsaid([*routes, *others])
    return replace(reading, prior=reading.prior - _LEFT_UNSAID * left) if left else reading


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
