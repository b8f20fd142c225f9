"""How much a word of a question and a label of a schema have to do with each other, from 0 to 1.

The same word (but for its ending) is 1. A synonym of the language's rules is nearly that. Otherwise the cosine of
the two as the embedder sees them counts, stretched so that what is unrelated is 0: words of one field are never far
apart.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import TYPE_CHECKING

import numpy as np
from rapidfuzz.distance import OSA

from ..core.schema import UNTYPED, EdgeType, NodeType, Property, Schema
from ..core.words import normalize
from ..models.base import Embedder
from .language import Language
from .short_forms import written_out

if TYPE_CHECKING:
    from numpy.typing import NDArray

_SYNONYM = 0.9
_SHORTEST_WITH_TYPO = 5
_HEAD = 0.9
# So like a word of a label is one that says it.
_SAYS = 0.75
# Below this a likeness is chance.
_LEAST = 0.15
_TIMES = frozenset({"date", "year"})


def label_texts(schema: Schema) -> tuple[str, ...]:
    """Every label of a schema and every word of one, normalised, without repeats: what an index keeps vectors of."""
    labels: list[str] = []
    for node_type in schema.node_types:
        if node_type.id != UNTYPED:
            labels.extend((node_type.label, *node_type.other_labels))
    for edge_type in schema.edge_types:
        labels.extend((edge_type.label, *edge_type.other_labels))
    for item in schema.properties:
        labels.extend((item.label, *item.other_labels))
    labels.extend([other for label in labels for other in written_out(label)])
    texts = dict.fromkeys(text for text in map(normalize, labels) if text)
    return tuple(dict.fromkeys([*texts, *(word for text in texts for word in text.split())]))


def other_labels_of(schema: Schema) -> dict[str, tuple[str, ...]]:
    """What types, edge types and properties are called besides, by their labels: the graph's words and its owner's."""
    found: dict[str, dict[str, None]] = {}
    every: list[NodeType | EdgeType | Property] = [*schema.node_types, *schema.edge_types, *schema.properties]
    for item in every:
        others = (*item.other_labels, *written_out(item.label))
        found.setdefault(item.label, {}).update(dict.fromkeys(others))
    return {label: tuple(others) for label, others in found.items() if others}


class WordMatcher:
    """Matches the content words of one question against labels.

    Args:
        words: the content words, normalised.
        rules: the question's language.
        vectors: of the texts of :func:`label_texts`; empty without an embedder.
        embedder: for the words of the question; ``None``: only equal words and synonyms match.
        phrases: pairs of rows of words that stand side by side: in "telephone number" the second says no more than the
            first, by the rules of the language.
        other_labels: what else is called so, by label; see :func:`other_labels_of`.
    """

    def __init__(
        self,
        words: Sequence[str],
        rules: Language,
        vectors: Mapping[str, NDArray[np.float32]],
        embedder: Embedder | None,
        phrases: Sequence[tuple[int, int]] = (),
        other_labels: Mapping[str, Sequence[str]] = MappingProxyType({}),
    ) -> None:
        self.words = tuple(words)
        self._other_labels = other_labels
        self._rules = rules
        self._vectors = vectors
        self._stems = [rules.stem(word) for word in self.words]
        self._deeds = [rules.deeds(word) for word in self.words]
        self._singulars = [rules.singular(word) for word in self.words]
        self._synonyms = [
            [rules.stem(other) for other in self._synonyms_of(place)] for place in range(len(self.words))
        ]
        self._side_by_side = tuple(phrases)
        self._heads = [(one, other) for one, other in phrases if self.words[other] in rules.heads]
        self._numbers = np.array([_has_digit(word) for word in self.words], dtype=bool)
        self._embedder = embedder
        self._own: NDArray[np.float32] | None = None
        if embedder is not None and self.words:
            self._own = embedder.embed(self.words)
        self._known: dict[str, tuple[NDArray[np.float64], float]] = {}

    @property
    def time_rows(self) -> list[int]:
        """The rows of the words that stand for a time, whatever a property is called ("date", "year")."""
        return [row for row, word in enumerate(self.words) if word in self._rules.time_nouns]

    def explained(self, label: str) -> NDArray[np.float64]:
        """For each word how much of it the label of a relation or property explains, shape ``(words,)``."""
        by_word = self._match(label)[0]
        if not self._heads:
            return by_word
        by_word = by_word.copy()
        for one, other in self._heads:
            by_word[other] = max(by_word[other], _HEAD * by_word[one])
        return by_word

    def explained_by_type(self, label: str) -> NDArray[np.float64]:
        """The same for the label of a node type: "policy number" asks for more than a policy."""
        return self._match(label)[0]

    def stray(self, label: str) -> float:
        """The share of the label's own content words that nothing in the question speaks of, 0 to 1."""
        return self._match(label)[1]

    def _synonyms_of(self, place: int) -> list[str]:
        known, word = self._rules.synonyms, self.words[place]
        # "Heaviest" speaks of the weight, where it is not what the question is ordered by.
        measured = self._rules.superlatives.get(word, ("most", ""))[1]
        asked = self._rules.adjectives.get(word, ("most", ""))[1]
        if not _TIMES.intersection(asked.split()):
            # "How long is it" asks for its length; how old something is, is no date.
            measured = measured or asked
        return (known.get(word, known.get(self._singulars[place], "")) + " " + measured).split()

    def saying(self, label: str) -> tuple[NDArray[np.bool_], ...]:
        """For each word of a label which words of the question say it, shape ``(words,)`` each."""
        parts = self._rules.content_words(normalize(label))
        places = range(len(self.words))
        return tuple(
            np.array([self._alike(place, part) >= _SAYS for place in places], dtype=bool) for part in parts
        )

    def _match(self, label: str) -> tuple[NDArray[np.float64], float]:
        if label not in self._known:
            names = dict.fromkeys(map(normalize, (label, *self._other_labels.get(label, ()))))
            by_name = [self._compare(name) for name in names]
            # The name that is nearest to the question is the one that it speaks of.
            nearest = max(by_name, key=lambda found: float(found[0].sum()))
            self._known[label] = (np.max([found[0] for found in by_name], axis=0), nearest[1])
        return self._known[label]

    def _compare(self, label: str) -> tuple[NDArray[np.float64], float]:
        parts = self._rules.content_words(label) or tuple(label.split())
        if not parts or not self.words:
            return np.zeros(len(self.words)), 1.0
        table = np.array([[self._alike(place, part) for part in parts] for place in range(len(self.words))])
        for one, other in self._side_by_side:
            # "Time zone" says "timezone".
            table[[one, other]] = np.maximum(
                table[[one, other]], [self._is_joined(one, other, part) for part in parts]
            )
        by_word = table.max(axis=1)
        # A word of another language may be translated by several: "Stückliste", bill of material.
        by_word = np.maximum(by_word, [float(" " in word and word == label) for word in self.words])
        if self._own is not None and label in self._vectors:
            whole = self._stretch(self._own @ self._vectors[label])
            by_word = np.maximum(by_word, np.where(self._numbers, 0.0, whole))
        return by_word, float(1.0 - table.max(axis=0).mean())

    def _is_joined(self, one: int, other: int, part: str) -> float:
        joined = self.words[one] + self.words[other]
        return float(joined == part or self._rules.stem(joined) == self._rules.stem(part))

    def _alike(self, place: int, part: str) -> float:
        if _has_digit(part) or _has_digit(self.words[place]):
            # To an embedder all numbers are much the same: "version 3" and "version 4" are not.
            return 1.0 if self.words[place] == part else 0.0
        stem = self._rules.stem(part)
        if self._rules.is_same_word(self._stems[place], stem):
            return 1.0
        pattern = self._rules.pattern
        if pattern is not None and pattern.is_same_word(pattern.stem(self.words[place]), pattern.stem(part)):
            return 1.0
        if _is_typo(self.words[place], part) or _is_typo(self._stems[place], stem):
            return _SYNONYM
        if any(self._rules.is_same_word(synonym, stem) for synonym in self._synonyms[place]):
            return _SYNONYM
        if stem in self._deeds[place] or self._stems[place] in self._rules.deeds(part):
            # Who acted is an actor.
            return _SYNONYM
        if self._own is None or part not in self._vectors:
            return 0.0
        return float(self._stretch(self._own[place] @ self._vectors[part]))

    def _stretch(self, cosine: NDArray[np.float32] | float) -> NDArray[np.float64]:
        """A cosine as a likeness from 0 to 1, on the scale of the embedder that it comes from."""
        assert self._embedder is not None
        unrelated, same = self._embedder.unrelated, self._embedder.same
        stretched = np.clip((np.asarray(cosine, dtype=np.float64) - unrelated) / (same - unrelated), 0.0, 1.0)
        return np.where(stretched < _LEAST, 0.0, stretched)


def _has_digit(word: str) -> bool:
    return any(character.isdigit() for character in word)


def _is_typo(word: str, other: str) -> bool:
    """Whether two long words differ by one slip of the finger (optimal string alignment)."""
    return (
        min(len(word), len(other)) >= _SHORTEST_WITH_TYPO and OSA.distance(word, other, score_cutoff=1) <= 1
    )
