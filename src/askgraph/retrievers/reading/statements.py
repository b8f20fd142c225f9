"""What a yes-or-no question about two things states: that one relation joins them.

Paths are found by going along the edges that there are. A statement may be false, and then there is nothing to go
along: what could join the two is read off the schema, and whether it does is left to the plan.
"""

from __future__ import annotations

from collections.abc import Iterator

from ...core.budget import Budget
from ...core.schema import Schema
from ...linking.schema_terms import HopKind
from ..hop_table import HopTable
from ..relevance import Relevance
from ..seeds import Seed
from .routes import Route, RouteFinder


class StatementFinder:
    """Finds what a question may state of two things."""

    def __init__(self, schema: Schema, table: HopTable, routes: RouteFinder) -> None:
        self._schema = schema
        self._table = table
        self._routes = routes

    def between(self, one: Seed, other: Seed, relevance: Relevance, budget: Budget) -> list[Route]:
        """A route of one hop from one thing for each relation that the schema allows between the two.

        Where the question does not say who does it to whom, either way will do. A question without a word of its own
        ("Is Ada in Rome?") states a relation only if there is one alone.
        """
        hops = list(self._hops(one, other, relevance))
        if not relevance.matcher.words and len({hop.type for hop in hops}) != 1:
            return []
        here = self._routes.here(one, relevance)
        return [self._routes.statement(here, hop, relevance, budget) for hop in hops]

    def _hops(self, one: Seed, other: Seed, relevance: Relevance) -> Iterator[HopKind]:
        near = set(self._table.near(other.types))
        start = one.types[0] if one.types else None
        for edge_type in self._schema.edge_types:
            ways: dict[bool, str] = {}
            for forward in (True, False):
                ends = [end for end in self._table.ends_of(edge_type.id, forward, one.types) if end in near]
                if ends:
                    ways[forward] = ends[0]
            if not ways:
                continue
            said = self._said(edge_type.label, one, other, relevance) if len(ways) > 1 else next(iter(ways))
            if said is None:
                yield HopKind(edge_type.id, True, start, ways[True], either=True)
            else:
                yield HopKind(edge_type.id, said, start, ways[said])

    def _said(self, label: str, one: Seed, other: Seed, relevance: Relevance) -> bool | None:
        """Whether the question says that the relation leads from the one to the other; ``None`` if it does not say."""
        if relevance.voice is None:
            return None
        forward = relevance.voice.is_forward(label, one.mention)
        backward = relevance.voice.is_forward(label, other.mention)
        if forward is not None and forward == backward:
            # "Do Ada and Charles work together?" says the same of both.
            return None
        if forward is not None:
            return forward
        return None if backward is None else not backward
