"""A language model of a vendor, as everything above sees it. Nothing is imported or connected before the first call."""

from __future__ import annotations

from collections.abc import Generator
from dataclasses import replace
from threading import Lock
from typing import TYPE_CHECKING

from ..core.budget import Budget
from ..core.errors import DeadlineExceededError, ModelError, ModelUnreachableError
from ..core.model_call import Usage
from .connection import Access
from .estimates import estimated_tokens
from .language_model import Reply, Request
from .prices import Prices, listed_context_window
from .vendor import Vendor

if TYPE_CHECKING:
    from .provider import Connection

# Where nobody knows: what nearly every hosted model of today takes, and what a server at home may have been given.
_USUAL_WINDOW = 32_768
_USUAL_LOCAL_WINDOW = 8_192
_LOOKING_SECONDS = 5.0


class HostedModel:
    """A :class:`~askgraph.models.language_model.LanguageModel` at a vendor, or at an address."""

    def __init__(
        self,
        vendor: Vendor,
        prefix: str,
        model: str | None,
        access: Access,
        *,
        context_window: int | None = None,
        prices: Prices | None = None,
        allowed: bool = True,
    ) -> None:
        """``prefix``: what its name begins with: ``openai``, or an address.

        ``model``: its name at the vendor; ``None`` takes the first that the server has.

        ``context_window``: tokens that it takes, where the user knows better.

        ``allowed``: whether a server of the user's own may be asked what models it has.
        """
        self._vendor = vendor
        self._prefix = prefix
        self._model = model
        self._access = access
        self._given_window = context_window
        self._prices = prices or Prices()
        self._served_window: int | None = None
        # What may not be asked counts as asked in vain.
        self._looked = not allowed
        self._connection: Connection | None = None
        self._lock = Lock()

    def __repr__(self) -> str:
        return f"<{self.name}>"

    @property
    def name(self) -> str:
        """``vendor:model``, or ``address|model``."""
        if self._model is None:
            return self._prefix
        return f"{self._prefix}{'|' if '://' in self._prefix else ':'}{self._model}"

    @property
    def context_window(self) -> int:
        """As given, or as the server or the table of models has it, or what is usual."""
        if self._given_window is not None:
            return self._given_window
        if self._vendor.prices is not None and self._model is not None:
            return listed_context_window(self._vendor.prices, self._model) or _USUAL_WINDOW
        self._look(Budget(seconds=_LOOKING_SECONDS))
        return self._served_window or (_USUAL_LOCAL_WINDOW if self._is_free else _USUAL_WINDOW)

    def prepare(self, budget: Budget) -> None:
        """Ask a server of the user's own what it has, so that :attr:`context_window` is known without a wait."""
        if self._given_window is None and self._vendor.prices is None:
            self._look(budget.within(_LOOKING_SECONDS))

    def load(self) -> None:
        """Import the provider's packages, where the model's name is known already. Raises as a first call."""
        if self._model is not None:
            self._connection_made()

    @property
    def _is_free(self) -> bool:
        return self._vendor.is_free or (self._vendor.prices is None and self._access.is_local)

    def tokens(self, text: str) -> int:
        """An upper estimate: providers' tokenizers are not at hand, and are not fetched."""
        return estimated_tokens(text)

    def cost(self, usage: Usage) -> float | None:
        """US dollars for a usage, ``None`` where the price is not known."""
        return self._prices.cost(self.name, usage, vendor=self._vendor.prices, is_free=self._is_free)

    def reply(self, request: Request, budget: Budget) -> Reply:
        """As :meth:`LanguageModel.reply`."""
        return self._counted(self._connected(budget).reply(request, budget), request)

    def stream(self, request: Request, budget: Budget) -> Generator[str | Reply, None, None]:
        """As :meth:`LanguageModel.stream`."""
        pieces = self._connected(budget).stream(request, budget)
        try:
            for piece in pieces:
                yield self._counted(piece, request) if isinstance(piece, Reply) else piece
        finally:
            pieces.close()

    def _counted(self, reply: Reply, request: Request) -> Reply:
        usage = reply.usage
        if not usage.tokens:
            read = sum(self.tokens(message.text) for message in request.messages)
            usage = Usage(read, self.tokens(reply.text), estimated=True)
        return replace(reply, usage=replace(usage, cost=self.cost(usage)))

    def _connected(self, budget: Budget) -> Connection:
        budget.check(f"connecting with {self.name}")
        if self._model is None:
            self._look(budget, insist=True)
        return self._connection_made()

    def _connection_made(self) -> Connection:
        with self._lock:
            if self._connection is None:
                assert self._model is not None
                self._connection = self._vendor.connect(self._model, self._access)
            return self._connection

    def _look(self, budget: Budget, *, insist: bool = False) -> None:
        """Ask a server of the user's own what models it has, once; again where we cannot do without (``insist``)."""
        with self._lock:
            if self._looked and not insist:
                return
            self._looked = True
            if self._access.url is None:
                return
            from .http_requests import served_models

            try:
                served = served_models(self._access, budget)
            except (ModelError, DeadlineExceededError):
                if insist:
                    raise
                return
            found = [each for each in served if self._model in (None, each.name)]
            if found:
                self._model, self._served_window = found[0].name, found[0].context_window
            elif self._model is None:
                raise ModelUnreachableError(
                    f"the server at {self._prefix} has no models",
                    advice="Load one, or name one: ADDRESS|NAME.",
                )
