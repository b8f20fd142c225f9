"""Rows of a query for other programs: CSV, and JSON lines."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any

from ..core.graph import Edge, Node
from ..core.printable import printable
from ..core.query_result import FoundPath, QueryResult, cell_to_json
from ..core.values import LanguageText, TypedLiteral, to_json_value

_NEEDS_QUOTES = re.compile(r'[",\r\n]|^\s|\s$|^$')
# What a spreadsheet would take for a formula and run. Numbers with a sign are none.
_FORMULA = re.compile(r"[=@\t\r]|[+-](?!\d+(?:\.\d+)?$)")


def as_jsonl(result: QueryResult) -> Iterator[str]:
    """Each row as a JSON object with the names of the columns."""
    for row in result.rows:
        content = dict(zip(result.columns, map(cell_to_json, row), strict=True))
        yield json.dumps(content, ensure_ascii=False, allow_nan=False)


def as_csv(result: QueryResult, *, for_people: bool = False) -> Iterator[str]:
    """The lines of a CSV table (RFC 4180, with a header).

    Null is an empty cell, an empty text ``""``. A node or an edge is its id, a path, list or map is JSON. A text that a
    spreadsheet would run as a formula has a ``'`` before it.

    Args:
        result: the rows.
        for_people: the lines go to a terminal, which control characters in texts are not to reach.
    """
    for cells in (map(_text_field, result.columns), *(map(_field, row) for row in result.rows)):
        line = ",".join(cells)
        yield printable(line) if for_people else line


def _field(cell: Any) -> str:
    match cell:
        case None:
            return ""
        case bool():
            return "true" if cell else "false"
        case Node() | Edge():
            return _text_field(cell.id)
        case str() | LanguageText() | TypedLiteral():
            return _text_field(str(cell))
        case FoundPath() | list() | tuple() | dict():
            return _text_field(json.dumps(cell_to_json(cell), ensure_ascii=False, allow_nan=False))
    written = to_json_value(cell)
    if isinstance(written, dict):
        value = written["value"]
        written = value if isinstance(value, str) else json.dumps(written, ensure_ascii=False)
        return _text_field(written)
    return str(written)


def _text_field(text: str) -> str:
    if _FORMULA.match(text):
        text = "'" + text
    return '"' + text.replace('"', '""') + '"' if _NEEDS_QUOTES.search(text) else text
