"""A hierarchy of communities: Leiden, and again within each community that is too large.

V. A. Traag, L. Waltman, N. J. van Eck, "From Louvain to Leiden: guaranteeing well-connected communities", Scientific
Reports 9, 2019. The division of large communities is that of graspologic's ``hierarchical_leiden``, which GraphRAG
uses: a community above the size is looked at as a network of its own and divided, and so on.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import count, pairwise, repeat
from typing import Any, Final, Literal

import numpy as np
from numpy.typing import NDArray

from ..core.budget import Budget
from ..core.errors import AlgorithmError, MissingPackageError
from .leiden import leiden
from .network import Network

Integers = NDArray[np.int64]
LeidenEngine = Literal["auto", "graspologic-native", "python"]

DEFAULT_MAX_CLUSTER_SIZE: Final = 10
"""Communities of so many nodes or more are divided; GraphRAG's default."""

DEFAULT_SEED: Final = 0xDEADBEEF
"""GraphRAG's."""

MOST_EDGES_IN_PYTHON: Final = 300_000
"""More edges than this are left to graspologic-native."""


_SHIFT: Final = 32
_LOW_BITS: Final = (1 << _SHIFT) - 1


@dataclass(frozen=True, slots=True)
class Community:
    """Nodes that are linked to each other more than to others.

    Attributes:
        id: numbered from 0, level after level.
        level: 0 at the top.
        parent: the community that it is a part of; -1 at the top.
        nodes: ascending.
        children: the communities that it was divided into.
    """

    id: int
    level: int
    parent: int
    nodes: tuple[int, ...]
    children: tuple[int, ...] = ()

    @property
    def is_final(self) -> bool:
        """Whether it was not divided."""
        return not self.children


@dataclass(frozen=True, slots=True)
class Hierarchy:
    """Communities, parents before their parts, and which engine found them."""

    communities: tuple[Community, ...]
    engine: str

    def at_level(self, level: int) -> tuple[Community, ...]:
        """The communities of a level, and those above it that were not divided: every node once."""
        return tuple(
            item for item in self.communities if item.level == level or (item.level < level and item.is_final)
        )

    @property
    def final(self) -> tuple[Community, ...]:
        """The communities that were not divided: every node once."""
        return tuple(item for item in self.communities if item.is_final)


def hierarchical_leiden(
    network: Network,
    *,
    max_cluster_size: int = DEFAULT_MAX_CLUSTER_SIZE,
    resolution: float = 1.0,
    seed: int = DEFAULT_SEED,
    engine: LeidenEngine = "auto",
    budget: Budget | None = None,
) -> Hierarchy:
    """Divide a network into communities, and large communities into smaller ones.

    A community that Leiden does not divide stays, however large it is. An isolated node is a community of its own. The
    same network, parameters and engine give the same communities.

    Args:
        network: weights of its edges count.
        max_cluster_size: communities of so many nodes or more are divided, as graspologic does.
        resolution: of the modularity; higher values give more communities.
        seed: of what is drawn by lot.
        engine: ``"graspologic-native"`` (an extra), ``"python"`` (ours, for small networks), or ``"auto"``: the first
            if it is installed.
        budget: its time is kept; graspologic-native is not interrupted.

    Raises:
        AlgorithmError: a parameter is out of range.
        MissingPackageError: graspologic-native is needed and not installed.
        DeadlineExceededError: the time is up.
    """
    if max_cluster_size < 1 or not resolution > 0 or seed < 0:
        raise AlgorithmError(
            "the largest size of a cluster is 1 or more, the resolution above 0 and the seed 0 or more, not "
            f"{max_cluster_size}, {resolution} and {seed}"
        )
    native = None if engine == "python" else _native()
    if native is None and (engine == "graspologic-native" or network.edge_count > MOST_EDGES_IN_PYTHON):
        raise MissingPackageError(
            f"communities of {network.edge_count:,} edges are found by graspologic-native, which is not installed",
            advice="pip install 'askgraph[communities]'",
        )
    if native is not None:
        levels = _levels_of_native(native, network, max_cluster_size, resolution, seed)
        return Hierarchy(_numbered(network, levels), "graspologic-native")
    levels = _levels_of_python(network, max_cluster_size, resolution, seed, budget)
    return Hierarchy(_numbered(network, levels), "python")


@dataclass(frozen=True, slots=True)
class _Part:
    """A community before it is numbered: its own key, that of what it is a part of, and its nodes, ascending."""

    key: int
    parent: int | None
    nodes: tuple[int, ...]


def _native() -> Any:
    try:
        import graspologic_native
    except ImportError:
        return None
    return graspologic_native


def _levels_of_native(
    native: Any, network: Network, most: int, resolution: float, seed: int
) -> list[list[_Part]]:
    names = np.array([str(node) for node in range(network.node_count)], dtype=object)
    ends = np.repeat(np.arange(network.node_count), np.diff(network.offsets))
    once = np.flatnonzero(ends < network.neighbors)
    if not len(once):
        return []
    weights = repeat(1.0) if network.weights is None else network.weights[once].tolist()
    edges = list(
        zip(names[ends[once]].tolist(), names[network.neighbors[once]].tolist(), weights, strict=False)
    )
    found = native.hierarchical_leiden(
        edges=edges, max_cluster_size=most, resolution=resolution, seed=seed, use_modularity=True
    )
    # One number for each entry, that sorts by the community and then by the node.
    clusters = np.array([item.cluster for item in found], dtype=np.int64)
    entries = clusters << _SHIFT | np.array([int(item.node) for item in found], dtype=np.int64)
    entries.sort()
    nodes = (entries & _LOW_BITS).tolist()
    keys, places = np.unique(clusters, return_index=True)
    starts = np.searchsorted(entries, keys << _SHIFT).tolist()
    levels: dict[int, list[_Part]] = {}
    for place, (start, end) in zip(places.tolist(), pairwise([*starts, len(nodes)]), strict=True):
        item = found[place]
        part = _Part(item.cluster, item.parent_cluster, tuple(nodes[start:end]))
        levels.setdefault(item.level, []).append(part)
    return [levels[level] for level in sorted(levels)]


def _levels_of_python(
    network: Network, most: int, resolution: float, seed: int, budget: Budget | None
) -> list[list[_Part]]:
    linked = np.flatnonzero(np.diff(network.offsets) > 0)
    if not len(linked):
        return []
    keys = count()
    top = [_Part(next(keys), None, part) for part in _divided(network, linked, resolution, seed, budget)]
    levels = [top]
    while True:
        below: list[_Part] = []
        for item in levels[-1]:
            if len(item.nodes) >= most:
                nodes = np.array(item.nodes, dtype=np.int64)
                parts = list(_divided(network, nodes, resolution, seed, budget))
                if len(parts) > 1:
                    below.extend(_Part(next(keys), item.key, part) for part in parts)
        if not below:
            return levels
        levels.append(below)


def _divided(
    network: Network, nodes: Integers, resolution: float, seed: int, budget: Budget | None
) -> Iterator[tuple[int, ...]]:
    own = network if len(nodes) == network.node_count else network.induced(nodes)
    partition = np.array(leiden(own, resolution=resolution, seed=seed, budget=budget), dtype=np.int64)
    for number in range(int(partition.max(initial=-1)) + 1):
        yield tuple(nodes[partition == number].tolist())


def _numbered(network: Network, levels: list[list[_Part]]) -> tuple[Community, ...]:
    """Communities numbered by level and lowest node, each isolated node as one of its own at the end of the top."""
    isolated = np.flatnonzero(np.diff(network.offsets) == 0).tolist()
    top = sorted(levels[0], key=lambda part: part.nodes[0]) if levels else []
    alone = [_Part(-1 - node, None, (node,)) for node in isolated]
    numbers: dict[int, int] = {}
    drafts: list[tuple[int, int, tuple[int, ...]]] = []
    children: dict[int, list[int]] = {}
    for level, parts in enumerate([[*top, *alone], *levels[1:]]):
        for part in parts if level == 0 else sorted(parts, key=lambda part: _place(part, numbers)):
            above = -1 if part.parent is None else numbers[part.parent]
            number = numbers[part.key] = len(drafts)
            drafts.append((level, above, part.nodes))
            children.setdefault(above, []).append(number)
    return tuple(
        Community(number, level, parent, nodes, tuple(children.get(number, ())))
        for number, (level, parent, nodes) in enumerate(drafts)
    )


def _place(part: _Part, numbers: dict[int, int]) -> tuple[int, int]:
    """Parts are numbered by what they are a part of, then by their lowest nodes."""
    return (-1 if part.parent is None else numbers[part.parent], part.nodes[0])
