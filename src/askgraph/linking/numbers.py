"""Numbers in a question: whether one names something ("policy 31003000336", "chromosome 8") or is a quantity."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Final

from ..core.schema import Schema
from ..core.words import local_name, normalize, split_identifier
from ..indexes.names import NameMatch
from .language import Language
from .property_values import value_of
from .question import Question

# A number of so many digits is hardly ever a quantity that somebody writes out.
_FEWEST_DIGITS_OF_A_CODE: Final = 5
# How many words before a number may say what it is: "policy number 31003000336".
_MOST_WORDS_BEFORE: Final = 3


def is_number(question: Question, first: int, last: int) -> bool:
    """Whether a span is one number."""
    return last - first == 1 and question.words[first].normal.replace(" ", "").isdigit()


class NumberedThings:
    """Tells which of the values that are equal to a number are meant, by the words before it."""

    def __init__(self, schema: Schema, rules: Language) -> None:
        self._schema = schema
        self._rules = rules

    def meant(self, question: Question, place: int, matches: Sequence[NameMatch]) -> tuple[NameMatch, ...]:
        """Those of the values that the number at ``place`` names.

        The word before it is the last word of the property ("chromosome 8"), or the property says how its owner is
        numbered and the word is the owner or the rest of the property ("policy 31003000336" of a policy number). A long
        number needs no such word.
        """
        written = self._rules.plain_number(question.words[place].text)
        same = [match for match in matches if match.name == written]
        named = tuple(match for match in same if self._is_named(question, place, match))
        if named:
            return named
        return tuple(same) if len(written) >= _FEWEST_DIGITS_OF_A_CODE else ()

    def _is_named(self, question: Question, place: int, match: NameMatch) -> bool:
        label = self._label_words(value_of(match.id)[0])
        if not label:
            return False
        owners = self._owner_words(match)
        before = self._words_before(question, place, {*label, *owners})
        if not before:
            return False
        if not self._is_head(label[-1]):
            return before[0] == label[-1]
        # "policy number 310", "policy 310"; "number 310" alone only where the property is just called number.
        nearest = before[1:] if self._is_head(before[0]) else before
        return nearest[0] in (*label[:-1], *owners) if nearest else len(label) == 1

    def _words_before(self, question: Question, place: int, wanted: Collection[str]) -> list[str]:
        """The words before a number in the singular, the nearest first, but for those that say nothing here."""
        words = [self._rules.singular(word.normal) for word in reversed(question.words[:place])]
        content = [word for word in words if word in wanted or not self._rules.is_filler(word)]
        return content[:_MOST_WORDS_BEFORE]

    def _label_words(self, key: str) -> list[str]:
        words = normalize(split_identifier(self._schema.label_of(key))).split()
        return [self._rules.singular(word) for word in words]

    def _owner_words(self, match: NameMatch) -> list[str]:
        """The last word of each of the owner's types: "the home policy 310"."""
        labels = (normalize(self._type_label(kind)).split() for kind in match.types)
        return [self._rules.singular(label[-1]) for label in labels if label]

    def _type_label(self, kind: str) -> str:
        if self._schema.has_node_type(kind):
            return split_identifier(self._schema.label_of(kind))
        return split_identifier(local_name(kind))

    def _is_head(self, word: str) -> bool:
        return word in self._rules.heads
