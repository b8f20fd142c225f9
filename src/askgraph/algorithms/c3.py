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
from .hypergeometric import log_upper_tail_of_one
from .network import Network, checked_population, ranges

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
        AlgorithmError: ``significance`` is not between 0 and 1, ``most_nodes`` below 0, or ``population`` too small.
        DeadlineExceededError: the time is up.
    """
    if not 0 < significance <= 1:
        raise AlgorithmError(f"the significance is a probability, not {significance}")
    if most_nodes is not None and most_nodes < 0:
        raise AlgorithmError(f"the most nodes to add are 0 or more, not {most_nodes}")
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
    """The module, its components, and which of them each outside node touches, as bits.

    A node that is added joins the components that it touches into the one whose bit is the lowest; nothing but what it
    changes is looked at again.
    """

    def __init__(self, network: Network, module: Integers, population: int) -> None:
        self._network = network
        self._whole = population
        self._module = module
        labels, self.components = connected_components(network.induced(module))
        origins, positions = network.entries_of(module)
        is_member = np.zeros(network.node_count, dtype=np.bool_)
        is_member[module] = True
        outside = ~is_member[network.neighbors[positions]]
        ends, components = network.neighbors[positions[outside]], labels[origins[outside]]
        # Links of each node that do not lead into the module.
        self._other_links = network.degrees() - np.bincount(ends, minlength=network.node_count)
        self._masks = self._masks_of(ends, components)
        # How many components each node touches; -1 for members.
        self._touched = _bits_in(self._masks)
        self._touched[module] = -1

    def _masks_of(self, ends: Integers, components: Integers) -> Masks:
        """For each node, as bits, the components that it touches; shape ``(words, nodes)``."""
        words = (self.components + _BITS - 1) // _BITS
        masks = np.zeros((words, self._network.node_count), dtype=np.uint64)
        bits = np.uint64(1) << (components % _BITS).astype(np.uint64)
        np.bitwise_or.at(masks, (components // _BITS, ends), bits)
        return masks

    def best_single(self, limit: float) -> _Candidate | None:
        """The single node to add; ``None`` if the best one is chance or joins nothing."""
        nodes = np.flatnonzero(self._touched > 0)
        touched = self._touched[nodes]
        found = self._smallest(touched, self._other_links[nodes] + touched, limit)
        if found is None:
            return None
        row, log_p, ties = found
        return _Candidate((int(nodes[row]),), log_p, ties)

    def best_pair(self, limit: float) -> _Candidate | None:
        """The pair of linked nodes to add; ``None`` if the best one is chance or joins nothing."""
        first, second = self._pairs()
        touched = self._touched[first]
        both = np.flatnonzero(self._touched[second])
        touched[both] = _bits_in(self._masks[:, first[both]] | self._masks[:, second[both]])
        links = self._other_links[first] + self._other_links[second] + (touched - 2)
        found = self._smallest(touched, links, limit)
        if found is None:
            return None
        row, log_p, ties = found
        return _Candidate((int(first[row]), int(second[row])), log_p, ties)

    def _pairs(self) -> tuple[Integers, Integers]:
        """Linked outside nodes of which the first is next to the module; each pair once."""
        nodes = np.flatnonzero(self._touched > 0)
        starts = self._network.offsets[nodes]
        counts = self._network.offsets[nodes + 1] - starts
        first, second = np.repeat(nodes, counts), self._network.neighbors[ranges(starts, counts)]
        touched = self._touched[second]
        kept = np.flatnonzero((touched == 0) | ((touched > 0) & (first < second)))
        return first[kept], second[kept]

    def _smallest(self, touched: Integers, links: Integers, limit: float) -> tuple[int, float, int] | None:
        """The row of the smallest p-value, its logarithm, and how many rows share it.

        ``None`` where that p-value is chance, or of a row that touches one component only. Of rows that touch equally
        many components those with the fewest links are enough to look at.
        """
        population = self._whole - len(self._module) + self.components
        best: tuple[float, int, int] | None = None
        for level in range(int(touched.max(initial=0)), 0, -1):
            there = links[touched == level]
            if len(there):
                fewest = int(there.min())
                log_p = log_upper_tail_of_one(level, min(fewest, population), self.components, population)
                if best is None or log_p < best[0]:
                    best = (log_p, level, fewest)
        if best is None or best[0] >= limit or best[1] < 2:
            return None
        tied = np.flatnonzero((links == best[2]) & (touched == best[1]))
        return int(tied[0]), best[0], len(tied)

    def add(self, nodes: tuple[int, ...]) -> None:
        """Take nodes into the module: what they touch becomes one component."""
        joined: Masks = np.bitwise_or.reduce(self._masks[:, nodes], axis=1)
        self.components -= int(np.bitwise_count(joined).sum()) - 1
        self._module = np.append(self._module, nodes)
        self._touched[list(nodes)] = -1
        around = np.flatnonzero(self._touched > 0)
        is_changed = np.zeros(len(around), dtype=np.bool_)
        words = np.flatnonzero(joined).tolist()
        for word in words:
            is_changed |= (self._masks[word, around] & joined[word]) != 0
        changed = around[is_changed]
        for word in words:
            self._masks[word, changed] &= ~joined[word]
        new = [self._network.neighbors_of(node) for node in nodes]
        for ends in new:
            self._other_links[ends] -= 1
        changed = np.concatenate([changed, *new])
        changed = changed[self._touched[changed] >= 0]
        lowest = joined[words[0]] & (~joined[words[0]] + np.uint64(1))
        self._masks[words[0], changed] |= lowest
        self._touched[changed] = _bits_in(self._masks[:, changed])

    def largest(self) -> Integers:
        """The nodes of the largest component."""
        module = np.sort(self._module)
        labels, _ = connected_components(self._network.induced(module))
        nodes: Integers = module[labels == int(np.argmax(np.bincount(labels, minlength=1)))]
        return nodes


def _bits_in(masks: Masks) -> Integers:
    """How many bits each node has; masks have the shape ``(words, nodes)``."""
    bits: Integers = np.bitwise_count(masks).sum(axis=0, dtype=np.int64)
    return bits
