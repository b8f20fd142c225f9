"""Finding names in segments: first as written, then as meant, then alike."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Literal

import numpy as np

from .rewording import rewordings
from .segment import AskedWord, Entry, NameSegment
from .similarity import WeightedName, may_be_misspelt, name_similarity
from .spelling import (
    FEWEST_INITIALS,
    MOST_INITIALS,
    acronym_key,
    as_keys,
    form_of,
    initials_of,
    order_key,
    spelling_key,
    variants_of,
    without_possessive,
    words_of,
)
from .vocabulary import Rows

MatchKind = Literal["exact", "variant", "fuzzy", "acronym", "meaning"]

WRITTEN_SO = 1.0
NORMALIZED_SO = 0.99
VARIANT = 0.97
# Candidates of each segment that are compared letter by letter.
_MOST_COMPARED = 64
# When nothing as good as this is found, words that no name has are looked for again, further from their spelling.
_GOOD = 0.9
# What is found only by cutting or joining words is a little less sure.
_REWORDED = 0.97
# Even the commonest word tells something.
_LEAST_WEIGHT = 0.1
# A single letter is an initial more often than a name.
_WEIGHT_OF_LETTER = 0.5
# What a possessive ending leaves behind.
_WEIGHT_OF_S = 0.02
# An acronym says the less the more names it may stand for; with four letters and more it is hardly ever chance.
_ACRONYM_OF_ONE = 0.92
_ACRONYM_OF_FEW = 0.82
_ACRONYM_OF_MANY = 0.65
_FEW = 3
_SURE_INITIALS = 4
# Scores that differ by less are a tie.
_DECIMALS = 6


@dataclass(frozen=True, slots=True)
class Hit:
    """A form that was found, in which segment."""

    segment: NameSegment
    form: int
    text: str
    score: float
    kind: MatchKind


@dataclass(frozen=True, slots=True)
class Found:
    """An entry that was found, and how well it matches."""

    entry: Entry
    score: float
    kind: MatchKind


class NameSearch:
    """Searches a fixed list of segments as if they were one."""

    def __init__(self, segments: Sequence[NameSegment]) -> None:
        self._segments = tuple(segments)
        self._form_count = sum(segment.live_forms for segment in self._segments)
        self._weight = lru_cache(maxsize=100_000)(self._weight_uncached)

    def exact(self, forms: Sequence[str]) -> list[list[Hit]]:
        """For each form the hits that are equal to it, or differ only in their blanks. Costs microseconds a form."""
        hits: list[list[Hit]] = [[] for _ in forms]
        keys = as_keys(map(spelling_key, forms))
        for segment in self._segments:
            for place, row in zip(*(rows.tolist() for rows in segment.lookup(keys)), strict=True):
                text, asked = segment.forms[row], forms[place]
                if text == asked:
                    hits[place].append(Hit(segment, row, text, NORMALIZED_SO, "exact"))
                elif text.replace(" ", "") == asked.replace(" ", ""):
                    hits[place].append(Hit(segment, row, text, VARIANT, "variant"))
        return hits

    def variants(self, name: str) -> list[Hit]:
        """Hits that mean the same: another order of the words, no possessive ending, the singular."""
        hits = [
            Hit(hit.segment, hit.form, hit.text, VARIANT, "variant")
            for found in self.exact(variants_of(name))
            for hit in found
        ]
        return hits + self._in_any_order(words_of(form_of(without_possessive(name))))

    def _in_any_order(self, words: Sequence[str]) -> list[Hit]:
        if len(words) < 2:
            return []
        keys = as_keys([order_key(words)])
        hits = []
        for segment in self._segments:
            for row in segment.lookup(keys)[1].tolist():
                text = segment.forms[row]
                if sorted(words_of(text)) == sorted(words):
                    hits.append(Hit(segment, row, text, VARIANT, "variant"))
        return hits

    def abbreviated(self, name: str) -> list[Hit]:
        """Hits of which ``name`` is the acronym, and hits that are the acronym of ``name``."""
        words = words_of(form_of(name))
        if len(words) == 1:
            return self._with_initials(name.strip(), words[0])
        return self._acronyms_of(words)

    def _with_initials(self, name: str, form: str) -> list[Hit]:
        """What begins so. A word in small letters must be none of the words that are in names."""
        if not (FEWEST_INITIALS <= len(form) <= MOST_INITIALS and form.isalpha()):
            return []
        is_written_so = name.isupper()
        if not is_written_so and (len(form) < _SURE_INITIALS or self.knows(form)):
            return []
        return self._found_by([acronym_key(form)], lambda text: form in initials_of(words_of(text)))

    def _acronyms_of(self, words: Sequence[str]) -> list[Hit]:
        """What is written in capitals, and made of the initials of these words."""
        initials = initials_of(words)
        hits = self._found_by(list(map(spelling_key, initials)), lambda text: text in initials)
        return [hit for hit in hits if any(name.isupper() for name in hit.segment.names_of(hit.form))]

    def _found_by(self, keys: Sequence[int], is_right: Callable[[str], bool]) -> list[Hit]:
        found = {
            (segment, row): text
            for segment in self._segments
            for row in dict.fromkeys(segment.lookup(as_keys(keys))[1].tolist())
            if is_right(text := segment.forms[row])
        }
        texts = set(found.values())
        score = (
            _ACRONYM_OF_ONE
            if len(texts) == 1
            else _ACRONYM_OF_FEW
            if len(texts) <= _FEW
            else _ACRONYM_OF_MANY
        )
        return [Hit(segment, row, text, score, "acronym") for (segment, row), text in found.items()]

    def alike(self, name: str, types: frozenset[str] | None) -> list[Hit]:
        """Hits that are spelt alike or have most of the words, the best first."""
        form = form_of(without_possessive(name))
        words = words_of(form)
        if not words:
            return []
        hits = self._compare(words, types) + self.abbreviated(without_possessive(name))
        hits.sort(key=lambda hit: (-hit.score, hit.text))
        if not hits or hits[0].score < _GOOD:
            if any(may_be_misspelt(word) and not self.likeness(word) for word in words):
                hits += self._compare(words, types, far=True)
            hits += [hit for again in rewordings(words, self) for hit in self._reworded(again, types)]
        return best_of_each_form(hits)

    def _reworded(self, words: Sequence[str], types: frozenset[str] | None) -> list[Hit]:
        hits = [*self._compare(words, types), *self._in_any_order(words)]
        return [replace(hit, score=round(_REWORDED * hit.score, _DECIMALS), kind="fuzzy") for hit in hits]

    def expand(
        self, hit: Hit, name: str, types: frozenset[str] | None, limit: int
    ) -> tuple[list[Found], int]:
        """The first nodes behind a hit, and how many there are: first those whose name is written just like ``name``,
        then by name and id."""
        segment = hit.segment
        entries = segment.live_entries(hit.form, types)
        written_so = segment.names_equal(entries, name, limit).tolist() if hit.kind == "exact" else []
        found = [Found(segment.entry(row), WRITTEN_SO, hit.kind) for row in written_so]
        for row in entries[: limit + len(written_so)].tolist():
            if row not in written_so:
                found.append(Found(segment.entry(row), hit.score, hit.kind))
        # A node may have two names of one form.
        if len(found) == len(entries):
            return found, len({item.entry.id for item in found})
        return found, len(np.unique(segment.entry_ids[entries]))

    def _compare(self, words: Sequence[str], types: frozenset[str] | None, *, far: bool = False) -> list[Hit]:
        asked = self._weighted(" ".join(words), words)
        asked_words = [
            AskedWord(word, weight, far) for word, weight in zip(asked.words, asked.weights, strict=True)
        ]
        hits = []
        for segment in self._segments:
            forms: Rows = segment.candidates(asked_words, _MOST_COMPARED, types)
            for row, text in zip(forms.tolist(), segment.forms.take(forms), strict=True):
                score = name_similarity(asked, self._weighted(text, words_of(text)))
                hits.append(Hit(segment, row, text, round(score, _DECIMALS), "fuzzy"))
        return sorted(hits, key=lambda hit: (-hit.score, hit.text))

    def _weighted(self, text: str, words: Sequence[str]) -> WeightedName:
        weights = [self._weight(word) for word in words]
        for place in range(1, len(words)):
            if words[place] == "s":
                weights[place] = _WEIGHT_OF_S
        return WeightedName(text, tuple(words), tuple(weights))

    def knows(self, word: str) -> bool:
        """Whether this very word is in a name; see :class:`~askgraph.indexes.rewording.Speller`."""
        return any(segment.vocabulary.find(word) is not None for segment in self._segments)

    def likeness(self, word: str) -> float:
        """How much the word is like one that is in a name, 0 to 1."""
        return max((segment.likeness(word) for segment in self._segments), default=0.0)

    def _weight_uncached(self, word: str) -> float:
        """0 to 1: how much a word tells about which name is meant."""
        frequency = sum(segment.word_frequency(word) for segment in self._segments)
        if not frequency:
            return _most_that_tells(word)
        rarity = math.log(1 + self._form_count / frequency) / math.log(1 + self._form_count)
        return max(_LEAST_WEIGHT, min(rarity, _most_that_tells(word)))


def _most_that_tells(word: str) -> float:
    return _WEIGHT_OF_LETTER if len(word) == 1 and word.isascii() and word.isalpha() else 1.0


def best_of_each_form(hits: Sequence[Hit]) -> list[Hit]:
    """Each form once, with its best score, the best first."""
    best: dict[tuple[int, int], Hit] = {}
    for hit in hits:
        key = (id(hit.segment), hit.form)
        if key not in best or hit.score > best[key].score:
            best[key] = hit
    return sorted(best.values(), key=lambda hit: (-hit.score, hit.text))
