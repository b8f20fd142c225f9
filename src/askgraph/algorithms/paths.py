"""Shortest paths, and the next shortest.

J. Y. Yen, "Finding the K Shortest Loopless Paths in a Network", Management Science 17(11), 1971. Each of its searches
is led by the distances to the target (A*: P. Hart, N. Nilsson, B. Raphael, IEEE Transactions on Systems Science and
Cybernetics 4(2), 1968), which are computed once, whole frontiers at a time. Without weights only what lies between the
two ends is looked at, from both of them (I. Pohl, "Bi-directional Search", Machine Intelligence 6, 1971).
"""

from __future__ import annotations

import heapq
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from ..core.budget import Budget
from ..core.errors import AlgorithmError
from .network import Network, checked_seeds

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]
_Nodes = tuple[int, ...]


@dataclass(frozen=True, slots=True, order=True)
class Route:
    """A path without a node twice.

    Attributes:
        length: the sum of its edges' weights; the number of edges where edges have none.
        nodes: from the source to the target.
    """

    length: float
    nodes: _Nodes


def shortest_path(
    network: Network, source: int, target: int, *, most_hops: int | None = None, budget: Budget | None = None
) -> Route | None:
    """The shortest path; of equally short ones the first in the order of their node numbers. ``None`` if there is none.

    Raises as :func:`k_shortest_paths`.
    """
    found = k_shortest_paths(network, source, target, 1, most_hops=most_hops, budget=budget)
    return found[0] if found else None


def k_shortest_paths(
    network: Network,
    source: int,
    target: int,
    k: int,
    *,
    most_hops: int | None = None,
    budget: Budget | None = None,
) -> tuple[Route, ...]:
    """The ``k`` shortest paths without a node twice, in the order (length, node numbers); fewer if there are no more.

    Args:
        network: weights of its edges are lengths.
        source: a node.
        target: a node; from a node to itself there is one path, of length 0.
        k: 1 or more.
        most_hops: paths of more edges are not looked for.
        budget: its time is kept.

    Raises:
        UnknownSeedError: source or target is not in the network.
        AlgorithmError: ``k`` or ``most_hops`` is out of range.
        DeadlineExceededError: the time is up.
    """
    if k < 1 or (most_hops is not None and most_hops < 0):
        raise AlgorithmError(f"k is 1 or more and most_hops 0 or more, not {k} and {most_hops}")
    checked_seeds([source, target], network.node_count)
    hops = network.node_count if most_hops is None else most_hops
    if network.weights is not None:
        return tuple(_yen(network, source, target, k, hops, budget))
    return _between_two_balls(network, source, target, k, hops, budget)


def _between_two_balls(
    network: Network, source: int, target: int, k: int, hops: int, budget: Budget | None
) -> tuple[Route, ...]:
    """Search in what lies around both ends, no further than the paths are long.

    A path of ``a + b`` edges leaves the ball of radius ``a`` around its source where it enters the ball of radius ``b``
    around its target; so all such paths are made of the edges that were followed to draw the balls.
    """
    balls = (_Ball(network, source), _Ball(network, target))
    while True:
        length = balls[0].radius + balls[1].radius
        growing = [ball for ball in balls if len(ball.frontier)]
        is_last = not growing or length >= hops
        if balls[0].meets(balls[1]):
            nodes, inside = _joined(balls, network.node_count)
            ends = np.searchsorted(nodes, [source, target]).tolist()
            most = hops if not growing else min(length, hops)
            found = _yen(inside, ends[0], ends[1], k, most, budget)
            if is_last or len(found) >= k:
                return tuple(Route(route.length, tuple(nodes[list(route.nodes)].tolist())) for route in found)
        if is_last:
            return ()
        if budget is not None:
            budget.check("looking for paths")
        min(growing, key=lambda ball: ball.work).grow()


class _Ball:
    """The nodes within some edges of one, and the edges that were followed to find them."""

    def __init__(self, network: Network, node: int) -> None:
        self._network = network
        self.centre = node
        self.radius = 0
        self.frontier = np.array([node], dtype=np.int64)
        self.inside = np.zeros(network.node_count, dtype=np.bool_)
        self.inside[node] = True
        self.edges: list[tuple[Integers, Integers]] = []

    @property
    def work(self) -> int:
        """How many edges the next step follows."""
        return int((self._network.offsets[self.frontier + 1] - self._network.offsets[self.frontier]).sum())

    def grow(self) -> None:
        """One edge further."""
        origins, positions = self._network.entries_of(self.frontier)
        ends = self._network.neighbors[positions]
        self.edges.append((self.frontier[origins], ends))
        self.frontier = np.unique(ends[~self.inside[ends]])
        self.inside[self.frontier] = True
        self.radius += 1

    def meets(self, other: _Ball) -> bool:
        """Whether the two have a node in common."""
        return bool((self.inside & other.inside).any())


def _joined(balls: tuple[_Ball, _Ball], count: int) -> tuple[Integers, Network]:
    """What of two balls leads from one to the other: its nodes, ascending, and its edges as a network."""
    empty = np.empty(0, dtype=np.int64)
    parts = [*_leading_into(balls[0], balls[1].inside), *_leading_into(balls[1], balls[0].inside)]
    one = np.concatenate([empty, *(origins for origins, _ in parts)])
    other = np.concatenate([empty, *(ends for _, ends in parts)])
    places = np.zeros(count, dtype=np.int64)
    places[one], places[other] = 1, 1
    centres = [ball.centre for ball in balls]
    places[centres] = 1
    nodes = np.flatnonzero(places)
    places[nodes] = np.arange(len(nodes))
    return nodes, Network.from_edges(len(nodes), places[one], places[other])


def _leading_into(ball: _Ball, goal: NDArray[np.bool_]) -> list[tuple[Integers, Integers]]:
    """The edges of a ball from whose ends there is a way to the goal; the bulk of its last ring leads nowhere."""
    wanted = goal.copy()
    while True:
        kept = []
        before = int(np.count_nonzero(wanted))
        for origins, ends in reversed(ball.edges):
            leads = wanted[ends]
            kept.append((origins[leads], ends[leads]))
            wanted[origins[leads]] = True
        if int(np.count_nonzero(wanted)) == before:
            return kept


def _yen(network: Network, source: int, target: int, k: int, hops: int, budget: Budget | None) -> list[Route]:
    search = _Search(network, target, hops, budget)
    first = search.best((source,), frozenset())
    if first is None:
        return []
    found, seen = [first], {first.nodes}
    waiting: list[Route] = []
    while len(found) < k:
        last = found[-1].nodes
        for place in range(len(last) - 1):
            root = last[: place + 1]
            taken = frozenset(
                route.nodes[place + 1]
                for route in found
                if route.nodes[: place + 1] == root and len(route.nodes) > place + 1
            )
            spur = search.best(root, taken)
            if spur is not None and spur.nodes not in seen:
                seen.add(spur.nodes)
                heapq.heappush(waiting, spur)
        if not waiting:
            break
        found.append(heapq.heappop(waiting))
    return found


class _Search:
    """Searches for one target; where it lies from every node is known."""

    def __init__(self, network: Network, target: int, most_hops: int, budget: Budget | None) -> None:
        self._network, self._target, self._most_hops, self._budget = network, target, most_hops, budget
        self._distance = _distances(network, target, most_hops, budget)

    def best(self, root: _Nodes, taken: frozenset[int]) -> Route | None:
        """The best path that begins with ``root`` and does not go on to one of ``taken`` behind it."""
        begun = self._length(root)
        if not np.isfinite(self._distance[root[-1]]):
            return None
        open_: list[tuple[float, _Nodes, float]] = [(begun + float(self._distance[root[-1]]), root, begun)]
        # With a bound on hops a node may be worth a second visit by fewer hops.
        fewest: dict[int, int] = {}
        while open_:
            if self._budget is not None:
                self._budget.check("looking for paths")
            _, nodes, length = heapq.heappop(open_)
            end = nodes[-1]
            if end == self._target:
                return Route(length, nodes)
            if fewest.get(end, self._most_hops + 1) <= len(nodes):
                continue
            fewest[end] = len(nodes)
            if len(nodes) <= self._most_hops:
                for further, step in self._steps(
                    end, nodes, taken if len(nodes) == len(root) else frozenset()
                ):
                    reached = length + step
                    estimate = reached + float(self._distance[further])
                    heapq.heappush(open_, (estimate, (*nodes, further), reached))
        return None

    def _steps(self, node: int, nodes: _Nodes, taken: frozenset[int]) -> list[tuple[int, float]]:
        """Where a path can go on from a node, with the lengths of the steps."""
        network = self._network
        first, last = int(network.offsets[node]), int(network.offsets[node + 1])
        ends = network.neighbors[first:last]
        useful = np.flatnonzero(np.isfinite(self._distance[ends]))
        weights = np.ones(len(useful)) if network.weights is None else network.weights[first:last][useful]
        avoided = taken.union(nodes)
        pairs = zip(ends[useful].tolist(), weights.tolist(), strict=True)
        return [(further, step) for further, step in pairs if further not in avoided]

    def _length(self, nodes: _Nodes) -> float:
        network, total = self._network, 0.0
        if network.weights is None:
            return float(len(nodes) - 1)
        for one, other in pairwise(nodes):
            place = network.offsets[one] + int(np.searchsorted(network.neighbors_of(one), other))
            total += float(network.weights[place])
        return total


def _distances(network: Network, target: int, most_hops: int, budget: Budget | None) -> Floats:
    """The length of the shortest way to the target from every node within so many hops; infinite from the rest."""
    distance = np.full(network.node_count, np.inf)
    distance[target] = 0.0
    frontier = np.array([target], dtype=np.int64)
    for _ in range(most_hops):
        if budget is not None:
            budget.check("measuring distances")
        origins, positions = network.entries_of(frontier)
        steps = 1.0 if network.weights is None else network.weights[positions]
        ends = network.neighbors[positions]
        reached = distance[frontier][origins] + steps
        shorter = reached < distance[ends]
        ends, reached = ends[shorter], reached[shorter]
        if not len(ends):
            break
        np.minimum.at(distance, ends, reached)
        frontier = np.unique(ends)
    return distance
