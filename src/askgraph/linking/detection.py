"""In which language a question is asked: by the words of each language that stand in it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import groupby

from ..core.words import normalize
from .language import PATTERN, Language, language, languages

_WORD = re.compile(r"[^\W_]+")
# Two words that any sentence has; a single one may be a part of a name ("Ludwig van der Berg").
_FEWEST_WORDS = 2
_SHORTEST_STEMMED = 4
# "Universidad de la Habana"
_MOST_WORDS_WITHIN_NAMES = 2


def detect_language(question: str) -> str:
    """The code of the language that most words of a question are of. English unless another has more of them.

    What stands between words with capitals is a part of a name as a rule, and so is a word with a capital itself, but
    in a language that writes nouns so.
    """
    words = list(_words_outside_names(_WORD.findall(question)))
    others = [language(code) for code in languages() if code != PATTERN]
    best, most = PATTERN, sum(_is_english(normalize(word), others) for word in words)
    for rules in others:
        count, tells = _count(words, rules)
        if count > most and (tells or count >= _FEWEST_WORDS):
            best, most = rules.code, count
    return best


def _is_english(word: str, others: Sequence[Language]) -> bool:
    """Whether English has a word, by its own rules or by the English side of another language's glossary."""
    english = language(PATTERN)
    return word in english.vocabulary or any(
        english.singular(word) in rules.english_words for rules in others
    )


def _count(words: Sequence[str], rules: Language) -> tuple[int, bool]:
    """How many of the words are of a language, and whether one of them is more than a little word that any name may
    have."""
    known = []
    for place, word in enumerate(words):
        is_name = place > 0 and word[0].isupper() and not rules.nouns_have_capitals
        if not is_name and _is_of(normalize(word), rules):
            known.append(normalize(word))
    return len(known), any(word not in rules.stop_words for word in known)


def _is_of(word: str, rules: Language) -> bool:
    if word in rules.vocabulary or rules.respelled(word) in rules.vocabulary:
        return True
    if len(word) < _SHORTEST_STEMMED or word in rules.english_words:
        return False
    return rules.stem(word) in rules.stemmed_glossary


def _words_outside_names(words: Sequence[str]) -> Iterator[str]:
    """The words, without the little ones between two with capitals."""
    runs = [(capital, list(group)) for capital, group in groupby(words, key=lambda word: word[0].isupper())]
    for place, (has_capitals, run) in enumerate(runs):
        # The first word of a question has a capital anyway.
        is_behind_name = place > 1 or (place == 1 and len(runs[0][1]) > 1)
        is_within = is_behind_name and place < len(runs) - 1 and len(run) <= _MOST_WORDS_WITHIN_NAMES
        if has_capitals or not is_within:
            yield from run
