"""What a documented component needs of one question: its parts, its budget, its record, its calls of a model."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property

from ..core.budget import Budget
from ..core.run import Run
from ..engine import Graph
from ..linking.linked_question import LinkedQuestion
from ..models.calls import ModelCalls
from ..models.language_model import LanguageModel
from ..retrievers.relevance import Relevance
from ..strategies.base import Parts
from .graphs import assembly_of


@dataclass
class Asked:
    """A question put to a graph by a documented class."""

    graph: Graph
    question: str
    linked: LinkedQuestion
    budget: Budget
    run: Run

    @classmethod
    def of(cls, graph: Graph, question: str) -> Asked:
        """A question whose clock begins now. Raises :class:`PlanError` for one that is empty or too long."""
        run = Run(question, graph=graph.location, graph_version=graph.store.capabilities.version)
        return cls(graph, question, graph.linked(question, run), graph.settings.budget(), run)

    @cached_property
    def parts(self) -> Parts:
        """The parts of the graph."""
        return self.graph.parts()

    @cached_property
    def relevance(self) -> Relevance:
        """What weighs relations against the question."""
        return assembly_of(self.graph).relevances.of(self.linked)[0]

    def calls(self, model: LanguageModel) -> ModelCalls:
        """The calls of a model."""
        return replace(self.parts, model=model).calls(self.budget, self.run)
