"""The seam behind which every language model lives."""

from __future__ import annotations

from collections.abc import Generator, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal, Protocol, runtime_checkable

from ..core.budget import Budget
from ..core.model_call import Message, Usage


@dataclass(frozen=True, slots=True)
class Request:
    """What a language model is asked.

    Attributes:
        messages: the conversation so far; the last one is the user's.
        schema: JSON Schema of an object that the reply must be, or ``None`` for text.
        max_tokens: tokens that the reply may have; ``None`` leaves it to the model.
        temperature: 0 for the likeliest reply each time.
        seed: makes sampling repeatable, where the model can do that.
        stop: texts before which the reply ends.
        purpose: what it is for: the name of the prompt. It is not sent; scripts and logs go by it.
    """

    messages: tuple[Message, ...]
    schema: Mapping[str, Any] | None = None
    max_tokens: int | None = None
    temperature: float = 0.0
    seed: int | None = None
    stop: tuple[str, ...] = ()
    purpose: str = ""


Finish = Literal["stop", "length", "refused", "unknown"]


@dataclass(frozen=True, slots=True)
class Reply:
    """What a language model said.

    Attributes:
        text: the reply; JSON text where a schema was asked for. Reasoning that the model shows apart is not part of it.
        usage: what it cost.
        finish: why it ended: by itself, at ``max_tokens``, because the provider would not let it, or nobody says.
    """

    text: str
    usage: Usage = field(default_factory=Usage)
    finish: Finish = "stop"


@runtime_checkable
class LanguageModel(Protocol):
    """Messages in, a reply out. One call is one attempt: repeating, counting and recording are done above
    (:mod:`askgraph.models.calls`).

    Safe to use from several threads at a time.
    """

    @property
    def name(self) -> str:
        """What settings, runs and caches call it: ``"openai:gpt-4o-mini"``. Never a secret."""

    @property
    def context_window(self) -> int:
        """Tokens that a request and its reply may have together."""

    def tokens(self, text: str) -> int:
        """How many tokens a text is, or a little more where that can only be estimated. Downloads nothing."""

    def reply(self, request: Request, budget: Budget) -> Reply:
        """The whole reply.

        Raises:
            ModelError: one of its kinds (:mod:`askgraph.core.errors`): unreachable, not allowed in, too many calls,
                a request that is too long, a reply that broke off.
            DeadlineExceededError: the budget's time was up.
        """

    def stream(self, request: Request, budget: Budget) -> Generator[str | Reply, None, None]:
        """The pieces of the reply as they come, and at the end the whole :class:`Reply`. Closing the generator early
        ends the call. Raises as :meth:`reply`, also between two pieces."""


def loaded(model: LanguageModel) -> None:
    """Let a model import what its calls need. That takes seconds the first time, and nothing can stop it."""
    load = getattr(model, "load", None)
    if callable(load):
        load()


def prepared(model: LanguageModel, budget: Budget) -> None:
    """Let a model find out about itself what takes a request, within a budget."""
    prepare = getattr(model, "prepare", None)
    if callable(prepare):
        prepare(budget)
