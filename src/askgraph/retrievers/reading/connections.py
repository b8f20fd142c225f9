"""The shortest path between two things, over edges of any type: what "is Ada connected to Charles?" asks for.

The search goes from both sides at once and widens the smaller side, a whole frontier in one batch, so that a path of
three edges costs a neighbourhood of two (bidirectional breadth-first search; Pohl, "Bi-directional Search", 1971).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from ...core.budget import Budget
from ...core.schema import Schema
from ...linking.schema_terms import HopKind
from ...stores.base import GraphStore, Neighbors
from ..path_scores import Score
from ..relevance import Relevance
from ..seeds import Seed
from .routes import Layer, Route

# Nodes of one side that are looked at, as a multiple of the budget's fan-out.
_WIDEST = 10


@dataclass(frozen=True, slots=True)
class _Arrival:
    """How a node was reached from one side: from which node, over which edge, and whether along it."""

    before: str
    edge: str
    type: str
    forward: bool


@dataclass
class _Side:
    """What is known from one side of the search."""

    frontier: list[str]
    reached: dict[str, _Arrival | None]
    depth: int = 0
    cut: dict[str, int] = field(default_factory=dict)

    @classmethod
    def at(cls, nodes: Sequence[str]) -> _Side:
        return cls(list(nodes), dict.fromkeys(nodes))

    def widen(self, store: GraphStore, budget: Budget) -> None:
        """Go one edge further, both ways over every type."""
        found = store.neighbors(self.frontier, "both", limit_per_node=budget.fan_out, budget=budget)
        self.cut.update(found.cut)
        further: dict[str, None] = {}
        for position, node in enumerate(found.nodes[:]):
            if node not in self.reached:
                self.reached[node] = _arrival(found, position, self.frontier)
                further[node] = None
        self.frontier = list(further)[: _WIDEST * budget.fan_out]
        self.depth += 1

    def way_from(self, node: str) -> list[tuple[str, _Arrival]]:
        """The nodes and edges from a node back to where this side began."""
        way = []
        here, arrival = node, self.reached[node]
        while arrival is not None:
            way.append((here, arrival))
            here, arrival = arrival.before, self.reached[arrival.before]
        return way


def _arrival(found: Neighbors, position: int, starts: Sequence[str]) -> _Arrival:
    return _Arrival(
        starts[int(found.origins[position])],
        found.edges[position],
        found.type_names[int(found.edge_types[position])],
        bool(found.forward[position]),
    )


class ConnectionFinder:
    """Finds the shortest path between two things of one graph."""

    def __init__(self, store: GraphStore, schema: Schema, *, max_hops: int) -> None:
        self._store = store
        self._schema = schema
        self._max_hops = max_hops

    def between(self, one: Seed, other: Seed, relevance: Relevance, budget: Budget) -> Route | None:
        """The route of a shortest path from the one to the other. Where there is none within the most hops allowed, one
        hop of any type, at whose end nothing is found; ``None`` where something was cut, so that nobody knows.

        Raises:
            DeadlineExceededError: the time was up.
        """
        near, far = _Side.at(one.nodes), _Side.at(other.nodes)
        met = _meeting(near, far)
        while met is None and near.depth + far.depth < self._max_hops:
            budget.check("looking for a connection")
            side = near if len(near.frontier) <= len(far.frontier) else far
            if not side.frontier:
                break
            side.widen(self._store, budget)
            met = _meeting(near, far)
        cut = {**near.cut, **far.cut}
        score = Score(relevance.nothing, 1.0, 0.0, 1)
        if met is None or not (near.depth or far.depth):
            hop = HopKind("", True, either=True)
            return None if cut else Route(one, (hop,), score, (), other.types)
        return self._route(one, _steps(near, far, met), score, cut)

    def halves(self, one: Seed, other: Seed, relevance: Relevance, budget: Budget) -> tuple[Route, ...]:
        """The shortest path from both sides, up to the last thing between the two; nothing where there is none, or
        nothing between."""
        whole = self.between(one, other, relevance, budget)
        if whole is None or len(whole.layers) < 2:
            return ()
        *before, last = whole.layers
        arrival = _arrival(last.hops, 0, last.starts)
        steps = [(layer.hops.nodes[0], _arrival(layer.hops, 0, layer.starts)) for layer in before]
        back = (arrival.before, _Arrival(whole.ends[0], arrival.edge, arrival.type, not arrival.forward))
        return (
            self._route(one, steps, whole.score, whole.cut),
            self._route(other, [back], whole.score, {}),
        )

    def _route(
        self, seed: Seed, steps: Sequence[tuple[str, _Arrival]], score: Score, cut: Mapping[str, int]
    ) -> Route:
        layers = tuple(self._layer(node, step) for node, step in steps)
        end = steps[-1][0]
        types = next((node.types for node in self._store.nodes([end])), ())
        return Route(seed, tuple(layer.kind for layer in layers), score, (end,), tuple(types), layers, cut)

    def _layer(self, node: str, step: _Arrival) -> Layer:
        hops = Neighbors(
            origins=np.zeros(1, dtype=np.int64),
            forward=np.array([step.forward]),
            edge_types=np.zeros(1, dtype=np.int64),
            type_names=(step.type,),
            nodes=[node],
            edges=[step.edge],
        )
        label = self._schema.label_of(step.type)
        return Layer(HopKind(step.type, step.forward), label, (step.before,), hops, {node: 0})


def _meeting(near: _Side, far: _Side) -> str | None:
    """A node that both sides have reached; of several the first in order of ids, so that it is always the same."""
    small, large = sorted((near.reached, far.reached), key=len)
    return min((node for node in small if node in large), default=None)


def _steps(near: _Side, far: _Side, met: str) -> list[tuple[str, _Arrival]]:
    """The path as nodes reached, each with the step that leads to it."""
    steps = list(reversed(near.way_from(met)))
    for node, arrival in far.way_from(met):
        # The far side was walked the other way round.
        steps.append((arrival.before, _Arrival(node, arrival.edge, arrival.type, not arrival.forward)))
    return steps
