"""The values that a property can hold, and their strict JSON form.

Python's own types where they fit (``bool, int, float, str, bytes, Decimal, date, datetime, time, list, dict``),
and a few of ours where Python has none. JSON has neither dates nor NaN nor exact large integers: those are written
as ``{"$type": …, "value": …}``, so that everything survives the way out and back.
"""

from __future__ import annotations

import base64
import datetime
import math
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from decimal import Decimal
from enum import StrEnum
from typing import Any

from .errors import BadValueError

# A list of no more items is shown whole; of a longer one (a vector, a polyline) the first say what it is.
_MOST_ITEMS_SHOWN = 12
_FIRST_ITEMS = 3
# Integers beyond this are not exact in every reader of JSON (RFC 8259, section 6).
_LARGEST_EXACT_INTEGER = 2**53 - 1


class ValueType(StrEnum):
    """What kind of value a property holds."""

    BOOLEAN = "boolean"
    INTEGER = "integer"
    DECIMAL = "decimal"
    FLOAT = "float"
    TEXT = "text"
    DATE = "date"
    TIME = "time"
    DATETIME = "datetime"
    DURATION = "duration"
    BYTES = "bytes"
    POINT = "point"
    LIST = "list"
    MAP = "map"
    OTHER = "other"

    @property
    def is_number(self) -> bool:
        """Whether values of this type are compared by size."""
        return self in (ValueType.INTEGER, ValueType.DECIMAL, ValueType.FLOAT)

    @property
    def is_temporal(self) -> bool:
        """Whether values of this type are points in time."""
        return self in (ValueType.DATE, ValueType.TIME, ValueType.DATETIME)


@dataclass(frozen=True, slots=True)
class Duration:
    """A span of time that keeps months apart from days, as ISO 8601, Cypher and XML Schema do."""

    months: int = 0
    days: int = 0
    microseconds: int = 0

    def __str__(self) -> str:
        months, days, micro = self.months, self.days, self.microseconds
        parts = "P" + (f"{months}M" if months else "") + (f"{days}D" if days else "")
        if micro:
            seconds = Decimal(micro) / 1_000_000
            parts += f"T{seconds.normalize():f}S"
        return parts if parts != "P" else "PT0S"

    @classmethod
    def parse(cls, text: str) -> Duration:
        """Read ISO 8601 (``P1Y2M3W4DT5H6M7.5S``, with signs). Raises :class:`ValueError`."""
        match = _DURATION.fullmatch(text.strip())
        if match is None or text.strip().rstrip("T") in ("P", "-P", "+P"):
            raise ValueError(f"not an ISO 8601 duration: {text!r}")
        sign = -1 if match["sign"] == "-" else 1
        number = {
            key: Decimal(value) if value else Decimal(0)
            for key, value in match.groupdict().items()
            if key != "sign"
        }
        months = int(number["years"] * 12 + number["months"])
        days = int(number["weeks"] * 7 + number["days"])
        seconds = number["hours"] * 3600 + number["minutes"] * 60 + number["seconds"]
        return cls(sign * months, sign * days, sign * int(seconds * 1_000_000))


_DURATION = re.compile(
    r"(?P<sign>[+-])?P(?:(?P<years>-?\d+)Y)?(?:(?P<months>-?\d+)M)?(?:(?P<weeks>-?\d+)W)?(?:(?P<days>-?\d+)D)?"
    r"(?:T(?:(?P<hours>-?\d+)H)?(?:(?P<minutes>-?\d+)M)?(?:(?P<seconds>-?\d+(?:\.\d+)?)S)?)?"
)


@dataclass(frozen=True, slots=True)
class Point:
    """A place. ``srid`` is 4326 (longitude, latitude in degrees), 7203 (plane), or their 3-D forms 4979 and 9157."""

    x: float
    y: float
    z: float | None = None
    srid: int = 4326

    def __str__(self) -> str:
        height = "" if self.z is None else f" {self.z:g}"
        return f"POINT({self.x:g} {self.y:g}{height})"


@dataclass(frozen=True, slots=True)
class LanguageText:
    """A text with its language tag (BCP 47)."""

    text: str
    language: str

    def __str__(self) -> str:
        return self.text


@dataclass(frozen=True, slots=True)
class TypedLiteral:
    """A literal that no Python type holds without loss: its text as written, and its datatype's IRI."""

    text: str
    datatype: str

    def __str__(self) -> str:
        return self.text


Value = (
    None | bool | int | float | Decimal | str | bytes | datetime.date | datetime.datetime | datetime.time
    | Duration | Point | LanguageText | TypedLiteral | list[Any] | dict[str, Any]
)  # fmt: skip


def value_type(value: Value) -> ValueType:
    """The :class:`ValueType` of a Python value."""
    # bool before int and datetime before date: each is a subclass of the other.
    for python_type, kind in _TYPES:
        if isinstance(value, python_type):
            return kind
    return ValueType.OTHER


_TYPES: tuple[tuple[type, ValueType], ...] = (
    (bool, ValueType.BOOLEAN),
    (int, ValueType.INTEGER),
    (float, ValueType.FLOAT),
    (Decimal, ValueType.DECIMAL),
    (str, ValueType.TEXT),
    (LanguageText, ValueType.TEXT),
    (bytes, ValueType.BYTES),
    (datetime.datetime, ValueType.DATETIME),
    (datetime.date, ValueType.DATE),
    (datetime.time, ValueType.TIME),
    (Duration, ValueType.DURATION),
    (Point, ValueType.POINT),
    (list, ValueType.LIST),
    (tuple, ValueType.LIST),
    (dict, ValueType.MAP),
)


def display(value: Value) -> str:
    """A value as a reader wants to see it, on one line; of a long list (a vector, say) the beginning."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, float):
        return f"{value:.12g}"
    if isinstance(value, bytes):
        return f"{len(value):,} bytes"
    if isinstance(value, list | tuple):
        return display_list(value, display)
    if isinstance(value, dict):
        return ", ".join(f"{key}: {display(item)}" for key, item in value.items())
    if isinstance(value, datetime.datetime):
        return value.isoformat(sep=" ")
    return " ".join(str(value).split()) if isinstance(value, str | LanguageText) else str(value)


def display_list(items: Sequence[Any], shown: Callable[[Any], str]) -> str:
    """Items on one line; of many the first and their number."""
    if len(items) > _MOST_ITEMS_SHOWN:
        return f"{', '.join(map(shown, items[:_FIRST_ITEMS]))}, … ({len(items):,} in all)"
    return ", ".join(map(shown, items))


def to_json_value(value: Value) -> Any:
    """A value as strict JSON data (no NaN, no inexact integer, nothing that ``json.dumps`` refuses)."""
    if value is None or isinstance(value, bool | str):
        return value
    if isinstance(value, int):
        return value if abs(value) <= _LARGEST_EXACT_INTEGER else {"$type": "integer", "value": str(value)}
    if isinstance(value, float):
        return value if math.isfinite(value) else {"$type": "float", "value": repr(value)}
    if isinstance(value, list | tuple):
        return [to_json_value(item) for item in value]
    if isinstance(value, dict):
        plain = {str(key): to_json_value(item) for key, item in value.items()}
        return {"$type": "map", "value": plain} if "$type" in plain else plain
    if isinstance(value, LanguageText):
        return {"$type": "text", "value": value.text, "language": value.language}
    if isinstance(value, TypedLiteral):
        return {"$type": "literal", "value": value.text, "datatype": value.datatype}
    if isinstance(value, Point):
        return {
            "$type": "point",
            "value": [value.x, value.y] + ([] if value.z is None else [value.z]),
            "srid": value.srid,
        }
    if isinstance(value, bytes):
        return {"$type": "bytes", "value": base64.b64encode(value).decode("ascii")}
    if isinstance(value, datetime.date | datetime.time):
        return {"$type": value_type(value).value, "value": value.isoformat()}
    return {"$type": value_type(value).value, "value": str(value)}


def from_json_value(data: Any) -> Value:
    """The inverse of :func:`to_json_value`. Raises :class:`BadValueError` for a tag that it does not know."""
    if isinstance(data, list):
        return [from_json_value(item) for item in data]
    if not isinstance(data, dict):
        return data  # type: ignore[no-any-return]
    if "$type" not in data:
        return {key: from_json_value(item) for key, item in data.items()}
    tag, value = data["$type"], data.get("value")
    try:
        return _read_tagged(tag, value, data)
    except (ValueError, TypeError, KeyError, ArithmeticError) as error:
        raise BadValueError(f"not a value of type {tag!r}: {value!r}") from error


def _read_tagged(tag: str, value: Any, data: dict[str, Any]) -> Value:
    match tag:
        case "text":
            return LanguageText(value, data["language"])
        case "literal":
            return TypedLiteral(value, data["datatype"])
        case "point":
            x, y, *height = (float(part) for part in value)
            return Point(x, y, height[0] if height else None, int(data["srid"]))
        case "map":
            return {key: from_json_value(item) for key, item in value.items()}
    return _READERS[tag](value)


_READERS: dict[str, Callable[[str], Value]] = {
    "integer": int,
    "float": float,
    "decimal": Decimal,
    "date": datetime.date.fromisoformat,
    "time": datetime.time.fromisoformat,
    "datetime": datetime.datetime.fromisoformat,
    "duration": Duration.parse,
    "bytes": lambda text: base64.b64decode(text, validate=True),
}
