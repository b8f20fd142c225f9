"""Patterns printed back."""

from __future__ import annotations

from ..printing import text_of, writes
from . import pattern_tree as tree
from .names import print_name


@writes(tree.LabelName)
def _label(node: tree.LabelName) -> str:
    return print_name(node.name)


@writes(tree.AnyLabel)
def _any_label(node: tree.AnyLabel) -> str:
    return "%"


@writes(tree.DynamicLabel)
def _dynamic_label(node: tree.DynamicLabel) -> str:
    return f"${node.kind}({text_of(node.names)})"


@writes(tree.NotLabel)
def _not_label(node: tree.NotLabel) -> str:
    return f"!{text_of(node.operand)}"


@writes(tree.LabelGroup)
def _label_group(node: tree.LabelGroup) -> str:
    return f"({text_of(node.inner)})"


@writes(tree.LabelOperation)
def _label_operation(node: tree.LabelOperation) -> str:
    parts = [text_of(node.operands[0])]
    for operator, operand in zip(node.operators, node.operands[1:], strict=True):
        parts += (operator, text_of(operand))
    return "".join(parts)


def _inside(variable: str | None, labels: tree.LabelExpression | None, *rest: str) -> str:
    """What stands in the brackets of a node or a relationship."""
    head = (print_name(variable) if variable else "") + (f":{text_of(labels)}" if labels else "")
    return " ".join(part for part in (head, *rest) if part)


@writes(tree.NodePattern)
def _node(node: tree.NodePattern) -> str:
    properties = text_of(node.properties) if node.properties else ""
    condition = f"WHERE {text_of(node.condition)}" if node.condition else ""
    return f"({_inside(node.variable, node.labels, properties, condition)})"


@writes(tree.RelationshipPattern)
def _relationship(node: tree.RelationshipPattern) -> str:
    length = text_of(node.length) if node.length else ""
    properties = text_of(node.properties) if node.properties else ""
    condition = f"WHERE {text_of(node.condition)}" if node.condition else ""
    head = _inside(node.variable, node.types)
    inside = " ".join(part for part in (head + length, properties, condition) if part)
    brackets = f"[{inside}]" if inside else ""
    quantifier = text_of(node.quantifier) if node.quantifier else ""
    return f"{'<' if node.to_left else ''}-{brackets}-{'>' if node.to_right else ''}{quantifier}"


@writes(tree.Quantifier)
def _quantifier(node: tree.Quantifier) -> str:
    if node.maximum is None and node.minimum in (0, 1):
        return "*" if node.minimum == 0 else "+"
    if node.minimum == node.maximum:
        return f"{{{node.minimum}}}"
    return f"{{{node.minimum},{'' if node.maximum is None else node.maximum}}}"


@writes(tree.PathLength)
def _length(node: tree.PathLength) -> str:
    minimum = "" if node.minimum is None else str(node.minimum)
    maximum = "" if node.maximum is None else str(node.maximum)
    bounds = minimum if node.exact else f"{minimum}..{maximum}" if minimum or maximum else ""
    lambdas = [text_of(item) for item in node.lambdas]
    total = [print_name(node.total)] if node.total else []
    extension = " ".join(part for part in (node.algorithm, bounds, *lambdas, *total) if part)
    return f" *{extension}" if node.algorithm or lambdas else f"*{bounds}"


@writes(tree.ExpansionLambda)
def _lambda(node: tree.ExpansionLambda) -> str:
    where = "WHERE " if node.is_condition else ""
    names = f"{print_name(node.relationship)}, {print_name(node.node)}"
    return f"({names} | {where}{text_of(node.expression)})"


@writes(tree.PathSelector)
def _selector(node: tree.PathSelector) -> str:
    kind, _, groups = node.kind.partition(" GROUPS")
    if node.kind == "SHORTEST GROUPS":
        kind, groups = "SHORTEST", "GROUPS"
    count = text_of(node.count) if node.count else ""
    return " ".join(part for part in (kind, count, node.mode, groups) if part)


@writes(tree.PathPattern)
def _path(node: tree.PathPattern) -> str:
    name = f"{print_name(node.variable)} = " if node.variable else ""
    selector = f"{text_of(node.selector)} " if node.selector else ""
    return name + selector + "".join([text_of(element) for element in node.elements])


@writes(tree.ParenthesizedPath)
def _parenthesized(node: tree.ParenthesizedPath) -> str:
    condition = f" WHERE {text_of(node.condition)}" if node.condition else ""
    quantifier = text_of(node.quantifier) if node.quantifier else ""
    return f"({text_of(node.pattern)}{condition}){quantifier}"


@writes(tree.ShortestPath)
def _shortest(node: tree.ShortestPath) -> str:
    return f"{'allShortestPaths' if node.every else 'shortestPath'}({text_of(node.pattern)})"
