"""The words of a question while its form is read: which are still free, what numbers and phrases stand among them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

from .language import Language
from .question import Question

_NUMBER = re.compile(r"[+-]?\d{1,3}(?:,\d{3})+(?:\.\d+)?|[+-]?\d+(?:\.\d+)?")
_THOUSANDS = re.compile(r"(\d+(?:\.\d+)?)k", re.IGNORECASE)
_LONGEST_PHRASE = 4

Number = int | float


class FormWords:
    """The words of one question, and which of them the form has used or names have taken.

    Args:
        question: the question.
        rules: of its language.
        taken: places of words that belong to names, and so not to the form.
    """

    def __init__(self, question: Question, rules: Language, taken: frozenset[int]) -> None:
        self.words = [word.said for word in question.words]
        self.texts = [rules.plain_number(word.text) for word in question.words]
        self.is_stop = [word.is_stop for word in question.words]
        self.rules = rules
        self.percents = frozenset(
            place
            for place, word in enumerate(question.words)
            if question.text[word.end :].lstrip()[:1] == "%"
        )
        self.used: set[int] = set()
        self._taken = taken

    def __len__(self) -> int:
        """The number of words."""
        return len(self.words)

    def word(self, place: int) -> str:
        """The word at a place in normal form; empty beyond the ends."""
        return self.words[place] if 0 <= place < len(self.words) else ""

    def is_free(self, place: int) -> bool:
        """Whether the word belongs to no name and to nothing that was read of the form."""
        return 0 <= place < len(self.words) and place not in self._taken and place not in self.used

    def is_taken(self, place: int) -> bool:
        """Whether the word belongs to a name or to a term of the schema."""
        return place in self._taken

    def may_be_name(self, place: int) -> bool:
        """Whether the word belongs to a name, or has a capital within a sentence: which names are only alike is found
        later."""
        return self.is_taken(place) or (0 < place < len(self.words) and self.texts[place][:1].isupper())

    def use(self, places: Iterable[int]) -> None:
        """Note that words belong to the form."""
        self.used.update(places)

    def phrase_at(self, place: int, phrases: Mapping[str, object] | Iterable[str]) -> tuple[str, int] | None:
        """The longest of the phrases that begins here with free words, and its number of words."""
        known = phrases if isinstance(phrases, Mapping | frozenset | set) else frozenset(phrases)
        for length in range(min(_LONGEST_PHRASE, len(self.words) - place), 0, -1):
            phrase = " ".join(self.words[place : place + length])
            if phrase in known and all(self.is_free(other) for other in range(place, place + length)):
                return phrase, length
        return None

    def phrase_before(
        self, place: int, phrases: Mapping[str, object] | Iterable[str]
    ) -> tuple[str, int] | None:
        """The longest of the phrases that ends just before a place, and where it begins."""
        known = phrases if isinstance(phrases, Mapping | frozenset | set) else frozenset(phrases)
        for first in range(max(0, place - _LONGEST_PHRASE), place):
            phrase = " ".join(self.words[first:place])
            if phrase in known and all(self.is_free(other) for other in range(first, place)):
                return phrase, first
        return None

    def skip_stop_words(self, place: int, most: int = 3) -> int:
        """The first place from here that holds no stop word, looking over at most so many."""
        while most and place < len(self.words) and self.is_stop[place] and not self.is_taken(place):
            place, most = place + 1, most - 1
        return place

    def number_at(self, place: int) -> tuple[Number, int] | None:
        """The number that begins at a place, in digits or in words ("five", "2 million"), and its number of words."""
        if not self.is_free(place):
            return None
        part = self._part_at(place)
        if part is not None:
            return part
        first = self._single_number(place)
        factor = self.rules.multipliers.get(self.word(place + 1)) if self.is_free(place + 1) else None
        if first is None:
            own = self.rules.multipliers.get(self.words[place])
            if own is not None:
                return own, 1
            return (factor, 2) if factor is not None and self.words[place] in self.rules.articles else None
        if factor is None:
            return first, 1
        product = first * factor
        return (int(product) if product == int(product) else product), 2

    def _part_at(self, place: int) -> tuple[Number, int] | None:
        """ "Half a million"."""
        part = self.rules.fractions.get(self.words[place])
        if part is None or self.word(place + 1) not in self.rules.articles:
            return None
        factor = self.rules.multipliers.get(self.word(place + 2))
        return (int(part * factor), 3) if factor is not None and self.is_free(place + 2) else None

    def _single_number(self, place: int) -> Number | None:
        text = self.texts[place]
        thousands = _THOUSANDS.fullmatch(text)
        if thousands:
            return int(float(thousands[1]) * 1000)
        return number_of(text) if _NUMBER.fullmatch(text) else self.rules.numbers.get(self.words[place])


def number_of(text: str) -> Number | None:
    """The number that a text in digits is; ``None`` if it is none."""
    if not _NUMBER.fullmatch(text):
        return None
    plain = text.replace(",", "")
    return float(plain) if "." in plain else int(plain)
