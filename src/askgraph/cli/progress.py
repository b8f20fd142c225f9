"""Work that takes long, drawn as a bar on standard error while it lasts."""

from __future__ import annotations

from types import TracebackType
from typing import TYPE_CHECKING, Self

from ..core.printable import shortened
from .terminal import Terminal

if TYPE_CHECKING:
    from rich.progress import Progress, TaskID

_LABEL_WIDTH = 36


class ProgressBar:
    """A :class:`askgraph.core.progress.Progress` for people. A context manager.

    Where standard error is no terminal it says nothing. A bar is gone when its work is done: what came of the work is
    the result's to say.
    """

    def __init__(self, terminal: Terminal) -> None:
        self._terminal = terminal
        self._bars: Progress | None = None
        self._stage: TaskID | None = None

    def start(self, label: str, total: int | None = None) -> None:
        """A stage begins."""
        if not self._terminal.err.is_terminal:
            return
        self.finish()
        if self._bars is None:
            self._bars = _bars(self._terminal)
            self._bars.start()
        page = self._terminal.error_page
        shown = shortened(page.clean(label[:1].upper() + label[1:]), _LABEL_WIDTH, page.glyphs.ellipsis)
        self._stage = self._bars.add_task(shown, total=total)

    def advance(self, amount: int = 1) -> None:
        """Some of the current stage is done."""
        if self._bars is not None and self._stage is not None:
            self._bars.advance(self._stage, amount)

    def finish(self) -> None:
        """The current stage is done."""
        if self._bars is not None and self._stage is not None:
            self._bars.remove_task(self._stage)
            self._stage = None

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._bars is not None:
            self.finish()
            self._bars.stop()
            self._bars = None


def _bars(terminal: Terminal) -> Progress:
    from rich.progress import BarColumn, Progress, TaskProgressColumn, TextColumn, TimeElapsedColumn

    return Progress(
        TextColumn("{task.description}", markup=False),
        BarColumn(bar_width=20),
        TaskProgressColumn(),
        TimeElapsedColumn(),
        console=terminal.err,
        transient=True,
    )
