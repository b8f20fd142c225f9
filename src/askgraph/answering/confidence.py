"""How sure an answer is, and when there is none.

The confidence is the chance that the answer is right, by a logistic regression over what speaks against its reading
(:mod:`askgraph.answering.features`). Nothing that speaks against a reading can make it surer: no weight is above 0.
Some things allow no answer at all (:data:`~askgraph.answering.features.NEVER_RIGHT`). The weights are in
``confidence.toml``, and ``benchmarks/fit_confidence.py`` makes them. Below a least confidence there is no answer, and
the first thing that is wrong is the reason given.
"""

from __future__ import annotations

import math
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from importlib import resources

from ..core.plan import Table
from ..core.schema import Schema
from ..linking.linked_question import LinkedQuestion
from ..retrievers.reading.reading import Reading
from ..retrievers.relevance import Relevance
from .features import (
    NEVER_RIGHT,
    WEAK_WORD,
    asks_for_all_of,
    features_of,
    names_of_too_many,
    open_names,
    passed_over,
    split_names,
)

_SHOWN = 3


@dataclass(frozen=True, slots=True)
class Judgement:
    """A confidence from 0 to 1, why there should be no answer (empty if there should be one), and what was weighed."""

    confidence: float
    reason_to_abstain: str = ""
    features: Mapping[str, float] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Model:
    """What the features weigh: the logit of the confidence is ``intercept`` and the weighted sum of the features."""

    intercept: float
    weights: Mapping[str, float]

    def confidence(self, features: Mapping[str, float]) -> float:
        """The chance that an answer with these features is right."""
        logit = self.intercept + sum(
            weight * features.get(name, 0.0) for name, weight in self.weights.items()
        )
        return 1.0 / (1.0 + math.exp(-max(-50.0, min(50.0, logit))))


@cache
def fitted_model(file: str = "confidence.toml") -> Model:
    """A model that comes with askgraph: that of readings, or the one in another file of this package."""
    text = resources.files(__package__).joinpath(file).read_text(encoding="utf-8")
    data = tomllib.loads(text)
    return Model(float(data["intercept"]), {name: float(weight) for name, weight in data["weights"].items()})


def judge(
    question: LinkedQuestion,
    readings: Sequence[Reading],
    relevance: Relevance,
    schema: Schema,
    *,
    least: float,
    table: Table | None = None,
) -> Judgement:
    """Judge the best of the readings.

    Args:
        question: the question.
        readings: the ways to read it, the best first.
        relevance: what weighed them.
        schema: of the graph.
        least: below this confidence there should be no answer.
        table: the rows of the best reading, once there are any. They can only make it less sure.
    """
    if not readings:
        return Judgement(0.0, _nothing_to_go_by(question))
    features = features_of(question, readings, relevance, schema, table)
    is_of_another_question = any(features[name] for name in NEVER_RIGHT)
    confidence = 0.0 if is_of_another_question else fitted_model().confidence(features)
    if confidence >= least:
        return Judgement(confidence, features=features)
    reason = _what_is_wrong(question, readings, relevance, schema)
    return Judgement(confidence, reason or _TOO_LOOSE, features)


_TOO_LOOSE = "What was found fits the question too loosely to be an answer."


def open_words(question: LinkedQuestion, readings: Sequence[Reading]) -> list[str]:
    """The content words, as written, that the best reading does not explain; all of them where there is none."""
    words = [question.question.words[place].text for place in question.places]
    if not readings:
        return words
    return [word for word, share in zip(words, readings[0].explained, strict=True) if share < WEAK_WORD]


def _what_is_wrong(
    question: LinkedQuestion, readings: Sequence[Reading], relevance: Relevance, schema: Schema
) -> str:
    """The first thing that speaks against the best reading, in a sentence; empty where no single thing does."""
    best = readings[0]
    for link in names_of_too_many(question)[:1]:
        return f"{link.alternatives + 1:,} nodes are called {link.mention.text!r}: say which is meant."
    universal = asks_for_all_of(question, best)
    if universal is not None:
        return f"Which things have to do with all there are, as {universal!r} asks, cannot be told by this reading."
    unknown = [mention.text for mention in (*split_names(question), *open_names(question, best))]
    if unknown:
        return f"Nothing in the graph is called {_listed(unknown)}."
    if best.unused:
        words = _listed([mention.text for mention in best.unused])
        return f"Nothing in the graph connects {words} with the rest of the question."
    unexplained = open_words(question, readings)
    if unexplained:
        return f"Nothing found in the graph explains {_listed(unexplained)}."
    for route in best.routes:
        for edge_type in passed_over(route, relevance, schema, best)[:1]:
            return f"The graph has no {schema.label_of(edge_type)!r} for {route.seed.name!r}."
    return ""


def _listed(words: Sequence[str]) -> str:
    return ", ".join(map(repr, list(dict.fromkeys(words))[:_SHOWN]))


def _nothing_to_go_by(question: LinkedQuestion) -> str:
    if question.unlinked:
        return f"Nothing in the graph is called {_listed([item.mention.text for item in question.unlinked])}."
    if question.things:
        names = _listed([link.name for link in question.things])
        return f"The graph knows {names}, and nothing about it that fits the question."
    if question.terms:
        return "The graph has nodes of the types that the question names, and not what it asks of them."
    return "No word of the question names anything in the graph."
