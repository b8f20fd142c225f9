"""Properties that are hidden of some types only: ``n.pay`` of any node, without that of the people among them.

``n.pay`` becomes ``CASE WHEN n:Person THEN NULL ELSE n.pay END``, so that each node is judged when the query runs, by
all the labels that it has. That takes a variable which can be nothing but a node (or nothing but a relationship),
wherever in the text it stands; of anything else the property may not be asked for.
"""

from __future__ import annotations

from collections.abc import Iterable

from ...core.hidden import Hidden
from ..tree import SyntaxNode, transform
from .clause_tree import Let, ProjectionItem, Search, Statement, Unwind, YieldItem
from .expression_tree import (
    Case,
    CaseBranch,
    Constant,
    Expression,
    FunctionCall,
    LabelTest,
    Lambda,
    ListComprehension,
    ListLiteral,
    ListPredicate,
    Operation,
    Parenthesized,
    PropertyAccess,
    Reduce,
    Text,
    Variable,
)
from .pattern_tree import (
    ExpansionLambda,
    LabelName,
    NodePattern,
    ParenthesizedPath,
    PathLength,
    PathPattern,
    RelationshipPattern,
)


class ElementNames:
    """The names in a query that can stand for nothing but a node, or nothing but a relationship."""

    def __init__(self, nodes: Iterable[SyntaxNode]) -> None:
        found: dict[str, set[str]] = {"node": set(), "edge": set(), "other": set()}
        for node in nodes:
            for kind, name in _bound(node):
                if name:
                    found[kind].add(name)
        self.nodes = found["node"] - found["edge"] - found["other"]
        self.edges = found["edge"] - found["node"] - found["other"]

    def __contains__(self, name: str) -> bool:
        return name in self.nodes or name in self.edges


def _bound(node: SyntaxNode) -> Iterable[tuple[str, str | None]]:
    """What a part of a query gives names to."""
    if isinstance(node, NodePattern):
        return [("node", node.variable)]
    if isinstance(node, RelationshipPattern):
        is_one = node.length is None and node.quantifier is None
        return [("edge" if is_one else "other", node.variable)]
    if isinstance(node, ParenthesizedPath):
        # What is a node inside is a list of nodes outside.
        return [("other", name) for name in _names_inside(node.pattern)] if node.quantifier else []
    if isinstance(node, ProjectionItem):
        is_itself = isinstance(node.expression, Variable) and node.expression.name == node.alias
        return [] if is_itself else [("other", node.alias)]
    if isinstance(node, Let):
        return [("other", entry.key) for entry in node.entries]
    return [("other", name) for name in _other_names(node)]


def _other_names(node: SyntaxNode) -> tuple[str | None, ...]:
    if isinstance(node, Unwind | PathPattern | ListComprehension | ListPredicate):
        return (node.variable,)
    if isinstance(node, YieldItem):
        return (node.alias or node.column,)
    if isinstance(node, Reduce):
        return (node.variable, node.accumulator)
    if isinstance(node, Lambda):
        return node.variables
    if isinstance(node, ExpansionLambda):
        return (node.relationship, node.node)
    if isinstance(node, PathLength):
        return (node.total,)
    return (node.score,) if isinstance(node, Search) else ()


def _names_inside(pattern: PathPattern) -> list[str | None]:
    names: list[str | None] = []
    for element in pattern.elements:
        if isinstance(element, NodePattern | RelationshipPattern):
            names.append(element.variable)
        elif isinstance(element, ParenthesizedPath):
            names += _names_inside(element.pattern)
    return names


def owners_of(hidden: Hidden, key: str) -> tuple[str, ...]:
    """The types of which alone a property is hidden; none if it is hidden of all, or of none."""
    if key in hidden.properties:
        return ()
    ending = f".{key}"
    return tuple(entry.removesuffix(ending) for entry in hidden.properties if entry.endswith(ending))


def element_of(node: PropertyAccess) -> str:
    """The variable whose property is read; empty if it is none."""
    subject = node.subject
    while isinstance(subject, Parenthesized):
        subject = subject.inner
    return subject.name if isinstance(subject, Variable) else ""


def without_owned(statement: Statement, names: ElementNames, hidden: Hidden) -> Statement:
    """The statement with each such property left out where its owner has one of the types."""

    def change(node: SyntaxNode) -> SyntaxNode:
        if not isinstance(node, PropertyAccess):
            return node
        owners, name = owners_of(hidden, node.key), element_of(node)
        if not owners or name not in names:
            return node
        test = _has_a_label(name, owners) if name in names.nodes else _has_a_type(name, owners)
        return Case(None, (CaseBranch((test,), Constant("NULL")),), node, span=node.span)

    return transform(statement, change)


def _has_a_label(name: str, labels: tuple[str, ...]) -> Expression:
    tests = tuple(Parenthesized(LabelTest(Variable(name), LabelName(label))) for label in labels)
    return tests[0] if len(tests) == 1 else Operation(("OR",) * (len(tests) - 1), tests)


def _has_a_type(name: str, types: tuple[str, ...]) -> Expression:
    texts = ListLiteral(tuple(Text(type) for type in types))
    return Operation(("IN",), (FunctionCall("type", (Variable(name),)), texts))
