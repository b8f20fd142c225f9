"""What one strategy made of one question, and what that took."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from ..core.model_call import Usage
from ..core.run import Run

REPORTS_READ = "reports_read"
"""The detail by which a step of a run says how many reports of communities were read for the question."""


@dataclass(frozen=True, slots=True)
class Cost:
    """What something took.

    Attributes:
        seconds: by the clock.
        calls: of the language model.
        usage: its tokens.
    """

    seconds: float = 0.0
    calls: int = 0
    usage: Usage = field(default_factory=lambda: Usage(cost=0.0))

    def __add__(self, other: Cost) -> Cost:
        """Both together."""
        return Cost(self.seconds + other.seconds, self.calls + other.calls, self.usage + other.usage)

    def to_dict(self) -> dict[str, Any]:
        """Strict JSON data."""
        return {"seconds": round(self.seconds, 6), "calls": self.calls, "usage": self.usage.to_dict()}


@dataclass(frozen=True, slots=True)
class StrategyAnswer:
    """The answer of one strategy to one question.

    Attributes:
        text: the answer in words, with its citations; why there is none, for an abstention.
        plain_text: its sentences without citations and marks.
        answers: the first short answers; ``answer_count`` is how many there are.
        abstained: whether it gave no answer.
        confidence: 0 to 1.
        cost: what the question took.
        reports_read: reports of communities that were read for it.
        facts: how many facts it cites.
        named: the share of the right answers that it names; ``None`` where none are known.
        notes: what it says of cuts and guesses.
        error: what ended the question, where something did.
    """

    text: str = ""
    plain_text: str = ""
    answers: tuple[str, ...] = ()
    answer_count: int = 0
    abstained: bool = True
    confidence: float = 0.0
    cost: Cost = field(default_factory=Cost)
    reports_read: int = 0
    facts: int = 0
    named: float | None = None
    notes: tuple[str, ...] = ()
    error: str = ""

    @property
    def is_answered(self) -> bool:
        """Whether there is an answer: neither an abstention nor an error."""
        return not self.abstained and not self.error

    def to_dict(self) -> dict[str, Any]:
        """Strict JSON data."""
        return {
            "text": self.text,
            "answers": list(self.answers),
            "answer_count": self.answer_count,
            "abstained": self.abstained,
            "confidence": round(self.confidence, 4),
            "cost": self.cost.to_dict(),
            "reports_read": self.reports_read,
            "facts": self.facts,
            "named": None if self.named is None else round(self.named, 4),
            "notes": list(self.notes),
            "error": self.error,
        }


def reports_read(run: Run) -> int:
    """How many reports of communities were read, by the last step of a run that says so: a number, or a list of them;
    0 where none does."""
    said = [step.details[REPORTS_READ] for step in run.steps if REPORTS_READ in step.details]
    if not said:
        said = [
            step.details["reports"]
            for step in run.steps
            if step.name == "reports" and "reports" in step.details
        ]
    read = said[-1] if said else 0
    return len(read) if isinstance(read, list) else int(read)
