"""A community as a model that reports on it sees it: its nodes, edges and definitions, as many as there is room for.

What is shown depends on the community alone, not on the question for which it was found, so that a report can be used
again. Of more than fits, every node keeps its best edge before any gets a second one; then the edges between the nodes
of most links go first. (GraphRAG's own context has at most one edge for each node, whatever the room.)
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from ...core.words import quantity
from .descriptions import definition_of
from .selection import SelectedEdge, SelectedNode

# Of the room, how much names and types of nodes may take, and how much these and the edges; definitions get the rest.
_FOR_NODES, _FOR_NODES_AND_EDGES = 0.35, 0.85


@dataclass(frozen=True, slots=True)
class CommunityText:
    """A community in words.

    Attributes:
        nodes_text: a line for each node: its number, name, type and definition.
        edges_text: a line for each edge: its number, and what it says.
        nodes: ids of the nodes shown, by their numbers from 1.
        edges: the same of the edges.
        left_out: what is not shown, in a sentence; empty where everything is.
        tokens: what the lines take.
    """

    nodes_text: str
    edges_text: str
    nodes: tuple[str, ...]
    edges: tuple[str, ...]
    left_out: str
    tokens: int

    @property
    def data(self) -> dict[str, str]:
        """The texts for the prompt."""
        return {"nodes": self.nodes_text, "edges": self.edges_text, "left_out": self.left_out}


def community_text(
    nodes: Sequence[SelectedNode],
    edges: Sequence[SelectedEdge],
    *,
    label_of: Callable[[str], str],
    room: int,
    tokens: Callable[[str], int],
) -> CommunityText:
    """A community in at most so many tokens.

    Args:
        nodes: its nodes, in any order.
        edges: the edges between them, in any order.
        label_of: from a node type to what it is called.
        room: tokens that all lines together may take.
        tokens: how many a text takes.
    """
    return _Writing(nodes, edges, label_of, room, tokens).text()


class _Writing:
    def __init__(
        self,
        nodes: Sequence[SelectedNode],
        edges: Sequence[SelectedEdge],
        label_of: Callable[[str], str],
        room: int,
        tokens: Callable[[str], int],
    ) -> None:
        self._degrees = _degrees(nodes, edges)
        self._nodes = sorted(nodes, key=lambda item: (-self._degrees[item.id], item.id))
        self._edges = edges
        self._label_of = label_of
        self._room = room
        self._tokens = tokens
        self._used = 0
        self._by_id = {item.id: item for item in nodes}
        counts = Counter(_flat(item.node.name) for item in nodes)
        self._shared = {name for name, count in counts.items() if count > 1}

    def text(self) -> CommunityText:
        heads = self._heads()
        shown = {item.id: number for number, item in enumerate(self._nodes[: len(heads)], start=1)}
        edges = self._lines_of_edges(shown)
        defined = self._definitions(heads)
        ordered = sorted(edges, key=lambda item: self._place(item, shown))
        lines = [f"E{number}: {edges[item]}" for number, item in enumerate(ordered, start=1)]
        return CommunityText(
            "\n".join(heads),
            "\n".join(lines),
            tuple(shown),
            tuple(self._edges[item].edge.id for item in ordered),
            self._left_out(len(heads), len(lines), defined),
            self._used,
        )

    # --- nodes

    def _heads(self) -> list[str]:
        """A line for each node, without its definition."""
        lines: list[str] = []
        for number, item in enumerate(self._nodes, start=1):
            kinds = ", ".join(map(self._label_of, item.node.types))
            line = f"N{number}: {_flat(item.node.name)}" + (f" ({_flat(kinds)})" if kinds else "")
            if not self._take(line, _FOR_NODES):
                break
            lines.append(line)
        return lines

    def _definitions(self, heads: list[str]) -> int:
        """Put definitions behind the nodes; gives how many there was no room for."""
        left = 0
        for place, item in enumerate(self._nodes[: len(heads)]):
            text = definition_of(item.node)
            if text and self._take(text, 1.0):
                heads[place] += f": {_flat(text)}"
            elif text:
                left += 1
        return left

    # --- edges

    def _lines_of_edges(self, shown: Mapping[str, int]) -> dict[int, str]:
        """The edges that there is room for, by their place, each with its line."""
        lines: dict[int, str] = {}
        for place in self._by_weight(shown):
            item = self._edges[place]
            line = f"{self._name(item.edge.source, shown)} {item.label} {self._name(item.edge.target, shown)}"
            # Its number is given later: no community has more edges than five digits count.
            if not self._take(f"E{len(self._edges)}: {line}", _FOR_NODES_AND_EDGES):
                break
            lines[place] = line
        return lines

    def _by_weight(self, shown: Mapping[str, int]) -> list[int]:
        """Places of edges: first one for each node, then the rest, those between nodes of most links first."""

        def weight(place: int) -> tuple[int, str]:
            edge = self._edges[place].edge
            return -(self._degrees[edge.source] + self._degrees[edge.target]), edge.id

        ordered = sorted(
            (
                place
                for place, item in enumerate(self._edges)
                if item.edge.source in shown and item.edge.target in shown
            ),
            key=weight,
        )
        first: dict[int, None] = {}
        covered: set[str] = set()
        for place in ordered:
            ends = {self._edges[place].edge.source, self._edges[place].edge.target}
            if not ends <= covered:
                covered |= ends
                first[place] = None
        return [*first, *(place for place in ordered if place not in first)]

    def _name(self, id: str, shown: Mapping[str, int]) -> str:
        name = _flat(self._by_id[id].node.name)
        return f"{name} (N{shown[id]})" if name in self._shared else name

    def _place(self, item: int, shown: Mapping[str, int]) -> tuple[int, str, int, str]:
        edge = self._edges[item].edge
        return shown[edge.source], self._edges[item].label, shown[edge.target], edge.id

    # --- room

    def _take(self, line: str, share: float) -> bool:
        size = self._tokens(line)
        if self._used + size > share * self._room:
            return False
        self._used += size
        return True

    def _left_out(self, nodes: int, edges: int, definitions: int) -> str:
        counts = (
            (len(self._nodes) - nodes, "node", "nodes"),
            (len(self._edges) - edges, "edge", "edges"),
            (definitions, "definition", "definitions"),
        )
        said = [quantity(count, one, many) for count, one, many in counts if count]
        return ", ".join(said)


def _degrees(nodes: Sequence[SelectedNode], edges: Sequence[SelectedEdge]) -> dict[str, int]:
    degrees = dict.fromkeys((item.id for item in nodes), 0)
    for item in edges:
        degrees[item.edge.source] += 1
        degrees[item.edge.target] += 1
    return degrees


def _flat(text: str) -> str:
    return " ".join(text.split())
