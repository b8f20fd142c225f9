"""What a question names, and of which types that may be: by the linker, or by a language model."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ...core.evidence import Mention
from ...core.schema import UNTYPED, Schema
from ...core.words import normalize
from ...linking.linked_question import LinkedQuestion

# Words between a type and what it is the type of: "the department *of* Sales".
_MOST_BETWEEN = 6


@dataclass(frozen=True, slots=True)
class NamedEntity:
    """Something that a question names.

    Attributes:
        name: its name as the question has it, or as a model wrote it.
        types: ids of the types that it may have; empty for any.
        guesses: the same in words, also those that the graph has no type for.
    """

    name: str
    types: tuple[str, ...] = ()
    guesses: tuple[str, ...] = ()


def entities_of(question: LinkedQuestion, schema: Schema) -> tuple[NamedEntity, ...]:
    """What the linker found to be names, also those that it could not link, in the order of the question. A type that
    stands beside a name is a guess of its type."""
    unlinked = [item.mention for item in question.unlinked]
    mentions = sorted({*question.mentions, *unlinked}, key=lambda item: (item.start, item.end))
    kept: list[Mention] = []
    for mention in mentions:
        if not any(mention.overlaps(other) for other in kept):
            kept.append(mention)
    return tuple(_entity(question, mention, schema) for mention in kept)


def _entity(question: LinkedQuestion, mention: Mention, schema: Schema) -> NamedEntity:
    beside = [
        link.id
        for link in question.terms
        if link.kind == "node type"
        and not link.mention.overlaps(mention)
        and (
            0 <= mention.start - link.mention.end <= _MOST_BETWEEN
            or 0 <= link.mention.start - mention.end <= 1
        )
    ]
    types = tuple(dict.fromkeys(beside))
    return NamedEntity(mention.text, types, tuple(schema.label_of(kind) for kind in types))


class TypeGuesses:
    """Resolves types in words to those of a schema."""

    def __init__(self, schema: Schema) -> None:
        self._schema = schema
        self._by_word: dict[str, list[str]] = {}
        for item in schema.node_types:
            if item.id != UNTYPED:
                for text in (item.label, item.id, *item.other_labels):
                    self._by_word.setdefault(_key(text), []).append(item.id)

    def resolve(self, guesses: Sequence[str]) -> tuple[str, ...]:
        """The types of the schema that some words name; none for words that name none."""
        return tuple(dict.fromkeys(id for guess in guesses for id in self._by_word.get(_key(guess), ())))


def _key(text: str) -> str:
    words = normalize(text).replace(" ", "")
    return words.removesuffix("s")
