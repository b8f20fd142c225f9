"""Words of a question that name nothing by how they are written, but something by what they mean.

"heart attack" for *myocardial infarction*: what no name, however it is spelt, explains is compared with the vectors of
all names, where the graph's owner had them made.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

from ..core.words import normalize
from ..indexes.names import NameMatch
from .name_meanings import NamesByMeaning, NearNode
from .question import Question
from .spans import Span, all_spans, best_cover, letters_of

_LONGEST: Final = 5
_MOST_SPANS: Final = 24
_SHORTEST: Final = 3
_SHARPNESS: Final = 4
# Little words that names have in the middle; others join a verb to what follows ("associated with hair").
_WITHIN_NAMES: Final = frozenset({"of", "the", "in", "and", "de", "der", "la"})


class MeaningSpans:
    """Finds the spans of a question that mean something named otherwise."""

    def __init__(self, names: NamesByMeaning, type_labels: Iterable[str] = ()) -> None:
        """``type_labels``: what types are called. A node of such a name is never meant where another word is used."""
        self._names = names
        self._type_labels = frozenset(map(normalize, type_labels))

    def find(self, question: Question, closed: frozenset[int], named: frozenset[int]) -> list[Span]:
        """The spans, which do not overlap.

        Args:
            question: the question.
            closed: places of words that are explained already.
            named: places of words that speak of parts of the schema: none begins or ends what is found.
        """
        spans = [
            (first, last)
            for first, last in all_spans(len(question.words), _LONGEST)
            if _may_mean_something(question, first, last, closed, named)
        ][:_MOST_SPANS]
        texts = [question.mention(*span).text for span in spans]
        found = self._names.clearly_meant(texts)
        candidates = [
            _span(question, first, last, meant)
            for (first, last), meant in zip(spans, found, strict=True)
            if meant and normalize(meant[0].name) not in self._type_labels
        ]
        return best_cover(candidates, len(question.words))


def _may_mean_something(
    question: Question, first: int, last: int, closed: frozenset[int], named: frozenset[int]
) -> bool:
    places = range(first, last)
    ends = (first, last - 1)
    return (
        closed.isdisjoint(places)
        and named.isdisjoint(ends)
        and not any(question.words[place].is_stop for place in ends)
        and all(
            not word.is_stop or word.said in _WITHIN_NAMES for word in question.words[first + 1 : last - 1]
        )
        and letters_of(question, first, last) >= _SHORTEST
    )


def _span(question: Question, first: int, last: int, meant: Sequence[NearNode]) -> Span:
    matches = tuple(NameMatch(node.id, node.name, node.score, "meaning", node.types) for node in meant)
    weight = meant[0].near ** _SHARPNESS * letters_of(question, first, last)
    return Span(first, last, "node", matches, len(matches), weight)
