"""What a Cypher query is made of. It names nodes by texts, never by ids."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final

from ..querying.cypher import clause_tree, expression_tree, pattern_tree
from ..querying.gate import check
from ..querying.policy import GatePolicy
from ..querying.tree import SyntaxNode, walk
from .query_content import QueryContent, once

_SIZES: Final = frozenset({"<", "<=", ">", ">="})
_EQUALITIES: Final = frozenset({"=", "<>"})
_FIGURES: Final = frozenset({"SUM", "AVG", "MIN", "MAX"})


def content_of_cypher(text: str) -> QueryContent:
    """What a Cypher text is made of. Raises :class:`QueryError` where it cannot be read."""
    policy = GatePolicy(rows=None, refuse_costly=False, unbounded_paths="allow")
    tree = check(text, language="cypher", policy=policy).tree
    nodes = list(walk(tree))
    relations: list[str] = []
    types: list[str] = []
    edges = 0
    for node in nodes:
        match node:
            case pattern_tree.NodePattern():
                types += _labels(node.labels)
                relations += _map_keys(node.properties)
            case pattern_tree.RelationshipPattern():
                relations += [*_labels(node.types), *_map_keys(node.properties)]
                edges += 1
            case expression_tree.PropertyAccess():
                relations.append(node.key)
            case expression_tree.LabelTest():
                types += _labels(node.labels)
    return QueryContent(
        texts=once(
            node.value for node in nodes if isinstance(node, expression_tree.Text) and node.value.strip()
        ),
        relations=once(relations),
        types=once(types),
        edges=edges,
        forms=frozenset(_forms(nodes)),
    )


def _labels(labels: SyntaxNode | None) -> list[str]:
    if labels is None:
        return []
    return [node.name for node in walk(labels) if isinstance(node, pattern_tree.LabelName)]


def _map_keys(properties: SyntaxNode | None) -> list[str]:
    if not isinstance(properties, expression_tree.MapLiteral):
        return []
    return [entry.key for entry in properties.entries]


def _forms(nodes: Iterable[SyntaxNode]) -> Iterator[str]:
    for node in nodes:
        match node:
            case clause_tree.Projection():
                if node.order and node.limit is not None:
                    yield "order"
                made = [bool(_aggregates(item)) for item in node.items]
                if any(made) and not all(made):
                    yield "group"
            case expression_tree.CountAll() | expression_tree.FunctionCall():
                yield from _aggregates(node)
            case expression_tree.Operation():
                if _is_bound(node):
                    yield "filter"
            case expression_tree.Unary():
                if node.operator == "NOT":
                    yield "negation"


def _is_bound(operation: expression_tree.Operation) -> bool:
    has_number = any(isinstance(operand, expression_tree.Number) for operand in operation.operands)
    return bool(
        _SIZES.intersection(operation.operators)
        or (has_number and _EQUALITIES.intersection(operation.operators))
    )


def _aggregates(root: SyntaxNode) -> list[str]:
    """What is counted or worked out in an expression."""
    found = []
    for node in walk(root):
        name = node.name.upper() if isinstance(node, expression_tree.FunctionCall) else ""
        if isinstance(node, expression_tree.CountAll) or name == "COUNT":
            found.append("count")
        elif name in _FIGURES:
            found.append("figure")
    return found
