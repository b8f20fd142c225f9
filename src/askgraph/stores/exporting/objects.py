"""The nodes and edges of a store, looked over on their way out."""

from __future__ import annotations

from collections.abc import Iterator

from ...core.errors import ExportError
from ...core.graph import Edge, Node, edge_id
from ..base import GraphStore


def checked_nodes(store: GraphStore) -> Iterator[Node]:
    """Every node. Raises :class:`ExportError` for one that no file could bring back."""
    for node in store.nodes():
        if not node.id:
            raise without_id()
        yield node


def checked_edges(store: GraphStore) -> Iterator[Edge]:
    """Every edge. Raises :class:`ExportError` for one that no file could bring back."""
    for edge in store.edges():
        if not edge.type:
            raise without_type()
        yield edge


def without_id() -> ExportError:
    """A node that no file could bring back."""
    return ExportError("the id of a node is the empty text, which no file can hold", advice="Give it an id.")


def without_type() -> ExportError:
    """An edge that no file could bring back."""
    return ExportError(
        "the type of an edge is the empty text, which no file can hold", advice="Give it a type."
    )


def given_id(edge: Edge) -> str | None:
    """The edge's id, or ``None`` if it is made from its content (see :func:`askgraph.core.graph.edge_id`)."""
    made = edge_id(edge.source, edge.type, edge.target)
    if edge.id in ("", made):
        return None
    ordinal = edge.id.removeprefix(f"{made}|")
    is_made = ordinal != edge.id and ordinal.isascii() and ordinal.isdecimal() and not ordinal.startswith("0")
    return None if is_made else edge.id


def losses(store: GraphStore) -> Iterator[str]:
    """What of an RDF graph is no property graph."""
    if store.capabilities.kind != "rdf":
        return
    yield "What the graph says about its classes and properties, and about resources that are no nodes, is left out."
    if any(item.of_edges for item in store.schema().properties):
        yield "Named graphs are kept as a property of edges."
    yield "Export as nt to keep every triple."
