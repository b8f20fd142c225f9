"""The retrievers of the document: context for a question, as texts."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any, Literal, overload

from ..core.errors import QueryError, QueryFailedError, SettingsError
from ..core.evidence import Evidence
from ..core.graph import Node, Path
from ..models.calls import ModelCalls
from ..models.language_model import LanguageModel
from ..retrievers.exploring.exploration import Explorer
from ..retrievers.exploring.scored_triples import ScoredTripleRetriever
from ..retrievers.querying.query_rows import row_facts, short_answers
from .entity_linker import EntityLinker
from .graphs import GraphLike, assembly_of, graph_of, ids_of
from .llm import language_model
from .runs import Asked
from .traversal import GTraversal
from .verbalizers import PathVerbalizer, Triplet, TripletGVerbalizer

__all__ = [
    "AgenticRetriever",
    "EntityLinker",
    "GTraversal",
    "GraphQueryRetriever",
    "GraphScoringRetriever",
    "PathRetriever",
    "PathVerbalizer",
    "TripletGVerbalizer",
]

_ROWS = 1_000


class AgenticRetriever:
    """Triples by exploring: which relations to follow is chosen by meaning, by the model where that cannot tell, for
    all nodes of a hop in one call.

    Args:
        llm_generator: a language model, or any object with ``generate(prompt, system_prompt)``; without one it does
            without.
        graph_traversal: of the graph.
        graph_verbalizer: writes the triples.
        max_num_relations: relations that are followed at a hop.
        max_num_entities: nodes that are gone on from.
        max_num_iterations: hops.
        max_num_triplets: triples in all.
        max_num_calls: how often the model may be asked for one question.
    """

    def __init__(
        self,
        llm_generator: LanguageModel | Any | None = None,
        graph_traversal: GTraversal | None = None,
        graph_verbalizer: TripletGVerbalizer | None = None,
        max_num_relations: int = 5,
        max_num_entities: int = 3,
        max_num_iterations: int = 3,
        max_num_triplets: int = 50,
        max_num_calls: int = 2,
    ) -> None:
        if graph_traversal is None:
            raise SettingsError(
                "there is no graph to explore", advice="Give graph_traversal=GTraversal(graph_store)."
            )
        self.llm_generator = llm_generator
        self.graph_traversal = graph_traversal
        self.graph_verbalizer = graph_verbalizer or TripletGVerbalizer()
        self.max_num_relations = max_num_relations
        self.max_num_entities = max_num_entities
        self.max_num_iterations = max_num_iterations
        self.max_num_triplets = max_num_triplets
        self.max_num_calls = max_num_calls

    def retrieve(
        self, query: str, source_nodes: Iterable[str | Node], history_context: Sequence[str] | None = None
    ) -> list[str]:
        """Triples about a question, as texts, the best first.

        Args:
            query: the question.
            source_nodes: where to begin, by id or name.
            history_context: texts that are known already: they are not given again.
        """
        asked = Asked.of(self.graph_traversal.graph, query)
        calls = (
            None
            if self.llm_generator is None
            else asked.calls(language_model(self.llm_generator, asked.graph.settings))
        )
        sources = ids_of(asked.graph, source_nodes)
        lines = self.verbalized(self.explore(asked, sources, calls))
        known = frozenset(history_context or ())
        return [line for line in lines if line not in known]

    def explore(
        self, asked: Asked, sources: Sequence[str], calls: ModelCalls | None, most_calls: int | None = None
    ) -> Evidence:
        """The triples as facts."""
        explorer = Explorer(
            asked.parts.store,
            asked.parts.schema,
            assembly_of(asked.graph).table,
            max_relations=self.max_num_relations,
            max_nodes=self.max_num_entities,
            max_hops=self.max_num_iterations,
            max_triples=self.max_num_triplets,
        )
        most = self.max_num_calls if most_calls is None else most_calls
        return explorer.explore(
            asked.question, sources, asked.relevance, asked.budget, calls=calls, most_calls=most
        )

    def verbalized(self, evidence: Evidence) -> list[str]:
        """Facts as the verbalizer writes them, each text once."""
        triplets = [Triplet(fact.path) for fact in evidence.facts if fact.path is not None]
        return list(dict.fromkeys(self.graph_verbalizer.verbalize(triplets)))


class GraphScoringRetriever:
    """Triples by scoring: all within some hops of the nodes whose relations fit the question; no model is asked.

    Args:
        graph_traversal: of the graph.
        graph_verbalizer: writes the triples.
        graph_reranker: scores the written triples against the question, where the meaning of relations is not enough:
            ``(query, texts) -> scores``.
    """

    def __init__(
        self,
        graph_traversal: GTraversal,
        graph_verbalizer: TripletGVerbalizer | None = None,
        graph_reranker: Callable[[str, Sequence[str]], Sequence[float]] | None = None,
    ) -> None:
        self.graph_traversal = graph_traversal
        self.graph_verbalizer = graph_verbalizer or TripletGVerbalizer()
        self.graph_reranker = graph_reranker

    def retrieve(
        self,
        query: str,
        source_nodes: Iterable[str | Node],
        hops: int = 2,
        topk: int | None = None,
        max_num_relations: int = 20,
        max_num_triplets: int = 100,
    ) -> list[str]:
        """Triples about a question, as texts, the best first.

        Args:
            query: the question.
            source_nodes: where to begin, by id or name.
            hops: how far.
            topk: texts that are given.
            max_num_relations: relations that are followed at a hop.
            max_num_triplets: triples that are read at a hop.
        """
        asked = Asked.of(self.graph_traversal.graph, query)
        parts = asked.parts
        retriever = ScoredTripleRetriever(
            parts.store,
            parts.schema,
            assembly_of(asked.graph).table,
            max_relations=max_num_relations,
            max_triples=max_num_triplets,
        )
        sources = ids_of(asked.graph, source_nodes)
        evidence = retriever.retrieve(
            sources, asked.relevance, asked.budget, hops=hops, most=max_num_triplets
        )
        triplets = [Triplet(fact.path) for fact in evidence.facts if fact.path is not None]
        lines = list(dict.fromkeys(self.graph_verbalizer.verbalize(triplets)))
        if self.graph_reranker is not None and lines:
            scores = list(self.graph_reranker(query, lines))
            order = sorted(range(len(lines)), key=lambda row: -scores[row])
            lines = [lines[row] for row in order]
        return lines if topk is None else lines[:topk]


class PathRetriever:
    """Paths: along metapaths, and the shortest ones to targets; in both directions, within bounds.

    Args:
        graph_traversal: of the graph.
        path_verbalizer: writes the paths.
        max_distance: edges that a shortest path may have; the setting ``max_hops`` otherwise.
    """

    def __init__(
        self,
        graph_traversal: GTraversal,
        path_verbalizer: PathVerbalizer | None = None,
        max_distance: int | None = None,
    ) -> None:
        self.graph_traversal = graph_traversal
        self.path_verbalizer = path_verbalizer or PathVerbalizer()
        self.max_distance = max_distance

    def retrieve(
        self,
        source_nodes: Iterable[str | Node],
        metapaths: Iterable[str | Sequence[str]] = (),
        target_nodes: Iterable[str | Node] = (),
        max_distance: int | None = None,
    ) -> list[str]:
        """Paths as texts: along metapaths from the sources, and the shortest ones from them to the targets."""
        sources = list(source_nodes)
        paths = [
            *self.follow_paths(sources, metapaths),
            *self.shortest_paths(sources, target_nodes, max_distance),
        ]
        return self.path_verbalizer.verbalize(paths)

    def follow_paths(
        self, source_nodes: Iterable[str | Node], metapaths: Iterable[str | Sequence[str]]
    ) -> list[Path]:
        """As :meth:`GTraversal.follow_paths`."""
        return self.graph_traversal.follow_paths(source_nodes, metapaths)

    def shortest_paths(
        self,
        source_nodes: Iterable[str | Node],
        target_nodes: Iterable[str | Node],
        max_distance: int | None = None,
    ) -> list[Path]:
        """As :meth:`GTraversal.shortest_paths`."""
        distance = self.max_distance if max_distance is None else max_distance
        return self.graph_traversal.shortest_paths(source_nodes, target_nodes, distance)


class GraphQueryRetriever:
    """Rows of queries, which pass the gate first: they read, and are bounded.

    Args:
        graph_store: an open graph, or a store.
        block_graph_modification: always so; anything else is an error.
    """

    def __init__(self, graph_store: GraphLike, block_graph_modification: bool = True) -> None:
        if not block_graph_modification:
            raise SettingsError("queries only read; that cannot be turned off")
        self.graph_store = graph_store
        self._graph = graph_of(graph_store)

    def is_query_safe(self, query: str) -> bool:
        """Whether the gate lets a query through."""
        try:
            self._graph.check(query, schema_check=False)
        except QueryFailedError:
            raise
        except QueryError:
            return False
        return True

    @overload
    def retrieve(self, query: str, return_answers: Literal[False] = False) -> list[str]: ...
    @overload
    def retrieve(self, query: str, return_answers: Literal[True]) -> tuple[list[str], list[str]]: ...
    def retrieve(self, query: str, return_answers: bool = False) -> list[str] | tuple[list[str], list[str]]:
        """The rows of a query as texts; with ``return_answers`` also what it answers with.

        Raises:
            QueryError: it is empty, may not run, or failed: an error is never context.
            BudgetError, OpenError: as the graph.
        """
        result = self._graph.query(query)
        rows = [fact.text for fact in row_facts(result, query, limit=_ROWS)]
        if not return_answers:
            return rows
        return rows, [answer.text for answer in short_answers(result)]
