"""How well a path fits a question: the sum of what speaks for it and against it. Of one path, or of many at once."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, TypeVar

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]
    Integers = NDArray[np.int64]
    _Number = TypeVar("_Number", float, Floats)

# How the parts of a score weigh: set by hand on CK25, Hetionet and small graphs; no other graph was measured.
WORDS = 0.55
MEANING = 0.30
STRAY = 0.12
FURTHER_HOP = 0.07
TURN = 0.10
DISORDER = 0.30
# The question says that something is shared, and the path does not lead back to what else has it.
UNSHARED = 0.10


@dataclass(frozen=True)
class Score:
    """How well a path fits.

    Attributes:
        explained: for each content word of the question how much of it the path explains, 0 to 1.
        meaning: the cosine of path and question, not below 0.
        stray: the share of the path's words that the question does not speak of.
        hops: its length.
        heard: how many of its hops a word of the question speaks of.
        silent: how many it does not speak of; one more where the last of several is among them.
        mute: how many of its hops no word speaks of by their own label, wherever they lead.
        turns: how often it goes back over the edge type that it came by, to what stands beside where it was, without
            that the question speaks of this edge type as often, or of sharing.
        shared: hops by which it goes back the way that it came, where the question asks for what is shared; their
            length does not count against it.
        disorder: the share of the question's words that it explains only against the order in which they stand; a hop
            that has no word of its own in this order counts like half a word.
        unshared: whether the question asks for what is shared, and it does not go back.
    """

    explained: NDArray[np.float64]
    meaning: float
    stray: float
    hops: int
    heard: int = 0
    silent: int = 0
    turns: int = 0
    shared: int = 0
    disorder: float = 0.0
    unshared: bool = False
    mute: int = 0

    @cached_property
    def cost(self) -> float:
        """What its shape costs, however well its words fit."""
        further = float(max(0, self.hops - self.shared - 1))
        return _cost(further, float(self.turns), self.disorder, float(self.unshared))

    @cached_property
    def total(self) -> float:
        """What ranks paths of one question."""
        words = float(self.explained.sum()) / len(self.explained) if len(self.explained) else 1.0
        return _total(words, self.meaning, self.stray, self.cost)


@dataclass(frozen=True, eq=False)
class Scores:
    """The scores of several paths of one length, as columns. ``explained`` has a row for each; see :class:`Score`."""

    explained: Floats
    meaning: Floats
    stray: Floats
    hops: int
    heard: Integers
    silent: Integers
    turns: Integers
    shared: Integers
    disorder: Floats
    unshared: NDArray[np.bool_]
    mute: Integers

    def __len__(self) -> int:
        """How many paths."""
        return len(self.meaning)

    def __getitem__(self, path: int) -> Score:
        """The score of one of them."""
        return Score(
            self.explained[path],
            float(self.meaning[path]),
            float(self.stray[path]),
            self.hops,
            int(self.heard[path]),
            int(self.silent[path]),
            int(self.turns[path]),
            int(self.shared[path]),
            float(self.disorder[path]),
            bool(self.unshared[path]),
            int(self.mute[path]),
        )

    @cached_property
    def totals(self) -> Floats:
        """What ranks them: :attr:`Score.total` of each."""
        further = np.maximum(0, self.hops - self.shared - 1).astype(np.float64)
        cost = _cost(further, self.turns.astype(np.float64), self.disorder, self.unshared.astype(np.float64))
        count = self.explained.shape[1]
        words = self.explained.sum(axis=1) / count if count else np.ones(len(self))
        return _total(words, self.meaning, self.stray, cost)


def _cost(further: _Number, turns: _Number, disorder: _Number, unshared: _Number) -> _Number:
    return FURTHER_HOP * further + TURN * turns + DISORDER * disorder + UNSHARED * unshared


def _total(words: _Number, meaning: _Number, stray: _Number, cost: _Number) -> _Number:
    return WORDS * words + MEANING * meaning - STRAY * stray - cost
