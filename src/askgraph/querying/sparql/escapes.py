"""Codepoint escapes: ``\\u00FC`` and ``\\U0001F600`` stand for a character anywhere in a text.

SPARQL 1.1 (§19.2) replaces them before anything else, so that ``\\u0027`` may end a string and ``\\u0044ELETE`` be a
word. SPARQL 1.2 knows them in strings and IRIs only, where they never end anything; and engines do either. All agree on
a character beyond ASCII within a string or an IRI. So they are replaced here as 1.1 has it, and what was replaced is
kept, for the gate to refuse what readers could disagree on.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from ..source import SourceText, Span

_ESCAPE = re.compile(r"\\(?:u([0-9a-fA-F]{4})|U([0-9a-fA-F]{8}))")
_LAST_CODEPOINT = 0x10FFFF
_SURROGATES = range(0xD800, 0xE000)
_LAST_ASCII = "\x7f"


class Escape(NamedTuple):
    """An escape in a text.

    Attributes:
        span: its place in ``text`` of the source, where the character now stands that it was replaced by.
        character: what it stands for.
        after_backslash: whether a backslash stands before it (``\\\\u00FC``), so that most readers see an escaped
            backslash and some letters there, and so do we: it was not replaced. Others see an escape.
    """

    span: Span
    character: str
    after_backslash: bool = False

    @property
    def is_ascii(self) -> bool:
        """Whether it hides a character that every keyboard has, one that could be part of the syntax."""
        return self.character <= _LAST_ASCII


def decode_escapes(original: str) -> tuple[SourceText, tuple[Escape, ...]]:
    """The text with its escapes replaced, and the escapes in the order of the text.

    Raises :class:`QuerySyntaxError` for an escape that stands for no character.
    """
    if "\\" not in original:
        return SourceText(original), ()
    escapes: list[Escape] = []
    parts: list[str] = []
    shifts: list[tuple[int, int]] = []
    done = length = 0
    for found in _ESCAPE.finditer(original):
        start, end = found.span()
        character = _character(original, found)
        if _is_escaped(original, start):
            place = length + start - done
            escapes.append(Escape(Span(place, place + end - start), character, after_backslash=True))
            continue
        parts += (original[done:start], character)
        length += start - done + 1
        escapes.append(Escape(Span(length - 1, length), character))
        shifts.append((length, end - length))
        done = end
    parts.append(original[done:])
    return SourceText(original, "".join(parts), shifts), tuple(escapes)


def _character(original: str, found: re.Match[str]) -> str:
    code = int(found[1] or found[2], 16)
    if code in _SURROGATES:
        raise SourceText(original).syntax_error(
            Span(*found.span()),
            "this escape is half of a surrogate pair",
            advice="Write the character itself, or its number with \\U and eight digits.",
        )
    if code > _LAST_CODEPOINT:
        raise SourceText(original).syntax_error(
            Span(*found.span()), f"there is no character U+{code:X}: the last one is U+10FFFF"
        )
    return chr(code)


def _is_escaped(text: str, backslash: int) -> bool:
    """Whether the backslash at this place is the second of a pair."""
    first = backslash
    while first > 0 and text[first - 1] == "\\":
        first -= 1
    return (backslash - first) % 2 == 1
