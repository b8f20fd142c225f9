"""A subgraph that was selected for a question: plain data, in which each node knows the step that added it."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, Final, Literal

from ...core.graph import Edge, Node
from ...core.values import Value, to_json_value
from ...core.words import quantity
from .options import NESTED, Nested

AddedBy = Literal["seed", "neighbours", "diamond", "c3", "walk", "whole"]

STEPS_WITHIN: Final[Mapping[Nested, tuple[AddedBy, ...]]] = {
    "neighbours": ("seed", "neighbours"),
    "diamond": ("seed", "neighbours", "diamond"),
    "c3": ("seed", "neighbours", "diamond", "c3"),
    "full": ("seed", "neighbours", "diamond", "c3", "walk", "whole"),
}
"""Which steps' nodes each nested subgraph has."""


@dataclass(frozen=True, slots=True)
class SelectedNode:
    """A node, and why it is there.

    Attributes:
        node: with its names, types and properties.
        step: what added it; ``"seed"`` for a node that the question names, ``"whole"`` where nothing was selected.
        rank: its place among the nodes of its step, from 1; within a layer for DIAMOnD and C3.
        layer: the node type whose layer it was found in; empty where there is no layer.
        p_value: of DIAMOnD and C3.
        score: of the walk, and for neighbours the number of linked nodes that they are neighbours of.
        ties: of DIAMOnD and C3: how many candidates had the same p-value, itself among them.
    """

    node: Node
    step: AddedBy
    rank: int
    layer: str = ""
    p_value: float | None = None
    score: float | None = None
    ties: int = 1

    @property
    def id(self) -> str:
        """The node's id."""
        return self.node.id

    def to_dict(self) -> dict[str, Any]:
        """Strict JSON data."""
        return self.node.to_dict() | {
            "step": self.step,
            "rank": self.rank,
            "layer": self.layer,
            "p_value": self.p_value,
            "score": self.score,
            "ties": self.ties,
        }


@dataclass(frozen=True, slots=True)
class SelectedEdge:
    """An edge between two selected nodes, with what the graph says of where it comes from."""

    edge: Edge
    label: str
    provenance: Mapping[str, Value] = field(default_factory=dict)

    def to_dict(self) -> dict[str, Any]:
        """Strict JSON data."""
        return self.edge.to_dict() | {
            "label": self.label,
            "provenance": {key: to_json_value(value) for key, value in self.provenance.items()},
        }


@dataclass(frozen=True)
class SubgraphSelection:
    """The part of a graph that a question is about.

    Attributes:
        question: as asked; empty where only nodes were given.
        nodes: in the order of the steps, and of the ranks within each.
        edges: between these nodes, in the order of the graph.
        nested: how much of the selection this is.
        notes: what was capped, cut or guessed, in plain sentences.
        options: how it was grown, as JSON data.
        graph_version: of the graph that it comes from.
        is_of_whole_graph: whether the graph was not cut to a question: its nodes come from the reports on all of it.
    """

    question: str
    nodes: tuple[SelectedNode, ...]
    edges: tuple[SelectedEdge, ...]
    nested: Nested = "full"
    notes: tuple[str, ...] = ()
    options: Mapping[str, Any] = field(default_factory=dict)
    graph_version: str = ""
    is_of_whole_graph: bool = False

    @cached_property
    def by_id(self) -> dict[str, SelectedNode]:
        """The nodes by their ids."""
        return {item.id: item for item in self.nodes}

    @property
    def seeds(self) -> tuple[SelectedNode, ...]:
        """The nodes that the question names."""
        return tuple(item for item in self.nodes if item.step == "seed")

    def within(self, nested: Nested) -> SubgraphSelection:
        """One of the subgraphs nested in this one, or this one itself where it has no more.

        Raises:
            ValueError: there is no subgraph of that name.
        """
        steps = STEPS_WITHIN.get(nested)
        if steps is None:
            raise ValueError(f"there is no nested subgraph {nested!r}: there are {', '.join(NESTED)}")
        smaller = min(nested, self.nested, key=NESTED.index)
        nodes = tuple(item for item in self.nodes if item.step in steps)
        kept = {item.id for item in nodes}
        edges = tuple(item for item in self.edges if item.edge.source in kept and item.edge.target in kept)
        return replace(self, nodes=nodes, edges=edges, nested=smaller)

    def counts(self) -> dict[str, int]:
        """How many nodes each step added."""
        counts = dict.fromkeys(STEPS_WITHIN["full"], 0)
        for item in self.nodes:
            counts[item.step] += 1
        return {step: count for step, count in counts.items() if count}

    def to_dict(self) -> dict[str, Any]:
        """Strict JSON data."""
        return {
            "question": self.question,
            "nested": self.nested,
            "graph_version": self.graph_version,
            "options": dict(self.options),
            "counts": self.counts(),
            "nodes": [item.to_dict() for item in self.nodes],
            "edges": [item.to_dict() for item in self.edges],
            "notes": list(self.notes),
        }

    def to_json(self, *, indent: int | None = None) -> str:
        """Strict JSON text."""
        return json.dumps(self.to_dict(), ensure_ascii=False, allow_nan=False, indent=indent)

    def __repr__(self) -> str:
        """The selection in short."""
        counts = ", ".join(f"{count} {step}" for step, count in self.counts().items())
        return f"SubgraphSelection({self.nested}: {counts}; {quantity(len(self.edges), 'edge')})"

    def _repr_html_(self) -> str:
        """What a notebook shows: a table of the nodes, coloured by the step that added each."""
        from .selection_html import selection_to_html

        return selection_to_html(self)
