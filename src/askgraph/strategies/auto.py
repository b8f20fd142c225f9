"""The strategy that is taken where nobody names one and there is a model: what the indexes know is not asked of it."""

from __future__ import annotations

from dataclasses import replace

from ..answering.node_types import with_types
from ..answering.written import write_answer
from ..core.budget import Budget
from ..core.errors import BudgetError, ModelAuthenticationError, ModelError, QueryRefusedError
from ..core.evidence import Answer, Evidence
from ..core.run import Run, without_credentials
from ..linking.linked_question import LinkedQuestion
from .base import Parts
from .query import QueryStrategy
from .reading import ReadingStrategy


class AutoStrategy:
    """First the question is read without the model. Where that is sure enough the model only writes the answer from the
    facts that were found; where it is not, the model writes a query."""

    name = "auto"

    def __init__(self, parts: Parts) -> None:
        self._parts = parts
        self._reading = ReadingStrategy(parts)
        self._query = QueryStrategy(parts) if parts.store.capabilities.query_languages else None

    def answer(self, question: LinkedQuestion, budget: Budget, run: Run) -> Answer:
        """Answer a linked question, or abstain. Where the model fails, what was found without it stands.

        Raises:
            ModelAuthenticationError: the model does not let us in: that is for the user to put right.
            OpenError, DeadlineExceededError: as the graph and the budget.
        """
        read = self._reading.answer(question, budget, run)
        by_query = read.abstained and self._query is not None
        with run.step("choose") as step:
            step.note(
                strategy="query" if by_query else "reading",
                reason=read.text if read.abstained else "read without the model, and sure enough",
                confidence=round(read.confidence, 4),
            )
        if not read.abstained:
            return self._written(question, read, budget, run)
        if self._query is None:
            return read
        try:
            answer = self._query.answer(question, budget, run)
        except ModelAuthenticationError:
            raise
        except QueryRefusedError as error:
            return _with_note(read, f"The model wrote a query that may not run: {error.message}.")
        except (ModelError, BudgetError) as error:
            return _with_note(read, f"The model could not help: {without_credentials(error.message)}.")
        return replace(answer, nearest=read.nearest) if answer.abstained and not answer.nearest else answer

    def _written(self, question: LinkedQuestion, read: Answer, budget: Budget, run: Run) -> Answer:
        """The same answer in the model's words. Short answers, rows and confidence are those of the reading: the model
        was not asked for them."""
        parts = self._parts
        with run.step("answer") as step:
            answer = write_answer(
                question,
                with_types(Evidence(read.facts, read.notes), parts.store, parts.schema),
                parts.calls(budget, run),
                settings=parts.settings,
                embedder=parts.embedder,
                on_text=run.say,
                interpretation=read.interpretation,
                otherwise=lambda: read,
            )
            step.note(facts=len(answer.facts), confidence=round(answer.confidence, 4))
        if answer.abstained:
            notes = [note for note in answer.notes if note not in read.notes]
            return replace(
                read, notes=(*read.notes, *notes, "The model's words were left out; these are the facts.")
            )
        return replace(answer, answers=read.answers, confidence=read.confidence, table=read.table)


def _with_note(answer: Answer, note: str) -> Answer:
    return replace(answer, notes=(*answer.notes, note))
