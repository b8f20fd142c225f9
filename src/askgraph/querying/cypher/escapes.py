"""Unicode escapes, which Cypher replaces before it looks for words, strings and comments.

Neo4j reads ``\\u0027`` as a quote: it may end a string, and ``\\u0044ELETE`` is a clause. Other engines take the same
characters as text. No one needs an escape for a character that is on every keyboard, so one that stands for an ASCII
character is refused: what remains means the same to every reader.
"""

from __future__ import annotations

import re

from ..source import SourceText, Span

# Java's rule, which Neo4j follows: any number of u's.
_ESCAPE = re.compile(r"\\u+([0-9a-fA-F]{4})")
_LAST_ASCII = 0x7F


def decode_escapes(original: str) -> SourceText:
    """The text with its unicode escapes replaced.

    A backslash that is itself escaped (``\\\\u00E9``) begins none; but one that would stand for an ASCII character is
    refused even then, because readers differ. Raises :class:`QueryRefusedError` (code ``"escape"``) for that, and
    :class:`QuerySyntaxError` for half a surrogate pair.
    """
    if "\\u" not in original:
        return SourceText(original)
    source = SourceText(original)
    parts: list[str] = []
    shifts: list[tuple[int, int]] = []
    done = length = 0
    for start, end, character in _escapes(source):
        parts += (original[done:start], character)
        length += start - done + len(character)
        shifts.append((length, end - length))
        done = end
    parts.append(original[done:])
    return SourceText(original, "".join(parts), shifts)


def _escapes(source: SourceText) -> list[tuple[int, int, str]]:
    """Start, end and character of each escape to replace."""
    found: list[tuple[int, int, str]] = []
    high: tuple[int, int, int] | None = None
    for match in _ESCAPE.finditer(source.original):
        start, end = match.span()
        code = int(match[1], 16)
        if code <= _LAST_ASCII:
            raise source.refusal(
                Span(start, end),
                f"this escape hides the character {chr(code)!r}",
                code="escape",
                advice="Write the character itself.",
            )
        if _is_escaped(source.original, start):
            continue
        if high is not None:
            if high[1] != start or not 0xDC00 <= code <= 0xDFFF:
                raise _half_pair(source, high[0], high[1])
            found.append((high[0], end, chr(0x10000 + ((high[2] - 0xD800) << 10) + (code - 0xDC00))))
            high = None
        elif 0xD800 <= code <= 0xDBFF:
            high = (start, end, code)
        elif 0xDC00 <= code <= 0xDFFF:
            raise _half_pair(source, start, end)
        else:
            found.append((start, end, chr(code)))
    if high is not None:
        raise _half_pair(source, high[0], high[1])
    return found


def _is_escaped(text: str, backslash: int) -> bool:
    """Whether the backslash at this place is the second of a pair."""
    first = backslash
    while first > 0 and text[first - 1] == "\\":
        first -= 1
    return (backslash - first) % 2 == 1


def _half_pair(source: SourceText, start: int, end: int) -> Exception:
    return source.syntax_error(
        Span(start, end),
        "this escape is half of a surrogate pair",
        advice="Write both halves, or the character itself.",
    )
