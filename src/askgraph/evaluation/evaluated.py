"""The results of putting a set of questions to a graph."""

from __future__ import annotations

import datetime
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from ..core.errors import EvaluationError
from .confidence_curve import calibration, calibration_error, coverage_at, risk_coverage
from .matching import RULE
from .outcome import Outcome
from .summary import Summary, by_kind, summarize

RESULTS_FORMAT_VERSION: Final = 1
ASKED_PRECISION: Final = 0.85
"""The precision that answers should have at least: the share of questions answered with it is said."""


@dataclass(frozen=True)
class Evaluation:
    """What came of all questions of a set.

    Attributes:
        id: of these results.
        started: when the first question was asked.
        graph: the graph's path or address.
        graph_version: of its content.
        questions: what the questions are: name, format, number, digest of the file.
        options: what shaped the results: how many answers count for Hit@k, the deadline, the sample, settings.
        outcomes: one for each question, in their order.
        left_out: questions whose right answers could not be found, by id, and why.
    """

    id: str
    started: datetime.datetime
    graph: str
    graph_version: str
    questions: Mapping[str, Any]
    options: Mapping[str, Any]
    outcomes: tuple[Outcome, ...]
    left_out: Mapping[str, str] = field(default_factory=dict)

    def summary(self) -> Summary:
        """The figures of all questions."""
        return summarize(self.outcomes)

    def by_kind(self) -> Mapping[str, Summary]:
        """The figures of each kind of question."""
        return by_kind(self.outcomes)

    def failures(self) -> Sequence[Outcome]:
        """The questions that did not go all right, in their order."""
        return [outcome for outcome in self.outcomes if outcome.is_failure]

    def to_dict(self) -> dict[str, Any]:
        """Strict JSON data: what was saved, and the figures worked out from it."""
        points, bands = risk_coverage(self.outcomes), calibration(self.outcomes)
        error = calibration_error(bands)
        return {
            "format": RESULTS_FORMAT_VERSION,
            "id": self.id,
            "started": self.started.isoformat(timespec="milliseconds"),
            "graph": self.graph,
            "graph_version": self.graph_version,
            "questions": dict(self.questions),
            "options": dict(self.options),
            "rule": RULE,
            "summary": self.summary().to_dict(),
            "by_kind": {kind: summary.to_dict() for kind, summary in self.by_kind().items()},
            "risk_coverage": [point.to_dict() for point in points],
            "coverage_at_precision": {str(ASKED_PRECISION): round(coverage_at(points, ASKED_PRECISION), 4)},
            "calibration": [band.to_dict() for band in bands],
            "calibration_error": None if error is None else round(error, 4),
            "outcomes": [outcome.to_dict() for outcome in self.outcomes],
            "left_out": dict(self.left_out),
        }

    @classmethod
    def from_dict(cls, data: Any) -> Evaluation:
        """The inverse of :meth:`to_dict`. Raises :class:`EvaluationError` for anything else."""
        if not isinstance(data, dict) or data.get("format") != RESULTS_FORMAT_VERSION:
            raise EvaluationError("this is not the result of an evaluation by this version of askgraph")
        try:
            return cls(
                id=data["id"],
                started=datetime.datetime.fromisoformat(data["started"]),
                graph=data["graph"],
                graph_version=data["graph_version"],
                questions=data["questions"],
                options=data["options"],
                outcomes=tuple(map(Outcome.from_dict, data["outcomes"])),
                left_out=data["left_out"],
            )
        except (KeyError, TypeError, ValueError) as error:
            raise EvaluationError(f"the results are damaged: {type(error).__name__}: {error}") from error
