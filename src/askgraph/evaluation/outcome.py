"""What came of one question: the answer, what is right, and how far apart they are."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields
from typing import Any, Final

RIGHT: Final = 0.5
"""An answer is called right from this F1 on."""

_SHARES: Final = (
    "confidence", "precision", "recall", "f1", "rows_f1",
    "seed_recall", "seed_precision", "entity_coverage", "relation_coverage",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Outcome:
    """One question of an evaluation. Shares and the confidence are from 0 to 1; what does not apply is ``None``.

    Attributes:
        id: what the file calls the question.
        question: as it was asked.
        kind: what kind of question it is.
        gold: the first right answers, in short; ``gold_count`` is how many there are. None: it is unanswerable.
        answers: the first answers given, in short; ``answer_count`` is how many there were.
        abstained: whether there was no answer.
        confidence: of the answer, or of the best reading that was not trusted.
        hit_1, hit_k, precision, recall, rows_f1: see :class:`askgraph.evaluation.scoring.Score`. ``None`` for a
            question that the graph cannot answer, as is ``f1``.
        seed_recall, seed_precision, entity_coverage, relation_coverage: see :mod:`askgraph.evaluation.step_scores`.
        execution: whether the query that was made, by reading the question or by a model, gives the right results;
            ``None`` for a strategy that makes none.
        seconds: from question to answer.
        failing_step, reason: see :mod:`askgraph.evaluation.diagnosis`; empty where nothing failed.
        right_reading: which reading, from 1, gives the right answers, where the answer given is not the right one.
        reading: how the question was read, in words.
        error: what ended the question, where something did.
    """

    id: str
    question: str
    kind: str
    gold: tuple[str, ...]
    gold_count: int
    answers: tuple[str, ...] = ()
    answer_count: int = 0
    abstained: bool = True
    confidence: float = 0.0
    hit_1: bool | None = None
    hit_k: bool | None = None
    precision: float | None = None
    recall: float | None = None
    f1: float | None = None
    rows_f1: float | None = None
    seed_recall: float | None = None
    seed_precision: float | None = None
    entity_coverage: float | None = None
    relation_coverage: float | None = None
    execution: bool | None = None
    seconds: float = 0.0
    failing_step: str = ""
    reason: str = ""
    right_reading: int | None = None
    reading: str = ""
    error: str = ""

    @property
    def is_unanswerable(self) -> bool:
        """Whether the graph has no answer, so that it is right to give none."""
        return self.gold_count == 0

    @property
    def is_answered(self) -> bool:
        """Whether an answer was given: neither an abstention, nor an error, nor nothing."""
        return not self.abstained and not self.error and self.answer_count > 0

    @property
    def credit(self) -> float:
        """What the answer is worth: its F1; for a question without an answer 1 if none was given, else 0."""
        if self.is_unanswerable:
            return 0.0 if self.is_answered else 1.0
        return self.f1 or 0.0

    @property
    def precision_of_given(self) -> float:
        """The share of what was given that is right; for an answer where there is none 0."""
        return self.precision or 0.0

    @property
    def is_right(self) -> bool:
        """Whether the credit is at least :data:`RIGHT`."""
        return self.credit >= RIGHT

    @property
    def is_failure(self) -> bool:
        """Whether anything is missing or wrong."""
        return self.credit < 1

    def to_dict(self) -> dict[str, Any]:
        """Strict JSON data."""
        data = asdict(self)
        for key in _SHARES:
            data[key] = None if data[key] is None else round(data[key], 4)
        return data | {
            "gold": list(self.gold),
            "answers": list(self.answers),
            "seconds": round(self.seconds, 6),
        }

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Outcome:
        """The inverse of :meth:`to_dict`; entries of another version are passed over."""
        known = {field.name for field in fields(cls)}
        own = {key: value for key, value in data.items() if key in known}
        return cls(**own | {"gold": tuple(data["gold"]), "answers": tuple(data.get("answers", ()))})
