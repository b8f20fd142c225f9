"""Templates that a language model thinks up, in the words of the relations that the graph really has."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final

from pydantic import BaseModel, Field

from ...core.budget import Budget
from ...core.run import Run
from ...core.schema import Schema
from ...core.words import normalize
from ...linking.linked_question import LinkedQuestion
from ...linking.schema_chooser import SchemaChooser
from ...models.calls import ModelCalls
from ..seeds import Seed
from .template import Template

_SEEDS_SHOWN: Final = 8


class PathTemplate(BaseModel):
    """What a model says of the path that answers a question."""

    phrase: str = Field(description="the path in one short phrase, in the words of the graph")
    relations: list[str] = Field(default_factory=list, description="the relations that it follows, in order")


class ModelTemplates:
    """Makes templates for questions to one graph.

    Args:
        chooser: knows which relations of the graph a question needs.
        calls: makes the model calls of a run.
    """

    def __init__(self, chooser: SchemaChooser, calls: Callable[[Budget, Run], ModelCalls]) -> None:
        self._calls = calls
        self._chooser = chooser
        self._labels: dict[str, list[str]] = {}
        for id, label in _relations(chooser.schema):
            self._labels.setdefault(label, []).append(id)

    def __call__(self, question: LinkedQuestion, seeds: Sequence[Seed], budget: Budget, run: Run) -> Template:
        """The template of a question. Raises :class:`ModelError` if the model fails; of relations that it names and
        that the graph does not have nothing is kept."""
        text = question.question.text
        calls = self._calls(budget, run)
        said = calls.structured(
            "path_template",
            {
                "question": text,
                "relations": "\n".join(self.relations_for(question, calls.tokens)),
                "seeds": "\n".join(seed.name for seed in seeds[:_SEEDS_SHOWN]) or "(unknown)",
            },
            PathTemplate,
        )
        return self.grounded(said, text, origin="model")

    def grounded(self, said: PathTemplate, question: str, *, origin: str) -> Template:
        """What a model said, with the relations that the graph has."""
        by_name = {normalize(label): ids for label, ids in self._labels.items()}
        known = [id for name in said.relations for id in by_name.get(normalize(name), ())]
        phrase = " ".join(said.phrase.split())
        return Template(phrase or question, tuple(dict.fromkeys(known)), origin)

    def relations_for(self, question: LinkedQuestion, tokens: Callable[[str], int]) -> list[str]:
        """The labels of the relations that a question needs."""
        shown = self._chooser.labels_for(question, tokens).schema
        return list(dict.fromkeys(label for _, label in _relations(shown)))


def _relations(schema: Schema) -> list[tuple[str, str]]:
    edges = [(item.id, item.label) for item in schema.edge_types]
    properties = [(item.key, item.label) for item in schema.properties if not item.of_edges]
    return list(dict.fromkeys([*edges, *properties]))
