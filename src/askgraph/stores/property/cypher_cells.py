"""The cells of a Cypher result as the rest of askgraph sees them: nodes, edges and paths as the truth has them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any

import numpy as np

from ...core.graph import Edge, Node
from ...core.query_result import Cell, FoundPath
from ...core.values import from_json_value
from ..query_text import size_of

_AT_ONCE = 1_000

FindNodes = Callable[[np.ndarray[Any, Any]], Iterable[Node]]
FindEdges = Callable[[np.ndarray[Any, Any]], Iterable[Edge]]


def cells_of(
    rows: Sequence[Sequence[Any]], find_nodes: FindNodes, find_edges: FindEdges, most_bytes: int
) -> list[tuple[Cell, ...]]:
    """The rows of a result, as many as fit into so many bytes.

    Args:
        rows: what the worker gave.
        find_nodes: reads nodes by row.
        find_edges: reads edges by number.
        most_bytes: memory that the nodes and edges may take.
    """
    cells: list[tuple[Cell, ...]] = []
    known = _Known()
    for start in range(0, len(rows), _AT_ONCE):
        batch = rows[start : start + _AT_ONCE]
        whole = known.learn(batch, find_nodes, find_edges, most_bytes)
        cells += [tuple(known.cell(item) for item in row) for row in batch[:whole]]
        if whole < len(batch):
            break
    return cells


class _Known:
    """The nodes and edges read so far, and the memory that they take."""

    def __init__(self) -> None:
        self._nodes: dict[int, Node] = {}
        self._edges: dict[int, Edge] = {}
        self._bytes = 0

    def learn(
        self, rows: Sequence[Sequence[Any]], find_nodes: FindNodes, find_edges: FindEdges, most_bytes: int
    ) -> int:
        """Read what these rows show. Gives the number of rows whose nodes and edges are all known then."""
        nodes = [number for number in dict.fromkeys(_numbers(rows, "node")) if number not in self._nodes]
        edges = [number for number in dict.fromkeys(_numbers(rows, "edge")) if number not in self._edges]
        for number, node in zip(nodes, find_nodes(_array(nodes)), strict=True):
            self._bytes += size_of(node.properties)
            if self._bytes > most_bytes:
                break
            self._nodes[number] = node
        for number, edge in zip(edges, find_edges(_array(edges)), strict=True):
            self._bytes += size_of(edge.properties)
            if self._bytes > most_bytes:
                break
            self._edges[number] = edge
        if self._bytes <= most_bytes:
            return len(rows)
        return next((place for place, row in enumerate(rows) if not self._knows(row)), len(rows))

    def _knows(self, row: Sequence[Any]) -> bool:
        return all(number in self._nodes for number in _numbers([row], "node")) and all(
            number in self._edges for number in _numbers([row], "edge")
        )

    def cell(self, data: Any) -> Cell:
        """A cell; lists and maps may hold nodes, edges and paths too."""
        if isinstance(data, list):
            return [self.cell(item) for item in data]
        if not isinstance(data, dict):
            return data  # type: ignore[no-any-return]
        match data.get("$type"):
            case None:
                return {key: self.cell(item) for key, item in data.items()}
            case "map":
                return {key: self.cell(item) for key, item in data["value"].items()}
            case "node":
                return self._nodes[data["value"]]
            case "edge":
                return self._edges[data["value"]]
            case "path":
                return FoundPath(
                    tuple(self._nodes[number] for number in data["nodes"]),
                    tuple(self._edges[number] for number in data["edges"]),
                )
        return from_json_value(data)


def _array(numbers: Sequence[int]) -> np.ndarray[Any, Any]:
    return np.array(numbers, dtype=np.int64)


def _numbers(data: Any, kind: str) -> Iterator[int]:
    """The numbers of the nodes, or of the edges, that are anywhere in rows or cells."""
    if isinstance(data, list | tuple):
        for item in data:
            yield from _numbers(item, kind)
    elif isinstance(data, dict):
        match data.get("$type"):
            case "node" | "edge" as found:
                if found == kind:
                    yield data["value"]
            case "path":
                yield from data[f"{kind}s"]
            case None:
                for item in data.values():
                    yield from _numbers(item, kind)
            case "map":
                yield from _numbers(list(data["value"].values()), kind)
