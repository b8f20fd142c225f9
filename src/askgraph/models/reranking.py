"""Rerankers: how well texts serve to answer a question."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from ..core.budget import Budget
from ..core.errors import ModelError, ModelForbiddenError, ModelReplyError
from .base import Embedder
from .connection import Access
from .http_requests import request_json
from .waiting import Patience

if TYPE_CHECKING:
    from numpy.typing import NDArray

_SECONDS = 60.0
_LONGEST_TEXT_CHARACTERS = 6_000


class EmbeddingReranker:
    """A :class:`~askgraph.models.base.Reranker` by the meanings that an embedder sees: offline where that one is.

    A score is 0 for what is as near as any two texts are, and 1 for what means the same.
    """

    def __init__(self, embedder: Embedder) -> None:
        self._embedder = embedder

    @property
    def name(self) -> str:
        """The embedder's name."""
        return f"cosine of {self._embedder.name}"

    def scores(self, question: str, texts: Sequence[str]) -> NDArray[np.float32]:
        """As :meth:`Reranker.scores`, from 0 to 1."""
        if len(texts) == 0:
            return np.empty(0, dtype=np.float32)
        vectors = self._embedder.embed([question, *texts])
        cosines = vectors[1:] @ vectors[0]
        span = self._embedder.same - self._embedder.unrelated
        scores: NDArray[np.float32] = np.clip((cosines - self._embedder.unrelated) / span, 0.0, 1.0)
        return scores.astype(np.float32)


class ServedReranker:
    """A :class:`~askgraph.models.base.Reranker` on a server: ``/rerank`` as Cohere, Jina, vLLM and llama.cpp have it,
    or as Text Embeddings Inference does."""

    def __init__(self, access: Access, model: str | None, *, allowed: bool = True) -> None:
        """``model``: its name there, where the server wants one."""
        self._access = access
        self._model = model
        self._allowed = allowed

    @property
    def name(self) -> str:
        """Address and model."""
        return f"{self._access.url}|{self._model}" if self._model else str(self._access.url)

    def scores(self, question: str, texts: Sequence[str]) -> NDArray[np.float32]:
        """As :meth:`Reranker.scores`, on the server's own scale."""
        if not self._allowed:
            raise ModelForbiddenError(
                f"the reranker at {self.name} would have been called; calls are forbidden"
            )
        if len(texts) == 0:
            return np.empty(0, dtype=np.float32)
        cut = [text[:_LONGEST_TEXT_CHARACTERS] for text in texts]
        body: dict[str, Any] = {"query": question, "documents": cut, "texts": cut, "top_n": len(texts)}
        if self._model:
            body["model"] = self._model
        budget = Budget(seconds=_SECONDS)
        attempt = 0
        while True:
            attempt += 1
            try:
                return _scores(request_json(self._access, "/rerank", body, budget), len(texts), self.name)
            except ModelError as error:
                Patience().wait(error, attempt, 0, budget)


def _scores(answer: Any, count: int, place: str) -> NDArray[np.float32]:
    rows = answer.get("results", answer.get("data")) if isinstance(answer, dict) else answer
    scores = np.full(count, np.nan, dtype=np.float32)
    try:
        for row in rows or ():
            scores[row["index"]] = row["relevance_score"] if "relevance_score" in row else row["score"]
    except (KeyError, TypeError, IndexError, ValueError) as error:
        raise ModelReplyError(f"{place} gave no scores: {type(error).__name__}: {error}") from error
    if not np.isfinite(scores).all():
        raise ModelReplyError(f"{place} gave {int(np.isfinite(scores).sum())} scores for {count} texts")
    return scores
