"""What a question wants, read from its words by the rules of its language: how many, the most, those over …

Only the form is read here; which property "cheapest" or "under 20 euro" speaks of is found later, in the schema.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

from ..core.plan import AggregateFunction, Comparator
from .language import AskedKind, Extreme, Language
from .question import Question

_NUMBER = re.compile(r"[+-]?\d{1,3}(?:,\d{3})+(?:\.\d+)?|[+-]?\d+(?:\.\d+)?")
_LONGEST_PHRASE = 4
_FIRST_YEAR = 1000
_LAST_YEAR = 2200


@dataclass(frozen=True, slots=True)
class Superlative:
    """The ``limit`` ends of a scale. ``words`` speak of the property; if empty, the words of the question do."""

    extreme: Extreme
    words: tuple[str, ...]
    limit: int = 1


@dataclass(frozen=True, slots=True)
class Comparison:
    """A bound. ``words`` speak of the property: from an adjective or unit; empty: the words around the number do.
    ``is_time``: its words are of time ("before", "since").
    """

    comparator: Comparator
    number: int | float
    words: tuple[str, ...]
    place: int
    is_time: bool = False

    @property
    def may_be_year(self) -> bool:
        """Whether the number may be a year, to compare dates with."""
        return isinstance(self.number, int) and _FIRST_YEAR <= self.number <= _LAST_YEAR


@dataclass(frozen=True, slots=True)
class Form:
    """What a question wants.

    Attributes:
        counts: it asks how many; ``count_place`` is where.
        is_yes_no: it is answered by yes or no.
        superlative: it asks for the ends of a scale.
        comparisons: bounds that it sets.
        negated: it asks for what something is not true of; ``negation_place`` is where it says so.
        asked_kind: what its question word wants as an answer ("when": a time).
        asks_connection: it asks whether things are connected at all.
        asks_by_noun: a noun says what is asked for ("who is the manager").
        asked_for: words for what its question word asks for ("who": a person).
        aggregate: it asks for one figure made of many values.
        groups: the place of the word after "for each", "per" and the like, or ``None``.
        used: places of the words that the form is made of, and that name nothing.
    """

    counts: bool = False
    count_place: int | None = None
    is_yes_no: bool = False
    superlative: Superlative | None = None
    comparisons: tuple[Comparison, ...] = ()
    negated: bool = False
    negation_place: int | None = None
    asked_kind: AskedKind | None = None
    asks_by_noun: bool = False
    asks_connection: bool = False
    asked_for: tuple[str, ...] = ()
    aggregate: AggregateFunction | None = None
    groups: int | None = None
    used: frozenset[int] = frozenset()


def read_form(question: Question, rules: Language, taken: frozenset[int] = frozenset()) -> Form:
    """Read the form of a question. ``taken`` are places of words that belong to names, and so not to the form."""
    return _Reader(question, rules, taken).read()


class _Reader:
    def __init__(self, question: Question, rules: Language, taken: frozenset[int]) -> None:
        self._words = [word.normal for word in question.words]
        self._texts = [word.text for word in question.words]
        self._rules = rules
        self._taken = taken
        self._used: set[int] = set()

    def read(self) -> Form:
        count_place = self._read_count()
        comparisons = self._read_comparisons()
        superlative = self._read_superlative()
        aggregate = self._read_aggregate()
        groups = self._read_group()
        negation = self._negation_place()
        kinds = self._rules.asked_kinds
        return Form(
            counts=count_place is not None,
            count_place=count_place,
            is_yes_no=bool(self._words) and self._words[0] in self._rules.yes_no_words,
            superlative=superlative,
            comparisons=comparisons,
            negated=negation is not None,
            negation_place=negation,
            asked_kind=next((kinds[word] for word in self._words[:3] if word in kinds), None),
            asks_connection=any(word in self._rules.connection_words for word in self._words),
            asks_by_noun=any(word in self._rules.be_words for word in self._words[1:2]),
            asked_for=self._asked_for(),
            aggregate=aggregate,
            groups=groups,
            used=frozenset(self._used),
        )

    def _is_free(self, place: int) -> bool:
        return 0 <= place < len(self._words) and place not in self._taken and place not in self._used

    def _phrase_at(self, place: int, phrases: Mapping[str, object]) -> tuple[str, int] | None:
        """The longest of the phrases that begins here, and its number of words."""
        for length in range(min(_LONGEST_PHRASE, len(self._words) - place), 0, -1):
            places = range(place, place + length)
            phrase = " ".join(self._words[place : place + length])
            if phrase in phrases and all(self._is_free(other) for other in places):
                return phrase, length
        return None

    def _read_count(self) -> int | None:
        phrases = dict.fromkeys(self._rules.count_phrases)
        for place in range(len(self._words)):
            found = self._phrase_at(place, phrases)
            # In "the phone number of Ada" a number is asked for, and nothing is counted.
            if found is not None and (place == 0 or self._rules.is_filler(self._words[place - 1])):
                self._used.update(range(place, place + found[1]))
                return place
        return None

    def _negation_place(self) -> int | None:
        places = (place for place, word in enumerate(self._words) if word in self._rules.negations)
        found = next((place for place in places if self._is_free(place)), None)
        if found is not None:
            self._used.add(found)
        return found

    def _read_comparisons(self) -> tuple[Comparison, ...]:
        found = self._read_ranges()
        for place, text in enumerate(self._texts):
            number = _number(text)
            if number is None or not self._is_free(place):
                continue
            sign, words, first = self._before_number(place)
            after, last = self._after_number(place)
            if sign is not None:
                is_time = first < place and self._words[first] in self._rules.time_words
                found.append(Comparison(sign, number, words or after, place, is_time))
                self._used.update(range(first, last))
        return tuple(found)

    def _read_ranges(self) -> list[Comparison]:
        """ "between 9 and 13" is at least the one and at most the other."""
        for before, between in self._rules.ranges:
            for place in range(len(self._words) - 3):
                low, high = _number(self._texts[place + 1]), _number(self._texts[place + 3])
                places = range(place, place + 4)
                if self._words[place] != before or self._words[place + 2] != between:
                    continue
                if low is not None and high is not None and all(self._is_free(other) for other in places):
                    words, last = self._after_number(place + 3)
                    self._used.update(range(place, last))
                    return [
                        Comparison(">=", min(low, high), words, place + 1),
                        Comparison("<=", max(low, high), words, place + 3),
                    ]
        return []

    def _before_number(self, place: int) -> tuple[Comparator | None, tuple[str, ...], int]:
        """The comparator whose phrase ends just before the number, the property's words, and where it begins."""
        for length in range(_LONGEST_PHRASE, 0, -1):
            first = place - length
            if first < 0 or not all(self._is_free(other) for other in range(first, place)):
                continue
            phrase = " ".join(self._words[first:place])
            if phrase in self._rules.comparators:
                return self._rules.comparators[phrase], (), first
            number = _number(self._texts[place])
            if (
                phrase in self._rules.year_words
                and isinstance(number, int)
                and _FIRST_YEAR <= number <= _LAST_YEAR
            ):
                return "=", (), first
            if phrase.removesuffix(" than") in self._rules.comparatives and phrase.endswith(" than"):
                sign, words = self._rules.comparatives[phrase.removesuffix(" than")]
                return sign, tuple(words.split()), first
        return None, (), place

    def _after_number(self, place: int) -> tuple[tuple[str, ...], int]:
        following = self._words[place + 1] if self._is_free(place + 1) else ""
        if following in self._rules.units:
            return tuple(self._rules.units[following].split()), place + 2
        return (), place + 1

    def _read_superlative(self) -> Superlative | None:
        for place, word in enumerate(self._words):
            if not self._is_free(place):
                continue
            if word in self._rules.superlatives:
                extreme, words = self._rules.superlatives[word]
                return self._superlative(place, extreme, tuple(words.split()))
            before = self._words[place - 1] if place else ""
            if word in self._rules.degrees and f"{before} {word}" not in self._rules.comparators:
                following = self._words[place + 1] if self._is_free(place + 1) else ""
                words = self._rules.adjectives.get(following, "")
                if words:
                    self._used.add(place + 1)
                return self._superlative(place, self._rules.degrees[word], tuple(words.split()))
        return None

    def _superlative(self, place: int, extreme: Extreme, words: tuple[str, ...]) -> Superlative:
        self._used.add(place)
        limit = 1
        for near in (place + 1, place - 1):
            number = _number(self._texts[near]) if self._is_free(near) else None
            if isinstance(number, int) and number > 0:
                self._used.add(near)
                limit = number
                break
        # "the top 5 suppliers with best average reliability": the first gives the number, the second the scale.
        for later in range(place + 1, len(self._words)):
            if not words and self._is_free(later) and self._words[later] in self._rules.superlatives:
                second, own = self._rules.superlatives[self._words[later]]
                self._used.add(later)
                return Superlative(second, tuple(own.split()), limit)
        return Superlative(extreme, words, limit)

    def _asked_for(self) -> tuple[str, ...]:
        for word in self._words:
            if word in self._rules.asked:
                return tuple(self._rules.asked[word].split())
        return ()

    def _read_aggregate(self) -> AggregateFunction | None:
        for place, word in enumerate(self._words):
            if self._is_free(place) and word in self._rules.aggregates:
                self._used.add(place)
                return self._rules.aggregates[word]
        return None

    def _read_group(self) -> int | None:
        phrases = dict.fromkeys(self._rules.group_phrases)
        for place in range(len(self._words)):
            found = self._phrase_at(place, phrases)
            if found is not None and place + found[1] < len(self._words):
                self._used.update(range(place, place + found[1]))
                return place + found[1]
        return None


def _number(text: str) -> int | float | None:
    if not _NUMBER.fullmatch(text):
        return None
    plain = text.replace(",", "")
    return float(plain) if "." in plain else int(plain)
