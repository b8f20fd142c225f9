"""What stands between a subject and an object: a variable, an IRI, a property path."""

from __future__ import annotations

from typing import NoReturn

from .lexer import IRI, PREFIXED, VARIABLE
from .path_tree import (
    AlternativePath,
    InversePath,
    NegatedPropertySet,
    PathElement,
    RepeatedPath,
    SequencePath,
    Verb,
)
from .term_parser import TermParser
from .term_tree import Iri

_VERBS = frozenset((VARIABLE, IRI, PREFIXED, "a", "^", "!", "("))


class PathParser(TermParser):
    """The rules of verbs and property paths."""

    def starts_verb(self) -> bool:
        """Whether a verb comes next."""
        return self.token.key in _VERBS

    def verb(self, *, paths: bool) -> Verb:
        """What is said of a subject; ``paths`` tells whether it may be a property path."""
        if self.token.key == VARIABLE:
            return self.variable("a predicate")
        if not paths:
            return self._simple_verb()
        return self._path()

    def _simple_verb(self) -> Iri:
        if self.token.key in ("^", "!", "("):
            self._no_path()
        verb = self._property("a predicate")
        if self.token.key in ("/", "|", "*", "+", "?"):
            self._no_path()
        return verb

    def _no_path(self) -> NoReturn:
        self.error(
            self.token.span,
            "a property path cannot stand in a template",
            advice="Write an IRI, a variable or 'a'.",
        )

    def _property(self, what: str) -> Iri:
        return self.type_keyword() if self.token.key == "a" else self.iri(what)

    def _path(self) -> PathElement:
        """Alternatives with ``|`` between them."""
        self.descend()
        start = self.token.start
        branches = [self._sequence()]
        while self.accept("|"):
            branches.append(self._sequence())
        self.depth -= 1
        return (
            branches[0]
            if len(branches) == 1
            else AlternativePath(tuple(branches), span=self.span_from(start))
        )

    def _sequence(self) -> PathElement:
        start = self.token.start
        steps = [self._step()]
        while self.accept("/"):
            steps.append(self._step())
        return steps[0] if len(steps) == 1 else SequencePath(tuple(steps), span=self.span_from(start))

    def _step(self) -> PathElement:
        start = self.token.start
        if self.accept("^"):
            path = self._repeated()
            return InversePath(path, span=self.span_from(start))
        return self._repeated()

    def _repeated(self) -> PathElement:
        path = self._primary()
        key = self.token.key
        if key in ("*", "+", "?"):
            self.advance()
            return RepeatedPath(path, key, span=self.span_from(path.span.start))  # type: ignore[arg-type]
        if key == "{":
            self.error(
                self.token.span,
                "SPARQL 1.1 has no counted repetition of a path",
                code="unsupported",
                advice="Write the path as often as wanted, or use *, + or ?.",
            )
        return path

    def _primary(self) -> PathElement:
        if self.token.key == "!":
            return self._negated_set()
        if self.token.key == "(":
            self.advance()
            path = self._path()
            self.expect(")", "after the path")
            return path
        return self._property("a predicate")

    def _negated_set(self) -> NegatedPropertySet:
        start = self.expect("!").start
        if not self.accept("("):
            return NegatedPropertySet((self._one_in_set(),), span=self.span_from(start))
        items: list[Iri | InversePath] = []
        if not self.accept(")"):
            items.append(self._one_in_set())
            while self.accept("|"):
                items.append(self._one_in_set())
            self.expect(")", "or '|' in the set of properties")
        return NegatedPropertySet(tuple(items), span=self.span_from(start))

    def _one_in_set(self) -> Iri | InversePath:
        start = self.token.start
        if self.accept("^"):
            return InversePath(self._property("a property after ^"), span=self.span_from(start))
        return self._property("a property, which may follow ^")
