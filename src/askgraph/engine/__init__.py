"""A graph that answers questions: the loop from question to answer, and everything that it needs kept ready."""

from .graph import Graph
from .index_keeper import SMALL_GRAPH, IndexStatus
from .opening import access_of, ask, ask_async, load_graph, open_graph

__all__ = ["SMALL_GRAPH", "Graph", "IndexStatus", "access_of", "ask", "ask_async", "load_graph", "open_graph"]
