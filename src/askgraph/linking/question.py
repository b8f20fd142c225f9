"""A question as words with their places."""

from __future__ import annotations

import re
from dataclasses import dataclass

from ..core.evidence import Mention
from ..core.words import normalize
from .language import Language

# Letters and digits with the joints that occur inside names (o'neil, x-ray, m558-2275045, a.b); a possessive is apart.
# Numbers with thousands set apart are one word.
_WORD = re.compile(r"\d{1,3}(?:,\d{3})+(?:\.\d+)?(?!\w)|[^\W_](?:[\w]|[-.’'&/](?=[^\W_])(?!s\b))*")


@dataclass(frozen=True, slots=True)
class Word:
    """A word of a question: as written, where, and in normal form. One word may normalise to several (``x-ray``)."""

    text: str
    start: int
    end: int
    normal: str
    is_stop: bool


@dataclass(frozen=True)
class Question:
    """A question taken apart."""

    text: str
    words: tuple[Word, ...]

    @classmethod
    def parse(cls, text: str, rules: Language) -> Question:
        """Take a question apart."""
        words = []
        for match in _WORD.finditer(text):
            normal = normalize(match[0])
            if normal:
                # "US" is a country where "us" is a pronoun.
                is_stop = rules.is_filler(normal) and not (len(normal) > 1 and match[0].isupper())
                words.append(Word(match[0], match.start(), match.end(), normal, is_stop))
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
        """The question with each mention replaced by another text (its type's name, say)."""
        text = self.text
        for mention in sorted(mentions, key=lambda item: item.start, reverse=True):
            text = text[: mention.start] + mentions[mention] + text[mention.end :]
        return text
