"""The reduce step: a language model makes one paragraph of the best points, and cites the reports that say them.

Each sentence is judged as every written answer is (:mod:`askgraph.answering.written`), by the edges and definitions
behind the reports that it cites. The confidence is the same rule: 0.9 times the share of the claims that these support,
and 0.9 times that for each of these: a citation had to be put right, reports or points were left out, the reply broke
off.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final

from ..core.errors import BudgetError, ModelAuthenticationError, ModelError
from ..core.evidence import Answer
from ..core.words import quantity
from ..linking.linked_question import LinkedQuestion
from ..models.calls import ModelCalls
from ..models.failure_words import failure_in_words
from ..retrievers.subgraph.communities import CommunityReport
from .compose import abstain
from .judged_reply import JudgedReply
from .report_judge import ReportFacts, ReportJudge
from .report_points import Point
from .short_answers import short_answers
from .written_notes import in_a_sentence, notes_on_support, notes_on_unsupported, shortened

REDUCE_PROMPT: Final = "reduce_points"
_REPLY_TOKENS: Final = 1_000
_POINT_TOKENS: Final = 8_000
_CERTAIN, _LESS = 0.9, 0.9
_NEAREST: Final = 5


@dataclass(frozen=True, slots=True)
class ChosenPoints:
    """The points that the model is shown, and the reports that they are from, numbered from 1 in this order."""

    points: tuple[Point, ...]
    reports: tuple[CommunityReport, ...]
    text: str
    left_out: int


def choose_points(
    question: str, points: Sequence[Point], reports: Sequence[CommunityReport], calls: ModelCalls
) -> ChosenPoints:
    """As many of the points, the best first, as there is room for."""
    data = {"points": "", "question": question}
    room = min(_POINT_TOKENS, calls.tokens_left(REDUCE_PROMPT, data, max_tokens=_REPLY_TOKENS))
    by_number = {report.community: report for report in reports}
    cited: dict[int, int] = {}
    kept: list[Point] = []
    lines: list[str] = []
    for point in points:
        numbers = dict(cited)
        for community in point.reports:
            numbers.setdefault(community, len(numbers) + 1)
        marks = "".join(f"[{numbers[community]}]" for community in point.reports)
        line = f"{marks} {point.text} (score {point.score:g})"
        size = calls.tokens(line)
        if size > room:
            break
        room -= size
        cited = numbers
        kept.append(point)
        lines.append(line)
    return ChosenPoints(
        tuple(kept), tuple(by_number[number] for number in cited), "\n".join(lines), len(points) - len(kept)
    )


class ReportWriting:
    """The writing of one answer from points.

    Args:
        question: as linked.
        chosen: what the model is shown.
        behind: the facts behind the reports of these.
        judge: of the sentences.
        keeps_own_knowledge: whether what the model says without citing is kept as its own knowledge.
        on_text: called with the pieces of the answer as it is written.
        interpretation: how the question was read, in words.
        notes: what was cut or could not be read before.
        is_partial: whether reports were left unread.
    """

    def __init__(
        self,
        question: LinkedQuestion,
        chosen: ChosenPoints,
        behind: ReportFacts,
        judge: ReportJudge,
        *,
        keeps_own_knowledge: bool,
        on_text: Callable[[str], None] | None,
        interpretation: str,
        notes: Sequence[str],
        is_partial: bool,
    ) -> None:
        self._question = question
        self._text = question.question.text
        self._chosen = chosen
        self._behind = behind
        self._judge = judge
        self._interpretation = interpretation
        self._notes = list(notes)
        self._is_partial = is_partial or chosen.left_out > 0
        self._reply = JudgedReply(judge, len(behind.reports), keeps_own_knowledge, on_text)
        if chosen.left_out:
            every = len(chosen.points) + chosen.left_out
            self._notes.append(
                f"The answer was written from the best {len(chosen.points):,} of {quantity(every, 'point')}."
            )

    def answer(self, calls: ModelCalls, otherwise: Callable[[str], Answer]) -> Answer:
        """The answer, or an abstention.

        Args:
            calls: of the run.
            otherwise: the answer without the model, for when it says nothing; it is told what went wrong.

        Raises:
            ModelAuthenticationError: the model does not let us in.
        """
        fault = self._ask(calls)
        self._reply.finish(was_cut=bool(fault))
        if fault:
            self._notes.append(fault)
        judged = self._reply.sentences
        claims = [item for item in judged if item.verdict.kind != "no claim"]
        supported = sum(item.verdict.kind == "supported" for item in claims)
        if supported or any(item.sentence.own_knowledge for item in claims):
            return self._written(len(claims), supported, was_cut=bool(fault))
        if claims:
            reason = "The model wrote an answer that the facts behind the reports do not support."
            self._notes = [*notes_on_unsupported(judged, most=_NEAREST), *self._notes]
            return self._abstention(reason)
        if judged and not fault:
            said = " ".join(item.sentence.text for item in judged)
            declines = any(self._judge.speaks_of_itself(item.sentence.text) for item in judged)
            return self._abstention(shortened(said) if declines else "The model gave no answer.")
        return otherwise(fault or "The model said nothing.")

    def _ask(self, calls: ModelCalls) -> str:
        """Let the model write; gives what went wrong, in a sentence."""
        data = {"points": self._chosen.text, "question": self._text}
        try:
            reply = calls.text(REDUCE_PROMPT, data, max_tokens=_REPLY_TOKENS, on_text=self._reply.feed)
        except ModelAuthenticationError:
            raise
        except (ModelError, BudgetError) as error:
            return f"The model's answer did not come to its end: {in_a_sentence(failure_in_words(error))}"
        self._reply.replace(reply.text)
        return "The model's answer was cut off at its greatest length." if reply.finish == "length" else ""

    def _written(self, claims: int, supported: int, *, was_cut: bool) -> Answer:
        reply = self._reply
        order = sorted(reply.numbers, key=lambda number: reply.numbers[number])
        every = self._behind.all
        moved = any(item.citing == "cited anew" and item.cited for item in reply.sentences)
        confidence = _CERTAIN * supported / claims
        for speaks_against in (moved, self._is_partial, was_cut):
            confidence *= _LESS if speaks_against else 1.0
        notes = [*self._notes, *notes_on_support(reply.sentences, claims, supported)]
        if reply.strange:
            numbers = ", ".join(map(str, sorted(reply.strange)[:_NEAREST]))
            notes.append(
                f"The model cited reports that there are none of ({numbers}); these citations were dropped."
            )
        if not self._judge.checks_everything:
            notes.append("Of an answer in this language only names, numbers and dates are checked.")
        return Answer(
            question=self._text,
            sentences=tuple(item.sentence for item in reply.sentences),
            answers=short_answers(
                self._question,
                reply.sentences,
                reply.short,
                self._judge.contents,
                self._judge.topic_of(self._text),
            ),
            facts=tuple(every[number - 1] for number in order),
            confidence=confidence,
            links=self._question.links,
            interpretation=self._interpretation,
            notes=tuple(notes),
        )

    def _abstention(self, reason: str) -> Answer:
        return abstain(
            self._question,
            reason,
            nearest=[shortened(point.text) for point in self._chosen.points[:_NEAREST]],
            interpretation=self._interpretation,
            notes=self._notes,
        )
