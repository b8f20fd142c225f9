"""Queries that a model has written along with other proposals: through the gate, past the schema, to the store.

What became of each is told apart: rows, none, refused, wrong, failed. Only rows are evidence; the rest is for the model
to know when it is asked again.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Final, Literal

from ...core.budget import Budget
from ...core.errors import (
    AskgraphError,
    BudgetError,
    QueryError,
    QueryFailedError,
    QueryRefusedError,
    QuerySyntaxError,
)
from ...core.evidence import Evidence, ShortAnswer
from ...core.graph import Node
from ...core.plan import Table
from ...core.query_result import QueryResult
from ...core.words import quantity
from ...querying.replies import queries_in
from ...stores.base import GraphStore
from .query_diagnostic import repair_diagnostic
from .query_rows import as_table, nodes_in, row_facts, short_answers
from .query_running import PreparedQuery, QueryRunner, found_something

Outcome = Literal["rows", "empty", "refused", "wrong", "failed"]

_LONGEST_SHOWN: Final = 400


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


class WrittenQueries:
    """Runs the queries that a model wrote for one graph."""

    def __init__(self, runner: QueryRunner, store: GraphStore, *, max_facts: int = 50) -> None:
        self._runner = runner
        self._store = store
        self._max_facts = max_facts

    def run(self, text: str, budget: Budget) -> RanQuery:
        """Run a query. Never raises for what the query is.

        Raises:
            DeadlineExceededError: the time of the whole run was up.
            OpenError: the graph is gone.
        """
        prepared: PreparedQuery | None = None
        try:
            meant = queries_in(text, self._runner.language).meant
            parameters = {} if meant is None else meant.parameters
            prepared = self._runner.prepare(text if meant is None else meant.text, parameters, budget)
            result = self._runner.run(prepared, budget)
        except QueryRefusedError as error:
            return RanQuery(text, "refused", feedback=_told(text, f"it may not run: {error.message}"))
        except (QuerySyntaxError, QueryFailedError, BudgetError) as error:
            budget.check("running a query that the model wrote")
            outcome: Outcome = "wrong" if prepared is None or _is_of_schema(error) else "failed"
            correction = prepared.correction if prepared is not None else None
            shown = prepared.shown if prepared is not None else ""
            return RanQuery(text, outcome, shown, feedback=_told(text, repair_diagnostic(error, correction)))
        return self._ran(text, prepared, result)

    def _with_names(self, result: QueryResult) -> QueryResult:
        """The result with the names of nodes that came without: an endpoint gives IRIs alone."""
        nameless = [node.id for node in nodes_in(result) if not node.names]
        if not nameless:
            return result
        named = {node.id: node for node in self._store.nodes(list(dict.fromkeys(nameless)))}
        rows = [tuple(_renamed(cell, named) for cell in row) for row in result.rows]
        return replace(result, rows=rows)

    def _ran(self, text: str, prepared: PreparedQuery, result: QueryResult) -> RanQuery:
        shown, result = prepared.shown, self._with_names(result)
        if not found_something(result):
            doubts = " ".join(problem.message for problem in prepared.correction.problems)
            return RanQuery(text, "empty", shown, feedback=_told(text, f"it ran and found nothing. {doubts}"))
        facts = row_facts(result, shown, limit=self._max_facts)
        notes = list(dict.fromkeys([*prepared.notes, *result.notes]))
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


def _renamed(cell: Any, named: Mapping[str, Node]) -> Any:
    match cell:
        case Node():
            return named.get(cell.id, cell)
        case list() | tuple():
            return [_renamed(item, named) for item in cell]
        case dict():
            return {key: _renamed(item, named) for key, item in cell.items()}
    return cell


def _is_of_schema(error: AskgraphError) -> bool:
    return isinstance(error, QueryError) and error.code == "schema"


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
