"""From reports to an answer: the one seam, with a language model and without.

With a model: it is shown every report and notes what bears on the question (map), the best of its points become one
paragraph that cites the reports (reduce), and each sentence is judged by the edges behind them. Without one, or where
it fails, the answer is an extract of the graph. The run keeps every point with its score.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

from ..core.evidence import Answer
from ..core.run import Run, Step
from ..core.schema import Schema
from ..core.settings import Settings
from ..core.words import quantity
from ..linking.linked_question import LinkedQuestion
from ..linking.vocabulary import WordMatcher
from ..models.base import Embedder
from ..models.calls import ModelCalls
from ..retrievers.subgraph.communities import CommunityReport, listed
from ..retrievers.subgraph.selection import SubgraphSelection
from .compose import abstain
from .report_extracts import ReportExtracts
from .report_judge import ReportFacts, ReportJudge
from .report_mapping import MappedReports, map_reports
from .report_points import Point
from .report_writing import ReportWriting, choose_points

MOST_POINTS_NOTED: Final = 200
_NEAREST: Final = 5
_MOST_NAMED: Final = 10
# Of the time that is left, what reading the reports may take.
_FOR_MAP: Final = 0.7


@dataclass(frozen=True, slots=True)
class ReportAnswerer:
    """Answers one question from reports.

    Attributes:
        question: as linked.
        selection: what the reports are on: the subgraph of the question, or the whole graph.
        schema: of the graph.
        matcher: of the question's words.
        settings: ``max_facts``, ``least_confidence``, ``own_knowledge``.
        embedder: for words that mean the same.
    """

    question: LinkedQuestion
    selection: SubgraphSelection
    schema: Schema
    matcher: WordMatcher
    settings: Settings
    embedder: Embedder | None = None

    def answer(
        self,
        reports: Sequence[CommunityReport],
        run: Run,
        calls: ModelCalls | None = None,
        *,
        extracts: Sequence[CommunityReport] | None = None,
        notes: Sequence[str] = (),
    ) -> Answer:
        """The answer that reports give, or an abstention.

        Args:
            reports: the reports to read: all of them are. Their nodes and edges are of the selection.
            run: gets the step ``answer`` with the points, what was read and what was not.
            calls: of the run; ``None`` for an answer without a model.
            extracts: reports that no model wrote, from which the answer is made where the model fails; by default those
                of ``reports`` that are such.
            notes: what is to be said beside the answer.

        Raises:
            ModelAuthenticationError: the model does not let us in: that is for the user to put right.
            SettingsError: a prompt cannot be used.
        """
        with run.step("answer") as step:
            if calls is None:
                answer = self._extracted(reports, step, notes)
            else:
                answer = self._read_by_model(
                    reports, reports if extracts is None else extracts, run, step, calls, notes
                )
            step.note(confidence=round(answer.confidence, 4))
        return answer

    # --- without a model

    def _extracted(
        self,
        reports: Sequence[CommunityReport],
        step: Step,
        notes: Sequence[str],
        *,
        noted_as: str = "points",
    ) -> Answer:
        extracts = ReportExtracts(self.question, self.selection, self.schema, self.matcher)
        points = extracts.points(reports)
        _note_points(step, points, noted_as)
        return extracts.answer(
            points,
            most_facts=self.settings.max_facts,
            least_confidence=self.settings.least_confidence,
            notes=notes,
        )

    # --- with one

    def _read_by_model(
        self,
        reports: Sequence[CommunityReport],
        extracts: Sequence[CommunityReport],
        run: Run,
        step: Step,
        calls: ModelCalls,
        notes: Sequence[str],
    ) -> Answer:
        text = self.question.question.text
        mapped = map_reports(text, reports, calls.part(_FOR_MAP))
        _note_points(step, mapped.points, "points")
        step.note(reports_read=list(mapped.read), reports_not_read=list(mapped.unread), notes=mapped.notes)
        said = (*notes, *self.selection.notes, *mapped.notes)

        def otherwise(fault: str) -> Answer:
            answer = self._extracted(extracts, step, notes, noted_as="points_without_model")
            return replace(
                answer, notes=(*answer.notes, *mapped.notes, f"{fault} This is the answer without the model.")
            )

        if not mapped.read:
            return otherwise("The model read none of the reports.")
        if not mapped.useful and mapped.unread:
            return otherwise(
                f"Nothing helps in the {quantity(len(mapped.read), 'report')} that the model read."
            )
        if not mapped.useful:
            return self._nothing_useful(reports, mapped, said)
        chosen = choose_points(text, mapped.useful, reports, calls)
        if not chosen.points:
            return otherwise("The budget has no room left for the points.")
        step.note(points_used=len(chosen.points))
        behind = ReportFacts.of(chosen.reports, self.selection)
        judge = ReportJudge(
            behind, text, types=self._types(), embedder=self.embedder, language=self.question.language
        )
        writing = ReportWriting(
            self.question,
            chosen,
            behind,
            judge,
            keeps_own_knowledge=self.settings.own_knowledge,
            on_text=run.say,
            interpretation=self._interpretation(len(mapped.read)),
            notes=said,
            is_partial=bool(mapped.unread),
        )
        return writing.answer(calls, otherwise)

    def _nothing_useful(
        self, reports: Sequence[CommunityReport], mapped: MappedReports, notes: Sequence[str]
    ) -> Answer:
        read = frozenset(mapped.read)
        titles = [report.title for report in reports if report.community in read]
        reason = f"Nothing in {quantity(len(read), 'report')} helps to answer this."
        return abstain(
            self.question,
            reason,
            nearest=titles[:_NEAREST],
            interpretation=self._interpretation(len(read)),
            notes=notes,
        )

    def _interpretation(self, read: int) -> str:
        part = "the graph"
        seeds = self.selection.seeds
        if seeds and not self.selection.is_of_whole_graph:
            part = f"the part of the graph around {listed([item.node.name for item in seeds], _MOST_NAMED)}"
        return f"what {quantity(read, 'report')} on {part} say{'s' if read == 1 else ''}"

    def _types(self) -> dict[str, tuple[str, ...]]:
        return {item.id: tuple(map(self.schema.label_of, item.node.types)) for item in self.selection.nodes}


def _note_points(step: Step, points: Sequence[Point], name: str) -> None:
    step.note(**{name: [point.to_dict() for point in points[:MOST_POINTS_NOTED]]})
    if len(points) > MOST_POINTS_NOTED:
        step.note(**{f"{name}_in_all": len(points)})
