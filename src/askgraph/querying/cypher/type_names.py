"""The names of value types (``LIST<INTEGER NOT NULL>``), brought to one spelling."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..tokens import words
from .lexer import INTEGER

if TYPE_CHECKING:
    from .grammar import Grammar

_SIMPLE = frozenset(
    words(
        """NOTHING NULL BOOL BOOLEAN VARCHAR STRING UUID INT INTEGER INTEGER64 INTEGER32 INTEGER16 INTEGER8
        INT64 INT32 INT16 INT8 FLOAT FLOAT64 FLOAT32 DATE DURATION POINT NODE VERTEX RELATIONSHIP EDGE MAP
        PATH PATHS"""
    )
)
_AFTER_ANY = ("NODE", "VERTEX", "RELATIONSHIP", "EDGE", "MAP")


def parse_type(stream: Grammar) -> str:
    """The type that comes next, in capitals with single blanks."""
    stream.descend()
    parts = [_part(stream)]
    while stream.token.key == "|" and stream.index not in stream.reserved_bars:
        stream.advance()
        parts.append(_part(stream))
    stream.depth -= 1
    return " | ".join(parts)


def _part(stream: Grammar) -> str:
    text = _base(stream) + _nullability(stream)
    while stream.token.key in ("LIST", "ARRAY"):
        stream.advance()
        text += " LIST" + _nullability(stream)
    return text


def _nullability(stream: Grammar) -> str:
    if stream.accept_words("NOT", "NULL") or stream.accept("!"):
        return " NOT NULL"
    return ""


def _base(stream: Grammar) -> str:
    key = stream.token.key
    if key in _SIMPLE:
        return stream.advance().key
    if key in ("LIST", "ARRAY"):
        stream.advance()
        return f"LIST<{_element(stream)}>"
    if key == "SIGNED":
        stream.advance()
        stream.expect("INTEGER", "after SIGNED")
        return "INTEGER"
    if key in ("LOCAL", "ZONED"):
        return f"{stream.advance().key} {_one_of(stream, 'TIME', 'DATETIME')}"
    if key in ("TIME", "TIMESTAMP"):
        return _time(stream)
    if key == "PROPERTY":
        stream.advance()
        stream.expect("VALUE", "after PROPERTY")
        return "PROPERTY VALUE"
    if key == "VECTOR":
        return _vector(stream)
    if key == "ANY":
        return _any(stream)
    stream.unexpected("the name of a type, such as INTEGER or LIST<STRING>")


def _element(stream: Grammar) -> str:
    stream.expect("<", "before the type of the items")
    element = parse_type(stream)
    stream.expect(">", "after the type of the items")
    return element


def _one_of(stream: Grammar, *keys: str) -> str:
    if stream.token.key not in keys:
        stream.unexpected(" or ".join(keys))
    return stream.advance().key


def _time(stream: Grammar) -> str:
    """``TIME WITHOUT TIME ZONE`` and its relatives."""
    kind = stream.advance().key
    zone = _one_of(stream, "WITH", "WITHOUT")
    if not stream.accept("TIMEZONE"):
        stream.expect("TIME", f"after {zone}")
        stream.expect("ZONE", "after TIME")
    return f"{kind} {zone} TIME ZONE"


def _vector(stream: Grammar) -> str:
    stream.advance()
    text = "VECTOR"
    if stream.token.key == "<":
        text += f"<{_element(stream)}>"
    if stream.accept("("):
        text += f"({stream.expect(INTEGER).text})"
        stream.expect(")")
    return text


def _any(stream: Grammar) -> str:
    stream.advance()
    if stream.token.key in _AFTER_ANY:
        return f"ANY {stream.advance().key}"
    if stream.accept_words("PROPERTY", "VALUE"):
        return "ANY PROPERTY VALUE"
    value = " VALUE" if stream.accept("VALUE") else ""
    return f"ANY{value}<{_element(stream)}>" if stream.token.key == "<" else f"ANY{value}"
