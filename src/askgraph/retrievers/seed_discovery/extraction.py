"""What a question names, by a language model that sees the types and relations of the graph."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from pydantic import BaseModel, Field

from ...core.schema import UNTYPED
from ...linking.linked_question import LinkedQuestion
from ...linking.schema_chooser import SchemaChooser
from ...models.calls import ModelCalls
from .entities import NamedEntity, TypeGuesses

_REPLY_TOKENS: Final = 600


class _Entity(BaseModel):
    name: str = Field(description="the name, as the question has it")
    types: list[str] = Field(default_factory=list, description="one to three types that it may have")


class _Extracted(BaseModel):
    entities: list[_Entity] = Field(default_factory=list)
    relations: list[str] = Field(default_factory=list)


@dataclass(frozen=True, slots=True)
class Extracted:
    """What a model read in a question: what it names, and the relations that it speaks of, in words."""

    entities: tuple[NamedEntity, ...]
    relations: tuple[str, ...] = ()


def extract_entities(question: LinkedQuestion, chooser: SchemaChooser, calls: ModelCalls) -> Extracted:
    """Let a model say what a question names. Raises :class:`ModelError` if it fails.

    It is shown the types and relations that the question needs. Types that the graph does not have are kept in words
    alone; names without a letter or digit are left out.
    """
    shown = chooser.labels_for(question, calls.tokens).schema
    types = [item.label for item in shown.node_types if item.id != UNTYPED]
    relations = [*(item.label for item in shown.edge_types), *(item.label for item in shown.properties)]
    said = calls.structured(
        "extract_entities",
        {
            "question": question.question.text,
            "types": "\n".join(dict.fromkeys(types)) or "(none)",
            "relations": "\n".join(dict.fromkeys(relations)) or "(none)",
        },
        _Extracted,
        max_tokens=_REPLY_TOKENS,
    )
    guesses = TypeGuesses(chooser.schema)
    entities = {
        item.name.strip(): NamedEntity(item.name.strip(), guesses.resolve(item.types), tuple(item.types))
        for item in said.entities
        if any(character.isalnum() for character in item.name)
    }
    return Extracted(tuple(entities.values()), tuple(dict.fromkeys(said.relations)))
