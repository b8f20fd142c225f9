"""What a query selects, and how its solutions are grouped, ordered and paged."""

from __future__ import annotations

from .built_ins import AGGREGATES, ARGUMENTS
from .lexer import VARIABLE
from .pattern_parser import PatternParser
from .query_tree import Assignment, OrderCondition, Projection, SolutionModifiers
from .term_tree import Expression, Variable


class ModifierParser(PatternParser):
    """The rules of SELECT and of the clauses after WHERE."""

    def projection(self) -> Projection:
        """``SELECT`` and its columns."""
        start = self.expect("SELECT").start
        modifier = self.advance().key if self.token.key in ("DISTINCT", "REDUCED") else ""
        items: list[Variable | Assignment] = []
        if not self.accept("*"):
            items.append(self._column())
            while self.token.key in (VARIABLE, "(", ","):
                items.append(self._column())
            if self.token.key in ARGUMENTS or self.token.key in AGGREGATES:
                self._column()
        return Projection(tuple(items), modifier, span=self.span_from(start))  # type: ignore[arg-type]

    def _column(self) -> Variable | Assignment:
        token = self.token
        if token.key == VARIABLE:
            return self.variable("a column")
        if token.key == ",":
            self.unexpected("a column", advice="Blanks separate the columns, not commas.")
        if token.key != "(":
            known = token.key in ARGUMENTS or token.key in AGGREGATES
            advice = f"Write ({token.text}(…) AS ?name)." if known else None
            self.unexpected("a variable, (expression AS ?name) or * after SELECT", advice=advice)
        with self.aggregates(""):
            return self._assignment()

    def _assignment(self) -> Assignment:
        start = self.expect("(").start
        expression = self.expression()
        if self.token.key != "AS":
            self.unexpected(
                "AS or an operator", advice="A column that is an expression needs a name: (… AS ?name)."
            )
        self.advance()
        variable = self.variable("a variable after AS")
        self.expect(")", "after the variable")
        return Assignment(expression, variable, span=self.span_from(start))

    def modifiers(self) -> SolutionModifiers:
        """``GROUP BY``, ``HAVING``, ``ORDER BY``, ``LIMIT`` and ``OFFSET``."""
        start = self.token.start
        group_by = self._group_by() if self.token.key == "GROUP" else ()
        having = self._having() if self.token.key == "HAVING" else ()
        order_by = self._order_by() if self.token.key == "ORDER" else ()
        limit, offset = self._limit_and_offset()
        span = self.span_from(start) if self.token.start > start else self.token.span
        return SolutionModifiers(group_by, having, order_by, limit, offset, span=span)

    def _group_by(self) -> tuple[Expression | Assignment, ...]:
        self.advance()
        self.expect("BY", "after GROUP")
        with self.aggregates("in GROUP BY"):
            keys = [self._group_key()]
            while self.token.key == VARIABLE or self.starts_constraint():
                keys.append(self._group_key())
        return tuple(keys)

    def _group_key(self) -> Expression | Assignment:
        if self.token.key == VARIABLE:
            return self.variable("a variable")
        if self.token.key != "(":
            return self.constraint("a variable, a call or (expression AS ?name) after GROUP BY")
        start = self.advance().start
        expression = self.expression()
        variable = self.variable("a variable after AS") if self.accept("AS") else None
        self.expect(")", "or AS after the expression")
        if variable is None:
            return expression
        return Assignment(expression, variable, span=self.span_from(start))

    def _having(self) -> tuple[Expression, ...]:
        self.advance()
        with self.aggregates(""):
            conditions = [self.constraint("a condition in parentheses after HAVING")]
            while self.starts_constraint():
                conditions.append(self.constraint("a condition"))
        return tuple(conditions)

    def _order_by(self) -> tuple[OrderCondition, ...]:
        self.advance()
        self.expect("BY", "after ORDER")
        with self.aggregates(""):
            conditions = [self._order_condition()]
            while self.token.key in (VARIABLE, "ASC", "DESC") or self.starts_constraint():
                conditions.append(self._order_condition())
        if self.token.key == ",":
            self.unexpected("a condition or the end", advice="Blanks separate the conditions, not commas.")
        return tuple(conditions)

    def _order_condition(self) -> OrderCondition:
        start, key = self.token.start, self.token.key
        if key in ("ASC", "DESC"):
            self.advance()
            if self.token.key != "(":
                self.unexpected(f"'(' after {key}", advice=f"Write {key}(?x).")
            expression: Expression = self.constraint("an expression")
        elif key == VARIABLE:
            variable = expression = self.variable("a variable")
            if self.token.key in ("ASC", "DESC") and self.peek().key != "(":
                self.unexpected("a condition or the end", advice=f"Write {self.token.key}(?{variable.name}).")
        else:
            expression = self.constraint("a variable, ASC(…) or DESC(…) after ORDER BY")
        return OrderCondition(expression, key == "DESC", span=self.span_from(start))

    def _limit_and_offset(self) -> tuple[int | None, int | None]:
        """Either may come first, each once."""
        found: dict[str, int] = {}
        while self.token.key in ("LIMIT", "OFFSET") and self.token.key not in found:
            key = self.advance().key
            found[key] = self.integer(f"a whole number after {key}")
        return found.get("LIMIT"), found.get("OFFSET")
