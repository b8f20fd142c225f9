"""What weighs the relations of a graph against one question, made of the parts of the graph."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from ..linking.language import language
from ..linking.linked_question import LinkedQuestion
from ..linking.vocabulary import WordMatcher, other_labels_of
from ..linking.voice import Voice
from ..retrievers.reading.measures import MeasureWords
from ..retrievers.relevance import Relevance
from ..retrievers.word_order import WordOrder
from .base import Parts

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


class Relevances:
    """Makes a :class:`~askgraph.retrievers.relevance.Relevance` for each question to one graph."""

    def __init__(self, parts: Parts) -> None:
        self._parts = parts
        self._other_labels: Mapping[str, Sequence[str]] = other_labels_of(parts.schema)

    def of(self, question: LinkedQuestion) -> tuple[Relevance, MeasureWords]:
        """The relevance of a question, and the matchers of words by which rules speak of properties."""
        parts, rules = self._parts, language(question.language)
        vector: NDArray[np.float32] | None = None
        if parts.embedder is not None:
            vector = parts.embedder.embed([question.masked])[0]

        def matcher(words: Sequence[str], phrases: Sequence[tuple[int, int]] = ()) -> WordMatcher:
            return WordMatcher(words, rules, parts.index.labels, parts.embedder, phrases, self._other_labels)

        relevance = Relevance(
            parts.schema,
            parts.index.hops,
            vector,
            matcher(question.words, question.phrases()),
            question.named_rows(),
            Voice(question.question, rules),
            WordOrder(question, rules),
        )
        return relevance, MeasureWords(matcher)
