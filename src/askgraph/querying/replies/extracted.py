"""What was found in a model's reply."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from ..source import Span

Outcome = Literal["query", "unanswerable", "refusal", "prose", "empty"]
"""What a reply comes to: a query; the word that the graph cannot answer the question; a model that does not want to or
cannot; anything else that is said; nothing at all."""

State = Literal["whole", "unsafe", "faulty"]
"""A query of the language; one that would do more than read, and that the gate will refuse; one with a fault in it."""

Setting = Literal["alone", "fence", "json", "text"]
"""How a query stands in a reply: by itself, in a block of code, in a string of JSON, or in running text."""


@dataclass(frozen=True, slots=True)
class CandidateQuery:
    """A query that stands in a reply.

    Attributes:
        text: the query, as it is to be given to the gate.
        span: where it stands in the reply. The reply says the same there, but for ``changes``.
        state: whether it can be read.
        setting: how it stands there.
        in_reasoning: whether it stands in what the model thought and not in what it answered.
        parameters: values for its parameters, where the reply gives them.
        changes: what was put right to read it, in plain sentences.
    """

    text: str
    span: Span
    state: State
    setting: Setting
    in_reasoning: bool = False
    parameters: Mapping[str, Any] = field(default_factory=dict)
    changes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class ExtractedReply:
    """A reply taken apart.

    Attributes:
        outcome: what it comes to.
        meant: the query that the model means; ``None`` unless the outcome is ``"query"``.
        candidates: every query that stands in it, in its order.
        said: where there is no query what was said in its place, without reasoning and marks, on one line.
    """

    outcome: Outcome
    meant: CandidateQuery | None = None
    candidates: tuple[CandidateQuery, ...] = ()
    said: str = ""
