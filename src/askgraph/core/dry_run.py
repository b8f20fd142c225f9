"""What a language model would be asked for a question, without asking it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from .model_call import Message


@dataclass(frozen=True, slots=True)
class DryRun:
    """The first request that a question would make of a model; later ones depend on its reply.

    Attributes:
        question: as it would be asked.
        strategy: how it would be answered.
        model: the model that would be called.
        messages: what it would be asked; none where the question is answered without it.
        tokens: about how many tokens the messages have.
        reply_tokens: how many the reply may have at most.
        cost: US dollars of this one call at most, or ``None`` where no price is known.
        calls: how many calls the budget allows for one question.
    """

    question: str
    strategy: str
    model: str
    messages: tuple[Message, ...]
    tokens: int
    reply_tokens: int
    cost: float | None
    calls: int

    def to_dict(self) -> dict[str, Any]:
        """Strict JSON data."""
        return {
            "question": self.question,
            "strategy": self.strategy,
            "model": self.model,
            "messages": [message.to_dict() for message in self.messages],
            "tokens": self.tokens,
            "reply_tokens": self.reply_tokens,
            "cost": self.cost,
            "calls": self.calls,
        }
