"""The clauses that read. A clause that does more than read is met here too, and refused by name."""

from __future__ import annotations

from collections.abc import Callable

from ..source import Span
from .clause_tree import (
    CallProcedure,
    CallSubquery,
    Clause,
    Filter,
    Finish,
    Hint,
    Let,
    Match,
    OrderAndPage,
    Projection,
    ProjectionItem,
    Return,
    Search,
    SortItem,
    Unwind,
    Use,
    With,
    YieldItem,
)
from .expression_tree import AllProperties, Expression, MapEntry, Parameter, Variable
from .lexer import PARAMETER
from .names import print_name
from .pattern_parser import PatternParser
from .pattern_tree import PathPattern


class ClauseParser(PatternParser):
    """The rules of clauses."""

    def clause(self) -> Clause:
        """The clause that comes next; its first word is one of ``CLAUSES``."""
        return CLAUSES[self.token.key](self)

    # MATCH

    def match(self) -> Match:
        """``OPTIONAL MATCH patterns WHERE condition``."""
        start = self.token.start
        optional = self.accept("OPTIONAL")
        self.expect("MATCH", "after OPTIONAL")
        mode = self.match_mode()
        patterns = self.patterns()
        hints = []
        while self.token.key == "USING":
            hints.append(self._hint())
        condition = self.expression() if self.accept("WHERE") else None
        search = self._search() if self.token.key == "SEARCH" else None
        if search is not None and condition is None and self.accept("WHERE"):
            condition = self.expression()
        return Match(patterns, condition, optional, mode, tuple(hints), search, span=self.span_from(start))

    def patterns(self) -> tuple[PathPattern, ...]:
        """Paths with commas between them."""
        found = [self.path_pattern()]
        while self.accept(","):
            found.append(self.path_pattern())
        return tuple(found)

    def _hint(self) -> Hint:
        """``USING INDEX n:Person(name)``, ``USING SCAN n:Person``, ``USING JOIN ON n``."""
        start = self.advance().start
        words: list[str] = []
        while self.token.key in ("INDEX", "TEXT", "RANGE", "POINT", "SEEK", "SCAN", "JOIN", "ON"):
            words.append(self.advance().key)
        if not words:
            self.unexpected("INDEX, SCAN or JOIN after USING")
        if words[-1] == "ON":
            return Hint(f"USING {' '.join(words)} {self._names()}", span=self.span_from(start))
        text = f"USING {' '.join(words)} {print_name(self.name('a variable'))}"
        self.expect(":", "before the label of the hint")
        text += f":{print_name(self.name('a label'))}"
        if self.accept("("):
            text += f"({self._names()})"
            self.expect(")", "after the keys of the hint")
        return Hint(text, span=self.span_from(start))

    def _names(self) -> str:
        names = [print_name(self.name("a name"))]
        while self.accept(","):
            names.append(print_name(self.name("a name")))
        return ", ".join(names)

    def _search(self) -> Search:
        start = self.advance().start
        variable = self.name("the variable to search for")
        self.expect("IN", "after the variable")
        self.expect("(")
        kind = self.token.key
        if kind not in ("VECTOR", "FULLTEXT"):
            self.unexpected("VECTOR INDEX")
        self.advance()
        self.expect("INDEX", f"after {kind}")
        index = self._index_name()
        self.expect("FOR", "before what to search for")
        target = self.expression()
        analyzer = self.expression() if self.accept_words("WITH", "ANALYZER") else None
        condition = self.expression() if self.accept("WHERE") else None
        skip = self._skip()
        self.expect("LIMIT", "in SEARCH")
        limit = self.expression()
        self.expect(")", "at the end of SEARCH")
        score = self.name("a variable for the score") if self.accept_words("SCORE", "AS") else None
        return Search(
            variable,
            kind,  # type: ignore[arg-type]
            index,
            target,
            analyzer,
            condition,
            skip,
            limit,
            score,
            span=self.span_from(start),
        )

    def _index_name(self) -> str | Expression:
        token = self.token
        if token.key == PARAMETER:
            self.advance()
            return Parameter(token.text, span=token.span)
        return self.name("the name of an index")

    # Lists and conditions

    def unwind(self) -> Unwind:
        """``UNWIND list AS variable``."""
        start = self.advance().start
        source = self.expression()
        self.expect("AS", "after the list")
        variable = self.name("a variable")
        return Unwind(source, variable, span=self.span_from(start))

    def for_list(self) -> Unwind:
        """``FOR variable IN list``."""
        start = self.advance().start
        variable = self.name("a variable")
        self.expect("IN", "after the variable")
        source = self.expression()
        return Unwind(source, variable, "FOR", span=self.span_from(start))

    def filter(self) -> Filter:
        """``FILTER condition``."""
        start = self.advance().start
        self.accept("WHERE")
        condition = self.expression()
        return Filter(condition, span=self.span_from(start))

    def let(self) -> Let:
        """``LET a = 1, b = 2``."""
        start = self.advance().start
        entries = [self._definition()]
        while self.accept(","):
            entries.append(self._definition())
        return Let(tuple(entries), span=self.span_from(start))

    def _definition(self) -> MapEntry:
        start = self.token.start
        name = self.name("a variable")
        self.expect("=", "after the variable")
        value = self.expression()
        return MapEntry(name, value, span=self.span_from(start))

    # Projections

    def with_clause(self) -> With:
        """``WITH … WHERE condition``."""
        start = self.advance().start
        projection = self._projection()
        for item in projection.items:
            if item.alias is None and not isinstance(item.expression, Variable):
                raise self.source.syntax_error(
                    item.span,
                    "this expression in WITH has no name",
                    advice="Write AS and a name after it.",
                )
        condition = self.expression() if self.accept("WHERE") else None
        return With(projection, condition, span=self.span_from(start))

    def return_clause(self) -> Return:
        """``RETURN …``."""
        start = self.advance().start
        projection = self._projection()
        return Return(projection, span=self.span_from(start))

    def _projection(self) -> Projection:
        start = self.token.start
        distinct = self._distinct_rows()
        everything = self.accept("*")
        items: list[ProjectionItem] = []
        if not everything:
            items.append(self._projection_item())
        while self.accept(","):
            items.append(self._projection_item())
        grouping, group_all = self._grouping()
        order = self._order() if self.token.key == "ORDER" else ()
        skip = self._skip()
        limit = self.expression() if self.accept("LIMIT") else None
        return Projection(
            tuple(items),
            everything,
            distinct,
            grouping,
            group_all,
            order,
            skip,
            limit,
            span=self.span_from(start),
        )

    def _distinct_rows(self) -> bool:
        key, following = self.token.key, self.peek().key
        if key == "DISTINCT" and following not in (",", ".", "AS", "<end>", ")", "}"):
            self.advance()
            return True
        if key == "ALL" and following not in (",", ".", "AS", "<end>", ")", "}", "("):
            self.advance()
        return False

    def _projection_item(self) -> ProjectionItem:
        start = self.token.start
        if self.token.is_name and self.peek().key == "." and self.peek(2).key == "*":
            return self._all_properties()
        expression = self.expression()
        alias = self.name("a name for the column") if self.accept("AS") else None
        return ProjectionItem(expression, alias, span=self.span_from(start))

    def _all_properties(self) -> ProjectionItem:
        start = self.token.start
        subject = Variable(self.name("a variable"), span=self.span_from(start))
        self.advance()
        self.advance()
        return ProjectionItem(
            AllProperties(subject, span=self.span_from(start)), None, span=self.span_from(start)
        )

    def _grouping(self) -> tuple[tuple[Expression, ...] | None, bool]:
        if not self.accept_words("GROUP", "BY"):
            return None, False
        if self.accept_words("(", ")"):
            return (), False
        if self.token.key == "ALL" and self.peek().key not in ("(", ".", ","):
            self.advance()
            return None, True
        keys = [self.expression()]
        while self.accept(","):
            keys.append(self.expression())
        return tuple(keys), False

    def _order(self) -> tuple[SortItem, ...]:
        self.expect("ORDER")
        self.expect("BY", "after ORDER")
        items = [self._sort_item()]
        while self.accept(","):
            items.append(self._sort_item())
        return tuple(items)

    def _sort_item(self) -> SortItem:
        start = self.token.start
        expression = self.expression()
        descending = self.token.key in ("DESC", "DESCENDING")
        if descending or self.token.key in ("ASC", "ASCENDING"):
            self.advance()
        return SortItem(expression, descending, span=self.span_from(start))

    def _skip(self) -> Expression | None:
        return self.expression() if self.accept("SKIP") or self.accept("OFFSET") else None

    def order_and_page(self) -> OrderAndPage:
        """``ORDER BY … SKIP … LIMIT …`` as a clause of its own."""
        start = self.token.start
        order = self._order() if self.token.key == "ORDER" else ()
        skip = self._skip()
        limit = self.expression() if self.accept("LIMIT") else None
        return OrderAndPage(order, skip, limit, span=self.span_from(start))

    def finish(self) -> Finish:
        """``FINISH``."""
        return Finish(span=self.advance().span)

    # CALL and USE

    def call(self) -> Clause:
        """``CALL name(…) YIELD …`` or ``CALL (…) { … }``."""
        start = self.token.start
        optional = self.accept("OPTIONAL")
        self.expect("CALL", "after OPTIONAL")
        if self.token.key in ("{", "("):
            return self._call_subquery(start, optional)
        return self._call_procedure(start, optional)

    def _call_subquery(self, start: int, optional: bool) -> CallSubquery:
        scope, scope_all = self._scope()
        self.expect("{", "before the subquery")
        query = self.query()
        self.expect("}", "at the end of the subquery")
        if self.token.key == "IN":
            raise self.source.refusal(
                self.token.span,
                "CALL … IN TRANSACTIONS opens transactions of its own",
                code="transaction",
                advice="Only reading in one transaction is allowed: leave IN TRANSACTIONS out.",
            )
        return CallSubquery(query, scope, scope_all, optional, span=self.span_from(start))

    def _scope(self) -> tuple[tuple[str, ...] | None, bool]:
        if not self.accept("("):
            return None, False
        if self.accept("*"):
            self.expect(")", "after (*")
            return None, True
        names: list[str] = []
        if self.token.key != ")":
            names.append(self.name("a variable for the subquery"))
            while self.accept(","):
                names.append(self.name("a variable for the subquery"))
        self.expect(")", "after the variables of the subquery")
        return tuple(names), False

    def _call_procedure(self, start: int, optional: bool) -> CallProcedure:
        named = self.token
        name = self.dotted_name("the name of a procedure, or '{' for a subquery")
        if self.token.key == "=":
            raise self.source.refusal(
                Span(named.start, self.token.end),
                f"this would change the setting {name}",
                code="administration",
            )
        arguments: tuple[Expression, ...] | None = None
        if self.accept("("):
            arguments = self._expressions_until(")")
        yields: tuple[YieldItem, ...] | None = None
        everything, condition = False, None
        if self.accept("YIELD"):
            everything = self.accept("*")
            if not everything:
                yields = self._yield_items()
            condition = self.expression() if self.accept("WHERE") else None
        return CallProcedure(
            name, arguments, yields, everything, condition, optional, span=self.span_from(start)
        )

    def _yield_items(self) -> tuple[YieldItem, ...]:
        items = [self._yield_item()]
        while self.accept(","):
            items.append(self._yield_item())
        return tuple(items)

    def _yield_item(self) -> YieldItem:
        start = self.token.start
        column = self.name("a column of the procedure")
        alias = self.name("a name for the column") if self.accept("AS") else None
        return YieldItem(column, alias, span=self.span_from(start))

    def use(self) -> Use:
        """``USE graph``. A graph that is chosen by a function is refused here: nobody can say which it will be."""
        start = self.advance().start
        if self.token.key in ("GRAPH", "DATABASE") and self.peek().is_name:
            self.advance()
        graph = self.dotted_name("the name of a graph")
        if self.token.key == "(":
            raise self.source.refusal(
                Span(start, self.token.end),
                "USE with a function chooses the graph while the query runs",
                code="other-graph",
                advice="Leave USE out: the query reads the graph that was opened.",
            )
        return Use(graph, span=self.span_from(start))


def _optional(parser: ClauseParser) -> Clause:
    """``OPTIONAL`` stands before MATCH and before CALL."""
    return parser.call() if parser.peek().key == "CALL" else parser.match()


CLAUSES: dict[str, Callable[[ClauseParser], Clause]] = {
    "MATCH": ClauseParser.match,
    "OPTIONAL": _optional,
    "WITH": ClauseParser.with_clause,
    "RETURN": ClauseParser.return_clause,
    "UNWIND": ClauseParser.unwind,
    "CALL": ClauseParser.call,
    "ORDER": ClauseParser.order_and_page,
    "SKIP": ClauseParser.order_and_page,
    "OFFSET": ClauseParser.order_and_page,
    "LIMIT": ClauseParser.order_and_page,
    "FILTER": ClauseParser.filter,
    "LET": ClauseParser.let,
    "FOR": ClauseParser.for_list,
    "FINISH": ClauseParser.finish,
    "USE": ClauseParser.use,
}
"""The first words of the clauses that read."""
