"""A reading: one way to understand a question in terms of a graph, ready to become a plan."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from ...core.evidence import Mention
from ...core.plan import AggregateFunction, Comparator
from ...linking.comparisons import Period
from ...linking.linked_question import LinkedQuestion
from ...linking.schema_terms import is_turn
from ..hop_table import AttributeRoute
from ..path_scores import FURTHER_HOP, MEANING, STRAY, TURN, WORDS
from ..relevance import Relevance
from ..seeds import Seed
from .routes import Route

if TYPE_CHECKING:
    from numpy.typing import NDArray

OPEN = 0.5
"""A word that is explained less than this is still open."""
_UNUSED_MENTION = 0.20
# What is asked of the things themselves that are named is as near in meaning as a route of this likeness.
_AT_ONCE = 0.5
# What else is named and tells which of several things of one name is meant.
_DECIDES = 0.10
# Of more nodes than this nobody looks where they were reached from.
_MOST_TRACED = 200
_COLUMN = 0.02
# "genes that interact with genes associated with X" asks for a second hop, not for a column of the first genes.
_COLUMN_OF_NODES = 0.10


@dataclass(frozen=True, slots=True)
class Bound:
    """A condition on a property of the asked nodes or of an edge of theirs, or on how many of something they have
    (``route`` ends in nodes). ``is_named``: the value is one that the question names, and no quantity."""

    route: AttributeRoute
    comparator: Comparator
    number: int | float | bool | str | Period
    is_named: bool = False


@dataclass(frozen=True, slots=True)
class NameBound:
    """A condition on a property of the asked nodes by what the nodes of ``seed`` have of it; ``is_of_year``: by the
    year of it."""

    route: AttributeRoute
    comparator: Comparator
    seed: Seed
    is_of_year: bool = False


@dataclass(frozen=True, slots=True)
class OwnBound:
    """A condition on a property of the asked nodes by another of theirs."""

    route: AttributeRoute
    comparator: Comparator
    than: AttributeRoute


@dataclass(frozen=True, slots=True)
class Scale:
    """An order by a property of the asked nodes, by how many of something they have, or (``route`` is ``None``) by the
    figure that is made for each; the first ``limit`` after ``skip``, or the first ``share`` of all."""

    route: AttributeRoute | None
    descending: bool
    limit: int
    skip: int = 0
    share: float | None = None


@dataclass(frozen=True, slots=True)
class Figure:
    """A figure made of what an attribute leads to; of the nodes asked for themselves where ``route`` is ``None``.

    Attributes:
        function: what is made of them.
        route: leads to them.
        is_each: there is one figure for each node asked for (or each group of these), not one for all.
        of_counts: it is made of how many each node has ("the average number of ships of a company").
    """

    function: AggregateFunction
    route: AttributeRoute | None
    is_each: bool = False
    of_counts: bool = False


@dataclass(frozen=True)
class Reading:
    """One way to understand a question.

    Attributes:
        question: the question.
        target: the type of the nodes asked for, or ``None`` where only the routes say what they are.
        routes: from each mention that is used to the nodes asked for.
        ends: the nodes that all routes reach; ``None``: all nodes of ``target``.
        bounds: conditions on them.
        name_bounds: conditions by what something named has.
        own_bound: a condition on one property by another.
        scale: the order of which the first are asked for.
        present: what they must have.
        absent: what they must not have.
        excluded: routes by which they must not be reached.
        columns: what is asked of each.
        grouped_by: the property by whose values they are grouped or listed; the values stand in their place.
        is_group: what is asked is asked for each of them, or for each value by which they are grouped.
        counts: their number is asked for.
        is_yes_no: whether there are any is asked.
        explained: for each content word how much of it the reading explains, 0 to 1.
        figure: a figure that is asked for.
        prior: what speaks for or against the reading before its words are weighed.
        unused: mentions that no route starts from.
        states: it is the statement that one relation joins two things.
        others_than: nodes that are not meant, though they are such: those that others are compared with.
        share: the part that they are of all nodes of the type is asked for, times this.
        difference: the nodes between which a difference is asked for, in what ``columns`` or ``figure`` is of each:
            those from which, and those which are taken away.
        unlike_asked: how unlike what its question word asks for ("who": a person) the answer is, 0 to 1.
        attribute_stray: of the attribute that fits worst, the share of its label's words that the question does not
            speak of, 0 to 1.
    """

    question: LinkedQuestion
    target: str | None
    routes: tuple[Route, ...]
    ends: tuple[str, ...] | None
    explained: NDArray[np.float64]
    bounds: tuple[Bound, ...] = ()
    name_bounds: tuple[NameBound, ...] = ()
    own_bound: OwnBound | None = None
    scale: Scale | None = None
    present: tuple[AttributeRoute, ...] = ()
    absent: tuple[AttributeRoute, ...] = ()
    excluded: tuple[Route, ...] = ()
    columns: tuple[AttributeRoute, ...] = ()
    grouped_by: AttributeRoute | None = None
    is_group: bool = False
    counts: bool = False
    is_yes_no: bool = False
    figure: Figure | None = None
    prior: float = 0.0
    unused: tuple[Mention, ...] = ()
    states: bool = False
    attribute_stray: float = 0.0
    others_than: tuple[str, ...] = ()
    share: int | None = None
    difference: tuple[tuple[str, ...], tuple[str, ...]] | None = None
    unlike_asked: float = 0.0

    @property
    def types(self) -> tuple[str, ...]:
        """The types of the nodes asked for, as far as they are known."""
        if self.target is not None:
            return (self.target,)
        return next((route.end_types for route in self.routes if route.end_types), ())

    @property
    def attributes(self) -> tuple[AttributeRoute, ...]:
        """Every route over the schema that the reading uses."""
        bounds = [bound.route for bound in self.bounds] + [bound.route for bound in self.name_bounds]
        own = [*bounds, *self.present, *self.absent, *self.columns]
        own += [self.own_bound.route, self.own_bound.than] if self.own_bound is not None else []
        scale = self.scale.route if self.scale is not None else None
        figure = self.figure.route if self.figure is not None else None
        own += [route for route in (scale, self.grouped_by, figure) if route is not None]
        return tuple(dict.fromkeys(own))

    @property
    def share_explained(self) -> float:
        """The share of the question's content words that the reading explains."""
        return float(self.explained.mean()) if len(self.explained) else 1.0

    @property
    def is_worked_out_of_rows(self) -> bool:
        """Whether what is asked is made of the rows of a plan: of nodes that are told apart by how many of something
        they have, the number; of numbers for each, their average."""
        counts_groups = self.counts and any(not bound.route.is_property for bound in self.bounds)
        return (
            counts_groups
            or self.difference is not None
            or (self.figure is not None and self.figure.of_counts)
        )

    @property
    def leaves_out_those_without(self) -> bool:
        """Whether a figure is given for each node of a type, so that those of which there is none are not seen."""
        is_each = self.figure is not None and self.figure.is_each and self.figure.route is not None
        narrowed = any(
            (self.routes, self.excluded, self.bounds, self.name_bounds, self.own_bound, self.absent)
        )
        return is_each and not narrowed and self.grouped_by is None and self.scale is None

    @property
    def open_places(self) -> list[int]:
        """The rows of the content words that it does not explain."""
        return [row for row, share in enumerate(self.explained) if share < OPEN]

    @property
    def silent_hops(self) -> int:
        """Hops of its routes of which no word of the question speaks, beyond the first of each route."""
        return sum(max(0, route.score.silent - 1) for route in self.routes)

    @property
    def says_nothing(self) -> bool:
        """Whether it gives back no more than the question named."""
        conditions = (self.bounds, self.name_bounds, self.own_bound, self.present, self.absent)
        asks = any(conditions) or any((self.columns, self.scale, self.counts, self.figure))
        named = [route for route in self.routes if not route.hops and route.seed.value is None]
        if self.is_yes_no or self.excluded or self.difference or not named:
            return False
        if self.scale or self.counts or self.figure:
            # One node is no choice: the most expensive of "Oscillator", the category, says nothing.
            return any(len(route.seed.nodes) == 1 for route in named)
        if asks and (self.columns or any(len(route.seed.nodes) > 1 for route in named)):
            return False
        return self.target is None or any(len(route.seed.nodes) == 1 for route in named)

    @property
    def _turns(self) -> int:
        """How many of its attributes go back over the edge type by which a route came to the nodes asked for."""
        last = [route.hops[-1] for route in self.routes if route.hops]
        turning = [item for item in self.attributes if item.hops and not item.of_edge]
        return sum(any(is_turn(hop, item.hops[0]) for hop in last) for item in turning)

    @property
    def joins_what_is_named(self) -> bool:
        """Whether it stays at something named to which a route leads from something else that is named."""
        named = [not route.hops and route.seed.value is None for route in self.routes]
        return any(named) and not all(named)

    def is_of_own_edge(self, attribute: AttributeRoute) -> bool:
        """Whether an attribute is of the edge by which a route came to the nodes asked for."""
        hop = attribute.hops[0]
        arriving = {route.hops[-1].type for route in self.routes if route.hops}
        return attribute.of_edge and hop.type in arriving

    def further_hops(self, attribute: AttributeRoute) -> int:
        """Over how many edges an attribute leads beyond those by which the nodes asked for were reached."""
        return len(attribute.hops) - 1 - self.is_of_own_edge(attribute)

    @property
    def total(self) -> float:
        """What ranks the readings of one question."""
        routes = [route.score for route in (*self.routes, *self.excluded) if route.hops]
        meaning = (
            float(np.mean([score.meaning for score in routes])) if routes else _AT_ONCE * self.share_explained
        )
        stray = float(np.mean([score.stray for score in routes])) if routes else 0.0
        far = sum(map(self.further_hops, self.attributes)) + len(self.present)
        linked = float(np.mean([route.seed.score for route in self.routes])) if self.routes else 1.0
        total = -sum(score.cost for score in routes) - TURN * self._turns
        total += WORDS * self.share_explained + MEANING * meaning - STRAY * stray - FURTHER_HOP * far
        total += self.prior - sum(
            _COLUMN
            if column.is_property or (column in self.present and not self.routes)
            else _COLUMN_OF_NODES
            for column in self.columns
        )
        total += _DECIDES * any(self._is_decided(route) for route in self.routes)
        return total * linked - _UNUSED_MENTION * len(self.unused)

    def _is_decided(self, route: Route) -> bool:
        """Whether a route stays at things of one name, of which something is asked; another reaches some of them."""
        if route.hops or route.seed.value is not None or len(self.routes) == 1:
            return False
        if not self.columns or (self.target is None and self.question.asked):
            return False
        return 0 < len(frozenset(self.ends or ()).intersection(route.seed.nodes)) < len(route.seed.nodes)

    def meant(self, mention: Mention) -> frozenset[str] | None:
        """Those of the nodes that a mention names from which the nodes asked for are reached; ``None`` if the reading
        makes no use of the mention, or too many nodes are asked for."""
        ends = self.ends or ()
        routes = [route for route in self.routes if route.seed.mention == mention]
        if not routes or not ends or len(ends) > _MOST_TRACED:
            return None
        return frozenset(route.path_to(end).start for route in routes for end in ends if end in route.end_set)

    def explaining(self, relevance: Relevance, attribute: AttributeRoute) -> Reading:
        """The reading with the words that an attribute explains explained."""
        label = relevance.label_of(attribute.hops[-1])
        explained = np.maximum(self.explained, relevance.explained(attribute.hops))
        if attribute.is_time or attribute.has_years:
            explained[relevance.matcher.time_rows] = 1.0
        stray = max(self.attribute_stray, relevance.matcher.stray(label))
        return replace(self, explained=explained, attribute_stray=stray)
