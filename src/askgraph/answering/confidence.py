"""How sure an answer is, and when there is none."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ..linking.linker import LinkedQuestion
from ..retrievers.paths import Finding

# Below this, a reading is no answer; measured on the example graphs (docs/confidence.md says how).
LEAST_TOTAL = 0.30
_CLEAR_MARGIN = 0.10


@dataclass(frozen=True, slots=True)
class Judgement:
    """A confidence from 0 to 1, and why there should be no answer (empty if there should be one)."""

    confidence: float
    reason_to_abstain: str = ""


def judge(question: LinkedQuestion, findings: Sequence[Finding]) -> Judgement:
    """Judge the best of the readings by its fit, by the next different one, and by the links that it rests on."""
    if not question.nodes:
        return Judgement(0.0, _nothing_linked(question))
    if not findings:
        names = ", ".join(dict.fromkeys(link.name for link in question.nodes[:3]))
        return Judgement(0.0, f"The graph knows {names}, and no path from there fits the question.")
    best = findings[0]
    fit = max(0.0, min(1.0, best.total))
    other = next(
        (item for item in findings[1:] if set(item.ends) != set(best.ends) or item.values != best.values),
        None,
    )
    margin = 1.0 if other is None else max(0.0, min(1.0, (best.total - other.total) / _CLEAR_MARGIN))
    confidence = fit * (0.7 + 0.3 * margin)
    if best.total < LEAST_TOTAL:
        return Judgement(
            confidence, "Nothing in the graph supports an answer: no relation found there fits the question."
        )
    return Judgement(confidence)


def _nothing_linked(question: LinkedQuestion) -> str:
    if question.unlinked:
        words = ", ".join(repr(item.mention.text) for item in question.unlinked[:3])
        return f"Nothing in the graph is called {words}."
    return "No word of the question names anything in the graph."
