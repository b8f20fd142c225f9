"""One shape for what a graph is made of, RDF and property graphs alike.

An RDF predicate whose objects are literals is a property, one whose objects are nodes is an edge type, one with both
is both. Nodes without a type belong to a type of their own, :data:`UNTYPED`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Literal

from .errors import PlanError
from .values import Value, ValueType, to_json_value

UNTYPED = ""
"""The id of the type of nodes that have none."""

GraphKind = Literal["property", "rdf"]


@dataclass(frozen=True, slots=True)
class NodeType:
    """A label of a property graph, a class of an RDF graph.

    Attributes:
        id: the label, or the class IRI.
        label: its name for people.
        count: nodes that carry it themselves.
        total: nodes that carry it or one of its subtypes; equal to ``count`` where there is no hierarchy.
        parents: ids of the types that this one is a direct subtype of.
        equivalents: ids of types said to mean the same.
        other_labels: further names (other languages, alternative labels).
        description: what the graph says that it is.
    """

    id: str
    label: str
    count: int
    total: int
    parents: tuple[str, ...] = ()
    equivalents: tuple[str, ...] = ()
    other_labels: tuple[str, ...] = ()
    description: str = ""


@dataclass(frozen=True, slots=True)
class EdgeEnds:
    """A pair of types that an edge type joins, and how many of its edges join them."""

    source: str
    target: str
    count: int


@dataclass(frozen=True, slots=True)
class EdgeType:
    """A relationship type of a property graph, a predicate between nodes of an RDF graph."""

    id: str
    label: str
    count: int
    ends: tuple[EdgeEnds, ...] = ()
    parents: tuple[str, ...] = ()
    inverse: str | None = None
    symmetric: bool = False
    other_labels: tuple[str, ...] = ()
    description: str = ""


@dataclass(frozen=True, slots=True)
class Property:
    """A property of the nodes (or edges) of one type.

    Attributes:
        key: the property's key, or the predicate's IRI.
        label: its name for people.
        owner: the node type's or edge type's id.
        of_edges: whether ``owner`` is an edge type.
        value_types: the kinds of value seen, the most frequent first.
        count: owners that have it.
        coverage: ``count`` over the number of owners, 0 to 1.
        samples: a few different values.
        distinct: how many different values there are, or ``None`` if not known.
        languages: the language tags of its texts, the most frequent first; ``""`` for texts without one; none where
            it holds no text. ``None`` if not every value was looked at, or there are too many to list.
    """

    key: str
    label: str
    owner: str
    value_types: tuple[ValueType, ...]
    count: int
    coverage: float
    samples: tuple[Value, ...] = ()
    distinct: int | None = None
    of_edges: bool = False
    other_labels: tuple[str, ...] = ()
    description: str = ""
    languages: tuple[str, ...] | None = None


@dataclass(frozen=True)
class Schema:
    """What a graph is made of. Types and properties are ordered by count, the largest first.

    ``notes`` says in plain sentences what was sampled, cut or guessed.
    """

    kind: GraphKind
    node_count: int
    edge_count: int
    node_types: tuple[NodeType, ...]
    edge_types: tuple[EdgeType, ...]
    properties: tuple[Property, ...]
    notes: tuple[str, ...] = ()
    name: str = field(default="", compare=False)

    @cached_property
    def _types_by_id(self) -> Mapping[str, NodeType]:
        return {node_type.id: node_type for node_type in self.node_types}

    @cached_property
    def _edge_types_by_id(self) -> Mapping[str, EdgeType]:
        return {edge_type.id: edge_type for edge_type in self.edge_types}

    @cached_property
    def _children(self) -> Mapping[str, tuple[str, ...]]:
        children: dict[str, list[str]] = {}
        for node_type in self.node_types:
            for parent in node_type.parents:
                children.setdefault(parent, []).append(node_type.id)
            for other in node_type.equivalents:
                children.setdefault(other, []).append(node_type.id)
                children.setdefault(node_type.id, []).append(other)
        return {parent: tuple(ids) for parent, ids in children.items()}

    def node_type(self, id: str) -> NodeType:
        """The node type with this id. Raises :class:`PlanError` if there is none."""
        if id not in self._types_by_id:
            raise PlanError(
                f"this graph has no node type {id!r}", advice="`askgraph schema` lists the types."
            )
        return self._types_by_id[id]

    def edge_type(self, id: str) -> EdgeType:
        """The edge type with this id. Raises :class:`PlanError` if there is none."""
        if id not in self._edge_types_by_id:
            raise PlanError(
                f"this graph has no edge type {id!r}", advice="`askgraph schema` lists the types."
            )
        return self._edge_types_by_id[id]

    def has_node_type(self, id: str) -> bool:
        """Whether a node type has this id."""
        return id in self._types_by_id

    def has_edge_type(self, id: str) -> bool:
        """Whether an edge type has this id."""
        return id in self._edge_types_by_id

    def subtypes(self, id: str) -> tuple[str, ...]:
        """The type itself, then every type below it (equivalent types are below each other), without repeats."""
        found: dict[str, None] = {id: None}
        waiting = [id]
        while waiting:
            for child in self._children.get(waiting.pop(), ()):
                if child not in found:
                    found[child] = None
                    waiting.append(child)
        return tuple(found)

    def with_subtypes(self, ids: Iterable[str]) -> tuple[str, ...]:
        """Each of these types and every type below it, without repeats."""
        return tuple(dict.fromkeys(subtype for id in ids for subtype in self.subtypes(id)))

    def supertypes(self, ids: Iterable[str]) -> tuple[str, ...]:
        """These types, then every type above them, without repeats."""
        found = dict.fromkeys(ids)
        waiting = list(found)
        while waiting:
            node_type = self._types_by_id.get(waiting.pop())
            for parent in (*node_type.parents, *node_type.equivalents) if node_type else ():
                if parent not in found:
                    found[parent] = None
                    waiting.append(parent)
        return tuple(found)

    def properties_of(self, owner: str, *, of_edges: bool = False) -> tuple[Property, ...]:
        """The properties of one node type (or edge type)."""
        return tuple(item for item in self.properties if item.owner == owner and item.of_edges == of_edges)

    def label_of(self, id: str) -> str:
        """What to call a node type, an edge type or a property key; the id itself if it is none of these."""
        if id in self._types_by_id:
            return self._types_by_id[id].label
        if id in self._edge_types_by_id:
            return self._edge_types_by_id[id].label
        return self._property_labels.get(id, id)

    @cached_property
    def _property_labels(self) -> Mapping[str, str]:
        return {item.key: item.label for item in reversed(self.properties)}

    def to_dict(self) -> dict[str, Any]:
        """Strict JSON data."""
        return {
            "kind": self.kind,
            "name": self.name,
            "node_count": self.node_count,
            "edge_count": self.edge_count,
            "node_types": [_node_type_to_dict(item) for item in self.node_types],
            "edge_types": [_edge_type_to_dict(item) for item in self.edge_types],
            "properties": [_property_to_dict(item) for item in self.properties],
            "notes": list(self.notes),
        }

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Schema:
        """The inverse of :meth:`to_dict`."""
        from .values import from_json_value

        return cls(
            kind=data["kind"],
            name=data.get("name", ""),
            node_count=data["node_count"],
            edge_count=data["edge_count"],
            node_types=tuple(NodeType(**_tuples(item)) for item in data["node_types"]),
            edge_types=tuple(
                EdgeType(**_tuples(item) | {"ends": tuple(EdgeEnds(**ends) for ends in item["ends"])})
                for item in data["edge_types"]
            ),
            properties=tuple(
                Property(
                    **_tuples(item)
                    | {
                        "value_types": tuple(ValueType(kind) for kind in item["value_types"]),
                        "samples": tuple(from_json_value(value) for value in item["samples"]),
                    }
                )
                for item in data["properties"]
            ),
            notes=tuple(data["notes"]),
        )


def _tuples(data: Mapping[str, Any]) -> dict[str, Any]:
    return {key: tuple(value) if isinstance(value, list) else value for key, value in data.items()}


def _node_type_to_dict(item: NodeType) -> dict[str, Any]:
    return {
        "id": item.id,
        "label": item.label,
        "count": item.count,
        "total": item.total,
        "parents": list(item.parents),
        "equivalents": list(item.equivalents),
        "other_labels": list(item.other_labels),
        "description": item.description,
    }


def _edge_type_to_dict(item: EdgeType) -> dict[str, Any]:
    return {
        "id": item.id,
        "label": item.label,
        "count": item.count,
        "ends": [{"source": ends.source, "target": ends.target, "count": ends.count} for ends in item.ends],
        "parents": list(item.parents),
        "inverse": item.inverse,
        "symmetric": item.symmetric,
        "other_labels": list(item.other_labels),
        "description": item.description,
    }


def _property_to_dict(item: Property) -> dict[str, Any]:
    return {
        "key": item.key,
        "label": item.label,
        "owner": item.owner,
        "of_edges": item.of_edges,
        "value_types": [kind.value for kind in item.value_types],
        "count": item.count,
        "coverage": round(item.coverage, 4),
        "samples": [to_json_value(value) for value in item.samples],
        "distinct": item.distinct,
        "other_labels": list(item.other_labels),
        "description": item.description,
        "languages": None if item.languages is None else list(item.languages),
    }
