"""Values of Bolt as values of ours, and the other way round.

Nothing is rounded: a time or a span of it that counts nanoseconds becomes a :class:`TypedLiteral`, which keeps its
text, because Python's own types count microseconds.
"""

from __future__ import annotations

import datetime
from collections.abc import Mapping
from decimal import Decimal
from typing import Any, Final

from neo4j import spatial, time
from neo4j.types import UnsupportedType
from neo4j.vector import Vector

from ...core.errors import BadReplyError, QueryFailedError
from ...core.values import Duration, LanguageText, Point, TypedLiteral, Value

_XSD: Final = "http://www.w3.org/2001/XMLSchema#"
_SMALLEST, _LARGEST = -(2**63), 2**63 - 1
LONGEST_LIST: Final = 64
"""A list of more numbers than this is a vector: nothing to be read, compared or told."""


def from_bolt(value: Any) -> Value:
    """A value of the driver as one of ours. Nodes, relationships and paths are not values.

    Raises:
        BadReplyError: it is something that the driver could not make sense of, such as a year before the first.
    """
    if value is None or isinstance(value, bool | int | float | str):
        return value
    if isinstance(value, list):
        return [from_bolt(item) for item in value]
    if isinstance(value, Mapping):
        return {str(key): from_bolt(item) for key, item in value.items()}
    if isinstance(value, bytes | bytearray):
        return bytes(value)
    if isinstance(value, Vector):
        return list(value.to_native())
    return _temporal_or_spatial(value)


def _temporal_or_spatial(value: Any) -> Value:
    match value:
        case time.DateTime():
            return _exact(value, "dateTime", _datetime)
        case time.Date():
            return value.to_native()
        case time.Time():
            return _exact(value, "time", _time)
        case time.Duration():
            return _duration(value)
        case spatial.Point():
            return _point(value)
        case UnsupportedType():
            return TypedLiteral(value.name, "")
    raise BadReplyError(
        "the server sent a value that cannot be read, a year before the first or after the last perhaps",
        advice="Turn it into a text in the query (toString).",
    )


def _exact(value: Any, datatype: str, convert: Any) -> Value:
    """Converted if nothing is lost, else the text."""
    if value.nanosecond % 1000:
        return TypedLiteral(value.iso_format(), _XSD + datatype)
    converted: Value = convert(value)
    return converted


def _datetime(value: time.DateTime) -> datetime.datetime:
    return _with_fixed_offset(value.to_native())


def _time(value: time.Time) -> datetime.time:
    native = value.to_native()
    offset = value.utc_offset()
    if offset is None:
        return native.replace(tzinfo=None)
    return native.replace(tzinfo=datetime.timezone(offset))


def _with_fixed_offset(value: datetime.datetime) -> datetime.datetime:
    """The same moment with the same clock time; a zone's rules for other days of the year are of no use here."""
    offset = value.utcoffset()
    return value if offset is None else value.replace(tzinfo=datetime.timezone(offset))


def _duration(value: time.Duration) -> Value:
    nanoseconds = value.seconds * 1_000_000_000 + value.nanoseconds
    if nanoseconds % 1000:
        return TypedLiteral(value.iso_format(), _XSD + "duration")
    return Duration(value.months, value.days, nanoseconds // 1000)


def _point(value: spatial.Point) -> Point:
    x, y, *height = (float(part) for part in value)
    return Point(x, y, height[0] if height else None, value.srid if value.srid is not None else 7203)


def is_vector(value: Any) -> bool:
    """Whether a value is so long a list of numbers that nobody wants to read it."""
    return (
        isinstance(value, list)
        and len(value) > LONGEST_LIST
        and all(isinstance(item, int | float) for item in value)
    )


# --- to a server


def to_bolt(value: Any, name: str = "") -> Any:
    """A value of ours as the driver sends it.

    Args:
        value: of :data:`askgraph.core.values.Value`.
        name: of the parameter, for errors.

    Raises:
        QueryFailedError: an integer of more than 64 bits, half of a character, or something that is no value.
    """
    match value:
        case datetime.time() if value.tzinfo is not None:
            return _zoned_time(value)
        case None | bool() | float() | bytes() | datetime.date() | datetime.time():
            return value
        case int():
            if not _SMALLEST <= value <= _LARGEST:
                raise _unfit(name, f"is an integer of more than 64 bits: {value}")
            return value
        case str():
            return _text(value, name)
        case Decimal():
            return _number(value)
        case list() | tuple():
            return [to_bolt(item, name) for item in value]
        case Mapping():
            return {str(key): to_bolt(item, name) for key, item in value.items()}
        case LanguageText() | TypedLiteral():
            return _text(value.text, name)
        case Duration():
            return time.Duration(months=value.months, days=value.days, microseconds=value.microseconds)
        case Point():
            return _to_point(value)
    raise _unfit(name, f"is a {type(value).__name__}, which is no value of a graph")


def _number(value: Decimal) -> int | float:
    """Servers have no decimals: a whole one is an integer, any other a float."""
    if value.is_finite() and value == value.to_integral_value() and _SMALLEST <= value <= _LARGEST:
        return int(value)
    return float(value)


def _to_point(value: Point) -> spatial.Point:
    coordinates = (value.x, value.y) if value.z is None else (value.x, value.y, value.z)
    kind = spatial.WGS84Point if value.srid in (4326, 4979) else spatial.CartesianPoint
    return kind(coordinates)


def _zoned_time(value: datetime.time) -> time.Time:
    zone = _FixedOffset(value.utcoffset() or datetime.timedelta())
    return time.Time(value.hour, value.minute, value.second, value.microsecond * 1000, tzinfo=zone)


class _FixedOffset(datetime.tzinfo):
    """A zone that tells its offset without a date, as the driver asks of the zone of a time of day."""

    def __init__(self, offset: datetime.timedelta) -> None:
        self._offset = offset

    def utcoffset(self, moment: datetime.datetime | None) -> datetime.timedelta:
        return self._offset

    def dst(self, moment: datetime.datetime | None) -> None:
        return None

    def tzname(self, moment: datetime.datetime | None) -> str:
        return str(self._offset)


def _text(value: str, name: str) -> str:
    try:
        value.encode("utf-8")
    except UnicodeEncodeError:
        raise _unfit(name, "has half of a character in it (a lone surrogate)") from None
    return value


def _unfit(name: str, why: str) -> QueryFailedError:
    which = f"the parameter ${name}" if name else "a value"
    return QueryFailedError(f"{which} {why}", code="parameters")
