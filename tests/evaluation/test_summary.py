"""Many outcomes in a few figures, and what the confidence is worth."""

from __future__ import annotations

import json

import pytest

from askgraph.core.errors import EvaluationError
from askgraph.evaluation.confidence_curve import calibration, calibration_error, coverage_at, risk_coverage
from askgraph.evaluation.evaluated import Evaluation
from askgraph.evaluation.outcome import Outcome
from askgraph.evaluation.summary import by_kind, percentile, summarize

from .conftest import abstention, evaluation, hopeless, outcome, wrong

MIXED = (
    outcome("a", confidence=0.9, seconds=0.01),
    outcome(
        "b",
        confidence=0.8,
        precision=0.5,
        f1=2 / 3,
        seed_recall=0.5,
        seed_precision=0.25,
        entity_coverage=0.75,
        relation_coverage=1.0,
        execution=True,
        kind="count",
    ),
    wrong("c", confidence=0.7, execution=False),
    abstention("d", seconds=1.0),
    hopeless("e"),
    hopeless(
        "f", answers=("Bob",), answer_count=1, abstained=False, confidence=0.6, failing_step="abstention"
    ),
)


def test_the_figures() -> None:
    summary = summarize(MIXED)
    assert (summary.questions, summary.answerable, summary.answered) == (6, 4, 4)
    assert (summary.right, summary.exact) == (2, 1)
    assert summary.hit_1 == pytest.approx(0.5)
    assert summary.f1 == pytest.approx((1 + 2 / 3) / 4)
    assert summary.precision_of_answered == pytest.approx(1.5 / 4)
    assert (summary.abstained_rightly, summary.abstained_wrongly, summary.answered_wrongly) == (1, 1, 1)
    assert (summary.seed_recall, summary.seed_precision) == (0.5, 0.25)
    assert (summary.entity_coverage, summary.relation_coverage) == (0.75, 1.0)
    assert summary.execution_accuracy == 0.5
    assert (summary.p50, summary.p95) == (0.01, 1.0)
    assert summary.failing_steps == {"relation": 1, "path": 1, "abstention": 1}


def test_nothing_is_the_mean_of_nothing() -> None:
    summary = summarize([hopeless()])
    assert (summary.f1, summary.precision_of_answered, summary.rows_f1) == (None, None, None)
    assert summarize([]).p50 is None


def test_an_error_or_an_empty_answer_is_no_answer() -> None:
    assert not outcome(error="DeadlineExceededError: the time was up").is_answered
    assert not outcome(answer_count=0).is_answered
    assert hopeless(abstained=False).credit == 1


def test_kinds_come_with_the_most_frequent_first() -> None:
    assert list(by_kind(MIXED)) == ["one hop", "unanswerable", "count"]
    assert by_kind([outcome(kind="")])["other"].questions == 1


@pytest.mark.parametrize(("share", "value"), [(0.0, 1), (0.5, 2), (0.51, 3), (0.75, 3), (0.95, 4), (1.0, 4)])
def test_percentiles_are_values_that_occur(share: float, value: float) -> None:
    assert percentile([1, 2, 3, 4], share) == value


# --- the curve


def test_the_surest_answers_come_first() -> None:
    points = risk_coverage(MIXED)
    assert [point.confidence for point in points] == [0.9, 0.8, 0.7, 0.6]
    assert [round(point.coverage * 6) for point in points] == [1, 2, 3, 4]
    assert [point.precision for point in points] == pytest.approx([1, 0.75, 0.5, 0.375])
    assert [point.right for point in points] == pytest.approx([1, 1, 2 / 3, 0.5])


def test_answers_that_are_equally_sure_come_together() -> None:
    points = risk_coverage([outcome("a"), wrong("b"), outcome("c", confidence=0.1)])
    assert [(point.confidence, round(point.coverage, 2), point.precision) for point in points] == [
        (0.9, 0.67, 0.5),
        (0.1, 1.0, pytest.approx(2 / 3)),
    ]


def test_how_many_can_be_answered_with_a_precision() -> None:
    points = risk_coverage(MIXED)
    assert coverage_at(points, 0.75) == pytest.approx(2 / 6)
    assert coverage_at(points, 1.1) == 0
    assert coverage_at([], 0.5) == 0


# --- calibration


def test_bands_of_confidence() -> None:
    bands = calibration(
        [outcome("a", confidence=1.0), wrong("b", confidence=0.95), wrong("c", confidence=0.05)]
    )
    assert [(band.low, band.high, band.answers, band.right) for band in bands] == [
        (0.9, 1.0, 2, 0.5),
        (0, 0.1, 1, 0),
    ]
    assert calibration_error(bands) == pytest.approx((2 * (0.975 - 0.5) + 0.05) / 3)


def test_no_answers_no_calibration() -> None:
    assert calibration([abstention()]) == []
    assert calibration_error([]) is None


# --- results as data


def test_results_survive_the_way_to_json_and_back() -> None:
    results = evaluation(*MIXED, left_out={"g": "the gold query cannot be run"})
    data = json.loads(json.dumps(results.to_dict(), allow_nan=False))
    again = Evaluation.from_dict(data)
    assert again.to_dict() == results.to_dict()
    assert data["summary"]["answered"] == 4
    assert data["by_kind"]["count"]["questions"] == 1
    assert len(data["risk_coverage"]) == 4
    assert data["coverage_at_precision"] == {"0.85": 0.1667}
    assert "normalising" in data["rule"]


def test_entries_of_another_version_are_passed_over() -> None:
    data = outcome("a").to_dict() | {"colour": "blue"}
    assert Outcome.from_dict(data) == outcome("a")


@pytest.mark.parametrize(
    "data",
    [None, [], {}, {"format": 99}, {"format": 1}, evaluation(outcome()).to_dict() | {"started": "soon"}],
)
def test_what_is_no_result_is_refused(data: object) -> None:
    with pytest.raises(EvaluationError):
        Evaluation.from_dict(data)
