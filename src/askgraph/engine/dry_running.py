"""What a request of a model would take, told without sending it."""

from __future__ import annotations

from ..core.dry_run import DryRun
from ..core.model_call import Usage
from ..core.settings import Settings
from ..models.calls import REPLY_TOKENS
from ..models.dry_run import DryRunModel
from ..models.estimates import TOKENS_PER_MESSAGE
from ..models.prices import cost_of


def dry_run_of(question: str, strategy: str, model: DryRunModel, settings: Settings) -> DryRun:
    """The first request that a run made of a model, and what it would take at most."""
    request = model.request
    messages = request.messages if request is not None else ()
    tokens = sum(model.tokens(message.text) + TOKENS_PER_MESSAGE for message in messages)
    reply_tokens = 0 if request is None else request.max_tokens or REPLY_TOKENS
    usage = Usage(tokens, reply_tokens, estimated=True)
    return DryRun(
        question=question,
        strategy=strategy,
        model=model.name,
        messages=messages,
        tokens=tokens,
        reply_tokens=reply_tokens,
        cost=cost_of(model, usage) if messages else 0.0,
        calls=settings.model_calls,
    )
