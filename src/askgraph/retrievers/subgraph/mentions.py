"""What a question names, by a language model: it lists names and types, and that is all that it decides. The names are
looked up among those of the graph; what is like none is linked to nothing."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

from ...core.evidence import Link, Mention
from ...core.run import Run
from ...core.schema import Schema
from ...core.words import normalize
from ...linking.linked_question import LinkedQuestion
from ...linking.named_by_model import LEAST_LIKENESS, link_names
from ...linking.names import Names
from ...linking.schema_chooser import SchemaChooser
from ...models.calls import ModelCalls
from ..seed_discovery.entities import NamedEntity
from ..seed_discovery.extraction import extract_entities

# A name that does not stand in the question is the model's own word for it: it counts where the graph has just that.
_THE_SAME: Final = 0.97


@dataclass(frozen=True, slots=True)
class Mentions:
    """What a model says that a question names, as linked.

    Attributes:
        links: to nodes, in the order of the model's list.
        unlinked: names that are like none in the graph.
    """

    links: tuple[Link, ...]
    unlinked: tuple[str, ...]

    @property
    def nodes(self) -> tuple[str, ...]:
        """The nodes, each once."""
        return tuple(dict.fromkeys(link.id for link in self.links))


def mentions_by_model(
    question: LinkedQuestion, chooser: SchemaChooser, names: Names, calls: ModelCalls, run: Run
) -> Mentions:
    """Let a model list what a question names, and link that.

    The run gets two steps: ``mentions``, what the model says, and ``links``, what became of it.

    Raises:
        ModelError, BudgetError: as the call.
    """
    with run.step("mentions") as step:
        entities = extract_entities(question, chooser, calls).entities
        step.note(mentions=[_in_words(entity) for entity in entities])
    with run.step("links") as step:
        links: list[Link] = []
        unlinked: list[str] = []
        for entity in entities:
            own = _links(entity, question.question.text, chooser.schema, names)
            links += own
            if not own:
                unlinked.append(entity.name)
        step.note(
            links=[f"{link.mention.text} -> {link.name} {link.id} ({link.score:.2f})" for link in links],
            unlinked=unlinked,
        )
    return Mentions(tuple(links), tuple(unlinked))


def _links(entity: NamedEntity, question: str, schema: Schema, names: Names) -> list[Link]:
    mention = _place(entity.name, question)
    least = LEAST_LIKENESS if mention is not None else _THE_SAME
    found = link_names([entity.name], names, limit=1, least=least).links
    fitting = frozenset(schema.with_subtypes(entity.types))
    of_type = [link for link in found if not fitting.isdisjoint(link.types)]
    return [replace(link, mention=mention or link.mention) for link in of_type or found]


def _place(name: str, question: str) -> Mention | None:
    """Where a name stands in a question; ``None`` where it does not."""
    start = question.casefold().find(name.casefold())
    if start >= 0 and len(question.casefold()) == len(question):
        return Mention(question[start : start + len(name)], start, start + len(name))
    words = f" {normalize(question)} "
    return Mention(name, 0, len(name)) if f" {normalize(name)} " in words else None


def _in_words(entity: NamedEntity) -> str:
    return f"{entity.name} ({_or(entity.guesses)})" if entity.guesses else entity.name


def _or(texts: Sequence[str]) -> str:
    return " or ".join(texts)
