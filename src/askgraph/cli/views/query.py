"""The rows of a query, on a page."""

from __future__ import annotations

from typing import Any

from rich.text import Text

from ...core.errors import QueryError
from ...core.query_result import QueryExplanation, QueryResult, display_cell
from ...core.words import quantity
from ..page import Page, cells

# A column that has less room than this is not worth reading.
_NARROWEST_COLUMN = 8
_LONGEST_CELL = 500


def show_result(result: QueryResult, page: Page) -> list[Text]:
    """A table where its columns fit on the page, else a block for each row; and how many rows there are."""
    if result.shape == "boolean":
        return [page.text(display_cell(result.rows[0][0]), "bold")]
    counted = quantity(len(result), "row") + (" of more" if result.truncated else "")
    if not result.rows:
        return page.paragraph("No rows.", style="dim")
    fits = len(result.columns) * (_NARROWEST_COLUMN + 2) <= page.width
    lines = _table(result, page) if fits else _blocks(result, page)
    return [*lines, Text(), *page.paragraph(f"{counted}.", style="dim")]


def show_explanation(explanation: QueryExplanation, page: Page) -> list[Text]:
    """A plan as the engine wrote it."""
    return [_unwrapped(line, page) for line in explanation.text.splitlines()]


def show_refusal(error: QueryError, page: Page) -> list[Text]:
    """What is wrong with a query, with the place in its text marked."""
    head = Text("Error: ", "bold red")
    head.append_text(page.text(f"{error.message} (line {error.line}, column {error.column})"))
    lines = page.paragraph(head, hanging=7)
    # The text and the mark below it keep their columns: they are not wrapped.
    lines += [_unwrapped(line, page) for line in error.excerpt.splitlines()]
    for line in (error.advice or "").splitlines():
        lines += page.paragraph(line)
    return lines


def _table(result: QueryResult, page: Page) -> list[Text]:
    head = [page.text(column, "bold") for column in result.columns]
    body = [[_cell(cell, page) for cell in row] for row in result.rows]
    numbers = [place for place in range(len(head)) if all(_is_number(row[place]) for row in result.rows)]
    lines = page.columns([head, *body], right=numbers)
    width = max(cells(line.plain) for line in lines)
    return [lines[0], Text(page.glyphs.line * width, "dim"), *lines[1:]]


def _blocks(result: QueryResult, page: Page) -> list[Text]:
    names = min(max(map(cells, result.columns), default=0), page.width // 3)
    lines: list[Text] = []
    for number, row in enumerate(result.rows, start=1):
        lines += [Text()] if lines else []
        lines += page.paragraph(f"row {number}", style="bold")
        for column, cell in zip(result.columns, row, strict=True):
            label = page.fitted(page.text(column), names).plain
            lines += page.labeled(label, _cell(cell, page), indent=2, width=names + 2)
    return lines


def _cell(cell: Any, page: Page) -> Text:
    text = page.text(display_cell(cell))
    return page.fitted(text, _LONGEST_CELL)


def _is_number(cell: Any) -> bool:
    return cell is None or (isinstance(cell, int | float) and not isinstance(cell, bool))


def _unwrapped(line: str, page: Page) -> Text:
    indent = len(line) - len(line.lstrip(" "))
    return Text(" " * indent).append_text(page.text(line))
