"""How alike two names are: word by word, whatever their order, with typos, initials, cut and missing words."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from rapidfuzz.distance import OSA

# A word and its first letter: certain to fit, but many other words would.
_INITIAL = 0.8
# "hinge" and "hinges".
_PLURAL = 0.97
# A word and its beginning lie between this and 1, by how much of it is there.
_PREFIX = 0.75
_SHORTEST_PREFIX = 3
# What two different numbers or codes have in common says little: "sensor 1012" is not "sensor 1013".
_OTHER_CODE = 0.6
_SHORTEST_FUZZY = 3
# From here on Unicode has the scripts of East Asia.
_FIRST_IDEOGRAPH = "\u2e80"
# Below this two words are just different.
_LEAST_ALIKE = 0.5
# Of the score of two names: how much of the asked name is there, and how much of the found name was asked for.
# The first counts more, for people leave words out.
_ASKED_SHARE = 0.7
_REORDERED = 0.98
# "Alzheimer's" for "Alzheimer's disease".
_OWNER = 0.93
# Nothing that is not the same word for word is as good as what is: what lies above the first is pressed together so
# that it stays below the second.
_NEARLY_EXACT = 0.9
_BEST_INEXACT = 0.97


@dataclass(frozen=True, slots=True)
class WeightedName:
    """A normalised name, its words, and how much each word tells (a rare one more than a common one)."""

    text: str
    words: tuple[str, ...]
    weights: tuple[float, ...]


@lru_cache(maxsize=65_536)
def word_similarity(one: str, other: str) -> float:
    """0 (different) to 1 (equal) for two normalised words; the same both ways round."""
    if one == other:
        return 1.0
    short, long = (one, other) if len(one) <= len(other) else (other, one)
    if len(short) == 1:
        return _INITIAL if long.startswith(short) and long.isalpha() else 0.0
    if not (one.isalpha() and other.isalpha()):
        edits = _edits(one, other)
        return _OTHER_CODE * edits if edits > _LEAST_ALIKE else 0.0
    if long in plurals(short):
        return _PLURAL
    edits = _edits(one, other)
    if len(short) >= _SHORTEST_PREFIX and long.startswith(short):
        edits = max(edits, _PREFIX + (_PLURAL - _PREFIX) * len(short) / len(long))
    return edits if edits >= _LEAST_ALIKE else 0.0


def may_be_misspelt(word: str) -> bool:
    """Whether a word is long enough that one like it is likely to be the same; an ideograph says more than a letter."""
    return len(word) >= _SHORTEST_FUZZY or (len(word) > 1 and word[0] >= _FIRST_IDEOGRAPH)


def plurals(word: str) -> tuple[str, ...]:
    """The forms that English may give the plural of this word; most words have only one of them."""
    if word.endswith("y"):
        return (word[:-1] + "ies", word + "s")
    return (word + "s", word + "es")


def singulars(word: str) -> tuple[str, ...]:
    """The words of which this one may be an English plural."""
    forms = []
    if word.endswith("ies"):
        forms.append(word[:-3] + "y")
    if word.endswith("es"):
        forms.append(word[:-2])
    if word.endswith("s") and not word.endswith("ss"):
        forms.append(word[:-1])
    return tuple(form for form in forms if len(form) > 1)


def name_similarity(asked: WeightedName, found: WeightedName) -> float:
    """0 to 1 for two names that are not equal. A word that tells more counts more on either side."""
    pairs = _pair_up(asked.words, found.words)
    asked_part = _covered(asked.weights, [(place, alike) for place, _, alike in pairs])
    found_part = _covered(found.weights, [(place, alike) for _, place, alike in pairs])
    by_words = _ASKED_SHARE * asked_part + (1 - _ASKED_SHARE) * found_part
    order = [place for _, place, _ in sorted(pairs)]
    if order != sorted(order):
        by_words *= _REORDERED
    alike = max(by_words, _as_a_whole(asked, found, pairs, by_words))
    if _is_owner_of(asked.words, found.words):
        alike = max(alike, _OWNER)
    if alike <= _NEARLY_EXACT:
        return alike
    return _NEARLY_EXACT + (alike - _NEARLY_EXACT) * (_BEST_INEXACT - _NEARLY_EXACT) / (1 - _NEARLY_EXACT)


def _is_owner_of(asked: Sequence[str], found: Sequence[str]) -> bool:
    """Whether a name is called by its owner alone: "Alzheimer's", or carelessly "alzheimers", for a disease."""
    if "s" not in found[1:-1]:
        return False
    owner = tuple(found[: found.index("s", 1)])
    return tuple(asked) in (owner, (*owner[:-1], owner[-1] + "s"))


def _as_a_whole(
    asked: WeightedName, found: WeightedName, pairs: Sequence[tuple[int, int, float]], least: float
) -> float:
    """How alike the names are letter by letter, blanks included, which sees what words do not: a lost blank.

    0 below ``least``, and where it would deceive: when codes differ, or when a whole short word is missing ("H. Hoch"
    is not "Hoch").
    """
    alike = OSA.normalized_similarity(asked.text, found.text, score_cutoff=least)
    if alike == 0.0:
        return alike
    if _codes(asked.words) != _codes(found.words):
        return 0.0
    paired_asked, paired_found = {pair[0] for pair in pairs}, {pair[1] for pair in pairs}
    alone = [word for place, word in enumerate(asked.words) if place not in paired_asked]
    alone += [word for place, word in enumerate(found.words) if place not in paired_found]
    if any(len(word) < _SHORTEST_PREFIX for word in alone):
        return 0.0
    return alike


def _pair_up(asked: Sequence[str], found: Sequence[str]) -> list[tuple[int, int, float]]:
    """Words of one name with words of the other, each used once, the most alike first."""
    candidates = []
    for place, word in enumerate(asked):
        for other_place, other in enumerate(found):
            alike = word_similarity(word, other)
            if alike > 0.0:
                candidates.append((-alike, abs(place - other_place), place, other_place))
    candidates.sort()
    pairs: list[tuple[int, int, float]] = []
    used_asked: set[int] = set()
    used_found: set[int] = set()
    for alike, _, place, other_place in candidates:
        if place not in used_asked and other_place not in used_found:
            used_asked.add(place)
            used_found.add(other_place)
            pairs.append((place, other_place, -alike))
    return pairs


def _covered(weights: Sequence[float], matched: Sequence[tuple[int, float]]) -> float:
    total = sum(weights)
    return sum(weights[place] * alike for place, alike in matched) / total if total else 0.0


def _codes(words: Sequence[str]) -> list[str]:
    return sorted(word for word in words if not word.isalpha())


def _edits(one: str, other: str) -> float:
    # Optimal string alignment: an insertion, deletion, substitution or swap of neighbours costs 1.
    return OSA.normalized_similarity(one, other)
