"""What is known of a language: its stop words, phrases and endings, read from a file of rules."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from functools import cache
from importlib import resources

from ..core.errors import SettingsError

_SHORTEST_SINGULAR = 3
_SHORTEST_STEM = 4


@dataclass(frozen=True)
class Language:
    """The rules of one language. Words are given in normal form (:func:`askgraph.core.words.normalize`)."""

    stop_words: frozenset[str]
    titles: frozenset[str]
    count_phrases: tuple[str, ...]
    list_phrases: tuple[str, ...]
    plurals: tuple[tuple[str, str], ...]
    suffixes: tuple[str, ...]
    irregular: dict[str, str]

    def singular(self, word: str) -> str:
        """The singular of a word, as far as the rules know; the word itself otherwise."""
        if word in self.irregular:
            return self.irregular[word]
        for ending, replacement in self.plurals:
            if word.endswith(ending):
                singular = word[: len(word) - len(ending)] + replacement
                return singular if len(singular) >= _SHORTEST_SINGULAR else word
        return word

    def singular_phrase(self, phrase: str) -> str:
        """A phrase with its last word in the singular."""
        *rest, last = phrase.split(" ")
        return " ".join([*rest, self.singular(last)])

    def stem(self, word: str) -> str:
        """What ``manager``, ``manages`` and ``managing`` have in common."""
        word = self.irregular.get(word, word)
        for suffix in self.suffixes:
            if word.endswith(suffix) and len(word) - len(suffix) >= _SHORTEST_STEM:
                return word[: -len(suffix)]
        return word

    def content_stems(self, normalized: str) -> tuple[str, ...]:
        """The stems of the words of a normalised text that are no stop words, in order, without repeats."""
        words = (word for word in normalized.split() if word not in self.stop_words)
        return tuple(dict.fromkeys(self.stem(word) for word in words))


@cache
def language(code: str) -> Language:
    """The rules for a language code such as ``"en"``.

    Raises:
        SettingsError: there is no file of rules for it.
    """
    file = resources.files(__package__) / "languages" / f"{code}.toml"
    if not file.is_file():
        raise SettingsError(
            f"there are no rules for questions in {code!r}",
            advice="Ask in English, or add a file of rules beside linking/languages/en.toml.",
        )
    data = tomllib.loads(file.read_text(encoding="utf-8"))
    return Language(
        stop_words=frozenset(data["stop_words"].split()),
        titles=frozenset(data["titles"].split()),
        count_phrases=tuple(data["count_phrases"]),
        list_phrases=tuple(data["list_phrases"]),
        plurals=tuple((ending, replacement) for ending, replacement in data["plurals"]),
        suffixes=tuple(data["suffixes"]),
        irregular=dict(data["irregular"]),
    )
