"""The edges of a graph as compressed sparse rows: plain arrays that neighbours, paths and algorithms read."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


@dataclass(frozen=True, slots=True, eq=False)
class Adjacency:
    """Every edge twice: from its source, and from its target.

    Nodes are numbered from 0. Edges are numbered from 0 in the order (source, type, target): the edges that leave node
    ``n`` are ``out_offsets[n]`` to ``out_offsets[n + 1]``, and edge ``e`` leads to ``out_targets[e]``. The edges that
    enter node ``n`` stand at the positions ``in_offsets[n]`` to ``in_offsets[n + 1]``, in the order (type, source,
    edge).

    Attributes:
        out_offsets: int64, one more than there are nodes.
        out_targets: int32, one for each edge.
        out_types: int32, the code of each edge's type.
        in_offsets: int64, one more than there are nodes.
        in_sources: int32, one for each edge.
        in_types: int32.
        in_edges: int32 or int64, the number of the edge.
    """

    out_offsets: NDArray[np.int64]
    out_targets: NDArray[np.int32]
    out_types: NDArray[np.int32]
    in_offsets: NDArray[np.int64]
    in_sources: NDArray[np.int32]
    in_types: NDArray[np.int32]
    in_edges: NDArray[np.int32] | NDArray[np.int64]

    @property
    def node_count(self) -> int:
        """How many nodes there are."""
        return len(self.out_offsets) - 1

    @property
    def edge_count(self) -> int:
        """How many edges there are."""
        return len(self.out_targets)
