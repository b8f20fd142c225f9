"""The first facts of some routes: which triples to show, where not all can be.

The best route alone may lead to a thousand nodes. So each of the better routes first shows where it leads at all, by a
few of its ends with what the question asks of them; then the routes go on in turn, each better one with four times as
many ends as the next. Where several things are named, what is reached from two of them comes before all else; where the
most of something is asked for, what has the most of it comes first.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from decimal import Decimal
from itertools import islice
from typing import NamedTuple

from ...core.graph import Node
from ...core.schema import Schema
from ...core.values import display
from ...linking.language import Extreme
from ...stores.base import GraphStore
from ..relevance import Relevance
from .routes import Route

# Routes that show where they lead, by so many ends with so many of their properties each.
_SHOWN = 6
_ENDS_SHOWN = 1
_PROPERTIES_SHOWN = 4
# Ends that the best route shows in a turn, and how many ends a route may have.
_IN_A_TURN = 64
_MOST_ENDS = 2_000
# Of so many routes it is seen whether they meet; so many pairs are shown, with so many ends each.
_PAIRED = 60
_PAIRS = 3
_MET = 10
_EACH_HOP = 0.2
# A property that says so much of a word is asked for.
_SPOKEN_OF = 0.5


class Triple(NamedTuple):
    """A fact: an edge from a node to another, or a property of a node with its value as text."""

    subject: str
    predicate: str
    object: str


def facts_of_routes(
    store: GraphStore,
    schema: Schema,
    routes: Sequence[Route],
    relevance: Relevance,
    most: int,
    *,
    extreme: Extreme | None = None,
) -> list[Triple]:
    """At most ``most`` facts on the way of some routes and at their ends, the most telling first, without repeats.

    ``extreme``: which end of a scale the question asks for, if it does.
    """
    ordered = sorted(
        (route for route in routes if route.ends),
        key=lambda route: (-route.score.total, repr(route.hops), route.seed.nodes),
    )
    found: dict[Triple, None] = {}
    for fact in _Facts(store, schema, ordered, relevance, extreme):
        found[fact] = None
        if len(found) >= most:
            break
    return list(found)


class _Facts:
    """All facts of some routes, in the order in which they are worth showing."""

    def __init__(
        self,
        store: GraphStore,
        schema: Schema,
        routes: Sequence[Route],
        relevance: Relevance,
        extreme: Extreme | None,
    ) -> None:
        self._store = store
        self._schema = schema
        self._relevance = relevance
        self._routes = routes
        self._extreme = extreme
        self._ends = [self._in_order(_shared_first(route, routes)[:_MOST_ENDS], route) for route in routes]

    def __iter__(self) -> Iterator[Triple]:
        shown = list(zip(self._routes, self._ends, strict=True))[:_SHOWN]
        for route in self._routes:
            if not route.hops:
                yield from self._of(route, route.ends[:_SHOWN], _PROPERTIES_SHOWN)
        for one, other, shared in _meeting(self._routes):
            yield from self._of(one, shared, _PROPERTIES_SHOWN)
            yield from self._of(other, shared, 0)
        for route, ends in shown:
            yield from self._of(route, ends[:_ENDS_SHOWN], _PROPERTIES_SHOWN)
        places = [min(_ENDS_SHOWN, len(ends)) for ends in self._ends]
        while any(place < len(ends) for place, ends in zip(places, self._ends, strict=True)):
            for rank, (route, ends) in enumerate(zip(self._routes, self._ends, strict=True)):
                width = _IN_A_TURN >> 2 * rank if rank < 3 else 1
                yield from self._of(route, ends[places[rank] : places[rank] + width], 0)
                places[rank] += width
        for route, ends in zip(self._routes, self._ends, strict=True):
            yield from self._of(route, ends, _MOST_ENDS)

    def _in_order(self, ends: Sequence[str], route: Route) -> list[str]:
        """Ends in the order in which the question ranks them, or what they were reached by: "the supplier of the most
        reliable part"."""
        if self._extreme is None or not route.hops:
            return list(ends)
        reached_by = {end: (end, *route.path_to(end).node_ids[1:2]) for end in ends}
        nodes = {node.id: node for node in self._store.nodes(list(dict.fromkeys(
            id for own in reached_by.values() for id in own
        )))}  # fmt: skip
        sizes = {end: self._size([nodes[id] for id in own if id in nodes]) for end, own in reached_by.items()}
        sign = -1.0 if self._extreme == "most" else 1.0
        return sorted(ends, key=lambda end: math.inf if (size := sizes[end]) is None else sign * size)

    def _size(self, nodes: Sequence[Node]) -> float | None:
        """The number that the question speaks of most clearly, of the first of some nodes that has such."""
        for node in nodes:
            numbers = {
                key: float(value)
                for key, value in node.properties.items()
                if isinstance(value, int | float | Decimal) and not isinstance(value, bool)
            }
            spoken = {key: self._explained(key) for key in numbers}
            best = max(spoken, key=lambda key: (spoken[key], key), default=None)
            if best is not None and spoken[best] >= _SPOKEN_OF:
                return numbers[best]
        return None

    def _explained(self, key: str) -> float:
        return float(self._relevance.matcher.explained(self._schema.label_of(key)).max(initial=0.0))

    def _of(self, route: Route, ends: Sequence[str], properties: int) -> Iterator[Triple]:
        """The paths to some ends, and of each end the properties that the question speaks of, at least so many."""
        nodes = {node.id: node for node in self._store.nodes(list(ends))}
        for end in ends:
            path = route.path_to(end)
            here = path.start
            for hop in path.hops:
                yield Triple(here, hop.type, str(hop.target))
                here = str(hop.target)
            if properties:
                yield from self._names(nodes.get(end))
            yield from self._properties(nodes.get(end), route, properties)

    def _names(self, node: Node | None) -> Iterator[Triple]:
        for name in node.names[:1] if node is not None else ():
            if name.source:
                yield Triple(node.id if node is not None else "", name.source, name.text)

    def _properties(self, node: Node | None, route: Route, fewest: int) -> Iterator[Triple]:
        likeness = self._likeness(node, route) if node is not None else {}
        spoken = sum(like >= _SPOKEN_OF for like in likeness.values())
        for key in islice(
            sorted(likeness, key=lambda key: (-likeness[key], key)), max(fewest, min(spoken, 2))
        ):
            value = node.properties[key] if node is not None else None
            for item in value if isinstance(value, list) else [value]:
                yield Triple(node.id if node is not None else "", key, display(item))

    def _likeness(self, node: Node, route: Route) -> Mapping[str, float]:
        """How much each property of a node says of what the route to it leaves open."""
        left = 1.0 - route.score.explained
        return {
            key: float(
                (self._relevance.matcher.explained(self._schema.label_of(key)) * left).max(initial=0.0)
            )
            for key in node.properties
        }


def _meeting(routes: Sequence[Route]) -> list[tuple[Route, Route, list[str]]]:
    """The best pairs of routes from different things that meet, with where they do."""
    best = [route for route in routes if route.hops][:_PAIRED]
    found = []
    for place, one in enumerate(best):
        for other in best[place + 1 :]:
            shared = (
                [end for end in one.ends if end in other.end_set]
                if one.seed.nodes != other.seed.nodes
                else []
            )
            if shared:
                found.append((one, other, shared[:_MET]))
    return sorted(found, key=_cost_of_pair)[:_PAIRS]


def _cost_of_pair(pair: tuple[Route, Route, list[str]]) -> float:
    """What ranks pairs: the nearest that fit best first."""
    one, other, _ = pair
    return _EACH_HOP * (len(one.hops) + len(other.hops)) - one.score.total - other.score.total


def _shared_first(route: Route, routes: Sequence[Route]) -> list[str]:
    """The ends of a route, those first that routes from other things reach as well."""
    others = [other.end_set for other in routes if other.seed.nodes != route.seed.nodes]
    if not others:
        return list(route.ends)
    shared = {end for end in route.ends if any(end in ends for ends in others)}
    return [*(end for end in route.ends if end in shared), *(end for end in route.ends if end not in shared)]
