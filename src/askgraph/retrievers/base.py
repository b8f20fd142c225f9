"""The seam behind which every way of finding evidence lives."""

from __future__ import annotations

from typing import Protocol

from ..core.budget import Budget
from ..core.evidence import Evidence
from ..core.run import Run
from ..linking.linked_question import LinkedQuestion


class Retriever(Protocol):
    """Links in, evidence out."""

    @property
    def name(self) -> str:
        """What facts and runs call this retriever."""

    def retrieve(self, question: LinkedQuestion, budget: Budget, run: Run) -> Evidence:
        """Facts for a question, the best first; an empty evidence where nothing was found.

        What is capped, cut or guessed is said in :attr:`Evidence.notes`. Raises :class:`DeadlineExceededError` only
        when the time was up before anything was found.
        """
