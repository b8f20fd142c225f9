"""One immutable part of a name index: where a text is looked up and candidates for a misspelt one are found."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from threading import local
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .array_file import ArrayFile
from .similarity import may_be_misspelt, plurals, singulars, word_similarity
from .strings import StringTable, ranges
from .vocabulary import Rows, Vocabulary

KIND = "name index segment"
FORMAT = 2

# Words less alike than this are not tried in place of the one that was written; codes count as less alike.
_LEAST_ALIKE = 0.6
_LEAST_ALIKE_CODE = 0.4
# A short word has many that are as much like it.
_SHORT = 4
_MOST_WORDS_ALIKE_SHORT = 64
_MOST_WORDS_ALIKE = 24
_MOST_WORDS_RESEMBLING = 200
# How many (word, form) pairs one search looks at. The rarest words come first, so what is left out is
# what tells least.
_MOST_POSTINGS = 60_000
# Candidates this much below the best are not looked at again.
_NEAR_BEST = 0.6
_MOST_REFINED = 20_000


@dataclass(frozen=True, slots=True)
class Alternatives:
    """Rows of vocabulary words that may be meant by a written one, ascending by how alike they are."""

    rows: Rows
    alike: NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class AskedWord:
    """A word of the name that is looked for, how much it tells, and whether to look far for its spelling."""

    text: str
    weight: float
    far: bool = False


@dataclass(frozen=True, slots=True)
class Entry:
    """One name of one node."""

    id: str
    name: str
    types: tuple[str, ...]


class NameSegment:
    """Names in arrays. ``removed`` are the rows of entries that no longer count, ascending."""

    def __init__(self, file: ArrayFile, removed: NDArray[np.int32]) -> None:
        self.file = file
        self.removed = removed
        self.forms = StringTable(file["forms.text"], file["forms.offsets"])
        self.ids = StringTable(file["ids.text"], file["ids.offsets"])
        self._names = StringTable(file["names.text"], file["names.offsets"])
        self._types = list(StringTable(file["types.text"], file["types.offsets"])[:])
        self._type_set_offsets = file["type_sets.offsets"]
        self._type_set_types = file["type_sets.types"]
        self._entry_offsets = file["entries.offsets"]
        self.entry_ids = file["entries.ids"]
        self._entry_types = file["entries.types"]
        self._key_hashes = file["keys.hashes"]
        self._key_forms = file["keys.forms"]
        self._form_words = file["form_words.words"]
        self._form_word_offsets = file["form_words.offsets"]
        self._first_forms = file["form_words.firsts"]
        self._word_forms = file["word_forms.forms"]
        self._word_form_offsets = file["word_forms.offsets"]
        self.vocabulary = Vocabulary(file)
        self._scratch = _Scratch()
        self._near = lru_cache(maxsize=8192)(self._near_uncached)
        self._far = lru_cache(maxsize=1024)(self._far_uncached)
        self._allowed_type_sets = lru_cache(maxsize=64)(self._allowed_type_sets_uncached)

    def __len__(self) -> int:
        """How many entries there are, removed ones included."""
        return len(self.entry_ids)

    def lookup(self, keys: NDArray[np.uint64]) -> tuple[Rows, Rows]:
        """Positions in ``keys`` and the forms that have that key, in pairs; most keys usually have none."""
        first = np.searchsorted(self._key_hashes, keys, side="left")
        inside = np.flatnonzero(first < len(self._key_hashes))
        hits = inside[self._key_hashes[first[inside]] == keys[inside]]
        counts = np.searchsorted(self._key_hashes, keys[hits], side="right") - first[hits]
        return np.repeat(hits, counts), self._key_forms[ranges(first[hits], counts)].astype(np.int64)

    @property
    def live_forms(self) -> int:
        """How many forms there are that an entry still has."""
        return len(self.forms) - len(self._dead_forms)

    def word_frequency(self, word: str) -> int:
        """How many of these have this word."""
        row = self.vocabulary.find(word)
        if row is None:
            return 0
        everywhere = int(self._word_form_offsets[row + 1] - self._word_form_offsets[row])
        return everywhere - self._dead_words.get(row, 0)

    @cached_property
    def _dead_forms(self) -> Rows:
        """The forms of which every entry was removed."""
        if not len(self.removed):
            return np.empty(0, dtype=np.int64)
        owners = np.searchsorted(self._entry_offsets, self.removed, side="right") - 1
        forms, removed = np.unique(owners, return_counts=True)
        dead: Rows = forms[removed == self._entry_offsets[forms + 1] - self._entry_offsets[forms]]
        return dead

    @cached_property
    def _dead_words(self) -> dict[int, int]:
        """How many of the dead forms have each word."""
        starts = self._form_word_offsets[self._dead_forms].astype(np.int64)
        lengths = self._form_word_offsets[self._dead_forms + 1] - starts
        words = self._form_words[ranges(starts, lengths, most=len(self._form_words))].astype(np.int64)
        # A word that a form has twice counts once.
        distinct = np.unique(np.repeat(self._dead_forms, lengths) * len(self.vocabulary) + words)
        rows, counts = np.unique(distinct % max(1, len(self.vocabulary)), return_counts=True)
        return dict(zip(rows.tolist(), counts.tolist(), strict=True))

    def live_entries(self, form: int, types: frozenset[str] | None) -> Rows:
        """Rows of the entries of a form that still count and have one of the types, ordered by name and id."""
        entries = np.arange(self._entry_offsets[form], self._entry_offsets[form + 1], dtype=np.int64)
        if len(self.removed):
            entries = entries[~_contains(self.removed, entries)]
        if types is not None:
            entries = entries[self._allowed_type_sets(types)[self._entry_types[entries]]]
        return entries

    def entry(self, row: int) -> Entry:
        """The entry in this row."""
        return Entry(
            self.ids[int(self.entry_ids[row])], self._names[row], self._type_set(int(self._entry_types[row]))
        )

    def names_of(self, form: int) -> list[str]:
        """How the entries of a form are written."""
        return self._names[int(self._entry_offsets[form]) : int(self._entry_offsets[form + 1])]

    def names_equal(self, entries: Rows, name: str, limit: int) -> Rows:
        """Those of a form's entries whose name is written exactly so, at most ``limit``. They are ordered by name."""
        first = bisect_left(entries, name, key=lambda entry: self._names[int(entry)])
        end = first
        while end < min(len(entries), first + limit) and self._names[int(entries[end])] == name:
            end += 1
        return entries[first:end]

    def candidates(self, words: Sequence[AskedWord], limit: int, types: frozenset[str] | None) -> Rows:
        """At most ``limit`` forms that have most of these words, or words like them."""
        alternatives = [(word, self._alternatives(word)) for word in words]
        known = [(word, found) for word, found in alternatives if len(found.rows)]
        # Initials choose among the names that the other words find.
        known = [(word, found) for word, found in known if len(word.text) > 1] or known
        forms, scores, left_out = self._count(known, len(words))
        if types is not None:
            fits = self._have_type(forms, types)
            forms, scores = forms[fits], scores[fits]
        if len(forms) > _MOST_REFINED:
            fitting = self._of_fitting_length(forms, scores, len(words))
            forms, scores = forms[fitting], scores[fitting]
        if not len(forms):
            return forms
        refined = self._refine(forms, scores, left_out, words)
        best = np.lexsort((forms, -refined))[:limit]
        return forms[best]

    def _alternatives(self, word: AskedWord) -> Alternatives:
        near = self._near(word.text)
        return self._far(word.text) if word.far and not len(near.rows) else near

    def _near_uncached(self, word: str) -> Alternatives:
        vocabulary = self.vocabulary
        exact = vocabulary.find(word)
        rows = [] if exact is None else [exact]
        if may_be_misspelt(word):
            rows += vocabulary.within_one_edit(word).tolist()
            inflected = map(vocabulary.find, (*plurals(word), *singulars(word)))
            rows += [row for row in inflected if row is not None]
        return self._ranked(word, sorted(set(rows)))

    def _far_uncached(self, word: str) -> Alternatives:
        if not may_be_misspelt(word):
            return self._ranked(word, [])
        return self._ranked(word, sorted(self.vocabulary.resembling(word, _MOST_WORDS_RESEMBLING).tolist()))

    def _ranked(self, word: str, rows: list[int]) -> Alternatives:
        places = np.array(rows, dtype=np.int64)
        others = self.vocabulary.words.take(places)
        alike = np.array([word_similarity(word, other) for other in others], dtype=np.float32)
        most = _MOST_WORDS_ALIKE_SHORT if len(word) <= _SHORT else _MOST_WORDS_ALIKE
        least = _LEAST_ALIKE if word.isalpha() else _LEAST_ALIKE_CODE
        best = np.lexsort((places, -alike))[:most][::-1]
        best = best[alike[best] >= least]
        return Alternatives(places[best], alike[best])

    def likeness(self, word: str) -> float:
        """How much the word is like the one of the vocabulary that is most like it; 1 if it is there."""
        alike = self._near(word).alike
        return float(alike[-1]) if len(alike) else 0.0

    def _count(
        self, words: list[tuple[AskedWord, Alternatives]], asked: int
    ) -> tuple[Rows, NDArray[np.float32], list[tuple[AskedWord, Alternatives]]]:
        """The forms that have most of the words, ascending; their scores; the words that were too common to count."""
        scores, alike = self._scratch.arrays(len(self.forms))
        touched: list[NDArray[np.int32]] = [np.empty(0, dtype=np.int32)]
        left_out, spent = [], 0
        try:
            for word, found in sorted(words, key=lambda pair: (self._cost(pair[1].rows), pair[0].text)):
                cost = self._cost(found.rows)
                if spent and spent + cost > _MOST_POSTINGS:
                    left_out.append((word, found))
                    continue
                forms, values = (
                    self._postings(found) if cost <= _MOST_POSTINGS else self._fitting(found, asked)
                )
                touched.append(forms)
                spent += cost
                # Alternatives come in ascending order, so the most alike one stays; and a form that comes twice
                # gets its score once.
                alike[forms] = values
                scores[forms] += np.float32(word.weight) * alike[forms]
            joined = np.concatenate(touched)
            reached = scores[joined]
            near_best = np.sort(joined[reached >= _NEAR_BEST * reached.max(initial=0.0)])
            distinct = (
                near_best[np.append(True, near_best[1:] != near_best[:-1])] if len(near_best) else near_best
            )
            return distinct.astype(np.int64), scores[distinct], left_out
        finally:
            for forms in touched:
                scores[forms] = 0.0

    def _cost(self, rows: Rows) -> int:
        return int((self._word_form_offsets[rows + 1] - self._word_form_offsets[rows]).sum())

    def _postings(self, found: Alternatives) -> tuple[NDArray[np.int32], NDArray[np.float32]]:
        starts = self._word_form_offsets[found.rows].astype(np.int64)
        lengths = self._word_form_offsets[found.rows + 1] - starts
        forms = self._word_forms[ranges(starts, lengths, most=len(self._word_forms))]
        return forms, np.repeat(found.alike, lengths)

    def _fitting(self, found: Alternatives, asked: int) -> tuple[NDArray[np.int32], NDArray[np.float32]]:
        """Of a word that is in very many forms those with about as many words as were asked for; they lie together."""
        row = int(found.rows[-1])
        forms = self._word_forms[self._word_form_offsets[row] : self._word_form_offsets[row + 1]]
        first = int(np.searchsorted(forms, self._first_forms[asked].astype(np.int32)))
        chosen = forms[first : first + _MOST_POSTINGS]
        return chosen, np.full(len(chosen), found.alike[-1])

    def _of_fitting_length(self, forms: Rows, scores: NDArray[np.float32], words: int) -> Rows:
        lengths = self._form_word_offsets[forms + 1] - self._form_word_offsets[forms]
        # Fewer words than were asked for is worse than as many more.
        misfit = np.where(lengths < words, 2 * (words - lengths), lengths - words)
        best: Rows = np.sort(np.lexsort((forms, misfit, -scores))[:_MOST_REFINED])
        return best

    def _refine(
        self,
        forms: Rows,
        scores: NDArray[np.float32],
        left_out: list[tuple[AskedWord, Alternatives]],
        words: Sequence[AskedWord],
    ) -> NDArray[np.float32]:
        """Scores that also count common words, initials and the words of a form that nobody asked for."""
        starts = self._form_word_offsets[forms].astype(np.int64)
        lengths = self._form_word_offsets[forms + 1] - starts
        tokens = self._form_words[ranges(starts, lengths, most=len(self._form_words))]
        bounds = np.cumsum(lengths) - lengths
        total = scores.copy()
        for word, found in left_out:
            total += word.weight * np.logical_or.reduceat(np.isin(tokens, found.rows), bounds)
        for word in words:
            if len(word.text) == 1:
                named_so = self.vocabulary.with_prefix(word.text)
                fits = (tokens >= named_so.start) & (tokens < named_so.stop)
                total += 0.5 * word.weight * np.logical_or.reduceat(fits, bounds)
        asked = sum(word.weight for word in words) or 1.0
        surplus = np.maximum(lengths - len(words), 0) / np.maximum(lengths, 1)
        refined: NDArray[np.float32] = (total / asked - 0.15 * surplus).astype(np.float32)
        return refined

    def _have_type(self, forms: Rows, types: frozenset[str]) -> NDArray[np.bool_]:
        allowed = self._allowed_type_sets(types)
        starts = self._entry_offsets[forms].astype(np.int64)
        lengths = self._entry_offsets[forms + 1] - starts
        fits = allowed[self._entry_types[ranges(starts, lengths, most=len(self))]]
        have: NDArray[np.bool_] = (
            np.logical_or.reduceat(fits, np.cumsum(lengths) - lengths) if len(fits) else fits
        )
        return have

    def _allowed_type_sets_uncached(self, types: frozenset[str]) -> NDArray[np.bool_]:
        wanted = np.array([name in types for name in self._types], dtype=bool)
        allowed = np.zeros(len(self._type_set_offsets) - 1, dtype=bool)
        sizes = np.diff(self._type_set_offsets)
        owners = np.repeat(np.arange(len(allowed)), sizes)
        allowed[owners[wanted[self._type_set_types]]] = True
        return allowed

    def _type_set(self, row: int) -> tuple[str, ...]:
        start, stop = self._type_set_offsets[row], self._type_set_offsets[row + 1]
        return tuple(self._types[place] for place in self._type_set_types[start:stop])


class _Scratch(local):
    """Two arrays of zeros for each thread, kept from search to search; making them costs more than a search.

    Whoever uses them sets what was changed in the first back to zero.
    """

    def __init__(self) -> None:
        self._arrays = (np.zeros(0, dtype=np.float32), np.zeros(0, dtype=np.float32))

    def arrays(self, size: int) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
        if len(self._arrays[0]) != size:
            self._arrays = (np.zeros(size, dtype=np.float32), np.zeros(size, dtype=np.float32))
        return self._arrays


def _contains(sorted_rows: NDArray[Any], wanted: Rows) -> NDArray[np.bool_]:
    places = np.searchsorted(sorted_rows, wanted)
    places[places == len(sorted_rows)] = 0
    found: NDArray[np.bool_] = sorted_rows[places] == wanted
    return found
