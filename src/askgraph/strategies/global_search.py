"""The other order of work: report on the communities of the whole graph ahead of time, then answer each question from
the reports, as the global search of GraphRAG does (Edge et al., "From Local to Global", 2024).

Reports are of every level: what joins two communities stands only in the report on the one that holds both. A graph has
more of them than a question may cost, so those that bear on it are chosen first, without a model.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from itertools import islice

from ..answering.compose import abstain
from ..answering.path_answers import asks_for_more_than_paths
from ..core.budget import Budget
from ..core.errors import PlanError
from ..core.evidence import Answer
from ..core.run import Run
from ..core.words import normalize, quantity
from ..linking.linked_question import LinkedQuestion
from ..retrievers.provenance import provenance_of
from ..retrievers.seeds import Seed, seeds_of
from ..retrievers.subgraph.communities import CommunityReport
from ..retrievers.subgraph.report_relevance import RelevantReport, ReportRelevance
from ..retrievers.subgraph.selection import SelectedEdge, SelectedNode, SubgraphSelection
from ..retrievers.subgraph.whole import ReportsAhead
from .base import Parts
from .report_answering import report_answerer

_MOST_REPORTS = 100
# What a model writes is held against so many edges at most, those of the reports that bear most on the question.
_MOST_EDGES = 20_000
# Hardly a text has more characters to a token: what does not fit by this measure fits by none.
_CHARACTERS_OF_A_TOKEN = 5
_HIGHEST_RATING = 10.0
_WEIGHT_OF_OWN_RATING = 0.01
_NEAREST = 5


class GlobalSearchStrategy:
    """Answers with what the reports on the communities of the whole graph say."""

    name = "global"

    def __init__(self, parts: Parts) -> None:
        self._parts = parts
        self._relevance: tuple[ReportsAhead, ReportRelevance] | None = None

    def work_ahead(self) -> ReportsAhead:
        """Divide the graph and report on its communities, unless that was done, and say what it took.

        Raises:
            PlanError: these parts belong to no graph that keeps reports.
            CapExceededError: the graph is too large.
            MissingPackageError: it needs ``askgraph[communities]``.
        """
        if self._parts.reports_ahead is None:
            raise PlanError("nothing keeps the reports of this graph, which the strategy 'global' reads")
        return self._parts.reports_ahead()

    def answer(self, question: LinkedQuestion, budget: Budget, run: Run) -> Answer:
        """Answer a linked question, or abstain. Missing reports are made first; that is said, and does not count as
        time of the question. Raises as :meth:`work_ahead`."""
        asked = asks_for_more_than_paths(question)
        if asked or question.form.counts:
            return abstain(question, f"It asks for {asked or 'a number'}, which reports do not answer.")
        with run.step("communities") as step:
            ahead = self.work_ahead()
            step.note(reports=len(ahead.reports), were_kept=ahead.were_kept)
        notes: list[str] = []
        if not ahead.were_kept:
            budget = budget.restarted()
            notes.append(_said_of_making(ahead))
        seeds = seeds_of(question, self._parts.store, budget)
        with run.step("reports") as step:
            chosen = self._chosen(ahead, question, seeds, budget)
            if len(chosen) < len(ahead.reports):
                left = len(ahead.reports) - len(chosen)
                notes.append(
                    f"Of {quantity(len(ahead.reports), 'report')} on the graph the {len(chosen):,} that bear "
                    f"most on the question were chosen; {left:,} were left out."
                )
            step.note(
                reports=[f"{item.relevance:.2f} {item.report.title}" for item in chosen[:_MOST_REPORTS]],
                reports_read=len(chosen),
                left_out=len(ahead.reports) - len(chosen),
            )
        if not seeds and self._parts.model is None:
            reason = "The question names nothing of the graph, and without a model reports answer no more than that."
            return abstain(
                question, reason, nearest=[item.report.title for item in chosen[:_NEAREST]], notes=notes
            )
        # Where nothing bears on the question, a report is worth what it is worth to the graph.
        bears = any(item.relevance > 0 for item in chosen)
        reports = [_rated(item) if bears else replace(item.report, children=()) for item in chosen]
        selection = self._selection(question, reports, seeds)
        calls = None if self._parts.model is None else self._parts.calls(budget, run)
        if calls is not None and bears:
            notes.append("The reports on the whole graph are rated by how much they bear on the question.")
        # Where the model fails, the answer is made of what the graph says itself.
        extracts = [report for report in reports if not report.written_by]
        answerer = report_answerer(self._parts, question, selection)
        return answerer.answer(reports, run, calls, extracts=extracts, notes=notes)

    # --- which reports

    def _chosen(
        self, ahead: ReportsAhead, question: LinkedQuestion, seeds: Sequence[Seed], budget: Budget
    ) -> list[RelevantReport]:
        """The reports that bear most on the question, as many as may be read at all."""
        if self._relevance is None or self._relevance[0].reports is not ahead.reports:
            self._relevance = (ahead, ReportRelevance(ahead.reports))
        by_mention: dict[str, dict[str, None]] = {}
        for seed in seeds:
            by_mention.setdefault(seed.mention.text, {}).update(dict.fromkeys(seed.nodes))
        named = [list(ids) for ids in by_mention.values()]
        words = [*question.words, *(word for text in by_mention for word in normalize(text).split())]
        ranked = self._relevance[1].ranked(named, words)
        if self._parts.model is None:
            bearing = [item for item in ranked if item.relevance > 0] or ranked[:_NEAREST]
            return bearing[:_MOST_REPORTS]
        return list(_within(ranked, budget.tokens * _CHARACTERS_OF_A_TOKEN))

    def _selection(
        self, question: LinkedQuestion, reports: Sequence[CommunityReport], seeds: Sequence[Seed]
    ) -> SubgraphSelection:
        """What the findings of the reports rest on. Without a model that is all that is answered from; what a model
        writes is held against all edges of the communities."""
        store, schema = self._parts.store, self._parts.schema
        ids = dict.fromkeys(id for report in reports for item in report.findings for id in item.edges)
        if self._parts.model is not None:
            every = (id for report in reports for id in report.edges if id not in ids)
            ids.update(dict.fromkeys(islice(every, max(0, _MOST_EDGES - len(ids)))))
        edges = tuple(
            SelectedEdge(edge, schema.label_of(edge.type), provenance_of([edge]))
            for edge in store.edges(list(ids))
        )
        within = dict.fromkeys(id for report in reports for item in report.findings for id in item.nodes)
        within.update(dict.fromkeys(end for item in edges for end in (item.edge.source, item.edge.target)))
        named = {id for seed in seeds for id in seed.nodes}
        nodes = tuple(
            SelectedNode(node, "seed" if node.id in named else "whole", rank, _layer(node.types))
            for rank, node in enumerate(store.nodes(list(within)), start=1)
        )
        return SubgraphSelection(
            question.question.text,
            nodes,
            edges,
            graph_version=store.capabilities.version,
            is_of_whole_graph=True,
        )


def _within(ranked: Iterable[RelevantReport], characters: int) -> Iterable[RelevantReport]:
    """The first reports, whose texts have so many characters together at most; one at least."""
    used = 0
    for place, item in enumerate(ranked):
        used += len(item.report.text)
        if place and used > characters:
            return
        yield item


def _rated(item: RelevantReport) -> CommunityReport:
    """The report as one to be read by itself, rated by how much it bears on the question: reports are read by their
    ratings. Among equals its own rating decides."""
    by_question = (1 - _WEIGHT_OF_OWN_RATING) * _HIGHEST_RATING * item.relevance
    own = _WEIGHT_OF_OWN_RATING * item.report.rating
    return replace(item.report, rating=round(by_question + own, 4), children=())


def _layer(types: Sequence[str]) -> str:
    return types[0] if types else ""


def _said_of_making(ahead: ReportsAhead) -> str:
    model = f", {ahead.calls:,} model calls, {ahead.usage.tokens:,} tokens" if ahead.calls else ""
    verbs = ("was", "is") if len(ahead.reports) == 1 else ("were", "are")
    return (
        f"{quantity(len(ahead.reports), 'report')} on the whole graph {verbs[0]} made first "
        f"({ahead.seconds:.1f} s{model}) and {verbs[1]} kept: `askgraph communities GRAPH` makes them ahead of time."
    )
