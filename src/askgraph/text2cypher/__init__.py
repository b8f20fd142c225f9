"""Questions put as queries that a model writes: `Text2CypherRetriever` and its SPARQL twin.

>>> from askgraph import open_graph
>>> from askgraph.text2cypher import Text2CypherRetriever
>>> graph = open_graph("neo4j://localhost:7687")  # doctest: +SKIP
>>> retriever = Text2CypherRetriever(graph_store=graph, schema=graph.schema())  # doctest: +SKIP
>>> retriever.retrieve("How many suppliers are in Germany?")  # doctest: +SKIP
"""

from ..core.errors import NoQueryError, UnsafeCypherError, UnsafeSparqlError
from .declared_schema import EntityType, GraphSchema, RelationType
from .filters import SearchFilters, UnsupportedFilterError
from .results import Chunk, Entity, QueryValue, Relation, SearchResult
from .retriever import Retriever, Text2CypherRetriever, Text2SparqlRetriever
from .settings import RetrievalSettings
from .tracing import Tracer

__all__ = [
    "Chunk",
    "Entity",
    "EntityType",
    "GraphSchema",
    "NoQueryError",
    "QueryValue",
    "Relation",
    "RelationType",
    "RetrievalSettings",
    "Retriever",
    "SearchFilters",
    "SearchResult",
    "Text2CypherRetriever",
    "Text2SparqlRetriever",
    "Tracer",
    "UnsafeCypherError",
    "UnsafeSparqlError",
    "UnsupportedFilterError",
]
