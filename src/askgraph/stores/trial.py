"""What was tried out on a server, and what came of it. Every trial is of a kind that changes nothing and soon ends."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Trial:
    """One thing that was tried.

    Attributes:
        held: whether the server itself prevented what it should; ``None`` where the trial tells nothing.
        what: what was tried and what came of it, in one sentence without a capital and a full stop.
        seconds: how long the server took.
    """

    held: bool | None
    what: str
    seconds: float = 0.0


def seconds_text(seconds: float) -> str:
    """``"1.1 s"``, ``"0.04 s"``."""
    return f"{seconds:.1f} s" if seconds >= 1 else f"{seconds:.2f} s"
