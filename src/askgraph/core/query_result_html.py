"""What a notebook shows for a query result: a plain table.

One HTML fragment without scripts, style sheets or anything to fetch; every text is escaped.
"""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

from .printable import printable, shortened
from .query_result import QueryResult, display_cell
from .words import quantity

MOST_ROWS = 100
"""Rows shown; the rest is counted. ``QueryResult.rows`` has all."""

_WIDEST_CELL = 200
_MUTED = "opacity:.75;font-size:.9em"


def result_to_html(result: QueryResult) -> str:
    """A query result as an HTML fragment."""
    head = "".join(f"<th>{_text(column)}</th>" for column in result.columns)
    rows = "".join(
        f"<tr>{''.join(f'<td>{_text(display_cell(cell))}</td>' for cell in row)}</tr>"
        for row in result.rows[:MOST_ROWS]
    )
    table = f"<table><thead><tr>{head}</tr></thead><tbody>{rows}</tbody></table>" if result.columns else ""
    counted = quantity(len(result), "row")
    if len(result) > MOST_ROWS:
        counted += f", of which the first {MOST_ROWS} are shown"
    if result.truncated:
        counted += "; there are more in the graph"
    said = _paragraphs([*result.warnings, *result.notes])
    return f'<div class="askgraph-result">{table}<p style="{_MUTED}">{counted}.</p>{said}</div>'


def _paragraphs(sentences: Sequence[str]) -> str:
    return "".join(f'<p style="{_MUTED}">{_text(sentence)}</p>' for sentence in sentences)


def _text(text: str) -> str:
    return escape(shortened(printable(text), _WIDEST_CELL))
