"""A language model as the judge of two answers to one question.

The criteria are those of Edge et al., "From Local to Global: A Graph RAG Approach to Query-Focused Summarization"
(2024, arXiv 2404.16130): comprehensiveness, diversity, empowerment, directness. Models prefer what stands first, or
last (Zheng et al., "Judging LLM-as-a-Judge", 2023, arXiv 2306.05685): so each pair is shown in both orders, and an
answer is better only where it is in both. Where the orders disagree it is a tie, and that they did is kept.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Final, Literal

from pydantic import BaseModel

from ..core.budget import Budget
from ..core.errors import AskgraphError
from ..core.model_call import Usage
from ..core.run import Run, without_credentials
from ..models.calls import ModelCalls
from ..models.language_model import LanguageModel
from ..models.prompts.prompts import Prompts

CRITERIA: Final = ("comprehensiveness", "diversity", "empowerment", "directness")
"""What answers are compared by, in this order."""

PROMPT: Final = "judge_answers"
_REPLY_TOKENS: Final = 1_000
_BETTER_REVERSED: Final[Mapping[str, Better]] = {"first": "second", "second": "first", "neither": "neither"}

Better = Literal["first", "second", "neither"]


class _Judgement(BaseModel):
    reason: str
    better: Better


class _Judgements(BaseModel):
    comprehensiveness: _Judgement
    diversity: _Judgement
    empowerment: _Judgement
    directness: _Judgement


@dataclass(frozen=True, slots=True)
class CriterionVerdict:
    """Which of two answers is better by one criterion.

    Attributes:
        better: the answer that is better in both orders; ``"neither"`` for a tie.
        in_order, reversed: what was said with the first answer shown first, and with the second shown first.
        reasons: why, in the judge's words, one of each order.
    """

    better: Better
    in_order: Better
    reversed: Better
    reasons: tuple[str, str]

    @property
    def depends_on_order(self) -> bool:
        """Whether the order in which the answers were shown changed the verdict."""
        return self.in_order != self.reversed

    def to_dict(self) -> dict[str, Any]:
        """Strict JSON data."""
        return {
            "better": self.better,
            "in_order": self.in_order,
            "reversed": self.reversed,
            "reasons": list(self.reasons),
        }


@dataclass(frozen=True, slots=True)
class PairVerdict:
    """What the judge said of two answers.

    Attributes:
        criteria: a verdict for each of :data:`CRITERIA`; empty where there is none.
        calls: how often the judge was asked.
        usage: what that took.
        error: why there is no verdict; empty where there is one.
    """

    criteria: Mapping[str, CriterionVerdict]
    calls: int
    usage: Usage
    error: str = ""

    def to_dict(self) -> dict[str, Any]:
        """Strict JSON data."""
        return {
            "criteria": {name: verdict.to_dict() for name, verdict in self.criteria.items()},
            "calls": self.calls,
            "usage": self.usage.to_dict(),
            "error": self.error,
        }


class PairwiseJudge:
    """Asks a model which of two answers is better.

    Args:
        model: the judge.
        prompts: where its prompt is read.
        budget: gives what one pair may take, anew for each.
    """

    def __init__(self, model: LanguageModel, prompts: Prompts, budget: Callable[[], Budget]) -> None:
        self._model = model
        self._prompts = prompts
        self._budget = budget

    @property
    def name(self) -> str:
        """The model's name."""
        return self._model.name

    def verdict(self, question: str, first: str, second: str) -> PairVerdict:
        """Compare two answers, in both orders. Nothing is asked of two that are the same: that is a tie.

        A failure of the model is part of the verdict, not raised: the other pairs can still be judged.

        Args:
            question: as it was asked.
            first: the text of one answer, without citations: their numbers differ between answers.
            second: the other's.
        """
        if first == second:
            same = CriterionVerdict("neither", "neither", "neither", ("The answers are the same.",) * 2)
            return PairVerdict(dict.fromkeys(CRITERIA, same), 0, Usage(cost=0.0))
        run = Run(question, graph="", graph_version="")
        calls = ModelCalls(self._model, self._budget(), run, self._prompts)
        criteria: Mapping[str, CriterionVerdict] = {}
        error = ""
        try:
            criteria = _combined(
                _asked(calls, question, first, second), _asked(calls, question, second, first)
            )
        except AskgraphError as failure:
            error = without_credentials(failure.message)
        return PairVerdict(criteria, len(run.calls), run.usage, error)


def _asked(calls: ModelCalls, question: str, first: str, second: str) -> Mapping[str, _Judgement]:
    data = {"question": question, "first_answer": first, "second_answer": second}
    judged = calls.structured(PROMPT, data, _Judgements, max_tokens=_REPLY_TOKENS)
    return {name: getattr(judged, name) for name in CRITERIA}


def _combined(
    in_order: Mapping[str, _Judgement], reversed_order: Mapping[str, _Judgement]
) -> Mapping[str, CriterionVerdict]:
    verdicts = {}
    for name in CRITERIA:
        one, other = in_order[name].better, _BETTER_REVERSED[reversed_order[name].better]
        verdicts[name] = CriterionVerdict(
            one if one == other else "neither",
            one,
            other,
            (in_order[name].reason, reversed_order[name].reason),
        )
    return verdicts
