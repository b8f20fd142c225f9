"""The loop of one graph, made of its parts."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache, partial

from ...linking.linked_question import LinkedQuestion
from ...retrievers.exploring.exploration import Explorer
from ...retrievers.exploring.metapath_text import MetapathReader
from ...retrievers.exploring.metapaths import MetapathRetriever
from ...retrievers.exploring.schema_outline import schema_outline
from ...retrievers.exploring.shortest_paths import ShortestPathRetriever
from ...retrievers.hop_table import HopTable
from ...retrievers.querying.written_queries import WrittenQueries
from ...retrievers.relevance import Relevance
from ..base import Parts
from ..finding import query_runner
from ..relevances import Relevances
from .components import Components
from .own_parts import ExploredTriples, FollowedPaths, GatedQueries, IndexedNames
from .proposers import all_kinds, queries_alone


class Assembly:
    """Makes components for questions to one graph. What the schema alone decides is made once."""

    def __init__(self, parts: Parts) -> None:
        settings = parts.settings
        self.parts = parts
        self.relevances = Relevances(parts)
        self.names = IndexedNames(parts.index.names, by_meaning=parts.index.by_meaning(parts.embedder))
        self.table = HopTable(parts.schema)
        self.explorer = Explorer(
            parts.store,
            parts.schema,
            self.table,
            max_hops=settings.max_hops,
            max_triples=settings.max_facts,
        )
        self.paths = FollowedPaths(
            MetapathReader(parts.schema),
            MetapathRetriever(parts.store, parts.schema, max_facts=settings.max_facts),
            ShortestPathRetriever(parts.store, parts.schema, max_hops=settings.max_hops),
            parts.index.names,
        )
        self.languages = parts.store.capabilities.query_languages
        self.queries = GatedQueries(self._written_queries()) if self.languages else None

    def _written_queries(self) -> WrittenQueries:
        parts = self.parts
        return WrittenQueries(query_runner(parts), parts.store, max_facts=parts.settings.max_facts)

    def components(self, question: LinkedQuestion, *, with_queries_first: bool = False) -> Components:
        """All of askgraph's own parts for one question."""
        relevance, _ = self.relevances.of(question)
        outline = self.outline_for(relevance)
        return Components(
            self.names,
            ExploredTriples(self.explorer, question.question.text, relevance),
            self.paths,
            self.queries,
            all_kinds(outline, self.languages),
            queries_alone(outline, self.languages) if with_queries_first and self.languages else None,
        )

    def outline_for(self, relevance: Relevance) -> Callable[[], str]:
        """Gives the schema in lines for the prompts of one question: made when it is first asked for, and once."""
        return cache(partial(schema_outline, self.parts.schema, relevance))
