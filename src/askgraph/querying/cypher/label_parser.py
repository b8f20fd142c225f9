"""Labels and relationship types, and the operators between them."""

from __future__ import annotations

from .grammar import Grammar
from .lexer import PARAMETER
from .pattern_tree import (
    AnyLabel,
    DynamicLabel,
    LabelExpression,
    LabelGroup,
    LabelName,
    LabelOperation,
    NotLabel,
)


class LabelParser(Grammar):
    """The rules of label expressions."""

    def starts_labels(self, index: int) -> bool:
        """Whether a label expression can begin with the token at this index."""
        token = self.token_at(index)
        return token.is_name or token.key in ("(", "!", "%", "$", PARAMETER)

    def label_expression(self) -> LabelExpression:
        """Labels with ``|`` between them, which binds least; ``|:`` is its older form."""
        self.descend(2)
        first = self._conjunction()
        operands = [first]
        while self.token.key == "|" and self.index not in self.reserved_bars:
            self.advance()
            self.accept(":")
            operands.append(self._conjunction())
        self.depth -= 2
        if len(operands) == 1:
            return first
        return LabelOperation(
            ("|",) * (len(operands) - 1), tuple(operands), span=self.span_from(first.span.start)
        )

    def _conjunction(self) -> LabelExpression:
        """Labels with ``&`` between them, or ``:``, its older form."""
        first = self._negation()
        operators: list[str] = []
        operands = [first]
        while self.token.key in ("&", ":"):
            operators.append(self.advance().key)
            operands.append(self._negation())
        if not operators:
            return first
        return LabelOperation(tuple(operators), tuple(operands), span=self.span_from(first.span.start))

    def _negation(self) -> LabelExpression:
        if self.token.key != "!":
            return self._single()
        start = self.advance().start
        self.descend()
        operand = self._negation()
        self.depth -= 1
        return NotLabel(operand, span=self.span_from(start))

    def _single(self) -> LabelExpression:
        token = self.token
        if token.is_name:
            self.advance()
            return LabelName(token.text, span=token.span)
        if token.key == "%":
            self.advance()
            return AnyLabel(span=token.span)
        if token.key == "(":
            self.advance()
            inner = self.label_expression()
            self.expect(")", "after the labels")
            return LabelGroup(inner, span=self.span_from(token.start))
        if token.key == "$" or (token.key == PARAMETER and token.text.lower() in ("all", "any")):
            return self._dynamic()
        self.unexpected("a label or a relationship type")

    def _dynamic(self) -> LabelExpression:
        """``$(expression)``, ``$all(expression)``, ``$any(expression)``."""
        start = self.token.start
        kind = self.advance().text.lower()
        self.expect("(", "before the expression that names the label")
        names = self.expression()
        self.expect(")", "after the expression that names the label")
        return DynamicLabel("" if kind == "$" else kind, names, span=self.span_from(start))
