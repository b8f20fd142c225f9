"""What passed between askgraph and a language model, as a run records it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

Role = Literal["system", "user", "assistant"]


@dataclass(frozen=True, slots=True)
class Message:
    """One message of a conversation with a language model."""

    role: Role
    text: str

    def to_dict(self) -> dict[str, Any]:
        """Strict JSON data."""
        return {"role": self.role, "text": self.text}


@dataclass(frozen=True, slots=True)
class Usage:
    """What one call, or several, took.

    Attributes:
        input_tokens: tokens of the requests.
        output_tokens: tokens of the replies, reasoning included.
        estimated: whether any of the counts is our estimate and not the provider's word.
        cost: US dollars, or ``None`` where no price is known.
    """

    input_tokens: int = 0
    output_tokens: int = 0
    estimated: bool = False
    cost: float | None = None

    @property
    def tokens(self) -> int:
        """Tokens in and out."""
        return self.input_tokens + self.output_tokens

    def __add__(self, other: Usage) -> Usage:
        """Both together. A cost is only known where both are."""
        cost = None if self.cost is None or other.cost is None else self.cost + other.cost
        return Usage(
            self.input_tokens + other.input_tokens,
            self.output_tokens + other.output_tokens,
            self.estimated or other.estimated,
            cost,
        )

    def to_dict(self) -> dict[str, Any]:
        """Strict JSON data."""
        return {
            "input_tokens": self.input_tokens,
            "output_tokens": self.output_tokens,
            "estimated": self.estimated,
            "cost": self.cost,
        }


@dataclass(frozen=True, slots=True)
class ModelCall:
    """One call of a language model.

    Attributes:
        purpose: what it was for: the name of the prompt, such as ``"cypher"``.
        model: the model's name.
        messages: what it was asked.
        reply: what it said; what it had said so far, where it failed.
        usage: what it took.
        seconds: how long, waiting for repeated attempts included.
        attempts: how often it was sent.
        error: how it failed, without secrets; ``None`` where it did not.
    """

    purpose: str
    model: str
    messages: tuple[Message, ...]
    reply: str
    usage: Usage
    seconds: float
    attempts: int = 1
    error: str | None = None

    def to_dict(self) -> dict[str, Any]:
        """Strict JSON data."""
        return {
            "purpose": self.purpose,
            "model": self.model,
            "messages": [message.to_dict() for message in self.messages],
            "reply": self.reply,
            "usage": self.usage.to_dict(),
            "seconds": round(self.seconds, 6),
            "attempts": self.attempts,
            "error": self.error,
        }
