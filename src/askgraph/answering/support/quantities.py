"""Numbers with their units, and moments in time: as sentences write them, and as facts hold them."""

from __future__ import annotations

import datetime
import math
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal

from ...core.values import Value, display
from .rules import Phrase, Rules, Unit
from .tokens import Token

_NUMBER = re.compile(r"(?<![\w.,])[+-]?(?:\d{1,3}(?:,\d{3})+|\d+)(?:\.\d+)?(?![\w])|(?<![\w.,])\.\d+")
_TIGHT = re.compile(
    r"(?<![\w.,])([+-]?(?:\d{1,3}(?:,\d{3})+|\d+)(?:\.\d+)?)(k|m|bn|g|kg|mg|mm|cm|km|%)(?!\w)", re.IGNORECASE
)
_ISO = re.compile(r"(?<!\d)(\d{4})-(\d{2})(?:-(\d{2}))?(?!\d)(?:[T ]\d{2}:\d{2}(?::\d{2})?)?")
_SLASHED = re.compile(r"(?<!\d)(\d{1,2})[/.](\d{1,2})[/.](\d{4})(?!\d)")
_DECADE = re.compile(r"(?<!\w)(\d{3}0)['’]?s(?!\w)")
_CENTURY = re.compile(r"(?<!\w)(\d{1,2})(?:st|nd|rd|th)(?:\s|-)century")
_ORDINAL_DAY = re.compile(r"^(\d{1,2})(?:st|nd|rd|th)?$")
_MULTIPLIERS = {
    "k": 1e3,
    "m": 1e6,
    "bn": 1e9,
    "thousand": 1e3,
    "million": 1e6,
    "billion": 1e9,
    "hundred": 1e2,
}
_SIGNS = "$€£¥%"
_EARLIEST_YEAR, _LATEST_YEAR = 1000, 2200
# Digits that a number shows beyond which it is not meant, where it is said to be a rough one.
_TOLERANCE = 0.02


@dataclass(frozen=True, slots=True)
class Number:
    """A number in a sentence, on the tokens from ``first`` to before ``last``.

    ``digit`` is what one step of its last shown digit is worth: 1 for 3,487, 100 for 3,500, 0.1 for 7.9.
    """

    first: int
    last: int
    value: float
    digit: float
    unit: str = ""
    about: bool = False
    exactly: bool = False
    bound: str = ""

    @property
    def is_year(self) -> bool:
        """Whether it may be a year."""
        plain = not (self.unit or self.about or self.bound) and self.value == int(self.value)
        return plain and _EARLIEST_YEAR <= self.value <= _LATEST_YEAR


@dataclass(frozen=True, slots=True)
class Moment:
    """A span of days in a sentence: a day, a month, a year, a decade, a century; both ends belong to it."""

    first: int
    last: int
    begin: datetime.date
    end: datetime.date
    bound: str = ""


Quantity = Number | Moment


# --- in a sentence


def quantities_of(text: str, tokens: Sequence[Token], taken: Sequence[bool], rules: Rules) -> list[Quantity]:
    """The numbers and moments of a sentence, in order, outside of what is taken by names."""
    free = list(taken)
    found: list[Quantity] = []
    written: list[Quantity] = [*_moments(text, tokens, rules), *_numbers(text, tokens, rules)]
    for quantity in written:
        if not any(free[quantity.first : quantity.last]):
            found.append(quantity)
            free[quantity.first : quantity.last] = [True] * (quantity.last - quantity.first)
    found = [_with_words_around(item, tokens, rules) for item in found]
    return sorted(found, key=lambda quantity: quantity.first)


def _span(tokens: Sequence[Token], start: int, end: int) -> tuple[int, int]:
    inside = [place for place, token in enumerate(tokens) if token.start < end and token.end > start]
    return (inside[0], inside[-1] + 1) if inside else (0, 0)


def _moments(text: str, tokens: Sequence[Token], rules: Rules) -> Iterator[Moment]:
    for match in _ISO.finditer(text):
        day = int(match[3]) if match[3] else None
        yield from _moment(_span(tokens, match.start(), match.end()), int(match[1]), int(match[2]), day)
    for match in _SLASHED.finditer(text):
        span = _span(tokens, match.start(), match.end())
        # Day and month may stand either way: both are tried, and the one that a fact has is meant.
        yield from _moment(span, int(match[3]), int(match[2]), int(match[1]))
    yield from _written_dates(tokens, rules)
    for match in _DECADE.finditer(text):
        year = int(match[1])
        yield Moment(*_span(tokens, match.start(), match.end()), _day(year), _day(year + 9, 12, 31))
    for match in _CENTURY.finditer(text):
        last = int(match[1]) * 100
        yield Moment(*_span(tokens, match.start(), match.end()), _day(last - 99), _day(last, 12, 31))


def _written_dates(tokens: Sequence[Token], rules: Rules) -> Iterator[Moment]:
    """ "31 December 2019", "December 31st, 2019", "the 31st of December 2019", "December 2019"."""
    for place, token in enumerate(tokens):
        month = rules.language.months.get(token.normal)
        if month is None:
            continue
        after = place + 1
        day, first = _day_before(tokens, place)
        behind = _ORDINAL_DAY.match(tokens[after].normal) if day is None and after < len(tokens) else None
        if behind is not None and int(behind[1]) <= 31:
            day, after = int(behind[1]), after + 1
        if after < len(tokens) and re.fullmatch(r"\d{4}", tokens[after].normal):
            yield from _moment((first, after + 1), int(tokens[after].normal), month, day)


def _day_before(tokens: Sequence[Token], place: int) -> tuple[int | None, int]:
    back = place - 1
    if back >= 0 and tokens[back].normal == "of":
        back -= 1
    if back >= 0 and (match := _ORDINAL_DAY.match(tokens[back].normal)) and 1 <= int(match[1]) <= 31:
        return int(match[1]), back
    return None, place


def _moment(span: tuple[int, int], year: int, month: int, day: int | None) -> Iterator[Moment]:
    try:
        begin = datetime.date(year, month, day or 1)
    except ValueError:
        return
    if day is not None:
        end = begin
    else:
        following = datetime.date(year + month // 12, month % 12 + 1, 1)
        end = following - datetime.timedelta(days=1)
    yield Moment(*span, begin, end)


def _day(year: int, month: int = 1, day: int = 1) -> datetime.date:
    return datetime.date(max(1, min(9999, year)), month, day)


def _numbers(text: str, tokens: Sequence[Token], rules: Rules) -> Iterator[Number]:
    for match in _TIGHT.finditer(text):
        first, last = _span(tokens, match.start(), match.end())
        suffix = match[2].lower()
        is_unit = suffix in rules.units and suffix != "m"
        value, digit = _value(match[1])
        factor = 1.0 if is_unit else _MULTIPLIERS.get(suffix, 1.0)
        yield Number(first, last, value * factor, digit * factor, suffix if is_unit else "")
    for match in _NUMBER.finditer(text):
        first, last = _span(tokens, match.start(), match.end())
        if last <= first:
            continue
        value, digit = _value(match[0])
        # The sign of "2010-2015" and of "+49-…" is none.
        sign = -1.0 if value < 0 and match.start() > 0 and text[match.start() - 1].isdigit() else 1.0
        number = Number(first, last, sign * value, digit)
        yield _with_multiplier(number, tokens)
    yield from _written_numbers(tokens, rules)


def _written_numbers(tokens: Sequence[Token], rules: Rules) -> Iterator[Number]:
    known = rules.language.numbers
    for place, token in enumerate(tokens):
        if token.normal not in known or (token.normal == "one" and not _counts(tokens, place, rules)):
            continue
        value, last = float(known[token.normal]), place + 1
        if value % 10 == 0 and last < len(tokens) and 0 < known.get(tokens[last].normal, 0) < 10:
            value, last = value + known[tokens[last].normal], last + 1
        yield _with_multiplier(Number(place, last, value, 1.0), tokens)


def _counts(tokens: Sequence[Token], place: int, rules: Rules) -> bool:
    """Whether "one" is a number here: not in "one of them", "the one that", "this one"."""
    after = tokens[place + 1].normal if place + 1 < len(tokens) else ""
    before = tokens[place - 1].normal if place else ""
    return (
        bool(after)
        and after not in rules.function_words
        and before not in rules.function_words - {"is", "are", "has", "have"}
    )


def _value(text: str) -> tuple[float, float]:
    plain = text.replace(",", "")
    decimals = len(plain.partition(".")[2])
    value = float(plain)
    if decimals:
        return value, 10.0**-decimals
    digits = plain.lstrip("+-")
    zeros = len(digits) - len(digits.rstrip("0")) if value else 0
    return value, 10.0**zeros


def _with_multiplier(number: Number, tokens: Sequence[Token]) -> Number:
    if (
        number.last < len(tokens)
        and tokens[number.last].normal in _MULTIPLIERS
        and len(tokens[number.last].normal) > 2
    ):
        factor = _MULTIPLIERS[tokens[number.last].normal]
        # "3 million" shows no digit below a million.
        return replace(number, last=number.last + 1, value=number.value * factor, digit=number.digit * factor)
    return number


def _with_words_around(quantity: Quantity, tokens: Sequence[Token], rules: Rules) -> Quantity:
    """With the unit behind or before a number, and what stands before it: "about", "more than"."""
    if isinstance(quantity, Number) and not quantity.unit:
        quantity = _with_unit(quantity, tokens, rules)
    about = exactly = False
    bound = ""
    while (phrase := _phrase_before(tokens, quantity.first, rules)) is not None:
        exactly = exactly or phrase[0] in rules.exactly
        bound = bound or rules.bounds.get(phrase, "")
        about = about or phrase in rules.about
        quantity = replace(quantity, first=quantity.first - len(phrase))
    if isinstance(quantity, Moment):
        return replace(quantity, bound=bound)
    return replace(quantity, about=about, exactly=exactly, bound=bound)


def _phrase_before(tokens: Sequence[Token], place: int, rules: Rules) -> Phrase | None:
    """The longest phrase right before a number that says how it is meant."""
    for size in range(min(rules.longest_bound, place), 0, -1):
        phrase = tuple(token.normal for token in tokens[place - size : place])
        if phrase in rules.before_numbers:
            return phrase
    return None


def _with_unit(number: Number, tokens: Sequence[Token], rules: Rules) -> Number:
    before = tokens[number.first].before[-1:] if number.first < len(tokens) else ""
    if before in _SIGNS and before:
        return replace(number, unit=before)
    if number.last < len(tokens):
        token = tokens[number.last]
        if token.before.startswith(tuple(_SIGNS)):
            return replace(number, unit=token.before[0])
        if token.normal in rules.units and token.before in ("", "-"):
            return replace(number, unit=token.normal, last=number.last + 1)
        if token.before[:2].casefold() in ("°",) and token.normal in ("c", "f"):
            return replace(number, unit=token.normal, last=number.last + 1)
    if (
        number.first > 0
        and tokens[number.first - 1].normal in rules.units
        and len(tokens[number.first - 1].normal) == 3
    ) and tokens[number.first - 1].text.isupper():
        return replace(number, unit=tokens[number.first - 1].normal, first=number.first - 1)
    return number


# --- in a fact


@dataclass(frozen=True, slots=True)
class Held:
    """What a value of a fact is, for comparisons: a number with a unit, or a day, a month or a year."""

    number: float | None = None
    unit: str = ""
    begin: datetime.date | None = None
    end: datetime.date | None = None


_WITH_UNIT = re.compile(
    r"\s*([$€£¥]?)\s*([+-]?\d[\d,]*(?:\.\d+)?(?:[eE][+-]?\d+)?)\s*([^\W\d_]{1,12}|[%°€£¥$]\w?)?\s*"
)
_UNIT_OF_LABEL = re.compile(r"[(\[]\s*([^)\]]+?)\s*[)\]]|[_ ]in[_ ]([a-z]+)$|[_]([a-zA-Z]+)$")


def held_of(value: Value, label: str, rules: Rules) -> Held | None:
    """What a value holds, or ``None`` for one that is neither number nor moment. A unit may stand in the label."""
    if value is None or isinstance(value, bool | bytes | dict | list):
        return None
    if isinstance(value, datetime.datetime):
        value = value.date()
    if isinstance(value, datetime.date):
        return Held(begin=value, end=value)
    unit = unit_of_label(label, rules)
    if isinstance(value, int | float | Decimal):
        return _of_number(float(value), unit) if math.isfinite(float(value)) else None
    text = display(value)
    if match := _ISO.fullmatch(text.strip()):
        moments = list(_moment((0, 0), int(match[1]), int(match[2]), int(match[3]) if match[3] else None))
        return Held(begin=moments[0].begin, end=moments[0].end) if moments else None
    if match := _WITH_UNIT.fullmatch(text):
        own = (match[1] or match[3] or "").casefold()
        if not own or own in rules.units:
            return _of_number(float(match[2].replace(",", "")), own or unit)
    return None


def _of_number(number: float, unit: str) -> Held:
    if number == int(number) and _EARLIEST_YEAR <= number <= _LATEST_YEAR and not unit:
        return Held(number, unit, _day(int(number)), _day(int(number), 12, 31))
    return Held(number, unit)


def unit_of_label(label: str, rules: Rules) -> str:
    """The unit that a property's label ends with: ``"weight (g)"``, ``"height_mm"``, ``"length in km"``."""
    match = _UNIT_OF_LABEL.search(label)
    name = next((part for part in match.groups() if part), "").casefold() if match else ""
    if name in rules.units:
        return name
    words = label.casefold().replace("_", " ").split()
    return next((word for word in words if word in rules.units and len(word) > 3), "")


# --- whether they agree


def agrees(quantity: Quantity, held: Held, rules: Rules) -> bool:
    """Whether a fact's value is what a sentence says."""
    if isinstance(quantity, Moment):
        return _moment_agrees(quantity, held)
    if held.number is None:
        # A year is a number to a sentence, and a part of a date to a fact.
        return _year_agrees(quantity, held)
    value = _in_unit_of(quantity, held, rules)
    if value is None:
        return False
    return number_agrees(quantity, value)


def has_other_unit(quantity: Quantity, held: Held, rules: Rules) -> bool:
    """Whether the figures may be equal and the units are not."""
    return (
        isinstance(quantity, Number)
        and held.number is not None
        and number_agrees(quantity, held.number)
        and not agrees(quantity, held, rules)
    )


def number_agrees(number: Number, value: float) -> bool:
    """Whether a number may be written so: to the last digit, rounded, or within its bound."""
    if number.bound:
        return compares(value, number.bound, number.value)
    if math.isclose(number.value, value, rel_tol=1e-9, abs_tol=1e-12):
        return True
    if number.exactly:
        return False
    rounded = math.floor(value / number.digit + 0.5) * number.digit
    is_rounded = math.isclose(rounded, number.value, rel_tol=1e-9)
    if number.digit < 1 or (number.value >= 1e5 and number.digit >= 1e4):
        # 7.9 for 7.86, and 3.5 million for 3,487,112, need no "about".
        return is_rounded
    near = abs(number.value - value) <= _TOLERANCE * max(abs(value), abs(number.value))
    return (
        number.about and value != 0 and (is_rounded or near) and abs(number.value - value) <= 0.1 * abs(value)
    )


def compares(value: float, sign: str, other: float) -> bool:
    """Whether ``value sign other`` holds."""
    if sign == ">":
        return value > other
    if sign == ">=":
        return value >= other
    if sign == "<":
        return value < other
    return value <= other if sign == "<=" else value == other


def _in_unit_of(number: Number, held: Held, rules: Rules) -> float | None:
    """The fact's number in the sentence's unit; ``None`` where one has a unit and the other has none like it."""
    assert held.number is not None
    if not number.unit:
        return held.number
    said, own = _unit(number.unit, rules), _unit(held.unit, rules)
    if said is None or own is None or said.dimension != own.dimension:
        return None
    return held.number * own.factor / said.factor


def _unit(name: str, rules: Rules) -> Unit | None:
    return rules.units.get(name.casefold())


def _moment_agrees(moment: Moment, held: Held) -> bool:
    if held.begin is None or held.end is None:
        return False
    if moment.bound in (">", ">="):
        return held.begin > moment.end if moment.bound == ">" else held.begin >= moment.begin
    if moment.bound in ("<", "<="):
        return held.end < moment.begin if moment.bound == "<" else held.end <= moment.end
    return moment.begin <= held.begin and held.end <= moment.end


def _year_agrees(number: Number, held: Held) -> bool:
    if held.begin is None or number.unit or number.about or number.value != int(number.value):
        return False
    year = held.begin.year
    return compares(year, number.bound, number.value) if number.bound else year == number.value
