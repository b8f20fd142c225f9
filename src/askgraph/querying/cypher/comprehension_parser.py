"""What begins with ``[``, and the functions that bind a variable of their own."""

from __future__ import annotations

from collections.abc import Callable

from .expression_parser import ExpressionParser, membership
from .expression_tree import (
    Expression,
    ListComprehension,
    ListLiteral,
    ListPredicate,
    Operation,
    PatternComprehension,
    PatternPredicate,
    Reduce,
    Variable,
)

_PREDICATES = ("ALL", "ANY", "NONE", "SINGLE")


class ComprehensionParser(ExpressionParser):
    """Lists, comprehensions, ``reduce`` and the list predicates."""

    def bracket(self) -> Expression:
        """``[1, 2]``, ``[x IN list …]`` or ``[pattern …]``."""
        opening = self.index
        first, second = self.peek(1), self.peek(2).key
        if first.is_name and second == "IN":
            return self._list_comprehension(opening)
        if first.key == "(" and self.starts_path(opening + 1):
            return self._pattern_comprehension(opening, named=False)
        if first.is_name and second == "=" and self.starts_path(opening + 3):
            return self._pattern_comprehension(opening, named=True)
        self.advance()
        return self._rest_of_list(opening, [])

    def _reserve_bar(self, opening: int) -> None:
        """The last bar in these brackets separates the result: labels end before it."""
        if opening in self.brackets.last_bar:
            self.reserved_bars.add(self.brackets.last_bar[opening])

    def _list_comprehension(self, opening: int) -> Expression:
        start = self.advance().start
        variable = Variable(self.token.text, span=self.token.span)
        self.advance()
        self.advance()
        self._reserve_bar(opening)
        source = self.expression()
        if self.token.key == ",":
            return self._rest_of_list(opening, [membership(variable, source)])
        condition = self.expression() if self.accept("WHERE") else None
        result = self.expression() if self.accept("|") else None
        self.expect("]", "at the end of the list comprehension")
        return ListComprehension(variable.name, source, condition, result, span=self.span_from(start))

    def _pattern_comprehension(self, opening: int, *, named: bool) -> Expression:
        """A comprehension over a pattern; or a list whose first item begins with one."""
        start = self.advance().start
        variable = None
        if named:
            variable = Variable(self.token.text, span=self.token.span)
            self.advance()
            self.advance()
        self._reserve_bar(opening)
        pattern = self.path_in_expression()
        if self.token.key in ("WHERE", "|"):
            condition = self.expression() if self.accept("WHERE") else None
            self.expect("|", "before the result of the pattern comprehension")
            result = self.expression()
            self.expect("]", "at the end of the pattern comprehension")
            pattern = pattern.changed(variable=variable.name if variable else None)
            return PatternComprehension(pattern, condition, result, span=self.span_from(start))
        item: Expression = PatternPredicate(pattern, span=pattern.span)
        if variable is not None:
            item = Operation(("=",), (variable, item), span=self.span_from(variable.span.start))
        item = self.continued(item)
        return self._rest_of_list(opening, [item])

    def _rest_of_list(self, opening: int, items: list[Expression]) -> Expression:
        """The items of a list after those that were read already."""
        start = self.tokens[opening].start
        if items:
            while self.accept(","):
                items.append(self.expression())
        elif self.token.key != "]":
            items.append(self.expression())
            while self.accept(","):
                items.append(self.expression())
        self.expect("]", "or ',' in the list")
        return ListLiteral(tuple(items), span=self.span_from(start))

    def list_function(self) -> Expression | None:
        """``reduce``, ``allReduce``, ``all``, ``any``, ``none``, ``single``, if one of them comes next."""
        key = self.token.key
        if not self.peek(2).is_name:
            return None
        rule: Callable[[], Expression] | None = None
        if key in ("REDUCE", "ALLREDUCE") and self.peek(3).key == "=":
            rule = self._reduce
        elif key in _PREDICATES and self.peek(3).key == "IN":
            rule = self._list_predicate
        if rule is None:
            return None
        self.descend()
        expression = rule()
        self.depth -= 1
        return expression

    def _reduce(self) -> Expression:
        start, key = self.token.start, self.advance().key
        self.advance()
        accumulator = self.name("a variable")
        self.expect("=")
        initial = self.expression()
        self.expect(",", "after the initial value")
        variable = self.name("a variable")
        self.expect("IN", "after the variable")
        source = self.expression()
        self.expect("|", "before the step")
        step = self.expression()
        condition = None
        if key == "ALLREDUCE":
            self.expect(",", "before the condition")
            condition = self.expression()
        self.expect(")", "at the end of reduce(")
        return Reduce(accumulator, initial, variable, source, step, condition, span=self.span_from(start))

    def _list_predicate(self) -> Expression:
        start, kind = self.token.start, self.advance().key.lower()
        self.advance()
        variable = self.advance().text
        self.advance()
        source = self.expression()
        condition = self.expression() if self.accept("WHERE") else None
        self.expect(")", f"at the end of {kind}(")
        return ListPredicate(
            kind,  # type: ignore[arg-type]
            variable,
            source,
            condition,
            span=self.span_from(start),
        )
