"""How much of what is right an answer in words names.

Answers that summarise have sentences where others have a list: what is right counts as named if it is among the short
answers, by :data:`~askgraph.evaluation.matching.RULE`, or stands in a sentence, word for word after normalising.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from ..core.evidence import Answer
from ..core.graph import Node
from ..core.values import display
from ..core.words import normalize
from .gold import GoldItem
from .gold_answers import Gold
from .matching import Lookup, candidates_of_answers, candidates_of_gold


def share_named(answer: Answer, gold: Gold, nodes: Mapping[str, Node]) -> float | None:
    """The share of the right answers that an answer names; an abstention names none.

    Args:
        answer: what was answered.
        gold: what is right.
        nodes: the nodes of both, by id.

    Returns:
        0 to 1; ``None`` where the graph has no answer.
    """
    if gold.is_unanswerable:
        return None
    if answer.abstained:
        return 0.0
    lookup = Lookup(candidates_of_gold(gold.items, nodes))
    named: set[int] = set()
    for candidate in candidates_of_answers(answer.answers, nodes):
        named.update(lookup.same_as(candidate))
    said = f" {normalize(' '.join(sentence.text for sentence in answer.sentences))} "
    for place, item in enumerate(gold.items):
        if any(f" {name} " in said for name in _names_of(item, nodes)):
            named.add(place)
    return len(named) / len(gold.items)


def _names_of(item: GoldItem, nodes: Mapping[str, Node]) -> Iterator[str]:
    """What the item is called in a sentence, normalised. Yes and no stand in too many."""
    node = nodes.get(item.node) if item.node is not None else None
    texts = [display(form) for form in item.forms if not isinstance(form, bool)]
    for text in (*texts, *(name.text for name in node.names)) if node is not None else texts:
        if normalize(text):
            yield normalize(text)
