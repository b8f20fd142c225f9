"""The two streams of the terminal: results go to standard output, progress and notices to standard error."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Iterable
from functools import cached_property
from typing import Any, TextIO

from rich.console import Console
from rich.text import Text

from .page import NARROWEST, WIDEST, Page


class Terminal:
    """What commands print to. Colours and bars appear only where a stream is a terminal that has them."""

    @cached_property
    def out(self) -> Console:
        """Standard output."""
        return _console(sys.stdout)

    @cached_property
    def err(self) -> Console:
        """Standard error."""
        return _console(sys.stderr)

    @property
    def page(self) -> Page:
        """What views make their lines for."""
        return _page(self.out)

    @property
    def error_page(self) -> Page:
        """The same for standard error."""
        return _page(self.err)

    def show(self, lines: Iterable[Text]) -> None:
        """Print lines that a view made."""
        for line in lines:
            self.out.print(line, soft_wrap=True)

    def notice(self, message: str, *, style: str = "") -> None:
        """Say something beside the result, on standard error."""
        for line in self.error_page.paragraph(message, style=style):
            self.err.print(line, soft_wrap=True)

    def hint(self, message: str) -> None:
        """Tell a person, not a script, what could be typed next."""
        if self.err.is_terminal:
            self.notice("")
            self.notice(message, style="dim")

    def failure(self, message: str, advice: str | None = None) -> None:
        """Say on standard error what went wrong, and what to do."""
        page = self.error_page
        lines: list[Text] = []
        for number, line in enumerate(message.splitlines() or [""]):
            if number == 0:
                head = Text("Error: ", "bold red").append_text(page.text(line))
                lines += page.paragraph(head, hanging=7)
            else:
                lines += page.paragraph(line, indent=7, hanging=2)
        for line in (advice or "").splitlines():
            lines += page.paragraph(line)
        for text in lines:
            self.err.print(text, soft_wrap=True)

    def json(self, data: Any) -> None:
        """Print strict JSON, and nothing else, to standard output."""
        text = json.dumps(data, ensure_ascii=False, allow_nan=False, indent=2)
        try:
            text.encode(sys.stdout.encoding or "utf-8")
        except UnicodeEncodeError:  # this encoding lacks something, or half a surrogate pair stands in a name
            text = json.dumps(data, ensure_ascii=True, allow_nan=False, indent=2)
        sys.stdout.write(text + "\n")


class _Console(Console):
    def on_broken_pipe(self) -> None:
        """Left to the door, which knows the exit code for it; rich would end the process with 1."""
        raise  # the BrokenPipeError that is being handled


def _console(stream: TextIO) -> Console:
    return _Console(
        file=stream,
        markup=False,
        highlight=False,
        emoji=False,
        force_jupyter=False,
        legacy_windows=None if stream.isatty() else False,
    )


def _page(console: Console) -> Page:
    # Piped, the width is what COLUMNS says, else that of the terminal behind standard error, else 80.
    width = max(NARROWEST, min(WIDEST, console.width))
    return Page(width=width, encoding=console.encoding)


def let_nothing_fail_to_print() -> None:
    """Make the standard streams write an escape for what their encoding lacks."""
    for stream in (sys.stdout, sys.stderr):
        reconfigure = getattr(stream, "reconfigure", None)
        if reconfigure is not None:
            reconfigure(errors="backslashreplace")


def close_broken_pipe() -> None:
    """After the reader of standard output has gone: send the rest nowhere, so that nothing complains at exit."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, sys.stdout.fileno())
    os.close(nowhere)
