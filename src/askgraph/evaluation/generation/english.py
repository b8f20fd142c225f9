"""English words as questions need them: plurals, forms of verbs, articles, and what may stand in a sentence at all."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any, Final

_VOWELS: Final = "aeiou"
_SPOKEN: Final = re.compile(r"[A-Za-z][A-Za-z'’-]*")
_ASIDE: Final = re.compile(r"\s*\([^)]*\)")
_LONGEST_LABEL: Final = 4


@dataclass(frozen=True, slots=True)
class VerbForms:
    """A verb: ``base`` "write", ``third`` "writes", ``past`` "wrote", ``participle`` "written"."""

    base: str
    third: str
    past: str
    participle: str


class English:
    """The words of the file ``en.toml``. Use :func:`english`."""

    def __init__(self, data: Mapping[str, Any]) -> None:
        self.templates = data
        words = data["words"]
        self.prepositions = frozenset(words["prepositions"].split())
        self.intransitive = frozenset(words["intransitive"].split())
        self.symmetric = frozenset(words["symmetric"].split())
        self.unspoken = frozenset(words["unspoken"].split())
        self.people = frozenset(words["people"].split())
        self.without_article = frozenset(words["without_article"].split())
        self._plurals = dict(pair.split() for pair in words["irregular_plurals"])
        self._needed: dict[str, str] = {}
        self._verbs: dict[str, VerbForms] = {}
        irregular = {base: (past, done) for base, past, done in map(str.split, words["irregular"])}
        for entry in words["verbs"].split():
            base, _, preposition = entry.partition(":")
            if preposition:
                self._needed[base] = preposition
            past, participle = irregular.get(base, (_past(base), _past(base)))
            forms = VerbForms(base, _third(base), past, participle)
            for form in (forms.base, forms.third, forms.past, forms.participle):
                self._verbs.setdefault(form, forms)

    def verb(self, word: str) -> VerbForms | None:
        """The forms of a verb, found by any of them; ``None`` for a word that is no verb of ours."""
        return self._verbs.get(word)

    def needed_preposition(self, base: str) -> str:
        """What stands between a verb and its object: "interact" needs "with". Empty where nothing does."""
        return self._needed.get(base, "")

    def one(self, noun: str) -> str:
        """ "a gene", "an employee"; "hardware", which cannot be counted, as it is."""
        last = noun.rpartition(" ")[2].casefold()
        if self._plurals.get(last) == last:
            return noun
        return f"{'an' if noun[:1].casefold() in _VOWELS else 'a'} {noun}"

    def is_plural(self, noun: str) -> bool:
        """Whether a noun names several: "pages", "years of experience"."""
        words = noun.casefold().split()
        head = next((place for place, word in enumerate(words) if word in self.prepositions), len(words))
        last = words[head - 1] if head else ""
        return last.endswith("s") and not last.endswith(("ss", "us", "is")) and last not in self._plurals

    def plural(self, noun: str) -> str:
        """The plural of a noun of one word or several: "gene", "member of staff", "company"."""
        head, separator, rest = noun.partition(" of ")
        first, _, last = head.rpartition(" ")
        plural = self._plurals.get(last.casefold())
        if plural is None:
            plural = last if last.casefold() in self._plurals.values() else _regular_plural(last)
        return f"{first} {plural}".strip() + separator + rest


def is_speakable(label: str) -> bool:
    """Whether a label may stand in a sentence: a few words of letters, none of them a code or an abbreviation."""
    words = label.split()
    return 0 < len(words) <= _LONGEST_LABEL and all(
        _SPOKEN.fullmatch(word) and _is_pronounceable(word) for word in words
    )


def _is_pronounceable(word: str) -> bool:
    if len(word) > 1 and word.isupper():
        return len(word) <= _LONGEST_LABEL  # an abbreviation that people say
    return any(letter in _VOWELS + "y" for letter in word.casefold()) and len(word) > 1


def without_aside(label: str) -> str:
    """A label without what stands in parentheses: "weight (g)" is "weight"."""
    return _ASIDE.sub("", label).strip()


@cache
def english() -> English:
    """English, read once."""
    text = files(__package__).joinpath("en.toml").read_text(encoding="utf-8")
    return English(tomllib.loads(text))


def _regular_plural(noun: str) -> str:
    lowered = noun.casefold()
    if lowered.endswith(("s", "x", "z", "ch", "sh")):
        return noun if lowered.endswith("s") and not lowered.endswith(("ss", "us", "is")) else noun + "es"
    if lowered.endswith("y") and lowered[-2:-1] not in _VOWELS:
        return noun[:-1] + "ies"
    return noun + "s"


def _third(base: str) -> str:
    if base.endswith(("s", "x", "z", "ch", "sh", "o")):
        return base + "es"
    if base.endswith("y") and base[-2] not in _VOWELS:
        return base[:-1] + "ies"
    return base + "s"


def _past(base: str) -> str:
    if base.endswith("e"):
        return base + "d"
    if base.endswith("y") and base[-2] not in _VOWELS:
        return base[:-1] + "ied"
    doubles = (
        len(base) > 2 and base[-1] not in _VOWELS + "wxy" and base[-2] in _VOWELS and base[-3] not in _VOWELS
    )
    # "ship", "plan": one syllable with a short vowel; "offer", "visit" are said otherwise.
    is_short = sum(letter in _VOWELS for letter in base) == 1
    return base + base[-1] + "ed" if doubles and is_short else base + "ed"
