"""A question as a SPARQL query that somebody else may run: read by the graph's own words, else written by a model.

The reading is the one that answers come from (:class:`~askgraph.strategies.reading.ReadingStrategy`), and it is judged
in the same way: where it is not trusted there is no query, unless a model writes one. Every query has passed the gate.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Final, Protocol, runtime_checkable

from ..core.budget import Budget
from ..core.errors import NoQueryError, NoSparqlError, PlanError, QueryFailedError
from ..core.plan import Plan
from ..core.run import Run
from ..engine import Graph
from ..linking.linked_question import LinkedQuestion
from ..retrievers.reading.questions import Found
from ..strategies.base import Parts, no_model
from ..strategies.finding import text_to_query
from ..strategies.reading import Decision, ReadingStrategy
from .reading_as_sparql import asks_for_names, sparql_of

WAYS: Final = ("auto", "reading", "query")
"""How a query is come by: read, and where that is not sure written by the model, if there is one; or one of the two."""

_LOOKED_AT: Final = 100


@runtime_checkable
class WritesSparql(Protocol):
    """A store that can put a plan as SPARQL."""

    def to_sparql(self, plan: Plan) -> str:
        """A plan as a SPARQL query."""


@dataclass(frozen=True, slots=True)
class WrittenSparql:
    """A question as a query.

    Attributes:
        query: SPARQL 1.1 that only reads.
        written_by: ``"reading"`` or ``"model"``.
        confidence: that the reading is right, 0 to 1; ``None`` for a query of a model.
        meaning: how the question was read, in words; empty for a query of a model.
        notes: what was guessed or changed, in plain sentences.
    """

    query: str
    written_by: str
    confidence: float | None = None
    meaning: str = ""
    notes: tuple[str, ...] = ()


class SparqlWriter:
    """Puts questions to one graph as SPARQL. Safe to use from several threads.

    Args:
        graph: an open RDF graph, embedded or an endpoint.
        way: one of :data:`WAYS`.

    Raises:
        QueryFailedError: the graph is no RDF graph.
        PlanError: there is no such way, or it needs a model and there is none.
    """

    def __init__(self, graph: Graph, way: str = "auto") -> None:
        store = graph.store
        if "sparql" not in store.capabilities.query_languages or not isinstance(store, WritesSparql):
            raise QueryFailedError(
                f"{graph.location} is no RDF graph, and only of these SPARQL can be asked",
                code="language",
                advice="Serve an RDF file, a folder that one was loaded into, or a SPARQL endpoint; "
                "`askgraph ask` answers questions of every graph.",
            )
        if way not in WAYS:
            raise PlanError(f"there is no way {way!r} to a query", advice=f"There are: {', '.join(WAYS)}.")
        if way == "query" and graph.model is None:
            raise no_model("a language model is to write the queries")
        self._graph = graph
        self._to_sparql: Callable[[Plan], str] = store.to_sparql
        self._way = way
        self._parts = graph.parts()
        self._reading = ReadingStrategy(self._parts)

    def write(self, question: str, seconds: float) -> WrittenSparql:
        """A question as a query.

        Args:
            question: in plain words.
            seconds: how long it may take.

        Raises:
            NoSparqlError: no reading of it is trusted, or it cannot be put as one query; the model has none either.
            PlanError: the question is empty or too long.
            UnsafeSparqlError: the model wrote what does more than read.
            ModelError, BudgetError, OpenError: as the model, the deadline and the graph.
        """
        budget = replace(self._graph.settings.budget(), seconds=seconds)
        run = Run(question, graph=self._graph.location, graph_version=self._parts.store.capabilities.version)
        linked = self._graph.linked(question, run)
        if self._way == "query":
            return self._by_model(linked, budget, run)
        try:
            return self._by_reading(linked, budget, run)
        except NoSparqlError:
            if self._way == "reading" or self._parts.model is None:
                raise
        return self._by_model(linked, budget, run)

    def _by_reading(self, linked: LinkedQuestion, budget: Budget, run: Run) -> WrittenSparql:
        decision: Decision = self._reading.decide(linked, budget, run)
        found, reason = decision.found, decision.judgement.reason_to_abstain
        if found is None or reason:
            raise NoSparqlError(
                f"the question was not understood well enough: {reason or 'nothing was found'}",
                advice="Use the words that the graph has; `askgraph schema GRAPH` shows them.",
            )
        try:
            query = sparql_of(found, self._to_sparql, self._name_key(found))
        except PlanError as error:
            raise NoSparqlError(f"the reading cannot be put as a query: {error.message}") from error
        self._graph.check(query, language="sparql", schema_check=False)
        return WrittenSparql(
            query,
            "reading",
            confidence=round(decision.judgement.confidence, 4),
            meaning=found.in_words,
            notes=(*decision.notes, *found.notes),
        )

    def _name_key(self, found: Found) -> str:
        """The property that gives most of the nodes found their names, where the question asks for names."""
        if not asks_for_names(found):
            return ""
        ids = dict.fromkeys(str(row[0]) for row in found.table.rows[:_LOOKED_AT] if row[0] is not None)
        schema = self._parts.schema
        sources = [
            name.source
            for node in self._parts.store.nodes(list(ids))
            for name in node.names[:1]
            if any(item.key == name.source for item in schema.properties)
        ]
        return Counter(sources).most_common(1)[0][0] if sources else ""

    def _by_model(self, linked: LinkedQuestion, budget: Budget, run: Run) -> WrittenSparql:
        parts: Parts = self._parts
        try:
            found = text_to_query(parts, language="sparql").find(
                linked, parts.calls(budget, run), budget, run
            )
        except NoQueryError as error:
            raise NoSparqlError("the model wrote no query") from error
        if found.outcome == "unanswerable":
            raise NoSparqlError("the model says that the graph cannot answer this")
        return WrittenSparql(found.uncapped, "model", notes=found.notes)
