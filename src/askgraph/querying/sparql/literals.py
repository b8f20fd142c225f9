"""The kinds of the values that a SPARQL text writes out, and how to write a text as a value of another kind."""

from __future__ import annotations

import re

from ...core.values import ValueType
from ..tokens import words
from .printer import text_of
from .term_tree import XSD, BooleanLiteral, Expression, Iri, NumericLiteral, StringLiteral

_KINDS: dict[str, ValueType] = {
    **dict.fromkeys(
        words("string anyURI normalizedString token language Name NCName NMTOKEN"), ValueType.TEXT
    ),
    **dict.fromkeys(
        words(
            """integer long int short byte nonNegativeInteger positiveInteger nonPositiveInteger negativeInteger
            unsignedLong unsignedInt unsignedShort unsignedByte"""
        ),
        ValueType.INTEGER,
    ),
    "decimal": ValueType.DECIMAL,
    **dict.fromkeys(words("float double"), ValueType.FLOAT),
    "boolean": ValueType.BOOLEAN,
    "date": ValueType.DATE,
    "time": ValueType.TIME,
    **dict.fromkeys(words("dateTime dateTimeStamp"), ValueType.DATETIME),
    **dict.fromkeys(words("duration dayTimeDuration yearMonthDuration"), ValueType.DURATION),
}
_INTEGER = re.compile(r"[+-]?[0-9]+")
_DECIMAL = re.compile(r"[+-]?[0-9]*\.[0-9]+")
_DATE = re.compile(r"-?[0-9]{4}-[0-9]{2}-[0-9]{2}")
_DATETIME = re.compile(rf"({_DATE.pattern})T[0-9:.]+(?:Z|[+-][0-9:]+)?")


def literal_kind(node: Expression) -> ValueType | None:
    """The kind of a literal; ``None`` for what is none, and for datatypes that are not known here."""
    if isinstance(node, BooleanLiteral):
        return ValueType.BOOLEAN
    if isinstance(node, NumericLiteral):
        return _KINDS.get(node.datatype.removeprefix(XSD))
    if isinstance(node, StringLiteral):
        return ValueType.TEXT if node.datatype is None else _kind_of(node.datatype)
    return None


def _kind_of(datatype: Iri) -> ValueType | None:
    return _KINDS.get(datatype.value.removeprefix(XSD)) if datatype.value.startswith(XSD) else None


def literal_text(node: Expression) -> str:
    """What a literal says, without its datatype and language."""
    if isinstance(node, NumericLiteral):
        return node.text
    if isinstance(node, BooleanLiteral):
        return "true" if node.value else "false"
    return node.value if isinstance(node, StringLiteral) else ""


def written_as(text: str, kind: ValueType, languages: tuple[str, ...] = ()) -> str | None:
    """A literal of another kind that says the same; ``None`` where there is none.

    Args:
        text: what it says.
        kind: what it is to be.
        languages: for texts, the language tags that they may have (``""``: none).
    """
    if kind is ValueType.TEXT:
        return text_of(StringLiteral(text, "" if "" in languages or not languages else languages[0]))
    is_whole = _INTEGER.fullmatch(text) is not None
    if kind is ValueType.INTEGER:
        return text if is_whole else None
    if kind is ValueType.DECIMAL:
        return f"{text}.0" if is_whole else text if _DECIMAL.fullmatch(text) else None
    if kind is ValueType.FLOAT:
        return f"{text}e0" if is_whole or _DECIMAL.fullmatch(text) else None
    if kind is ValueType.BOOLEAN:
        return text.lower() if text.lower() in ("true", "false") else None
    return _written_as_time(text, kind)


def _written_as_time(text: str, kind: ValueType) -> str | None:
    with_time = _DATETIME.fullmatch(text)
    day = with_time[1] if with_time else text
    if _DATE.fullmatch(day) is None:
        return None
    if kind is ValueType.DATE:
        return f'"{day}"^^xsd:date'
    if kind is ValueType.DATETIME:
        return f'"{text if with_time else text + "T00:00:00"}"^^xsd:dateTime'
    return None
