"""RDF literals as Python values, and terms as N-Triples writes them."""

from __future__ import annotations

import base64
import binascii
import datetime
import re
from collections.abc import Callable
from decimal import Decimal
from typing import Final

from ...core.values import Duration, LanguageText, Point, TypedLiteral, Value
from .vocabulary import (
    GEO,
    RDF_DIR_LANG_STRING,
    RDF_LANG_STRING,
    XSD,
    XSD_STRING,
)

_INTEGER: Final = re.compile(r"[+-]?[0-9]+")
_DECIMAL: Final = re.compile(r"[+-]?(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)")
_FLOAT: Final = re.compile(r"[+-]?(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][+-]?[0-9]+)?")
_YEAR: Final = re.compile(r"-?(?:[1-9][0-9]{3,}|0[0-9]{3})")
_ZONE: Final = r"(?:Z|[+-](?:0[0-9]|1[0-4]):[0-5][0-9])"
_DATE: Final = re.compile(rf"([0-9]{{4}}-[0-9]{{2}}-[0-9]{{2}}){_ZONE}?")
_TIME: Final = re.compile(rf"[0-9]{{2}}:[0-9]{{2}}:[0-9]{{2}}(?:\.[0-9]+)?{_ZONE}?")
_DATETIME: Final = re.compile(
    rf"[0-9]{{4}}-[0-9]{{2}}-[0-9]{{2}}T[0-9]{{2}}:[0-9]{{2}}:[0-9]{{2}}(?:\.[0-9]+)?{_ZONE}?"
)
_DURATION: Final = re.compile(
    r"-?P(?=.)(?:[0-9]+Y)?(?:[0-9]+M)?(?:[0-9]+D)?(?:T(?=.)(?:[0-9]+H)?(?:[0-9]+M)?(?:[0-9]+(?:\.[0-9]+)?S)?)?"
)
_POINT: Final = re.compile(
    r"\s*(?:<([^>]*)>\s*)?POINT\s*(Z)?\s*\(\s*(\S+)\s+(\S+)(?:\s+(\S+))?\s*\)\s*", re.IGNORECASE
)
# Longitude before latitude, as WKT without a reference system has it. (EPSG:4326 has them the other way round.)
_LONGITUDE_LATITUDE: Final = ("http://www.opengis.net/def/crs/OGC/1.3/CRS84",)

_INTEGER_RANGES: Final[dict[str, tuple[int | None, int | None]]] = {
    "integer": (None, None),
    "nonNegativeInteger": (0, None),
    "positiveInteger": (1, None),
    "nonPositiveInteger": (None, 0),
    "negativeInteger": (None, -1),
    "long": (-(2**63), 2**63 - 1),
    "int": (-(2**31), 2**31 - 1),
    "short": (-(2**15), 2**15 - 1),
    "byte": (-(2**7), 2**7 - 1),
    "unsignedLong": (0, 2**64 - 1),
    "unsignedInt": (0, 2**32 - 1),
    "unsignedShort": (0, 2**16 - 1),
    "unsignedByte": (0, 2**8 - 1),
}
_TEXTS: Final = ("string", "anyURI", "normalizedString", "token", "language", "Name", "NCName", "NMTOKEN")


def literal_value(text: str, datatype: str, language: str | None = None) -> Value:
    """The Python value of a literal.

    Numbers, booleans, dates, times, durations, bytes and points become Python's or our own types; ``gYear`` an
    ``int``; the text types of XML Schema ``str``. A date's zone is dropped: Python's dates have none. What has
    another datatype, or is not written as its datatype asks, stays a :class:`TypedLiteral`.
    """
    if datatype == XSD_STRING:
        return text
    if language is not None:
        return LanguageText(text, language)
    reader = _READERS.get(datatype)
    if reader is not None:
        try:
            value = reader(text)
        except (ValueError, ArithmeticError, binascii.Error):
            value = None
        if value is not None:
            return value
    return TypedLiteral(text, datatype)


def is_ill_typed(value: Value) -> bool:
    """Whether a literal of a datatype that we read was not written as that datatype asks."""
    return isinstance(value, TypedLiteral) and value.datatype in _READERS


def canonical_language(tag: str) -> str:
    """A language tag with the capitals that BCP 47 recommends: ``de-at`` gives ``de-AT``. Case means nothing in tags,
    and parsers differ in what they keep."""
    first, *rest = tag.split("-")
    parts = [first.lower()]
    for part in rest:
        if len(parts[-1]) == 1:
            parts.append(part.lower())
        elif len(part) == 4 and part.isalpha():
            parts.append(part.title())
        elif len(part) == 2 and part.isalpha():
            parts.append(part.upper())
        else:
            parts.append(part.lower())
    return "-".join(parts)


def _integer_reader(name: str) -> Callable[[str], Value]:
    low, high = _INTEGER_RANGES[name]

    def read(text: str) -> Value:
        if _INTEGER.fullmatch(text) is None:
            return None
        number = int(text)
        fits = (low is None or low <= number) and (high is None or number <= high)
        return number if fits else None

    return read


def _decimal(text: str) -> Value:
    return Decimal(text) if _DECIMAL.fullmatch(text) else None


def _float(text: str) -> Value:
    if text in ("INF", "+INF", "-INF", "NaN"):
        return float(text.lower())
    return float(text) if _FLOAT.fullmatch(text) else None


def _boolean(text: str) -> Value:
    return {"true": True, "1": True, "false": False, "0": False}.get(text)


def _year(text: str) -> Value:
    return int(text) if _YEAR.fullmatch(text) else None


def _date(text: str) -> Value:
    match = _DATE.fullmatch(text)
    return datetime.date.fromisoformat(match[1]) if match else None


def _datetime(text: str) -> Value:
    return datetime.datetime.fromisoformat(text) if _DATETIME.fullmatch(text) else None


def _time(text: str) -> Value:
    return datetime.time.fromisoformat(text) if _TIME.fullmatch(text) else None


def _duration(text: str) -> Value:
    return Duration.parse(text) if _DURATION.fullmatch(text) else None


def _base64(text: str) -> Value:
    return base64.b64decode("".join(text.split()), validate=True)


def _point(text: str) -> Value:
    match = _POINT.fullmatch(text)
    if match is None or (match[1] and match[1] not in _LONGITUDE_LATITUDE):
        return None
    height = match[5]
    if (match[2] is not None) != (height is not None):
        return None
    x, y = float(match[3]), float(match[4])
    return Point(x, y) if height is None else Point(x, y, float(height), 4979)


_READERS: Final[dict[str, Callable[[str], Value]]] = (
    {XSD + name: _integer_reader(name) for name in _INTEGER_RANGES}
    | dict.fromkeys([XSD + name for name in _TEXTS], str)
    | dict.fromkeys((XSD + "double", XSD + "float"), _float)
    | dict.fromkeys((XSD + "dateTime", XSD + "dateTimeStamp"), _datetime)
    | dict.fromkeys([XSD + name for name in ("duration", "dayTimeDuration", "yearMonthDuration")], _duration)
    | {
        XSD + "decimal": _decimal,
        XSD + "boolean": _boolean,
        XSD + "gYear": _year,
        XSD + "date": _date,
        XSD + "time": _time,
        XSD + "base64Binary": _base64,
        XSD + "hexBinary": bytes.fromhex,
        GEO + "wktLiteral": _point,
    }
)


# --- N-Triples

_ESCAPES: Final = {
    ord("\\"): "\\\\",
    ord('"'): '\\"',
    ord("\n"): "\\n",
    ord("\r"): "\\r",
    ord("\t"): "\\t",
    ord("\b"): "\\b",
    ord("\f"): "\\f",
} | {code: f"\\u{code:04X}" for code in (*range(8), 0x0B, *range(0x0E, 0x20), 0x7F)}  # fmt: skip


def quoted(text: str) -> str:
    """A text between quotes, escaped as N-Triples, Turtle and SPARQL ask."""
    return f'"{text.translate(_ESCAPES)}"'


def literal_to_ntriples(text: str, datatype: str, language: str | None = None) -> str:
    """A literal as N-Triples writes it. ``language`` may carry a direction (``ar--rtl``)."""
    if language is not None and datatype in (RDF_LANG_STRING, RDF_DIR_LANG_STRING):
        return f"{quoted(text)}@{language}"
    return quoted(text) if datatype == XSD_STRING else f"{quoted(text)}^^<{datatype}>"


def resource_to_ntriples(id: str) -> str:
    """A node's id as N-Triples writes it: a blank node as it is, an IRI in angle brackets."""
    return id if id.startswith("_:") else f"<{id}>"
