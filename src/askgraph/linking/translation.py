"""The words of a question in the words of the graph: read into English by a glossary where the graph has none of them.

Only single words and set phrases are translated, each by itself: what a question wants is read by the rules of its own
language, and names are looked up as they were written. A word that the graph itself uses stays as it is, so a graph
with labels in German is asked in German.

A word that no glossary has may still be one for a type of node ("Krankheit", Disease). Then the type's label is taken
whose meaning is nearest, if an embedder that knows the language says that it is near.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from ..core.schema import UNTYPED, Schema
from ..core.words import normalize
from ..models.base import Embedder
from .language import Language
from .vocabulary import label_texts

if TYPE_CHECKING:
    from numpy.typing import NDArray

_LONGEST_PHRASE = 4
_SHORTEST_PART = 4
# How far from unrelated (0) to the same (1) a word must be to be taken for the label of a type.
_NEAR = 0.75


@dataclass(frozen=True, slots=True)
class Translated:
    """A word in normal form, in the language of the graph where it could be put so, and as it was ``said``.
    ``is_filler``: it names nothing."""

    normal: str
    said: str
    is_filler: bool
    is_translated: bool = False


class Translator:
    """Puts the words of questions in one language into the words of one graph.

    Args:
        rules: the language.
        schema: of the graph.
        vectors: of its labels (:func:`~askgraph.linking.vocabulary.label_texts`); empty without an embedder.
        embedder: ``None`` to go by the glossary alone.
    """

    def __init__(
        self,
        rules: Language,
        schema: Schema,
        vectors: Mapping[str, NDArray[np.float32]],
        embedder: Embedder | None,
    ) -> None:
        self._rules = rules
        self._own = self._words_of_labels(schema)
        self._own_stems = frozenset(map(rules.stem, self._own))
        types = (normalize(item.label) for item in schema.node_types if item.id != UNTYPED)
        self._types = [label for label in dict.fromkeys(types) if label in vectors]
        self._vectors = vectors
        self._embedder = embedder

    def _words_of_labels(self, schema: Schema) -> Collection[str]:
        words = {word for text in label_texts(schema) for word in text.split()}
        return frozenset(word for word in words if not self._rules.is_filler(word))

    def __call__(self, words: Sequence[str]) -> list[Translated]:
        """The words of a question, in order; of a phrase with one translation the first word has it."""
        done: list[Translated] = []
        while len(done) < len(words):
            done.extend(self._next([self._spelled(word) for word in words[len(done) :]]))
        return self._by_meaning(done)

    def _next(self, words: Sequence[str]) -> Iterator[Translated]:
        """The first word, or the phrase that begins with it."""
        for length in range(min(_LONGEST_PHRASE, len(words)), 1, -1):
            english = self._rules.glossary.get(" ".join(words[:length]))
            if english is not None:
                yield Translated(english, words[0], False, True)
                yield from (Translated(word, word, True, True) for word in words[1:length])
                return
        word = words[0]
        english = self._translation(word)
        if english is None:
            yield Translated(word, word, self._rules.is_filler(word))
        else:
            # "Artikel" says as little as "item" does.
            pattern = self._rules.pattern
            yield Translated(english, word, pattern is not None and pattern.is_filler(english), True)

    def _spelled(self, word: str) -> str:
        """A word as the rules or the graph spell it: "fur" for "fuer", where no umlaut was at hand."""
        other = self._rules.respelled(word)
        return other if not self._is_known(word) and self._is_known(other) else word

    def _is_known(self, word: str) -> bool:
        return word in self._rules.vocabulary or word in self._own

    def _translation(self, word: str) -> str | None:
        if word in self._rules.stop_words or word in self._own or self._rules.stem(word) in self._own_stems:
            return None
        return self._from_glossary(word) or self._of_compound(word)

    def _from_glossary(self, word: str) -> str | None:
        exact = self._rules.glossary.get(word)
        if exact is not None or word in self._rules.vocabulary or len(word) < _SHORTEST_PART:
            return exact
        return self._rules.stemmed_glossary.get(self._rules.stem(word))

    def _of_compound(self, word: str) -> str | None:
        """Two words written as one ("Produktkategorie"), each translated."""
        if not self._rules.joints or word in self._rules.vocabulary:
            return None
        for cut in range(len(word) - _SHORTEST_PART, _SHORTEST_PART - 1, -1):
            last = self._part(word[cut:])
            first = last and next(filter(None, map(self._part, self._unjoined(word[:cut]))), None)
            if first and last:
                return f"{first} {last}"
        return None

    def _part(self, word: str) -> str | None:
        return word if word in self._own else self._from_glossary(word)

    def _unjoined(self, word: str) -> Iterable[str]:
        """The first part of a compound, without the letters that join it to the second."""
        for joint in ("", *self._rules.joints):
            if word.endswith(joint) and len(word) - len(joint) >= _SHORTEST_PART:
                yield word[: len(word) - len(joint)]

    def _by_meaning(self, words: list[Translated]) -> list[Translated]:
        """Words that nothing is known of, as the type whose label is nearest in meaning, where one is near."""
        open_places = [place for place, word in enumerate(words) if self._is_unknown(word)]
        if self._embedder is None or not self._types or not open_places:
            return words
        labels = np.stack([self._vectors[label] for label in self._types])
        cosines = self._embedder.embed([words[place].normal for place in open_places]) @ labels.T
        unrelated, same = self._embedder.unrelated, self._embedder.same
        for place, row in zip(open_places, cosines, strict=True):
            best = int(row.argmax())
            if (row[best] - unrelated) / (same - unrelated) >= _NEAR:
                words[place] = Translated(self._types[best], words[place].said, False, True)
        return words

    def _is_unknown(self, word: Translated) -> bool:
        return (
            not word.is_translated
            and not word.is_filler
            and word.normal.isalpha()
            and len(word.normal) >= _SHORTEST_PART
            and not self._is_known(word.normal)
        )
