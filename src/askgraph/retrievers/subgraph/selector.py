"""Selects the part of a graph that some nodes are about: the steps of query-first subgraphs, in order.

From each linked node its neighbours of every type; within the layer of each type DIAMOnD from these, then C3 to connect
what they made; from everything a heterogeneous random walk with restart; at the end all edges between the chosen nodes.
Each step only adds, so that one selection holds four nested subgraphs.
"""

from __future__ import annotations

import threading
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

import numpy as np
from numpy.typing import NDArray

from ...algorithms import c3, diamond, walk_typed_network
from ...core.budget import Budget
from ...core.errors import UnknownSeedError
from ...core.graph import Edge
from ...core.run import Run
from ...core.schema import Schema
from ...core.values import Value
from ...core.words import quantity
from ...stores.base import GivesRows, GraphStore
from ..provenance import is_provenance, provenance_of
from .fetched import fetch_around
from .options import NESTED, Nested, SubgraphOptions
from .selection import AddedBy, SelectedEdge, SelectedNode, SubgraphSelection
from .typed_graph import NodeLayer, TypedGraph

Integers = NDArray[np.int64]

_ROUNDING: Final = 1e-10


@dataclass(slots=True)
class _Chosen:
    """A node on its way into the selection."""

    row: int
    step: AddedBy
    rank: int
    layer: str = ""
    p_value: float | None = None
    score: float | None = None
    ties: int = 1


@dataclass(slots=True)
class _Growing:
    """What has been chosen so far, in order, what has to be said, and which steps of DIAMOnD were measured."""

    chosen: dict[int, _Chosen] = field(default_factory=dict)
    notes: list[str] = field(default_factory=list)
    measured: list[str] = field(default_factory=list)

    def add(self, item: _Chosen) -> None:
        self.chosen.setdefault(item.row, item)

    def rows(self) -> Integers:
        return np.fromiter(self.chosen, dtype=np.int64, count=len(self.chosen))


class SubgraphSelector:
    """Selects subgraphs of one open graph. Safe to use from several threads; what is costly is made once.

    Args:
        store: the graph.
        schema: what it is made of.
        options: how subgraphs are grown.
    """

    def __init__(self, store: GraphStore, schema: Schema, options: SubgraphOptions | None = None) -> None:
        self._store = store
        self._schema = schema
        self._options = options or SubgraphOptions()
        self._whole: TypedGraph | None = None
        self._says_where: dict[str, bool] = {}
        self._lock = threading.Lock()

    def select(
        self,
        ids: Sequence[str],
        budget: Budget,
        run: Run,
        *,
        question: str = "",
        nested: Nested = "full",
    ) -> SubgraphSelection:
        """The subgraph around these nodes.

        Raises:
            UnknownSeedError: none of them is in the graph.
            SettingsError: the options name types that the graph does not have.
            DeadlineExceededError: the time is up.
        """
        with run.step("subgraph") as step:
            graph, notes = self._graph(ids, budget)
            growing = _Growing(notes=notes)
            seeds = self._seeds(graph, ids, growing)
            self._grow(graph, seeds, growing, nested, budget)
            selection = self._selection(graph, growing, question, nested, budget)
            step.note(
                nested=nested, edges=len(selection.edges), notes=list(selection.notes), **selection.counts()
            )
        return selection

    def graph(self) -> TypedGraph:
        """The networks of an embedded graph.

        Raises:
            UnknownSeedError: the graph is on a server, and only parts of it can be had.
        """
        if not isinstance(self._store, GivesRows):
            raise UnknownSeedError(
                "a graph on a server is fetched around given nodes only",
                advice="Load it into a graph folder.",
            )
        with self._lock:
            if self._whole is None:
                self._whole = TypedGraph(self._store, self._options)
            return self._whole

    def _graph(self, ids: Sequence[str], budget: Budget) -> tuple[TypedGraph, list[str]]:
        if isinstance(self._store, GivesRows):
            return self.graph(), []
        fetched = fetch_around(self._store, ids, self._options, budget)
        populations = {item.id: item.count for item in self._schema.node_types} | {
            "": self._schema.node_count
        }
        return TypedGraph(fetched.source, self._options, populations), list(fetched.notes)

    def _seeds(self, graph: TypedGraph, ids: Sequence[str], growing: _Growing) -> Integers:
        wanted = list(dict.fromkeys(ids))
        rows = graph.source.rows(wanted)
        missing = [id for id, row in zip(wanted, rows.tolist(), strict=True) if row < 0]
        if len(missing) == len(wanted):
            shown = ", ".join(map(repr, missing[:3]))
            raise UnknownSeedError(
                f"none of {quantity(len(wanted), 'node')} is in the graph" + (f": {shown}" if shown else ""),
                advice="Name something that the graph has; `askgraph link` shows what words are linked to.",
            )
        if missing:
            growing.notes.append(
                f"{quantity(len(missing), 'node')} not in the graph: {', '.join(missing[:5])}."
            )
        known = rows[rows >= 0]
        for rank, row in enumerate(known.tolist(), start=1):
            growing.add(_Chosen(row, "seed", rank, layer=self._type_of(graph, row)))
        return known

    def _grow(
        self, graph: TypedGraph, seeds: Integers, growing: _Growing, nested: Nested, budget: Budget
    ) -> None:
        steps = NESTED.index(nested)
        self._add_neighbours(graph, seeds, growing, budget)
        if steps >= NESTED.index("diamond"):
            layers = self._layers_of(graph, growing)
            for layer in layers:
                self._add_diamond(graph, layer, seeds, growing, budget)
            if growing.measured:
                growing.notes.append(
                    f"As measured on this graph, DIAMOnD adds at most {', '.join(growing.measured)}."
                )
            if steps >= NESTED.index("c3"):
                for layer in layers:
                    self._add_connectors(layer, growing, budget)
        if steps >= NESTED.index("full"):
            self._add_walked(graph, growing, budget)

    # --- the steps

    def _add_neighbours(self, graph: TypedGraph, seeds: Integers, growing: _Growing, budget: Budget) -> None:
        network, types = graph.network, graph.in_rows.types_of_rows
        chosen: dict[int, int] = {}
        scores: NDArray[np.float64] | None = None
        for seed in seeds.tolist():
            budget.check("reading neighbours")
            around = network.neighbors_of(seed)
            for kind in np.unique(types[around]).tolist():
                rows = around[types[around] == kind]
                if len(rows) > self._options.most_neighbours:
                    growing.notes.append(self._cut_note(graph, seed, kind, len(rows)))
                    if scores is None:
                        restart = self._options.restart
                        scores = walk_typed_network(
                            graph.walked, seeds, restart=restart, budget=budget
                        ).scores
                    rows = np.sort(_highest(scores, rows, self._options.most_neighbours))
                for row in rows.tolist():
                    chosen[row] = chosen.get(row, 0) + 1
        order = sorted(chosen, key=lambda row: (-chosen[row], int(types[row]), row))
        rank = 0
        for row in order:
            if row not in growing.chosen:
                rank += 1
                layer = self._type_of(graph, row)
                growing.add(_Chosen(row, "neighbours", rank, layer, score=float(chosen[row])))

    def _cut_note(self, graph: TypedGraph, seed: int, kind: int, count: int) -> str:
        name = next(iter(self._store.nodes(graph.source.ids(np.array([seed]))))).name
        label = self._label(graph.in_rows.node_types[kind]) if kind >= 0 else "node without a type"
        return (
            f"{name} has {quantity(count, 'neighbour')} of type {label}; the {self._options.most_neighbours:,} that "
            "a walk from the question's nodes reaches most were taken."
        )

    def _layers_of(self, graph: TypedGraph, growing: _Growing) -> list[NodeLayer]:
        """The layers of the chosen nodes; where none of them has an edge, all nodes as one layer."""
        types = np.unique(graph.in_rows.types_of_rows[growing.rows()]).tolist()
        layers = [graph.layer(kind) for kind in types]
        filled = [layer for layer in layers if layer.network.edge_count]
        if filled or not layers:
            empty = [
                self._label(layer.name) for layer in layers if not layer.network.edge_count and layer.name
            ]
            if empty:
                growing.notes.append(
                    f"No edges lie within these types, so no module grows there: {', '.join(empty)}."
                )
            return filled
        growing.notes.append(
            "No type has edges between its own nodes: modules were grown in the whole graph."
        )
        return [graph.whole]

    def _add_diamond(
        self, graph: TypedGraph, layer: NodeLayer, seeds: Integers, growing: _Growing, budget: Budget
    ) -> None:
        module = layer.places(growing.rows())
        seed_types = frozenset(self._type_of(graph, row) for row in seeds.tolist())
        steps, asked = self._options.steps_for(seed_types, layer.name)
        if asked is not None and (asked, layer.name) in self._options.measured_steps:
            growing.measured.append(
                f"{quantity(steps, 'node')} of {self._label(layer.name)} around {self._label(asked)}"
            )
        found = diamond(
            layer.network,
            module,
            steps=steps,
            alpha=self._options.diamond_alpha,
            population=layer.population,
            budget=budget,
        )
        limit = self._options.diamond_significance
        for rank, step in enumerate(found.steps, start=1):
            if limit is not None and step.p_value >= limit:
                break
            row = int(layer.rows[step.node])
            growing.add(
                _Chosen(row, "diamond", rank, self._type_of(graph, row), step.p_value, ties=step.ties)
            )

    def _add_connectors(self, layer: NodeLayer, growing: _Growing, budget: Budget) -> None:
        found = c3(
            layer.network,
            layer.places(growing.rows()),
            significance=self._options.c3_significance,
            most_nodes=self._options.c3_most_nodes,
            population=layer.population,
            budget=budget,
        )
        rank = 0
        for step in found.steps:
            for node in step.nodes:
                rank += 1
                row = int(layer.rows[node])
                growing.add(_Chosen(row, "c3", rank, layer.name, step.p_value, ties=step.ties))

    def _add_walked(self, graph: TypedGraph, growing: _Growing, budget: Budget) -> None:
        if not self._options.walk_nodes:
            return
        seeds = growing.rows()
        scores = walk_typed_network(graph.walked, seeds, restart=self._options.restart, budget=budget).scores
        others = np.flatnonzero(scores > 0)
        others = others[~np.isin(others, seeds)]
        reached = _highest(scores, others, self._options.walk_nodes)
        for rank, row in enumerate(reached.tolist(), start=1):
            growing.add(_Chosen(row, "walk", rank, self._type_of(graph, row), score=float(scores[row])))

    # --- what comes out

    def _selection(
        self, graph: TypedGraph, growing: _Growing, question: str, nested: Nested, budget: Budget
    ) -> SubgraphSelection:
        rows = growing.rows()
        ids = graph.source.ids(rows)
        budget.check("reading the nodes of a subgraph")
        nodes = {node.id: node for node in self._store.nodes(ids)}
        selected = tuple(
            SelectedNode(nodes[id], item.step, item.rank, item.layer, item.p_value, item.score, item.ties)
            for id, item in zip(ids, growing.chosen.values(), strict=True)
            if id in nodes
        )
        numbers = graph.edges_between(rows)
        if len(numbers) > self._options.most_edges:
            growing.notes.append(
                f"There are {len(numbers):,} edges between these nodes; {self._options.most_edges:,} are given, those "
                "between the nodes added first."
            )
            numbers = self._first_edges(graph, rows, numbers)
        budget.check("reading the edges of a subgraph")
        edges = tuple(
            SelectedEdge(edge, self._edge_label(edge.type), self._provenance(edge))
            for edge in graph.source.edges_at(numbers)
        )
        return SubgraphSelection(
            question,
            selected,
            edges,
            nested,
            tuple(growing.notes),
            self._options.to_dict(),
            self._store.capabilities.version,
        )

    def _first_edges(self, graph: TypedGraph, rows: Integers, numbers: Integers) -> Integers:
        """As many of these edges as allowed, between as few of the first nodes as possible."""
        adjacency = graph.in_rows.adjacency
        places = np.zeros(adjacency.node_count, dtype=np.int64)
        places[rows] = np.arange(len(rows))
        sources = np.searchsorted(adjacency.out_offsets, numbers, side="right") - 1
        needed = np.maximum(places[sources], places[adjacency.out_targets[numbers]])
        kept: Integers = np.sort(numbers[np.argsort(needed, kind="stable")[: self._options.most_edges]])
        return kept

    def _type_of(self, graph: TypedGraph, row: int) -> str:
        place = int(graph.in_rows.types_of_rows[row])
        return graph.in_rows.node_types[place] if place >= 0 else ""

    def _label(self, node_type: str) -> str:
        return self._schema.label_of(node_type) if self._schema.has_node_type(node_type) else node_type

    def _provenance(self, edge: Edge) -> Mapping[str, Value]:
        for key in edge.properties:
            if key not in self._says_where:
                self._says_where[key] = is_provenance(key)
        return provenance_of([edge]) if any(self._says_where[key] for key in edge.properties) else {}

    def _edge_label(self, edge_type: str) -> str:
        return self._schema.label_of(edge_type)


def _highest(scores: NDArray[np.float64], rows: Integers, most: int) -> Integers:
    """Of these rows, ascending, those of the highest scores, in order; of equal ones the first.

    Scores are rounded, so that what is equal but for the order of sums is told apart by the row alone.
    """
    if len(rows) > most > 0:
        # Only what may be among them is rounded and sorted.
        least = np.partition(scores[rows], -most)[-most]
        rows = rows[scores[rows] >= least * (1 - _ROUNDING)]
    chosen: Integers = rows[np.argsort(-_rounded(scores[rows]), kind="stable")[:most]]
    return chosen


def _rounded(scores: NDArray[np.float64]) -> NDArray[np.float64]:
    """Scores to twelve digits: the order of sums differs between machines, the order of nodes must not."""
    with np.errstate(divide="ignore"):
        size = np.where(scores > 0, np.floor(np.log10(np.where(scores > 0, scores, 1.0))), 0.0)
    scale = np.power(10.0, 11 - size)
    return np.asarray(np.round(scores * scale) / scale, dtype=np.float64)
