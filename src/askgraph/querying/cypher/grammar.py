"""What the parts of the Cypher parser share: the reading head, names, and what they ask of each other.

The parser is recursive descent with a table of operator ranks. It never goes back: where Cypher needs to know what is
coming (is ``(a)`` a node or an expression in parentheses?), the brackets that were matched beforehand tell it in a
few steps. So its work is linear in the number of tokens, and its depth is capped.
"""

from __future__ import annotations

from abc import ABC, abstractmethod

from ..source import SourceText
from ..tokens import Token, TokenStream
from .clause_tree import Query
from .expression_tree import Expression
from .lexer import match_brackets, tokenize
from .names import print_plain
from .pattern_tree import LabelExpression, PathPattern

DEEPEST = 100
"""Levels of nesting that a query may have: some 600 frames of Python's stack, which holds 1,000."""


class Grammar(TokenStream, ABC):
    """The reading head of a Cypher text, and the rules that call each other across modules."""

    def __init__(self, source: SourceText) -> None:
        super().__init__(source, tokenize(source), deepest=DEEPEST)
        self.brackets = match_brackets(self.tokens)
        # Bars that separate the parts of a comprehension, and so are no "or" between labels.
        self.reserved_bars: set[int] = set()

    @abstractmethod
    def expression(self, above: int = 0) -> Expression:
        """An expression made of operators that rank higher than ``above``."""

    @abstractmethod
    def map_literal(self) -> Expression:
        """``{key: value}``."""

    @abstractmethod
    def path_pattern(self) -> PathPattern:
        """A path, with its name and selector."""

    @abstractmethod
    def path_in_expression(self) -> PathPattern:
        """A path where a value is wanted: at least one relationship, no selector."""

    @abstractmethod
    def shortest_path(self) -> PathPattern:
        """``shortestPath(…)`` or ``allShortestPaths(…)``."""

    @abstractmethod
    def starts_path(self, index: int) -> bool:
        """Whether the opening parenthesis at this index begins a path with a relationship."""

    @abstractmethod
    def label_expression(self) -> LabelExpression:
        """Labels and the operators between them."""

    @abstractmethod
    def starts_labels(self, index: int) -> bool:
        """Whether a label expression can begin with the token at this index."""

    @abstractmethod
    def match_mode(self) -> str:
        """``REPEATABLE ELEMENTS``, ``DIFFERENT RELATIONSHIPS``, or nothing."""

    @abstractmethod
    def query(self) -> Query:
        """Stages with ``NEXT`` between them."""

    @abstractmethod
    def starts_query(self) -> bool:
        """Whether what comes next is a query, rather than a pattern."""

    def name(self, what: str) -> str:
        """A name, quoted or not; every word of the language can be one."""
        if not self.token.is_name:
            self.unexpected(what)
        return self.advance().text

    def dotted_name(self, what: str) -> str:
        """``apoc.text.clean``; a part that is no plain word keeps its quotes."""
        parts = [print_plain(self.name(what))]
        while self.accept("."):
            parts.append(print_plain(self.name(what)))
        return ".".join(parts)

    def token_at(self, index: int) -> Token:
        """A token by its index; the last one beyond the end."""
        self.steps += 1
        return self.tokens[min(index, len(self.tokens) - 1)]
