"""The words of a schema: under which names its types, edge types and properties are found, and what a hop is called."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

from ..core.graph import Direction
from ..core.schema import UNTYPED, EdgeType, Schema
from ..core.words import local_name, normalize, split_identifier
from .language import Language

_FEWEST_WORDS_WITH_INITIALS = 3

TermKind = Literal["node type", "edge type", "property"]


@dataclass(frozen=True, slots=True)
class Term:
    """A type, edge type or property under one of its names."""

    kind: TermKind
    id: str
    name: str
    owners: tuple[str, ...] = ()


class SchemaTerms:
    """Finds the parts of a schema by name. A singular finds a plural and the other way round."""

    def __init__(self, schema: Schema, rules: Language) -> None:
        self.schema = schema
        self._rules = rules
        self._by_name: dict[str, list[Term]] = {}
        for term in _terms(schema):
            normal = rules.singular_phrase(normalize(term.name))
            known = self._by_name.setdefault(normal, [])
            if normal and not any((other.kind, other.id) == (term.kind, term.id) for other in known):
                known.append(term)

    def find(self, normalized: str) -> tuple[Term, ...]:
        """The terms with this name."""
        return tuple(self._by_name.get(self._rules.singular_phrase(normalized), ()))

    def names(self) -> Iterable[str]:
        """Every name, normalised, last word in the singular."""
        return self._by_name.keys()


def _terms(schema: Schema) -> Iterable[Term]:
    for node_type in schema.node_types:
        if node_type.id != UNTYPED:
            own = split_identifier(local_name(node_type.id))
            names = (node_type.label, split_identifier(node_type.label), own, *node_type.other_labels)
            for name in (*names, *filter(None, map(_initials, names))):
                yield Term("node type", node_type.id, name)
    for edge_type in schema.edge_types:
        for name in (edge_type.label, *edge_type.other_labels):
            yield Term("edge type", edge_type.id, name)
    yield from _property_terms(schema)


def _property_terms(schema: Schema) -> Iterable[Term]:
    owners: dict[str, list[str]] = {}
    labels: dict[str, list[str]] = {}
    for item in schema.properties:
        if not item.of_edges:
            owners.setdefault(item.key, []).append(item.owner)
            labels.setdefault(item.key, []).extend((item.label, *item.other_labels))
    for key, own in owners.items():
        for name in dict.fromkeys(labels[key]):
            yield Term("property", key, name, tuple(own))


def _initials(name: str) -> str:
    """``"bill of material"`` is also called ``"bom"``; a name of fewer than three words has no initials."""
    words = normalize(name).split()
    return "".join(word[0] for word in words) if len(words) >= _FEWEST_WORDS_WITH_INITIALS else ""


@dataclass(frozen=True, slots=True)
class HopKind:
    """A kind of step from a node: over an edge type in one direction, or to a property.

    ``end`` is the type at the far end where the schema says so, else ``None``.
    """

    type: str
    forward: bool
    start: str | None = None
    end: str | None = None
    is_property: bool = False


def hop_text(schema: Schema, hop: HopKind) -> str:
    """A hop in words, in the direction of the edge: ``"Employee has manager Manager"``, ``"Product price"``."""
    start = schema.label_of(hop.start) if hop.start else ""
    end = schema.label_of(hop.end) if hop.end else ""
    label = schema.label_of(hop.type)
    if hop.is_property:
        return " ".join(part for part in (start, label) if part)
    source, target = (start, end) if hop.forward else (end, start)
    return " ".join(part for part in (source, label, target) if part)


def hop_direction(schema: Schema, hop: HopKind) -> Direction:
    """How the edges of a hop are followed: a symmetric edge type both ways."""
    if schema.has_edge_type(hop.type) and schema.edge_type(hop.type).symmetric:
        return "both"
    return "out" if hop.forward else "in"


def hop_kinds(schema: Schema, largest: int = 5_000) -> tuple[HopKind, ...]:
    """Every kind of hop of a schema, the most frequent first, at most ``largest``; each with and without its ends."""
    kinds: dict[HopKind, None] = {}
    for edge_type in schema.edge_types:
        for forward in (True, False):
            kinds[HopKind(edge_type.id, forward)] = None
    for item in schema.properties:
        if not item.of_edges:
            kinds[HopKind(item.key, True, None, None, True)] = None
    for item in schema.properties:
        if not item.of_edges and item.owner != UNTYPED:
            kinds[HopKind(item.key, True, item.owner, None, True)] = None
    for edge_type in schema.edge_types:
        for hop in _with_ends(edge_type):
            kinds[hop] = None
    return tuple(kinds)[:largest]


def _with_ends(edge_type: EdgeType) -> Iterable[HopKind]:
    for ends in edge_type.ends:
        source, target = ends.source or None, ends.target or None
        if source or target:
            yield HopKind(edge_type.id, True, source, target)
            yield HopKind(edge_type.id, False, target, source)
