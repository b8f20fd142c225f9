"""How a language says what facts say: words and phrases, read from ``languages/<code>.toml``."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from importlib import resources
from typing import Any

from ...linking.language import Language, language

Phrase = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Family:
    """Words for one relation or property, and their stems; those of ``converse`` say it from its other end."""

    same: frozenset[str]
    converse: frozenset[str]

    def is_converse(self, form: str) -> bool:
        """Whether a word or stem of the family says it from the other end; a stem of both sides does not."""
        return form not in self.same and form in self.converse


@dataclass(frozen=True, slots=True)
class Unit:
    """A unit: what it measures, and how many of the first unit of that kind it is."""

    dimension: str
    factor: float


@dataclass(frozen=True, eq=False)
class Rules:
    """What the checker knows of a language. See ``languages/en.toml`` for what each part means."""

    language: Language
    foreign_words: frozenset[str]
    function_words: frozenset[str]
    reporting_words: frozenset[str]
    no_claim_phrases: tuple[Phrase, ...]
    missing_phrases: tuple[Phrase, ...]
    hedges: frozenset[str]
    negations: frozenset[str]
    no_negations: tuple[Phrase, ...]
    clause_ends: frozenset[str]
    totals: frozenset[str]
    totals_limited: frozenset[str]
    limitable: frozenset[str]
    limited_by: frozenset[str]
    pairs: frozenset[str]
    several: frozenset[str]
    about: tuple[Phrase, ...]
    exactly: frozenset[str]
    bounds: Mapping[Phrase, str]
    grammar: Mapping[str, frozenset[str]]
    phrases: Mapping[Phrase, str]
    families: tuple[Family, ...]
    symmetric: frozenset[str]
    types: Mapping[str, frozenset[str]]
    units: Mapping[str, Unit]
    aggregates: Mapping[str, str]

    def families_of(self, form: str) -> list[tuple[int, bool]]:
        """The families that a word or stem belongs to, by number, and whether it says them from the other end."""
        return self._families.get(form, [])

    @cached_property
    def before_numbers(self) -> frozenset[Phrase]:
        """Every phrase that says how a number behind it is meant."""
        return frozenset((*self.about, *self.bounds, *((word,) for word in self.exactly)))

    @cached_property
    def longest_bound(self) -> int:
        """Words of the longest of them."""
        return max(map(len, self.before_numbers))

    @cached_property
    def _families(self) -> Mapping[str, list[tuple[int, bool]]]:
        found: dict[str, list[tuple[int, bool]]] = {}
        for number, family in enumerate(self.families):
            for form in sorted(family.same | family.converse):
                found.setdefault(form, []).append((number, family.is_converse(form)))
        return found


def has_rules(code: str) -> bool:
    """Whether sentences of a language can be checked in full."""
    return resources.files(__package__).joinpath("languages", f"{code}.toml").is_file()


@cache
def support_rules(code: str) -> Rules:
    """The rules of a language that :func:`has_rules`."""
    file = resources.files(__package__).joinpath("languages", f"{code}.toml")
    data = tomllib.loads(file.read_text(encoding="utf-8"))
    own = language(code)
    return Rules(
        language=own,
        foreign_words=_words(data["foreign_words"]),
        function_words=_words(data["function_words"]),
        reporting_words=_words(data["reporting_words"]),
        no_claim_phrases=_phrases(data["no_claim_phrases"]),
        missing_phrases=_phrases(data["missing_phrases"]),
        hedges=_words(data["hedges"]),
        negations=_words(data["negations"]),
        no_negations=_phrases(data["no_negations"]),
        clause_ends=_words(data["clause_ends"]),
        totals=_words(data["totals"]),
        totals_limited=_words(data["totals_limited"]),
        limitable=_words(data["limitable"]),
        limited_by=_words(data["limited_by"]),
        pairs=_words(data["pairs"]),
        several=_words(data["several"]),
        about=_phrases(data["about"]),
        exactly=frozenset(data["exactly"]),
        bounds={phrase: sign for sign, texts in data["bounds"].items() for phrase in _phrases(texts)},
        grammar={
            key: _words(text) if isinstance(text, str) else frozenset(text)
            for key, text in data["grammar"].items()
        },
        phrases=_longest_first({tuple(text.split()): meant for text, meant in data["phrases"].items()}),
        families=tuple(
            _family(own, item["same"], item.get("converse", "")) for item in data["relations"]
        ),
        symmetric=_stems(own, data["symmetric"]["words"]),
        types={word: _words(others) for word, others in data["types"].items()},
        units=_units(data["units"]),
        aggregates={
            word: kind for kind, words in data["aggregates"].items() for word in words.split()
        },
    )  # fmt: skip


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


def _phrases(texts: Sequence[str]) -> tuple[Phrase, ...]:
    return tuple(sorted((tuple(text.split()) for text in texts), key=lambda phrase: (-len(phrase), phrase)))


def _longest_first(phrases: Mapping[Phrase, str]) -> Mapping[Phrase, str]:
    return dict(sorted(phrases.items(), key=lambda item: (-len(item[0]), item[0])))


def _stems(own: Language, text: str) -> frozenset[str]:
    return frozenset(own.stem(word) for word in text.split())


def _family(own: Language, same: str, converse: str) -> Family:
    """A word counts before its stem: "location" is where a thing is, "located" what it is."""
    words, others = _words(same), _words(converse)
    stems, other_stems = _stems(own, same), _stems(own, converse)
    return Family(words | (stems - others), others | (other_stems - words - stems))


def _units(data: Mapping[str, Any]) -> dict[str, Unit]:
    units: dict[str, Unit] = {}
    for name, (dimension, factor, others) in data.items():
        for spelling in (name, *others.split()):
            units.setdefault(spelling, Unit(dimension, float(factor)))
    return units
