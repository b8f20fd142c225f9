"""IRIs, literals, variables and blank nodes."""

from __future__ import annotations

import re
from typing import NoReturn

from ..source import Span
from ..tokens import Token
from .grammar import Grammar
from .iris import is_absolute, resolve
from .lexer import BLANK, INTEGER, IRI, LANGUAGE, NUMBERS, PREFIXED, STRING, VARIABLE, unquote
from .term_tree import (
    RDF_TYPE,
    BlankNode,
    BooleanLiteral,
    Iri,
    NumericLiteral,
    RdfLiteral,
    StringLiteral,
    Term,
    Variable,
)

_LOCAL_ESCAPE = re.compile(r"\\(.)")
_LITERALS = frozenset((STRING, *NUMBERS, "TRUE", "FALSE"))
_TERMS = _LITERALS | {IRI, PREFIXED, VARIABLE, BLANK}


class TermParser(Grammar):
    """The rules of terms."""

    def starts_iri(self) -> bool:
        """Whether an IRI comes next."""
        return self.token.key in (IRI, PREFIXED)

    def starts_term(self) -> bool:
        """Whether a term comes next that is no bracket."""
        return self.token.key in _TERMS

    def iri(self, what: str) -> Iri:
        """An IRI, in full or with a prefix."""
        token = self.token
        if token.key == IRI:
            self.advance()
            value = self.resolved(token)
            return Iri(value, "" if value == token.text else f"<{token.text}>", span=token.span)
        if token.key == PREFIXED:
            self.advance()
            return self._prefixed(token)
        self.no_term(what)

    def resolved(self, token: Token) -> str:
        """What an IRI in angle brackets means."""
        return token.text if is_absolute(token.text) else resolve(self.base, token.text)

    def _prefixed(self, token: Token) -> Iri:
        prefix, _, local = token.text.partition(":")
        value = self.namespace(token) + (_LOCAL_ESCAPE.sub(r"\1", local) if "\\" in local else local)
        # A prefix that the engine alone knows is expanded: then every engine reads what is printed.
        return Iri(value, token.text if prefix in self.prefixes else "", span=token.span)

    def variable(self, what: str) -> Variable:
        """A variable."""
        token = self.token
        if token.key != VARIABLE:
            advice = f"Write ?{token.text}." if token.is_name else None
            self.unexpected(what, advice=advice)
        self.advance()
        return Variable(token.text, span=token.span)

    def type_keyword(self) -> Iri:
        """``a``, which stands for rdf:type where a predicate is wanted."""
        token = self.expect("a")
        return Iri(RDF_TYPE, "a", span=token.span)

    def iri_or_variable(self, what: str) -> Iri | Variable:
        """An IRI or a variable."""
        return self.variable(what) if self.token.key == VARIABLE else self.iri(what)

    def term(self, what: str) -> Term:
        """An IRI, a literal, a variable or a labelled blank node."""
        token = self.token
        if token.key == VARIABLE:
            self.advance()
            return Variable(token.text, span=token.span)
        if token.key == BLANK:
            self.advance()
            self.blank_node_label(token)
            return BlankNode(token.text, span=token.span)
        return self.literal() if token.key in _LITERALS else self.iri(what)

    def starts_literal(self) -> bool:
        """Whether a literal comes next."""
        return self.token.key in _LITERALS

    def literal(self) -> RdfLiteral:
        """A string, a number or a boolean."""
        token = self.advance()
        if token.key in NUMBERS:
            return NumericLiteral(token.text, span=token.span)
        if token.key != STRING:
            return BooleanLiteral(token.key == "TRUE", span=token.span)
        value = unquote(token.text)
        if self.token.key == LANGUAGE:
            language = self.advance().text
            return StringLiteral(value, language, span=self.span_from(token.start))
        if self.accept("^^"):
            datatype = self.iri("the IRI of a datatype after ^^")
            return StringLiteral(value, "", datatype, span=self.span_from(token.start))
        return StringLiteral(value, span=token.span)

    def string(self, what: str) -> str:
        """The value of a plain string."""
        if self.token.key != STRING:
            self.unexpected(what)
        return unquote(self.advance().text)

    def integer(self, what: str) -> int:
        """A whole number without a sign."""
        if self.token.key != INTEGER or not self.token.text.isdigit():
            self.unexpected(what)
        if len(self.token.text) > 18:
            self.error(self.token.span, "this number is too large")
        return int(self.advance().text)

    def no_term(self, what: str) -> NoReturn:
        """Raise what is to be said where a term is missing."""
        token = self.token
        if token.key == "<":
            self._broken_iri()
        if token.key == LANGUAGE:
            self.unexpected(what, advice='A language tag follows a string without a blank: "text"@en.')
        advice = None
        if token.key == "=" and self.index and self.tokens[self.index - 1].key == "=":
            advice = "SPARQL writes = for ==."
        elif token.is_name and token.text.islower():
            advice = f"Write ?{token.text} for a variable, :{token.text} for a name with the empty prefix."
        self.unexpected(what, advice=advice)

    def _broken_iri(self) -> NoReturn:
        """Raise what is to be said of a ``<`` that begins no IRI."""
        start = self.token.start
        text = self.source.text[start : start + 2_000]
        faulty = re.match(r"<[^\x00-\x20<>\"{}|^`\\]*+", text)
        end = start + (faulty.end() if faulty else 1)
        character = self.source.text[end : end + 1]
        if not character:
            self.error(self.token.span, "this IRI is never closed", advice="Close it with '>'.")
        shown = {" ": "a blank", "\n": "a line end", "\r": "a line end", "\t": "a tabulator"}.get(
            character, repr(character)
        )
        self.error(
            Span(start, end),
            f"this IRI is not closed: {shown} cannot stand in one",
            advice="Close it with '>'; inside, write such a character as %20 and the like.",
        )
