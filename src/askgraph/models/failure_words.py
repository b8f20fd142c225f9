"""How notes put it that a model failed."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from ..core.errors import AskgraphError, DeadlineExceededError
from ..core.run import without_credentials

OUT_OF_TIME: Final = "the model took longer than its share of the time"


def failure_in_words(error: AskgraphError) -> str:
    """What went wrong, without a full stop. A time that was up is the same whatever was waited for just then."""
    return (
        OUT_OF_TIME
        if isinstance(error, DeadlineExceededError)
        else without_credentials(error.message).rstrip(".")
    )


def said_once(notes: Sequence[str]) -> tuple[str, ...]:
    """Notes of several steps, of which a model that ran out of time gets the last: it says what came of it."""
    late = [place for place, note in enumerate(notes) if OUT_OF_TIME in note]
    return tuple(note for place, note in enumerate(notes) if place not in late[:-1])
