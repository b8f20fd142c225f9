"""Two strategies on the same questions: what each answers, and what that costs ahead of time and for each question.

:mod:`askgraph.evaluation.comparison` compares two results of one strategy each against known answers; here the
questions need none, and what is compared is the order of work: cut the graph to the question first (``subgraph``), or
report on the whole graph first and ask the reports (``global``).
"""

from __future__ import annotations

import datetime
import math
import statistics
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from .pairwise_judge import CRITERIA, CriterionVerdict, PairVerdict
from .strategy_answer import Cost, StrategyAnswer

DEFAULT_STRATEGIES: Final = ("subgraph", "global")
"""Query-first, and the whole graph first."""

COMPARISON_FORMAT_VERSION: Final = 1


@dataclass(frozen=True, slots=True)
class ComparedQuestion:
    """One question, and what both strategies made of it.

    Attributes:
        id: what the file calls it.
        question: as it was asked.
        first, second: the answers, in the order of the strategies.
        gold: the first right answers, in short; ``gold_count`` is how many there are, ``None`` where none are known.
        verdict: of the judge; ``None`` where it was not asked, since there is no judge or one gave no answer.
    """

    id: str
    question: str
    first: StrategyAnswer
    second: StrategyAnswer
    gold: tuple[str, ...] = ()
    gold_count: int | None = None
    verdict: PairVerdict | None = None

    def to_dict(self) -> dict[str, Any]:
        """Strict JSON data."""
        return {
            "id": self.id,
            "question": self.question,
            "first": self.first.to_dict(),
            "second": self.second.to_dict(),
            "gold": list(self.gold),
            "gold_count": self.gold_count,
            "verdict": None if self.verdict is None else self.verdict.to_dict(),
        }


@dataclass(frozen=True, slots=True)
class StrategyTotals:
    """One strategy over all questions.

    Attributes:
        strategy: its name.
        ahead: what was done before any question; ``None`` where nothing is. What was kept from earlier counts too,
            with what it took then.
        questions: how many were asked.
        answered: how many got an answer.
        failed: how many ended in an error.
        cost: of all questions together.
        reports_read: for all questions together.
        named: the mean share of the right answers that are named, over the questions where they are known.
        p50: seconds of a question, the median.
    """

    strategy: str
    ahead: Cost | None
    questions: int
    answered: int
    failed: int
    cost: Cost
    reports_read: int
    named: float | None
    p50: float

    def to_dict(self) -> dict[str, Any]:
        """Strict JSON data."""
        return {
            "strategy": self.strategy,
            "ahead": None if self.ahead is None else self.ahead.to_dict(),
            "questions": self.questions,
            "answered": self.answered,
            "failed": self.failed,
            "cost": self.cost.to_dict(),
            "reports_read": self.reports_read,
            "named": None if self.named is None else round(self.named, 4),
            "p50": round(self.p50, 6),
        }


@dataclass(frozen=True, slots=True)
class Tally:
    """How often the judge found either answer better by one criterion.

    Attributes:
        first, second: how often each was better in both orders.
        ties: how often neither was; ``order_dependent`` of these, because the verdict changed with the order.
    """

    first: int
    second: int
    ties: int
    order_dependent: int

    def to_dict(self) -> dict[str, int]:
        """Strict JSON data."""
        return {
            "first": self.first,
            "second": self.second,
            "ties": self.ties,
            "order_dependent": self.order_dependent,
        }


@dataclass(frozen=True)
class StrategyComparison:
    """Two strategies compared.

    Attributes:
        started: when the first question was asked.
        graph, graph_version: what was asked.
        questions: what the questions are: name, format, number, digest.
        strategies: the names of both.
        ahead: what each did before the first question; ``None`` where nothing.
        compared: the questions, in their order.
        model, judge: names of the models that answered and judged; ``None`` where there was none.
        judging: what the judge took.
        options: the deadline and the sample.
        notes: what makes the two hard to compare, in plain sentences.
    """

    started: datetime.datetime
    graph: str
    graph_version: str
    questions: Mapping[str, Any]
    strategies: tuple[str, str]
    ahead: tuple[Cost | None, Cost | None]
    compared: tuple[ComparedQuestion, ...]
    model: str | None = None
    judge: str | None = None
    options: Mapping[str, Any] | None = None
    notes: tuple[str, ...] = ()

    @property
    def totals(self) -> tuple[StrategyTotals, StrategyTotals]:
        """Both strategies over all questions."""
        return (
            _totals(self.strategies[0], self.ahead[0], [item.first for item in self.compared]),
            _totals(self.strategies[1], self.ahead[1], [item.second for item in self.compared]),
        )

    @property
    def judging(self) -> Cost:
        """What the judge took."""
        verdicts = [item.verdict for item in self.compared if item.verdict is not None]
        return sum((Cost(0.0, verdict.calls, verdict.usage) for verdict in verdicts), Cost())

    @property
    def tallies(self) -> Mapping[str, Tally]:
        """The judge's verdicts by criterion; empty where it gave none."""
        given = [item.verdict.criteria for item in self.compared if item.verdict and item.verdict.criteria]
        return {name: _tally([verdicts[name] for verdicts in given]) for name in CRITERIA} if given else {}

    @property
    def break_even(self) -> tuple[str, int] | None:
        """The strategy that takes fewer tokens for few questions, and the number of questions from which on it takes
        more than the other; ``None`` where one takes no more than the other for any number."""
        return break_even(self.totals)

    def to_dict(self) -> dict[str, Any]:
        """Strict JSON data."""
        even = self.break_even
        return {
            "format": COMPARISON_FORMAT_VERSION,
            "started": self.started.isoformat(timespec="milliseconds"),
            "graph": self.graph,
            "graph_version": self.graph_version,
            "questions": dict(self.questions),
            "strategies": list(self.strategies),
            "model": self.model,
            "judge": self.judge,
            "options": dict(self.options or {}),
            "totals": [totals.to_dict() for totals in self.totals],
            "break_even": None if even is None else {"strategy": even[0], "questions": even[1]},
            "tallies": {name: tally.to_dict() for name, tally in self.tallies.items()},
            "judging": self.judging.to_dict(),
            "compared": [item.to_dict() for item in self.compared],
            "notes": list(self.notes),
        }


def break_even(totals: tuple[StrategyTotals, StrategyTotals]) -> tuple[str, int] | None:
    """As :attr:`StrategyComparison.break_even`: what is done ahead is paid once, the mean of the questions for each."""
    first, second = totals
    if not first.questions or not second.questions:
        return None
    ahead = _ahead_tokens(second) - _ahead_tokens(first)
    each = first.cost.usage.tokens / first.questions - second.cost.usage.tokens / second.questions
    if ahead < 0:
        first, ahead, each = second, -ahead, -each
    # Without work ahead, or with cheaper questions as well, the cheaper one stays so.
    return (first.strategy, math.floor(ahead / each) + 1) if ahead and each > 0 else None


def _ahead_tokens(totals: StrategyTotals) -> int:
    return 0 if totals.ahead is None else totals.ahead.usage.tokens


def _totals(strategy: str, ahead: Cost | None, answers: Sequence[StrategyAnswer]) -> StrategyTotals:
    named = [answer.named for answer in answers if answer.named is not None]
    return StrategyTotals(
        strategy=strategy,
        ahead=ahead,
        questions=len(answers),
        answered=sum(answer.is_answered for answer in answers),
        failed=sum(bool(answer.error) for answer in answers),
        cost=sum((answer.cost for answer in answers), Cost()),
        reports_read=sum(answer.reports_read for answer in answers),
        named=statistics.fmean(named) if named else None,
        p50=statistics.median(answer.cost.seconds for answer in answers) if answers else 0.0,
    )


def _tally(verdicts: Sequence[CriterionVerdict]) -> Tally:
    better = [verdict.better for verdict in verdicts]
    return Tally(
        first=better.count("first"),
        second=better.count("second"),
        ties=better.count("neither"),
        order_dependent=sum(verdict.depends_on_order for verdict in verdicts),
    )
