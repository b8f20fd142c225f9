"""What cosines of an embedder mean: what two words with one meaning reach, and two with nothing in common.

Models differ: for some, any two words have a cosine of 0.7. A short list of pairs of words shows where a model stands.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Protocol

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

# Words as schemas have them, each pair with one meaning and no pair with that of another.
_SAME = (
    ("phone", "telephone"), ("car", "automobile"), ("doctor", "physician"), ("film", "movie"), ("firm", "company"),
    ("buy", "purchase"), ("begin", "start"), ("city", "town"), ("illness", "disease"), ("picture", "image"),
    ("job", "occupation"), ("woman", "female"), ("boat", "ship"), ("child", "kid"), ("country", "nation"),
    ("writer", "author"), ("wage", "salary"), ("drug", "medication"), ("law", "legislation"), ("price", "cost"),
)  # fmt: skip
# Of unrelated words nearly all stay below this quantile, of words with one meaning half reach theirs. At these MiniLM's
# and E5's values, set by hand on schema words, come out again within 0.1.
_UNRELATED_QUANTILE = 0.98
_SAME_QUANTILE = 0.5
_LEAST_DISTANCE = 0.05


class EmbedsTexts(Protocol):
    """An embedder of which nobody knows what its cosines mean."""

    @property
    def name(self) -> str:
        """As :attr:`Embedder.name`."""

    @property
    def dimensions(self) -> int:
        """As :attr:`Embedder.dimensions`."""

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """As :meth:`Embedder.embed`."""


class CalibratedEmbedder:
    """An :class:`~askgraph.models.base.Embedder` whose ``unrelated`` and ``same`` are measured when first needed."""

    def __init__(self, embedder: EmbedsTexts) -> None:
        """``embedder``: best one that caches, so that the forty words are embedded once and for all."""
        self._embedder = embedder

    @property
    def name(self) -> str:
        """As the embedder behind."""
        return self._embedder.name

    @property
    def dimensions(self) -> int:
        """As the embedder behind."""
        return self._embedder.dimensions

    @property
    def unrelated(self) -> float:
        """The cosine that two words reach which have nothing to do with each other."""
        return self._measured[0]

    @property
    def same(self) -> float:
        """The cosine from which two words mean the same."""
        return self._measured[1]

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """As :meth:`Embedder.embed`."""
        return self._embedder.embed(texts)

    @cached_property
    def _measured(self) -> tuple[float, float]:
        return calibrate(self._embedder)


def calibrate(embedder: EmbedsTexts) -> tuple[float, float]:
    """``unrelated`` and ``same`` of an embedder, the first below the second, rounded to two places."""
    firsts = embedder.embed([first for first, _ in _SAME])
    seconds = embedder.embed([second for _, second in _SAME])
    cosines = firsts @ seconds.T
    pairs = np.eye(len(_SAME), dtype=bool)
    same = float(np.quantile(cosines[pairs], _SAME_QUANTILE))
    unrelated = float(np.quantile(cosines[~pairs], _UNRELATED_QUANTILE))
    # A model for which a phone is as near to a car as to a telephone is of no use, and must not divide by nothing.
    return round(min(unrelated, same - _LEAST_DISTANCE), 2), round(same, 2)
