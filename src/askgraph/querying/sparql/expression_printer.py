"""Expressions printed back, with parentheses where the ranks of operators ask for them."""

from __future__ import annotations

from ..printing import listed, text_of, writes
from . import expression_tree as tree
from .built_ins import SPELLING
from .expression_parser import COMPARISON_RANK, RANKS
from .lexer import quote
from .term_tree import Expression, NumericLiteral


def _rank(node: Expression) -> int:
    """How tightly the outermost operator of an expression binds; more than any for what has none."""
    if isinstance(node, tree.Operation):
        return RANKS[node.operators[0]]
    return COMPARISON_RANK if isinstance(node, tree.Membership) else _TIGHTEST


_TIGHTEST = max(RANKS.values()) + 1


def _operand(node: Expression, rank: int) -> str:
    """An operand of an operator of this rank."""
    return text_of(node) if _rank(node) > rank else f"({text_of(node)})"


@writes(tree.Operation)
def _operation(node: tree.Operation) -> str:
    rank = RANKS[node.operators[0]]
    parts = [_operand(node.operands[0], rank)]
    for operator, operand in zip(node.operators, node.operands[1:], strict=True):
        parts += (operator, _operand(operand, rank))
    return " ".join(parts)


@writes(tree.Unary)
def _unary(node: tree.Unary) -> str:
    # A sign before a number would be taken for a part of it.
    bare = _rank(node.operand) == _TIGHTEST and not isinstance(node.operand, tree.Unary | NumericLiteral)
    return node.operator + (text_of(node.operand) if bare else f"({text_of(node.operand)})")


@writes(tree.Membership)
def _membership(node: tree.Membership) -> str:
    operator = "NOT IN" if node.negated else "IN"
    return f"{_operand(node.operand, COMPARISON_RANK)} {operator} ({listed(node.items)})"


@writes(tree.FunctionCall)
def _function(node: tree.FunctionCall) -> str:
    return f"{text_of(node.function)}({'DISTINCT ' if node.distinct else ''}{listed(node.arguments)})"


@writes(tree.BuiltInCall)
def _built_in(node: tree.BuiltInCall) -> str:
    return f"{SPELLING.get(node.name, node.name)}({listed(node.arguments)})"


@writes(tree.Aggregate)
def _aggregate(node: tree.Aggregate) -> str:
    argument = "*" if node.argument is None else text_of(node.argument)
    separator = "" if node.separator is None else f"; SEPARATOR={quote(node.separator)}"
    return f"{node.name}({'DISTINCT ' if node.distinct else ''}{argument}{separator})"


@writes(tree.Exists)
def _exists(node: tree.Exists) -> str:
    return f"{'NOT ' if node.negated else ''}EXISTS {text_of(node.pattern)}"
