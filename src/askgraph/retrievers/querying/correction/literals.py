"""Values written as another kind of value: what a text says as a number or a date, and the other way round."""

from __future__ import annotations

import datetime
import re
from collections.abc import Collection

from ....core.values import ValueType

_INTEGER = re.compile(r"[+-]?\d{1,18}")
_DECIMAL = re.compile(r"[+-]?\d{1,15}\.\d{1,15}")
_WITH_THOUSANDS = re.compile(r"[+-]?\d{1,3}(?:,\d{3})+(?:\.\d+)?")
_WITH_UNIT = re.compile(r"([+-]?\d[\d,]*(?:\.\d+)?)\s?([A-Za-z%€$£°]{1,12})")


def as_number(text: str) -> str | None:
    """The number that a text is, as programs write it; ``None`` if it is none. ``"1,500"`` is 1500."""
    plain = text.strip()
    if _WITH_THOUSANDS.fullmatch(plain):
        plain = plain.replace(",", "")
    return plain if _INTEGER.fullmatch(plain) or _DECIMAL.fullmatch(plain) else None


def number_with_unit(text: str) -> tuple[str, str] | None:
    """A number and the unit behind it (``"120 mm"``); ``None`` for anything else."""
    found = _WITH_UNIT.fullmatch(text.strip())
    number = as_number(found[1]) if found else None
    return (number, found[2]) if found and number else None


def as_date(text: str) -> str | None:
    """The day that a text is, in ISO 8601; ``None`` if it is none."""
    day = text.strip()
    try:
        return datetime.date.fromisoformat(day).isoformat() if len(day) == 10 else None
    except ValueError:
        return None


def are_numbers(kinds: Collection[ValueType]) -> bool:
    """Whether a property holds numbers and nothing else."""
    return bool(kinds) and all(kind.is_number for kind in kinds)


def folded(text: str, folding: str) -> str:
    """A text as it is compared: in small letters (``"lower"``), in capitals (``"upper"``), or as it is."""
    return text.lower() if folding == "lower" else text.upper() if folding == "upper" else text


def holds(test: str, value: str, part: str) -> bool:
    """Whether a value begins with a part, ends with it, or has it anywhere: by the test of either language."""
    if test in ("STARTS WITH", "STRSTARTS"):
        return value.startswith(part)
    return value.endswith(part) if test in ("ENDS WITH", "STRENDS") else part in value
