"""Bounds that a question sets: by a number ("under 20 euro"), a time ("before March 2019"), or a name ("than Ada")."""

from __future__ import annotations

import datetime
import re
from collections.abc import Iterable
from dataclasses import dataclass

from ..core.plan import Comparator
from .form_words import FormWords, Number, number_of

FIRST_YEAR, LAST_YEAR = 1000, 2200
"""A whole number from the one to the other may be a year."""

_DAY = re.compile(r"(\d{4})-(\d{2})-(\d{2})")
_DAY_OF_MONTH = re.compile(r"(\d{1,2})(?:st|nd|rd|th)?")
_DECADE = re.compile(r"(\d{2})?(\d)0s")
# How many words may stand between "more" and "than": "more years at sea than".
_MOST_WORDS_COMPARED = 6


@dataclass(frozen=True, slots=True)
class Period:
    """A span of time: from the day ``first`` to before the day ``beyond``."""

    first: datetime.date
    beyond: datetime.date

    @classmethod
    def of_year(cls, year: int, last: int | None = None) -> Period:
        """A year, or the years from one to another."""
        return cls(datetime.date(year, 1, 1), datetime.date((last or year) + 1, 1, 1))

    @property
    def years(self) -> tuple[int, int] | None:
        """Its first and last year, where it is made of whole years."""
        if (self.first.month, self.first.day, self.beyond.month, self.beyond.day) != (1, 1, 1, 1):
            return None
        return self.first.year, self.beyond.year - 1


@dataclass(frozen=True, slots=True)
class Comparison:
    """A bound. ``words`` speak of the property: from an adjective or unit; empty: the words around the number do.
    ``is_time``: its words are of time ("before", "since"). ``behind`` is the place behind it. ``unit`` is what the
    number counts, if that is a unit of measure.
    """

    comparator: Comparator
    number: Number | Period
    words: tuple[str, ...]
    place: int
    is_time: bool = False
    behind: int = 0
    unit: str = ""

    @property
    def period(self) -> Period | None:
        """The time that is compared with, if it may be one: a number may be a year."""
        if isinstance(self.number, Period):
            return self.number
        if isinstance(self.number, int) and FIRST_YEAR <= self.number <= LAST_YEAR:
            return Period.of_year(self.number)
        return None


@dataclass(frozen=True, slots=True)
class NameComparison:
    """A bound by what something named has: "heavier than the Iron Duke". ``place`` is where the name begins,
    ``said_at`` where the comparative stands: what follows it may be what is measured ("a higher tonnage than").
    ``is_same``: it is to be the same ("the same nationality as Ada"); ``is_of_year``: of a time the year is.
    """

    comparator: Comparator
    words: tuple[str, ...]
    place: int
    is_time: bool = False
    said_at: int = 0
    is_same: bool = False
    is_of_year: bool = False


@dataclass(frozen=True, slots=True)
class OwnComparison:
    """A bound by another property of the same thing: "wider than they are tall". Each has words for its property."""

    comparator: Comparator
    words: tuple[str, ...]
    than_words: tuple[str, ...]


def read_own_comparison(words: FormWords) -> OwnComparison | None:
    """The bound by another property of the same thing, if there is one; its words are used."""
    rules = words.rules
    for place, word in enumerate(words.words):
        if word not in rules.than_words or not place:
            continue
        read = _comparative_at(words, place - 1)
        behind = words.skip_stop_words(place + 1)
        adjective = rules.adjectives.get(words.word(behind))
        if read is not None and read[1] and adjective is not None and words.is_free(behind):
            words.use([place - 1, place, behind])
            return OwnComparison(*read, tuple(adjective[1].split()))
    return None


def read_comparisons(words: FormWords) -> tuple[Comparison, ...]:
    """The bounds by numbers and times, in the order in which they stand; their words are used."""
    found = [*_ranges(words)]
    place = 0
    while place < len(words):
        read = _comparison_at(words, place)
        if read is not None:
            found.append(read)
        place += 1
    return tuple(sorted(found, key=lambda item: item.place))


def read_name_comparison(words: FormWords) -> NameComparison | None:
    """The bound by a name, if there is one; its words are used, but for the noun in "more years at sea than"."""
    rules = words.rules
    for place, word in enumerate(words.words):
        if word not in rules.than_words or not words.is_free(place):
            continue
        name = words.skip_stop_words(place + 1)
        if not words.is_taken(name):
            continue
        for before in range(place - 1, max(-1, place - 1 - _MOST_WORDS_COMPARED), -1):
            read = _comparative_at(words, before)
            if read is not None:
                words.use([before, place])
                if f"{words.word(before - 1)} {words.words[before]}" in rules.comparatives:
                    words.use([before - 1])  # "more expensive than"
                return NameComparison(*read, name, said_at=before)
    return _before_or_after_a_name(words) or _the_same_as_a_name(words)


def _the_same_as_a_name(words: FormWords) -> NameComparison | None:
    """ "The same nationality as Ada", "share a birthday with Ada"."""
    rules = words.rules
    for place, word in enumerate(words.words):
        if word not in rules.sharing_words:
            continue
        first = words.skip_stop_words(place + 1)
        for end in range(first + 1, min(first + _MOST_WORDS_COMPARED, len(words))):
            if words.words[end] not in rules.sharing_ends:
                continue
            name = words.skip_stop_words(end + 1)
            if not words.may_be_name(name):
                break
            between = frozenset(words.words[first:end])
            return NameComparison(
                "=",
                (),
                name,
                is_time=bool(between & rules.time_nouns),
                said_at=first - 1,
                is_same=True,
                is_of_year=bool(between & rules.year_nouns),
            )
    return None


def _comparative_at(words: FormWords, place: int) -> tuple[Comparator, tuple[str, ...]] | None:
    rules, word = words.rules, words.words[place]
    if not words.is_free(place):
        return None
    pair = f"{words.word(place - 1)} {word}"
    for phrase in (pair, word):
        if phrase in rules.comparatives:
            sign, own = rules.comparatives[phrase]
            return sign, tuple(own.split())
    than = next(iter(sorted(rules.than_words)))
    return (rules.comparators[f"{word} {than}"], ()) if f"{word} {than}" in rules.comparators else None


def _before_or_after_a_name(words: FormWords) -> NameComparison | None:
    rules = words.rules
    for place, word in enumerate(words.words):
        sign = rules.comparators.get(word)
        if word in rules.name_time_words and sign is not None and words.is_free(place):
            name = words.skip_stop_words(place + 1)
            if words.is_taken(name):
                words.use([place])
                return NameComparison(sign, (), name, is_time=True, said_at=place)
    return None


# --- by numbers and times


def _ranges(words: FormWords) -> Iterable[Comparison]:
    """ "between 9 and 13" is at least the one and at most the other."""
    for before, between in words.rules.ranges:
        for place in range(len(words) - 3):
            if words.words[place] != before or not words.is_free(place):
                continue
            low = _value_at(words, place + 1)
            middle = place + 1 + low[1] if low else 0
            high = _value_at(words, middle + 1) if low and words.word(middle) == between else None
            if not low or not high or not words.is_free(middle):
                continue
            own, last = _unit_at(words, middle + 1 + high[1])
            words.use(range(place, last))
            first, second = sorted((low[0], high[0]), key=_size)
            is_time = isinstance(first, Period) or isinstance(second, Period)
            unit = own[0] if own else ""
            yield Comparison(">=", first, own, place + 1, is_time, last, unit)
            yield Comparison("<=", second, own, middle + 1, is_time, last, unit)


def _size(value: Number | Period) -> float:
    return value.first.toordinal() / 365.2425 if isinstance(value, Period) else value


def _comparison_at(words: FormWords, place: int) -> Comparison | None:
    value = _value_at(words, place)
    if value is None:
        return None
    number, length = value
    sign, own, first = _before(words, place, number)
    after, last = _unit_at(words, place + length)
    later = words.phrase_at(last, words.rules.later_comparators)
    if later is not None:
        sign, last = words.rules.later_comparators[later[0]], last + later[1]
    if sign is None and isinstance(number, Period) and number.years and number.years[0] != number.years[1]:
        sign = "="  # a decade is a bound by itself
    if sign is None and not isinstance(number, Period) and _says_how_many(words, place, last):
        sign = "="
    if sign is None:
        return None
    is_time = isinstance(number, Period) or (first < place and words.words[first] in words.rules.time_words)
    words.use(range(first, last))
    return Comparison(sign, number, own or after, place, is_time, last, after[0] if after else "")


def _says_how_many(words: FormWords, place: int, behind: int) -> bool:
    """Whether a number says how many of something there are: "symphonies with 5 movements"."""
    before = words.word(place - 1)
    is_had = before in words.rules.with_words or before in words.rules.have_words
    return is_had and place > 1 and behind < len(words) and not words.is_stop[behind]


def _before(
    words: FormWords, place: int, number: Number | Period
) -> tuple[Comparator | None, tuple[str, ...], int]:
    """The comparator whose phrase ends just before a value, the property's words, and where the phrase begins."""
    rules = words.rules
    is_year = isinstance(number, int) and FIRST_YEAR <= number <= LAST_YEAR
    found = words.phrase_before(place, rules.comparators)
    if isinstance(number, Period) or is_year:
        within = words.phrase_before(place, rules.year_words)
        # The longer phrase counts: "despues de 2012" is after it, "de 2012" within it.
        if within is not None and (found is None or within[1] <= found[1]):
            return "=", (), within[1]
    if found is not None:
        return rules.comparators[found[0]], (), found[1]
    for than in sorted(rules.than_words):
        phrases = {f"{phrase} {than}": item for phrase, item in rules.comparatives.items()}
        found = words.phrase_before(place, phrases)
        if found is not None:
            sign, own = phrases[found[0]]
            return sign, tuple(own.split()), found[1]
    return _with_noun_between(words, place) or (None, (), place)


def _with_noun_between(words: FormWords, place: int) -> tuple[Comparator, tuple[str, ...], int] | None:
    """ "A higher length than 40": the comparative stands before what is measured. Only it and the "than" are used."""
    than = place - 1
    if words.word(than) not in words.rules.than_words or not words.is_free(than):
        return None
    for before in range(than - 2, max(-1, than - _MOST_WORDS_COMPARED), -1):
        read = _comparative_at(words, before)
        if read is not None:
            words.use([before])
            return (*read, than)
    return None


def _unit_at(words: FormWords, place: int) -> tuple[tuple[str, ...], int]:
    """Words for the property that the unit at a place measures, if there is one, and the place behind it."""
    unit = words.word(place) if words.is_free(place) else ""
    if unit in words.rules.units:
        return (unit, *words.rules.units[unit].split()), place + 1
    return (), place


def _value_at(words: FormWords, place: int) -> tuple[Number | Period, int] | None:
    if not words.is_free(place):
        return None
    return _period_at(words, place) or words.number_at(place)


def _period_at(words: FormWords, place: int) -> tuple[Period, int] | None:
    """A day, a month or a decade that begins at a place, and its number of words."""
    text = words.texts[place]
    day = _DAY.fullmatch(text)
    if day is not None:
        return _period(int(day[1]), int(day[2]), int(day[3]), 1)
    decade = _DECADE.fullmatch(text)
    if decade is not None:
        century = decade[1] or "19"
        first = int(f"{century}{decade[2]}0")
        return Period.of_year(first, first + 9), 1
    return _century_at(words, place) or _month_at(words, place) or _day_before_month_at(words, place)


def _century_at(words: FormWords, place: int) -> tuple[Period, int] | None:
    """ "The 19th century" is from 1801 to 1900."""
    number = _DAY_OF_MONTH.fullmatch(words.texts[place])
    if number is None or words.word(place + 1) not in words.rules.century_words:
        return None
    last = 100 * int(number[1])
    return (Period.of_year(last - 99, last), 2) if FIRST_YEAR <= last <= LAST_YEAR else None


def _month_at(words: FormWords, place: int) -> tuple[Period, int] | None:
    """ "March 2019", "March 5, 2019"."""
    month = words.rules.months.get(words.word(place))
    if month is None:
        return None
    behind = _behind_of(words, place + 1)
    year = _year_at(words, behind)
    if year is not None:
        return _period(year, month, None, behind + 1 - place)
    day, year = _day_of_month_at(words, place + 1), _year_at(words, place + 2)
    return _period(year, month, day, 3) if day is not None and year is not None else None


def _day_before_month_at(words: FormWords, place: int) -> tuple[Period, int] | None:
    """ "5 March 2019", "5th of March 2019", "5 de marzo de 2019"."""
    day = _day_of_month_at(words, place)
    if day is None:
        return None
    behind = _behind_of(words, place + 1)
    last = _behind_of(words, behind + 1)
    month, year = words.rules.months.get(words.word(behind)), _year_at(words, last)
    return _period(year, month, day, last + 1 - place) if month is not None and year is not None else None


def _behind_of(words: FormWords, place: int) -> int:
    """The place itself, or the one behind an "of" that stands there."""
    return place + 1 if words.word(place) in words.rules.noun_followers else place


def _day_of_month_at(words: FormWords, place: int) -> int | None:
    found = _DAY_OF_MONTH.fullmatch(words.texts[place]) if words.is_free(place) else None
    return int(found[1]) if found else None


def _year_at(words: FormWords, place: int) -> int | None:
    number = number_of(words.texts[place]) if words.is_free(place) else None
    return number if isinstance(number, int) and FIRST_YEAR <= number <= LAST_YEAR else None


def _period(year: int, month: int, day: int | None, length: int) -> tuple[Period, int] | None:
    try:
        first = datetime.date(year, month, day or 1)
    except ValueError:
        return None
    if day is not None:
        return Period(first, first + datetime.timedelta(days=1)), length
    return Period(first, datetime.date(year + month // 12, month % 12 + 1, 1)), length
