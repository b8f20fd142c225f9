"""The regular expressions that a SPARQL query may match with: from BIND, VALUES, sub-queries, or made by CONCAT."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from ..possible_texts import OF_DATA, PossibleTexts, UnknownTextError, may_repeat
from ..tree import SyntaxNode, walk
from .expression_tree import BuiltInCall
from .pattern_tree import Bind, InlineValues
from .query_tree import Assignment
from .term_tree import StringLiteral, Variable

_AS_GIVEN = ("STR", "LCASE", "UCASE", "COALESCE", "STRLANG", "STRDT")


class PatternTexts(PossibleTexts):
    """What the expressions of one query may say; ``nodes`` are all of its nodes."""

    def __init__(self, nodes: Iterable[SyntaxNode]) -> None:
        super().__init__(pair for node in nodes for pair in _given_names(node))

    def of(self, node: SyntaxNode) -> tuple[str, ...]:
        """The texts that an expression may be. Raises :class:`UnknownTextError`."""
        if isinstance(node, StringLiteral):
            return self.of_text(node.value)
        if isinstance(node, Variable):
            return self.of_name(node, node.name)
        if isinstance(node, BuiltInCall) and node.name == "CONCAT":
            return self.put_together(node, node.arguments)
        if isinstance(node, BuiltInCall) and node.name in _AS_GIVEN:
            return self.any_of(node, node.arguments)
        if isinstance(node, BuiltInCall) and node.name == "IF":
            return self.any_of(node, node.arguments[1:])
        if any(isinstance(part, StringLiteral) and may_repeat(part.value) for part in walk(node)):
            raise UnknownTextError(node)
        return OF_DATA


def _given_names(node: SyntaxNode) -> Iterator[tuple[str, SyntaxNode]]:
    """Names that a part of a query gives, and to what."""
    if isinstance(node, Bind | Assignment):
        yield node.variable.name, node.expression
    elif isinstance(node, InlineValues):
        for row in node.rows:
            for variable, value in zip(node.variables, row.values, strict=True):
                if isinstance(value, StringLiteral):
                    yield variable.name, value
