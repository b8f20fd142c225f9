"""Graphs that live in memory: from Python objects, and from and to networkx."""

from __future__ import annotations

import datetime
import enum
import uuid
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import PurePath
from typing import TYPE_CHECKING, Any, Final

from ..core.errors import (
    BadValueError,
    DuplicateIdError,
    MissingPackageError,
    UnsupportedGraphError,
)
from ..core.graph import Edge, Node
from ..core.values import Duration
from .base import GraphStore
from .property.layout import NAME_PROPERTIES
from .property.store import PropertyStore
from .property.writer import PropertyGraphWriter

if TYPE_CHECKING:
    import networkx

NODE_TYPE_KEYS: Final = ("labels", "types", "type", "node_type")
"""Attributes of networkx nodes that give their types, the first that a node has; ``label`` too where nodes have other
names."""

EDGE_TYPE_KEYS: Final = ("type", "relation", "relationship", "predicate", "label")
"""Attributes of networkx edges that give their types, the first that an edge has."""

DEFAULT_EDGE_TYPE: Final = "related_to"


def in_memory(
    nodes: Iterable[Node], edges: Iterable[Edge], *, name_properties: Sequence[str] | None = None
) -> PropertyStore:
    """A store of these nodes and edges, in memory.

    Raises:
        DuplicateIdError, DanglingEdgeError, BadValueError: they make no graph.
    """
    return _store_of(nodes, edges, name_properties=name_properties, symmetric=False)


def from_networkx(
    graph: Any,
    *,
    node_type_keys: Sequence[str] | None = None,
    edge_type_keys: Sequence[str] = EDGE_TYPE_KEYS,
    default_edge_type: str = DEFAULT_EDGE_TYPE,
    name_properties: Sequence[str] | None = None,
) -> PropertyStore:
    """A store of a networkx ``Graph``, ``DiGraph``, ``MultiGraph`` or ``MultiDiGraph``, in memory.

    * A node's id is the text of its key (``1`` is ``"1"``, ``(0, 1)`` is ``"(0, 1)"``).
    * Its types are in the first of ``node_type_keys`` that it has: a text or a list. By default these are
      :data:`NODE_TYPE_KEYS`, and ``label`` if the nodes have other names; else ``label`` is their name.
    * The type of an edge is in the first of ``edge_type_keys`` that it has, else it is the edge's key in a multigraph
      if that is a text, else ``default_edge_type``.
    * All other attributes become properties; ``None`` is no value. Numbers and arrays of numpy, sets, timedeltas,
      UUIDs, paths and members of enumerations become plain values.
    * An edge of an undirected graph is stored once, from the first of its ends to the second; the schema says that its
      type is symmetric. (Neighbours are found in both directions anyway.)

    Args:
        graph: the graph; it is copied.
        node_type_keys: attributes that hold types.
        edge_type_keys: attributes that hold the types of edges.
        default_edge_type: the type of edges that have none.
        name_properties: attributes that hold names, the preferred first; ``None``: by the usual rules.

    Raises:
        UnsupportedGraphError: ``graph`` is no networkx graph.
        DuplicateIdError: two node keys have the same text (``1`` and ``"1"``).
        BadValueError: a node key or an attribute that cannot be stored.
    """
    if not all(hasattr(graph, name) for name in ("is_directed", "is_multigraph", "nodes", "edges")):
        raise UnsupportedGraphError(f"a {type(graph).__name__} is no networkx graph")
    keys = _node_type_keys(graph) if node_type_keys is None else tuple(node_type_keys)
    ids = _ids_of(graph.nodes)
    nodes = (_node(ids[key], attributes, keys) for key, attributes in graph.nodes(data=True))
    edges = (
        _edge(ids[source], ids[target], key, attributes, tuple(edge_type_keys), default_edge_type)
        for source, target, key, attributes in _edges_of(graph)
    )
    return _store_of(nodes, edges, name_properties=name_properties, symmetric=not graph.is_directed())


def to_networkx(store: GraphStore) -> networkx.MultiDiGraph[str]:
    """A copy of the whole graph as a networkx ``MultiDiGraph``.

    Node and edge ids are the keys; ``labels`` and ``type`` hold the types, beside the properties (which go before them
    if they have the same name).

    Raises:
        MissingPackageError: networkx is not installed.
    """
    try:
        import networkx
    except ImportError as error:
        raise MissingPackageError(
            "networkx is not installed", advice="pip install 'askgraph[networkx]'"
        ) from error
    graph: networkx.MultiDiGraph[str] = networkx.MultiDiGraph()
    for node in store.nodes():
        graph.add_node(node.id, **({"labels": list(node.types)} | dict(node.properties)))
    for edge in store.edges():
        graph.add_edge(edge.source, edge.target, edge.id)
        graph.edges[edge.source, edge.target, edge.id].update({"type": edge.type} | dict(edge.properties))
    return graph


def _store_of(
    nodes: Iterable[Node],
    edges: Iterable[Edge],
    *,
    name_properties: Sequence[str] | None,
    symmetric: bool,
) -> PropertyStore:
    writer = PropertyGraphWriter.in_memory(name_properties=name_properties)
    try:
        writer.add_node_objects(nodes)
        writer.add_edge_objects(edges)
        writer.finish()
        return PropertyStore.of_writer(writer, symmetric=symmetric)
    except BaseException:
        writer.connection.close()
        raise


# --- networkx


def _ids_of(keys: Iterable[Any]) -> dict[Any, str]:
    ids: dict[Any, str] = {}
    taken: dict[str, Any] = {}
    for key in keys:
        text = _id_text(key)
        if text in taken:
            raise DuplicateIdError(
                f"the node keys {taken[text]!r} and {key!r} have the same text, and that is their id",
                advice="Rename one of them (networkx.relabel_nodes).",
            )
        taken[text] = key
        ids[key] = text
    return ids


def _id_text(key: Any) -> str:
    if isinstance(key, enum.Enum):
        return _id_text(key.value)
    if isinstance(key, tuple):
        for part in key:
            _id_text(part)
        return str(key)
    if hasattr(key, "item") and not isinstance(key, str | bytes):
        key = key.item()  # a number of numpy
    if isinstance(key, str | int | float | datetime.date | uuid.UUID | PurePath):
        return str(key)
    raise BadValueError(
        f"a node key of type {type(key).__name__} has no text that stays the same: {ascii(key)[:60]}",
        advice="Relabel the nodes with texts or numbers (networkx.relabel_nodes).",
    )


def _node_type_keys(graph: Any) -> tuple[str, ...]:
    """``label`` is what a node is called where it is called nothing else, and its type otherwise."""
    names = set(NAME_PROPERTIES) - {"label"}
    has_names = any(not names.isdisjoint(attributes) for _, attributes in graph.nodes(data=True))
    return (*NODE_TYPE_KEYS, "label") if has_names else NODE_TYPE_KEYS


def _edges_of(graph: Any) -> Iterator[tuple[Any, Any, Any, Mapping[Any, Any]]]:
    if graph.is_multigraph():
        yield from graph.edges(keys=True, data=True)
    else:
        for source, target, attributes in graph.edges(data=True):
            yield source, target, None, attributes


def _node(id: str, attributes: Mapping[Any, Any], type_keys: Sequence[str]) -> Node:
    key = next((key for key in type_keys if _is_types(attributes.get(key))), None)
    given = [] if key is None else _plain(attributes[key])
    types = (given,) if isinstance(given, str) else tuple(given)
    return Node(
        id, types=tuple(filter(None, types)), properties=_properties(attributes, f"node {id!r}", without=key)
    )


def _is_types(value: Any) -> bool:
    if isinstance(value, str | enum.Enum):
        return isinstance(_plain(value), str)
    return isinstance(value, list | tuple | set | frozenset) and all(
        isinstance(_plain(item), str) for item in value
    )


def _edge(
    source: str, target: str, key: Any, attributes: Mapping[Any, Any], type_keys: Sequence[str], default: str
) -> Edge:
    used = next((name for name in type_keys if isinstance(_plain_or_none(attributes.get(name)), str)), None)
    extra: dict[Any, Any] = {}
    if used is not None:
        kind = str(_plain(attributes[used]))
        if isinstance(key, str):
            extra["key"] = key
    else:
        kind = key if isinstance(key, str) else default
    properties = _properties(extra | dict(attributes), f"edge from {source!r} to {target!r}", without=used)
    return Edge("", source, target, kind, properties)


def _properties(attributes: Mapping[Any, Any], owner: str, *, without: str | None) -> dict[str, Any]:
    properties = {}
    for key, value in attributes.items():
        if key == without or value is None:
            continue
        try:
            properties[str(key)] = _plain(value)
        except BadValueError as error:
            raise BadValueError(f"{owner}, attribute {key!r}: {error.message}", advice=error.advice) from None
    return properties


def _plain_or_none(value: Any) -> Any:
    return _plain(value) if isinstance(value, str | enum.Enum) else None


def _plain(value: Any) -> Any:
    """A value of :mod:`askgraph.core.values` for what Python programs like to keep in attributes."""
    if isinstance(value, enum.Enum):
        return _plain(value.value)
    if isinstance(value, str | bytes | int | float | datetime.date | datetime.time) or value is None:
        return value
    if isinstance(value, datetime.timedelta):
        return Duration(0, value.days, value.seconds * 1_000_000 + value.microseconds)
    if isinstance(value, uuid.UUID | PurePath):
        return str(value)
    if isinstance(value, set | frozenset):
        return [_plain(item) for item in sorted(value, key=repr)]
    if isinstance(value, list | tuple):
        return [_plain(item) for item in value]
    if isinstance(value, Mapping):
        return {str(key): _plain(item) for key, item in value.items()}
    if hasattr(value, "tolist"):
        return _plain(value.tolist())  # numbers and arrays of numpy
    return value
