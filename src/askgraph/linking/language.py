"""What is known of a language: its stop words, phrases and endings, read from a file of rules."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from importlib import resources
from typing import Literal

from ..core.errors import SettingsError
from ..core.plan import AggregateFunction, Comparator

_SHORTEST_SINGULAR = 3
# A stem that is the beginning of another, and this long, is the same word ("expert", "expertise").
_SHORTEST_COMMON_STEM = 5
_SHORTEST_DEED = 3

Extreme = Literal["most", "least"]
AskedKind = Literal["time", "node", "place"]


@dataclass(frozen=True)
class Language:
    """The rules of one language. Words are given in normal form (:func:`askgraph.core.words.normalize`).

    Where a word stands for words of a schema (``superlatives`` and the like), these are separated by blanks.
    """

    stop_words: frozenset[str]
    weak_words: frozenset[str]
    titles: frozenset[str]
    count_questions: frozenset[str]
    count_phrases: frozenset[str]
    yes_no_words: frozenset[str]
    number_of_phrases: frozenset[str]
    group_phrases: frozenset[str]
    not_grouped: frozenset[str]
    by_words: frozenset[str]
    sort_words: frozenset[str]
    articles: frozenset[str]
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
    adjectives: Mapping[str, str]
    comparatives: Mapping[str, tuple[Comparator, str]]
    units: Mapping[str, str]
    asked: Mapping[str, str]
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
    role_markers: frozenset[str]
    possessives: frozenset[str]
    have_words: frozenset[str]
    sharing_words: frozenset[str]
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

    def singular(self, word: str) -> str:
        """The singular of a word, as far as the rules know; the word itself otherwise."""
        if word in self.irregular:
            return self.irregular[word]
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
        found = [self.singular(word), *(form for form in cut if len(form) >= _SHORTEST_SINGULAR)]
        return tuple(dict.fromkeys(found))

    def singular_phrase(self, phrase: str) -> str:
        """A phrase with its last word in the singular."""
        *rest, last = phrase.split(" ")
        return " ".join([*rest, self.singular(last)])

    def is_filler(self, word: str) -> bool:
        """Whether a word names nothing by itself."""
        return (
            word in self.stop_words
            or word in self.weak_words
            or (len(word) > 5 and word.endswith(self.adverb_endings))
        )

    def stem(self, word: str) -> str:
        """What ``manager``, ``manages`` and ``managing`` have in common."""
        return _stem(self.stemmer, self.irregular.get(word, word))

    def deeds(self, word: str) -> frozenset[str]:
        """Stems of what somebody called so may do: that of ``direct`` for ``directors``; none for other words."""
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
        own = [word for word in words if word not in self.weak_words]
        return tuple(dict.fromkeys(own or words))


@lru_cache(maxsize=65_536)
def _stem(algorithm: str, word: str) -> str:
    import snowballstemmer

    stem: str = snowballstemmer.stemmer(algorithm).stemWord(word)
    return stem


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
        weak_words=frozenset(data["weak_words"].split()),
        titles=frozenset(data["titles"].split()),
        count_questions=frozenset(data["count_questions"]),
        count_phrases=frozenset(data["count_phrases"]),
        yes_no_words=frozenset(data["yes_no_words"].split()),
        number_of_phrases=frozenset(data["number_of_phrases"]),
        group_phrases=frozenset(data["group_phrases"]),
        not_grouped=frozenset(data["not_grouped"].split()),
        by_words=frozenset(data["by_words"].split()),
        sort_words=frozenset(data["sort_words"].split()),
        choosing_words=frozenset(data["choosing_words"].split()),
        clause_words=frozenset(data["clause_words"].split()),
        listing_words=frozenset(data["listing_words"].split()),
        with_words=frozenset(data["with_words"].split()),
        of_words=frozenset(data["of_words"].split()),
        articles=frozenset(data["articles"].split()),
        numbers=data["numbers"],
        multipliers=data["multipliers"],
        ordinals=data["ordinals"],
        months=data["months"],
        negations=frozenset(data["negations"].split()),
        comparators={phrase: sign for sign, phrases in data["comparators"].items() for phrase in phrases},
        later_comparators={
            phrase: sign for sign, phrases in data["later_comparators"].items() for phrase in phrases
        },
        than_words=frozenset(data["than_words"].split()),
        name_time_words=frozenset(data["name_time_words"].split()),
        superlatives={word: (extreme, words) for word, (extreme, words) in data["superlatives"].items()},
        degrees=data["degrees"],
        adjectives=data["adjectives"],
        comparatives={phrase: (sign, words) for phrase, (sign, words) in data["comparatives"].items()},
        units=data["units"],
        asked=data["asked"],
        be_words=frozenset(data["be_words"].split()),
        asked_pronouns=frozenset(data["asked_pronouns"].split()),
        do_words=frozenset(data["do_words"].split()),
        prepositions=frozenset(data["prepositions"].split()),
        relative_words=frozenset(data["relative_words"].split()),
        participle_endings=tuple(data["participle_endings"]),
        verb_endings=tuple(data["verb_endings"]),
        connection_words=frozenset(data["connection_words"].split()),
        agent_endings=tuple(data["agent_endings"]),
        agent_words=frozenset(data["agent_words"].split()),
        noun_markers=frozenset(data["noun_markers"].split()),
        noun_followers=frozenset(data["noun_followers"].split()),
        kind_markers=frozenset(data["kind_markers"].split()),
        role_markers=frozenset(data["role_markers"].split()),
        possessives=frozenset(data["possessives"].split()),
        have_words=frozenset(data["have_words"].split()),
        sharing_words=frozenset(data["sharing_words"].split()),
        asked_kinds=data["asked_kinds"],
        year_words=frozenset(data["year_words"]),
        time_words=frozenset(data["time_words"].split()),
        ranges=tuple((before, between) for before, between in data["ranges"]),
        synonyms=data["synonyms"],
        phrases=data["phrases"],
        heads=frozenset(data["heads"].split()),
        aggregates={word: function for function, words in data["aggregates"].items() for word in words},
        counted_aggregates={
            phrase: function for function, phrases in data["counted_aggregates"].items() for phrase in phrases
        },
        places=data["places"],
        adverb_endings=tuple(data["endings"]["adverbs"]),
        alternatives=frozenset(data["alternatives"].split()),
        plurals=tuple((ending, replacement) for ending, replacement in data["endings"]["plurals"]),
        other_plurals=tuple(
            (ending, replacement) for ending, replacement in data["endings"].get("other_plurals", ())
        ),
        stemmer=data["stemmer"],
        irregular={**_irregular_verbs(data["irregular_verbs"]), **data["irregular"]},
    )


def _irregular_verbs(lines: Sequence[str]) -> dict[str, str]:
    """From each form of a verb to the first of its line."""
    return {form: base for base, *forms in map(str.split, lines) for form in forms}
