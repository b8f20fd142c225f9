"""What the variables of a Cypher query stand for, as far as its patterns tell."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Literal, NamedTuple

from ..tree import walk
from .clause_tree import Projection, Search
from .expression_tree import Expression, LabelTest, Operation, Parenthesized, PropertyAccess, Variable
from .pattern_tree import (
    AnyLabel,
    DynamicLabel,
    LabelExpression,
    LabelName,
    NodePattern,
    NotLabel,
    ParenthesizedPath,
    PathPattern,
    RelationshipPattern,
    ShortestPath,
)


class PropertyValue(NamedTuple):
    """A property of a node or relationship with one of these types (``None``: not known)."""

    key: str
    types: frozenset[str] | None
    of_edges: bool


class Binding(NamedTuple):
    """What a variable stands for; ``types`` are the types that it may have, ``None`` if they are not known; ``value``
    is the property that it was given the value of."""

    kind: Literal["node", "edge", "other"]
    types: frozenset[str] | None = None
    value: PropertyValue | None = None


OTHER = Binding("other")
Scope = dict[str, Binding]


def label_names(labels: LabelExpression | None) -> frozenset[str] | None:
    """The labels that a label expression allows; ``None`` if it allows more than it names."""
    if labels is None:
        return None
    names = set()
    for node in walk(labels):
        if isinstance(node, NotLabel | AnyLabel | DynamicLabel):
            return None
        if isinstance(node, LabelName):
            names.add(node.name)
    return frozenset(names)


def merge(scope: Scope, name: str, binding: Binding) -> None:
    """A variable is met again: it may have the types of both places."""
    before = scope.get(name)
    if before is None or before.kind != binding.kind or before.types is None:
        scope[name] = binding
    elif binding.types is not None:
        scope[name] = Binding(binding.kind, before.types | binding.types)


def bind_patterns(scope: Scope, patterns: Iterable[PathPattern]) -> None:
    """Add the variables of patterns to a scope."""
    for pattern in patterns:
        _bind_path(scope, pattern, grouped=False)


def _bind_path(scope: Scope, pattern: PathPattern, *, grouped: bool) -> None:
    if pattern.variable:
        scope[pattern.variable] = OTHER
    for element in pattern.elements:
        if isinstance(element, NodePattern):
            _bind(scope, element.variable, Binding("node", label_names(element.labels)), grouped)
        elif isinstance(element, RelationshipPattern):
            _bind_relationship(scope, element, grouped)
        elif isinstance(element, ParenthesizedPath):
            _bind_path(scope, element.pattern, grouped=grouped or element.quantifier is not None)
        elif isinstance(element, ShortestPath):
            _bind_path(scope, element.pattern, grouped=grouped)


def _bind_relationship(scope: Scope, element: RelationshipPattern, grouped: bool) -> None:
    many = element.length is not None or element.quantifier is not None
    _bind(scope, element.variable, Binding("edge", label_names(element.types)), grouped or many)
    if element.length is not None and element.length.total:
        scope[element.length.total] = OTHER


def _bind(scope: Scope, name: str | None, binding: Binding, grouped: bool) -> None:
    """A variable inside a part that repeats stands for a list."""
    if name:
        merge(scope, name, OTHER if grouped else binding)


def bind_conditions(scope: Scope, condition: Expression | None) -> None:
    """``WHERE n:Person`` tells a label as the pattern itself does."""
    for part in _conjuncts(condition):
        if not isinstance(part, LabelTest) or part.negated or not isinstance(part.operand, Variable):
            continue
        before = scope.get(part.operand.name)
        if before is not None and before.kind != "other":
            merge(scope, part.operand.name, Binding(before.kind, label_names(part.labels)))


def _conjuncts(condition: Expression | None) -> Iterator[Expression]:
    if isinstance(condition, Parenthesized):
        yield from _conjuncts(condition.inner)
    elif isinstance(condition, Operation) and condition.operators[0] == "AND":
        for operand in condition.operands:
            yield from _conjuncts(operand)
    elif condition is not None:
        yield condition


def bound_to(expression: Expression, scope: Scope) -> Binding:
    """What a name that is given to an expression stands for."""
    while isinstance(expression, Parenthesized):
        expression = expression.inner
    if isinstance(expression, Variable):
        return scope.get(expression.name, OTHER)
    if isinstance(expression, PropertyAccess) and isinstance(expression.subject, Variable):
        owner = scope.get(expression.subject.name, OTHER)
        if owner.kind != "other":
            return Binding("other", None, PropertyValue(expression.key, owner.types, owner.kind == "edge"))
    return OTHER


def projected(scope: Scope, projection: Projection) -> Scope:
    """What is known after a projection."""
    after = dict(scope) if projection.everything else {}
    for item in projection.items:
        expression = item.expression
        while isinstance(expression, Parenthesized):
            expression = expression.inner
        bound = bound_to(expression, scope)
        if item.alias is not None:
            after[item.alias] = bound
        elif isinstance(expression, Variable):
            after[expression.name] = bound
    return after


def bind_search(scope: Scope, search: Search | None) -> None:
    """``SCORE AS score``."""
    if search is not None and search.score:
        scope[search.score] = OTHER
