"""Reports that a language model writes on communities, each from its own nodes, edges and definitions.

What a finding refers to is looked up: references to what was not shown are dropped, and so is a finding that has no
other. A report that cannot be used leaves the extract in its place, which says so. Every report is kept as soon as it
is written, by the content of its community, the model and the prompt: whatever is unchanged is not written again.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial
from threading import Lock
from typing import Any, Final

from pydantic import BaseModel, Field, field_validator

from ...core.errors import (
    AskgraphError,
    BudgetError,
    ModelAuthenticationError,
    ModelBusyError,
    ModelError,
    ModelForbiddenError,
    ModelReplyError,
    ModelUnreachableError,
)
from ...core.model_call import Usage
from ...core.progress import SILENT, Progress
from ...core.schema import Schema
from ...core.words import quantity
from ...models.calls import ModelCalls
from ...models.estimates import TOKENS_PER_MESSAGE, TOKENS_PER_REQUEST
from ...models.failure_words import failure_in_words
from ...models.language_model import prepared
from ...models.prices import cost_of
from ...models.prompts.prompts import Prompt
from .communities import CommunityReport, Finding
from .community_text import CommunityText, community_text
from .kept_reports import KeptReports, key_of, with_kept
from .selection import SubgraphSelection

PROMPT: Final = "community_report"
COMMUNITY_TOKENS: Final = 8_000
"""Tokens of nodes and edges that a report is written from; GraphRAG's figure."""
REPLY_TOKENS: Final = 1_500
"""Tokens that a report may have."""
_AT_ONCE: Final = 4
# What one report may take, however long all of them may.
_SECONDS: Final = 600.0
# A JSON Schema goes with each request.
_SCHEMA_TOKENS: Final = 500
_HIGHEST: Final = 10.0
_MOST_FINDINGS: Final = 20
_REFERENCE: Final = re.compile(r"\b([NE])\s*\.?#?(\d{1,6})\b", re.IGNORECASE)
_UNAFFORDABLE: Final = "No model wrote this report: the budget of the question does not reach for it."
_TOO_SMALL: Final = "No model wrote this report: not one edge of it fits into the model's window."
# After these the model will not write the others either.
_LASTING: Final = (ModelUnreachableError, ModelBusyError, ModelForbiddenError)


class FindingReply(BaseModel):
    """A finding as a model writes it."""

    summary: str = Field(description="in a few words")
    explanation: str = Field(min_length=1, description="in one to three sentences")
    references: list[str] = Field(description="numbers of nodes and edges: N3, E12")

    @field_validator("references", mode="before")
    @classmethod
    def _as_list(cls, value: Any) -> Any:
        """Models also write them in one text."""
        return [value] if isinstance(value, str) else value


class ReportReply(BaseModel):
    """A report as a model writes it."""

    title: str = Field(min_length=1)
    summary: str = Field(min_length=1)
    rating: float = Field(ge=0, le=_HIGHEST)
    rating_explanation: str
    findings: list[FindingReply] = Field(min_length=1)


@dataclass(frozen=True, slots=True)
class WritingCosts:
    """What the writing of reports takes.

    Attributes:
        reports: how many there are in all.
        kept: how many were written before and are used again.
        input_tokens: about so many tokens the prompts of the others have.
        output_tokens: at most so many their replies.
        cost: US dollars at most; ``None`` where no price is known.
    """

    reports: int
    kept: int
    input_tokens: int
    output_tokens: int
    cost: float | None

    @property
    def to_write(self) -> int:
        """How many reports are to be written, each in one call, or two where the first reply cannot be read."""
        return self.reports - self.kept

    def to_dict(self) -> dict[str, Any]:
        """Strict JSON data."""
        return {
            "reports": self.reports,
            "kept": self.kept,
            "to_write": self.to_write,
            "input_tokens": self.input_tokens,
            "output_tokens": self.output_tokens,
            "cost": self.cost,
        }


@dataclass(frozen=True, slots=True)
class WrittenReports:
    """Reports in the order in which they were asked for, and how many of them were kept from before."""

    reports: tuple[CommunityReport, ...]
    kept: int


@dataclass(frozen=True, slots=True)
class _Task:
    """One report to be had."""

    extract: CommunityReport
    text: CommunityText
    key: bytes


class ReportWriter:
    """Lets a model write reports on the communities of one selection.

    Args:
        selection: the subgraph, or the whole graph.
        schema: of the graph: it says what types are called.
        calls: of the run.
        prompt: the prompt that reports are written by.
        kept: where reports are kept.

    Raises:
        ModelError: a model that has to be asked what it takes does not say so.
    """

    def __init__(
        self,
        selection: SubgraphSelection,
        schema: Schema,
        calls: ModelCalls,
        prompt: Prompt,
        kept: KeptReports,
    ) -> None:
        self._nodes = selection.by_id
        self._edges = {item.edge.id: item for item in selection.edges}
        self._schema = schema
        self._calls = calls
        self._prompt = prompt
        self._kept = kept
        prepared(calls.model, calls.budget)
        messages = prompt.messages(dict.fromkeys(("nodes", "edges", "left_out"), "…"))
        sizes = (calls.model.tokens(message.text) + TOKENS_PER_MESSAGE for message in messages)
        self._overhead = sum(sizes) + TOKENS_PER_REQUEST + _SCHEMA_TOKENS
        window = calls.model.context_window
        self._reply_tokens = min(REPLY_TOKENS, window // 3)
        self._room = max(0, min(COMMUNITY_TOKENS, window - self._overhead - self._reply_tokens))
        self._lasting: AskgraphError | None = None
        self._lock = Lock()

    # --- what is written, and what it takes

    def covering(self, reports: Sequence[CommunityReport]) -> tuple[CommunityReport, ...]:
        """The fewest communities that have every node and can each be shown to the model whole: a community that is too
        large gives way to its parts."""
        by_number = {report.community: report for report in reports}
        chosen: list[CommunityReport] = []
        waiting = [report for report in reports if report.level == 0]
        while waiting:
            report = waiting.pop(0)
            parts = [by_number[child] for child in report.children if child in by_number]
            if parts and self._text(report).left_out:
                waiting = [*parts, *waiting]
            else:
                chosen.append(report)
        return tuple(chosen)

    def costs(self, reports: Sequence[CommunityReport], *, anew: bool = False) -> WritingCosts:
        """What the writing of these reports would take. No model is called."""
        tasks = [self._task(report) for report in reports if report.edges]
        there = {} if anew else self._kept.read([task.key for task in tasks])
        missing = [task for task in tasks if task.key not in there and task.text.edges]
        read = sum(task.text.tokens + self._overhead for task in missing)
        written = self._reply_tokens * len(missing)
        cost = cost_of(self._calls.model, Usage(read, written, estimated=True)) if missing else 0.0
        return WritingCosts(len(tasks), len(tasks) - len(missing), read, written, cost)

    def write(
        self,
        reports: Sequence[CommunityReport],
        *,
        calls_kept: int = 0,
        tokens_kept: int = 0,
        anew: bool = False,
        progress: Progress = SILENT,
    ) -> WrittenReports:
        """The reports in the model's words, in the same order.

        Those that are kept are used again, and of a community without an edge the extract says all. Of the others as
        many are written as the budget allows, those of the highest ratings first; for the rest, and where the model's
        reply cannot be used, the extract stands and notes why.

        Args:
            reports: extracts.
            calls_kept: calls of the budget that are left for what comes after.
            tokens_kept: the same of its tokens.
            anew: write those too that are kept.
            progress: told of each report.

        Raises:
            ModelAuthenticationError: the model does not let us in: that is for the user to put right.
        """
        tasks = [self._task(report) for report in reports if report.edges]
        found = {} if anew else self._read_kept(tasks)
        kept = len(found)
        for task in tasks:
            if task.extract.community not in found and not task.text.edges:
                found[task.extract.community] = _noted(task.extract, _TOO_SMALL)
        missing = sorted(
            (task for task in tasks if task.extract.community not in found),
            key=lambda task: (-task.extract.rating, task.extract.community),
        )
        affordable = self._affordable(missing, calls_kept, tokens_kept)
        repairs = int(self._calls.calls_left - calls_kept >= 2 * len(affordable))
        progress.start("writing reports", len(affordable))
        try:
            written = self._calls.together(
                [partial(self._written, task, repairs, progress) for task in affordable], at_once=_AT_ONCE
            )
        finally:
            progress.finish()
        for task, outcome in zip(affordable, written, strict=True):
            found[task.extract.community] = (
                _unwritten(task.extract, outcome) if isinstance(outcome, AskgraphError) else outcome
            )
        for task in missing[len(affordable) :]:
            found[task.extract.community] = _noted(task.extract, _UNAFFORDABLE)
        return WrittenReports(tuple(found.get(report.community, report) for report in reports), kept)

    # --- one report

    def _text(self, report: CommunityReport) -> CommunityText:
        return community_text(
            [self._nodes[id] for id in report.nodes],
            [self._edges[id] for id in report.edges],
            label_of=self._schema.label_of,
            room=self._room,
            tokens=self._calls.tokens,
        )

    def _task(self, report: CommunityReport) -> _Task:
        text = self._text(report)
        content: list[dict[str, Any]] = [self._nodes[id].node.to_dict() for id in report.nodes]
        content += [self._edges[id].edge.to_dict() | {"label": self._edges[id].label} for id in report.edges]
        about = (
            self._calls.model.name,
            self._prompt.system,
            self._prompt.user,
            self._calls.temperature,
            text.nodes_text,
            text.edges_text,
        )
        return _Task(report, text, key_of(about, content))

    def _read_kept(self, tasks: Sequence[_Task]) -> dict[int, CommunityReport]:
        values = self._kept.read([task.key for task in tasks])
        found = {
            task.extract.community: with_kept(task.extract, values[task.key])
            for task in tasks
            if task.key in values
        }
        return {number: report for number, report in found.items() if report is not None}

    def _affordable(self, tasks: Sequence[_Task], calls_kept: int, tokens_kept: int) -> list[_Task]:
        left = self._calls.budget_tokens_left - tokens_kept
        kept: list[_Task] = []
        for task in tasks[: max(0, self._calls.calls_left - calls_kept)]:
            left -= task.text.tokens + self._overhead + self._reply_tokens
            if left < 0:
                break
            kept.append(task)
        return kept

    def _written(self, task: _Task, repairs: int, progress: Progress) -> CommunityReport:
        if self._lasting is not None:
            raise self._lasting
        try:
            left = max(self._calls.budget.remaining, _SECONDS)
            said = self._calls.part(_SECONDS / left).structured(
                PROMPT, task.text.data, ReportReply, max_tokens=self._reply_tokens, repairs=repairs
            )
        except _LASTING as error:
            self._lasting = error
            raise
        report = _with_references(task, said, self._calls.model.name, self._edges_ends(task))
        self._kept.keep(task.key, report)
        with self._lock:
            progress.advance()
        return report

    def _edges_ends(self, task: _Task) -> dict[str, tuple[str, str]]:
        return {id: (self._edges[id].edge.source, self._edges[id].edge.target) for id in task.text.edges}


def _with_references(
    task: _Task, said: ReportReply, model: str, ends: dict[str, tuple[str, str]]
) -> CommunityReport:
    """What a model said in place of the extract, each finding with the ids that it refers to.

    Raises:
        ModelReplyError: not one finding refers to a node or edge of the community.
    """
    findings = []
    for written in said.findings[:_MOST_FINDINGS]:
        nodes, edges = _referred(written, task.text)
        if nodes or edges:
            every = dict.fromkeys([*nodes, *(end for edge in edges for end in ends[edge])])
            summary = " ".join(written.summary.split()) or _HEADLESS
            findings.append(Finding(summary, " ".join(written.explanation.split()), tuple(every), edges))
    if not findings:
        raise ModelReplyError(
            "not one of its findings refers to a node or edge of the community", reply=said.model_dump_json()
        )
    notes = []
    if task.text.left_out:
        notes.append(f"The model was not shown all of this community: {task.text.left_out} were left out.")
    dropped = len(said.findings) - len(findings)
    if dropped:
        notes.append(
            f"{quantity(dropped, 'finding')} of the model that referred to nothing in the community: left out."
        )
    return replace(
        task.extract,
        title=" ".join(said.title.split()),
        summary=" ".join(said.summary.split()),
        rating=round(said.rating, 1),
        rating_explanation=" ".join(said.rating_explanation.split()),
        findings=tuple(findings),
        written_by=model,
        notes=tuple(notes),
    )


_HEADLESS: Final = "A finding"


def _referred(written: FindingReply, text: CommunityText) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Ids of the nodes and edges that a finding refers to, of those that were shown."""
    nodes: dict[str, None] = {}
    edges: dict[str, None] = {}
    for kind, digits in _REFERENCE.findall(" ".join(written.references)):
        number = int(digits)
        of, into = (text.nodes, nodes) if kind.upper() == "N" else (text.edges, edges)
        if 1 <= number <= len(of):
            into[of[number - 1]] = None
    return tuple(nodes), tuple(edges)


def _unwritten(extract: CommunityReport, error: AskgraphError) -> CommunityReport:
    """The extract, with why no model wrote it."""
    if isinstance(error, ModelAuthenticationError) or not isinstance(error, ModelError | BudgetError):
        raise error
    why = failure_in_words(error)
    said = (
        "The model's report cannot be used"
        if isinstance(error, ModelReplyError)
        else "No model wrote this report"
    )
    return _noted(extract, f"{said}: {why}. This is an extract of the graph.")


def _noted(report: CommunityReport, note: str) -> CommunityReport:
    return replace(report, notes=(*report.notes, note))
