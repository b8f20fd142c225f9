"""Nodes, edges and paths: what a graph is made of."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from .values import Value, display, to_json_value
from .words import local_name

Direction = Literal["out", "in", "both"]


@dataclass(frozen=True, slots=True)
class Name:
    """One name of a node: its text, the property that gave it (``rdfs:label``, ``name``, ``""`` for the id itself),
    and its language tag where it has one."""

    text: str
    source: str = ""
    language: str | None = None


@dataclass(frozen=True, slots=True)
class Node:
    """A node. Identity is ``id`` (a string that means the same tomorrow), never a name.

    ``names`` is ordered, the preferred one first; it may be empty. ``types`` are type ids (labels of a property
    graph, class IRIs of an RDF graph), as stored: subclasses are not expanded.
    """

    id: str
    names: tuple[Name, ...] = ()
    types: tuple[str, ...] = ()
    properties: Mapping[str, Value] = field(default_factory=dict)

    @property
    def name(self) -> str:
        """What to call the node: its preferred name, else the last part of its id."""
        return self.names[0].text if self.names else local_name(self.id)

    def to_dict(self) -> dict[str, Any]:
        """Strict JSON data."""
        return {
            "id": self.id,
            "name": self.name,
            "types": list(self.types),
            "properties": {key: to_json_value(value) for key, value in self.properties.items()},
        }


@dataclass(frozen=True, slots=True)
class Edge:
    """A directed edge. ``id`` is the given one, else one made from its content and its ordinal among parallels."""

    id: str
    source: str
    target: str
    type: str
    properties: Mapping[str, Value] = field(default_factory=dict)

    def to_dict(self) -> dict[str, Any]:
        """Strict JSON data."""
        return {
            "id": self.id,
            "source": self.source,
            "target": self.target,
            "type": self.type,
            "properties": {key: to_json_value(value) for key, value in self.properties.items()},
        }


def edge_id(source: str, type: str, target: str, ordinal: int = 0) -> str:
    """The id of an edge that was given none: readable, and different for different content.

    The parts are escaped so that no two triples share an id; ``ordinal`` counts parallels from 0.
    """
    parts = (part.replace("%", "%25").replace("|", "%7C") for part in (source, type, target))
    text = "|".join(parts)
    return f"{text}|{ordinal}" if ordinal else text


@dataclass(frozen=True, slots=True)
class Hop:
    """One step of a path: over an edge to a node, or over a property to a value.

    ``forward`` says whether the edge was followed from its source to its target. ``target`` is the node's id, or
    ``None`` for a property, whose ``value`` is then set.
    """

    type: str
    label: str
    forward: bool = True
    edge: str | None = None
    target: str | None = None
    target_name: str = ""
    value: Value = None

    @property
    def is_property(self) -> bool:
        """Whether this hop ends at a value."""
        return self.target is None

    def to_dict(self) -> dict[str, Any]:
        """Strict JSON data."""
        data: dict[str, Any] = {"type": self.type, "label": self.label, "forward": self.forward}
        if self.is_property:
            return data | {"value": to_json_value(self.value)}
        return data | {"edge": self.edge, "target": self.target, "target_name": self.target_name}


@dataclass(frozen=True, slots=True)
class Path:
    """A walk from one node over edges, and at its end perhaps over a property to a value."""

    start: str
    start_name: str
    hops: tuple[Hop, ...]

    @property
    def node_ids(self) -> tuple[str, ...]:
        """Every node on the path, in order."""
        return (self.start, *(hop.target for hop in self.hops if hop.target is not None))

    @property
    def edge_ids(self) -> tuple[str, ...]:
        """Every edge on the path, in order."""
        return tuple(hop.edge for hop in self.hops if hop.edge is not None)

    @property
    def in_words(self) -> str:
        """Statements in the direction of the edges: ``"Heinrich Hoch has manager Nina Quast"``."""
        statements = []
        here = self.start_name
        for hop in self.hops:
            there = display(hop.value) if hop.is_property else hop.target_name
            subject, object = (here, there) if hop.forward else (there, here)
            statements.append(f"{subject} {hop.label} {object}")
            here = there
        return "; ".join(statements)

    def to_dict(self) -> dict[str, Any]:
        """Strict JSON data."""
        return {
            "start": self.start,
            "start_name": self.start_name,
            "hops": [hop.to_dict() for hop in self.hops],
        }
