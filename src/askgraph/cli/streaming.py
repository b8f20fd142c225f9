"""An answer while it is being written, on standard error; the finished one, with its facts, takes its place."""

from __future__ import annotations

from types import TracebackType
from typing import TYPE_CHECKING, Self

from rich.text import Text

from .terminal import Terminal

if TYPE_CHECKING:
    from rich.live import Live

_MOST_LINES = 12


class StreamedText:
    """Shows the last lines of a text that grows. A context manager.

    Where standard error is no terminal it shows nothing: what was written is part of the answer anyway.
    """

    def __init__(self, terminal: Terminal) -> None:
        self._terminal = terminal
        self._text = ""
        self._live: Live | None = None

    def add(self, piece: str) -> None:
        """More text has come."""
        self._text += piece
        if not self._terminal.err.is_terminal:
            return
        if self._live is None:
            from rich.live import Live

            self._live = Live(console=self._terminal.err, transient=True, refresh_per_second=12)
            self._live.start()
        lines = self._terminal.error_page.paragraph(self._text)[-_MOST_LINES:]
        self._live.update(Text("\n").join(lines))

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._live is not None:
            self._live.stop()
            self._live = None
