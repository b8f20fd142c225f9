"""Connected components.

By hooking each tree to the smallest neighbour of its members and shortening paths by pointer jumping (Y. Shiloach,
U. Vishkin, "An O(log n) Parallel Connectivity Algorithm", Journal of Algorithms 3, 1982, section 3), whole arrays at a
time.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from .network import Network

Integers = NDArray[np.int64]


def connected_components(network: Network) -> tuple[Integers, int]:
    """The component of each node and how many there are.

    Components are numbered from 0 in the order of their lowest nodes. An isolated node is a component.
    """
    count = network.node_count
    parents = np.arange(count)
    one = np.repeat(np.arange(count), np.diff(network.offsets))
    once = one < network.neighbors
    one, other = one[once], network.neighbors[once]
    while len(one):
        roots, other_roots = parents[one], parents[other]
        apart = roots != other_roots
        one, other = one[apart], other[apart]
        if not len(one):
            break
        low = np.minimum(roots[apart], other_roots[apart])
        high = np.maximum(roots[apart], other_roots[apart])
        np.minimum.at(parents, high, low)
        while True:
            further = parents[parents]
            if np.array_equal(further, parents):
                break
            parents = further
    roots, labels = np.unique(parents, return_inverse=True)
    return labels.astype(np.int64), len(roots)


def largest_component_size(network: Network, nodes: ArrayLike) -> int:
    """The number of nodes of the largest component among these nodes and the edges between them; 0 for no nodes."""
    labels, count = connected_components(network.induced(nodes))
    return int(np.bincount(labels).max()) if count else 0
