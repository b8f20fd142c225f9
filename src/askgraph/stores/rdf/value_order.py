"""How values compare and in which order they come, as :mod:`askgraph.core.plan` says it."""

from __future__ import annotations

import datetime
import functools
import json
import math
from decimal import Decimal
from enum import IntEnum
from typing import Any, Final

from ...core.plan import Comparator
from ...core.values import (
    Duration,
    LanguageText,
    Point,
    Value,
    to_json_value,
)

_SIXTY_FOUR_BITS: Final = 2**63


class ValueClass(IntEnum):
    """Values of one class compare with each other; classes come in this order."""

    NUMBER = 0
    TEXT = 1
    BOOLEAN = 2
    DATE = 3
    DATETIME = 4
    ZONED_DATETIME = 5
    TIME = 6
    DURATION = 7
    BYTES = 8
    POINT = 9
    OTHER = 10

    @property
    def has_order(self) -> bool:
        """Whether less and greater mean something."""
        return self <= ValueClass.DURATION


def value_class(value: Value) -> ValueClass:
    """The class of a value that is not null."""
    found = _CLASSES.get(type(value))
    if found is not None:
        return found
    if isinstance(value, datetime.datetime):
        return ValueClass.DATETIME if value.tzinfo is None else ValueClass.ZONED_DATETIME
    if isinstance(value, datetime.time) and value.tzinfo is None:
        return ValueClass.TIME
    return ValueClass.OTHER


_CLASSES: Final[dict[type, ValueClass]] = {
    bool: ValueClass.BOOLEAN,
    int: ValueClass.NUMBER,
    float: ValueClass.NUMBER,
    Decimal: ValueClass.NUMBER,
    str: ValueClass.TEXT,
    LanguageText: ValueClass.TEXT,
    datetime.date: ValueClass.DATE,
    Duration: ValueClass.DURATION,
    bytes: ValueClass.BYTES,
    Point: ValueClass.POINT,
}


def compare(left: Value, comparator: Comparator, right: Value) -> bool | None:
    """Whether the comparison holds; ``None`` where it is unknown."""
    if left is None or right is None:
        return None
    kind = value_class(left)
    if kind != value_class(right):
        return None
    if comparator in ("contains", "starts with", "ends with"):
        return _compare_texts(str(left), comparator, str(right)) if kind is ValueClass.TEXT else None
    sign = _sign(left, right, kind)
    if sign is None:
        # Durations that disagree are different, and neither is less; a NaN compares with nothing.
        return {"=": False, "<>": True}.get(comparator) if kind is ValueClass.DURATION else None
    if not kind.has_order and comparator not in ("=", "<>"):
        return None
    return holds(sign, comparator)


def holds(sign: int, comparator: Comparator) -> bool:
    """Whether a comparison holds between two values of which the left is less (-1), equal (0) or greater (1)."""
    match comparator:
        case "=":
            return sign == 0
        case "<>":
            return sign != 0
        case "<":
            return sign < 0
        case "<=":
            return sign <= 0
        case ">":
            return sign > 0
        case _:
            return sign >= 0


def _compare_texts(left: str, comparator: Comparator, right: str) -> bool:
    left, right = left.lower(), right.lower()
    if comparator == "contains":
        return right in left
    return left.startswith(right) if comparator == "starts with" else left.endswith(right)


def _sign(left: Any, right: Any, kind: ValueClass) -> int | None:
    """-1, 0 or 1; ``None`` where two values of one class cannot be told apart by size."""
    match kind:
        case ValueClass.NUMBER:
            return _sign_of_numbers(left, right)
        case ValueClass.TEXT:
            left, right = str(left), str(right)
        case ValueClass.DURATION:
            left, right = _months_and_rest(left), _months_and_rest(right)
            if (left[0] - right[0]) * (left[1] - right[1]) < 0:
                return None
        case ValueClass.POINT | ValueClass.OTHER:
            left, right = _json(left), _json(right)
    return int(left > right) - int(left < right)


def _sign_of_numbers(left: Any, right: Any) -> int | None:
    if math.isnan(left) or math.isnan(right):
        return None
    # What is no float, and has no place among the integers of 64 bits, meets floats as a float, as in SPARQL.
    if (type(left) is float and _is_wide(right)) or (type(right) is float and _is_wide(left)):
        left, right = _as_float(left), _as_float(right)
    return int(left > right) - int(left < right)


def _is_wide(number: Any) -> bool:
    return type(number) is Decimal or (
        type(number) is int and not -_SIXTY_FOUR_BITS <= number < _SIXTY_FOUR_BITS
    )


def _as_float(number: Any) -> float:
    try:
        return float(number)
    except OverflowError:
        return math.inf if number > 0 else -math.inf


def _months_and_rest(value: Duration) -> tuple[int, int]:
    return value.months, value.days * 86_400_000_000 + value.microseconds


def _json(value: Value) -> str:
    return json.dumps(to_json_value(value), ensure_ascii=False)


# --- order


def order_key(value: Value) -> Any:
    """A sort key: values that are not null come in the order of plans. Values with equal keys are one value."""
    kind = value_class(value)
    match value:
        case str():
            return kind, value, ""
        case LanguageText(text, language):
            return kind, text, language
        case bool():
            return kind, value
        case int() | float() | Decimal():
            return kind, _NumberKey(value)
        case Duration():
            months, rest = _months_and_rest(value)
            # A month as the 400 years of the calendar make it, in microseconds.
            return kind, months * 2_629_746_000_000 + rest, months, str(value)
    if kind in (ValueClass.POINT, ValueClass.OTHER):
        return kind, _json(value)
    return kind, value


@functools.total_ordering
class _NumberKey:
    """Numbers by size; equal ones as integer, decimal, float; a NaN last."""

    __slots__ = ("number",)

    def __init__(self, number: Any) -> None:
        self.number = number

    def _compare(self, other: _NumberKey) -> int:
        left, right = self.number, other.number
        not_a_number = math.isnan(left) - math.isnan(right)
        if not_a_number or math.isnan(left):
            return not_a_number
        return (_sign_of_numbers(left, right) or 0) or _number_type(left) - _number_type(right)

    def __lt__(self, other: _NumberKey) -> bool:
        return self._compare(other) < 0

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _NumberKey) and self._compare(other) == 0

    __hash__ = None  # type: ignore[assignment]  # a key to sort by, not to look up by


def _number_type(number: Any) -> int:
    return 2 if type(number) is float else 1 if type(number) is Decimal else 0
