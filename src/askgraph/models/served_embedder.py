"""Embeddings from a server that speaks OpenAI's protocol: OpenAI itself, llama.cpp, vLLM, Ollama, a gateway."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from threading import Lock
from typing import TYPE_CHECKING, Any

import numpy as np

from askgraph.core.budget import Budget
from askgraph.core.errors import ModelError, ModelForbiddenError, ModelReplyError

from .calibration import calibrate
from .connection import Access
from .http_requests import request_json, served_models
from .waiting import Patience

if TYPE_CHECKING:
    from numpy.typing import NDArray

_TEXTS_PER_REQUEST = 128
# Some 2,000 tokens, which every embedding model that is served reads.
_LONGEST_TEXT_CHARACTERS = 6_000
_SECONDS_PER_REQUEST = 30.0


class ServedEmbedder:
    """An :class:`~askgraph.models.base.Embedder` over HTTP. Safe to use from several threads."""

    def __init__(
        self,
        access: Access,
        model: str | None,
        *,
        prefix: str,
        allowed: bool = True,
        patience: Patience | None = None,
    ) -> None:
        """``model``: its name there; ``None`` takes the first that the server has.

        ``prefix``: what its name begins with: ``openai``, or the address.

        ``allowed``: whether it may be called.
        """
        self._access = access
        self._model = model
        self._prefix = prefix
        self._allowed = allowed
        self._patience = patience or Patience()
        self._dimensions: int | None = None
        self._lock = Lock()

    @property
    def name(self) -> str:
        """``openai:MODEL`` or ``ADDRESS|MODEL``. Which version a server has behind a name, it does not tell."""
        separator = "|" if "://" in self._prefix else ":"
        return f"{self._prefix}{separator}{self._known_model()}"

    @property
    def dimensions(self) -> int:
        """The length of a vector, as the server gives it: asked once."""
        if self._dimensions is None:
            self._dimensions = self.embed(["dimension"]).shape[1]
        return self._dimensions

    @property
    def unrelated(self) -> float:
        """Measured: see :func:`.calibration.calibrate`."""
        return self._measured[0]

    @property
    def same(self) -> float:
        """Measured: see :func:`.calibration.calibrate`."""
        return self._measured[1]

    @cached_property
    def _measured(self) -> tuple[float, float]:
        return calibrate(self)

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """As :meth:`Embedder.embed`; a text's first 6,000 characters count.

        Raises:
            ModelError: one of its kinds, after some attempts where that may help.
        """
        if len(texts) == 0:
            return np.empty((0, self.dimensions), dtype=np.float32)
        parts = [
            self._part(texts[start : start + _TEXTS_PER_REQUEST], start // _TEXTS_PER_REQUEST)
            for start in range(0, len(texts), _TEXTS_PER_REQUEST)
        ]
        vectors = np.concatenate(parts)
        self._dimensions = vectors.shape[1]
        return vectors

    def _known_model(self) -> str:
        with self._lock:
            if self._model is None:
                self._insist_on_permission()
                served = served_models(self._access, Budget(seconds=_SECONDS_PER_REQUEST))
                if not served:
                    raise ModelReplyError(f"the server at {self._prefix} has no models")
                self._model = served[0].name
            return self._model

    def _part(self, texts: Sequence[str], number: int) -> NDArray[np.float32]:
        self._insist_on_permission()
        # An empty text is refused by most.
        body = {
            "model": self._known_model(),
            "input": [text[:_LONGEST_TEXT_CHARACTERS].strip() or " " for text in texts],
        }
        budget = Budget(seconds=_SECONDS_PER_REQUEST)
        attempt = 0
        while True:
            attempt += 1
            try:
                return _vectors(
                    request_json(self._access, "/embeddings", body, budget), len(texts), self._prefix
                )
            except ModelError as error:
                self._patience.wait(error, attempt, number, budget)

    def _insist_on_permission(self) -> None:
        if not self._allowed:
            raise ModelForbiddenError(
                f"the embedding model at {self._prefix} would have been called; calls are forbidden",
                advice="Allow them with the setting allow_model_calls, or use the embedder minilm.",
            )


def _vectors(answer: Any, count: int, place: str) -> NDArray[np.float32]:
    """The vectors of an answer, in the order of the texts, scaled to length 1."""
    try:
        rows = sorted(answer["data"], key=lambda row: row["index"])
        if [row["index"] for row in rows] != list(range(count)):
            raise ModelReplyError(f"{place} gave {len(rows)} vectors for {count} texts")
        vectors = np.asarray([row["embedding"] for row in rows], dtype=np.float32)
    except (KeyError, TypeError, ValueError) as error:
        raise ModelReplyError(f"{place} gave no vectors: {type(error).__name__}: {error}") from error
    lengths = np.linalg.norm(vectors, axis=1, keepdims=True) if vectors.ndim == 2 else np.zeros(1)
    if not np.isfinite(lengths).all() or not (lengths > 0).all():
        raise ModelReplyError(f"{place} gave vectors that are none")
    unit: NDArray[np.float32] = (vectors / lengths).astype(np.float32)
    return unit
