"""Cypher's part of the gate: parse, check what is allowed, cap, print."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NoReturn

from ...core.hidden import Hidden
from ..examined import Examined
from ..policy import GatePolicy
from ..source import SourceText, Span
from ..tree import SyntaxNode, walk
from .clause_tree import Statement
from .costs import check_costs
from .dialect import Dialect, dialect_named
from .expression_tree import Parameter
from .lexer import tokenize
from .parser import parse
from .path_cap import cap_paths, has_long_paths
from .printer import text_of
from .row_cap import Capped, cap_rows, column_names, name_columns
from .rules import check_rules


def examine(text: str, dialect_name: str, policy: GatePolicy, parameters: Mapping[str, Any]) -> Examined:
    """What the gate learns of a Cypher query. Raises :class:`QueryError` if it may not run."""
    dialect = dialect_named(dialect_name)
    parsed = parse(text)
    source, statement = parsed.source, parsed.statement
    nodes = tuple(walk(statement))
    used = check_rules(nodes, source, dialect, policy)
    if policy.refuse_costly:
        check_costs(nodes, source, policy, parameters)
    columns = column_names(statement.query, source)
    if not statement.version and used & dialect.cypher_25:
        statement = statement.changed(version="25")
    finishing = _Finishing(source, dialect, policy, parameters)
    shown = finishing.finish(statement)
    asked = shown
    if policy.hidden:
        asked = finishing.finish(_without_hidden(statement, nodes, source, dialect, policy.hidden))
    shown_text = faithful_text(shown.statement, source)
    if dialect.ends_at and dialect.ends_at in shown_text:
        _refuse_end(dialect, source)
    if not dialect.has_backslashes_in_names:
        _refuse_backslashes(shown_text, source, dialect)
    return Examined(
        source=source,
        tree=shown.statement,
        shown=shown_text,
        text=faithful_text(asked.statement, source) if policy.hidden else shown_text,
        parameters=_parameters(nodes),
        columns=columns,
        capped_in_text=asked.in_text,
        explain=statement.explain,
        notes=asked.notes,
    )


def _refuse_backslashes(text: str, source: SourceText, dialect: Dialect) -> None:
    """Where a backslash took the meaning of the back-tick after it, what follows the name would be live."""
    if "\\" not in text or "`" not in text:
        return
    if any(token.is_name and "\\" in token.text for token in tokenize(SourceText(text))):
        start = max(0, source.text.find("\\"))
        raise source.refusal(
            Span(start, start + 1),
            f"it is not known how {dialect.title} reads a backslash in a quoted name",
            code="escape",
        )


def _refuse_end(dialect: Dialect, source: SourceText) -> NoReturn:
    end = dialect.ends_at
    start = max(0, source.text.find(end))
    raise source.refusal(
        Span(start, start + len(end)),
        f"{end} would end the text in which {dialect.title} is asked",
        code="escape",
        advice=f"In a string, write it in two: '{end[:1]}' + '{end[1:]}'.",
    )


@dataclass(frozen=True, slots=True)
class _Finishing:
    """What is done to a statement before it is printed: its columns keep their names, its paths and rows get caps."""

    source: SourceText
    dialect: Dialect
    policy: GatePolicy
    parameters: Mapping[str, Any]

    def finish(self, statement: Statement) -> Capped:
        nodes = tuple(walk(statement))
        statement = name_columns(statement, nodes, self.source)
        notes: tuple[str, ...] = ()
        if has_long_paths(nodes):
            statement, notes = cap_paths(statement, self.source, self.policy)
        if self.policy.rows is None:
            return Capped(statement, False, notes)
        capped = cap_rows(statement, self.source, self.dialect, self.policy.rows, self.parameters)
        return capped._replace(notes=notes + capped.notes)


def _without_hidden(
    statement: Statement, nodes: Sequence[SyntaxNode], source: SourceText, dialect: Dialect, hidden: Hidden
) -> Statement:
    from .hidden_names import refuse_hidden
    from .hidden_owners import ElementNames, without_owned
    from .hidden_patterns import without_hidden

    refuse_hidden(nodes, source, dialect, hidden)
    if hidden.properties:
        statement = without_owned(statement, ElementNames(nodes), hidden)
    return without_hidden(statement, source, dialect, hidden.types) if hidden.types else statement


def faithful_text(statement: Statement, source: SourceText) -> str:
    """The text to send. It is read once more: what does not read as the tree that was checked is not sent."""
    text = text_of(statement)
    if parse(text).statement != statement:
        raise source.refusal(
            Span(0, len(source.text)), "this query cannot be written in a way that is sure", code="unknown"
        )
    return text


def _parameters(nodes: Iterable[SyntaxNode]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(node.name for node in nodes if isinstance(node, Parameter)))
