"""Cypher text to a tree: queries and what stands before them."""

from __future__ import annotations

from typing import NoReturn

from ..source import SourceText, Span
from ..tokens import END, NAME
from ..tree import SyntaxNode
from .clause_parser import CLAUSES, ClauseParser
from .clause_tree import (
    BracedQuery,
    Branch,
    Clause,
    ClauseSequence,
    Conditional,
    ConditionalBranch,
    Finish,
    Query,
    QueryOption,
    Return,
    Stage,
    Statement,
    Union,
)
from .escapes import decode_escapes
from .keywords import REFUSED, refuse_clause
from .lexer import FLOAT, INTEGER

_PATTERN_WORDS = ("ALL", "ANY", "SHORTEST", "WALK", "TRAIL", "ACYCLIC", "REPEATABLE", "DIFFERENT")
_AFTER_A_QUERY = (END, ";", "}", "UNION", "NEXT", "WHEN", "ELSE")


class Parsed(SyntaxNode):
    """A text and its tree; ``steps`` counts the moves of the parser's reading head."""

    statement: Statement
    source: SourceText
    steps: int


def parse(text: str) -> Parsed:
    """The tree of a Cypher query that reads.

    Raises :class:`QuerySyntaxError` for a text that is not a query, and :class:`QueryRefusedError` for one that would
    do more than read; both say where.
    """
    if not text.strip():
        raise SourceText(text).syntax_error(Span(0, 0), "the query is empty", code="empty")
    source = decode_escapes(text)
    parser = CypherParser(source)
    return Parsed(parser.statement(), source, parser.steps)


class CypherParser(ClauseParser):
    """The rules of whole queries."""

    def statement(self) -> Statement:
        """The whole text."""
        if self.token.key == END:
            raise self.source.syntax_error(self.token.span, "the query is empty", code="empty")
        version, options, explain = self._prefix()
        query = self.query()
        end = self.token
        self.accept(";")
        if self.token.key != END:
            if end.key == ";":
                raise self.source.refusal(
                    self.token.span,
                    "a second statement begins here",
                    code="several-statements",
                    advice="Send one query at a time.",
                )
            self._no_clause()
        return Statement(query, version, options, explain, span=Span(0, end.end))

    def _prefix(self) -> tuple[str, tuple[QueryOption, ...], bool]:
        """``CYPHER 25 runtime=slotted``, ``EXPLAIN``; ``PROFILE`` is refused."""
        version, explain = "", False
        options: list[QueryOption] = []
        while True:
            key = self.token.key
            if key == "EXPLAIN":
                self.advance()
                explain = True
            elif key == "CYPHER":
                self.advance()
                if self.token.key in (INTEGER, FLOAT):
                    version = self.advance().text
                while self.token.is_name and self.peek().key == "=":
                    options.append(self._option())
            elif key == "PROFILE":
                raise self.source.refusal(
                    self.token.span,
                    "PROFILE runs the query to measure it",
                    code="profile",
                    advice="EXPLAIN shows the plan without running it.",
                )
            else:
                return version, tuple(options), explain

    def _option(self) -> QueryOption:
        start = self.token.start
        name = self.advance().text
        self.advance()
        token = self.token
        if token.key not in (INTEGER, FLOAT) and (token.key == NAME or not token.is_name):
            self.unexpected(f"a plain word or a number for the option {name}")
        value = self.advance().text
        return QueryOption(name, value, span=self.span_from(start))

    # Queries

    def query(self) -> Query:
        """Stages with ``NEXT`` between them."""
        self.descend(4)
        start = self.token.start
        stages = [self._stage()]
        while self.accept("NEXT"):
            stages.append(self._stage())
        self.depth -= 4
        return Query(tuple(stages), span=self.span_from(start))

    def starts_query(self) -> bool:
        """Whether what comes next is a query, rather than a pattern."""
        token = self.token
        if token.key in ("{", "WHEN"):
            return True
        return token.is_name and self.peek().key != "=" and token.key not in _PATTERN_WORDS

    def _stage(self) -> Stage:
        if self.token.key == "WHEN":
            return self._conditional()
        start = self.token.start
        branches, operators = [self._branch()], []
        while self.accept("UNION"):
            if self.accept("ALL"):
                operators.append("UNION ALL")
            else:
                self.accept("DISTINCT")
                operators.append("UNION")
            branches.append(self._branch())
        return Union(tuple(branches), tuple(operators), span=self.span_from(start))

    def _conditional(self) -> Conditional:
        start = self.token.start
        branches: list[ConditionalBranch] = []
        while self.token.key == "WHEN":
            branch_start = self.advance().start
            condition = self.expression()
            self.expect("THEN", "after the condition")
            branch = self._branch()
            branches.append(ConditionalBranch(condition, branch, span=self.span_from(branch_start)))
        default = self._branch() if self.accept("ELSE") else None
        return Conditional(tuple(branches), default, span=self.span_from(start))

    def _branch(self) -> Branch:
        """Clauses, or a query in braces."""
        start = self.token.start
        use = self.use() if self.token.key == "USE" else None
        if self.token.key == "{":
            self.advance()
            query = self.query()
            self.expect("}", "at the end of the query in braces")
            return BracedQuery(query, use, span=self.span_from(start))
        clauses: list[Clause] = [] if use is None else [use]
        while self.token.key in CLAUSES:
            if clauses and isinstance(clauses[-1], Return | Finish):
                self._after_the_end(clauses[-1])
            clauses.append(self.clause())
        if not clauses or (self.token.key not in _AFTER_A_QUERY):
            self._no_clause()
        return ClauseSequence(tuple(clauses), span=self.span_from(start))

    def _after_the_end(self, last: Clause) -> NoReturn:
        word = "RETURN" if isinstance(last, Return) else "FINISH"
        raise self.source.syntax_error(
            self.token.span,
            f"{self.token.key} cannot follow {word}, which ends a query",
            advice="Use WITH to go on with the rows." if word == "RETURN" else None,
        )

    def _no_clause(self) -> NoReturn:
        """Raise what is to be said of a token that begins no clause that reads."""
        token = self.token
        if token.key in REFUSED:
            refuse_clause(self)
        if token.key == "USING" and self.peek().key == "PERIODIC":
            self.advance()
            refuse_clause(self)
        if token.key == "WHERE":
            self.unexpected("a clause", advice="WHERE follows MATCH, WITH or YIELD.")
        self.unexpected("a clause such as MATCH, WITH or RETURN", advice=self._advice())

    def _advice(self) -> str | None:
        text = self.source.text.lstrip()
        if text.startswith("```"):
            return "The query stands in a Markdown fence: send only what is inside."
        if not self.token.is_name:
            return None
        from ...core.suggestions import nearest_names

        near = nearest_names(self.token.text, [*CLAUSES, "UNION"], most=1)
        return f"Did you mean {near[0]}?" if near else None
