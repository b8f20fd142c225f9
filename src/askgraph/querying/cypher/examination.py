"""Cypher's part of the gate: parse, check what is allowed, cap, print."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from ..examined import Examined
from ..policy import GatePolicy
from ..source import SourceText, Span
from ..tree import SyntaxNode, walk
from .clause_tree import Statement
from .costs import check_costs
from .dialect import dialect_named
from .expression_tree import Parameter
from .parser import parse
from .path_cap import cap_paths, has_long_paths
from .printer import text_of
from .row_cap import cap_rows, column_names, name_columns
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
    statement = name_columns(statement, nodes, source)
    notes: tuple[str, ...] = ()
    if has_long_paths(nodes):
        statement, notes = cap_paths(statement, source, policy)
    in_text = False
    if policy.rows is not None:
        statement, in_text, row_notes = cap_rows(statement, source, dialect, policy.rows, parameters)
        notes += row_notes
    text = faithful_text(statement, source)
    return Examined(
        source=source,
        tree=statement,
        shown=text,
        text=text,
        parameters=_parameters(nodes),
        columns=columns,
        capped_in_text=in_text,
        explain=statement.explain,
        notes=notes,
    )


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
