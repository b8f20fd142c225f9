"""Many outcomes in a few figures."""

from __future__ import annotations

import statistics
from collections.abc import Callable, Iterable, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from .diagnosis import STEPS
from .outcome import Outcome


@dataclass(frozen=True, slots=True)
class Summary:
    """The figures of a group of questions. Means are over the questions that they apply to; ``None``: over none.

    Attributes:
        questions: how many there are.
        answerable: how many of them have a right answer.
        answered: how many got an answer.
        right: how many of the answerable ones got one with an F1 of at least one half.
        exact: how many of the answerable ones got the right answers and no others.
        hit_1, hit_k, precision, recall, f1, rows_f1: means over the answerable questions; an abstention counts as 0.
        precision_of_answered: mean over all that got an answer; one to a question without any counts as 0.
        abstained_rightly: questions without an answer that got none.
        abstained_wrongly: questions with an answer that got none.
        answered_wrongly: questions without an answer that got one.
        seed_recall, seed_precision, entity_coverage, relation_coverage: means over the questions with a gold query that
            have something of the kind (:mod:`askgraph.evaluation.step_scores`).
        execution_accuracy: the share of the answerable questions for which a query was made that gives the right
            results; ``None`` for a strategy that makes none.
        p50, p95: seconds from question to answer.
        failing_steps: for each step the number of questions that it is the first to fail.
    """

    questions: int
    answerable: int
    answered: int
    right: int
    exact: int
    hit_1: float | None
    hit_k: float | None
    precision: float | None
    recall: float | None
    f1: float | None
    rows_f1: float | None
    precision_of_answered: float | None
    abstained_rightly: int
    abstained_wrongly: int
    answered_wrongly: int
    seed_recall: float | None
    seed_precision: float | None
    entity_coverage: float | None
    relation_coverage: float | None
    execution_accuracy: float | None
    p50: float | None
    p95: float | None
    failing_steps: dict[str, int]

    def to_dict(self) -> dict[str, Any]:
        """Strict JSON data."""
        return {
            key: round(value, 4) if isinstance(value, float) else value for key, value in asdict(self).items()
        }


def summarize(outcomes: Sequence[Outcome]) -> Summary:
    """The figures of some outcomes."""
    answerable = [outcome for outcome in outcomes if not outcome.is_unanswerable]
    hopeless = [outcome for outcome in outcomes if outcome.is_unanswerable]
    answered = [outcome for outcome in outcomes if outcome.is_answered]
    seconds = sorted(outcome.seconds for outcome in outcomes)
    failing = [outcome.failing_step for outcome in outcomes]
    return Summary(
        questions=len(outcomes),
        answerable=len(answerable),
        answered=len(answered),
        right=sum(outcome.is_right for outcome in answerable),
        exact=sum(not outcome.is_failure for outcome in answerable),
        hit_1=_mean(answerable, lambda outcome: outcome.hit_1),
        hit_k=_mean(answerable, lambda outcome: outcome.hit_k),
        precision=_mean(answerable, lambda outcome: outcome.precision),
        recall=_mean(answerable, lambda outcome: outcome.recall),
        f1=_mean(answerable, lambda outcome: outcome.f1),
        rows_f1=_mean(answerable, lambda outcome: outcome.rows_f1),
        precision_of_answered=_mean(answered, lambda outcome: outcome.precision_of_given),
        abstained_rightly=sum(not outcome.is_answered for outcome in hopeless),
        abstained_wrongly=sum(not outcome.is_answered for outcome in answerable),
        answered_wrongly=sum(outcome.is_answered for outcome in hopeless),
        seed_recall=_mean(outcomes, lambda outcome: outcome.seed_recall),
        seed_precision=_mean(outcomes, lambda outcome: outcome.seed_precision),
        entity_coverage=_mean(outcomes, lambda outcome: outcome.entity_coverage),
        relation_coverage=_mean(outcomes, lambda outcome: outcome.relation_coverage),
        execution_accuracy=_mean(answerable, lambda outcome: outcome.execution),
        p50=percentile(seconds, 0.50),
        p95=percentile(seconds, 0.95),
        failing_steps={step: failing.count(step) for step in STEPS if step in failing},
    )


def by_kind(outcomes: Sequence[Outcome]) -> dict[str, Summary]:
    """The figures of each kind of question, the most frequent kind first."""
    groups: dict[str, list[Outcome]] = {}
    for outcome in outcomes:
        groups.setdefault(outcome.kind or "other", []).append(outcome)
    ordered = sorted(groups.items(), key=lambda item: (-len(item[1]), item[0]))
    return {kind: summarize(group) for kind, group in ordered}


def percentile(ordered: Sequence[float], share: float) -> float | None:
    """The smallest of the ordered values that at least this share of them does not exceed (nearest rank)."""
    if not ordered:
        return None
    rank = max(1, -(-len(ordered) * round(share * 1000) // 1000))
    return ordered[rank - 1]


def _mean(outcomes: Iterable[Outcome], of: Callable[[Outcome], float | None]) -> float | None:
    values = [float(value) for outcome in outcomes if (value := of(outcome)) is not None]
    return statistics.fmean(values) if values else None
