"""DIAMOnD: grow a disease module by the nodes whose links to it are least likely to be chance.

S. D. Ghiassian, J. Menche, A.-L. Barabási, "A DIseAse MOdule Detection (DIAMOnD) Algorithm Derived from a Systematic
Analysis of Connectivity Patterns of Disease Proteins in the Human Interactome", PLoS Computational Biology 11(4), 2015,
doi 10.1371/journal.pcbi.1004120, "DIAMOnD: a DIseAse MOdule Detection algorithm".
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..core.budget import Budget
from ..core.errors import AlgorithmError
from .hypergeometric import compare_upper_tails, log_lower_tail, log_upper_tail_of_one
from .network import Network, checked_population

Integers = NDArray[np.int64]
_Pair = tuple[int, int]

DEFAULT_STEPS: Final = 200
"""Nodes to add, as the paper suggests: about as many carry biological evidence there."""

MOST_TIED: Final = 100
"""Of more nodes tied at one step than this the number is given, not the nodes."""

_SCAN: Final = 4096
# Logarithms of p-values nearer than this are compared exactly.
_NEAR: Final = 1e-10
_NEARLY_CERTAIN: Final = -0.7


@dataclass(frozen=True, slots=True)
class DiamondStep:
    """One node added to the module.

    Attributes:
        node: its number.
        p_value: the probability of as many links or more by chance; 0.0 where it is below the smallest double.
        log_p_value: its natural logarithm.
        degree: its links to anywhere, those to seeds counted ``alpha`` times.
        links: its links into the module, those to seeds counted ``alpha`` times.
        module_size: nodes of the module before it was added.
        ties: how many candidates had exactly this p-value, itself among them.
        tied: these candidates, ascending, at most :data:`MOST_TIED`.
    """

    node: int
    p_value: float
    log_p_value: float
    degree: int
    links: int
    module_size: int
    ties: int
    tied: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class DiamondResult:
    """What was added to the seeds, in order, and whether the candidates ran out before enough were added."""

    steps: tuple[DiamondStep, ...]
    ran_out: bool

    @property
    def nodes(self) -> Integers:
        """The nodes added, in order; shape ``(steps)``."""
        return np.array([step.node for step in self.steps], dtype=np.int64)

    @property
    def tied_steps(self) -> int:
        """At how many steps the rule for ties decided."""
        return sum(step.ties > 1 for step in self.steps)


def diamond(
    network: Network,
    seeds: ArrayLike,
    *,
    steps: int = DEFAULT_STEPS,
    alpha: int = 1,
    population: int | None = None,
    budget: Budget | None = None,
) -> DiamondResult:
    """Add to the seeds, one at a time, the outside neighbour whose links into the module are the most significant.

    A node of degree ``k`` with ``kb`` links into a module of ``s`` nodes has the p-value ``P(X >= kb)`` of the
    hypergeometric distribution with ``k`` draws from all ``N`` nodes of which ``s`` are marked. A self-loop counts two
    in ``k``, as in the reference. With ``alpha`` above 1 every seed counts as ``alpha`` nodes: links to seeds count
    ``alpha`` times in ``k`` and ``kb``, seeds ``alpha`` times in ``s`` and ``N``, links to the nodes added count once,
    as the paper says. (The authors' script of 2020 does otherwise, and its p-values collapse to 0.)

    Ties: p-values are compared exactly. Of equal ones the node with the most links into the module is taken, of these
    the one of smallest degree, of these the one of lowest number.

    Args:
        network: the layer that the module lies in.
        seeds: numbers of nodes.
        steps: nodes to add at most.
        alpha: the weight of seeds, a whole number from 1.
        population: how many nodes there are in all, where only a part of a network is at hand.
        budget: its time is kept.

    Raises:
        UnknownSeedError: there are no seeds, or some are not in the network.
        AlgorithmError: ``steps``, ``alpha`` or ``population`` is out of range.
        DeadlineExceededError: the time is up.
    """
    if steps < 0 or alpha < 1:
        raise AlgorithmError(f"steps are 0 or more and alpha is 1 or more, not {steps} and {alpha}")
    growth = _Growth(network, network.seeds(seeds), steps, alpha, checked_population(network, population))
    taken: list[DiamondStep] = []
    while len(taken) < steps:
        if budget is not None:
            budget.check("growing a module")
        step = growth.next_step()
        if step is None:
            return DiamondResult(tuple(taken), ran_out=True)
        taken.append(step)
        growth.add(step.node)
    return DiamondResult(tuple(taken), ran_out=False)


class _Growth:
    """The module, and for each outside neighbour its links into it, kept up as nodes are added.

    Candidates stand in the order of (degree, number). Of all with equally many links only the first can win, and of
    these firsts only those of smaller degree than every one with more links: the p-value rises with the degree and
    falls with the links. So one candidate for each number of links is looked at, whatever the size of the network.
    """

    def __init__(self, network: Network, seeds: Integers, steps: int, alpha: int, population: int) -> None:
        self._network = network
        self._size = len(seeds)
        extra = (alpha - 1) * len(seeds)
        self._marked, self._population = len(seeds) + extra, population + extra
        _, positions = network.entries_of(seeds)
        seed_links = np.bincount(network.neighbors[positions], minlength=network.node_count)
        # In a tiny network a self-loop may lift a degree above the population; no more than all can be drawn.
        degrees = np.minimum(network.degrees() + (alpha - 1) * seed_links, self._population)
        self._node_at = np.argsort(degrees, kind="stable")
        self._place_of = np.empty(network.node_count, dtype=np.int64)
        self._place_of[self._node_at] = np.arange(network.node_count)
        self._degrees = degrees[self._node_at]
        self._links = (alpha * seed_links)[self._node_at].astype(np.int32)
        # Members are no candidates.
        self._links[self._place_of[seeds]] = -1
        self._is_member = self._links < 0
        self._known: dict[_Pair, float] = {}
        most_links = int(self._links.max(initial=0)) + steps + 2
        self._nobody = network.node_count
        self._first = np.full(most_links, self._nobody, dtype=np.int64)
        outside = np.flatnonzero(self._links > 0)
        # Of several values for one index the last one written stays.
        self._first[self._links[outside[::-1]]] = outside[::-1]

    def next_step(self) -> DiamondStep | None:
        """The best candidate now; ``None`` if there is none."""
        levels = np.flatnonzero(self._first < self._nobody)[::-1]
        if not len(levels):
            return None
        degrees = self._degrees[self._first[levels]]
        smaller = np.ones(len(levels), dtype=np.bool_)
        smaller[1:] = degrees[1:] < np.minimum.accumulate(degrees)[:-1]
        front = list(zip(levels[smaller].tolist(), degrees[smaller].tolist(), strict=True))
        log_p, best = self._best_of(front)
        place = int(self._first[best[0][0]])
        ties, tied = self._tied(best)
        return DiamondStep(
            node=int(self._node_at[place]),
            p_value=math.exp(log_p),
            log_p_value=log_p,
            degree=int(self._degrees[place]),
            links=int(self._links[place]),
            module_size=self._size,
            ties=ties,
            tied=tied,
        )

    def _best_of(self, front: list[_Pair]) -> tuple[float, list[_Pair]]:
        """The smallest logarithm of a p-value, and the pairs (links, degree) that have it, most links first.

        As the module grows every p-value grows, so that one computed at an earlier step is a bound: most pairs are not
        looked at again.
        """
        known = self._known
        lowest = math.inf
        looked_at: list[tuple[float, _Pair]] = []
        for bound, pair in sorted((known.get(pair, -math.inf), pair) for pair in front):
            if bound > lowest + _NEAR:
                break
            log_p = known[pair] = log_upper_tail_of_one(*pair, self._marked, self._population)
            looked_at.append((log_p, pair))
            lowest = min(lowest, log_p)
        near = [pair for log_p, pair in looked_at if log_p <= lowest + _NEAR]
        if len(near) == 1:
            return lowest, near
        # Near to 1 p-values are told apart by what they lack.
        if lowest > _NEARLY_CERTAIN:
            near = self._lacking_most(near)
        best = sorted(self._exactly_smallest(near), reverse=True)
        return min(log_p for log_p, pair in looked_at if pair == best[0]), best

    def _lacking_most(self, pairs: list[_Pair]) -> list[_Pair]:
        links, degrees = zip(*pairs, strict=True)
        lacking = log_lower_tail(links, degrees, self._marked, self._population)
        highest = float(lacking.max())
        if highest == -math.inf:
            return pairs
        return [pair for pair, log in zip(pairs, lacking.tolist(), strict=True) if log >= highest - _NEAR]

    def _exactly_smallest(self, pairs: list[_Pair]) -> list[_Pair]:
        best = pairs[:1]
        for pair in pairs[1:]:
            order = compare_upper_tails(pair, best[0], self._marked, self._population)
            if order <= 0:
                best = [*best, pair] if order == 0 else [pair]
        return best

    def _tied(self, best: list[_Pair]) -> tuple[int, tuple[int, ...]]:
        """How many candidates share these links and degrees, and which."""
        links, draws = best[0]
        if links <= draws - (self._population - self._marked):
            # Where even the best has the probability 1, everyone has.
            places = np.flatnonzero(self._links > 0)
        else:
            parts = []
            for level, degree in best:
                begin = int(self._first[level])
                end = int(np.searchsorted(self._degrees, degree, side="right"))
                parts.append(begin + np.flatnonzero(self._links[begin:end] == level))
            places = np.concatenate(parts)
        if len(places) > MOST_TIED:
            return len(places), ()
        return len(places), tuple(np.sort(self._node_at[places]).tolist())

    def add(self, node: int) -> None:
        """Take a node into the module."""
        place = int(self._place_of[node])
        level = int(self._links[place])
        self._links[place] = -1
        self._is_member[place] = True
        self._size += 1
        self._marked += 1
        touched = self._place_of[self._network.neighbors_of(node)]
        touched = touched[~self._is_member[touched]]
        before = self._links[touched]
        self._links[touched] = before + 1
        left = np.unique(before[self._first[before] == touched]).tolist()
        for gone in dict.fromkeys([level, *left]):
            if gone > 0:
                self._first[gone] = self._next_at(gone, int(self._first[gone]))
        np.minimum.at(self._first, before + 1, touched)

    def _next_at(self, level: int, start: int) -> int:
        """The first candidate with so many links, from a place on."""
        for begin in range(start, self._nobody, _SCAN):
            found = self._links[begin : begin + _SCAN] == level
            place = int(found.argmax())
            if found[place]:
                return begin + place
        return self._nobody
