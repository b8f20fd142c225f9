"""How like two names of types, relations or properties are: by letters, stems, initials, synonyms and slips of the pen.

A schema has few words, many times: what two words have to do with each other is looked at once and kept.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from rapidfuzz.distance import OSA

from ....core.words import normalize, split_identifier
from ....linking.language import Language
from ....querying.tokens import words as words_in

SAME_WORDS = 0.91
_SAME_LETTERS = 0.98
_SAME_STEMS = 0.94
_SYNONYMS = 0.86
_DEEDS = 0.88
_INITIALS = 0.88
_ONE_SLIP = 0.92
_TWO_SLIPS = 0.86
_SHORTEST_WITH_SLIP = 4
_SHORTEST_WITH_TWO_SLIPS = 7
_BY_LETTERS = 0.75
_PART = 0.82
_WHOLE_OF_A_PART = 0.95
_FEWEST_WITH_INITIALS = 3
_MOST_KEPT = 200_000
# Words of identifiers that say little: has_genre, IN_GENRE and genre_of are one relation.
_LITTLE = frozenset(words_in("has have is are was be of the a an in to by with for at on from and get"))


@dataclass(frozen=True, slots=True)
class NameParts:
    """A name taken apart.

    Attributes:
        joined: its words without blanks.
        words: its words, normalised.
        singular: ``joined`` with the last word in the singular.
        stems: the stems of its words.
        telling: those of the words that say something.
        pairs: the words that say something; all, where none does.
        initials: what it may be called for short.
    """

    joined: str
    words: tuple[str, ...]
    singular: str
    stems: tuple[str, ...]
    telling: frozenset[str]
    pairs: tuple[str, ...]
    initials: tuple[str, ...]


class NameLikeness:
    """Compares names by the rules of one language."""

    def __init__(self, rules: Language) -> None:
        self._rules = rules
        self._parts: dict[str, NameParts] = {}
        self._alike: dict[tuple[str, str], float] = {}

    def parts_of(self, name: str) -> NameParts:
        """A name taken apart."""
        known = self._parts.get(name)
        if known is None:
            known = self._parts[name] = self._taken_apart(tuple(normalize(split_identifier(name)).split()))
        return known

    def _taken_apart(self, words: tuple[str, ...]) -> NameParts:
        stems = tuple(map(self._rules.stem, words))
        telling = [stem for stem, word in zip(stems, words, strict=True) if word not in _LITTLE]
        return NameParts(
            joined="".join(words),
            words=words,
            singular="".join([*words[:-1], *(self._rules.singular(word) for word in words[-1:])]),
            stems=stems,
            telling=frozenset(telling or stems),
            pairs=tuple(word for word in words if word not in _LITTLE) or words,
            initials=_initials(words),
        )

    def compare(self, one: NameParts, other: NameParts) -> tuple[float, str]:
        """How like two names are, 0 to 1, and in what."""
        if not one.joined or not other.joined:
            return 0.0, ""
        if one.joined == other.joined:
            return _SAME_LETTERS, "the same name in another spelling"
        if one.singular == other.singular or one.stems == other.stems:
            return _SAME_STEMS, "another form of the same words"
        if one.telling == other.telling:
            return SAME_WORDS, "the same words"
        if one.joined in other.initials or other.joined in one.initials:
            return _INITIALS, "its initials"
        slip = _slip(one.joined, other.joined)
        by_words = self._by_words(one, other)
        why = "words that mean the same" if by_words > _PART else "a part"
        return max((slip, "a slip of the pen"), (by_words, why))

    def _by_words(self, one: NameParts, other: NameParts) -> float:
        """How much of the words of either name the other says too."""
        said = [self._best(word, other.words) for word in one.pairs]
        back = [self._best(word, one.words) for word in other.pairs]
        if min(said) >= _SYNONYMS and min(back) >= _SYNONYMS:
            return min(*said, *back)
        covered = (sum(said) + sum(back)) / (len(said) + len(back))
        # The shorter name is the whole of a part of the longer: born in birth place is less than in birth date.
        is_whole = min(said) >= _SYNONYMS or min(back) >= _SYNONYMS
        return _PART * max(covered, _WHOLE_OF_A_PART if is_whole else 0.0)

    def _best(self, word: str, others: Sequence[str]) -> float:
        return max(self._alike_words(word, other) for other in others)

    def _alike_words(self, one: str, other: str) -> float:
        """1 for forms of one word, less for synonyms, who does what, and slips of the pen; 0 for all else."""
        key = (one, other) if one <= other else (other, one)
        known = self._alike.get(key)
        if known is None:
            if len(self._alike) >= _MOST_KEPT:
                self._alike.clear()
            known = self._alike[key] = self._looked_at(*key)
        return known

    def _looked_at(self, one: str, other: str) -> float:
        rules = self._rules
        stem, other_stem = rules.stem(one), rules.stem(other)
        if rules.is_same_word(stem, other_stem):
            return 1.0
        if stem in rules.deeds(other) or other_stem in rules.deeds(one):
            return _DEEDS
        if self._are_synonyms(one, other) or _slip(one, other) >= _TWO_SLIPS:
            return _SYNONYMS
        return 0.0

    def _are_synonyms(self, one: str, other: str) -> bool:
        known, rules = self._rules.synonyms, self._rules
        for word, meant in ((one, other), (other, one)):
            listed = known.get(word, known.get(rules.singular(word), "")).split()
            if listed and rules.stem(meant) in map(rules.stem, listed):
                return True
        return False


def _slip(one: str, other: str) -> float:
    """By the letters that differ (optimal string alignment)."""
    shortest = min(len(one), len(other))
    distance = OSA.distance(one, other, score_cutoff=3)
    if distance == 1 and shortest >= _SHORTEST_WITH_SLIP:
        return _ONE_SLIP
    if distance == 2 and shortest >= _SHORTEST_WITH_TWO_SLIPS:
        return _TWO_SLIPS
    return _BY_LETTERS * OSA.normalized_similarity(one, other)


def _initials(words: Sequence[str]) -> tuple[str, ...]:
    """``bom`` for bill of material, and for bill of material (BOM) too: of three words or more."""
    if len(words) < _FEWEST_WITH_INITIALS:
        return ()
    found = ("".join(word[0] for word in words), "".join(word[0] for word in words[:-1]))
    return tuple(initials for initials in found if len(initials) >= _FEWEST_WITH_INITIALS)
