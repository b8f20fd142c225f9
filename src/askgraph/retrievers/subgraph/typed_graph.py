"""A graph as the selection works on it: one network of everything, one layer for each node type."""

from __future__ import annotations

import threading
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from ...algorithms import Network, TypedNetwork
from ...core.errors import SettingsError
from ...stores.base import GivesRows, GraphInRows
from .options import SubgraphOptions

Integers = NDArray[np.int64]
Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True, eq=False)
class NodeLayer:
    """The nodes of one type and the edges between them.

    Attributes:
        name: the type; empty for the layer of all nodes.
        network: its nodes are numbered in the order of ``rows``.
        rows: of its nodes in the graph, ascending.
        population: how many nodes of the type there are, where only a part of the graph is at hand.
    """

    name: str
    network: Network
    rows: Integers
    population: int | None = None

    def places(self, rows: Integers) -> Integers:
        """The numbers, within the layer, of those of these rows that it has."""
        if not len(self.rows):
            return np.empty(0, dtype=np.int64)
        found = np.minimum(np.searchsorted(self.rows, rows), len(self.rows) - 1)
        places: Integers = found[self.rows[found] == rows]
        return places


class TypedGraph:
    """Networks of a graph, made when they are first needed. Safe to use from several threads.

    Args:
        source: the graph in rows.
        options: layers and weights.
        populations: how many nodes of each type there are, and of all under the empty name, where ``source`` is only a
            part of a graph.
    """

    def __init__(
        self, source: GivesRows, options: SubgraphOptions, populations: Mapping[str, int] | None = None
    ) -> None:
        self._populations = populations or {}
        self.source = source
        self.in_rows: GraphInRows = source.graph_in_rows()
        self._options = options
        self._layers: dict[int, NodeLayer] = {}
        self._lock = threading.RLock()
        self._check_names()

    @property
    def layer_edge_types(self) -> Mapping[str, tuple[str, ...]]:
        """For a node type the edge types that its layer is made of, where not all are."""
        return self._options.layer_edge_types

    def _check_names(self) -> None:
        """That the options name only types that are there. Raises :class:`SettingsError`."""
        node_types, edge_types = set(self.in_rows.node_types), set(self.in_rows.edge_types)
        for kind, edges in self._options.layer_edge_types.items():
            if kind not in node_types:
                raise SettingsError(f"layer_edge_types: the graph has no node type {kind!r}")
            for edge_type in edges:
                if edge_type not in edge_types:
                    raise SettingsError(f"layer_edge_types: the graph has no edge type {edge_type!r}")
        for edge_type in self._options.edge_weights:
            if edge_type not in edge_types:
                raise SettingsError(f"edge_weights: the graph has no edge type {edge_type!r}")
        for pair in self._options.type_jumps:
            if not node_types.issuperset(pair):
                raise SettingsError(f"type_jumps: the graph has no node types {' and '.join(pair)}")

    @cached_property
    def network(self) -> Network:
        """All nodes and edges, those without a type among them; edges weighed where there are weights."""
        adjacency, weights = self.in_rows.adjacency, self._options.edge_weights
        if not weights:
            return Network.from_adjacency(adjacency)
        of_types = np.array([weights.get(name, 1.0) for name in self.in_rows.edge_types])
        sources = np.repeat(np.arange(adjacency.node_count), np.diff(adjacency.out_offsets))
        return Network.from_edges(
            adjacency.node_count, sources, adjacency.out_targets, of_types[adjacency.out_types]
        )

    @cached_property
    def walked(self) -> TypedNetwork:
        """The network of the random walk. Nodes without a type are one type more."""
        kinds = len(self.in_rows.node_types)
        types = np.where(self.in_rows.types_of_rows < 0, kinds, self.in_rows.types_of_rows)
        present = int(types.max(initial=-1)) + 1
        return TypedNetwork.of_node_types(self.network, types, type_jumps=self._type_jumps(present))

    def _type_jumps(self, kinds: int) -> Floats | None:
        """Equal jumps but for those that are set; what a column has left is spread over the rest of it."""
        given = self._options.type_jumps
        if not given:
            return None
        names = list(self.in_rows.node_types)
        jumps = np.full((kinds, kinds), np.nan)
        for (origin, to), share in given.items():
            place, other = names.index(origin), names.index(to)
            if place < kinds and other < kinds:
                jumps[other, place] = share
        for column in jumps.T:
            open_ = np.isnan(column)
            left = 1.0 - float(np.nansum(column))
            if left < -1e-9 or (not open_.any() and abs(left) > 1e-9):
                raise SettingsError("type_jumps: the probabilities of leaving a type add up to 1")
            column[open_] = max(left, 0.0) / max(int(open_.sum()), 1)
        return jumps

    def layer(self, type: int) -> NodeLayer:
        """The layer of a node type, by its place in the graph's types; -1: of the nodes that have no type."""
        with self._lock:
            if type not in self._layers:
                self._layers[type] = self._made(type)
            return self._layers[type]

    def _made(self, type: int) -> NodeLayer:
        name = self.in_rows.node_types[type] if type >= 0 else ""
        rows = np.flatnonzero(self.in_rows.types_of_rows == type)
        chosen = self._options.layer_edge_types.get(name)
        if chosen is None:
            return NodeLayer(
                name, _unweighted(self.network.induced(rows)), rows, self._population(name, rows)
            )
        codes = [self.in_rows.edge_types.index(edge_type) for edge_type in chosen]
        network = Network.from_adjacency(self.in_rows.adjacency, nodes=rows, edge_types=codes)
        return NodeLayer(name, network, rows, self._population(name, rows))

    def _population(self, name: str, rows: Integers) -> int | None:
        return max(self._populations[name], len(rows)) if name in self._populations else None

    @cached_property
    def whole(self) -> NodeLayer:
        """All nodes that have a type or an edge, as one layer."""
        degrees = self.network.degrees()
        rows = np.flatnonzero((degrees > 0) | (self.in_rows.types_of_rows >= 0))
        network = self.network if len(rows) == self.network.node_count else self.network.induced(rows)
        return NodeLayer("", _unweighted(network), rows, self._population("", rows))

    def edges_between(self, rows: Integers) -> Integers:
        """The numbers of the edges of which both ends are among these rows, ascending."""
        adjacency = self.in_rows.adjacency
        inside = np.zeros(adjacency.node_count, dtype=np.bool_)
        inside[rows] = True
        found = [np.empty(0, dtype=np.int64)]
        for row in np.sort(rows).tolist():
            first, last = int(adjacency.out_offsets[row]), int(adjacency.out_offsets[row + 1])
            found.append(first + np.flatnonzero(inside[adjacency.out_targets[first:last]]))
        return np.concatenate(found)


def _unweighted(network: Network) -> Network:
    """Modules are grown by links, however much each weighs."""
    return Network(network.offsets, network.neighbors, network.loops)
