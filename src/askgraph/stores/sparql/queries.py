"""Query text that has passed the gate, sent to a server, and its result."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace
from typing import Any, Final

from ...core.budget import Budget
from ...core.checked_query import CheckedQuery
from ...core.errors import QueryFailedError
from ...core.graph import Node
from ...core.query_result import Cell, QueryResult
from ...core.values import Value
from ..query_text import cut_notes, insist_on_checked, most_rows
from .client import Found, SparqlClient
from .hiding import Hiding
from .terms import Row, cell_of

_IRI: Final = r"<[^<>\"{}|^`\\\x00-\x20]*>"
_BEFORE_THE_FORM: Final = re.compile(
    rf"(?:\s+|\#[^\n\r]*|BASE\s*{_IRI}|PREFIX\s+[^\s:]*:\s*{_IRI})*", re.IGNORECASE
)
_FORMS: Final = ("SELECT", "ASK", "CONSTRUCT", "DESCRIBE")
_BLANK: Final = (
    "Ids of blank nodes (_:…) hold within this result only: this server gives them new ones each time."
)


def run_query(
    checked: CheckedQuery,
    parameters: Mapping[str, Value] | None,
    client: SparqlClient,
    hiding: Hiding,
    budget: Budget,
) -> QueryResult:
    """:meth:`GraphStore.query`."""
    insist_on_checked(checked, "sparql", parameters or {})
    if checked.explain:
        raise no_explanation()
    form = query_form(checked.text)
    if form == "ASK":
        return QueryResult(("answer",), [(client.ask(checked.text, budget),)], "boolean", notes=checked.notes)
    rows = most_rows(checked, budget)
    limits = replace(budget, rows=rows)
    found: Found[tuple[Cell, ...]]
    if form == "SELECT":
        found = client.select_as(checked.text, limits, _cells)
    else:
        triples = client.construct(checked.text, limits)
        found = Found(
            triples.columns, [_cells(row) for row in triples.rows], triples.truncated, triples.notes
        )
    shown = _visible(found.rows, hiding)
    notes = [*checked.notes, *(cut_notes(rows, True) if _is_own_cut(found, rows) else found.notes)]
    if not client.engine.names_blank_nodes and _has_blank_nodes(shown):
        notes.append(_BLANK)
    return QueryResult(
        found.columns,
        shown,
        "rows" if form == "SELECT" else "triples",
        truncated=found.truncated,
        notes=tuple(dict.fromkeys(notes)),
    )


def no_explanation() -> QueryFailedError:
    """What comes of asking an endpoint how it would run a query."""
    return QueryFailedError(
        "a SPARQL endpoint cannot tell how it would run a query",
        code="explain",
        advice="The protocol has no way to ask; some servers show it on a page of their own.",
    )


def query_form(text: str) -> str:
    """``"SELECT"``, ``"ASK"``, ``"CONSTRUCT"`` or ``"DESCRIBE"``. Raises :class:`QueryFailedError` for another."""
    prologue = _BEFORE_THE_FORM.match(text)
    rest = text[prologue.end() if prologue else 0 :]
    word = re.match(r"[A-Za-z]*", rest)
    form = word[0].upper() if word else ""
    if form not in _FORMS:
        raise QueryFailedError(
            f"this is no query that reads: it begins with {form or rest[:10]!r}", code="form"
        )
    return form


def _cells(row: Row) -> tuple[Cell, ...]:
    return tuple(map(cell_of, row))


def _is_own_cut(found: Found[Any], rows: int) -> bool:
    """Whether the gate's or the budget's cap of rows cut the result, and not the server's or the one of bytes."""
    return found.truncated and len(found.rows) == rows


def _visible(rows: list[tuple[Cell, ...]], hiding: Hiding) -> list[tuple[Cell, ...]]:
    """The rows without those that name what is hidden. The gate sees to that before; this is the second wall."""
    hidden = frozenset((*hiding.types, *hiding.predicates, *hiding.keys))
    if not hidden:
        return rows
    return [row for row in rows if not any(isinstance(cell, Node) and cell.id in hidden for cell in row)]


def _has_blank_nodes(rows: list[tuple[Cell, ...]]) -> bool:
    return any(isinstance(cell, Node) and cell.id.startswith("_:") for row in rows for cell in row)
