"""What a sentence was found to rest on so far, and what all checks of it look at."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from .contents import Contents, Statement
from .joining import Joiner
from .parsing import Parsed, Part
from .relations import Relations
from .rules import Rules
from .tokens import Token


@dataclass
class Basis:
    """The sentence being judged, what it is judged by, and what was found.

    Attributes:
        parsed: the sentence.
        contents: what the facts say.
        joiner: joins its parts by statements.
        relations: matches its words with labels.
        rules: of its language.
        topic: keys of what the question, and the sentences before it, name.
        statements: what it rests on so far.
        parts: its parts that something accounts for.
        settled: tokens of words for relations that need no joining any more.
        says_by_itself: whether it compares or works something out, and so is no answer in a word.
    """

    parsed: Parsed
    contents: Contents
    joiner: Joiner
    relations: Relations
    rules: Rules
    topic: frozenset[str]
    statements: set[Statement] = field(default_factory=set)
    parts: set[Part] = field(default_factory=set)
    settled: set[int] = field(default_factory=set)
    says_by_itself: bool = False

    @property
    def keys(self) -> frozenset[str]:
        """Keys of what the sentence names."""
        return frozenset(key for part in self.parsed.parts for key in part.keys)

    def rest_on(self, statements: Iterable[Statement], parts: Iterable[Part]) -> None:
        """Count statements among what it rests on, and parts as accounted for."""
        self.statements.update(statements)
        self.parts.update(parts)

    def text_of(self, part: Part) -> str:
        """A part as written."""
        tokens = self.parsed.tokens
        return self.parsed.text[tokens[part.first].start : tokens[part.last - 1].end]

    def is_little(self, token: Token) -> bool:
        """Whether a word claims nothing by itself."""
        rules = self.rules
        little = rules.function_words | rules.reporting_words | rules.hedges
        return token.normal in little or not token.normal

    def is_said(self, word: str, *, by_any_fact: bool = False) -> bool:
        """Whether a word stands in the label of a statement that the sentence rests on, or is a type of its ends."""
        statements = self.contents.statements if by_any_fact else self.statements
        if any(item.label and self.relations.match(word, item.label) is not None for item in statements):
            return True
        if word in self.rules.units and any(
            item.object.held is not None and item.object.held.unit == word for item in statements
        ):
            return True
        singular = self.rules.language.singular(word)
        return any(singular in kind.split() for item in statements for end in item.ends for kind in end.types)
