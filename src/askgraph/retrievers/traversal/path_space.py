"""The space in which paths and templates are compared: ``P ∝ exp(cos(path, template))``.

The vector of a path is made of the vectors of its parts: the relations that it follows, and what it starts from and
meets. Relations are few, so each is embedded once and kept; a path costs an addition, however many there are.

A vector has two parts, each of length 1 before it is weighed: what the words mean, by an embedder, and which words they
are, by their stems. So the cosine of two vectors is the weighed mean of their two cosines, and where no embedder is at
hand the words alone are left.
"""

from __future__ import annotations

import hashlib
import math
from collections.abc import Iterable, Sequence
from threading import Lock
from typing import TYPE_CHECKING, Final

import numpy as np

from ...core.words import normalize
from ...linking.language import Language, language
from ...models.base import Embedder

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Vector = NDArray[np.float32]

# How much what the words mean counts against which words they are.
_MEANING: Final = 0.6
_WORD_DIMENSIONS: Final = 512


class PathSpace:
    """Vectors of texts, and of what is made of them.

    Args:
        embedder: tells what words mean; ``None`` for words alone.
        rules: of the language of the labels: which words say nothing, and how a word is stemmed.
    """

    def __init__(self, embedder: Embedder | None, rules: Language | None = None) -> None:
        self._embedder = embedder
        self._rules = rules or language("en")
        self._known: dict[str, Vector] = {}
        self._lock = Lock()
        self.dimensions = _WORD_DIMENSIONS + (embedder.dimensions if embedder is not None else 0)

    def texts(self, texts: Sequence[str]) -> list[Vector]:
        """One vector for each text, of length 1 (or of zeros for a text that says nothing). New texts are embedded in
        one batch."""
        with self._lock:
            new = [text for text in dict.fromkeys(texts) if text not in self._known]
            if new:
                self._known.update(zip(new, self._made(new), strict=True))
            return [self._known[text] for text in texts]

    def _made(self, texts: Sequence[str]) -> Iterable[Vector]:
        words = [self._of_words(text) for text in texts]
        if self._embedder is None:
            return words
        meanings = self._embedder.embed(texts)
        scales = math.sqrt(_MEANING), math.sqrt(1 - _MEANING)
        return [
            np.concatenate([meaning * scales[0], own * scales[1]]).astype(np.float32)
            for meaning, own in zip(meanings, words, strict=True)
        ]

    def _of_words(self, text: str) -> Vector:
        """A text as the stems of its words, each in a dimension of its own but for rare collisions."""
        vector = np.zeros(_WORD_DIMENSIONS, dtype=np.float32)
        for word in self._rules.content_words(normalize(text)):
            digest = hashlib.blake2b(self._rules.stem(word).encode(), digest_size=4).digest()
            vector[int.from_bytes(digest, "big") % _WORD_DIMENSIONS] = 1.0
        return unit(vector)


def unit(vector: Vector) -> Vector:
    """The vector at length 1; zeros stay."""
    length = math.sqrt(float(vector @ vector))
    return vector / np.float32(length) if length else vector


def probabilities(paths: NDArray[np.float32], template: Vector) -> NDArray[np.float64]:
    """``exp(cos(path, template))`` of some paths, shape ``(paths, dimensions)``: 0.37 to 2.72, and 1 for a path that
    says nothing."""
    lengths = np.linalg.norm(paths, axis=1) * np.linalg.norm(template)
    cosines = np.divide(
        paths @ template, lengths, out=np.zeros(len(paths), dtype=np.float64), where=lengths > 0
    )
    found: NDArray[np.float64] = np.exp(cosines)
    return found
