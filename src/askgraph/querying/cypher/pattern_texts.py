"""The regular expressions that a Cypher query may match with, where its text tells.

``n.name =~ '(?i).*' + $name`` is put together of a literal and a value; ``WITH '(a+)+$' AS p … =~ p`` has its literal
elsewhere.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from ..possible_texts import OF_DATA, PossibleTexts, UnknownTextError, may_repeat
from ..tree import SyntaxNode, walk
from .clause_tree import Let, ProjectionItem, Unwind
from .expression_tree import (
    Case,
    Expression,
    FunctionCall,
    Index,
    ListComprehension,
    ListLiteral,
    ListPredicate,
    Operation,
    Parameter,
    Parenthesized,
    PropertyAccess,
    Reduce,
    Text,
    Variable,
)

_AS_GIVEN = (
    "tolower",
    "toupper",
    "lower",
    "upper",
    "trim",
    "ltrim",
    "rtrim",
    "tostring",
    "tostringornull",
    "coalesce",
)


class PatternTexts(PossibleTexts):
    """What the expressions of one query may say; ``nodes`` are all of its nodes."""

    def __init__(self, nodes: Iterable[SyntaxNode], parameters: Mapping[str, Any]) -> None:
        super().__init__(pair for node in nodes for pair in _given_names(node))
        self._parameters = parameters

    def of(self, node: SyntaxNode) -> tuple[str, ...]:
        """The texts that an expression may be. Raises :class:`UnknownTextError`."""
        if isinstance(node, Text):
            return self.of_text(node.value)
        if isinstance(node, Parameter):
            value = self._parameters.get(node.name)
            return self.of_text(value) if isinstance(value, str) else OF_DATA
        if isinstance(node, Parenthesized):
            return self.of(node.inner)
        if isinstance(node, Variable):
            return self.of_name(node, node.name)
        if isinstance(node, Operation) and set(node.operators) <= {"+", "||"}:
            return self.put_together(node, node.operands)
        if isinstance(node, FunctionCall) and node.name.lower() in _AS_GIVEN:
            return self.any_of(node, node.arguments)
        if isinstance(node, Case):
            results = [branch.result for branch in node.branches]
            return self.any_of(node, [*results, *([node.default] if node.default else [])])
        if isinstance(node, ListLiteral):
            return self.any_of(node, node.items)
        if isinstance(node, Index):
            return self.of(node.subject)
        if isinstance(node, PropertyAccess) and not _has_quantifiers(node):
            return self._of_property(node)
        if _has_quantifiers(node):
            raise UnknownTextError(node)
        return OF_DATA

    def _of_property(self, node: PropertyAccess) -> tuple[str, ...]:
        """Of a node it is data; of a map that the query made, it may be any of its texts."""
        subject = node.subject
        while isinstance(subject, Parenthesized | PropertyAccess | Index):
            subject = subject.inner if isinstance(subject, Parenthesized) else subject.subject
        if isinstance(subject, Variable):
            for value in self.given.get(subject.name, ()):
                if _has_quantifiers(value):
                    raise UnknownTextError(node)
        return OF_DATA


def _given_names(node: SyntaxNode) -> list[tuple[str, Expression]]:
    """Names that a part of a query gives, and to what; of a list it is each item."""
    if isinstance(node, ProjectionItem):
        is_itself = isinstance(node.expression, Variable) and node.expression.name == node.alias
        return [] if node.alias is None or is_itself else [(node.alias, node.expression)]
    if isinstance(node, Unwind):
        return [(node.variable, node.source)]
    if isinstance(node, Let):
        return [(entry.key, entry.value) for entry in node.entries]
    if isinstance(node, ListComprehension | ListPredicate):
        return [(node.variable, node.source)]
    if isinstance(node, Reduce):
        return [(node.variable, node.source), (node.accumulator, node.initial), (node.accumulator, node.step)]
    return []


def _has_quantifiers(node: SyntaxNode) -> bool:
    """Whether a text in it could make a regular expression repeat."""
    return any(isinstance(part, Text) and may_repeat(part.value) for part in walk(node))
