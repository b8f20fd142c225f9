"""Answers to structured questions by a query that a model writes and the graph runs."""

from __future__ import annotations

from typing import Any, ClassVar, Protocol

from ..core.errors import NoQueryError, PlanError, QueryFailedError
from ..core.hidden import NOTHING_HIDDEN
from ..core.schema import Schema
from ..core.settings import Settings
from ..engine import Graph
from ..models.language_model import LanguageModel
from ..stores.base import GraphStore
from .declared_schema import GraphSchema
from .filters import SearchFilters, hidden_by, narrowed
from .results import SearchResult, typed_results
from .settings import RetrievalSettings
from .tracing import Spans, Tracer


class Retriever(Protocol):
    """What the documented retrievers have in common: a question in, results out."""

    name: str

    def retrieve(
        self, query: str, *, filters: SearchFilters | None = None, limit: int = 10
    ) -> list[SearchResult]:
        """The results for a question."""


class _TextToQueryRetriever:
    """What both languages share."""

    name: ClassVar[str]
    language: ClassVar[str]

    def __init__(
        self,
        *,
        graph_store: Graph | GraphStore,
        schema: GraphSchema | Schema | None = None,
        settings: RetrievalSettings | None = None,
        tracer: Tracer | None = None,
        model: LanguageModel | Any | None = None,
    ) -> None:
        """A retriever over a graph.

        Args:
            graph_store: an open graph (:func:`askgraph.open_graph`), or a store.
            schema: what may be asked for: a schema declared by hand, or that of the graph (``graph.schema()``), which
                is also what holds without one.
            settings: limits of a query; from the environment otherwise.
            tracer: opens a span for the retrieval, and one in it for each step and each call of the model.
            model: a language model, or any object with ``generate(prompt, system_prompt)``; that of the setting
                ``model`` (``ASKGRAPH_MODEL``) otherwise.

        Raises:
            QueryFailedError: the graph takes no queries in the retriever's language.
            SettingsError: the schema names what the graph does not have, or a setting cannot be used.
        """
        if isinstance(graph_store, Graph):
            self.graph = graph_store
        else:
            self.graph = Graph("a store", graph_store, None, Settings.load())
        if self.language not in self.graph.store.capabilities.query_languages:
            known = " or ".join(self.graph.store.capabilities.query_languages) or "none"
            raise QueryFailedError(
                f"{type(self).__name__} writes {self.language}; this graph takes {known}", code="language"
            )
        own = self.graph.schema()
        self.schema = schema.of(own) if isinstance(schema, GraphSchema) else own if schema is None else schema
        self.settings = settings or RetrievalSettings()
        self.tracer = tracer
        self.model = model

    def retrieve(
        self, query: str, *, filters: SearchFilters | None = None, limit: int = 10
    ) -> list[SearchResult]:
        """Write a query for a question and run it.

        One that cannot be planned or run is written once more, with a short and sanitised account of what was wrong.
        Words in it are replaced by the stored values that they mean.

        Args:
            query: the question, in plain words.
            filters: labels and relationship types that the query is confined to.
            limit: the most results.

        Returns:
            Nodes, relationships and chunks as the graph holds them; every other column as a :class:`QueryValue`. Each
            result has the whole rows that it stands in. Empty where the query ran and found nothing.

        Raises:
            UnsafeCypherError, UnsafeSparqlError: the generated query is one that the gate refuses.
            PlanError: a limit that is no whole number above zero, or no question.
            UnsupportedFilterError: a filter that a query cannot be held to.
            NoQueryError: the model wrote no query, or said that the graph cannot answer the question.
            QueryError: the query could not be planned or run, the second time too.
            ModelError: the model failed, or there is none.
            OpenError: the graph is not to be reached.
            BudgetError: the time, the calls or the tokens were used up.
        """
        _check_limit(limit)
        schema, hidden = self.schema, NOTHING_HIDDEN
        if filters:
            schema, hidden = narrowed(self.schema, filters), hidden_by(self.graph, filters)
        with Spans(self.tracer, self.name, query) as spans:
            found = self.graph.find(
                query,
                model=self.model,
                schema=schema,
                hidden=hidden,
                language=self.language,
                query_timeout=self.settings.text2cypher_timeout,
                rows=self.settings.text2cypher_max_rows,
                on_step=spans.step,
            )
            if found.result is None:
                raise NoQueryError(f"the model says that the graph cannot answer this: {found.said}")
            return typed_results(found.result, self.graph.store, limit=limit, method=self.name, hidden=hidden)


def _check_limit(limit: Any) -> None:
    if isinstance(limit, bool) or not isinstance(limit, int) or limit < 1:
        raise PlanError(f"limit must be a whole number above zero, not {limit!r}")


class Text2CypherRetriever(_TextToQueryRetriever):
    """Questions to Cypher: over embedded property graphs, Neo4j and what else speaks Bolt."""

    name = "text2cypher"
    language = "cypher"


class Text2SparqlRetriever(_TextToQueryRetriever):
    """Questions to SPARQL: over embedded RDF graphs and SPARQL endpoints."""

    name = "text2sparql"
    language = "sparql"
