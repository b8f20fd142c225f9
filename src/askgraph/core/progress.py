"""How work that takes long tells how far it is. The doors draw it; the default says nothing."""

from __future__ import annotations

from typing import Protocol


class Progress(Protocol):
    """Told about work in stages: ``start`` a stage, ``advance`` it, ``finish`` it."""

    def start(self, label: str, total: int | None = None) -> None:
        """A stage begins. ``total`` is its size in the units of ``advance``, or ``None`` if not known."""

    def advance(self, amount: int = 1) -> None:
        """Some of the current stage is done."""

    def finish(self) -> None:
        """The current stage is done."""


class Silent:
    """The progress that nobody watches."""

    def start(self, label: str, total: int | None = None) -> None:
        """Say nothing."""

    def advance(self, amount: int = 1) -> None:
        """Say nothing."""

    def finish(self) -> None:
        """Say nothing."""


SILENT = Silent()
