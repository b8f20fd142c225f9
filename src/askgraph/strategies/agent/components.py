"""The parts that the loop is made of, each a seam: askgraph's own stand behind it, or a user's."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from ...core.budget import Budget
from ...core.evidence import Fact
from ...linking.named_by_model import LinkedNames
from ...models.calls import ModelCalls
from ...retrievers.exploring.tagged_reply import Proposal
from .findings import Found


@dataclass(frozen=True)
class Situation:
    """What a proposer knows when it is asked.

    Attributes:
        question: as asked.
        user_input: what the user said besides.
        facts: what was found, the best first.
        feedback: what came of earlier tries, a line each.
        names: what was linked so far, in words.
        is_first: whether nothing was proposed before.
    """

    question: str
    user_input: str = ""
    facts: tuple[Fact, ...] = ()
    feedback: tuple[str, ...] = ()
    names: tuple[str, ...] = ()
    is_first: bool = True


class Proposer(Protocol):
    """Asks a model, in one call, what to try."""

    @property
    def name(self) -> str:
        """What runs call it."""

    def propose(self, situation: Situation, calls: ModelCalls | None) -> Proposal:
        """What to try. Raises :class:`ModelError` or :class:`BudgetError` as the call."""


class NameLinker(Protocol):
    """Links names that a model gave."""

    def link(self, names: Sequence[str]) -> LinkedNames:
        """Their nodes."""


class TripleFinder(Protocol):
    """Finds triples around nodes."""

    @property
    def is_own_choice(self) -> bool:
        """Whether the user chose it: it is then always asked, and not only where the question is still open."""

    def find(
        self, sources: Sequence[str], facts: Sequence[Fact], budget: Budget, calls: ModelCalls | None
    ) -> Found:
        """Triples about the question. ``calls`` is given where a model may be asked."""


class PathFinder(Protocol):
    """Follows metapaths and connects nodes."""

    def follow(self, sources: Sequence[str], paths: Sequence[str], budget: Budget) -> Found:
        """What the paths lead to."""

    def connect(self, sources: Sequence[str], targets: Sequence[str], budget: Budget) -> Found:
        """How sources and targets are connected."""


class QueryRunner(Protocol):
    """Runs queries that a model wrote."""

    def run(self, queries: Sequence[str], budget: Budget) -> Found:
        """What they gave."""


@dataclass(frozen=True)
class Components:
    """Everything that a loop is made of. Without a proposer of either kind nothing is asked of a model."""

    names: NameLinker
    triples: TripleFinder | None
    paths: PathFinder | None
    queries: QueryRunner | None
    proposer: Proposer | None = None
    query_proposer: Proposer | None = None
