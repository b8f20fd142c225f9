"""A question to a query that a model writes: grounded in the schema, gated, put right, run, and written anew.

What the gate refuses as unsafe is never written again; what it refuses as a product of everything with everything is
a slip like another.

What is asked of the model is one thing: a query. Whether it may run, whether it asks for what there is, which stored
value a word of it means: all that is looked up. Where that does not help, the model is told what is wrong and writes
again, once unless the settings say more.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, Literal

from ...core.budget import Budget
from ...core.errors import (
    AskgraphError,
    BudgetError,
    ModelError,
    NoQueryError,
    QueryFailedError,
    QueryRefusedError,
    QuerySyntaxError,
    UnsafeCypherError,
    UnsafeSparqlError,
)
from ...core.evidence import Evidence
from ...core.query_result import QueryResult
from ...core.run import Run
from ...core.words import quantity
from ...linking.linked_question import LinkedQuestion
from ...models.calls import ModelCalls
from ...querying.replies import CandidateQuery, queries_in
from .query_diagnostic import repair_diagnostic
from .query_rows import row_facts
from .query_running import PreparedQuery, QueryRunner, found_something
from .query_writer import QueryWriter

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
        uncapped: the query without the cap of rows that the gate put to it: for whoever runs it elsewhere.
    """

    outcome: Outcome
    query: str = ""
    result: QueryResult | None = None
    attempts: tuple[QueryAttempt, ...] = ()
    said: str = ""
    notes: tuple[str, ...] = ()
    diagnostic: str = ""
    uncapped: str = ""

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
        runner: prepares and runs queries.
        writer: makes prompts, and asks the model.
        repairs: how often a query that failed is written again.
        second_looks: how often one that found nothing is.
    """

    runner: QueryRunner
    writer: QueryWriter
    repairs: int = 1
    second_looks: int = 1

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
        self._runner = parts.runner
        self._budget = budget
        self._run = run
        self._task = parts.writer.task(question, parts.runner.language, calls, run)
        self._repairs = parts.repairs
        self._second_looks = parts.second_looks
        self._attempts: list[QueryAttempt] = []
        self._notes: list[str] = []

    def found(self) -> FoundByQuery:
        """The result of the first query that gives rows, else of the first that ran, else the last one's error."""
        reply = self._task.write()
        empty: FoundByQuery | None = None
        while True:
            outcome = self._outcome(reply)
            if isinstance(outcome, FoundByQuery) and outcome.outcome != "empty":
                return self._finished(outcome)
            if isinstance(outcome, FoundByQuery):
                empty = empty or outcome
            if not self._may_ask_again(outcome):
                return self._ended(outcome, empty)
            written = self._attempts[-1].written if self._attempts else reply
            try:
                reply = self._task.write_again(written, outcome.diagnostic)
            except (ModelError, BudgetError):
                # Another attempt was only worth a try: what there is stays.
                return self._ended(outcome, empty)

    def _may_ask_again(self, outcome: FoundByQuery | _Failed) -> bool:
        if self._budget.remaining <= 0:
            return False
        if isinstance(outcome, FoundByQuery):
            self._second_looks -= 1
            note = "The first query found nothing; the model was asked for another."
            left = self._second_looks
        else:
            self._repairs -= 1
            note = f"The query was written again: {_first_line(outcome.error)}"
            left = self._repairs
        if left < 0:
            return False
        self._notes.append(note)
        return True

    def _ended(self, outcome: FoundByQuery | _Failed, empty: FoundByQuery | None) -> FoundByQuery:
        if empty is not None:
            return self._finished(empty)
        if isinstance(outcome, _Failed):
            raise outcome.error
        return self._finished(outcome)

    def _finished(self, found: FoundByQuery) -> FoundByQuery:
        return replace(found, attempts=tuple(self._attempts), notes=(*self._notes, *found.notes))

    # --- one query

    def _outcome(self, reply: str) -> FoundByQuery | _Failed:
        """What becomes of one reply of the model."""
        said = queries_in(reply, self._runner.language)
        if said.outcome in ("unanswerable", "refusal"):
            return FoundByQuery("unanswerable", said=said.said)
        if said.meant is None:
            error = NoQueryError("the model wrote no query", reply=reply)
            return _Failed(error, "There was no query in your reply. Reply with one query and nothing else.")
        return self._ran(said.meant)

    def _ran(self, candidate: CandidateQuery) -> FoundByQuery | _Failed:
        """What becomes of one query."""
        prepared: PreparedQuery | None = None
        try:
            with self._run.step("check query") as step:
                step.note(written=candidate.text, put_right=list(candidate.changes))
                prepared = self._runner.prepare(candidate.text, candidate.parameters, self._budget)
                step.note(changes=list(prepared.correction.notes), query=prepared.shown)
            with self._run.step("run query") as step:
                step.note(query=prepared.shown)
                result = self._runner.run(prepared, self._budget)
                step.note(rows=len(result), truncated=result.truncated)
        except UnsafeCypherError:
            raise
        except QueryRefusedError as error:
            raise _unsafe(error, self._runner.language) from error
        except (QuerySyntaxError, QueryFailedError, BudgetError) as error:
            self._budget.check("running a query that the model wrote")
            return self._failed(candidate.text, error, prepared)
        changes = prepared.correction.notes
        self._attempts.append(QueryAttempt(candidate.text, prepared.shown, changes, rows=len(result)))
        notes = tuple(dict.fromkeys((*prepared.notes, *result.notes)))
        if found_something(result):
            return FoundByQuery(
                "rows", prepared.shown, result, notes=notes, uncapped=prepared.correction.text
            )
        with self._run.step("look why it is empty") as step:
            why = self._runner.why_empty(prepared, self._budget)
            step.note(**why.to_dict())
        notes = (*notes, why.note)
        diagnostic, uncapped = prepared.diagnostic(why), prepared.correction.text
        return FoundByQuery(
            "empty", prepared.shown, result, notes=notes, diagnostic=diagnostic, uncapped=uncapped
        )

    def _failed(self, written: str, error: AskgraphError, prepared: PreparedQuery | None) -> _Failed:
        correction = prepared.correction if prepared is not None else None
        changes = correction.notes if correction is not None else ()
        self._attempts.append(QueryAttempt(written, changes=changes, problem=_first_line(error)))
        return _Failed(error, repair_diagnostic(error, correction))


def _unsafe(error: QueryRefusedError, language: str) -> QueryRefusedError:
    """What the gate refused, as the kind of error that says whose query it was."""
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
