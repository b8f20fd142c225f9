"""The seams behind which models live."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Protocol, runtime_checkable

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


@runtime_checkable
class Embedder(Protocol):
    """Texts in, unit vectors out.

    An embedder is a function: one text has one vector, whatever it came in with, in whichever process.
    """

    @property
    def name(self) -> str:
        """What the vectors depend on: two embedders of one name give the same vector for the same text.

        It therefore names the model's version or content hash too. Caches and indexes keep it, and take no vector
        of another name.
        """

    @property
    def dimensions(self) -> int:
        """The length of a vector."""

    @property
    def unrelated(self) -> float:
        """The cosine that two words reach which have nothing to do with each other."""

    @property
    def same(self) -> float:
        """The cosine from which two words mean the same: ``"phone"`` and ``"telephone"``."""

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """One row for each text, in their order: shape ``(len(texts), dimensions)``, each row of length 1.

        So the cosine of two texts is the dot product of their rows. Any string is taken, the empty one too;
        a text longer than the model reads is cut. Raises :class:`~askgraph.core.errors.ModelError`.
        """


@runtime_checkable
class Reranker(Protocol):
    """A question and texts in, a score for each out: how well each serves to answer it."""

    @property
    def name(self) -> str:
        """What the scores depend on."""

    def scores(self, question: str, texts: Sequence[str]) -> NDArray[np.float32]:
        """One score for each text, in their order: shape ``(len(texts),)``. More is better.

        Scores of one call can be compared with each other. Raises :class:`~askgraph.core.errors.ModelError`.
        """
