"""The strategy that is taken where nobody names one and there is a model: what the indexes know is not asked of it."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Final, Literal

from ..answering.node_types import with_types
from ..answering.written import write_answer
from ..core.budget import Budget
from ..core.errors import BudgetError, ModelAuthenticationError, ModelError, QueryRefusedError
from ..core.evidence import Answer, Evidence
from ..core.run import Run, without_credentials
from ..linking.linked_question import LinkedQuestion
from .agent.strategy import AgentStrategy
from .base import Parts
from .query import QueryStrategy
from .reading import ReadingStrategy

_Name = Literal["reading", "query", "agent"]
# One call proposes, one writes the answer: with less, nothing that is found could be told.
_FEWEST_CALLS: Final = 2
# So many words for relations and types, or words like "of", make a question one of several steps.
_SEVERAL: Final = 2


@dataclass(frozen=True, slots=True)
class _Choice:
    """What is done next, and why."""

    strategy: _Name
    reason: str


class AutoStrategy:
    """First the question is read without the model. Where that is sure enough the model only writes the answer from the
    facts that were found. Where it is not, the model writes a query; and where there is no query language, where the
    question begins at something named and takes several steps, or where the query came to nothing, it proposes names,
    paths and queries, which are tried (:class:`.agent.strategy.AgentStrategy`)."""

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
        choice = self._chosen(question, read)
        with run.step("choose") as step:
            step.note(strategy=choice.strategy, reason=choice.reason, confidence=round(read.confidence, 4))
        if choice.strategy == "reading":
            return self._written(question, read, budget, run)
        try:
            answer, why = self._asked(question, choice, budget, run)
        except ModelAuthenticationError:
            raise
        except QueryRefusedError as error:
            return _with_note(read, f"The model wrote a query that may not run: {error.message}.")
        except (ModelError, BudgetError) as error:
            return _with_note(read, f"The model could not help: {without_credentials(error.message)}.")
        if answer.abstained and not answer.nearest:
            answer = replace(answer, nearest=read.nearest)
        return _with_note(answer, why) if why else answer

    # --- what to do

    def _chosen(self, question: LinkedQuestion, read: Answer) -> _Choice:
        """What the reading leaves to do."""
        if not read.abstained:
            return _Choice("reading", "read without the model, and sure enough")
        if self._query is None:
            return _Choice("agent", f"{read.text} The graph takes no queries.")
        if takes_steps(question):
            return _Choice(
                "agent", f"{read.text} The question begins at something named and takes several steps."
            )
        return _Choice("query", read.text)

    def _asked(
        self, question: LinkedQuestion, choice: _Choice, budget: Budget, run: Run
    ) -> tuple[Answer, str]:
        """The answer with the model's help, and what the user is told of the way to it."""
        if choice.strategy == "agent" or self._query is None:
            return self._by_agent(
                question, budget, run
            ), f"How to find it was proposed by the model: {choice.reason}"
        asked = self._query.attempt(question, budget, run)
        answer = asked.answer
        if asked.outcome not in ("empty", "failed"):
            # Rows, or the model's word, with all of the schema before it, that the graph cannot tell.
            return answer, ""
        left = _left(budget, run)
        may = left.model_calls >= _FEWEST_CALLS and left.remaining > 0
        reason = answer.text if may else f"{answer.text} No more calls are allowed."
        with run.step("choose") as step:
            step.note(strategy="agent" if may else "query", reason=reason, calls_left=left.model_calls)
        if not may:
            return answer, ""
        try:
            found = self._by_agent(question, left, run)
        except ModelAuthenticationError:
            raise
        except (ModelError, BudgetError) as error:
            told = f"Other proposals of the model could not be tried: {without_credentials(error.message)}."
            return _with_note(answer, told), ""
        if found.abstained:
            # Both were tried: what the query came to tells more of the question.
            notes = [note for note in found.notes if note not in answer.notes]
            told = f"Names and paths that the model proposed did not find it either: {found.text}"
            return replace(answer, notes=(*answer.notes, *notes, told), nearest=found.nearest), ""
        return found, f"A query did not find it: {answer.text} Then the model proposed other ways."

    def _by_agent(self, question: LinkedQuestion, budget: Budget, run: Run) -> Answer:
        return AgentStrategy(self._parts).answer(question, budget, run)

    # --- in words

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


def takes_steps(question: LinkedQuestion) -> bool:
    """Whether a question goes from something that it names over several relations or types to what it asks for, and
    asks for no figure and no end of a scale: what a path leads to, where a query has more to say wrong."""
    form = question.form
    is_worked_out = (
        form.counts
        or form.asks_how_much
        or form.superlative is not None
        or form.aggregate is not None
        or form.groups is not None
        or form.negated
        or form.share is not None
        or form.difference is not None
        or bool(form.comparisons)
    )
    starts = any(link.kind == "node" for link in question.things)
    terms = {link.mention.start for link in question.terms}
    # "the manager of the department of Ada": each "of" is a step too, whatever word stands before it.
    return starts and not is_worked_out and max(len(terms), len(form.of_places)) >= _SEVERAL


def _left(budget: Budget, run: Run) -> Budget:
    """What of a budget the calls of a run have left."""
    tokens = sum(call.usage.tokens for call in run.calls)
    return replace(
        budget,
        model_calls=max(0, budget.model_calls - len(run.calls)),
        tokens=max(0, budget.tokens - tokens),
    )


def _with_note(answer: Answer, note: str) -> Answer:
    return replace(answer, notes=(*answer.notes, note))
