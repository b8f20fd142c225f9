"""SPARQL's part of the gate: parse, check what is allowed, cap, print."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from ...core.errors import QuerySyntaxError, SettingsError
from ..examined import Examined
from ..policy import GatePolicy
from ..source import SourceText, Span
from ..tree import walk
from .costs import check_costs
from .escapes import Escape
from .parser import Parsed, parse
from .printer import text_of
from .prologue import canonical_prologue
from .query_tree import Query
from .row_cap import cap_rows, column_names
from .rules import check_rules
from .updates import SECOND_UPDATE, UPDATE


def examine(text: str, dialect_name: str, policy: GatePolicy, parameters: Mapping[str, Any]) -> Examined:
    """What the gate learns of a SPARQL query. Raises :class:`QueryError` if it may not run."""
    if dialect_name:
        raise SettingsError(
            f"SPARQL has no dialects, {dialect_name!r} neither", advice="Leave the dialect out."
        )
    parsed = read_query(text, policy.prefixes)
    query, source = parsed.query, parsed.source
    _refuse_escapes(parsed.escapes, source)
    check_rules(query, source, policy)
    check_costs(query.form, tuple(walk(query)), source, policy)
    columns = column_names(query)
    query = canonical_prologue(query)
    asked = query
    if policy.hidden:
        asked = _without_hidden(query, source, policy)
    in_text, notes = False, tuple[str, ...]()
    if policy.rows is not None:
        query = cap_rows(query, policy.rows).query
        asked, in_text, notes = cap_rows(asked, policy.rows)
    if type(asked.form) is not type(query.form):
        notes += ("of DESCRIBE only the triples are given that begin at the nodes asked for",)
    shown = faithful_text(query, source)
    return Examined(
        source=source,
        tree=query,
        shown=shown,
        text=faithful_text(asked, source) if policy.hidden else shown,
        parameters=(),
        columns=columns,
        capped_in_text=in_text,
        explain=False,
        notes=notes,
    )


def _without_hidden(query: Query, source: SourceText, policy: GatePolicy) -> Query:
    from .hidden_names import HiddenIris, refuse_hidden
    from .hidden_patterns import without_hidden

    hidden = HiddenIris.of(policy.hidden)
    refuse_hidden(tuple(walk(query.form)), source, hidden)
    return without_hidden(query, source, hidden)


# What the parser finds that is no slip: the gate's word for it.
_REFUSED = {UPDATE: "write", SECOND_UPDATE: "several-statements"}


def read_query(text: str, prefixes: Mapping[str, str]) -> Parsed:
    """The tree of a text; what is an update, or ends with one, is a refused query and no faulty one.

    Raises:
        QuerySyntaxError: the text is no query.
        QueryRefusedError: it is an update, or a query that an update follows.
    """
    try:
        return parse(text, prefixes=prefixes)
    except QuerySyntaxError as error:
        code = _REFUSED.get(error.code)
        if code is None:
            raise
        from ...core.errors import QueryRefusedError

        raise QueryRefusedError(
            error.message,
            code=code,
            line=error.line,
            column=error.column,
            offset=error.offset,
            excerpt=error.excerpt,
            advice=error.advice,
        ) from error


def _refuse_escapes(escapes: Iterable[Escape], source: SourceText) -> None:
    """An escape that hides a character of the syntax is read differently by different engines."""
    for escape in escapes:
        if escape.is_ascii:
            raise source.refusal(
                escape.span,
                f"this escape hides the character {escape.character!r}",
                code="escape",
                advice='Write the character itself; a quote in a string is written \\" and a backslash \\\\.',
            )


def faithful_text(query: Query, source: SourceText) -> str:
    """The text to send. It is read once more: what does not read as the tree that was checked is not sent."""
    try:
        text = text_of(query)
        is_faithful = parse(text).query == query
    except ValueError:
        is_faithful = False  # A name that no IRI can have.
    if not is_faithful:
        raise source.refusal(
            Span(0, len(source.text)), "this query cannot be written in a way that is sure", code="unknown"
        )
    return text
