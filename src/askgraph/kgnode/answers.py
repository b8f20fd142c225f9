"""What a question finds, and what it is answered with: by a language model, or by the words of the graph alone."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Protocol, runtime_checkable

from ..core.errors import QueryError
from ..core.evidence import Answer, Sentence
from ..core.plan import Plan, Table
from ..core.plan_json import plan_from_dict
from ..core.run import Step
from ..core.values import display
from ..retrievers.traversal.path_plan import plan_of_subgraph
from ..retrievers.traversal.subgraph import Subgraph
from ..strategies.paths import PathsStrategy
from .query import rows_of
from .session import Session

# Subgraphs whose paths are tried as queries, the most probable first.
_TRIED = 5
_LEAST_CONFIDENCE = 0.3


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
    """

    sparql: str | None = None
    rows: list[dict[str, Any]] = field(default_factory=list)
    answer: Answer | None = None
    reason: str = ""


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
    if finding is not None and finding.answer is not None:
        return finding.answer
    reason = finding.reason if finding is not None else ""
    return Answer(session.run.question, (Sentence(reason or "The graph does not tell."),), abstained=True)
