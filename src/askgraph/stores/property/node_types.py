"""Which nodes carry which types, without reading the rest of them: a question asks it of thousands of nodes at once."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    import duckdb

Integers = NDArray[np.int64]

# In place of a type's number: the node has several types, or none.
_SEVERAL = -1


class NodeTypes:
    """The types of every node of one version of a graph, in memory: four bytes a node, and more for those with several.

    Args:
        cursor: of the database, that nobody else uses meanwhile.
        node_count: of the graph.
    """

    def __init__(self, cursor: duckdb.DuckDBPyConnection, node_count: int) -> None:
        cells = cursor.execute(
            f"SELECT row, CASE WHEN len(types) = 1 THEN types[1] ELSE {_SEVERAL} END AS code FROM nodes"
        ).fetchnumpy()
        self._codes = np.full(node_count, _SEVERAL, dtype=np.int32)
        self._codes[np.asarray(cells["row"], dtype=np.int64)] = np.asarray(cells["code"], dtype=np.int32)
        rows = cursor.execute("SELECT row, types FROM nodes WHERE len(types) > 1").fetchall()
        self._several = {int(row): frozenset(types) for row, types in rows}

    def most_specific(self, type_count: int) -> Integers:
        """For each node one type: of several the one that fewest nodes have, the lower number of equals; -1 of none."""
        counts = np.bincount(self._codes[self._codes >= 0], minlength=type_count)
        for types in self._several.values():
            counts[list(types)] += 1
        chosen = self._codes.astype(np.int64)
        for row, types in self._several.items():
            chosen[row] = min(types, key=lambda code: (int(counts[code]), code))
        return chosen

    def have(self, rows: Integers, codes: Iterable[int]) -> NDArray[np.bool_]:
        """For each node whether it carries one of the types, by their numbers."""
        wanted = frozenset(codes)
        own = self._codes[rows]
        found = np.isin(own, list(wanted))
        for place in np.flatnonzero(own == _SEVERAL).tolist():
            found[place] = not wanted.isdisjoint(self._several.get(int(rows[place]), ()))
        return found
