"""Loops over lists whose length the text tells: how many steps they make in all."""

from __future__ import annotations

from ..source import SourceText
from ..tree import SyntaxNode, children
from .clause_tree import ClauseSequence, Unwind, With
from .expression_tree import (
    Expression,
    FunctionCall,
    ListComprehension,
    ListLiteral,
    ListPredicate,
    Number,
    Parenthesized,
    Reduce,
    Unary,
)


def check_loops(root: SyntaxNode, source: SourceText, most: int) -> None:
    """Raise :class:`QueryRefusedError` (code ``"cost"``) if ``range()`` or loops inside loops make more steps."""
    _Loops(source, most).check(root, 1)


class _Loops:
    def __init__(self, source: SourceText, most: int) -> None:
        self.source = source
        self.most = most

    def check(self, node: SyntaxNode, steps: int) -> None:
        """Look at a node that is reached so many times."""
        if isinstance(node, ClauseSequence):
            self._check_sequence(node, steps)
            return
        if isinstance(node, FunctionCall) and node.name.lower() == "range":
            self._grown(node, steps, node)
        inside = steps
        if isinstance(node, ListComprehension | Reduce | ListPredicate):
            inside = self._grown(node.source, steps, node)
        for child in children(node):
            self.check(child, inside)

    def _check_sequence(self, sequence: ClauseSequence, steps: int) -> None:
        for clause in sequence.clauses:
            for child in children(clause):
                self.check(child, steps)
            if isinstance(clause, Unwind):
                steps = self._grown(clause.source, steps, clause)
            elif isinstance(clause, With) and isinstance(clause.projection.limit, Number):
                steps = min(steps, clause.projection.limit.integer or steps)

    def _grown(self, source: Expression, steps: int, place: SyntaxNode) -> int:
        """The steps after a loop over this list, where its length is known."""
        steps *= max(1, _length(source))
        if steps > self.most:
            raise self.source.refusal(
                place.span,
                f"this would make {steps:,} steps",
                code="cost",
                advice=f"At most {self.most:,} are allowed.",
            )
        return steps


def _length(source: Expression) -> int:
    """The length of a list that is written out; 1 for any other."""
    while isinstance(source, Parenthesized):
        source = source.inner
    if isinstance(source, ListLiteral):
        return len(source.items)
    if isinstance(source, FunctionCall) and source.name.lower() == "range":
        return _range_length(source.arguments)
    return 1


def _range_length(arguments: tuple[Expression, ...]) -> int:
    numbers = [_integer(argument) for argument in arguments]
    if len(numbers) == 2:
        numbers.append(1)
    if len(numbers) != 3:
        return 1
    start, end, step = numbers
    if start is None or end is None or not step:
        return 1
    return max(0, (end - start) // step + 1)


def _integer(node: Expression) -> int | None:
    if isinstance(node, Number):
        return node.integer
    if isinstance(node, Unary) and isinstance(node.operand, Number):
        value = node.operand.integer
        return -value if value is not None and node.operator == "-" else value
    return None
