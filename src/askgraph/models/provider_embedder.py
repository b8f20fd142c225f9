"""An embedding model of a vendor, through pydantic-ai. Imported when it is asked for the first time."""

from __future__ import annotations

import weakref
from collections.abc import Callable, Coroutine, Sequence
from typing import Any

from pydantic_ai.embeddings import EmbeddingModel

from ..core.budget import Budget
from . import background
from .faults import as_ours


class EmbeddingConnection:
    """One embedding model at one vendor, ready to be asked."""

    def __init__(
        self,
        model: EmbeddingModel,
        *,
        name: str,
        secrets: Sequence[str] = (),
        close: Callable[[], Coroutine[Any, Any, None]] | None = None,
    ) -> None:
        """``close`` ends the connections to the vendor; it is called when this object is no longer used."""
        self._model = model
        self._name = name
        self._secrets = tuple(secrets)
        if close is not None:
            weakref.finalize(self, lambda: background.begin(close())).atexit = False

    def vectors(self, texts: list[str], budget: Budget) -> Sequence[Sequence[float]]:
        """A vector for each text. Raises :class:`ModelError`, or :class:`DeadlineExceededError`."""
        return background.run(self._embed(texts), budget, f"waiting for {self._name}")

    async def _embed(self, texts: list[str]) -> Sequence[Sequence[float]]:
        failure = None
        try:
            # Names, questions and facts are compared with each other either way: all are embedded alike.
            return list((await self._model.embed(texts, input_type="document")).embeddings)
        except Exception as error:  # noqa: BLE001 (vendors' libraries share no base class)
            failure = as_ours(error, self._name, self._secrets)
        raise failure
