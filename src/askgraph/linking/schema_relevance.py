"""How much each part of a schema has to do with a question, and why."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

import numpy as np

from ..core.schema import UNTYPED, EdgeType, NodeType, Property, Schema
from ..core.values import display
from ..core.words import normalize
from ..models.base import Embedder
from .language import Language
from .linked_question import LinkedQuestion
from .property_values import value_of
from .vocabulary import WordMatcher, other_labels_of

if TYPE_CHECKING:
    from numpy.typing import NDArray

PartKind = Literal["node type", "edge type", "property"]

# What is named outright; a word that is like another; what the question as a whole is like; what stands in a sample.
_NAMED = 1.0
_VALUE = 0.95
_SAMPLE = 0.6
_DESCRIBED = 0.5
_WHOLE = 0.3
# How much of a label that speaks of other things as well is left.
_STRAY = 0.5
_SHORTEST_SAMPLE = 4
_FEWEST_WORDS_DESCRIBED = 2


@dataclass(frozen=True, slots=True)
class Reason:
    """How much a part of a schema has to do with a question, from 0 to 1, and why in a few words."""

    score: float
    why: str


class SchemaRelevance:
    """Rates the parts of one schema for questions.

    Args:
        schema: the schema.
        rules: the language of its labels.
        vectors: of its labels and their words (:func:`~askgraph.linking.vocabulary.label_texts`), as the graph's index
            keeps them; empty without an embedder.
        embedder: the model that they are of; ``None``: words are compared by their letters alone.
    """

    def __init__(
        self,
        schema: Schema,
        rules: Language,
        vectors: Mapping[str, NDArray[np.float32]],
        embedder: Embedder | None,
    ) -> None:
        self._schema = schema
        self._rules = rules
        self._vectors = vectors
        self._embedder = embedder
        self._other_labels = other_labels_of(schema)

    def of(self, linked: LinkedQuestion) -> Mapping[tuple[PartKind, str], Reason]:
        """A reason for each part that has something to do with a question, by its kind and its id or key."""
        found: dict[tuple[PartKind, str], Reason] = {}
        for kind, id, reason in (*self._named(linked), *self._alike(linked), *self._told(linked)):
            known = found.get((kind, id))
            if known is None or known.score < reason.score:
                found[kind, id] = reason
        return found

    def _named(self, linked: LinkedQuestion) -> Iterable[tuple[PartKind, str, Reason]]:
        """What the links of the question say: the types of nodes, the properties of values, and what is named."""
        for link in linked.terms:
            if link.kind in ("node type", "edge type", "property"):
                score = _NAMED if link.method == "exact" else _NAMED * link.score
                yield link.kind, link.id, Reason(score, f"{link.mention.text!r} names it")
        for link in linked.things:
            if link.kind == "value":
                key = value_of(link.id)[0]
                yield "property", key, Reason(_VALUE, f"{link.mention.text!r} is one of its values")
            # Of many namesakes each counts less.
            share = 1.0 / (1 + link.alternatives) ** 0.25
            for type in link.types:
                if self._schema.has_node_type(type) and type != UNTYPED:
                    score = _NAMED * share * link.score
                    yield "node type", type, Reason(score, f"{link.mention.text!r} is one of them")

    def _alike(self, linked: LinkedQuestion) -> Iterable[tuple[PartKind, str, Reason]]:
        """What words of the question, or the question as a whole, are like."""
        words = self._words(linked)
        matcher = WordMatcher(
            words,
            self._rules,
            self._vectors,
            self._embedder,
            linked.phrases(),
            self._other_labels,
        )
        whole = self._likeness_of_the_whole(linked)
        for kind, id, label in self._labels():
            by_word = matcher.explained_by_type(label) if kind == "node type" else matcher.explained(label)
            best = float(by_word.max()) if len(by_word) else 0.0
            score = best * (1 - _STRAY * matcher.stray(label))
            why = f"{words[int(by_word.argmax())]!r} is like {label!r}" if score else ""
            general = _WHOLE * whole.get(normalize(label), 0.0)
            if general > score:
                score, why = general, "the question is like it"
            if score > 0.0:
                yield kind, id, Reason(score, why)

    def _words(self, linked: LinkedQuestion) -> tuple[str, ...]:
        """The content words, and what the ends of a scale are measured by: the cheapest is so by its price."""
        superlative = linked.form.superlative
        if superlative is None:
            return linked.words
        said = (linked.question.words[superlative.place].normal, *superlative.words)
        return (*linked.words, *(word for word in dict.fromkeys(said) if word not in linked.words))

    def _labels(self) -> Iterable[tuple[PartKind, str, str]]:
        for node_type in self._schema.node_types:
            if node_type.id != UNTYPED:
                yield "node type", node_type.id, node_type.label
        for edge_type in self._schema.edge_types:
            yield "edge type", edge_type.id, edge_type.label
        for key, label in dict.fromkeys((item.key, item.label) for item in self._schema.properties):
            yield "property", key, label

    def _likeness_of_the_whole(self, linked: LinkedQuestion) -> Mapping[str, float]:
        """How much each label is like the whole question, from 0 to 1 for the most alike."""
        if self._embedder is None or not self._vectors:
            return {}
        own = self._embedder.embed([linked.masked])[0]
        labels = list(self._vectors)
        cosines = np.stack([self._vectors[label] for label in labels]) @ own
        lowest, highest = float(np.median(cosines)), float(cosines.max())
        if highest <= lowest:
            return {}
        scaled = np.clip((cosines - lowest) / (highest - lowest), 0.0, 1.0)
        return dict(zip(labels, map(float, scaled), strict=True))

    def _told(self, linked: LinkedQuestion) -> Iterable[tuple[PartKind, str, Reason]]:
        """What descriptions and samples have in common with the question."""
        stems = {self._rules.stem(word) for word in linked.words}
        said = f" {linked.question.normal} "
        parts: list[tuple[PartKind, str, NodeType | EdgeType | Property]] = [
            *(("node type", item.id, item) for item in self._schema.node_types),
            *(("edge type", item.id, item) for item in self._schema.edge_types),
            *(("property", item.key, item) for item in self._schema.properties),
        ]
        for kind, id, item in parts:
            if item.description and stems:
                words = {
                    self._rules.stem(word) for word in self._rules.content_words(normalize(item.description))
                }
                shared = stems & words
                if len(shared) >= min(_FEWEST_WORDS_DESCRIBED, len(stems)):
                    score = _DESCRIBED * len(shared) / len(stems)
                    yield kind, id, Reason(score, "its description speaks of it")
            if isinstance(item, Property) and any(
                self._is_said(sample, said) for sample in map(display, item.samples)
            ):
                yield kind, id, Reason(_SAMPLE, "the question has one of its values")

    @staticmethod
    def _is_said(sample: str, said: str) -> bool:
        text = normalize(sample)
        return len(text) >= _SHORTEST_SAMPLE and f" {text} " in said


def shown_reasons(reasons: Mapping[tuple[PartKind, str], Reason], most: int) -> list[str]:
    """The strongest reasons in words, for the record of a run."""
    best = sorted(reasons.items(), key=lambda item: (-item[1].score, item[0]))[:most]
    return [f"{kind} {json.dumps(id)}: {reason.why} ({reason.score:.2f})" for (kind, id), reason in best]
