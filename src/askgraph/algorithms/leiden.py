"""Communities of a small network, by the Leiden algorithm, in plain Python.

V. A. Traag, L. Waltman, N. J. van Eck, "From Louvain to Leiden: guaranteeing well-connected communities", Scientific
Reports 9, 2019, supplementary algorithm A.2, with modularity as the quality. In the refinement the best merge is taken
where the paper draws one by lot (its randomness near 0).
"""

from __future__ import annotations

import random
from collections import deque
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from ..core.budget import Budget
from .network import Network

_Links = list[dict[int, float]]
_ROUNDS = 100
_LEAST_GAIN = 1e-12


@dataclass
class _Level:
    """A network of nodes that each stand for some of the nodes below."""

    links: _Links
    strengths: list[float]


def leiden(network: Network, *, resolution: float, seed: int, budget: Budget | None = None) -> list[int]:
    """For each node the number of its community; communities are numbered in the order of their lowest nodes."""
    links = _links_of(network)
    level = _Level(links, [sum(own.values()) for own in links])
    lot = random.Random(seed)
    total = sum(level.strengths)
    if total <= 0:
        return list(range(network.node_count))
    of_node = list(range(network.node_count))
    partition = list(range(network.node_count))
    for _ in range(_ROUNDS):
        if budget is not None:
            budget.check("dividing a graph into communities")
        partition = _move(level, partition, resolution / total, lot)
        refined = _refine(level, partition, resolution / total, lot)
        if len(set(refined)) == len(level.links):
            return _numbered([partition[place] for place in of_node])
        level, numbers, partition = _aggregate(level, refined, partition)
        of_node = [numbers[refined[place]] for place in of_node]
    return _numbered([partition[place] for place in of_node])


def _links_of(network: Network) -> _Links:
    neighbors = network.neighbors.tolist()
    weights = np.ones(len(neighbors)).tolist() if network.weights is None else network.weights.tolist()
    offsets = network.offsets.tolist()
    return [
        dict(zip(neighbors[first:last], weights[first:last], strict=True))
        for first, last in pairwise(offsets)
    ]


def _move(level: _Level, partition: list[int], scale: float, lot: random.Random) -> list[int]:
    """Move nodes to the neighbouring community that gains most, until none gains (the paper's fast local moving)."""
    links, strengths = level.links, level.strengths
    own = list(partition)
    weight_of = [0.0] * len(links)
    members = [0] * len(links)
    for node, community in enumerate(own):
        weight_of[community] += strengths[node]
        members[community] += 1
    order = list(range(len(links)))
    lot.shuffle(order)
    queue, waiting = deque(order), [True] * len(links)
    while queue:
        node = queue.popleft()
        waiting[node] = False
        before, strength = own[node], strengths[node]
        weight_of[before] -= strength
        members[before] -= 1
        best = _best_community(links[node], node, own, weight_of, strength * scale, before)
        own[node] = best
        weight_of[best] += strength
        members[best] += 1
        if best != before:
            for other in links[node]:
                if own[other] != best and not waiting[other]:
                    waiting[other] = True
                    queue.append(other)
    return own


def _best_community(
    links: dict[int, float],
    node: int,
    own: list[int],
    weight_of: list[float],
    pull: float,
    before: int,
) -> int:
    """The community of most gain; staying wins over an equal gain, the lower number over another equal gain."""
    joined: dict[int, float] = {}
    for other, weight in links.items():
        if other != node:
            joined[own[other]] = joined.get(own[other], 0.0) + weight
    best, most = before, joined.get(before, 0.0) - pull * weight_of[before]
    for community in sorted(joined):
        gain = joined[community] - pull * weight_of[community]
        if gain > most + _LEAST_GAIN:
            best, most = community, gain
    return best


def _refine(level: _Level, partition: list[int], scale: float, lot: random.Random) -> list[int]:
    """Merge the nodes of each community anew, each only while it is alone and well connected to the rest."""
    links, strengths = level.links, level.strengths
    community_weight: dict[int, float] = {}
    for node, community in enumerate(partition):
        community_weight[community] = community_weight.get(community, 0.0) + strengths[node]
    refined = list(range(len(links)))
    weight_of, size_of = list(strengths), [1] * len(links)
    order = list(range(len(links)))
    lot.shuffle(order)
    for node in order:
        if size_of[refined[node]] > 1:
            continue
        strength, around = strengths[node], community_weight[partition[node]]
        inside = {
            other: weight
            for other, weight in links[node].items()
            if other != node and partition[other] == partition[node]
        }
        if sum(inside.values()) + _LEAST_GAIN < scale * strength * (around - strength):
            continue
        before = refined[node]
        weight_of[before] = 0.0
        best = _best_community(inside, node, refined, weight_of, strength * scale, before)
        refined[node] = best
        weight_of[best] += strength
        if best != before:
            size_of[before], size_of[best] = 0, size_of[best] + 1
    return refined


def _aggregate(
    level: _Level, refined: list[int], partition: list[int]
) -> tuple[_Level, dict[int, int], list[int]]:
    """One node for each refined community; their numbers there; their communities."""
    numbers: dict[int, int] = {}
    for community in refined:
        numbers.setdefault(community, len(numbers))
    links: _Links = [{} for _ in numbers]
    strengths = [0.0] * len(numbers)
    communities = [0] * len(numbers)
    names: dict[int, int] = {}
    for node, community in enumerate(refined):
        place = numbers[community]
        strengths[place] += level.strengths[node]
        communities[place] = names.setdefault(partition[node], place)
        mine = links[place]
        for other, weight in level.links[node].items():
            target = numbers[refined[other]]
            mine[target] = mine.get(target, 0.0) + weight
    return _Level(links, strengths), numbers, communities


def _numbered(partition: list[int]) -> list[int]:
    numbers: dict[int, int] = {}
    return [numbers.setdefault(community, len(numbers)) for community in partition]
