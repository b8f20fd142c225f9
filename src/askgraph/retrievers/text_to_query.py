"""A question to a query that a model writes: grounded in the schema, gated, put right, run, and written anew.

What the gate refuses as unsafe is never written again; what it refuses as a product of everything with everything is
a slip like another.

What is asked of the model is one thing: a query. Whether it may run, whether it asks for what there is, which stored
value a word of it means: all that is looked up. Where that does not help, the model is told what is wrong and writes
again, once unless the settings say more.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, Literal

from ..core.budget import Budget
from ..core.errors import (
    AskgraphError,
    BudgetError,
    DeadlineExceededError,
    NoQueryError,
    QueryFailedError,
    QueryRefusedError,
    QuerySyntaxError,
    UnsafeCypherError,
    UnsafeSparqlError,
)
from ..core.evidence import Evidence
from ..core.hidden import NOTHING_HIDDEN, Hidden
from ..core.query_result import QueryResult
from ..core.run import Run
from ..core.words import quantity
from ..graph_queries import GraphQueries, QueryCheck
from ..linking.linked_question import LinkedQuestion
from ..models.calls import ModelCalls
from ..querying.replies import queries_in
from .empty_results import WhyEmpty, why_empty
from .query_correction import Correction, QueryCorrector
from .query_diagnostic import repair_diagnostic
from .query_rows import row_facts
from .query_writer import QueryWriter

# Seconds that looking up what a query means may take.
_LOOKING_UP = 2.0

Outcome = Literal["rows", "empty", "unanswerable"]


@dataclass(frozen=True, slots=True)
class QueryAttempt:
    """A query that the model wrote, and what became of it."""

    written: str
    ran: str = ""
    changes: tuple[str, ...] = ()
    rows: int | None = None
    problem: str = ""

    def to_dict(self) -> dict[str, Any]:
        """Strict JSON data."""
        return {
            "written": self.written,
            "ran": self.ran,
            "changes": list(self.changes),
            "rows": self.rows,
            "problem": self.problem,
        }


@dataclass(frozen=True)
class FoundByQuery:
    """What came of a question put as a query.

    Attributes:
        outcome: rows; none, though the query ran; or the model's word that the graph cannot tell.
        query: the query that gave the result, as it ran; empty for ``"unanswerable"``.
        result: its rows; ``None`` for ``"unanswerable"``.
        attempts: every query that was written, in order.
        said: for ``"unanswerable"`` what the model said.
        notes: what was changed, written again, cut or left open, in plain sentences.
        diagnostic: for ``"empty"`` what kept the query from finding anything, as the model is told.
    """

    outcome: Outcome
    query: str = ""
    result: QueryResult | None = None
    attempts: tuple[QueryAttempt, ...] = ()
    said: str = ""
    notes: tuple[str, ...] = ()
    diagnostic: str = ""

    def evidence(self, limit: int) -> Evidence:
        """The rows as facts."""
        if self.result is None:
            return Evidence(notes=self.notes)
        facts = row_facts(self.result, self.query, limit=limit)
        notes = list(self.notes)
        if len(self.result) > len(facts):
            notes.append(f"Of {quantity(len(self.result), 'row')} the first {len(facts)} are facts.")
        return Evidence(facts, tuple(notes))


@dataclass(frozen=True)
class TextToQuery:
    """Writes and runs queries for questions on one graph.

    Attributes:
        queries: the gate of the graph and what runs behind it.
        writer: makes prompts, and asks the model.
        corrector: puts queries right by the schema and the stored values.
        language: ``"cypher"`` or ``"sparql"``.
        hidden: what a query must not see, beside what the operator hides.
        repairs: how often a query that failed is written again.
        second_looks: how often one that found nothing is.
        seconds: how long one query may run.
        rows: the most rows of one; the settings' number otherwise.
    """

    queries: GraphQueries
    writer: QueryWriter
    corrector: QueryCorrector
    language: str
    hidden: Hidden = NOTHING_HIDDEN
    repairs: int = 1
    second_looks: int = 1
    seconds: float = 10.0
    rows: int | None = None

    def find(self, question: LinkedQuestion, calls: ModelCalls, budget: Budget, run: Run) -> FoundByQuery:
        """The rows that answer a question, if the model can say how to find them.

        Raises:
            UnsafeCypherError, UnsafeSparqlError: the gate refused what the model wrote. This is never repaired.
            NoQueryError: the model wrote no query, the last time too.
            QueryError: the query could not be run, the last time too.
            ModelError: the model failed.
            OpenError: the graph is not to be reached.
            BudgetError: the time, the calls or the tokens were used up.
        """
        return _Search(self, question, calls, budget, run).found()


@dataclass(frozen=True, slots=True)
class _Failed:
    """A query that gave no result, and what the model is to know of it."""

    error: AskgraphError
    diagnostic: str


class _Search:
    """One question on its way to rows."""

    def __init__(
        self, parts: TextToQuery, question: LinkedQuestion, calls: ModelCalls, budget: Budget, run: Run
    ) -> None:
        self._parts = parts
        self._calls = calls
        self._budget = budget
        self._run = run
        self._task = parts.writer.task(question, parts.language, calls, run)
        self._attempts: list[QueryAttempt] = []
        self._notes: list[str] = []

    def found(self) -> FoundByQuery:
        """The result of the first query that gives rows, else of the first that ran, else the last one's error."""
        repairs, second_looks = self._parts.repairs, self._parts.second_looks
        text = self._task.write()
        empty: FoundByQuery | None = None
        while True:
            outcome = self._outcome(text)
            match outcome:
                case FoundByQuery(outcome="empty"):
                    empty = empty or outcome
                    if second_looks <= 0 or not self._may_ask_again():
                        return self._finished(empty)
                    second_looks -= 1
                    diagnostic = outcome.diagnostic
                    self._notes.append("The first query found nothing; the model was asked for another.")
                case FoundByQuery():
                    return self._finished(outcome)
                case _Failed():
                    if repairs <= 0 or not self._may_ask_again():
                        if empty is None:
                            raise outcome.error
                        return self._finished(empty)
                    repairs -= 1
                    diagnostic = outcome.diagnostic
                    self._notes.append(f"The query was written again: {_first_line(outcome.error)}")
            text = self._task.write_again(self._attempts[-1].written if self._attempts else text, diagnostic)

    def _finished(self, found: FoundByQuery) -> FoundByQuery:
        return replace(found, attempts=tuple(self._attempts), notes=(*self._notes, *found.notes))

    def _may_ask_again(self) -> bool:
        return self._budget.remaining > 0 and len(self._run.calls) < self._budget.model_calls

    # --- one query

    def _outcome(self, reply: str) -> FoundByQuery | _Failed:
        """What becomes of one reply of the model."""
        language = self._parts.language
        said = queries_in(reply, language)
        if said.outcome in ("unanswerable", "refusal"):
            return FoundByQuery("unanswerable", said=said.said)
        if said.meant is None:
            error = NoQueryError("the model wrote no query", reply=reply)
            return _Failed(error, "There was no query in your reply. Reply with one query and nothing else.")
        candidate = said.meant
        try:
            with self._run.step("check query") as step:
                step.note(written=candidate.text, put_right=list(candidate.changes))
                checked, correction = self._checked(candidate.text, candidate.parameters)
                step.note(changes=list(correction.notes), query=checked.query.shown)
        except QueryRefusedError as error:
            if error.code != "cost":
                raise _unsafe(error, language) from error
            return self._failed(candidate.text, _too_much(error))
        except QuerySyntaxError as error:
            return self._failed(candidate.text, error)
        if not correction.is_sound:
            return self._failed(candidate.text, _unsound(correction), correction)
        return self._rows(candidate.text, checked, correction)

    def _checked(self, text: str, parameters: Mapping[str, Any]) -> tuple[QueryCheck, Correction]:
        parts = self._parts
        correction = parts.corrector.correct(
            text,
            language=parts.language,
            parameters=parameters,
            budget=self._budget.within(_LOOKING_UP),
            hidden=parts.hidden,
        )
        checked = parts.queries.check(
            correction.text,
            correction.parameters,
            language=parts.language,
            rows=parts.rows,
            hidden=parts.hidden,
        )
        return checked, correction

    def _rows(self, written: str, checked: QueryCheck, correction: Correction) -> FoundByQuery | _Failed:
        seconds = min(self._parts.seconds, self._budget.remaining)
        try:
            with self._run.step("run query") as step:
                step.note(query=checked.query.shown)
                self._insist_that_it_reads(checked, correction, seconds)
                result = self._parts.queries.run(checked, correction.parameters, timeout=max(seconds, 0.001))
                step.note(rows=len(result), truncated=result.truncated)
        except (QueryFailedError, BudgetError) as error:
            if isinstance(error, DeadlineExceededError):
                self._budget.check("running the query that the model wrote")
            return self._failed(written, error, correction)
        self._attempts.append(QueryAttempt(written, checked.query.shown, correction.notes, rows=len(result)))
        notes = (
            *(f"In the query {change}" for change in correction.notes),
            *checked.query.notes,
            *result.notes,
        )
        if result.rows and any(cell is not None for row in result.rows for cell in row):
            return FoundByQuery("rows", checked.query.shown, result, notes=notes)
        why = self._why_empty(correction)
        notes = (*notes, why.note)
        return FoundByQuery("empty", checked.query.shown, result, notes=notes, diagnostic=why.diagnostic())

    def _insist_that_it_reads(self, checked: QueryCheck, correction: Correction, seconds: float) -> None:
        """Ask the engine for its plan first: what it cannot plan is not run, and what it takes for a write neither.

        Raises:
            UnsafeCypherError: it would write, whatever the gate made of it.
            QueryFailedError: it cannot be planned.
        """
        if self._parts.language != "cypher":
            return
        plan = self._parts.queries.explain(checked, correction.parameters, timeout=max(seconds, 0.001))
        if plan.writes:
            raise UnsafeCypherError("the database takes this query for one that writes", code="write")

    def _failed(self, written: str, error: AskgraphError, correction: Correction | None = None) -> _Failed:
        changes = correction.notes if correction is not None else ()
        self._attempts.append(QueryAttempt(written, changes=changes, problem=_first_line(error)))
        return _Failed(error, repair_diagnostic(error, correction))

    def _why_empty(self, correction: Correction) -> WhyEmpty:
        """What keeps a query from finding anything: asked of the graph, and told to the model and the user."""
        parts = self._parts
        with self._run.step("look why it is empty") as step:
            why = why_empty(
                correction.text,
                parts.queries,
                language=parts.language,
                parameters=correction.parameters,
                budget=self._budget,
                hidden=parts.hidden,
            )
            step.note(**why.to_dict())
        return why


def _unsound(correction: Correction) -> QueryFailedError:
    problems = [problem for problem in correction.problems if problem.severity == "error"]
    told = "; ".join(problem.message for problem in problems)
    return QueryFailedError(
        f"the query asks for what the graph does not have: {told}",
        code="schema",
        advice=problems[0].advice,
    )


def _too_much(error: QueryRefusedError) -> QueryFailedError:
    """What the gate said of a query that would make too much, as a failure like another."""
    return QueryFailedError(error.message, code=error.code, advice=error.advice)


def _unsafe(error: QueryRefusedError, language: str) -> QueryRefusedError:
    kind = UnsafeCypherError if language == "cypher" else UnsafeSparqlError
    return kind(
        error.message,
        code=error.code,
        line=error.line,
        column=error.column,
        offset=error.offset,
        excerpt=error.excerpt,
        advice=error.advice,
    )


def _first_line(error: AskgraphError) -> str:
    text = error.message.split("\n", 1)[0]
    return text if text.endswith((".", "!", "?")) else f"{text}."
