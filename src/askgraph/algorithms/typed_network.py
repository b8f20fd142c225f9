"""Networks of several types of nodes: within each type one layer of edges or more, between types bipartite edges.

The matrix is that of A. Baptista, A. Gonzalez, A. Baudot, "Universal multilayer network exploration by random walk with
restart", Communications Physics 5, 2022, "Methods", with its defaults. Two things are done otherwise: a node without
an edge inside its type stays in the network (the authors' program drops it), and unknown seeds are an error of their
own.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..core.errors import AlgorithmError
from .network import Network, row_ranges, weight_sums
from .transition import Transition

Integers = NDArray[np.int64]
Floats = NDArray[np.float64]

DEFAULT_LAYER_JUMP: Final = 0.5
"""The weight of staying at a node and changing its layer (MultiXrank's delta)."""

_ROUNDING: Final = 1e-9


@dataclass(frozen=True, slots=True, eq=False)
class Multiplex:
    """All nodes of one type, with their layers of edges.

    Attributes:
        layers: networks over the same nodes.
        layer_jump: MultiXrank's delta, 0 to 1; without meaning for one layer.
        layer_shares: of the restarts, for each layer (MultiXrank's tau); equal ones otherwise.
    """

    layers: tuple[Network, ...]
    layer_jump: float = DEFAULT_LAYER_JUMP
    layer_shares: tuple[float, ...] | None = None

    @property
    def node_count(self) -> int:
        """How many nodes the type has."""
        return self.layers[0].node_count


@dataclass(frozen=True, slots=True, eq=False)
class Bipartite:
    """Edges between nodes of two types, walked both ways.

    Attributes:
        types: the places of the two types among the multiplexes.
        sources: numbers of nodes within the first type, shape ``(edges)``.
        targets: numbers of nodes within the second type.
        weights: of the edges; ``None``: 1 each.
    """

    types: tuple[int, int]
    sources: ArrayLike
    targets: ArrayLike
    weights: ArrayLike | None = None


@dataclass(frozen=True, slots=True, eq=False)
class TypedNetwork:
    """What a walk on typed layers needs.

    A walker stands at a node in a layer: a place. Nodes are numbered through all types.

    Attributes:
        transition: between places.
        node_types: the type of each node, shape ``(nodes)``.
        nodes_of_places: shape ``(places)``.
        layer_shares: for each place which share of its node's restarts begins there.
        type_count: how many types there are.
    """

    transition: Transition
    node_types: Integers
    nodes_of_places: Integers
    layer_shares: Floats
    type_count: int

    @classmethod
    def of_node_types(
        cls, network: Network, node_types: ArrayLike, *, type_jumps: ArrayLike | None = None
    ) -> TypedNetwork:
        """A network whose edges lie within or between types as their ends do.

        Args:
            network: all nodes and edges.
            node_types: for each node its type, a whole number from 0.
            type_jumps: MultiXrank's lambda: ``type_jumps[to, from]`` is the probability of going from a type to a type,
                where there is a way; each column adds up to 1. Equal ones otherwise.

        Raises:
            AlgorithmError: the arrays do not fit.
        """
        types = np.asarray(node_types, dtype=np.int64)
        count = network.node_count
        if types.shape != (count,):
            raise AlgorithmError(f"there are {count} nodes and types of shape {types.shape}")
        kinds = int(types.max(initial=-1)) + 1
        jumps = _checked_jumps(type_jumps, kinds)
        transition = _transition(network.offsets, network.neighbors, network.weights, types, jumps)
        return cls(transition, types, np.arange(count), np.ones(count), kinds)

    @classmethod
    def of_multiplexes(
        cls,
        multiplexes: Sequence[Multiplex],
        bipartites: Sequence[Bipartite] = (),
        *,
        type_jumps: ArrayLike | None = None,
    ) -> TypedNetwork:
        """A network of multiplexes; nodes are numbered type after type (:meth:`number`).

        Raises:
            AlgorithmError: there is no type, layers differ in their nodes, or a parameter is out of range.
        """
        _check_multiplexes(multiplexes)
        jumps = _checked_jumps(type_jumps, len(multiplexes))
        node_starts = np.concatenate([[0], np.cumsum([item.node_count for item in multiplexes])])
        sizes = [item.node_count * len(item.layers) for item in multiplexes]
        place_starts = np.concatenate([[0], np.cumsum(sizes)])
        parts = [
            *(_within(item, int(start)) for item, start in zip(multiplexes, place_starts, strict=False)),
            *(part for item in bipartites for part in _between(item, multiplexes, place_starts)),
        ]
        to, origin, weights = (np.concatenate(columns) for columns in zip(*parts, strict=True))
        place_types = np.repeat(np.arange(len(multiplexes)), sizes)
        order = np.argsort(to, kind="stable")
        offsets = np.concatenate([[0], np.cumsum(np.bincount(to, minlength=len(place_types)))])
        return cls(
            _transition(offsets, origin[order], weights[order], place_types, jumps),
            np.repeat(np.arange(len(multiplexes)), [item.node_count for item in multiplexes]),
            np.concatenate(
                [
                    np.tile(np.arange(item.node_count), len(item.layers)) + start
                    for item, start in zip(multiplexes, node_starts, strict=False)
                ]
            ),
            np.concatenate([_layer_shares(item) for item in multiplexes]),
            len(multiplexes),
        )

    @property
    def node_count(self) -> int:
        """How many nodes there are, of all types."""
        return len(self.node_types)

    def number(self, type: int, node: int) -> int:
        """The number, through all types, of a node of :meth:`of_multiplexes` that has this number within its type."""
        return int(np.searchsorted(self.node_types, type)) + node

    def restart_vector(self, seeds: Integers, shares: Sequence[float] | None = None) -> Floats:
        """Where a restart begins, for each place; adds up to 1.

        Raises:
            AlgorithmError: the shares are not one number from 0 for each type, or all of those with seeds are 0.
        """
        given = np.ones(self.type_count) if shares is None else np.asarray(shares, dtype=np.float64)
        if given.shape != (self.type_count,) or not (given >= 0).all():
            raise AlgorithmError(f"shares of the restarts are {self.type_count} numbers from 0")
        counts = np.bincount(self.node_types[seeds], minlength=self.type_count)
        given = np.where(counts > 0, given, 0.0)
        if not given.sum() > 0:
            raise AlgorithmError("no type with a seed has a share of the restarts")
        of_nodes = np.zeros(self.node_count)
        own = self.node_types[seeds]
        of_nodes[seeds] = given[own] / given.sum() / counts[own]
        return of_nodes[self.nodes_of_places] * self.layer_shares

    def scores_of_nodes(self, scores: Floats) -> Floats:
        """Scores of places, summed for each node."""
        return weight_sums(self.nodes_of_places, scores, self.node_count)


def _transition(
    offsets: Integers, columns: Integers, weights: Floats | None, types: Integers, jumps: Floats
) -> Transition:
    """The matrix of entries that are there both ways: what a place gives to a type is spread over its ways there.

    A place gives ``jumps[to, own]`` to each other type to which it has a way, and what is left to its own. Without a
    way within its own type what is left goes to the others in proportion.
    """
    strengths = _strengths(offsets, columns, weights, types, len(jumps))
    given = np.where(strengths > 0, jumps[:, types], 0.0)
    places = np.arange(len(types))
    has_own = strengths[types, places] > 0
    given[types, places] = 0.0
    away = given.sum(axis=0)
    given[types, places] = np.where(has_own, 1.0 - away, 0.0)
    lonely = ~has_own & (away > 0)
    given[:, lonely] /= away[lonely]
    rates = np.divide(given, strengths, out=np.zeros_like(given), where=strengths > 0)
    return Transition(offsets, columns, weights, rates, types)


def _strengths(
    offsets: Integers, columns: Integers, weights: Floats | None, types: Integers, kinds: int
) -> Floats:
    """The weight of the ways from each place to each type; shape ``(kinds, places)``."""
    strengths = np.empty((kinds, len(types)))
    for first, last in row_ranges(offsets):
        begin, end = int(offsets[first]), int(offsets[last])
        slots = np.repeat(np.arange(last - first), np.diff(offsets[first : last + 1]))
        slots += types[columns[begin:end]] * (last - first)
        part = None if weights is None else weights[begin:end]
        sums = np.bincount(slots, weights=part, minlength=kinds * (last - first))
        strengths[:, first:last] = sums.reshape(kinds, last - first)
    return strengths


def _within(item: Multiplex, start: int) -> tuple[Integers, Integers, Floats]:
    """The entries inside a type: its layers, and the ways between the layers of a node."""
    count, layers = item.node_count, len(item.layers)
    staying = 1.0 - item.layer_jump if layers > 1 else 1.0
    to, origin, weights = [], [], []
    for number, layer in enumerate(item.layers):
        base = start + number * count
        to.append(base + np.repeat(np.arange(count), np.diff(layer.offsets)))
        origin.append(base + layer.neighbors)
        own = np.ones(len(layer.neighbors)) if layer.weights is None else layer.weights
        weights.append(staying * own)
        for other in range(layers):
            if other != number:
                to.append(np.arange(count) + base)
                origin.append(np.arange(count) + start + other * count)
                weights.append(np.full(count, item.layer_jump / (layers - 1)))
    return np.concatenate(to), np.concatenate(origin), np.concatenate(weights)


def _between(
    item: Bipartite, multiplexes: Sequence[Multiplex], place_starts: Integers
) -> list[tuple[Integers, Integers, Floats]]:
    """The entries between two types, both ways, from every layer of one to every layer of the other."""
    one, other = item.types
    if not (0 <= one < len(multiplexes) and 0 <= other < len(multiplexes) and one != other):
        raise AlgorithmError(f"bipartite edges join two different types, not {one} and {other}")
    first, second = multiplexes[one], multiplexes[other]
    # The two sides side by side, so that parallel edges are joined.
    shifted = np.asarray(item.targets, dtype=np.int64) + first.node_count
    sources = np.asarray(item.sources, dtype=np.int64)
    if len(sources) and (sources.max() >= first.node_count or shifted.min() < first.node_count):
        raise AlgorithmError("bipartite edges name nodes that their types do not have")
    joined = Network.from_edges(first.node_count + second.node_count, sources, shifted, item.weights)
    ends = np.repeat(np.arange(joined.node_count), np.diff(joined.offsets))
    forward = ends < first.node_count
    source, target = ends[forward], joined.neighbors[forward] - first.node_count
    weights = np.ones(len(source)) if joined.weights is None else joined.weights[forward]
    parts = []
    for layer in range(len(first.layers)):
        for other_layer in range(len(second.layers)):
            left = place_starts[one] + layer * first.node_count + source
            right = place_starts[other] + other_layer * second.node_count + target
            parts += [(left, right, weights), (right, left, weights)]
    return parts


def _layer_shares(item: Multiplex) -> Floats:
    shares = item.layer_shares or (1 / len(item.layers),) * len(item.layers)
    return np.repeat(np.array(shares, dtype=np.float64), item.node_count)


def _check_multiplexes(multiplexes: Sequence[Multiplex]) -> None:
    if not multiplexes:
        raise AlgorithmError("there is no type of nodes")
    for place, item in enumerate(multiplexes):
        if not item.layers or any(layer.node_count != item.node_count for layer in item.layers):
            raise AlgorithmError(f"the layers of type {place} are not networks over the same nodes")
        if not 0 <= item.layer_jump <= 1:
            raise AlgorithmError(f"the layer jump is a probability, not {item.layer_jump}")
        shares = item.layer_shares
        if shares is not None and (
            len(shares) != len(item.layers) or not min(shares) >= 0 or not abs(sum(shares) - 1) <= _ROUNDING
        ):
            raise AlgorithmError(
                f"the layer shares of type {place} are one number for each layer and add up to 1"
            )


def _checked_jumps(type_jumps: ArrayLike | None, kinds: int) -> Floats:
    if type_jumps is None:
        return np.full((kinds, kinds), 1.0 / max(kinds, 1))
    jumps = np.asarray(type_jumps, dtype=np.float64)
    if jumps.shape != (kinds, kinds) or not (jumps >= 0).all():
        raise AlgorithmError(f"the type jumps are {kinds} times {kinds} numbers from 0")
    if not np.allclose(jumps.sum(axis=0), 1.0, rtol=0, atol=_ROUNDING):
        raise AlgorithmError("each column of the type jumps adds up to 1")
    return jumps
