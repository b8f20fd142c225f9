"""What the confidence is worth: how precise the surest answers are, and whether it says how often it is right.

Risk against coverage (El-Yaniv and Wiener, 2010): questions are taken with the surest answers first; for each share of
all questions answered so, the precision of what was answered. Calibration (the reliability table of DeGroot and
Fienberg, 1983): answers in bands of confidence, with the share of them that is right, and how far the two lie apart on
average over all answers (the expected calibration error).
"""

from __future__ import annotations

import statistics
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any, Final

from .outcome import Outcome

_BANDS: Final = 10


@dataclass(frozen=True, slots=True)
class CurvePoint:
    """Answers at least as sure as ``confidence``: ``coverage`` is their share of all questions, ``precision`` the mean
    of theirs, ``right`` the share of them that is right."""

    confidence: float
    coverage: float
    precision: float
    right: float

    def to_dict(self) -> dict[str, float]:
        """Strict JSON data."""
        return {key: round(value, 4) for key, value in asdict(self).items()}


@dataclass(frozen=True, slots=True)
class CalibrationBand:
    """The answers with a confidence from ``low`` to below ``high`` (the last band: and of 1)."""

    low: float
    high: float
    answers: int
    confidence: float
    right: float

    def to_dict(self) -> dict[str, Any]:
        """Strict JSON data."""
        return {
            key: round(value, 4) if isinstance(value, float) else value for key, value in asdict(self).items()
        }


def risk_coverage(outcomes: Sequence[Outcome]) -> list[CurvePoint]:
    """The curve, a point for each confidence that occurs, the highest first.

    An answer to a question that has none counts as wrong; a question that got no answer only counts in the total.
    """
    answered = sorted(
        (outcome for outcome in outcomes if outcome.is_answered), key=lambda item: -item.confidence
    )
    points = []
    precision = right = 0.0
    for number, outcome in enumerate(answered, start=1):
        precision += outcome.precision_of_given
        right += outcome.is_right
        is_last = number == len(answered) or answered[number].confidence < outcome.confidence
        if is_last:  # answers that are equally sure come together
            points.append(
                CurvePoint(outcome.confidence, number / len(outcomes), precision / number, right / number)
            )
    return points


def coverage_at(points: Sequence[CurvePoint], precision: float) -> float:
    """The greatest share of questions that can be answered with at least this precision."""
    return max((point.coverage for point in points if point.precision >= precision), default=0.0)


def calibration(outcomes: Sequence[Outcome]) -> list[CalibrationBand]:
    """The bands that have answers, the surest first."""
    bands: dict[int, list[Outcome]] = {}
    for outcome in outcomes:
        if outcome.is_answered:
            bands.setdefault(min(_BANDS - 1, int(outcome.confidence * _BANDS)), []).append(outcome)
    return [
        CalibrationBand(
            low=number / _BANDS,
            high=(number + 1) / _BANDS,
            answers=len(band),
            confidence=statistics.fmean(item.confidence for item in band),
            right=statistics.fmean(float(item.is_right) for item in band),
        )
        for number, band in sorted(bands.items(), reverse=True)
    ]


def calibration_error(bands: Sequence[CalibrationBand]) -> float | None:
    """The mean distance between confidence and share of right answers, over all answers; ``None`` without any."""
    answers = sum(band.answers for band in bands)
    if not answers:
        return None
    return sum(band.answers * abs(band.confidence - band.right) for band in bands) / answers
