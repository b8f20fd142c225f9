"""A model that is asked and never replies: it shows what a real one would be asked, and what that would cost."""

from __future__ import annotations

from collections.abc import Generator

from ..core.budget import Budget
from ..core.errors import ModelReplyError
from ..core.model_call import Usage
from .language_model import LanguageModel, Reply, Request
from .prices import cost_of


class DryRunModel:
    """Stands in for a model, keeps the first request that would be made of it, and ends the run there.

    What a model is asked later depends on what it said first, so there is only one request to be shown.

    Attributes:
        request: what the model would be asked first; ``None`` if nothing was asked.
    """

    def __init__(self, model: LanguageModel) -> None:
        self._model = model
        self.request: Request | None = None

    @property
    def name(self) -> str:
        """The name of the model that it stands in for."""
        return self._model.name

    @property
    def context_window(self) -> int:
        """As the model."""
        return self._model.context_window

    def tokens(self, text: str) -> int:
        """As the model counts."""
        return self._model.tokens(text)

    def cost(self, usage: Usage) -> float | None:
        """As the model."""
        return cost_of(self._model, usage)

    def reply(self, request: Request, budget: Budget) -> Reply:
        """Keep the request. Raises :class:`ModelReplyError`."""
        if self.request is None:
            self.request = request
        raise ModelReplyError("this is a dry run: no model was called")

    def stream(self, request: Request, budget: Budget) -> Generator[str | Reply, None, None]:
        """As :meth:`reply`."""
        yield self.reply(request, budget)
