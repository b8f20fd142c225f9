"""Blanks that were left out or put in by mistake: a name's words, cut and joined otherwise."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

# A part of a word that was cut in two; shorter ones fit by chance.
_SHORTEST_PART = 3
_LONGEST_WORD = 40


class Speller(Protocol):
    """What is known about words."""

    def knows(self, word: str) -> bool:
        """Whether this very word is in a name."""

    def likeness(self, word: str) -> float:
        """How much the word is like the known one that is most like it: 1 if it is known, 0 if none is like it."""


def rewordings(words: Sequence[str], speller: Speller) -> list[tuple[str, ...]]:
    """The words with one that nobody knows cut in two, or joined with its neighbour, where that gives known ones.

    At most two: the best cut and the best joint.
    """
    cuts: list[tuple[float, tuple[str, ...]]] = []
    joints: list[tuple[float, tuple[str, ...]]] = []
    for place, word in enumerate(words):
        # A single letter is an initial.
        if len(word) == 1 or speller.knows(word):
            continue
        before, after = tuple(words[:place]), tuple(words[place + 1 :])
        cuts += [(score, (*before, *parts, *after)) for score, parts in _cuts(word, speller)]
        if after and len(after[0]) > 1:
            joint = word + after[0]
            joints.append((speller.likeness(joint), (*before, joint, *after[1:])))
        if before and len(before[-1]) > 1 and speller.knows(before[-1]):
            joint = before[-1] + word
            joints.append((speller.likeness(joint), (*before[:-1], joint, *after)))
    return [
        words for group in (cuts, joints) for score, words in [max(group, default=(0.0, ()))] if score > 0.0
    ]


def _cuts(word: str, speller: Speller) -> list[tuple[float, tuple[str, str]]]:
    """Ways to cut a word into two known ones, of which at least one is there as it is."""
    found = []
    for place in range(1, len(word) if len(word) <= _LONGEST_WORD else 0):
        left, right = word[:place], word[place:]
        # Between letters and digits a blank is a matter of taste.
        border = left[-1].isdigit() != right[0].isdigit()
        if not border and min(len(left), len(right)) < _SHORTEST_PART:
            continue
        if speller.knows(left) or speller.knows(right):
            scores = speller.likeness(left), speller.likeness(right)
            if min(scores) > 0.0:
                # Of two cuts that are as good the one into more even parts is the less likely to be chance.
                found.append((sum(scores) + min(place, len(word) - place) / 1000, (left, right)))
    return found
