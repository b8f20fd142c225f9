"""A question as words with their places."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache

from ..core.evidence import Mention
from ..core.words import normalize
from .language import Language, number_pattern
from .translation import Translated

# Letters and digits with the joints that occur inside names (o'neil, x-ray, m558-2275045, a.b); a possessive is apart.
# Numbers with thousands set apart or a fraction are one word.
_WORD = r"[^\W_](?:[\w]|[-.’'&/](?=[^\W_])(?!s\b))*"
# Where a hyphen stands between any two nouns it joins codes only (m558-2275045).
_WORD_WITHOUT_HYPHENS = r"[^\W_](?:[\w]|(?<=\d)-(?=\d)|[.’'&/](?=[^\W_])(?!s\b))*"


@dataclass(frozen=True, slots=True)
class Word:
    """A word of a question: as written, where, and in normal form. One word may normalise to several (``x-ray``).

    ``is_translated``: the normal form is that of a word of the graph's language for it; ``said`` is its own one.
    """

    text: str
    start: int
    end: int
    normal: str
    is_stop: bool
    said: str = ""
    is_translated: bool = False


@dataclass(frozen=True)
class Question:
    """A question taken apart."""

    text: str
    words: tuple[Word, ...]

    @classmethod
    def parse(
        cls,
        text: str,
        rules: Language,
        translate: Callable[[Sequence[str]], Sequence[Translated]] | None = None,
    ) -> Question:
        """Take a question apart. ``translate`` puts its words, in normal form, into the words of the graph."""
        matches = [match for match in _word_pattern(rules).finditer(text) if normalize(match[0])]
        normals = [rules.contractions.get(normal := normalize(match[0]), normal) for match in matches]
        read = translate(normals) if translate is not None else [
            Translated(normal, normal, rules.is_filler(normal)) for normal in normals
        ]  # fmt: skip
        words = []
        for match, word in zip(matches, read, strict=True):
            # "US" is a country where "us" is a pronoun.
            is_stop = word.is_filler and not (len(word.normal) > 1 and match[0].isupper())
            words.append(
                Word(
                    match[0], match.start(), match.end(), word.normal, is_stop, word.said, word.is_translated
                )
            )
        return cls(text, tuple(words))

    def mention(self, first: int, last: int) -> Mention:
        """The span from word ``first`` to before word ``last``."""
        start, end = self.words[first].start, self.words[last - 1].end
        return Mention(self.text[start:end], start, end)

    @property
    def normal(self) -> str:
        """The whole question in normal form."""
        return " ".join(word.normal for word in self.words)

    def masked(self, mentions: dict[Mention, str]) -> str:
        """The question with each mention replaced by another text (its type's name, say), translated words by their
        translation."""
        text = self.text
        replaced = dict(mentions)
        for word in self.words:
            place = Mention(word.text, word.start, word.end)
            if word.is_translated and not any(place.overlaps(mention) for mention in mentions):
                replaced[place] = "" if word.is_stop else word.normal
        for mention in sorted(replaced, key=lambda item: item.start, reverse=True):
            text = text[: mention.start] + replaced[mention] + text[mention.end :]
        return text


@lru_cache
def _pattern_of(thousands: str, decimal: str, word: str) -> re.Pattern[str]:
    # A sign is no part of a word: "2010-2015".
    number = number_pattern(thousands, decimal).removeprefix("[+-]?")
    return re.compile(rf"{number}(?!\w|[-.,’'&/]\w)|{word}")


def _word_pattern(rules: Language) -> re.Pattern[str]:
    word = _WORD if rules.hyphens_join else _WORD_WITHOUT_HYPHENS
    return _pattern_of(rules.thousands_mark, rules.decimal_mark, word)
