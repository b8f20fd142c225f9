"""Queries that a model has written along with other proposals: through the gate, past the schema, to the store.

What became of each is told apart: rows, none, refused, wrong, failed. Only rows are evidence; the rest is for the model
to know when it is asked again.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final, Literal

from ..core.budget import Budget
from ..core.errors import (
    BudgetError,
    DeadlineExceededError,
    QueryError,
    QueryFailedError,
    QueryRefusedError,
    QuerySyntaxError,
)
from ..core.evidence import Evidence, ShortAnswer
from ..core.plan import Table
from ..core.query_result import QueryResult
from ..core.schema import Schema
from ..core.values import Value
from ..core.words import quantity
from ..graph_queries import GraphQueries, QueryCheck
from ..querying.replies import queries_in
from .query_correction import QueryCorrector
from .query_rows import as_table, nodes_in, row_facts, short_answers

Outcome = Literal["rows", "empty", "refused", "wrong", "failed"]

_LONGEST_SHOWN: Final = 400
_SHORTEST_RUN: Final = 0.001
_LOOKING_UP: Final = 2.0


@dataclass(frozen=True)
class RanQuery:
    """A query and what became of it.

    Attributes:
        text: as the model wrote it.
        outcome: rows; none; not let through by the gate; no query of the language, or of what the graph does not have;
            or one that the engine could not run.
        shown: the query as it ran.
        evidence: its rows as facts.
        answers: what it answers with.
        table: its rows.
        nodes: ids of the nodes in its rows.
        feedback: what a model is told of it.
    """

    text: str
    outcome: Outcome
    shown: str = ""
    evidence: Evidence = field(default_factory=Evidence)
    answers: tuple[ShortAnswer, ...] = ()
    table: Table | None = None
    nodes: tuple[str, ...] = ()
    feedback: str = ""


@dataclass(frozen=True)
class _Checked:
    """A query that may run, the values of its parameters, and what was put right in it."""

    query: QueryCheck
    parameters: Mapping[str, Value] = field(default_factory=dict)
    changes: tuple[str, ...] = ()


class WrittenQueries:
    """Runs the queries that a model wrote for one graph."""

    def __init__(
        self,
        queries: GraphQueries,
        schema: Schema,
        corrector: QueryCorrector | None = None,
        *,
        language: str,
        max_facts: int = 50,
        seconds: float = 10.0,
    ) -> None:
        """``corrector`` puts queries right before they run; ``language`` is the graph's; ``seconds``: how long one may
        run."""
        self._queries = queries
        self._schema = schema
        self._corrector = corrector
        self._language = language
        self._max_facts = max_facts
        self._seconds = seconds

    def run(self, text: str, budget: Budget) -> RanQuery:
        """Run a query. Never raises for what the query is.

        Raises:
            DeadlineExceededError: the time of the whole run was up.
            OpenError: the graph is gone.
        """
        try:
            checked = self._checked(text, budget)
        except QueryRefusedError as error:
            return RanQuery(text, "refused", feedback=_told(text, f"it may not run: {error.message}"))
        except QuerySyntaxError as error:
            return RanQuery(text, "wrong", feedback=_told(text, f"it cannot be read: {error.message}"))
        except QueryError as error:
            return RanQuery(text, "failed", feedback=_told(text, error.message))
        try:
            seconds = max(min(self._seconds, budget.remaining), _SHORTEST_RUN)
            result = self._queries.run(checked.query, checked.parameters, timeout=seconds)
        except (QueryFailedError, BudgetError) as error:
            if isinstance(error, DeadlineExceededError):
                budget.check("running a query that the model wrote")
            shown = checked.query.query.shown
            return RanQuery(text, "failed", shown, feedback=_told(text, f"it failed: {error.message}"))
        return self._ran(text, checked, result)

    def _checked(self, written: str, budget: Budget) -> _Checked:
        meant = queries_in(written, self._language).meant
        text, parameters = (written, {}) if meant is None else (meant.text, dict(meant.parameters))
        if self._corrector is None:
            return _Checked(self._queries.check(text, parameters, schema=self._schema), parameters)
        correction = self._corrector.correct(
            text, language=self._language, parameters=parameters, budget=budget.within(_LOOKING_UP)
        )
        query = self._queries.check(correction.text, correction.parameters, schema=self._schema)
        changes = tuple(f"In the query {note}" for note in correction.notes)
        return _Checked(query, correction.parameters, changes)

    def _ran(self, text: str, checked: _Checked, result: QueryResult) -> RanQuery:
        shown = checked.query.query.shown
        if not result.rows or all(cell is None for row in result.rows for cell in row):
            doubts = " ".join(checked.query.warnings)
            return RanQuery(text, "empty", shown, feedback=_told(text, f"it ran and found nothing. {doubts}"))
        facts = row_facts(result, shown, limit=self._max_facts)
        notes = list(dict.fromkeys([*checked.changes, *result.notes, *checked.query.query.notes]))
        if len(result) > len(facts):
            notes.append(f"Of {quantity(len(result), 'row')} the first {len(facts)} are facts.")
        nodes = {node.id: node for node in nodes_in(result)}
        types = {node.id: node.types for node in nodes.values() if node.types}
        return RanQuery(
            text,
            "rows",
            shown,
            Evidence(facts, tuple(notes), types),
            short_answers(result),
            as_table(result),
            tuple(nodes),
            _told(text, f"it gave {quantity(len(result), 'row')}"),
        )


def _told(text: str, what: str) -> str:
    shown = " ".join(text.split())
    if len(shown) > _LONGEST_SHOWN:
        shown = shown[:_LONGEST_SHOWN] + " …"
    return f"The query {shown}: {what.strip()}"


def outcomes(ran: Sequence[RanQuery]) -> dict[str, int]:
    """How many queries came out how, for the record of a run."""
    found: dict[str, int] = {}
    for item in ran:
        found[item.outcome] = found.get(item.outcome, 0) + 1
    return found
