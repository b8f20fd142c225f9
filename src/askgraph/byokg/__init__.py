"""The classes of the multi-strategy query engine, by their documented names: replace ``graphrag_toolkit.byokg_rag`` by
``askgraph.byokg``.

    >>> from askgraph import open_graph
    >>> from askgraph.byokg import ByoKGQueryEngine, BedrockGenerator
    >>> llm = BedrockGenerator(model_name="us.anthropic.claude-sonnet-4-6", region_name="us-east-1")
    >>> engine = ByoKGQueryEngine(graph_store=open_graph("company.graph"), llm_generator=llm)  # doctest: +SKIP
    >>> context = engine.query("Which products is Ada responsible for?")  # doctest: +SKIP
    >>> answers, text = engine.generate_response(query="…", graph_context="\\n".join(context))  # doctest: +SKIP

They are thin: what they do is done by the retrievers and the strategy ``agent`` of askgraph.
"""

from .byokg_query_engine import ByoKGQueryEngine, RetrievedContext
from .graph_connectors import CypherKGLinker, KGLinker, parse_response
from .graph_retrievers import (
    AgenticRetriever,
    EntityLinker,
    GraphQueryRetriever,
    GraphScoringRetriever,
    GTraversal,
    PathRetriever,
    PathVerbalizer,
    TripletGVerbalizer,
)
from .indexing import FuzzyStringIndex, SemanticIndex
from .llm import BedrockGenerator
from .verbalizers import Triplet

__all__ = [
    "AgenticRetriever",
    "BedrockGenerator",
    "ByoKGQueryEngine",
    "CypherKGLinker",
    "EntityLinker",
    "FuzzyStringIndex",
    "GTraversal",
    "GraphQueryRetriever",
    "GraphScoringRetriever",
    "KGLinker",
    "PathRetriever",
    "PathVerbalizer",
    "RetrievedContext",
    "SemanticIndex",
    "Triplet",
    "TripletGVerbalizer",
    "parse_response",
]
