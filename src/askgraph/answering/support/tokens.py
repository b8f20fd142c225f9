"""A sentence as words with what stands between them."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache

from ...core.words import normalize
from .rules import Phrase, Rules

_WORD = re.compile(r"[^\W_]+")
_CONTRACTION = re.compile(r"(?i)\b(ca|wo|sha)?(\w*?)n['’]t\b")
_MARKDOWN = re.compile(
    r"[*_`~]{1,3}(?=\S)|(?<=\S)[*_`~]{1,3}|^\s*(?:[-*+•]|\d+[.)])\s+|^\s*#+\s+|^\s*>\s+|\|"
)
_WITHIN_PHRASES = frozenset(("", "-", "'", "’"))
_IRREGULAR = {"ca": "can", "wo": "will", "sha": "shall"}


@dataclass(frozen=True, slots=True)
class Token:
    """A word.

    Attributes:
        text: as written.
        normal: in normal form; for a phrase the one word that says the same.
        before: what stands between the word before and this one, without blanks.
        start: where it begins in the text of the sentence.
        end: where it ends.
    """

    text: str
    normal: str
    before: str
    start: int
    end: int

    @property
    def is_capital(self) -> bool:
        """Whether it is written with a capital, or with a digit or a capital within."""
        return any(character.isupper() or character.isdigit() for character in self.text)

    @property
    def is_possessive(self) -> bool:
        """Whether it is the ending of "Ada's"."""
        return self.normal == "s" and self.before in ("'", "’")


def plain_text(text: str) -> str:
    """A sentence without marks of Markdown, and with "not" for "n't"."""
    return _CONTRACTION.sub(_written_out, _MARKDOWN.sub("", text))


def _written_out(match: re.Match[str]) -> str:
    stem = (match[1] or "") + match[2]
    return f"{_IRREGULAR.get(stem.lower(), stem)} not"


def tokens_of(text: str) -> list[Token]:
    """The words of a text, in order."""
    found: list[Token] = []
    end = 0
    for match in _WORD.finditer(text):
        normal = normalize(match[0])
        if normal:
            before = "".join(text[end : match.start()].split())
            found.append(Token(match[0], normal.replace(" ", ""), before, match.start(), match.end()))
            end = match.end()
    return found


def with_phrases(
    tokens: Sequence[Token], phrases: Mapping[Phrase, str], taken: Sequence[bool]
) -> list[Token]:
    """The same, with the words of a phrase made those that say what it says. Phrases do not reach into what is
    ``taken``, and the number of tokens stays: further words of a phrase become empty."""
    result = list(tokens)
    by_first = _by_first_word(tuple(phrases))
    place = 0
    while place < len(tokens):
        step = 1
        if not taken[place]:
            for phrase in by_first.get(tokens[place].normal, ()):
                if stands_at(tokens, place, phrase) and not any(taken[place : place + len(phrase)]):
                    words = phrases[phrase].split()
                    for offset in range(len(phrase)):
                        normal = words[offset] if offset < len(words) else ""
                        result[place + offset] = replace(tokens[place + offset], normal=normal)
                    step = len(phrase)
                    break
        place += step
    return result


def stands_at(tokens: Sequence[Token], place: int, phrase: Phrase) -> bool:
    """Whether the words of a phrase stand side by side at a place."""
    last = place + len(phrase)
    if last > len(tokens) or tokens[place].normal != phrase[0]:
        return False
    span = tokens[place + 1 : last]
    return all(
        token.normal == word and token.before in _WITHIN_PHRASES
        for token, word in zip(span, phrase[1:], strict=True)
    )


def places_of(tokens: Sequence[Token], phrases: Sequence[Phrase]) -> Iterator[tuple[int, Phrase]]:
    """Where any of some phrases stands; the longest where several do."""
    by_first = _by_first_word(tuple(phrases))
    for place, token in enumerate(tokens):
        for phrase in by_first.get(token.normal, ()):
            if stands_at(tokens, place, phrase):
                yield place, phrase
                break


@cache
def _by_first_word(phrases: tuple[Phrase, ...]) -> Mapping[str, tuple[Phrase, ...]]:
    """Phrases by their first word, the longest first as they were."""
    found: dict[str, list[Phrase]] = {}
    for phrase in phrases:
        found.setdefault(phrase[0], []).append(phrase)
    return {word: tuple(items) for word, items in found.items()}


def is_noun(word: str, rules: Rules) -> bool:
    """Whether a word is a noun for one end of a relation, as far as the rules tell."""
    singular = rules.language.singular(word)
    if singular in rules.grammar["verbs"]:
        return False
    if word in rules.grammar["nouns"] or singular in rules.grammar["nouns"]:
        return True
    endings = tuple(rules.grammar["agent_endings"])
    return len(singular) > 4 and singular.endswith(endings) and not is_participle(word, rules)


def is_participle(word: str, rules: Rules) -> bool:
    """Whether a word may be a past participle."""
    return word in rules.grammar["participles"] or (
        len(word) > 3 and word.endswith(tuple(rules.grammar["participle_endings"]))
    )
