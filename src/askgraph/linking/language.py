"""What is known of a language: its stop words, phrases and endings, read from a file of rules.

English is the language that labels are written in as a rule, so its file is the pattern of all others: what another
file leaves out is empty there. A language with a glossary is read into English where the graph's own words are not in
it (:mod:`askgraph.linking.translation`).
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, fields
from functools import cache, cached_property, lru_cache
from importlib import resources
from typing import Any, Literal

from ..core.errors import SettingsError
from ..core.plan import AggregateFunction, Comparator

_SHORTEST_SINGULAR = 3
# A stem that is the beginning of another, and this long, is the same word ("expert", "expertise").
_SHORTEST_COMMON_STEM = 5
_SHORTEST_DEED = 3
# Words of which it is kept what was found out.
_MOST_KEPT = 20_000

# What a file says its words in: in texts of words, lists of phrases, lists under what they mean, and as keys.
_WORDS = (
    *(
        "stop_words",
        "titles",
        "yes_no_words",
        "heads",
        "be_words",
        "connection_words",
        "negations",
        "time_words",
    ),
    *("by_words", "sort_words", "articles", "choosing_words", "clause_words", "listing_words", "with_words"),
)
_PHRASES = ("count_questions", "count_phrases", "number_of_phrases", "group_phrases", "year_words")
_PHRASES_BY_MEANING = ("comparators", "later_comparators", "aggregates", "counted_aggregates")
_TABLES = (
    *("superlatives", "degrees", "adjectives", "comparatives", "units", "asked", "places"),
    *("numbers", "multipliers", "ordinals", "months", "phrases"),
)

# The language whose file the others follow, and into which they are read.
PATTERN = "en"

Extreme = Literal["most", "least"]
AskedKind = Literal["time", "node", "place"]


@dataclass(frozen=True)
class Language:
    """The rules of one language. Words are given in normal form (:func:`askgraph.core.words.normalize`).

    Where a word stands for words of a schema (``superlatives`` and the like), these are separated by blanks.
    """

    code: str
    name: str
    stop_words: frozenset[str]
    weak_words: frozenset[str]
    never_adverbs: frozenset[str]
    identifier_words: frozenset[str]
    name_words: frozenset[str]
    titles: frozenset[str]
    preambles: tuple[str, ...]
    count_questions: frozenset[str]
    much_words: frozenset[str]
    count_phrases: frozenset[str]
    yes_no_words: frozenset[str]
    number_of_phrases: frozenset[str]
    amount_of_phrases: frozenset[str]
    group_phrases: frozenset[str]
    not_grouped: frozenset[str]
    by_words: frozenset[str]
    sort_words: frozenset[str]
    articles: frozenset[str]
    time_nouns: frozenset[str]
    century_words: frozenset[str]
    fractions: Mapping[str, float]
    choosing_words: frozenset[str]
    clause_words: frozenset[str]
    listing_words: frozenset[str]
    with_words: frozenset[str]
    of_words: frozenset[str]
    numbers: Mapping[str, int]
    multipliers: Mapping[str, int]
    ordinals: Mapping[str, int]
    months: Mapping[str, int]
    negations: frozenset[str]
    comparators: Mapping[str, Comparator]
    later_comparators: Mapping[str, Comparator]
    than_words: frozenset[str]
    name_time_words: frozenset[str]
    superlatives: Mapping[str, tuple[Extreme, str]]
    degrees: Mapping[str, Extreme]
    adjectives: Mapping[str, tuple[Extreme, str]]
    comparatives: Mapping[str, tuple[Comparator, str]]
    units: Mapping[str, str]
    asked: Mapping[str, str]
    asked_marks: Mapping[str, str]
    be_words: frozenset[str]
    asked_pronouns: frozenset[str]
    do_words: frozenset[str]
    prepositions: frozenset[str]
    relative_words: frozenset[str]
    participle_endings: tuple[str, ...]
    verb_endings: tuple[str, ...]
    agent_words: frozenset[str]
    agent_endings: tuple[str, ...]
    connection_words: frozenset[str]
    noun_markers: frozenset[str]
    noun_followers: frozenset[str]
    kind_markers: frozenset[str]
    universal_words: frozenset[str]
    role_markers: frozenset[str]
    possessives: frozenset[str]
    have_words: frozenset[str]
    sharing_words: frozenset[str]
    sharing_prefixes: frozenset[str]
    sharing_ends: frozenset[str]
    verbs_like_superlatives: frozenset[str]
    year_nouns: frozenset[str]
    share_phrases: frozenset[str]
    percentage_phrases: frozenset[str]
    percent_words: frozenset[str]
    difference_phrases: frozenset[str]
    common_words: frozenset[str]
    asked_kinds: Mapping[str, AskedKind]
    year_words: frozenset[str]
    time_words: frozenset[str]
    ranges: tuple[tuple[str, str], ...]
    synonyms: Mapping[str, str]
    phrases: Mapping[str, str]
    heads: frozenset[str]
    aggregates: Mapping[str, AggregateFunction]
    counted_aggregates: Mapping[str, AggregateFunction]
    places: Mapping[str, str]
    adverb_endings: tuple[str, ...]
    alternatives: frozenset[str]
    plurals: tuple[tuple[str, str], ...]
    other_plurals: tuple[tuple[str, str], ...]
    stemmer: str
    irregular: Mapping[str, str]
    decimal_mark: str
    thousands_mark: str
    order_tells: bool
    hyphens_join: bool
    nouns_have_capitals: bool
    glossary: Mapping[str, str]
    spellings: tuple[tuple[str, str], ...]
    joints: tuple[str, ...]
    vocabulary: frozenset[str]
    contractions: Mapping[str, str]
    abbreviations: Mapping[str, str]
    label_units: frozenset[str]
    pattern: Language | None = None

    def singular(self, word: str) -> str:
        """The singular of a word, as far as the rules know; the word itself otherwise."""
        return self._singulars_known(word)

    @cached_property
    def _singulars_known(self) -> Callable[[str], str]:
        # The words of a schema are looked at for every question.
        return lru_cache(_MOST_KEPT)(self._singular)

    def _singular(self, word: str) -> str:
        if word in self.irregular:
            return self.irregular[word]
        if self.pattern is not None and not self.plurals:
            return self.pattern.singular(word)
        for ending, replacement in self.plurals:
            if word.endswith(ending):
                singular = word[: len(word) - len(ending)] + replacement
                return singular if len(singular) >= _SHORTEST_SINGULAR else word
        return word

    def singulars(self, word: str) -> tuple[str, ...]:
        """Every word of which this one may be the plural, the likeliest first; more than there are such words."""
        cut = (
            word.removesuffix(ending) + replacement
            for ending, replacement in (*self.plurals, *self.other_plurals)
            if word.endswith(ending)
        )
        english = self.pattern.singulars(word) if self.pattern is not None else ()
        found = [self.singular(word), *(form for form in cut if len(form) >= _SHORTEST_SINGULAR), *english]
        return tuple(dict.fromkeys(found))

    def singular_phrase(self, phrase: str) -> str:
        """A phrase with its last word in the singular."""
        *rest, last = phrase.split(" ")
        return " ".join([*rest, self.singular(last)])

    def without_sharing(self, normalized: str) -> str:
        """A word without the beginning that says that it is done together: "starred" of "co-starred"."""
        first, _, rest = normalized.partition(" ")
        return rest if rest and first in self.sharing_prefixes else normalized

    def is_filler(self, word: str) -> bool:
        """Whether a word names nothing by itself."""
        return (
            word in self.stop_words
            or word in self.weak_words
            or (len(word) > 5 and word.endswith(self.adverb_endings) and word not in self.never_adverbs)
        )

    def stem(self, word: str) -> str:
        """What ``manager``, ``manages`` and ``managing`` have in common."""
        return _stem(self.stemmer, self.irregular.get(word, word))

    def deeds(self, word: str) -> frozenset[str]:
        """Stems of what somebody called so may do: that of ``direct`` for ``directors``; none for other words."""
        return self._deeds_known(word)

    @cached_property
    def _deeds_known(self) -> Callable[[str], frozenset[str]]:
        return lru_cache(_MOST_KEPT)(self._deeds)

    def _deeds(self, word: str) -> frozenset[str]:
        if self.pattern is not None:
            return self.pattern.deeds(word)
        agent = self.singular(word)
        ending = next((item for item in self.agent_endings if agent.endswith(item)), None)
        if ending is None or len(agent) - len(ending) < _SHORTEST_DEED:
            return frozenset()
        root = agent[: len(agent) - len(ending)]
        # Writer: write; winner: win; actor: act.
        roots = [root, agent[:-1], *([root[:-1]] if root[-1] == root[-2] else [])]
        return frozenset(map(self.stem, roots))

    def is_same_word(self, stem: str, other: str) -> bool:
        """Whether two stems are of one word."""
        if stem == other:
            return True
        short, long = sorted((stem, other), key=len)
        return len(short) >= _SHORTEST_COMMON_STEM and long.startswith(short)

    def content_words(self, normalized: str) -> tuple[str, ...]:
        """The words of a label, normalised, that are no stop words, in order, without repeats; its weak words where it
        has no others."""
        words = [word for word in normalized.split() if word not in self.stop_words]
        if self.pattern is not None:
            words = [word for word in words if word in self.pattern.content_words(normalized)]
        own = [word for word in words if word not in self.weak_words]
        return tuple(dict.fromkeys(own or words))

    def respelled(self, text: str) -> str:
        """A text with the letters that its own ones may have been written for: ``"mueller"`` gives ``"muller"``."""
        for written, meant in self.spellings:
            text = text.replace(written, meant)
        return text

    def plain_number(self, text: str) -> str:
        """A number as programs write it (``1500.5``), from one as this language does; any other text as it is."""
        if not self._number.fullmatch(text):
            return text
        return text.replace(self.thousands_mark, "").replace(self.decimal_mark, ".")

    @cached_property
    def _number(self) -> re.Pattern[str]:
        return re.compile(number_pattern(self.thousands_mark, self.decimal_mark))

    @cached_property
    def english_words(self) -> frozenset[str]:
        """The English side of the glossary."""
        return frozenset(self.glossary.values())

    @cached_property
    def stemmed_glossary(self) -> Mapping[str, str]:
        """The glossary by the stems of its words; the first of two words with one stem counts."""
        stems: dict[str, str] = {}
        for word, english in self.glossary.items():
            stems.setdefault(self.stem(word), english)
        return stems


def number_pattern(thousands: str, decimal: str) -> str:
    """A regular expression for a number with thousands set apart, or with a fraction."""
    apart, point = re.escape(thousands), re.escape(decimal)
    return rf"[+-]?(?:\d{{1,3}}(?:{apart}\d{{3}})+(?:{point}\d+)?|\d+{point}\d+)"


@lru_cache(maxsize=65_536)
def _stem(algorithm: str, word: str) -> str:
    import snowballstemmer

    stem: str = snowballstemmer.stemmer(algorithm).stemWord(word)
    return stem


def languages() -> tuple[str, ...]:
    """The codes of the languages that there are rules for, English first."""
    folder = resources.files(__package__) / "languages"
    codes = sorted(
        file.name.removesuffix(".toml") for file in folder.iterdir() if file.name.endswith(".toml")
    )
    return (PATTERN, *(code for code in codes if code != PATTERN))


@cache
def language(code: str) -> Language:
    """The rules for a language code such as ``"en"``.

    Raises:
        SettingsError: there is no file of rules for it.
    """
    if code not in languages():
        raise SettingsError(
            f"there are no rules for questions in {code!r}",
            advice=f"There are: auto, {', '.join(languages())}. A file of rules beside linking/languages/en.toml "
            "adds a language.",
        )
    data = _rules(code)
    pattern = None if code == PATTERN else language(PATTERN)
    every = _Inflected(data["endings"].get("inflections", ()))
    rules = {
        **_as_they_stand(data),
        **_tables(data, every),
        **_phrases_by_meaning(data, every),
        **_endings(data["endings"]),
        "vocabulary": frozenset(_words_of(data, every)),
        "pattern": pattern,
    }
    if pattern is not None:
        rules["synonyms"] = {**pattern.synonyms, **data["synonyms"]}
        rules["heads"] = rules["heads"] | pattern.heads
    return Language(**rules)


def _as_they_stand(data: Mapping[str, Any]) -> dict[str, Any]:
    """What a file gives by the names of the rules: words and phrases as sets, the rest as it is."""
    found: dict[str, Any] = {}
    for field in fields(Language):
        if field.name in data:
            value = data[field.name]
            if field.type == "frozenset[str]":
                value = frozenset(_listed(value))
            elif str(field.type).startswith("tuple"):
                value = tuple(tuple(item) if isinstance(item, list) else item for item in value)
            found[field.name] = value
    return found


def _tables(data: Mapping[str, Any], every: _Inflected) -> dict[str, Any]:
    """The tables whose words a file gives in short, or whose entries it does."""
    adjectives = {
        word: ("most", said) if isinstance(said, str) else (said[0], said[1])
        for word, said in data["adjectives"].items()
    }
    return {
        **{name: every(data[name]) for name in ("numbers", "ordinals", "degrees", "places")},
        **{name: every(_as_pairs(data[name])) for name in ("superlatives", "comparatives")},
        "adjectives": every(adjectives),
        "irregular": {**_irregular_verbs(data["irregular_verbs"]), **data["irregular"]},
        "glossary": {word: english for english, words in data["glossary"].items() for word in _listed(words)},
    }


def _as_pairs(table: Mapping[str, Sequence[str]]) -> dict[str, tuple[str, str]]:
    return {word: (first, second) for word, (first, second) in table.items()}


def _phrases_by_meaning(data: Mapping[str, Any], every: _Inflected) -> dict[str, Any]:
    """The tables that a file gives the other way round: under what phrases mean the phrases."""
    turned = {
        name: {phrase: meaning for meaning, phrases in data[name].items() for phrase in phrases}
        for name in _PHRASES_BY_MEANING
    }
    aggregates = {
        word: function
        for function, words in data["aggregates"].items()
        for word in every(dict.fromkeys(words))
    }
    return {**turned, "aggregates": aggregates}


def _endings(data: Mapping[str, Any]) -> dict[str, Any]:
    return {
        "adverb_endings": tuple(data["adverbs"]),
        "plurals": tuple((ending, replacement) for ending, replacement in data["plurals"]),
        "other_plurals": tuple(
            (ending, replacement) for ending, replacement in data.get("other_plurals", ())
        ),
        "joints": tuple(data.get("joints", ())),
    }


def _rules(code: str) -> dict[str, Any]:
    """What stands in the file of a language; what it leaves out is empty of the kind that English has there."""
    file = resources.files(__package__) / "languages" / f"{code}.toml"
    data: dict[str, Any] = tomllib.loads(file.read_text(encoding="utf-8"))
    if code != PATTERN:
        for key, value in _rules(PATTERN).items():
            # Numbers are written as in English unless a file says how.
            data.setdefault(key, value if key.endswith("_mark") else type(value)())
            if key == "endings":
                data[key] = {name: data[key].get(name, ()) for name in {**value, **data[key]}}
    return data


class _Inflected:
    """Writes out the forms of words that a file gives in short: ``"teuerst-"`` with every inflection, and
    ``"frances/francesa"`` one by one."""

    def __init__(self, inflections: Iterable[str]) -> None:
        self._inflections = tuple(inflections)

    def __call__(self, table: Mapping[str, Any]) -> dict[str, Any]:
        return {form: value for key, value in table.items() for form in self.forms(key)}

    def forms(self, key: str) -> list[str]:
        """All forms of a key."""
        return [
            form
            for word in key.split("/")
            for form in ([word[:-1] + end for end in self._inflections] if word.endswith("-") else [word])
        ]


def _listed(words: str | list[str]) -> list[str]:
    return words.split() if isinstance(words, str) else words


def _words_of(data: Mapping[str, Any], every: _Inflected) -> Iterable[str]:
    """Every word that the rules of a language speak of, but for those that they say in English."""
    phrases: list[str] = []
    for key in _WORDS:
        phrases += data[key].split()
    for key in _PHRASES:
        phrases += data[key]
    for key in _PHRASES_BY_MEANING:
        phrases += [phrase for listed in data[key].values() for phrase in listed]
    for key in _TABLES:
        phrases += list(data[key])
    if data["code"] == PATTERN:
        phrases += list(data["synonyms"])
    for words in data["glossary"].values():
        # A word that is English as well ("film") tells nothing.
        phrases += [word for word in _listed(words) if word not in data["glossary"]]
    for phrase in phrases:
        for form in every.forms(phrase):
            yield from form.split()


def _irregular_verbs(lines: Sequence[str]) -> dict[str, str]:
    """From each form of a verb to the first of its line."""
    return {form: base for base, *forms in map(str.split, lines) for form in forms}
