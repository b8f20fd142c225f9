"""From a stream of names to the arrays of one segment."""

from __future__ import annotations

from array import array
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..core.progress import Progress
from .spelling import MOST_WORDS, acronym_key, form_of, initials_of, order_key, spelling_key, words_of
from .strings import StringTableBuilder, compact, offsets_of
from .vocabulary import vocabulary_arrays

_PROGRESS_STEP = 10_000


class SegmentBuilder:
    """Collects entries, then puts them in order.

    Entries of one form lie together, forms are ordered by their number of words and then by text. So the entries of a
    form are a range, ties come out in the order of their names, and the first forms that have a word are those
    that have least beside it.
    """

    def __init__(self) -> None:
        self._ids = StringTableBuilder()
        self._names = StringTableBuilder()
        self._last_id: str | None = None
        self._entry_ids = array("i")
        self._entry_forms = array("i")
        self._entry_types = array("i")
        self._forms: dict[str, int] = {}
        self._type_sets: dict[tuple[str, ...], int] = {}

    def __len__(self) -> int:
        return len(self._entry_ids)

    def add(self, id: str, name: str, types: tuple[str, ...]) -> None:
        """Add one name of one node. The names of a node should come one after the other."""
        if id != self._last_id:
            self._ids.append(id)
            self._last_id = id
        self._names.append(name)
        self._entry_ids.append(len(self._ids) - 1)
        self._entry_forms.append(self._forms.setdefault(form_of(name), len(self._forms)))
        self._entry_types.append(self._type_sets.setdefault(types, len(self._type_sets)))

    def build(self, progress: Progress) -> dict[str, NDArray[Any]]:
        """The arrays. The builder must not be used afterwards."""
        texts = sorted(self._forms, key=_by_words)
        first_place = np.fromiter((self._forms[text] for text in texts), dtype=np.int32, count=len(texts))
        self._forms.clear()
        rank = np.empty(len(texts), dtype=np.int32)
        rank[first_place] = np.arange(len(texts), dtype=np.int32)
        return {
            **self._entry_arrays(rank),
            **_form_arrays(texts, progress),
            **self._type_arrays(),
        }

    def _entry_arrays(self, rank: NDArray[np.int32]) -> dict[str, NDArray[Any]]:
        forms = rank[np.frombuffer(self._entry_forms, dtype=np.int32)] if len(self) else rank[:0]
        ids = self._ids.build()
        names = self._names.build()
        entry_ids = np.frombuffer(self._entry_ids, dtype=np.int32) if len(self) else rank[:0]
        order = np.argsort(forms, kind="stable")
        offsets = offsets_of(np.bincount(forms, minlength=len(rank)))
        # Homonyms are few; only they are put in order one by one.
        for form in np.flatnonzero(np.diff(offsets) > 1).tolist():
            start, stop = offsets[form], offsets[form + 1]
            entries = order[start:stop]
            keys = list(zip(names.take(entries), ids.take(entry_ids[entries]), strict=True))
            order[start:stop] = entries[sorted(range(len(keys)), key=keys.__getitem__)]
        types = np.frombuffer(self._entry_types, dtype=np.int32) if len(self) else rank[:0]
        return {
            **ids.arrays("ids"),
            **self._names.build(order).arrays("names"),
            "entries.offsets": compact(offsets),
            "entries.ids": entry_ids[order],
            "entries.types": types[order],
        }

    def _type_arrays(self) -> dict[str, NDArray[Any]]:
        names = sorted({name for types in self._type_sets for name in types})
        rows = {name: row for row, name in enumerate(names)}
        members = [rows[name] for types in self._type_sets for name in types]
        sizes = np.array([len(types) for types in self._type_sets], dtype=np.int64)
        return {
            **StringTableBuilder(names).build().arrays("types"),
            "type_sets.offsets": compact(offsets_of(sizes)),
            "type_sets.types": np.array(members, dtype=np.int32),
        }


def _by_words(form: str) -> tuple[int, str]:
    return len(words_of(form)), form


def _form_arrays(texts: list[str], progress: Progress) -> dict[str, NDArray[Any]]:
    vocabulary: dict[str, int] = {}
    tokens, token_counts = array("i"), array("i")
    keys, key_forms = array("Q"), array("i")
    table = StringTableBuilder()
    progress.start("ordering names", len(texts))
    for form, text in enumerate(texts):
        table.append(text)
        words = words_of(text)
        tokens.extend([vocabulary.setdefault(word, len(vocabulary)) for word in words])
        token_counts.append(len(words))
        keys.append(spelling_key(text))
        key_forms.append(form)
        if len(words) > 1:
            own = [order_key(words), *map(acronym_key, initials_of(words))]
            keys.extend(own)
            key_forms.extend([form] * len(own))
        if form % _PROGRESS_STEP == _PROGRESS_STEP - 1:
            progress.advance(_PROGRESS_STEP)
    progress.finish()

    ordered = sorted(vocabulary)
    rank = np.empty(len(ordered), dtype=np.int32)
    places = np.fromiter((vocabulary[word] for word in ordered), dtype=np.int32, count=len(ordered))
    rank[places] = np.arange(len(ordered), dtype=np.int32)
    vocabulary.clear()
    form_words = rank[np.frombuffer(tokens, dtype=np.int32)] if len(tokens) else rank[:0]
    offsets = offsets_of(np.frombuffer(token_counts, dtype=np.int32) if len(texts) else rank[:0])
    by_key = np.argsort(np.frombuffer(keys, dtype=np.uint64), kind="stable") if len(keys) else rank[:0]
    return {
        **table.build().arrays("forms"),
        "keys.hashes": np.frombuffer(keys, dtype=np.uint64)[by_key]
        if len(keys)
        else np.empty(0, dtype=np.uint64),
        "keys.forms": np.frombuffer(key_forms, dtype=np.int32)[by_key] if len(keys) else rank[:0],
        "form_words.offsets": compact(offsets),
        "form_words.words": form_words,
        "form_words.firsts": np.searchsorted(np.diff(offsets), np.arange(MOST_WORDS + 1)),
        **_word_form_arrays(form_words, offsets, len(ordered)),
        **vocabulary_arrays(ordered, StringTableBuilder(ordered).build()),
    }


def _word_form_arrays(
    form_words: NDArray[np.int32], offsets: NDArray[np.int64], word_count: int
) -> dict[str, NDArray[Any]]:
    """For each word the forms that have it, ascending."""
    forms = np.repeat(np.arange(len(offsets) - 1, dtype=np.int32), np.diff(offsets))
    order = np.argsort(form_words, kind="stable")
    sorted_words, sorted_forms = form_words[order], forms[order]
    # A word that a form has twice counts once.
    distinct = np.ones(len(order), dtype=bool)
    distinct[1:] = (sorted_words[1:] != sorted_words[:-1]) | (sorted_forms[1:] != sorted_forms[:-1])
    sizes = np.bincount(sorted_words[distinct], minlength=word_count)
    return {"word_forms.offsets": compact(offsets_of(sizes)), "word_forms.forms": sorted_forms[distinct]}
