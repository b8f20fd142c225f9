"""The kinds of the values that a Cypher text writes out."""

from __future__ import annotations

from ...core.values import ValueType
from .expression_tree import (
    Constant,
    Expression,
    FunctionCall,
    InterpolatedText,
    ListLiteral,
    MapLiteral,
    Number,
    Parenthesized,
    Text,
    Unary,
)

_CONSTRUCTORS = {
    "date": ValueType.DATE,
    "datetime": ValueType.DATETIME,
    "localdatetime": ValueType.DATETIME,
    "time": ValueType.TIME,
    "localtime": ValueType.TIME,
    "duration": ValueType.DURATION,
    "point": ValueType.POINT,
}


def literal_kind(node: Expression) -> ValueType | None:
    """The kind of a literal, or of a call that makes a value of one kind; ``None`` for anything else."""
    while isinstance(node, Parenthesized):
        node = node.inner
    if isinstance(node, Unary) and node.operator != "NOT":
        return literal_kind(node.operand)
    if isinstance(node, Number):
        return ValueType.FLOAT if node.integer is None else ValueType.INTEGER
    if isinstance(node, Text | InterpolatedText):
        return ValueType.TEXT
    if isinstance(node, Constant):
        return ValueType.BOOLEAN if node.name in ("TRUE", "FALSE") else None
    if isinstance(node, FunctionCall):
        return _CONSTRUCTORS.get(node.name.lower())
    if isinstance(node, ListLiteral):
        return ValueType.LIST
    return ValueType.MAP if isinstance(node, MapLiteral) else None
