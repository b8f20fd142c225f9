"""What the parts of the SPARQL parser share: the reading head, and what the prologue declares.

The parser is recursive descent over the grammar of SPARQL 1.1 (§19.8) with a table of operator ranks. It never goes
back and looks at most two tokens ahead, so its work is linear in the number of tokens; and its depth is capped.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from typing import NoReturn

from ..source import SourceText, Span
from ..tokens import Token, TokenStream
from .lexer import PREFIXED, tokenize
from .pattern_tree import Group

DEEPEST = 100
"""Levels of nesting that a query may have: some 600 frames of Python's stack, which holds 1,000."""


class Grammar(TokenStream, ABC):
    """The reading head of a SPARQL text.

    Attributes:
        base: the IRI that relative ones are resolved against, or empty.
        prefixes: what the text declares.
        known_prefixes: what the engine knows without being told.
    """

    def __init__(self, source: SourceText, known_prefixes: Mapping[str, str]) -> None:
        super().__init__(source, tokenize(source), deepest=DEEPEST)
        self.base = ""
        self.prefixes: dict[str, str] = {}
        self.known_prefixes = known_prefixes

    @abstractmethod
    def group(self, purpose: str) -> Group:
        """A pattern or a query in braces. ``purpose`` completes "expected '{' …"."""

    @abstractmethod
    def blank_node_label(self, token: Token) -> None:
        """Note the use of a label, which is good for one pattern only."""

    def error(self, span: Span, message: str, *, code: str = "syntax", advice: str | None = None) -> NoReturn:
        """Raise an error that points at a place."""
        raise self.source.syntax_error(span, message, code=code, advice=advice)

    def namespace(self, token: Token) -> str:
        """What the prefix of a token stands for. Raises :class:`QuerySyntaxError` for one that nobody declared."""
        assert token.key == PREFIXED
        prefix = token.text.partition(":")[0]
        namespace = self.prefixes.get(prefix)
        if namespace is None:
            namespace = self.known_prefixes.get(prefix)
        if namespace is None:
            from .well_known import advice_on_prefix

            self.error(
                Span(token.start, token.start + len(prefix) + 1),
                f"the prefix {prefix}: is not declared",
                code="prefix",
                advice=advice_on_prefix(prefix, self.prefixes | dict(self.known_prefixes)),
            )
        return namespace
