"""Whole queries printed back."""

from __future__ import annotations

from ..printing import text_of, writes
from ..tree import SyntaxNode
from . import query_tree as tree
from .pattern_tree import Group, TriplesBlock
from .term_tree import Variable


def clauses(*nodes: SyntaxNode | None) -> str:
    """The parts of a query one after the other, without those that are missing or empty. The pattern gets its WHERE."""
    parts = [
        f"WHERE {text_of(node)}" if isinstance(node, Group) else text_of(node)
        for node in nodes
        if node is not None
    ]
    return " ".join([part for part in parts if part])


@writes(tree.BaseDeclaration)
def _base(node: tree.BaseDeclaration) -> str:
    return f"BASE <{node.iri}>"


@writes(tree.PrefixDeclaration)
def _prefix(node: tree.PrefixDeclaration) -> str:
    return f"PREFIX {node.name}: <{node.iri}>"


@writes(tree.Assignment)
def _assignment(node: tree.Assignment) -> str:
    return f"({text_of(node.expression)} AS {text_of(node.variable)})"


@writes(tree.Projection)
def _projection(node: tree.Projection) -> str:
    columns = [text_of(item) for item in node.items] or ["*"]
    return " ".join(["SELECT", *([node.modifier] if node.modifier else []), *columns])


@writes(tree.OrderCondition)
def _order(node: tree.OrderCondition) -> str:
    text = text_of(node.expression)
    if node.descending:
        return f"DESC({text})"
    return text if isinstance(node.expression, Variable) else f"({text})"


@writes(tree.SolutionModifiers)
def _modifiers(node: tree.SolutionModifiers) -> str:
    parts: list[str] = []
    if node.group_by:
        keys = [text_of(key) for key in node.group_by]
        bare = tree.Assignment | Variable
        parts += (
            "GROUP BY",
            *(
                text if isinstance(key, bare) else f"({text})"
                for key, text in zip(node.group_by, keys, strict=True)
            ),
        )
    if node.having:
        parts += ("HAVING", *(f"({text_of(condition)})" for condition in node.having))
    if node.order_by:
        parts += ("ORDER BY", *map(text_of, node.order_by))
    if node.limit is not None:
        parts.append(f"LIMIT {node.limit}")
    if node.offset is not None:
        parts.append(f"OFFSET {node.offset}")
    return " ".join(parts)


@writes(tree.Dataset)
def _dataset(node: tree.Dataset) -> str:
    return f"FROM {'NAMED ' if node.named else ''}{text_of(node.graph)}"


@writes(tree.SelectQuery)
def _select(node: tree.SelectQuery) -> str:
    return clauses(node.projection, *node.dataset, node.where, node.modifiers, node.values)


@writes(tree.ConstructQuery)
def _construct(node: tree.ConstructQuery) -> str:
    template = "" if node.template is None else f" {_template(node.template)}"
    return f"CONSTRUCT{template} {clauses(*node.dataset, node.where, node.modifiers, node.values)}"


def _template(block: TriplesBlock) -> str:
    return f"{{ {text_of(block)} }}" if block.triples else "{ }"


@writes(tree.AskQuery)
def _ask(node: tree.AskQuery) -> str:
    return f"ASK {clauses(*node.dataset, node.where, node.modifiers, node.values)}"


@writes(tree.DescribeQuery)
def _describe(node: tree.DescribeQuery) -> str:
    targets = " ".join([text_of(target) for target in node.targets]) or "*"
    return _joined(f"DESCRIBE {targets}", clauses(*node.dataset, node.where, node.modifiers, node.values))


def _joined(head: str, rest: str) -> str:
    return f"{head} {rest}" if rest else head


@writes(tree.Query)
def _query(node: tree.Query) -> str:
    return " ".join([*(text_of(declaration) for declaration in node.prologue), text_of(node.form)])
