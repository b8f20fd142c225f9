"""How like two texts are, on the scale on which the name index scores names."""

from __future__ import annotations

from rapidfuzz.distance import OSA
from rapidfuzz.fuzz import token_set_ratio, token_sort_ratio

from ....core.words import normalize

_SAME_BUT_FOR_CASE = 0.99
_OTHER_ORDER = 0.97
_PART = 0.85


def likeness(one: str, other: str) -> float:
    """0 to 1: 1 for equal texts, 0.99 if they differ in case, accents and punctuation, 0.97 in the order of words.

    Below that by the letters that differ (optimal string alignment), and by the words that one has beyond the other.
    """
    if one == other:
        return 1.0
    left, right = normalize(one), normalize(other)
    if not left or not right:
        return 0.0
    if left == right:
        return _SAME_BUT_FOR_CASE
    if left.replace(" ", "") == right.replace(" ", "") or sorted(left.split()) == sorted(right.split()):
        return _OTHER_ORDER
    by_letters = OSA.normalized_similarity(left, right)
    by_words = token_sort_ratio(left, right) / 100
    by_part = _PART * token_set_ratio(left, right) / 100
    return float(min(max(by_letters, by_words, by_part), 0.96))
