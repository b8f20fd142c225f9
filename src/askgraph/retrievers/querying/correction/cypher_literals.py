"""Values as literals of Cypher, and literals as other kinds of literals."""

from __future__ import annotations

from ....core.values import ValueType
from ....querying.cypher.expression_tree import (
    Constant,
    Expression,
    FunctionCall,
    Number,
    Parenthesized,
    Text,
    Unary,
)
from ....querying.cypher.literals import literal_kind
from .literals import folded
from .value_lookup import Held

_BOOLEANS = {"true": "TRUE", "yes": "TRUE", "false": "FALSE", "no": "FALSE"}


def literal_of(held: Held, folding: str = "") -> Expression:
    """A value that the graph holds, as it is compared with."""
    if isinstance(held.value, int | float) and not isinstance(held.value, bool):
        return number_literal(str(held.value)) or Text(held.text)
    return Text(folded(held.text, folding))


def number_literal(text: str | None) -> Expression | None:
    """A number from how programs write it."""
    if text is None:
        return None
    if text.startswith("-"):
        return Unary("-", Number(text[1:]))
    return Number(text.removeprefix("+"))


def boolean_literal(text: str) -> Expression | None:
    """A truth value from a word for it; ``None`` for any other text."""
    name = _BOOLEANS.get(text.strip().lower())
    return Constant(name) if name else None


def text_literal(literal: Expression) -> Text | None:
    """A number or a date as the text that a property of texts may hold; ``None`` for anything else."""
    while isinstance(literal, Parenthesized):
        literal = literal.inner
    if isinstance(literal, Number):
        return Text(literal.text)
    if isinstance(literal, Unary) and isinstance(literal.operand, Number) and literal.operator == "-":
        return Text(f"-{literal.operand.text}")
    if isinstance(literal, FunctionCall) and literal_kind(literal) is ValueType.DATE:
        first = literal.arguments[0] if len(literal.arguments) == 1 else None
        return first if isinstance(first, Text) else None
    return None
