"""Expressions: operators by rank, tests, and what follows a value (``.key``, ``[index]``)."""

from __future__ import annotations

from abc import abstractmethod

from ..source import Span
from .expression_tree import (
    CaseSubject,
    Expression,
    Index,
    LabelTest,
    NormalizedTest,
    NullTest,
    Number,
    Operation,
    PropertyAccess,
    Slice,
    TypeTest,
    Unary,
    Variable,
)
from .grammar import Grammar
from .lexer import INTEGER
from .type_names import parse_type

NOT_RANK, COMPARISON_RANK, TEST_RANK = 4, 5, 6
COMPARISONS = ("=", "<>", "!=", "<", ">", "<=", ">=")
_WORD_TESTS = ("=~", "STARTS", "ENDS", "CONTAINS", "IN")
TESTS = (*_WORD_TESTS, "IS", "::", ":")
RANKS = (
    {"OR": 1, "XOR": 2, "AND": 3}
    | dict.fromkeys(COMPARISONS, COMPARISON_RANK)
    | dict.fromkeys(TESTS, TEST_RANK)
    | {"+": 7, "-": 7, "||": 7, "*": 8, "/": 8, "%": 8, "^": 9}
)
"""How tightly each operator binds; the names are those of token keys."""

NORMAL_FORMS = ("NFC", "NFD", "NFKC", "NFKD")


class ExpressionParser(Grammar):
    """The rules of expressions above the level of a single value."""

    @abstractmethod
    def atom(self) -> Expression:
        """A single value: a literal, a variable, a call, something in brackets."""

    @abstractmethod
    def number(self, *, negated: bool = False) -> Number:
        """A number within the bounds of 64 bits."""

    def expression(self, above: int = 0) -> Expression:
        """An expression made of operators that rank higher than ``above``."""
        self.descend()
        left = self._not() if self.token.key == "NOT" else self._operand()
        left = self.continued(left, above)
        self.depth -= 1
        return left

    def continued(self, left: Expression, above: int = 0) -> Expression:
        """What follows a value that was read already."""
        links = 0
        while (rank := RANKS.get(self.token.key, 0)) > above:
            if self.token.key == ":" and not self.starts_labels(self.index + 1):
                break
            self._count_link(links := links + 1)
            left = self.test(left) if rank == TEST_RANK else self._chain(left, rank)
        return left

    def _chain(self, left: Expression, rank: int) -> Expression:
        """Operators of one rank in a row."""
        operators, operands = [], [left]
        while RANKS.get(self.token.key) == rank:
            operators.append(self._operator())
            operands.append(self.expression(rank))
        return Operation(tuple(operators), tuple(operands), span=self.span_from(left.span.start))

    def _operator(self) -> str:
        """An operator in its one spelling. The arrows that people draw with other characters are none."""
        operator = self.advance()
        if operator.text != operator.key and not operator.is_name:
            raise self.source.syntax_error(
                operator.span, f"{operator.text!r} is not {operator.key!r}", advice=f"Write {operator.key}"
            )
        return "<>" if operator.key == "!=" else operator.key

    def _not(self) -> Expression:
        start = self.advance().start
        operand = self.expression(NOT_RANK)
        return Unary("NOT", operand, span=self.span_from(start))

    def _operand(self) -> Expression:
        """A value with what follows it, or a sign before one."""
        key = self.token.key
        if key in ("-", "+"):
            return self._signed()
        return self._postfix(self.atom())

    def _signed(self) -> Expression:
        start, sign = self.token.start, self._operator()
        self.descend()
        if sign == "-" and self.token.key == INTEGER:
            operand = self._postfix(self.number(negated=True))
        else:
            operand = self._operand()
        self.depth -= 1
        return Unary("-" if sign == "-" else "+", operand, span=self.span_from(start))

    def _postfix(self, subject: Expression) -> Expression:
        links = 0
        while True:
            key = self.token.key
            if key == ".":
                self.advance()
                subject = PropertyAccess(
                    subject, self.name("a property key"), span=self.span_from(subject.span.start)
                )
            elif key == "[":
                subject = self._index(subject)
            else:
                return subject
            self._count_link(links := links + 1)

    def _count_link(self, links: int) -> None:
        """A chain makes a tree as deep as it is long."""
        if links > self.deepest:
            raise self.source.syntax_error(
                self.token.span,
                f"this chain has more than {self.deepest} links",
                code="too-deep",
                advice="Split it with WITH.",
            )

    def _index(self, subject: Expression) -> Expression:
        self.expect("[")
        start = None if self.token.key in ("..", ":") else self.expression()
        if self.token.key in ("..", ":"):
            separator = self.advance().key
            end = None if self.token.key == "]" else self.expression()
            self.expect("]", "after the slice")
            return Slice(
                subject,
                start,
                end,
                separator,  # type: ignore[arg-type]
                span=self.span_from(subject.span.start),
            )
        self.expect("]", "after the index")
        assert start is not None
        return Index(subject, start, span=self.span_from(subject.span.start))

    # Tests

    def test(self, operand: Expression) -> Expression:
        """One test on a value: ``IN``, ``STARTS WITH``, ``IS NULL``, ``:Label`` …"""
        key = self.advance().key
        start = operand.span.start
        if key in _WORD_TESTS:
            if key in ("STARTS", "ENDS"):
                self.expect("WITH", f"after {key}")
                key += " WITH"
            right = self.expression(TEST_RANK)
            return Operation((key,), (operand, right), span=self.span_from(start))
        if key == "::":
            return TypeTest(operand, parse_type(self), False, span=self.span_from(start))
        if key == ":":
            return LabelTest(operand, self.label_expression(), span=self.span_from(start))
        return self._is(operand, start)

    def _is(self, operand: Expression, start: int) -> Expression:
        negated = self.accept("NOT")
        key = self.token.key
        if key == "NULL":
            self.advance()
            return NullTest(operand, negated, span=self.span_from(start))
        if key == "::" or (key == "TYPED" and self.peek().key != "END"):
            self.advance()
            return TypeTest(operand, parse_type(self), negated, span=self.span_from(start))
        if key == "NORMALIZED" or (key in NORMAL_FORMS and self.peek().key == "NORMALIZED"):
            form = self.advance().key if key != "NORMALIZED" else ""
            self.expect("NORMALIZED")
            return NormalizedTest(operand, form, negated, span=self.span_from(start))
        self.accept_words("LABELED")
        return LabelTest(operand, self.label_expression(), negated, span=self.span_from(start))

    def case_condition(self) -> Expression:
        """A condition of ``CASE x WHEN …``: a value to equal, or a test without its left side."""
        token = self.token
        if token.key in COMPARISONS:
            operator = self._operator()
            left = CaseSubject(span=Span(token.start, token.start))
            right = self.expression(COMPARISON_RANK)
            return Operation((operator,), (left, right), span=self.span_from(token.start))
        if token.key in TESTS:
            return self.test(CaseSubject(span=Span(token.start, token.start)))
        return self.expression()


def membership(variable: Variable, source: Expression) -> Expression:
    """``variable IN source`` where ``source`` was read as if it reached further than ``IN`` does.

    ``[x IN list AND ok, 2]`` begins like a comprehension over ``list AND ok``; the comma tells that it is a list whose
    first item is ``(x IN list) AND ok``.
    """
    span = Span(variable.span.start, source.span.end)
    if isinstance(source, Operation) and RANKS[source.operators[0].split()[0]] <= TEST_RANK:
        first, *rest = source.operands
        return source.changed(operands=(membership(variable, first), *rest))
    if isinstance(source, NullTest | TypeTest | NormalizedTest | LabelTest):
        return source.changed(operand=membership(variable, source.operand))
    return Operation(("IN",), (variable, source), span=span)
