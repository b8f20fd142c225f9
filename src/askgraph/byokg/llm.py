"""Language models by the names of the document."""

from __future__ import annotations

from collections.abc import Generator
from functools import cached_property
from typing import Any

from ..core.budget import Budget
from ..core.model_call import Message
from ..core.settings import Settings
from ..models.language_model import LanguageModel, Reply, Request

_SECONDS = 120.0


def language_model(generator: LanguageModel | Any, settings: Settings | None = None) -> LanguageModel:
    """A language model, or any object with ``generate(prompt, system_prompt)`` as one, or the name of one.

    Raises:
        SettingsError: it is none of these.
    """
    from ..models.registry import make_model

    if isinstance(generator, BedrockGenerator):
        return generator

    return make_model(settings or Settings.load(), generator)


class BedrockGenerator:
    """A model of Amazon Bedrock. Nothing is loaded or connected before the first call; credentials are found as AWS's
    own tools find them.

    Args:
        model_name: as Bedrock calls it: ``us.anthropic.claude-sonnet-4-6``.
        region_name: the AWS region; as AWS's own tools find it otherwise.
        max_tokens: tokens of a reply, where the caller does not say.
    """

    def __init__(
        self,
        model_name: str = "us.anthropic.claude-sonnet-4-6",
        region_name: str | None = None,
        max_tokens: int = 4_096,
    ) -> None:
        self.model_name = model_name
        self.region_name = region_name
        self.max_tokens = max_tokens

    @cached_property
    def _model(self) -> LanguageModel:
        from ..models.connection import Access
        from ..models.hosted import HostedModel
        from ..models.prices import Prices
        from ..models.registry import make_model
        from ..models.vendors.bedrock import vendor_in

        settings = Settings.load()
        vendor = vendor_in(self.region_name)
        vendor.insist_on_packages()
        access = vendor.completed(Access(settings.model_url, settings.model_key, ca_file=settings.ca_file))
        model = HostedModel(
            vendor,
            "bedrock",
            self.model_name,
            access,
            context_window=settings.model_context,
            prices=Prices(settings.model_prices),
        )
        return make_model(settings, model)

    def generate(self, prompt: str, system_prompt: str = "", **options: Any) -> str:
        """The reply to a prompt.

        Raises:
            ModelError: the model failed, also when it was too busy: never is a failure a reply.
        """
        messages = [Message("user", prompt)]
        if system_prompt:
            messages.insert(0, Message("system", system_prompt))
        most = int(options.get("max_tokens", self.max_tokens))
        return self.reply(Request(tuple(messages), max_tokens=most), Budget(seconds=_SECONDS)).text

    @property
    def name(self) -> str:
        """What runs call it."""
        return f"bedrock:{self.model_name}"

    @property
    def context_window(self) -> int:
        """Tokens that a request and its reply may have together."""
        return self._model.context_window

    def tokens(self, text: str) -> int:
        """How many tokens a text is, estimated."""
        return self._model.tokens(text)

    def reply(self, request: Request, budget: Budget) -> Reply:
        """As :meth:`LanguageModel.reply`."""
        return self._model.reply(request, budget)

    def stream(self, request: Request, budget: Budget) -> Generator[str | Reply, None, None]:
        """As :meth:`LanguageModel.stream`."""
        return self._model.stream(request, budget)

    def __repr__(self) -> str:
        """Its name and region."""
        return f"BedrockGenerator(model_name={self.model_name!r}, region_name={self.region_name!r})"
