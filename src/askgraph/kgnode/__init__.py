"""Path-aware subgraph extraction for question answering, in the documented names.

    >>> from askgraph.kgnode import KGConfig, generate_answer
    >>> config = KGConfig(sparql_endpoint="http://localhost:7878/query")  # doctest: +SKIP
    >>> print(generate_answer(query="What papers did John Smith publish?", config=config))  # doctest: +SKIP

A thin façade over the parts that `askgraph ask --strategy paths` is made of. It works without a language model too, and
says so in its notes.
"""

from __future__ import annotations

from .config import KGConfig
from .log import disable_logging, set_log_level
from .pipeline import GeneratedAnswer, generate_answer, kg_retrieve
from .query import execute_sparql_query
from .seeds import SearchMode, get_seed_nodes
from .session import close_graphs
from .subgraphs import get_subgraphs

__all__ = [
    "GeneratedAnswer",
    "KGConfig",
    "SearchMode",
    "close_graphs",
    "disable_logging",
    "execute_sparql_query",
    "generate_answer",
    "get_seed_nodes",
    "get_subgraphs",
    "kg_retrieve",
    "set_log_level",
]
