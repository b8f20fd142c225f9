"""Where something is shown: how wide it is, and which characters it can hold. Views make their lines for a page."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import astuple, dataclass
from functools import cached_property, lru_cache

from rich.cells import get_character_cell_size
from rich.text import Text

from ..core.printable import printable

NARROWEST, WIDEST = 40, 100
"""Below the first nothing can be laid out; beyond the second, lines are too long to read."""

_WORD = re.compile(r"[^ ]+")
# What our own sentences, and most texts, are written with, for an encoding that lacks it.
_PLAIN = str.maketrans(
    {"…": "...", "–": "-", "—": "-", "‘": "'", "’": "'", "“": '"', "”": '"', "─": "-", "→": "->", "←": "<-"}
)


@dataclass(frozen=True, slots=True)
class Glyphs:
    """The characters that are drawn, not written."""

    line: str
    right: str
    left: str
    ellipsis: str
    bullet: str
    dot: str


FULL = Glyphs(line="─", right="→", left="←", ellipsis="…", bullet="•", dot="·")
ASCII = Glyphs(line="-", right="->", left="<-", ellipsis="...", bullet="*", dot="|")


@dataclass(frozen=True)
class Page:
    """A width in cells and an encoding.

    Every text of a graph, a file or an error enters a line through :meth:`clean` (methods that take plain strings do it
    themselves), and every line is made here: so no line is wider than the page, and nothing in a name acts on the
    terminal.
    """

    width: int = 80
    encoding: str = "utf-8"

    @cached_property
    def glyphs(self) -> Glyphs:
        """Drawn characters that this encoding has."""
        try:
            "".join(astuple(FULL)).encode(self.encoding)
        except UnicodeEncodeError:
            return ASCII
        return FULL

    def clean(self, text: str) -> str:
        """The text on one line, without control characters, and with escapes for what the encoding lacks."""
        shown = printable(text)
        if self.glyphs is ASCII:
            shown = shown.translate(_PLAIN)
        return shown.encode(self.encoding, "backslashreplace").decode(self.encoding)

    def text(self, text: str, style: str = "") -> Text:
        """A cleaned text in a style."""
        return Text(self.clean(text), style)

    def paragraph(
        self, content: str | Text, *, indent: int = 0, hanging: int = 0, style: str = ""
    ) -> list[Text]:
        """The content wrapped between words (within one that is too long), ``indent`` cells from the left, and
        ``hanging`` cells more from the second line on."""
        text = self.text(content, style) if isinstance(content, str) else content
        spans = _line_spans(text.plain, self.width - indent, self.width - indent - hanging)
        return [
            Text(" " * (indent + (hanging if number else 0))).append_text(text[start:end])
            for number, (start, end) in enumerate(spans)
        ] or [Text()]

    def labeled(self, label: str, content: str | Text, *, indent: int = 0, width: int = 0) -> list[Text]:
        """The content with a label before it (padded to ``width`` cells), its further lines set under its first."""
        head = self.text(label, "dim")
        head.append(" " * max(1, width - cells(head.plain)))
        hanging = cells(head.plain)
        body = self.text(content) if isinstance(content, str) else content
        return self.paragraph(head.append_text(body), indent=indent, hanging=hanging)

    def columns(
        self, rows: Sequence[Sequence[Text]], *, indent: int = 0, right: Sequence[int] = ()
    ) -> list[Text]:
        """Rows of cells under each other with two blanks between; the widest columns are cut where all do not fit.

        Args:
            rows: each with the same number of cells.
            indent: cells from the left.
            right: positions of the columns set to the right (numbers).
        """
        if not rows:
            return []
        natural = [max(cells(row[position].plain) for row in rows) for position in range(len(rows[0]))]
        widths = _share(natural, self.width - indent - 2 * (len(natural) - 1))
        lines = []
        for row in rows:
            line = Text(" " * indent)
            for position, (cell, width) in enumerate(zip(row, widths, strict=True)):
                fitted = self.fitted(cell, width)
                gap = " " * (width - cells(fitted.plain))
                line.append_text(Text(gap).append_text(fitted) if position in right else fitted.append(gap))
                line.append("  ")
            line.rstrip()
            lines.append(line)
        return lines

    def fitted(self, text: Text, width: int) -> Text:
        """The text, cut with an ellipsis where it has more than ``width`` cells."""
        if cells(text.plain) <= width:
            return text.copy()
        ellipsis = self.glyphs.ellipsis
        if width <= len(ellipsis):
            return Text(ellipsis[:width], text.style)
        kept = text[: _cut(text.plain, 0, width - len(ellipsis))]
        kept.rstrip()
        return kept.append(ellipsis)


@lru_cache(maxsize=4096)
def _cells_of(character: str) -> int:
    # A variation selector may make the character before it wide.
    return 1 if character == "\ufe0f" else get_character_cell_size(character)


def cells(text: str) -> int:
    """How many cells of a line the text takes at most."""
    return len(text) if text.isascii() else sum(map(_cells_of, text))


def _line_spans(text: str, first_width: int, width: int) -> Iterator[tuple[int, int]]:
    """Where to cut a text into lines of at most so many cells: (start, end) of each.

    The blanks between lines belong to none; those before the first word (only we write such) to the first.
    """
    margin = len(text) - len(text.lstrip(" "))
    for start, end in _word_spans(text, first_width - margin, width):
        yield (0 if start == margin else start), end


def _word_spans(text: str, first_width: int, width: int) -> Iterator[tuple[int, int]]:
    room = max(2, first_width)
    start = end = used = 0
    for word in _WORD.finditer(text):
        gap = word.start() - end if used else 0
        size = cells(word[0])
        if used and used + gap + size > room:
            yield start, end
            room, used, gap = max(2, width), 0, 0
        if not used:
            start = word.start()
        while size > room:  # too long for any line, and at the beginning of one
            cut = max(start + 1, _cut(text, start, room))
            yield start, cut
            room = max(2, width)
            start, size = cut, cells(text[cut : word.end()])
        used, end = (used + gap + size), word.end()
    if used:
        yield start, end


def _cut(text: str, start: int, room: int) -> int:
    """The position up to which the text from ``start`` has at most ``room`` cells."""
    used = 0
    for position in range(start, len(text)):
        used += _cells_of(text[position])
        if used > room:
            return position
    return len(text)


def _share(natural: Sequence[int], room: int) -> list[int]:
    """Widths for columns that fit into ``room``: every column its own, or the widest ones cut to one common width."""
    widths = list(natural)
    while sum(widths) > room and max(widths) > 1:
        widest = max(widths)
        runner_up = max((width for width in widths if width < widest), default=1)
        count = widths.count(widest)
        excess = sum(widths) - room
        cut = max(runner_up, widest - -(-excess // count), 1)
        widths = [cut if width == widest else width for width in widths]
    return widths
