"""What a question finds, and what it is answered with: by a language model, or by the words of the graph alone."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Protocol, runtime_checkable

from ..answering.node_types import with_types
from ..answering.row_answers import compose_from_rows
from ..answering.written import write_answer
from ..core.errors import BudgetError, ModelError, NoQueryError, QueryError, QueryRefusedError
from ..core.evidence import Answer, Sentence
from ..core.graph import Node
from ..core.plan import Plan, Table
from ..core.plan_json import plan_from_dict
from ..core.query_result import Cell, QueryResult
from ..core.run import Step
from ..core.values import display
from ..retrievers.querying.query_rows import as_table, nodes_in, short_answers
from ..retrievers.querying.text_to_query import FoundByQuery
from ..retrievers.seed_discovery.discovery import SeedNode
from ..retrievers.traversal.path_plan import plan_of_subgraph
from ..retrievers.traversal.prompt_text import nearby_text
from ..retrievers.traversal.retriever import PathRetriever
from ..retrievers.traversal.subgraph import Subgraph
from ..strategies.finding import text_to_query
from ..strategies.paths import PathsStrategy
from .query import rows_of
from .session import Session

# Subgraphs whose paths are tried as queries, the most probable first.
_TRIED = 5
# The documented pipeline always answers; this one does where anything speaks for it, and says how sure it is.
_LEAST_CONFIDENCE = 0.1


@runtime_checkable
class WritesSparql(Protocol):
    """A store that says a plan in SPARQL."""

    def to_sparql(self, plan: Plan) -> str:
        """The plan as a query."""


@dataclass
class Finding:
    """What a question came to.

    Attributes:
        sparql: the query, or ``None`` on a graph that takes none.
        rows: its rows.
        answer: the answer that goes with it, where it is known already.
        reason: why there are no rows.
        by_model: the rows of a query that the model wrote, of which it is to write the answer.
    """

    sparql: str | None = None
    rows: list[dict[str, Any]] = field(default_factory=list)
    answer: Answer | None = None
    reason: str = ""
    by_model: FoundByQuery | None = None


def find(session: Session, seeds: Sequence[SeedNode], subgraphs: Sequence[Subgraph]) -> Finding:
    """What a question comes to: by a query that the model writes; where there is no model, where it writes none that
    runs, and where what it wrote finds nothing, without it.

    Raises:
        UnsafeSparqlError, UnsafeCypherError: the model wrote what the gate refuses.
    """
    if session.model is None:
        return find_without_model(session, subgraphs)
    finding = _by_model(session, seeds, subgraphs)
    if finding.rows:
        return finding
    session.note(
        f"The model's query gave nothing ({finding.reason.rstrip('.')}); the paths found were tried."
    )
    otherwise = find_without_model(session, subgraphs)
    return otherwise if otherwise.rows else finding


def _by_model(session: Session, seeds: Sequence[SeedNode], subgraphs: Sequence[Subgraph]) -> Finding:
    language = session.parts.store.capabilities.query_languages[0]
    nearby = nearby_text(seeds, subgraphs, sparql=language == "sparql")
    finder = text_to_query(session.parts, language=language, nearby=nearby)
    try:
        found = finder.find(session.linked(), session.calls, session.budget, session.run)
    except QueryRefusedError:
        raise
    except (QueryError, NoQueryError, ModelError, BudgetError) as error:
        return Finding(reason=error.message)
    for note in found.notes:
        session.note(note)
    if found.result is None or not found.result.rows:
        return Finding(found.query or None, reason=found.said or "it found nothing")
    found = replace(found, result=_with_names(session, found.result))
    assert found.result is not None
    return Finding(found.query, rows_of(found.result), by_model=found)


def _with_names(session: Session, result: QueryResult) -> QueryResult:
    """The rows with the names of their nodes: a server gives only ids."""
    bare = dict.fromkeys(node.id for node in nodes_in(result) if not node.names)
    names = {node.id: node for node in session.parts.store.nodes(list(bare))}

    def named(cell: Cell) -> Cell:
        return names.get(cell.id, cell) if isinstance(cell, Node) else cell

    return replace(result, rows=[tuple(named(cell) for cell in row) for row in result.rows])


def _written(session: Session, found: FoundByQuery, subgraphs: Sequence[Subgraph]) -> Answer:
    """The answer that rows and paths give, in the model's words; short answers and table are those of the rows."""
    parts, question = session.parts, session.linked()
    most = parts.settings.max_facts
    paths = PathRetriever(parts.store, parts.schema, None, max_facts=most // 2)
    rows = found.evidence(most)
    # A row says what was found; what it has to do with the question only the paths say.
    evidence = replace(rows, facts=(*rows.facts, *paths.facts(subgraphs[:_TRIED])))
    answer = write_answer(
        question,
        with_types(evidence, parts.store, parts.schema),
        session.calls,
        settings=parts.settings,
        embedder=parts.embedder,
        interpretation=found.query,
        otherwise=lambda: compose_from_rows(question, found, most),
    )
    if found.result is None or answer.abstained:
        return answer
    return replace(answer, answers=short_answers(found.result), table=as_table(found.result))


def find_without_model(session: Session, subgraphs: Sequence[Subgraph]) -> Finding:
    """The question as it is read by the graph's own words; where that gives nothing, the paths of the subgraphs, the
    most probable first, until one finds something."""
    finding = _by_reading(session)
    if finding.rows:
        return finding
    answered = _by_paths(session)
    for subgraph in subgraphs[:_TRIED]:
        if answered.abstained:
            break
        tried = _run(session, plan_of_subgraph(subgraph, limit=session.budget.rows))
        if tried.rows:
            return replace(tried, answer=answered)
    return replace(finding, answer=finding.answer)


def _by_paths(session: Session) -> Answer:
    """What the best path leads to, also where this is not sure enough for an answer elsewhere: it is said to be so."""
    settings = session.parts.settings
    least = min(_LEAST_CONFIDENCE, settings.least_confidence)
    parts = replace(session.parts, settings=settings.model_copy(update={"least_confidence": least}))
    answer = PathsStrategy(parts).answer(session.linked(), session.budget, session.run)
    if answer.abstained:
        return answer
    return replace(answer, notes=(*answer.notes, "Answered by the likeness of paths alone."))


def _by_reading(session: Session) -> Finding:
    steps: list[Step] = []
    answer = session.graph.ask(
        session.run.question,
        strategy="reading",
        save=False,
        on_step=lambda step, finished: steps.append(step) if finished else None,
    )
    if answer.abstained:
        return Finding(answer=answer, reason=answer.text)
    plans = [
        reading["plan"] for step in steps if step.name == "read" for reading in step.details["readings"][:1]
    ]
    if not plans or plans[0] is None:
        return Finding(answer=answer, reason="The reading cannot be put as a query.")
    return replace(_run(session, plan_from_dict(plans[0])), answer=answer)


def _run(session: Session, plan: Plan) -> Finding:
    """A plan as SPARQL, through the gate; on a graph without SPARQL the plan itself."""
    store = session.parts.store
    if not isinstance(store, WritesSparql):
        return Finding(None, _rows_of_table(store.run(plan, session.budget)))
    sparql = store.to_sparql(plan)
    try:
        result = session.graph.query(sparql, timeout=session.budget.remaining, schema_check=False)
    except QueryError as error:
        return Finding(sparql, reason=error.message)
    return Finding(sparql, rows_of(result), reason="" if result.rows else "The query found nothing.")


def _rows_of_table(table: Table) -> list[dict[str, Any]]:
    return [
        {
            column: cell if isinstance(cell, str) else display(cell)
            for column, cell in zip(table.columns, row, strict=True)
            if cell is not None
        }
        for row in table.rows
    ]


def answer_of(session: Session, finding: Finding | None, subgraphs: Sequence[Subgraph]) -> Answer:
    """The answer to a session's question."""
    if finding is not None and finding.by_model is not None:
        return _written(session, finding.by_model, subgraphs)
    if finding is not None and finding.answer is not None:
        return finding.answer
    reason = finding.reason if finding is not None else ""
    return Answer(session.run.question, (Sentence(reason or "The graph does not tell."),), abstained=True)
