"""What a chat window, a web page or a habit of writing does to a query, undone.

Only what does not read as it stands is cleaned, so that a typographic quote within a string stays what it is.
"""

from __future__ import annotations

import html
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache

_ENTITY = re.compile(r"&(?:#\d{1,7}|#[xX][0-9a-fA-F]{1,6}|[A-Za-z]{2,8});|<br\s*/?>", re.IGNORECASE)
_INVISIBLE = re.compile(
    "[\u00ad\u200b-\u200f\u2060-\u2064\ufeff\u202a-\u202e\u2066-\u2069\x00-\x08\x0e-\x1b\x7f]"
)
_ODD_BLANK = re.compile("[\u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000\x0b\x0c]")
_ESCAPED_MARK = re.compile(r"\\([_*\[\](){}<>#+.!|~`-])")
_ESCAPED_BLANK = re.compile(r"\\(?:r\\n|[nrt])|\\(?=[\"'])")
_LINE_PREFIX = re.compile(r"(?m)^[ \t]*+(?:>+|\d{1,4}[ \t]*[|.:)]|\||\+(?=[ \t]))[ \t]?")
_TURTLE_PREFIX = re.compile(r"(?im)^([ \t]*)@(prefix|base)\b([^\n]*>)[ \t]*+\.?[ \t]*+$")
_DASH_COMMENT = re.compile(r"(?:^|(?<=[ \t]))(?:--|#)[ \t]+(?=[A-Za-z])[^\n]*$", re.MULTILINE)
_SLASH_COMMENT = re.compile(r"(?:^|(?<=[ \t]))(?://|--)[ \t][^\n]*$", re.MULTILINE)
# A string as it may stand in a query; one that is never closed is given up after so many characters.
_STRAIGHT = re.compile(r"""'(?:[^'\\]|\\.){0,200}+'|"(?:[^"\\]|\\.){0,200}+"|`[^`]{0,200}+`""", re.DOTALL)
_TYPOGRAPHIC = {
    **dict.fromkeys("“„”«»‟❝❞＂", '"'),
    **dict.fromkeys("‘‚’‛❛❜＇‹›", "'"),
    "´": "'",
}
_PARTNERS = {"“": "”", "„": "“”", "«": "»", "»": "«", "‘": "’", "‚": "‘’", "‹": "›", "”": "”", "’": "’"}
_LONGEST_TYPOGRAPHIC = 300
_PLAIN = {
    "′": "'",
    "″": '"',
    "（": "(",
    "）": ")",
    "｛": "{",
    "｝": "}",
    "，": ",",
    "：": ":",
    "；": ";",
    "…": "...",
}
_PLAIN_MARKS = re.compile(f"[{''.join(_PLAIN)}]")


@dataclass(frozen=True, slots=True)
class CleanedText:
    """A text, where each of its characters came from, and what was done, in plain sentences.

    ``places`` has one more place than the text has characters: where its end is.
    """

    text: str
    places: Sequence[int]
    changes: tuple[str, ...] = ()

    def span(self, start: int, end: int) -> tuple[int, int]:
        """Where a stretch of the text came from."""
        return self.places[start], self.places[end - 1] + 1 if end > start else self.places[end]


def cleaned_texts(text: str, language: str) -> Iterator[CleanedText]:
    """The text, cleaned of one thing after another; only where there was something to clean."""
    current = CleanedText(text, range(len(text) + 1))
    for said, edits in _cleanings(language):
        changed = _edited(current, edits(current.text), said)
        if changed.text != current.text:
            current = changed
            yield current


_Edit = tuple[int, int, str]
_Edits = Callable[[str], Iterator[_Edit]]


def _cleanings(language: str) -> list[tuple[str, _Edits]]:
    comments = _slash_comments if language == "sparql" else _dash_comments
    return [
        ("signs written for a web page were decoded", _entities),
        ("invisible characters were removed", _invisible),
        ("typographic quotes were made straight", _quotes),
        ("marks of the beginning of lines were removed", _prefixes),
        ("backslashes of Markdown were removed", _markdown),
        ("comments were written as the language has them", comments),
        ("ends of lines that were written as \\n were restored", _escaped_blanks),
        *(
            [("prefixes in the way of Turtle were written as SPARQL has them", _turtle)]
            if language == "sparql"
            else []
        ),
    ]


def _edited(before: CleanedText, edits: Iterator[_Edit], said: str) -> CleanedText:
    """The text with some stretches replaced; edits come in order and do not overlap."""
    pieces: list[str] = []
    places: list[int] = []
    done = 0
    for start, end, new in edits:
        pieces += (before.text[done:start], new)
        places += before.places[done:start]
        places += [before.places[min(start + place, end - 1)] for place in range(len(new))]
        done = end
    if not pieces:
        return before
    pieces.append(before.text[done:])
    places += before.places[done:]
    return CleanedText("".join(pieces), places, (*before.changes, said))


def _entities(text: str) -> Iterator[_Edit]:
    for found in _ENTITY.finditer(text):
        character = html.unescape(found[0]) if found[0].startswith("&") else "\n"
        if character != found[0]:
            yield found.start(), found.end(), character


def _invisible(text: str) -> Iterator[_Edit]:
    for found in _outside_strings(text, re.compile(f"{_INVISIBLE.pattern}|{_ODD_BLANK.pattern}")):
        yield found.start(), found.end(), " " if _ODD_BLANK.match(found[0]) else ""


def _quotes(text: str) -> Iterator[_Edit]:
    """Typographic quotes round a string; the ones within it stay as they are."""
    position, length = 0, len(text)
    while position < length:
        character = text[position]
        straight = _STRAIGHT.match(text, position) if character in "'\"`" else None
        if straight is not None:
            position = straight.end()
            continue
        if character in _TYPOGRAPHIC:
            closing = _closing_quote(text, position)
            if closing is not None:
                yield from _string_edits(text, position, closing, _TYPOGRAPHIC[character])
                position = closing + 1
                continue
            yield position, position + 1, _TYPOGRAPHIC[character]
        elif character in _PLAIN:
            yield position, position + 1, _PLAIN[character]
        position += 1


def _closing_quote(text: str, opening: int) -> int | None:
    """Where the string that a typographic quote opens is closed; within its line."""
    end = text.find("\n", opening, opening + _LONGEST_TYPOGRAPHIC)
    last = end if end >= 0 else opening + _LONGEST_TYPOGRAPHIC
    for found in _closers(_PARTNERS.get(text[opening], text[opening])).finditer(text, opening + 1, last):
        place = found.start()
        if not (text[place - 1].isalnum() and text[place + 1 : place + 2].isalnum()):
            return place
    return None


@cache
def _closers(quotes: str) -> re.Pattern[str]:
    return re.compile(f"[{quotes}]")


def _string_edits(text: str, opening: int, closing: int, quote: str) -> Iterator[_Edit]:
    yield opening, opening + 1, quote
    for place in range(opening + 1, closing):
        if text[place] == quote:
            yield place, place + 1, "\\" + quote
    yield closing, closing + 1, quote


def _prefixes(text: str) -> Iterator[_Edit]:
    """``> `` of a quotation, ``12 | `` of a listing: where every line has one."""
    lines = [line for line in text.split("\n") if line.strip()]
    if len(lines) > 1 and all(_LINE_PREFIX.match(line) for line in lines):
        for found in _LINE_PREFIX.finditer(text):
            yield found.start(), found.end(), ""


def _markdown(text: str) -> Iterator[_Edit]:
    for found in _outside_strings(text, _ESCAPED_MARK):
        yield found.start(), found.start() + 1, ""


def _dash_comments(text: str) -> Iterator[_Edit]:
    for found in _outside_strings(text, _DASH_COMMENT):
        yield found.start(), found.end(), ""


def _slash_comments(text: str) -> Iterator[_Edit]:
    for found in _outside_strings(text, _SLASH_COMMENT):
        yield found.start(), found.end(), ""


def _escaped_blanks(text: str) -> Iterator[_Edit]:
    for found in _ESCAPED_BLANK.finditer(text):
        yield found.start(), found.end(), "\t" if found[0] == "\\t" else "\n" if len(found[0]) > 1 else ""


def _turtle(text: str) -> Iterator[_Edit]:
    for found in _TURTLE_PREFIX.finditer(text):
        yield found.start(), found.end(), f"{found[1]}{found[2].upper()}{found[3]}"


def _outside_strings(text: str, pattern: re.Pattern[str]) -> Iterator[re.Match[str]]:
    """What matches outside of quoted strings. A quote that is never closed quotes nothing."""
    either = re.compile(f"(?P<quoted_>{_STRAIGHT.pattern})|{pattern.pattern}", pattern.flags | re.DOTALL)
    for found in either.finditer(text):
        if found["quoted_"] is None:
            yield found
