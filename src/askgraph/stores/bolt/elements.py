"""Nodes, relationships and paths of the driver as ours, without what is hidden and without vectors."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from neo4j import graph

from ...core.graph import Edge, Node
from ...core.hidden import Hidden
from ...core.query_result import FoundPath
from ...core.values import Value
from ..property.names import NameRules
from .engines import Engine
from .values import from_bolt, is_vector


@dataclass(slots=True)
class LeftOut:
    """What a reader has left out so far.

    Attributes:
        hidden: nodes, relationships and paths that are not to be seen.
        vectors: long lists of numbers among the properties of nodes and relationships.
    """

    hidden: int = 0
    vectors: int = 0

    @property
    def notes(self) -> tuple[str, ...]:
        """The same in sentences."""
        notes = []
        if self.hidden:
            notes.append("Some cells are empty because what they held is hidden here.")
        if self.vectors:
            notes.append("Vectors are left out of nodes and edges; a query that asks for one gets it.")
        return tuple(notes)


class ElementReader:
    """Reads elements of one result, and remembers what it left out."""

    def __init__(self, engine: Engine, hidden: Hidden, names: NameRules) -> None:
        """``names`` says which properties name a node."""
        self._engine = engine
        self._hidden = hidden
        self._names = names
        self.left_out = LeftOut()

    def node(self, id: str, labels: Sequence[str], properties: Mapping[str, Any]) -> Node | None:
        """A node of its parts; ``None`` if it is hidden."""
        types = tuple(sorted(labels))
        if any(self._hidden.hides_type(type) for type in types):
            self.left_out.hidden += 1
            return None
        seen = self._seen(properties, types)
        return Node(id, self._names_of(seen), types, seen)

    def edge(
        self, id: str, source: str, target: str, type: str, properties: Mapping[str, Any]
    ) -> Edge | None:
        """A relationship of its parts (``id`` is the engine's own); ``None`` if it is hidden."""
        if self._hidden.hides_type(type):
            self.left_out.hidden += 1
            return None
        public = self._engine.edge_id(source, id)
        return Edge(public, source, target, type, self._seen(properties, (type,)))

    def cell(self, value: Any) -> Any:
        """Whatever stands in a row: a value, a node, an edge, a path, or a list or map of them. What is hidden is
        ``None``, and left out of lists."""
        match value:
            case graph.Node():
                return self._graph_node(value)
            case graph.Relationship():
                return self._graph_edge(value)
            case graph.Path():
                return self._path(value)
            case list():
                return self._list(value)
            case Mapping():
                return {
                    key: self.cell(item)
                    for key, item in value.items()
                    if not self._hidden.hides_property_somewhere(key)
                }
        return from_bolt(value)

    def _list(self, items: list[Any]) -> list[Any]:
        cells = [(item, self.cell(item)) for item in items]
        return [cell for item, cell in cells if cell is not None or not _is_element(item)]

    def _graph_node(self, node: graph.Node) -> Node | None:
        return self.node(node.element_id, tuple(node.labels), dict(node))

    def _graph_edge(self, edge: graph.Relationship) -> Edge | None:
        source, target = edge.nodes
        if self._is_hidden(source) or self._is_hidden(target):
            self.left_out.hidden += 1
            return None
        return self.edge(edge.element_id, _id(source), _id(target), edge.type, dict(edge))

    def _path(self, path: graph.Path) -> FoundPath | None:
        nodes = [self._graph_node(node) for node in path.nodes]
        edges = [self._graph_edge(edge) for edge in path.relationships]
        seen_nodes = tuple(node for node in nodes if node is not None)
        seen_edges = tuple(edge for edge in edges if edge is not None)
        if len(seen_nodes) < len(nodes) or len(seen_edges) < len(edges):
            return None
        return FoundPath(seen_nodes, seen_edges)

    def _is_hidden(self, node: graph.Node | None) -> bool:
        return node is not None and any(self._hidden.hides_type(label) for label in node.labels)

    def _seen(self, properties: Mapping[str, Any], types: Sequence[str]) -> dict[str, Value]:
        seen: dict[str, Value] = {}
        for key in sorted(properties):
            if self._hidden.hides_property(key, types):
                continue
            value = from_bolt(properties[key])
            if is_vector(value):
                self.left_out.vectors += 1
            elif value is not None:
                seen[key] = value
        return seen

    def _names_of(self, properties: Mapping[str, Value]) -> tuple[Any, ...]:
        """Names that properties give. An element's id names nothing."""
        return tuple(name for name in self._names.names("", properties) if name.source)


def _is_element(value: Any) -> bool:
    return isinstance(value, graph.Node | graph.Relationship | graph.Path)


def _id(node: graph.Node | None) -> str:
    return "" if node is None else node.element_id
