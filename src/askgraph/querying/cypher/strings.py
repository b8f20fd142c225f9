"""What a string literal means, and how a value is written as one."""

from __future__ import annotations

import re

from ..source import SourceText, Span
from ..tokens import Token

# Any other character after a backslash stays, with its backslash: so Neo4j reads '\d'.
_ESCAPES = {
    "\\": "\\",
    "'": "'",
    '"': '"',
    "n": "\n",
    "r": "\r",
    "t": "\t",
    "b": "\b",
    "f": "\f",
}
_ESCAPE = re.compile(r"\\(.)", re.DOTALL)
_CONTROL = {"\n": "\\n", "\r": "\\r", "\t": "\\t", "\b": "\\b", "\f": "\\f"}


def unescape(source: SourceText, token: Token) -> str:
    """The value of a string token. Raises :class:`QuerySyntaxError` for a unicode escape without four digits."""
    inner = token.text[1:-1]
    if "\\" not in inner:
        return inner
    return _ESCAPE.sub(lambda found: _meaning(source, token, found), inner)


def _meaning(source: SourceText, token: Token, found: re.Match[str]) -> str:
    character = found[1]
    if character == "u":
        start = token.start + 1 + found.start()
        raise source.syntax_error(
            Span(start, start + 2),
            "a unicode escape needs four hexadecimal digits",
            advice="Write \\\\u for a backslash before a u.",
        )
    return _ESCAPES.get(character, found[0])


def quote(value: str) -> str:
    """A string literal with this value, in a form in which no reader can see its end too early.

    The kind of quote that the value does not hold is taken, so that a quote is escaped only where it holds both.
    """
    mark = '"' if "'" in value and '"' not in value else "'"
    text = value.replace("\\", "\\\\").replace(mark, "\\" + mark)
    for character, escape in _CONTROL.items():
        if character in text:
            text = text.replace(character, escape)
    return f"{mark}{text}{mark}"
