"""The strategy of query-first subgraphs: cut the graph to the question, report on that part, answer from the reports.

Five steps: what the question names, its links, the selection, communities with a report on each, the answer. With a
language model it lists the names, writes the reports and the answer; without one the reports are extracts of the graph,
and so is the answer.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial

from ..answering.compose import abstain
from ..answering.nested_answers import SubgraphAnswer
from ..answering.path_answers import asks_for_more_than_paths
from ..core.budget import Budget
from ..core.errors import (
    AskgraphError,
    BudgetError,
    DeadlineExceededError,
    ModelAuthenticationError,
    ModelError,
)
from ..core.evidence import Answer
from ..core.run import Run
from ..core.words import quantity
from ..linking.linked_question import LinkedQuestion
from ..models import background
from ..models.calls import ModelCalls
from ..models.failure_words import OUT_OF_TIME, failure_in_words, said_once
from ..models.language_model import loaded
from ..retrievers.seeds import seeds_of
from ..retrievers.subgraph.communities import CommunityReport, report_communities
from ..retrievers.subgraph.mentions import mentions_by_model
from ..retrievers.subgraph.named_report import report_on_named
from ..retrievers.subgraph.options import NESTED, Nested
from ..retrievers.subgraph.selection import SubgraphSelection
from ..retrievers.subgraph.selector import SubgraphSelector
from .base import Parts
from .report_answering import report_answerer, report_writer

# Of the budget, what is left for reading the reports and for the answer.
_CALLS_KEPT, _TOKENS_KEPT = 3, 16_000
# Of the time that is left, what the model may take to list names, and to write reports.
_FOR_MENTIONS, _FOR_REPORTS = 0.25, 0.5
# What the packages of a provider may take to load, which cannot be stopped; the rest is for an answer without it.
_FOR_LOADING = 0.4


class SubgraphStrategy:
    """Answers with what the part of the graph around the question says."""

    name = "subgraph"
    needs_model = False

    def __init__(self, parts: Parts) -> None:
        self._parts = parts
        # Asked for with each question: what is measured of a graph in between counts.
        uncalibrated = SubgraphSelector(parts.store, parts.schema)
        self._selector = parts.selector or (lambda: uncalibrated)

    def answer(
        self, question: LinkedQuestion, budget: Budget, run: Run, *, nested: Nested = "full"
    ) -> Answer:
        """Answer a linked question from one of the nested subgraphs, or abstain.

        Raises:
            ModelAuthenticationError: the model does not let us in: that is for the user to put right.
            DeadlineExceededError: the time was up before the subgraph was there.
        """
        return self.answers(question, budget, run, (nested,))[nested].answer

    def answers(
        self, question: LinkedQuestion, budget: Budget, run: Run, nested: Sequence[Nested] = NESTED
    ) -> Mapping[Nested, SubgraphAnswer]:
        """The answers from several of the nested subgraphs, which are selected once.

        The time of the budget is that of all together; of its calls and tokens each further one has as many again.
        """
        reason = _not_for_reports(question)
        if reason:
            return dict.fromkeys(nested, SubgraphAnswer(abstain(question, reason)))
        calls = self._calls(budget, run)
        late: tuple[str, ...] = ()
        if calls is not None and not _is_loaded(calls):
            calls, late = None, (f"No model was asked: {OUT_OF_TIME}.",)
        question, ids, notes = self._named(question, budget, run, calls)
        notes = (*late, *notes)
        if not ids:
            reason = "The question names nothing of the graph around which it could be cut."
            return dict.fromkeys(nested, SubgraphAnswer(abstain(question, reason, notes=notes)))
        largest = max(nested, key=NESTED.index)
        selection = self._selector().select(ids, budget, run, question=question.question.text, nested=largest)
        found: dict[Nested, SubgraphAnswer] = {}
        for name in nested:
            own = calls if calls is None or not found else self._calls(budget, run)
            found[name] = self._answer(question, selection.within(name), budget, run, own, notes)
        return found

    def _calls(self, budget: Budget, run: Run) -> ModelCalls | None:
        return self._parts.calls(budget, run) if self._parts.model is not None else None

    # --- what the question names

    def _named(
        self, question: LinkedQuestion, budget: Budget, run: Run, calls: ModelCalls | None
    ) -> tuple[LinkedQuestion, tuple[str, ...], tuple[str, ...]]:
        """The question with what the model links in it, the nodes to start from, and what is to be said of that."""
        parts = self._parts
        notes: tuple[str, ...] = ()
        if calls is not None:
            try:
                found = mentions_by_model(
                    question, parts.schema_chooser, parts.index.names, calls.part(_FOR_MENTIONS), run
                )
            except ModelAuthenticationError:
                raise
            except (ModelError, BudgetError) as error:
                notes = (f"The model could not say what the question names: {failure_in_words(error)}.",)
            else:
                if found.nodes:
                    return replace(question, things=found.links), found.nodes, ()
        seeds = seeds_of(question, parts.store, budget)
        return question, tuple(dict.fromkeys(id for seed in seeds for id in seed.nodes)), notes

    # --- one subgraph

    def _answer(
        self,
        question: LinkedQuestion,
        selection: SubgraphSelection,
        budget: Budget,
        run: Run,
        calls: ModelCalls | None,
        notes: Sequence[str],
    ) -> SubgraphAnswer:
        with run.step("reports") as step:
            extracts = report_communities(selection, budget=budget)
            reports = [item for item in extracts if not item.children]
            said: list[str] = []
            if calls is not None:
                reports, kept, said = self._written(selection, extracts, calls)
                step.note(written=sum(bool(item.written_by) for item in reports) - kept, kept=kept)
            step.note(
                nested=selection.nested,
                reports=[f"{item.rating:.1f} {item.title}" for item in reports],
                notes=list(dict.fromkeys(note for item in reports for note in item.notes)),
            )
        answerer = report_answerer(self._parts, question, selection)
        if calls is None:
            answer = answerer.answer(reports, run, notes=notes)
        else:
            named = report_on_named(selection, len(extracts))
            reports = [named, *reports] if named is not None else reports
            answer = answerer.answer(reports, run, calls, extracts=extracts, notes=(*notes, *said))
        answer = replace(answer, notes=said_once(answer.notes))
        return SubgraphAnswer(answer, len(selection.nodes), len(selection.edges), len(reports))

    def _written(
        self, selection: SubgraphSelection, extracts: Sequence[CommunityReport], calls: ModelCalls
    ) -> tuple[list[CommunityReport], int, list[str]]:
        """The reports that are read: the model's, of the fewest communities that have every node. Then how many of them
        were kept from before, and what is to be said of those that it did not write."""
        try:
            writer = report_writer(
                selection, self._parts.schema, calls.part(_FOR_REPORTS), self._parts.settings
            )
        except ModelAuthenticationError:
            raise
        except (ModelError, BudgetError) as error:
            said = f"No model wrote the reports: {failure_in_words(error)}."
            return [item for item in extracts if not item.children], 0, [said]
        done = writer.write(writer.covering(extracts), calls_kept=_CALLS_KEPT, tokens_kept=_TOKENS_KEPT)
        failed = [item for item in done.reports if item.edges and not item.written_by]
        counts = Counter(note for item in failed for note in item.notes)
        said_of = [f"{quantity(count, 'report')}: {note}" for note, count in counts.items()]
        return list(done.reports), done.kept, said_of


def _is_loaded(calls: ModelCalls) -> bool:
    """Whether the packages that a model needs were loaded in time. That is no time of its first call's share."""
    budget = calls.budget
    part = budget.within(_FOR_LOADING * budget.remaining)
    try:
        background.in_thread(partial(loaded, calls.model), part, "loading what the model needs")
    except DeadlineExceededError:
        return False
    except (AskgraphError, ImportError):
        # The first call says what is wrong.
        return True
    return True


def _not_for_reports(question: LinkedQuestion) -> str:
    """Why a question is none that reports answer; empty where it is one."""
    asked = asks_for_more_than_paths(question)
    if asked or question.form.counts:
        return f"It asks for {asked or 'a number'}, which reports do not answer."
    return ""
