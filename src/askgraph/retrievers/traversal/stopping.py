"""When the traversal has collected enough: by how probable the next path is, compared with those collected."""

from __future__ import annotations

import math
import statistics
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from ...core.errors import SettingsError


@dataclass(frozen=True, slots=True)
class AdaptiveStopping:
    """The rule by which a traversal ends. A probability is ``exp(cos)``, so it lies between 0.37 and 2.72.

    Attributes:
        min_subgraphs: so many are collected whatever they are like.
        max_subgraphs: never more than these.
        quality_threshold_ratio: above the minimum the end has come if the next path is less probable than this part of
            the median of those collected.
        absolute_prob_threshold: or if it is less probable than this; 1.5 is ``exp(0.4)``.
    """

    min_subgraphs: int = 3
    max_subgraphs: int = 15
    quality_threshold_ratio: float = 0.65
    absolute_prob_threshold: float = 1.5

    def __post_init__(self) -> None:
        """Numbers that make no rule are a mistake of the caller."""
        for name in ("min_subgraphs", "max_subgraphs"):
            value = getattr(self, name)
            if isinstance(value, bool) or not isinstance(value, int) or value < 1:
                raise SettingsError(f"{name} must be a whole number above zero, not {value!r}")
        if self.min_subgraphs > self.max_subgraphs:
            raise SettingsError(
                f"min_subgraphs ({self.min_subgraphs}) is more than max_subgraphs ({self.max_subgraphs})"
            )
        for name in ("quality_threshold_ratio", "absolute_prob_threshold"):
            value = getattr(self, name)
            if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value < math.inf:
                raise SettingsError(f"{name} must be a number that is not negative, not {value!r}")

    def reason_to_stop(self, collected: Sequence[float], following: float) -> str:
        """Why to stop, in words; empty to go on.

        Args:
            collected: the probabilities of the subgraphs collected.
            following: the probability of the next path in the queue.
        """
        if len(collected) >= self.max_subgraphs:
            return f"{len(collected)} subgraphs were collected, the most allowed"
        if len(collected) < self.min_subgraphs:
            return ""
        if following < self.absolute_prob_threshold:
            return f"the next path ({following:.2f}) is below {self.absolute_prob_threshold:g}"
        least = self.quality_threshold_ratio * statistics.median(collected)
        if following < least:
            return f"the next path ({following:.2f}) is below {least:.2f}, which the median of those collected asks for"
        return ""


BALANCED: Final = AdaptiveStopping()
"""What holds where nobody says anything else."""

AGGRESSIVE: Final = AdaptiveStopping(2, 10, 0.75, 2.0)
"""Fewer subgraphs, sooner."""

CONSERVATIVE: Final = AdaptiveStopping(5, 20, 0.4, 1.0)
"""More subgraphs, to miss less."""


def hard_limit(subgraphs: int) -> AdaptiveStopping:
    """Always so many subgraphs, if there are so many: no adaptive stopping."""
    return AdaptiveStopping(subgraphs, subgraphs)
