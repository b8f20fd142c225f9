"""What is said beside an answer that a model wrote: what went wrong, and how its sentences stand."""

from __future__ import annotations

from collections.abc import Sequence

from ..core.run import without_credentials
from ..core.words import quantity
from .judged_reply import JudgedSentence

_LONGEST_QUOTE = 300


def notes_on_support(judged: Sequence[JudgedSentence], claims: int, supported: int) -> list[str]:
    """How many sentences are not supported, are a model's own knowledge, or had to be cited anew."""
    own = sum(item.sentence.own_knowledge for item in judged)
    moved = sum(item.citing == "cited anew" and bool(item.cited) for item in judged)
    added = sum(item.citing == "cited anew" and not item.cited for item in judged)
    unsupported = claims - supported - own
    counted = (
        (
            unsupported,
            f"Not supported by the facts, and marked: {unsupported} of {quantity(claims, 'claim')}.",
        ),
        (own, f"The model's own knowledge, which nothing here supports: {quantity(own, 'sentence')}."),
        (
            moved,
            f"Cited by the model with the wrong numbers, which were put right: {quantity(moved, 'sentence')}.",
        ),
        (added, f"Not cited by the model, and cited here: {quantity(added, 'sentence')}."),
    )
    return [note for count, note in counted if count]


def notes_on_unsupported(judged: Sequence[JudgedSentence], *, most: int) -> list[str]:
    """What a model wrote of which nothing is supported, each sentence with what it lacks."""
    wrote = [
        f"The model wrote: “{shortened(item.sentence.text)}” ({item.sentence.mark})"
        for item in judged
        if item.sentence.mark
    ]
    return wrote[:most]


def shortened(text: str) -> str:
    """A text short enough for a note."""
    return text if len(text) <= _LONGEST_QUOTE else text[: _LONGEST_QUOTE - 2].rstrip() + " …"


def in_a_sentence(message: str) -> str:
    """A message of an error as a sentence, without secrets."""
    message = without_credentials(message)
    return message if message.endswith(".") else message + "."
