"""The distinct words of all names, and the ways from a word that was written to the words that were meant.

Words are sorted, so a word is found by bisection and all words with a prefix are one range. Beside them lie two
indexes of spelling. One has each word with each one of its letters left out: two words within one edit (a letter
added, dropped, changed, or two neighbours swapped) have such a form in common, or one is such a form of the other (the
symmetric deletion of Garbe's SymSpell, 2012). The other has the pairs of adjacent letters of each word, for words
further apart (Ukkonen's q-grams, 1992: k edits change at most 2k of the pairs, 3k where neighbours are swapped).
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .strings import StringTable, compact, offsets_of, ranges

# Beyond this a word (a code, a formula, a web address) is not worth an entry for each of its letters.
_LONGEST_WORD_WITH_DELETIONS = 24
# Pairs so common that their words would cost more to count than they tell.
_POSTINGS_PER_LOOKUP = 80_000
_LANDMARK_STEP = 64
_LAST_CHARACTER = "\U0010ffff"
# Stands before the first and after the last letter of a word; no normalised word has it.
_EDGE = 0
_HASH_FACTOR = np.uint64(0x9E3779B97F4A7C15)

Rows = NDArray[np.int64]


class Vocabulary:
    """Words by their row; reads arrays that :func:`vocabulary_arrays` made."""

    def __init__(self, arrays: Mapping[str, NDArray[Any]] | Any) -> None:
        self.words = StringTable(arrays["words.text"], arrays["words.offsets"])
        self._deletion_hashes = arrays["deletions.hashes"]
        self._deletion_words = arrays["deletions.words"]
        self._pair_keys = arrays["pairs.keys"]
        self._pair_offsets = arrays["pairs.offsets"]
        self._pair_words = arrays["pairs.words"]
        self._pair_counts = arrays["pairs.counts"]

    def __len__(self) -> int:
        return len(self.words)

    def find(self, word: str) -> int | None:
        """The row of this very word."""
        row = self._first_from(word)
        return row if row < len(self.words) and self.words[row] == word else None

    def with_prefix(self, prefix: str) -> range:
        """The rows of all words that begin so."""
        return range(self._first_from(prefix), self._first_from(prefix + _LAST_CHARACTER))

    def within_one_edit(self, word: str) -> Rows:
        """Rows of all words one edit away, the word itself if it is there, and a few that are two edits away."""
        if not word or len(word) > _LONGEST_WORD_WITH_DELETIONS + 1:
            return np.empty(0, dtype=np.int64)
        wanted = _hashes_of_one(_letters([word])[0])
        first = np.searchsorted(self._deletion_hashes, wanted, side="left")
        last = np.searchsorted(self._deletion_hashes, wanted, side="right")
        return np.unique(self._deletion_words[ranges(first, last - first)]).astype(np.int64)

    def resembling(self, word: str, limit: int) -> Rows:
        """Rows of at most ``limit`` words, those that share most pairs of letters with ``word`` first."""
        pairs = np.unique(_pairs_of(_letters([word]))[0])
        places = np.searchsorted(self._pair_keys, pairs)
        places = places[places < len(self._pair_keys)]
        places = places[np.isin(self._pair_keys[places], pairs)]
        sizes = self._pair_offsets[places + 1].astype(np.int64) - self._pair_offsets[places]
        rarest = np.argsort(sizes, kind="stable")
        # The rarest pair is always looked up; of the others as many as the limit allows.
        affordable = rarest[np.cumsum(sizes[rarest]) <= max(_POSTINGS_PER_LOOKUP, int(sizes.min(initial=0)))]
        found = self._pair_words[
            ranges(self._pair_offsets[places[affordable]], sizes[affordable], most=len(self._pair_words))
        ]
        rows, shared = _counted(found)
        # Dice's coefficient over the pairs that were looked up.
        dice = 2.0 * shared / (len(affordable) + self._pair_counts[rows])
        best = np.lexsort((rows, -dice))[:limit]
        chosen: Rows = rows[best].astype(np.int64)
        return chosen

    def _first_from(self, word: str) -> int:
        """The row of the first word that is not less."""
        landmark = bisect_left(self._landmarks, word)
        start, stop = max(landmark - 1, 0) * _LANDMARK_STEP, landmark * _LANDMARK_STEP
        return bisect_left(self.words, word, start, min(stop, len(self.words)))

    @cached_property
    def _landmarks(self) -> list[str]:
        """Every 64th word, decoded: most of a bisection is spent among these."""
        return self.words[::_LANDMARK_STEP]


def vocabulary_arrays(words: Sequence[str], table: StringTable) -> dict[str, NDArray[Any]]:
    """The arrays of a vocabulary. ``words`` are sorted and distinct, ``table`` holds the same."""
    deletion_hashes, deletion_words = _deletion_arrays(words)
    keys, pair_words = _pair_arrays(words)
    distinct, sizes = np.unique(keys, return_counts=True)
    return {
        **table.arrays("words"),
        "deletions.hashes": deletion_hashes,
        "deletions.words": deletion_words,
        "pairs.keys": distinct,
        "pairs.offsets": compact(offsets_of(sizes)),
        "pairs.words": pair_words,
        "pairs.counts": np.bincount(pair_words, minlength=len(words)).astype(np.int32),
    }


def _counted(values: NDArray[np.int32]) -> tuple[NDArray[np.int32], NDArray[np.int64]]:
    """The distinct values, ascending, and how often each comes."""
    ordered = np.sort(values)
    new = np.ones(len(ordered), dtype=bool)
    new[1:] = ordered[1:] != ordered[:-1]
    starts = np.flatnonzero(new)
    return ordered[starts], np.diff(np.append(starts, len(ordered)))


def _deletion_arrays(words: Sequence[str]) -> tuple[NDArray[np.uint32], NDArray[np.int32]]:
    hashes: list[NDArray[np.uint32]] = []
    owners: list[NDArray[np.int32]] = []
    for rows, letters in _by_length(words):
        if letters.shape[1] <= _LONGEST_WORD_WITH_DELETIONS:
            for column in _deletion_hashes_of(letters):
                hashes.append(column)
                owners.append(rows)
    if not hashes:
        return np.empty(0, dtype=np.uint32), np.empty(0, dtype=np.int32)
    all_hashes, all_owners = np.concatenate(hashes), np.concatenate(owners)
    order = np.argsort(all_hashes, kind="stable")
    return all_hashes[order], all_owners[order]


def _pair_arrays(words: Sequence[str]) -> tuple[NDArray[np.int64], NDArray[np.int32]]:
    keys: list[NDArray[np.int64]] = [np.empty(0, dtype=np.int64)]
    owners: list[NDArray[np.int32]] = [np.empty(0, dtype=np.int32)]
    for rows, letters in _by_length(words):
        pairs = np.sort(_pairs_of(letters), axis=1)
        # A pair that occurs twice in a word counts once.
        distinct = np.ones(pairs.shape, dtype=bool)
        distinct[:, 1:] = pairs[:, 1:] != pairs[:, :-1]
        keys.append(pairs[distinct])
        owners.append(np.repeat(rows, distinct.sum(axis=1)))
    all_keys, all_owners = np.concatenate(keys), np.concatenate(owners)
    order = np.lexsort((all_owners, all_keys))
    return all_keys[order], all_owners[order]


def _by_length(words: Sequence[str]) -> list[tuple[NDArray[np.int32], NDArray[np.int64]]]:
    """Words of equal length as a matrix of letters, with their rows."""
    lengths = np.fromiter(map(len, words), dtype=np.int32, count=len(words))
    order = np.argsort(lengths, kind="stable").astype(np.int32)
    groups = np.split(order, np.flatnonzero(np.diff(lengths[order])) + 1) if len(order) else []
    return [(rows, _letters([words[row] for row in rows])) for rows in groups]


def _letters(words: Sequence[str]) -> NDArray[np.int64]:
    """Code points, one row a word. All words have one length."""
    encoded = "".join(words).encode("utf-32-le", "surrogatepass")
    return np.frombuffer(encoded, dtype="<u4").astype(np.int64).reshape(len(words), -1)


def _pairs_of(letters: NDArray[np.int64]) -> NDArray[np.int64]:
    """Adjacent letters as one number each, the edges of the word counted as letters."""
    edge = np.full((len(letters), 1), _EDGE, dtype=np.int64)
    padded = np.hstack([edge, letters, edge])
    return (padded[:, :-1] << 21) | padded[:, 1:]


def _deletion_hashes_of(letters: NDArray[np.int64]) -> list[NDArray[np.uint32]]:
    """Hashes of the words themselves, then of the words without their first letter, their second, and so on."""
    length = letters.shape[1]
    columns = letters.astype(np.uint64)
    hashes = [_hash(columns)]
    for left_out in range(length):
        hashes.append(_hash(np.delete(columns, left_out, axis=1)))
    return hashes


def _hashes_of_one(letters: NDArray[np.int64]) -> NDArray[np.uint32]:
    """The same hashes for a single word, in few steps."""
    word = letters.astype(np.uint64)[None, :]
    length = word.shape[1]
    places = np.arange(length - 1)[None, :]
    kept = places + (places >= np.arange(length)[:, None])
    return np.concatenate([_hash(word), _hash(word[0][kept])])


def _hash(columns: NDArray[np.uint64]) -> NDArray[np.uint32]:
    # Multiply and shift, letter by letter; the same on every machine. Collisions only cost a comparison.
    state = np.full(len(columns), columns.shape[1] + 1, dtype=np.uint64)
    for column in range(columns.shape[1]):
        state = (state ^ columns[:, column]) * _HASH_FACTOR
        state ^= state >> np.uint64(29)
    return (state >> np.uint64(32)).astype(np.uint32)
