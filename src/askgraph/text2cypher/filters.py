"""What a caller wants a search confined to."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from ..core.errors import PlanError
from ..core.graph import Node
from ..core.hidden import Hidden
from ..core.schema import UNTYPED, Schema
from ..core.suggestions import nearest_names
from ..core.values import Value
from ..querying.cypher.names import print_name
from ..stores.sparql.wording import iris

if TYPE_CHECKING:
    from ..engine import Graph


@dataclass(frozen=True, slots=True)
class SearchFilters:
    """A scope: only nodes with one of these labels, only these relationship types.

    ``document_ids`` and ``properties`` have a meaning for searches over chunks of documents; a query that a model
    writes cannot be held to them, and a retriever that cannot honour a filter refuses it.
    """

    labels: tuple[str, ...] = ()
    relation_types: tuple[str, ...] = ()
    document_ids: tuple[str, ...] = ()
    properties: Mapping[str, Value] = field(default_factory=dict)

    def __bool__(self) -> bool:
        """Whether anything is filtered."""
        return bool(self.labels or self.relation_types or self.document_ids or self.properties)


class UnsupportedFilterError(PlanError):
    """A filter that cannot be honoured exactly, and so is not honoured at all."""


def narrowed(schema: Schema, filters: SearchFilters) -> Schema:
    """The part of a schema that the filters leave.

    Raises:
        UnsupportedFilterError: a filter by documents or properties, or by types that the graph does not have.
    """
    for name in ("document_ids", "properties"):
        if getattr(filters, name):
            raise UnsupportedFilterError(
                f"a generated query cannot be held to the filter {name!r}",
                advice="Filter the results, or say the condition in the question.",
            )
    labels = _kept("label", filters.labels, (item.id for item in schema.node_types))
    relations = _kept("relationship type", filters.relation_types, (item.id for item in schema.edge_types))
    return replace(
        schema,
        node_types=tuple(item for item in schema.node_types if item.id in labels),
        edge_types=tuple(
            replace(
                item,
                ends=tuple(end for end in item.ends if end.source in labels and end.target in labels),
            )
            for item in schema.edge_types
            if item.id in relations
        ),
        properties=tuple(
            item for item in schema.properties if item.owner in (relations if item.of_edges else labels)
        ),
    )


def _kept(kind: str, wanted: Any, known: Iterable[str]) -> set[str]:
    names = list(known)
    if isinstance(wanted, str) or not all(isinstance(name, str) for name in wanted):
        raise UnsupportedFilterError(f"a filter by {kind} is a list of texts, not {wanted!r}")
    for name in wanted:
        if name not in names:
            near = nearest_names(name, names)
            raise UnsupportedFilterError(
                f"the graph has no {kind} {name!r}", advice=f"Did you mean {near[0]!r}?" if near else None
            )
    return set(wanted or names)


def hidden_by(graph: Graph, filters: SearchFilters) -> Hidden:
    """What a query must not see, so that it finds only what the filters let through.

    A node may have other types beside those asked for. Those stay to be seen, unless there are nodes that have them
    alone: then nothing can be hidden without hiding too much.

    Raises:
        UnsupportedFilterError: the filter by labels cannot be honoured exactly.
    """
    schema = graph.schema()
    hidden: list[str] = []
    if filters.labels:
        language = graph.store.capabilities.query_languages[0]
        has_untyped = any(item.id == UNTYPED and item.count for item in schema.node_types)
        if has_untyped and language != "cypher":
            raise UnsupportedFilterError(
                "the graph has nodes without a type, which a query in SPARQL cannot be held not to see",
                advice="Filter the results.",
            )
        beside = _types_beside(graph, filters.labels, language)
        for type in beside:
            if _is_elsewhere(graph, type, filters.labels, language):
                asked = ", ".join(filters.labels)
                raise UnsupportedFilterError(
                    f"some nodes are {asked} and {type}, others are {type} only: a query cannot be held to the first",
                    advice=f"Add {type} to the labels, or filter the results.",
                )
        seen = {*filters.labels, *beside}
        hidden += [item.id for item in schema.node_types if item.id not in seen]
    if filters.relation_types:
        hidden += [item.id for item in schema.edge_types if item.id not in filters.relation_types]
    return Hidden(types=tuple(dict.fromkeys(hidden)))


def _types_beside(graph: Graph, labels: Sequence[str], language: str) -> list[str]:
    """The other types of nodes that have one of these."""
    if language == "cypher":
        query = (
            f"MATCH (n) WHERE {_has_one_of(labels)} UNWIND labels(n) AS label RETURN DISTINCT label AS type"
        )
    else:
        query = (
            f"SELECT DISTINCT ?type WHERE {{ VALUES ?asked {{ {iris(labels)} }} ?n a ?asked . ?n a ?type }}"
        )
    found = graph.query(query, schema_check=False)
    cells = [row[0].id if isinstance(row[0], Node) else str(row[0]) for row in found.rows]
    return sorted({*cells} - {*labels})


def _is_elsewhere(graph: Graph, type: str, labels: Sequence[str], language: str) -> bool:
    """Whether a node has this type and none of the others."""
    if language == "cypher":
        query = f"MATCH (n:{print_name(type)}) WHERE NOT ({_has_one_of(labels)}) RETURN 1 AS found LIMIT 1"
    else:
        others = " ".join(f"FILTER NOT EXISTS {{ ?n a {iri} }}" for iri in iris(labels).split())
        query = f"SELECT ?n WHERE {{ ?n a {iris([type])} . {others} }} LIMIT 1"
    return len(graph.query(query, schema_check=False)) > 0


def _has_one_of(labels: Sequence[str]) -> str:
    return " OR ".join(f"n:{print_name(label)}" for label in labels)
