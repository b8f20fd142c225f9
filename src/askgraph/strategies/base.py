"""The seam behind which every way of answering lives."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

from ..core.budget import Budget
from ..core.evidence import Answer
from ..core.run import Run
from ..core.schema import Schema
from ..core.settings import Settings
from ..graph_queries import GraphQueries
from ..linking.graph_index import GraphIndex
from ..linking.linker import LinkedQuestion
from ..models.base import Embedder
from ..models.language_model import LanguageModel
from ..stores.base import GraphStore


@dataclass(frozen=True)
class Parts:
    """What a strategy works with: an open graph and everything made for it."""

    store: GraphStore
    schema: Schema
    index: GraphIndex
    embedder: Embedder | None
    settings: Settings
    queries: GraphQueries
    model: LanguageModel | None = None


class Strategy(Protocol):
    """A named composition of retrievers, and what is made of what they find."""

    @property
    def name(self) -> str:
        """What users and runs call it."""

    @property
    def needs_model(self) -> bool:
        """Whether it does nothing without a language model."""

    def answer(self, question: LinkedQuestion, budget: Budget, run: Run) -> Answer:
        """Answer a linked question, or abstain. Text that is written piece by piece is told by :meth:`Run.say`."""
