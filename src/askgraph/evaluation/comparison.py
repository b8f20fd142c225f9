"""Two evaluations of the same questions: what changed, by how much, and whether that may be chance.

Questions are paired by their words. Of each measure the mean difference is given with a bootstrap interval of 95 per
cent (Efron, 1979: pairs are drawn again with replacement; the percentiles of the means), and for the answers themselves
a two-sided sign test: how likely so uneven a split between better and worse is if both are equally likely.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any, Final

from ..core.errors import EvaluationError
from .evaluated import Evaluation
from .outcome import Outcome

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

_RESAMPLES: Final = 10_000
_RESAMPLES_AT_ONCE: Final = 2_000_000
_SAME: Final = 1e-9

_MEASURES: Final[tuple[tuple[str, Callable[[Outcome], float | None]], ...]] = (
    ("credit", lambda outcome: outcome.credit),
    ("hit_1", lambda outcome: outcome.hit_1),
    ("f1", lambda outcome: outcome.f1),
    ("answered", lambda outcome: outcome.is_answered),
    ("seconds", lambda outcome: outcome.seconds),
)


@dataclass(frozen=True, slots=True)
class Difference:
    """A measure in both: means over the questions it applies to in both, and the mean difference with its interval."""

    measure: str
    questions: int
    before: float
    after: float
    low: float
    high: float

    @property
    def change(self) -> float:
        """The mean difference, after less before."""
        return self.after - self.before

    @property
    def is_clear(self) -> bool:
        """Whether the interval leaves out zero."""
        return self.low > 0 or self.high < 0

    def to_dict(self) -> dict[str, Any]:
        """Strict JSON data."""
        data = asdict(self) | {"change": self.change}
        return {key: round(value, 6) if isinstance(value, float) else value for key, value in data.items()}


@dataclass(frozen=True, slots=True)
class Change:
    """A question whose answer is worth more or less than before, or is another one worth the same."""

    before: Outcome
    after: Outcome

    @property
    def gain(self) -> float:
        """What its answer is worth more than before."""
        return self.after.credit - self.before.credit

    def to_dict(self) -> dict[str, Any]:
        """Strict JSON data."""
        return {
            "question": self.after.question,
            "gain": round(self.gain, 4),
            "before": self.before.to_dict(),
            "after": self.after.to_dict(),
        }


@dataclass(frozen=True, slots=True)
class Comparison:
    """Two evaluations compared.

    Attributes:
        before, after: the two.
        paired: how many questions are in both.
        only_before, only_after: how many are in one only.
        differences: of each measure.
        better, worse, other: questions whose answer is worth more, less, or is another one worth the same; the greatest
            changes first.
        sign_test: the probability of a split at least as uneven, if better and worse were equally likely.
        notes: what makes the two hard to compare, in plain sentences.
    """

    before: Evaluation
    after: Evaluation
    paired: int
    only_before: int
    only_after: int
    differences: tuple[Difference, ...]
    better: tuple[Change, ...]
    worse: tuple[Change, ...]
    other: tuple[Change, ...]
    sign_test: float
    notes: tuple[str, ...] = ()

    def to_dict(self) -> dict[str, Any]:
        """Strict JSON data."""
        return {
            "before": self.before.id,
            "after": self.after.id,
            "paired": self.paired,
            "only_before": self.only_before,
            "only_after": self.only_after,
            "differences": [difference.to_dict() for difference in self.differences],
            "sign_test": round(self.sign_test, 6),
            "better": [change.to_dict() for change in self.better],
            "worse": [change.to_dict() for change in self.worse],
            "other": [change.to_dict() for change in self.other],
            "notes": list(self.notes),
        }


def compare(before: Evaluation, after: Evaluation, *, seed: int = 0) -> Comparison:
    """Compare two evaluations question by question.

    Args:
        before: the one that is compared with.
        after: the other.
        seed: of the bootstrap; the same seed gives the same intervals.

    Raises:
        EvaluationError: they have no question in common.
    """
    pairs, only_before, only_after = _paired(before.outcomes, after.outcomes)
    if not pairs:
        raise EvaluationError(
            "the two evaluations have no question in common", advice="Compare two of one set."
        )
    changes = [Change(one, other) for one, other in pairs]
    better = sorted((item for item in changes if item.gain > _SAME), key=lambda item: -item.gain)
    worse = sorted((item for item in changes if item.gain < -_SAME), key=lambda item: item.gain)
    other = [item for item in changes if abs(item.gain) <= _SAME and _is_another(item)]
    return Comparison(
        before=before,
        after=after,
        paired=len(pairs),
        only_before=only_before,
        only_after=only_after,
        differences=tuple(_differences(pairs, seed)),
        better=tuple(better),
        worse=tuple(worse),
        other=tuple(other),
        sign_test=sign_test(len(better), len(worse)),
        notes=tuple(_notes(before, after)),
    )


def _paired(
    before: Sequence[Outcome], after: Sequence[Outcome]
) -> tuple[list[tuple[Outcome, Outcome]], int, int]:
    """The pairs, in the order of the second; and how many questions each has alone."""
    waiting: dict[str, list[Outcome]] = {}
    for outcome in reversed(before):
        waiting.setdefault(outcome.question, []).append(outcome)
    pairs = []
    for outcome in after:
        same = waiting.get(outcome.question)
        if same:
            pairs.append((same.pop(), outcome))
    return pairs, len(before) - len(pairs), len(after) - len(pairs)


def _is_another(change: Change) -> bool:
    def seen(outcome: Outcome) -> tuple[Any, ...]:
        return (outcome.is_answered, outcome.answers, outcome.answer_count)

    return seen(change.before) != seen(change.after)


def sign_test(better: int, worse: int) -> float:
    """Two-sided probability of so uneven a split or a more uneven one, if each question falls either way alike."""
    total, fewer = better + worse, min(better, worse)
    tail = sum(math.comb(total, count) for count in range(fewer + 1))
    return min(1.0, 2 * tail / (1 << total))


def _differences(pairs: Sequence[tuple[Outcome, Outcome]], seed: int) -> list[Difference]:
    import numpy as np

    found = []
    for number, (measure, of) in enumerate(_MEASURES):
        values = [(of(one), of(other)) for one, other in pairs]
        both = [(float(one), float(other)) for one, other in values if one is not None and other is not None]
        if not both:
            continue
        table = np.array(both)
        low, high = bootstrap_interval(table[:, 1] - table[:, 0], seed + number)
        found.append(
            Difference(measure, len(both), float(table[:, 0].mean()), float(table[:, 1].mean()), low, high)
        )
    return found


def bootstrap_interval(differences: NDArray[np.float64], seed: int) -> tuple[float, float]:
    """The interval of 95 per cent of the mean of some differences."""
    import numpy as np

    count = len(differences)
    generator = np.random.default_rng(seed)
    means: list[NDArray[np.float64]] = []
    left = _RESAMPLES
    while left > 0:  # a few at a time: many questions would take much memory
        now = min(left, max(1, _RESAMPLES_AT_ONCE // count))
        means.append(differences[generator.integers(0, count, size=(now, count))].mean(axis=1))
        left -= now
    low, high = np.quantile(np.concatenate(means), [0.025, 0.975])
    return float(low), float(high)


def _notes(before: Evaluation, after: Evaluation) -> list[str]:
    notes = []
    if before.questions.get("digest") != after.questions.get("digest"):
        notes.append("The two are of different files of questions; only those that both have are compared.")
    if before.graph_version != after.graph_version:
        notes.append("The two are of different graphs, or of different versions of one.")
    names = [name for name in before.options if before.options[name] != after.options.get(name)]
    changed = [f"{name}: {before.options[name]} before, {after.options.get(name)} after" for name in names]
    if changed:
        notes.append(f"They were run differently ({'; '.join(changed)}).")
    return notes
