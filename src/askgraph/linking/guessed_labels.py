"""Words for properties whose labels are codes, read from what their values look like: e-mail addresses, telephones …

Only what cannot be mistaken is guessed, and it stands beside the label, never in its place.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Final

from ..core.schema import Property, Schema
from ..core.values import LanguageText
from .language import language

_CODE: Final = re.compile(r"[A-Za-z]{0,4}[\W_]*\d+")
_SHARE: Final = 0.8
# Fewer samples than this could look like anything; a currency or a country may be the same everywhere.
_FEWEST_SAMPLES: Final = 3
# Lists of countries are never whole.
_SHARE_OF_COUNTRIES: Final = 0.3
_SHAPES: Final = (
    (re.compile(r"[^\s@]+@[^\s@]+\.[^\s@]+"), ("email", "email address")),
    (re.compile(r"(?:https?|ftp)://\S+|www\.\S+"), ("web address", "website", "url")),
    (re.compile(r"(?=(?:\D*\d){7})[+(0][\d ()/.-]*\d"), ("phone", "telephone", "phone number")),
    (re.compile(r"(?=.*\d)(?=.*[^\W\d_]{3}).*,.*\d.*"), ("address",)),
)
_CURRENCY: Final = re.compile(
    r"AUD|BRL|CAD|CHF|CNY|CZK|DKK|EUR|GBP|HKD|HUF|IDR|ILS|INR|JPY|KRW|MXN|NOK|NZD|PLN|RON|RUB|SEK|SGD|THB|TRY|USD|ZAR"
)


def with_guessed_labels(schema: Schema) -> Schema:
    """The schema, with further labels for properties that are called by codes, and a note that says so."""
    guessed = {item.key: words for item in schema.properties if (words := _guessed(item))}
    if not guessed:
        return schema
    said = ", ".join(f"{schema.label_of(key)} ({words[0]})" for key, words in guessed.items())
    return replace(
        schema,
        properties=tuple(
            replace(item, other_labels=(*item.other_labels, *guessed[item.key]))
            if item.key in guessed
            else item
            for item in schema.properties
        ),
        notes=(*schema.notes, f"Guessed from the values of properties that are called by codes: {said}."),
    )


def _guessed(item: Property) -> tuple[str, ...]:
    if item.other_labels or not _CODE.fullmatch(item.label):
        return ()
    samples = [str(value).strip() for value in item.samples if isinstance(value, str | LanguageText)]
    if not samples:
        return ()
    if all(map(_CURRENCY.fullmatch, samples)):
        return ("currency",)
    if len(samples) < _FEWEST_SAMPLES:
        return ()
    countries = frozenset(language("en").places.values())
    if _share(text.casefold() in countries for text in samples) >= _SHARE_OF_COUNTRIES:
        return ("country",)
    return next((words for shape, words in _SHAPES if _all_like(shape, samples)), ())


def _all_like(shape: re.Pattern[str], samples: Sequence[str]) -> bool:
    return _share(shape.fullmatch(text) is not None for text in samples) >= _SHARE


def _share(held: Iterable[bool]) -> float:
    answers = list(held)
    return sum(answers) / len(answers)
