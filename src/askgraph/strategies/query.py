"""The strategy that lets a model write a query in the graph's own language, and answers from its rows."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Literal

from ..answering.compose import abstain
from ..answering.node_types import with_types
from ..answering.row_answers import compose_from_rows
from ..answering.written import write_answer
from ..core.budget import Budget
from ..core.errors import NoQueryError, QueryError, QueryRefusedError
from ..core.evidence import Answer
from ..core.run import Run, without_credentials
from ..linking.linked_question import LinkedQuestion
from ..models.calls import ModelCalls
from ..retrievers.querying.query_rows import as_table, short_answers
from ..retrievers.querying.text_to_query import FoundByQuery
from .base import Parts
from .finding import text_to_query

_LESS = 0.8
_AS_ASKED = "These are the rows of the query that is shown; whether it asks what you asked is for you to see."


@dataclass(frozen=True, slots=True)
class QueryOutcome:
    """An answer by a query, and what became of the query: ``"failed"`` where none could be made, or run."""

    outcome: Literal["rows", "empty", "unanswerable", "failed"]
    answer: Answer


class QueryStrategy:
    """Two calls: one writes the query, one the answer from its rows. Each query that is written again is one more."""

    name = "query"

    def __init__(self, parts: Parts) -> None:
        self._parts = parts
        self._finder = text_to_query(parts)

    def answer(self, question: LinkedQuestion, budget: Budget, run: Run) -> Answer:
        """Answer a linked question by a query, or abstain.

        Raises:
            UnsafeCypherError, UnsafeSparqlError: the model wrote a query that the gate refuses.
            ModelError: the model failed before there were rows.
            OpenError, BudgetError: as the graph and the budget.
        """
        return self.attempt(question, budget, run).answer

    def attempt(self, question: LinkedQuestion, budget: Budget, run: Run) -> QueryOutcome:
        """The same, with what became of the query. Raises as :meth:`answer`."""
        calls = self._parts.calls(budget, run)
        try:
            found = self._finder.find(question, calls, budget, run)
        except QueryRefusedError:
            raise
        except (QueryError, NoQueryError) as error:
            # What an engine says may go on with the query and a mark under it.
            said = without_credentials(error.message).split("\n", 1)[0].rstrip(".")
            reason = f"No query could be made of the question: {said}."
            return QueryOutcome("failed", abstain(question, reason))
        if found.outcome == "unanswerable":
            said = f": {found.said}" if found.said else "."
            reason = f"The model says that the graph cannot answer this{said}"
            return QueryOutcome("unanswerable", abstain(question, reason, notes=found.notes))
        if found.outcome == "empty":
            reason = "The query ran and found nothing."
            answer = abstain(question, reason, interpretation=found.query, notes=found.notes)
            return QueryOutcome("empty", answer)
        return QueryOutcome("rows", self._written(question, found, calls, run))

    def _written(self, question: LinkedQuestion, found: FoundByQuery, calls: ModelCalls, run: Run) -> Answer:
        """The answer that the rows give, in the model's words; short answers and table are those of the rows."""
        parts = self._parts
        most = parts.settings.max_facts
        with run.step("answer") as step:
            answer = write_answer(
                question,
                with_types(found.evidence(most), parts.store, parts.schema),
                calls,
                settings=parts.settings,
                embedder=parts.embedder,
                on_text=run.say,
                interpretation=found.query,
                otherwise=lambda: compose_from_rows(question, found, most),
            )
            step.note(facts=len(answer.facts), confidence=round(answer.confidence, 4))
        if answer.abstained or found.result is None:
            # A row says what its query's order says of it ("with the least price"), and not every reason why it is one.
            plain = compose_from_rows(question, found, most)
            told = f"In words the model gave no answer that the rows support: {answer.text}"
            notes = (
                *plain.notes,
                told,
                *(note for note in answer.notes if note not in plain.notes),
                _AS_ASKED,
            )
            return replace(plain, confidence=plain.confidence * _LESS, notes=notes)
        return replace(answer, answers=short_answers(found.result), table=as_table(found.result))
