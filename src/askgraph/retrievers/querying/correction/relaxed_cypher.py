"""Cypher queries with one part left out."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from ....querying.cypher.clause_tree import (
    ClauseSequence,
    Match,
    Projection,
    ProjectionItem,
    Query,
    Return,
    Statement,
    Union,
    With,
)
from ....querying.cypher.expression_tree import Expression, MapLiteral, Number, Operation, Parenthesized
from ....querying.cypher.parser import parse
from ....querying.cypher.pattern_tree import NodePattern, PathPattern, RelationshipPattern
from ....querying.cypher.printer import text_of
from ....querying.rewriting import place_of, replaced
from ....querying.tree import SyntaxNode, walk
from .relaxing import Relaxation, RelaxationKind

_ANYTHING = Return(Projection((ProjectionItem(Number("1"), "found"),), limit=Number("1")))


def relaxed_cypher(text: str) -> list[Relaxation]:
    """The relaxations of a query, the most telling first; none for a shape that is not looked into.

    Nodes of the pattern by themselves come first: one that is not there explains everything. Then the query without
    each of its conditions, properties, labels, directions and relationship types.
    """
    statement = parse(text).statement
    if not isinstance(_branch(statement), ClauseSequence):
        return []
    found = list(_nodes_alone(statement))
    for kind, old, new, what in _changes(statement):
        changed = replaced(statement, {place_of(old): _always(new)})
        proposal = text_of(changed) if kind in ("direction",) else ""
        found.append(Relaxation(kind, what, text_of(_any(changed)), proposal))
    return found


def _branch(statement: Statement) -> SyntaxNode | None:
    """The clauses of a query that is one sequence of them."""
    stages = statement.query.stages
    if len(stages) != 1 or not isinstance(stages[0], Union) or len(stages[0].branches) != 1:
        return None
    return stages[0].branches[0]


def _any(statement: Statement) -> Statement:
    """The query that only asks whether there is anything."""
    branch = _branch(statement)
    assert isinstance(branch, ClauseSequence)
    clauses = tuple(_ANYTHING if isinstance(clause, Return) else clause for clause in branch.clauses)
    return statement.changed(query=Query((Union((ClauseSequence(clauses),)),)), explain=False)


def _always(new: SyntaxNode) -> Callable[[SyntaxNode], SyntaxNode]:
    return lambda _: new


def _nodes_alone(statement: Statement) -> Iterator[Relaxation]:
    """Each node of the pattern for which a value is asked, by itself."""
    seen: set[str] = set()
    for node in walk(statement):
        if not isinstance(node, NodePattern) or not isinstance(node.properties, MapLiteral):
            continue
        pattern = PathPattern((node.changed(condition=None),))
        alone = ClauseSequence((Match((pattern,)), _ANYTHING))
        what = text_of(node)
        if what not in seen:
            seen.add(what)
            whole = statement.changed(query=Query((Union((alone,)),)), explain=False)
            yield Relaxation("part", what, text_of(whole))


def _changes(
    statement: Statement,
) -> Iterator[tuple[RelaxationKind, SyntaxNode, SyntaxNode, str]]:
    """Each thing that can be left out: its kind, the node to change, the node in its place, and its words."""
    for node in walk(statement):
        if isinstance(node, RelationshipPattern) and node.to_left != node.to_right:
            turned = node.changed(to_left=node.to_right, to_right=node.to_left)
            yield "direction", node, turned, text_of(node)
    for node in walk(statement):
        if isinstance(node, Match | With) and node.condition is not None:
            for part, rest in _without_each(node.condition):
                yield "condition", node, node.changed(condition=rest), text_of(part)
    for node in walk(statement):
        if isinstance(node, NodePattern | RelationshipPattern) and isinstance(node.properties, MapLiteral):
            entries = node.properties.entries
            for place, entry in enumerate(entries):
                kept = entries[:place] + entries[place + 1 :]
                left = node.properties.changed(entries=kept) if kept else None
                yield "property", node, node.changed(properties=left), text_of(entry)
    for node in walk(statement):
        if isinstance(node, RelationshipPattern) and node.types is not None:
            yield "relation", node, node.changed(types=None), text_of(node)
        elif isinstance(node, NodePattern) and node.labels is not None:
            yield "type", node, node.changed(labels=None), text_of(node.labels)


def _without_each(condition: Expression) -> Iterator[tuple[Expression, Expression | None]]:
    """Each part of a condition that must hold, and what is left without it."""
    while isinstance(condition, Parenthesized):
        condition = condition.inner
    if not isinstance(condition, Operation) or condition.operators[0] != "AND":
        yield condition, None
        return
    parts = condition.operands
    for place, part in enumerate(parts):
        kept = parts[:place] + parts[place + 1 :]
        rest = kept[0] if len(kept) == 1 else Operation(("AND",) * (len(kept) - 1), kept)
        yield part, rest
