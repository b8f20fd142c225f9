"""Nodes that stand for a statement and not for a thing, so that passing through one is no step of its own.

They are called differently: Wikidata's statements (``p:`` leads to one, ``ps:`` to its value, ``pq:`` to its
qualifiers), RDF's reified statements (``rdf:subject``, ``rdf:predicate``, ``rdf:object``), RDF 1.2's reifiers, blank
nodes, and nodes of a type that has relations but no name (an ``Employment`` between a person and a company).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from ...core.schema import UNTYPED, Schema
from ...core.words import local_name, normalize

_RDF: Final = "http://www.w3.org/1999/02/22-rdf-syntax-ns#"
RDF_SUBJECT: Final = _RDF + "subject"
RDF_PREDICATE: Final = _RDF + "predicate"
RDF_OBJECT: Final = _RDF + "object"
_STATEMENT_TYPES: Final = frozenset(
    {_RDF + "Statement", "http://wikiba.se/ontology#Statement", "http://wikiba.se/ontology#BestRank"}
)
# Wikibase, wherever it is installed, gives its statements ids under /entity/statement/.
_STATEMENT_PATH: Final = "/entity/statement/"
_NAMING: Final = frozenset(
    {
        "name", "names", "label", "title", "pref label", "preflabel", "preferred label", "full name", "display name",
        "id", "identifier", "code", "symbol", "headline", "caption",
    }
)  # fmt: skip
# A type that joins fewer relations joins nothing: it is a thing without a name.
_FEWEST_RELATIONS: Final = 2


class StatementNodes:
    """Tells the statement nodes of one graph, by their ids and by the types that its schema expects."""

    def __init__(self, schema: Schema) -> None:
        self._types = _STATEMENT_TYPES | _nameless_joining_types(schema)

    def is_one(self, node: str, expected_types: Sequence[str] = ()) -> bool:
        """Whether a node stands for a statement. ``expected_types``: what the schema says that stands there."""
        if node.startswith("_:") or _STATEMENT_PATH in node:
            return True
        return bool(expected_types) and expected_types[0] in self._types


def _nameless_joining_types(schema: Schema) -> frozenset[str]:
    """The types whose nodes have no name of their own and join others over at least two relations."""
    named = {
        item.owner
        for item in schema.properties
        if not item.of_edges
        and not _NAMING.isdisjoint(
            {normalize(item.label), normalize(local_name(item.key)), _last_word(item.label)}
        )
    }
    relations: dict[str, set[tuple[str, bool]]] = {}
    for edge_type in schema.edge_types:
        for ends in edge_type.ends:
            relations.setdefault(ends.source, set()).add((edge_type.id, True))
    return frozenset(
        node_type.id
        for node_type in schema.node_types
        if node_type.id != UNTYPED
        and node_type.id not in named
        and len(relations.get(node_type.id, ())) >= _FEWEST_RELATIONS
    )


def _last_word(label: str) -> str:
    words = normalize(label).split()
    return words[-1] if words else ""
