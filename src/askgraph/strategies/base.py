"""The seam behind which every way of answering lives."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol, runtime_checkable

from ..core.budget import Budget
from ..core.errors import PlanError
from ..core.evidence import Answer
from ..core.run import Run
from ..core.schema import Schema
from ..core.settings import Settings
from ..graph_queries import GraphQueries
from ..linking.graph_index import GraphIndex
from ..linking.linked_question import LinkedQuestion
from ..linking.schema_chooser import SchemaChooser
from ..linking.solved_examples import SolvedExamples
from ..models.base import Embedder
from ..models.calls import ModelCalls
from ..models.language_model import LanguageModel
from ..models.prompts.prompts import Prompts
from ..retrievers.subgraph.whole import ReportsAhead
from ..stores.base import GraphStore

if TYPE_CHECKING:
    from ..retrievers.subgraph.selector import SubgraphSelector


@dataclass(frozen=True)
class Parts:
    """What a strategy works with: an open graph and everything made for it.

    ``selector`` gives what cuts the graph to some nodes, by what was measured of it so far. ``reports_ahead`` gives the
    reports on the communities of the whole graph; they are made where there are none.
    """

    store: GraphStore
    schema: Schema
    index: GraphIndex
    embedder: Embedder | None
    settings: Settings
    queries: GraphQueries
    model: LanguageModel | None = None
    examples: SolvedExamples | None = None
    reports_ahead: Callable[[], ReportsAhead] | None = None
    selector: Callable[[], SubgraphSelector] | None = None

    @property
    def schema_chooser(self) -> SchemaChooser:
        """What chooses the part of the schema that a model is shown."""
        return SchemaChooser(self.schema, self.index.labels, self.embedder, self.settings.hidden)

    def calls(self, budget: Budget, run: Run) -> ModelCalls:
        """The model calls of one run. Raises :class:`PlanError` where there is no model."""
        if self.model is None:
            raise no_model("this strategy asks a language model")
        return ModelCalls(
            self.model, budget, run, Prompts(self.settings.prompts), temperature=self.settings.temperature
        )


def no_model(why: str) -> PlanError:
    """What is said where a model is needed and none is set."""
    return PlanError(
        f"{why}, and none is set",
        advice="Name one: --model openai:gpt-4o-mini, the setting model, or ASKGRAPH_MODEL.",
    )


class Strategy(Protocol):
    """A named composition of retrievers, and what is made of what they find."""

    @property
    def name(self) -> str:
        """What users and runs call it."""

    def answer(self, question: LinkedQuestion, budget: Budget, run: Run) -> Answer:
        """Answer a linked question, or abstain. Text that is written piece by piece is told by :meth:`Run.say`."""


@runtime_checkable
class WorksAhead(Protocol):
    """A strategy that does a part of its work before any question."""

    def work_ahead(self) -> ReportsAhead:
        """Do that part now, unless it was done already, and say what it took when it was done."""
