"""From subgraphs to an answer without a model: what the most probable path leads to, by one rule.

* Where the question asks for what has a type that it names, the last nodes on the path that have it.
* Where a property of the ends fits the question best, its values.
* Where the path leads to another thing that the question names, what stands between the two.
* Otherwise the nodes at its end.

"How many" is the number of these; a yes-or-no question about two things is answered by whether a path joins them.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from ..core.evidence import Answer, Fact, Sentence, ShortAnswer
from ..core.graph import Node
from ..core.schema import Schema
from ..core.words import quantity
from ..linking.linked_question import LinkedQuestion
from ..linking.vocabulary import WordMatcher
from ..retrievers.traversal.subgraph import Subgraph, Triple

_MOST_NAMED = 10


def likeness(subgraph: Subgraph) -> float:
    """The cosine of a subgraph's path and the template, which its probability is the power of; never below 0."""
    return max(0.0, min(1.0, math.log(subgraph.probability)))


def asks_for_more_than_paths(question: LinkedQuestion) -> str:
    """What a question asks for that no path can say, in words; empty if there is nothing of the kind."""
    form = question.form
    asked = {
        "a superlative": form.superlative is not None,
        "a comparison": bool(form.comparisons) or form.than is not None,
        "what something does not have": form.negated,
        "a figure": form.aggregate is not None,
        "something for each of many": form.groups is not None,
    }
    return next((what for what, is_asked in asked.items() if is_asked), "")


def explained_words(subgraph: Subgraph, matcher: WordMatcher, schema: Schema) -> NDArray[np.float64]:
    """How much of each content word of the question the path explains, 0 to 1: by its relations, the types that they
    lead to and the property at its end. A single 1 where there are no such words."""
    if not len(matcher.words):
        return np.ones(1)
    texts = [schema.label_of(kind.type) for kind in subgraph.kinds]
    texts += [schema.label_of(key) for key in subgraph.end_properties[:1]]
    by_words = [matcher.explained(text) for text in texts]
    by_types = [matcher.explained_by_type(schema.label_of(kind.end)) for kind in subgraph.kinds if kind.end]
    explained: NDArray[np.float64] = np.max([np.zeros(len(matcher.words)), *by_words, *by_types], axis=0)
    return explained


class PathAnswers:
    """Reads the answer to a question off its most probable subgraph.

    Args:
        question: as linked.
        schema: of the graph.
        nodes: the nodes on the paths, by their ids.
        named: nodes that the question names by their own names.
    """

    def __init__(
        self,
        question: LinkedQuestion,
        schema: Schema,
        nodes: Mapping[str, Node],
        named: frozenset[str],
    ) -> None:
        self._question = question
        self._nodes = nodes
        self._named = named
        self._asked = frozenset(schema.with_subtypes([link.id for link in question.asked]))

    def of(self, subgraph: Subgraph) -> tuple[ShortAnswer, ...]:
        """The short answers that a subgraph gives; none if it has none."""
        form = self._question.form
        if form.is_yes_no:
            joins = self._joins(subgraph)
            return (ShortAnswer("Yes", value=True),) if joins else ()
        found = tuple(self._found(subgraph))
        if form.counts and found:
            return (ShortAnswer(f"{len(found):,}", value=len(found)),)
        return found

    def _joins(self, subgraph: Subgraph) -> bool:
        """Whether it leads from one thing that the question names to another."""
        return any(
            instance.start in self._named and instance.end in self._named for instance in subgraph.instances
        )

    def _found(self, subgraph: Subgraph) -> Iterable[ShortAnswer]:
        place = self._place_of_asked_type(subgraph)
        if place is None and subgraph.end_properties:
            values = self._values(subgraph)
            if values:
                return values
        meeting = [item for item in subgraph.instances if item.end in self._named and len(item.nodes) > 2]
        chosen = meeting or subgraph.instances
        if place is None:
            place = -2 if meeting else -1
        ids = dict.fromkeys(item.nodes[place] for item in chosen if len(item.nodes) >= abs(place))
        return [ShortAnswer(self._name(id), id) for id in ids]

    def _place_of_asked_type(self, subgraph: Subgraph) -> int | None:
        """How far from the end of the path, as an index below zero, the last nodes are of which the type was asked."""
        longest = max((len(item.nodes) for item in subgraph.instances), default=0)
        for place in range(-1, -longest - 1, -1):
            if any(self._is_asked(item.nodes[place]) for item in subgraph.instances):
                return place
        return None

    def _is_asked(self, node: str) -> bool:
        """Whether a node has a type that was asked for. What the question names itself is no news."""
        is_new = node in self._nodes and node not in self._named
        return is_new and not self._asked.isdisjoint(self._nodes[node].types)

    def _values(self, subgraph: Subgraph) -> list[ShortAnswer]:
        key = subgraph.end_properties[0]
        ends = frozenset(subgraph.ends)
        found: dict[str, Triple] = {}
        for triple in subgraph.triples:
            if triple.relation == key and triple.target is None and triple.source in ends:
                found.setdefault(triple.target_name, triple)
        return [ShortAnswer(text, value=triple.value) for text, triple in found.items()]

    def _name(self, id: str) -> str:
        return self._nodes[id].name if id in self._nodes else Node(id).name


def compose_from_paths(
    question: LinkedQuestion,
    best: Subgraph,
    answers: tuple[ShortAnswer, ...],
    facts: Sequence[Fact],
    *,
    confidence: float,
    notes: Sequence[str],
) -> Answer:
    """The answer that a subgraph gives; it rests on the facts of this subgraph, which come first."""
    own = tuple(number for number, fact in enumerate(facts, start=1) if fact.step == best.path)
    return Answer(
        question=question.question.text,
        sentences=(Sentence(_sentence(answers), own),),
        answers=answers,
        facts=tuple(facts),
        confidence=confidence,
        links=question.links,
        interpretation=best.path,
        notes=tuple(notes),
    )


def _sentence(answers: Sequence[ShortAnswer]) -> str:
    named = [answer.text for answer in answers[:_MOST_NAMED]]
    text = ", ".join(named[:-1]) + " and " + named[-1] if len(named) > 1 else named[0]
    if len(answers) > len(named):
        text = f"{quantity(len(answers), 'answer')}, among them {text}"
    return text if text.endswith((".", "!", "?")) else text + "."
