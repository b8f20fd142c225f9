"""The strategy of query-first subgraphs: cut the graph to the question, report on that part, answer from the reports.

Without a model the reports are extracts of the graph, and so is the answer.
"""

from __future__ import annotations

from ..answering.compose import abstain
from ..answering.path_answers import asks_for_more_than_paths
from ..core.budget import Budget
from ..core.evidence import Answer
from ..core.run import Run
from ..linking.linked_question import LinkedQuestion
from ..retrievers.seeds import seeds_of
from ..retrievers.subgraph.communities import report_communities
from ..retrievers.subgraph.named_report import report_on_named
from ..retrievers.subgraph.selector import SubgraphSelector
from .base import Parts
from .report_answering import report_answerer


class SubgraphStrategy:
    """Answers with what the part of the graph around the question says."""

    name = "subgraph"
    needs_model = False

    def __init__(self, parts: Parts) -> None:
        self._parts = parts
        self._selector = SubgraphSelector(parts.store, parts.schema)

    def answer(self, question: LinkedQuestion, budget: Budget, run: Run) -> Answer:
        """Answer a linked question, or abstain."""
        asked = asks_for_more_than_paths(question)
        if asked or question.form.counts:
            return abstain(question, f"It asks for {asked or 'a number'}, which reports do not answer.")
        seeds = seeds_of(question, self._parts.store, budget)
        ids = tuple(dict.fromkeys(id for seed in seeds for id in seed.nodes))
        if not ids:
            return abstain(question, "The question names nothing of the graph around which it could be cut.")
        selection = self._selector.select(ids, budget, run, question=question.question.text)
        with run.step("reports") as step:
            reports = report_communities(selection, budget=budget)
            step.note(reports=[f"{item.rating:.1f} {item.title}" for item in reports if not item.children])
        answerer = report_answerer(self._parts, question, selection)
        undivided = [item for item in reports if not item.children]
        if self._parts.model is None:
            return answerer.answer(undivided, run)
        named = report_on_named(selection, len(reports))
        calls = self._parts.calls(budget, run)
        return answerer.answer([named, *undivided] if named is not None else undivided, run, calls)
