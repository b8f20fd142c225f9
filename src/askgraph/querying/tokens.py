"""Tokens, and the reading head that a parser moves over them: always forward, never back."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple, NoReturn

from .source import SourceText, Span

END = "<end>"
"""The key of the token after the last."""

NAME = "<name>"
"""The key of a quoted name."""


def words(text: str) -> tuple[str, ...]:
    """The words of a text: a list of names that reads well."""
    return tuple(text.split())


class Token(NamedTuple):
    """The smallest part of a text that means something.

    Attributes:
        key: what a grammar compares: a word in capitals, a symbol, or a kind in angle brackets (``<string>``).
        text: what the token says: a word as written, a quoted name without its quotes.
        start: its first character.
        end: the character after its last.
        is_name: whether it can stand where a name is wanted.
    """

    key: str
    text: str
    start: int
    end: int
    is_name: bool = False

    @property
    def span(self) -> Span:
        """Where it stands."""
        return Span(self.start, self.end)


class TokenStream:
    """Tokens and a reading head.

    ``steps`` counts how often the head moved or looked ahead: the work of a parser is linear in the number of tokens
    exactly if this number is.
    """

    def __init__(self, source: SourceText, tokens: Sequence[Token], *, deepest: int) -> None:
        self.source = source
        self.tokens = tokens
        self.index = 0
        self.token = tokens[0]
        self.steps = 0
        self.depth = 0
        self.deepest = deepest

    def advance(self) -> Token:
        """Move on; gives the token that was passed. The last one, ``END``, is never passed."""
        token = self.token
        self.steps += 1
        if token.key != END:
            self.index += 1
            self.token = self.tokens[self.index]
        return token

    def peek(self, distance: int = 1) -> Token:
        """A token further on."""
        self.steps += 1
        return self.tokens[min(self.index + distance, len(self.tokens) - 1)]

    def accept(self, key: str) -> bool:
        """Pass the token if it has this key."""
        if self.token.key != key:
            return False
        self.advance()
        return True

    def accept_words(self, *keys: str) -> bool:
        """Pass these tokens if all of them come next."""
        if self.token.key != keys[0]:
            return False
        for distance, key in enumerate(keys[1:], 1):
            if self.peek(distance).key != key:
                return False
        for _ in keys:
            self.advance()
        return True

    def expect(self, key: str, purpose: str = "") -> Token:
        """Pass a token that must have this key. ``purpose`` completes "expected ')' …"."""
        if self.token.key != key:
            shown = key if key.isalpha() else f"'{key}'"
            self.unexpected(f"{shown} {purpose}".strip())
        return self.advance()

    def span_from(self, start: int) -> Span:
        """From a character to the end of the token that was passed last."""
        return Span(start, self.tokens[self.index - 1].end if self.index else start)

    def descend(self, levels: int = 1) -> None:
        """Go deeper; every descent is paid back with ``self.depth -= levels``.

        A level stands for six frames of Python's stack at most, so a rule that calls others more deeply counts for
        more.
        """
        self.depth += levels
        if self.depth > self.deepest:
            raise self.source.syntax_error(
                self.token.span,
                "this is nested too deeply",
                code="too-deep",
                advice="Split the query into simpler ones.",
            )

    def unexpected(self, expected: str, *, advice: str | None = None) -> NoReturn:
        """Raise the error of a token that does not fit."""
        raise self.source.syntax_error(
            self.token.span, f"expected {expected}, found {self.shown(self.token)}", advice=advice
        )

    def shown(self, token: Token) -> str:
        """A token as an error message quotes it."""
        if token.key == END:
            return "the end of the query"
        text = self.source.slice(token.span)
        return f"'{text}'" if len(text) <= 40 else f"'{text[:39]}…'"
