"""Expressions: operators by rank, calls of functions, aggregates."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from .built_ins import AGGREGATES, ARGUMENTS, OF_SPARQL_12, arity
from .expression_tree import (
    Aggregate,
    BuiltInCall,
    Exists,
    FunctionCall,
    Membership,
    Operation,
    Unary,
)
from .lexer import NUMBERS, VARIABLE
from .path_parser import PathParser
from .term_tree import Expression, Iri, Variable

OR_RANK, AND_RANK, COMPARISON_RANK, SUM_RANK, PRODUCT_RANK = 1, 2, 3, 4, 5
RANKS = (
    {"||": OR_RANK, "&&": AND_RANK}
    | dict.fromkeys(("=", "!=", "<", ">", "<=", ">=", "IN", "NOT"), COMPARISON_RANK)
    | {"+": SUM_RANK, "-": SUM_RANK, "*": PRODUCT_RANK, "/": PRODUCT_RANK}
)
"""How tightly each operator binds; the names are those of token keys. Comparisons make no chains."""

_FOREIGN = {"AND": "&&", "OR": "||", "<>": "!="}
"""Operators of other languages and what is written for them here."""

_CALLS = frozenset(ARGUMENTS) | AGGREGATES | {"EXISTS", "NOT"}


class ExpressionParser(PathParser):
    """The rules of expressions.

    ``no_aggregates`` says why no aggregate may stand where the reading head is; it is empty where one may.
    """

    no_aggregates = "in a pattern"

    @contextmanager
    def aggregates(self, reason: str) -> Iterator[None]:
        """Forbid aggregates for a reason, or allow them with none, while something is read."""
        before, self.no_aggregates = self.no_aggregates, reason
        yield
        self.no_aggregates = before

    def expression(self, above: int = 0) -> Expression:
        """An expression made of operators that rank higher than ``above``."""
        self.descend()
        left = self._unary()
        while (rank := self._rank()) > above:
            left = self._comparison(left) if rank == COMPARISON_RANK else self._chain(left, rank)
            if rank == COMPARISON_RANK and self._rank() == COMPARISON_RANK:
                self.unexpected("an operator that joins conditions", advice="Join comparisons with && or ||.")
        self.depth -= 1
        return left

    def _rank(self) -> int:
        """The rank of the operator that comes next, 0 without. The sign of a number that follows a value is one."""
        token = self.token
        if token.key in NUMBERS:
            return SUM_RANK if token.text[0] in "+-" else 0
        return RANKS.get(token.key, 0)

    def _chain(self, left: Expression, rank: int) -> Expression:
        """Operators of one rank in a row."""
        operators, operands = [], [left]
        while self._rank() == rank:
            operators.append(self._operator())
            operands.append(self.expression(rank))
        return Operation(tuple(operators), tuple(operands), span=self.span_from(left.span.start))

    def _operator(self) -> str:
        token = self.token
        if token.key not in NUMBERS:
            return self.advance().key
        # ``?a -1``: the sign is the operator, and the number goes on without it.
        self.token = token._replace(text=token.text[1:], start=token.start + 1)
        self.steps += 1
        return token.text[0]

    def _comparison(self, left: Expression) -> Expression:
        operator = self.advance().key
        start = left.span.start
        if operator == "NOT":
            self.expect("IN", "after NOT")
        if operator in ("IN", "NOT"):
            items = self._arguments("after IN")
            return Membership(left, items, operator == "NOT", span=self.span_from(start))
        right = self.expression(COMPARISON_RANK)
        return Operation((operator,), (left, right), span=self.span_from(start))

    def _unary(self) -> Expression:
        token = self.token
        if token.key not in ("!", "-", "+"):
            return self._primary_expression()
        self.advance()
        self.descend()
        # SPARQL 1.1 wants parentheses between two signs of negation; 1.2 does not, and they are printed.
        operand = self._unary() if token.key == "!" else self._primary_expression()
        self.depth -= 1
        return Unary(token.key, operand, span=self.span_from(token.start))  # type: ignore[arg-type]

    def _primary_expression(self) -> Expression:
        token = self.token
        if token.key == "(":
            return self._bracketed()
        if token.key == VARIABLE:
            self.advance()
            return Variable(token.text, span=token.span)
        if self.starts_iri():
            iri = self.iri("a value")
            return self.function_call(iri) if self.token.key == "(" else iri
        if self.starts_literal():
            return self.literal()
        return self.call("an expression")

    def _bracketed(self) -> Expression:
        self.expect("(")
        inner = self.expression()
        self._close_bracket()
        return inner

    def _close_bracket(self) -> None:
        if self.token.key != ")":
            found = self.source.slice(self.token.span).upper()
            advice = f"SPARQL writes {_FOREIGN[found]} for {found}." if found in _FOREIGN else None
            self.unexpected("')' or an operator", advice=advice)
        self.advance()

    # Constraints and calls

    def starts_constraint(self) -> bool:
        """Whether a constraint comes next."""
        return self.token.key == "(" or self.starts_iri() or self.token.key in _CALLS

    def constraint(self, what: str) -> Expression:
        """An expression in parentheses, or a call: what can follow FILTER, HAVING and ORDER BY."""
        self.descend()
        constraint = self._constraint(what)
        self.depth -= 1
        return constraint

    def _constraint(self, what: str) -> Expression:
        if self.token.key == "(":
            return self._bracketed()
        if self.starts_iri():
            iri = self.iri(what)
            if self.token.key != "(":
                self.unexpected(f"the arguments of the function {iri.written or iri.value}")
            return self.function_call(iri)
        if self.token.key == VARIABLE or self.token.key == "!" or self.starts_literal():
            self.unexpected(what, advice="Put the condition in parentheses.")
        return self.call(what)

    def call(self, what: str) -> Expression:
        """A function that the language has by name, an aggregate, or EXISTS."""
        token = self.token
        key = token.key
        if key in ("EXISTS", "NOT"):
            return self._exists()
        if key in AGGREGATES and self.peek().key == "(":
            return self._aggregate()
        if key in ARGUMENTS and self.peek().key == "(":
            return self._built_in()
        if key in AGGREGATES or key in ARGUMENTS:
            self.advance()
            self.unexpected(f"'(' after {token.text}")
        if token.is_name and self.peek().key == "(":
            self._unknown_function()
        self.no_term(what)

    def _unknown_function(self) -> Expression:
        token = self.token
        if token.key in OF_SPARQL_12:
            self.error(
                token.span, f"{token.key} belongs to SPARQL 1.2, which is not read here", code="unsupported"
            )
        from ...core.suggestions import nearest_names

        near = nearest_names(token.text, [*ARGUMENTS, *AGGREGATES], most=1)
        advice = (
            f"Did you mean {near[0]}?" if near else "A function that is none of SPARQL's is named by an IRI."
        )
        self.error(token.span, f"SPARQL has no function {token.text}", advice=advice)

    def _exists(self) -> Exists:
        start = self.token.start
        negated = self.accept("NOT")
        self.expect("EXISTS", "after NOT" if negated else "")
        with self.aggregates("in a pattern"):
            pattern = self.group("after EXISTS")
        return Exists(pattern, negated, span=self.span_from(start))

    def _built_in(self) -> BuiltInCall:
        token = self.advance()
        if token.key == "BOUND":
            self.expect("(")
            arguments: tuple[Expression, ...] = (self.variable("a variable in BOUND"),)
            self.expect(")", "after the variable")
        else:
            arguments = self._arguments(f"after {token.text}")
        least, most = ARGUMENTS[token.key]
        span = self.span_from(token.start)
        if not least <= len(arguments) <= most:
            self.error(span, f"{token.key} takes {arity(token.key)}, not {len(arguments)}")
        return BuiltInCall(token.key, arguments, span=span)

    def function_call(self, function: Iri) -> FunctionCall:
        """The arguments of a function, whose IRI was read already."""
        self.expect("(")
        distinct = self.accept("DISTINCT")
        arguments = self._items()
        if distinct and not arguments:
            self.error(self.tokens[self.index - 1].span, "an expression must follow DISTINCT")
        return FunctionCall(function, arguments, distinct, span=self.span_from(function.span.start))

    def _arguments(self, purpose: str) -> tuple[Expression, ...]:
        self.expect("(", purpose)
        return self._items()

    def _items(self) -> tuple[Expression, ...]:
        """Expressions with commas between them, up to the closing parenthesis."""
        if self.accept(")"):
            return ()
        self.descend()
        items = [self.expression()]
        while self.accept(","):
            items.append(self.expression())
        self.depth -= 1
        if self.token.key != ")":
            self.unexpected("')', ',' or an operator")
        self.advance()
        return tuple(items)

    def _aggregate(self) -> Aggregate:
        token = self.advance()
        if self.no_aggregates:
            self.error(
                token.span,
                f"{token.key} cannot stand {self.no_aggregates}",
                code="aggregate",
                advice="An aggregate stands in SELECT, HAVING or ORDER BY; a pattern can have it from a subquery.",
            )
        self.expect("(")
        distinct = self.accept("DISTINCT")
        argument: Expression | None = None
        if token.key != "COUNT" or not self.accept("*"):
            with self.aggregates("inside another aggregate"):
                argument = self.expression()
        separator = self._separator() if token.key == "GROUP_CONCAT" else None
        self._close_aggregate(token.key)
        return Aggregate(token.key, argument, distinct, separator, span=self.span_from(token.start))

    def _separator(self) -> str | None:
        """``; SEPARATOR = ", "``."""
        if not self.accept(";"):
            return None
        self.expect("SEPARATOR", "after ';' in GROUP_CONCAT")
        self.expect("=", "after SEPARATOR")
        return self.string("a string after SEPARATOR =")

    def _close_aggregate(self, name: str) -> None:
        if self.token.key == "," and name == "GROUP_CONCAT":
            self.unexpected("')' or ';'", advice='Write GROUP_CONCAT(?x; SEPARATOR=", ").')
        if self.token.key == ",":
            self.error(self.token.span, f"{name} takes one argument")
        self.expect(")", f"after the argument of {name}")
