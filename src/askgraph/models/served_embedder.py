"""Embeddings from servers: those that speak OpenAI's protocol, and vendors with one of their own."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cached_property
from threading import Lock
from typing import TYPE_CHECKING, Any

import numpy as np

from ..core.budget import Budget
from ..core.errors import ModelError, ModelForbiddenError, ModelReplyError, ModelRequestError
from .calibration import calibrate
from .connection import Access
from .http_requests import request_json, served_models
from .vendor import Vendor
from .waiting import Patience

if TYPE_CHECKING:
    from numpy.typing import NDArray

Vectors = Callable[[list[str], Budget], Sequence[Sequence[float]]]
"""What a server makes of texts: a vector each, in their order. Raises :class:`ModelError`."""

_TEXTS_PER_REQUEST = 128
# Some 2,000 tokens. What is too long for a model all the same is halved until it is not, or is as short as this:
_LONGEST_TEXT_CHARACTERS = 6_000
_SHORTEST_CUT_CHARACTERS = 200
_SECONDS_PER_REQUEST = 30.0
_WORDS_OF_LENGTH = ("long", "large", "length", "context", "exceed", "maximum", "tokens")


class ServedEmbedder:
    """An :class:`~askgraph.models.base.Embedder` on a server. Safe to use from several threads.

    ``unrelated`` and ``same`` are measured (:mod:`.calibration`).
    """

    def __init__(
        self, name: str, vectors: Vectors, *, allowed: bool = True, patience: Patience | None = None
    ) -> None:
        """``name``: vendor or address, and the model's name there. Which version of it a server has, it does not tell.

        ``allowed``: whether it may be called.
        """
        self._name = name
        self._vectors = vectors
        self._allowed = allowed
        self._patience = patience or Patience()
        self._dimensions: int | None = None

    @property
    def name(self) -> str:
        """As given."""
        return self._name

    @property
    def dimensions(self) -> int:
        """The length of a vector, as the server gives it: asked once."""
        if self._dimensions is None:
            self._dimensions = self.embed(["dimension"]).shape[1]
        return self._dimensions

    @property
    def unrelated(self) -> float:
        """The cosine that two words reach which have nothing to do with each other."""
        return self._measured[0]

    @property
    def same(self) -> float:
        """The cosine from which two words mean the same."""
        return self._measured[1]

    @cached_property
    def _measured(self) -> tuple[float, float]:
        return calibrate(self)

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """As :meth:`Embedder.embed`; a text's first 6,000 characters count, fewer where the model reads no more.

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

    def _part(self, texts: Sequence[str], number: int) -> NDArray[np.float32]:
        if not self._allowed:
            raise forbidden(self._name)
        budget = Budget(seconds=_SECONDS_PER_REQUEST)
        length, attempt = _LONGEST_TEXT_CHARACTERS, 0
        while True:
            attempt += 1
            # An empty text is refused by most.
            given = [text[:length].strip() or " " for text in texts]
            try:
                return _unit(self._vectors(given, budget), len(texts), self._name)
            except ModelRequestError as error:
                if length <= _SHORTEST_CUT_CHARACTERS or not _speaks_of_length(error):
                    raise
                length //= 2
            except ModelError as error:
                self._patience.wait(error, attempt, number, budget)


def openai_vectors(access: Access, model: str) -> Vectors:
    """Vectors by OpenAI's protocol: OpenAI itself, llama.cpp, vLLM, Ollama, a gateway."""

    def vectors(texts: list[str], budget: Budget) -> Sequence[Sequence[float]]:
        answer = request_json(access, "/embeddings", {"model": model, "input": texts}, budget)
        try:
            rows = sorted(answer["data"], key=lambda row: row["index"])
            if [row["index"] for row in rows] != list(range(len(texts))):
                raise ModelReplyError(f"{access.url} gave {len(rows)} vectors for {len(texts)} texts")
            return [row["embedding"] for row in rows]
        except (KeyError, TypeError) as error:
            raise ModelReplyError(f"{access.url} gave no vectors: {type(error).__name__}: {error}") from error

    return vectors


def vendor_vectors(vendor: Vendor, access: Access, model: str) -> Vectors:
    """Vectors by a vendor's own protocol. Its library is imported, and it is connected, with the first texts."""
    lock = Lock()
    connected: list[Vectors] = []

    def vectors(texts: list[str], budget: Budget) -> Sequence[Sequence[float]]:
        with lock:
            if not connected:
                assert vendor.connect_embedder is not None
                connected.append(vendor.connect_embedder(model, access).vectors)
        return connected[0](texts, budget)

    return vectors


def first_model(access: Access, *, allowed: bool) -> str:
    """The model that a server has, or the first of them. Raises :class:`ModelError`."""
    if not allowed:
        raise forbidden(str(access.url))
    served = served_models(access, Budget(seconds=_SECONDS_PER_REQUEST))
    if not served:
        raise ModelReplyError(f"the server at {access.url} has no models")
    return served[0].name


def forbidden(name: str) -> ModelForbiddenError:
    """What is said where an embedder may not be called."""
    return ModelForbiddenError(
        f"the embedding model {name} would have been called; calls are forbidden",
        advice="Allow them with the setting allow_model_calls, or use the embedder minilm.",
    )


def _speaks_of_length(error: ModelError) -> bool:
    said = error.message.lower()
    return any(word in said for word in _WORDS_OF_LENGTH)


def _unit(rows: Any, count: int, place: str) -> NDArray[np.float32]:
    """The vectors scaled to length 1."""
    try:
        vectors = np.asarray(rows, dtype=np.float32)
    except (TypeError, ValueError) as error:
        raise ModelReplyError(f"{place} gave no vectors: {type(error).__name__}: {error}") from error
    if vectors.ndim != 2 or len(vectors) != count:
        raise ModelReplyError(f"{place} gave what are not {count} vectors of one length")
    lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
    if not np.isfinite(lengths).all() or not (lengths > 0).all():
        raise ModelReplyError(f"{place} gave vectors that are none")
    unit: NDArray[np.float32] = (vectors / lengths).astype(np.float32)
    return unit
