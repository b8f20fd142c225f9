"""How sure an answer is, and when there is none."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ..linking.linker import LinkedQuestion
from ..retrievers.reading import Reading

# A reading that explains less than this share of the question's words is no answer. All of these were set by hand on
# CK25, Hetionet and small graphs; what they give on CK25 is in docs/confidence.md.
LEAST_EXPLAINED = 0.6
_WEAK_WORD = 0.35
_MOST_OPEN = 0.2
_CLEAR_MARGIN = 0.10
_UNUSED = 0.7
_SILENT = 0.5
# The question names a type, and what was found is of another.
_NOT_WHAT_IS_NAMED = 0.45
LEAST_CONFIDENCE = 0.5


@dataclass(frozen=True, slots=True)
class Judgement:
    """A confidence from 0 to 1, and why there should be no answer (empty if there should be one)."""

    confidence: float
    reason_to_abstain: str = ""


def judge(question: LinkedQuestion, readings: Sequence[Reading]) -> Judgement:
    """Judge the best of the readings by what it explains, by the next different one, and by its links."""
    if not readings:
        return Judgement(0.0, _nothing_to_go_by(question))
    best = readings[0]
    unexplained = open_words(question, readings)
    linked = min((route.seed.score for route in best.routes), default=1.0)
    other = next(
        (item for item in readings[1:] if item.ends != best.ends or item.columns != best.columns), None
    )
    margin = 1.0 if other is None else max(0.0, min(1.0, (best.total - other.total) / _CLEAR_MARGIN))
    confidence = best.share_explained * linked * (0.75 + 0.25 * margin)
    confidence *= _UNUSED ** len(best.unused) * _SILENT**best.silent_hops
    if question.asked and best.target is None and not question.form.asked_for:
        confidence *= _NOT_WHAT_IS_NAMED
    crowd = _too_many_of_a_name(question)
    if crowd:
        return Judgement(confidence / 2, crowd)
    unknown = _unknown_names(question, best)
    if unknown:
        words = ", ".join(map(repr, unknown[:3]))
        return Judgement(confidence / 2, f"Nothing in the graph is called {words}.")
    if best.unused:
        words = ", ".join(repr(mention.text) for mention in best.unused[:3])
        return Judgement(confidence, f"Nothing in the graph connects {words} with the rest of the question.")
    if best.share_explained < LEAST_EXPLAINED or len(unexplained) > _MOST_OPEN * len(question.words):
        words = ", ".join(repr(word) for word in unexplained[:3]) or "the question"
        return Judgement(confidence, f"Nothing found in the graph explains {words}.")
    if confidence < LEAST_CONFIDENCE:
        return Judgement(confidence, "What was found fits the question too loosely to be an answer.")
    return Judgement(confidence)


def open_words(question: LinkedQuestion, readings: Sequence[Reading]) -> list[str]:
    """The content words, as written, that the best reading does not explain; all of them where there is none."""
    words = [question.question.words[place].text for place in question.places]
    if not readings:
        return words
    return [word for word, share in zip(words, readings[0].explained, strict=True) if share < _WEAK_WORD]


def _too_many_of_a_name(question: LinkedQuestion) -> str:
    """Why not, where more things have a name than were followed: any count or list would be wrong."""
    for mention in question.mentions:
        links = [link for link in question.things if link.mention == mention]
        if links[0].kind == "node" and links[0].alternatives + 1 > len(links):
            return f"{links[0].alternatives + 1:,} nodes are called {mention.text!r}: say which is meant."
    return ""


def _unknown_names(question: LinkedQuestion, reading: Reading) -> list[str]:
    """What looks like a name, was not found, and is not explained as a word either."""
    open_places = {question.places[row] for row, share in enumerate(reading.explained) if share < _WEAK_WORD}
    open_words = [question.question.words[place] for place in sorted(open_places)]
    return [
        item.mention.text
        for item in question.unlinked
        if any(word.start >= item.mention.start and word.end <= item.mention.end for word in open_words)
    ]


def _nothing_to_go_by(question: LinkedQuestion) -> str:
    if question.unlinked:
        words = ", ".join(repr(item.mention.text) for item in question.unlinked[:3])
        return f"Nothing in the graph is called {words}."
    if question.things:
        names = ", ".join(dict.fromkeys(repr(link.name) for link in question.things[:3]))
        return f"The graph knows {names}, and nothing about it that fits the question."
    if question.terms:
        return "The graph has nodes of the types that the question names, and not what it asks of them."
    return "No word of the question names anything in the graph."
