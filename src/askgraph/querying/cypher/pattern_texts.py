"""The regular expressions that a Cypher query may match with, where its text tells.

``n.name =~ '(?i).*' + $name`` is put together of a literal and a value; ``WITH '(a+)+$' AS p … =~ p`` has its literal
elsewhere. What comes from the data, or is given when the query runs, stands here as a letter.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Mapping
from typing import Any

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

_MOST = 64
_LONGEST = 1_000
_OF_DATA = ("x",)
_QUANTIFIERS = frozenset("*+{")
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


class UnknownTextError(ValueError):
    """A text is put together in a way that cannot be followed; ``node`` says where."""

    def __init__(self, node: SyntaxNode) -> None:
        super().__init__("a text that cannot be followed")
        self.node = node


class PatternTexts:
    """What the expressions of one query may say."""

    def __init__(self, nodes: Iterable[SyntaxNode], parameters: Mapping[str, Any]) -> None:
        self._parameters = parameters
        self._given: dict[str, list[Expression]] = {}
        for node in nodes:
            for name, value in _given_names(node):
                self._given.setdefault(name, []).append(value)
        self._open: set[str] = set()
        self._known: dict[str, tuple[str, ...]] = {}

    def of(self, node: SyntaxNode) -> tuple[str, ...]:
        """The texts that an expression may be. Raises :class:`UnknownTextError`."""
        if isinstance(node, Text):
            return (node.value,)
        if isinstance(node, Parameter):
            value = self._parameters.get(node.name)
            return (value,) if isinstance(value, str) else _OF_DATA
        if isinstance(node, Parenthesized):
            return self.of(node.inner)
        if isinstance(node, Variable):
            return self._of_name(node)
        if isinstance(node, Operation) and set(node.operators) <= {"+", "||"}:
            return self._put_together(node)
        if isinstance(node, FunctionCall) and node.name.lower() in _AS_GIVEN:
            return self._any_of(node, node.arguments)
        if isinstance(node, Case):
            results = [branch.result for branch in node.branches]
            return self._any_of(node, [*results, *([node.default] if node.default else [])])
        if isinstance(node, ListLiteral):
            return self._any_of(node, node.items)
        if isinstance(node, Index):
            return self.of(node.subject)
        if isinstance(node, PropertyAccess) and not _has_quantifiers(node):
            return self._of_property(node)
        if _has_quantifiers(node):
            raise UnknownTextError(node)
        return _OF_DATA

    def _of_name(self, node: Variable) -> tuple[str, ...]:
        if node.name not in self._given or node.name in self._open:
            return _OF_DATA
        if node.name not in self._known:
            self._open.add(node.name)
            try:
                self._known[node.name] = self._any_of(node, self._given[node.name])
            finally:
                self._open.discard(node.name)
        return self._known[node.name]

    def _of_property(self, node: PropertyAccess) -> tuple[str, ...]:
        """Of a node it is data; of a map that the query made, it may be any of its texts."""
        subject = node.subject
        while isinstance(subject, Parenthesized | PropertyAccess | Index):
            subject = subject.inner if isinstance(subject, Parenthesized) else subject.subject
        if isinstance(subject, Variable):
            for value in self._given.get(subject.name, ()):
                if _has_quantifiers(value):
                    raise UnknownTextError(node)
        return _OF_DATA

    def _put_together(self, node: Operation) -> tuple[str, ...]:
        parts = [self.of(operand) for operand in node.operands]
        return self._bounded(node, ("".join(texts) for texts in itertools.product(*parts)))

    def _any_of(self, node: SyntaxNode, parts: Iterable[SyntaxNode]) -> tuple[str, ...]:
        return self._bounded(node, (text for part in parts for text in self.of(part))) or _OF_DATA

    def _bounded(self, node: SyntaxNode, texts: Iterable[str]) -> tuple[str, ...]:
        found = tuple(itertools.islice(texts, _MOST + 1))
        if len(found) > _MOST or any(len(text) > _LONGEST for text in found):
            raise UnknownTextError(node)
        return tuple(dict.fromkeys(found))


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
    return any(isinstance(part, Text) and _QUANTIFIERS & set(part.value) for part in walk(node))
