"""Spans of a question's words, what each may name, and which of them together explain most of the question."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Literal

from ..indexes.names import NameMatch
from .question import Question, Word
from .schema_terms import Term

ThingKind = Literal["node", "value"]
# For each span (the first word, and that after the last) the parts of the schema that it names.
TermSpans = dict[tuple[int, int], tuple[Term, ...]]


@dataclass(frozen=True, slots=True)
class Span:
    """Words ``first`` to before ``last``, with the nodes or values that they may name, all as good as the first."""

    first: int
    last: int
    kind: ThingKind
    matches: tuple[NameMatch, ...]
    total: int
    weight: float


def all_spans(words: int, longest: int) -> list[tuple[int, int]]:
    """Every span of up to ``longest`` words, the longest first, then from left to right."""
    return [
        (first, first + length)
        for length in range(min(longest, words), 0, -1)
        for first in range(words - length + 1)
    ]


def best_cover(spans: Iterable[Span], words: int) -> list[Span]:
    """The spans that do not overlap and together weigh most (weighted interval scheduling)."""
    ending: dict[int, list[Span]] = {}
    for span in spans:
        ending.setdefault(span.last, []).append(span)
    best: list[tuple[float, int, tuple[Span, ...]]] = [(0.0, 0, ())]
    for last in range(1, words + 1):
        choice = best[last - 1]
        for span in ending.get(last, ()):
            weight, pieces, before = best[span.first]
            # Of equal weights the cover of fewer, longer names is the likelier one.
            candidate = (weight + span.weight, pieces - 1, (*before, span))
            if candidate[:2] > choice[:2]:
                choice = candidate
        best.append(choice)
    return list(best[words][2])


def letters_of(question: Question, first: int, last: int) -> float:
    """How many letters and digits a span has: what it weighs when all of it is a name."""
    return float(sum(len(word.normal) for word in question.words[first:last]))


def is_filler(question: Question, first: int, last: int) -> bool:
    """Whether a span is made of words that mostly say nothing."""
    return all(word.is_stop for word in question.words[first:last])


def places_of(spans: Iterable[Span]) -> frozenset[int]:
    """The words that spans cover."""
    return frozenset(place for span in spans for place in range(span.first, span.last))


def places_of_terms(terms: TermSpans) -> frozenset[int]:
    """The words that name parts of the schema."""
    return frozenset(place for first, last in terms for place in range(first, last))


def stands_out(word: Word) -> bool:
    """Whether a word looks like a name or a number within a sentence. One that could be translated is neither, with a
    capital or without: German writes every noun so."""
    return not word.is_translated and any(
        character.isupper() or character.isdigit() for character in word.text
    )


def any_stands_out(question: Question, words: Sequence[int]) -> bool:
    """Whether one of the words looks like a name; that of the first word of a question has a capital anyway."""
    return any(stands_out(question.words[word]) for word in words if word > 0)
