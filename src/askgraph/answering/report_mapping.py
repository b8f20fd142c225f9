"""The map step: a language model is shown every report, in batches side by side, and notes what bears on the question.

As GraphRAG's global search does it (Edge et al., "From Local to Global", 2024), but for these: reports are read in the
order of their ratings, not shuffled; a batch that could not be read is said, and is not taken for one that has nothing
to say; and how many batches the budget allows is known before the first is read.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Final

from pydantic import BaseModel, Field

from ..core.errors import AskgraphError, BudgetError, ModelAuthenticationError, ModelError, ModelReplyError
from ..core.words import quantity
from ..models.calls import ModelCalls
from ..models.failure_words import failure_in_words
from ..models.language_model import prepared
from ..retrievers.subgraph.communities import CommunityReport
from .report_points import HIGHEST, Point
from .written_notes import in_a_sentence

MAP_PROMPT: Final = "map_reports"
BATCH_TOKENS: Final = 8_000
"""Tokens of the reports that one call reads."""
POINTS_TOKENS: Final = 1_000
"""Tokens that the points of one call may take; of a small window a third at most."""
REDUCE_TOKENS: Final = 6_000
"""Tokens that are kept for the reduce call, prompt and reply."""
_AT_ONCE: Final = 4
# A JSON Schema goes with each request, which the room of a prompt does not count.
_SCHEMA_TOKENS: Final = 300
_SHORTEST_SUMMARY: Final = 80
_NAMELESS: Final = "the model's points on them name no report that it was shown."


class ScoredPoint(BaseModel):
    """One point of a model's reply."""

    description: str = Field(description="what the reports say that helps to answer, in one sentence")
    score: float = Field(ge=0, le=HIGHEST, description="how much it helps, from 0 (not at all) to 100")
    reports: list[int] = Field(description="the numbers of the reports that say it")


class ScoredPoints(BaseModel):
    """What a model notes of a batch of reports."""

    points: list[ScoredPoint] = Field(description="one for each thing that helps; empty if nothing does")


@dataclass(frozen=True, slots=True)
class MappedReports:
    """What the map step brought.

    Attributes:
        points: all points, the highest score first; then by the order in which their reports were read.
        read: the numbers of the communities whose reports were read.
        unread: of those whose reports were not: there was no room for them, or what the model said of them could not be
            used.
        notes: what could not be read and why, in plain sentences.
    """

    points: tuple[Point, ...]
    read: tuple[int, ...]
    unread: tuple[int, ...]
    notes: tuple[str, ...]

    @property
    def useful(self) -> tuple[Point, ...]:
        """The points that help at all."""
        return tuple(point for point in self.points if point.score > 0)


def map_reports(question: str, reports: Sequence[CommunityReport], calls: ModelCalls) -> MappedReports:
    """Let a model note what each report says about a question.

    Args:
        question: in plain words.
        reports: in any order; they are read by falling rating.
        calls: of the run. One call is left for the answer.

    Raises:
        ModelAuthenticationError: the model does not let us in: that is for the user to put right.
        SettingsError: the prompt cannot be used.
    """
    ordered = sorted(reports, key=lambda report: (-report.rating, report.community))
    try:
        prepared(calls.model, calls.budget)
    except (ModelError, BudgetError) as error:
        every = tuple(report.community for report in ordered)
        return MappedReports((), (), every, (f"{_reports_were(len(every))} not read: {_fault(error)}",))
    plan = _Plan.of(question, ordered, calls)
    tasks = [partial(_read, question, batch, calls, plan) for batch in plan.batches]
    replies = calls.together(tasks, at_once=_AT_ONCE)
    points: list[Point] = []
    read: list[int] = []
    faults: dict[str, int] = {}
    nameless = 0
    for batch, reply in zip(plan.batches, replies, strict=True):
        if isinstance(reply, AskgraphError):
            fault = _fault(reply)
            faults[fault] = faults.get(fault, 0) + len(batch)
            continue
        found = _points_of(reply, batch)
        if not found and any(point.score > 0 for point in reply.points):
            # It saw something that helps, and nobody can tell where: that is not the same as nothing that helps.
            faults[_NAMELESS] = faults.get(_NAMELESS, 0) + len(batch)
            continue
        read += [entry.report.community for entry in batch]
        nameless += len(reply.points) - len(found)
        points += found
    notes = [*plan.notes, *(f"{_reports_were(count)} not read: {fault}" for fault, count in faults.items())]
    if nameless:
        notes.append(f"{quantity(nameless, 'point')} that named no report or said nothing: left out.")
    kept = frozenset(read)
    unread = tuple(report.community for report in ordered if report.community not in kept)
    return MappedReports(
        tuple(sorted(points, key=lambda point: -point.score)), tuple(read), unread, tuple(notes)
    )


# --- batches


@dataclass(frozen=True, slots=True)
class _Entry:
    """A report as it is shown: its number in the prompt, and its text."""

    number: int
    report: CommunityReport
    text: str
    tokens: int


@dataclass(frozen=True, slots=True)
class _Plan:
    """Which reports are read in which call, by what the budget has when the step begins."""

    batches: tuple[tuple[_Entry, ...], ...]
    reply_tokens: int
    repairs: int
    notes: tuple[str, ...]

    @classmethod
    def of(cls, question: str, reports: Sequence[CommunityReport], calls: ModelCalls) -> _Plan:
        window = calls.model.context_window
        whole = min(window, calls.budget_tokens_left)
        reply_tokens = min(POINTS_TOKENS, window // 3)
        room = calls.tokens_left(MAP_PROMPT, {"reports": "", "question": question}, max_tokens=reply_tokens)
        overhead = whole - room + _SCHEMA_TOKENS
        spendable = calls.budget_tokens_left - min(REDUCE_TOKENS, calls.budget_tokens_left // 2)
        size = max(0, min(BATCH_TOKENS, room - _SCHEMA_TOKENS, spendable - overhead))
        notes: list[str] = []
        entries: list[_Entry] = []
        shortened = 0
        for number, report in enumerate(reports, start=1):
            text, is_cut = _shown(number, report, size, calls.tokens)
            shortened += is_cut
            if text:
                entries.append(_Entry(number, report, text, calls.tokens(text)))
        packed = _packed(entries, size)
        affordable = _affordable(packed, overhead, spendable, calls.calls_left - 1)
        if shortened:
            notes.append(f"{_reports_were(shortened)} shortened for the model: its window is too small.")
        if unfit := len(reports) - len(entries):
            notes.append(f"{_reports_were(unfit)} not read: they do not fit into the model's window.")
        if left := len(entries) - sum(map(len, affordable)):
            notes.append(
                f"{_reports_were(left)} not read, those of the lowest ratings: the budget of "
                f"{calls.budget.model_calls:,} model calls and {calls.budget.tokens:,} tokens does not reach for them."
            )
        repairs = int(calls.calls_left - 1 >= 2 * len(affordable))
        return cls(affordable, reply_tokens, repairs, tuple(notes))


def _shown(number: int, report: CommunityReport, room: int, tokens: Callable[[str], int]) -> tuple[str, bool]:
    """A report as the model sees it, and whether it was cut to fit; empty where nothing of it fits."""
    head = f"Report {number}: {report.title} (rating {report.rating:g} of 10)"
    findings = [f"- {item.summary}: {item.explanation}" for item in report.findings]
    for kept in range(len(findings), -1, -1):
        text = "\n".join([head, report.summary, *findings[:kept]])
        if tokens(text) <= room:
            return text, kept < len(findings)
    summary = report.summary
    while len(summary) > _SHORTEST_SUMMARY:
        summary = summary[: len(summary) // 2]
        text = f"{head}\n{summary} …"
        if tokens(text) <= room:
            return text, True
    return "", False


def _packed(entries: Sequence[_Entry], room: int) -> list[tuple[_Entry, ...]]:
    batches: list[list[_Entry]] = []
    used = 0
    for entry in entries:
        if not batches or used + entry.tokens > room:
            batches.append([])
            used = 0
        batches[-1].append(entry)
        used += entry.tokens
    return [tuple(batch) for batch in batches]


def _affordable(
    batches: Sequence[tuple[_Entry, ...]], overhead: int, tokens: int, calls: int
) -> tuple[tuple[_Entry, ...], ...]:
    """The first batches, as many as there are calls and tokens for."""
    kept: list[tuple[_Entry, ...]] = []
    for batch in batches[: max(0, calls)]:
        tokens -= overhead + sum(entry.tokens for entry in batch)
        if tokens < 0:
            break
        kept.append(batch)
    return tuple(kept)


# --- replies


def _read(question: str, batch: Sequence[_Entry], calls: ModelCalls, plan: _Plan) -> ScoredPoints:
    data = {"reports": "\n\n".join(entry.text for entry in batch), "question": question}
    return calls.structured(
        MAP_PROMPT, data, ScoredPoints, max_tokens=plan.reply_tokens, repairs=plan.repairs
    )


def _points_of(reply: ScoredPoints, batch: Sequence[_Entry]) -> list[Point]:
    """The points of a reply that say something of a report of the batch: where there is only one, that is meant."""
    numbers = {entry.number: entry.report.community for entry in batch}
    points = []
    for point in reply.points:
        text = " ".join(point.description.split())
        named = dict.fromkeys(numbers[number] for number in point.reports if number in numbers)
        said_by = tuple(named) or (tuple(numbers.values()) if len(numbers) == 1 else ())
        if text and said_by:
            points.append(Point(text, point.score, said_by))
    return points


def _fault(error: AskgraphError) -> str:
    if isinstance(error, ModelAuthenticationError) or not isinstance(error, ModelError | BudgetError):
        raise error
    if isinstance(error, ModelReplyError):
        return f"the model's points on them cannot be used: {in_a_sentence(error.message)}"
    return in_a_sentence(failure_in_words(error))


def _reports_were(count: int) -> str:
    return f"{quantity(count, 'report')} {'was' if count == 1 else 'were'}"
