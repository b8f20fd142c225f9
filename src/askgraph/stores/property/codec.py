"""Values of Python as SQL columns hold them, and back, without loss."""

from __future__ import annotations

import datetime
import json
import math
from collections.abc import Callable
from decimal import Decimal
from typing import Any, Final

from ...core.errors import BadValueError
from ...core.values import (
    Duration,
    LanguageText,
    Point,
    TypedLiteral,
    Value,
    from_json_value,
    to_json_value,
)
from .layout import COLUMN_TYPES, LIST_ELEMENTS

_LONGEST_INTEGER: Final = 2**63
_LONGEST_DECIMAL: Final = 1_000
_EPOCH: Final = datetime.datetime(1970, 1, 1, tzinfo=datetime.UTC)
_EMPTY_LIST: Final = "text[]"


def sql_type(column_type: str) -> str:
    """The SQL type of a column of this type: ``integer[]`` is ``BIGINT[]``."""
    element = column_type.removesuffix("[]")
    return COLUMN_TYPES[element][0] + column_type[len(element) :]


def encode(value: Value) -> tuple[str, Any]:
    """The column type that holds a value exactly, and what to store there. ``None`` is no value and is not accepted.

    An SQL column of zoned datetimes keeps the moment and forgets the offset: it takes those of UTC, and the others are
    kept in their JSON form.

    Raises:
        BadValueError: a value that :mod:`askgraph.core.values` does not know, or a text that is not Unicode.
    """
    encoder = _ENCODERS.get(type(value))
    if encoder is None:
        encoder = next((known for kind, known in _ENCODERS.items() if isinstance(value, kind)), _refuse)
    return encoder(value)


def decode(column_type: str, stored: Any) -> Value:
    """The inverse of :func:`encode`, for what :func:`selected` gave; null is ``None``."""
    decoder = decoder_of(column_type)
    return stored if decoder is None or stored is None else decoder(stored)


def decoder_of(column_type: str) -> Callable[[Any], Value] | None:
    """What turns what :func:`selected` gave, if it is not null, into a value; ``None`` if it is the value already."""
    return _DECODERS.get(column_type)


def selected(column_type: str, sql: str) -> str:
    """What a query selects of a column of this type, so that :func:`decode` can read it."""
    # DuckDB gives a moment in the machine's own zone, and not at all near the ends of the calendar.
    return f"epoch_us({sql})" if column_type == "zoned_datetime" else sql


def check_text(text: str) -> str:
    """The text itself. Raises :class:`BadValueError` if it holds half of a surrogate pair, which is no character."""
    try:
        text.encode()
    except UnicodeEncodeError as error:
        raise BadValueError(
            f"a text with half of a surrogate pair at character {error.start + 1}: {text[:60]!a}",
            advice="It was cut in the middle of a character: mend it where it was made.",
        ) from None
    return text


def _refuse(value: Any) -> tuple[str, Any]:
    raise BadValueError(
        f"a value of type {type(value).__name__} cannot be stored: {ascii(value)[:60]}",
        advice="Turn it into a text, a number, a date, a list or a map.",
    )


def _encode_integer(value: int) -> tuple[str, Any]:
    if -_LONGEST_INTEGER <= value < _LONGEST_INTEGER:
        return "integer", int(value)
    return "big_integer", str(int(value))


def _encode_decimal(value: Decimal) -> tuple[str, Any]:
    """Plain digits, as SQL compares them; what has none, or far too many, stays apart."""
    if value.is_finite() and abs(value.adjusted()) < _LONGEST_DECIMAL:
        return "decimal", f"{value:f}"
    return _encode_json(value)


def _encode_datetime(value: datetime.datetime) -> tuple[str, Any]:
    offset = value.utcoffset()
    if offset is None:
        return "datetime", value
    return _encode_json(value) if offset else ("zoned_datetime", value)


def _encode_time(value: datetime.time) -> tuple[str, Any]:
    return ("time", value) if value.tzinfo is None else _encode_json(value)


def _encode_point(value: Point) -> tuple[str, Any]:
    if not all(math.isfinite(number) for number in (value.x, value.y, value.z or 0.0)):
        raise BadValueError(f"a point that is nowhere: {value}", advice="Give it finite coordinates.")
    return "point", _json_text(value)


def _encode_list(value: list[Any] | tuple[Any, ...]) -> tuple[str, Any]:
    if not value:
        return _EMPTY_LIST, []
    encoded = [encode(item) if item is not None else (None, None) for item in value]
    kinds = {kind for kind, _ in encoded if kind is not None}
    if len(kinds) == 1 and (kind := kinds.pop()) in LIST_ELEMENTS:
        return f"{kind}[]", [stored for _, stored in encoded]
    return _encode_json(value)


def _encode_map(value: dict[Any, Any]) -> tuple[str, Any]:
    for key, item in value.items():
        if not isinstance(key, str):
            _refuse(value)
        if item is not None:
            encode(item)  # refuses what JSON would write and could not read
    return _encode_json(value)


def _json_text(value: Any) -> str:
    text = json.dumps(
        to_json_value(value), ensure_ascii=False, allow_nan=False, sort_keys=True, separators=(",", ":")
    )
    return check_text(text)


def _encode_json(value: Any) -> tuple[str, Any]:
    return "json", _json_text(value)


def _from_json_text(text: str) -> Value:
    return from_json_value(json.loads(text))


def _moment(microseconds: int) -> datetime.datetime:
    return _EPOCH + datetime.timedelta(microseconds=microseconds)


# In the order in which `isinstance` must try them: bool is an int, a datetime is a date.
_ENCODERS: Final[dict[type, Callable[[Any], tuple[str, Any]]]] = {
    bool: lambda value: ("boolean", value),
    str: lambda value: ("text", check_text(str(value))),
    int: _encode_integer,
    float: lambda value: ("float", float(value)),
    Decimal: _encode_decimal,
    datetime.datetime: _encode_datetime,
    datetime.date: lambda value: ("date", value),
    datetime.time: _encode_time,
    Duration: lambda value: ("duration", str(value)),
    bytes: lambda value: ("bytes", bytes(value)),
    Point: _encode_point,
    LanguageText: _encode_json,
    TypedLiteral: _encode_json,
    list: _encode_list,
    tuple: _encode_list,
    dict: _encode_map,
}

_DECODERS: Final[dict[str, Callable[[Any], Value]]] = {
    "big_integer": int,
    "decimal": Decimal,
    "duration": Duration.parse,
    "point": _from_json_text,
    "zoned_datetime": _moment,
    "json": _from_json_text,
}
