"""What the documented classes take for a graph store, as a graph."""

from __future__ import annotations

import weakref
from collections.abc import Iterable, Sequence

from ..core.errors import UnsupportedGraphError
from ..core.graph import Node
from ..core.settings import Settings
from ..engine import Graph
from ..stores.base import GraphStore
from ..strategies.agent.assembly import Assembly
from .kept_folder import KeptFolder

GraphLike = Graph | GraphStore
"""An open graph (:func:`askgraph.open_graph`), or a store."""

# A store that several components are given is one graph, with one index, as long as any of them lives. A graph keeps
# its store alive, so that no other store gets its identity meanwhile.
_graphs: weakref.WeakValueDictionary[int, Graph] = weakref.WeakValueDictionary()
_assemblies: weakref.WeakKeyDictionary[Graph, Assembly] = weakref.WeakKeyDictionary()
_folders: weakref.WeakKeyDictionary[Graph, KeptFolder] = weakref.WeakKeyDictionary()


def graph_of(graph_store: GraphLike) -> Graph:
    """The graph behind what a component was given. The caller closes it (a store by its own ``close``).

    Raises:
        UnsupportedGraphError: it is no graph.
    """
    if isinstance(graph_store, Graph):
        return graph_store
    if not hasattr(graph_store, "neighbors") or not hasattr(graph_store, "schema"):
        raise UnsupportedGraphError(
            f"a {type(graph_store).__name__} is no graph store",
            advice="Give an open graph, open_graph(…), or its store, open_graph(…).store.",
        )
    known = _graphs.get(id(graph_store))
    if known is None:
        folder = KeptFolder()
        known = _graphs[id(graph_store)] = Graph("a store", graph_store, folder.path, Settings.load())
        _folders[known] = folder
    return known


def assembly_of(graph: Graph) -> Assembly:
    """What is made once for a graph and its index: the loop's own parts, the table of hops."""
    parts = graph.parts()
    known = _assemblies.get(graph)
    if known is None or known.parts.index is not parts.index:
        known = _assemblies[graph] = Assembly(parts)
    return known


def ids_of(graph: Graph, nodes: Iterable[str | Node]) -> list[str]:
    """The ids of nodes that a caller gives as nodes, ids or names: each once, those that the graph does not have left
    out."""
    given = [node.id if isinstance(node, Node) else str(node) for node in nodes]
    known = {node.id for node in graph.store.nodes(list(dict.fromkeys(given)))}
    others = [text for text in dict.fromkeys(given) if text not in known]
    named = dict(zip(others, _named(graph, others), strict=True))
    return list(dict.fromkeys(id for text in given for id in ([text] if text in known else named[text])))


def _named(graph: Graph, names: Sequence[str]) -> list[list[str]]:
    if not names:
        return []
    return [[match.id for match in found] for found in graph.parts().index.names.exact(names)]
