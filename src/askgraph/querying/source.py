"""The text of a query, and errors that point into it as a good compiler's do."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Sequence
from typing import NamedTuple

from ..core.errors import QueryRefusedError, QuerySyntaxError

_LINE_END = re.compile(r"[\r\n]")
# What is shown of a line that is longer.
_WIDEST_EXCERPT = 120
# The part of it that stays to the left of the marked place.
_LEFT_OF_MARK = 60


class Span(NamedTuple):
    """From one character of a text up to, and without, another; both counted from 0."""

    start: int
    end: int


NOWHERE = Span(0, 0)
"""The span of what was not written but made."""


class Position(NamedTuple):
    """A place in a text as people count: lines and columns from 1; and its offset, from 0."""

    line: int
    column: int
    offset: int


class SourceText:
    """The text of a query.

    ``text`` is what spans count in: the query after its language has replaced unicode escapes, where it does so
    before anything else. ``shifts`` says how to find the way back to ``original``: pairs of an offset in ``text`` and
    how much further on the same place is in ``original``, in ascending order.
    """

    __slots__ = ("_offsets", "_shifts", "original", "text")

    def __init__(
        self, original: str, text: str | None = None, shifts: Sequence[tuple[int, int]] = ()
    ) -> None:
        self.original = original
        self.text = original if text is None else text
        self._offsets = [offset for offset, _ in shifts]
        self._shifts = [shift for _, shift in shifts]

    def slice(self, span: Span) -> str:
        """The characters of a span."""
        return self.text[span.start : span.end]

    def original_offset(self, offset: int) -> int:
        """Where a character of ``text`` came from."""
        index = bisect_right(self._offsets, offset) - 1
        return offset + (self._shifts[index] if index >= 0 else 0)

    def position(self, offset: int) -> Position:
        """Line and column of a character of ``text``, as the user sees the original."""
        at = min(self.original_offset(offset), len(self.original))
        start, line = _line_start(self.original, at)
        return Position(line, at - start + 1, at)

    def excerpt(self, span: Span) -> str:
        """The line in which a span begins, and a mark under it."""
        at = min(self.original_offset(span.start), len(self.original))
        end = max(min(self.original_offset(max(span.end - 1, span.start)) + 1, len(self.original)), at + 1)
        start, line = _line_start(self.original, at)
        return _draw(_line_at(self.original, start), line, at - start, end - start)

    def syntax_error(
        self, span: Span, message: str, *, code: str = "syntax", advice: str | None = None
    ) -> QuerySyntaxError:
        """The error to raise for text that is not a query of its language."""
        line, column, offset = self.position(span.start)
        return QuerySyntaxError(
            message,
            code=code,
            line=line,
            column=column,
            offset=offset,
            excerpt=self.excerpt(span),
            advice=advice,
        )

    def refusal(self, span: Span, message: str, *, code: str, advice: str | None = None) -> QueryRefusedError:
        """The error to raise for a query that the gate does not let through."""
        line, column, offset = self.position(span.start)
        return QueryRefusedError(
            message,
            code=code,
            line=line,
            column=column,
            offset=offset,
            excerpt=self.excerpt(span),
            advice=advice,
        )


def _line_start(text: str, offset: int) -> tuple[int, int]:
    """Where the line that holds this offset begins, and its number from 1."""
    before = text[:offset].replace("\r\n", " \n").replace("\r", "\n")
    return before.rfind("\n") + 1, before.count("\n") + 1


def _line_at(text: str, start: int) -> str:
    """The line that begins at this offset, without its end."""
    found = _LINE_END.search(text, start)
    return text[start : found.start() if found else len(text)]


def _draw(line: str, number: int, first: int, last: int) -> str:
    """A line with its number, and ``^^^`` under the characters from ``first`` up to ``last``."""
    last = max(min(last, len(line)), first + 1)
    left = max(0, first - _LEFT_OF_MARK) if len(line) > _WIDEST_EXCERPT else 0
    shown = line[left : left + _WIDEST_EXCERPT]
    before, after = ("…" if left else ""), ("…" if left + _WIDEST_EXCERPT < len(line) else "")
    mark = "^" * max(1, min(last, left + len(shown)) - first)
    blanks = "".join(_blank(character) for character in before + shown[: first - left])
    gutter = f"{number} | "
    return f"{gutter}{before}{_visible(shown)}{after}\n{' ' * len(gutter)}{blanks}{mark}"


def _visible(text: str) -> str:
    """Text without characters that would move the cursor."""
    return "".join(
        character if character.isprintable() else "·" if character != "\t" else " " for character in text
    )


def _blank(character: str) -> str:
    """A blank as wide as a character: those of East Asia take two columns of a terminal."""
    if character.isascii():
        return " "
    from unicodedata import combining, east_asian_width

    if combining(character):
        return ""
    return "  " if east_asian_width(character) in "WF" else " "
