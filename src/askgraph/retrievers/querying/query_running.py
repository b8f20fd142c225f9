"""One query that a model wrote: through the gate, put right, planned, run. The only way to rows for any of them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from ...core.budget import Budget
from ...core.errors import DeadlineExceededError, QueryFailedError, QueryRefusedError, UnsafeCypherError
from ...core.hidden import NOTHING_HIDDEN, Hidden
from ...core.query_result import QueryResult
from ...graph_queries import GraphQueries, QueryCheck
from ...querying.schema_check import SchemaProblem
from .empty_results import WhyEmpty, why_empty
from .query_correction import Correction, QueryCorrector
from .query_diagnostic import bounded, repair_diagnostic

# Seconds that looking up what a query means may take.
_LOOKING_UP = 2.0
_SHORTEST_RUN = 0.001
# What a query asks for when every pair of matches would be made: a slip like another, not an attempt at anything.
TOO_MUCH = "cost"
_OF_VALUES = frozenset({"unknown-value", "ambiguous-value", "unknown-node"})


@dataclass(frozen=True, slots=True)
class PreparedQuery:
    """A query that may run, and what was put right in it."""

    checked: QueryCheck
    correction: Correction

    @property
    def shown(self) -> str:
        """The query as people and models see it."""
        return self.checked.query.shown

    @property
    def notes(self) -> tuple[str, ...]:
        """What was put right, what it asks for that nothing has, and what the gate changed."""
        return (
            *(f"In the query {change}." for change in self.correction.notes),
            *(f"{problem.message[:1].upper()}{problem.message[1:]}." for problem in self._unknown_values),
            *self.checked.query.notes,
        )

    @property
    def _unknown_values(self) -> list[SchemaProblem]:
        return [problem for problem in self.correction.problems if problem.code in _OF_VALUES]

    @property
    def faults(self) -> list[SchemaProblem]:
        """What keeps it from running: types, relations and properties that the graph does not have. A value that
        nothing has is no fault: such a query runs, and finds nothing."""
        return [
            problem
            for problem in self.correction.problems
            if problem.severity == "error" and problem.code not in _OF_VALUES
        ]

    def diagnostic(self, why: WhyEmpty) -> str:
        """What a model is told of a query that ran and found nothing."""
        told = repair_diagnostic(None, self.correction) if self._unknown_values else ""
        return bounded([*why.diagnostic().split("\n"), *told.split("\n")] if told else [why.diagnostic()])


@dataclass(frozen=True, slots=True)
class QueryRunner:
    """Prepares and runs queries on one graph.

    Attributes:
        queries: the gate of the graph and what runs behind it.
        corrector: puts queries right by the schema and the stored values.
        language: ``"cypher"`` or ``"sparql"``.
        hidden: what a query must not see, beside what the operator hides.
        seconds: how long one query may run.
        rows: the most rows of one; the settings' number otherwise.
    """

    queries: GraphQueries
    corrector: QueryCorrector
    language: str
    hidden: Hidden = NOTHING_HIDDEN
    seconds: float = 10.0
    rows: int | None = None

    def prepare(self, text: str, parameters: Mapping[str, Any], budget: Budget) -> PreparedQuery:
        """Let a query through the gate, and put it right.

        Raises:
            QuerySyntaxError: it is none.
            QueryRefusedError: the gate does not let it through.
            QueryFailedError: it would join everything with everything (code ``"cost"``).
        """
        try:
            correction = self.corrector.correct(
                text,
                language=self.language,
                parameters=parameters,
                budget=budget.within(_LOOKING_UP),
                hidden=self.hidden,
            )
            checked = self.queries.check(
                correction.text,
                correction.parameters,
                language=self.language,
                rows=self.rows,
                hidden=self.hidden,
            )
        except QueryRefusedError as error:
            if error.code != TOO_MUCH:
                raise
            raise QueryFailedError(error.message, code=error.code, advice=error.advice) from error
        return PreparedQuery(checked, correction)

    def run(self, prepared: PreparedQuery, budget: Budget) -> QueryResult:
        """Run a query that asks for what there is.

        A Cypher engine is asked for its plan first: what it cannot plan is not run, and what it takes for a write
        neither, whatever the gate made of it.

        Raises:
            UnsafeCypherError: the engine takes it for a write.
            QueryFailedError: it asks for what the graph does not have (code ``"schema"``), or cannot be planned or run.
            BudgetError: it took more than is allowed.
            OpenError: the graph is not to be reached.
        """
        if prepared.faults:
            raise _faulty(prepared.faults)
        seconds = max(min(self.seconds, budget.remaining), _SHORTEST_RUN)
        parameters = prepared.correction.parameters
        try:
            if self.language == "cypher":
                plan = self.queries.explain(prepared.checked, parameters, timeout=seconds)
                if plan.writes:
                    raise UnsafeCypherError("the database takes this query for one that writes", code="write")
            return self.queries.run(prepared.checked, parameters, timeout=seconds)
        except DeadlineExceededError:
            # Whose time was up: the query's own, or that of all?
            budget.check("running a query that the model wrote")
            raise

    def why_empty(self, prepared: PreparedQuery, budget: Budget) -> WhyEmpty:
        """What keeps a query that ran from finding anything: the graph is asked for a little less of it."""
        return why_empty(
            prepared.correction.text,
            self.queries,
            language=self.language,
            parameters=prepared.correction.parameters,
            budget=budget,
            hidden=self.hidden,
        )


def found_something(result: QueryResult) -> bool:
    """Whether a query gave anything but nulls."""
    return any(cell is not None for row in result.rows for cell in row)


def _faulty(faults: Sequence[SchemaProblem]) -> QueryFailedError:
    told = "; ".join(problem.message for problem in faults)
    return QueryFailedError(
        f"the query asks for what the graph does not have: {told}", code="schema", advice=faults[0].advice
    )
