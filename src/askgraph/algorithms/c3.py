"""C3: connect the separate components of a module by few nodes.

B. Wang, J. Hu, Y. Wang, C. Zhang, Y. Zhou, L. Yu, X. Guo, L. Gao, Y. Chen, "C3: connect separate connected components
to form a succinct disease module", BMC Bioinformatics 21, 2020, doi 10.1186/s12859-020-03769-y, "Methods".
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..core.budget import Budget
from ..core.errors import AlgorithmError
from .components import connected_components
from .hypergeometric import log_upper_tail
from .network import Network, checked_population

Integers = NDArray[np.int64]
Masks = NDArray[np.uint64]

DEFAULT_SIGNIFICANCE: Final = 0.05
"""Above this p-value a node, or pair of nodes, connects by chance; the paper's value."""

_BITS: Final = 64


@dataclass(frozen=True, slots=True)
class C3Step:
    """A node, or a pair of linked nodes, that was added because it joins components.

    Attributes:
        nodes: one number or two; of a pair the one that lies next to the module first.
        p_value: the probability of touching as many components by chance.
        components: how many components of the module are left after it.
        ties: how many candidates had the same p-value, itself among them.
    """

    nodes: tuple[int, ...]
    p_value: float
    components: int
    ties: int


@dataclass(frozen=True, slots=True)
class C3Result:
    """The connectors in order, and what the module is with them.

    Attributes:
        steps: what was added.
        components: connected components of the module at the beginning.
        components_left: connected components at the end.
        largest: the nodes of the largest component at the end, ascending; of equally large ones the one that has the
            lowest number.
    """

    steps: tuple[C3Step, ...]
    components: int
    components_left: int
    largest: Integers

    @property
    def nodes(self) -> Integers:
        """The nodes added, in order."""
        return np.array([node for step in self.steps for node in step.nodes], dtype=np.int64)


def c3(
    network: Network,
    module: ArrayLike,
    *,
    significance: float = DEFAULT_SIGNIFICANCE,
    most_nodes: int | None = None,
    population: int | None = None,
    budget: Budget | None = None,
) -> C3Result:
    """Add the nodes that connect the components of a module, the most significant first.

    A module of ``s`` nodes in ``n`` components is looked at with each component drawn together to one node, in a
    network of ``N - s + n``. An outside node that touches ``kb`` components and has ``k`` links in that network has the
    p-value ``P(X >= kb)`` of the hypergeometric distribution with ``k`` draws, of which ``n`` are marked. The node of
    the smallest p-value is added if it is below ``significance`` and lowers the number of components; else the same is
    tried with two linked nodes, the first next to the module, their links counted together. It ends when neither
    lowers the number of components. (The authors' program stops with an error where no single node is significant;
    here pairs are tried then, as elsewhere.)

    Ties: of equal p-values the candidate that touches most components is taken, of these the one with the fewest
    links, of these the one of lowest number (of pairs: lowest first node, then lowest second).

    Args:
        network: the layer that the module lies in.
        module: numbers of nodes.
        significance: p-values from here on are chance.
        most_nodes: stop before more nodes than this are added; ``None``: no such bound.
        population: how many nodes there are in all, where only a part of a network is at hand.
        budget: its time is kept.

    Raises:
        UnknownSeedError: the module is empty, or a node is not in the network.
        AlgorithmError: ``significance`` is not between 0 and 1, or ``population`` is too small.
        DeadlineExceededError: the time is up.
    """
    if not 0 < significance <= 1:
        raise AlgorithmError(f"the significance is a probability, not {significance}")
    joining = _Joining(network, network.seeds(module), checked_population(network, population))
    beginning = joining.components
    limit = math.log(significance)
    most = network.node_count if most_nodes is None else most_nodes
    steps: list[C3Step] = []
    added = 0
    while joining.components > 1:
        if budget is not None:
            budget.check("connecting components")
        chosen = joining.best_single(limit) if added + 1 <= most else None
        if chosen is None and added + 2 <= most:
            chosen = joining.best_pair(limit)
        if chosen is None:
            break
        joining.add(chosen.nodes)
        added += len(chosen.nodes)
        steps.append(C3Step(chosen.nodes, math.exp(chosen.log_p), joining.components, chosen.ties))
    return C3Result(tuple(steps), beginning, joining.components, joining.largest())


@dataclass(frozen=True, slots=True)
class _Candidate:
    nodes: tuple[int, ...]
    log_p: float
    ties: int


class _Joining:
    """The module, its components, and which of them each outside node touches, as bits."""

    def __init__(self, network: Network, module: Integers, population: int) -> None:
        self._network = network
        self._whole = population
        self._degrees = network.degrees()
        self._look_at(module)

    def _look_at(self, module: Integers) -> None:
        network = self._network
        self._module = module
        labels, self.components = connected_components(network.induced(module))
        self._labels = labels
        self._is_member = np.zeros(network.node_count, dtype=np.bool_)
        self._is_member[module] = True
        origins, positions = network.entries_of(module)
        ends = network.neighbors[positions]
        outside = ~self._is_member[ends]
        ends, touched = ends[outside], labels[origins[outside]]
        self._around, sizes = np.unique(ends, return_counts=True)
        self._member_links = np.zeros(network.node_count, dtype=np.int64)
        self._member_links[self._around] = sizes
        self._masks = self._touched_components(ends, touched)

    def _touched_components(self, ends: Integers, touched: Integers) -> Masks:
        """For each node, as bits, the components that it touches; shape ``(nodes, words)``."""
        words = (self.components + _BITS - 1) // _BITS
        masks = np.zeros((self._network.node_count, words), dtype=np.uint64)
        if not len(ends):
            return masks
        # One entry for each word of each node, so that the bits of a word are joined in one go.
        order = np.lexsort((touched, ends))
        ends, touched = ends[order], touched[order]
        slots = ends * words + touched // _BITS
        starts = np.flatnonzero(np.concatenate([[True], slots[1:] != slots[:-1]]))
        bits = np.uint64(1) << (touched % _BITS).astype(np.uint64)
        masks.reshape(-1)[slots[starts]] = np.bitwise_or.reduceat(bits, starts)
        return masks

    def best_single(self, limit: float) -> _Candidate | None:
        """The single node to add; ``None`` if the best one is chance or joins nothing."""
        nodes = self._around
        if not len(nodes):
            return None
        touched = np.bitwise_count(self._masks[nodes]).sum(axis=1, dtype=np.int64)
        links = self._degrees[nodes] - self._member_links[nodes] + touched
        row, log_p, ties = self._smallest(touched, links)
        if log_p >= limit or touched[row] < 2:
            return None
        return _Candidate((int(nodes[row]),), log_p, ties)

    def best_pair(self, limit: float) -> _Candidate | None:
        """The pair of linked nodes to add; ``None`` if the best one is chance or joins nothing."""
        first, second = self._pairs()
        if not len(first):
            return None
        masks = self._masks[first] | self._masks[second]
        touched = np.bitwise_count(masks).sum(axis=1, dtype=np.int64)
        links = (
            self._degrees[first]
            + self._degrees[second]
            - 2
            - self._member_links[first]
            - self._member_links[second]
            + touched
        )
        row, log_p, ties = self._smallest(touched, links)
        if log_p >= limit or touched[row] < 2:
            return None
        return _Candidate((int(first[row]), int(second[row])), log_p, ties)

    def _pairs(self) -> tuple[Integers, Integers]:
        """Linked outside nodes of which the first is next to the module; each pair once."""
        origins, positions = self._network.entries_of(self._around)
        first, second = self._around[origins], self._network.neighbors[positions]
        kept = ~self._is_member[second]
        kept &= (self._member_links[second] == 0) | (first < second)
        return first[kept], second[kept]

    def _smallest(self, touched: Integers, links: Integers) -> tuple[int, float, int]:
        """The row of the smallest p-value, its logarithm, and how many rows share it.

        Of rows that touch equally many components those with the fewest links are enough to look at.
        """
        fewest = np.full(int(touched.max()) + 1, np.iinfo(np.int64).max)
        np.minimum.at(fewest, touched, links)
        levels = np.flatnonzero(fewest < np.iinfo(np.int64).max)[::-1]
        population = self._whole - len(self._module) + self.components
        draws = np.minimum(fewest[levels], population)
        logs = log_upper_tail(levels, draws, self.components, population)
        best = int(np.argmin(logs))
        level = levels[best]
        tied = np.flatnonzero((touched == level) & (links == fewest[level]))
        return int(tied[0]), float(logs[best]), len(tied)

    def add(self, nodes: tuple[int, ...]) -> None:
        """Take nodes into the module."""
        self._look_at(np.union1d(self._module, np.array(nodes, dtype=np.int64)))

    def largest(self) -> Integers:
        """The nodes of the largest component."""
        sizes = np.bincount(self._labels, minlength=1)
        nodes: Integers = self._module[self._labels == int(np.argmax(sizes))]
        return nodes
