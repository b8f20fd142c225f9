"""The words of a schema: under which names its types, edge types and properties are found, and what a hop is called."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Literal

from rapidfuzz.distance import OSA

from ..core.graph import Direction
from ..core.schema import UNTYPED, EdgeType, Schema
from ..core.words import local_name, normalize, split_identifier
from .language import Language
from .short_forms import written_out

_FEWEST_WORDS_WITH_INITIALS = 3
_PREFIX = re.compile(r"^[A-Za-z]\w{0,15}?__(?=[A-Za-z])")
# How near a name is of which only the end was written, or which was misspelt.
_NEARLY = 0.9
_SHORTEST_WITH_SLIP = 6
_SHORTEST_WITH_TWO_SLIPS = 10

TermKind = Literal["node type", "edge type", "property"]


@dataclass(frozen=True, slots=True)
class Term:
    """A type, edge type or property under one of its names; ``alike``: how near what was written is to that name."""

    kind: TermKind
    id: str
    name: str
    owners: tuple[str, ...] = ()
    alike: float = 1.0


class SchemaTerms:
    """Finds the parts of a schema by name, in the singular or the plural, whatever their blanks and hyphens."""

    def __init__(self, schema: Schema, rules: Language) -> None:
        self.schema = schema
        self._rules = rules
        self._by_key: dict[str, list[Term]] = {}
        self._types_by_end: dict[str, list[Term]] = {}
        for term in _terms(schema):
            words = normalize(term.name).split()
            for key in self._keys(words):
                _add(self._by_key, key, term)
            if term.kind == "node type":
                # One word alone is too little: it may be a part of what other types are called as well.
                for first in range(1, len(words) - 1):
                    for key in self._keys(words[first:]):
                        _add(self._types_by_end, key, term)

    def find(self, normalized: str) -> tuple[Term, ...]:
        """The terms with this name."""
        keys = self._keys(normalized.split())
        return next((tuple(self._by_key[key]) for key in keys if key in self._by_key), ())

    def nearly(self, normalized: str) -> tuple[Term, ...]:
        """The one type that these words mean though they do not quite say so; more than one: nothing.

        They are the end of its name ("details" of "coverage details"), or its name with a slip of the pen.
        """
        keys = self._keys(normalized.split())
        by_end = next((self._types_by_end[key] for key in keys if key in self._types_by_end), [])
        found = by_end or self._misspelt(keys)
        same = {term.id for term in found}
        return (replace(found[0], alike=_NEARLY),) if len(same) == 1 else ()

    def _misspelt(self, keys: Sequence[str]) -> list[Term]:
        # The word itself, and the likeliest singular.
        return [
            term
            for key in keys[:2]
            for other in self._type_keys.get(key[0], ())
            if _is_slip(key, other)
            for term in self._by_key[other]
            if term.kind == "node type"
        ]

    @cached_property
    def _type_keys(self) -> Mapping[str, Sequence[str]]:
        """The keys of node types by their first letter, so that few are compared with a word."""
        found: dict[str, list[str]] = {}
        for key, terms in self._by_key.items():
            if any(term.kind == "node type" for term in terms):
                found.setdefault(key[0], []).append(key)
        return found

    def _keys(self, words: Sequence[str]) -> tuple[str, ...]:
        """What equal names have in common: themselves without blanks, with the last word as it may be in the
        singular."""
        if not words:
            return ()
        *rest, last = words
        stem = "".join(rest)
        return tuple(dict.fromkeys([stem + last, *(stem + form for form in self._rules.singulars(last))]))


def _is_slip(written: str, meant: str) -> bool:
    """Whether a word is another one with the same first letter, but for a slip of the pen, or two where it is long."""
    slips = 1 if len(written) < _SHORTEST_WITH_TWO_SLIPS else 2
    ending = 3 - slips
    return (
        len(written) >= _SHORTEST_WITH_SLIP
        # Words that differ in their endings are two words: "manages" is no manager, an analyst no analysis.
        and written[-ending:] == meant[-ending:]
        and OSA.distance(written, meant, score_cutoff=slips) <= slips
    )


def _add(table: dict[str, list[Term]], key: str, term: Term) -> None:
    known = table.setdefault(key, [])
    if not any((other.kind, other.id) == (term.kind, term.id) for other in known):
        known.append(term)


def _terms(schema: Schema) -> Iterable[Term]:
    for node_type in schema.node_types:
        # An ontology has types of which the graph may have nothing: nobody can ask for these.
        if node_type.id != UNTYPED and _has_any(schema, node_type.id):
            names = _names(node_type.id, node_type.label, node_type.other_labels)
            for name in (*names, *filter(None, map(_initials, names))):
                yield Term("node type", node_type.id, name)
    for edge_type in schema.edge_types:
        for name in _names(edge_type.id, edge_type.label, edge_type.other_labels):
            yield Term("edge type", edge_type.id, name)
    yield from _property_terms(schema)


def _has_any(schema: Schema, type_id: str) -> bool:
    own = schema.node_type(type_id)
    below = (schema.node_type(id) for id in schema.subtypes(type_id) if schema.has_node_type(id))
    return bool(own.total) or any(item.count for item in below)


def _names(id: str, label: str, others: Sequence[str]) -> tuple[str, ...]:
    """What a part of a schema is called, its id taken apart (without a prefix, as in ``ns0__Person``) among that."""
    own = _PREFIX.sub("", local_name(id))
    return tuple(
        dict.fromkeys([label, split_identifier(label), split_identifier(own), *others, *written_out(label)])
    )


def _property_terms(schema: Schema) -> Iterable[Term]:
    owners: dict[str, list[str]] = {}
    labels: dict[str, list[str]] = {}
    for item in schema.properties:
        if not item.of_edges:
            owners.setdefault(item.key, []).append(item.owner)
            labels.setdefault(item.key, []).extend(_names(item.key, item.label, item.other_labels))
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

    ``end`` is the type at the far end where the schema says so, else ``None``. ``either``: the edge may lead either
    way. ``of_edge``: the property is one of the edge followed just before.
    """

    type: str
    forward: bool
    start: str | None = None
    end: str | None = None
    is_property: bool = False
    either: bool = False
    of_edge: bool = False


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
    if hop.either:
        return "both"
    if schema.has_edge_type(hop.type) and schema.edge_type(hop.type).symmetric:
        return "both"
    return "out" if hop.forward else "in"


def is_turn(one: HopKind, other: HopKind) -> bool:
    """Whether the second hop goes back over the edge type of the first: from Ada to a film, and on to others."""
    return one.type == other.type and one.forward != other.forward and not one.is_property


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
