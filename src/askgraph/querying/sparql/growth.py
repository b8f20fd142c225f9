"""Texts that a query puts together: forty times CONCAT of a variable with itself fill any memory."""

from __future__ import annotations

from ..source import SourceText
from ..tree import SyntaxNode, children
from .expression_tree import BuiltInCall, Exists
from .pattern_tree import Bind
from .query_tree import AnyForm, Assignment, Projection
from .term_tree import Expression, NumericLiteral, StringLiteral, Variable

_OF_DATA = 100
"""Characters that a value of the graph is taken to have."""
_SHORT = 40
"""Characters that a number, a date or a checksum may have."""
_SAME_LENGTH = ("STR", "UCASE", "LCASE", "SUBSTR", "STRBEFORE", "STRAFTER", "STRLANG", "STRDT", "IRI", "URI")
_PERCENT_ENCODED = 9


def check_growth(form: AnyForm, source: SourceText, most: int) -> None:
    """Raise :class:`QueryRefusedError` (code ``"cost"``) if a value may become longer than ``most`` characters."""
    _Growth(source, most).look_at(form)


class _Growth:
    def __init__(self, source: SourceText, most: int) -> None:
        self.source = source
        self.most = most
        self.lengths: dict[str, int] = {}

    def look_at(self, node: SyntaxNode) -> None:
        """Look at all expressions below a node, in the order in which they are evaluated."""
        if isinstance(node, Bind | Assignment):
            self.lengths[node.variable.name] = self.length(node.expression)
            return
        # What SELECT puts together, it makes of what its pattern found.
        for part in sorted(children(node), key=lambda part: isinstance(part, Projection)):
            if isinstance(part, Expression):
                self.length(part)
            else:
                self.look_at(part)

    def length(self, node: Expression) -> int:
        """The most characters that the value of an expression is thought to have."""
        if isinstance(node, StringLiteral):
            return len(node.value)
        if isinstance(node, Variable):
            return self.lengths.get(node.name, _OF_DATA)
        if isinstance(node, NumericLiteral):
            return _SHORT
        if isinstance(node, Exists):
            self.look_at(node.pattern)
            return _SHORT
        inner = [self.length(part) for part in children(node) if isinstance(part, Expression)]
        if isinstance(node, BuiltInCall):
            return self._checked(self._length_of_call(node, inner), node)
        return max([_SHORT, *inner])

    def _length_of_call(self, call: BuiltInCall, arguments: list[int]) -> int:
        if call.name == "CONCAT":
            return sum(arguments)
        if call.name == "REPLACE":
            # An expression that matches nothing matches between all characters.
            return (arguments[0] + 1) * max(1, arguments[2])
        if call.name == "ENCODE_FOR_URI":
            return arguments[0] * _PERCENT_ENCODED
        if call.name in _SAME_LENGTH:
            return arguments[0]
        return max(arguments, default=_SHORT) if call.name in ("IF", "COALESCE") else _SHORT

    def _checked(self, length: int, place: SyntaxNode) -> int:
        if length > self.most:
            raise self.source.refusal(
                place.span,
                f"this may put together a text of {length:,} characters",
                code="cost",
                advice=f"At most {self.most:,} are allowed.",
            )
        return length
