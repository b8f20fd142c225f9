"""What a run may spend: time, rows, bytes, fan-out, model calls and tokens."""

from __future__ import annotations

import time
from dataclasses import dataclass, field, replace

from .errors import CapExceededError, DeadlineExceededError


@dataclass(frozen=True, slots=True)
class Budget:
    """The limits of a run, and the moment at which its time is up.

    Attributes:
        seconds: wall-clock time allowed from the making of the budget.
        rows: rows that a result may have; more are cut, and the cut is said.
        bytes: memory that one result may take.
        memory: bytes that a query of an embedded graph may add to the process that runs it.
        fan_out: neighbours followed from one node; more are cut, and the cut is said.
        model_calls: calls of language models.
        tokens: tokens of language models, in and out.
    """

    seconds: float = 30.0
    rows: int = 1_000
    bytes: int = 256 * 1024 * 1024
    memory: int = 300 * 1024 * 1024
    fan_out: int = 1_000
    model_calls: int = 20
    tokens: int = 100_000
    started: float = field(default_factory=time.monotonic, compare=False)

    def __post_init__(self) -> None:
        """A limit below zero is a mistake of the caller."""
        for name in ("seconds", "rows", "bytes", "memory", "fan_out", "model_calls", "tokens"):
            if getattr(self, name) < 0:
                raise CapExceededError(f"the budget's {name} cannot be negative: {getattr(self, name)}")

    @property
    def deadline(self) -> float:
        """The moment, on the clock of :func:`time.monotonic`, at which the time is up."""
        return self.started + self.seconds

    @property
    def remaining(self) -> float:
        """Seconds left, never below zero."""
        return max(0.0, self.deadline - time.monotonic())

    @property
    def stated_time(self) -> str:
        """The time allowed as a message states it: ``"the time of 30 s"``; ``"the time"`` where it was next to none."""
        rounded = round(self.seconds, 1 if self.seconds >= 1 else 2)
        return f"the time of {rounded:g} s" if rounded else "the time"

    def check(self, doing: str) -> None:
        """Raise :class:`DeadlineExceededError` if the time is up. ``doing`` completes "… while …"."""
        if self.remaining <= 0:
            raise DeadlineExceededError(
                f"{self.stated_time} was up while {doing}",
                advice="Allow more with --timeout or Budget(seconds=…), or ask something narrower.",
            )

    def within(self, seconds: float) -> Budget:
        """The same budget with at most ``seconds`` left: a part of a run that must not take all of it."""
        return replace(self, seconds=min(self.remaining, seconds), started=time.monotonic())

    def restarted(self) -> Budget:
        """The same limits with the clock set to zero: what a stored default becomes when a run begins."""
        return replace(self, started=time.monotonic())
